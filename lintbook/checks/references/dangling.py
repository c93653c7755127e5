"""Cross-references that name a box which is declared nowhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from lintbook.book import Book
from lintbook.checks.references.numbers import members, spoken
from lintbook.diagnostic import Finding, Severity, Unchecked
from lintbook.facts import Box, Number, Reference, ReferenceForm
from lintbook.patterns import regex
from lintbook.rule import book_rule
from lintbook.vocabulary import TASKS

FOREIGN = "references to another work or edition"
UNDECLARED = "references to boxes of chapters that declare none"


@book_rule("REF001", Severity.ERROR)
def dangling_box_reference(book: Book) -> Iterator[Finding | Unchecked]:
    """A cross-reference names a box that no page declares."""
    declared = _Declared(book)
    missing: list[tuple[Reference, list[Number]]] = []
    for document in book.live_pages:
        for reference in spoken(document):
            if reference.form is ReferenceForm.SECTION:
                continue
            lost = declared.lost(reference)
            if lost and (reference.foreign or (book.is_solutions and reference.kind in TASKS)):
                yield Unchecked(FOREIGN)
            elif lost:
                missing.append((reference, lost))
    numbers: dict[str, set[tuple[str, Number]]] = defaultdict(set)
    for reference, lost in missing:
        numbers[_chapter(reference.number)].add((reference.kind, lost[0]))
    for reference, lost in missing:
        if declared.knows(reference, lost[0], len(numbers[_chapter(reference.number)])):
            yield _finding(declared, reference, lost)
        else:
            yield Unchecked(UNDECLARED)


def _chapter(number: Number) -> str:
    return number.parts[0]


def _plain_id(identifier: str) -> str:
    """Return the id of a box anchor without what follows its number, in lower case: `THM-2.3.4-RN` is thm-2.3.4."""
    found = _PLAIN_ID.match(identifier)
    return (found.group() if found else identifier).lower()


_PLAIN_ID = regex(r"[A-Za-z]+-[\dA-Za-z]+(?:\.\d+)+(?:[a-z](?![A-Za-z]))?")


_LONGEST_INDEX = 9  # digits; to a number of more none of a book is near


class _Declared:
    """What the pages of a book declare, and where they declare enough that silence means absence."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._by_number: dict[tuple[str, ...], list[Box]] = defaultdict(list)
        self._chapters: dict[tuple[str, int], set[tuple[str, Number]]] = defaultdict(set)
        self._depths: dict[int, int] = defaultdict(int)
        self._ids: set[str] = set()
        for page in book.pages:
            for box in page.facts.boxes:
                self._by_number[box.number.parts].append(box)
                if box.anchor is not None:
                    self._ids.add(_plain_id(box.anchor.id))
                self._chapters[_chapter(box.number), box.number.depth].add((box.kind, box.number))
        for (_, depth), boxes in self._chapters.items():
            self._depths[depth] += len(boxes)
        self._prefixes = book.vocabulary.by_prefix
        self._kinds = {box.kind for boxes in self._by_number.values() for box in boxes}

    def kinds(self, reference: Reference) -> tuple[str, ...]:
        """The kinds that a reference may mean: an anchor's prefix may stand for several."""
        if reference.form is ReferenceForm.BRACKETED:
            return self._prefixes.get(reference.label.lower(), (reference.kind,))
        return (reference.kind,)

    def lost(self, reference: Reference) -> list[Number]:
        """Return the numbers that a reference names and no page declares.

        Inside a range there may be boxes of other kinds, where they share a counter.
        """
        named = members(reference)
        return [
            number
            for position, number in enumerate(named)
            if not self.has(reference, number)
            and not any(self._is_named(kind, number) for kind in self.kinds(reference))
            and not (0 < position < len(named) - 1 and self._is_shared(reference, number))
        ]

    def _is_named(self, kind: str, number: Number) -> bool:
        """Whether a box of the book may have this name, though none is declared: a loose title, text in a fence."""
        names = {(kind, number), (kind, Number(number.parts))}
        return not names.isdisjoint(self._book.swallowed) or not names.isdisjoint(self._book.loosely_titled)

    def _is_shared(self, reference: Reference, number: Number) -> bool:
        other = self.wrong_kind(number)
        return other is not None and not {other.kind, reference.kind} & TASKS

    def has(self, reference: Reference, number: Number) -> bool:
        """Return whether some page declares the box; a lettered part of a box counts as the box."""
        if reference.form is not ReferenceForm.BRACKETED and self._book.declarations(reference.kind, number):
            return True
        kinds = self.kinds(reference)
        if reference.form is ReferenceForm.BRACKETED and f"{reference.label}-{number}".lower() in self._ids:
            return True
        return any(
            self._is_called(box, kinds, number)
            for box in self._by_number.get(number.parts, ())
            if box.number.suffix == number.suffix or not (box.number.suffix and number.suffix)
        )

    def _is_called(self, box: Box, kinds: tuple[str, ...], number: Number) -> bool:
        if box.kind in kinds or box.kind.split(" ")[-1] in kinds:
            return True
        # An id alone says its kind by a prefix that may stand for several.
        if not box.shown and set(self._prefixes.get(box.label.lower(), ())) & set(kinds):
            return True
        return any((name.kind, name.number) in ((kind, number) for kind in kinds) for name in box.names)

    def knows(self, reference: Reference, number: Number, missing: int) -> bool:
        """Return whether the book's silence about a box says that there is none.

        It does where the book declares boxes of that kind, or this number as a box of another; of that chapter and
        depth; and more of them than are missing: a page that comments another book's theorems declares few and names
        many. Exercises may stand in another book altogether.
        """
        if not any(kind in self._kinds for kind in self.kinds(reference)):
            other = self.wrong_kind(number)
            if other is None or {other.kind, reference.kind} & TASKS:
                return False
        here = len(self._chapters.get((_chapter(reference.number), reference.number.depth), ()))
        if here:
            return missing <= max(here, 2)
        return self._depths[reference.number.depth] >= 3 * missing

    def wrong_kind(self, number: Number) -> Box | None:
        """Return the box that bears the number under another kind."""
        return next((box for box in self._by_number.get(number.parts, ()) if box.kind != "equation"), None)

    def nearest(self, reference: Reference, number: Number) -> Number | None:
        """Return the existing number of the same kind that is nearest to a missing one in its section."""
        last, prefix = number.parts[-1], number.parts[:-1]
        if not last.isdigit() or len(last) > _LONGEST_INDEX:
            return None
        indices = set().union(*(self._book.indices(kind, prefix) for kind in self.kinds(reference)))
        best = min(indices, key=lambda index: (abs(index - int(last)), index), default=None)
        return None if best is None else Number((*prefix, str(best)))


def _singular(label: str) -> str:
    """Return the word for one of what a label names in the plural."""
    if label.endswith("ies"):
        return label.removesuffix("ies") + "y"
    return label.removesuffix("ta") if label.endswith("mata") else label.removesuffix("s")


def _finding(declared: _Declared, reference: Reference, lost: list[Number]) -> Finding:
    label = reference.label
    joint = "-" if reference.form is ReferenceForm.BRACKETED else " "
    name = f"{_singular(label)}{joint}{lost[0]}"
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
        article = "an" if other.kind[0] in "aeiou" else "a"
        message += f": {other.number} is {article} {other.kind}"
        advice = f"name it {other.label} {other.number}, or give the number of the {reference.kind} that is meant"
    elif nearest is not None:
        advice = f"the nearest is {label}{joint}{nearest}"
    return Finding(reference.span, message, cause=f"{reference.kind} {lost[0]}", advice=advice)
