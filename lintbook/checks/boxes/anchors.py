"""Anchors of boxes against the numbers that readers see, and against what the renderer makes of them."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from lintbook.book import Book
from lintbook.checks.boxes.declared import name_of
from lintbook.checks.boxes.repair import renaming
from lintbook.diagnostic import Edit, Finding, Fix, Severity
from lintbook.facts import Anchor, AnchorOrigin, Box, Document, Number
from lintbook.parse.numbers import AnchorNumber, read_anchor
from lintbook.patterns import regex
from lintbook.rule import book_rule
from lintbook.text import Span


def _anchored(book: Book) -> Iterator[tuple[Anchor, AnchorNumber, list[Box]]]:
    """Yield the box anchors of live pages with what they say and the boxes that show a number beside them."""
    for page in book.live_pages:
        found: dict[Anchor, list[Box]] = defaultdict(list)
        for box in page.facts.boxes:
            if box.anchor is not None and box.shown:
                found[box.anchor].append(box)
        for anchor, boxes in found.items():
            named = read_anchor(anchor.id, book.vocabulary)
            if named is not None:
                yield anchor, named, boxes


@book_rule("BOX003", Severity.WARNING)
def mismatched_box_anchor(book: Book) -> Iterator[Finding]:
    """Anchor and visible number disagree."""
    for anchor, named, boxes in _anchored(book):
        if not named.dotted or any(_agrees(box.number, named.number) for box in boxes):
            continue
        box = boxes[0]
        right = anchor.id.replace(str(named.number), str(box.number), 1)
        if right == anchor.id:  # capitals: the number is written in another way
            continue
        once = len(book.declarations(box.kind, box.number)) == 1
        yield Finding(
            anchor.span,
            f"the anchor says `{named.number}`, the box is `{name_of(box)}`",
            fix=renaming(book, anchor, right, safe=once),
            cause=_cause(box, named),
            advice=f"write `{right}`, and so in every link to it",
        )


def _agrees(number: Number, named: Number) -> bool:
    """Whether an anchor has the number of a box; what stands behind the last part may be a mnemonic."""
    if [part.upper() for part in named.parts] != [part.upper() for part in number.parts]:
        return False
    return not (named.suffix.isalpha() and number.suffix.isalpha()) or named.suffix == number.suffix


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
    anchored = [each for each in _anchored(book) if each[1].kinds]
    if _are_flat_by_habit(anchored):
        return
    for anchor, named, boxes in anchored:
        if named.dotted:
            continue
        box = boxes[0]
        right = f"{anchor.id[: len(named.prefix)]}-{box.number}{named.rest}"
        once = len(book.declarations(box.kind, box.number)) == 1
        yield Finding(
            anchor.span,
            f"`{anchor.id}` is a flat anchor on `{name_of(box)}`",
            fix=renaming(book, anchor, right, safe=once),
            cause=f"{anchor.span.path}: flat anchors",
            advice=f"write `{right}`, and so in every link to it",
        )


def _are_flat_by_habit(anchored: Sequence[tuple[Anchor, AnchorNumber, list[Box]]]) -> bool:
    """Whether a book writes no anchor of a box with dots, and each says the number of its box."""
    return len(anchored) > 1 and all(
        not named.dotted and any(_agrees(box.number, named.number) for box in boxes) for _, named, boxes in anchored
    )


# Attributes that an author means for the renderer: ids, classes and values, and nothing else in the braces.
_ATTRIBUTES = regex(r"\{:?\s*#[^\s{}]+(?:\s+(?:[.#][^\s{}]+|[\w-]+=(?:\"[^\"{}]*\"|[^\s{}]+)))*\s*\}")

# What may stand between the number of a box and its id: a title up to its full stop, and marks of emphasis.
_TITLE = regex(r"[^.:。：\n]*[.:。：]?[\s*_)）】」]*")


@book_rule("BOX009", Severity.WARNING)
def unrendered_anchor(book: Book) -> Iterator[Finding]:
    """The renderer prints the `{#id}` instead of making an anchor."""
    printed = [
        origin for origin in (AnchorOrigin.ATTRIBUTE, AnchorOrigin.LIST) if not book.dialect.makes_anchor(origin)
    ]
    if not printed:
        return
    for page in book.live_pages:
        for anchor in page.facts.anchors:
            if anchor.origin not in printed:
                continue
            text = page.source.text
            start = text.rfind("{", 0, anchor.span.start)
            match = _ATTRIBUTES.match(text, start)
            if match is None or not (_ends_text(text, match.end()) or _ends_title(page, anchor, start)):
                continue
            span = Span(anchor.span.path, start, match.end())
            element = f'<a id="{anchor.id}"></a>'
            yield Finding(
                span,
                f"`{match.group()}` is printed as it stands: ids are made of headings only",
                fix=Fix(f"write `{element}`", (Edit(span, element),)),
                cause=f"{anchor.span.path}: ids that are printed",
                advice=f"make the line a heading, or write `{element}`",
            )


def _ends_text(text: str, offset: int) -> bool:
    """Whether nothing follows on the line, or a sentence or another block of attributes begins."""
    line = text.find("\n", offset)
    rest = text[offset : line if line >= 0 else len(text)].strip()
    return not rest or rest[0] in "|{*.。:："


def _ends_title(page: Document, anchor: Anchor, offset: int) -> bool:
    """Whether the braces at ``offset`` stand right behind the title of the box that has the anchor."""
    place = bisect_right(page.facts.boxes, offset, key=lambda box: box.span.start) - 1
    box = page.facts.boxes[place] if place >= 0 else None
    if box is None or not box.shown or box.anchor != anchor:
        return False
    return _TITLE.fullmatch(page.source.text, box.span.end, offset) is not None
