"""From places in what a Markdown parser hands out to places in the source.

Block parsers strip containers (quotation marks, list indents) from lines and escapes from table cells before they hand
the rest to the inline parser. What stays of a line is always a *suffix* of it, so a line's place is its end less its
length: no container has to be understood. Only table cells are cut out of the middle of a line; their splitting is
replayed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from lintbook.patterns import regex
from lintbook.text import BYTE_ORDER_MARK, Source

# What the Markdown parser trims from the ends of a paragraph, heading or cell: every blank of Unicode.
BLANKS = "".join(
    chr(code)
    for code in (
        *range(0x09, 0x0E),
        0x20,
        0xA0,
        0x1680,
        *range(0x2000, 0x200B),
        0x2028,
        0x2029,
        0x202F,
        0x205F,
        0x3000,
    )
)
_NEWLINE = regex(r"\n")


class ContentMap:
    """Where each character of an inline content stands in the source: runs of (start in the content, offset).

    The first run begins at zero.
    """

    __slots__ = ("_offsets", "_starts")

    def __init__(self, runs: Sequence[tuple[int, int]]) -> None:
        self._starts = [start for start, _ in runs]
        self._offsets = [offset for _, offset in runs]

    def locate(self, position: int) -> int:
        """Return the source offset of the character at ``position``."""
        if len(self._starts) == 1:
            return self._offsets[0] + position
        run = max(bisect_right(self._starts, position) - 1, 0)
        return self._offsets[run] + position - self._starts[run]

    def locate_end(self, position: int) -> int:
        """Return the source offset where a range ends that ends before ``position``.

        The end of a range is the place behind its last character: at the end of a line the next character stands
        behind a container's marks.
        """
        return self.locate(position - 1) + 1 if position > 0 else self.locate(0)

    def runs(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """Return (start, end, source offset) for the contiguous parts of ``start`` up to ``end``."""
        starts, offsets = self._starts, self._offsets
        run = max(bisect_right(starts, start) - 1, 0) if len(starts) > 1 else 0
        found = []
        while start < end:
            stop = starts[run + 1] if run + 1 < len(starts) and starts[run + 1] < end else end
            found.append((start, stop, offsets[run] + start - starts[run]))
            start = stop
            run += 1
        return found


class LineTable:
    """The lines of a source as a Markdown parser sees them: without byte order mark, every line ending one LF."""

    def __init__(self, source: Source) -> None:
        self._source = source
        text = source.text.removeprefix(BYTE_ORDER_MARK)
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.normalized = text.replace("\0", "\ufffd")
        if "\r" in source.text:
            self._starts = [0, *(newline.end() for newline in _NEWLINE.finditer(text))]
        else:
            first = source.line_starts[0]
            self._starts = [start - first for start in source.line_starts]
        self._ends = [start - 1 for start in self._starts[1:]]
        self._ends.append(len(text))

    def line_of(self, position: int) -> int:
        """Return the line (from zero) of ``position`` in the normalized text."""
        return bisect_right(self._starts, position) - 1

    def offset(self, position: int) -> int:
        """Return the source offset of ``position`` in the normalized text."""
        line = self.line_of(position)
        return self._source.line_starts[line] + position - self._starts[line]

    def bounds(self, line: int) -> tuple[int, int]:
        """Return where ``line`` (from zero) begins and ends in the normalized text, its line ending left out."""
        return self._starts[line], self._ends[line]

    def text(self, line: int) -> str:
        """Return the characters of ``line`` (from zero), container marks included."""
        start, end = self.bounds(line)
        return self.normalized[start:end]

    def suffix_map(self, content: str, first_line: int) -> ContentMap:
        """Map a content whose lines are suffixes of the source's lines from ``first_line`` on.

        The content's last line was trimmed at its end; lines of nothing but blanks may have been trimmed from its
        beginning, so the first line is looked for.
        """
        lines = content.split("\n")
        line = first_line
        last = len(self._starts) - 1
        if self.normalized.endswith(lines[0], self._starts[line], self._ends[line]):
            return self._map(lines, line)  # so it is nearly always
        while line < last and not self.text(line).rstrip(BLANKS).endswith(lines[0].rstrip(BLANKS)):
            line += 1
        return self._map(lines, line)

    def block_map(self, content: str, first_line: int) -> ContentMap:
        """Map the content of a block that is taken over line by line, from ``first_line`` on.

        Nothing was trimmed from it; but of a tab that a container has used in part blanks are left, which stand for
        no character of the source. So a line may begin before its source does, and its first line cannot be looked for.
        """
        return self._map(content.split("\n"), first_line)

    def _map(self, lines: list[str], line: int) -> ContentMap:
        last = len(self._starts) - 1
        runs, start = [], 0
        for number, text in enumerate(lines, line):
            row = min(number, last)
            begin, end = self._starts[row], self._ends[row]
            runs.append((start, self._source.line_starts[row] + end - len(text) - begin))
            start += len(text) + 1
        if not self.normalized.endswith(lines[-1], begin, end):
            trimmed = end - begin - len(self.normalized[begin:end].rstrip(BLANKS))
            runs[-1] = (runs[-1][0], runs[-1][1] - trimmed)
        return ContentMap(runs)

    def term_map(self, content: str, line: int) -> ContentMap:
        """Map the content of a term: of its line everything is trimmed that Python calls a blank, control signs too."""
        begin, end = self.bounds(line)
        raw = self.normalized[begin:end].rstrip()
        return ContentMap([(0, self._source.line_starts[line] + len(raw) - len(content))])

    def heading_map(self, content: str, line: int) -> ContentMap:
        """Map the content of an ATX heading: closing number signs stand behind it."""
        begin, end = self.bounds(line)
        raw = self.normalized[begin:end].rstrip(BLANKS)
        if not raw.endswith(content) or (raw.rstrip("#") != raw and raw.rstrip("#").rstrip(BLANKS).endswith(content)):
            raw = raw.rstrip("#").rstrip(BLANKS)
        return ContentMap([(0, self._source.line_starts[line] + len(raw) - len(content))])

    def cell_maps(self, row_start: int) -> list[tuple[str, ContentMap]]:
        """Split the table row that begins at ``row_start`` of the normalized text; give each cell with its map.

        The splitting is GFM's as the parser does it: a pipe behind a backslash belongs to the cell and loses its
        backslash, an empty cell before the first and behind the last pipe is none.
        """
        line = self.line_of(row_start)
        _, end = self.bounds(line)
        base = self.offset(row_start)
        row = self.normalized[row_start:end]
        lead = len(row) - len(row.lstrip(BLANKS))
        row = row.strip(BLANKS)
        cells = [_trimmed(cell) for cell in _split_row(row, base + lead)]
        if cells and not cells[0][2]:
            cells.pop(0)
        if cells and not cells[-1][2]:
            cells.pop()
        return [(text, ContentMap(runs)) for text, runs, _ in cells]


def _split_row(row: str, base: int) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    if "\\" not in row:
        for text in row.split("|"):
            yield text, [(0, base)]
            base += len(text) + 1
        return
    text, runs, run_start, escaped = "", [(0, base)], 0, False
    for position, character in enumerate(row):
        if character == "|" and not escaped:
            yield text + row[run_start:position], runs
            text, runs, run_start = "", [(0, base + position + 1)], position + 1
        elif character == "|":
            text += row[run_start : position - 1]
            runs.append((len(text), base + position))
            run_start = position
        escaped = character == "\\"
    yield text + row[run_start:], runs


def _trimmed(cell: tuple[str, list[tuple[int, int]]]) -> tuple[str, list[tuple[int, int]], bool]:
    """Trim a cell; the last value says whether anything at all, blanks included, stood in it."""
    text, runs = cell
    lead = len(text) - len(text.lstrip(BLANKS))
    if len(runs) == 1:
        return text.strip(BLANKS), [(0, runs[0][1] + lead)], bool(text)
    moved = []
    for start, offset in runs:
        moved.append((max(start - lead, 0), offset + max(lead - start, 0)))
    # Runs that end within the trimmed blanks all begin at zero now; the last of them is the one that counts.
    first = max(index for index, (start, _) in enumerate(moved) if start == 0)
    return text.strip(BLANKS), moved[first:], bool(text)
