"""Cross-references that name a box which is declared nowhere."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from difflib import get_close_matches

from lintbook.book import Book
from lintbook.diagnostic import Finding, Severity, Unchecked
from lintbook.facts import Box, Number, Reference, ReferenceForm
from lintbook.rule import book_rule

# A range with more members than this is told by its ends.
_MEMBERS = 500
_DIGITS = 9

# Kinds that are often collected apart from the text.
_TASKS = frozenset({"exercise", "problem", "lab"})

FOREIGN = "references to another work"
UNDECLARED = "references to boxes of chapters that declare none"


@book_rule("REF001", Severity.ERROR)
def dangling_box_reference(book: Book) -> Iterator[Finding | Unchecked]:
    """A cross-reference names a box that no page declares."""
    declared = _Declared(book)
    missing: list[tuple[Reference, list[Number]]] = []
    for document in book.live_pages:
        for reference in document.facts.references:
            if reference.form is ReferenceForm.SECTION:
                continue
            lost = [number for number in _members(reference) if not declared.has(reference, number)]
            if lost and reference.foreign:
                yield Unchecked(FOREIGN)
            elif lost:
                missing.append((reference, lost))
    numbers: dict[str, set[tuple[str, Number]]] = defaultdict(set)
    for reference, lost in missing:
        numbers[_chapter(reference.number)].update((reference.kind, number) for number in lost)
    for reference, lost in missing:
        if declared.knows(reference, lost[0], len(numbers[_chapter(reference.number)])):
            yield _finding(declared, reference, lost)
        else:
            yield Unchecked(UNDECLARED)


def _chapter(number: Number) -> str:
    return number.parts[0]


def _members(reference: Reference) -> list[Number]:
    """Return the numbers that a reference names: of a range all from its beginning to its end."""
    first, last = reference.number, reference.last
    if last is None:
        return [first]
    if not (first.parts[-1].isdigit() and last.parts[-1].isdigit()) or len(last.parts[-1]) > _DIGITS:
        return [first, last]
    low, high = int(first.parts[-1]), int(last.parts[-1])
    if high - low > _MEMBERS:
        return [first, last]
    return [Number((*first.parts[:-1], str(index))) for index in range(low, high + 1)]


def _plain_id(identifier: str) -> str:
    """Return the id of a box anchor without what follows its number, in lower case: `THM-2.3.4-RN` is thm-2.3.4."""
    found = re.match(r"[A-Za-z]+-[\dA-Za-z]+(?:\.\d+)+(?:[a-z](?![A-Za-z]))?", identifier)
    return (found.group() if found else identifier).lower()


class _Declared:
    """What the pages of a book declare, and where they declare enough that silence means absence."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._by_number: dict[tuple[str, ...], list[Box]] = defaultdict(list)
        self._chapters: dict[tuple[str, int], set[tuple[str, Number]]] = defaultdict(set)
        self._ids: set[str] = set()
        for page in book.pages:
            for box in page.facts.boxes:
                self._by_number[box.number.parts].append(box)
                if box.anchor is not None:
                    self._ids.add(_plain_id(box.anchor.id))
                self._chapters[_chapter(box.number), box.number.depth].add((box.kind, box.number))
        self._prefixes = book.vocabulary.by_prefix
        self._kinds = {box.kind for boxes in self._by_number.values() for box in boxes}

    def kinds(self, reference: Reference) -> tuple[str, ...]:
        """The kinds that a reference may mean: an anchor's prefix may stand for several."""
        if reference.form is ReferenceForm.BRACKETED:
            return self._prefixes.get(reference.label.lower(), (reference.kind,))
        return (reference.kind,)

    def has(self, reference: Reference, number: Number) -> bool:
        """Return whether some page declares the box; a lettered part of a box counts as the box."""
        kinds = self.kinds(reference)
        if reference.form is ReferenceForm.BRACKETED and f"{reference.label}-{number}".lower() in self._ids:
            return True
        return any(
            box.kind in kinds or box.kind.split(" ")[-1] in kinds
            for box in self._by_number.get(number.parts, ())
            if box.number.suffix == number.suffix or not (box.number.suffix and number.suffix)
        )

    def knows(self, reference: Reference, number: Number, missing: int) -> bool:
        """Return whether the book's silence about a box says that there is none.

        It does where the book declares boxes of that kind, or this number as a box of another; of that chapter and
        depth; and more of them than are missing: a page that comments another book's theorems declares few and names
        many. Exercises may stand in another book altogether.
        """
        if not any(kind in self._kinds for kind in self.kinds(reference)):
            other = self.wrong_kind(number)
            if other is None or {other.kind, reference.kind} & _TASKS:
                return False
        here = len(self._chapters.get((_chapter(reference.number), reference.number.depth), ()))
        if here:
            return missing <= max(here, 2)
        depth = sum(len(boxes) for (_, depth), boxes in self._chapters.items() if depth == reference.number.depth)
        return depth >= 3 * missing

    def wrong_kind(self, number: Number) -> Box | None:
        """Return the box that bears the number under another kind."""
        return next((box for box in self._by_number.get(number.parts, ()) if box.kind != "equation"), None)

    def nearest(self, reference: Reference, number: Number) -> str | None:
        """Return the number of the same kind that is most like a missing one."""
        kinds = self.kinds(reference)
        numbers = sorted({str(box.number) for boxes in self._by_number.values() for box in boxes if box.kind in kinds})
        found = get_close_matches(str(number), numbers, 1, 0.6)
        return found[0] if found else None


def _finding(declared: _Declared, reference: Reference, lost: list[Number]) -> Finding:
    label = reference.label
    joint = "-" if reference.form is ReferenceForm.BRACKETED else " "
    name = f"{label}{joint}{lost[0]}"
    if reference.last is not None:
        shown = f"{label}{joint}{reference.number}–{reference.last}"
        rest = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
        message = f"`{shown}` reaches `{name}`{rest}, which no page declares"
    else:
        message = f"`{name}` is declared nowhere"
    other = declared.wrong_kind(lost[0])
    nearest = declared.nearest(reference, lost[0])
    advice = None
    if other is not None and reference.last is None:
        message += (
            f": {other.number} is a {other.kind}"
            if other.kind[0] not in "aeiou"
            else f": {other.number} is an {other.kind}"
        )
        advice = f"name it {other.label} {other.number}, or give the number of the {reference.kind} that is meant"
    elif nearest is not None:
        advice = f"the nearest is {label}{joint}{nearest}"
    return Finding(reference.span, message, cause=f"{reference.kind} {lost[0]}", advice=advice)
