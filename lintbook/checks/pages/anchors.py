"""Ids that stand twice on a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lintbook.book import Book
from lintbook.diagnostic import Finding, Related, Severity
from lintbook.dialect import Dialect
from lintbook.facts import AnchorOrigin, Heading
from lintbook.ids import Id, Stretch
from lintbook.patterns import regex
from lintbook.rule import book_rule
from lintbook.text import Span


@book_rule("PAG003", Severity.WARNING)
def duplicate_anchor(book: Book) -> Iterator[Finding]:
    """One id stands twice on a page, so that links to it always lead to the first."""
    reported: set[Span] = set()
    for page in book.current:
        path = page.source.path
        if path in book.hosts(path):
            for first, again in _repeated(book, path):
                if again.span not in reported:
                    reported.add(again.span)
                    yield Finding(
                        again.span,
                        f"`{again.id}` is an id of this page already",
                        related=(Related(first.span, "links arrive here"),),
                        cause=f"{path}#{again.id}",
                    )


def _repeated(book: Book, path: str) -> Iterator[tuple[Id, Id]]:
    """Yield the first place of an id on a page and each further one, in the order of the page."""
    stretches = book.stretches(path)
    drawn = _drawn_ids(stretches)
    first: dict[str, Id] = {}
    own_slugs = book.project is not None and book.project.own_slugs  # then ids of headings are not known
    made = [*(() if own_slugs else book.heading_ids(path)), *book.written_ids(path)]
    order: dict[str, int] = {}
    for stretch in stretches:
        order.setdefault(stretch.document.source.path, len(order))
    doubtful, headings = _doubtful(book, stretches), _by_id_place(stretches)
    for each in sorted(
        (made for made in made if made.span not in doubtful), key=lambda made: (order[made.span.path], made.span.start)
    ):
        known = first.setdefault(each.id, each)
        if known is each or not each.id or known.span == each.span:
            continue
        if known.span in drawn and each.span in drawn:  # `duplicate-svg-id` compares the drawings
            continue
        if not _is_one_place(book, known.span, each.span, headings):
            yield known, each


def _doubtful(book: Book, stretches: tuple[Stretch, ...]) -> set[Span]:
    """Return the places of ids of which it is not known whether anything makes them.

    What renders a tree without project file is unknown, and ``{#1}`` may be the argument of a macro.
    """
    if book.dialect is not Dialect.GITHUB:
        return set()
    return {
        anchor.span
        for stretch in stretches
        for anchor in stretch.document.facts.anchors
        if anchor.origin in (AnchorOrigin.ATTRIBUTE, AnchorOrigin.LIST)
    }


def _drawn_ids(stretches: tuple[Stretch, ...]) -> set[Span]:
    return {
        definition.span
        for stretch in stretches
        for figure in stretch.document.facts.figures
        for definition in figure.definitions
    }


def _is_one_place(book: Book, one: Span, other: Span, headings: Mapping[Span, Heading]) -> bool:
    """Whether two ids name one place: an anchor directly before a heading, or in it."""
    document = book.document(one.path)
    if document is None or one.path != other.path or (one in headings and other in headings):
        return False
    first, second = sorted(headings[span].span if span in headings else span for span in (one, other))
    if second.start - first.end > _FARTHEST:
        return False
    return not _MARKUP.sub("", document.source.text[first.end : second.start])


# What shows nothing between two places: the rest of a tag, tags, the beginning of one, marks of headings, blanks.
_MARKUP = regex(r"\A[^<>\n]*>|<[^<>]*>|<[^<>]*\Z|[#\s]+")
_FARTHEST = 1000  # characters; so much markup and nothing else between two places is none that somebody wrote


def _by_id_place(stretches: tuple[Stretch, ...]) -> dict[Span, Heading]:
    """Return the headings by the places of their ids: that of the text, or of the id that is written."""
    documents = {stretch.document.source.path: stretch.document for stretch in stretches}
    headings = [heading for document in documents.values() for heading in document.facts.headings]
    return {heading.anchor.span if heading.anchor else heading.span: heading for heading in headings}
