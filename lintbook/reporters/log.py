"""What a reviewer of an errata table needs: rows that were added or rewritten, facts that changed, those without a row.

``render`` tells it, ``draft`` makes rows of what has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from posixpath import basename
from typing import TYPE_CHECKING

from lintbook.checks.errata.log import Log

if TYPE_CHECKING:
    from lintbook.book import Book
    from lintbook.checks.errata.changes import Change
    from lintbook.text import Span


def render(book: Book, log: Log) -> Iterator[str]:
    """Yield the lines that tell of one book what changed."""
    assert book.earlier is not None
    yield from _part("rows rewritten", [f"{_place(book, each.span)}: {each.message}" for each in log.rewritten])
    yield from _part("rows added", [f"{_place(book, row.span)}: {' | '.join(row.texts)}" for row in log.rows])
    yield from _part("facts changed, with a row", [_told(book, change) for change in log.logged])
    yield from _part("facts changed, without a row", [_told(book, change) for change in log.unlogged])
    waivers = [f"{waiver.commit} {waiver.subject}: {waiver.reason}" for waiver in book.earlier.waivers]
    yield from _part("waived by `Erratum: none`", waivers)


def _part(title: str, lines: Sequence[str]) -> Iterator[str]:
    yield f"{title}: {len(lines)}"
    yield from (f"  {line}" for line in lines)


def _told(book: Book, change: Change) -> str:
    return f"{_place(book, change.span)}: {change.message}"


def _place(book: Book, span: Span) -> str:
    document = book.document(span.path)
    assert document is not None
    line, column = document.source.position(span.start)
    return f"{span.path}:{line}:{column}"


def draft(book: Book, log: Log) -> Iterator[str]:
    """Yield rows for the facts without one, to be appended to the errata table of the book, in its columns."""
    rows = [erratum for page in book.current for erratum in page.facts.errata]
    columns, width = (rows[-1].columns, len(rows[-1].texts)) if rows else ((0, 1, 2), 4)
    said = set()
    for change in log.unlogged:
        if (change.before, change.after) in said:
            continue
        said.add((change.before, change.after))
        cells = [""] * width
        place = change.after if change.place and change.place == change.before else change.place
        location = f"`{basename(change.span.path)}` {place}".strip()
        for column, text in zip(columns, (location, change.before, change.after), strict=True):
            cells[column] = text.replace("|", "\\|")
        yield f"| {' | '.join(cells)} |"
