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
from lintbook.patterns import regex

# What pandoc takes for a block of its own wherever it stands in a drawing.
_PANDOC_BLOCK = regex(
    r"</?(?:svg|title|div|p|table|ul|ol|li|h[1-6]|section|figure|video|object)(?=[\s/>])[^<>]*+>",
    re.IGNORECASE,
)
# What it hands on as it is where a block may begin.
_PANDOC_RAW = regex(r"\s*+(?:<!--.*?-->|<style\b.*?</style>|<script\b.*?</script>)", re.DOTALL | re.IGNORECASE)
# What Python-Markdown sets aside where it begins a line, but for quotations, and headings.
_PYTHON_BLOCK = regex(
    r"\s{0,3}</?(?:style|script|div|p|table|ul|ol|li|h[1-6]|section|figure|video|object|center)(?=[\s/>])|#{1,6}[^#]",
    re.IGNORECASE,
)
_PYTHON_HEADING = regex(r"#{1,6}[^#]")

_NOTHING = regex(r"(?!)")


class Interruption(NamedTuple):
    """A tag that the renderer puts at a ``position`` of a drawing's text, and the line, from zero, that is why."""

    position: int
    tag: str
    reason: int


class Setting(NamedTuple):
    """How a drawing stands on its page.

    ``indent`` is how far it is indented if it begins a block of raw HTML, None if it is part of a paragraph; ``quoted``
    says that it stands in a quotation, ``loose`` that it is not the first thing in its list item.
    """

    indent: int | None
    quoted: bool
    loose: bool


def is_common_mark(dialect: Dialect) -> bool:
    """Return whether ``dialect`` cuts a page into blocks as CommonMark does."""
    return dialect in (Dialect.MDBOOK, Dialect.GITHUB)


def interruptions(dialect: Dialect, lines: Sequence[str], setting: Setting) -> list[Interruption]:
    """Return what ``dialect`` puts between the ``lines`` of a drawing; positions count in the lines joined."""
    if dialect is Dialect.PANDOC and setting.indent == 0:
        return list(_pandoc(lines, loose=setting.loose))
    if dialect is Dialect.JEKYLL and setting.indent is not None and setting.indent < 4:
        return []
    if dialect is Dialect.MKDOCS:
        return list(_paragraphs(lines, _PYTHON_HEADING if setting.quoted else _PYTHON_BLOCK))
    return list(_paragraphs(lines, _NOTHING))


def _paragraphs(lines: Sequence[str], block: re.Pattern[str]) -> Iterator[Interruption]:
    """A drawing in a paragraph: what ends the paragraph, a blank line or a ``block``, ends the drawing with it."""
    position = 0
    for number, line in enumerate(lines):
        if not line.strip() or (number and block.match(line)):
            yield Interruption(position, "</p>", number)
        position += len(line) + 1


def _pandoc(lines: Sequence[str], *, loose: bool) -> Iterator[Interruption]:
    """Pandoc reads the inside as Markdown: what a blank line follows is a paragraph, what is indented is code.

    Indentation counts from that of the first line inside. In a ``loose`` list the last text is a paragraph as well.
    """
    indent: int | None = None
    position = line = 0
    for start, end in _chunks(lines):
        position += sum(len(each) + 1 for each in lines[line:start])
        line = start
        chunk = "\n".join(lines[start:end])
        begin = _last_run(chunk[: chunk.lower().rindex("</svg")] if loose and end == len(lines) else chunk)
        if begin is None:
            continue
        before = chunk[chunk.rfind("\n", 0, begin) + 1 : begin]
        own = len(before.expandtabs(4)) if not before.strip() else 0
        indent = own if indent is None else indent
        if own - indent >= 4:
            yield Interruption(position + begin, "<pre>", start - 1)
        elif end < len(lines) or loose:
            yield Interruption(position + begin, "<p>", min(end, len(lines) - 1))


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


def _last_run(chunk: str) -> int | None:
    """Return where the text begins that stands behind the last block of a chunk, if there is any."""
    position = 0
    for block in _PANDOC_BLOCK.finditer(chunk):
        position = block.end()
    while raw := _PANDOC_RAW.match(chunk, position):
        position = raw.end()
    rest = chunk[position:].lstrip()
    return len(chunk) - len(rest) if rest else None
