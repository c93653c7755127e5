"""Evaluation: expressions of bound symbols, exactly on rationals, to 50 digits where a result is irrational.

Nothing here can hang: sizes are estimated before they are computed, and every claim has a budget.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from decimal import Context, Decimal
from fractions import Fraction
from math import comb, factorial, isqrt
from typing import NamedTuple, NoReturn

from lintbook.calculator.expression import (
    Call,
    Compound,
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
from lintbook.calculator.number import MAX_DIGITS, Rational, absolute
from lintbook.calculator.unit import PLAIN, Dimension

MAX_BITS = MAX_DIGITS * 33_220 // 10_000  # log2(10) = 3.32193
PRECISION = 256  # bits that are kept of an irrational number: 50 digits and a good margin
_DECIMAL = Context(prec=80)  # digits, somewhat more than that; its functions are correctly rounded
_PI = Decimal("3.1415926535897932384626433832795028841971693993751058209749445923078164062862089986280348253421170680")
_LN_10 = _DECIMAL.ln(Decimal(10))
NEARLY = Fraction(1, 10**30)  # what irrational results may differ by and be equal
_MAX_LEVELS = 160  # of expressions within expressions; a call counts twice
_MAX_UNIT_POWER = 100
_MAX_FACTORIAL = 3_000  # its factorial has fewer than 10,000 digits
_BUDGET = 20_000  # steps for one claim; a step on large numbers counts several times


class Quantity(NamedTuple):
    """A value in base units with its dimension; ``exact`` unless an irrational number went into it."""

    value: Rational
    dimension: Dimension = PLAIN
    exact: bool = True


class UnboundError(ValueError):
    """A symbol has no value."""

    def __init__(self, name: str) -> None:
        super().__init__(f"`{name}` has no value")
        self.name = name


class DimensionError(ValueError):
    """Dimensions do not fit. ``formula`` is where, None in an expression of the claim itself.

    ``result`` is what the formula gives, if its result is not of the declared dimension.
    """

    def __init__(self, message: str, formula: str | None = None, result: Quantity | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.formula = formula
        self.result = result


class Environment:
    """The values of symbols. What ``bindings`` does not give is asked of ``outer``.

    The expressions of ``bindings`` are read with the values of ``reader``: of a call that is the caller, of a
    claim the claim itself.
    """

    def __init__(self, bindings: Mapping[str, Node], outer: Environment | None = None) -> None:
        self.bindings = bindings
        self.outer = outer
        self.values: dict[str, Quantity] = {}
        self.results: dict[str, Quantity] = {}  # of formulas called with exactly these values
        self._pending: set[str] = set()

    def value(self, name: str, evaluator: Evaluator) -> Quantity:
        """Return the value of ``name``; raise UnboundError, or MalformedError if it is defined by itself."""
        if name in self.values:
            return self.values[name]
        node = self.bindings.get(name)
        if node is None:
            if self.outer is None:
                raise UnboundError(name)
            return self.outer.value(name, evaluator)
        if name in self._pending:
            raise MalformedError(f"the value of `{name}` is read from itself")
        self._pending.add(name)
        self.values[name] = value = evaluator.evaluate(node, self.outer or self)
        self._pending.discard(name)
        return value

    def settle(self, evaluator: Evaluator) -> None:
        """Evaluate all bindings."""
        for name in self.bindings:
            self.value(name, evaluator)


def _no_call(name: str, environment: Environment, evaluator: Evaluator) -> NoReturn:
    raise AssertionError(f"`{name}` is called where no formulas are known")


class Evaluator:
    """Evaluates the expressions of one claim.

    ``call`` gives the value of a formula in an environment; expressions that call none need it not.
    """

    def __init__(self, call: Callable[[str, Environment, Evaluator], Quantity] = _no_call) -> None:
        self._call = call
        self._budget = _BUDGET
        self._level = 0

    def evaluate(self, node: Node, environment: Environment) -> Quantity:
        """Return the value of ``node``.

        Raise UnboundError, DimensionError, or MalformedError for what has no value (1/0, ln 0) or is too
        large.
        """
        if isinstance(node, Number):
            return Quantity(node.value, node.dimension)
        if isinstance(node, Symbol):
            return environment.value(node.name, self)
        deeper = 2 if isinstance(node, Call) else 1
        self._level += deeper
        if self._level > _MAX_LEVELS:
            raise MalformedError("formulas and brackets are nested too deeply")
        result = self._evaluate(node, environment)
        self._level -= deeper
        size = result.value.numerator.bit_length() + result.value.denominator.bit_length()
        self._budget -= 1 + size // 1024
        if self._budget < 0:
            raise MalformedError("the computation is too long")
        return result

    def _evaluate(self, node: Compound, environment: Environment) -> Quantity:
        match node:
            case Product():
                return self._product(node, environment)
            case Sum():
                return self._sum(node, environment)
            case Negative():
                operand = self.evaluate(node.operand, environment)
                return operand._replace(value=-operand.value)
            case Power():
                return power(self.evaluate(node.base, environment), self.evaluate(node.exponent, environment))
            case Function():
                return _FUNCTIONS[node.name](*[self.evaluate(a, environment) for a in node.arguments])
            case Call():
                return self.call(node, environment)
            case Pi():
                return _irrational(_PI)

    def call(self, node: Call, environment: Environment) -> Quantity:
        """Return the value of a formula called with the values of ``environment``, some changed."""
        inner = Environment(dict(node.bindings), environment) if node.bindings else environment
        inner.settle(self)  # so that a fault in the caller's expressions is found as the caller's
        if node.name not in inner.results:
            inner.results[node.name] = self._call(node.name, inner, self)
        return inner.results[node.name]

    def _sum(self, node: Sum, environment: Environment) -> Quantity:
        total = self.evaluate(node.terms[0][1], environment)
        for sign, term in node.terms[1:]:
            other = self.evaluate(term, environment)
            if other.dimension != total.dimension:
                raise DimensionError(_unlike("added" if sign == "+" else "subtracted", total, other))
            combine = operator.add if sign == "+" else operator.sub
            total = _kept(combine(total.value, other.value), total.dimension, total.exact and other.exact)
        return total

    def _product(self, node: Product, environment: Environment) -> Quantity:
        result = self.evaluate(node.factors[0][1], environment)
        for sign, factor in node.factors[1:]:
            other = self.evaluate(factor, environment)
            if sign == "/" and other.value == 0:
                raise MalformedError("division by zero")
            value = result.value * other.value if sign == "*" else Fraction(result.value) / other.value
            dimension = result.dimension.times(other.dimension, 1 if sign == "*" else -1)
            result = _kept(value, dimension, result.exact and other.exact)
        return result


def _unlike(done: str, first: Quantity, second: Quantity) -> str:
    return f"{first.dimension} and {second.dimension} are {done}"


def _kept(value: Rational, dimension: Dimension, exact: bool) -> Quantity:
    """Return a result within the caps: irrational ones cut to their precision."""
    numerator, denominator = value.numerator, value.denominator
    above, below = numerator.bit_length(), denominator.bit_length()
    if abs(above - below) > MAX_BITS:
        raise MalformedError("a result has more than 10,000 digits")
    if exact and above <= MAX_BITS and below <= MAX_BITS:
        return Quantity(value, dimension)
    if above + below > 4 * PRECISION:
        shift = PRECISION - (above - below)
        scaled = (numerator << shift) // denominator if shift >= 0 else numerator // (denominator << -shift)
        value = Fraction(scaled, 1 << shift) if shift >= 0 else scaled << -shift
    return Quantity(value, dimension, exact=False)


def _irrational(result: Decimal) -> Quantity:
    """Return a rounded result; one within 10^-30 of an integer other than zero is that integer."""
    if not result:
        return Quantity(0)
    if abs(result.adjusted()) > MAX_DIGITS:
        raise MalformedError("a result has more than 10,000 digits")
    return nearest_integer(Quantity(Fraction(result), exact=False))


def nearest_integer(quantity: Quantity, zero: bool = False) -> Quantity:
    """Return the integer that an irrational result is within 10^-30 of, else the result itself.

    Zero counts only if asked for: a small probability is not nothing.
    """
    if quantity.exact:
        return quantity
    nearest = round(quantity.value)
    if (nearest or zero) and absolute(quantity.value - nearest) <= NEARLY:
        return Quantity(nearest, quantity.dimension)
    return quantity


def _real(value: Rational) -> Decimal:
    return _DECIMAL.divide(Decimal(value.numerator), Decimal(value.denominator))


def power(base: Quantity, exponent: Quantity) -> Quantity:
    """Return ``base`` to the ``exponent``."""
    if exponent.dimension != PLAIN:
        raise DimensionError(f"an exponent is in {exponent.dimension}")
    dimension = PLAIN
    if base.dimension != PLAIN:
        if absolute(exponent.value) > _MAX_UNIT_POWER or exponent.value.denominator > _MAX_UNIT_POWER:
            raise MalformedError(f"a quantity in {base.dimension} to a power beyond {_MAX_UNIT_POWER}")
        dimension = PLAIN.times(base.dimension, exponent.value)
    if exponent.value.denominator == 1 and base.exact:
        whole = _whole_power(base.value, int(exponent.value))
        if whole is not None:
            return _kept(whole, dimension, exact=True)
    if base.value <= 0:
        return Quantity(_power_of_negative(base.value, exponent.value), dimension, base.exact)
    if exponent.value == Fraction(1, 2) and (root := _square_root(base.value)) is not None and base.exact:
        return Quantity(root, dimension)
    logarithm = _DECIMAL.multiply(_real(exponent.value), _DECIMAL.ln(_real(base.value)))
    return _exponential(logarithm)._replace(dimension=dimension)


def _exponential(logarithm: Decimal) -> Quantity:
    """Return e to the ``logarithm`` unless that would pass the cap."""
    if abs(logarithm) > MAX_DIGITS * _LN_10:
        raise MalformedError("a result has more than 10,000 digits")
    return _irrational(_DECIMAL.exp(logarithm))


def _whole_power(base: Rational, exponent: int) -> Rational | None:
    """Return an exact integer power; None if it is a fraction of too many digits to be kept exactly."""
    if exponent < 0 and base == 0:
        raise MalformedError("division by zero")
    if abs(base) in (0, 1):
        return 1 if exponent == 0 or (base == -1 and exponent % 2 == 0) else base
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if (bits - 1) * abs(exponent) <= MAX_BITS:
        return Fraction(base) ** exponent if exponent < 0 or isinstance(base, Fraction) else int(base**exponent)
    if 1 in (abs(base.numerator), base.denominator):
        raise MalformedError("a result has more than 10,000 digits")
    return None


def _power_of_negative(base: Rational, exponent: Rational) -> Rational:
    if base == 0 and exponent > 0:
        return 0
    if base == 0:
        raise MalformedError("division by zero")
    if exponent.denominator != 1:
        raise MalformedError("a power of a negative number is not real")
    size = power(Quantity(-base, exact=False), Quantity(exponent)).value
    return -size if exponent % 2 else size


def _square_root(value: Rational) -> Fraction | None:
    above, below = isqrt(value.numerator), isqrt(value.denominator)
    return Fraction(above, below) if above**2 == value.numerator and below**2 == value.denominator else None


def _plain(name: str, quantity: Quantity) -> Rational:
    if quantity.dimension != PLAIN:
        raise DimensionError(f"`{name}` takes a plain number, not one in {quantity.dimension}")
    return quantity.value


def _sqrt(argument: Quantity) -> Quantity:
    if argument.value < 0:
        raise MalformedError("the square root of a negative number is not real")
    return power(argument, Quantity(Fraction(1, 2)))


def _exp(argument: Quantity) -> Quantity:
    value = _plain("exp", argument)
    return Quantity(1) if value == 0 else _exponential(_real(value))


def _logarithm(name: str, base: int | None) -> Callable[[Quantity], Quantity]:
    def logarithm(argument: Quantity) -> Quantity:
        value = _plain(name, argument)
        if value <= 0:
            raise MalformedError(f"`{name}` of {'zero' if value == 0 else 'a negative number'}")
        if value == 1:
            return Quantity(0)
        if base and argument.exact and (whole := _whole_logarithm(value, base)) is not None:
            return Quantity(whole)
        natural = _DECIMAL.ln(_real(value))
        return _irrational(_DECIMAL.divide(natural, _DECIMAL.ln(Decimal(base))) if base else natural)

    return logarithm


def _whole_logarithm(value: Rational, base: int) -> int | None:
    """Return n if ``value`` is exactly ``base`` to the n."""
    number = value.numerator if value.denominator == 1 else value.denominator
    if 1 not in (value.numerator, value.denominator):
        return None
    # log2(10) lies between 3321/1000 and 3322/1000; the caps keep the product exact enough.
    bits = number.bit_length() - 1
    whole = bits if base == 2 else -(-bits * 1000 // 3322)
    return (whole if value.denominator == 1 else -whole) if base**whole == number else None


def _abs(argument: Quantity) -> Quantity:
    return argument._replace(value=absolute(argument.value))


def _rounding(name: str, rounded: Callable[[Rational], int]) -> Callable[[Quantity], Quantity]:
    def apply(argument: Quantity) -> Quantity:
        _plain(name, argument)
        return Quantity(rounded(nearest_integer(argument, zero=True).value))

    return apply


def _half_away_from_zero(value: Rational) -> int:
    whole = (2 * absolute(value) + 1) // 2
    return int(whole if value >= 0 else -whole)


def _extreme(choose: Callable[..., Quantity]) -> Callable[..., Quantity]:
    def apply(*arguments: Quantity) -> Quantity:
        for other in arguments[1:]:
            if other.dimension != arguments[0].dimension:
                raise DimensionError(_unlike("compared", arguments[0], other))
        return choose(arguments, key=lambda quantity: quantity.value)

    return apply


def _whole_argument(name: str, argument: Quantity) -> int:
    value = _plain(name, argument)
    if value.denominator != 1 or not 0 <= value <= _MAX_FACTORIAL:
        raise MalformedError(f"`{name}` takes an integer from 0 to {_MAX_FACTORIAL:,}")
    return int(value)


def _factorial(argument: Quantity) -> Quantity:
    return Quantity(factorial(_whole_argument("factorial", argument)))


def _binomial(of: Quantity, chosen: Quantity) -> Quantity:
    return Quantity(comb(_whole_argument("binomial", of), _whole_argument("binomial", chosen)))


# Chains of arithmetic have factorials and binomials; the language of claims has none.
_FUNCTIONS: dict[str, Callable[..., Quantity]] = {
    "factorial": _factorial,
    "binomial": _binomial,
    "sqrt": _sqrt,
    "exp": _exp,
    "ln": _logarithm("ln", None),
    "log2": _logarithm("log2", 2),
    "log10": _logarithm("log10", 10),
    "abs": _abs,
    "floor": _rounding("floor", lambda value: value.__floor__()),
    "ceil": _rounding("ceil", lambda value: value.__ceil__()),
    "round": _rounding("round", _half_away_from_zero),
    "min": _extreme(min),
    "max": _extreme(max),
}
