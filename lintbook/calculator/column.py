"""Columns: the numbers of a table that a claim in its header vouches for, and those that it takes its values from."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from lintbook.calculator.expression import MalformedError, Number, with_plain_subscripts
from lintbook.calculator.number import exact, print_like, read_scale
from lintbook.calculator.plain import plain
from lintbook.calculator.quotation import Quoted, Stretch, WrittenCell, WrittenClaim, WrittenTable
from lintbook.calculator.unit import read_unit
from lintbook.patterns import regex
from lintbook.text import EMPTY_PASSAGE, Passage, Span

_BRACKETS = regex(r"\s*[(（\[]([^()（）\[\]]*)[)）\]]\s*$")
_BLANKS = regex(r"\s+")


class CellText(Struct, frozen=True):
    """A body cell as the text that the claim of its column vouches for."""

    span: Span
    text: str
    offset: int
    stretch: Passage
    references: tuple[tuple[int, int], ...]
    header: Passage | None
    follows: Passage = EMPTY_PASSAGE
    table: WrittenTable | None = None


def cell_text(claim: WrittenClaim, cell: WrittenCell, header: Passage) -> CellText:
    """Return a body cell as text of which ``claim``, in a header, speaks."""
    return CellText(claim.span, claim.text, claim.offset, cell.passage, cell.references, header)


def _header_name(header: Passage | str) -> str:
    """Return what a header is called: signs of math, a unit in brackets and doubled blanks left out."""
    text = header if isinstance(header, str) else plain(header).text
    text = with_plain_subscripts(text)
    brackets = _BRACKETS.search(text)
    if brackets and _is_unit(brackets[1].strip()):
        text = text[: brackets.start()]
    return _BLANKS.sub(" ", text.replace("$", "")).strip()


def _is_unit(text: str) -> bool:
    scale, at = read_scale(text, 0) or (None, 0)
    at += len(text[at:]) - len(text[at:].lstrip())
    unit = read_unit(text, at)
    end = unit[1] if unit else at
    return bool(text) and end == len(text) and (scale is not None or unit is not None)


def find_column(table: WrittenTable, name: str) -> int:
    """Return the index of the column called ``name``, or counted from one; raise MalformedError if there is none."""
    wanted = _header_name(name)
    found = [index for index, header in enumerate(table.headers) if _header_name(header) == wanted]
    if not found and name.isdecimal() and 0 < int(name[:9]) <= len(table.headers):
        return int(name) - 1
    if len(found) != 1:
        number = "no column is" if not found else f"{len(found)} columns are"
        raise MalformedError(f"{number} called `{name}`")
    return found[0]


def last_number(claim: WrittenClaim, table: WrittenTable, cell: WrittenCell, column: int) -> Quoted | None:
    """Return the last number of a cell, with the unit of its header; None if there is none."""
    numbers = Stretch(cell_text(claim, cell, table.headers[column]), 1, frozenset()).plainest
    return numbers[0] if numbers and numbers[0].written is not None else None


def as_value(quoted: Quoted) -> Number:
    """Return a number of a table as a value for a symbol: exact as written."""
    assert quoted.written is not None  # ``last_number`` gives no other
    value = exact(quoted.written.number * quoted.factor)
    shown = print_like(Fraction(quoted.written.number), quoted.written)
    return Number(shown + quoted.tail.replace(" ", ""), value, quoted.dimension)
