"""What a rule sees of a rendered page: its drawings, and which element each id names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from lintbook.book import Book, derived
from lintbook.dialect import Dialect
from lintbook.facts import Definition, Document, Figure
from lintbook.text import Span


class Drawing(Struct, frozen=True, eq=False):
    """A drawing on a page, which may stand in included text; ``number`` counts the drawings of the page from one."""

    document: Document
    figure: Figure
    number: int


class Named(Struct, frozen=True):
    """What an id names: a place that is no element of a drawing, or a ``definition`` in a ``drawing``."""

    span: Span
    definition: Definition | None = None
    drawing: Drawing | None = None


class DrawnPage:
    """A page with drawings, or an ``.svg`` file: all text that is rendered there, in its order."""

    def __init__(self, book: Book, path: str) -> None:
        self.path = path
        self._book = book
        self._stretches = book.stretches(path)

    @cached_property
    def drawings(self) -> tuple[Drawing, ...]:
        """The drawings of the page."""
        found = [
            (stretch.document, figure)
            for stretch in self._stretches
            for figure in stretch.document.facts.figures
            if stretch.holds(figure.span)
        ]
        return tuple(Drawing(document, figure, number) for number, (document, figure) in enumerate(found, 1))

    @cached_property
    def names(self) -> dict[str, tuple[Named, ...]]:
        """For each id what it names, in the order of the page: a browser takes the first."""
        places: dict[Span, tuple[str, Named]] = {}
        # Which renderer makes ids of the headings of a tree without project file is not known.
        made = self._book.ids(self.path)
        if self._book.dialect is Dialect.GITHUB:
            made = self._book.written_ids(self.path)
        for each in made:
            places[each.span] = (each.id, Named(each.span))
        for drawing in self.drawings:
            for definition in drawing.figure.definitions:
                places[definition.span] = (definition.id, Named(definition.span, definition, drawing))
        found: dict[str, list[Named]] = defaultdict(list)
        for _, (id_, named) in sorted(places.items(), key=lambda item: self._order(item[0])):
            found[id_].append(named)
        return {id_: tuple(names) for id_, names in found.items()}

    def _order(self, span: Span) -> tuple[int, int]:
        if len(self._stretches) == 1:
            return 0, span.start
        number = next((number for number, stretch in enumerate(self._stretches) if stretch.holds(span)), 0)
        return number, span.start

    def first(self, id_: str) -> Named | None:
        """Return what an id names for a browser."""
        names = self.names.get(id_)
        return names[0] if names else None


@derived
def drawn_pages(book: Book) -> tuple[DrawnPage, ...]:
    """Return every page and file that shows drawings, apart from retired pages."""
    return tuple(_drawn_pages(book))


def _drawn_pages(book: Book) -> Iterator[DrawnPage]:
    for document in book.current:
        path = document.source.path
        if (document.facts.figures or document.facts.includes) and path in book.hosts(path):
            page = DrawnPage(book, path)
            if page.drawings:
                yield page


def line_of(document: Document, span: Span) -> int:
    """Return the line on which a place of ``document`` stands."""
    return document.source.position(span.start).line
