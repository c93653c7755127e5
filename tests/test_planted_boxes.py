"""Faults planted by script into clean books: each is found, on the planted line, and the rest stays silent.

A fault may have consequences elsewhere: a box whose number was changed leaves its references dangling. What is said of
another line must speak of the planted one by its cause: of the old or the new number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from test_fixture_books import FIXTURES

from lintbook.book import Book
from lintbook.checks import RULES
from lintbook.checks.boxes.restating import is_companion
from lintbook.diagnostic import Finding
from lintbook.discovery import BookFiles, discover
from lintbook.facts import AnchorOrigin, Box, BoxForm, Document, Facts, Number, Reference
from lintbook.parse import parse_markdown
from lintbook.parse.project import parse_project
from lintbook.parse.summary import parse_summary
from lintbook.text import Source

JUDGED = [rule for rule in RULES if rule.code.startswith(("BOX", "REF"))]
CLEAN = ("lecture-2", "formal-notes", "shared-counters")


class Planted(NamedTuple):
    """A fault: what was done where, and the numbers that it may upset elsewhere.

    ``fits`` is a name that the fault may make right by chance: then there is nothing to find.
    """

    what: str
    path: str
    line: int
    text: str
    upset: frozenset[str]
    fits: tuple[str, Number] | None = None


class Pages:
    """A clean book that can be read again with one page changed."""

    def __init__(self, folder: Path) -> None:
        (self.files,) = (files for files in discover((".",), folder).books if files.project_file)
        self.documents: dict[str, Document] = {}
        for path in (*self.files.pages, *filter(None, [self.files.summary, self.files.project_file])):
            self.documents[path] = self._read(Source(path, (folder / path).read_bytes().decode("utf-8")))

    def _read(self, source: Source) -> Document:
        return Document(source, _facts(source, self.files))

    def book(self, path: str | None = None, text: str = "") -> Book:
        documents = dict(self.documents)
        if path is not None:
            documents[path] = self._read(Source(path, text))
        files = self.files
        return Book(
            documents.values(),
            dialect=files.dialect,
            root=files.root,
            source_root=files.source_root,
            project=files.project,
            project_file=files.project_file,
            summary=files.summary,
            exists=files.exists,
            paths=files.files,
        )


def _facts(source: Source, files: BookFiles) -> Facts:
    if source.path == files.summary:
        return parse_summary(source)
    if source.path == files.project_file:
        return parse_project(source)[1]
    return parse_markdown(source, files.dialect)


def findings(book: Book) -> list[tuple[str, int, str, Finding]]:
    """What the rules about boxes and references say: path, line, rule and finding."""
    found = []
    for rule in JUDGED:
        for result in rule.run(book):
            if isinstance(result, Finding):
                source = book.source(result.span.path)
                assert source is not None
                line = source.position(result.span.start).line
                found.append((result.span.path, line, rule.name, result))
    return found


# ── the planter ──────────────────────────────────────────────────────────────────────────────────────────


def _changed(document: Document, start: int, end: int, instead: str) -> tuple[int, str]:
    """The line of a change, and the page with it."""
    text = document.source.text
    return document.source.position(start).line, text[:start] + instead + text[end:]


def _next(number: Number, step: int) -> Number | None:
    last = number.parts[-1]
    return Number((*number.parts[:-1], str(int(last) + step))) if last.isdigit() and not number.suffix else None


def _boxes(document: Document) -> Iterator[Box]:
    for box in document.facts.boxes:
        if box.shown and box.form is not BoxForm.EQUATION and box.number.depth > 2 and not box.number.suffix:
            yield box


def change_number(document: Document) -> Iterator[Planted]:
    for box in _boxes(document):
        far = _next(box.number, 5)
        if far is not None:
            line, text = _changed(document, box.number_span.start, box.number_span.end, str(far))
            yield Planted("number changed", document.source.path, line, text, frozenset({str(box.number), str(far)}))


def change_anchor(document: Document) -> Iterator[Planted]:
    for box in _boxes(document):
        far = _next(box.number, 5)
        if box.anchor is not None and far is not None and str(box.number) in box.anchor.id:
            start = box.anchor.span.start
            wrong = box.anchor.id.replace(str(box.number), str(far))
            line, text = _changed(document, start, box.anchor.span.end, wrong)
            yield Planted("anchor changed", document.source.path, line, text, frozenset({str(box.number), str(far)}))


def move_box(document: Document) -> Iterator[Planted]:
    """Put the first paragraph of a box behind the next heading of a section."""
    text = document.source.text
    sections = [heading for heading in document.facts.headings if heading.number and heading.number.depth > 1]
    for box in _boxes(document):
        if box.form is BoxForm.HTML or box.form is BoxForm.QUOTATION:
            continue
        prefix = ".".join(box.number.parts[:-1])
        later = [
            each
            for each in sections
            if each.span.start > box.span.end and not str(each.number).startswith(prefix) and each.level <= 2
        ]
        if not later:
            continue
        line_start = text.rfind("\n", 0, box.span.start) + 1
        behind = text.find("\n", box.span.end) + 1
        target = text.find("\n", later[0].span.end) + 1
        moved = text[:line_start] + text[behind:target] + "\n" + text[line_start:behind] + text[target:]
        line = moved[: target - (behind - line_start) + 1].count("\n") + 1
        yield Planted("box moved", document.source.path, line, moved, frozenset({str(box.number)}))


def shift_reference(document: Document) -> Iterator[Planted]:
    """Raise the number of a reference by one."""
    for reference in _references(document):
        far = _next(reference.number, 1)
        if reference.last is None and far is not None:
            yield from _rewritten(document, reference, reference.number, far, "reference shifted")


def lengthen_range(document: Document) -> Iterator[Planted]:
    for reference in _references(document):
        far = _next(reference.last, 9) if reference.last else None
        if reference.last is not None and far is not None:
            yield from _rewritten(document, reference, reference.last, far, "range lengthened")


def _references(document: Document) -> Iterator[Reference]:
    for reference in document.facts.references:
        if not reference.foreign and reference.number.depth > 1:
            yield reference


def _rewritten(document: Document, reference: Reference, old: Number, new: Number, what: str) -> Iterator[Planted]:
    text = document.source.text[reference.span.start : reference.span.end]
    place = text.rfind(str(old))
    if place >= 0:
        start = reference.span.start + place
        line, changed = _changed(document, start, start + len(str(old)), str(new))
        yield Planted(what, document.source.path, line, changed, frozenset({str(new)}), (reference.kind, new))


KINDS = {"定义": "定理", "定理": "定义", "引理": "定理", "Definition": "Theorem", "Theorem": "Definition", "例": "定义"}


def swap_kind(document: Document) -> Iterator[Planted]:
    """Call a box another kind than its anchor does."""
    for box in _boxes(document):
        # An id in an element above is on a line of its own.
        if box.anchor is not None and box.label in KINDS and box.anchor.origin is not AnchorOrigin.HTML:
            start = box.span.start
            line, text = _changed(document, start, start + len(box.label), KINDS[box.label])
            yield Planted("kind swapped", document.source.path, line, text, frozenset({str(box.number)}))


def open_fence(document: Document) -> Iterator[Planted]:
    """Put a fence in front of a box."""
    for box in _boxes(document):
        if box.form in (BoxForm.HEADING, BoxForm.STRONG):
            start = document.source.text.rfind("\n", 0, box.span.start) + 1
            line, text = _changed(document, start, start, "```\n")
            swallowed = {str(each.number) for each in document.facts.boxes}
            yield Planted("fence opened", document.source.path, line, text, frozenset(swallowed))


PLANTERS: tuple[Callable[[Document], Iterator[Planted]], ...] = (
    change_number,
    change_anchor,
    move_box,
    shift_reference,
    lengthen_range,
    swap_kind,
    open_fence,
)


def planted(pages: Pages, planter: Callable[[Document], Iterator[Planted]]) -> Iterator[Planted]:
    """Plant into the live pages; a summary, which takes up what others declare, is left alone."""
    book = pages.book()
    names = {(box.kind, box.number) for box in book.boxes}
    for document in book.live_pages:
        names |= {("section", section.number) for section in book.sections(document.source.path)}
    for document in book.live_pages:
        if not is_companion(document):
            yield from (fault for fault in planter(document) if fault.fits not in names)


@pytest.fixture(scope="module", params=CLEAN)
def pages(request: pytest.FixtureRequest) -> Pages:
    return Pages(FIXTURES / "books" / request.param)


def test_the_books_are_silent_before(pages: Pages) -> None:
    assert findings(pages.book()) == []


@pytest.mark.parametrize("planter", PLANTERS, ids=lambda planter: planter.__name__)
def test_planted_faults_are_found_where_they_are(
    pages: Pages, planter: Callable[[Document], Iterator[Planted]]
) -> None:
    total, lost, strays = 0, [], []
    for fault in planted(pages, planter):
        total += 1
        said = findings(pages.book(fault.path, fault.text))
        if not any((path, line) == (fault.path, fault.line) for path, line, _, _ in said):
            lost.append(_told(fault, said))
        strays.extend(
            _told(fault, [each])
            for each in said
            if (each[0], each[1]) != (fault.path, fault.line) and not _is_consequence(fault, each[3])
        )
    assert len(lost) * 50 <= total, lost
    assert strays == []


def _told(fault: Planted, said: list[tuple[str, int, str, Finding]]) -> str:
    heard = Counter(f"{path}:{line} {rule}: {finding.message}" for path, line, rule, finding in said)
    return f"{fault.what} {fault.path}:{fault.line}: {dict(heard)}"


def _is_consequence(fault: Planted, finding: Finding) -> bool:
    """Whether a finding elsewhere names what the fault upset."""
    return any(re.search(rf"(?<![\d.]){re.escape(number)}(?!\.?\d)", finding.message) for number in fault.upset)


def test_every_kind_of_fault_is_planted_often_enough() -> None:
    books = [Pages(FIXTURES / "books" / name) for name in CLEAN]
    counts = {planter.__name__: sum(1 for pages in books for _ in planted(pages, planter)) for planter in PLANTERS}
    assert min(counts.values()) >= 5, counts
