"""Carry the redirects that SUMMARY.md records into the table of book.toml, on which mdBook acts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from posixpath import dirname, relpath
from typing import Any

from lintbook.diagnostic import Trouble
from lintbook.parse.project import REDIRECTS
from lintbook.parse.toml import read_toml
from lintbook.patterns import regex
from lintbook.redirection import Redirection, Redirections
from lintbook.site import Arrival
from lintbook.text import Source

_HEADER = regex(r"^[ \t]*\[[ \t]*output[ \t]*\.[ \t]*html[ \t]*\.[ \t]*redirect[ \t]*\][^\n]*(?:\n|\Z)", re.MULTILINE)
_NEXT_HEADER = regex(r"^[ \t]*\[", re.MULTILINE)


class Standing(Enum):
    """What the table of book.toml knows of a redirect that SUMMARY.md records."""

    CARRIED = "in book.toml too"
    DIFFERENT = "book.toml leads elsewhere"
    MISSING = "not in book.toml"


def standing(redirections: Redirections, recorded: Redirection) -> Standing:
    """Return whether the table has the redirect ``recorded``."""
    acting = [each for each in redirections.acted_on if each.start == recorded.start]
    if not acting:
        return Standing.MISSING
    return Standing.CARRIED if acting[0].end == recorded.end else Standing.DIFFERENT


def to_carry(redirections: Redirections) -> dict[str, str]:
    """Return what the table lacks of the record, as its keys and values: addresses, targets seen from their sources."""
    found: dict[str, str] = {}
    for recorded in redirections.recorded:
        if standing(redirections, recorded) is Standing.MISSING:
            mark = f"#{recorded.fragment}" if recorded.fragment else ""
            found.setdefault(f"/{recorded.address}{mark}", _seen_from(recorded))
    return found


def _seen_from(recorded: Redirection) -> str:
    if recorded.target.arrival is Arrival.OUTSIDE:
        return recorded.redirect.target
    _, mark, fragment = recorded.redirect.target.partition("#")
    return relpath(recorded.target_address or "index.html", dirname(recorded.address) or ".") + mark + fragment


def with_redirects(text: str, redirects: Mapping[str, str]) -> str:
    """Return the text of a book.toml with ``redirects`` added to its table, all else as it was.

    Raise ValueError if the table is written so that nothing can be added to it by itself, such as in one line.
    """
    ending = "\r\n" if "\r\n" in text else "\n"
    lines = [f"{_quoted(source)} = {_quoted(target)}" for source, target in redirects.items()]
    header = _HEADER.search(text)
    if header is None:
        gap = ending if not text or text.endswith("\n") else ending * 2
        new = text + gap + ending.join(["[output.html.redirect]", *lines, ""])
    else:
        place = _end_of_table(text, header.end())
        before = "" if text.endswith("\n", 0, place) else ending
        new = text[:place] + before + ending.join([*lines, ""]) + text[place:]
    if _table(new) != {**_table(text), **redirects}:
        raise ValueError("the table of redirects is written so that no line can be added to it")
    return new


def _end_of_table(text: str, start: int) -> int:
    """Return where the last line of the table ends that begins at ``start``; comments and blanks behind it stay."""
    following = _NEXT_HEADER.search(text, start)
    end = following.start() if following else len(text)
    lines: Sequence[str] = text[start:end].splitlines(keepends=True)
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines = lines[:-1]
    return start + sum(map(len, lines))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _table(text: str) -> dict[str, Any]:
    document = read_toml(Source("book.toml", text))
    if isinstance(document, Trouble):
        raise ValueError("the file would be no valid TOML any more")
    value: Any = document.table
    for key in REDIRECTS:
        value = value.get(key, {}) if isinstance(value, dict) else {}
    return dict(value) if isinstance(value, dict) else {}
