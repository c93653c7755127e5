"""Wording: what is said of a number of the text and the value that a formula gives for it.

Values are shown in the unit and the precision of the text, and a ratio that a slip makes is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from lintbook.calculator.chain import Comparison, Grade
from lintbook.calculator.evaluation import Quantity
from lintbook.calculator.number import Written, print_like
from lintbook.calculator.unit import BYTE, INFORMATION, PLAIN, binary_name, binary_power
from lintbook.patterns import regex

if TYPE_CHECKING:
    from lintbook.calculator.claim import Option
    from lintbook.calculator.quotation import Quoted
    from lintbook.calculator.side import Side
    from lintbook.calculator.symbolic import Counterexample

_SHOWN = 40  # characters of a number in a message
_SHOWN_SIDE = 60  # … of a side of a chain
_LONG = 10**15  # numbers from here on are not printed in full

# Bytes per element, bits per byte, a percent, a prefix.
_SLIPS = [2, 8, 10, 100, *(1000**n for n in range(1, 5)), *(1024**n for n in range(1, 5))]


class Compared(Struct, frozen=True):
    """A number of the text, its ``digits`` as written, and the value for it, which ``label`` gives."""

    label: str
    digits: str
    quoted: Quoted
    written: Written
    value: Quantity

    @property
    def shown(self) -> str:
        """The number as written, with its unit."""
        return _with_tail(shortened(self.digits), self.quoted)

    @property
    def rescaled(self) -> Fraction:
        """The value in the unit and scale of the text."""
        return Fraction(self.value.value) / self.quoted.factor

    @property
    def recomputed(self) -> str:
        """The value in the unit and precision of the text."""
        return _with_tail(print_like(self.rescaled, self.written), self.quoted)


def shortened(text: str, shown: int = _SHOWN) -> str:
    """Put a number or expression on one line, and leave out the middle of a very long one."""
    text = " ".join(text.split())
    return text if len(text) <= shown else f"{text[: shown // 2]}…{text[-shown // 2 :]}"


def _with_tail(number: str, quoted: Quoted) -> str:
    blank = "" if not quoted.tail or quoted.tail[0] in "%‰" else " "
    return number + blank + quoted.tail


def rewritten(one: Compared) -> str | None:
    """Return the value as the digits of the text are written.

    None if that cannot be told, as of a power, or if it is the unit that should be another.
    """
    number = print_like(one.rescaled, one.written)
    digits = one.digits
    if (
        _binary_unit(one)
        or not one.written.step
        or one.written.exponent is not None
        or "×" in number
        or not _DIGITS.fullmatch(digits)
    ):
        return None
    if "{,}" in digits:
        number = number.replace(",", "{,}")
    if "\\," in digits:
        number = number.replace(" ", "\\,")
    return number.replace("-", "−") if "−" in digits else number


_DIGITS = regex(r"[-−]?(?:[0-9]|,|\{,\}|\\,| )*(?:\.[0-9]+)?")


def mismatched(one: Compared) -> str:
    """Say that the unit of a number is not of its formula's dimension."""
    wanted = one.value.dimension
    of_formula = f"{one.label} is {wanted}" if wanted == PLAIN else f"{one.label} is in {wanted}"
    if one.quoted.dimension == PLAIN:
        return f"`{one.shown}` has no unit, but {of_formula}"
    return f"`{one.shown}` is in {one.quoted.dimension}, but {of_formula}"


def truncated(one: Compared) -> str:
    """Say that a number is cut instead of rounded."""
    return f"{one.shown} is cut, not rounded: {one.label} gives {one.recomputed}"


def wrong(one: Compared, option: Option | None) -> str:
    """Say that a number is not its formula, with the ratio if it is one that a slip makes."""
    gives = f"{one.label} gives {one.recomputed}"
    from lintbook.calculator.claim import Option  # of claims alone: what is said of chains needs none of it

    if option in (Option.BELOW, Option.ABOVE):
        return f"not {option} {one.shown}: {gives}"
    if meant := _binary_unit(one):
        return f"{one.shown}, but {gives}: it agrees only in powers of 1024, as {meant}"
    ratio = _ratio(one)
    return f"{one.shown}, but {gives}" + (f" ({ratio})" if ratio else "")


def all_wrong(all_: Sequence[Compared]) -> str | None:
    """Say that all numbers of a claim miss their values by one ratio; None if they do not."""
    ratio = _common_ratio(all_)
    if ratio is None:
        return None
    last = all_[-1]
    shares_tail = len({one.quoted.tail for one in all_}) == 1
    bare = [replace(one, quoted=replace(one.quoted, tail="")) if shares_tail else one for one in all_]
    written, recomputed = (
        _with_tail(" / ".join(parts), last.quoted) if shares_tail else " / ".join(parts)
        for parts in ([one.shown for one in bare], [one.recomputed for one in bare])
    )
    labels = list(dict.fromkeys(one.label for one in all_))
    verb = "gives" if len(labels) == 1 else "give"
    return f"{written}, but {', '.join(labels)} {verb} {recomputed} (each {ratio})"


def _binary_unit(one: Compared) -> str | None:
    """Return the binary unit if a number agrees once its decimal one is read so: ``GiB`` for ``GB``."""
    name = one.quoted.tail.split()[-1].split("/")[0] if one.quoted.unit else ""
    power = binary_power(name)
    if not power or one.rescaled * Fraction(1000, 1024) ** power not in one.written.value(one.quoted.approximate):
        return None
    return binary_name(name)


def _ratio(one: Compared) -> str | None:
    return _named_ratio(one.rescaled, one.written)


def _named_ratio(value: Fraction, written: Written) -> str | None:
    """Name the ratio of a value and a number if it is one that a slip makes."""
    if not written.number:
        return None
    exact = value / written.number
    for slip in _SLIPS:
        if exact in (slip, Fraction(1, slip)):
            return f"exactly {exact}×"
    for slip in _SLIPS if written.digits > 1 else ():
        for factor in (Fraction(slip), Fraction(1, slip)):
            if value / factor in written.value():
                return f"{factor}×"
    return None


def _common_ratio(all_: Sequence[Compared]) -> str | None:
    exact = {one.rescaled / one.written.number if one.written.number else None for one in all_}
    ratio = exact.pop() if len(exact) == 1 else None
    if ratio is not None and max(abs(ratio.numerator), ratio.denominator) < _LONG:
        return f"exactly {ratio}×"
    named = {_ratio(one) for one in all_}
    return named.pop() if len(named) == 1 else None


def bytes_per_element(counts: Sequence[tuple[Quoted, Quantity]]) -> str:
    """Say by what factor all numbers in bytes miss a formula of elements; empty if factors differ."""
    ratios: set[Fraction | None] = set()
    for quoted, count in counts:
        text = quoted.read_as(INFORMATION)
        fits = text.written and text.dimension == INFORMATION and count.dimension == PLAIN and count.value
        in_bytes = Fraction(text.written.number * text.factor) / BYTE.factor if text.written else Fraction(0)
        ratios.add(in_bytes / count.value if fits else None)
    ratio = ratios.pop() if len(ratios) == 1 else None
    if ratio is None or ratio == 1 or max(abs(ratio.numerator), ratio.denominator) >= _LONG:
        return ""
    hint = ": bytes per element?" if ratio in (2, 4, 8) else ""
    return f"; every quoted value is exactly {ratio}× the formula{hint}"


def different(name: str, found: Counterexample) -> str:
    """Say that a formula of the text is not the one named ``name``, by values for which they differ."""
    point = ", ".join(f"{symbol}={value}" for symbol, value in found.point.items())
    text, named = Fraction(found.one), Fraction(found.other)
    where = f"with {shortened(point, _SHOWN_SIDE)} it" if point else "it"
    gives = f"{where} gives {_print(text, named)}, `{name}` {_print(named, text)}"
    return f"the formula in the text is not `{name}`: {gives}"


# Chains


def disagreeing(comparison: Comparison) -> str:
    """Say that two sides of a chain disagree, with the ratio if it is one that a slip makes."""
    stated = comparison.stated
    message = f"{_gives(comparison)}, which disagrees with {_side(stated)}"
    if stated.written is None:
        return (
            f"{message}, which is {_print(comparison.opposite, comparison.value)}"
            if stated.exponent is None
            else message
        )
    ratio = _named_ratio(comparison.value, stated.written)
    return f"{message} ({ratio})" if ratio else message


def nearly_agreeing(comparison: Comparison) -> str:
    """Say in what two sides of a chain agree only nearly."""
    stated = _side(comparison.stated)
    match comparison.grade:
        case Grade.CUT:
            return f"{stated} is cut, not rounded: {_gives(comparison)}"
        case Grade.ROUNDED_INPUTS:
            return f"{_gives(comparison)}, and {stated} only if its numbers are rounded themselves"
        case _:
            return f"{stated} is rounded further than its digits say: {_gives(comparison)}"


def _gives(comparison: Comparison) -> str:
    stated = comparison.stated
    if stated.written is None:
        return f"{_side(comparison.computed)} gives {_print(comparison.value, comparison.opposite)}"
    value = print_like(comparison.value, stated.written)
    scaled = all(measure.unit.dimension == PLAIN for measure in stated.measures)
    unit = "".join(measure.text for measure in stated.measures) if comparison.computed.measures or scaled else ""
    return f"{_side(comparison.computed)} gives {value}{' ' if unit.isascii() and unit not in ('', '%') else ''}{unit}"


def _side(side: Side) -> str:
    return f"`{shortened(side.text, _SHOWN_SIDE)}`"


def _print(value: Fraction, other: Fraction) -> str:
    """Print a value in as many digits as tell it from another one."""
    return print_like(value, Written(other, 1, 3, 0))
