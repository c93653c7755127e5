"""Calculation: what ``lintbook calc`` prints, a formula of values or an expression, in fitting units or solved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from lintbook.calculator.claim import Claim, Form, parse_claim
from lintbook.calculator.evaluation import DimensionError, Environment, Quantity, UnboundError, nearest_integer
from lintbook.calculator.expression import Call, MalformedError, Node, Number, Parser, Symbol, show, walk
from lintbook.calculator.formula import Namespace
from lintbook.calculator.library import formulas_named, library
from lintbook.calculator.number import Rational, Written, magnitude, power_of_ten, print_like
from lintbook.calculator.unit import (
    BYTE,
    INFORMATION,
    PLAIN,
    RATE,
    TABLE,
    TIME,
    Dimension,
    Unit,
    parse_unit,
)
from lintbook.patterns import regex


class CalculationError(ValueError):
    """What is asked for cannot be computed; the message says why."""


_TARGET = regex(r"(?P<name>[^\W\d][\w.]*)(?:=(?P<value>[^=].*))?")


def calculate(
    words: Sequence[str], names: Namespace | None = None, unit: str | None = None, solve_for: str | None = None
) -> Iterator[str]:
    """Yield the lines of a calculation.

    ``words`` are a formula and bindings (``kv_cache L=32 …``), or one expression (``2*3byte``). ``names`` are those of
    a book, without them only the library is known. ``unit`` is that of the result; ``solve_for`` a symbol whose value
    is wanted, the formula being written with its result (``kv_cache=4GiB``). Raise CalculationError.
    """
    names = names or Namespace.of([], formulas_named(_words(words)))
    try:
        if solve_for is not None:
            yield from _solved(words, names, solve_for, unit)
        else:
            yield from _computed(words, names, unit)
    except (MalformedError, DimensionError) as error:
        raise CalculationError(error.message) from error
    except UnboundError as error:
        raise CalculationError(str(error)) from error


def knows(words: Sequence[str]) -> bool:
    """Say whether a calculation needs nothing but the library: all that it calls is there, and no set is named."""
    match = _TARGET.fullmatch(words[0]) if words else None
    known = match is None or match["name"] in library() or match["name"] == "pi"
    return known and not any(word.startswith("@") for word in words)


def _words(words: Iterable[str]) -> list[str]:
    return re.findall(r"\w+", " ".join(words))


def _claim(words: Sequence[str]) -> Claim:
    """Read the words as a claim; an expression without brackets gets some."""
    text = " ".join(words)
    named = _TARGET.fullmatch(words[0]) if words else None
    claim = parse_claim(text if named or text.lstrip().startswith("{") else f"({words[0]}) {' '.join(words[1:])}")
    if claim.form not in (Form.NAME, Form.EXPRESSION) or claim.option is not None:
        raise CalculationError("a formula with values or an expression is expected")
    return claim


def _target(claim: Claim, names: Namespace) -> Node:
    if claim.expression is not None:
        called = [part.name for part in walk(claim.expression) if isinstance(part, Call)]
    else:
        called = [claim.names[0]]
    for name in called:
        if names.formula(name) is None or name in names.faulty:
            nearest = names.nearest(name, "formula")
            hint = f"; did you mean `{nearest}`?" if nearest else ""
            raise CalculationError(f"no formula `{name}` is declared{hint}")
    for name in claim.sets:
        if not names.has_set(name):
            raise CalculationError(f"no set `{name}` is declared")
    return claim.expression or Call(claim.names[0], ())


def _computed(words: Sequence[str], names: Namespace, unit: str | None) -> Iterator[str]:
    claim = _claim(words)
    target = _target(claim, names)
    bound = names.bound_by(claim.sets, claim.bindings)
    used = names.used(target, bound, claim.bindings)
    for binding in claim.bindings:
        if binding.name not in used:
            raise CalculationError(f"`{binding.name}` is no symbol of `{words[0]}`")
    if missing := sorted(used - bound.keys()):
        raise CalculationError(f"no value for {', '.join(f'`{name}`' for name in missing)}")
    for index in range(claim.count):
        step = {binding.name: binding.values[index] for binding in claim.bindings if binding.sweep}
        values = {name: node for name, node in {**bound, **step}.items() if name in used}
        quantity = nearest_integer(names.evaluator().evaluate(target, Environment(values)))
        yield f"{show(target) if claim.expression else claim.names[0]} = {shown(quantity, unit)}"
        yield from _explained(target, names, values)
        if isinstance(target, Call):
            yield from _confirmation(target.name, values, quantity)


def _explained(target: Node, names: Namespace, values: dict[str, Node]) -> Iterator[str]:
    """Show the formula, and the formula with its numbers."""
    formula = names.formula(target.name) if isinstance(target, Call) else None
    expression = formula.expression if formula else target

    def number(symbol: str) -> str:
        return show(values[symbol], least=5) if symbol in values else symbol

    if formula:
        yield f"  = {show(expression)}"
    if any(isinstance(part, Symbol) for part in walk(expression)):
        yield f"  = {show(expression, number)}"


def _confirmation(name: str, values: dict[str, Node], quantity: Quantity) -> Iterator[str]:
    """Say what torch counts, if it is there and has a module for the formula."""
    from lintbook.calculator.torch_models import COUNTS, confirmed, is_installed

    sizes = {symbol: _size(node) for symbol, node in values.items()}
    if name not in COUNTS or not is_installed() or not all(sizes.values()):
        return
    try:
        count = confirmed(name, {symbol: size for symbol, size in sizes.items() if size})
    except (ValueError, RuntimeError, KeyError) as error:
        yield f"  torch refuses these sizes: {str(error).splitlines()[0]}"
        return
    result = Fraction(quantity.value) / (BYTE.factor if quantity.dimension == INFORMATION else 1)
    agrees = "torch counts the same" if count == result else f"torch counts {count:,}"
    yield f"  {agrees}"


def _size(node: Node) -> int | None:
    """Return a positive integer of moderate size, bytes as their number."""
    if not isinstance(node, Number) or node.dimension not in (PLAIN, INFORMATION):
        return None
    value = Fraction(node.value) / (BYTE.factor if node.dimension == INFORMATION else 1)
    return int(value) if value.denominator == 1 and 0 < value < 10**9 else None


# Solving


def _solved(words: Sequence[str], names: Namespace, symbol: str, unit: str | None) -> Iterator[str]:
    from lintbook.calculator.symbolic import solve, written_out

    match = _TARGET.fullmatch(words[0]) if words else None
    if match is None or match["value"] is None:
        raise CalculationError("to solve, the formula is written with its result: `kv_cache=4GiB`")
    claim = _claim([match["name"], *words[1:]])
    target = _target(claim, names)
    parser = Parser(match["value"])
    wanted = names.evaluator().evaluate(parser.scalar(), Environment({}))
    if not parser.ended():
        raise CalculationError(f"`{match['value']}` is no value")
    values = names.bound_by(claim.sets, claim.bindings)
    used = names.used(target, values, claim.bindings)
    if symbol not in used or symbol in values:
        raise CalculationError(f"`{symbol}` is no symbol of `{match['name']}` that has no value yet")
    if missing := sorted(used - values.keys() - {symbol}):
        raise CalculationError(f"no value for {', '.join(f'`{name}`' for name in missing)}")
    dimension = _dimension(names, target, values, symbol, wanted)
    solutions = solve(written_out(names, target, values), symbol, wanted.value)
    if not solutions:
        raise CalculationError(f"no real value of `{symbol}` gives {match['value']}")
    for solution in solutions:
        yield f"{symbol} = {shown(Quantity(solution, dimension), unit)}"


def _dimension(names: Namespace, target: Node, values: dict[str, Node], symbol: str, wanted: Quantity) -> Dimension:
    """Return the dimension of a symbol with which the formula has that of the result."""
    for dimension in (PLAIN, INFORMATION, TIME, RATE, INFORMATION.times(RATE)):
        trial = {**values, symbol: Number("2", 2, dimension)}
        try:
            if names.evaluator().evaluate(target, Environment(trial)).dimension == wanted.dimension:
                return dimension
        except (DimensionError, MalformedError):
            continue
    raise CalculationError(f"no unit of `{symbol}` gives a result in {wanted.dimension}")


# Showing


def shown(quantity: Quantity, unit: str | None = None) -> str:
    """Show a value in ``unit``, or in units that fit it; raise CalculationError if the unit is not of its dimension."""
    value = Fraction(quantity.value)
    if unit is not None:
        measure = _measure(unit)
        if measure.dimension != quantity.dimension:
            raise CalculationError(f"the result is in {quantity.dimension}, not in {unit}")
        return f"{_number(value / measure.factor)} {unit}"
    if quantity.dimension == PLAIN:
        return _number(value)
    fitting = _fitting(value, quantity.dimension)
    return " = ".join(f"{_number(value / factor)} {name}" for name, factor in fitting)


def _measure(unit: str) -> Unit:
    if unit == "%":
        return Unit(Fraction(1, 100), PLAIN)
    try:
        return parse_unit(unit)
    except ValueError as error:
        raise CalculationError(str(error)) from error


_FITTING: dict[Dimension, tuple[tuple[str, ...], ...]] = {
    INFORMATION: (("TiB", "GiB", "MiB", "KiB", "byte"), ("TB", "GB", "MB", "kB", "byte")),
    TIME: (("day", "h", "min", "s", "ms", "μs", "ns"),),
    INFORMATION.times(RATE): (("TB/s", "GB/s", "MB/s", "kB/s", "byte/s"),),
}


def _fitting(value: Fraction, dimension: Dimension) -> list[tuple[str, Rational]]:
    """Return one unit, or a binary and a decimal one, of which the value has at least one whole."""
    found: dict[str, Rational] = {}
    for names in _FITTING.get(dimension, ()):
        units = {name: parse_unit(name).factor for name in names}
        name = next((name for name, factor in units.items() if abs(value) >= factor), names[-1])
        found[name] = units[name]
    if not found:
        byte = BYTE.factor ** int(dimension.information)
        found[str(dimension)] = Fraction(byte) if str(dimension) not in TABLE else TABLE[str(dimension)].factor
    return list(found.items())


_DIGITS = 6  # significant ones of a number that is no integer


def _number(value: Fraction) -> str:
    """Print a number: an integer in full with its digits in threes, any other to six digits."""
    size = magnitude(value) if value else 0
    if value.denominator == 1 and size < 15:
        return f"{value.numerator:,}"
    power = size if not -5 < size < 15 else None
    decimals = _DIGITS - 1 if power is not None else max(_DIGITS - 1 - size, 0)
    # It is to be told apart from no other number; one that is 1 away never reads like it.
    like = Written(value + 1, power_of_ten(size - _DIGITS + 1), _DIGITS, 0, decimals, power, ",")
    return print_like(value, like)
