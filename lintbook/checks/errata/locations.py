"""What the location of an erratum names: files, boxes and sections of the book, and the text that they cover."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from posixpath import dirname, join, normpath, splitext
from typing import NamedTuple

from lintbook.book import Book, derived
from lintbook.facts import Box, BoxForm, Cell, Document, Erratum, Number, Reference, ReferenceForm
from lintbook.patterns import regex
from lintbook.site import Arrival
from lintbook.text import Span, Style
from lintbook.vocabulary import TASKS

# Files that a book is made of; others may stand in another repository.
_OWN_FILES = frozenset({".md", ".markdown", ".svg", ".html"})
# Lengths are bounded: no name is longer, and the search stays linear.
_ASCII_FILE = regex(
    r"[\w./%+-]{1,200}\.(?:md|markdown|svg|html)(?![\w.])(?:#[^\s，。、；,;)）]{1,200})?", re.ASCII | re.IGNORECASE
)
_ANY_FILE = regex(r"[^\s，。、；：,;:（）()“”「」]{1,200}\.(?:md|markdown|svg|html)(?![\w.])", re.IGNORECASE)
_LINES = regex(r"L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?")  # lines of a source, as a forge's addresses name them
_DOTTED = r"(?:\d+[A-Z]?|[A-Z])(?:\.\d+)+"
_BARE = regex(rf"\s*(?P<number>{_DOTTED})(?:\s*(?:[–—~～-]|至|到)\s*(?P<last>{_DOTTED}))?\s*")
_LIST = regex(r"[、,，;；/\n]|和|与|及|\band\b")

# What says that something has its name no longer, or had it in print: 原定义 2.1.9（现 2.1.8）, Theorem 2.4 → 2.5,
# Theorem 2.4 (1st printing).
_ORDINAL = r"(?:1st|2nd|3rd|[4-9]th|first|second|third|fourth|fifth|earlier|old|previous|original)"
_EDITION = (
    rf"(?:{_ORDINAL}\s+(?:printing|print|edition|ed\.|version)|第\s*[一二三四五\d]+\s*[版次]|[印纸][刷质]?[版本]|旧版)"
)
_BEFORE_NAME = regex(
    rf"(?:[原旧舊]|\b(?:former(?:ly)?|old|previous(?:ly)?|was)|\b(?:in\s+)?print(?:ed)?(?:\s+(?:version|edition))?\s*[:,]"
    rf"|{_EDITION}\s*[:：,，的中]?)[\s“\"'（(`]*$",
    re.IGNORECASE,
)
_BEHIND_NAME = regex(
    r"[\s”\"'`()（）\[\],，;；]*(?:→|⇒|[-=]>|改为|现为|现|now\b"
    r"|(?:was\s+|since\s+|is\s+)?(?:removed|deleted|dropped|withdrawn|gone|retired|merged|split|renumbered|renamed|moved)\b"
    rf"|[已被]{{0,2}}(?:删|移除|合并|并入|废|撤|拆分|改号)|(?:in\s+the\s+|of\s+the\s+)?{_EDITION}"
    r"|(?:in\s+the\s+)?print(?:ed)?\s+(?:version|edition)|(?:on\s+)?(?:pp?\.|page)\s*\d|第\s*\d+\s*页)",
    re.IGNORECASE,
)
_BESIDE = 30  # characters before a name

_DEEPEST = 6  # the level of headings that end the text of a box which is none itself


class Missing(NamedTuple):
    """Something that a location names and the book has not."""

    span: Span
    message: str
    cause: str


class Located(NamedTuple):
    """What a location names: the text it covers, what is missing, and whether it names anything to look up.

    ``boxes`` are the boxes that it names, ``paths`` the pages that it names by file.
    """

    regions: tuple[Span, ...]
    missing: tuple[Missing, ...]
    boxes: tuple[Box, ...]
    paths: tuple[str, ...]

    @property
    def names_something(self) -> bool:
        """Whether anything in the location could be looked up in the book."""
        return bool(self.regions or self.missing)


class Locations:
    """Looks locations up in a book."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._starts_by_path: dict[str, tuple[list[int], list[int]]] = {}

    # ── reading a cell ───────────────────────────────────────────────────────────────────────────────────

    def of(self, *cells: Cell) -> Located:
        """Return what the cells of a location name together."""
        missing: list[Missing] = []
        pages = list(self._pages_of(cells, missing))
        boxes = list(self._boxes_of(cells, pages, missing))
        regions = [self.box_region(box) for box in boxes]
        regions.extend(self._sections_of(cells, pages, missing))
        if not regions:
            regions = [page.source.span(0, len(page.source.text)) for page in pages]
        paths = tuple(dict.fromkeys(page.source.path for page in pages))
        return Located(tuple(regions), tuple(missing), tuple(boxes), paths)

    def _pages_of(self, cells: Sequence[Cell], missing: list[Missing]) -> Iterator[Document]:
        """Yield the pages that links and names of files lead to."""
        for cell in cells:
            yield from self._linked(cell)
            for span, name in files_in(cell):
                found = self._file(cell.span.path, name)
                if isinstance(found, str) and self._is_former(span):
                    continue
                if isinstance(found, str):
                    missing.append(Missing(span, found, f"missing file {name}"))
                else:
                    yield from found

    def _boxes_of(self, cells: Sequence[Cell], pages: list[Document], missing: list[Missing]) -> Iterator[Box]:
        for cell in cells:
            for reference in cell.references:
                for result in self._reference(reference, pages):
                    if isinstance(result, Missing):
                        missing.append(result)
                    else:
                        yield result

    def _sections_of(self, cells: Sequence[Cell], pages: list[Document], missing: list[Missing]) -> Iterator[Span]:
        for cell in cells:
            for span, number in _sections(cell):
                section = self._section(span, number, pages)
                if isinstance(section, Missing) and self._is_former(span):
                    continue
                if isinstance(section, Missing):
                    missing.append(section)
                elif section is not None:
                    yield section

    def _linked(self, cell: Cell) -> Iterator[Document]:
        """Yield the pages that links of the cell lead to; a link that leads nowhere is another rule's."""
        for link in cell.links:
            target = self._book.resolve(cell.span.path, link.destination)
            document = self._book.document(target.path) if target.arrival is Arrival.PAGE else None
            if document is not None:
                yield document

    # ── files ────────────────────────────────────────────────────────────────────────────────────────────

    def _file(self, path: str, written: str) -> list[Document] | str:
        """Return the pages that a name of a file means (none if the file is no page), or why there is no such file."""
        name, _, fragment = written.partition("#")
        paths = self.paths_named(path, name)
        documents = [document for each in paths if (document := self._book.document(each)) is not None]
        if not paths:
            return [] if self._is_elsewhere(name) else f"`{name}` is no file of the book"
        if _LINES.fullmatch(fragment):
            return documents
        if fragment and documents and not any(fragment in self._book.ids_on_page(d.source.path) for d in documents):
            return f"`{documents[0].source.path}` has no id `{fragment}`"
        return documents

    def paths_named(self, path: str, name: str) -> tuple[str, ...]:
        """Return the files that ``name`` may mean on the page at ``path``: beside it, at the top, or anywhere."""
        name = name.removeprefix("./")
        for folder in (dirname(path), self._book.source_root, self._book.root):
            candidate = normpath(join(folder, name))
            if self._book.document(candidate) is not None:
                return (candidate,)
        found = self._book.files_named(name)
        if not found and name.lower().endswith(".html"):
            return self._book.files_named(f"{splitext(name)[0]}.md")
        return found

    def _is_elsewhere(self, name: str) -> bool:
        """Whether a file that is not there need not be there: an old address, or a place out of the book."""
        if name.startswith(("../", "/")) or splitext(name)[1].lower() not in _OWN_FILES:
            return True
        stem = splitext(name)[0]
        sources = {redirect.source.partition("#")[0].strip("/") for redirect in self._book.redirects}
        return any(splitext(source)[0] == stem or splitext(source)[0].endswith(f"/{stem}") for source in sources)

    # ── boxes ────────────────────────────────────────────────────────────────────────────────────────────

    def _reference(self, reference: Reference, pages: list[Document]) -> Iterator[Box | Missing]:
        """Yield the boxes that a cross-reference names (the ends of a range), or that they are missing."""
        if reference.foreign or reference.form is ReferenceForm.SECTION or self._is_former(reference.span):
            return
        for number in filter(None, (reference.number, reference.last)):
            boxes = self.boxes(reference, number)
            here = [box for box in boxes if not pages or any(box.span.path == page.source.path for page in pages)]
            name = f"{reference.label}{'-' if reference.form is ReferenceForm.BRACKETED else ' '}{number}"
            if here:
                yield from here
            elif boxes:
                home, place = boxes[0].span.path, pages[0].source.path
                yield Missing(reference.span, f"`{name}` stands in `{home}`, not in `{place}`", f"{name} in {place}")
            elif self.declares(reference, number):
                yield Missing(reference.span, f"`{name}` is declared nowhere", f"{name}")

    def _is_former(self, span: Span) -> bool:
        """Whether the words beside a name say that it is an old one, or one of a printed edition."""
        document = self._book.document(span.path)
        assert document is not None
        text = document.source.text
        before = text[max(span.start - _BESIDE, 0) : span.start]
        return bool(_BEFORE_NAME.search(before) or _BEHIND_NAME.match(text, span.end))

    def boxes(self, reference: Reference, number: Number) -> list[Box]:
        """Return the boxes of that number and of a kind that the reference may mean; a part of a box counts as it."""
        return [
            box
            for box in self._by_number.get(number.parts, ())
            if self._is_kind(box.kind, reference)
            and (box.number.suffix == number.suffix or not (box.number.suffix and number.suffix))
        ]

    def declares(self, reference: Reference, number: Number) -> bool:
        """Return whether the book's silence about a box says that there is none: it declares others like it.

        Exercises may stand in another book altogether.
        """
        if reference.kind in TASKS:
            return False
        return any(
            self._is_kind(kind, reference) and depth == number.depth for kind, depth in self._kinds_and_depths
        ) and any(parts[0] == number.parts[0] and len(parts) == number.depth for parts in self._by_number)

    @staticmethod
    def _is_kind(kind: str, reference: Reference) -> bool:
        if reference.form is ReferenceForm.BRACKETED and reference.kind in ("example", "exercise"):
            return kind in ("example", "exercise")  # `EX-` stands for either
        return reference.kind in (kind, kind.rpartition(" ")[2])

    @cached_property
    def _by_number(self) -> dict[tuple[str, ...], list[Box]]:
        found: dict[tuple[str, ...], list[Box]] = defaultdict(list)
        for page in self._book.pages:
            for box in page.facts.boxes:
                found[box.number.parts].append(box)
        return found

    @cached_property
    def _kinds_and_depths(self) -> frozenset[tuple[str, int]]:
        return frozenset((box.kind, len(parts)) for parts, boxes in self._by_number.items() for box in boxes)

    # ── sections ─────────────────────────────────────────────────────────────────────────────────────────

    def _section(self, span: Span, number: Number, pages: list[Document]) -> Span | Missing | None:
        """Return the text of a section; None if the book does not say which sections it has."""
        found = self._headings.get(number.parts, [])
        here = [each for each in found if not pages or any(each[0] is page for page in pages)]
        if here:
            return self._section_region(*here[0])
        like = [parts for parts in self._headings if len(parts) == number.depth and parts[0] == number.parts[0]]
        if number.depth > 1 and not found and like:
            return Missing(span, f"the book has no section `{number}`", f"section {number}")
        return None

    @cached_property
    def _headings(self) -> dict[tuple[str, ...], list[tuple[Document, int]]]:
        """For each number of a section the headings that bear it: the page and which of its headings."""
        found: dict[tuple[str, ...], list[tuple[Document, int]]] = defaultdict(list)
        for page in self._book.pages:
            for index, heading in enumerate(page.facts.headings):
                if heading.number is not None:
                    found[heading.number.parts].append((page, index))
        return found

    # ── regions ──────────────────────────────────────────────────────────────────────────────────────────

    def _section_region(self, page: Document, index: int) -> Span:
        headings = page.facts.headings
        level = headings[index].level
        ends = (heading.span.start for heading in islice(headings, index + 1, None) if heading.level <= level)
        return page.source.span(headings[index].span.start, next(ends, len(page.source.text)))

    def box_region(self, box: Box) -> Span:
        """Return the text of a box: up to the next box, or the next heading that is not inside it."""
        page = self._book.document(box.span.path)
        assert page is not None
        start, headings = box.span.start, page.facts.headings
        boxes, starts = self._starts(page)
        end = len(page.source.text)
        following_box = bisect_right(boxes, start)
        next_box = boxes[following_box] if following_box < len(boxes) else end
        number = bisect_right(starts, start) - 1
        own = number >= 0 and start < headings[number].span.end
        level = headings[number].level if own else _DEEPEST
        following = (each.span.start for each in islice(headings, number + 1, None) if each.level <= level)
        return page.source.span(start, min(next_box, next(following, end)))

    def _starts(self, page: Document) -> tuple[list[int], list[int]]:
        """Return where the boxes of a page begin that show a number, and where its headings do."""
        path = page.source.path
        if path not in self._starts_by_path:
            hidden = (BoxForm.ANCHOR, BoxForm.EQUATION, BoxForm.CITED)
            boxes = sorted(box.span.start for box in page.facts.boxes if box.form not in hidden)
            self._starts_by_path[path] = boxes, [heading.span.start for heading in page.facts.headings]
        return self._starts_by_path[path]


@derived
def locations_in(book: Book) -> Locations:
    """Return what looks locations up in ``book``."""
    return Locations(book)


def files_in(cell: Cell) -> Iterator[tuple[Span, str]]:
    """Yield the names of files in a cell, in code or in prose, each with its place; those in links are none."""
    passage, text = cell.passage, cell.passage.text
    found: list[tuple[int, int, str]] = []
    for start, end, code in passage.code_spans():
        if splitext(code.partition("#")[0].strip())[1].lower() in _OWN_FILES:
            found.append((start, end, code.strip()))
    text = _without(text, found)
    for pattern in (_ASCII_FILE, _ANY_FILE):
        named = [(*match.span(), match.group()) for match in pattern.finditer(text)]
        found.extend(each for each in named if passage.style(each[0]) is not Style.MATH)
        text = _without(text, named)
    links = sorted((link.label_span.start, link.label_span.end) for link in cell.links)
    for start, end, name in found:
        place = passage.range(start, end)
        inside = bisect_right(links, (place[0] + 1,)) - 1
        if inside < 0 or place[0] >= links[inside][1]:
            yield Span(cell.span.path, *place), name


def _without(text: str, ranges: Iterable[tuple[int, int, str]]) -> str:
    """Return ``text`` with blanks for ``ranges``, which are in order."""
    parts: list[str] = []
    at = 0
    for start, end, _ in ranges:
        parts.extend((text[at:start], " " * (end - start)))
        at = end
    return "".join((*parts, text[at:]))


def _sections(cell: Cell) -> Iterator[tuple[Span, Number]]:
    """Yield the numbers of sections in a cell: named as such, or bare numbers that are all of it or of a list."""
    for reference in cell.references:
        if reference.form is ReferenceForm.SECTION and not reference.foreign:
            yield from ((reference.span, number) for number in (reference.number, reference.last) if number)
    passage, text = cell.passage, cell.passage.text
    taken = [(each.span.start, each.span.end) for each in cell.references]
    start = 0
    for separator in [*_LIST.finditer(text), None]:
        end = separator.start() if separator else len(text)
        match = _BARE.fullmatch(text, start, end)
        start = separator.end() if separator else end
        for name in ("number", "last") if match else ():
            if match and match[name] and passage.style(match.start(name)) is Style.PROSE:
                place = passage.range(*match.span(name))
                if not any(low <= place[0] < high for low, high in taken):
                    yield Span(cell.span.path, *place), Number.parse(match[name])


def errata_of(book: Book) -> Iterator[tuple[Document, Erratum]]:
    """Yield the errata of the book's current pages."""
    for document in book.current:
        for erratum in document.facts.errata:
            yield document, erratum
