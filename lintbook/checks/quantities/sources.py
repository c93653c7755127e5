"""Sources: table rows that name a box as the source of their numbers."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lintbook.book import Book
from lintbook.diagnostic import Finding, Related, Severity
from lintbook.facts import Box, Document, Reference, SourcedRow
from lintbook.patterns import regex
from lintbook.rule import book_rule
from lintbook.text import Passage, Piece, Span, Style

if TYPE_CHECKING:
    from lintbook.calculator.quotation import Quoted

_LONGEST_BOX = 20_000  # characters in which the number of a row is looked for
_TELLING_DIGITS = 3  # a number of fewer, without unit, stands in many places by chance


@book_rule("QTY006", Severity.WARNING)
def mismatched_source(book: Book) -> Iterator[Finding]:
    """A table row names a box as its source that states none of the row's numbers."""
    sources = _Sources(book)
    for document in book.current:
        for row in document.facts.sourced_rows:
            boxes = _boxes(book, document, row)
            numbers = _numbers(book, row) if boxes else []
            if not numbers:
                continue
            stated = [number for box in boxes for number in sources.stated(box)]
            if not any(number.may_be(other) for _, number in numbers for other in stated):
                yield _finding(document, row, boxes, numbers)


def _finding(document: Document, row: SourcedRow, boxes: list[Box], numbers: list[tuple[Span, Quoted]]) -> Finding:
    names = " and ".join(f"`{box.label} {box.number}`" for box in boxes)
    text = document.source.text
    shown = ", ".join(f"`{text[span.start : span.end]} {number.tail}`".replace(" `", "`") for span, number in numbers)
    verb = "states" if len(boxes) == 1 else "state"
    return Finding(
        row.source,
        f"{names} {verb} none of the numbers of the row: {shown}",
        related=tuple(Related(box.span, "the source") for box in boxes),
        advice="name the box that states them, or correct the numbers in one of the two places",
    )


def _boxes(book: Book, document: Document, row: SourcedRow) -> list[Box]:
    """Return the boxes that a row names as its source; none if one of them is not in this book, or is a range."""
    boxes: list[Box] = []
    references = document.facts.references
    first = bisect_left(references, row.source.start, key=_start)
    for reference in references[first : bisect_right(references, row.source.end, lo=first, key=_start)]:
        if reference.span.end <= row.source.end:
            found = book.declarations(reference.kind, reference.number)
            if len(found) != 1 or reference.last is not None or reference.foreign:
                return []
            boxes.extend(found)
    return boxes


def _numbers(book: Book, row: SourcedRow) -> list[tuple[Span, Quoted]]:
    """Return the numbers of a row with their places: those that claims vouch for, else those that tell something."""
    claimed = {
        number for number in book.claimed_numbers(row.span.path) if row.span.start <= number.start < row.span.end
    }
    found = []
    for cell in row.cells:
        for number in _read(cell.passage, cell.references):
            place = Span(row.span.path, *cell.passage.range(number.start, number.end))
            if place in claimed if claimed else _tells(number):
                found.append((place, number))
    return found


def _tells(number: Quoted) -> bool:
    written = number.written
    return written is not None and (written.digits >= _TELLING_DIGITS or number.unit is not None)


def _start(reference: Reference) -> int:
    return reference.span.start


class _Sources:
    """The numbers that boxes state; many rows may name one box, and many boxes stand on one page."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._ends: dict[str, list[int]] = {}  # by page, where what a box states is over
        self._stated: dict[Span, list[Quoted]] = {}

    def stated(self, box: Box) -> list[Quoted]:
        """Return the numbers of a box: from its declaration to the next one, a heading or a table of results."""
        if box.span not in self._stated:
            document = self._book.document(box.span.path)
            self._stated[box.span] = self._read(document, box) if document is not None else []
        return self._stated[box.span]

    def _read(self, document: Document, box: Box) -> list[Quoted]:
        ends = self._ends.setdefault(document.source.path, [])
        if not ends:
            facts = document.facts
            places = [*(each.span for each in facts.boxes), *(each.span for each in facts.headings)]
            ends.extend(sorted(span.start for span in (*places, *(row.span for row in facts.sourced_rows))))
        following = bisect_right(ends, box.span.end)
        end = ends[following] if following < len(ends) else len(document.source.text)
        return _read(_raw(document.source.text[box.span.end : min(end, box.span.end + _LONGEST_BOX)]), ())


_MATH = regex(r"<!--.*?(?:-->|\Z)|\$\$?(?P<math>[^$]*)\$\$?|(?P<prose>[^$<]+|.)", re.DOTALL)


def _raw(text: str) -> Passage:
    """Return Markdown as a passage that is good enough for reading numbers: formulas apart, comments left out."""
    shown, pieces = "", []
    for match in _MATH.finditer(text):
        kind = match.lastgroup
        if kind and match[kind]:
            style = Style.MATH if kind == "math" else Style.PROSE
            pieces.append(Piece(len(shown), match.start(kind), match.end(kind), style, verbatim=True))
            shown += match[kind]
    return Passage(shown, tuple(pieces))


def _read(passage: Passage, references: tuple[tuple[int, int], ...]) -> list[Quoted]:
    """Return all numbers of a passage."""
    from lintbook.calculator.column import CellText  # few books have such tables
    from lintbook.calculator.quotation import Stretch

    text = CellText(Span("", 0, 0), "", 0, passage, references, None)
    return Stretch(text, len(passage.text), frozenset()).all_numbers()
