"""Units: the table, dimensions and prefixes.

A unit is a factor and a dimension. Factors are exact; the bases are bit, second, metre and gram. The counting
units (FLOP, token, step) are plain numbers of factor one, so that ``FLOP/s`` is a rate and ``GB/token`` is an
amount.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from lintbook.calculator.number import Rational, exact, power_of_ten
from lintbook.patterns import regex


class Dimension(NamedTuple):
    """The exponents of information, time, length and mass."""

    information: Rational = 0
    time: Rational = 0
    length: Rational = 0
    mass: Rational = 0

    def times(self, other: Dimension, power: Rational = 1) -> Dimension:
        """Return the dimension of a product with a quantity of ``other`` raised to ``power``."""
        if other == PLAIN:
            return self
        return Dimension(*(a + b * power for a, b in zip(self, other, strict=True)))

    def __str__(self) -> str:
        """Name the dimension by its unit: ``byte/s``, ``J``, ``a plain number``."""
        if self in _NAMED_DIMENSIONS:
            return _NAMED_DIMENSIONS[self]
        over = [_power(name, e) for name, e in zip(_BASES, self, strict=True) if e > 0]
        under = [_power(name, -e) for name, e in zip(_BASES, self, strict=True) if e < 0]
        return "/".join(["*".join(over) or "1", *under])


_BASES = ("byte", "s", "m", "g")


def _power(name: str, exponent: Rational) -> str:
    return name if exponent == 1 else f"{name}^{exponent}"


PLAIN = Dimension()
INFORMATION = Dimension(information=1)
TIME = Dimension(time=1)
LENGTH = Dimension(length=1)
MASS = Dimension(mass=1)
RATE = Dimension(time=-1)
ENERGY = Dimension(time=-2, length=2, mass=1)
POWER = Dimension(time=-3, length=2, mass=1)

_NAMED_DIMENSIONS = {PLAIN: "a plain number", RATE: "1/s", ENERGY: "J", POWER: "W"}


class Unit(NamedTuple):
    """A unit: one of it is ``factor`` base units (bit, second, metre, gram) of ``dimension``."""

    factor: Rational
    dimension: Dimension


ONE = Unit(1, PLAIN)
BYTE = Unit(8, INFORMATION)

_DECIMAL = {"n": -9, "μ": -6, "µ": -6, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15}
_EXA = "E"  # of information alone: `Em`, `Es` are no units
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_WORDS = {
    "nano": -9,
    "micro": -6,
    "milli": -3,
    "kilo": 3,
    "mega": 6,
    "giga": 9,
    "tera": 12,
    "peta": 15,
    "exa": 18,
}
_BINARY_WORDS = {"kibi": 10, "mebi": 20, "gibi": 30, "tebi": 40, "pebi": 50, "exbi": 60}

# What takes the prefixes of the International System. A joule is a kilogram metre squared per second squared.
_SYMBOLS = {
    "bit": Unit(1, INFORMATION),
    "byte": BYTE,
    "s": Unit(1, TIME),
    "m": Unit(1, LENGTH),
    "g": Unit(1, MASS),
    "W": Unit(1000, POWER),
    "J": Unit(1000, ENERGY),
    "Hz": Unit(1, RATE),
    "FLOP": ONE,
    "FLOPS": Unit(1, RATE),
    "token": ONE,
    "step": ONE,
}
# What never does.
_FIXED = {
    "min": Unit(60, TIME),
    "h": Unit(3600, TIME),
    "day": Unit(86400, TIME),
    "字节": BYTE,
    "比特": _SYMBOLS["bit"],
    "秒": _SYMBOLS["s"],
    "毫秒": Unit(Fraction(1, 10**3), TIME),
    "微秒": Unit(Fraction(1, 10**6), TIME),
    "纳秒": Unit(Fraction(1, 10**9), TIME),
    "分钟": Unit(60, TIME),
    "小时": Unit(3600, TIME),
    "天": Unit(86400, TIME),
    "米": _SYMBOLS["m"],
    "厘米": Unit(Fraction(1, 100), LENGTH),
    "毫米": Unit(Fraction(1, 1000), LENGTH),
    "公里": Unit(1000, LENGTH),
    "cm": Unit(Fraction(1, 100), LENGTH),
}
# Spelled out, as prose has them; they take spelled prefixes. A gram is not among them: `5-gram`.
_WORDS = {
    "bit": "bit",
    "byte": "byte",
    "second": "s",
    "meter": "m",
    "metre": "m",
    "watt": "W",
    "joule": "J",
    "hertz": "Hz",
}
_PLURALS = ("bit", "byte", "day", "token", "step", "FLOP", "min")


def _prefixed(unit: Unit, power: Rational) -> Unit:
    return Unit(exact(unit.factor * power), unit.dimension)


def _information(table: dict[str, Unit]) -> None:
    """Add what byte and bit have of their own: binary prefixes, ``B`` behind a prefix, ``K`` for ``k``."""
    for name, letter in (("byte", "B"), ("bit", "b")):
        for prefix, exponent in _BINARY.items():
            binary = _prefixed(_SYMBOLS[name], 2**exponent)
            table[prefix + name] = table[prefix + letter] = binary
        table["ki" + letter] = table["Ki" + letter]
        table[_EXA + name] = _prefixed(_SYMBOLS[name], 10**18)
        for prefix in "kMGTPE":
            table[prefix + letter] = table[prefix + name]
        table["K" + letter] = table["K" + name] = table["k" + name]
        for prefix in (*"kKMGTPE", *_BINARY):
            amount = table[prefix + letter]
            table[f"{prefix}{letter}ps"] = Unit(amount.factor, amount.dimension.times(RATE))


def _words(table: dict[str, Unit]) -> None:
    for word, symbol in _WORDS.items():
        unit = _SYMBOLS[symbol]
        spelled = {word: unit}
        spelled |= {p + word: _prefixed(unit, power_of_ten(e)) for p, e in _DECIMAL_WORDS.items()}
        if unit.dimension == INFORMATION:
            spelled |= {p + word: _prefixed(unit, 2**e) for p, e in _BINARY_WORDS.items()}
        table |= spelled | {name + "s": unit for name, unit in spelled.items()}
    table |= {"sec": _SYMBOLS["s"], "hr": _FIXED["h"], "minute": _FIXED["min"], "hour": _FIXED["h"]}
    table |= {"hrs": _FIXED["h"], "minutes": _FIXED["min"], "hours": _FIXED["h"]}


def _table() -> dict[str, Unit]:
    table = {**_SYMBOLS, **_FIXED}
    for name, unit in _SYMBOLS.items():
        table |= {prefix + name: _prefixed(unit, power_of_ten(e)) for prefix, e in _DECIMAL.items()}
    _information(table)
    for name in _PLURALS:
        table |= {unit + "s": value for unit, value in table.items() if unit.endswith(name)}
    _words(table)
    for name in ("bit", "byte", "day", "token", "step"):
        table[name.capitalize()] = table[name]
        table[name.capitalize() + "s"] = table[name]
    return table


TABLE = _table()

# In powers of 1000 as written, often meant in powers of 1024.
_DECIMAL_NAME = regex(r"(?:[kKMGTPE]|kilo|mega|giga|tera|peta|exa)(?:[Bb](?:ytes?|its?)?(?:ps)?)(?=$|[/*·]|\sper\s)")

_LETTERS = regex(r"[A-Za-zμµ]+")
_IDEOGRAPHS = regex("|".join(sorted((name for name in _FIXED if not name.isascii()), key=len, reverse=True)))
_BEHIND_SYMBOL = regex(r"[0-9_^²³⁻\u0370-\u03ff]")
_OPERATOR = regex(r"[/⁄*·]|\sper\s")
_DIGITS = str.maketrans("¹²³⁴", "1234")
_RAISED = regex(r"\^\{(?P<braced>[-−]?[1-4])\}|(?P<sign>⁻?)(?P<digit>[¹²³⁴])")


def binary_power(name: str) -> int:
    """Return the power of 1024 that a unit of information in powers of 1000 may mean: 3 for ``GB/s``, else 0."""
    match = _DECIMAL_NAME.match(name)
    return "KMGTPE".index(name[0].upper()) + 1 if match else 0


def binary_name(name: str) -> str:
    """Return the name of a unit of information in powers of 1000 with the prefix for 1024: ``GiB``, ``gibibyte``."""
    for decimal, power in _DECIMAL_WORDS.items():
        if name.startswith(decimal) and power > 0:
            return next(word for word, n in _BINARY_WORDS.items() if n * 3 == power * 10) + name.removeprefix(decimal)
    return f"{name[0].upper()}i{name[1:]}"


def parse_unit(text: str) -> Unit:
    """Read a unit of a declaration or binding: ``byte``, ``GB/s``, ``FLOP/byte``.

    Raise ValueError naming the part that is not in the table. Bare ``B`` is none: it could be byte or
    billion.
    """
    unit, operator = ONE, "*"
    for part in re.split(r"([/*])", text):
        if part in ("/", "*"):
            operator = part
            continue
        simple = TABLE.get(part)
        if simple is None:
            raise ValueError(f"`{part}` is no unit" if part else f"`{text}` is no unit")
        unit = _combined(unit, operator, simple)
    return unit


def read_unit(text: str, at: int, *, raised: bool = False) -> tuple[Unit, int] | None:
    """Read the unit that stands at ``at`` in prose; return it and the index behind it, or None.

    ``per`` is a stroke there, and ``B`` is byte where another unit follows (``B/s``). Only if they may be ``raised``,
    units have exponents: ``m/s^{2}``, ``m²``.
    """
    found = _simple(text, at, raised=raised)
    if found is None:
        return _bytes_per(text, at)
    unit, end = found
    while operator := _OPERATOR.match(text, end):
        following = _simple(text, operator.end(), raised=raised)
        if following is None:
            break
        unit, end = _combined(unit, operator.group(), following[0]), following[1]
    return unit, end


def _bytes_per(text: str, at: int) -> tuple[Unit, int] | None:
    if not text.startswith("B/", at):
        return None
    rest = read_unit(text, at + 2)
    return (_combined(BYTE, "/", rest[0]), rest[1]) if rest else None


def _simple(text: str, at: int, *, raised: bool) -> tuple[Unit, int] | None:
    ideographs = _IDEOGRAPHS.match(text, at)
    if ideographs:
        return TABLE[ideographs.group()], ideographs.end()
    letters = _LETTERS.match(text, at)
    unit = TABLE.get(letters.group()) if letters else None
    if letters is None or unit is None:
        return None
    power = _RAISED.match(text, letters.end()) if raised else None
    if power is None:
        return None if _BEHIND_SYMBOL.match(text, letters.end()) else (unit, letters.end())
    digit = power["braced"] or ("-" if power["sign"] else "") + power["digit"].translate(_DIGITS)
    return _raised(unit, int(digit.replace("−", "-"))), power.end()


def _raised(unit: Unit, power: int) -> Unit:
    return Unit(exact(Fraction(unit.factor) ** power), PLAIN.times(unit.dimension, power))


def _combined(unit: Unit, operator: str, other: Unit) -> Unit:
    if operator in ("*", "·"):
        return Unit(exact(unit.factor * other.factor), unit.dimension.times(other.dimension))
    return Unit(exact(Fraction(unit.factor) / other.factor), unit.dimension.times(other.dimension, -1))
