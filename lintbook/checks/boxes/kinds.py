"""Kinds of boxes: what the anchor calls a box, and what its names call it."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest

from lintbook.book import Book
from lintbook.checks.boxes.declared import name_of
from lintbook.diagnostic import Finding, Related, Severity
from lintbook.facts import Anchor, Box, BoxForm, Document, Heading, Reference, ReferenceForm
from lintbook.parse.numbers import AnchorNumber, read_anchor
from lintbook.patterns import regex
from lintbook.rule import book_rule

# Kinds of which one box is called by two in the same breath only by mistake.
_THEOREMS = frozenset({"theorem", "lemma", "proposition", "corollary"})
# So many anchors of one spelling on one kind are a habit.
_HABIT = 3


@book_rule("BOX004", Severity.WARNING)
def mismatched_box_kind(book: Book) -> Iterator[Finding]:
    """A box is called by two kinds, by its anchor and its title or by two names."""
    yield from _anchors(book)
    for page in book.live_pages:
        yield from _second_names(page)
        yield from _titles(page)
        yield from _headings(book, page)


def _anchors(book: Book) -> Iterator[Finding]:
    """Yield the anchors whose prefix names another kind than the box, unless the book always writes it so."""
    found: list[tuple[Box, Anchor, AnchorNumber]] = []
    for box in book.boxes:
        named = read_anchor(box.anchor.id, book.vocabulary) if box.anchor and box.shown else None
        if box.anchor is not None and named is not None and named.kinds and box.form is not BoxForm.EQUATION:
            found.append((box, box.anchor, named))
    habits = Counter((named.prefix, box.kind) for box, _, named in found)
    kinds = Counter(box.kind for box, _, _ in found)
    for box, anchor, named in found:
        if {box.kind, box.kind.split(" ")[-1]} & set(named.kinds):
            continue
        often = habits[named.prefix, box.kind]
        if often >= _HABIT and often * 2 >= kinds[box.kind]:
            continue
        prefix = anchor.id[: len(named.prefix)]
        yield Finding(
            anchor.span,
            f"the anchor says `{prefix}`, the box is `{name_of(box)}`",
            cause=f"{anchor.span.path}: {named.prefix} on {box.kind}",
            advice="let the anchor and the title name one kind",
        )


def _second_names(page: Document) -> Iterator[Finding]:
    """Yield second names that are another box's: `定义 1.1 / Theorem 1.1`."""
    for box in page.facts.boxes:
        for name in box.names:
            if (name.kind, name.number) != (box.kind.split(" ")[-1], box.number):
                yield Finding(
                    name.span,
                    f"`{name.label} {name.number}` is the second name of `{name_of(box)}`",
                    related=(Related(box.span, "the first name"),),
                    advice="let both names give one kind and number",
                )


def _titles(page: Document) -> Iterator[Finding]:
    """Yield the boxes that stand right under a heading of their number and another kind."""
    text = page.source.text
    for above, box in zip(page.facts.boxes, page.facts.boxes[1:], strict=False):
        is_title = above.form is BoxForm.HEADING and box.shown and box.form is not BoxForm.HEADING
        if (
            not is_title
            or above.number != box.number
            or not {above.kind, box.kind} <= _THEOREMS
            or above.kind == box.kind
        ):
            continue
        line = text.find("\n", above.span.end)
        if line >= 0 and not text[line : box.span.start].strip("\r\n\t #>*_【"):
            yield Finding(
                box.span,
                f"`{name_of(box)}` stands under the heading `{name_of(above)}`",
                related=(Related(above.span, "the heading"),),
                advice="let both name one kind",
            )


def _headings(book: Book, page: Document) -> Iterator[Finding]:
    """Yield the headings that speak of a lemma where the paragraph below, and it alone, speaks of a theorem."""
    references = [
        each for each in page.facts.references if each.form is ReferenceForm.TEXTUAL and each.kind in _THEOREMS
    ]
    starts = [each.span.start for each in references]
    headings = page.facts.headings
    for heading, following in zip_longest(headings, headings[1:]):
        title = references[bisect_left(starts, heading.span.start) : bisect_left(starts, heading.span.end)]
        if len(title) != 1:
            continue
        end = following.span.start if following else len(page.source.text)
        below = references[bisect_left(starts, heading.span.end) : bisect_left(starts, end)]
        other = _renamed(page, heading, title[0], below)
        if other is not None and not _both_declared(book, title[0], other):
            yield Finding(
                title[0].span,
                f"the heading says `{title[0].label} {title[0].number}`, the text below `{other.label} {other.number}`",
                related=(Related(other.span, "the text"),),
                advice="let both name one kind",
            )


_REST_OF_HEADING = regex(r"[^\n]*\s*")  # with the blank lines behind it
_BLANK_LINE = regex(r"\n\s*?\n")


def _renamed(page: Document, heading: Heading, title: Reference, below: list[Reference]) -> Reference | None:
    """Return the reference of the first paragraph below a heading that gives the number another kind."""
    if any((each.kind, each.number) == (title.kind, title.number) for each in below):
        return None
    rest = _REST_OF_HEADING.match(page.source.text, heading.span.end)
    begin = rest.end() if rest else heading.span.end
    blank = _BLANK_LINE.search(page.source.text, begin)
    end = blank.start() if blank else len(page.source.text)
    return next((each for each in below if each.number == title.number and each.span.start < end), None)


def _both_declared(book: Book, one: Reference, other: Reference) -> bool:
    return bool(book.declarations(one.kind, one.number) and book.declarations(other.kind, other.number))
