"""Blocks of text: what a reading of Markdown is made of, whatever parser made it.

A block is a run of inline text: a paragraph, a heading, a term, one table cell. It holds the passage that a reader sees
and the marks that stood in it, all by index into the passage.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import islice
from typing import NamedTuple

from msgspec import Struct, field

from lintbook.diagnostic import Trouble
from lintbook.facts import Link, LinkForm
from lintbook.parse.positions import ContentMap
from lintbook.patterns import regex
from lintbook.text import EMPTY_PASSAGE, Passage, Piece, Source, Span, Style


class BlockKind(Enum):
    """What a block is."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    TERM = "term"
    CELL = "cell"


class Strong(NamedTuple):
    """A strong span."""

    start: int
    end: int


class LinkMark(NamedTuple):
    """A link or image: its label in the passage, its places in the source."""

    start: int
    end: int
    span: tuple[int, int]
    label_span: tuple[int, int]
    destination: str
    destination_span: tuple[int, int]
    form: LinkForm
    image: bool
    in_math: bool


class Comment(NamedTuple):
    """An HTML comment that stands before the character ``at``; ``in_math`` if a formula surrounds it."""

    at: int
    text: str
    span: tuple[int, int]
    in_math: bool


class FootnoteMark(NamedTuple):
    """A footnote mark between two characters; ``label`` as written."""

    at: int
    label: str
    span: tuple[int, int]


class TextBlock(Struct):
    """One block: its passage and the marks in it, in the order of the text.

    ``level`` is a heading's; ``header`` a cell's column header (of a header cell itself, none); ``row`` counts from
    zero at the header; ``table`` tells tables apart. ``quoted`` and ``listed`` say that the block begins a quotation or
    a list item; ``attributes`` is a heading's attribute block with its place, cut off from the passage. ``plain`` is
    the passage of a heading or term for a renderer that knows no math.
    """

    kind: BlockKind
    passage: Passage
    span: tuple[int, int]
    level: int = 0
    quoted: bool = False
    listed: bool = False
    header: Passage | None = None
    table: int = 0
    row: int = 0
    column: int = 0
    attributes: tuple[str, int] | None = None
    plain: Passage = EMPTY_PASSAGE
    strong: list[Strong] = field(default_factory=list)
    links: list[LinkMark] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    footnotes: list[FootnoteMark] = field(default_factory=list)


def links_of(block: TextBlock, path: str, start: int = 0, end: int | None = None) -> tuple[Link, ...]:
    """Return the links and images in a block, or of its passage from ``start`` up to ``end``."""
    return tuple(
        Link(
            Span(path, *mark.span),
            mark.form,
            mark.destination,
            Span(path, *mark.destination_span),
            block.passage.slice(mark.start, mark.end),
            Span(path, *mark.label_span),
            mark.image,
            mark.in_math,
        )
        for mark in block.links
        if start <= mark.start and (end is None or mark.end <= end)
    )


_ATTRIBUTE_LIST = regex(r"\{(:[^{}\n]*)\}\s*")


def with_attribute_lists(blocks: Sequence[TextBlock], source: Source) -> Iterator[TextBlock]:
    """Yield blocks, each attribute list on the line below a heading given to the heading, as kramdown does."""
    heading: TextBlock | None = None
    for block in blocks:
        attributes = _ATTRIBUTE_LIST.fullmatch(block.passage.text) if heading and not heading.attributes else None
        if attributes and heading and source.text[heading.span[1] : block.span[0]].count("\n") < 2:
            heading.attributes = attributes[1], block.passage.place(attributes.start(1))
            continue
        heading = block if block.kind is BlockKind.HEADING else None
        yield block


class BlockComment(NamedTuple):
    """An HTML comment in a block of raw HTML; ``starts_line`` if nothing stands before it on its line.

    It is ``alone`` if the block holds comments and nothing else; then ``governed`` is where the next block stands. If
    the block is a line of text that begins with comments, it is that block.
    """

    text: str
    span: tuple[int, int]
    lines: tuple[tuple[str, int], ...]
    starts_line: bool
    closed: bool
    alone: bool
    governed: tuple[int, int] | None


class LinkDefinition(NamedTuple):
    """``[label]: destination``, the label normalized and at ``span`` as written."""

    label: str
    destination: str
    span: tuple[int, int]


class FootnoteDefinition(NamedTuple):
    """``[^label]: …``."""

    label: str
    offset: int


class Line(NamedTuple):
    """A line of the source without what marks its containers; its first character stands at ``offset``."""

    text: str
    offset: int


class CodeFence(NamedTuple):
    """A fenced code block: its opening and closing lines, its marks, and its content line by line with places."""

    opening: tuple[int, int]
    closing: tuple[int, int] | None
    marks: str
    info: str
    lines: tuple[tuple[str, int], ...]


class Reading(Struct):
    """All that the Markdown parser tells of one page.

    ``html`` is the raw HTML. Where a drawing is still open the tags that the renderer makes of Markdown stand in it
    too, as pieces that are not verbatim, for they end the drawing. ``lines`` gives all lines of the page, fenced ones
    empty; few pages need them.
    """

    blocks: list[TextBlock] = field(default_factory=list)
    html: Passage = EMPTY_PASSAGE
    lines: Callable[[], tuple[Line, ...]] = tuple
    comments: list[BlockComment] = field(default_factory=list)
    fences: list[CodeFence] = field(default_factory=list)
    footnotes: list[FootnoteDefinition] = field(default_factory=list)
    definitions: list[LinkDefinition] = field(default_factory=list)
    wordless_items: list[tuple[int, int]] = field(default_factory=list)  # list items that do not begin with text
    troubles: list[Trouble] = field(default_factory=list)


class Entry(NamedTuple):
    """A part of an inline content that is visible; ``text`` is given where it was decoded."""

    start: int
    end: int
    style: Style
    text: str | None = None


class PassageBuilder:
    """Builds a passage from visible parts of an inline content and translates places of the content into indices."""

    def __init__(self, content: str, places: ContentMap, entries: Iterable[Entry]) -> None:
        self._content_starts: list[int] = []  # of the pieces
        pieces: list[Piece] = []
        texts: list[str] = []
        index = 0
        for first, behind, style, text in sorted(entries):
            if text is None:
                for start, end, offset in places.runs(first, behind):
                    self._content_starts.append(start)
                    pieces.append(Piece(index, offset, offset + end - start, style, True))
                    texts.append(content[start:end])
                    index += end - start
            elif text and first < behind:
                self._content_starts.append(first)
                pieces.append(Piece(index, places.locate(first), places.locate_end(behind), style, False))
                texts.append(text)
                index += len(text)
        self.passage = Passage("".join(texts), tuple(pieces))

    def index(self, position: int) -> int:
        """Return the index in the passage of the first visible character at or behind ``position`` of the content."""
        number = bisect_left(self._content_starts, position)
        pieces = self.passage.pieces
        following = pieces[number].start if number < len(pieces) else len(self.passage.text)
        if number and pieces[number - 1].verbatim:
            index = pieces[number - 1].start + position - self._content_starts[number - 1]
            if index < following:
                return index
        return following


_DELIMITER = regex(r"\\\\[(\[]|\\[(\[]|\$\$?")
_CLOSERS = {"\\\\(": "\\\\)", "\\\\[": "\\\\]", "\\(": "\\)", "\\[": "\\]", "$$": "$$"}


class MathRegion(NamedTuple):
    """A formula in an inline content: its LaTeX stands from ``inner_start`` to ``inner_end``."""

    start: int
    inner_start: int
    inner_end: int
    end: int
    display: bool


def math_regions(content: str, opaque: Sequence[tuple[int, int]], escapes: frozenset[int]) -> list[MathRegion]:
    r"""Find the formulas in an inline content.

    ``opaque`` are ranges of code spans, tags and destinations, in order: no delimiter is looked for in them and a
    formula may not contain a code span, which is why only those are given; ``escapes`` are the positions of escaped
    characters (``\$`` is no delimiter). ``$`` follows pandoc's rule: nothing blank inside, no digit behind the closing
    one; a dollar sign that does not close a formula ends the search for the one before it, so prices are none.
    """
    if "$" not in content and "\\" not in content:
        return []
    regions: list[MathRegion] = []
    position = 0
    last = {closer: content.rfind(closer) for closer in _CLOSERS.values()}
    while match := _DELIMITER.search(content, position):
        start, opener = match.start(), match.group()
        position = match.end()
        if inside := _enclosing(opaque, start):
            position = inside[1]
            continue
        if opener.startswith("$") and start in escapes:
            position = start + 1
            continue
        if opener != "$" and last[_CLOSERS[opener]] < position:
            continue  # nothing closes it; to look again each time would take the square of the time
        region = _region(content, start, opener, escapes)
        if region is None or any(region.start < low < region.end for low, _ in opaque):
            continue
        regions.append(region)
        position = region.end
    return regions


def _enclosing(ranges: Sequence[tuple[int, int]], position: int) -> tuple[int, int] | None:
    number = bisect_left(ranges, (position + 1,)) - 1
    if number >= 0 and ranges[number][0] <= position < ranges[number][1]:
        return ranges[number]
    return None


def _region(content: str, start: int, opener: str, escapes: frozenset[int]) -> MathRegion | None:
    inner = start + len(opener)
    if opener != "$":
        closer = _CLOSERS[opener]
        end = content.find(closer, inner)
        if end < 0 or not content[inner:end].strip():
            return None
        return MathRegion(start, inner, end, end + len(closer), opener[-1] in "[$")
    if inner >= len(content) or content[inner].isspace():
        return None
    end = content.find("$", inner)
    while end >= 0 and end in escapes:
        end = content.find("$", end + 1)
    if end < 0 or content[end - 1].isspace() or content[end + 1 : end + 2].isdigit():
        return None
    return MathRegion(start, inner, end, end + 1, False)


def visible_entries(entries: Iterable[Entry], regions: Sequence[MathRegion]) -> Iterator[Entry]:
    """Put the formulas, as raw LaTeX, in the place of whatever the parser read there."""
    if not regions:
        yield from entries
        return
    ends = [region.end for region in regions]
    for region in regions:
        yield Entry(region.inner_start, region.inner_end, Style.MATH)
    for entry in entries:
        start = entry.start
        for region in islice(regions, bisect_right(ends, start), None):
            if region.start >= entry.end:
                break
            if entry.text is None and region.start > start:
                yield entry._replace(start=start, end=region.start)
            start = region.end
        if start == entry.start:
            yield entry
        elif start < entry.end and entry.text is None:
            yield entry._replace(start=start)
