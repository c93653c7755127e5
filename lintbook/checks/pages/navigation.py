"""The navigation against the files that it names."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from posixpath import relpath

from lintbook.book import Book
from lintbook.diagnostic import Finding, Severity
from lintbook.rule import book_rule
from lintbook.site import Arrival


@book_rule("PAG008", Severity.ERROR)
def missing_chapter(book: Book) -> Iterator[Finding]:
    """An entry of the navigation names a file that does not exist."""
    pages = sorted(relpath(page.source.path, book.source_root) for page in book.pages)
    for chapter, path in book.chapters:
        if book.file(path).arrival is not Arrival.MISSING:
            continue
        found = get_close_matches(chapter.destination, pages, 1, 0.7)
        yield Finding(
            chapter.span,
            f"`{chapter.destination.partition('#')[0]}` does not exist",
            advice=f"did you mean `{found[0]}`?" if found else "create the file, or make it a draft: `[title]()`",
        )
