"""Numbers of boxes against the sections that they stand in, and against the depth of numbers in the book."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from lintbook.book import Book
from lintbook.checks.boxes.declared import Declared, declared_boxes, restates
from lintbook.checks.boxes.numbering import INFERRED, Numbering
from lintbook.checks.boxes.repair import FreeNumbers, renumbering
from lintbook.diagnostic import Finding, Related, Severity
from lintbook.facts import Number
from lintbook.outline import Section
from lintbook.rule import book_rule
from lintbook.vocabulary import TASKS

# A chapter with fewer boxes shows no habit.
_FEWEST = 5
_WORDS = {1: "one level", 2: "two levels", 3: "three levels", 4: "four levels"}


@book_rule("BOX002", Severity.WARNING)
def malformed_box_number(book: Book, *, numbering: Numbering = INFERRED) -> Iterator[Finding]:
    """A number has not the depth that the numbers of its chapter have."""
    others = "others of the chapter" if numbering.depth is None else "the book's numbers"
    for each, usual in misshapen(declared_boxes(book), numbering.depth):
        yield Finding(
            each.box.number_span,
            f"`{each.box.number}` has {_levels(each.box.number.depth)}, {others} {_levels(usual)}",
            advice="number it as the boxes round it",
        )


def misshapen(declared: Iterable[Declared], depth: int | None) -> Iterator[tuple[Declared, int]]:
    """Yield the boxes whose numbers have not ``depth`` or else that usual in their chapter, and the right depth."""
    if depth is not None:
        yield from (
            (each, depth) for each in declared if each.box.kind != "equation" and each.box.number.depth != depth
        )
        return
    chapters: dict[tuple[int, str, str], list[Declared]] = defaultdict(list)
    for each in declared:
        if each.box.kind != "equation":
            habit = each.box.kind if each.box.kind in TASKS else ""
            chapters[each.part, each.box.number.parts[0], habit].append(each)
    for same in chapters.values():
        usual, often = Counter(each.box.number.depth for each in same).most_common(1)[0]
        if len(same) >= _FEWEST and (len(same) - often) * 10 <= max(len(same), 10):
            yield from ((each, usual) for each in same if each.box.number.depth != usual)


def _levels(depth: int) -> str:
    return _WORDS.get(depth, f"{depth} levels")


@book_rule("BOX005", Severity.WARNING)
def misplaced_box(book: Book) -> Iterator[Finding]:
    """The number of a box does not begin with the number of its section."""
    declared = declared_boxes(book)
    homes = _homes(book, declared)
    free = FreeNumbers(book)
    for each in declared:
        if each.box.kind == "equation":
            continue  # an equation is taken up by its number elsewhere
        section = _section(book, each)
        if section is None or _belongs(each.box.number, section.number):
            continue
        if any(restates(home, each) for home in homes.get((each.part, each.box.kind, each.box.number), ())):
            continue
        yield _finding(book, each, section, free)


def _section(book: Book, each: Declared) -> Section | None:
    """Return the section that a box stands in; one whose own number is misplaced says nothing, nor does a local one."""
    section = book.section_of(each.box.span)
    while section is not None and section.parent is not None and not continues(section, section.parent):
        section = section.parent
    return None if section is None or section.item is not None else section


def continues(section: Section, parent: Section) -> bool:
    """Return whether the number of a section goes on from its parent's; one of the same depth does not claim to."""
    depth = parent.number.depth
    return section.number.depth <= depth or section.number.parts[:depth] == parent.number.parts


def _belongs(number: Number, section: Number) -> bool:
    """Whether a number begins as its section's, both cut to the same depth."""
    depth = min(number.depth - 1, section.depth)
    return number.parts[:depth] == section.parts[:depth]


def _homes(book: Book, declared: tuple[Declared, ...]) -> dict[tuple[int, str, Number], list[Declared]]:
    """Return, by part, kind and number, the boxes that stand where they belong."""
    found: dict[tuple[int, str, Number], list[Declared]] = defaultdict(list)
    for each in declared:
        section = _section(book, each)
        if section is None or _belongs(each.box.number, section.number):
            found[each.part, each.box.kind, each.box.number].append(each)
    return found


def _finding(book: Book, each: Declared, section: Section, free: FreeNumbers) -> Finding:
    number = each.box.number
    depth = min(number.depth - 1, section.number.depth)
    prefix = section.number.parts[:depth]
    fitting = free.next(each.box.kind, prefix) if depth == number.depth - 1 else None
    return Finding(
        each.box.span,
        f"`{each.name}` stands in section `{section.number}`",
        related=(Related(section.heading.span, "the section"),),
        fix=renumbering(book, each.box, fitting) if fitting else None,
        cause=f"{each.box.span.path}: {'.'.join(number.parts[:depth])} in {'.'.join(prefix)}",
        advice=f"a number in this section begins `{'.'.join(prefix)}.`",
    )
