"""Links and references to what has been retired and has a successor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import dirname, relpath

from lintbook.book import Book, Successor
from lintbook.checks.references.numbers import spoken
from lintbook.diagnostic import Edit, Finding, Fix, Severity
from lintbook.facts import Box, Document, Reference, ReferenceForm
from lintbook.patterns import regex
from lintbook.rule import book_rule
from lintbook.site import Arrival, FollowedLink

_LEADING = (Arrival.PAGE, Arrival.UNBUILT, Arrival.FILE, Arrival.MISSING)
# What says that the old number is meant: “formerly Definition 2.1”.
_FORMER = regex(
    r"(?:原|旧|舊|曾|former(?:ly)?|old|previous(?:ly)?|was|once)\s*(?:称|名|作|为)?[\s“「]*$", re.IGNORECASE
)


@book_rule("REF004", Severity.WARNING)
def reference_to_legacy(book: Book) -> Iterator[Finding]:
    """A link or reference goes to a retired page or number that has a successor."""
    if not (book.redirects or book.recorded_redirects):
        return
    for followed in _astray(book):
        yield from _link(book, followed)
    for document in book.live_pages:
        for reference in spoken(document):
            if reference.form is not ReferenceForm.SECTION and not reference.foreign:
                yield from _reference(book, document, reference)


def _astray(book: Book) -> Iterator[FollowedLink]:
    """Yield the links that may lead to an old address: they arrive on no live page, or at no id that it has."""
    for arrival in _LEADING:
        for followed in book.links_with(arrival):
            lacks_id = arrival is Arrival.PAGE and not followed.arrives
            if followed.target.path and (lacks_id or followed.target.path not in book.live):
                yield followed


def _link(book: Book, followed: FollowedLink) -> Iterator[Finding]:
    link, target = followed.link, followed.target
    successor = book.successor(target.path, target.fragment)
    if successor is None:
        return
    destination = _destination(followed.page, successor)
    span = link.destination_span
    yield Finding(
        span,
        f"`{link.destination}` is an old address: it leads on to `{successor.address}`",
        fix=Fix(f"link to `{destination}`", (Edit(span, destination),), safe=True) if destination else None,
        cause=f"old address {target.path}#{target.fragment}",
        advice=f"link to `{destination or successor.address}`",
    )


def _destination(path: str, successor: Successor) -> str | None:
    """Return the destination that leads from the page at ``path`` to a successor."""
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
