"""Text and places: sources, spans, and passages of text as the reader sees them.

Every place in lintbook is a half-open range of code points in the decoded text of one file. Lines and columns are
computed only when a place is shown. Nothing here knows Markdown.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from enum import StrEnum
from functools import cached_property
from itertools import islice
from typing import NamedTuple
from unicodedata import category, east_asian_width

from msgspec import Struct

BYTE_ORDER_MARK = "\ufeff"


class Span(Struct, frozen=True, order=True, gc=False):
    """A half-open range of code points, ``start`` up to ``end``, in the decoded text of the file at ``path``."""

    path: str
    start: int
    end: int


class Position(NamedTuple):
    """A place as people say it: line and column, both counted from one, columns in code points."""

    line: int
    column: int


class Source:
    """The decoded text of one file, byte order mark and line endings included, and the table of its lines.

    ``path`` is relative to the working directory, with ``/`` as separator. Lines end at LF, CR LF or CR, as in
    CommonMark. The byte order mark is a code point of the text (offsets count it) but stands in no column.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset of the first character of every line; at least one entry."""
        text = self.text
        starts = [1 if text.startswith(BYTE_ORDER_MARK) else 0]
        if "\r" not in text:
            found = text.find("\n")
            while found >= 0:
                starts.append(found + 1)
                found = text.find("\n", found + 1)
            return starts
        offset, length = 0, len(text)
        while offset < length:
            character = text[offset]
            offset += 1
            if character == "\r":
                if text.startswith("\n", offset):
                    offset += 1
                starts.append(offset)
            elif character == "\n":
                starts.append(offset)
        return starts

    def line_end(self, line: int) -> int:
        """The offset behind the last character of ``line`` (counted from one), its line ending left out."""
        starts = self.line_starts
        if line >= len(starts):
            return len(self.text)
        end = starts[line]
        if self.text[end - 1] == "\n":
            end -= 1
        if end > starts[line - 1] and self.text[end - 1] == "\r":
            end -= 1
        return end

    def line_text(self, line: int) -> str:
        """The characters of ``line`` (counted from one) without its line ending."""
        return self.text[self.line_starts[line - 1] : self.line_end(line)]

    def position(self, offset: int) -> Position:
        """Return line and column of the code point at ``offset``."""
        starts = self.line_starts
        line = max(bisect_right(starts, offset), 1)
        return Position(line, max(offset - starts[line - 1], 0) + 1)

    def span(self, start: int, end: int) -> Span:
        """Return the range ``start`` up to ``end`` of this file."""
        return Span(self.path, start, end)


class Style(StrEnum):
    """How a piece of a passage is set: as prose, raised or lowered prose, mathematics, a code span."""

    PROSE = "prose"
    SUPERSCRIPT = "superscript"
    SUBSCRIPT = "subscript"
    MATH = "math"
    CODE = "code"


class Piece(NamedTuple):
    """A stretch of a passage that stands contiguously in the source.

    ``start`` counts in the passage, ``offset`` in the source. When ``verbatim`` is false the piece was decoded (an
    entity, an escape, a line break): it has no inner places, and ``source_end`` is where it ends in the source.
    """

    start: int
    offset: int
    source_end: int
    style: Style
    verbatim: bool


class Passage(Struct, frozen=True, gc=False):
    r"""Text as the reader sees it, each character tied to its place in the source.

    The markup of the passage (emphasis, link targets, tags, the delimiters of math and code) is left out; a line
    break is one ``"\n"``. Math keeps its LaTeX. Boundaries between pieces are where markup stood.
    """

    text: str
    pieces: tuple[Piece, ...]

    def _piece(self, index: int) -> Piece:
        return self.pieces[max(self._behind(index) - 1, 0)]

    def _behind(self, index: int) -> int:
        """Return how many pieces begin at ``index`` or before it."""
        return bisect_left(self.pieces, (index + 1,))

    def place(self, index: int) -> int:
        """Return the source offset of the character at ``index`` of the passage."""
        piece = self._piece(index)
        return piece.offset + (index - piece.start) if piece.verbatim else piece.offset

    def range(self, start: int, end: int) -> tuple[int, int]:
        """Return the source offsets that the characters ``start`` up to ``end`` of the passage cover."""
        first = self._piece(start)
        begin = first.offset + (start - first.start) if first.verbatim else first.offset
        if end <= start:
            return begin, begin
        last = self._piece(end - 1)
        return begin, last.offset + (end - last.start) if last.verbatim else last.source_end

    def style(self, index: int) -> Style:
        """Return how the character at ``index`` is set."""
        return self._piece(index).style

    def is_verbatim(self, index: int) -> bool:
        """Return whether the character at ``index`` stands in the source as it is: neither escaped nor an entity."""
        return self._piece(index).verbatim

    def seam(self, start: int, end: int) -> int:
        """Return the first index behind ``start`` where markup stands between two characters, or ``end``."""
        for piece in islice(self.pieces, self._behind(start), None):
            if piece.start >= end:
                break
            if self.range(piece.start - 1, piece.start)[1] != piece.offset:
                return piece.start
        return end

    def code_spans(self) -> Iterator[tuple[int, int, str]]:
        """Yield the code spans of this passage: their ends and their text. Two that touch cannot be told apart."""
        start = None
        for piece in self.pieces:
            if piece.style is Style.CODE:
                start = piece.start if start is None else start
            elif start is not None:
                yield start, piece.start, self.text[start : piece.start]
                start = None
        if start is not None:
            yield start, len(self.text), self.text[start:]

    def slice(self, start: int, end: int) -> Passage:
        """Return the passage of the characters ``start`` up to ``end``."""
        pieces = []
        first = max(self._behind(start) - 1, 0)
        for piece in islice(self.pieces, first, None):
            if piece.start >= end:
                break
            skipped = max(start - piece.start, 0) if piece.verbatim else 0
            pieces.append(piece._replace(start=max(piece.start, start) - start, offset=piece.offset + skipped))
        return Passage(self.text[start:end], tuple(pieces))


EMPTY_PASSAGE = Passage("", ())


def display_width(text: str) -> int:
    """Return how many terminal columns ``text`` takes: CJK and emoji two each, combining marks none."""
    width = 0
    for character in text:
        if character < "\u0300":
            width += 1
        elif category(character) in ("Mn", "Me", "Cf"):
            continue
        else:
            width += 2 if east_asian_width(character) in "WF" else 1
    return width
