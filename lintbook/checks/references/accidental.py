"""Links that nobody meant."""

from __future__ import annotations

from collections.abc import Iterator

from lintbook.book import Book
from lintbook.diagnostic import Edit, Finding, Fix, Severity
from lintbook.dialect import Dialect
from lintbook.facts import Link
from lintbook.parse.numbers import is_box_part
from lintbook.rule import book_rule
from lintbook.text import Span

# Preprocessors that set formulas before Markdown is read.
_MATH = frozenset({"katex", "mathjax", "mathpunc", "typst", "typst-math"})


@book_rule("REF005", Severity.WARNING)
def accidental_link(book: Book) -> Iterator[Finding]:
    """Brackets and parentheses make a link that is meant for a reference or a formula."""
    preprocessors = set(book.project.preprocessors) if book.project else set[str]()
    makes_links = book.dialect is Dialect.MDBOOK and not preprocessors & _MATH
    for page in book.live_pages:
        for link in page.facts.links:
            if not link.in_math and not is_box_part(link):
                continue
            text = page.source.text[link.span.start : link.span.end]
            if is_box_part(link):
                yield _finding(link, f"`{text}` is a link to `{link.destination}`, not part of a box", "put a blank")
            elif makes_links and "\n" not in text:
                yield _finding(link, f"`{text}` in a formula is a link to `{link.destination}`", "write `\\[` or `{[}`")


def _finding(link: Link, message: str, how: str) -> Finding:
    between = Span(link.span.path, link.label_span.end + 1, link.label_span.end + 1)
    return Finding(
        link.span,
        message,
        fix=None if link.in_math else Fix("put a backslash between", (Edit(between, "\\"),)),
        advice=f"{how} between the brackets" if not link.in_math else f"{how} so that the brackets make no link",
    )
