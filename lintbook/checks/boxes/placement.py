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
    at_home = {_name_in(each, each.box.label.isascii()) for each in declared if is_at_home(book, each.box)}
    free = FreeNumbers(book)
    for each in declared:
        if each.box.kind == "equation":
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
