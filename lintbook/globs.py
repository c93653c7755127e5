"""Patterns of paths, as .gitignore writes them: for the ignored, the excluded and the retired.

Names are compared one folder at a time and no pattern is tried in more than one way at a place, so that a pattern
full of stars takes no more time than any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import translate
from itertools import groupby

from msgspec import Struct

from lintbook.patterns import regex

_ESCAPED = regex(r"\\(.)")


class _Pattern(Struct, frozen=True):
    """One pattern: the names of the folders that lead to what it means, and whether it takes back what others say.

    ``names`` of a pattern without a slash hold one name, which is looked for at any depth.
    """

    names: tuple[str, ...]
    anchored: bool
    folders_only: bool
    negated: bool


class Globs:
    """A list of patterns of which the last that matches decides, all relative to one folder."""

    def __init__(self, lines: Iterable[str]) -> None:
        patterns = [pattern for line in lines if (pattern := _read(line)) is not None]
        runs = groupby(patterns, key=lambda each: (each.negated, each.folders_only, each.anchored))
        self._runs = [
            (negated, folders_only, _Anchored(list(run)) if anchored else _Names(list(run)))
            for (negated, folders_only, anchored), run in runs
        ]
        self._runs.reverse()

    def __bool__(self) -> bool:
        return bool(self._runs)

    def decides(self, path: str, *, is_folder: bool) -> bool | None:
        """Return whether ``path`` itself is meant; None if no pattern says anything about it."""
        names = path.split("/")
        for negated, folders_only, run in self._runs:
            if (is_folder or not folders_only) and run.match(names):
                return not negated
        return None

    def covers(self, path: str) -> bool:
        """Return whether the file at ``path`` is meant, or a folder that it stands in."""
        if not self._runs:
            return False
        names = path.split("/")
        folders = ("/".join(names[:depth]) for depth in range(1, len(names)))
        return any(self.decides(folder, is_folder=True) for folder in folders) or bool(
            self.decides(path, is_folder=False)
        )


class _Names:
    """Patterns without a slash, matched against the last name of a path all at once."""

    def __init__(self, patterns: Sequence[_Pattern]) -> None:
        self._match = re.compile("|".join(translate(pattern.names[0]) for pattern in patterns)).match

    def match(self, names: Sequence[str]) -> bool:
        return self._match(names[-1]) is not None


class _Anchored:
    """Patterns with a slash, matched against a whole path."""

    def __init__(self, patterns: Sequence[_Pattern]) -> None:
        self._patterns = [
            [None if name == "**" else re.compile(translate(name)) for name in pattern.names] for pattern in patterns
        ]

    def match(self, names: Sequence[str]) -> bool:
        return any(_leads_to(pattern, names) for pattern in self._patterns)


def _leads_to(pattern: Sequence[re.Pattern[str] | None], names: Sequence[str]) -> bool:
    """Match folder by folder; None stands for any number of folders.

    Where several places fit what stands between two of these, the first is as good as any later one; so only the last
    one that was passed is gone back to.
    """
    at, place = 0, 0
    resume: tuple[int, int] | None = None
    while place < len(names):
        if at < len(pattern) and (name := pattern[at]) is None:
            resume = (at, place)
            at += 1
            if at == len(pattern):
                return True  # `folder/**` means all that is inside
        elif at < len(pattern) and name is not None and name.match(names[place]):
            at, place = at + 1, place + 1
        elif resume is not None:
            resume = (resume[0], resume[1] + 1)
            at, place = resume[0] + 1, resume[1]
        else:
            return False
    return at == len(pattern)


def _read(line: str) -> _Pattern | None:
    """Read one line; None if it is empty, a comment or means nothing."""
    text = line.rstrip("\r\n")
    while text.endswith((" ", "\t")) and not text.endswith(("\\ ", "\\\t")):
        text = text[:-1]
    if text.startswith("#"):
        return None
    negated = text.startswith("!")
    text = text.removeprefix("!") if negated else text
    folders_only = text.endswith("/")
    inner = text.rstrip("/")
    anchored = "/" in inner
    names = [_as_fnmatch(name) for name in inner.split("/") if name not in ("", ".")]
    if len(names) == 2 and names[0] == "**":
        names, anchored = names[1:], False
    if not names:
        return None
    return _Pattern(tuple(names), anchored, folders_only, negated)


def _as_fnmatch(name: str) -> str:
    """Write one name of a pattern as Python's fnmatch takes it: it has no escapes and negates a set by `!` alone."""
    if name == "**":
        return name
    plain = name.replace("[^", "[!")
    return _ESCAPED.sub(lambda match: f"[{match[1]}]" if match[1] in "*?[" else match[1], plain)
