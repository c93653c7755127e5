"""What is meant for a link, and a blank keeps it from being one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintbook.facts import UnparsedLink
from lintbook.parse.blocks import TextBlock
from lintbook.patterns import regex
from lintbook.text import Passage, Span, Style

# `[a](b c.md)`. Lengths are bounded, so that the search stays linear on whatever text. A destination may not
# begin with a blank: `[x]( b )` is a link; a title behind it is one of the quoted forms.
_INSIDE = regex(r"\]\((?P<destination>[^\s()<>\"'][^\n()<>]{0,300})\)")
# `[a] (b.md)`: the blanks between the two.
_BETWEEN = regex(r"\][ \t]{1,3}\((?P<destination>[^\s()<>]{1,300})\)")
_BLANK = regex(r"[ \t]+")
_LABEL = regex(r"\[[^\[\]]{1,300}\Z")


def unparsed_links(block: TextBlock, path: str) -> Iterator[UnparsedLink]:
    """Yield what of the text of ``block`` only a blank keeps from being a link, whatever its destination names."""
    passage = block.passage
    text = passage.text
    if "](" in text:
        for found in _INSIDE.finditer(text):
            blank = _BLANK.search(text, *found.span("destination"))
            if blank is not None:
                yield from _link(passage, found, blank.span(), path, detached=False)
    if "] (" in text or "]\t(" in text:
        for found in _BETWEEN.finditer(text):
            blank = _BLANK.search(text, found.start())
            if blank is not None:
                yield from _link(passage, found, blank.span(), path, detached=True)


def _link(
    passage: Passage, found: re.Match[str], blank: tuple[int, int], path: str, *, detached: bool
) -> Iterator[UnparsedLink]:
    label = _LABEL.search(passage.text, max(found.start() - 302, 0), found.start())
    if label is None or not _is_written(passage, label.start(), found.start(), found.end() - 1):
        return
    start, end = found.span("destination")
    yield UnparsedLink(
        span=Span(path, *passage.range(label.start(), found.end())),
        destination=found["destination"],
        destination_span=Span(path, *passage.range(start, end)),
        blank_span=Span(path, *passage.range(*blank)),
        detached=detached,
    )


def _is_written(passage: Passage, *brackets: int) -> bool:
    r"""Whether the brackets are prose as it stands in the source: neither escaped (``\[``) nor in code or math."""
    return all(passage.style(index) is Style.PROSE and passage.is_verbatim(index) for index in brackets)
