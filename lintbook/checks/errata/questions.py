"""Open questions: marks in the text against the table that collects them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lintbook.book import Book
from lintbook.checks.errata.locations import Located, locations_in
from lintbook.diagnostic import Finding, Severity, Unchecked
from lintbook.facts import Document, Doubt, OpenQuestion
from lintbook.rule import book_rule
from lintbook.text import Span
from lintbook.vocabulary import is_errata_page

NO_TABLE = "open questions of a book that has no page for them"


class _Row(NamedTuple):
    row: OpenQuestion
    located: Located
    regions: tuple[Span, ...]  # of the boxes that it names


@book_rule("ERR007", Severity.WARNING)
def untracked_question(book: Book) -> Iterator[Finding | Unchecked]:
    """A place is marked as unverified and no row of the table of open questions names it."""
    marked_pages = [page for page in book.live_pages if page.facts.doubts and not _collects(page)]
    doubts = [doubt for page in marked_pages for doubt in page.facts.doubts]
    if not doubts:
        return  # a book that keeps its questions in the table alone marks none in the text
    if not any(_collects(page) for page in book.current):
        yield from [Unchecked(NO_TABLE)] * len(doubts)
        return
    rows = list(_rows(book))
    by_path: dict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        for path in {region.path for region in row.located.regions}:
            by_path[path].append(row)
    for doubt in doubts:
        if not any(_names(row, doubt) for row in by_path[doubt.span.path]):
            yield Finding(
                doubt.span,
                f"`{doubt.mark}` has no row in the table of open questions",
                advice="add a row that names this file, or this box",
            )
    marked: dict[str, list[Doubt]] = defaultdict(list)
    for doubt in doubts:
        marked[doubt.span.path].append(doubt)
    for row in rows:
        near = [doubt for path in {region.path for region in row.located.regions} for doubt in marked[path]]
        if row.located.regions and not any(_names(row, doubt) for doubt in near):
            shown = " ".join(row.row.location.text.split())
            yield Finding(row.row.location.span, f"nothing at `{shown}` is marked as unverified", mild=True)


def _collects(page: Document) -> bool:
    """Whether a page is the one that questions and errata are collected on."""
    title = next((heading.text for heading in page.facts.headings), "")
    return bool(page.facts.open_questions or page.facts.errata) or is_errata_page(page.source.path, title)


def _rows(book: Book) -> Iterator[_Row]:
    locations = locations_in(book)
    for page in book.current:
        for row in page.facts.open_questions:
            located = locations.of(row.location)
            yield _Row(row, located, tuple(locations.box_region(box) for box in located.boxes))


def _names(row: _Row, doubt: Doubt) -> bool:
    """Whether a row names the place of a mark: its file, and its box if the row names one."""
    if row.regions:
        return _inside(doubt.span, row.regions)
    return any(region.path == doubt.span.path for region in row.located.regions)


def _inside(span: Span, regions: Sequence[Span]) -> bool:
    return any(region.path == span.path and region.start <= span.start and span.end <= region.end for region in regions)
