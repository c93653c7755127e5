"""Formulas as LaTeX and as symbols: read by our own parser, told apart by values, and sympy given nodes only."""

from __future__ import annotations

import builtins
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from quoting import namespace, passage

from lintbook.calculator.calculation import CalculationError, calculate
from lintbook.calculator.expression import MalformedError, Node, Parser, show
from lintbook.calculator.latex import UnknownSymbolError, last_formula, read_right_side
from lintbook.calculator.symbolic import counterexample, difference, solve, written_out
from lintbook.engine import check


def read(latex: str, *symbols: str, **spellings: str) -> str:
    """The right side of a formula, shown in the grammar of claims."""
    formula = last_formula(passage(f"${latex}$"))
    assert formula is not None
    return show(read_right_side(formula, {**{symbol: symbol for symbol in symbols}, **spellings}))


@pytest.mark.parametrize(
    ("latex", "symbols", "expected"),
    [
        ("N = 4d^2 + 4d", ("d",), "4*d^2+4*d"),
        (r"2LBT\,n_{kv}d_hs", ("L", "B", "T", "n_kv", "d_h", "s"), "2*L*B*T*n_kv*d_h*s"),
        (r"\boldsymbol{M} = k^2c_{\text{in}}c_{out}", ("k", "c_in", "c_out"), "k^2*c_in*c_out"),
        (r"\lfloor(n+2p-k)/s\rfloor+1", ("n", "p", "k", "s"), "floor((n+2*p-k)/s)+1"),
        (r"\frac{-7}{\log_{10}\rho}", ("rho",), "-7/(ln(rho)/ln(10))"),
        (r"-\frac{\ln 2}{\ln\rho}", ("rho",), "-(ln(2)/ln(rho))"),
        (r"a \approx b = \sqrt{x} + \sqrt[3]{y}", ("x", "y"), "sqrt(x)+y^(1/3)"),
        (r"e^{-x} + \pi x", ("x",), "exp(1)^-x+pi*x"),
        (r"\max(a, b) - \min(a, b)", ("a", "b"), "max(a, b)-min(a, b)"),
        (r"x(y+1)(y-1)", ("x", "y"), "x*(y+1)*(y-1)"),
        (r"20{,}608\,x", ("x",), "20,608*x"),
        (r"6ND", ("N", "D"), "6*N*D"),
        (r"\text{FFN} \cdot x", ("FFN", "x"), "FFN*x"),
        (r"x \quad (x > 0)", ("x",), "x"),
        (r"x + 1.", ("x",), "x+1"),
    ],
)
def test_latex_is_cut_by_the_symbols_of_the_formula(latex: str, symbols: tuple[str, ...], expected: str) -> None:
    assert read(latex, *symbols) == expected


def test_a_symbol_may_be_spelt_differently() -> None:
    assert read(r"\lfloor n/s\rfloor", "n", s="st") == "floor(n/st)"


@pytest.mark.parametrize("latex", [r"4k^2", r"d_k", r"kd"])
def test_a_symbol_that_the_formula_does_not_have(latex: str) -> None:
    with pytest.raises(UnknownSymbolError):
        read(latex, "d")


@pytest.mark.parametrize(
    "latex",
    [
        r"\sum_i d",
        r"d^",
        r"(d",
        r"\frac{d}",
        "d + ",
        "|d|",
        r"\int d",
        "",
        "d,d",
        "{" * 90 + "d" + "}" * 90,
        "9" * 20_000,
    ],
)
def test_what_cannot_be_read(latex: str) -> None:
    with pytest.raises(MalformedError):
        read(latex + " ", "d")


# Equality


def expression(text: str) -> Node:
    return Parser(text).expression()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("4*d^2+4*d", "4*d*(d+1)"),
        ("(a+b)^2", "a^2+2*a*b+b^2"),
        ("ln(a*b)", "ln(a)+ln(b)"),
        ("sqrt(a^2)", "a"),
        ("2^(a+1)", "2*2^a"),
        ("floor((a+2)/2)", "floor(a/2)+1"),
    ],
)
def test_equal_formulas_have_no_counterexample(one: str, other: str) -> None:
    assert counterexample(expression(one), expression(other), frozenset("abd")) is None


@pytest.mark.parametrize(
    ("one", "other", "missing"),
    [
        ("4*d^2+4*d", "4*d^2", "4*d"),
        ("a*b", "a+b", "a*b - a - b"),
        ("floor(a/2)", "a/2", "-(a - 2*floor(a/2))/2"),
        ("a", "a+1/1000", "-1/1000"),
    ],
)
def test_different_formulas_are_told_apart_and_by_what(one: str, other: str, missing: str) -> None:
    found = counterexample(expression(one), expression(other), frozenset("abd"))
    assert found is not None
    assert found.one != found.other
    assert difference(expression(one), expression(other)) == missing


def test_formulas_without_values_cannot_be_compared() -> None:
    with pytest.raises(MalformedError):
        counterexample(expression("ln(0*a)"), expression("a"), frozenset("a"))


def test_calls_are_written_out_with_their_values_and_without_units() -> None:
    names = namespace("f [byte] = 2byte*n\ng [byte] = f(n=(3*n)) + f()\nh = h1() + h1()\nh1 = n")
    assert show(written_out(names, expression("g()"))) == "2byte*(3*n)+2byte*n"
    assert counterexample(written_out(names, expression("g()")), expression("8*n"), frozenset("n")) is None
    deep = namespace("\n".join(f"f{i} = f{i + 1}()+f{i + 1}()" for i in range(20)) + "\nf20 = n")
    with pytest.raises(MalformedError):
        written_out(deep, expression("f0()"))


def test_equations_are_solved_exactly() -> None:
    assert solve(expression("4*d^2+4*d"), "d", 2_362_368) == [-769, 768]
    assert solve(expression("x/3"), "x", Fraction(1, 2)) == [Fraction(3, 2)]
    (root,) = solve(expression("exp(x)"), "x", 2)
    assert abs(root - Fraction("0.69314718055994530941723212145817656807550013436026")) < Fraction(1, 10**45)
    assert solve(expression("x^2"), "x", -1) == []


# Hostile text


HOSTILE = [
    "__import__('os').system('touch OWNED')",
    "exec('1')",
    r"\input{/etc/passwd}",
    r"\def\x{\x\x}\x",
    "().__class__.__bases__[0]",
    "lambda: 0",
    "9**9**9**9",
    "factorial(99999)",
    "1" + "+1" * 5_000,
    "(" * 5_000,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_the_authors_text_reaches_no_evaluator(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sympy

    evaluate = eval

    def refuse(source: Any, *arguments: Any, **options: Any) -> Any:
        if text[:12] in str(source):
            raise AssertionError(f"evaluated: {source}")
        return evaluate(source, *arguments, **options)  # the standard library makes named tuples so

    for owner, name in (
        (builtins, "eval"),
        (sympy, "sympify"),
        (sympy, "parse_expr"),
        (sympy.parsing.sympy_parser, "parse_expr"),
    ):
        monkeypatch.setattr(owner, name, refuse)
    page = (
        f"# Page\n\n<!-- quantities\nf = {text}\n{text} = 3\nlet s : a={text}\ng = 4*d\n-->\n\n"
        f"3<!--= ({text}) --> 4<!--= f a={text} --> ${text} = 3$<!--= formula g --> `{text} = 3`, {text} = 3.\n"
    )
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    check(["."], tmp_path, cached=False)
    for words in ([text], ["block_parameters", f"d={text}"], [f"block_parameters={text}"]):
        for symbol in (None, "d"):
            with pytest.raises(CalculationError):
                list(calculate(words, solve_for=symbol))
    assert not (tmp_path / "OWNED").exists()
