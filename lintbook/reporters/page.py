"""A page of the rulebook as a terminal shows it: headings and code stand out, and the marks for them are gone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintbook.patterns import regex
from lintbook.reporters.terminal import PLAIN, Palette, paint, printable
from lintbook.text import display_width

_FENCE = regex(r" {0,3}(?P<mark>`{3,}|~{3,})(?P<info>.*)")
_HEADING = regex(r"(#{1,6}) (.*)")
_ITEM = regex(r"\s*(?:[-*]|\d+\.) ")
_CODE = regex(r"(`+)(.+?)\1(?!`)")
_STRONG = regex(r"\*\*?([^*\s](?:[^*]*[^*\s])?)\*\*?")
_LINK = regex(r"\[([^\]]+)\]\([^)\s]+\)")
_COLOUR = regex(r"\x1b\[[0-9;]*m")
# What stands on its lines as it is, by how it begins and ends: comments that declare formulas, and displayed ones.
_KEPT = (("<!--", "-->"), ("$$", "$$"))
# What a fence holds above which nothing says so.
_CAPTIONS = {"toml": "`lintbook.toml`:", "diagnostics": "reported:"}


def render(text: str, palette: Palette, width: int) -> Iterator[str]:
    """Yield the lines of a page, ``width`` columns wide at most where there are blanks to break at.

    Without colours they are those of its source, which reads well as it is.
    """
    if palette is PLAIN:
        yield from text.splitlines()
    else:
        yield from _Rendering(text, palette, width).lines()


class _Rendering:
    def __init__(self, text: str, palette: Palette, width: int) -> None:
        self._source = iter(map(printable, text.splitlines()))
        self._palette = palette
        self._width = width
        self._paragraph: list[str] = []
        self._named = False  # whether the line above says what the next fence holds

    def lines(self) -> Iterator[str]:
        for line in self._source:
            fence, heading = _FENCE.match(line), _HEADING.fullmatch(line)
            kept = next((end for start, end in _KEPT if line.startswith(start)), None)
            if fence or heading or kept or not line or line.startswith("|") or _ITEM.match(line):
                yield from self._wrapped()
            if fence:
                yield from self._fenced(fence)
            elif heading:
                yield paint(heading[2], self._palette.place)
            elif kept:
                yield from self._kept(line, kept)
            elif line.startswith("|"):
                yield self._painted(line)
            elif line:
                self._paragraph.append(line)
            else:
                yield ""
        yield from self._wrapped()

    def _fenced(self, fence: re.Match[str]) -> Iterator[str]:
        """Yield what stands in a fence, indented; what lintbook answers is not as faint as the files are."""
        info = fence["info"].strip()
        if info in _CAPTIONS and not self._named:
            yield from (self._painted(_CAPTIONS[info]), "")
        self._named = False
        code = self._palette.aside if info != "diagnostics" else ""
        for line in self._source:
            mark = _FENCE.match(line)
            if mark is not None and mark["mark"].startswith(fence["mark"]) and not line.strip(" `~"):
                return
            yield f"    {paint(line, code)}" if line else ""

    def _kept(self, line: str, end: str) -> Iterator[str]:
        yield paint(line, self._palette.aside)
        if end not in line[1:].removeprefix("$"):
            for following in self._source:
                yield paint(following, self._palette.aside)
                if end in following:
                    return

    def _wrapped(self) -> Iterator[str]:
        """Yield the paragraph or item that has been gathered, in lines that fit."""
        if not self._paragraph:
            return
        self._named = self._paragraph[-1].endswith(":")
        item = _ITEM.match(self._paragraph[0])
        hanging = " " * len(item[0]) if item else ""
        line, *words = self._painted(" ".join(each.strip() for each in self._paragraph)).split(" ")
        line = f"{hanging[:-2]}{line}"
        self._paragraph.clear()
        for word in words:
            if display_width(_COLOUR.sub("", f"{line} {word}")) <= self._width:
                line = f"{line} {word}"
            else:
                yield line
                line = hanging + word
        yield line

    def _painted(self, text: str) -> str:
        """Colour the code of a text; what stands between is rid of its marks."""
        parts = []
        position = 0
        for code in _CODE.finditer(text):
            parts.append(_plain(text[position : code.start()]))
            parts.append(paint(code[2], self._palette.info))
            position = code.end()
        return "".join([*parts, _plain(text[position:])])


def _plain(text: str) -> str:
    return _STRONG.sub(r"\1", _LINK.sub(r"\1", text))
