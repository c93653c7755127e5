"""The inventory: every quantity of a book, and whether it was recomputed, or why not."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from lintbook.book import Book, derived
from lintbook.calculator.problem import Kind, Reason
from lintbook.facts import Quantity
from lintbook.text import Span


class Outcome(StrEnum):
    """What came of a quantity that was recomputed."""

    AGREES = "agrees"
    NEARLY = "agrees nearly"
    DIFFERS = "differs"


class Entry(NamedTuple):
    """A quantity: its place, what vouches for it (``claim``, ``chain`` or nothing), and what came of it.

    ``unit`` is told of a quantity that nothing vouches for.
    """

    span: Span
    voucher: str
    outcome: Outcome | Reason
    unit: str = ""

    @property
    def recomputed(self) -> bool:
        """Whether it was held against something."""
        return isinstance(self.outcome, Outcome)


@derived
def inventory(book: Book) -> tuple[Entry, ...]:
    """Return all quantities of the current pages of a book in their order: claimed, in a chain, or with a unit."""
    vouched = [*_claimed(book), *_chained(book)]
    by_path: dict[str, list[Span]] = defaultdict(list)
    for entry in vouched:
        by_path[entry.span.path].append(entry.span)
    bare = [
        Entry(quantity.span, "", Reason.UNCLAIMED, quantity.unit)
        for document in book.current
        for quantity in _outside(document.facts.quantities, sorted(by_path[document.source.path]))
    ]
    return tuple(sorted([*vouched, *bare]))


def _outside(quantities: Sequence[Quantity], spans: list[Span]) -> Iterator[Quantity]:
    """Yield the quantities of a page that none of ``spans``, which are in order, covers."""
    if not spans:
        yield from quantities
        return
    for quantity in quantities:
        number = bisect_right(spans, quantity.span)
        if not any(
            span.start <= quantity.span.start and quantity.span.end <= span.end
            for span in spans[max(number - 2, 0) : number + 1]
        ):
            yield quantity


def _claimed(book: Book) -> Iterator[Entry]:
    verdict = book.judged_claims
    outcomes = {Kind.WRONG: Outcome.DIFFERS, Kind.INCONSISTENT: Outcome.DIFFERS, Kind.TRUNCATED: Outcome.NEARLY}
    outcomes[Kind.MISMATCHED_FORMULA] = Outcome.DIFFERS
    found = {problem.span: outcomes[problem.kind] for problem in verdict.problems if problem.kind in outcomes}
    for checked in verdict.claims:
        # One ratio on all numbers of a claim is told at the first of them.
        for span in checked.numbers or (checked.claim.span,):
            yield Entry(span, "claim", checked.reason or found.get(span, Outcome.AGREES))


def _chained(book: Book) -> Iterator[Entry]:
    for page in book.current:
        for chain in page.facts.chains:
            if chain.context is None:
                yield Entry(chain.span, "chain", Reason(chain.unchecked[0]) if chain.unchecked else Outcome.AGREES)
    for chain, comparisons in book.disagreeing_chains:
        reasons = [comparison.reason for comparison in comparisons if comparison.reason is not None]
        disagrees = any(comparison.disagrees for comparison in comparisons)
        outcome = Outcome.DIFFERS if disagrees else Outcome.NEARLY
        yield Entry(chain.span, "chain", reasons[0] if reasons else outcome)
