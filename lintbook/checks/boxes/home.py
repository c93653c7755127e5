"""The sections that boxes stand in, and whether their numbers begin as those do."""

from __future__ import annotations

from lintbook.book import Book
from lintbook.facts import Box, Number
from lintbook.outline import Section
from lintbook.patterns import regex


def section_round(book: Book, box: Box) -> Section | None:
    """Return the section that a box stands in; one whose own number is misplaced says nothing, nor does a local one.

    Letters divide it where the number of the box has a letter too: Exercise 2A.1 below `## 2A Vector spaces`.
    """
    section = book.section_of(box.span)
    while section is not None and section.parent is not None and not continues(section, section.parent):
        section = section.parent
    if section is None or section.item is not None:
        return None
    return section if box.number.parts[0].isdigit() else _lettered(book, box, section) or section


# A heading that divides a chapter by letters: `## 2A Vector spaces`, `## 2.B Applications`.
_LETTERED = regex(r"\s*(?:§\s*|Section\s+)?(?P<chapter>\d{1,3})\.?(?P<letter>[A-Z])(?![A-Za-z\d]|\.\d)")


def _lettered(book: Book, box: Box, section: Section) -> Section | None:
    """Return the lettered part of ``section`` that a box stands in, if letters divide it."""
    page = book.document(box.span.path)
    found = None
    for heading in page.facts.headings if page else ():
        match = _LETTERED.match(heading.text)
        if match and section.heading.span.start < heading.span.start < box.span.start:
            found = Section(heading, Number((match["chapter"] + match["letter"],)), section, None, section.rooted)
    return found


def continues(section: Section, parent: Section) -> bool:
    """Return whether the number of a section goes on from its parent's; one of the same depth does not claim to."""
    depth = parent.number.depth
    return section.number.depth <= depth or section.number.parts[:depth] == parent.number.parts


def is_at_home(book: Book, box: Box) -> bool:
    """Return whether the number of a box begins as that of the section round it, or nothing says where it belongs."""
    section = section_round(book, box)
    return section is None or belongs(box.number, section.number)


def belongs(number: Number, section: Number) -> bool:
    """Return whether a number begins as its section's, both cut to the same depth."""
    depth = min(number.depth - 1, section.depth)
    return number.parts[:depth] == section.parts[:depth]
