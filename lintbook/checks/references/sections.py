"""Cross-references to sections, chapters, lectures and appendices that are not in the book."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from posixpath import dirname
from typing import NamedTuple

from lintbook.book import Book
from lintbook.checks.references.numbers import members, shown, spoken
from lintbook.diagnostic import Finding, Severity, Unchecked
from lintbook.facts import Document, Number, Reference, ReferenceForm
from lintbook.parse.numbers import section_number
from lintbook.patterns import regex
from lintbook.rule import book_rule

FOREIGN = "references to another work or edition"
UNNUMBERED = "references to sections of chapters that do not number them so"
PLANNED = "references to chapters that are planned"

# What follows a chapter that is announced: its title.
_TITLED = regex(r"\**\s*(?:[—–:：-]|[《「“(（])\s*\**\s*[^\W\d]")
# Where it begins a line, a full stop may stand between.
_LISTED = regex(r"\.\s+[A-Z]")
# A chapter that is named more often than this is not there yet; by a slip it is named seldom.
_SELDOM = 3


@book_rule("REF002", Severity.WARNING)
def dangling_section_reference(book: Book) -> Iterator[Finding | Unchecked]:
    """A cross-reference names a section, chapter, lecture or appendix that is not in the book."""
    pages = [(page, references) for page in book.live_pages if (references := _to_sections(page))]
    if not pages:
        return
    numbered = _Numbered(book)
    missing = [each for page, references in pages for each in _missing(numbered, page.source.path, references)]
    named = Counter(each.chapter for each in missing if each.lost[0].depth == 1)
    for each in missing:
        if each.reference.foreign:
            yield Unchecked(FOREIGN)
        elif each.lost[0].depth == 1 and (each.chapter in numbered.announced or named[each.chapter] > _SELDOM):
            yield Unchecked(PLANNED)
        elif not each.told:
            yield Unchecked(UNNUMBERED)
        else:
            yield _finding(numbered, each)


class _Missing(NamedTuple):
    """A reference with the numbers that the book does not have; ``told`` says whether its silence means absence."""

    reference: Reference
    lost: list[Number]
    volume: int
    told: bool

    @property
    def chapter(self) -> tuple[int, str]:
        """The chapter that is named, told from those of other volumes."""
        return self.volume, self.lost[0].parts[0]


def _to_sections(page: Document) -> list[Reference]:
    return [each for each in spoken(page) if each.form is ReferenceForm.SECTION]


def _missing(numbered: _Numbered, path: str, references: list[Reference]) -> Iterator[_Missing]:
    """Yield those of the ``references`` of a page that name what is not there.

    A page that names more which is not there than is speaks of another book. Bare numbers are counted apart.
    """
    lost = [(each, [number for number in members(each) if not numbered.has(path, each, number)]) for each in references]
    own = [(each, numbers) for each, numbers in lost if not each.foreign]
    found = Counter(bool(each.label) for each, numbers in own if not numbers)
    told = {
        (bool(each.label), numbers[0]) for each, numbers in own if numbers and numbered.tells(path, each, numbers[0])
    }
    strange = Counter(labelled for labelled, _ in told)
    for each, numbers in lost:
        if numbers:
            labelled = bool(each.label)
            known = (labelled, numbers[0]) in told and strange[labelled] <= max(found[labelled], 2)
            yield _Missing(each, numbers, numbered.volume(path), known)


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
        volume, shelf, own = self._book.volume(path), self.shelf(path), self._own[path]
        for section in self._book.sections(path):
            own.update(_with_prefixes(section.number.parts))
            if section.item is None:
                self._add(volume, shelf, section.number)
        for heading in page.facts.headings:
            if heading.number is not None:
                own.update(_with_prefixes(heading.number.parts))
        for box in page.facts.boxes:
            self._boxes.add(box.number.parts)
            if box.number.depth > 2:
                self._implied[volume].add(box.number.parts[:-1])
        for reference in page.facts.references:
            is_chapter = reference.form is ReferenceForm.SECTION and reference.kind != "section"
            if is_chapter and reference.number.depth == 1 and _is_titled(page.source.text, reference):
                self.announced.add((volume, reference.number.parts[0]))

    def _add(self, volume: int, shelf: str, number: Number | None) -> None:
        if number is None:
            return
        self._numbers[volume].update(_with_prefixes(number.parts))
        self._shelves[shelf].update(_with_prefixes(number.parts))
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
        if ("", number) in self._book.swallowed or ("", number) in self._book.loosely_titled:
            return True
        return not reference.label and parts in self._boxes

    def volume(self, path: str) -> int:
        """Return the volume that a page is in."""
        return self._book.volume(path)

    def tells(self, path: str, reference: Reference, number: Number) -> bool:
        """Return whether the book's silence about a number says that there is no such section.

        It does where its chapter numbers sections of that depth, or where the chapter lies between those of the book.
        """
        depths = self._depths.get(self.shelf(path), Counter())
        if number.depth == 1:
            chapters = [part for part, depth in depths if depth == 1]
            return reference.kind != "section" and _is_beside(number.parts[0], chapters)
        if not reference.label:
            return (self.volume(path), number.parts[:-1]) in self._children
        if depths[number.parts[0], number.depth]:
            return True
        if any(part == number.parts[0] for part, _ in depths) or number.parts[0].isalpha():
            return False
        chapter = Number((number.parts[0],)).sort_key
        others = [Number((part,)).sort_key for part, _ in depths if not part.isalpha()]
        return any(depth == number.depth for _, depth in depths) and min(others) < chapter < max(others)

    def nearest(self, volume: int, number: Number) -> Number | None:
        """Return the number of the section beside a missing one that is nearest to it."""
        last, prefix = number.parts[-1], number.parts[:-1]
        beside = self._children.get((volume, prefix))
        if not beside or not last.isdigit():
            return None
        return Number((*prefix, str(min(beside, key=lambda index: (abs(index - int(last)), index)))))


def _is_titled(text: str, reference: Reference) -> bool:
    """Whether the title of a chapter follows its number."""
    start, end = reference.span.start, reference.span.end
    if _TITLED.match(text, end):
        return True
    return not text[text.rfind("\n", 0, start) + 1 : start].strip(" >*#-") and _LISTED.match(text, end) is not None


def _is_beside(chapter: str, chapters: list[str]) -> bool:
    """Whether a chapter lies among those of a book, which are counted, or right behind the last."""
    if not chapter.isdigit():
        return any(part.isalpha() for part in chapters)
    counted = [int(part) for part in chapters if part.isdigit()]
    low, high = min(counted, default=0), max(counted, default=0)
    return len(counted) >= 2 and high - low < 2 * len(counted) and low <= int(chapter) <= high + 1


@lru_cache(maxsize=10_000)
def _with_prefixes(parts: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple([parts[:depth] for depth in range(1, len(parts) + 1)])


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
