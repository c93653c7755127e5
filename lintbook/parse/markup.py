"""Tags and attributes with places: one scanner for raw HTML, inline SVG and ``.svg`` files.

HTML is cut into tags, comments and text as the tokenizer of the HTML standard does it (section 13.2.5),
because that is what a browser will do with the page; XML as XML 1.0 does it. The scanner judges nothing and
never fails: what is malformed is read as a browser reads it. It takes time in proportion to the text, however
unreasonable the text is, so its expressions are possessive, and what is not closed is looked for once.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from html import unescape
from html.entities import html5
from typing import NamedTuple

from msgspec.structs import replace

from lintbook.facts import Anchor, AnchorOrigin, Link, LinkForm
from lintbook.patterns import regex
from lintbook.text import EMPTY_PASSAGE, Passage, Piece, Span, Style


class Grammar(StrEnum):
    """Which of the two languages a text is read as."""

    HTML = "html"
    XML = "xml"


class Attribute(NamedTuple):
    """An attribute. ``name`` is kept as written and begins at ``start``; ``value`` is decoded.

    ``value_start`` up to ``value_end`` are the characters of the value as written, without quotes; both are
    the end of the name where there is no value.
    """

    name: str
    start: int
    value: str
    value_start: int
    value_end: int


class StartTag(NamedTuple):
    """A start tag, ``<`` and ``>`` included; ``name`` is kept as written.

    Of repeated attributes only the first is kept.
    """

    start: int
    end: int
    name: str
    attributes: tuple[Attribute, ...]
    self_closing: bool

    def attribute(self, name: str) -> Attribute | None:
        """Return the attribute of that name, which is given in lower case, or nothing."""
        return next((found for found in self.attributes if found.name.lower() == name), None)


class EndTag(NamedTuple):
    """An end tag; an empty range where an HTML parser closes an ``<svg>`` that no end tag closes."""

    start: int
    end: int
    name: str


class Comment(NamedTuple):
    """A comment, processing instruction or other markup without content, delimiters included."""

    start: int
    end: int


class Doctype(NamedTuple):
    """A document type declaration, an internal subset included."""

    start: int
    end: int


class Text(NamedTuple):
    """A run of text. It is ``literal`` where ``&`` begins no character reference: CDATA, or a script."""

    start: int
    end: int
    literal: bool


Event = StartTag | EndTag | Comment | Doctype | Text

_WHITE_SPACE = "\t\n\f\r "
_BLANK = r"\t\n\f\r "
_MARKUP = {
    Grammar.HTML: regex(r"<(?=[A-Za-z/!?])"),
    Grammar.XML: regex(r"<(?=[^\W\d]|[:/!?])"),
}
_NAME_START = {Grammar.HTML: regex(r"[A-Za-z]"), Grammar.XML: regex(r"[^\W\d]|:")}
_NAME = regex(rf"[^{_BLANK}/>]*+")
_GAP = regex(rf"[{_BLANK}/]*+")
_ATTRIBUTE = regex(rf"([^{_BLANK}/>][^{_BLANK}/>=]*+)([{_BLANK}]*+=[{_BLANK}]*+)?+")
_UNQUOTED = regex(rf"[^{_BLANK}>]*+")
_HTML_COMMENT_END = regex(r"--!?>")
_DOCTYPE_MARK = regex(r"""["'\[\]>]|<!--|<\?""")

_REFERENCE = regex(r"&(#[0-9]++;?|#[xX][0-9A-Fa-f]++;?|[A-Za-z][0-9A-Za-z]*+;?)")
_XML_NAMES = {"amp;": "&", "lt;": "<", "gt;": ">", "quot;": '"', "apos;": "'"}

# Elements whose content an HTML parser reads as text up to their own end tag.
_RAW_TEXT = frozenset({"iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"})
_RAW_TEXT_END = {name: regex(rf"</{name}(?=[{_BLANK}/>])", re.IGNORECASE | re.ASCII) for name in _RAW_TEXT}
# Elements of SVG whose content is HTML again.
_INTEGRATION_POINTS = frozenset({"desc", "foreignobject", "title"})
# Tags of HTML that end an open <svg> (HTML standard, 13.2.6.5, tokens in foreign content).
_BREAKING_TAG = regex(
    "b|big|blockquote|body|br|center|code|dd|div|dl|dt|em|embed|h[1-6]|head|hr|i|img|li|listing|menu|meta|nobr"
    "|ol|p|pre|ruby|s|small|span|strike|strong|sub|sup|table|tt|u|ul|var"
)


def scan(text: str, grammar: Grammar) -> Iterator[Event]:
    """Yield what ``text`` consists of, in order, with indices into it.

    The events cover the text without gap or overlap. Of a tag that is not closed nothing is yielded, nor of
    what follows it; a comment that is not closed lasts to the end. Entities are never resolved.
    """
    return _Scanner(text, grammar).events()


class _Scanner:
    """The state of one scan: in HTML, how deep in drawings it is, for there other rules hold."""

    def __init__(self, text: str, grammar: Grammar) -> None:
        self.text = text
        self.grammar = grammar
        self.open: list[str] = []  # <svg> elements, integration points in them, paragraphs in these
        self.counts: Counter[str] = Counter()  # how often each name is in ``open``, which may be long

    def events(self) -> Iterator[Event]:
        """Yield all events of the text."""
        text, markup = self.text, _MARKUP[self.grammar]
        position = 0
        while match := markup.search(text, position):
            start = match.start()
            if start > position:
                yield Text(position, start, literal=False)
            position = start
            for event in self.declaration(start) if text[start + 1] in "!?" else self.element(start):
                yield event
                position = event.end
            if position == start:  # a tag in which the text ends
                return
        if position < len(text):
            yield Text(position, len(text), literal=False)

    def declaration(self, start: int) -> Iterator[Event]:
        """Yield the comment, CDATA section, processing instruction or doctype at ``start``."""
        text, xml = self.text, self.grammar is Grammar.XML
        if text.startswith("<!--", start):
            yield Comment(start, self.comment_end(start + 4))
        elif text.startswith("<![CDATA[", start) and (xml or self.in_drawing):
            end = _behind(text, "]]>", start + 9)
            content_end = end - 3 if text.endswith("]]>", start + 9, end) else end
            yield Comment(start, start + 9)
            yield Text(start + 9, content_end, literal=True)
            yield Comment(content_end, end)
        elif xml and text.startswith("<?", start):
            yield Comment(start, _behind(text, "?>", start + 2))
        elif xml and text.startswith("<!DOCTYPE", start):
            yield Doctype(start, self.doctype_end(start))
        else:
            yield Comment(start, _behind(text, ">", start))

    def comment_end(self, position: int) -> int:
        """Return where the comment ends whose text begins at ``position``.

        Browsers also end a comment at ``--!>``, and ``<!-->`` and ``<!--->`` are whole. CommonMark knows only
        the latter two, which is no matter here, for it is the browser that hides what a comment holds.
        """
        if self.grammar is Grammar.XML:
            return _behind(self.text, "-->", position)
        for abrupt in (">", "->"):
            if self.text.startswith(abrupt, position):
                return position + len(abrupt)
        match = _HTML_COMMENT_END.search(self.text, position)
        return match.end() if match else len(self.text)

    def doctype_end(self, position: int) -> int:
        """Return where the document type declaration ends that stands at ``position``."""
        text, subset = self.text, False
        while match := _DOCTYPE_MARK.search(text, position):
            mark, position = match.group(), match.end()
            if mark == ">" and not subset:
                return position
            if mark in "[]":
                subset = mark == "["
            elif mark != ">":
                position = _behind(text, {"<!--": "-->", "<?": "?>"}.get(mark, mark), position)
        return len(text)

    def element(self, start: int) -> Iterator[Event]:
        """Yield the tag at ``start``, and what follows it if that is not to be read as markup."""
        tag = self.tag(start)
        if tag is None:
            return
        if self.grammar is Grammar.XML or isinstance(tag, Comment):
            yield tag
            return
        name = tag.name.lower()
        raw = isinstance(tag, StartTag) and name in _RAW_TEXT and not self.in_drawing
        yield from self.follow(tag, name)
        yield tag
        if raw:
            match = _RAW_TEXT_END[name].search(self.text, tag.end)
            yield Text(tag.end, match.start() if match else len(self.text), literal=True)

    def tag(self, start: int) -> StartTag | EndTag | Comment | None:
        """Return the tag at ``start``, a comment if it only resembles one, nothing if the text ends in it."""
        text = self.text
        closing = text[start + 1] == "/"
        name_start = start + 2 if closing else start + 1
        if not _NAME_START[self.grammar].match(text, name_start):
            return Comment(start, _behind(text, ">", start))
        name_end = position = _skip(_NAME, text, name_start)
        attributes: dict[str, Attribute] = {}
        while True:
            gap_start, position = position, _skip(_GAP, text, position)
            if position == len(text):
                return None
            if text[position] == ">":
                break
            attribute, position = self.attribute(position)
            key = attribute.name.lower() if self.grammar is Grammar.HTML else attribute.name
            attributes.setdefault(key, attribute)
        name, end = text[name_start:name_end], position + 1
        if closing:
            return EndTag(start, end, name)
        return StartTag(start, end, name, tuple(attributes.values()), text.endswith("/", gap_start, position))

    def attribute(self, start: int) -> tuple[Attribute, int]:
        """Return the attribute at ``start`` and where the search for the next one goes on."""
        text = self.text
        match = _ATTRIBUTE.match(text, start)
        assert match is not None  # neither a blank nor a slash nor the end of the tag stands here
        name, name_end, value_start = match[1], match.end(1), match.end()
        if value_start == name_end:
            return Attribute(name, start, "", name_end, name_end), name_end
        if text.startswith(('"', "'"), value_start):
            end = _behind(text, text[value_start], value_start + 1)
            value_start, value_end = value_start + 1, max(end - 1, value_start + 1)
        else:
            value_end = end = _skip(_UNQUOTED, text, value_start)
        value = text[value_start:value_end]
        if "&" in value:
            value = decode(text, ((value_start, value_end, False),), self.grammar).text
        return Attribute(name, start, value, value_start, value_end), end

    @property
    def in_drawing(self) -> bool:
        """Whether the next tag is one of SVG; foreign content, as the HTML standard calls it."""
        return bool(self.open) and self.open[-1] == "svg"

    @property
    def in_paragraph(self) -> bool:
        """Whether a paragraph is open in the text of a drawing."""
        return bool(self.open) and self.open[-1] == "p"

    def follow(self, tag: StartTag | EndTag, name: str) -> Iterator[EndTag]:
        """Note what is open behind ``tag``; yield an end for each drawing that it closes by the way."""
        if self.in_paragraph and name != "p":
            if isinstance(tag, EndTag):
                return  # a paragraph in a drawing's text lets no end tag through to what is round it
            if _BREAKING_TAG.fullmatch(name):
                self.leave()
        if isinstance(tag, EndTag):
            if self.counts[name]:
                yield from self.close(tag.start, name)
                self.leave()
            elif name in ("br", "p") and self.in_drawing:
                yield from self.close(tag.start)
        elif self.in_drawing and _BREAKING_TAG.fullmatch(name):
            yield from self.close(tag.start)
        elif self.opens(name) and not tag.self_closing:
            self.open.append(name)
            self.counts[name] += 1

    def opens(self, name: str) -> bool:
        """Whether a start tag of ``name`` changes what is read as SVG, or keeps an end tag from doing so."""
        if name == "p":
            return bool(self.open) and not self.in_drawing and not self.in_paragraph
        return name == "svg" or (self.in_drawing and name in _INTEGRATION_POINTS)

    def leave(self) -> None:
        """Close the innermost of what is open."""
        self.counts[self.open.pop()] -= 1

    def close(self, position: int, name: str | None = None) -> Iterator[EndTag]:
        """Close what is open, the last first, up to an element of ``name`` or else out of the drawing."""
        while self.open and (self.open[-1] != name if name else self.in_drawing):
            if self.open[-1] == "svg":
                yield EndTag(position, position, "svg")
            self.leave()


def _skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _behind(text: str, mark: str, position: int) -> int:
    """Return where the next ``mark`` ends, or the text if there is none."""
    found = text.find(mark, position)
    return found + len(mark) if found >= 0 else len(text)


def decode(text: str, ranges: Iterable[tuple[int, int, bool]], grammar: Grammar) -> Passage:
    """Join ranges of ``text`` and decode their character references; (start, end, literal), as in ``Text``.

    Places of the passage are indices into ``text``. A name without semicolon is decoded only where nothing
    follows that could belong to it, as browsers do it in attributes (``?a=1&copy=2``). Of XML only its own
    five names are decoded: entities that the file declares stay as written.
    """
    parts: list[str] = []
    pieces: list[Piece] = []
    length = 0

    def add(part: str, start: int, end: int, verbatim: bool) -> None:
        nonlocal length
        if part:
            pieces.append(Piece(length, start, end, Style.PROSE, verbatim))
            parts.append(part)
            length += len(part)

    for start, end, literal in ranges:
        position = start
        for match in () if literal else _REFERENCE.finditer(text, start, end):
            character = _character(match, grammar)
            if character is not None:
                add(text[position : match.start()], position, match.start(), True)
                add(character, match.start(), match.end(), False)
                position = match.end()
        add(text[position:end], position, end, True)
    return Passage("".join(parts), tuple(pieces))


def _character(reference: re.Match[str], grammar: Grammar) -> str | None:
    """Return what a character reference stands for, or nothing if it is only text."""
    name = reference.group(1)
    closed = name.endswith(";")
    if grammar is Grammar.XML:
        if name.startswith("#"):
            return _numbered(name, grammar) if closed else None
        return _XML_NAMES.get(name)
    if name.startswith("#"):
        return _numbered(name, grammar)
    if not closed and reference.string.startswith("=", reference.end()):
        return None
    return html5.get(name)


def _numbered(name: str, grammar: Grammar) -> str:
    """Return the character of ``#65;`` or ``#x41;``; of a number that names none, U+FFFD."""
    digits = name.strip("#xX;").lstrip("0")
    if len(digits) > 7:  # Python refuses to read thousands of digits, and this is no character anyway
        return "\ufffd"
    if grammar is Grammar.HTML:
        return unescape(f"&{name.rstrip(';')};")
    number = int(digits or "0", 16 if "x" in name else 10)
    return chr(number) if 0 < number < 0xD800 or 0xDFFF < number <= sys.maxunicode else "\ufffd"


@lru_cache(maxsize=1)
def live_events(html: str) -> tuple[Event, ...]:
    """Return the events of raw HTML that become part of the page: what a ``<template>`` holds does not.

    Anchors, links and figures of a page are made of the same events, so the last answer is kept.
    """
    events = []
    depth = 0
    for event in scan(html, Grammar.HTML):
        if isinstance(event, EndTag) and event.name.lower() == "template":
            depth = max(depth - 1, 0)
        if depth == 0:
            events.append(event)
        if isinstance(event, StartTag) and event.name.lower() == "template":
            depth += 1
    return tuple(events)


def html_anchors(html: Passage, path: str) -> tuple[Anchor, ...]:
    """Return the anchors that raw HTML makes: the ``id`` of any element, the ``name`` of an ``<a>``.

    ``html`` is all raw HTML of the page at ``path`` in its order, drawings included.
    """
    anchors = []
    for tag in live_events(html.text):
        if isinstance(tag, StartTag):
            names = [tag.attribute("id"), tag.attribute("name") if tag.name.lower() == "a" else None]
            # One place that is named twice, for the sake of old browsers, is one anchor.
            for id_, found in {found.value: found for found in reversed(names) if found and found.value}.items():
                span = Span(path, *html.range(found.value_start, found.value_end))
                anchors.append(Anchor(span, id_, AnchorOrigin.HTML))
    return tuple(anchors)


# The attributes that hold where an element leads or what it shows; the first that it has counts. Scripts and
# style sheets are left out: they are put beside the pages by what builds and serves the book.
_DESTINATIONS = {
    "a": ("href", "xlink:href"),
    "area": ("href",),
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "image": ("href", "xlink:href"),
    "img": ("src",),
    "input": ("src",),
    "object": ("data",),
    "source": ("src",),
    "track": ("src",),
    "video": ("src",),
}
# What is shown too: a picture in the place of a film, and pictures to choose from (`a.png 1x, b.png 2x`).
_POSTER = "poster"
_CHOICES = "srcset"
_SHOWING = {"img": _CHOICES, "source": _CHOICES, "video": _POSTER}
_WHOLE = regex(r"(?P<address>\S(?:.*\S)?)", re.DOTALL)
_CHOICE = regex(r"(?P<address>[^\s,](?:\S*[^\s,])?)(?:,+(?=\s|$)|\s[^,]*|$)")


def html_links(html: Passage, path: str) -> tuple[Link, ...]:
    """Return the links of the raw HTML of the page at ``path``, those of drawings included.

    The ``span`` of an ``<a>`` includes its end tag, its ``label_span`` reaches from tag to tag. The label
    itself is empty: it may be Markdown, of which nothing is known here. What is shown, not linked to, is an
    ``image``.
    """
    links: list[Link] = []
    open_link: int | None = None  # the index of the <a> whose end tag has not come yet
    for tag in live_events(html.text):
        if not isinstance(tag, StartTag | EndTag):
            continue
        name = tag.name.lower()
        if isinstance(tag, EndTag):
            if name == "a" and open_link is not None:
                links[open_link] = _closed(links[open_link], *html.range(tag.start, tag.end))
                open_link = None
            continue
        link = _link(html, path, tag, name)
        if name == "a":
            open_link = len(links) if link and not tag.self_closing else None
        if link:
            links.append(link)
        if name in _SHOWING:
            links.extend(_shown(html, path, tag, _SHOWING[name]))
    return tuple(links)


def _link(html: Passage, path: str, tag: StartTag, name: str) -> Link | None:
    found = next(filter(None, map(tag.attribute, _DESTINATIONS.get(name, ()))), None)
    if found is None or not (destination := found.value.strip(_WHITE_SPACE)):
        return None
    written = html.text[found.value_start : found.value_end]
    start = found.value_end - len(written.lstrip(_WHITE_SPACE))
    end = found.value_start + len(written.rstrip(_WHITE_SPACE))
    return _html_link(html, path, tag, destination, start, end)


def _shown(html: Passage, path: str, tag: StartTag, name: str) -> Iterator[Link]:
    """Yield what a tag shows by its attribute ``name`` beside what it leads to."""
    found = tag.attribute(name)
    if found is None or len(found.value) != found.value_end - found.value_start:
        return  # of what is decoded, an address has no place of its own
    for choice in (_CHOICE if name == _CHOICES else _WHOLE).finditer(found.value):
        start, end = choice.span("address")
        yield _html_link(html, path, tag, choice["address"], found.value_start + start, found.value_start + end)


def _html_link(html: Passage, path: str, tag: StartTag, destination: str, start: int, end: int) -> Link:
    """Return the link of a tag to a destination that is written at ``start`` up to ``end``."""
    tag_start, tag_end = html.range(tag.start, tag.end)
    return Link(
        span=Span(path, tag_start, tag_end),
        form=LinkForm.HTML,
        destination=destination,
        destination_span=Span(path, *html.range(start, end)),
        label=EMPTY_PASSAGE,
        label_span=Span(path, tag_end, tag_end),
        image=tag.name.lower() not in ("a", "area"),
        in_math=False,
    )


def _closed(link: Link, start: int, end: int) -> Link:
    """Return ``link`` with the end tag that stands at ``start`` up to ``end`` of the source."""
    label_span = replace(link.label_span, end=max(start, link.label_span.start))
    return replace(link, span=replace(link.span, end=end), label_span=label_span)
