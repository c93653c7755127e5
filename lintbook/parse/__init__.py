"""From the text of a file to its facts. Parsers of Markdown, SVG and project files yield the same types."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lintbook.dialect import Dialect
from lintbook.facts import (
    Anchor,
    AnchorOrigin,
    Facts,
    Figure,
    Include,
    LinkDefinition,
    Malformation,
    Suppression,
    Term,
)
from lintbook.patterns import regex
from lintbook.text import Source, Span, Style
from lintbook.vocabulary import Vocabulary, standard_vocabulary

if TYPE_CHECKING:
    from lintbook.parse.blocks import Reading, TextBlock

# Lengths are bounded: no path is longer, and the search stays linear on whatever text.
_INCLUDE = regex(
    r"(?<!\\)\{\{\s{0,9}#(?P<directive>include|rustdoc_include|playground|playpen)\s{1,9}"
    r"(?P<path>[^\s:}]{1,1000})(?P<selection>(?::[^\s}]{0,1000})?)(?:\s[^}\n]{0,1000})?\}\}"
)


def parse_markdown(source: Source, dialect: Dialect, vocabulary: Vocabulary | None = None) -> Facts:
    """Return what a Markdown page says.

    ``dialect`` decides whether the page may begin with a block of data; what the renderer makes of anchors is not
    judged here. ``vocabulary`` names the kinds of boxes. What could not be read is in ``Facts.troubles``.
    """
    from lintbook.parse.balance import stray_tags
    from lintbook.parse.blocks import BlockKind, links_of, with_attribute_lists
    from lintbook.parse.chains import read_chains
    from lintbook.parse.citing import read_citing
    from lintbook.parse.claims import (
        read_block_comments,
        read_claims,
        read_inline_blocks,
        read_misplaced_claims,
        read_sourced_rows,
    )
    from lintbook.parse.markdown import read
    from lintbook.parse.markup import html_anchors, html_links
    from lintbook.parse.numbering import (
        fence_anchors,
        headings_of,
        html_attribute_anchors,
        read_boxes,
        read_fences,
        target_anchors,
        unknown_boxes,
    )
    from lintbook.parse.quantities import read_quantities
    from lintbook.parse.records import read_dated_statements, read_doubts, read_records
    from lintbook.parse.titles import read_loose_titles
    from lintbook.parse.unparsed import unparsed_links

    path = source.path
    reading = read(source, dialect)
    if dialect is Dialect.JEKYLL:
        reading.blocks = list(with_attribute_lists(reading.blocks, source))
    vocabulary = vocabulary or standard_vocabulary()
    records = read_records(source, reading.blocks, vocabulary)
    # What a record says of anchors and boxes it says of other places.
    speaking = [block for number, block in enumerate(reading.blocks) if number not in records.cells]
    written = [*_anchors(reading, speaking, path), *html_anchors(reading.html, path)]
    if dialect.makes_anchor(AnchorOrigin.ATTRIBUTE):
        written.extend(fence_anchors(reading.fences, source))
    if dialect is Dialect.MKDOCS:
        written.extend(html_attribute_anchors(reading.html, path))
    elif dialect is Dialect.GITHUB:
        written.extend(target_anchors(speaking, reading.fences, path))
    anchors = _in_order(written)
    boxes = read_boxes(speaking, reading.html, anchors, source, vocabulary)
    citing = read_citing(reading.blocks, reading.html, boxes, path, vocabulary, records.cells)
    declarations, failed = read_block_comments(path, reading.comments)
    declarations.extend(read_inline_blocks(path, reading.blocks))
    claims = [*read_claims(source, reading.blocks, citing.ranges), *failed, *read_misplaced_claims(source, reading)]
    links = [link for block in reading.blocks for link in links_of(block, path)]
    links.extend(html_links(reading.html, path))
    figures, malformations = _drawings(source, reading, dialect)
    return Facts(
        headings=headings_of(reading.blocks, path),
        terms=tuple(
            Term(Span(path, *block.span), block.plain) for block in reading.blocks if block.kind is BlockKind.TERM
        ),
        anchors=anchors,
        boxes=boxes,
        unknown_boxes=tuple(unknown_boxes(speaking, vocabulary)),
        loose_titles=tuple(read_loose_titles(source, speaking, reading.html, reading.fences, boxes, vocabulary)),
        links=tuple(sorted(links, key=lambda link: link.span)),
        unparsed_links=tuple(link for block in reading.blocks for link in unparsed_links(block, path)),
        link_definitions=tuple(_definitions(reading, path)),
        stray_tags=stray_tags(reading.html, path),
        references=citing.references,
        fences=tuple(read_fences(reading.fences, path, vocabulary)),
        figures=figures,
        malformations=malformations,
        includes=tuple(_includes(source, reading)),
        quantity_blocks=tuple(sorted(declarations, key=lambda block: block.span)),
        claims=tuple(sorted(claims, key=lambda claim: claim.span)),
        quantities=tuple(read_quantities(path, reading.blocks, citing.ranges)),
        sourced_rows=tuple(read_sourced_rows(path, reading.blocks, citing.ranges)),
        chains=tuple(sorted(read_chains(path, reading.blocks, vocabulary), key=lambda chain: chain.span)),
        errata=records.errata,
        open_questions=records.open_questions,
        loose_records=records.loose_records,
        doubts=tuple(read_doubts(reading.blocks, path)),
        discouraged_terms=records.discouraged_terms,
        dated_statements=tuple(read_dated_statements(reading.blocks, path)),
        suppressions=_suppressions(source, reading),
        troubles=tuple(reading.troubles),
    )


def read_blocks(source: Source, dialect: Dialect) -> list[TextBlock]:
    """Return the blocks of a Markdown page."""
    from lintbook.parse.markdown import read

    return read(source, dialect).blocks


def _in_order(anchors: list[Anchor]) -> tuple[Anchor, ...]:
    return tuple(sorted(anchors, key=lambda anchor: anchor.span))


def _anchors(reading: Reading, blocks: Sequence[TextBlock], path: str) -> list[Anchor]:
    from lintbook.parse.numbering import attribute_anchors

    found = [anchor for block in blocks for _, anchor in attribute_anchors(block, path)]
    found.extend(
        Anchor(Span(path, note.offset, note.offset), note.label, AnchorOrigin.FOOTNOTE) for note in reading.footnotes
    )
    found.extend(
        Anchor(Span(path, *mark.span), mark.label, AnchorOrigin.MARK)
        for block in reading.blocks
        for mark in block.footnotes
    )
    return found


def _drawings(
    source: Source, reading: Reading, dialect: Dialect
) -> tuple[tuple[Figure, ...], tuple[Malformation, ...]]:
    """Return the drawings of a page; most pages have none, and need nothing of what reads them."""
    if "<svg" not in source.text.lower():
        return (), ()
    from lintbook.parse.svg import inline_drawings

    return inline_drawings(source, reading, dialect)


def _suppressions(source: Source, reading: Reading) -> tuple[Suppression, ...]:
    """Return the suppressions of a page; one that does not speak to lintbook has none."""
    if "lintbook" not in source.text:
        return ()
    from lintbook.parse.suppressions import page_suppressions

    return page_suppressions(source, reading)


def _definitions(reading: Reading, path: str) -> list[LinkDefinition]:
    return [LinkDefinition(Span(path, *each.span), each.label, each.destination) for each in reading.definitions]


def _includes(source: Source, reading: Reading) -> Iterator[Include]:
    """Yield the includes of a page but for those in comments."""
    if "{{" not in source.text:
        return
    places = None
    for match in _INCLUDE.finditer(source.text):
        places = places or _Places(reading)
        if places.in_comment(match.start()):
            continue
        selection = match["selection"].removeprefix(":")
        yield Include(
            source.span(match.start(), match.end()),
            match["directive"],
            source.span(match.start("path"), match.end("path")),
            match["path"],
            source.span(match.end("selection") - len(selection), match.end("selection")),
            selection,
            places.in_code(match.start()),
        )


class _Places:
    """What stands where in a page."""

    def __init__(self, reading: Reading) -> None:
        comments = [comment.span for comment in reading.comments]
        comments.extend(comment.span for block in reading.blocks for comment in block.comments)
        self._comments = sorted(comments)
        text = [piece[1:4] for block in reading.blocks for piece in block.passage.pieces]
        text.extend(piece[1:4] for piece in reading.html.pieces)
        self._text = sorted(text)

    def in_comment(self, offset: int) -> bool:
        """Return whether a comment hides the character at ``offset``."""
        found = bisect_right(self._comments, offset, key=lambda span: span[0]) - 1
        return found >= 0 and offset < self._comments[found][1]

    def in_code(self, offset: int) -> bool:
        """Return whether the character at ``offset`` is shown as it is, in a fence or a code span."""
        found = bisect_right(self._text, offset, key=lambda piece: piece[0]) - 1
        return found < 0 or offset >= self._text[found][1] or self._text[found][2] is Style.CODE
