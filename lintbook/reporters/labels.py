"""The reconciliation of labels: one row for each label, one column for each place that must take it up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lintbook.text import display_width

if TYPE_CHECKING:
    from lintbook.book import Book
    from lintbook.checks.labels.families import Label, Reconciliation

_NOWHERE = "-"


def render(book: Book, reconciliation: Reconciliation) -> Iterator[str]:
    """Yield the lines that show one family: where each label is declared, and the lines that take it up."""
    places = reconciliation.taken_up
    rows = [(reconciliation.name, "declared", *places)]
    for label in dict.fromkeys(label.text for label in reconciliation.declared):
        declared = [each for each in reconciliation.declared if each.text == label]
        used = [[each for each in labels if each.text == label] for labels in places.values()]
        rows.append((label, *(_lines(book, labels) for labels in (declared, *used))))
    yield from _aligned(rows)


def _lines(book: Book, labels: Sequence[Label]) -> str:
    """Return where labels stand: ``path:line,line``, or a dash."""
    found: dict[str, list[int]] = {}
    for label in labels:
        document = book.document(label.span.path)
        assert document is not None
        lines = found.setdefault(label.span.path, [])
        line = document.source.position(label.span.start).line
        if line not in lines:
            lines.append(line)
    return " ".join(f"{path}:{','.join(map(str, lines))}" for path, lines in found.items()) or _NOWHERE


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell + " " * (width - display_width(cell)) for cell, width in zip(row, widths, strict=True)]
        yield "  ".join(cells).rstrip()
