"""Figures with places: the drawings of a page's raw HTML, and ``.svg`` files.

What refers to what is said by SVG 2 (https://www.w3.org/TR/SVG2/): properties that take a ``url(#id)``,
elements whose ``href`` names another element of the drawing, and the id lists of WAI-ARIA.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile
from urllib.parse import unquote

from lintbook.diagnostic import Trouble
from lintbook.facts import Definition, Facts, Figure, Use
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
    live_events,
    scan,
)
from lintbook.text import Passage, Piece, Source, Span, Style

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
_ID_LISTS = frozenset({"aria-describedby", "aria-labelledby"})
# An HTML parser gives these names their capitals back.
_CAPITALS = {name.lower(): name for name in _REFERRING_ELEMENTS}
_ADDRESS = re.compile(r"\A[\t\n\f\r ]*#([^\t\n\f\r ]+)")
_WORD = re.compile(r"[^\t\n\f\r ]+")
_ENTITY = re.compile(
    r"""<!--(?:.*?-->|.*+)
      | <!ENTITY\s++ (?:(?P<parameter>%)\s++)? (?P<name>[^\s"'%>]++) \s++
        (?P<value>SYSTEM|PUBLIC|"[^"]*+"|'[^']*+')""",
    re.DOTALL | re.VERBOSE,
)
_UNKNOWN_CONTENT = re.compile("SYSTEM|PUBLIC|.*?(?:<|&(?!#))", re.DOTALL)
_ENTITY_REFERENCE = re.compile(r"(&[^\s&;<>\"']++);")
_PARAMETER_REFERENCE = re.compile(r"(%[^\s%;<>\"']++);")


def inline_figures(html: Passage, path: str) -> tuple[Figure, ...]:
    """Return the drawings in the raw HTML of the page at ``path``, in its order.

    A drawing in a drawing belongs to it; one that is not closed lasts until a tag that belongs in none.
    """
    events = live_events(html.text)
    return tuple(_Reader(html, path, Grammar.HTML, "").figure(drawing) for drawing in _drawings(events))


def parse_svg(source: Source) -> Facts:
    """Return the facts of an ``.svg`` file: its drawing, or none if it is no drawing.

    Entities are never resolved. Of a file whose text they make up nothing is known, which is a trouble.
    """
    events = list(scan(source.text, Grammar.XML))
    trouble = _unresolved_entity(source, events)
    if trouble:
        return Facts(troubles=(trouble,))
    match list(dropwhile(lambda event: not isinstance(event, StartTag), events)):
        case [StartTag(name=root), *_] as drawing if root.rpartition(":")[2] == "svg":
            text = source.text
            whole = Passage(text, (Piece(0, 0, len(text), Style.PROSE, verbatim=True),))
            reader = _Reader(whole, source.path, Grammar.XML, root.removesuffix("svg"))
            return Facts(figures=(reader.figure(drawing),))
    return Facts()


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


class _Reader:
    """Reads one drawing. ``prefix`` is what the names of its elements begin with, as in ``<svg:use>``."""

    def __init__(self, text: Passage, path: str, grammar: Grammar, prefix: str) -> None:
        self.text = text
        self.path = path
        self.grammar = grammar
        self.prefix = prefix
        self.definitions: list[Definition] = []
        self.uses: list[Use] = []

    def figure(self, events: Sequence[Event]) -> Figure:
        """Return the figure that the events are, the first of which is its start tag."""
        sheets: list[list[Text]] = []
        in_sheet = False
        end = 0
        for event in events:
            if isinstance(event, StartTag):
                self.tag(event)
                if self.element(event) == "style" and not event.self_closing:
                    sheets.append([])
                    in_sheet = True
            elif isinstance(event, EndTag):
                in_sheet = in_sheet and self.element(event) != "style"
            elif isinstance(event, Text) and in_sheet:
                sheets[-1].append(event)
            if isinstance(event, StartTag | EndTag):
                end = event.end
        for sheet in sheets:
            passage = decode(self.text.text, sheet, self.grammar)
            self.use(passage, "style", _of_drawings(sheet_references(passage.text)))
        span = Span(self.path, *self.text.range(events[0].start, end))
        return Figure(span, tuple(self.definitions), tuple(sorted(self.uses, key=lambda use: use.span)))

    def element(self, tag: StartTag | EndTag) -> str:
        """Return the name of an element of SVG, or nothing if it is one of another language."""
        if self.grammar is Grammar.HTML:
            name = tag.name.lower()
            return _CAPITALS.get(name, name)
        prefix, colon, name = tag.name.rpartition(":")
        return name if prefix + colon == self.prefix else ""

    def tag(self, tag: StartTag) -> None:
        """Note what a start tag defines and uses."""
        element = self.element(tag)
        attributes = {
            found.name.lower() if self.grammar is Grammar.HTML else found.name: found for found in tag.attributes
        }
        if "href" in attributes:
            attributes.pop("xlink:href", None)  # the older spelling is ignored beside it (SVG 2, 16.1.5)
        for name, attribute in attributes.items():
            if name == "id" and attribute.value:
                span = self.place(self.value(attribute), 0, len(attribute.value))
                self.definitions.append(Definition(span, attribute.value, tag.name))
            elif references := _references(element, name, attribute.value):
                self.use(self.value(attribute), tag.name, references)

    def value(self, attribute: Attribute) -> Passage:
        """Return the value of an attribute with the places of its characters."""
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


def _references(element: str, name: str, value: str) -> Sequence[LocalReference]:
    """Return the references in the attribute ``name`` of an element of a drawing."""
    if name == "style":
        return _of_drawings(declaration_references(value))
    if name in _PRESENTATION:
        return value_references(value, name)
    if name in _ID_LISTS:
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
