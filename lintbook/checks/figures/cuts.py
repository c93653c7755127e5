"""Drawings that the renderer cuts."""

from __future__ import annotations

from collections.abc import Iterator

from lintbook.book import Book
from lintbook.diagnostic import Edit, Finding, Fix, Severity
from lintbook.facts import Cut
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
                fix = _joined(figure.cut)
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


def _joined(cut: Cut) -> Fix | None:
    """Take all blank lines out of a drawing, if that makes it whole."""
    if not cut.blanks:
        return None
    lines = "the blank line" if len(cut.blanks) == 1 else f"the {len(cut.blanks)} blank lines"
    return Fix(f"remove {lines} in this drawing", tuple(Edit(span, "") for span in cut.blanks), safe=True)
