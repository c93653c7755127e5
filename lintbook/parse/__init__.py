"""From the text of a file to its facts. Parsers of Markdown, SVG and project files yield the same types."""

from __future__ import annotations

import re

from lintbook.dialect import Dialect
from lintbook.facts import Anchor, AnchorOrigin, Facts, Include, Link
from lintbook.parse.blocks import BlockKind, Reading, TextBlock
from lintbook.text import Source, Span
from lintbook.vocabulary import Vocabulary, standard_vocabulary

# Lengths are bounded: no path is longer, and the search stays linear on whatever text.
_INCLUDE = re.compile(
    r"(?<!\\)\{\{\s{0,9}#(?P<directive>include|rustdoc_include|playground|playpen)\s{1,9}"
    r"(?P<path>[^\s:}]{1,1000})(?P<selection>(?::[^\s}]{0,1000})?)(?:\s[^}\n]{0,1000})?\}\}"
)


def parse_markdown(source: Source, dialect: Dialect, vocabulary: Vocabulary | None = None) -> Facts:
    """Return what a Markdown page says.

    ``dialect`` decides whether the page may begin with a block of data; what the renderer makes of anchors is not
    judged here. ``vocabulary`` names the kinds of boxes. What could not be read is in ``Facts.troubles``.
    """
    from lintbook.parse.claims import read_block_comments, read_claims, read_inline_blocks
    from lintbook.parse.markdown import read
    from lintbook.parse.markup import html_anchors, html_links
    from lintbook.parse.numbering import headings_of, read_numbering
    from lintbook.parse.svg import inline_figures

    path = source.path
    reading = read(source, front_matter=dialect is not Dialect.MDBOOK)
    numbering = read_numbering(reading.blocks, path, vocabulary or standard_vocabulary())
    declarations, failed = read_block_comments(path, reading.comments)
    declarations.extend(read_inline_blocks(path, reading.blocks))
    claims = [*read_claims(source, reading.blocks, numbering.ranges), *failed]
    links = [*_links(reading, path), *html_links(reading.html, path)]
    return Facts(
        headings=headings_of(reading.blocks, path),
        anchors=_in_order([*_anchors(reading, path), *html_anchors(reading.html, path)]),
        boxes=tuple(sorted(numbering.boxes, key=lambda box: box.span)),
        links=tuple(sorted(links, key=lambda link: link.span)),
        references=tuple(sorted(numbering.references, key=lambda reference: reference.span)),
        figures=inline_figures(reading.html, path),
        includes=tuple(_includes(source)),
        quantity_blocks=tuple(sorted(declarations, key=lambda block: block.span)),
        claims=tuple(sorted(claims, key=lambda claim: claim.span)),
        troubles=tuple(reading.troubles),
    )


def _in_order(anchors: list[Anchor]) -> tuple[Anchor, ...]:
    return tuple(sorted(anchors, key=lambda anchor: anchor.span))


def _links(reading: Reading, path: str) -> list[Link]:
    return [
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
        for block in reading.blocks
        for mark in block.links
    ]


def _anchors(reading: Reading, path: str) -> list[Anchor]:
    from lintbook.parse.numbering import attribute_anchors

    found = [anchor for block in reading.blocks for _, anchor in attribute_anchors(block, path)]
    found.extend(_term(block, path) for block in reading.blocks if block.kind is BlockKind.TERM)
    found.extend(
        Anchor(Span(path, note.offset, note.offset), note.label, AnchorOrigin.FOOTNOTE) for note in reading.footnotes
    )
    return found


def _term(block: TextBlock, path: str) -> Anchor:
    return Anchor(Span(path, *block.span), block.passage.text, AnchorOrigin.TERM)


def _includes(source: Source) -> list[Include]:
    return [
        Include(
            Span(source.path, match.start(), match.end()),
            match["directive"],
            Span(source.path, match.start("path"), match.end("path")),
            match["path"],
            match["selection"].removeprefix(":"),
        )
        for match in _INCLUDE.finditer(source.text)
    ]
