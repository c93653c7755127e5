"""A page of the rulebook as a terminal shows it: headings and code stand out, and the marks for them are gone."""

from __future__ import annotations

from collections.abc import Iterator

from lintbook.patterns import regex
from lintbook.reporters.terminal import PLAIN, Palette, paint, printable

_FENCE = regex(r" {0,3}(`{3,}|~{3,})")
_HEADING = regex(r"(#{1,6}) (.*)")
_CODE = regex(r"(`+)(.+?)\1(?!`)")
_STRONG = regex(r"\*\*?([^*\s](?:[^*]*[^*\s])?)\*\*?")
_LINK = regex(r"\[([^\]]+)\]\([^)\s]+\)")


def render(text: str, palette: Palette) -> Iterator[str]:
    """Yield the lines of a page; without colours they are those of its source, which reads well as it is."""
    if palette is PLAIN:
        yield from text.splitlines()
        return
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if fence:
            if mark is not None and mark[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
            else:
                yield f"    {paint(printable(line), palette.aside)}" if line else ""
        elif mark is not None:
            fence = mark[1]
        elif heading := _HEADING.fullmatch(line):
            yield paint(printable(heading[2]), palette.place)
        else:
            yield _prose(printable(line), palette)


def _prose(line: str, palette: Palette) -> str:
    """Colour the code of a line; what stands between is rid of its marks."""
    parts = []
    position = 0
    for code in _CODE.finditer(line):
        parts.append(_plain(line[position : code.start()]))
        parts.append(paint(code[2], palette.info))
        position = code.end()
    return "".join([*parts, _plain(line[position:])])


def _plain(text: str) -> str:
    return _STRONG.sub(r"\1", _LINK.sub(r"\1", text))
