"""The grammar of Markdown, by markdown-it-py: tokens that know where they stand.

markdown-it gives inline tokens no places. Here its inline parser notes, after each rule that succeeds, from where to
where in the content the new tokens stand; nested tokens get theirs first. Together with ``positions`` that makes every
place exact, and a place is never found by searching the text again.

The grammar is CommonMark with tables, strikethrough, footnotes and definition lists. Formulas are no syntax of it: a
renderer such as mdBook makes a link of ``[i](j)`` inside ``$…$`` as well, so math is found afterwards (``blocks``).
Only display formulas keep their lines together: a ``-`` that begins a line inside ``$$ … $$`` starts no list.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, MutableMapping
from functools import cache, cached_property
from itertools import accumulate
from typing import Any, Literal, NamedTuple, cast

from markdown_it import MarkdownIt
from markdown_it.common.utils import mdTrim, normalizeReference
from markdown_it.helpers import parseLinkDestination, parseLinkLabel, parseLinkTitle
from markdown_it.parser_block import ParserBlock
from markdown_it.parser_inline import ParserInline
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.reference import reference
from markdown_it.rules_block.table import table
from markdown_it.rules_inline.state_inline import StateInline
from markdown_it.token import Token as LibraryToken
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from msgspec import Struct

from lintbook.dialect import Dialect
from lintbook.parse.positions import ContentMap
from lintbook.patterns import regex

# Blocks that are nested deeper are passed over; far beyond any book, and within what Python's stack bears. A list and
# its item are two levels.
MAX_NESTING = 150
# How deep brackets in brackets are tried for links, from each bracket on.
MAX_INLINE_NESTING = 100
# A single paragraph longer than this is no prose; the inline grammar is not linear on hostile text.
MAX_CONTENT = 500_000

# What the rules note of a page, by the keys under which the library hands it from one to the next.
_ROWS = "lintbook.rows"
_DESTINATIONS = "lintbook.destinations"
_DEFINITIONS = "lintbook.definitions"
_CUTS = "lintbook.cuts"


class Token(Struct):
    """What markdown-it's rules say of a token, made at a tenth of the cost of the library's; and where it stands.

    It has all of the library's token that its rules ask for, and is handed to them as one.
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
    children: list[Token] | None = None
    meta: dict[str, Any] | None = None
    hidden: bool = False
    map: list[int] | None = None
    start: int = -1
    end: int = -1
    label: tuple[int, int] = (0, 0)
    destination: tuple[int, int] | None = None

    def attrSet(self, name: str, value: str) -> None:  # noqa: N802  # the name is the library's
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

    def pushPending(self) -> LibraryToken:  # noqa: N802  # the name is the library's
        start, end = self.pending_start, self.pending_end
        token = Token("text", "", 0, self.pendingLevel, self.src[start:end], start=start, end=end)
        self.pending_start = -1
        self.tokens.append(token)  # type: ignore[arg-type]  # see Token
        return token  # type: ignore[return-value]

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> LibraryToken:
        if self.pending_start >= 0:
            if self.pending_end > self.pending_start:
                self.pushPending()
            self.pending_start = -1
        delimiters = None
        if nesting < 0:
            self.level -= 1
            self.delimiters = self._prev_delimiters.pop()
        token = Token(ttype, tag, nesting, self.level)
        if nesting > 0:
            self.level += 1
            self._prev_delimiters.append(self.delimiters)
            self.delimiters = []
            delimiters = {"delimiters": self.delimiters}
        self.pendingLevel = self.level
        self.tokens.append(token)  # type: ignore[arg-type]  # see Token
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
# What begins nothing because of what stands beside it, as most of these in formulas and names: a backslash before a
# letter, an underscore in a word, an ampersand before a blank.
_NO_MARKUP = (
    r"(?!(?<=\\)[^!-/:-@\[-`{-~\n]|(?<=[A-Za-z0-9]_)[A-Za-z0-9]|(?<=!)[^\[]|(?<=&)[^A-Za-z#]|(?<=[^~]~)[^~]|(?<=<)\s)"
)
MARKUP = regex(rf"[{re.escape(''.join(_STARTS.values()))}]{_NO_MARKUP}")
# The same and what ends the label of a link.
_LABEL_MARKUP = regex(rf"[{re.escape(''.join(_STARTS.values()))}\]]{_NO_MARKUP}")


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
        rules_at, markup = self._rules_at, MARKUP.search
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

    def skipToken(self, state: StateInline) -> None:  # noqa: N802  # the name is the library's
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

    def parse(
        self, src: str, md: MarkdownIt, env: MutableMapping[str, Any], tokens: list[LibraryToken]
    ) -> list[LibraryToken]:
        state = _InlineState(src, md, env, tokens)
        self.tokenize(state)
        if state.tokens_meta:
            for rule in self.ruler2.getRules(""):
                rule(state)
        return state.tokens


def _place_tokens(state: _InlineState, position: int, known: int) -> None:
    """Give the tokens from ``known`` on that have no place yet the range that the last rule consumed."""
    tokens = cast("list[Token]", state.tokens[known:] if known else state.tokens)
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


def _place_image(token: Token, state: _InlineState, position: int) -> None:
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

    parseLinkLabel = staticmethod(parseLinkLabel)  # noqa: N815  # the name is the library's
    parseLinkTitle = staticmethod(parseLinkTitle)  # noqa: N815  # as above

    @staticmethod
    def parseLinkDestination(string: str, pos: int, maximum: int) -> Any:  # noqa: N802  # as above
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


# The beginning of a line that may underline what stands above it, whatever quotation or list it stands in.
_UNDERLINE = regex(r"\n[ \t>]*[=-]")


class _BlockState(StateBlock):
    """Makes tokens of our own, and looks character by character only at the lines that are indented."""

    def __init__(self, src: str, md: MarkdownIt, env: MutableMapping[str, Any], tokens: list[LibraryToken]) -> None:
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
        self.underlines = [found.end() for found in _UNDERLINE.finditer(src)]

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> LibraryToken:
        if nesting < 0:
            self.level -= 1
        token = Token(ttype, tag, nesting, self.level)
        if nesting > 0:
            self.level += 1
        self.tokens.append(token)  # type: ignore[arg-type]  # see Token
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
    "container": "!?=",
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

    def parse(
        self,
        src: str,
        md: MarkdownIt,
        env: MutableMapping[str, Any],
        outTokens: list[LibraryToken],  # noqa: N803  # the name is the library's
    ) -> list[LibraryToken]:
        state = _BlockState(src, md, env, outTokens)
        self.tokenize(state, 0, state.lineMax)
        return state.tokens

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:  # noqa: N803  # as above
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
    assert isinstance(state, _BlockState)
    following = bisect_right(state.underlines, state.eMarks[start])
    if following == len(state.underlines):
        return False
    if state.src.find("\n\n", state.eMarks[start], state.underlines[following]) >= 0:
        return False
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


# The line above an indented body: Python-Markdown's admonitions, PyMdown's details and tabs.
_CONTAINER = regex(r"(?:!!!|\?\?\?\+?)(?: ?[\w-]+(?:[ \t]+[\w-]+)*)?(?:[ \t]+\".*\")?[ \t]*|===[+!]*[ \t]+\".*\"[ \t]*")
_BODY_INDENT = 4


def _container(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line such as ``!!! note "Title"`` with what is indented below it; the line itself is a paragraph."""
    title = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    if not _CONTAINER.fullmatch(title):
        return False
    indent = state.sCount[start] + _BODY_INDENT
    stop = line = start + 1
    while line < end and (state.isEmpty(line) or state.sCount[line] >= indent):
        line += 1
        stop = stop if state.isEmpty(line - 1) else line
    if stop == start + 1:
        return False
    if silent:
        return True
    state.push("container_open", "div", 1).map = [start, stop]
    _push_block(state, "paragraph", "p", mdTrim(title), (start, start + 1), (start, start + 1))
    outer, last = state.blkIndent, state.lineMax
    state.blkIndent, state.lineMax = indent, stop
    state.md.block.tokenize(state, start + 1, stop)
    state.blkIndent, state.lineMax = outer, last
    state.push("container_close", "div", -1)
    state.line = stop
    return True


# A tag that ends its line and says that what it holds is Markdown; and any that kramdown may be told to read so.
_MARKDOWN_INSIDE = regex(
    r"[ ]{0,3}<\w[^<>]{0,1000}\smarkdown(?:=[\"']?(?:1|block|span)[\"']?)?(?=[\s>])[^<>]{0,1000}>[ \t]*", re.IGNORECASE
)
_BLOCK_TAG = regex(
    r"[ ]{0,3}<(?:article|aside|blockquote|center|details|div|figure|section)\b[^<>]*>[ \t]*", re.IGNORECASE
)


def _html_above_markdown(html: _BlockRule, opening: re.Pattern[str]) -> _BlockRule:
    """Let a block of raw HTML end with its first line if that is an ``opening`` of what is read as Markdown."""

    def above(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        first = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
        return html(state, start, start + 1 if opening.fullmatch(first) else end, silent)

    return above


@cache
def _parser(dialect: Dialect, inner: re.Pattern[str] | None) -> MarkdownIt:
    """Return the parser of ``dialect``, which keeps nothing of a page; below a line that is ``inner`` is Markdown."""
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
    if dialect in (Dialect.MKDOCS, Dialect.GITHUB):
        block.ruler.before("code", "container", _container, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    if inner is not None:
        html = next(rule for rule in block.ruler.__rules__ if rule.name == "html_block")
        html.fn = _html_above_markdown(html.fn, inner)
    inline.ruler2.disable("fragments_join")
    parser.helpers = _Helpers  # type: ignore[assignment]  # a module there
    # Destinations stay as written: what they lead to is not the parser's business.
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]  # meant to be replaced
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # as above
    return parser


def _tags_above_markdown(text: str, dialect: Dialect) -> re.Pattern[str] | None:
    """Return which lines of raw HTML have Markdown below them, though no empty line; None if none have."""
    if dialect is Dialect.JEKYLL and 'parse_block_html="true"' in text:
        return _BLOCK_TAG
    return _MARKDOWN_INSIDE if dialect in (Dialect.MKDOCS, Dialect.JEKYLL) and "markdown" in text else None


class ParsedPage:
    """A page as the grammar reads it: the tokens of its blocks in ``tokens``, and what the rules noted beside them.

    Places are those of the ``text`` that it is made of, with bare line feeds; lines count from zero.
    """

    def __init__(self, text: str, dialect: Dialect) -> None:
        self._parser = _parser(dialect, _tags_above_markdown(text, dialect))
        self._noted: dict[str, Any] = {_ROWS: {}, _DESTINATIONS: {}, _DEFINITIONS: [], _CUTS: []}
        tokens = self._parser.block.parse(text, self._parser, self._noted, [])
        self.tokens = cast("list[Token]", tokens)

    def inline(self, content: str) -> list[Token]:
        """Return the tokens of an inline content, with their places in it."""
        return cast("list[Token]", self._parser.inline.parse(content, self._parser, self._noted, []))

    @property
    def cuts(self) -> list[int]:
        """The lines at which something begins that is nested too deeply and passed over."""
        cuts: list[int] = self._noted[_CUTS]
        return cuts

    @property
    def definitions(self) -> list[tuple[str, str, int, int]]:
        """The link definitions: label, normalized; destination; where the label as written begins and ends."""
        definitions: list[tuple[str, str, int, int]] = self._noted[_DEFINITIONS]
        return definitions

    def destination(self, label: str) -> tuple[int, int] | None:
        """Return where the destination stands that the definition of a ``label``, as written, gives; None without."""
        place: tuple[int, int] | None = self._noted[_DESTINATIONS].get(normalizeReference(label))
        return place

    def row_start(self, line: int) -> int:
        """Return where the table row on ``line`` begins, behind the marks of its containers."""
        start: int = self._noted[_ROWS][line]
        return start
