"""Drawings of a page as they are written, and where the renderer ends them.

An author writes a drawing from ``<svg`` to ``</svg>``. The renderer cuts the page into blocks first: a blank line may
end the raw HTML, and the tag that it makes of the next block (``<p>``, ``<pre>``) breaks out of the drawing, as every
HTML parser reads it. So a drawing is read twice: as its lines stand there, and as the renderer hands it on. What only
the first reading holds is lost.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from lintbook.dialect import Dialect
from lintbook.facts import Cut
from lintbook.parse.blocks import Line, Reading
from lintbook.parse.interruptions import Setting, interruptions, is_common_mark
from lintbook.parse.markup import EndTag, Event, Grammar, StartTag, Text, live_events, scan
from lintbook.patterns import regex
from lintbook.text import Passage, Piece, Source, Span, Style

_SVG_TAG = regex(r"<(?P<end>/?)svg(?=[\s/>])[^<>]*+>?", re.IGNORECASE)
_SVG_START = regex(r"<svg(?=[\s/>])", re.IGNORECASE)
_COMMENTS = regex(r"<!--.*?-->")
_TAG_NAME = regex(r"</?([A-Za-z][A-Za-z0-9]*)")
# The tags that renderers make inside a paragraph; all others begin or end a block.
_INLINE = frozenset({"br", "code", "em", "img", "strong", "sup"})
# Elements of HTML whose content Python-Markdown leaves alone.
_SHELTERS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "center", "details", "dd", "div", "dl", "dt", "fieldset"),
        *("figcaption", "figure", "footer", "form", "header", "li", "main", "nav", "ol", "p", "pre", "section"),
        *("summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"),
    }
)


class WrittenDrawing(NamedTuple):
    """A drawing: the events of ``text`` that it is made of, and where the renderer ends it too early."""

    text: Passage
    events: Sequence[Event]
    cut: Cut | None = None


def written_drawings(source: Source, reading: Reading, dialect: Dialect) -> Iterator[WrittenDrawing]:
    """Yield the drawings of a page; a drawing in a drawing belongs to it.

    Each is read to the end tag that matches, whatever ``dialect`` makes of it; one that is never closed as far as the
    renderer leaves it open.
    """
    html, common = reading.html, is_common_mark(dialect)
    events = live_events(html.text)
    sheltered = _sheltered(events) if dialect is Dialect.MKDOCS else frozenset[int]()
    page = _Page(source, reading.lines)
    behind = 0
    for drawing in _drawings(events):
        rendered = WrittenDrawing(html, drawing)
        start = html.place(drawing[0].start)
        if start < behind:
            continue  # a piece of one that the renderer has cut
        whole = common and _is_closed(drawing) and _is_one_piece(rendered)
        written = None if whole else page.written(start)
        if written is None:
            yield rendered
            continue
        behind = written.end
        reasons: Mapping[int, int] = {}
        if drawing[0].start in sheltered:
            rendered = written.drawing
        elif not common:
            rendered, reasons = _interrupted(page, written, dialect)
        yield written.drawing._replace(cut=_cut(page, written, rendered, reasons))
    for start, end in _unread_starts(reading):
        unread = page.written(start)
        if unread is not None:
            cut = Cut(page.unread(start, end), "", len(unread.tags), "svg", written=False)
            yield unread.drawing._replace(cut=cut)


def _unread_starts(reading: Reading) -> Iterator[tuple[int, int]]:
    """Yield where a drawing begins that the renderer takes for text, and where that text ends."""
    for block in reading.blocks:
        passage = block.passage
        for match in _SVG_START.finditer(passage.text):
            if passage.is_verbatim(match.start()) and passage.style(match.start()) is Style.PROSE:
                yield passage.place(match.start()), block.span[1]


def _drawings(events: Iterable[Event]) -> Iterator[list[Event]]:
    drawing: list[Event] = []
    depth = 0
    for event in events:
        if isinstance(event, StartTag) and event.name.lower() == "svg":
            depth += not event.self_closing
            drawing.append(event)
        elif drawing:
            drawing.append(event)
            depth -= isinstance(event, EndTag) and event.name.lower() == "svg"
        if drawing and depth == 0:
            yield drawing
            drawing = []
    if drawing:
        yield drawing


def _is_closed(drawing: Sequence[Event]) -> bool:
    """Whether a drawing ends with a tag of its own."""
    last = drawing[-1]
    return last.end > last.start and (isinstance(last, EndTag) or len(drawing) == 1)


def _is_one_piece(drawing: WrittenDrawing) -> bool:
    """Whether a drawing stands in one block of raw HTML, so that nothing of it can be missing."""
    pieces = drawing.text.pieces
    first = bisect_right(pieces, drawing.events[0].start, key=lambda piece: piece.start) - 1
    last = bisect_left(pieces, drawing.events[-1].end, key=lambda piece: piece.start)
    return all(piece.verbatim for piece in pieces[first:last])


def _sheltered(events: Iterable[Event]) -> frozenset[int]:
    """Return where the drawings begin that stand in an element whose content Python-Markdown leaves alone."""
    found = set()
    open_elements: list[bool] = []  # whether the content of each is left alone
    names: list[str] = []
    for event in events:
        name = event.name.lower() if isinstance(event, StartTag | EndTag) else ""
        if name == "svg" and isinstance(event, StartTag) and open_elements and open_elements[-1]:
            found.add(event.start)
        elif name in _SHELTERS and isinstance(event, StartTag):
            names.append(name)
            open_elements.append(event.attribute("markdown") is None)
        elif name in names:
            while names.pop() != name:
                open_elements.pop()
            open_elements.pop()
    return frozenset(found)


class _Written(NamedTuple):
    """A drawing as it is written: its lines, all tags from the first to the last, and where it ends in the source.

    Of ``drawing`` the events end where an HTML parser ends it, which is sooner if a tag of HTML stands in it.
    """

    lines: tuple[Line, ...]
    tags: tuple[StartTag, ...]
    texts: tuple[Text, ...]
    drawing: WrittenDrawing
    end: int


class _Page:
    """The lines of a page without what marks their containers, and the drawings that are written in them."""

    def __init__(self, source: Source, lines: Callable[[], tuple[Line, ...]]) -> None:
        self.source = source
        self._lines = lines

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """All lines of the page."""
        return self._lines()

    @cached_property
    def _ends(self) -> dict[int, int]:
        """For each ``<svg`` in the source that is closed: where the matching end tag ends."""
        found, waiting = {}, []
        for line in self.lines:
            for tag in _SVG_TAG.finditer(line.text):
                if not tag["end"] and not tag.group().endswith("/>"):
                    waiting.append(line.offset + tag.start())
                elif tag["end"] and waiting:
                    found[waiting.pop()] = line.offset + tag.end()
        return found

    def written(self, start: int) -> _Written | None:
        """Return the drawing whose start tag stands at ``start``, if it is closed."""
        end = self._ends.get(start)
        if end is None:
            return None
        first, last = self.line_of(start), self.line_of(end - 1)
        lines = list(self.lines[first : last + 1])
        lines[-1] = lines[-1]._replace(text=lines[-1].text[: end - lines[-1].offset])
        lines[0] = Line(lines[0].text[start - lines[0].offset :], start)
        text = _joined(lines)
        events = tuple(scan(text.text, Grammar.HTML))
        tags = tuple(event for event in events if isinstance(event, StartTag))
        texts = tuple(event for event in events if isinstance(event, Text))
        return _Written(tuple(lines), tags, texts, WrittenDrawing(text, next(_drawings(events))), end)

    def line_of(self, offset: int) -> int:
        """Return the line, from zero, on which ``offset`` stands."""
        return self.source.position(offset).line - 1

    def is_blank(self, line: int) -> bool:
        """Whether nothing stands on a line."""
        return not self.lines[line].text.strip()

    def setting(self, start: int) -> Setting:
        """Return how the drawing stands that begins at ``start``."""
        number = self.line_of(start)
        line = self.lines[number]
        marks = self.source.text[self.source.line_starts[number] : line.offset]
        quoted = ">" in marks
        before = _COMMENTS.sub("", line.text[: start - line.offset])
        # A line that opens a list item or quotation begins a block whatever stands above it.
        above = "" if number == 0 or marks.strip(" \t>") else self.lines[number - 1].text.strip()
        begins = not before.strip() and (not above or above.endswith(">") or above.startswith("#"))
        loose = not marks.strip(" \t>") and marks.rpartition(">")[2].count(" ") > quoted
        return Setting(len(before) if begins else None, quoted, loose)

    def whole_line(self, line: int) -> Span:
        """Return the place of a line, its ending left out."""
        return self.source.span(self.source.line_starts[line], self.source.line_end(line + 1))

    def unread(self, start: int, end: int) -> Span:
        """Return why what stands at ``start`` is no tag: the line behind its text, which ends at ``end``, or itself."""
        line = self.line_of(max(end - 1, start)) + 1
        if ">" in self.source.text[start:end] or line == len(self.lines):
            return self.source.span(start, start + len("<svg"))
        return self.whole_line(line)

    def separator(self, place: int, first: int, *, behind: bool) -> Span:
        """Return the line for which CommonMark ends the raw HTML before ``place``, or ``behind`` it.

        That is a blank line. A comment or style sheet is a block of its own, so that a blank line before it counts,
        and where there is none it is itself the reason. ``first`` is the line on which the drawing begins.
        """
        line = self.line_of(place)
        if behind:
            return self.whole_line(min(line + 1, len(self.lines) - 1))
        before = line - 1
        while before > first and not self.is_blank(before):
            before -= 1
        return self.whole_line(before if self.is_blank(before) else line - 1)


def _joined(lines: Sequence[Line]) -> Passage:
    """Join lines into one text."""
    pieces: list[Piece] = []
    index = 0
    for line in lines:
        length = len(line.text) + 1
        pieces.append(Piece(index, line.offset, line.offset + length, Style.PROSE, verbatim=True))
        index += length
    return Passage("\n".join(line.text for line in lines), tuple(pieces))


def _with_tags(text: Passage, tags: Mapping[int, str]) -> Passage:
    """Put tags of the renderer at positions of a text; they are not verbatim."""
    pieces: list[Piece] = []
    parts: list[str] = []
    index = last = 0
    for position in (*sorted(tags), len(text.text)):
        part = text.slice(last, position)
        pieces.extend(piece._replace(start=piece.start + index) for piece in part.pieces)
        parts.append(part.text)
        index += len(part.text)
        last = position
        if tag := tags.get(position):
            place = text.place(position)
            pieces.append(Piece(index, place, place, Style.PROSE, verbatim=False))
            parts.append(tag)
            index += len(tag)
    return Passage("".join(parts), tuple(pieces))


def _interrupted(page: _Page, written: _Written, dialect: Dialect) -> tuple[WrittenDrawing, Mapping[int, int]]:
    """Return a drawing as a renderer hands it on that is not CommonMark's.

    With it, for the place of each tag that the renderer makes, the line that is the reason.
    """
    start = written.lines[0].offset
    found = interruptions(dialect, [line.text for line in written.lines], page.setting(start))
    text = _with_tags(written.drawing.text, {each.position: each.tag for each in found})
    first = page.line_of(start)
    reasons = {written.drawing.text.place(each.position): first + each.reason for each in found}
    return WrittenDrawing(text, next(_drawings(scan(text.text, Grammar.HTML)))), reasons


def _cut(page: _Page, written: _Written, rendered: WrittenDrawing, reasons: Mapping[int, int]) -> Cut | None:
    """Say where the renderer ends a drawing, if something is lost by that."""
    first = page.line_of(written.lines[0].offset)
    kept = {rendered.text.place(tag.start) for tag in rendered.events if isinstance(tag, StartTag)}
    source = written.drawing.text
    lost = [tag for tag in written.tags if source.place(tag.start) not in kept]
    end = rendered.events[-1].start
    if _is_closed(rendered.events):
        # It got to its end, so a tag that is missing was not read as one.
        return Cut(_place_of(page, source, lost[0]), "", len(lost), lost[0].name, written=True) if lost else None
    if end >= len(rendered.text.text) or len(written.tags) == 1:
        return None
    place, tag = rendered.text.place(end), _TAG_NAME.match(rendered.text.text, end)
    if tag is None:
        return None  # a comment takes the end tag: nothing ends the drawing before the page does
    if not lost and not _has_text_behind(written, place):
        return None
    name = lost[0].name if lost else ""
    by_author = rendered.text.is_verbatim(end)
    if by_author or tag[1] in _INLINE:
        span = page.source.span(place, place + (tag.end() - tag.start() if by_author else 1))
    elif place in reasons:
        span = page.whole_line(reasons[place])
    else:
        span = page.separator(place, first, behind=tag.group().startswith("</"))
    return Cut(span, tag[1].lower(), len(lost), name, by_author)


def _place_of(page: _Page, text: Passage, tag: StartTag) -> Span:
    """Return the place of the beginning of a tag, up to its name."""
    return page.source.span(*text.range(tag.start, tag.start + 1 + len(tag.name)))


def _has_text_behind(written: _Written, place: int) -> bool:
    """Whether a drawing has text behind ``place`` of the source."""
    passage = written.drawing.text
    for text in written.texts:
        words = passage.text[text.start : text.end].rstrip()
        if words and passage.place(text.start + len(words) - 1) >= place:
            return True
    return False
