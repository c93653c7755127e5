"""What a reference names: the members of a range, and which references a link's label holds."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from lintbook.facts import Document, Number, Reference

# A range with more members than this is told by its ends.
_MEMBERS = 500
_DIGITS = 9


def members(reference: Reference) -> list[Number]:
    """Return the numbers that a reference names: of a range all from its beginning to its end."""
    first, last = reference.number, reference.last
    if last is None:
        return [first]
    if not (first.parts[-1].isdigit() and last.parts[-1].isdigit()) or len(last.parts[-1]) > _DIGITS:
        return [first, last]
    low, high = int(first.parts[-1]), int(last.parts[-1])
    if high - low > _MEMBERS:
        return [first, last]
    return [Number((*first.parts[:-1], str(index))) for index in range(low, high + 1)]


def spoken(document: Document) -> Iterator[Reference]:
    """Yield the references of a page but for those in the label of a link, which is judged as a link."""
    if not document.facts.references:
        return
    labels = [link.label_span for link in document.facts.links if not link.image]
    starts = [label.start for label in labels]
    for reference in document.facts.references:
        place = bisect_right(starts, reference.span.start) - 1
        if place < 0 or reference.span.start >= labels[place].end:
            yield reference


def shown(reference: Reference, number: Number) -> str:
    """Return how a reference calls a number: `Theorem 2.4.1`, `DEF-2.4.1`, `§2.4`, `第 3 讲`, `2.4.7`."""
    label = reference.label
    if not label:
        return str(number)
    if label.startswith("§"):
        return f"§{number}"
    if label in _BEHIND:
        return f"第 {number} {label}"
    return f"{label} {number}"


_BEHIND = frozenset({"节", "小节", "章", "讲"})
