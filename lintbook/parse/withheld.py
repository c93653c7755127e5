"""What of a page never comes to the Markdown parser: a block of data at its top, and what other languages take."""

from __future__ import annotations

import re

from lintbook.dialect import Dialect
from lintbook.patterns import regex

_FRONT_MATTER = regex(r"---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
# What Liquid makes of these comes to the page without having been Markdown, or not at all; a comment of kramdown never.
_LIQUID = regex(r"\{%-?[ \t]*(highlight|comment)\b[^%\n]*%\}")
_LIQUID_ENDS = {name: regex(rf"\{{%-?[ \t]*end{name}\b[^%\n]*%\}}") for name in ("highlight", "comment")}
_KRAMDOWN = "{::comment}"
_KRAMDOWN_END = regex(r"\{:/(?:comment)?\}")
# A comment of MDX. In a style rule, `{/* x */ color: red}`, no brace stands behind it.
_MDX = "{/*"
_MDX_END = regex(r"\*/(?P<brace>\s{0,9}\})?")


def without_withheld(text: str, dialect: Dialect) -> str:
    """Return ``text`` with blanks for all that ``dialect`` does not read as Markdown: every place stays the same."""
    if dialect is not Dialect.MDBOOK and text.startswith("---") and (match := _FRONT_MATTER.match(text)):
        text = _blanked(match.group()) + text[match.end() :]
    if dialect is Dialect.JEKYLL:
        if "{%" in text:
            text = _without_liquid(text)
        text = _without(text, _KRAMDOWN, _KRAMDOWN_END)
    if dialect is Dialect.GITHUB:
        text = _without(text, _MDX, _MDX_END)
    return text


def _without(text: str, opening: str, end: re.Pattern[str]) -> str:
    """Blank what stands between ``opening`` and its ``end``, both included, but where a group of that finds nothing."""
    parts: list[str] = []
    done, position = 0, text.find(opening)
    while position >= 0 and (found := end.search(text, position + len(opening))):
        if None not in found.groups():
            parts.extend((text[done:position], _blanked(text[position : found.end()])))
            done = found.end()
        position = text.find(opening, found.end())
    return "".join(parts) + text[done:] if parts else text


def _without_liquid(text: str) -> str:
    """Blank what stands between ``{% highlight … %}`` or ``{% comment %}`` and its end, tags included."""
    parts: list[str] = []
    position = 0
    while match := _LIQUID.search(text, position):
        end = _LIQUID_ENDS[match[1]].search(text, match.end())
        if end is None:
            break
        parts.extend((text[position : match.start()], _blanked(text[match.start() : end.end()])))
        position = end.end()
    return "".join(parts) + text[position:]


def _blanked(text: str) -> str:
    """Return blank lines of the same lengths, which keep everything where it is."""
    return re.sub(r"[^\n]", " ", text)
