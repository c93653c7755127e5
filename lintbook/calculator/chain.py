"""Chains: whether the two sides of each relation are equal, as people write such relations.

Numbers are exact as printed, and much is excused, for a chain is prose and no program: a unit that stands on one side
only, a last digit that was cut, a logarithm that names no base. Sides that differ under every reading disagree; which
of them is wrong nobody can tell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import Enum, IntEnum
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from lintbook.calculator.arithmetic import Chain, read_chains
from lintbook.calculator.conversion import THOUSANDS, coherent, conversions, implied_units, letters, with_bytes
from lintbook.calculator.evaluation import NEARLY, DimensionError, Environment, Evaluator, Quantity, nearest_integer
from lintbook.calculator.expression import Function, MalformedError, Node, Number
from lintbook.calculator.foreign import has_prefix, names_unit
from lintbook.calculator.notation import may_mean_more, says_nothing
from lintbook.calculator.number import Written, absolute, power_of_ten
from lintbook.calculator.plain import CODE
from lintbook.calculator.problem import Reason
from lintbook.calculator.side import BASE, Side, leaf_name
from lintbook.calculator.tokens import Token
from lintbook.calculator.unit import ONE, PLAIN, Unit, binary_power
from lintbook.text import Passage


class Grade(IntEnum):
    """How well two sides agree."""

    DISAGREE = 0
    LOOSE = 1  # rounded further than its digits say
    ROUNDED_INPUTS = 2  # equal if the numbers that go into it are themselves rounded
    CUT = 3  # the last place is cut instead of rounded
    AGREE = 4


class Comparison(Struct, frozen=True):
    """Two neighbouring sides and how well they agree.

    ``stated`` is the number that the other side is held against, or the right side if neither is a mere number.
    ``computed`` gives ``value``, in the unit of ``stated``; ``opposite`` is the value of ``stated`` itself. ``reason``
    says why they could not be compared.
    """

    chain: Chain
    computed: Side
    stated: Side
    grade: Grade
    value: Fraction = Fraction(0)
    opposite: Fraction = Fraction(0)
    reason: Reason | None = None

    @property
    def agrees(self) -> bool:
        """Whether the sides agree, or could not be compared."""
        return self.grade is Grade.AGREE

    @property
    def disagrees(self) -> bool:
        """Whether the sides disagree however they are read."""
        return self.grade is Grade.DISAGREE


class _Pair(NamedTuple):
    """The values of two sides."""

    value: Fraction
    opposite: Fraction

    def over(self, unit: Fraction) -> _Pair:
        """Return the values in another unit."""
        return _Pair(self.value / unit, self.opposite / unit)


class _Outcome(NamedTuple):
    grade: Grade
    value: Fraction = Fraction(0)
    opposite: Fraction = Fraction(0)
    reason: Reason | None = None

    @property
    def agrees(self) -> bool:
        """Whether nothing more need be tried."""
        return self.grade is Grade.AGREE and self.reason is None


@lru_cache(maxsize=1000)  # who checks a book again and again has the same chains before them
def judge_chains(passage: Passage, place: tuple[int, int] | None = None) -> tuple[Comparison, ...]:
    """Compare the neighbouring sides of all chains in a passage, or of that at ``place``; ``judge`` tells how."""
    chains = (chain for chain in read_chains(passage) if place in (None, chain.place))
    return tuple(comparison for chain in chains for comparison in judge(chain))


def judge(chain: Chain, *, doubted: bool = False) -> tuple[Comparison, ...]:
    """Compare the neighbouring sides of a chain.

    ``doubted`` says that sides which disagree may do so on purpose, or be of another arithmetic.
    """
    return tuple(_judged(chain, doubted=doubted))


def _judged(chain: Chain, *, doubted: bool) -> Iterator[Comparison]:
    units = tuple({(each.text, each.unit): each for side in chain.sides for each in side.measures}.values())
    for left, right, relation in zip(chain.sides, chain.sides[1:], chain.relations, strict=False):
        if says_nothing(left, right):
            continue
        magnitude = relation == "≈" and right.exponent is not None
        swapped = left.is_number and not right.is_number and not magnitude
        stated, computed = (left, right) if swapped else (right, left)
        try:
            outcome = _compare(computed, stated, units, approximate=relation == "≈")
        except MalformedError:
            outcome = _Outcome(Grade.AGREE, reason=Reason.UNCOMPUTED_CHAIN)
        loss = right.is_bracketed and outcome.value == -outcome.opposite  # 100 − 150 = (50)
        if outcome.grade < Grade.AGREE and (doubted or loss or may_mean_more(left, right)):
            outcome = _Outcome(Grade.AGREE, reason=Reason.DOUBTFUL_CHAIN)
        yield Comparison(chain, computed, stated, *outcome)


# Values


_BASES: tuple[Node, ...] = (
    Number("1", 1, PLAIN),
    Function("ln", (Number("10", 10, PLAIN),)),
    Function("ln", (Number("2", 2, PLAIN),)),
)


class _Units(Enum):
    """What of the units goes into a value."""

    NONE = "none"
    PREFIXES = "prefixes"  # as if they were scales: 16 MHz is 16 million
    WHOLE = "whole"


class _Reading(Struct, frozen=True):
    """One way to read a side: an expression and the base of its logarithms."""

    side: Side
    node: Node
    base: Node

    def value(
        self,
        *,
        units: _Units,
        binary: bool = False,
        shifted: Token | None = None,
        left_out: Collection[Token] = (),
    ) -> Quantity | None:
        """Return the value; None if its dimensions do not fit. Raise MalformedError for what has no value.

        ``binary`` takes K, MB and the like for powers of 1024. Half a unit of the last digit is added to the number
        ``shifted``; numbers that are ``left_out`` are one.
        """
        bindings: dict[str, Node] = {BASE: self.base}
        for leaf in self.side.leaves:
            if leaf.written is not None:
                half = Fraction(leaf.written.step, 2) if leaf is shifted else 0
                number = 1 if leaf in left_out else leaf.written.number + half
                bindings[leaf_name(leaf)] = Number(leaf.text, number, PLAIN)
            else:
                unit = _unit(leaf, units=units, binary=binary)
                bindings[leaf_name(leaf)] = Number(leaf.text, unit.factor, unit.dimension)
        try:
            return nearest_integer(Evaluator().evaluate(self.node, Environment(bindings)))
        except DimensionError:
            return None

    def uncertainty(self, numbers: Iterable[Token]) -> Fraction:
        """Return which part of the value may change if each of these numbers is rounded to its last digit."""
        units = _Units.WHOLE if self.side.measures else _Units.NONE
        value = self.value(units=units)
        if value is None or not value.value:
            return Fraction(0)
        shifted = [self.value(units=units, shifted=number) for number in numbers]
        changes = [absolute(each.value - value.value) for each in shifted if each is not None]
        return Fraction(sum(changes)) / absolute(value.value)


def _unit(measure: Token, *, units: _Units = _Units.WHOLE, binary: bool) -> Unit:
    if units is _Units.NONE:
        return ONE
    power = _binary_power(measure) if binary else 0
    unit = Unit(measure.unit.factor * Fraction(1024, 1000) ** power, measure.unit.dimension) if power else measure.unit
    return unit if units is _Units.WHOLE else Unit(unit.factor / coherent(measure), PLAIN)


def _binary_power(measure: Token) -> int:
    return "KMGT".find(measure.text.upper()) + 1 if measure.unit.dimension == PLAIN else binary_power(measure.text)


def _readings(side: Side) -> Iterator[_Reading]:
    for node in side.readings:
        for base in _BASES if side.has_bare_logarithm else _BASES[:1]:
            yield _Reading(side, node, base)


def _rounded(side: Side) -> Iterator[Token]:
    """Yield the numbers of a side that look rounded: of several digits with decimals or exponent, or with a scale."""
    for leaf, following in zip(side.leaves, [*side.leaves[1:], None], strict=True):
        written = leaf.written
        scaled = following is not None and following.written is None and following.unit.dimension == PLAIN
        printed = written is not None and written.digits > 1 and (written.decimals or written.exponent)
        if written is not None and (printed or scaled):
            yield leaf


def _has_unit(side: Side) -> bool:
    """Say whether a side has more than scales behind its numbers."""
    return any(measure.unit.dimension != PLAIN for measure in side.measures)


# Comparing


def _compare(computed: Side, stated: Side, units: Sequence[Token], *, approximate: bool) -> _Outcome:
    """Return how well two sides agree in the best reading, with the values of the plainest.

    ``units`` are those of the chain in which they stand.
    """
    benches = [_Bench(*sides, units, approximate=approximate) for sides in with_bytes(computed, stated)]
    fitting: list[_Outcome] = []
    for bench in benches:
        outcome = bench.best()
        if outcome.agrees:
            return outcome
        if outcome.reason is None:
            fitting.append(outcome)
    if not fitting:
        return _Outcome(Grade.AGREE, reason=Reason.UNLIKE_SIDES)
    outcome = fitting[0]._replace(grade=max(each.grade for each in fitting))
    if outcome.grade is Grade.DISAGREE and (_are_unlike(computed, stated) or _is_prefixed(outcome, stated)):
        return _Outcome(Grade.AGREE, reason=Reason.UNLIKE_SIDES)
    if outcome.grade is Grade.DISAGREE and benches[0].goes_on(outcome.value):
        return _Outcome(Grade.AGREE, reason=Reason.DOUBTFUL_CHAIN)
    return outcome


def _are_unlike(*sides: Side) -> bool:
    """Say whether one of two sides is in a known unit, the other in one that is not: ``16 × 4 KiB = 16 pages``."""
    one, other = (side.in_bytes(letters(side)) for side in sides)
    measured = _is_measured(one), _is_measured(other)
    return measured[0] != measured[1] and names_unit(other if measured[0] else one)


def _is_prefixed(outcome: _Outcome, stated: Side) -> bool:
    """Say whether the prefix of a unit that is not known makes the stated number agree: ``12 × 0.5 = 6000 mV``."""
    if stated.written is None or not has_prefix(stated.label):
        return False
    printed = stated.written.value(approximate=True)
    return any(outcome.value / power in printed for power in THOUSANDS)


def _is_measured(side: Side) -> bool:
    """Say whether the value of a side is in a unit."""
    value = next(_readings(side)).value(units=_Units.WHOLE)
    return value.dimension != PLAIN if value else _has_unit(side)


class _Bench:
    """Compares two sides; ``measures`` are the units of all sides of their chain."""

    def __init__(self, computed: Side, stated: Side, measures: Sequence[Token], *, approximate: bool) -> None:
        self.measures = measures
        self.computed = computed
        self.stated = stated
        self.approximate = approximate
        self.is_plain = stated.is_number or stated.exponent is not None
        # Which of the sides take K, MB and the like for powers of 1024: both, or the only one that has any.
        ambiguous = [any(_binary_power(measure) for measure in side.measures) for side in (computed, stated)]
        self.prefixes = ((False, False), (ambiguous[0], ambiguous[1])) if any(ambiguous) else ((False, False),)

    def goes_on(self, value: Fraction) -> bool:
        """Say whether the right side goes on with the result of the left one: ``2 + 1 = 3 + 4 = 7``."""
        first = next(self.stated.numbers, None)
        return (
            not self.stated.is_number
            and first is not None
            and first.written is not None
            and (abs(value - first.written.number) * 2 <= first.written.step)
        )

    def best(self) -> _Outcome:
        """Return the best grade of any reading, excuses aside that need no reading."""
        plainest: _Outcome | None = None
        best = Grade.DISAGREE
        for one in _readings(self.computed):
            for other in _readings(self.stated):
                for pair in self.pairs(one, other):
                    grade = self.grade(one, other, pair)
                    plainest = plainest or _Outcome(grade, *pair)
                    best = max(best, grade)
                    if best is Grade.AGREE:
                        return plainest._replace(grade=best)
        if plainest is None:
            return _Outcome(Grade.AGREE, reason=Reason.UNLIKE_SIDES)
        return plainest._replace(grade=best)

    def pairs(self, one: _Reading, other: _Reading) -> Iterator[_Pair]:
        """Yield the values of the two sides, in the unit of the stated one, in all ways to take their units."""
        units = (_has_unit(self.computed), _has_unit(self.stated))
        scales = (bool(self.computed.measures), bool(self.stated.measures))
        if all(units):
            yield from self.both(one, other, units=_Units.WHOLE)
            yield from self.behind(one, other)
            for left_out in conversions(self.computed.leaves, self.measures):
                yield from self.both(one, other, units=_Units.WHOLE, left_out=left_out)
            if self.agree_bare(one, other):
                yield from self.both(one, other, units=_Units.NONE)
            return
        if not any(units):
            yield from self.unmeasured(one, other, scales)
            return
        value = one.value(units=_Units.WHOLE)
        if value is None:  # 16 MHz / (16 × 9600) − 1
            yield from self.both(one, other, units=_Units.PREFIXES)
        elif value.dimension == PLAIN:  # 32 KB / 64 B
            yield from self.both(one, other, units=_Units.WHOLE)
        yield from self.both(one, other, units=_Units.NONE)
        yield from self.one_measured(one, other)

    def unmeasured(self, one: _Reading, other: _Reading, scales: tuple[bool, bool]) -> Iterator[_Pair]:
        """Yield the values of two sides without units."""
        if any(scales):
            yield from self.both(one, other, units=_Units.WHOLE)  # scales are part of the number
        if not all(scales):
            yield from self.both(one, other, units=_Units.NONE)
        if scales[0] != scales[1]:
            yield from self.one_measured(one, other)

    def unit(self, *, units: _Units = _Units.WHOLE, binary: bool) -> Fraction:
        """Return the unit in which the stated number is written."""
        factor = Fraction(1)
        for measure in self.stated.measures if self.is_plain else ():
            factor *= _unit(measure, units=units, binary=binary).factor
        return factor

    def both(
        self, one: _Reading, other: _Reading, *, units: _Units, left_out: Collection[Token] = ()
    ) -> Iterator[_Pair]:
        for first, second in self.prefixes if units is not _Units.NONE else ((False, False),):
            value = one.value(units=units, binary=first, left_out=left_out)
            opposite = other.value(units=units, binary=second)
            if value is None or opposite is None or value.dimension != opposite.dimension:
                return
            unit = self.unit(units=units, binary=second)
            yield _Pair(Fraction(value.value), Fraction(opposite.value)).over(unit)

    def agree_bare(self, one: _Reading, other: _Reading) -> bool:
        """Say whether sides whose units do not fit together agree without them."""
        value, opposite = one.value(units=_Units.WHOLE), other.value(units=_Units.WHOLE)
        if value is not None and opposite is not None and value.dimension == opposite.dimension:
            return False
        return any(self.grade(one, other, pair) is Grade.AGREE for pair in self.both(one, other, units=_Units.NONE))

    def behind(self, one: _Reading, other: _Reading) -> Iterator[_Pair]:
        """Take a unit at the end of a side for that of the whole side: ``1/2 GB``."""
        leaves = self.computed.leaves
        if len(self.computed.measures) != 1 or leaves[-1].unit.dimension == PLAIN:
            return
        value, opposite = one.value(units=_Units.NONE), other.value(units=_Units.WHOLE)
        if value is not None and opposite is not None and leaves[-1].unit.dimension == opposite.dimension:
            pair = _Pair(Fraction(value.value * leaves[-1].unit.factor), Fraction(opposite.value))
            yield pair.over(self.unit(binary=False))

    def one_measured(self, one: _Reading, other: _Reading) -> Iterator[_Pair]:
        """Compare sides of which one has a unit or scale: the other may be in the same, with any prefix."""
        if self.stated.written is not None and not self.stated.written.number:
            return  # nothing is zero in any unit
        measured = self.computed if _has_unit(self.computed) or not self.stated.measures else self.stated
        for first, second in self.prefixes:
            value, opposite = (
                one.value(units=_Units.WHOLE, binary=first),
                other.value(units=_Units.WHOLE, binary=second),
            )
            if value is None or opposite is None:
                return
            pair = _Pair(Fraction(value.value), Fraction(opposite.value))
            dimension = (value if measured is self.computed else opposite).dimension
            for unit in implied_units(measured.measures, dimension, binary=first or second):
                if measured is self.stated:
                    yield _Pair(pair.value * unit, pair.opposite).over(self.unit(binary=second))
                else:
                    yield _Pair(pair.value / unit, pair.opposite).over(self.unit(binary=second))

    def grade(self, one: _Reading, other: _Reading, pair: _Pair) -> Grade:
        """Say how well two values agree."""
        if pair.value == pair.opposite:
            return Grade.AGREE
        if self.stated.written is not None:
            return self.grade_number(one, pair, self.stated.written)
        if self.stated.exponent is not None and self.approximate:
            return _grade_magnitude(pair)
        return self.grade_sides(one, other, pair)

    def grade_number(self, one: _Reading, pair: _Pair, written: Written) -> Grade:
        difference = abs(pair.value - written.number)
        exact = pair.value.denominator == 1 and not self.stated.measures and not self.approximate
        last_place = written.unit_in_last_place(approximate=not exact)
        if 2 * difference <= last_place or (written.digits >= _FLOAT_DIGITS and difference <= _NOISE * abs(pair.value)):
            return Grade.AGREE
        if self.computed.setting == CODE and written.step == 1 and pair.value // 1 == written.number:
            return Grade.AGREE  # division of integers
        both_round = self.computed.is_number and self.approximate  # 3.28 MB ≈ 3.125 MiB, of 3,276,800 bytes
        if both_round and 2 * difference <= last_place + 2 * abs(pair.value) * self.rounding(one):
            return Grade.AGREE
        excess = abs(pair.value) - absolute(written.number)
        cut = 0 <= excess < last_place and pair.value * written.number > 0
        if cut and (written.digits >= 2 or self.approximate):
            return Grade.CUT
        if difference <= 2 * last_place and 2 * difference <= last_place + 2 * abs(pair.value) * self.rounding(one):
            return Grade.ROUNDED_INPUTS
        loosely = written.step * power_of_ten(written.zeros) if self.approximate else written.unit_in_last_place(True)
        return Grade.LOOSE if 2 * difference <= loosely else Grade.DISAGREE

    def rounding(self, one: _Reading) -> Fraction:
        """Return which part of a computed value its rounded numbers leave open."""
        return one.uncertainty(_rounded(self.computed))

    def grade_sides(self, one: _Reading, other: _Reading, pair: _Pair) -> Grade:
        """Compare two expressions: numbers that stand only in the stated one may be results that were rounded."""
        known = {number.written.number for number in self.computed.numbers if number.written}
        new = [number for number in self.stated.numbers if number.written and number.written.number not in known]
        rounded = new if self.approximate else [number for number in _rounded(self.stated) if number in new]
        difference = abs(pair.value - pair.opposite)
        allowed = abs(pair.opposite) * (other.uncertainty(rounded) + NEARLY)
        if difference <= allowed:
            return Grade.AGREE
        if difference <= allowed + abs(pair.value) * self.rounding(one):
            return Grade.ROUNDED_INPUTS
        near = self.approximate and difference <= _LOOSELY * max(abs(pair.value), abs(pair.opposite))
        return Grade.LOOSE if near else Grade.DISAGREE


_FLOAT_DIGITS = 15  # numbers of more digits were printed by a program: 0.1 + 0.2 = 0.30000000000000004
_NOISE = Fraction(1, 10**12)
_LOOSELY = Fraction(1, 20)


def _grade_magnitude(pair: _Pair) -> Grade:
    """Compare a value with a bare power of ten, which tells an order of magnitude."""
    ratio = pair.value / pair.opposite
    if ratio <= 0:
        return Grade.DISAGREE
    if Fraction(1, 10) <= ratio**2 <= 10:
        return Grade.AGREE
    return Grade.LOOSE if Fraction(1, 10) < ratio < 10 else Grade.DISAGREE
