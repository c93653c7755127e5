"""Redirects: from where, to where, and whether they arrive."""

from __future__ import annotations

from collections.abc import Iterator

from lintbook.book import Book
from lintbook.checks.pages.heirs import Heirs
from lintbook.diagnostic import Finding, Related, Severity, Unchecked
from lintbook.facts import AnchorOrigin, Document
from lintbook.likeness import most_like
from lintbook.redirection import Redirection, redirections
from lintbook.rule import book_rule
from lintbook.site import Arrival
from lintbook.text import Span

OUTSIDE = "redirects out of the book"


@book_rule("PAG015", Severity.ERROR)
def dangling_redirect(book: Book) -> Iterator[Finding | Unchecked]:
    """A redirect leads to no page or no id, or mdBook cannot make a page of it."""
    found, heirs = redirections(book), Heirs(book)
    for redirection in found.all:
        redirect, target = redirection.redirect, redirection.target
        if target.arrival is Arrival.OUTSIDE:
            yield Unchecked(OUTSIDE)
        elif target.arrival in (Arrival.MISSING, Arrival.MISSPELT, Arrival.UNBUILT, Arrival.README):
            if not found.leads_on(redirection):
                yield Finding(
                    redirect.target_span,
                    f"`{redirect.target.partition('#')[0]}` is no page of the book",
                    cause=f"redirects to {target.path}",
                    advice=_nearest(book, redirection),
                )
        elif target.arrival is Arrival.PAGE and not book.has_id(target) and not found.leads_on(redirection):
            heir = heirs.of(target)
            yield Finding(
                redirect.target_span,
                f"`{target.path}` has no id `{target.fragment}`",
                cause=f"redirects to {target.path}#{target.fragment}",
                advice=heir.advice if heir else None,
            )
    for redirection in found.without_page:
        address = redirection.address
        yield Finding(
            redirection.redirect.span,
            f"`{address}` has redirects of fragments only, and is no page",
            cause=f"no redirect of {address}",
            advice=f"mdBook refuses the book; say where `/{address}` as a whole leads",
        )


def _nearest(book: Book, redirection: Redirection) -> str | None:
    known = tuple(sorted(book.page_addresses))
    address = redirection.target_address
    if redirection.target.arrival is Arrival.README:
        return "a README.md is published as `index.html`"
    if address.endswith(".md") and f"{address.removesuffix('.md')}.html" in known:
        return "the target is an address of the site: write `.html`"
    found = most_like(address, known, 1, 0.7)
    return f"did you mean `{found[0]}`?" if found else None


@book_rule("PAG016", Severity.ERROR)
def shadowing_redirect(book: Book) -> Iterator[Finding]:
    """A redirect starts from a page that is live."""
    for redirection in redirections(book).acted_on:
        page = book.page_at(redirection.address)
        redirect = redirection.redirect
        if page is None:
            continue
        if not redirection.fragment:
            yield Finding(
                redirect.span,
                f"`{redirect.source}` is a page of the book",
                related=_chapter(book, page),
                advice="take out the redirect, or the chapter",
            )
        elif not redirect.source.startswith("/"):
            yield Finding(
                redirect.span,
                f"mdBook passes over `{redirect.source}`, since the page exists and no `/` begins it",
                advice=f"write `/{redirect.source}`",
            )
        else:
            yield from _hidden_place(book, redirection, page)


def _chapter(book: Book, page: str) -> tuple[Related, ...]:
    return tuple(Related(chapter.span, "it is this chapter") for chapter, path in book.chapters if path == page)[:1]


def _hidden_place(book: Book, redirection: Redirection, page: str) -> Iterator[Finding]:
    """Report a redirect from an id that its page has, so that nobody gets there any more.

    An `<a id>` that was left for links from elsewhere, beside a redirect to another place of the page, is no fault.
    """
    here = [made for made in book.ids(page) if made.id == redirection.fragment]
    if not here:
        return
    stays = redirection.target.arrival is Arrival.PAGE and redirection.target.path == page
    if stays and all(_is_html_anchor(book.document(made.span.path), made.span) for made in here):
        return
    yield Finding(
        redirection.redirect.span,
        f"`{page}` has the id `{redirection.fragment}`, which the redirect leads away from",
        related=(Related(here[0].span, "nobody arrives here"),),
    )


def _is_html_anchor(document: Document | None, span: Span) -> bool:
    return document is not None and any(
        anchor.span == span and anchor.origin is AnchorOrigin.HTML for anchor in document.facts.anchors
    )


@book_rule("PAG017", Severity.ERROR)
def redirect_cycle(book: Book) -> Iterator[Finding]:
    """Redirects lead to one another and never arrive."""
    for cycle in redirections(book).cycles():
        first, *others = sorted(cycle, key=lambda each: each.redirect.span)
        way = " → ".join(f"`{each.redirect.source}`" for each in (*cycle, cycle[0]))
        yield Finding(
            first.redirect.span,
            f"redirects never arrive: {way}" if others else f"`{first.redirect.source}` leads to itself",
            related=tuple(Related(each.redirect.span, "and this") for each in others),
        )


@book_rule("PAG018", Severity.WARNING)
def missing_redirect(book: Book) -> Iterator[Finding]:
    """A box of a retired page from which nothing leads on."""
    found = redirections(book)
    for page in book.pages:
        path = page.source.path
        if path not in book.retired:
            continue
        sources = {each.fragment for each in found.all if each.source_page == path}
        for box in page.facts.boxes:
            if box.anchor is not None and box.anchor.id not in sources:
                yield Finding(
                    box.anchor.span,
                    f"nothing leads on from `{box.anchor.id}` of this retired page",
                    cause=f"redirects of {path}",
                    advice=_line(book, path, box.anchor.id),
                )


def _line(book: Book, path: str, identifier: str) -> str:
    address = book.addresses(path)[0]
    return f'add `"/{address}#{identifier}" = "…"` to the redirects'
