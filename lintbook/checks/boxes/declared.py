"""The boxes of a book that take part in its numbering, in the order of the book."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lintbook.book import Book, derived
from lintbook.checks.boxes.home import is_at_home
from lintbook.checks.boxes.restating import is_companion, is_taken_up, is_translation, restates
from lintbook.facts import Box, BoxForm, Document, Number
from lintbook.text import Span


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

    A heading and the box right under it may name one box twice; then the heading counts. Of a box that is stated again
    on purpose the one counts that stands where it belongs.
    """
    found = [
        Declared(document, box, book.part(box.span))
        for document in book.live_pages
        if document.source.path not in book.copies and not is_companion(document)
        for box in _told_once(document)
    ]
    again = _stated_again(book, found)
    return tuple(each for each in found if each.box.span not in again)


def _told_once(document: Document) -> Iterator[Box]:
    previous: Box | None = None
    for box in document.facts.boxes:
        if not box.shown or box.form is BoxForm.CITED:
            continue
        again = previous is not None and (previous.kind, previous.number) == (box.kind, box.number)
        if not (again and previous is not None and previous.form is BoxForm.HEADING is not box.form):
            yield box
        previous = box


def _stated_again(book: Book, found: Iterable[Declared]) -> set[Span]:
    """Return the places of boxes that state on purpose what another of their kind and number states."""
    again = set()
    for same in _named_alike(found):
        home = min(same, key=lambda each: is_taken_up(each.document, each.box) or not is_at_home(book, each.box))
        for each in same:
            if each is not home and restates(home.document, home.box, (each.document, each.box)):
                again.add(each.box.span)
    return again


def _named_alike(found: Iterable[Declared]) -> Iterator[list[Declared]]:
    """Yield the boxes of one kind and number in one part, where they are several."""
    groups: dict[tuple[str, str, int], list[Declared]] = defaultdict(list)
    for each in found:
        groups[each.box.kind, str(each.box.number), each.part].append(each)
    yield from (same for same in groups.values() if len(same) > 1)


class Repetition(NamedTuple):
    """Boxes of one kind and number in one part: the first, and those behind it that are no translations of it."""

    first: Declared
    others: tuple[Declared, ...]


@derived
def repetitions(book: Book) -> tuple[Repetition, ...]:
    """Return what is declared more than once, in the order of the first declarations."""
    repeated = []
    for first, *others in _named_alike(declared_boxes(book)):
        again = tuple(other for other in others if not is_translation(first.box, other.box))
        if again:
            repeated.append(Repetition(first, again))
    return tuple(repeated)


def index_of(number: Number) -> int | None:
    """Return the last part of a number as an integer; None for a letter, or for what is no number of a book."""
    last = number.parts[-1]
    return int(last) if last.isdigit() and len(last) <= 6 else None
