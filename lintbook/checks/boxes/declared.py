"""The boxes of a book that take part in its numbering, in the order of the book."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from lintbook.book import Book, derived
from lintbook.facts import Box, BoxForm, Document, Number
from lintbook.patterns import regex
from lintbook.vocabulary import TASKS

# Pages that repeat boxes of other pages in order to solve, answer or sum them up.
_COMPANION = regex(
    r"solution|answer|解答|答案|题解|解析|summary|recap|cheat.?sheet|glossary|总结|小结|汇总|一览|速查|复习|回顾|索引|术语表|公式表",
    re.IGNORECASE,
)
# A title or anchor that says that the box stands elsewhere and is repeated here.
_RESTATED = regex(r"recall|restate|again|revisit|repeat|cont(?:inued|'d)|重述|复述|再述|回顾|续", re.IGNORECASE)
_LITTLE_WORDS = frozenset({"a", "an", "and", "for", "from", "in", "min", "of", "on", "the", "to", "vs", "via", "with"})


class Declared(NamedTuple):
    """A box with its page and the part of the book that it is in."""

    document: Document
    box: Box
    part: int

    @property
    def name(self) -> str:
        """The box as the reader calls it: `Theorem 2.4.1`."""
        return name_of(self.box)


def name_of(box: Box) -> str:
    """Return what the reader calls a box; of an equation its number in parentheses."""
    return f"({box.number})" if box.kind == "equation" else f"{box.label} {box.number}"


@derived
def declared_boxes(book: Book) -> tuple[Declared, ...]:
    """Return the boxes that say their number, on live pages that are no copies and no companions of others.

    A heading and the box right under it may name one box twice; then the heading counts.
    """
    return tuple(
        Declared(document, box, book.part(box.span))
        for document in book.live_pages
        if document.source.path not in book.copies and not is_companion(document)
        for box in _told_once(document)
    )


def is_companion(document: Document) -> bool:
    """Return whether a page takes up boxes of other pages, by its name or title."""
    title = next((heading.text for heading in document.facts.headings), "")
    name = document.source.path.rpartition("/")[2]
    return bool(_COMPANION.search(name) or _COMPANION.search(title))


def _told_once(document: Document) -> Iterator[Box]:
    previous: Box | None = None
    for box in document.facts.boxes:
        if not box.shown:
            continue
        again = previous is not None and (previous.kind, previous.number) == (box.kind, box.number)
        if not (again and previous is not None and previous.form is BoxForm.HEADING is not box.form):
            yield box
        previous = box


def restates(first: Declared, other: Declared) -> bool:
    """Return whether the later of two declarations repeats the first on purpose.

    It does if it says so or bears the same title, and if it is a translation of it.
    """
    if first.box.label.isascii() != other.box.label.isascii():
        return True
    texts = [box.title for box in (first.box, other.box)]
    texts += [box.anchor.id for box in (first.box, other.box) if box.anchor]
    if any(_RESTATED.search(text) for text in texts):
        return True
    titles = {re.sub(r"\W+", "", box.title).lower() for box in (first.box, other.box)}
    if len(titles) == 1 and titles != {""}:
        return True
    # A page of exercises takes up those of its chapter and words their titles anew.
    apart = first.document is not other.document
    return apart and first.box.kind in TASKS and _alike(first.box.title, other.box.title)


def _alike(title: str, other: str) -> bool:
    """Whether at least half of the shorter title's words stand, inflected perhaps, in the other."""
    stems, others = _stems(title), _stems(other)
    return bool(stems and others) and len(stems & others) * 2 >= min(len(stems), len(others))


def _stems(title: str) -> set[str]:
    words = {word[:5] for word in re.findall(r"[a-z\d]{2,}", title.lower())} - _LITTLE_WORDS
    characters = "".join([character for character in title if "\u3040" <= character <= "\u9fff"])
    return words | {characters[index : index + 2] for index in range(len(characters) - 1)}


class Repetition(NamedTuple):
    """Boxes of one kind and number in one part: the first, and those behind it that do not restate it."""

    first: Declared
    others: tuple[Declared, ...]


@derived
def repetitions(book: Book) -> tuple[Repetition, ...]:
    """Return what is declared more than once, in the order of the first declarations."""
    found: dict[tuple[str, str, int], list[Declared]] = defaultdict(list)
    for each in declared_boxes(book):
        found[each.box.kind, str(each.box.number), each.part].append(each)
    repeated = []
    for first, *others in found.values():
        again = tuple(other for other in others if not restates(first, other))
        if again:
            repeated.append(Repetition(first, again))
    return tuple(repeated)


def index_of(number: Number) -> int | None:
    """Return the last part of a number as an integer; None for a letter, or for what is no number of a book."""
    last = number.parts[-1]
    return int(last) if last.isdigit() and len(last) <= 6 else None
