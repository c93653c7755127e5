"""Where renderers other than CommonMark's put tags of their own between the lines of a drawing.

What CommonMark does is read off the parser. Of the others, what they do to the lines of a drawing is told here, as
measured with pandoc 3.9 and Python-Markdown 3.11; of kramdown its documentation is believed: it hands raw HTML on as
it is, up to the tag that closes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lintbook.dialect import Dialect

_COMMENT = re.compile(r"\s*+(?:<!--.*?-->\s*+)", re.DOTALL)
# What pandoc takes for a block of its own wherever it stands in a drawing.
_PANDOC_BLOCK = re.compile(
    r"</?(?:svg|title|style|script|div|p|table|ul|ol|li|h[1-6]|section|figure|video|object)(?=[\s/>])[^<>]*+>",
    re.IGNORECASE,
)
# What Python-Markdown sets aside where it begins a line, whatever is round it.
_PYTHON_BLOCK = re.compile(
    r"\s{0,3}</?(?:style|script|div|p|table|ul|ol|li|h[1-6]|section|figure|video|object|center)(?=[\s/>])|#{1,6}[^#]",
    re.IGNORECASE,
)

_NOTHING = re.compile(r"(?!)")


class Interruption(NamedTuple):
    """A tag that the renderer puts before a line of a drawing, and the line that is the reason; both from zero."""

    line: int
    tag: str
    reason: int


def is_common_mark(dialect: Dialect) -> bool:
    """Return whether ``dialect`` cuts a page into blocks as CommonMark does."""
    return dialect in (Dialect.MDBOOK, Dialect.GITHUB)


def interruptions(dialect: Dialect, lines: Sequence[str], *, as_block: bool) -> list[Interruption]:
    """Return what ``dialect`` puts between the ``lines`` of a drawing.

    ``as_block`` says that the drawing begins a block of raw HTML and stands in no list; else it is part of a paragraph.
    """
    if dialect is Dialect.PANDOC and as_block:
        return list(_pandoc(lines))
    if dialect is Dialect.JEKYLL and as_block:
        return []
    return list(_paragraphs(lines, _PYTHON_BLOCK if dialect is Dialect.MKDOCS else _NOTHING))


def _paragraphs(lines: Sequence[str], block: re.Pattern[str]) -> Iterator[Interruption]:
    """A drawing in a paragraph: what ends the paragraph, a blank line or a ``block``, ends the drawing with it."""
    for number, line in enumerate(lines):
        if not line.strip() or (number and block.match(line)):
            yield Interruption(number, "</p>", number)


def _pandoc(lines: Sequence[str]) -> Iterator[Interruption]:
    """Pandoc reads the inside as Markdown: what a blank line follows is a paragraph, what is indented is code."""
    indent: int | None = None
    for start, end in _chunks(lines):
        first = start + 1 if start == 0 else start  # behind the start tag
        begin = _last_run(lines, first, end)
        if begin is None:
            continue
        own = len(lines[first]) - len(lines[first].lstrip())
        indent = own if indent is None else indent
        if start and own - indent >= 4:
            yield Interruption(first, "<pre>", start - 1)
        elif end < len(lines):
            yield Interruption(begin, "<p>", end)


def _chunks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the runs of lines without a blank one, from line to line; a style sheet and a comment are not cut."""
    start: int | None = None
    hidden = ""  # what ends the comment or sheet that is open
    for number, line in enumerate(lines):
        if not hidden and not line.strip():
            if start is not None:
                yield start, number
            start = None
            continue
        if start is None:
            start = number
        hidden = _hidden_behind(line, hidden)
    if start is not None:
        yield start, len(lines)


def _hidden_behind(line: str, hidden: str) -> str:
    """Return what ends the comment or style sheet that is open behind ``line``, if one is."""
    position = 0
    while True:
        if hidden:
            found = line.find(hidden, position)
            if found < 0:
                return hidden
            position, hidden = found + len(hidden), ""
        comment, sheet = line.find("<!--", position), line.find("<style", position)
        if comment < 0 and sheet < 0:
            return ""
        hidden = "-->" if sheet < 0 or 0 <= comment < sheet else "</style>"
        position = max(comment, sheet) if min(comment, sheet) < 0 else min(comment, sheet)


def _last_run(lines: Sequence[str], start: int, end: int) -> int | None:
    """Return the line where the text begins that stands behind the last block of a chunk, if there is any."""
    text = "\n".join(lines[start:end])
    position = 0
    for block in _PANDOC_BLOCK.finditer(text):
        position = block.end()
    while comment := _COMMENT.match(text, position):
        position = comment.end()
    rest = text[position:]
    if not rest.strip():
        return None
    position += len(rest) - len(rest.lstrip())
    return start + text.count("\n", 0, position)
