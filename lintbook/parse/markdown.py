"""Read Markdown with exact places, by markdown-it-py.

markdown-it gives inline tokens no places. Here its inline parser notes, after each rule that succeeds, from where to
where in the content the new tokens stand; nested tokens get theirs first. Together with ``positions`` that makes every
place exact, and a place is never found by searching the text again.

The grammar is CommonMark with tables, strikethrough, footnotes and definition lists. Formulas are no syntax of it: a
renderer such as mdBook makes a link of ``[i](j)`` inside ``$…$`` as well, so math is found afterwards (``blocks``).
Only display formulas keep their lines together: a ``-`` that begins a line inside ``$$ … $$`` starts no list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, MutableMapping
from functools import cache, cached_property, partial
from itertools import accumulate
from typing import Any, Literal, NamedTuple, cast

from markdown_it import MarkdownIt
from markdown_it.common.utils import mdTrim
from markdown_it.helpers import parseLinkDestination, parseLinkLabel, parseLinkTitle
from markdown_it.parser_block import ParserBlock
from markdown_it.parser_inline import ParserInline
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.reference import reference
from markdown_it.rules_block.table import table
from markdown_it.rules_inline.state_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from msgspec import Struct

from lintbook.diagnostic import Trouble
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
from lintbook.parse.positions import ContentMap, LineTable
from lintbook.patterns import regex
from lintbook.text import EMPTY_PASSAGE, Passage, Piece, Source, Style

# Blocks that are nested deeper are passed over; far beyond any book, and within what Python's stack bears. A list and
# its item are two levels.
MAX_NESTING = 150
# How deep brackets in brackets are tried for links, from each bracket on.
MAX_INLINE_NESTING = 100
# A single paragraph longer than this is no prose; the inline grammar is not linear on hostile text.
MAX_CONTENT = 500_000
MAX_BRACKETS = 10_000

_LINES = "lintbook.lines"
_ROWS = "lintbook.rows"
_DESTINATIONS = "lintbook.destinations"
_DEFINITIONS = "lintbook.definitions"
_CUTS = "lintbook.cuts"


class _Token(Struct):
    """What markdown-it's rules say of a token, made at a tenth of the cost of the library's; and where it stands.

    ``start`` up to ``end`` is the part of the content that it stands for, unknown while negative; of a link or image
    ``label`` and ``destination`` are parts of that, the latter only where it is written there.
    """

    type: str
    tag: str
    nesting: int
    level: int = 0
    content: str = ""
    markup: str = ""
    info: str = ""
    attrs: dict[str, str] | None = None
    children: list[_Token] | None = None
    meta: dict[str, Any] | None = None
    hidden: bool = False
    map: list[int] | None = None
    start: int = -1
    end: int = -1
    label: tuple[int, int] = (0, 0)
    destination: tuple[int, int] | None = None

    def attrSet(self, name: str, value: str) -> None:  # noqa: N802 - the name is the library's
        """Leave out the title of a link: nobody asks for it."""


class _InlineState(StateInline):
    """Knows from where to where the text stands that waits to become a token, instead of collecting it."""

    pending_start = -1
    pending_end = -1
    nested: tuple[int, int] = (0, 0)

    @property
    def pending(self) -> str:
        """The text that waits to become a token."""
        return self.src[self.pending_start : self.pending_end] if self.pending_start >= 0 else ""

    @pending.setter
    def pending(self, value: str) -> None:
        # Rules cut blanks off its end before a line break, and do nothing else to it.
        self.pending_end = self.pending_start + len(value)

    def append_pending(self, text: str) -> None:
        """Do nothing: what a rule consumes without a token for it is text."""

    def pushPending(self) -> Token:  # noqa: N802 - the name is the library's
        start, end = self.pending_start, self.pending_end
        token = _Token("text", "", 0, self.pendingLevel, self.src[start:end], start=start, end=end)
        self.pending_start = -1
        self.tokens.append(token)  # type: ignore[arg-type]
        return token  # type: ignore[return-value]

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        if self.pending_start >= 0:
            if self.pending_end > self.pending_start:
                self.pushPending()
            self.pending_start = -1
        delimiters = None
        if nesting < 0:
            self.level -= 1
            self.delimiters = self._prev_delimiters.pop()
        token = _Token(ttype, tag, nesting, self.level)
        if nesting > 0:
            self.level += 1
            self._prev_delimiters.append(self.delimiters)
            self.delimiters = []
            delimiters = {"delimiters": self.delimiters}
        self.pendingLevel = self.level
        self.tokens.append(token)  # type: ignore[arg-type]
        self.tokens_meta.append(delimiters)
        return token  # type: ignore[return-value]


# The characters that a rule of the inline grammar can begin at; at any other there is text.
_STARTS = {
    "newline": "\n",
    "escape": "\\",
    "backticks": "`",
    "strikethrough": "~",
    "emphasis": "*_",
    "link": "[",
    "image": "!",
    "footnote_ref": "[",
    "autolink": "<",
    "html_inline": "<",
    "entity": "&",
}
_MARKUP = regex(rf"[{re.escape(''.join(_STARTS.values()))}]")
# The same and what ends the label of a link.
_LABEL_MARKUP = regex(rf"[{re.escape(''.join(_STARTS.values()))}\]]")


class _InlineParser(ParserInline):
    """Notes of every token which part of the content it stands for.

    Only those rules are tried that can begin at a character.
    """

    @cached_property
    def _rules_at(self) -> dict[str, list[Callable[[StateInline, bool], bool]]]:
        enabled = [rule for rule in self.ruler.__rules__ if rule.enabled and rule.name != "text"]
        table: dict[str, list[Callable[[StateInline, bool], bool]]] = {}
        for rule in enabled:
            for character in _STARTS[rule.name]:
                table.setdefault(character, []).append(rule.fn)
        return table

    def tokenize(self, state: StateInline) -> None:
        assert isinstance(state, _InlineState)
        rules_at, markup = self._rules_at, _MARKUP.search
        source, tokens = state.src, state.tokens
        begin, end = state.pos, state.posMax
        deepest = MAX_INLINE_NESTING
        while (position := state.pos) < end:
            found = markup(source, position, end)
            start = found.start() if found else end
            if start > position and state.pending_start < 0:
                state.pending_start = position
            state.pos = state.pending_end = start
            if found is None:
                break
            known = len(tokens)
            for rule in rules_at[found[0]] if state.level < deepest else ():
                if rule(state, False):
                    break
            else:
                state.pos = start + 1
            if len(tokens) > known:
                _place_tokens(state, start, known)
            else:
                if state.pending_start < 0:
                    state.pending_start = start
                state.pending_end = state.pos
        if state.pending_start >= 0:
            state.pushPending()
        state.nested = (begin, end)

    def skipToken(self, state: StateInline) -> None:  # noqa: N802 - the name is the library's
        """Go behind the next token without making it, as the library does it."""
        position, cache = state.pos, state.cache
        if (known := cache.get(position)) is not None:
            state.pos = known
            return
        if state.level >= MAX_INLINE_NESTING:
            state.pos = state.posMax
        elif (rules := self._rules_at.get(state.src[position])) is not None:
            state.level += 1
            if not any(rule(state, True) for rule in rules):
                state.pos = position + 1
            state.level -= 1
        else:
            found = _LABEL_MARKUP.search(state.src, position + 1)
            state.pos = found.start() if found else state.posMax
        cache[position] = state.pos

    def parse(self, src: str, md: MarkdownIt, env: MutableMapping[str, Any], tokens: list[Token]) -> list[Token]:
        state = _InlineState(src, md, env, tokens)
        self.tokenize(state)
        if state.tokens_meta:
            for rule in self.ruler2.getRules(""):
                rule(state)
        return state.tokens


def _place_tokens(state: _InlineState, position: int, known: int) -> None:
    """Give the tokens from ``known`` on that have no place yet the range that the last rule consumed."""
    tokens = cast("list[_Token]", state.tokens[known:] if known else state.tokens)
    in_run = None
    for token in tokens:
        if token.start >= 0:
            continue
        if in_run is None:
            in_run = token.type == "text"
        if in_run:
            # A run of delimiters becomes several tokens, one behind the other.
            token.start, token.end = position, position + len(token.content)
            position = token.end
            continue
        token.start, token.end = position, state.pos
        if token.type == "link_open" and state.src[position] == "[":
            token.label = state.nested
            token.destination = _inline_destination(state, state.nested[1])
        elif token.type == "image":
            _place_image(token, state, position)


def _place_image(token: _Token, state: _InlineState, position: int) -> None:
    """Give an image its label and destination, and move its children, parsed apart, to where they stand."""
    label = (position + 2, position + 2 + len(token.content))
    token.label = label
    token.destination = _inline_destination(state, label[1])
    pending = list(token.children or ())
    while pending:
        child = pending.pop()
        child.start += label[0]
        child.end += label[0]
        child.label = (child.label[0] + label[0], child.label[1] + label[0])
        if child.destination is not None:
            child.destination = (child.destination[0] + label[0], child.destination[1] + label[0])


class _Destination(NamedTuple):
    """What the library tells of the destination of a link."""

    ok: bool
    pos: int
    str: str


# A destination up to what ends it, in which nothing has to be decoded and no bracket counted.
_BARE_DESTINATION = regex(r"[^\x00-\x20\x7f\\()&<]+(?=[\x00-\x20\x7f)])")


class _Helpers:
    """The helpers of the library's rules, one of them with a short way for nearly all destinations."""

    parseLinkLabel = staticmethod(parseLinkLabel)  # noqa: N815 - the name is the library's
    parseLinkTitle = staticmethod(parseLinkTitle)  # noqa: N815

    @staticmethod
    def parseLinkDestination(string: str, pos: int, maximum: int) -> Any:  # noqa: N802
        """Read the destination that begins at ``pos``; it and what ends it stand before ``maximum``."""
        found = _BARE_DESTINATION.match(string, pos, maximum)
        if found is None:
            return parseLinkDestination(string, pos, maximum)
        return _Destination(True, found.end(), found[0])


def _inline_destination(state: StateInline, label_end: int) -> tuple[int, int] | None:
    """Return the range of the destination behind a label that ends at ``label_end``; none of a reference link."""
    text = state.src
    if state.pos <= label_end + 1 or text[label_end + 1] != "(":
        return None
    start = label_end + 2
    while text[start] in " \t\n":
        start += 1
    found = state.md.helpers.parseLinkDestination(text, start, state.posMax)
    if not found.ok:
        return start, start
    return (start + 1, found.pos - 1) if text[start] == "<" else (start, found.pos)


class _BlockState(StateBlock):
    """Makes tokens of our own, and looks character by character only at the lines that are indented."""

    def __init__(self, src: str, md: MarkdownIt, env: MutableMapping[str, Any], tokens: list[Token]) -> None:
        super().__init__("", md, env, tokens)
        self.src = src
        lines = src.split("\n")
        if not lines[-1].strip(" \t"):
            del lines[-1]  # as the library has it: what begins behind the last line ending and holds nothing is no line
        # One line more than there are saves the library from asking for the end.
        self.bMarks = list(accumulate((len(line) + 1 for line in lines), initial=0))
        self.eMarks = [begin + len(line) for begin, line in zip(self.bMarks, lines, strict=False)]
        self.bMarks[-1] = len(src)
        self.eMarks.append(len(src))
        self.lineMax = len(lines)
        self.tShift = [0] * (len(lines) + 1)
        self.sCount = [0] * (len(lines) + 1)
        self.bsCount = [0] * (len(lines) + 1)
        for number, line in enumerate(lines):
            if line and line[0] in " \t":
                blanks = line[: len(line) - len(line.lstrip(" \t"))]
                self.tShift[number] = len(blanks)
                self.sCount[number] = len(blanks.expandtabs(4))

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        if nesting < 0:
            self.level -= 1
        token = _Token(ttype, tag, nesting, self.level)
        if nesting > 0:
            self.level += 1
        self.tokens.append(token)  # type: ignore[arg-type]
        return token  # type: ignore[return-value]


_BlockRule = Callable[[StateBlock, int, int, bool], bool]

# The characters that what a block rule reads can begin with. The other rules look at lines that follow, or take all.
_BLOCK_STARTS = {
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*+-0123456789",
    "footnote_def": "[",
    "reference": "[",
    "html_block": "<",
    "heading": "#",
}
# Whether a definition ends the block above, its own marker says.
_ENDING_STARTS = {**_BLOCK_STARTS, "deflist": ":~"}


class _BlockRuler(Ruler[_BlockRule]):
    """Gives for each chain one rule, which tries those that can begin with the first character of the line."""

    def __compile__(self) -> None:
        super().__compile__()
        self.__cache__ = {chain: [self._choosing(chain)] for chain in self.__cache__ or ()}

    def _choosing(self, chain: str) -> _BlockRule:
        rules = [rule for rule in self.__rules__ if rule.enabled and (not chain or chain in rule.alt)]
        indented = [rule.fn for rule in rules if rule.name == "code"]
        starts = _ENDING_STARTS if chain else _BLOCK_STARTS
        rules = [rule for rule in rules if rule.name != "code"]
        anywhere = [rule.fn for rule in rules if rule.name not in starts]
        beginning = {
            character: [rule.fn for rule in rules if character in starts.get(rule.name, character)]
            for character in "".join(starts.values())
        }

        def choose(state: StateBlock, line: int, end: int, silent: bool) -> bool:
            start = state.bMarks[line] + state.tShift[line]
            if state.is_code_block(line):
                tried = indented  # all other rules refuse such a line
            else:
                tried = beginning.get(state.src[start], anywhere) if start < state.eMarks[line] else []
            for rule in tried:  # a generator would take a frame of the stack for each level
                if rule(state, line, end, silent):
                    break
            else:
                return False
            return True

        return choose


class _BlockParser(ParserBlock):
    """Passes over what is nested too deeply, and notes the line at which it begins."""

    def __init__(self) -> None:
        super().__init__()
        rules = self.ruler.__rules__
        self.ruler = _BlockRuler()
        self.ruler.__rules__ = rules

    def parse(self, src: str, md: MarkdownIt, env: MutableMapping[str, Any], outTokens: list[Token]) -> list[Token]:  # noqa: N803
        state = _BlockState(src, md, env, outTokens)
        self.tokenize(state, 0, state.lineMax)
        return state.tokens

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:  # noqa: N803
        if state.level < MAX_NESTING:
            super().tokenize(state, startLine, endLine)
            return
        first = line = state.skipEmptyLines(startLine)
        while line < endLine and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent):
            line += 1
        if first < line:
            state.env[_CUTS].append(first)
        state.line = max(line, startLine + 1)


def _begins_line(state: StateBlock, line: int, end: int, characters: str) -> bool:
    """Whether there is a ``line`` before ``end`` and what it holds begins with one of ``characters``."""
    if line >= end:
        return False
    start = state.bMarks[line] + state.tShift[line]
    return start < state.eMarks[line] and state.src[start] in characters


def _marked_definitions(definitions: _BlockRule) -> _BlockRule:
    """Let the rule for definitions try only where its mark can be: on the next line or behind an empty one."""

    def marked(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if not silent:
            line = start + 2 if start + 1 < end and state.isEmpty(start + 1) else start + 1
            if not _begins_line(state, line, end, ":~"):
                return False
        return definitions(state, start, end, silent)

    return marked


def _table_with_rows(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if not _begins_line(state, start + 1, end, "|-:"):
        return False
    if state.eMarks[start] - state.bMarks[start] > MAX_CONTENT:
        return False  # then it is a paragraph, of which is said that it is too long
    if not table(state, start, end, silent):
        return False
    if not silent:
        rows = state.env[_ROWS]
        for line in range(start, state.line):
            rows[line] = state.bMarks[line] + state.tShift[line]
    return True


def _reference_with_place(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Note where label and destination of a link definition stand; of a repeated label the label alone."""
    known = len(state.env.get("references", ()))
    if not reference(state, start, end, silent):
        return False
    if silent:
        return True
    text, runs = "", []
    for line in range(start, state.line):
        begin = state.bMarks[line] + state.tShift[line]
        runs.append((len(text), begin))
        text += state.src[begin : state.eMarks[line] + 1]
    places = ContentMap(runs)
    colon = _definition_colon(text)
    references = state.env["references"]
    new = len(references) > known
    label = next(reversed(references)) if new else state.env["duplicate_refs"][-1]["label"]
    href = references[label]["href"] if new else state.env["duplicate_refs"][-1]["href"]
    state.env[_DEFINITIONS].append((label, href, places.locate(1), places.locate_end(colon - 1)))
    if new:
        position = colon + 1
        while text[position] in " \t\n":
            position += 1
        found = state.md.helpers.parseLinkDestination(text, position, len(text))
        low, high = (position + 1, found.pos - 1) if text[position] == "<" else (position, found.pos)
        state.env[_DESTINATIONS][label] = (places.locate(low), places.locate_end(high))
    return True


def _definition_colon(text: str) -> int:
    position = 1
    while text[position] != "]":
        position += 2 if text[position] == "\\" else 1
    return position + 1


def _paragraph_lines(state: StateBlock, start: int) -> Iterator[int]:
    """Yield the lines behind ``start`` that go on with a paragraph, by CommonMark's rules.

    A display formula that closes before the next empty line is not interrupted.
    """
    terminators = state.md.block.ruler.getRules("paragraph")
    outer, state.parentType = state.parentType, "paragraph"
    dollars = _dollars(state, start)
    for line in range(start + 1, state.lineMax):
        if state.isEmpty(line):
            break
        lazy = state.sCount[line] - state.blkIndent > 3 or state.sCount[line] < 0
        inside = dollars % 2 == 1 and _closes(state, line)
        if not lazy and not inside and any(rule(state, line, state.lineMax, True) for rule in terminators):
            break
        yield line
        dollars += _dollars(state, line)
    state.parentType = outer


def _dollars(state: StateBlock, line: int) -> int:
    return state.src.count("$$", state.bMarks[line] + state.tShift[line], state.eMarks[line])


def _closes(state: StateBlock, line: int) -> bool:
    while line < state.lineMax and not state.isEmpty(line):
        if _dollars(state, line):
            return True
        line += 1
    return False


def _setext_heading(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A heading that is underlined; the library's rule, kept out of display formulas."""
    if not _has_underline(state, start, end):
        return False
    dollars = _dollars(state, start)
    lines = _paragraph_lines(state, start)
    line = start + 1
    while line < end and not state.isEmpty(line):
        level = _underline(state, line)
        if level and dollars % 2 == 0:
            content = mdTrim(state.getLines(start, line, state.blkIndent, False))
            _push_block(state, "heading", f"h{level}", content, (start, line + 1), (start, line))
            return True
        if next(lines, None) is None:
            break
        dollars += _dollars(state, line)
        line += 1
    lines.close()  # type: ignore[attr-defined]  # a generator: it restores the state when it ends
    return False


def _has_underline(state: StateBlock, start: int, end: int) -> bool:
    """Whether a line up to the next empty one may underline what stands above it."""
    for line in range(start + 1, end):
        if state.isEmpty(line):
            break
        if _begins_line(state, line, end, "=-"):
            return True
    return False


def _underline(state: StateBlock, line: int) -> int:
    if state.sCount[line] < state.blkIndent or state.sCount[line] - state.blkIndent > 3:
        return 0
    text = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip(" \t")
    if not text or text.strip(text[0]):
        return 0
    return {"=": 1, "-": 2}.get(text[0], 0)


def _paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    last = start
    for line in _paragraph_lines(state, start):
        last = line
    content = mdTrim(state.getLines(start, last + 1, state.blkIndent, False))
    _push_block(state, "paragraph", "p", content, (start, last + 1), (start, last + 1))
    return True


def _push_block(
    state: StateBlock, name: str, tag: str, content: str, lines: tuple[int, int], inner: tuple[int, int]
) -> None:
    state.line = lines[1]
    state.push(f"{name}_open", tag, 1).map = list(lines)
    token = state.push("inline", "", 0)
    token.content, token.map, token.children = content, list(inner), []
    state.push(f"{name}_close", tag, -1)


@cache
def _parser() -> MarkdownIt:
    """Return the parser, which keeps nothing of a page."""
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING})
    inline, block = _InlineParser(), _BlockParser()
    parser.inline, parser.block = inline, block
    parser.configure("commonmark", {"maxNesting": MAX_NESTING})
    parser.enable(["table", "strikethrough"])
    footnote_plugin(parser, inline=False, move_to_end=False)
    deflist_plugin(parser)
    block.ruler.at("table", _table_with_rows, {"alt": ["paragraph", "reference"]})
    block.ruler.at("reference", _reference_with_place)
    block.ruler.at("lheading", _setext_heading)
    block.ruler.at("paragraph", _paragraph)
    definitions = next(rule for rule in block.ruler.__rules__ if rule.name == "deflist")
    definitions.fn = _marked_definitions(definitions.fn)
    inline.ruler2.disable("fragments_join")
    parser.helpers = _Helpers  # type: ignore[assignment]
    # Destinations stay as written: what they lead to is not the parser's business.
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser


_FRONT_MATTER = regex(r"---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")


# What Liquid makes of these comes to the page without having been Markdown, or not at all.
_LIQUID = regex(r"\{%-?[ \t]*(highlight|comment)\b[^%\n]*%\}")
_LIQUID_ENDS = {name: regex(rf"\{{%-?[ \t]*end{name}\b[^%\n]*%\}}") for name in ("highlight", "comment")}


def _without_liquid(text: str) -> str:
    """Blank what stands between ``{% highlight … %}`` or ``{% comment %}`` and its end, tags included."""
    parts: list[str] = []
    position = 0
    while match := _LIQUID.search(text, position):
        end = _LIQUID_ENDS[match[1]].search(text, match.end())
        if end is None:
            break
        parts.extend((text[position : match.start()], _blanked(text[match.start() : end.end()])))
        position = end.end()
    return "".join(parts) + text[position:]


def _blanked(text: str) -> str:
    """Return blank lines of the same lengths, which keep everything where it is."""
    return re.sub(r"[^\n]", " ", text)


def read(source: Source, *, front_matter: bool = True, bare_attributes: bool = False, liquid: bool = False) -> Reading:
    """Read one Markdown page.

    Takes the source, whether the renderer reads a block between ``---`` lines at the top as data, and whether it takes
    any words in braces at the end of a heading for attributes (``{a b}``), as mdBook does; ``liquid`` is whether that
    language is carried out before the page is read. Returns the reading. What the parser cuts (too deep, too long) is a
    trouble in it.
    """
    return _Reader(source, front_matter, bare_attributes, liquid).read()


class _Reader:
    def __init__(self, source: Source, front_matter: bool, bare_attributes: bool, liquid: bool) -> None:
        self.source = source
        self.lines = LineTable(source)
        self.reading = Reading()
        self.html: list[tuple[str, ContentMap | int]] = []
        self.open_drawings = 0
        self.position = 0  # where the last leaf block ends
        self.env: dict[str, Any] = {_ROWS: {}, _DESTINATIONS: {}, _DEFINITIONS: [], _CUTS: []}
        self.parser = _parser()
        self.front_matter = front_matter
        self.liquid = liquid
        self.bare_attributes = bare_attributes

    def read(self) -> Reading:
        text = self.lines.normalized
        if self.front_matter and text.startswith("---") and (match := _FRONT_MATTER.match(text)):
            text = _blanked(match.group()) + text[match.end() :]
        if self.liquid and "{%" in text:
            text = _without_liquid(text)
        tokens: list[Token] = []
        self.parser.block.parse(text, self.parser, self.env, tokens)
        for line in self.env[_CUTS]:
            self._trouble(line, f"nested deeper than {MAX_NESTING} levels: the text there is not checked")
        self._walk(tokens)
        self.reading.html = _html_passage(self.html)
        self.reading.lines = partial(_source_lines, self.source, self.lines, tokens)
        for label, destination, low, high in self.env[_DEFINITIONS]:
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
                    rows.open_row(self.lines.cell_maps(self.env[_ROWS][token.map[0]]) if token.map else [])
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
        self.reading.footnotes.append(FootnoteDefinition(token.meta["label"], offset))

    def _inline(self, token: Token, parent: Token, rows: _TableRows, container: str) -> None:
        assert token.map is not None
        line = token.map[0]
        block = TextBlock(BlockKind.PARAGRAPH, EMPTY_PASSAGE, (0, 0))
        content = token.content
        if parent.type in ("th_open", "td_open"):
            block.kind = BlockKind.CELL
            content, places = rows.next_cell(content)
            block.table, block.row, block.column = rows.table, rows.row, rows.column
            block.header = rows.headers.get(block.column)
        elif parent.type == "heading_open":
            block.kind, block.level = BlockKind.HEADING, int(parent.tag[1])
            places = self.lines.heading_map(content, line) if parent.markup else self._suffix(content, line)
            if content and self._ends_line(places.locate_end(len(content))):  # closing hash signs make it text
                content, block.attributes = _cut_attributes(content, places, self.bare_attributes)
        else:
            block.kind = BlockKind.TERM if parent.type == "dt_open" else BlockKind.PARAGRAPH
            is_term = block.kind is BlockKind.TERM
            places = self.lines.term_map(content, line) if is_term else self._suffix(content, line)
        block.quoted, block.listed = container == "blockquote_open", container == "list_item_open"
        if excess := _excess(content):
            self._trouble(line, excess)
            return
        block.span = (places.locate(0), places.locate_end(len(content)))
        self.position = block.span[1]
        if "$" in content or _MARKUP.search(content):
            _Inline(self, block, content, places).read()
        else:
            block.passage = block.plain = _plain_passage(content, places)
        if parent.type == "th_open":
            rows.headers[block.column] = block.passage
        self.reading.blocks.append(block)

    def _ends_line(self, offset: int) -> bool:
        match = _REST_OF_LINE.match(self.source.text, offset)
        return match is not None and not match[0].strip()

    def _suffix(self, content: str, line: int) -> ContentMap:
        return self.lines.suffix_map(content, line)

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

    def definition(self, href_label: str) -> tuple[int, int] | None:
        """Return the source range of the destination that a label's definition gives."""
        place = self.env[_DESTINATIONS].get(href_label)
        if place is None:
            return None
        return self.lines.offset(place[0]), self.lines.offset(place[1] - 1) + 1 if place[1] > place[
            0
        ] else self.lines.offset(place[0])


_COMMENTS = regex(r"\s*(?:<!--(?:(?!-->).)*-->\s*)+", re.DOTALL)


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

    def next_cell(self, content: str) -> tuple[str, ContentMap]:
        self.column += 1
        if self.column < len(self._cells):
            return self._cells[self.column]
        # A row one cell short: the parser adds an empty one, which stands at the row's end.
        return "", self._cells[-1][1] if self._cells else ContentMap([(0, 0)])


def _excess(content: str) -> str | None:
    """Say what makes a content too long to read, if anything does."""
    if len(content) > MAX_CONTENT:
        return f"a paragraph of {len(content):,} characters is not checked: the limit is {MAX_CONTENT:,}"
    if (brackets := content.count("[")) > MAX_BRACKETS:
        return f"a paragraph with {brackets:,} brackets is not checked: the limit is {MAX_BRACKETS:,}"
    return None


_ATTRIBUTES = regex(r"\{([^{}\n]*)\}\s*\Z")
_BARE_ATTRIBUTES = regex(r"\{([^{}\n\\<>]*)\}\s*\Z")
_REST_OF_LINE = regex(r"[^\r\n]*")
_CLOSING_HASHES = regex(r"(?:\A|(?<=[ \t]))#+\Z")


def _cut_attributes(content: str, places: ContentMap, bare: bool) -> tuple[str, tuple[str, int] | None]:
    """Cut ``{#id .class}`` off the end of a heading; give its inside and where that begins.

    If ``bare``, anything without backslashes and angle brackets is cut.
    """
    match = (_BARE_ATTRIBUTES if bare else _ATTRIBUTES).search(content)
    if match is None or not (bare or re.match(r"\s*(?:[#.][^\s]+|[\w-]+=\S*|:)", match[1])):
        return content, None
    left = _CLOSING_HASHES.sub("", content[: match.start()].rstrip()).rstrip()
    return left, (match[1], places.locate(match.start(1)))


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
        self.links: list[_Token] = []
        self.comments: list[_Token] = []
        self.footnotes: list[_Token] = []

    def read(self) -> None:
        parser = self.reader.parser
        tokens = parser.inline.parse(self.content, parser, self.reader.env, [])
        self._collect(cast("list[_Token]", tokens))
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
                    any(link.start < low < link.end for link in self.links),
                )
            )
        for token in self.footnotes:
            assert token.meta is not None
            mark = self._range(token.start, token.end)
            block.footnotes.append(FootnoteMark(index(token.end), token.meta["label"], mark))

    def _range(self, low: int, high: int) -> tuple[int, int]:
        return self.places.locate(low), self.places.locate_end(high) if high > low else self.places.locate(low)

    def _collect(self, tokens: list[_Token]) -> None:
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

    def _strong(self, token: _Token, position: int) -> None:
        """Open a strong span, or close the last one that is open."""
        end = len(self.content)
        if token.nesting > 0:
            self.strong.append([position, end])
            return
        next(pair for pair in reversed(self.strong) if pair[1] == end)[1] = position

    def _code(self, token: _Token, low: int, high: int) -> None:
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

    def _html(self, token: _Token, low: int, high: int) -> None:
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
                place = self.reader.definition(self._definition_label(label, high)) or self._range(low, high)
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
        """Return the normalized label that a reference link looks up: the second one, or the only one."""
        from markdown_it.common.utils import normalizeReference

        second = self.content[label[1] + 2 : end - 1] if end > label[1] + 1 else ""
        return normalizeReference(second or self.content[label[0] : label[1]])


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
