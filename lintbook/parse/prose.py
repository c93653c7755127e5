"""The prose of raw HTML, as blocks of text: captions, summaries, paragraphs, what stands behind a comment.

Renderers show it as it is, so no Markdown is read in it. Code, drawings and tables are no prose.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from lintbook.parse.blocks import BlockKind, TextBlock, math_regions
from lintbook.parse.markup import EndTag, StartTag, Text, live_events
from lintbook.patterns import regex
from lintbook.text import Passage, Piece, Style

# Elements that break no line.
_INLINE = frozenset(
    [
        *("a", "abbr", "b", "bdi", "bdo", "big", "cite", "dfn", "em", "font", "i", "ins", "mark", "q", "s", "small"),
        *("span", "strong", "sub", "sup", "time", "u", "var", "wbr"),
    ]
)
_NO_PROSE = frozenset(
    [
        *("button", "code", "del", "kbd", "math", "option", "pre", "samp", "script", "select", "style", "svg", "table"),
        *("textarea", "title", "tt"),
    ]
)
_HEADING = regex(r"h[1-6]")
_DIGIT = regex(r"\d")


def html_blocks(html: Passage) -> Iterator[TextBlock]:
    """Yield the runs of text with digits that stand between the tags of blocks in raw HTML, headings as such."""
    seams = [piece.start for piece in html.pieces if not piece.verbatim]
    run: list[tuple[int, int]] = []
    hidden = ""  # the element of no prose that is open
    level = 0
    for event in live_events(html.text) if _DIGIT.search(html.text) else ():
        if isinstance(event, StartTag | EndTag):
            name = event.name.lower()
            if hidden:
                hidden = "" if isinstance(event, EndTag) and name == hidden else hidden
            elif name not in _INLINE:
                yield from _block(html, run, level)
                run, opens = [], isinstance(event, StartTag) and not event.self_closing
                level = int(name[1]) if opens and _HEADING.fullmatch(name) else 0
                hidden = name if opens and name in _NO_PROSE else ""
        elif isinstance(event, Text) and not hidden:
            start = event.start
            for seam in _between(seams, event.start, event.end):  # Markdown stood there
                run.append((start, seam))
                yield from _block(html, run, level)
                run, start = [], seam + 1
            run.append((start, event.end))
    yield from _block(html, run, level)


def _between(places: Sequence[int], start: int, end: int) -> Sequence[int]:
    return places[bisect_left(places, start) : bisect_left(places, end)]


def _block(html: Passage, run: Sequence[tuple[int, int]], level: int) -> Iterator[TextBlock]:
    if not level and not any(_DIGIT.search(html.text, start, end) for start, end in run):
        return
    text = _joined(html.slice(start, end) for start, end in run)
    passage = _with_math(text)
    if passage.text.strip():
        kind = BlockKind.HEADING if level else BlockKind.PARAGRAPH
        yield TextBlock(kind, passage, passage.range(0, len(passage.text)), level, plain=text)


def _joined(parts: Iterable[Passage]) -> Passage:
    pieces: list[Piece] = []
    texts: list[str] = []
    index = 0
    for part in parts:
        pieces.extend(piece._replace(start=piece.start + index) for piece in part.pieces)
        texts.append(part.text)
        index += len(part.text)
    return Passage("".join(texts), tuple(pieces))


def _with_math(text: Passage) -> Passage:
    """Return ``text`` with its formulas set as such: scripts draw them in raw HTML too."""
    parts: list[Passage] = []
    position = 0
    for region in math_regions(text.text, (), frozenset()):
        formula = text.slice(region.start, region.end)
        pieces = tuple(piece._replace(style=Style.MATH) for piece in formula.pieces)
        parts.extend((text.slice(position, region.start), Passage(formula.text, pieces)))
        position = region.end
    return _joined([*parts, text.slice(position, len(text.text))]) if parts else text
