"""SUMMARY.md: the chapters of a book, read as mdBook reads them.

mdBook's own reader runs over the events of a CommonMark parser: links before the first list are prefix
chapters, the first link of a list item is a numbered chapter, links in paragraphs after the lists are
suffix chapters, a heading of level 1 that is not the title begins a part. So this one takes the blocks
that the Markdown reader found, whose places are exact, and adds what it needs of list structure, which
CommonMark makes a matter of columns. What mdBook refuses is read as far as it goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lintbook.dialect import Dialect
from lintbook.facts import Chapter, ChapterForm, Facts, Redirect, Refusal
from lintbook.parse.blocks import BlockComment, BlockKind, LinkMark, TextBlock
from lintbook.parse.markdown import read
from lintbook.parse.suppressions import page_suppressions
from lintbook.patterns import regex
from lintbook.text import BYTE_ORDER_MARK, Source

_MARKER = regex(r"([ \t>]*)(?:[-+*]|\d{1,9}[.)])[ \t]+")
# What mdBook says where it refuses a book.
_NO_LINK = "the link items for nested chapters must only contain a hyperlink"
_BEHIND_SUFFIX = "suffix chapters cannot be followed by a list"
_HTML = regex(r"<!--.*?-->|<[^<>]*>", re.DOTALL)
_REDIRECT = regex(r"\s*(?P<old>\S.*?)\s+->\s+(?P<new>\S.*?)\s*")


def parse_summary(source: Source) -> Facts:
    """Read a SUMMARY.md; the facts are its chapters and the redirects that a comment of it records.

    Destinations are relative to the folder of the file and as mdBook takes them: entities and escapes
    decoded, ``%20`` a blank, all else as written. Separators are left out. The comment is ``<!--
    redirects``, then lines ``old.md#old-id -> new.md#new-id``. What mdBook refuses is among the facts too.
    """
    reading = read(source, Dialect.MDBOOK)
    chapters = _Chapters(source, reading.blocks)
    refused = {source.position(span[0]).line: (span, reason) for span, reason in chapters.refused}
    refused |= {source.position(start).line: ((start, end), _NO_LINK) for start, end in reading.wordless_items}
    return Facts(
        chapters=tuple(chapters.found),
        refusals=tuple(Refusal(source.span(*span), reason) for span, reason in sorted(refused.values())),
        redirects=tuple(redirect for comment in reading.comments for redirect in _redirects(source, comment)),
        suppressions=page_suppressions(source, reading),
        troubles=tuple(reading.troubles),
    )


def _redirects(source: Source, comment: BlockComment) -> Iterator[Redirect]:
    title, *lines = comment.lines
    if title[0].strip() != "redirects":
        return
    for text, offset in lines:
        found = _REDIRECT.fullmatch(text)
        if found is not None:
            yield Redirect(
                span=source.span(offset + found.start("old"), offset + found.end("old")),
                source=found["old"],
                target_span=source.span(offset + found.start("new"), offset + found.end("new")),
                target=found["new"],
            )


class _Item(NamedTuple):
    """The columns of a list item, counted from zero: of its marker, and of the content that belongs to it."""

    marker: int
    content: int


class _Chapters:
    """The chapters of a SUMMARY.md, and where mdBook refuses it; once behind suffix chapters is enough."""

    def __init__(self, source: Source, blocks: list[TextBlock]) -> None:
        self._source = source
        self._blocks = blocks
        self._open: list[_Item] = []  # the list items that the place of reading stands in
        self._form = ChapterForm.PREFIX
        self._titled = False  # whether a part title has just been read
        self.refused: list[tuple[tuple[int, int], str]] = []  # places and why mdBook refuses them
        self.found = list(self._read())

    def _read(self) -> Iterator[Chapter]:
        """Yield the chapters in the order of the file."""
        end = 0
        for number, block in enumerate(self._blocks):
            start, next_end = block.span
            between = self._lines_between(end, start)
            for line in between:  # a rule, raw HTML, code, a definition: each ends the items that it stands outside of
                self._leave_to(self._indent(line))
            end = next_end
            titled, self._titled = self._titled and not between, False
            if self._form is ChapterForm.NUMBERED and self._is_quoted(start):  # mdBook passes over quotations here
                continue
            if block.listed:
                self._refuse_behind_suffix(block)
                self._form = ChapterForm.NUMBERED
                yield from self._item(block)
                continue
            self._leave_to(self._indent(self._source.position(start).line))
            if self._open:  # more text of a list item, which mdBook passes over
                continue
            if block.kind is BlockKind.HEADING and block.level == 1:
                yield from self._part(block, is_title=number == 0 and self._is_first(start))
            else:
                yield from self._affix(block, titled)

    def _is_quoted(self, start: int) -> bool:
        """Whether the block at ``start`` stands in a quotation that is no part of a list item."""
        line = self._source.position(start).line
        if not self._source.line_text(line).lstrip(" \t").startswith(">"):
            return False
        self._leave_to(self._indent(line))
        return not self._open

    def _is_first(self, start: int) -> bool:
        """Whether nothing but raw HTML stands before the heading at ``start``, which then is the title of the book."""
        before = self._source.text[: self._source.line_starts[self._source.position(start).line - 1]]
        return not _HTML.sub("", before.removeprefix(BYTE_ORDER_MARK)).strip()

    def _part(self, block: TextBlock, is_title: bool) -> Iterator[Chapter]:
        if is_title:
            return
        self._refuse_behind_suffix(block)
        self._form, self._titled = ChapterForm.NUMBERED, True
        span = self._source.span(*block.span)
        yield Chapter(span, _line(block.passage.text), "", 0, ChapterForm.PART)

    def _affix(self, block: TextBlock, titled: bool) -> Iterator[Chapter]:
        """Read a paragraph or lower heading outside lists."""
        if self._form is ChapterForm.NUMBERED:
            if titled or block.kind is BlockKind.HEADING:  # mdBook passes over both
                return
            self._form = ChapterForm.SUFFIX
        for link in block.links:
            if not link.image:
                yield self._chapter(block, link, 0)

    def _item(self, block: TextBlock) -> Iterator[Chapter]:
        """Read the block that begins a list item; mdBook refuses one that does not begin with a link."""
        start = block.span[0]
        line = self._source.position(start).line
        before = self._source.text[self._source.line_starts[line - 1] : start]
        marker = _MARKER.fullmatch(before)
        content = self._column(start)
        item = _Item(_width(marker[1]) if marker else max(content - 2, 0), content)
        self._leave_to(item.marker)
        depth = len(self._open)
        self._open.append(item)
        # Behind a marker alone on its line the link stands a line below; two markers in a row are refused.
        begins = marker is not None or not before.strip(" \t>")
        if begins and block.kind is BlockKind.PARAGRAPH and block.links:
            link = block.links[0]
            if link.span[0] == start and not link.image:
                yield self._chapter(block, link, depth)
                return
        self.refused.append((block.span, _NO_LINK))

    def _refuse_behind_suffix(self, block: TextBlock) -> None:
        if self._form is ChapterForm.SUFFIX and not any(reason == _BEHIND_SUFFIX for _, reason in self.refused):
            self.refused.append((block.span, _BEHIND_SUFFIX))

    def _chapter(self, block: TextBlock, link: LinkMark, depth: int) -> Chapter:
        destination = link.destination.replace("%20", " ")
        span = link.destination_span if destination else link.label_span
        title = _line(block.passage.text[link.start : link.end])
        return Chapter(self._source.span(*span), title, destination, depth, self._form)

    def _lines_between(self, start: int, end: int) -> list[int]:
        """Return the lines between two blocks that are not empty, the line under a heading left out."""
        first = self._source.position(start).line + (start > 0)
        lines = range(first, self._source.position(end).line)
        return [line for line in lines if self._source.line_text(line).strip().strip("=")]

    def _leave_to(self, column: int) -> None:
        """Close the items to which content at ``column`` does not belong."""
        while self._open and column < self._open[-1].content:
            self._open.pop()

    def _indent(self, line: int) -> int:
        text = self._source.line_text(line)
        return _width(text[: len(text) - len(text.lstrip(" \t"))])

    def _column(self, offset: int) -> int:
        line = self._source.position(offset).line
        return _width(self._source.text[self._source.line_starts[line - 1] : offset])


def _width(text: str) -> int:
    """Return how many columns ``text`` takes at the start of a line; tab stops are four apart."""
    return len(text.expandtabs(4))


def _line(text: str) -> str:
    return text.replace("\n", " ")
