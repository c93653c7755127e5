"""Families of labels: what a label looks like, where labels are declared, and where each must be taken up.

Labels are what a lecture counts besides boxes: learning objectives (``K2.1``), or the numbers of its sections.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from lintbook.book import Book
from lintbook.facts import Document
from lintbook.globs import Globs
from lintbook.patterns import regex
from lintbook.text import Span, Style

if TYPE_CHECKING:
    from lintbook.parse.blocks import TextBlock


class Family(Struct, frozen=True):
    """A family of labels as it is configured.

    ``pattern`` says what a label looks like; ``sections`` says instead that the labels are the numbers of pages.
    ``declared`` and ``taken_up`` are places: patterns of paths, with ``#`` and words of a heading where only what is
    below it is meant. A label must be taken up in each place of ``taken_up``.
    """

    declared: tuple[str, ...]
    taken_up: tuple[str, ...]
    pattern: re.Pattern[str] | None = None
    sections: bool = False


Families = Mapping[str, Family]
NO_FAMILIES: Families = MappingProxyType({})

_NUMBERS = regex(r"(?<![\w.])\d+(?:\.\d+)+(?![\w]|\.\d)")
_LONGEST_RANGE = 200
_RANGE = regex(r"\s{0,3}(?:[–—~～-]|至|到|to\b|\.\.\.|…)\s{0,3}")
_LIST = regex(r"\s{0,3}(?:、|,|，|/|和|与|及|and\b)\s{0,3}")
_TAIL = regex(r"\d+(?:\.\d+)*(?![\w.]*\w)")


class Label(NamedTuple):
    """A label in the text. ``leads`` says that it begins its block; ``title`` is what stands behind it there."""

    text: str
    span: Span
    leads: bool
    title: str


class Reconciliation:
    """The labels of one family in one book: declarations, and what each place takes up."""

    def __init__(self, book: Book, name: str, family: Family) -> None:
        self.name = name
        self.family = family
        self._book = book

    @cached_property
    def declared(self) -> tuple[Label, ...]:
        """The declarations, in the order of the book: of sections their headings, else labels that begin a block."""
        if self.family.sections:
            return tuple(self._headings())
        found = (label for place in self.family.declared for label in self._labels(place) if label.leads)
        return tuple(dict.fromkeys(found))

    @cached_property
    def taken_up(self) -> Mapping[str, tuple[Label, ...]]:
        """For each place the labels that stand in it."""
        return {
            place: tuple(label for label in self._labels(place) if label.leads or not self.family.sections)
            for place in self.family.taken_up
        }

    def pages(self, place: str) -> Iterator[Document]:
        """Yield the pages of a place."""
        globs = Globs([place.partition("#")[0]])
        for page in self._book.live_pages:
            if globs.covers(page.source.path):
                yield page

    def _headings(self) -> Iterator[Label]:
        for place in self.family.declared:
            for page in self.pages(place):
                for heading in page.facts.headings[:1]:
                    if heading.number is not None:
                        number = str(heading.number)
                        title = heading.text.partition(number)[2].strip()
                        yield Label(number, heading.span, True, title)

    def _labels(self, place: str) -> Iterator[Label]:
        heading = place.partition("#")[2]
        for page in self.pages(place):
            for block in _section(self._book.blocks(page.source.path), heading):
                yield from self._in_block(page.source.path, block)

    def _in_block(self, path: str, block: TextBlock) -> Iterator[Label]:
        pattern = _NUMBERS if self.family.sections else self.family.pattern
        if pattern is None:
            return
        text = block.passage.text
        begins = len(text) - len(text.lstrip(" \t[(（【"))
        read = 0  # the end of a range may be a label by itself
        for match in pattern.finditer(text):
            if not match.group() or match.start() < read or block.passage.style(match.start()) is Style.MATH:
                continue
            leads = match.start() <= begins and _names_itself(block, match.start())
            title = text[match.end() :].strip(" \t:：])）】.") if leads else ""
            for name, start, read in _members(text, match):
                yield Label(name, Span(path, *block.passage.range(start, read)), leads, title)


def _names_itself(block: TextBlock, start: int) -> bool:
    """Whether a label at the beginning of a block names it: of a paragraph, if it is a list item or strong."""
    from lintbook.parse.blocks import BlockKind

    if block.kind is not BlockKind.PARAGRAPH or block.listed:
        return True
    return any(strong.start <= start < strong.end for strong in block.strong)


def _section(blocks: list[TextBlock], heading: str) -> Iterator[TextBlock]:
    """Yield the blocks below the first heading that holds ``heading``; all of them if it is empty."""
    from lintbook.parse.blocks import BlockKind

    level = 0 if not heading else None
    for block in blocks:
        if block.kind is BlockKind.HEADING and heading:
            if level is None and heading in block.passage.text:
                level = block.level
                continue
            if level is not None and block.level <= level:
                return
        if level is not None:
            yield block


def _members(text: str, match: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    """Yield the labels that a match names, each with its range: itself, those of a range, those of a list behind it."""
    name = match.group()
    head, tail = _split(name)
    start, end = match.span()
    yield name, start, end
    while True:
        if ranged := _RANGE.match(text, end):
            last = _behind(text, ranged.end(), head, tail)
            if last is not None:
                yield from ((member, start, last[1]) for member in _between(head, tail, last[0]))
                end, tail = last[1], last[0]
                continue
        if listed := _LIST.match(text, end):
            following = _TAIL.match(text, listed.end())
            if head and following and following.group().count(".") == tail.count("."):
                start, end, tail = following.start(), following.end(), following.group()
                yield head + tail, start, end
                continue
        return


def _split(name: str) -> tuple[str, str]:
    """Cut a label into what stands before its number, and the number."""
    found = re.search(r"\d+(?:\.\d+)*$", name)
    return (name[: found.start()], found.group()) if found else (name, "")


def _behind(text: str, at: int, head: str, tail: str) -> tuple[str, int] | None:
    """Return the number that ends a range, and where it ends; its head may be left out or said again."""
    if head and text.startswith(head, at):
        at += len(head)
    found = _TAIL.match(text, at)
    if not tail or found is None or found.group().rpartition(".")[0] != tail.rpartition(".")[0]:
        return None
    return found.group(), found.end()


def _between(head: str, first: str, last: str) -> Iterator[str]:
    prefix, dot, low = first.rpartition(".")
    high = last.rpartition(".")[2]
    if len(low) > 6 or len(high) > 6 or not int(low) < int(high) <= int(low) + _LONGEST_RANGE:
        return
    for index in range(int(low) + 1, int(high) + 1):
        yield f"{head}{prefix}{dot}{index}"
