"""The formula library: what the pages in ``rules/formulas`` declare, visible in every book.

A book uses few of the formulas, so each is parsed when it is asked for. On its page every one stands on a line of its
own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from lintbook.calculator.formula import Formula, parse_block
from lintbook.files import rulebook_folder
from lintbook.patterns import regex

FOLDER = "rules/formulas"

_BLOCK = regex(r"^<!-- quantities\n(?P<lines>.*?)^-->", re.MULTILINE | re.DOTALL)
_FORMULA = regex(r"^(?P<name>\w+)(?: \[[^\]\n]+\])? = (?P<expression>.*)$", re.MULTILINE)
_CALL = regex(r"\b(\w+)\(")


class Entry(NamedTuple):
    """A formula before it is parsed: its line, where that stands, and the names that are called in it."""

    path: str
    line: str
    offset: int
    calls: frozenset[str]


@cache
def library() -> dict[str, Entry]:
    """Return the formulas of all pages by their names; sets and values of a page are its own."""
    found = {}
    for page in sorted((rulebook_folder() / "formulas").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for block in _BLOCK.finditer(text):
            for match in _FORMULA.finditer(text, block.start("lines"), block.end("lines")):
                calls = frozenset(_CALL.findall(match["expression"]))
                found[match["name"]] = Entry(f"{FOLDER}/{page.name}", match.group(), match.start(), calls)
    return found


def formulas_named(words: Iterable[str]) -> list[Formula]:
    """Return the formulas of the library whose names are among ``words``, and those that they call."""
    entries = library()
    pending = [word for word in words if word in entries]
    wanted: dict[str, Formula] = {}
    while pending:
        name = pending.pop()
        if name in wanted:
            continue
        entry = entries[name]
        (formula,) = parse_block(entry.path, [(entry.line, entry.offset)])
        assert isinstance(formula, Formula)  # the pages are our own
        wanted[name] = formula
        pending += [called for called in entry.calls if called in entries]
    return [wanted[name] for name in entries if name in wanted]
