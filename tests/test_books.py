"""Whole books: lintbook finds in each what its expected.txt says, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_fixture_books import BOOKS, Expectation, expectations

from lintbook.engine import Report, check


def found(report: Report) -> list[Expectation]:
    """The places and rules of a report; advice that an author need not follow (info) is left out."""
    return [
        Expectation(each.span.path, *report.sources[each.span.path].position(each.span.start), each.rule)
        for each in report.diagnostics
        if each.severity.weight > 0
    ]


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_book_has_just_the_findings_that_are_expected(book: Path) -> None:
    report = check(["."], book)
    assert found(report) == expectations(book)
    assert report.troubles == ()


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_second_run_says_the_same(book: Path) -> None:
    assert check(["."], book).diagnostics == check(["."], book).diagnostics


def test_paths_limit_what_is_reported_and_not_what_is_read() -> None:
    """`check src/lectures` sees the faults of the pages there, and those of SUMMARY.md besides."""
    book = next(book for book in BOOKS if book.name == "lecture-2-before")
    whole = check(["."], book)
    part = check(["src/lectures/lec02-summary.md"], book)
    assert {each.span.path for each in part.diagnostics} == {"src/SUMMARY.md", "src/lectures/lec02-summary.md"}
    assert set(part.diagnostics) < set(whole.diagnostics)
    assert part.summary.files == whole.summary.files


def test_declared_state_of_the_seed_is_told_by_one_finding() -> None:
    """The KV formula lacks the bytes per element: one finding at the declaration names the factor."""
    book = next(book for book in BOOKS if book.name == "lecture-2-before")
    (finding,) = [each for each in check(["."], book).diagnostics if each.rule == "mismatched-unit"]
    assert "declared in byte" in finding.message
    assert "exactly 2×" in finding.message
    assert len(finding.related) >= 1
