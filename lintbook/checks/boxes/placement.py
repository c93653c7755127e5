"""Numbers of boxes against the sections that they stand in, and against the depth of numbers in the book."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from lintbook.book import Book
from lintbook.checks.boxes.declared import Declared, declared_boxes
from lintbook.checks.boxes.home import belongs, is_at_home, section_round
from lintbook.checks.boxes.numbering import INFERRED, Numbering
from lintbook.checks.boxes.repair import FreeNumbers, renumbering
from lintbook.diagnostic import Finding, Related, Severity
from lintbook.facts import Number
from lintbook.outline import Section
from lintbook.rule import book_rule
from lintbook.text import Span
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
    for same in _chapters(declared):
        usual = _habit(same)
        if usual is not None:
            below = _below_others(same)
            yield from ((each, usual) for each in same if each.box.number.depth != usual and each.box.span not in below)


def _chapters(declared: Iterable[Declared]) -> Iterable[list[Declared]]:
    """Return the boxes of each chapter, tasks of each kind apart; equations left out."""
    chapters: dict[tuple[int, str, str], list[Declared]] = defaultdict(list)
    for each in declared:
        if each.box.kind != "equation":
            habit = each.box.kind if each.box.kind in TASKS else ""
            chapters[each.part, each.box.number.parts[0], habit].append(each)
    return chapters.values()


def _habit(chapter: list[Declared]) -> int | None:
    """Return the depth that all but one in ten of the numbers of a chapter have; None where no depth is usual."""
    usual, often = Counter(each.box.number.depth for each in chapter).most_common(1)[0]
    is_usual = len(chapter) >= _FEWEST and (len(chapter) - often) * 10 <= max(len(chapter), 10)
    return usual if is_usual else None


def _below_others(chapter: list[Declared]) -> set[Span]:
    """Return the places of boxes that are counted below another: Corollary 3.2.1 goes with Theorem 3.2.

    They stand behind that box, before another of its depth, and so does each box of their depth in the chapter.
    """
    last: dict[int, tuple[str, ...]] = {}
    found: dict[int, set[Span]] = defaultdict(set)
    others = {_habit(chapter)}
    for each in chapter:
        parts = each.box.number.parts
        if last.get(len(parts) - 1) == parts[:-1]:
            found[len(parts)].add(each.box.span)
        else:
            others.add(len(parts))
        last[len(parts)] = parts
    return set().union(*(below for depth, below in found.items() if depth not in others))


def _levels(depth: int) -> str:
    return _WORDS.get(depth, f"{depth} levels")


@book_rule("BOX005", Severity.WARNING)
def misplaced_box(book: Book) -> Iterator[Finding]:
    """The number of a box does not begin with the number of its section."""
    declared = declared_boxes(book)
    at_home = {_name_in(each, each.box.label.isascii()) for each in declared if is_at_home(book, each.box)}
    below = set[Span]().union(*map(_below_others, _chapters(declared)))
    free = FreeNumbers(book)
    for each in declared:
        if each.box.kind == "equation" or each.box.span in below:
            continue  # an equation is taken up by its number elsewhere
        section = section_round(book, each.box)
        if section is None or belongs(each.box.number, section.number):
            continue
        if _name_in(each, not each.box.label.isascii()) not in at_home:
            yield _finding(book, each, section, free)


def _name_in(each: Declared, latin: bool) -> tuple[int, str, Number, bool]:
    """Return what tells a box from others, named in Latin letters or not: a translation may stand anywhere."""
    return each.part, each.box.kind, each.box.number, latin


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
