"""Drawings that are not well formed."""

from __future__ import annotations

from collections.abc import Iterator

from lintbook.book import Book
from lintbook.diagnostic import Finding, Severity, Unchecked
from lintbook.rule import book_rule

INCLUDED = "drawings that included text may complete"


@book_rule("FIG006", Severity.ERROR)
def malformed_svg(book: Book) -> Iterator[Finding | Unchecked]:
    """A drawing is not well formed: a file that is no XML, an element that is never closed."""
    for document in book.current:
        path = document.source.path
        # A file that is included becomes part of a page, which is HTML; a page may include what ends a drawing.
        included = book.hosts(path) != (path,)
        for malformation in document.facts.malformations:
            if included or any(map(book.becomes_text, document.facts.includes)):
                yield Unchecked(INCLUDED)
            else:
                yield Finding(malformation.span, malformation.problem)
