"""Links and references to what has been retired and has a successor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import dirname, relpath

from lintbook.book import Book, Successor
from lintbook.checks.references.numbers import spoken
from lintbook.diagnostic import Edit, Finding, Fix, Severity
from lintbook.facts import Box, Document, Link, Reference, ReferenceForm
from lintbook.patterns import regex
from lintbook.rule import book_rule
from lintbook.site import Arrival, Target

_LEADING = frozenset({Arrival.PAGE, Arrival.UNBUILT, Arrival.FILE, Arrival.MISSING})
# What says that the old number is meant: “formerly Definition 2.1”.
_FORMER = regex(
    r"(?:原|旧|舊|曾|former(?:ly)?|old|previous(?:ly)?|was|once)\s*(?:称|名|作|为)?[\s“「]*$", re.IGNORECASE
)


@book_rule("REF004", Severity.WARNING)
def reference_to_legacy(book: Book) -> Iterator[Finding]:
    """A link or reference goes to a retired page or number that has a successor."""
    if not (book.redirects or book.recorded_redirects):
        return
    for document in book.current:
        for link in document.facts.links:
            yield from _link(book, document, link)
    for document in book.live_pages:
        for reference in spoken(document):
            if reference.form is not ReferenceForm.SECTION and not reference.foreign:
                yield from _reference(book, document, reference)


def _link(book: Book, document: Document, link: Link) -> Iterator[Finding]:
    target = book.resolve(document.source.path, link.destination)
    if target.arrival not in _LEADING or not target.path or _stays(book, target):
        return
    successor = book.successor(target.path, target.fragment)
    if successor is None:
        return
    destination = _destination(document, successor)
    span = link.destination_span
    yield Finding(
        span,
        f"`{link.destination}` is an old address: it leads on to `{successor.address}`",
        fix=Fix(f"link to `{destination}`", (Edit(span, destination),), safe=True) if destination else None,
        cause=f"old address {target.path}#{target.fragment}",
        advice=f"link to `{destination or successor.address}`",
    )


def _stays(book: Book, target: Target) -> bool:
    """Whether a link arrives on a live page, at an id that the page has."""
    return target.path in book.live and (not target.fragment or book.has_id(target))


def _destination(document: Document, successor: Successor) -> str | None:
    """Return the destination that leads from a page to a successor."""
    path = document.source.path
    if successor.page is None:
        return None
    page = relpath(successor.page, dirname(path) or ".") if successor.page != path else ""
    return f"{page}#{successor.fragment}" if successor.fragment else page or None


def _reference(book: Book, document: Document, reference: Reference) -> Iterator[Finding]:
    declared = book.declarations(reference.kind, reference.number)
    if not declared or any(box.span.path not in book.retired for box in declared):
        return
    before = document.source.text[max(0, reference.span.start - 20) : reference.span.start]
    if _FORMER.search(before):
        return
    now = _now(book, declared)
    if now is not None:
        name = f"{reference.label} {reference.number}"
        yield Finding(
            reference.span,
            f"`{name}` is a retired number: it leads on to `{now}`",
            cause=f"retired {reference.kind} {reference.number}",
            advice=f"write {now}",
        )


def _now(book: Book, declared: tuple[Box, ...]) -> str | None:
    """Return what boxes of retired pages are called now, or else where they lead on to."""
    for box in declared:
        successor = book.successor(box.span.path, box.anchor.id if box.anchor else "")
        if successor is None:
            continue
        found = book.boxes_at(successor.page, successor.fragment) if successor.page and successor.fragment else ()
        return next((f"{each.label} {each.number}" for each in found if each.shown), successor.address)
    return None
