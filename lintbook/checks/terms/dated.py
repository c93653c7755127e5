"""Statements that say as of when they hold."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from lintbook.book import Book
from lintbook.diagnostic import Finding, Severity
from lintbook.facts import DatedStatement
from lintbook.rule import book_rule


@book_rule("TRM002", Severity.INFO)
def stale_statement(book: Book, *, years: int = 2, today: date | None = None) -> Iterator[Finding]:
    """A statement says that it holds as of a time that is long past."""
    now = today or date.today()
    for page in book.live_pages:
        for statement in page.facts.dated_statements:
            months = _months_since(statement, now)
            if months > 12 * years:
                yield Finding(
                    statement.span,
                    f"`{' '.join(statement.text.split())}` is more than {months // 12} years old"
                    if months % 12
                    else f"`{' '.join(statement.text.split())}` is {months // 12} years old",
                    advice="look whether it still holds, and say as of when",
                )


def _months_since(statement: DatedStatement, now: date) -> int:
    """Return how many months have passed since the end of the time that a statement names."""
    return (now.year - statement.year) * 12 + now.month - (statement.month or 12)
