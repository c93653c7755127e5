"""Links that do not arrive."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from posixpath import basename, dirname, relpath

from lintbook.book import Book
from lintbook.diagnostic import Finding, Related, Severity, Unchecked
from lintbook.facts import Document, Link, LinkForm
from lintbook.parse.citing import is_box_part
from lintbook.rule import book_rule
from lintbook.site import Arrival, Target
from lintbook.text import Span

OUTSIDE = "links out of the book"
GENERATED = "fragments that a preprocessor may make"

# Preprocessors of mdBook that make no ids of their own.
_SILENT_PREPROCESSORS = frozenset(
    {
        *(
            "admonish",
            "alerts",
            "bib",
            "d2",
            "emojicodes",
            "embedify",
            "footnote",
            "graphviz",
            "i18n",
            "index",
            "katex",
        ),
        *(
            "kroki-preprocessor",
            "linkcheck",
            "links",
            "linkcheck2",
            "mermaid",
            "open-on-gh",
            "pagetoc",
            "plantuml",
        ),
        *("quiz", "spec", "svgbob", "template", "toc", "variables", "yapp", "gettext", "lintbook"),
    }
)


def _arrivals(book: Book) -> Iterator[tuple[Document, Link, Target, tuple[Link, ...]]]:
    """Yield each link of the pages with its target; of the links that share a definition the first, and the others."""
    for document in book.current:
        path = document.source.path
        shared: dict[Span, list[Link]] = {}
        for link in document.facts.links:
            if not _is_accidental(link):
                shared.setdefault(link.destination_span, []).append(link)
        for first, *others in shared.values():
            yield document, first, book.resolve(path, first.destination), tuple(others)


def _is_accidental(link: Link) -> bool:
    """Whether the author wrote no link here although the renderer makes one."""
    return link.in_math or is_box_part(link)


@book_rule("PAG001", Severity.ERROR)
def broken_link(book: Book) -> Iterator[Finding | Unchecked]:
    """The page or file that a link leads to does not exist."""
    for document, link, target, others in _arrivals(book):
        if target.arrival is Arrival.OUTSIDE:
            yield Unchecked(OUTSIDE)
        if target.arrival is not Arrival.MISSING:
            continue
        shown = link.destination.partition("#")[0]
        nearest = _nearest_file(book, document, target)
        yield Finding(
            link.destination_span,
            f"`{shown}` does not exist",
            related=_uses(link, others),
            cause=f"missing {target.path}",
            advice=f"did you mean `{nearest}`?" if nearest else None,
        )


def _uses(link: Link, others: tuple[Link, ...]) -> tuple[Related, ...]:
    """Of a link definition: the links that use it."""
    if link.form is not LinkForm.REFERENCE:
        return ()
    return tuple(Related(use.span, "used here") for use in (link, *others))


def _nearest_file(book: Book, document: Document, target: Target) -> str | None:
    """Return, relative to the document, the file of the book whose name is the missing one's or most like it."""
    names: dict[str, str] = {}
    for page in book.pages:
        names.setdefault(basename(page.source.path), page.source.path)
    wanted = re.sub(r"\.html$", ".md", basename(target.path))
    found = get_close_matches(wanted, sorted(names), 1, 0.75)
    return relpath(names[found[0]], dirname(document.source.path) or ".") if found else None


@book_rule("PAG002", Severity.ERROR)
def broken_fragment(book: Book) -> Iterator[Finding | Unchecked]:
    """The page that a link leads to has no such id."""
    preprocessors = set(book.project.preprocessors) if book.project else set[str]()
    for document, link, target, others in _arrivals(book):
        if target.arrival is not Arrival.PAGE or book.has_id(target):
            continue
        ids = sorted(book.ids_on_page(target.path))
        alike = next((known for known in ids if known.lower() == target.fragment.lower()), None)
        if alike is None and preprocessors - _SILENT_PREPROCESSORS:
            yield Unchecked(GENERATED)
            continue
        place = document.source.text.find("#", link.destination_span.start, link.destination_span.end)
        where = "this page" if target.path == document.source.path else f"`{target.path}`"
        yield Finding(
            Span(document.source.path, place + 1, link.destination_span.end),
            f"{where} has no id `{target.fragment}`",
            related=_uses(link, others),
            cause=f"{document.source.path}: case of fragments" if alike else f"{target.path}#{target.fragment}",
            advice=_advice(target.fragment, alike, ids),
        )


def _advice(fragment: str, alike: str | None, ids: list[str]) -> str | None:
    if alike is not None:
        return f"`{alike}` differs in case only"
    found = get_close_matches(fragment, ids, 1, 0.6)
    return f"did you mean `{found[0]}`?" if found else None
