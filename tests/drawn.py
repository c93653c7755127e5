"""The independent witness of drawings: what real renderers write, read as a browser would, by html5lib."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import html5lib
from mdbook import build

from lintbook.facts import Figure
from lintbook.text import Source

_SVG = "{http://www.w3.org/2000/svg}"
# What stands in these is HTML again.
_FOREIGN = {f"{_SVG}desc", f"{_SVG}foreignObject", f"{_SVG}title"}


def built(book: Path, folder: Path) -> Path | None:
    """Build a copy of a book with the real mdBook, which creates missing chapters; return where the pages are.

    None of a book whose SUMMARY.md mdBook refuses, as it should that of a fixture about such faults.
    """
    copy, out = folder / "copy", folder / "out"
    shutil.copytree(book, copy)
    done = build(copy, out)
    if "Summary parsing failed" in done.stderr:
        return None
    assert done.returncode == 0, done.stderr
    return out


def drawings_of(html: str) -> list[list[str]]:
    """The drawings of a page as an HTML parser reads it: the names of the elements of SVG and all words in each."""
    tree = html5lib.parse(html, namespaceHTMLElements=False)
    main = tree.find(".//main")
    return [sorted(_inside(drawing)) for drawing in _outermost(tree if main is None else main)]


def _outermost(element: Any) -> Iterator[Any]:
    for child in element:
        if child.tag == f"{_SVG}svg":
            yield child
        else:
            yield from _outermost(child)


def _inside(element: Any) -> Iterator[str]:
    yield element.tag.replace(_SVG, "<").lower()
    if element.tag in _FOREIGN:
        return
    yield from (element.text or "").split()
    for child in element:
        if isinstance(child.tag, str) and child.tag.startswith(_SVG):
            yield from _inside(child)
        yield from (child.tail or "").split()


def written(source: Source, figure: Figure) -> list[str]:
    """The same of a drawing as its author meant it, by the same parser: without a tag that ends it by mistake."""
    text = source.text[figure.span.start : figure.span.end]
    if figure.cut is not None and figure.cut.written:
        text = source.text[figure.span.start : source.text.index("</svg>", figure.span.start)]
        text = re.sub(rf"</?{figure.cut.element}\b[^>]*>", " ", text)
    unmarked = re.sub(r"^[ \t>]+", "", text, flags=re.MULTILINE)
    return drawings_of(f"<main>{unmarked}</main>")[0]
