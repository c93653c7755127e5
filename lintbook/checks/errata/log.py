"""The errata table as a log: its rows are never rewritten, and no change goes without one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from lintbook.book import Book, Revision
from lintbook.checks.errata.locations import Locations, errata_of, files_in, locations_in
from lintbook.diagnostic import Finding, Severity, Unchecked
from lintbook.facts import Document, Erratum, Number, Reference
from lintbook.likeness import ratio
from lintbook.rule import change_rule
from lintbook.text import Span

if TYPE_CHECKING:
    from lintbook.checks.errata.changes import Change

WAIVED = "changes that a commit trailer waives"
NO_TABLE = "changes of a book that has no page for errata"
# How much of two rows must be alike for one to be the other, rewritten.
_ALIKE = 0.6
_CANDIDATES = 20  # more rows with one cell alike are not looked at


@change_rule("ERR005", Severity.ERROR)
def rewritten_erratum(book: Book, earlier: Revision) -> Iterator[Finding]:
    """A row of the errata table was changed or removed."""
    yield from _rewritten_rows(book, earlier)


def _rewritten_rows(book: Book, earlier: Revision) -> Iterator[Finding]:
    """Yield a finding for each row of then that is not there as it was."""
    new = _surplus(_rows(book), _rows(earlier.book))
    by_cell = _by_cell(new)
    taken: set[Span] = set()
    for row in _surplus(_rows(earlier.book), _rows(book)):
        after = _rewritten(row, by_cell, taken)
        shown = _shown(row)
        if after is not None:
            taken.add(after.span)
            yield Finding(
                after.span,
                f"this row was `{shown}` before",
                advice="restore it, and append a row that says what is new",
            )
        else:
            place = _errata_place(book, earlier, row)
            yield Finding(place, f"the row `{shown}` is gone", advice="restore it; rows are only ever appended")


def _by_cell(rows: Iterable[Erratum]) -> dict[tuple[int, str], list[Erratum]]:
    """Return the rows by what their cells say: by column and text."""
    found: dict[tuple[int, str], list[Erratum]] = defaultdict(list)
    for row in rows:
        for cell in enumerate(row.texts):
            if cell[1]:
                found[cell].append(row)
    return found


def _rewritten(row: Erratum, by_cell: Mapping[tuple[int, str], list[Erratum]], taken: set[Span]) -> Erratum | None:
    """Return the new row that is most like an old one, if it is like it; none of those that are ``taken``."""
    alike: dict[Span, Erratum] = {}
    for cell in enumerate(row.texts):
        for other in islice(by_cell.get(cell, ()), _CANDIDATES):
            if other.span not in taken:
                alike[other.span] = other
    after = max(alike.values(), key=lambda other: _likeness(row, other), default=None)
    return after if after is not None and _likeness(row, after) >= _ALIKE else None


def _rows(book: Book) -> list[Erratum]:
    return [erratum for _, erratum in errata_of(book)]


def _surplus(these: Sequence[Erratum], those: Sequence[Erratum]) -> list[Erratum]:
    left = Counter(_content(row) for row in those)
    found = []
    for row in these:
        if left[_content(row)]:
            left[_content(row)] -= 1
        else:
            found.append(row)
    return found


def _content(row: Erratum) -> tuple[str, ...]:
    """Return what the cells of a row show; empty ones at its end make no difference."""
    texts = list(row.texts)
    while texts and not texts[-1]:
        texts.pop()
    return tuple(texts)


def _likeness(row: Erratum, other: Erratum) -> float:
    """Return how much of two rows is alike, from 0 to 1: by cells, else by their characters."""
    cells = sum(a == b for a, b in zip(row.texts, other.texts, strict=False)) / max(len(row.texts), len(other.texts))
    # Long cells are compared by their beginnings: that tells rows apart, and the time stays bounded.
    first, second = (" | ".join(text[:120] for text in each.texts) for each in (row, other))
    return max(cells, ratio(first, second))


def _shown(row: Erratum) -> str:
    text = " | ".join(filter(None, row.texts))
    return text if len(text) <= 80 else f"{text[:79]}…"


def _errata_place(book: Book, earlier: Revision, row: Erratum) -> Span:
    """Return the place that stands for a row that is gone: the title of its page, else the top of the book."""
    path = earlier.renamed.get(row.span.path, row.span.path)
    page: Document = book.document(path) or next(iter(book.live_pages or book.documents))
    return page.facts.headings[0].span if page.facts.headings else page.source.span(0, 0)


@change_rule("ERR006", Severity.ERROR)
def unlogged_change(book: Book, earlier: Revision) -> Iterator[Finding | Unchecked]:
    """A fact of a live page changed and no new row of the errata table names its page."""
    from lintbook.checks.errata.changes import keeps_errata

    found = Log(book, earlier).unlogged
    if found and not keeps_errata(book) and not keeps_errata(earlier.book):
        yield from [Unchecked(NO_TABLE)] * len(found)
    elif earlier.waivers:
        yield from [Unchecked(WAIVED)] * len(found)
    else:
        for change in found:
            yield Finding(
                change.span,
                change.message,
                cause=f"{change.page} changed",
                advice="append a row to the errata table that names this page (`lintbook errata --draft` prints one), "
                "or end the commit message with `Erratum: none (reason)`",
            )


class Log:
    """What changed since the earlier revision, and which rows were added that speak of it.

    A row that was rewritten is none that was added.
    """

    def __init__(self, book: Book, earlier: Revision) -> None:
        from lintbook.checks.errata.changes import changes  # with the calculator behind it

        self.rewritten = list(_rewritten_rows(book, earlier))
        rewritten = {finding.span for finding in self.rewritten}
        self.rows = [row for row in _surplus(_rows(book), _rows(earlier.book)) if row.span not in rewritten]
        self.changes = changes(book, earlier)
        self._earlier = earlier
        locations = locations_in(book)
        self._named = [_Named(locations, row) for row in self.rows]
        said = {(change.before, change.after) for change in self.changes if self._rows_for(change)}
        # One correction may show on many pages; a row for one of them tells it.
        self.logged = [change for change in self.changes if (change.before, change.after) in said]
        self.unlogged = [change for change in self.changes if (change.before, change.after) not in said]

    def _rows_for(self, change: Change) -> bool:
        paths = {change.page, self._earlier.renamed.get(change.page, change.page), change.span.path}
        return any(named.covers(change, paths) for named in self._named)


class _Named:
    """What the location of a row names: pages, files by names that may be old, boxes."""

    def __init__(self, locations: Locations, row: Erratum) -> None:
        cells = (row.location, *row.pages)
        located = locations.of(*cells)
        self._paths = {*located.paths, *(region.path for region in located.regions)}
        self._files = [name.partition("#")[0] for cell in cells for _, name in files_in(cell)]
        self._boxes = {f"{each.label} {number}" for cell in cells for each in cell.references for number in _ends(each)}

    def covers(self, change: Change, paths: set[str]) -> bool:
        """Return whether the row speaks of the page of a change, under any of its ``paths``, or of its box."""
        if self._paths & paths or change.place in self._boxes:
            return True
        return any(f"/{path}".endswith(f"/{name.removeprefix('./')}") for name in self._files for path in paths)


def _ends(reference: Reference) -> Iterator[Number]:
    yield reference.number
    if reference.last is not None:
        yield reference.last
