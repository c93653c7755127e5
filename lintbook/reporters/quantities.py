"""The list of quantities: each with its place, what vouches for it, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lintbook.book import Book

_SHOWN = 40  # characters of a chain


def render(book: Book, reported: Callable[[str], bool]) -> Iterator[str]:
    """Yield a line for every quantity on the pages that are ``reported``, and one that counts them."""
    from lintbook.checks.quantities.inventory import inventory

    entries = [entry for entry in inventory(book) if reported(entry.span.path)]
    for entry in entries:
        source = book.source(entry.span.path)
        assert source is not None  # the book has what it speaks of
        line, column = source.position(entry.span.start)
        text = " ".join(source.text[entry.span.start : entry.span.end].split())
        shown = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
        unit = f" {entry.unit}" if entry.unit else ""
        voucher = f"{entry.voucher} " if entry.voucher and entry.recomputed else ""
        state = "" if entry.recomputed else "not checked: "
        yield f"{entry.span.path}:{line}:{column}: {shown}{unit}: {voucher}{state}{entry.outcome.value}"
    done = sum(entry.recomputed for entry in entries)
    yield f"{done} of {len(entries)} quantities recomputed"
