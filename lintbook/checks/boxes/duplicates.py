"""One kind and number, declared twice."""

from __future__ import annotations

from collections.abc import Iterator

from lintbook.book import Book
from lintbook.checks.boxes.declared import Declared, index_of, repetitions
from lintbook.checks.boxes.repair import FreeNumbers, renumbering
from lintbook.diagnostic import Finding, Related, Severity
from lintbook.rule import book_rule


@book_rule("BOX001", Severity.ERROR)
def duplicate_box_number(book: Book) -> Iterator[Finding]:
    """One kind and number is declared twice in a part of the book."""
    free = FreeNumbers(book)
    for first, others in repetitions(book):
        for other in others:
            yield _finding(book, first, other, free)


def _finding(book: Book, first: Declared, other: Declared, free: FreeNumbers) -> Finding:
    place = first.document.source.position(first.box.span.start)
    where = "" if first.document is other.document else f" in `{first.document.source.path}`"
    counted = index_of(other.box.number) is not None
    return Finding(
        other.box.span,
        f"`{other.name}` is declared a second time, first on line {place.line}{where}",
        related=(Related(first.box.span, "the first declaration"), *_sections(book, first, other)),
        fix=renumbering(book, other.box, free.next(other.box.kind, other.box.number.parts[:-1])) if counted else None,
        advice="give one of the two another number",
    )


def _sections(book: Book, first: Declared, other: Declared) -> tuple[Related, ...]:
    """Name the sections of the two if they bear one number, which is then where the fault lies."""
    one, another = book.section_of(first.box.span), book.section_of(other.box.span)
    if one is None or another is None or one == another or one.number != another.number:
        return ()
    return tuple(Related(each.heading.span, f"a section {each.number}") for each in (one, another))
