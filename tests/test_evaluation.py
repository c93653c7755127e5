from __future__ import annotations

import subprocess
import sys
import time
from fractions import Fraction

import pytest
import sympy
from bounds import HANGS
from hypothesis import given, settings
from hypothesis import strategies as st

from lintbook.calculator.evaluation import (
    DimensionError,
    Environment,
    Evaluator,
    Quantity,
    UnboundError,
    nearest_integer,
)
from lintbook.calculator.expression import (
    Function,
    MalformedError,
    Negative,
    Node,
    Number,
    Parser,
    Power,
    Product,
    Sum,
)
from lintbook.calculator.formula import Namespace
from lintbook.calculator.unit import INFORMATION, PLAIN, TIME


def evaluate(text: str, **bindings: str) -> Quantity:
    environment = Environment({name: Parser(value).expression() for name, value in bindings.items()})
    return nearest_integer(Namespace().evaluator().evaluate(Parser(text).expression(), environment))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-2^2", -4),
        ("2^3^2", 512),
        ("10-4-3", 3),
        ("12/4*3", 9),
        ("1/3+1/6", Fraction(1, 2)),
        ("2^-3", Fraction(1, 8)),
        ("0^0", 1),
        ("(-1)^3", -1),
        ("(2/3)^2", Fraction(4, 9)),
        ("0.1+0.2", Fraction(3, 10)),  # no float
        ("sqrt(9/4)", Fraction(3, 2)),
        ("4^(1/2)", 2),
        ("8^(1/3)", 2),
        ("log2(1/8)", -3),
        ("log10(10^5000)", 5000),
        ("ln(1)", 0),
        ("exp(0)", 1),
        ("ln(exp(3))", 3),  # within 10^-30 of an integer
        ("floor(ln(8)/ln(2))", 3),
        ("abs(-3)", 3),
        ("floor(-2.5)", -3),
        ("ceil(2.1)", 3),
        ("round(2.5)", 3),  # halves go away from zero
        ("round(-2.5)", -3),
        ("round(2.4)", 2),
        ("min(3,1,2)", 1),
        ("max(3,1,2)", 3),
        ("floor((28+2*1-3)/2)+1", 14),
    ],
)
def test_exact_results(text: str, value: Fraction) -> None:
    assert evaluate(text) == Quantity(value)


@pytest.mark.parametrize(
    ("text", "digits"),
    [  # from tables of constants
        ("pi", "3.14159265358979323846264338327950288419716939937510"),
        ("exp(1)", "2.71828182845904523536028747135266249775724709369995"),
        ("sqrt(2)", "1.41421356237309504880168872420969807856967187537694"),
        ("ln(2)", "0.69314718055994530941723212145817656807550013436025"),
        ("log10(2)", "0.30102999566398119521373889472449302676818988146210"),
        ("-ln(1/2)", "0.69314718055994530941723212145817656807550013436025"),
    ],
)
def test_irrational_results_have_fifty_digits(text: str, digits: str) -> None:
    result = evaluate(text)
    assert abs(result.value - Fraction(digits)) < Fraction(1, 10**49)
    assert not result.exact


def test_a_small_probability_is_not_nothing() -> None:
    assert 0 < evaluate("exp(-80)").value < Fraction(2, 10**35)


def test_a_power_of_a_fraction_beyond_the_cap_is_computed_to_fifty_digits() -> None:
    # ln(0.999^100000) = 100000*ln(0.999) = -100.0500333583533…; e^-100.05003… = 3.5385…e-44
    assert abs(evaluate("0.999^100000").value * 10**44 - Fraction("3.5385")) < Fraction(1, 1000)


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("2byte*3", Quantity(48, INFORMATION)),
        ("1byte+1bit", Quantity(9, INFORMATION)),
        ("1min/1s", Quantity(60, PLAIN)),
        ("sqrt(4s*1s)", Quantity(2, TIME)),
        ("(2s)^3/1s^2", Quantity(8, TIME)),
        ("max(1ms,1s)", Quantity(1, TIME)),
        ("-2byte", Quantity(-16, INFORMATION)),
        ("3token+1step", Quantity(4, PLAIN)),
    ],
)
def test_units_carry_dimensions(text: str, quantity: Quantity) -> None:
    assert evaluate(text) == quantity


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2byte+3", "byte and a plain number are added"),
        ("2byte-1s", "byte and s are subtracted"),
        ("ln(2byte)", "`ln` takes a plain number"),
        ("2^1s", "an exponent is in s"),
        ("min(1s,2)", "s and a plain number are compared"),
        ("floor(2.5s)", "`floor` takes a plain number"),
    ],
)
def test_dimensions_must_fit(text: str, message: str) -> None:
    with pytest.raises(DimensionError, match=message):
        evaluate(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1/0", "division by zero"),
        ("1/(2-2)", "division by zero"),
        ("0^-1", "division by zero"),
        ("0^(-1/2)", "division by zero"),
        ("ln(0)", "`ln` of zero"),
        ("log2(-1)", "`log2` of a negative number"),
        ("sqrt(-1)", "not real"),
        ("(-8)^(1/3)", "not real"),
        ("9^9^9^9", "more than 10,000 digits"),
        ("10^(10^9)", "more than 10,000 digits"),
        ("10^10001", "more than 10,000 digits"),
        ("(1/10)^(10^9)", "more than 10,000 digits"),
        ("1.5^(10^9)", "more than 10,000 digits"),
        ("exp(10^9)", "more than 10,000 digits"),
        ("exp(-10^9)", "more than 10,000 digits"),
        ("exp(exp(exp(exp(9))))", "more than 10,000 digits"),
        ("2^exp(30)", "more than 10,000 digits"),
        ("10^6000*10^6000", "more than 10,000 digits"),
        ("(1byte)^1000", "power beyond 100"),
    ],
)
def test_what_has_no_value_or_too_large_a_one_is_refused_at_once(text: str, message: str) -> None:
    started = time.process_time()
    with pytest.raises(MalformedError, match=message):
        evaluate(text)
    assert time.process_time() - started < HANGS


def test_symbols_are_read_lazily_and_may_refer_to_one_another() -> None:
    assert evaluate("d_ff*d", d_ff="4*d", d="3") == Quantity(36)
    with pytest.raises(UnboundError, match="`x` has no value"):
        evaluate("x+1")
    with pytest.raises(MalformedError, match="`a` is read from itself"):
        evaluate("a", a="b+1", b="a+1")


def test_one_claim_has_one_budget() -> None:
    evaluator = Namespace().evaluator()
    node = Parser("(10^9990+1)*(10^9990-1)/10^9990").expression()
    with pytest.raises(MalformedError):
        for _ in range(10_000):
            evaluator.evaluate(node, Environment({}))


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('touch pwned')",
        "().__class__.__bases__",
        "exec(print)",
        "lambda: 0",
        "x if x else y",
        "[1]",
        "'a'*10",
        "open(/etc/passwd)",
        "S(1).func",
        r"\input{/etc/passwd}",
        "9**9**9",
        "1;2",
        "a:=2",
        "0x10",
        "1j",
    ],
)
def test_hostile_text_is_only_malformed(text: str) -> None:
    with pytest.raises(MalformedError):
        parser = Parser(text)
        parser.expression()
        if not parser.ended():
            parser.fail("more than an expression")


@pytest.mark.parametrize(
    "text", ["pi", "exp(1)", "exp(-700/3)", "ln(2)", "ln(1/3)", "log2(10)", "log10(7)", "sqrt(2)", "2^(1/3)", "0.1^0.7"]
)
def test_irrational_results_are_those_of_sympy_to_fifty_digits(text: str) -> None:
    found = evaluate(text)
    exact = sympy.Rational(*found.value.as_integer_ratio())
    oracle = sympy.sympify(
        text.replace("^", "**").replace("log10(7)", "log(7,10)").replace("log2(10)", "log(10,2)"), rational=True
    )
    assert not found.exact
    assert abs(sympy.N(exact / oracle - 1, 60, maxn=400)) < sympy.Float("1e-50")


def test_results_import_neither_sympy_nor_mpmath() -> None:
    program = (
        "import sys\n"
        "from lintbook.calculator.formula import Namespace, parse_block\n"
        "from lintbook.calculator.evaluation import Environment\n"
        "from lintbook.calculator.expression import Parser\n"
        "import lintbook.calculator.judgement\n"
        "Namespace().evaluator().evaluate(Parser('log2(8)+0.99^100+exp(2)*ln(3)').expression(), Environment({}))\n"
        "assert not {'sympy', 'mpmath'} & set(sys.modules), 'imported'\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def _number(value: int) -> Node:
    return Number(str(value), value, PLAIN)


_LEAVES = st.integers(min_value=0, max_value=30).map(_number)


def _nodes(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    def chain(make, signs: str) -> st.SearchStrategy[Node]:
        parts = st.lists(st.tuples(st.sampled_from(signs), inner), min_size=1, max_size=2)
        return st.builds(lambda first, rest: make(((signs[0], first), *rest)), inner, parts)

    return st.one_of(
        chain(Sum, "+-"),
        chain(Product, "*/"),
        st.builds(Negative, inner),
        st.builds(Power, inner, st.integers(-3, 4).map(_number)),
        st.builds(
            lambda name, argument: Function(name, (argument,)),
            st.sampled_from(["sqrt", "exp", "ln", "log2", "log10", "abs", "floor", "ceil"]),
            inner,
        ),
        st.builds(lambda name, a, b: Function(name, (a, b)), st.sampled_from(["min", "max"]), inner, inner),
    )


_SYMPY = {
    "sqrt": sympy.sqrt,
    "exp": sympy.exp,
    "ln": sympy.log,
    "log2": lambda x: sympy.log(x) / sympy.log(2),
    "log10": lambda x: sympy.log(x) / sympy.log(10),
    "abs": sympy.Abs,
    "floor": sympy.floor,
    "ceil": sympy.ceiling,
    "min": sympy.Min,
    "max": sympy.Max,
}


def _by_sympy(node: Node) -> sympy.Expr:
    """Build the same expression of sympy's own objects; no text is parsed."""
    match node:
        case Number():
            return sympy.Integer(node.value)
        case Negative():
            return -_by_sympy(node.operand)
        case Sum():
            return sympy.Add(*[_by_sympy(t) if sign == "+" else -_by_sympy(t) for sign, t in node.terms])
        case Product():
            return sympy.Mul(*[_by_sympy(f) if sign == "*" else 1 / _by_sympy(f) for sign, f in node.factors])
        case Power():
            return _by_sympy(node.base) ** _by_sympy(node.exponent)
        case Function():
            return _SYMPY[node.name](*[_by_sympy(argument) for argument in node.arguments])
    raise AssertionError(node)


@settings(max_examples=150, deadline=None)
@given(st.recursive(_LEAVES, _nodes, max_leaves=6))
def test_the_evaluator_equals_sympy(node: Node) -> None:
    try:
        ours = Evaluator(lambda *_: Quantity(0)).evaluate(node, Environment({}))
    except MalformedError:
        return  # no real value, or beyond the caps
    theirs = _by_sympy(node).evalf(60)
    assert theirs.is_real, (node, theirs)
    exact = sympy.Rational(ours.value.numerator, ours.value.denominator)
    assert abs(theirs - exact) <= sympy.Float(10, 60) ** -40 * max(1, abs(theirs))
