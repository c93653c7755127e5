"""Missing definitions, copied from elsewhere in the book or from the author's palette."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from lintbook.book import Book
from lintbook.diagnostic import Edit, Fix
from lintbook.facts import Definition, Document, Figure, Use
from lintbook.patterns import regex
from lintbook.text import Source, Span

RESOURCES = {
    "clip-path": "clipPath",
    "filter": "filter",
    "marker": "marker",
    "marker-end": "marker",
    "marker-mid": "marker",
    "marker-start": "marker",
    "mask": "mask",
}
"""The element that a property takes, where it can only be one."""

_PAINTS = frozenset({"linearGradient", "pattern", "radialGradient"})
_LINE_BREAK = regex(r"\s*[\r\n][\s>]*")
_NOT_A_MARK = regex(r"[^\s>]")


class Copies:
    """The definitions that may be copied into a drawing: those of the ``palette`` by id, and those of the book."""

    def __init__(self, book: Book, palette: Mapping[str, str]) -> None:
        self._book = book
        self._palette = palette

    @cached_property
    def _texts(self) -> Mapping[tuple[str, str], Counter[str]]:
        """How often each text stands for an id and an element."""
        found: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for document in self._book.current:
            for figure in document.facts.figures:
                for definition in figure.definitions:
                    if definition.resource and not any(_holds(definition, use.span) for use in figure.uses):
                        found[definition.id, definition.element][_in_one_line(document, definition)] += 1
        return found

    def _candidates(self, use: Use) -> Iterator[str]:
        """Yield the texts that define what a use needs, the commonest first."""
        if use.id in self._palette:
            yield " ".join(self._palette[use.id].split())
            return
        elements = {RESOURCES[use.attribute]} if use.attribute in RESOURCES else set[str]()
        if use.attribute in ("fill", "stroke"):
            elements = set(_PAINTS)
        texts: Counter[str] = Counter()
        for element in sorted(elements):
            texts.update(self._texts.get((use.id, element), Counter()))
        yield from (text for text, _ in sorted(texts.items(), key=lambda item: (-item[1], item[0])))

    def fix(self, document: Document, figure: Figure, use: Use, *, only: bool) -> Fix | None:
        """Return the repair that puts the missing definition of a use into its drawing, if there is one to copy.

        It is safe if there is but one text to copy and no ``only`` speaks against: no id that may be meant instead.
        """
        texts = list(self._candidates(use))
        if not texts or figure.cut is not None:
            return None
        title = f"copy `{use.id}` into the `<defs>` of this drawing"
        return Fix(title, (_insertion(document.source, figure, texts[0]),), safe=only and len(texts) == 1)


def _holds(definition: Definition, span: Span) -> bool:
    return definition.extent.start <= span.start < definition.extent.end


def _in_one_line(document: Document, definition: Definition) -> str:
    """Return the text of a definition with its line breaks, and what marks its containers, taken out."""
    return _LINE_BREAK.sub(" ", document.source.text[definition.extent.start : definition.extent.end])


def _insertion(source: Source, figure: Figure, definition: str) -> Edit:
    """Put a definition behind the start tag of ``<defs>``, or with new ``<defs>`` behind that of the drawing.

    Where the tag ends its line, the definition gets a line of its own: Markdown may need the tag to stand alone.
    """
    tag = figure.defs or figure.head
    text = definition if figure.defs else f"<defs>{definition}</defs>"
    line = source.position(tag.end - 1).line
    end = source.line_end(line)
    if source.text[tag.end : end].strip():
        return Edit(source.span(tag.end, tag.end), text)
    first = source.line_starts[source.position(tag.start).line - 1]
    marks = _NOT_A_MARK.sub(" ", source.text[first : tag.start])
    start = source.line_starts[line] if line < len(source.line_starts) else len(source.text)
    return Edit(source.span(end, end), f"{source.text[end:start] or chr(10)}{marks}  {text}")
