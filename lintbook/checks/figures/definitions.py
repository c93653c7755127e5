"""Definitions that clash, and definitions that nothing needs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintbook.book import Book
from lintbook.checks.figures.page import Drawing, DrawnPage, Named, drawn_pages, line_of
from lintbook.diagnostic import Edit, Finding, Fix, Related, Severity
from lintbook.facts import Definition, Document
from lintbook.patterns import regex
from lintbook.rule import book_rule
from lintbook.text import Span

_LINE_START = regex(r"^[ \t>]+", re.MULTILINE)
_SCRIPT = regex(r"<script\b", re.IGNORECASE)
# What programs say of themselves that write more definitions than a drawing needs: Mermaid, Excalidraw.
_GENERATED = regex(r"aria-roledescription=|\bid=[\"']mermaid-|<!--\s*svg-source:excalidraw", re.IGNORECASE)
_HEAD = 2000  # characters at the beginning of a drawing


@book_rule("FIG004", Severity.ERROR)
def duplicate_svg_id(book: Book) -> Iterator[Finding]:
    """One id is defined twice in the inline drawings of a page, and a browser takes the first for both."""
    seen: set[Span] = set()
    for page in drawn_pages(book):
        for id_, names in page.names.items():
            inline = [named for named in names if named.drawing is not None]
            for other in inline[1:]:
                if other.span not in seen:
                    seen.add(other.span)
                    yield _clash(page, id_, inline[0], other)


def _clash(page: DrawnPage, id_: str, first: Named, other: Named) -> Finding:
    assert first.drawing is not None and other.drawing is not None
    line = line_of(first.drawing.document, first.span)
    equal = content(first) == content(other)
    uses = sum(use.id == id_ for use in other.drawing.figure.uses)
    if equal:
        effect = "with equal content"
    elif uses:
        effect = "and what uses it here gets the first"
    else:
        effect = "and nothing here uses it"
    return Finding(
        other.span,
        f"`{id_}` is defined a second time, first on line {line}, {effect}",
        related=(Related(first.span, f"the first `{id_}`"),),
        fix=_renamed(page, id_, first, other),
        cause=f"{page.path}: {id_}",
        mild=equal or not uses,
    )


def content(named: Named) -> str:
    """Return the text of a definition, for comparing: white space and marks of quotations are made alike."""
    assert named.definition is not None and named.drawing is not None
    extent = named.definition.extent
    text = named.drawing.document.source.text[extent.start : extent.end]
    return " ".join(_LINE_START.sub("", text).split())


def _renamed(page: DrawnPage, id_: str, first: Named, other: Named) -> Fix | None:
    """Give the later definition another id, and so all its uses; none if the id stands elsewhere in the drawing."""
    assert other.drawing is not None
    drawing = other.drawing
    if drawing is first.drawing:
        return None
    figure, text = drawing.figure, drawing.document.source.text
    spans = [other.span, *(use.span for use in figure.uses if use.id == id_)]
    whole = text[figure.span.start : figure.span.end]
    mentions = len(re.findall(rf"(?<![\w-]){re.escape(id_)}(?![\w-])", whole))
    if mentions != len(spans) or any(text[span.start : span.end] != id_ for span in spans):
        return None
    new = next(name for number in range(2, len(page.names) + 3) if (name := f"{id_}-{number}") not in page.names)
    return Fix(f"call it `{new}` in this drawing", tuple(Edit(span, new) for span in sorted(spans)), safe=True)


@book_rule("FIG007", Severity.INFO)
def unused_svg_definition(book: Book) -> Iterator[Finding]:
    """A marker, gradient or other definition is used nowhere on its page."""
    seen: set[Span] = set()
    for page in drawn_pages(book):
        used = {use.id for drawing in page.drawings for use in drawing.figure.uses}
        for drawing in page.drawings:
            if _is_sheet_of_symbols(drawing) or _is_generated(drawing):
                continue
            for definition in drawing.figure.definitions:
                if not definition.resource or definition.id in used or definition.span in seen:
                    continue
                if not _is_mentioned(page, definition):
                    seen.add(definition.span)
                    cause = f"{page.path}: drawing {drawing.number}: definitions"
                    yield Finding(definition.span, f"`{definition.id}` is used nowhere", cause=cause)


def _is_sheet_of_symbols(drawing: Drawing) -> bool:
    """Whether a file holds symbols for other files to take, and shows nothing itself."""
    return not drawing.figure.draws and drawing.document.source.path.lower().endswith(".svg")


def _is_generated(drawing: Drawing) -> bool:
    """Whether a program wrote a drawing and all its definitions, so that none is left over from an author's work."""
    span = drawing.figure.span
    return _GENERATED.search(drawing.document.source.text, span.start, min(span.end, span.start + _HEAD)) is not None


def _is_mentioned(page: DrawnPage, definition: Definition) -> bool:
    """Whether a style rule, a link or a script may mean an id; of scripts is not known what they do."""
    mention = re.compile(rf"#{re.escape(definition.id)}(?![\w-])")
    documents: dict[str, Document] = {each.document.source.path: each.document for each in page.drawings}
    return any(
        mention.search(document.source.text) or _SCRIPT.search(document.source.text) for document in documents.values()
    )
