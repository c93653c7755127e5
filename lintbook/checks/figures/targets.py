"""References of drawings that arrive at the wrong place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping

from lintbook.book import Book
from lintbook.checks.figures.page import Drawing, DrawnPage, Named, drawn_pages, line_of
from lintbook.diagnostic import Finding, Related, Severity
from lintbook.facts import NAMING_ATTRIBUTES, Definition, Use
from lintbook.rule import book_rule
from lintbook.text import Span

_GRADIENTS = frozenset({"linearGradient", "radialGradient", "meshgradient"})
_PAINTS = _GRADIENTS | {"hatch", "pattern", "solidcolor"}
_PATHS = frozenset({"circle", "ellipse", "line", "path", "polygon", "polyline", "rect"})
_MARKER = ("a `<marker>`", frozenset({"marker"}))
_PAINT = ("a gradient or pattern", _PAINTS)
_MASK = ("a `<mask>`", frozenset({"mask"}))
_CLIP = ("a `<clipPath>`", frozenset({"clipPath"}))
_FILTER = ("a `<filter>`", frozenset({"filter"}))
_GRADIENT = ("another gradient", _GRADIENTS)
# What each property takes, in words and by name.
_BY_PROPERTY = {
    "marker": _MARKER,
    "marker-end": _MARKER,
    "marker-mid": _MARKER,
    "marker-start": _MARKER,
    "fill": _PAINT,
    "stroke": _PAINT,
    "mask": _MASK,
    "clip-path": _CLIP,
    "-webkit-clip-path": _CLIP,
    "filter": _FILTER,
    "backdrop-filter": _FILTER,
}
# What `href` of each element takes.
_BY_ELEMENT = {
    "linearGradient": _GRADIENT,
    "radialGradient": _GRADIENT,
    "pattern": ("another pattern", frozenset({"pattern"})),
    "filter": ("another filter", frozenset({"filter"})),
    "textPath": ("a path", _PATHS),
    "mpath": ("a path", _PATHS),
}
# Elements of which `<use>` shows nothing.
_SHOWN_BY_NO_USE = (_PAINTS - {"solidcolor"}) | {
    *("clipPath", "cursor", "defs", "desc", "filter", "marker", "mask", "metadata", "script", "style", "title"),
}
_ADDRESSES = frozenset({"href", "xlink:href"})


@book_rule("FIG002", Severity.WARNING)
def mistyped_svg_reference(book: Book) -> Iterator[Finding]:
    """A drawing uses an id whose element is of the wrong kind, or is the one that uses it."""
    seen: set[Span] = set()
    for page in drawn_pages(book):
        circular = _circular(page)
        for drawing in page.drawings:
            for use in drawing.figure.uses:
                target = page.first(use.id)
                if target is None or use.span in seen:
                    continue
                problem = circular.get(use.span) or _mismatch(use, target)
                if problem:
                    seen.add(use.span)
                    cause = f"{page.path}: drawing {drawing.number}: {use.attribute} {use.id}"
                    yield Finding(use.span, problem, related=_related(use, target), cause=cause)


def _mismatch(use: Use, target: Named) -> str | None:
    """Say why an element is not what a use needs, if so."""
    what = f"`<{use.element}>`" if use.attribute in _ADDRESSES else f"`{use.attribute}`"
    if use.attribute in NAMING_ATTRIBUTES:
        return None
    takes = _BY_ELEMENT.get(use.element) if use.attribute in _ADDRESSES else _BY_PROPERTY.get(use.attribute)
    if target.definition is None:
        if takes is None and use.element != "use":
            return None
        needed = takes[0] if takes else "an element of a drawing"
        return f"{what} takes {needed}, and the first `{use.id}` of the page is none"
    element = target.definition.element
    if takes is not None and element not in takes[1]:
        return f"{what} takes {takes[0]}, and `{use.id}` is a `<{element}>`"
    if takes is None and use.element == "use" and element in _SHOWN_BY_NO_USE:
        return f"{what} shows nothing of `{use.id}`, which is a `<{element}>`"
    return None


def _related(use: Use, target: Named) -> tuple[Related, ...]:
    return (Related(target.span, f"`{use.id}` stands here"),)


def _circular(page: DrawnPage) -> Mapping[Span, str]:
    """Return the uses that close a circle, each with what is to be said of it."""
    circles: dict[Span, str] = {}
    edges: dict[Definition, list[tuple[Definition, Use | None]]] = {}
    for drawing in page.drawings:
        nest = _Nest(drawing.figure.definitions)
        for inner, outer in nest.parents():
            if not inner.resource:  # what stands in <defs> is not drawn with what is round it
                edges.setdefault(outer, []).append((inner, None))
        for use in drawing.figure.uses:
            target = page.first(use.id)
            if target is None or target.definition is None or not _draws(use):
                continue
            if nest.holds(target.definition, use.span):
                circles[use.span] = f"`{use.id}` is used inside itself"
            elif (owner := nest.innermost(use.span)) is not None:
                edges.setdefault(owner, []).append((target.definition, use))
    for use in _closing(edges):
        circles.setdefault(use.span, f"`{use.id}` leads back to the element that uses it here")
    return circles


def _draws(use: Use) -> bool:
    """Whether a use draws what it refers to, so that a circle of such uses has no end."""
    return use.attribute in _BY_PROPERTY or (
        use.attribute in _ADDRESSES and use.element in ("use", "pattern", "filter", *_GRADIENTS)
    )


class _Nest:
    """The definitions of one drawing, which stand in one another."""

    def __init__(self, definitions: tuple[Definition, ...]) -> None:
        self._definitions = sorted(definitions, key=lambda each: (each.extent.start, -each.extent.end))
        self._starts = [each.extent.start for each in self._definitions]
        self._outer: list[int | None] = []
        waiting: list[int] = []
        for number, definition in enumerate(self._definitions):
            while waiting and self._definitions[waiting[-1]].extent.end <= definition.extent.start:
                waiting.pop()
            self._outer.append(waiting[-1] if waiting else None)
            waiting.append(number)

    def parents(self) -> Iterator[tuple[Definition, Definition]]:
        """Yield each definition that stands in another, with that."""
        for definition, outer in zip(self._definitions, self._outer, strict=True):
            if outer is not None:
                yield definition, self._definitions[outer]

    def innermost(self, span: Span) -> Definition | None:
        """Return the innermost definition round a place."""
        number: int | None = bisect_right(self._starts, span.start) - 1
        while number is not None and number >= 0:
            if self.holds(self._definitions[number], span):
                return self._definitions[number]
            number = self._outer[number]
        return None

    @staticmethod
    def holds(definition: Definition, span: Span) -> bool:
        """Return whether a place stands in a definition."""
        extent = definition.extent
        return extent.path == span.path and extent.start <= span.start < extent.end


def _closing(edges: Mapping[Definition, list[tuple[Definition, Use | None]]]) -> Iterator[Use]:
    """Yield a use of each circle that a walk along the edges comes upon."""
    done: set[Definition] = set()
    for start in edges:
        if start in done:
            continue
        path: dict[Definition, Use | None] = {start: None}
        waiting = [(start, iter(edges[start]))]
        while waiting:
            here, rest = waiting[-1]
            step = next(rest, None)
            if step is None:
                waiting.pop()
                path.pop(here)
                done.add(here)
            elif step[0] in path:
                closing = step[1] or _last_use(path, step[0])
                if closing is not None:
                    yield closing
            elif step[0] not in done:
                path[step[0]] = step[1]
                waiting.append((step[0], iter(edges.get(step[0], ()))))


def _last_use(path: Mapping[Definition, Use | None], start: Definition) -> Use | None:
    """Return the last use on the way from ``start``, where the circle closes by an element standing in another."""
    for definition in reversed(list(path)):
        if path[definition] is not None or definition == start:
            return path[definition]
    return None


@book_rule("FIG003", Severity.WARNING)
def borrowed_svg_reference(book: Book) -> Iterator[Finding]:
    """A drawing uses what another drawing of the page defines, one that draws something itself."""
    seen: set[Span] = set()
    for page in drawn_pages(book):
        for drawing in page.drawings:
            own = {definition.id for definition in drawing.figure.definitions}
            for use in drawing.figure.uses:
                target = page.first(use.id)
                if use.id in own or use.span in seen or not _is_borrowed(use, target, drawing):
                    continue
                assert target is not None and target.drawing is not None
                seen.add(use.span)
                yield _borrowed(page, drawing, use, target)


def _is_borrowed(use: Use, target: Named | None, drawing: Drawing) -> bool:
    if target is None or target.drawing is None or use.attribute in NAMING_ATTRIBUTES:
        return False
    return target.drawing is not drawing and target.drawing.figure.draws


def _borrowed(page: DrawnPage, drawing: Drawing, use: Use, target: Named) -> Finding:
    assert target.drawing is not None
    line = line_of(target.drawing.document, target.span)
    return Finding(
        use.span,
        f"`{use.id}` is defined in another drawing, on line {line}, and gone when that drawing is",
        related=(Related(target.span, f"`{use.id}` is defined here"),),
        cause=f"{page.path}: drawing {drawing.number}: {use.id}",
        advice="copy the definition into the `<defs>` of this drawing, under an id of its own",
    )
