"""References in CSS, ``url(#id)``, with places. It is tinycss2 that cuts the text into tokens."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lintbook.patterns import regex

if TYPE_CHECKING:
    from tinycss2.ast import Node


class LocalReference(NamedTuple):
    """A ``url(#fragment)``: the property that takes it (in lower case), the fragment, and its place."""

    property: str
    fragment: str
    start: int
    end: int


_LIKELY = regex(r"url\(\s*+[\"']?\s*+#", re.IGNORECASE)
_PLAIN = regex(r"""\s*+url\(\s*+#([^\s()"'\\]++)\s*+\)\s*+""", re.IGNORECASE)
_URL = regex(
    r"""url\(\s*+(?: "\s*+\#(?P<double>(?:[^"\\]|\\.)*+)
                   | '\s*+\#(?P<single>(?:[^'\\]|\\.)*+)
                   | \#(?P<bare>(?:[^\s)\\]|\\.)*+) )""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_ESCAPE = regex(r"\\(?:([0-9A-Fa-f]{1,6})\s?|(.))", re.DOTALL)
_NEWLINE = regex("\n")
# tinycss2 reads them as numbers, which Python refuses if they have thousands of digits.
_LONG_DIGITS = regex("[0-9]{1000,}+")


def value_references(css: str, name: str) -> list[LocalReference]:
    """Return the references in the value of the property ``name``."""
    plain = _PLAIN.fullmatch(css)  # most are: there is nothing in them to be cut into tokens
    if plain:
        return [LocalReference(name, plain[1], *plain.span(1))]
    return _references(css, name)


def declaration_references(css: str) -> list[LocalReference]:
    """Return the references in declarations as a ``style`` attribute holds them."""
    return _references(css, None)


def sheet_references(css: str) -> list[LocalReference]:
    """Return the references in the rules of a style sheet, nested and conditional ones included."""
    return _references(css, "")


def _references(css: str, name: str | None) -> list[LocalReference]:
    """Read ``css`` as a list of declarations if ``name`` is None, else as tokens that belong to ``name``.

    In either, what stands in braces is a list of declarations.
    """
    if not _LIKELY.search(css):
        return []
    from tinycss2 import parse_component_value_list  # imported here, for few files have such references

    # What tinycss2 would replace is replaced beforehand, one for one, so that lines and columns stay true.
    text = css.replace("\r\n", " \n").replace("\r", "\n").replace("\f", "\n").replace("\0", "\ufffd")
    text = _LONG_DIGITS.sub(lambda digits: "x" * len(digits.group()), text)
    line_starts = [0, *(newline.end() for newline in _NEWLINE.finditer(text))]
    found = []
    for property_, token in _urls(parse_component_value_list(text, skip_comments=True), name):
        match = _URL.match(css, line_starts[token.source_line - 1] + token.source_column - 1)
        if match and match.lastgroup:
            fragment = _ESCAPE.sub(_escaped, match[match.lastgroup])
            found.append(LocalReference(property_, fragment, *match.span(match.lastgroup)))
    return sorted(found, key=lambda reference: reference.start)


def _urls(tokens: Sequence[Node], name: str | None) -> Iterator[tuple[str, Node]]:
    """Yield each ``url(`` of the tokens, in any order, and the property that takes it."""
    from tinycss2 import ast

    waiting = [(tokens, name)]  # blocks nest deeper than Python calls may
    while waiting:
        tokens, outer = waiting.pop()
        current = outer
        for token in tokens:
            if isinstance(token, ast.CurlyBracketsBlock):
                waiting.append((token.content, None))
                current = outer
            elif outer is None and isinstance(token, ast.LiteralToken) and token.value == ";":
                current = None
            elif current is None:
                if not isinstance(token, ast.WhitespaceToken):
                    current = token.lower_value if isinstance(token, ast.IdentToken) else ""
            elif isinstance(token, ast.URLToken):
                yield current, token
            elif isinstance(token, ast.FunctionBlock):
                yield from [(current, token)] if token.lower_name == "url" else []
                waiting.append((token.arguments, current))
            elif isinstance(token, ast.ParenthesesBlock | ast.SquareBracketsBlock):
                waiting.append((token.content, current))


def _escaped(escape: re.Match[str]) -> str:
    number = int(escape[1] or "0", 16)
    return escape[2] or (chr(number) if 0 < number < 0xD800 or 0xDFFF < number <= sys.maxunicode else "\ufffd")
