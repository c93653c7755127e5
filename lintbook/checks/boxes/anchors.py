"""Anchors of boxes against the numbers that readers see."""

from __future__ import annotations

from collections.abc import Iterator

from lintbook.book import Book
from lintbook.diagnostic import Finding, Severity
from lintbook.facts import Box, BoxForm, Number
from lintbook.parse.numbering import AnchorNumber, read_anchor
from lintbook.rule import book_rule


def _anchored(book: Book) -> Iterator[tuple[Box, AnchorNumber]]:
    """Yield the boxes of live pages that show a number and have a box anchor, with what the anchor says."""
    vocabulary = book.vocabulary
    for box in book.boxes:
        if box.anchor is None or box.form in (BoxForm.ANCHOR, BoxForm.EQUATION):
            continue
        named = read_anchor(box.anchor.id, vocabulary)
        if named is not None:
            yield box, named


@book_rule("BOX003", Severity.WARNING)
def mismatched_box_anchor(book: Book) -> Iterator[Finding]:
    """Anchor and visible number disagree."""
    for box, named in _anchored(book):
        if not named.dotted or named.number.parts == box.number.parts or _agrees(box.number, named.number):
            continue
        assert box.anchor is not None
        right = f"{box.anchor.id.removesuffix(named.rest)[: -len(str(named.number))]}{box.number}{named.rest}"
        yield Finding(
            box.anchor.span,
            f"the anchor says `{named.number}`, the box is `{box.label} {box.number}`",
            cause=_cause(box, named),
            advice=f"write `{right}`, and so in every link to it",
        )


def _agrees(number: Number, named: Number) -> bool:
    """A letter behind the number may stand in its last part, as in `2.6.1a`."""
    return str(named).lower() == str(number).lower()


def _cause(box: Box, named: AnchorNumber) -> str | None:
    """What went wrong with several anchors of a page alike: another depth, or all of them off by the same step."""
    path, number = box.span.path, box.number
    if named.number.depth != number.depth:
        return f"{path}: anchors of {named.number.depth} levels on numbers of {number.depth}"
    for old, new in zip(named.number.parts, number.parts, strict=True):
        if old != new:
            same = named.number.parts[-1] == number.parts[-1]
            return f"{path}: anchors with {old} for {new}" if same else None
    return None


@book_rule("BOX008", Severity.WARNING)
def legacy_box_anchor(book: Book) -> Iterator[Finding]:
    """An undotted anchor stands on a live page."""
    for box, named in _anchored(book):
        if named.dotted:
            continue
        assert box.anchor is not None
        prefix = box.anchor.id[: len(named.prefix)]
        yield Finding(
            box.anchor.span,
            f"`{box.anchor.id}` is a flat anchor on `{box.label} {box.number}`",
            cause=f"{box.span.path}: flat anchors",
            advice=f"write `{prefix}-{box.number}{named.rest}`, and so in every link to it",
        )
