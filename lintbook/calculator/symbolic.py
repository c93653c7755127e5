"""Symbols: whether two expressions are equal for all values, what they differ by, and solving for one symbol.

Two expressions are told apart by their exact values at a few dozen points. sympy is imported when a difference is to be
shown or an equation solved; it is given expressions of the calculator, built node by node, and never any text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from lintbook.calculator.evaluation import NEARLY, DimensionError, Environment, Evaluator, Quantity
from lintbook.calculator.expression import (
    Call,
    Function,
    MalformedError,
    Negative,
    Node,
    Number,
    Pi,
    Power,
    Product,
    Sum,
    Symbol,
)
from lintbook.calculator.formula import Namespace
from lintbook.calculator.number import Rational, absolute, decimal
from lintbook.calculator.unit import PLAIN
from lintbook.patterns import regex

_MAX_NODES = 5_000  # of an expression with all calls written out
_POINTS = 24
_ENOUGH = 3  # points at which both sides have a value
_LEADING = regex(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")


@cache
def _sympy() -> Any:
    import sympy  # type: ignore[import-untyped]  # slow, and seldom needed

    return sympy


class Counterexample(NamedTuple):
    """Values of the symbols for which two expressions differ, and what they give."""

    point: Mapping[str, int]
    one: Rational
    other: Rational


def written_out(names: Namespace, node: Node, values: Mapping[str, Node] | None = None) -> Node:
    """Return an expression with all calls replaced by what they call.

    Symbols that have ``values`` are replaced by them; without any, all units are left out, as texts leave them out.
    Raise MalformedError if that is too long.
    """
    return _Writer(names, units=values is not None).write(node, values or {})


class _Writer:
    def __init__(self, names: Namespace, *, units: bool) -> None:
        self.names = names
        self.units = units
        self.left = _MAX_NODES

    def write(self, node: Node, values: Mapping[str, Node]) -> Node:
        """Return ``node`` with its symbols replaced by ``values``."""
        self.left -= 1
        if self.left < 0:
            raise MalformedError("the formula is too long when its calls are written out")
        match node:
            case Number():
                return node if self.units else _without_unit(node)
            case Symbol(name):
                return values.get(name, node)
            case Negative(operand):
                return Negative(self.write(operand, values))
            case Sum(terms):
                return Sum(tuple((sign, self.write(term, values)) for sign, term in terms))
            case Product(factors):
                return Product(tuple((sign, self.write(factor, values)) for sign, factor in factors))
            case Power(base, exponent):
                return Power(self.write(base, values), self.write(exponent, values))
            case Function(name, arguments):
                return Function(name, tuple(self.write(argument, values) for argument in arguments))
            case Call(name, bindings):
                formula = self.names.formula(name)
                assert formula is not None  # names were checked before
                changed = {symbol: self.write(value, values) for symbol, value in bindings}
                return self.write(formula.expression, {**values, **changed})
            case Pi():
                return node


def _without_unit(number: Number) -> Number:
    if number.dimension == PLAIN:
        return number
    match = _LEADING.match(number.text)
    assert match is not None  # the parser read it so
    sign, whole, decimals, exponent = match.groups()
    value = decimal(whole, decimals or "", int(exponent or 0))
    return Number(number.text, -value if sign else value, PLAIN)


def counterexample(one: Node, other: Node, symbols: frozenset[str]) -> Counterexample | None:
    """Return values for which two expressions differ; None if they are equal wherever both have a value.

    Raise MalformedError if there is hardly any such place.
    """
    compared = 0
    for point in _points(sorted(symbols)):
        try:
            first, second = _value(one, point), _value(other, point)
        except (MalformedError, DimensionError):
            continue
        compared += 1
        difference = abs(Fraction(first.value - second.value))
        exact = first.exact and second.exact
        if difference > (0 if exact else NEARLY * max(absolute(first.value), absolute(second.value), 1)):
            return Counterexample(point, first.value, second.value)
    if compared < _ENOUGH:
        raise MalformedError("the formulas have no values to compare")
    return None


def _points(symbols: list[str]) -> Iterator[dict[str, int]]:
    """Yield points with positive integers: formulas of lecture books count things."""
    for number in range(_POINTS):
        # Residues of a generator modulo a prime: no two symbols keep equal values or one ratio.
        yield {symbol: pow(5, (number + 1) * (index + 3) + index, 97) + 1 for index, symbol in enumerate(symbols)}


def _value(node: Node, point: Mapping[str, int]) -> Quantity:
    bindings = {name: Number(str(value), value, PLAIN) for name, value in point.items()}
    return Evaluator().evaluate(node, Environment(bindings))


def difference(one: Node, other: Node) -> str | None:
    """Return ``one`` minus ``other``, simplified, as text in the grammar of claims; None if that tells nothing."""
    shown = str(_sympy().factor(_to_sympy(one) - _to_sympy(other))).replace("**", "^")
    return shown if len(shown) <= _SHOWN else None


_SHOWN = 80


def solve(node: Node, symbol: str, value: Rational) -> list[Fraction]:
    """Return the real values of ``symbol`` for which ``node``, which has no other symbol, has ``value``.

    Rational solutions are exact, others right to 50 digits.
    """
    unknown = _sympy().Symbol(symbol, real=True)
    equation = _to_sympy(node).subs(_sympy().Symbol(symbol, positive=True), unknown) - _rational(value)
    try:
        found = _sympy().solve(equation, unknown)
    except NotImplementedError:
        found = []
    return sorted(_fraction(root) for root in found if root.is_real)


def _fraction(root: Any) -> Fraction:
    if root.is_Rational:
        return Fraction(int(root.p), int(root.q))
    return Fraction(str(root.evalf(50)))


def _rational(value: Rational) -> Any:
    return _sympy().Rational(value.numerator, value.denominator)


def _to_sympy(node: Node) -> Any:
    """Build a sympy expression, node by node."""
    match node:
        case Number():
            return _rational(node.value)
        case Symbol(name):
            return _sympy().Symbol(name, positive=True)
        case Pi():
            return _sympy().pi
        case Negative(operand):
            return -_to_sympy(operand)
        case Sum(terms):
            return _sympy().Add(*[_to_sympy(term) if sign == "+" else -_to_sympy(term) for sign, term in terms])
        case Product(factors):
            return _sympy().Mul(*[_to_sympy(f) if sign == "*" else 1 / _to_sympy(f) for sign, f in factors])
        case Power(base, exponent):
            return _to_sympy(base) ** _to_sympy(exponent)
        case Function(name, arguments):
            return _function(name, [_to_sympy(argument) for argument in arguments])
        case Call():
            raise AssertionError("calls were written out")


def _function(name: str, arguments: list[Any]) -> Any:
    simple = {
        "sqrt": _sympy().sqrt,
        "exp": _sympy().exp,
        "ln": _sympy().log,
        "abs": _sympy().Abs,
        "floor": _sympy().floor,
        "ceil": _sympy().ceiling,
        "max": _sympy().Max,
        "min": _sympy().Min,
        "factorial": _sympy().factorial,
        "binomial": _sympy().binomial,
        "log2": lambda x: _sympy().log(x, 2),
        "log10": lambda x: _sympy().log(x, 10),
        "round": lambda x: _sympy().sign(x) * _sympy().floor(_sympy().Abs(x) + _sympy().Rational(1, 2)),
    }
    return simple[name](*arguments)
