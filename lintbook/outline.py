"""The outline of a page: its numbered sections, and which of them a place stands in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from msgspec import Struct

from lintbook.facts import BoxForm, Facts, Heading, Number
from lintbook.parse.numbers import is_chapter


class Section(Struct, frozen=True):
    """A section that a numbered heading opens.

    ``parent`` is the numbered section that it stands in, ``item`` the numbered item: below one the page counts on its
    own (``## 2.``, ``### 2.1`` on a page of chapter 6). ``rooted`` says that the number is one of the book: the page
    begins with a number or is named by the navigation.
    """

    heading: Heading
    number: Number
    parent: Section | None
    item: Heading | None
    rooted: bool

    @property
    def id_places(self) -> set[int]:
        """Where an id of the section may stand: at the heading, which gets one, or in it."""
        return {self.heading.span.start, *([self.heading.anchor.span.start] if self.heading.anchor else [])}


class Outline:
    """The numbered sections of one page, and where each begins and ends."""

    def __init__(self, facts: Facts, named: bool) -> None:
        self._starts: list[int] = []
        self._open: list[Section | None] = []
        boxes = {box.span.start for box in facts.boxes if box.form is BoxForm.HEADING}
        starts = sorted(boxes)
        found: list[Section] = []
        stack: list[tuple[int, Section | None, Heading | None]] = []  # level, section, item that it is or stands in
        for position, heading in enumerate(facts.headings):
            first = bisect_right(starts, heading.span.start - 1)
            if first < len(starts) and starts[first] < heading.span.end:
                continue
            while stack and stack[-1][0] >= heading.level:
                stack.pop()
            parent = next((section for _, section, _ in reversed(stack) if section), None)
            item = stack[-1][2] if stack else None
            number, section = heading.number, None
            is_item = number is not None and number.depth == 1 and heading.level > 1 and not is_chapter(heading.text)
            if number is not None and not is_item:
                rooted = parent.rooted if parent else heading.level == 1 or position == 0 or named
                section = Section(heading, number, parent, item, rooted and item is None)
                found.append(section)
            stack.append((heading.level, section, heading if is_item else item))
            self._starts.append(heading.span.end)
            self._open.append(next((each for _, each, _ in reversed(stack) if each), None))
        self.sections = tuple(found)

    def with_id_at(self, places: Iterable[int]) -> Section | None:
        """Return the first section that has an id at one of ``places``."""
        found = (self._by_id_place[place] for place in places if place in self._by_id_place)
        return min(found, key=lambda section: section.heading.span.start, default=None)

    @cached_property
    def _by_id_place(self) -> dict[int, Section]:
        return {place: section for section in reversed(self.sections) for place in section.id_places}

    def at(self, offset: int) -> Section | None:
        """Return the innermost section that is open at ``offset``."""
        place = bisect_right(self._starts, offset) - 1
        return self._open[place] if place >= 0 else None
