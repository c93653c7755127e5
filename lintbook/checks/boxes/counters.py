"""Counters: what is missing in them, and what stands out of their order.

Kinds are counted apart unless the book shows that they share a counter, which it may do in one section and not in the
next. In a section two kinds share one if no number stands for both and one has what the other lacks; and not against
the rest of the book, where kinds other than theorem-like ones are plainly counted apart.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from lintbook.book import Book, derived
from lintbook.checks.boxes.declared import Declared, declared_boxes, index_of, repetitions
from lintbook.checks.boxes.numbering import INFERRED, Numbering
from lintbook.checks.boxes.placement import misshapen
from lintbook.diagnostic import Finding, Related, Severity, Unchecked
from lintbook.facts import Number
from lintbook.rule import book_rule
from lintbook.vocabulary import THEOREMS

# So many sections that count two kinds apart show that the book does.
_PLAINLY = 3
# Where a chapter has fewer boxes for each gap, its numbers are not counted.
_COUNTED = 4

SELECTED = "gaps in numbers that are selected from elsewhere"


class _Place(NamedTuple):
    """A declared box with the last part of its number."""

    declared: Declared
    rank: int


class _Group:
    """The boxes of one part whose numbers begin alike: the counters of one section.

    ``is_only`` is whether no other part of the book has numbers that begin so.
    """

    def __init__(self, book: Book, prefix: tuple[str, ...]) -> None:
        self._book = book
        self.prefix = prefix
        self.is_only = True
        self.unknown = book.unknown_indices(prefix)
        self.places: dict[str, list[_Place]] = defaultdict(list)

    @cached_property
    def indices(self) -> dict[str, frozenset[int]]:
        """The numbers of each kind, also those that only an anchor or a page outside the book's order bears."""
        if self.is_only:
            kinds = {*self.places, *self._book.loose_kinds(self.prefix)}
            return {kind: self._book.indices(kind, self.prefix) for kind in sorted(kinds)}
        return {kind: frozenset(place.rank for place in places) for kind, places in self.places.items()}

    @property
    def boxes(self) -> int:
        """How many boxes the group has."""
        return sum(map(len, self.places.values()))


class _Counters:
    """All counters of a book, and what its sections say of which kinds share one."""

    def __init__(self, book: Book, numbering: Numbering) -> None:
        self.numbering = numbering
        self.declared = declared_boxes(book)
        odd = {each.box.span for each, _ in misshapen(self.declared, numbering.depth)}
        groups: dict[tuple[int, tuple[str, ...]], _Group] = {}
        for each in self.declared:
            index = index_of(each.box.number)
            if each.box.kind == "equation" or index is None or each.box.span in odd:
                continue
            prefix = each.box.number.parts[:-1]
            group = groups.get((each.part, prefix))
            if group is None:
                group = groups[each.part, prefix] = _Group(book, prefix)
            group.places[each.box.kind].append(_Place(each, index))
        parts = Counter(prefix for _, prefix in groups)
        for group in groups.values():
            group.is_only = parts[group.prefix] == 1
        self.groups = tuple(groups.values())
        self._apart: dict[frozenset[str], int] = defaultdict(int)
        self._together: dict[frozenset[str], int] = defaultdict(int)
        for group in self.groups:
            for one, other in combinations(sorted(group.indices), 2):
                pair = frozenset((one, other))
                if group.indices[one] & group.indices[other]:
                    self._apart[pair] += 1
                elif _fills(group.indices[one], group.indices[other]):
                    self._together[pair] += 1

    def shared(self, group: _Group, one: str, other: str) -> bool:
        """Return whether two kinds may share a counter in a group."""
        if self.numbering.is_fixed:
            return self.numbering.share(one, other)
        pair = frozenset((one, other))
        if pair <= THEOREMS:
            return not group.indices[one] & group.indices[other]
        apart, together = self._apart[pair], self._together[pair]
        if group.indices[one] & group.indices[other]:
            return together >= _PLAINLY and together > 2 * apart
        return apart < _PLAINLY or together >= apart

    def missing(self, group: _Group, kind: str) -> list[int]:
        """Return the numbers up to the highest of a kind that no box has which shares its counter.

        A box of a kind that is not known may share any.
        """
        own = group.indices[kind]
        lacking = [index for index in range(1, max(own, default=0)) if index not in own]
        if not lacking:
            return []
        others = [other for other in group.indices if other != kind and self.shared(group, kind, other)]
        taken = group.unknown.union(*(group.indices[other] for other in others))
        return [index for index in lacking if index not in taken]

    def joined(self, group: _Group) -> list[list[str]]:
        """Return the kinds of a group, those together that plainly have one counter: all, or the theorem-like ones."""
        kinds = sorted(group.places)
        if self.numbering.is_fixed:
            return self.numbering.joined(kinds)
        if _is_one_counter(group, kinds):
            return [kinds]
        theorems = [kind for kind in kinds if kind in THEOREMS]
        if not _is_one_counter(group, theorems):
            theorems = []
        return [theorems, *([kind] for kind in kinds if kind not in theorems)]


@derived
def _counters(book: Book, numbering: Numbering) -> _Counters:
    return _Counters(book, numbering)


def _is_one_counter(group: _Group, kinds: Iterable[str]) -> bool:
    """Whether each number up to the highest stands for one of the kinds, and for one only."""
    indices = [group.indices[kind] - {0} for kind in kinds]
    total = frozenset().union(*indices)
    return sum(map(len, indices)) == len(total) == max(total, default=0)


def _fills(one: frozenset[int], other: frozenset[int]) -> bool:
    """Whether a number that ``one`` lacks below its highest stands in ``other``, or the reverse."""
    return bool(_lacks(one) & other or _lacks(other) & one)


def _lacks(indices: frozenset[int]) -> set[int]:
    # A number that is far off is no counter's: what it skips is not looked through.
    return set(range(1, min(max(indices, default=0), 2 * len(indices) + 50))) - indices


@book_rule("BOX006", Severity.WARNING)
def skipped_box_number(book: Book, *, numbering: Numbering = INFERRED) -> Iterator[Finding | Unchecked]:
    """A number is left out in a counter."""
    counters = _counters(book, numbering)
    previous = _previous(counters.declared)
    repeated = {
        (other.part, other.box.kind, other.box.number.parts[:-1])
        for repetition in repetitions(book)
        for other in repetition.others
    }
    found: dict[str, list[Finding]] = defaultdict(list)
    boxes: dict[str, int] = defaultdict(int)
    for group in counters.groups:
        chapter = group.prefix[0]
        boxes[chapter] += group.boxes
        kinds = [
            kind
            for kind, places in group.places.items()
            # Else the number that lacks is the one that stands twice.
            if (places[0].declared.part, kind, group.prefix) not in repeated
        ]
        if gaps := [_gap(group, each) for each in _gaps(counters, group, kinds, previous)]:
            found[chapter].extend(gaps)
    skipped, total = sum(map(len, found.values())), sum(boxes.values())
    for chapter, findings in found.items():
        # A page that comments another book takes up some of its theorems and leaves out most, one of solutions a few.
        counted = len(findings) * _COUNTED <= boxes[chapter] or skipped * 2 * _COUNTED <= total
        if numbering.is_fixed or (counted and not book.is_solutions):
            yield from findings
        else:
            yield from (Unchecked(SELECTED) for _ in findings)


def _previous(declared: Iterable[Declared]) -> Mapping[tuple[str, int], Number]:
    """Return, for each box by its place, the number of the box of its kind before it."""
    found: dict[tuple[str, int], Number] = {}
    last: dict[tuple[int, str], Number] = {}
    for each in declared:
        key = each.part, each.box.kind
        if key in last:
            found[each.box.span.path, each.box.span.start] = last[key]
        last[key] = each.box.number
    return found


class _Gap(NamedTuple):
    """Numbers that are missing in a counter, and the first box behind them."""

    place: _Place
    skipped: list[int]


def _gaps(
    counters: _Counters, group: _Group, kinds: list[str], previous: Mapping[tuple[str, int], Number]
) -> Iterator[_Gap]:
    """Yield the gaps of a group; what several kinds lack that share a counter is one gap."""
    found: list[tuple[str, _Gap]] = []
    for kind in kinds:
        for gap in _gaps_of(group, kind, counters.missing(group, kind)):
            if not _goes_on(gap, previous):
                found.append((kind, gap))
    told: list[tuple[str, _Gap]] = []
    for kind, gap in sorted(found, key=lambda each: (each[1].place.rank, each[1].place.declared.box.span)):
        again = (
            other.skipped[0] == gap.skipped[0] and counters.shared(group, kind, another) for another, other in told
        )
        if not any(again):
            told.append((kind, gap))
            yield gap


def _gaps_of(group: _Group, kind: str, missing: list[int]) -> Iterator[_Gap]:
    """Yield the runs of missing numbers of one kind that have a box behind them."""
    known = sorted(group.indices[kind])
    runs: dict[int, list[int]] = defaultdict(list)
    for index in missing:
        runs[known[bisect_right(known, index)]].append(index)
    for behind, skipped in runs.items():
        place = next((place for place in group.places[kind] if place.rank == behind), None)
        if place is not None:
            yield _Gap(place, skipped)


def _goes_on(gap: _Gap, previous: Mapping[tuple[str, int], Number]) -> bool:
    """Whether a counter simply runs on from the section before: 2.1.1, 2.1.2, 2.2.3."""
    box = gap.place.declared.box
    before = previous.get((box.span.path, box.span.start))
    if gap.skipped[0] != 1 or before is None or before.parts[0] != box.number.parts[0]:
        return False
    return before.depth == box.number.depth and index_of(before) == gap.place.rank - 1


def _gap(group: _Group, gap: _Gap) -> Finding:
    declared = gap.place.declared
    first, last = (Number((*group.prefix, str(index))) for index in (gap.skipped[0], gap.skipped[-1]))
    shown = f"`{first}` is" if first == last else f"`{first}` to `{last}` are"
    return Finding(
        declared.box.span,
        f"{shown} skipped before `{declared.name}`",
        advice="close the gap, or declare what is missing",
    )


@book_rule("BOX007", Severity.WARNING)
def unordered_box(book: Book, *, numbering: Numbering = INFERRED) -> Iterator[Finding]:
    """A lower number stands after a higher one of its counter."""
    counters = _counters(book, numbering)
    again = {
        (other.box.span.path, other.box.span.start) for repetition in repetitions(book) for other in repetition.others
    }
    for group in counters.groups:
        for kinds in counters.joined(group):
            places = [place for kind in kinds for place in group.places[kind]]
            pages: dict[str, list[_Place]] = defaultdict(list)
            for place in places:
                span = place.declared.box.span
                # A box with a prime is a variant of another, and stands where it is wanted.
                varies = place.declared.box.number.suffix.startswith("'")
                if (span.path, span.start) not in again and not varies:
                    pages[span.path].append(place)
            taken = frozenset().union(*(group.indices[kind] for kind in kinds))
            for on_page in pages.values():
                yield from _unordered(sorted(on_page, key=lambda each: each.declared.box.span), taken)


def _unordered(places: list[_Place], taken: frozenset[int]) -> Iterator[Finding]:
    """Yield the boxes of one page that stand behind a higher one.

    A number far off, whose predecessor is nowhere, is an error of its own and sets no order.
    """
    highest: _Place | None = None
    for position, place in enumerate(places):
        if highest is not None and place.rank < highest.rank:
            first, second = place.declared, highest.declared
            yield Finding(
                first.box.span,
                f"`{first.name}` stands behind `{second.name}`",
                related=(Related(second.box.span, "the higher number"),),
                cause=f"{first.box.span.path}: behind {second.name} at {second.box.span.start}",
                advice="put the boxes in the order of their numbers, or renumber them",
            )
        elif highest is None or place.rank > highest.rank:
            stray = place.rank > 1 and place.rank - 1 not in taken
            following = places[position + 1].rank if position + 1 < len(places) else place.rank
            if not (stray and following < place.rank):
                highest = place
