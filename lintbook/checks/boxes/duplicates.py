"""One kind and number, declared twice."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from lintbook.book import Book
from lintbook.diagnostic import Finding, Related, Severity
from lintbook.facts import Box, BoxForm, Document
from lintbook.rule import book_rule

# Pages that repeat boxes of other pages in order to solve or answer them.
_SOLUTIONS = re.compile(r"solution|answer|解答|答案|题解|解析", re.IGNORECASE)
# A title or anchor that says that the box stands elsewhere and is repeated here.
_RESTATED = re.compile(r"recall|restate|again|revisit|repeat|cont(?:inued|'d)|重述|复述|再述|回顾|续", re.IGNORECASE)


_TASKS = frozenset({"exercise", "lab", "problem"})
_LITTLE_WORDS = frozenset({"a", "an", "and", "for", "from", "in", "min", "of", "on", "the", "to", "vs", "via", "with"})


class _Declared(NamedTuple):
    document: Document
    box: Box
    part: int


@book_rule("BOX001", Severity.ERROR)
def duplicate_box_number(book: Book) -> Iterator[Finding]:
    """One kind and number is declared twice in a part of the book."""
    copies = book.copies
    declared: dict[tuple[str, str, int], list[_Declared]] = defaultdict(list)
    for document in book.live_pages:
        path = document.source.path
        if path in copies or _is_solutions(document):
            continue
        parts = book.part_starts(path)
        for box in _visible(document):
            part = max((number for start, number in parts if start <= box.span.start), default=0)
            declared[box.kind, str(box.number), part].append(_Declared(document, box, part))
    for same in declared.values():
        first, *others = same
        for other in others:
            if not _restates(first, other):
                yield _finding(first, other)


def _is_solutions(document: Document) -> bool:
    title = next((heading.text for heading in document.facts.headings), "")
    return bool(_SOLUTIONS.search(document.source.path) or _SOLUTIONS.search(title))


def _visible(document: Document) -> Iterator[Box]:
    """Yield the boxes that say their number; a heading and the box right under it may name one box twice."""
    previous: Box | None = None
    for box in document.facts.boxes:
        if box.form is BoxForm.ANCHOR or (box.form is BoxForm.EQUATION and box.anchor is not None):
            continue  # an id alone; two equal ids are another rule's
        again = previous is not None and (previous.kind, previous.number) == (box.kind, box.number)
        if not (again and previous is not None and previous.form is BoxForm.HEADING is not box.form):
            yield box
        previous = box


def _restates(first: _Declared, other: _Declared) -> bool:
    """Whether the later declaration repeats the first on purpose: it says so, or it bears the same title."""
    texts = [box.title for box in (first.box, other.box)]
    texts += [box.anchor.id for box in (first.box, other.box) if box.anchor]
    if any(_RESTATED.search(text) for text in texts):
        return True
    titles = {re.sub(r"\W+", "", box.title).lower() for box in (first.box, other.box)}
    if len(titles) == 1 and titles != {""}:
        return True
    # A page of exercises takes up those of its chapter and words their titles anew.
    apart = first.document is not other.document
    return apart and first.box.kind in _TASKS and _alike(first.box.title, other.box.title)


def _alike(title: str, other: str) -> bool:
    """Whether at least half of the shorter title's words stand, inflected perhaps, in the other."""
    stems, others = _stems(title), _stems(other)
    return bool(stems and others) and len(stems & others) * 2 >= min(len(stems), len(others))


def _stems(title: str) -> set[str]:
    words = {word[:5] for word in re.findall(r"[a-z\d]{2,}", title.lower())} - _LITTLE_WORDS
    characters = "".join(re.findall(r"[\u3040-\u9fff]", title))
    return words | {characters[index : index + 2] for index in range(len(characters) - 1)}


def _finding(first: _Declared, other: _Declared) -> Finding:
    place = first.document.source.position(first.box.span.start)
    name = f"{other.box.label} {other.box.number}"
    where = "" if first.document is other.document else f" in `{first.document.source.path}`"
    return Finding(
        other.box.span,
        f"`{name}` is declared a second time, first on line {place.line}{where}",
        related=(Related(first.box.span, "the first declaration"),),
        advice="give one of the two another number",
    )
