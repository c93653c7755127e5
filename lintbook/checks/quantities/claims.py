"""Claims: stated numbers against the formulas that vouch for them.

The calculator judges all claims of a book together, since one fault may show in many of them; each rule here reports
one kind of what it found.
"""

from __future__ import annotations

from collections.abc import Iterator

from lintbook.book import Book
from lintbook.calculator.problem import Kind, Problem, Reason
from lintbook.checks.quantities.inventory import inventory
from lintbook.diagnostic import Edit, Finding, Fix, Progress, Severity, Unchecked
from lintbook.rule import Result, book_rule


def _findings(book: Book, *kinds: Kind) -> Iterator[Finding]:
    for problem in book.judged_claims.problems:
        if problem.kind in kinds:
            yield _finding(problem)


def _finding(problem: Problem) -> Finding:
    return Finding(
        problem.span,
        problem.message,
        related=problem.related,
        fix=_fix(problem),
        advice=problem.advice,
        mild=problem.kind is Kind.TRUNCATED,
    )


def _fix(problem: Problem) -> Fix | None:
    """Write what the formula gives; not safe, since the formula may be the one that is wrong."""
    if not problem.rewritten:
        return None
    numbers = " / ".join(number for _, number in problem.rewritten)
    return Fix(f"write {numbers}", tuple(Edit(span, number) for span, number in problem.rewritten))


@book_rule("QTY001", Severity.ERROR)
def wrong_quantity(book: Book) -> Iterator[Result]:
    """A claimed number is not what its formula gives."""
    yield from _findings(book, Kind.WRONG, Kind.TRUNCATED)
    entries = inventory(book)
    yield Progress("quantities recomputed", sum(entry.recomputed for entry in entries), len(entries))
    for entry in entries:
        if isinstance(entry.outcome, Reason) and entry.voucher != "chain":  # wrong-arithmetic speaks of chains
            yield Unchecked(entry.outcome)
    for checked in book.judged_claims.claims:
        for _ in range(checked.skipped):
            yield Unchecked(Reason.EMPTY_ROW)


@book_rule("QTY003", Severity.ERROR)
def mismatched_unit(book: Book) -> Iterator[Finding]:
    """The dimensions of a number and its formula, or of the two sides of a sum, disagree."""
    yield from _findings(book, Kind.MISMATCHED_UNIT)


@book_rule("QTY004", Severity.ERROR)
def inconsistent_quantity(book: Book) -> Iterator[Finding]:
    """Two quotations of a measured value have no common value."""
    yield from _findings(book, Kind.INCONSISTENT)


@book_rule("QTY005", Severity.ERROR)
def mismatched_formula(book: Book) -> Iterator[Finding]:
    """A formula of the text is not the formula that its claim names."""
    yield from _findings(book, Kind.MISMATCHED_FORMULA)


@book_rule("QTY007", Severity.ERROR)
def unbound_claim(book: Book) -> Iterator[Finding]:
    """A symbol of a claim has no value, or there are fewer numbers than values."""
    yield from _findings(book, Kind.UNBOUND)


@book_rule("QTY008", Severity.ERROR)
def unknown_formula(book: Book) -> Iterator[Finding]:
    """A claim or declaration names a formula, value or set that is not declared."""
    yield from _findings(book, Kind.UNKNOWN)


@book_rule("QTY009", Severity.ERROR)
def malformed_claim(book: Book) -> Iterator[Finding]:
    """A claim or declaration is not written as the language of claims demands."""
    for document in book.current:
        for block in document.facts.quantity_blocks:
            if block.problem is not None:
                yield Finding(block.span, block.problem)
        for claim in document.facts.claims:
            if claim.problem is not None:
                yield Finding(claim.span, claim.problem)
    yield from _findings(book, Kind.MALFORMED)
