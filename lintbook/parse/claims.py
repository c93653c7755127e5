"""Blocks of declarations and claims, read from comments; what they say is the calculator's to judge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec.structs import replace

from lintbook.facts import Claim, ClaimedTable, NumberCell, QuantityBlock, SourcedRow
from lintbook.parse.blocks import BlockComment, BlockKind, Comment, Reading, TextBlock
from lintbook.parse.citing import CitedRanges
from lintbook.parse.markup import StartTag, live_events
from lintbook.patterns import regex
from lintbook.text import EMPTY_PASSAGE, Passage, Source, Span, Style

# Why a comment only resembles a claim or a block, each with its repair.
AT_LINE_START = "a claim at the start of a line becomes a block of its own: join it to the line above"
IN_HTML = "a claim in a block of raw HTML binds no number: put it behind the number in a paragraph"
IN_MATH = "a claim inside a formula is printed: put it behind the closing `$`"
IN_ATTRIBUTE = (
    "a claim in a description, title or attribute is printed or dropped: put it behind the number in the text"
)
BLANK_BEFORE_SIGN = "`<!-- =` is no claim: write `<!--=`"
TWO_LINES = "a claim stands on one line"
DASHES = "`--` inside a comment: older renderers print the rest"
UNCLOSED_CLAIM = "the claim is never closed: add `-->`"
PIPE_IN_ROW = "`|` in a claim ends the table cell"
UNCLOSED_BLOCK = "the block is never closed: add `-->`"
NO_BLANK_BEFORE_QUANTITIES = "`<!--quantities` is no block: write `<!-- quantities`"
NOT_AT_LINE_START = "a block of declarations starts a line"
TEXT_BEHIND_QUANTITIES = "declarations begin on the line below `<!-- quantities`"

_SPEAKS_OF_COLUMN = regex(r"\s*each\s")
_QUANTITIES = regex(r"(?P<blank>\s*)quantities\b(?P<rest>[^\n]*)")


def read_claims(source: Source, blocks: Sequence[TextBlock], ranges: CitedRanges) -> Iterator[Claim]:
    """Yield the claims of a page's text, each with the stretch that it may bind.

    ``ranges`` gives for each block what of its passage belongs to cross-references.
    """
    for number, block in enumerate(blocks):
        previous = 0
        claims = _claims_in(block) if block.comments else ()
        for place, comment in enumerate(claims):
            end = claims[place + 1].at if place + 1 < len(claims) else len(block.passage.text)
            claim = _claim(source.path, block, comment, previous, end, ranges[number])
            if block.kind is BlockKind.CELL and not block.row and _SPEAKS_OF_COLUMN.match(claim.text):
                claim = replace(claim, table=_table(blocks, ranges, number))
            yield claim
            previous = comment.at
        yield from _literal_claims(source, block)


def _claims_in(block: TextBlock) -> list[Comment]:
    return [comment for comment in block.comments if comment.text.lstrip().startswith("=")]


def _table(blocks: Sequence[TextBlock], ranges: CitedRanges, header: int) -> ClaimedTable:
    """Read the table of which the block numbered ``header`` is a header cell."""
    column = blocks[header].column
    headers: list[Passage] = []
    rows: list[list[NumberCell]] = []
    for number in range(header - column, len(blocks)):
        block = blocks[number]
        if block.kind is not BlockKind.CELL or block.table != blocks[header].table:
            break
        if not block.row:
            headers.append(block.passage)
            continue
        if not block.column:
            rows.append([])
        rows[-1].append(_cell(block, ranges[number]))
    return ClaimedTable(column, tuple(headers), tuple(map(tuple, rows)))


def _cell(block: TextBlock, covered: tuple[tuple[int, int], ...]) -> NumberCell:
    return NumberCell(block.passage, covered, claimed=bool(_claims_in(block)))


# How books head the column that says where the numbers of a row come from.
_SOURCES = {"出处", "来源", "数据来源", "数值出处", "推导", "出典", "source", "sources", "derived in", "computed in"}


def read_sourced_rows(path: str, blocks: Sequence[TextBlock], ranges: CitedRanges) -> Iterator[SourcedRow]:
    """Yield the table rows that name the source of their numbers; ``ranges`` as for claims."""
    cells = [number for number, block in enumerate(blocks) if block.kind is BlockKind.CELL and block.row]
    for _, row in groupby(cells, key=lambda number: (blocks[number].table, blocks[number].row)):
        numbers = list(row)
        sources = [number for number in numbers if _names_source(blocks[number].header)]
        if len(sources) != 1 or not blocks[sources[0]].passage.text.strip():
            continue
        span = Span(path, blocks[numbers[0]].span[0], blocks[numbers[-1]].span[1])
        others = tuple(_cell(blocks[number], ranges[number]) for number in numbers if number != sources[0])
        yield SourcedRow(span, Span(path, *blocks[sources[0]].span), others)


def _names_source(header: Passage | None) -> bool:
    return header is not None and header.text.strip().lower() in _SOURCES


def _claim(
    path: str, block: TextBlock, comment: Comment, start: int, end: int, covered: tuple[tuple[int, int], ...]
) -> Claim:
    stretch = block.passage.slice(start, comment.at)
    references = tuple(
        (max(low - start, 0), min(high, comment.at) - start)
        for low, high in covered
        if high > start and low < comment.at
    )
    return Claim(
        Span(path, *comment.span),
        comment.text.removeprefix("="),
        comment.span[0] + len("<!--="),
        stretch,
        references,
        block.passage.slice(comment.at, end),
        block.header,
        _claim_problem(comment),
    )


def _claim_problem(comment: Comment) -> str | None:
    if comment.in_math:
        return IN_MATH
    if not comment.text.startswith("="):
        return BLANK_BEFORE_SIGN
    if "\n" in comment.text:
        return TWO_LINES
    return DASHES if "--" in comment.text else None


def _literal_claims(source: Source, block: TextBlock) -> Iterator[Claim]:
    """Yield claims that the parser left as text: never closed, or cut by the pipe of a table row."""
    text = block.passage.text
    start = text.find("<!--=")
    while start >= 0:
        place = block.passage.place(start)
        if block.passage.style(start) is Style.PROSE and source.text.startswith("<!--=", place):
            problem = PIPE_IN_ROW if block.kind is BlockKind.CELL else UNCLOSED_CLAIM
            yield _failed(source.path, (place, place + len("<!--=")), "", problem)
        start = text.find("<!--=", start + 1)


def read_misplaced_claims(source: Source, reading: Reading) -> Iterator[Claim]:
    """Yield what stands as a claim where no comment can: in descriptions of images, titles of links, attributes."""
    mark = "<!--="
    if mark not in source.text:
        return
    places = set()
    for low, high in _attributes(reading):
        start = source.text.find(mark, low, high)
        while start >= 0:
            places.add(start)
            start = source.text.find(mark, start + 1, high)
    for place in sorted(places):
        yield _failed(source.path, (place, place + len(mark)), "", IN_ATTRIBUTE)


def _attributes(reading: Reading) -> Iterator[tuple[int, int]]:
    """Yield the ranges of a page's source that hold attributes of what is shown."""
    for block in reading.blocks:
        for link in block.links:
            low, high = link.span
            if link.image:
                yield low, high
            elif link.label_span[1] < high:
                yield link.label_span[1], high
        if block.attributes is not None:
            text, offset = block.attributes
            yield offset, offset + len(text)
    for event in live_events(reading.html.text):
        if isinstance(event, StartTag):
            yield reading.html.range(event.start, event.end)


def _failed(path: str, span: tuple[int, int], text: str, problem: str) -> Claim:
    """A comment that only resembles a claim: it binds nothing."""
    return Claim(Span(path, *span), text, span[0], EMPTY_PASSAGE, (), EMPTY_PASSAGE, None, problem)


def read_block_comments(path: str, comments: Iterable[BlockComment]) -> tuple[list[QuantityBlock], list[Claim]]:
    """Return the blocks of declarations among the comments in raw HTML, and what only resembles a claim."""
    blocks, claims = [], []
    for comment in comments:
        if comment.text.lstrip().startswith("="):
            problem = IN_HTML if not comment.starts_line else AT_LINE_START
            if not comment.closed:
                problem = UNCLOSED_CLAIM
            claims.append(_failed(path, comment.span, comment.text, problem))
        elif match := _QUANTITIES.match(comment.text):
            span = comment.span if comment.closed else (comment.span[0], comment.span[0] + len("<!-- quantities"))
            blocks.append(QuantityBlock(Span(path, *span), comment.lines[1:], _block_problem(match, comment)))
    return blocks, claims


def _block_problem(match: re.Match[str], comment: BlockComment) -> str | None:
    if not comment.closed:
        return UNCLOSED_BLOCK
    if not match["blank"]:
        return NO_BLANK_BEFORE_QUANTITIES
    if not comment.starts_line:
        return NOT_AT_LINE_START
    return TEXT_BEHIND_QUANTITIES if match["rest"].strip() else None


def read_inline_blocks(path: str, blocks: Iterable[TextBlock]) -> Iterator[QuantityBlock]:
    """Yield what resembles a block of declarations and stands within a paragraph."""
    for block in blocks:
        for comment in block.comments:
            if _QUANTITIES.match(comment.text):
                yield QuantityBlock(Span(path, *comment.span), (), NOT_AT_LINE_START)
