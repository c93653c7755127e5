"""Numbers of sections: given twice, or not going on from those above."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lintbook.book import Book
from lintbook.checks.boxes.declared import repetitions
from lintbook.checks.boxes.home import continues
from lintbook.checks.boxes.restating import is_companion
from lintbook.diagnostic import Finding, Related, Severity
from lintbook.facts import Document
from lintbook.outline import Section
from lintbook.patterns import regex
from lintbook.rule import book_rule
from lintbook.text import Span

# A page of this title goes with another page of its chapter.
_BESIDE = regex(
    r"exercise|problem|\blabs?\b|quiz|homework|assignment|plan|project|appendi|notes|errat|part\b|\(?cont|"
    r"习题|练习|作业|实验|测验|附录|补充|勘误|自检|阅读|参考|[（(][上中下一二三四][)）]|续",
    re.IGNORECASE,
)
# A heading that calls the section by this word speaks of it.
_BY_WORD = regex(r"\s*(?:§|Section\b|Sec\.|第)", re.IGNORECASE)
# A section of this title goes through those before it.
_GATHERS = regex(
    r"exercise|problem|solution|answer|summary|recap|review|quiz|习题|练习|作业|解答|答案|总结|小结|复习|回顾|自检",
    re.IGNORECASE,
)


class _Placed(NamedTuple):
    document: Document
    section: Section

    @property
    def title(self) -> str:
        """The words of the heading, without number, blanks and punctuation."""
        return re.sub(r"[\W\d]+", "", self.section.heading.text).lower()


@book_rule("BOX010", Severity.WARNING)
def duplicate_section_number(book: Book) -> Iterator[Finding]:
    """Two headings of one part bear one number."""
    told = _told_by_boxes(book)
    seen: dict[tuple[object, ...], list[_Placed]] = defaultdict(list)
    for document in book.live_pages:
        for section in book.sections(document.source.path):
            if section.number.depth > 1 or section.heading.level == 1:  # else a list of chapters
                seen[_key(book, section)].append(_Placed(document, section))
    chapters = _colliding_chapters(seen.values())
    for first, *others in seen.values():
        for other in others:
            pair = first.section.heading.span, other.section.heading.span
            paths = first.document.source.path, other.document.source.path
            if pair in told or (first.title == other.title and paths not in chapters):
                continue
            if _speaks_of(other.section, first.section):
                continue
            if first.document is other.document or _clash(book, first, other, chapters):
                yield _finding(first, other)


def _key(book: Book, section: Section) -> tuple[object, ...]:
    """Return what two sections have in common that may not bear one number: a part of the book, a page, an item."""
    span, number = section.heading.span, section.number
    if section.item is not None:
        return span.path, section.item.span.start, number
    if section.rooted:
        return book.part(span), number
    return span.path, number


def _told_by_boxes(book: Book) -> set[tuple[Span, Span]]:
    """Return the headings of one number of which boxes tell already that they are counted twice."""
    found = set()
    for first, others in repetitions(book):
        for other in others:
            above = _above(book.section_of(first.box.span))
            for section in _above(book.section_of(other.box.span)):
                found |= {(each.heading.span, section.heading.span) for each in above if each.number == section.number}
    return found


def _above(section: Section | None) -> list[Section]:
    found = []
    while section is not None:
        found.append(section)
        section = section.parent
    return found


def _speaks_of(section: Section, earlier: Section) -> bool:
    """Whether a heading groups what belongs to an earlier section: `### Section 3.1` below `## 3.5 Exercises`.

    It is lower than that section's, stands in one that it does not go on from, and says so or the one round it does.
    """
    parent = section.parent
    if parent is None or parent is earlier or section.heading.level <= earlier.heading.level:
        return False
    if parent.number.depth < section.number.depth:
        return False
    return bool(_BY_WORD.match(section.heading.text) or _GATHERS.search(parent.heading.text))


def _colliding_chapters(groups: Iterable[list[_Placed]]) -> set[tuple[str, str]]:
    """Return the pairs of pages on which sections below the chapter bear one number under different titles."""
    found = set()
    for first, *others in groups:
        for other in others:
            pages = first.section.heading.span.path, other.section.heading.span.path
            if first.section.number.depth > 1 and pages[0] != pages[1] and first.title != other.title:
                found.add(pages)
    return found


def _clash(book: Book, first: _Placed, other: _Placed, chapters: set[tuple[str, str]]) -> bool:
    """Whether the sections of two pages are meant to be different ones."""
    if any(is_companion(each.document) or _BESIDE.search(_page_title(each.document)) for each in (first, other)):
        return False
    paths = first.document.source.path, other.document.source.path
    one, another = map(book.depth_in_navigation, paths)
    if (one is None) != (another is None):
        return False  # a page beside the book
    return first.section.number.depth > 1 or paths in chapters or (one is not None and one == another)


def _page_title(document: Document) -> str:
    return next((heading.text for heading in document.facts.headings), "")


def _finding(first: _Placed, other: _Placed) -> Finding:
    line = first.document.source.position(first.section.heading.span.start).line
    paths = first.document.source.path, other.document.source.path
    where = "" if first.document is other.document else f" in `{paths[0]}`"
    return Finding(
        other.section.heading.span,
        f"the section number `{other.section.number}` is given a second time, first on line {line}{where}",
        related=(Related(first.section.heading.span, "the first section"),),
        cause=f"{paths[1]}: numbered as {paths[0]}" if paths[0] != paths[1] else None,
        advice="give one of the two another number, and what refers to it",
    )


@book_rule("BOX011", Severity.WARNING)
def misplaced_section(book: Book) -> Iterator[Finding]:
    """The number of a section does not go on from that of the section that it stands in."""
    for document in book.live_pages:
        astray: dict[int, list[Section]] = defaultdict(list)
        kept: dict[int, int] = defaultdict(int)
        for section in book.sections(document.source.path):
            parent = section.parent
            if parent is None or section.item is not None or section.number.depth <= parent.number.depth:
                continue
            if continues(section, parent):
                kept[id(parent)] += 1
            elif section.number.parts[0].isdigit() or not parent.number.parts[0].isdigit():
                astray[id(parent)].append(section)
        for key, sections in astray.items():
            if kept[key] or not _counts_on_its_own(sections):
                yield from map(_astray, sections)


def _counts_on_its_own(sections: list[Section]) -> bool:
    """Whether a page counts its sections from one, whatever the number of its chapter."""
    if any(section.parent and section.parent.number.depth > 1 for section in sections):
        return False
    firsts = {section.number.parts[0] for section in sections}
    return len(firsts) > 1 or firsts <= {"0", "1"}


def _astray(section: Section) -> Finding:
    parent = section.parent
    assert parent is not None
    depth = parent.number.depth
    span = section.heading.span
    return Finding(
        span,
        f"section `{section.number}` stands in section `{parent.number}`",
        related=(Related(parent.heading.span, "the section round it"),),
        cause=f"{span.path}: {'.'.join(section.number.parts[:depth])} in {parent.number}",
        advice=f"a number in this section begins `{parent.number}.`",
    )
