"""Conversions: which unit a number may be in, and which factors only turn one unit into another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations

from lintbook.calculator.number import Rational
from lintbook.calculator.side import Side
from lintbook.calculator.tokens import Mark, Token
from lintbook.calculator.unit import BYTE, PLAIN, TABLE, TIME, Dimension, Unit
from lintbook.patterns import regex

THOUSANDS = tuple(Fraction(1000) ** n for n in range(-5, 6))
_BINARY = tuple(Fraction(1024) ** n for n in range(-5, 6))
_OF_NUMBERS = (*(Fraction(10) ** n for n in (-8, -4, 4, 8)), Fraction(1, 100))
_TIMES = tuple(Fraction(seconds) for seconds in (60, 3600, 86_400))
_IN_BITS = regex(r"(?:[bB]its?|b|比特)(?:/|ps|$|\sper\s)")
_IN_BINARY = regex(r"[kKMGTPE]i")
_STROKE = regex(r"[/⁄*·]|\sper\s")
_OF_TIME = (24, 60, 3600, 86_400)
_MAX_FACTORS = 4  # that are looked at: of `1 GB × 8 × 1024 × 1024 × 1024`, say


def implied_units(measures: Sequence[Token], dimension: Dimension, *, binary: bool) -> tuple[Fraction, ...]:
    """Return the units that numbers without any may be in, where those of the other side make up ``dimension``."""
    if dimension.information:
        powers = _BINARY if binary or any(_IN_BINARY.match(measure.text) for measure in measures) else THOUSANDS
        in_bits = any(map(_is_in_bits, measures))
        return powers if in_bits else tuple(power * Fraction(8) ** int(dimension.information) for power in powers)
    if dimension == PLAIN:
        return (*(_BINARY if binary else THOUSANDS), *_OF_NUMBERS)
    return (*THOUSANDS, *_TIMES) if dimension == TIME else THOUSANDS


def coherent(measure: Token) -> Fraction:
    """Return the unit of its dimension that has no prefix: of ``MB/s`` byte per second, of ``kW`` watt."""
    dimension = measure.unit.dimension
    byte = 1 if _is_in_bits(measure) else BYTE.factor
    return Fraction(byte) ** int(dimension.information) * Fraction(1000) ** int(dimension.mass)


def with_bytes(computed: Side, stated: Side) -> Iterator[tuple[Side, Side]]:
    """Yield the two sides with each ``B`` for byte or billion, in all ways that people mean, the plainest first.

    It is rather a scale where it is glued to its number (``7B``), and rather byte where bytes are spoken of.
    """
    doubtful = letters(computed, stated)
    if not doubtful:
        yield computed, stated
        return
    apart = [letter for letter in doubtful if letter.gap]
    in_bytes = any(measure.unit.dimension.information for measure in (*computed.measures, *stated.measures))
    ways = [[], apart, doubtful, [doubtful[-1]]] if not in_bytes else [apart, [], doubtful, [doubtful[-1]]]
    for number, way in enumerate(ways):
        if way not in ways[:number]:
            yield computed.in_bytes(way), stated.in_bytes(way)


def letters(*sides: Side) -> list[Token]:
    """Return the measures of sides that read ``B``: byte or billion."""
    return [measure for side in sides for measure in side.measures if measure.text == "B"]


def conversions(leaves: Sequence[Token], measures: Iterable[Token]) -> Iterator[tuple[Token, ...]]:
    """Yield the numbers among ``leaves`` that may do no more than turn units into each other: 8, 1000, 60 and the like.

    A number that has a unit itself is none, and two of the units in ``measures`` must be that far apart: the 60 of
    ``74 min × 60 × 176,400 B/s`` makes seconds of minutes, and the text goes on as if it said so. What stands before
    all units counts something: that of ``60 × 60 s = 1 min`` is no conversion.
    """
    first = next((place for place, leaf in enumerate(leaves) if leaf.mark is Mark.MEASURE), len(leaves))
    bare = [
        leaf
        for leaf, following in zip(leaves[first:], [*leaves[first + 1 :], None], strict=False)
        if leaf.written and leaf.written.number and not (following and following.mark is Mark.MEASURE)
    ]
    if not bare:
        return
    units = _Units(measures)
    converting = [leaf for leaf in bare if leaf.written and units.may_convert(leaf.written.number)][:_MAX_FACTORS]
    for size in range(1, len(converting) + 1):
        yield from combinations(converting, size)


class _Units:
    """The units of a chain: how far those of one dimension are apart, and whether bits and bytes are among them."""

    def __init__(self, measures: Iterable[Token]) -> None:
        measures = tuple(measures)
        simple = set(chain.from_iterable(map(_simple_units, measures)))
        self.ratios = {
            (Fraction(one.factor) / other.factor, one.dimension)
            for one, other in permutations(simple, 2)
            if one.dimension == other.dimension != PLAIN
        }
        of_information = [measure for measure in measures if measure.unit.dimension.information or measure.text == "B"]
        self.both_bits_and_bytes = len({_is_in_bits(measure) for measure in of_information}) == 2

    def may_convert(self, number: Rational) -> bool:
        """Say whether a factor may turn one of the units into another."""
        if number == 8 and self.both_bits_and_bytes:
            return True
        number = Fraction(number) if number >= 1 else 1 / Fraction(number)
        return number > 1 and any(
            ratio == number
            or (number in THOUSANDS and number <= ratio)
            or (number in _BINARY and _decimal(number) <= ratio)
            or (dimension == TIME and number in _OF_TIME and (ratio / number).denominator == 1)
            for ratio, dimension in self.ratios
        )


def _decimal(power: Fraction) -> Fraction:
    """Return the power of 1000 that a power of 1024 stands for."""
    return THOUSANDS[_BINARY.index(power)]


def _is_in_bits(measure: Token) -> bool:
    return _IN_BITS.search(measure.text) is not None


def _simple_units(measure: Token) -> Iterator[Unit]:
    """Yield the unit of a measure, and those that it is made of: of ``km/h`` also km and h."""
    yield measure.unit
    for name in _STROKE.split(measure.text):
        unit = BYTE if name == "B" else TABLE.get(name.removesuffix("ps"))
        if unit is not None:
            yield unit
