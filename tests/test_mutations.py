"""Planted faults: digits, exponents and units of right numbers are changed, one at a time, and must be found.

The numbers are those of clean fixtures: claims of a lecture and of the formula library, chains of a book of sums.
What a mutation leaves within the written tolerance of the number is no fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from lintbook.calculator.chain import Comparison, Grade, judge_chains
from lintbook.calculator.formula import Namespace, parse_block
from lintbook.calculator.judgement import judge_book
from lintbook.calculator.library import formulas_named, library
from lintbook.calculator.problem import Kind
from lintbook.dialect import Dialect
from lintbook.facts import Facts
from lintbook.parse import parse_markdown, read_blocks
from lintbook.text import Passage, Source, Span

ROOT = Path(__file__).parent.parent
CLAIMED = [
    *sorted((ROOT / "fixtures/books/lecture-2/src").rglob("*.md")),
    *sorted((ROOT / "rules/formulas").glob("*.md")),
]
CHAINED = [*sorted((ROOT / "fixtures/books/arithmetic/src").rglob("*.md"))]


class Number(NamedTuple):
    """A number of a page that is right: its page, its place, and that of the unit behind it."""

    page: Path
    span: Span


# Mutations: from the text of a number and what follows it to the changed text; None where there is nothing to change.


def first_digit(number: str, behind: str) -> str | None:
    match = re.search(r"[1-9]", number)
    return None if match is None else number[: match.start()] + str(int(match[0]) % 9 + 1) + number[match.end() :]


def exponent(number: str, behind: str) -> str | None:
    match = re.search(r"(?<=10\^\{)[0-9]+|(?<=e)[0-9]+(?=$)", number)
    return None if match is None else number[: match.start()] + str(int(match[0]) + 1) + number[match.end() :]


def appended_zero(number: str, behind: str) -> str | None:
    match = re.match(r"[-−]?[0-9]+(?:(?:,|\{,\}|_)[0-9]{3})*", number)
    if match is None or not re.search("[1-9]", match[0]):
        return None
    return re.sub(r",|\{,\}|_", "", match[0]) + "0" + number[match.end() :]


def swapped_digits(number: str, behind: str) -> str | None:
    match = re.search(r"([0-9])(?!\1|0)([0-9])", number)  # no number begins with a zero
    if match is None:
        return None
    return number[: match.start()] + match[2] + match[1] + number[match.end() :]


def last_digit(number: str, behind: str) -> str | None:
    match = re.match(r"[-−]?[0-9]+(?:(?:,|\{,\}|_)[0-9]{3})*(?:\.[0-9]+)?", number)
    if match is None:
        return None
    end = match.end()
    return number[: end - 1] + str((int(number[end - 1]) + 2) % 10) + number[end:]


UNITS = {"GiB": "MiB", "KiB": "MiB", "GB": "MB", "MB": "GB", "ms": "s", "TB": "GB", "万": "亿", "亿": "万"}


def unit_prefix(number: str, behind: str) -> str | None:
    match = re.match(r"(?:<!--.*?-->)?[\s$*]*(" + "|".join(UNITS) + r")(?![A-Za-z])", behind)
    return None if match is None else number + behind[: match.start(1)] + UNITS[match[1]]


Mutation = Callable[[str, str], str | None]
DIGITS: tuple[Mutation, ...] = (first_digit, exponent, appended_zero, swapped_digits, last_digit)


@cache
def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def facts_of(page: Path, text: str) -> Facts:
    return parse_markdown(Source(str(page), text), Dialect.MDBOOK)


def mutated(number: Number, mutation: Mutation) -> str | None:
    """The text of a page with one number changed; None where the mutation changes nothing."""
    text = text_of(number.page)
    start, end = number.span.start, number.span.end
    changed = mutation(text[start:end], text[end : end + 200])
    if changed is None or changed == text[start:end]:
        return None
    if mutation is unit_prefix:
        unit = re.match(r"(?:<!--.*?-->)?[\s$*]*[^\s$*<]*", text[end:])
        assert unit is not None
        whole = next(name for name in UNITS if text[end : end + unit.end()].rstrip("，。、；,.;：:）)/").endswith(name))
        at = text.index(whole, end)
        return text[:at] + UNITS[whole] + text[at + len(whole) :]
    return text[:start] + changed + text[end:]


# Claims


@cache
def names() -> Namespace:
    declarations = [
        each
        for page in CLAIMED
        if "lecture-2" in str(page)
        for block in facts_of(page, text_of(page)).quantity_blocks
        for each in parse_block(str(page), block.lines)
    ]
    return Namespace.of(declarations, formulas_named(library()))


def own_names(page: Path) -> Namespace:
    """The names that a page sees: those of its book, or of the library with what the page declares itself."""
    if "lecture-2" in str(page):
        return names()
    blocks = facts_of(page, text_of(page)).quantity_blocks
    own = [each for block in blocks for each in parse_block(str(page), block.lines)]
    return Namespace.of(own, formulas_named(library()))


@cache
def claimed_numbers() -> tuple[Number, ...]:
    found = []
    for page in CLAIMED:
        facts = facts_of(page, text_of(page))
        verdict = judge_book(own_names(page), [claim for claim in facts.claims if claim.problem is None])
        numbers = [span for checked in verdict.claims for span in checked.numbers]
        found += [
            Number(page, span) for span in numbers if any(c.isdigit() for c in text_of(page)[span.start : span.end])
        ]
    return tuple(found)


SEEN = (
    *(Kind.WRONG, Kind.TRUNCATED, Kind.INCONSISTENT, Kind.MISMATCHED_FORMULA),
    *(Kind.MISMATCHED_UNIT, Kind.UNBOUND),
)


def is_found_in_claims(number: Number, text: str) -> bool:
    """Whether the claims of the changed page are reported on the line of the number."""
    facts = facts_of(number.page, text)
    problems = judge_book(own_names(number.page), [claim for claim in facts.claims if claim.problem is None]).problems
    line = text.count("\n", 0, number.span.start)
    return any(problem.kind in SEEN and text.count("\n", 0, problem.span.start) == line for problem in problems)


def rate(
    numbers: tuple[Number, ...], mutation: Mutation, is_found: Callable[[Number, str], bool]
) -> tuple[int, list[str]]:
    """How many numbers were changed, and those changes that were not found."""
    changed, missed = 0, []
    for number in numbers:
        text = mutated(number, mutation)
        if text is None:
            continue
        changed += 1
        if not is_found(number, text):
            line = text.count("\n", 0, number.span.start) + 1
            missed.append(f"{number.page.name}:{line}: {text[number.span.start - 20 : number.span.end + 20]!r}")
    return changed, missed


def test_there_are_enough_numbers_to_tell_rates() -> None:
    assert len(claimed_numbers()) >= 100
    assert len(stated_numbers()) >= 40


@pytest.mark.parametrize("mutation", [*DIGITS, unit_prefix], ids=lambda mutation: mutation.__name__)
def test_faults_planted_in_claimed_numbers_are_found(mutation: Mutation) -> None:
    changed, missed = rate(claimed_numbers(), mutation, is_found_in_claims)
    assert changed
    assert [each for each in missed if not is_within_tolerance(each)] == []
    assert len(missed) <= changed / 100 or mutation is last_digit


def is_within_tolerance(missed: str) -> bool:
    """Whether a claim's option or a word before the number gives it more room than its last digit."""
    return "近" in missed or "约" in missed or "within" in missed or "; below" in missed


def test_untouched_text_is_silent() -> None:
    for page in CLAIMED:
        facts = facts_of(page, text_of(page))
        assert judge_book(own_names(page), [claim for claim in facts.claims if claim.problem is None]).problems == ()
    for page in CHAINED:
        assert all(each.grade is Grade.AGREE for _, each in compared(page, text_of(page)))


# Chains


def compared(page: Path, text: str) -> Iterator[tuple[Passage, Comparison]]:
    """The comparisons in the chains of a page, each with the text of its block."""
    places = {chain.span for chain in facts_of(page, text).chains}
    for block in read_blocks(Source(str(page), text), Dialect.MDBOOK):
        for comparison in judge_chains(block.passage):
            if Span(str(page), *block.passage.range(*comparison.chain.place)) in places:
                yield block.passage, comparison


def stated(page: Path) -> Iterator[Number]:
    for passage, comparison in compared(page, text_of(page)):
        side = comparison.stated
        if comparison.reason is None and side.is_number:
            leaf = next(side.numbers)
            start, end = passage.range(side.start, side.end)
            size = len(leaf.text) if side.measures else end - start
            yield Number(page, Span(str(page), start, start + min(size, end - start)))


@cache
def stated_numbers() -> tuple[Number, ...]:
    return tuple(number for page in CHAINED for number in stated(page))


def is_found_in_chains(number: Number, text: str) -> bool:
    """Whether a chain on the line of the number disagrees."""
    line = text.count("\n", 0, number.span.start)
    return any(
        comparison.grade < Grade.AGREE and comparison.reason is None
        for passage, comparison in compared(number.page, text)
        for start, end in [passage.range(*comparison.chain.place)]
        if text.count("\n", 0, start) <= line <= text.count("\n", 0, end)
    )


@pytest.mark.parametrize("mutation", DIGITS, ids=lambda mutation: mutation.__name__)
def test_faults_planted_in_chains_are_found(mutation: Mutation) -> None:
    changed, missed = rate(stated_numbers(), mutation, is_found_in_chains)
    assert changed
    # A chain excuses what a claim does not: the last digits may be rounded, swapped ones may be such.
    allowed = {first_digit: 0.03, exponent: 0.03, appended_zero: 0.03, swapped_digits: 0.08, last_digit: 0.15}
    assert len(missed) <= changed * allowed[mutation], missed
