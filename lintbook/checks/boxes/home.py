"""The sections that boxes stand in, and whether their numbers begin as those do."""

from __future__ import annotations

from lintbook.book import Book
from lintbook.facts import Box, Number
from lintbook.outline import Section


def section_round(book: Book, box: Box) -> Section | None:
    """Return the section that a box stands in; one whose own number is misplaced says nothing, nor does a local one."""
    section = book.section_of(box.span)
    while section is not None and section.parent is not None and not continues(section, section.parent):
        section = section.parent
    return None if section is None or section.item is not None else section


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
