"""The list of drawings: what each defines and uses, and what is found wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from lintbook.text import display_width

if TYPE_CHECKING:
    from lintbook.book import Book
    from lintbook.diagnostic import Diagnostic
    from lintbook.facts import Document, Figure
    from lintbook.text import Span

_NOTHING = "-"


def render(book: Book, paths: Iterable[str], diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """Yield the lines that show the drawings of the files at ``paths``.

    Of each drawing there is one line for itself and below it one for each id: the element, where it is defined, where
    it is used, and the rules that find something wrong there. ``diagnostics`` are those about drawings.
    """
    found: dict[str, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        found.setdefault(diagnostic.span.path, []).append(diagnostic)
    for path in paths:
        document = book.document(path)
        for figure in document.facts.figures if document else ():
            assert document is not None
            yield from _drawing(document, figure, found.get(path, []))


def _drawing(document: Document, figure: Figure, diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    inside = [each for each in diagnostics if _holds(figure, each.span)]
    rows = [_row(document, figure, id_, inside) for id_ in _ids(figure)]
    of_ids = {each.span for each in figure.definitions} | {each.span for each in figure.uses}
    rules = sorted({each.rule for each in inside if each.span not in of_ids})
    line, column = document.source.position(figure.span.start)
    counts = f"{_counted(len(figure.definitions), 'definition')}, {_counted(len(figure.uses), 'use')}"
    yield f"{document.source.path}:{line}:{column}: {counts}{''.join(f', {rule}' for rule in rules)}"
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell + " " * (width - display_width(cell)) for cell, width in zip(row, widths, strict=True)]
        yield f"  {'  '.join(cells)}".rstrip()


def _holds(figure: Figure, span: Span) -> bool:
    return figure.span.start <= span.start < figure.span.end


def _ids(figure: Figure) -> list[str]:
    """Return the ids of a drawing, the defined ones first, each once."""
    return list(dict.fromkeys([*(each.id for each in figure.definitions), *(each.id for each in figure.uses)]))


def _row(document: Document, figure: Figure, id_: str, diagnostics: Sequence[Diagnostic]) -> tuple[str, ...]:
    definitions = [each for each in figure.definitions if each.id == id_]
    defined = [each.span for each in definitions]
    used = [each.span for each in figure.uses if each.id == id_]
    rules = sorted({each.rule for each in diagnostics if each.span in (*defined, *used)})
    return (
        id_,
        f"<{definitions[0].element}>" if definitions else _NOTHING,
        "defined " + _lines(document, defined),
        "used " + _lines(document, used),
        " ".join(rules),
    )


def _lines(document: Document, spans: Sequence[Span]) -> str:
    lines = dict.fromkeys(document.source.position(span.start).line for span in spans)
    return ",".join(map(str, lines)) or _NOTHING


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
