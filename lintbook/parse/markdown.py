"""Read Markdown with exact places: from the tokens of the grammar to blocks, marks and raw HTML."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from lintbook.diagnostic import Trouble
from lintbook.dialect import Dialect
from lintbook.facts import LinkForm
from lintbook.parse.blocks import (
    BlockComment,
    BlockKind,
    CodeFence,
    Comment,
    Entry,
    FootnoteDefinition,
    FootnoteMark,
    Line,
    LinkDefinition,
    LinkMark,
    PassageBuilder,
    Reading,
    Strong,
    TextBlock,
    math_regions,
    visible_entries,
)
from lintbook.parse.grammar import MARKUP, MAX_CONTENT, MAX_NESTING, ParsedPage, Token
from lintbook.parse.positions import ContentMap, LineTable
from lintbook.parse.withheld import without_withheld
from lintbook.patterns import regex
from lintbook.text import EMPTY_PASSAGE, Passage, Piece, Source, Style

_MAX_BRACKETS = 10_000  # of one paragraph: from each of them on a link is tried


def read(source: Source, dialect: Dialect = Dialect.GITHUB) -> Reading:
    """Read one Markdown page as ``dialect`` does.

    What the parser cuts (too deep, too long) is a trouble in the reading.
    """
    return _Reader(source, dialect).read()


class _Reader:
    def __init__(self, source: Source, dialect: Dialect) -> None:
        self.source = source
        self.lines = LineTable(source)
        self.reading = Reading()
        self.html: list[tuple[str, ContentMap | int]] = []
        self.open_drawings = 0
        self.position = 0  # where the last leaf block ends
        # Contents are found by what their lines end in, so the lines are those that the parser sees.
        self.lines.normalized = without_withheld(self.lines.normalized, dialect)
        self.parsed = ParsedPage(self.lines.normalized, dialect)
        self.dialect = dialect

    def read(self) -> Reading:
        tokens = self.parsed.tokens
        for line in self.parsed.cuts:
            self._trouble(line, f"nested deeper than {MAX_NESTING} levels: the text there is not checked")
        self._walk(tokens)
        self.reading.html = _html_passage(self.html)
        self.reading.lines = partial(_source_lines, self.source, self.lines, tokens)
        for label, destination, low, high in self.parsed.definitions:
            span = (self.lines.offset(low), self.lines.offset(high))
            self.reading.definitions.append(LinkDefinition(label, destination, span))
        return self.reading

    def _trouble(self, line: int, message: str) -> None:
        self.reading.troubles.append(Trouble(self.source.path, message, line + 1, 1))

    def _walk(self, tokens: list[Token]) -> None:
        container = ""  # the quotation or list item that has just been opened
        rows = _TableRows()
        governed = self._governed(tokens)
        for number, token in enumerate(tokens):
            if self.open_drawings:
                self._block_tag(token)
            if token.nesting < 0:
                container = ""
                continue
            match token.type:
                case "inline":
                    self._inline(token, tokens[number - 1], rows, container)
                case "blockquote_open" | "list_item_open":
                    container = token.type
                    self._wordless_item(token, tokens[number + 1])
                    continue
                case "table_open":
                    rows = _TableRows(rows.table + 1)
                case "tr_open":
                    rows.open_row(self.lines.cell_maps(self.parsed.row_start(token.map[0])) if token.map else [])
                case "html_block":
                    self._html_block(token, governed.get(number))
                case "fence":
                    self._fence(token)
                case "footnote_reference_open":
                    self._footnote(token)
                case _:
                    pass
            if not token.nesting:
                container = ""

    def _fence(self, token: Token) -> None:
        assert token.map is not None
        first, behind = token.map
        texts = token.content.split("\n")[:-1]
        closed = len(texts) < behind - first - 1
        lines = tuple(
            (text, max(place[1] - len(text), place[0]))
            for text, place in ((text, self._place(first + 1 + row)) for row, text in enumerate(texts))
        )
        closing = self._place(behind - 1) if closed else None
        self.reading.fences.append(CodeFence(self._place(first), closing, token.markup, token.info.strip(), lines))

    def _place(self, line: int) -> tuple[int, int]:
        """Return where ``line`` (from zero) begins and ends in the source, container marks included."""
        return self.source.line_starts[line], self.source.line_end(line + 1)

    def _wordless_item(self, token: Token, following: Token) -> None:
        if token.type != "list_item_open" or following.type == "paragraph_open":
            return
        begin, end = self.lines.bounds(token.map[0] if token.map else 0)
        self.reading.wordless_items.append((self.lines.offset(begin), self.lines.offset(end)))

    def _footnote(self, token: Token) -> None:
        begin, _ = self.lines.bounds(token.map[0] if token.map else 0)
        offset = self.lines.offset(begin)
        assert token.meta is not None
        self.reading.footnotes.append(FootnoteDefinition(token.meta["label"], offset))

    def _inline(self, token: Token, parent: Token, rows: _TableRows, container: str) -> None:
        assert token.map is not None
        line = token.map[0]
        block = TextBlock(BlockKind.PARAGRAPH, EMPTY_PASSAGE, (0, 0))
        content = token.content
        if parent.type in ("th_open", "td_open"):
            block.kind = BlockKind.CELL
            content, places = rows.next_cell()
            block.table, block.row, block.column = rows.table, rows.row, rows.column
            block.header = rows.headers.get(block.column)
        elif parent.type == "heading_open":
            block.kind, block.level = BlockKind.HEADING, int(parent.tag[1])
            places = self.lines.heading_map(content, line) if parent.markup else self.lines.suffix_map(content, line)
            if content and self._ends_line(places.locate_end(len(content))):  # closing hash signs make it text
                content, block.attributes = _cut_attributes(content, places, self.dialect)
        else:
            block.kind = BlockKind.TERM if parent.type == "dt_open" else BlockKind.PARAGRAPH
            is_term = block.kind is BlockKind.TERM
            places = self.lines.term_map(content, line) if is_term else self.lines.suffix_map(content, line)
        block.quoted, block.listed = container == "blockquote_open", container == "list_item_open"
        if excess := _excess(content):
            self._trouble(line, excess)
            return
        block.span = (places.locate(0), places.locate_end(len(content)))
        self.position = block.span[1]
        if "$" in content or MARKUP.search(content):
            _Inline(self, block, content, places).read()
        else:
            block.passage = block.plain = _plain_passage(content, places)
        if parent.type == "th_open":
            rows.headers[block.column] = block.passage
        self.reading.blocks.append(block)

    def _ends_line(self, offset: int) -> bool:
        match = _REST_OF_LINE.match(self.source.text, offset)
        return match is not None and not match[0].strip()

    def add_html(self, text: str, places: ContentMap) -> None:
        """Keep a piece of raw HTML."""
        self.html.append((text, places))
        tags = text.lower()
        self.open_drawings = max(self.open_drawings + tags.count("<svg") - tags.count("</svg"), 0)

    def add_tag(self, tag: str, place: int) -> None:
        """Keep a tag that the renderer makes of Markdown, where it falls into a drawing."""
        if self.open_drawings:
            self.html.append((tag, place))

    def _block_tag(self, token: Token) -> None:
        """Keep the tag of a block; a tight list has no paragraphs, and html_block no tag."""
        if token.hidden or not token.tag:
            return
        place = self.lines.offset(self.lines.bounds(token.map[0])[0]) if token.map else self.position
        if token.type in ("blockquote_close", "list_item_close"):
            place = self._before_end(token.type)
        if token.nesting:
            # An HTML parser ends a drawing at the end of whatever it stands in, as it does at any `</p>`.
            self.add_tag("</p>" if token.nesting < 0 else f"<{token.tag}>", place)
        else:
            self.add_tag("<pre></pre>" if token.tag == "code" else f"<{token.tag}>", place)

    def _before_end(self, container: str) -> int:
        """Return the end of the line before the one that ends a ``container``, which none of its own lines does.

        Of a list item it is the next that is not blank, for it is not indented; of a quotation one without its mark.
        """
        line, last = self.source.position(self.position).line, len(self.source.line_starts)
        while line < last:
            text = self.source.line_text(line + 1).lstrip(" \t")
            if text.strip(" \t>") if container == "list_item_close" else not text.startswith(">"):
                break
            line += 1
        return self.source.line_end(line)

    def _html_block(self, token: Token, governed: tuple[int, int] | None) -> None:
        assert token.map is not None
        content = token.content.removesuffix("\n")
        places = self.lines.block_map(content, token.map[0])
        self.add_html(content, places)
        self.position = places.locate_end(len(content))
        alone = _holds_only_comments(token)
        if _leads_text(content):
            governed = (places.locate(0), self.position)
        start = content.find("<!--")
        while start >= 0:
            end = content.find("-->", start + 4)
            closed = end >= 0
            end = end if closed else len(content)
            lines, position = [], start + 4
            for text in content[position:end].split("\n"):
                lines.append((text, places.locate(position)))
                position += len(text) + 1
            stop = min(end + 3, len(content))
            line_start = content.rfind("\n", 0, start) + 1
            self.reading.comments.append(
                BlockComment(
                    content[start + 4 : end],
                    (places.locate(start), places.locate_end(stop)),
                    tuple(lines),
                    not content[line_start:start].strip(),
                    closed,
                    alone,
                    governed,
                )
            )
            start = content.find("<!--", stop)

    def _governed(self, tokens: list[Token]) -> dict[int, tuple[int, int]]:
        """Return, for blocks of nothing but comments, where the next other block on their level stands.

        Only pages that speak to lintbook ask for it; so it is empty for all others.
        """
        found: dict[int, tuple[int, int]] = {}
        following: dict[int, tuple[int, int]] = {}
        for number in range(len(tokens) - 1, -1, -1) if "lintbook" in self.source.text else ():
            token = tokens[number]
            if token.nesting < 0:
                following.pop(token.level + 1, None)  # what it closes ends here
            elif _holds_only_comments(token):
                if token.level in following:
                    found[number] = following[token.level]
            elif token.map is not None:
                first, behind = token.map
                start = self._place(first)[0]
                stop = self._place(behind - 1)[1]
                # A list has the empty lines behind it.
                following[token.level] = (start, start + len(self.source.text[start:stop].rstrip()))
        return found

    def destination(self, label: str) -> tuple[int, int] | None:
        """Return the source range of the destination that the definition of ``label`` gives."""
        place = self.parsed.destination(label)
        if place is None:
            return None
        start = self.lines.offset(place[0])
        return start, self.lines.offset(place[1] - 1) + 1 if place[0] < place[1] else start


_COMMENTS = regex(r"\s*(?:<!--(?:(?!-->).)*-->\s*)+", re.DOTALL)


def _leads_text(content: str) -> bool:
    """Whether a block of raw HTML is text with comments before it on its line."""
    match = _COMMENTS.match(content) if "<!--" in content else None
    return match is not None and match.end() < len(content) and content[match.end()] != "<"


def _holds_only_comments(token: Token) -> bool:
    return token.type == "html_block" and _COMMENTS.fullmatch(token.content) is not None


class _TableRows:
    """The cells of the row that is being read, with their maps, and the headers of the table."""

    def __init__(self, table: int = 0) -> None:
        self.table = table
        self.row = -1
        self.column = -1
        self.headers: dict[int, Passage] = {}
        self._cells: list[tuple[str, ContentMap]] = []

    def open_row(self, cells: list[tuple[str, ContentMap]]) -> None:
        self.row += 1
        self.column = -1
        self._cells = cells

    def next_cell(self) -> tuple[str, ContentMap]:
        self.column += 1
        if self.column < len(self._cells):
            return self._cells[self.column]
        # A row one cell short: the parser adds an empty one, which stands at the row's end.
        return "", self._cells[-1][1] if self._cells else ContentMap([(0, 0)])


def _excess(content: str) -> str | None:
    """Say what makes a content too long to read, if anything does."""
    if len(content) > MAX_CONTENT:
        return f"a paragraph of {len(content):,} characters is not checked: the limit is {MAX_CONTENT:,}"
    if (brackets := content.count("[")) > _MAX_BRACKETS:
        return f"a paragraph with {brackets:,} brackets is not checked: the limit is {_MAX_BRACKETS:,}"
    return None


_ATTRIBUTES = regex(r"\{([^{}\n]*)\}\s*\Z")
_BARE_ATTRIBUTES = regex(r"\{([^{}\n\\<>]*)\}\s*\Z")
_ATTRIBUTE = regex(r"\s*(?:[#.][^\s]+|[\w-]+=\S*|:)")
_UNNUMBERED = regex(r"\s*-\s*")  # `{-}`
_REST_OF_LINE = regex(r"[^\r\n]*")
_CLOSING_HASHES = regex(r"(?:\A|(?<=[ \t]))#+\Z")


def _cut_attributes(content: str, places: ContentMap, dialect: Dialect) -> tuple[str, tuple[str, int] | None]:
    """Cut ``{#id .class}`` off the end of a heading; give its inside and where that begins.

    mdBook cuts anything in braces without backslashes and angle brackets; pandoc and Python-Markdown ``{-}`` too.
    """
    is_bare = dialect is Dialect.MDBOOK
    match = (_BARE_ATTRIBUTES if is_bare else _ATTRIBUTES).search(content)
    if match is None or not (is_bare or _are_attributes(match[1], dialect)):
        return content, None
    left = _CLOSING_HASHES.sub("", content[: match.start()].rstrip()).rstrip()
    return left, (match[1], places.locate(match.start(1)))


def _are_attributes(text: str, dialect: Dialect) -> bool:
    if _ATTRIBUTE.match(text):
        return True
    return dialect is not Dialect.JEKYLL and _UNNUMBERED.fullmatch(text) is not None


# Links are left out: in a drawing `<a>` is an element of SVG.
_INLINE_TAGS = {
    "em_open": "<em></em>",
    "strong_open": "<strong></strong>",
    "code_inline": "<code></code>",
    "hardbreak": "<br>",
    "image": "<img>",
    "footnote_ref": "<sup></sup>",
}


_SCRIPT = regex(r"<(?P<end>/?)(?P<name>sup|sub)\b", re.IGNORECASE)


def _plain_passage(content: str, places: ContentMap) -> Passage:
    """Return the passage of a content in which nothing begins that the grammar knows, and no formula."""
    runs = places.runs(0, len(content))
    return Passage(content, tuple(Piece(start, at, at + end - start, Style.PROSE, True) for start, end, at in runs))


class _Inline:
    """Reads the inline content of one block: its visible text and the marks in it."""

    def __init__(self, reader: _Reader, block: TextBlock, content: str, places: ContentMap) -> None:
        self.reader = reader
        self.block = block
        self.content = content
        self.places = places
        self.entries: list[Entry] = []
        self.code: list[tuple[int, int]] = []
        self.escapes: set[int] = set()
        self.script = Style.PROSE  # how text is set where the reading stands
        self.strong: list[list[int]] = []
        self.links: list[Token] = []
        self.comments: list[Token] = []
        self.footnotes: list[Token] = []

    def read(self) -> None:
        self._collect(self.reader.parsed.inline(self.content))
        regions = math_regions(self.content, self.code, frozenset(self.escapes))
        builder = PassageBuilder(self.content, self.places, visible_entries(self.entries, regions))
        block, index = self.block, builder.index
        block.passage = builder.passage
        if block.kind in (BlockKind.HEADING, BlockKind.TERM):
            plain = PassageBuilder(self.content, self.places, self.entries) if regions else builder
            block.plain = plain.passage
        block.strong = [Strong(index(low), index(high)) for low, high in self.strong if index(low) < index(high)]
        inside = [(region.start, region.end) for region in regions]
        self._add_links(index, inside)
        for token in self.comments:
            low, high = token.start, token.end
            block.comments.append(
                Comment(
                    index(high),
                    token.content.removeprefix("<!--").removesuffix("-->"),
                    self._range(low, high),
                    any(start < low < end for start, end in inside),
                )
            )
        for token in self.footnotes:
            assert token.meta is not None
            mark = self._range(token.start, token.end)
            block.footnotes.append(FootnoteMark(index(token.end), token.meta["label"], mark))

    def _range(self, low: int, high: int) -> tuple[int, int]:
        return self.places.locate(low), self.places.locate_end(high) if high > low else self.places.locate(low)

    def _collect(self, tokens: list[Token]) -> None:
        for token in tokens:
            low, high = token.start, token.end
            if self.reader.open_drawings and (tag := _INLINE_TAGS.get(token.type)):
                self.reader.add_tag(tag, self.places.locate(low))
            match token.type:
                case "text" if token.content:
                    verbatim = self.content[low:high] == token.content
                    self.entries.append(Entry(low, high, self.script, None if verbatim else token.content))
                case "text_special":
                    self.escapes.add(high - 1)
                    self.entries.append(Entry(low, high, self.script, token.content))
                case "code_inline":
                    self.code.append((low, high))
                    self._code(token, low, high)
                case "softbreak" | "hardbreak":
                    self.entries.append(Entry(low, high, self.script, "\n"))
                case "html_inline":
                    self._html(token, low, high)
                case "strong_open" | "strong_close":
                    self._strong(token, low)
                case "link_open" | "image":
                    # Of what stands in an image's description only images are shown; links in it make no page.
                    inner = token.children or () if token.type == "image" else ()
                    self.links.extend((token, *(child for child in inner if child.type == "image")))
                case "footnote_ref":
                    self.footnotes.append(token)
                case _:
                    pass

    def _strong(self, token: Token, position: int) -> None:
        """Open a strong span, or close the last one that is open."""
        end = len(self.content)
        if token.nesting > 0:
            self.strong.append([position, end])
            return
        next(pair for pair in reversed(self.strong) if pair[1] == end)[1] = position

    def _code(self, token: Token, low: int, high: int) -> None:
        ticks = len(token.markup)
        inner = self.content[low + ticks : high - ticks]
        start = low + ticks + (inner.replace("\n", " ") != token.content)
        stop = start + len(token.content)
        while start < stop:  # a place runs on within one line only
            found = self.content.find("\n", start, stop)
            end = found if found >= 0 else stop
            if end > start:
                self.entries.append(Entry(start, end, Style.CODE))
            if found >= 0:
                self.entries.append(Entry(found, found + 1, Style.CODE, " "))  # as the renderer shows it
            start = end + 1

    def _html(self, token: Token, low: int, high: int) -> None:
        if token.content.startswith("<!--"):
            self.comments.append(token)
            return
        if script := _SCRIPT.match(token.content):
            raised = Style.SUPERSCRIPT if script["name"].lower() == "sup" else Style.SUBSCRIPT
            self.script = Style.PROSE if script["end"] else raised
        runs = [(start - low, offset) for start, _, offset in self.places.runs(low, high)]
        self.reader.add_html(token.content, ContentMap(runs))

    def _add_links(self, index: Callable[[int], int], inside: list[tuple[int, int]]) -> None:
        for token in self.links:
            low, high, destination = token.start, token.end, token.destination
            automatic = token.markup == "autolink"
            label = (low + 1, high - 1) if automatic else token.label
            assert token.attrs is not None
            address = token.attrs["src" if token.type == "image" else "href"]
            if destination is not None:
                form, place = LinkForm.INLINE, self._range(*destination)
            elif automatic:
                form, place = LinkForm.AUTOLINK, self._range(low + 1, high - 1)
            else:
                form = LinkForm.REFERENCE
                place = self.reader.destination(self._definition_label(label, high)) or self._range(low, high)
            self.block.links.append(
                LinkMark(
                    index(label[0]),
                    index(label[1]),
                    self._range(low, high),
                    self._range(*label),
                    address,
                    place,
                    form,
                    token.type == "image",
                    any(start < low < end for start, end in inside),
                )
            )

    def _definition_label(self, label: tuple[int, int], end: int) -> str:
        """Return the label that a reference link looks up: the second one, or the only one."""
        second = self.content[label[1] + 2 : end - 1] if end > label[1] + 1 else ""
        return second or self.content[label[0] : label[1]]


def _html_passage(parts: list[tuple[str, ContentMap | int]]) -> Passage:
    """Join the raw HTML of a page; where Markdown stood between two parts there is one line break without a place.

    A tag that the renderer makes has its place alone, and is not verbatim.
    """
    texts: list[str] = []
    pieces: list[Piece] = []
    index = 0
    for text, places in parts:
        if index:
            offset = pieces[-1].source_end
            pieces.append(Piece(index, offset, offset, Style.PROSE, False))
            texts.append("\n")
            index += 1
        if isinstance(places, int):
            pieces.append(Piece(index, places, places, Style.PROSE, False))
            texts.append(text)
            index += len(text)
            continue
        for start, end, offset in places.runs(0, len(text)):
            pieces.append(Piece(index, offset, offset + end - start, Style.PROSE, True))
            texts.append(text[start:end])
            index += end - start
    return Passage("".join(texts), tuple(pieces))


def _source_lines(source: Source, lines: LineTable, tokens: list[Token]) -> tuple[Line, ...]:
    """Return every line of the page without what marks its containers; of fenced code nothing."""
    starts: dict[int, int] = {}
    for number, token in enumerate(tokens):
        if token.map is None:
            continue
        if token.type == "fence":
            starts.update((line, -1) for line in range(*token.map))
        elif token.type == "html_block" or (token.type == "inline" and tokens[number - 1].tag == "p"):
            content = token.content.removesuffix("\n")
            mapped = lines.block_map if token.type == "html_block" else lines.suffix_map
            places, position = mapped(content, token.map[0]), 0
            for line, text in enumerate(content.split("\n"), source.position(places.locate(0)).line - 1):
                starts[line] = places.locate(position)
                position += len(text) + 1
    return tuple(_line(source, number, starts.get(number)) for number in range(len(source.line_starts)))


def _line(source: Source, number: int, start: int | None) -> Line:
    """Return the line ``number`` (from zero), whose content begins at ``start``; less than zero if it has none."""
    text, begin = source.line_text(number + 1), source.line_starts[number]
    if start is None:
        start = begin + len(text) - len(text.lstrip(" \t>"))
    return Line("", begin + len(text)) if start < 0 else Line(text[start - begin :], start)
