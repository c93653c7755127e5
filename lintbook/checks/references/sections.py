"""Cross-references to sections, chapters, lectures and appendices that are not in the book."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from posixpath import dirname
from typing import NamedTuple

from lintbook.book import Book
from lintbook.checks.references.numbers import members, shown, spoken
from lintbook.diagnostic import Finding, Severity, Unchecked
from lintbook.facts import Document, Number, Reference, ReferenceForm
from lintbook.parse.numbering import section_number
from lintbook.rule import book_rule

FOREIGN = "references to another work"
UNNUMBERED = "references to sections of chapters that do not number them so"
PLANNED = "references to chapters that are planned"

# What follows a chapter that is announced: its title.
_TITLED = re.compile(r"\**\s*(?:[—–:：-]|\.\s+[A-Z]|[《「“(（])\s*\**\s*[^\W\d]")
# A chapter that is named more often than this is not there yet; by a slip it is named seldom.
_SELDOM = 3


@book_rule("REF002", Severity.WARNING)
def dangling_section_reference(book: Book) -> Iterator[Finding | Unchecked]:
    """A cross-reference names a section, chapter, lecture or appendix that is not in the book."""
    numbered = _Numbered(book)
    missing = list(_missing(book, numbered))
    named = Counter((each.volume, each.lost[0].parts[0]) for each in missing if each.lost[0].depth == 1)
    for each in missing:
        reference, chapter = each.reference, (each.volume, each.lost[0].parts[0])
        if reference.foreign:
            yield Unchecked(FOREIGN)
        elif each.lost[0].depth == 1 and (chapter in numbered.announced or named[chapter] > _SELDOM):
            yield Unchecked(PLANNED)
        elif not numbered.tells(each):
            yield Unchecked(UNNUMBERED)
        else:
            yield _finding(numbered, each)


class _Missing(NamedTuple):
    """A reference with the numbers that the book does not have, and how many others of its page it does."""

    reference: Reference
    lost: list[Number]
    volume: int
    shelf: str
    found: int
    others: int


def _missing(book: Book, numbered: _Numbered) -> Iterator[_Missing]:
    for document in book.live_pages:
        path = document.source.path
        references = [each for each in spoken(document) if each.form is ReferenceForm.SECTION]
        lost = [
            (each, [number for number in members(each) if not numbered.has(path, each, number)]) for each in references
        ]
        found = Counter(bool(each.label) for each, numbers in lost if not numbers and not each.foreign)
        others = Counter(
            form
            for form, _ in {(bool(each.label), numbers[0]) for each, numbers in lost if numbers and not each.foreign}
        )
        for each, numbers in lost:
            if numbers:
                form = bool(each.label)
                yield _Missing(each, numbers, book.volume(path), numbered.shelf(path), found[form], others[form])


class _Numbered:
    """Which numbers of sections a book has, by volume, and how it numbers its chapters."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._numbers: dict[int, set[tuple[str, ...]]] = defaultdict(set)
        self._own: dict[str, set[tuple[str, ...]]] = defaultdict(set)  # by page, what it numbers on its own included
        self._shelves: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        self._children: dict[tuple[int, tuple[str, ...]], set[int]] = defaultdict(set)
        self._implied: dict[int, set[tuple[str, ...]]] = defaultdict(set)  # sections in which boxes are numbered
        self._boxes: set[tuple[str, ...]] = set()
        self.announced: set[tuple[int, str]] = set()
        for page in book.pages:
            if page.source.path not in book.retired:
                self._read(page)
        for chapter, path in book.chapters:
            self._add(0, self.shelf(path), section_number(chapter.title))
        self._depths = {
            shelf: Counter((parts[0], len(parts)) for parts in numbers) for shelf, numbers in self._shelves.items()
        }

    def shelf(self, path: str) -> str:
        """Return what is taken for one book: all that a navigation names, else the pages of one folder."""
        return "" if self._book.chapters else dirname(path) or "."

    def _read(self, page: Document) -> None:
        path = page.source.path
        volume = self._book.volume(path)
        for section in self._book.sections(path):
            own = self._own[path]
            own |= _with_prefixes(section.number)
            if section.item is None:
                self._add(volume, self.shelf(path), section.number)
        for heading in page.facts.headings:
            if heading.number is not None:
                self._own[path] |= _with_prefixes(heading.number)
        for box in page.facts.boxes:
            self._boxes.add(box.number.parts)
            if box.number.depth > 2:
                self._implied[volume].add(box.number.parts[:-1])
        for reference in page.facts.references:
            if reference.form is ReferenceForm.SECTION and reference.number.depth == 1:
                behind = page.source.text[reference.span.end : reference.span.end + 40]
                if reference.kind != "section" and _TITLED.match(behind):
                    self.announced.add((volume, reference.number.parts[0]))

    def _add(self, volume: int, shelf: str, number: Number | None) -> None:
        if number is None:
            return
        self._numbers[volume] |= _with_prefixes(number)
        self._shelves[shelf] |= _with_prefixes(number)
        if number.parts[-1].isdigit():
            self._children[volume, number.parts[:-1]].add(int(number.parts[-1]))

    def _volumes(self, path: str) -> Iterable[int]:
        """The volumes that a page may speak of: its own and what belongs to none; from outside, all."""
        volume = self._book.volume(path)
        return (0, volume) if volume else tuple({*self._numbers, *self._implied})

    def has(self, path: str, reference: Reference, number: Number) -> bool:
        """Return whether the book has a section of this number, or the page one of its own."""
        parts = number.parts
        if parts in self._own[path]:
            return True
        if any(parts in self._numbers[volume] or parts in self._implied[volume] for volume in self._volumes(path)):
            return True
        if ("", number) in self._book.swallowed:
            return True
        return not reference.label and parts in self._boxes

    def tells(self, missing: _Missing) -> bool:
        """Return whether the book's silence about a number says that there is no such section.

        It does where its chapter numbers sections of that depth, or where the chapter lies between those of the book;
        and where the page does not mostly name what the book does not have.
        """
        number, reference = missing.lost[0], missing.reference
        if missing.others > max(missing.found, 2):
            return False
        depths = self._depths.get(missing.shelf, Counter())
        if number.depth == 1:
            if reference.kind == "section":
                return False
            return _is_beside(number.parts[0], [part for part, depth in depths if depth == 1])
        if not reference.label:
            return (missing.volume, number.parts[:-1]) in self._children
        if depths[number.parts[0], number.depth]:
            return True
        chapter = Number((number.parts[0],))
        if any(part == number.parts[0] for part, _ in depths) or number.parts[0].isalpha():
            return False
        deep = any(depth == number.depth for _, depth in depths)
        chapters = [Number((part,)).sort_key for part, _ in depths if not part.isalpha()]
        return deep and min(chapters) < chapter.sort_key < max(chapters)

    def nearest(self, volume: int, number: Number) -> Number | None:
        """Return the number of the section beside a missing one that is nearest to it."""
        last, prefix = number.parts[-1], number.parts[:-1]
        beside = self._children.get((volume, prefix))
        if not beside or not last.isdigit():
            return None
        return Number((*prefix, str(min(beside, key=lambda index: (abs(index - int(last)), index)))))


def _is_beside(chapter: str, chapters: list[str]) -> bool:
    """Whether a chapter lies among those of a book, which are counted, or right behind the last."""
    if not chapter.isdigit():
        return any(part.isalpha() for part in chapters)
    counted = [int(part) for part in chapters if part.isdigit()]
    low, high = min(counted, default=0), max(counted, default=0)
    return len(counted) >= 2 and high - low < 2 * len(counted) and low <= int(chapter) <= high + 1


def _with_prefixes(number: Number) -> set[tuple[str, ...]]:
    return {number.parts[:depth] for depth in range(1, number.depth + 1)}


def _finding(numbered: _Numbered, each: _Missing) -> Finding:
    reference, lost = each.reference, each.lost
    name = shown(reference, lost[0])
    if reference.last is not None:
        rest = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
        message = f"`{shown(reference, reference.number)}–{reference.last}` reaches `{name}`{rest}, not in the book"
    else:
        message = f"`{name}` is not in the book"
    nearest = numbered.nearest(each.volume, lost[0])
    return Finding(
        reference.span,
        message,
        cause=f"{each.volume} section {lost[0]}",
        advice=f"the nearest is {shown(reference, nearest)}" if nearest else None,
    )
