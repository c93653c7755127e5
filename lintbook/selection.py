"""What ``{{#include file:selection}}`` takes of a file, as mdBook does it: lines by number, or between anchors."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintbook.patterns import regex

_NAME = r"\s*([\w-]+)"
_ANCHOR = regex(rf"ANCHOR:{_NAME}")
_ANCHOR_END = regex(rf"ANCHOR_END:{_NAME}")
_NUMBER = regex(r"\+?[0-9]{1,18}", re.ASCII)  # more digits than any file has lines


class Lines(Struct, frozen=True):
    """The lines from ``first`` (counted from zero) up to ``last``; None is the end of the file."""

    first: int
    last: int | None


def read_selection(selection: str) -> Lines | str:
    """Return the lines that ``selection`` (what stands behind the path and a colon) asks for, or the name of an anchor.

    What is no number behind the second colon asks for all lines to the end.
    """
    first, *others = selection.split(":", 2)
    if first and not _NUMBER.fullmatch(first):
        return first
    last = int(others[0]) if others and _NUMBER.fullmatch(others[0]) else None
    if not first:
        return Lines(0, last)
    start = max(int(first) - 1, 0)
    return Lines(start, last if others else start + 1)


def selected(text: str, selection: str) -> tuple[tuple[int, int], ...] | None:
    """Return the ranges of ``text`` that ``selection`` takes, in order; None if it names an anchor that is not there.

    Lines that are not there are none; lines that carry anchors are left out.
    """
    chosen = read_selection(selection)
    if isinstance(chosen, str):
        return _between_anchors(text, chosen)
    if chosen == Lines(0, None):
        return ((0, len(text) + 1),)
    lines = list(_lines(text))[chosen.first : chosen.last]
    return ((lines[0][0], lines[-1][1]),) if lines else ()


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each line begins and where the next one does."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield start, end
        start = end


def _between_anchors(text: str, name: str) -> tuple[tuple[int, int], ...] | None:
    ranges: list[tuple[int, int]] = []
    found = False
    for start, end in _lines(text):
        closing = _ANCHOR_END.search(text, start, end)
        opening = _ANCHOR.search(text, start, end)
        if not found:
            found = opening is not None and opening[1] == name
        elif closing is not None:
            if closing[1] == name:
                break
        elif opening is None:
            joined = bool(ranges) and ranges[-1][1] == start
            ranges.append((ranges.pop()[0] if joined else start, end))
    return tuple(ranges) if found else None


def anchors_of(text: str) -> frozenset[str]:
    """Return the names of the anchors in ``text``."""
    return frozenset(found[1] for found in _ANCHOR.finditer(text))
