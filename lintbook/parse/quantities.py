"""Quantities: the numbers of the text that have a unit, so that it can be said how many of them were recomputed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lintbook.calculator.column import CellText
from lintbook.calculator.quotation import Stretch
from lintbook.calculator.unit import TABLE
from lintbook.facts import Quantity
from lintbook.parse.blocks import TextBlock
from lintbook.parse.citing import CitedRanges
from lintbook.patterns import regex
from lintbook.text import Span

# A digit with the name of a unit close behind it; most blocks have none and are passed over.
_NAMES = "|".join(sorted(map(re.escape, TABLE), key=len, reverse=True))
_MEASURED = regex(
    rf"[0-9０-９][\s\\$,;~{{}}‑-]{{0,8}}(?:(?:text|mathrm|rm|operatorname)[\s{{\\]*)?(?:{_NAMES})(?![A-Za-z])"
)


def read_quantities(path: str, blocks: Sequence[TextBlock], ranges: CitedRanges) -> Iterator[Quantity]:
    """Yield the quantities of a page; ``ranges`` gives for each block what of it belongs to cross-references."""
    for number, block in enumerate(blocks):
        passage = block.passage
        if not _MEASURED.search(passage.text):
            continue
        text = CellText(Span(path, *block.span), "", 0, passage, ranges[number], None)
        for found in Stretch(text, len(passage.text), frozenset()).all_numbers():
            if found.unit is not None:
                yield Quantity(Span(path, *passage.range(found.start, found.end)), found.tail)
