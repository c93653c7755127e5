"""Writes claims as a page would have them, for tests that need no Markdown: `$…$` is math, `` `…` `` code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lintbook.calculator.formula import Namespace, parse_block
from lintbook.calculator.judgement import judge_book
from lintbook.calculator.problem import Problem, Verdict
from lintbook.facts import Claim
from lintbook.text import Passage, Piece, Span, Style

PAGE = "page.md"
DECLARATIONS = "declarations.md"

_CLAIM = re.compile(r"<!--=(.*?)-->")
_PIECE = re.compile(r"\$([^$]*)\$|`([^`]*)`|([^$`]+)")
_STYLES = (Style.MATH, Style.CODE, Style.PROSE)


def passage(text: str, offset: int = 0) -> Passage:
    """Return what a reader sees of ``text``, which stands at ``offset`` of the source."""
    shown, pieces = "", []
    for match in _PIECE.finditer(text):
        group = match.lastindex or 3
        start, end = offset + match.start(group), offset + match.end(group)
        pieces.append(Piece(len(shown), start, end, _STYLES[group - 1], verbatim=True))
        shown += match[group]
    return Passage(shown, tuple(pieces))


def claims(page: str, header: str | None = None, references: Sequence[str] = ()) -> list[Claim]:
    """Return the claims of a page of one paragraph; ``references`` are its cross-references."""
    found, start = [], 0
    for match in _CLAIM.finditer(page):
        stretch = passage(page[start : match.start()], start)
        covered = [(stretch.text.find(r), stretch.text.find(r) + len(r)) for r in references if r in stretch.text]
        follows = passage(_CLAIM.split(page[match.end() :])[0], match.end())
        found.append(
            Claim(
                Span(PAGE, *match.span()),
                match[1],
                match.start(1),
                stretch,
                tuple(covered),
                follows,
                None if header is None else passage(header),
            )
        )
        start = match.end()
    return found


def namespace(declarations: str) -> Namespace:
    """Join the declarations of a book that has one block."""
    return Namespace.of(parse_block(DECLARATIONS, lines(declarations)))


def lines(text: str) -> list[tuple[str, int]]:
    """Return the lines of a block with their offsets."""
    found, offset = [], 0
    for line in text.split("\n"):
        found.append((line, offset))
        offset += len(line) + 1
    return found


def judge(page: str, declarations: str = "", header: str | None = None, references: Sequence[str] = ()) -> Verdict:
    """Judge the claims of a page."""
    return judge_book(namespace(declarations), claims(page, header, references))


def problems(page: str, declarations: str = "", header: str | None = None) -> list[tuple[str, str]]:
    """Return kind and message of each problem that a page's claims have."""
    return [(str(problem.kind), problem.message) for problem in judge(page, declarations, header).problems]


def bound(page: str, declarations: str = "", header: str | None = None, references: Sequence[str] = ()) -> list[str]:
    """Return the numbers that the claims of a page bind, as they are written."""
    verdict = judge(page, declarations, header, references)
    return [page[span.start : span.end] for checked in verdict.claims for span in checked.numbers]


def place(problem: Problem, page: str) -> str:
    """Return the characters of a page that a problem stands at."""
    assert problem.span.path == PAGE
    return page[problem.span.start : problem.span.end]
