r"""Written numbers: the characters of a text, read as an interval of exact values.

Reads plain text (``plain.py``): digits, grouped in threes; a decimal point; ``×10^{n}`` and ``e``; a power of
integers; a fraction of integers; and behind the number ``%``, ``万``, ``K``, ``million`` …. No float is used
anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from lintbook.patterns import regex

# Exact numbers; integers stay integers, which are ten times as fast.
Rational = int | Fraction

MAX_DIGITS = 10_000

_MAX_SHOWN = 40  # decimals in a message
_CHUNK = 4_000  # Python refuses to convert longer strings at once


class NumberTooLongError(ValueError):
    """A number of more than 10,000 digits."""

    def __init__(self) -> None:
        super().__init__("the number has more than 10,000 digits")
        self.length = 1  # of its characters, where they stand in a text


class Value(Struct, frozen=True):
    """The closed interval of all values that print as written; its ends are exact."""

    low: Rational
    high: Rational

    def __contains__(self, value: Rational) -> bool:
        return self.low <= value <= self.high


class Written(Struct, frozen=True):
    """A number as written, sign included, scale and unit left out.

    ``step`` is one unit of the last written digit, zero for a fraction, which is exact. ``digits`` counts the
    significant digits, ``zeros`` those of them that end an integer. ``decimals``, ``exponent`` (of ten) and
    ``mark`` (between groups of three digits) say how it is printed.
    """

    number: Rational
    step: Rational
    digits: int
    zeros: int
    decimals: int = 0
    exponent: int | None = None
    mark: str = ""

    def unit_in_last_place(self, approximate: bool = False) -> Rational:
        """Return one unit of the last digit that counts.

        Of an approximate number the zeros that end an integer do not count, but two digits always do.
        """
        if not approximate:
            return self.step
        return self.step * power_of_ten(max(min(self.zeros, self.digits - 2), 0))

    def value(self, approximate: bool = False) -> Value:
        """Return the values that print as this number: half a unit of the last digit to either side."""
        half = Fraction(self.unit_in_last_place(approximate), 2)
        return Value(self.number - half, self.number + half)


class Scale(NamedTuple):
    """What multiplies a number behind it: ``%``, ``万``, ``K`` …, as written, and its factor."""

    name: str
    factor: Rational


class Found(NamedTuple):
    """A written number in plain text, and the index behind it."""

    written: Written
    end: int


_BLANKS = " \u00a0\u2009\u202f"
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_EXPONENT = r"(?:\^\{\s*(?P<%s>[-−+]?[0-9]+)\s*\}|\^(?P<%s>[-−]?[0-9]+)|(?P<%s>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))"

# Grouped digits are followed by no further digits, or `128,256,51` would be read as 128256 and 51.
_GROUPED = rf"[1-9][0-9]{{0,2}}(?P<mark>[,\u066c{_BLANKS}])[0-9]{{3}}(?:(?P=mark)[0-9]{{3}})*(?!(?P=mark)?[0-9])"
_FRACTION = regex(r"([0-9]+)\u2044([0-9]+)(?![0-9.])")
_DECIMALS = r"(?:\.(?P<decimals>[0-9]+))?"
_E = r"[eE](?P<e>[-−+]?[0-9]+)(?![A-Za-z0-9_])"
_TEN = rf"[{_BLANKS}]*[×·][{_BLANKS}]*10{_EXPONENT % ('ten1', 'ten2', 'ten3')}"
_BEHIND_WHOLE = rf"{_DECIMALS}(?:{_E}|{_TEN})?"
_DECIMAL = regex(rf"(?P<whole>{_GROUPED}|[0-9]+){_DECIMALS}(?:{_E})?")
_NUMBER = regex(rf"(?P<whole>{_GROUPED}|[0-9]+){_BEHIND_WHOLE}")
_UNGROUPED = regex(rf"(?P<whole>[0-9]+)(?P<mark>)?{_BEHIND_WHOLE}")
_POWER = regex(rf"(?P<base>[0-9]+){_EXPONENT % ('n1', 'n2', 'n3')}")

_SCALES: dict[str, Rational] = {
    "%": Fraction(1, 100),
    "‰": Fraction(1, 1000),
    "千": 10**3,
    "万": 10**4,
    "十万": 10**5,
    "百万": 10**6,
    "千万": 10**7,
    "亿": 10**8,
    "十亿": 10**9,
    "百亿": 10**10,
    "千亿": 10**11,
    "万亿": 10**12,
    "k": 10**3,
    "K": 10**3,
    "M": 10**6,
    "B": 10**9,
    "T": 10**12,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
# A binding knows fewer: bare letters and the two powers that Chinese counts in.
BINDING_SCALES: dict[str, Rational] = {name: _SCALES[name] for name in ("%", "K", "M", "B", "T", "万", "亿")}
_SCALE = regex(
    "(?:"
    + "|".join(
        sorted((re.escape(name) for name in _SCALES if not name.isascii() or name == "%"), key=len, reverse=True)
    )
    + r")|(?:[kKMBT]|thousand|million|billion|trillion)(?![A-Za-z0-9_\u0370-\u03ff])"
)


def integer(digits: str) -> int:
    """Convert decimal digits of any length; raise NumberTooLongError beyond 10,000 of them."""
    if len(digits) <= _CHUNK:
        return int(digits)
    if len(digits) > MAX_DIGITS:
        raise NumberTooLongError
    value = 0
    for start in range(0, len(digits), _CHUNK):
        chunk = digits[start : start + _CHUNK]
        value = value * 10 ** len(chunk) + int(chunk)
    return value


def absolute(value: Rational) -> Rational:
    """Return the absolute value, of which the built-in function loses the type."""
    return -value if value < 0 else value


def exact(value: Rational) -> Rational:
    """Return an integer as an integer."""
    return value.numerator if value.denominator == 1 else value


def power_of_ten(exponent: int) -> Rational:
    """Return ten to the ``exponent``, exactly."""
    return int(10**exponent) if exponent >= 0 else Fraction(1, 10**-exponent)


def decimal(whole: str, decimals: str, exponent: int) -> Rational:
    """Return ``whole.decimals`` times ten to the ``exponent``, exactly; raise NumberTooLongError."""
    if abs(exponent) + len(whole) + len(decimals) > MAX_DIGITS:
        raise NumberTooLongError
    power = exponent - len(decimals)
    return integer(whole + decimals) * power_of_ten(power) if power else integer(whole)


def read_number(text: str, at: int, apart: str = "") -> Found:
    """Read the number, without sign, whose first digit is at ``at``.

    The marks of ``apart`` do not group digits. Raise NumberTooLongError if it has more than 10,000 digits.
    """
    for pattern, make in ((_FRACTION, _fraction), (_POWER, _power)):
        match = pattern.match(text, at)
        if match and (written := _within_cap(make, match)):
            return Found(written, match.end())
    match = _NUMBER.match(text, at)
    if match and match["mark"] and match["mark"] in apart:
        match = _UNGROUPED.match(text, at)
    if match is None:
        raise ValueError(f"no digit at {at}")
    return Found(_within_cap(_written, match), match.end())


def read_decimal(text: str, at: int) -> Found:
    """Read the digits at ``at``, grouped or not, with decimals and ``e`` behind them, and nothing else.

    Raise NumberTooLongError as above.
    """
    match = _DECIMAL.match(text, at)
    if match is None:
        raise ValueError(f"no digit at {at}")
    return Found(_within_cap(_decimal, match), match.end())


def times_power_of_ten(written: Written, exponent: int) -> Written:
    """Return ``written`` with a power of ten behind it: 3.1 as 3.1×10^23; raise NumberTooLongError."""
    if abs(exponent) > MAX_DIGITS:
        raise NumberTooLongError
    power = power_of_ten(exponent)
    return replace(
        written, number=written.number * power, step=written.step * power, exponent=exponent + (written.exponent or 0)
    )


_Made = TypeVar("_Made")


def _within_cap(make: Callable[[re.Match[str]], _Made], match: re.Match[str]) -> _Made:
    try:
        return make(match)
    except NumberTooLongError as error:
        error.length = len(match.group())
        raise


def _fraction(match: re.Match[str]) -> Written | None:
    above, below = integer(match[1]), integer(match[2])
    return Written(Fraction(above, below), 0, len(match[1]), 0) if below else None


def _exponent(text: str) -> int:
    sign = -1 if text[0] in "-−⁻" else 1
    return sign * integer(text.translate(_SUPERSCRIPTS).lstrip("-−+"))


def _decimal(match: re.Match[str]) -> Written:
    return _printed_number(match, match["e"])


def _written(match: re.Match[str]) -> Written:
    return _printed_number(match, match["e"] or match["ten1"] or match["ten2"] or match["ten3"])


def _printed_number(match: re.Match[str], power: str | None) -> Written:
    mark = match["mark"] or ""
    whole = match["whole"].replace(mark, "") if mark else match["whole"]
    decimals = match["decimals"] or ""
    exponent = _exponent(power) if power else 0
    significant = (whole + decimals).lstrip("0")
    return Written(
        number=decimal(whole, decimals, exponent),
        step=power_of_ten(exponent - len(decimals)),
        digits=len(significant),
        zeros=0 if decimals else len(significant) - len(significant.rstrip("0")),
        decimals=len(decimals),
        exponent=exponent if power else None,
        mark=mark,
    )


def _power(match: re.Match[str]) -> Written | None:
    """Return a power of integers: the integer that it is, or an exact fraction."""
    base, exponent = integer(match["base"]), _exponent(match["n1"] or match["n2"] or match["n3"])
    if abs(exponent) * base.bit_length() > MAX_DIGITS * 4:
        raise NumberTooLongError
    if exponent < 0:
        return Written(Fraction(1, base**-exponent), 0, 1, 0) if base else None
    # Of all powers only those of ten end in a row of zeros worth counting.
    zeros = exponent if base == 10 else 0
    return Written(int(base**exponent), 1, max(zeros + 1, 2), zeros)


def read_scale(text: str, at: int) -> tuple[Scale, int] | None:
    """Read the scale at ``at``; return it and the index behind it, or None."""
    match = _SCALE.match(text, at)
    return (Scale(match.group(), _SCALES[match.group()]), match.end()) if match else None


def magnitude(value: Rational) -> int:
    """Return the exponent of ten of the first digit of ``value``, which is not 0: 2 for 999, -1 for 1/2."""
    size, numerator, denominator = absolute(value), abs(value.numerator), value.denominator
    # log10(2) to within 10**-6; the estimate is off by one or two at most, for any number within the cap.
    estimate = (numerator.bit_length() - denominator.bit_length()) * 301_030 // 1_000_000
    while power_of_ten(estimate) > size:
        estimate -= 1
    while power_of_ten(estimate + 1) <= size:
        estimate += 1
    return estimate


def print_like(value: Fraction, written: Written) -> str:
    """Print ``value`` as ``written`` is printed: its decimals, its grouping, its power of ten.

    At least two significant digits are shown, and more if the result would read like ``written`` itself.
    """
    for more in range(12):
        shown, number = _printed(value, written, more)
        if number != written.number:
            break
    return shown


def _printed(value: Fraction, written: Written, more: int) -> tuple[str, Fraction]:
    size = magnitude(value) if value else 0
    in_full = -6 <= size < 15 if written.exponent is None else -2 <= size < 4
    # A third digit is shown where the value ends with it.
    digits = 2 if (value / power_of_ten(size - 2)).denominator == 1 else 1
    if not written.step and value.denominator <= 1000 and size < 15:
        return str(value), value
    if in_full:
        return _fixed(value, max(written.decimals, digits - size) + more, written.decimals, written.mark)
    mantissa, number = _fixed(value / power_of_ten(size), max(written.decimals, digits) + more, written.decimals, "")
    return f"{mantissa}×10^{size}", number * power_of_ten(size)


def _fixed(value: Fraction, decimals: int, kept: int, mark: str) -> tuple[str, Fraction]:
    """Print with ``decimals`` decimals; zeros at their end stay within the first ``kept``."""
    decimals = min(max(decimals, 0), _MAX_SHOWN)
    rounded = round(value * 10**decimals)
    digits = str(abs(rounded)).rjust(decimals + 1, "0")
    whole, behind = digits[: len(digits) - decimals], digits[len(digits) - decimals :]
    number = Fraction(rounded, 10**decimals)
    least = 0 if number == value else kept  # zeros say that digits were looked at, unless the value ends there
    while len(behind) > least and behind.endswith("0"):
        behind = behind[:-1]
    if mark:
        whole = f"{int(whole):,}".replace(",", "," if mark in ",\u066c" else " ")
    text = ("-" if rounded < 0 else "") + whole + ("." + behind if behind else "")
    return text, number
