"""Text and code that pages take from other files."""

from __future__ import annotations

from collections.abc import Iterator

from lintbook.book import Book
from lintbook.diagnostic import Finding, Severity, Unchecked
from lintbook.dialect import Dialect
from lintbook.facts import Include
from lintbook.likeness import nearest
from lintbook.rule import book_rule
from lintbook.selection import anchors_of, read_selection, selected

OUTSIDE = "includes from outside the book"


@book_rule("PAG014", Severity.ERROR)
def missing_include(book: Book) -> Iterator[Finding | Unchecked]:
    """An included file, or the anchor or lines of it, are not there."""
    if book.dialect is not Dialect.MDBOOK:
        return
    for document in book.current:
        path = document.source.path
        if path in book.rendered or path in book.live:
            for include in document.facts.includes:
                yield from _judged(book, include)


def _judged(book: Book, include: Include) -> Iterator[Finding | Unchecked]:
    path = book.included_path(include)
    source = book.source(path)
    if source is None:
        if book.exists(path) is False:
            yield Finding(
                include.path_span,
                f"`{include.path}` does not exist",
                cause=f"missing {path}",
                advice="mdBook leaves the directive in the page",
            )
        elif book.is_folder(path):
            yield Finding(include.path_span, f"`{include.path}` is a folder", cause=f"folder {path}")
        else:
            yield Unchecked(OUTSIDE)
        return
    if include.directive not in ("include", "rustdoc_include") or not include.selection:
        return
    ranges = selected(source.text, include.selection)
    asked = read_selection(include.selection)
    if ranges is None and isinstance(asked, str):
        meant = nearest(asked, sorted(anchors_of(source.text)))
        yield Finding(
            include.selection_span,
            f"`{include.path}` has no anchor `{asked}`",
            cause=f"{path}:{asked}",
            advice=f"did you mean `{meant}`?" if meant else "mdBook includes nothing",
        )
    elif not ranges and not isinstance(asked, str) and include.directive == "include":
        yield Finding(
            include.selection_span,
            f"`{include.path}` has no lines `{include.selection}`",
            cause=f"{path}:{include.selection}",
            advice=f"it has {len(source.text.splitlines())} lines; mdBook includes nothing",
        )
