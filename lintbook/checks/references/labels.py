"""Links whose label names one box or section while they arrive at another."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from lintbook.book import Book
from lintbook.diagnostic import Edit, Finding, Fix, Related, Severity
from lintbook.facts import Box, Document, Link, LinkForm, Number, Reference, ReferenceForm
from lintbook.outline import Section
from lintbook.parse.numbers import read_anchor
from lintbook.patterns import regex
from lintbook.rule import book_rule
from lintbook.site import Arrival, Target
from lintbook.text import Passage, Piece, Span, Style

# What may stand before and behind the name that is a label; the title of the box among it.
_BEFORE = regex(r"\s*(?:见|参见|详见|[Ss]ee|cf\.)?\s*[【(（]?\s*")
_BEHIND = regex(r"\s*(?:$|[(（【\]】)）:：,，.。—–-])")
_BARE = regex(r"(?:\d+[A-Z]?|[A-Z])(?:\.\d+)+[a-z]?")


class _Name(NamedTuple):
    """What a label names: the kinds that it may mean, none of a bare number, and whether it is a section.

    ``start`` and ``end`` are where in the label's text the name stands.
    """

    kinds: tuple[str, ...]
    number: Number
    section: bool
    start: int
    end: int


@book_rule("REF003", Severity.ERROR)
def mismatched_link_label(book: Book) -> Iterator[Finding]:
    """The label of a link names one box or section, and the link arrives at another."""
    for document in book.current:
        references = document.facts.references
        starts = [reference.span.start for reference in references]
        for link in document.facts.links:
            if link.image or link.in_math:
                continue
            inside = references[bisect_left(starts, link.label_span.start) : bisect_left(starts, link.label_span.end)]
            labelled = _with_label(document, link)
            name = _named(book, labelled, inside)
            if name is None:
                continue
            target = book.resolve(document.source.path, link.destination)
            if target.arrival is Arrival.PAGE and book.has_id(target):
                yield from _judged(book, document, labelled, name, target)


def _with_label(document: Document, link: Link) -> Link:
    """Return a link with its label, which is as it is written if the link is one of raw HTML."""
    if link.form is not LinkForm.HTML:
        return link
    span = link.label_span
    text = document.source.text[span.start : span.end]
    return replace(link, label=Passage(text, (Piece(0, span.start, span.end, Style.PROSE, True),)))


def _named(book: Book, link: Link, inside: Sequence[Reference]) -> _Name | None:
    """Return what a label names if that is all that it says."""
    if not inside:
        return _spelt(book, link.label.text) if "." in link.label.text else None
    reference = inside[0]
    if len(inside) > 1 or reference.last is not None or reference.foreign:
        return None
    section = reference.form is ReferenceForm.SECTION
    if section and reference.kind == "section" and reference.number.depth == 1:
        return None  # it counts within its chapter
    start, end = _inner(link, reference)
    if _BEFORE.fullmatch(link.label.text, 0, start) is None or _BEHIND.match(link.label.text, end) is None:
        return None
    return _Name((reference.kind,), reference.number, section, start, end)


def _spelt(book: Book, label: str) -> _Name | None:
    """Return what a label names that is an id or a bare number."""
    text = label.strip()
    start = label.index(text)
    anchor = read_anchor(text, book.vocabulary)
    if anchor and anchor.kinds and anchor.dotted and not anchor.rest:
        return _Name(anchor.kinds, anchor.number, False, start, start + len(text))
    bare = _BARE.fullmatch(text)
    return _Name((), Number.parse(text), False, start, start + len(text)) if bare else None


def _inner(link: Link, reference: Reference) -> tuple[int, int]:
    """Return the range of a label's text that a reference in it covers."""
    indices = range(len(link.label.text))
    if reference.span == link.label_span:
        return 0, len(indices)
    place = link.label.place
    start = bisect_left(indices, reference.span.start, key=place)
    return start, bisect_left(indices, reference.span.end, lo=start, key=place)


def _judged(book: Book, document: Document, link: Link, name: _Name, target: Target) -> Iterator[Finding]:
    boxes = book.boxes_at(target.path, target.fragment) if target.fragment else ()
    section = book.section_at(target.path, target.fragment)
    if any(_is_box(book, box, name) for box in boxes) or (section and _is_section(section, name)):
        return
    if name.section:
        if section is None or any(box.shown for box in boxes) or section.item is not None:
            return
        arrived, place = f"section `{section.number}`", section.heading.span
    elif boxes:
        box = boxes[0]
        if not box.shown and not name.kinds:
            return
        arrived, place = f"`{_called(box)}`", box.span
    else:
        return
    shown = " ".join(link.label.text[name.start : name.end].split())
    yield Finding(
        link.span,
        f"the label says `{shown}`, the link arrives at {arrived}",
        related=(Related(place, "where the link arrives"),),
        fix=_fix(book, document, link, name, target),
        advice="let the label and the destination name one thing",
    )


def _called(box: Box) -> str:
    return f"{box.label} {box.number}" if box.shown else f"{box.label}-{box.number}"


def _is_box(book: Book, box: Box, name: _Name) -> bool:
    """Whether a box is what the label names, by its title, a second name, or the number in its anchor."""
    if name.section:
        return box.number.parts[: name.number.depth] == name.number.parts
    if box.kind in name.kinds and box.number == name.number:
        return True
    numbers = {box.number.parts, *(other.number.parts for other in box.names)}
    kinds = {box.kind, box.kind.split(" ")[-1], *(other.kind for other in box.names)}
    named = read_anchor(box.anchor.id, book.vocabulary) if box.anchor else None
    if named is not None:
        numbers.add(named.number.parts)
        if not box.shown:
            kinds |= set(named.kinds)
    alike = name.number.suffix in ("", box.number.suffix) or not box.number.suffix
    return name.number.parts in numbers and alike and (not name.kinds or not kinds.isdisjoint(name.kinds))


def _is_section(section: Section, name: _Name) -> bool:
    """Whether a section is what the label names, or holds it, or stands in it."""
    depth = min(section.number.depth, name.number.depth)
    if name.section:
        return section.number.parts[:depth] == name.number.parts[:depth]
    return not name.kinds and section.number.parts == name.number.parts


def _fix(book: Book, document: Document, link: Link, name: _Name, target: Target) -> Fix | None:
    """Offer the box that the label names, where it stands on the page at which the link arrives."""
    if name.section:
        return None
    declared = (box for kind in name.kinds for box in book.declarations(kind, name.number))
    meant = [box for box in declared if box.anchor and box.span.path == target.path]
    span = link.destination_span
    written = document.source.text[span.start : span.end]
    if len(meant) != 1 or meant[0].anchor is None or not written.endswith(f"#{target.fragment}"):
        return None
    place = Span(span.path, span.end - len(target.fragment), span.end)
    return Fix(f"let the link lead to `#{meant[0].anchor.id}`", (Edit(place, meant[0].anchor.id),))
