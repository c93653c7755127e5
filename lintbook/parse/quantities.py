"""Quantities: the numbers of the text that have a unit, so that it can be said how many of them were recomputed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lintbook.calculator.column import CellText
from lintbook.calculator.quotation import Stretch
from lintbook.calculator.unit import TABLE
from lintbook.facts import Quantity
from lintbook.parse.blocks import TextBlock
from lintbook.parse.citing import CitedRanges
from lintbook.patterns import regex
from lintbook.text import Span

# A digit with a word close behind it, or with the name of a unit that needs no blank to end it.
_IDEOGRAPHS = "|".join(sorted((name for name in TABLE if name[0] > "\u3000"), key=len, reverse=True))
_MEASURED = regex(
    r"[0-9０-９][\s\\$,;~{}‑-]{0,8}(?:(?:text|mathrm|rm|operatorname)[\s{\\]*)?"
    rf"(?:(?P<word>[A-Za-zμµ]+)|(?:{_IDEOGRAPHS})(?![A-Za-z]))"
)


def read_quantities(path: str, blocks: Sequence[TextBlock], ranges: CitedRanges) -> Iterator[Quantity]:
    """Yield the quantities of a page; ``ranges`` gives for each block what of it belongs to cross-references."""
    for number, block in enumerate(blocks):
        passage = block.passage
        if not _may_measure(passage.text):
            continue
        text = CellText(Span(path, *block.span), "", 0, passage, ranges[number], None)
        for found in Stretch(text, len(passage.text), frozenset()).all_numbers():
            if found.unit is not None:
                yield Quantity(Span(path, *passage.range(found.start, found.end)), found.tail)


def _may_measure(text: str) -> bool:
    """Whether a number of ``text`` may have a unit; most blocks are passed over here."""
    return any(match["word"] is None or match["word"] in TABLE for match in _MEASURED.finditer(text))
