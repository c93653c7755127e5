"""The navigation against the files that it names."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename, dirname, join, normpath, splitext

from lintbook.book import Book, derived
from lintbook.diagnostic import Finding, Related, Severity
from lintbook.dialect import Dialect
from lintbook.facts import Chapter
from lintbook.likeness import most_like
from lintbook.rule import book_rule
from lintbook.site import Arrival

# Pages that are written for those who visit the repository.
_NO_CHAPTERS = frozenset(
    {
        *("authors", "changelog", "changes", "code_of_conduct", "contributing", "contributors", "copying"),
        *("governance", "history", "license", "license-apache", "license-mit", "maintainers", "news", "notice"),
        *("pull_request_template", "readme", "release", "releases", "security", "support", "todo"),
    }
)


@book_rule("PAG008", Severity.ERROR)
def missing_chapter(book: Book) -> Iterator[Finding]:
    """An entry of the navigation names a file that does not exist."""
    for chapter, nearest in _missing(book):
        yield Finding(
            chapter.span,
            f"`{chapter.destination.partition('#')[0]}` does not exist",
            advice=f"did you mean `{nearest}`?" if nearest else "create the file, or make it a draft: `[title]()`",
        )


@derived
def _missing(book: Book) -> tuple[tuple[Chapter, str | None], ...]:
    """Return the chapters whose file is missing, and the page that comes nearest, seen from the sources."""
    missing = [chapter for chapter, path in book.chapters if book.file(path).arrival is Arrival.MISSING]
    pages = tuple(sorted(book.from_sources(page.source.path) for page in book.pages)) if missing else ()
    nearest = (most_like(chapter.destination, pages, 1, 0.7) for chapter in missing)
    return tuple((chapter, next(iter(found), None)) for chapter, found in zip(missing, nearest, strict=True))


def meant_pages(book: Book) -> frozenset[str]:
    """Return the paths of the pages that chapters without file come nearest to; `missing-chapter` speaks of these."""
    nearest = (nearest for _, nearest in _missing(book))
    return frozenset(normpath(join(book.source_root, page)) for page in nearest if page)


def _in_summary(book: Book) -> Iterator[tuple[Chapter, str]]:
    """Yield the chapters of the SUMMARY.md of a book of mdBook.

    Without book.toml it may be written for another program, which reads it by other rules.
    """
    if book.project is not None and book.dialect is Dialect.MDBOOK:
        yield from ((chapter, path) for chapter, path in book.chapters if chapter.span.path == book.summary)


@book_rule("PAG009", Severity.ERROR)
def duplicate_chapter(book: Book) -> Iterator[Finding]:
    """SUMMARY.md names one file twice."""
    first: dict[str, Chapter] = {}
    for chapter, path in _in_summary(book):
        if "#" in chapter.destination:  # a file of another name for mdBook; `fragment-in-summary` speaks of it
            continue
        known = first.setdefault(path, chapter)
        if known is not chapter:
            yield Finding(
                chapter.span,
                f"`{chapter.destination}` is a chapter already",
                related=(Related(known.span, "first named here"),),
                cause=f"twice {path}",
                advice="a file can be one chapter only; link to it from another page",
            )


@book_rule("PAG010", Severity.ERROR)
def fragment_in_summary(book: Book) -> Iterator[Finding]:
    """An entry of SUMMARY.md has a fragment, which mdBook takes for a part of the file's name."""
    for chapter, _ in _in_summary(book):
        path, mark, fragment = chapter.destination.partition("#")
        if mark:
            yield Finding(
                chapter.span,
                f"`#{fragment}` makes mdBook look for a file of the name `{basename(path)}#{fragment}`",
                advice="a chapter is a whole file; sections have their place in the page's own contents",
            )


@book_rule("PAG011", Severity.ERROR)
def malformed_summary(book: Book) -> Iterator[Finding]:
    """SUMMARY.md is written so that mdBook refuses the book."""
    document = book.document(book.summary or "")
    if document is None or book.project is None:
        return
    for refusal in document.facts.refusals:
        yield Finding(refusal.span, f"mdBook refuses the book: {refusal.reason}")
    for chapter, path in _in_summary(book):
        if book.from_sources(path) == "print.md":
            yield Finding(chapter.span, "mdBook refuses the book: `print.md` is reserved for internal use")
        elif book.is_folder(path):
            yield Finding(chapter.span, f"mdBook refuses the book: `{chapter.destination}` is a folder")


@book_rule("PAG012", Severity.WARNING)
def orphaned_page(book: Book) -> Iterator[Finding]:
    """No chapter names a page, and none includes it, so that mdBook does not build it."""
    if book.project is None or book.dialect is not Dialect.MDBOOK or book.summary is None:
        return
    meant = meant_pages(book)
    for page in book.pages:
        path = page.source.path
        stem = splitext(basename(path))[0].lower()
        if path in book.live or path in book.retired or path in book.copies or stem in _NO_CHAPTERS:
            continue
        if path in meant or book.from_sources(path) == normpath(book.project.not_found):
            continue
        heading = next(iter(page.facts.headings), None)
        yield Finding(
            heading.span if heading else page.source.span(0, page.source.line_end(1)),
            f"`{path}` is named by no chapter and included nowhere",
            cause=f"unbuilt pages of {dirname(path) or '.'}",
            advice="add it to SUMMARY.md, or move it out of the sources",
        )
