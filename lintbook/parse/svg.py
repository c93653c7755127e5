"""Figures with places: the drawings of a page's raw HTML, and ``.svg`` files.

What refers to what is said by SVG 2 (https://www.w3.org/TR/SVG2/): properties that take a ``url(#id)``,
elements whose ``href`` names another element of the drawing, and the id lists of WAI-ARIA.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile
from typing import NamedTuple
from urllib.parse import unquote

from msgspec.structs import replace

from lintbook.diagnostic import Trouble
from lintbook.dialect import Dialect
from lintbook.facts import NAMING_ATTRIBUTES, Cut, Definition, Facts, Figure, Malformation, Use
from lintbook.parse.blocks import Reading
from lintbook.parse.css import (
    LocalReference,
    declaration_references,
    sheet_references,
    value_references,
)
from lintbook.parse.markup import (
    Attribute,
    Comment,
    Doctype,
    EndTag,
    Event,
    Grammar,
    StartTag,
    Text,
    decode,
    scan,
)
from lintbook.parse.suppressions import drawing_suppressions
from lintbook.parse.written import written_drawings
from lintbook.patterns import regex
from lintbook.text import BYTE_ORDER_MARK, Passage, Piece, Source, Span, Style

_PRESENTATION = frozenset(
    {
        "clip-path",
        "cursor",
        "fill",
        "filter",
        "marker",
        "marker-end",
        "marker-mid",
        "marker-start",
        "mask",
        "stroke",
    }
)
# Properties that style sheets know beside them; browsers took some of these over with a prefix.
_PROPERTIES = _PRESENTATION | {
    "backdrop-filter",
    "mask-image",
    "offset-path",
    "shape-inside",
    "shape-subtract",
    "-webkit-clip-path",
    "-webkit-filter",
    "-webkit-mask",
    "-webkit-mask-image",
}
_REFERRING_ELEMENTS = frozenset(
    {
        "animate",
        "animateMotion",
        "animateTransform",
        "discard",
        "feImage",
        "filter",
        "linearGradient",
        "mpath",
        "pattern",
        "radialGradient",
        "set",
        "textPath",
        "tref",
        "use",
    }
)
# An HTML parser gives names their capitals back (HTML standard, 13.2.6.5).
_CAPITALS = {
    name.lower(): name
    for name in (
        *("altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform"),
        *("clipPath", "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix"),
        *("feDiffuseLighting", "feDisplacementMap", "feDistantLight", "feDropShadow", "feFlood", "feFuncA"),
        *("feFuncB", "feFuncG", "feFuncR", "feGaussianBlur", "feImage", "feMerge", "feMergeNode"),
        *("feMorphology", "feOffset", "fePointLight", "feSpecularLighting", "feSpotLight", "feTile"),
        *("feTurbulence", "foreignObject", "glyphRef", "linearGradient", "radialGradient", "textPath"),
    )
}
_INTEGRATION_POINTS = frozenset({"desc", "foreignObject", "title"})
_SHAPES = frozenset(
    {
        *("circle", "ellipse", "foreignObject", "image", "line", "path", "polygon", "polyline", "rect"),
        *("text", "use"),
    }
)
# Elements that are drawn only where they are used.
_RESOURCES = frozenset(
    {
        *("clipPath", "cursor", "filter", "linearGradient", "marker", "mask", "pattern", "radialGradient", "symbol"),
    }
)
# Elements of ``<defs>`` that nothing refers to by their ids: fonts are found by name, the rest by where it stands.
_UNREFERENCED = frozenset({"desc", "font", "font-face", "metadata", "script", "style", "title"})
_UNDRAWN = _RESOURCES | {"defs", "desc", "metadata", "script", "style", "title"}
_NO_SIZE = regex(r"\s*0+(?:\.0*)?(?:[a-z]+|%)?\s*", re.IGNORECASE)
_NO_DISPLAY = regex(r"display\s*:\s*none", re.IGNORECASE)
_POINTER = "version https://git-lfs.github.com/spec/"
# No drawing that somebody keeps in a book has more; to read them would take many seconds.
_MOST_TAGS = 400_000
_CHUNK = 2**16  # bytes that lxml is given at a time
# What libxml2 refuses to read, be it well formed or not.
_REFUSED = regex(r"resource limit|excessive|huge|too long|too big|maximum", re.IGNORECASE)
_CROSSED = regex(r"Opening and ending tag mismatch: (\S+) line \d+ and (\S+)")
# What libxml2 says of the usual slips, the sign that each is about, and what is said instead.
_EXPLANATIONS = (
    (regex(r"StartTag: invalid element name"), "<", "`<` begins no tag: in text it is `&lt;`"),
    (regex(r"(?:xmlParse)?EntityRef: "), "&", "`&` begins no entity: in text it is `&amp;`"),
    (regex(r"Entity '(.*)' not defined"), "&", r"the entity `&\1;` is not known in SVG"),
    (regex(r"Attribute (\S+) redefined"), r"\1", r"the attribute `\1` stands twice"),
    (regex(r"Document is empty|Start tag expected"), "\0", "this is no XML: it does not begin with a tag"),
)
_LXML_PLACE = regex(r",? line \d+, column \d+.*\Z", re.DOTALL)
_ADDRESS = regex(r"\A[\t\n\f\r ]*#([^\t\n\f\r ]+)")
_WORD = regex(r"[^\t\n\f\r ]+")
_ENTITY = regex(
    r"""<!--(?:.*?-->|.*+)
      | <!ENTITY\s++ (?:(?P<parameter>%)\s++)? (?P<name>[^\s"'%>]++) \s++
        (?P<value>SYSTEM|PUBLIC|"[^"]*+"|'[^']*+')""",
    re.DOTALL | re.VERBOSE,
)
_UNKNOWN_CONTENT = regex("SYSTEM|PUBLIC|.*?(?:<|&(?!#))", re.DOTALL)
_ENTITY_REFERENCE = regex(r"(&[^\s&;<>\"']++);")
_PARAMETER_REFERENCE = regex(r"(%[^\s%;<>\"']++);")


class Drawings(NamedTuple):
    """The drawings of a page, and where they are not well formed."""

    figures: tuple[Figure, ...]
    malformations: tuple[Malformation, ...]


def inline_drawings(source: Source, reading: Reading, dialect: Dialect) -> Drawings:
    """Return the drawings in the raw HTML of a page, in its order.

    A drawing in a drawing belongs to it. Each is read as it is written, from its start tag to the end tag that
    matches; that ``dialect`` ends it earlier is its ``cut``. One that is never closed is read as far as it gets.
    """
    figures: list[Figure] = []
    malformations: list[Malformation] = []
    for drawing in written_drawings(source, reading, dialect):
        reader = _Reader(drawing.text, source.path, Grammar.HTML, "")
        figure = reader.figure(drawing.events, drawing.cut)
        if figure.cut is not None:
            figure = replace(figure, cut=replace(figure.cut, blanks=_needless_blanks(source, figure, dialect)))
        figures.append(figure)
        if drawing.cut is None or not drawing.cut.written:  # a tag that breaks out leaves all open
            malformations.extend(reader.malformations)
    return Drawings(tuple(sorted(figures, key=lambda figure: figure.span)), tuple(malformations))


def _needless_blanks(source: Source, figure: Figure, dialect: Dialect) -> tuple[Span, ...]:
    """Return the blank lines of a drawing, of which there are some, if the renderer leaves it whole without them."""
    first, last = source.position(figure.span.start).line, source.position(figure.span.end).line
    blank = [line for line in range(first + 1, last) if not source.line_text(line).strip(" \t>")]
    written = source.text[figure.span.start : figure.span.end].lower()
    if not blank or "<foreignobject" in written:  # there, a blank line turns Markdown on
        return ()
    if not _is_whole_without(source, figure, set(blank), dialect):
        return ()
    return tuple(source.span(source.line_starts[line - 1], source.line_starts[line]) for line in blank)


def _is_whole_without(source: Source, figure: Figure, blank: set[int], dialect: Dialect) -> bool:
    """Whether the renderer leaves a drawing whole once the ``blank`` lines are gone: the block is read again."""
    from lintbook.parse.markdown import read

    first, last = source.position(figure.span.start).line, source.position(figure.span.end).line
    column = source.position(figure.span.start).column - 1
    while first > 1 and source.line_text(first - 1).strip(" \t>"):
        first -= 1  # what the block begins with decides how it is read
    lines = [source.line_text(line) for line in range(first, last + 1) if line not in blank]
    # Marks of a list or quotation would be read otherwise without the lines that opened it.
    if all(not line[:column].strip(" \t>") for line in lines[1:]):
        lines = [line[column:] for line in lines]
    block = Source(source.path, "\n".join(lines) + "\n")
    again = inline_drawings(block, read(block, dialect), dialect).figures
    return len(again) > 0 and all(each.cut is None for each in again)


def parse_svg(source: Source) -> Facts:
    """Return the facts of an ``.svg`` file: its drawing, or none if it is no drawing, and where it is malformed.

    Entities are never resolved. Of a file whose text they make up nothing is known, which is a trouble.
    """
    if source.text.startswith(_POINTER):
        return Facts(troubles=(Trouble(source.path, "is not checked: Git LFS has only left a pointer to the drawing"),))
    if source.text.count("<") > _MOST_TAGS:
        malformations, troubles = _judged(source, ())
        trouble = Trouble(source.path, f"what it defines and uses is not checked: it has more than {_MOST_TAGS:,} tags")
        return Facts(malformations=malformations, troubles=(*troubles, trouble))
    events = list(scan(source.text, Grammar.XML))
    unresolved = _unresolved_entity(source, events)
    if unresolved:
        return Facts(troubles=(unresolved,))
    malformations, troubles = _judged(source, events)
    text = source.text
    whole = Passage(text, (Piece(0, 0, len(text), Style.PROSE, verbatim=True),))
    suppressions = drawing_suppressions(source, whole)
    match list(dropwhile(lambda event: not isinstance(event, StartTag), events)):
        case [StartTag(name=root), *_] as drawing if root.rpartition(":")[2] == "svg":
            reader = _Reader(whole, source.path, Grammar.XML, root.removesuffix("svg"))
            figures: tuple[Figure, ...] = (reader.figure(drawing),)
        case _:
            figures = ()
    return Facts(figures=figures, malformations=malformations, suppressions=suppressions, troubles=troubles)


def _judged(source: Source, events: Sequence[Event]) -> tuple[tuple[Malformation, ...], tuple[Trouble, ...]]:
    """Let lxml say where a file is not well formed, or why it will not read it; prefixes are judged here."""
    from lxml import etree

    # A target builds no tree. Nothing is fetched and no entity resolved; what is huge is refused.
    parser = etree.XMLParser(
        target=_Nothing(),  # type: ignore[arg-type]  # a target needs no more than this
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    # Lines are counted as in a source, where a lone carriage return ends one.
    text = source.text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
    data = text.encode("utf-8")
    try:
        for start in range(0, len(data), _CHUNK):
            parser.feed(data[start : start + _CHUNK])
        parser.close()
    except etree.XMLSyntaxError as error:
        said = _LXML_PLACE.sub("", error.msg or "it cannot be read")
        if _REFUSED.search(said):
            return (), (Trouble(source.path, "is not checked for being well formed: a text in it is too long"),)
        return (_malformation(source, events, said, error.lineno or 1, error.offset or 0),), ()
    return tuple(_undeclared_prefixes(source, events)), ()


class _Nothing:
    """A target that keeps nothing of what a parser reads."""

    def close(self) -> None:
        """Have no result."""


def _malformation(source: Source, events: Sequence[Event], said: str, line: int, behind: int) -> Malformation:
    """Return what lxml ``said``, at what it means; lxml names the line and how much of it was read.

    Of tags that do not pair up it names but the end, and of a file that ends too early the end of that.
    """
    start = source.line_starts[min(line, len(source.line_starts)) - 1]
    offset = min(start + behind, len(source.text))
    if match := _CROSSED.match(said):
        tag = next((each for each in events if isinstance(each, EndTag) and each.start < offset <= each.end), None)
        if tag is not None:
            return Malformation(source.span(tag.start, tag.end), f"`</{tag.name}>` stands where `<{match[1]}>` is open")
    if said.startswith("Premature end") and (unclosed := _never_closed(events)) is not None:
        span = source.span(unclosed.start, unclosed.start + 1 + len(unclosed.name))
        return Malformation(span, f"`<{unclosed.name}>` is never closed")
    for pattern, sign, problem in _EXPLANATIONS:
        if match := pattern.match(said):
            found = source.text.rfind(match.expand(sign), start, offset)
            place = source.span(found, found + 1) if found >= 0 else source.span(offset, offset)
            return Malformation(place, match.expand(problem))
    return Malformation(source.span(offset, min(offset + 1, len(source.text))), said[:1].lower() + said[1:].rstrip("."))


def _never_closed(events: Sequence[Event]) -> StartTag | None:
    """Return the innermost start tag that is open at the end of a file."""
    waiting: list[StartTag] = []
    for event in events:
        if isinstance(event, StartTag) and not event.self_closing:
            waiting.append(event)
        elif isinstance(event, EndTag) and waiting:
            waiting.pop()
    return waiting[-1] if waiting else None


def _undeclared_prefixes(source: Source, events: Sequence[Event]) -> Iterator[Malformation]:
    """Yield each prefix that is declared nowhere above its first use, for which browsers refuse a file as well."""
    waiting: list[tuple[str, ...]] = []
    declared: Counter[str] = Counter({"xml": 1, "xmlns": 1})
    seen: set[str] = set()
    for event in events:
        if isinstance(event, EndTag) and waiting:
            declared.subtract(waiting.pop())
        if not isinstance(event, StartTag):
            continue
        new = tuple(each.name[6:] for each in event.attributes if each.name.startswith("xmlns:"))
        declared.update(new)
        names = [(event.start + 1, event.name), *((each.start, each.name) for each in event.attributes)]
        for start, name in names:
            prefix, colon, _ = name.partition(":")
            if colon and not declared[prefix] and prefix not in seen:
                seen.add(prefix)
                span = source.span(start, start + len(prefix))
                yield Malformation(span, f'the prefix `{prefix}` is not declared by `xmlns:{prefix}="…"`')
        if event.self_closing:
            declared.subtract(new)
        else:
            waiting.append(new)


class _Open:
    """An element whose end has not come yet."""

    __slots__ = ("definition", "hidden", "holds", "name", "tag")

    def __init__(self, tag: StartTag, name: str, definition: int | None, hidden: bool) -> None:
        self.tag = tag
        self.name = name
        self.definition = definition  # its index among the definitions, if it has an id
        self.hidden = hidden  # whether what it holds is not drawn
        self.holds = False


class _Reader:
    """Reads one drawing. ``prefix`` is what the names of its elements begin with, as in ``<svg:use>``."""

    def __init__(self, text: Passage, path: str, grammar: Grammar, prefix: str) -> None:
        self.text = text
        self.path = path
        self.grammar = grammar
        self.prefix = prefix
        self.definitions: list[Definition] = []
        self.uses: list[Use] = []
        self.malformations: list[Malformation] = []
        self.open: list[_Open] = []
        self.counts: Counter[str] = Counter()  # how often each name is in ``open``, which may be long
        self.draws = False
        self.defs: Span | None = None
        self.sheets: list[list[Text]] = []

    def figure(self, events: Sequence[Event], cut: Cut | None = None) -> Figure:
        """Return the figure that the events are, the first of which is its start tag."""
        end = 0
        for event in events:
            if isinstance(event, StartTag):
                self.start(event)
            elif isinstance(event, EndTag):
                self.end(event)
            elif isinstance(event, Text) and self.open and self.open[-1].name == "style":
                self.sheets[-1].append(event)
            if isinstance(event, StartTag | EndTag):
                end = event.end
        while self.open:
            self.close(end, closed=False)
        for sheet in self.sheets:
            passage = decode(self.text.text, sheet, self.grammar)
            self.use(passage, "style", _of_drawings(sheet_references(passage.text)))
        head = events[0]
        assert isinstance(head, StartTag)
        return Figure(
            span=self.span(head.start, end),
            definitions=tuple(self.definitions),
            uses=tuple(sorted(self.uses, key=lambda use: use.span)),
            head=self.span(head.start, head.end),
            defs=self.defs,
            draws=self.draws and not _is_hidden(head),
            cut=cut,
        )

    def span(self, start: int, end: int) -> Span:
        """Return the place of a range of the text."""
        return Span(self.path, *self.text.range(start, end))

    def element(self, tag: StartTag | EndTag) -> str:
        """Return the name of an element of SVG, or nothing if it is one of another language."""
        if self.grammar is Grammar.HTML:
            name = tag.name.lower()
            return _CAPITALS.get(name, name)
        prefix, colon, name = tag.name.rpartition(":")
        return name if prefix + colon == self.prefix else ""

    def start(self, tag: StartTag) -> None:
        """Note what a start tag defines, uses and draws."""
        element = self.element(tag)
        around = self.open[-1] if self.open else None
        foreign = around is not None and around.name in _INTEGRATION_POINTS and self.grammar is Grammar.HTML
        hidden = around is not None and around.hidden
        if around is not None:
            around.holds = True
        self.draws = self.draws or (element in _SHAPES and not hidden)
        if element == "defs" and self.defs is None and not tag.self_closing:
            self.defs = self.span(tag.start, tag.end)
        definition = self.attributes(tag, element, resource=element in _RESOURCES or self.is_for_use(element))
        if tag.self_closing or (foreign and element != "svg"):
            return  # what HTML there is in a drawing has rules of its own
        self.open.append(_Open(tag, element, definition, hidden or element in _UNDRAWN))
        self.counts[element] += 1
        if element == "style":
            self.sheets.append([])

    def is_for_use(self, element: str) -> bool:
        """Whether ``element``, the next one, stands in ``<defs>`` to be used, and is no note of an editor (``x:y``)."""
        is_drawn = bool(element) and ":" not in element and element not in _UNREFERENCED
        return is_drawn and bool(self.open) and self.open[-1].name == "defs"

    def end(self, tag: EndTag) -> None:
        """Close the element that an end tag closes, and what was left open in it."""
        name = self.element(tag)
        if not self.counts[name]:
            return
        while self.open[-1].name != name:
            self.close(tag.start, closed=False)
        self.close(tag.end, closed=tag.end > tag.start)

    def close(self, position: int, *, closed: bool) -> None:
        """Close the innermost element, which ends at ``position``; ``closed`` if by an end tag of its own."""
        last = self.open.pop()
        self.counts[last.name] -= 1
        if last.definition is not None:
            found = self.definitions[last.definition]
            extent = replace(found.extent, end=self.text.range(last.tag.start, position)[1])
            self.definitions[last.definition] = replace(found, extent=extent)
        # XML is lxml's to judge. In HTML what an element holds by mistake alone is lost.
        if self.grammar is Grammar.HTML and not closed and (last.holds or not self.open):
            span = self.span(last.tag.start, last.tag.start + 1 + len(last.tag.name))
            self.malformations.append(Malformation(span, f"`<{last.tag.name}>` is never closed"))

    def attributes(self, tag: StartTag, element: str, resource: bool) -> int | None:
        """Note what the attributes of a tag use and define; return the index of the definition."""
        attributes = {
            found.name.lower() if self.grammar is Grammar.HTML else found.name: found for found in tag.attributes
        }
        if "href" in attributes:
            attributes.pop("xlink:href", None)  # the older spelling is ignored beside it (SVG 2, 16.1.5)
        definition = None
        for name, attribute in attributes.items():
            if name == "id" and attribute.value:
                span = self.place(self.value(attribute), 0, len(attribute.value))
                definition = len(self.definitions)
                extent = self.span(tag.start, tag.end)
                self.definitions.append(Definition(span, attribute.value, element or tag.name, extent, resource))
            elif references := _references(element, name, attribute.value):
                self.use(self.value(attribute), element or tag.name, references)
        return definition

    def value(self, attribute: Attribute) -> Passage:
        """Return the value of an attribute with the places of its characters."""
        if attribute.value_end - attribute.value_start == len(attribute.value):  # then nothing in it was decoded
            piece = Piece(0, attribute.value_start, attribute.value_end, Style.PROSE, verbatim=True)
            return Passage(attribute.value, (piece,))
        written = (attribute.value_start, attribute.value_end, False)
        return decode(self.text.text, (written,), self.grammar)

    def use(self, value: Passage, element: str, references: Iterable[LocalReference]) -> None:
        """Note the references that stand in ``value``."""
        for reference in references:
            id_ = unquote(reference.fragment)
            if id_ and "(" not in id_:  # `#svgView(…)` and `#xpointer(…)` are no ids
                span = self.place(value, reference.start, reference.end)
                self.uses.append(Use(span, id_, element, reference.property))

    def place(self, value: Passage, start: int, end: int) -> Span:
        """Return where the characters ``start`` up to ``end`` of a decoded value stand in the file."""
        return Span(self.path, *self.text.range(*value.range(start, end)))


def _is_hidden(head: StartTag) -> bool:
    """Whether a drawing takes no room or is not displayed, so that it can only hold definitions."""
    sizes = (head.attribute("width"), head.attribute("height"))
    style, display = head.attribute("style"), head.attribute("display")
    return (
        head.attribute("hidden") is not None
        or any(size is not None and _NO_SIZE.fullmatch(size.value) for size in sizes)
        or (style is not None and _NO_DISPLAY.search(style.value) is not None)
        or (display is not None and display.value.strip() == "none")
    )


def _references(element: str, name: str, value: str) -> Sequence[LocalReference]:
    """Return the references in the attribute ``name`` of an element of a drawing."""
    if name == "style":
        return _of_drawings(declaration_references(value))
    if name in _PRESENTATION:
        return value_references(value, name)
    if name in NAMING_ATTRIBUTES:
        return [LocalReference(name, word.group(), *word.span()) for word in _WORD.finditer(value)]
    if name in ("href", "xlink:href") and element in _REFERRING_ELEMENTS:
        return [LocalReference(name, match[1], *match.span(1)) for match in _ADDRESS.finditer(value)]
    return ()


def _of_drawings(references: Iterable[LocalReference]) -> Sequence[LocalReference]:
    return [reference for reference in references if reference.property in _PROPERTIES]


def _unresolved_entity(source: Source, events: Iterable[Event]) -> Trouble | None:
    """Return the first entity that is used though it is external, holds markup or is made of others."""
    unknown: set[str] = set()
    for event in events:
        references = _ENTITY_REFERENCE
        if isinstance(event, Doctype):
            references = _PARAMETER_REFERENCE
            for entity in _ENTITY.finditer(source.text, event.start, event.end):
                if entity["name"] and _UNKNOWN_CONTENT.match(entity["value"]):
                    unknown.add((entity["parameter"] or "&") + entity["name"])
        elif isinstance(event, Comment) or (isinstance(event, Text) and event.literal):
            continue
        for match in references.finditer(source.text, event.start, event.end) if unknown else ():
            if match[1] in unknown:
                message = f"the entity `{match[0]}` is not resolved, so this drawing is not checked"
                return Trouble(source.path, message, *source.position(match.start()))
    return None
