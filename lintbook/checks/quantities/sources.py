"""Sources: table rows that name a box as the source of their numbers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lintbook.book import Book
from lintbook.diagnostic import Finding, Related, Severity
from lintbook.facts import Box, Document, SourcedRow
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
    for document in book.current:
        for row in document.facts.sourced_rows:
            boxes = _boxes(book, document, row)
            numbers = _numbers(book, row)
            if not boxes or not numbers:
                continue
            stated = [number for box in boxes for number in _stated(book, box)]
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
    for reference in document.facts.references:
        if row.source.start <= reference.span.start and reference.span.end <= row.source.end:
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


def _stated(book: Book, box: Box) -> list[Quoted]:
    """Return the numbers that stand in a box: from its declaration to the next one, a heading or a table of results."""
    document = book.document(box.span.path)
    if document is None:
        return []
    facts = document.facts
    places = [*(each.span for each in facts.boxes), *(each.span for each in facts.headings)]
    starts = sorted(span.start for span in [*places, *(row.span for row in facts.sourced_rows)])
    following = bisect_right(starts, box.span.end)
    end = starts[following] if following < len(starts) else len(document.source.text)
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
