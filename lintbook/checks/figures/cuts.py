"""Drawings that the renderer cuts."""

from __future__ import annotations

from collections.abc import Iterator

from lintbook.book import Book
from lintbook.diagnostic import Edit, Finding, Fix, Severity
from lintbook.dialect import Dialect
from lintbook.facts import Cut, Document, Figure
from lintbook.rule import book_rule
from lintbook.text import Source, Span

_BY_MARKDOWN = frozenset({"code", "em", "img", "strong", "sup"})
_ADVICE = "keep the drawing in one piece: its start tag alone on a line, no comment before it, no blank line in it"


@book_rule("FIG005", Severity.ERROR)
def broken_inline_svg(book: Book) -> Iterator[Finding]:
    """A blank line, a comment or a tag ends a drawing before its end tag."""
    for document in book.current:
        for figure in document.facts.figures:
            if figure.cut is not None:
                fix = _joined(document, figure, book.dialect)
                yield Finding(
                    figure.cut.span,
                    _message(document.source, figure.cut),
                    fix=fix,
                    advice=None if fix else _ADVICE,
                )


def _message(source: Source, cut: Cut) -> str:
    if not cut.element:
        return f"the renderer takes `<{cut.first}` for text, not for a tag of the drawing"
    lost = f"`<{cut.first}>`" if cut.first else "text"
    if cut.lost > 1:
        lost += f" and {cut.lost - 1} more element{'s' if cut.lost > 2 else ''}"
    falls = "fall out of it" if cut.lost > 1 else "falls out of it"
    if cut.written:
        return f"`<{cut.element}>` ends the drawing, for it is no element of SVG"
    if cut.element in _BY_MARKDOWN or (cut.element == "br" and not is_blank(source, cut.span)):
        return f"the renderer makes a `<{cut.element}>` here, which ends the drawing: {lost} {falls}"
    where = "at this blank line" if is_blank(source, cut.span) else "at this line"
    if cut.element == "pre":
        return f"the drawing ends {where}: the reader sees the source of {lost} as code"
    return f"the drawing ends {where}: {lost} {falls}"


def is_blank(source: Source, span: Span) -> bool:
    """Return whether nothing stands at a place but marks of quotations."""
    return not source.text[span.start : span.end].strip(" \t>")


def _joined(document: Document, figure: Figure, dialect: Dialect) -> Fix | None:
    """Take all blank lines out of a drawing, if that makes it whole."""
    source = document.source
    first, last = source.position(figure.span.start).line, source.position(figure.span.end).line
    blank = [line for line in range(first + 1, last) if not source.line_text(line).strip(" \t>")]
    written = source.text[figure.span.start : figure.span.end].lower()
    if not blank or "<foreignobject" in written:  # there, a blank line turns Markdown on
        return None
    if not _is_whole_without(source, figure, set(blank), dialect):
        return None
    edits = tuple(Edit(source.span(source.line_starts[line - 1], source.line_starts[line]), "") for line in blank)
    lines = "the blank line" if len(blank) == 1 else f"the {len(blank)} blank lines"
    return Fix(f"remove {lines} in this drawing", edits, safe=True)


def _is_whole_without(source: Source, figure: Figure, blank: set[int], dialect: Dialect) -> bool:
    """Whether the renderer leaves a drawing whole once the ``blank`` lines are gone: the block is read again."""
    from lintbook.parse import parse_markdown  # seldom needed where facts come from the cache

    first, last = source.position(figure.span.start).line, source.position(figure.span.end).line
    column = source.position(figure.span.start).column - 1
    while first > 1 and source.line_text(first - 1).strip(" \t>"):
        first -= 1  # what the block begins with decides how it is read
    lines = [source.line_text(line) for line in range(first, last + 1) if line not in blank]
    # Marks of a list or quotation would be read otherwise without the lines that opened it.
    if all(not line[:column].strip(" \t>") for line in lines[1:]):
        lines = [line[column:] for line in lines]
    again = parse_markdown(Source(source.path, "\n".join(lines) + "\n"), dialect).figures
    return len(again) > 0 and all(each.cut is None for each in again)
