"""Repairs of boxes: another anchor or number, with all that refers to it."""

from __future__ import annotations

from collections.abc import Iterator

from lintbook.book import Book
from lintbook.diagnostic import Edit, Fix
from lintbook.facts import Anchor, Box, Number, Reference, ReferenceForm
from lintbook.parse.numbers import read_anchor
from lintbook.site import Arrival, Target
from lintbook.text import Span


def renaming(book: Book, anchor: Anchor, identifier: str, *, safe: bool = True) -> Fix | None:
    """Return the fix that gives an anchor the id ``identifier``, in every link and redirect to it too.

    There is none where the page has that id already, or where something leads to the anchor in a spelling of its own.
    """
    path = anchor.span.path
    if book.has_id(Target(Arrival.PAGE, path, identifier)):
        return None
    edits = list(_renamed(book, anchor, identifier))
    return Fix(f"rename the anchor to `{identifier}`", _in_order(edits), safe) if None not in edits else None


def _renamed(book: Book, anchor: Anchor, identifier: str) -> Iterator[Edit | None]:
    """Yield the edits that rename an anchor; None for a place that cannot be edited."""
    path = anchor.span.path
    yield Edit(anchor.span, identifier)
    places = [link.destination_span for link in book.links_to(path, anchor.id)]
    addresses = book.addresses(path)
    for redirect in book.redirects:
        address, _, fragment = redirect.target.partition("#")
        if fragment == anchor.id and address.lstrip("/") in addresses:
            places.append(redirect.target_span)
    for place in dict.fromkeys(places):
        yield _edited_fragment(book, place, anchor.id, identifier)
    for reference in _bracketed(book, anchor.id):
        start = reference.span.start + 1
        yield Edit(Span(reference.span.path, start, start + len(anchor.id)), identifier)


def _edited_fragment(book: Book, place: Span, old: str, new: str) -> Edit | None:
    source = book.source(place.path)
    text = source.text[place.start : place.end] if source else ""
    if not text.endswith(f"#{old}"):
        return None
    return Edit(Span(place.path, place.end - len(old), place.end), new)


def _bracketed(book: Book, identifier: str) -> Iterator[Reference]:
    """Yield the references that name an anchor by its id: `[DEF-2.2.7]`."""
    named = read_anchor(identifier, book.vocabulary)
    if named is None:
        return
    for kind in named.kinds:
        for reference in book.references_to(kind, named.number):
            if reference.form is ReferenceForm.BRACKETED and f"{reference.label}-{reference.number}" == identifier:
                yield reference


class FreeNumbers:
    """Gives out numbers that no box of the book has, each once."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._given: dict[tuple[str, tuple[str, ...]], int] = {}

    def next(self, kind: str, prefix: tuple[str, ...]) -> Number:
        """Return the first number behind all of a kind that begin with ``prefix``."""
        last = self._given.get((kind, prefix), max(self._book.indices(kind, prefix), default=0))
        self._given[kind, prefix] = last + 1
        return Number((*prefix, str(last + 1)))


def renumbering(book: Book, box: Box, number: Number) -> Fix:
    """Return the fix, unsafe, that gives a box another number, its anchor and the links to it too.

    References by the old number stay where another box bears it; else they follow.
    """
    edits: list[Edit | None] = [Edit(box.number_span, str(number))]
    named = read_anchor(box.anchor.id, book.vocabulary) if box.anchor else None
    if box.anchor and named and named.dotted and named.number.parts == box.number.parts:
        written = str(named.number)
        new = box.anchor.id.replace(written, str(number), 1)
        edits.extend(_renamed(book, box.anchor, new))
    if len(book.declarations(box.kind, box.number)) == 1:
        edits.extend(_followed(book, box, number))
    return Fix(f"number it {number}", _in_order([edit for edit in edits if edit is not None]))


def _followed(book: Book, box: Box, number: Number) -> Iterator[Edit]:
    """Yield the edits that let references follow a box to its new number, where they are plainly written."""
    written = str(box.number)
    for reference in book.references_to(box.kind, box.number):
        source = book.source(reference.span.path)
        plain = source is not None and source.text.endswith(written, reference.span.start, reference.span.end)
        if plain and reference.form is ReferenceForm.TEXTUAL and not reference.foreign:
            end = reference.span.end
            yield Edit(Span(reference.span.path, end - len(written), end), str(number))


def _in_order(edits: list[Edit] | list[Edit | None]) -> tuple[Edit, ...]:
    return tuple(sorted({edit for edit in edits if edit is not None}, key=lambda edit: edit.span))
