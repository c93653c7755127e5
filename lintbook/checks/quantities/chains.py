"""Chains of arithmetic in prose and formulas: the sides of an equation between numbers, held against each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lintbook.book import Book
from lintbook.diagnostic import Finding, Related, Severity, Unchecked
from lintbook.facts import Chain
from lintbook.rule import book_rule
from lintbook.text import Span

if TYPE_CHECKING:
    from lintbook.calculator.chain import Comparison
    from lintbook.calculator.side import Side


@book_rule("QTY002", Severity.WARNING)
def wrong_arithmetic(book: Book) -> Iterator[Finding | Unchecked]:
    """The two sides of an equation between numbers disagree."""
    for page in book.current:
        for chain in page.facts.chains:
            yield from map(Unchecked, chain.unchecked)
    for chain, comparisons in book.disagreeing_chains:
        faults = sum(comparison.disagrees for comparison in comparisons)
        for comparison in comparisons:
            if comparison.reason is not None:
                yield Unchecked(comparison.reason)
            elif not comparison.agrees:
                yield _finding(chain, comparison, faults)


def _finding(chain: Chain, comparison: Comparison, faults: int) -> Finding:
    from lintbook.calculator.wording import disagreeing, nearly_agreeing  # with all of the calculator behind it

    path, start = chain.span.path, chain.span.start
    context = chain.context
    assert context is not None  # of a chain without it nothing is found

    def place(side: Side) -> Span:
        return Span(path, *context.range(side.start, side.end))

    if not comparison.disagrees:
        return Finding(place(comparison.stated), nearly_agreeing(comparison), mild=True)
    return Finding(
        place(comparison.stated),
        disagreeing(comparison),
        related=(Related(place(comparison.computed), "the other side"),),
        cause=f"{path}: chain at {start}" if faults > 1 else None,
        advice="either side may be the wrong one",
    )
