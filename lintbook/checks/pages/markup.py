"""Markup that is not what it was meant to be."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator

from lintbook.book import Book
from lintbook.diagnostic import Edit, Finding, Fix, Related, Severity
from lintbook.facts import Document, LinkDefinition, StrayTag, UnparsedLink
from lintbook.patterns import regex
from lintbook.rule import book_rule
from lintbook.site import Arrival
from lintbook.text import Span

_TEMPLATE = regex(r"\{%(?:[^%]|%(?!\}))*+(?:%\}|\Z)")
_FILE_NAME = regex(r"\w\.[A-Za-z]\w*\Z")


@book_rule("PAG007", Severity.WARNING)
def unparsed_link(book: Book) -> Iterator[Finding]:
    """A blank keeps something from being a link."""
    for document in book.current:
        for link in document.facts.unparsed_links:
            if _leads_somewhere(book, link):
                yield _not_a_link(link)


def _leads_somewhere(book: Book, link: UnparsedLink) -> bool:
    """Whether the destination is one: the address of a site, or the name of a file that is in the book.

    Text in brackets before text in parentheses is common; only such a name shows what was meant.
    """
    if link.destination.startswith(("https://", "http://")):
        return True
    if _FILE_NAME.search(link.destination.partition("#")[0]) is None:
        return False
    page = next(iter(book.hosts_of(link.span)), link.span.path)
    target = book.resolve(page, link.destination)
    return target.arrival not in (Arrival.MISSING, Arrival.OUTSIDE)


def _not_a_link(link: UnparsedLink) -> Finding:
    if link.detached:
        edit = Edit(link.blank_span, "")
        return Finding(
            link.span,
            f"a blank before `({link.destination})` keeps this from being a link",
            fix=Fix("take out the blank", (edit,)),
        )
    right = link.destination.replace(" ", "%20").replace("\t", "%09")
    return Finding(
        link.span,
        f"a blank in `{link.destination}` keeps this from being a link",
        fix=Fix(f"write `{right}`", (Edit(link.destination_span, right),), safe=True),
    )


@book_rule("PAG019", Severity.WARNING)
def unbalanced_html(book: Book) -> Iterator[Finding]:
    """A tag is opened and not closed, or closed and not open, so that the page breaks."""
    if book.has_components:
        return
    reported: set[Span] = set()
    for document in book.current:
        path = document.source.path
        if path not in book.hosts(path):
            continue
        for tag in _left_over(book, path):
            if tag.span not in reported:
                reported.add(tag.span)
                shown = f"</{tag.name}>" if tag.closing else f"<{tag.name}>"
                message = f"`{shown}` closes nothing" if tag.closing else f"`{shown}` is never closed"
                yield Finding(tag.span, message, cause=f"{path}: {tag.name}")


def _left_over(book: Book, path: str) -> Iterator[StrayTag]:
    """Yield the stray tags of a page, those left out whose counterpart stands in a text that it includes."""
    opened: dict[str, list[StrayTag]] = defaultdict(list)
    for stretch in book.stretches(path):
        templates = _templates(stretch.document) if stretch.document.facts.stray_tags else []
        for tag in stretch.within(stretch.document.facts.stray_tags):
            if _is_inside(templates, tag.span.start):
                continue
            if not tag.closing:
                opened[tag.name.lower()].append(tag)
            elif opened[tag.name.lower()]:
                opened[tag.name.lower()].pop()
            else:
                yield tag
    for tags in opened.values():
        yield from tags


def _templates(document: Document) -> list[tuple[int, int]]:
    """Return where tags of the site generator stand (``{% include x caption="…" %}``), which it takes away."""
    return [found.span() for found in _TEMPLATE.finditer(document.source.text)]


def _is_inside(ranges: list[tuple[int, int]], offset: int) -> bool:
    found = bisect_right(ranges, offset, key=lambda each: each[0]) - 1
    return found >= 0 and offset < ranges[found][1]


@book_rule("PAG020", Severity.WARNING)
def shadowed_definition(book: Book) -> Iterator[Finding]:
    """A link definition repeats a label with another target; the first one wins."""
    for document in book.current:
        yield from _shadowed(document)


def _shadowed(document: Document) -> Iterator[Finding]:
    first: dict[str, LinkDefinition] = {}
    for definition in document.facts.link_definitions:
        known = first.setdefault(definition.label, definition)
        if known.destination != definition.destination:
            label = document.source.text[definition.span.start : definition.span.end]
            yield Finding(
                definition.span,
                f"`{' '.join(label.split())}` is defined already, with the target `{known.destination}`",
                related=(Related(known.span, "this definition counts"),),
                cause=f"{document.source.path}: {definition.label}",
            )
