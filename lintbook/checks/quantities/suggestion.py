"""Suggestions: claims for numbers beside which a formula's symbols are all given values. Never more than proposals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lintbook.book import Book
from lintbook.calculator.column import CellText
from lintbook.calculator.evaluation import DimensionError, Environment, UnboundError, nearest_integer
from lintbook.calculator.expression import Call, MalformedError, Node, Parser, canonical
from lintbook.calculator.formula import Namespace
from lintbook.calculator.judgement import judge_book
from lintbook.calculator.library import library
from lintbook.calculator.plain import plain
from lintbook.calculator.quotation import Agreement, Quoted, Stretch, agreement
from lintbook.diagnostic import Edit
from lintbook.facts import Document
from lintbook.parse import parse_markdown
from lintbook.parse.blocks import BlockKind, TextBlock
from lintbook.parse.markdown import read
from lintbook.patterns import regex
from lintbook.text import Passage, Source, Span, Style


class Suggestion(NamedTuple):
    """A claim that could stand behind a number; ``edit`` puts it there."""

    number: Span
    claim: str
    edit: Edit


_TELLING_DIGITS = 4  # a number of fewer agrees with some formula by chance
_BOUND = regex(
    r"(?P<name>[^\W\d_][^\W_]*(?:_\{[^{}]*\}|_\w+)?)\s*[=≡]\s*(?P<value>[0-9]+(?:\.[0-9]+)?(?:e[0-9]+)?)"
    r"(?![0-9.]|\s*[×·*/^+])"
)
# Words that say how many bytes a number takes.
_PRECISIONS = (
    (regex(r"\b(?:FP16|BF16|float16|bfloat16)\b|半精度", re.IGNORECASE), "2byte"),
    (regex(r"\b(?:FP32|float32)\b|单精度", re.IGNORECASE), "4byte"),
    (regex(r"\b(?:INT8|FP8)\b", re.IGNORECASE), "1byte"),
)


def suggestions(book: Book, document: Document) -> list[Suggestion]:
    """Return claims for numbers of a page that no claim vouches for and that one formula of the values there gives.

    They agree where they would stand, and change nothing for the claims that stand there already.
    """
    names = book.names_for(library())
    proposed = list(_on_page(document, names))
    if not proposed:
        return []
    kept: list[Suggestion] = []
    problems, compared = _judged(book, document, names, ())
    for suggestion in proposed:
        together = (*kept, suggestion)
        if _judged(book, document, names, together) == (problems, compared + len(together)):
            kept.append(suggestion)
    return kept


def _judged(book: Book, document: Document, names: Namespace, added: Sequence[Suggestion]) -> tuple[list[str], int]:
    """Return the problems of a page with some claims added, and how many claims of it are compared."""
    text = document.source.text
    for each in sorted(added, key=lambda each: each.edit.span, reverse=True):
        text = text[: each.edit.span.start] + each.edit.replacement + text[each.edit.span.start :]
    claims = parse_markdown(Source(document.source.path, text), book.dialect, book.vocabulary).claims
    verdict = judge_book(names, [claim for claim in claims if claim.problem is None])
    return [problem.message for problem in verdict.problems], sum(checked.compared for checked in verdict.claims)


def _on_page(document: Document, names: Namespace) -> Iterator[Suggestion]:
    claimed = [claim.span for claim in document.facts.claims]
    for block in read(document.source).blocks:
        taken = any(block.span[0] <= span.start < block.span[1] for span in claimed)
        if not taken and block.kind in (BlockKind.PARAGRAPH, BlockKind.CELL) and not block.links:
            yield from _in_block(document.source, block, names)


def _in_block(source: Source, block: TextBlock, names: Namespace) -> Iterator[Suggestion]:
    """Yield claims for the numbers of a block, each with the values that are given before it."""
    passage = block.passage
    text = CellText(Span(source.path, *block.span), "", 0, passage, (), block.header)
    for number in Stretch(text, len(passage.text), frozenset()).all_numbers():
        if number.written is None or (number.written.digits < _TELLING_DIGITS and number.unit is None):
            continue
        bound = _bound(passage.slice(0, number.start))
        fitting = [name for name in names.formula_names() if _gives(names, name, bound, number)]
        if len(fitting) == 1:
            yield _suggestion(source, passage, number, _claim(names, fitting[0], bound))


def _bound(before: Passage) -> dict[str, str]:
    """Return the values that text gives to symbols: ``$d_x=32,d_h=128$``, and the bytes of a number if it says so."""
    text = plain(before).text
    bound = {canonical(match["name"]): match["value"] for match in _BOUND.finditer(text)}
    for pattern, size in _PRECISIONS:
        if pattern.search(text):
            bound.setdefault("s", size)
    return bound


def _gives(names: Namespace, name: str, bound: Mapping[str, str], number: Quoted) -> bool:
    """Say whether a formula has all its values in the text and gives just this number."""
    symbols = names.symbols(Call(name, ()))
    if not symbols or not symbols <= bound.keys():
        return False
    values: dict[str, Node] = {symbol: Parser(bound[symbol]).scalar() for symbol in sorted(symbols)}
    try:
        result = nearest_integer(names.evaluator().evaluate(Call(name, ()), Environment(values)))
    except (DimensionError, MalformedError, UnboundError):
        return False
    meant = number.read_as(result.dimension)
    return meant.dimension == result.dimension and agreement(meant, result) is Agreement.AGREES


def _claim(names: Namespace, name: str, bound: Mapping[str, str]) -> str:
    symbols = names.symbols(Call(name, ()))
    values = " ".join(f"{symbol}={value}" for symbol, value in bound.items() if symbol in symbols)
    return f"<!--= {name} {values} -->"


_CLOSING = regex(r"[^$`\n]*?(?:\$\$?|`+|\\\)|\\\])")


def _suggestion(source: Source, passage: Passage, number: Quoted, claim: str) -> Suggestion:
    """Put a claim behind a number, or behind the formula or code span that it stands in."""
    start, end = passage.range(number.start, number.end)
    if passage.style(number.start) is not Style.PROSE and (closing := _CLOSING.match(source.text, end)):
        place = closing.end()
    else:
        place = end
    return Suggestion(source.span(start, end), claim, Edit(source.span(place, place), claim))
