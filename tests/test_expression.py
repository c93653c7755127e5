from __future__ import annotations

import re

import pytest

from lintbook.calculator.expression import MalformedError, Parser, canonical, show, walk


def parse(text: str):
    parser = Parser(text)
    node = parser.expression()
    if not parser.ended():
        parser.fail(f"an operator expected, {parser.seen()}")
    return node


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("-2^2", "-(2^2)"),
        ("2^3^2", "2^(3^2)"),
        ("2^-1", "2^(-1)"),
        ("a+b*c", "a+(b*c)"),
        ("-a*b", "(-a)*b"),
        (r"\rho*n_{kv}", "ρ*n_kv"),
        ("min( 1 , 2 )", "min(1,2)"),
        ("f( T = (4*T) )", "f(T=(4*T))"),
    ],
)
def test_precedence_and_spelling(one: str, other: str) -> None:
    assert parse(one) == parse(other)


@pytest.mark.parametrize(("one", "other"), [("a-b-c", "a-(b-c)"), ("a/b*c", "a/(b*c)"), ("-2^2", "(-2)^2")])
def test_what_brackets_change(one: str, other: str) -> None:
    assert parse(one) != parse(other)


@pytest.mark.parametrize(
    "text",
    [
        "-2^2",
        "(-2)^2",
        "2^3^2",
        "(2^3)^2",
        "a-(b-c)",
        "a/(b*c)",
        "-(a+b)",
        "2byte*N",
        "f(T=(4*T), d=2)/f()",
        "sqrt(x+1)^-2",
    ],
)
def test_printing_keeps_the_meaning(text: str) -> None:
    assert parse(show(parse(text))) == parse(text)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("ρ", "rho"),
        (r"\rho", "rho"),
        ("rho", "rho"),
        ("n_{kv}", "n_kv"),
        (r"\varepsilon", "epsilon"),
        ("ε", "epsilon"),
        ("Δ", "Delta"),
        ("σ_x", "sigma_x"),
        ("e\u0301", "é"),  # NFC
        ("µ", "mu"),  # the micro sign
        ("层数", "层数"),
    ],
)
def test_names_have_one_spelling(written: str, name: str) -> None:
    assert canonical(written) == name


def test_the_bindings_of_a_call_are_the_callers_expressions() -> None:
    found = [part.name for part in walk(parse("a + f(T=(4*b)) - sqrt(c)"))]
    assert sorted(found) == ["a", "b", "c", "f"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 byte", "an operator expected"),  # a unit is glued to its number
        ("2B", "no unit of that name"),
        ("2T", "no unit of that name"),
        ("2x", "a product needs `*`"),
        ("2(3)", "an operator expected"),
        ("a b", "an operator expected"),
        ("log(3)", "`log` is no function"),
        ("sqrt(1,2)", "`sqrt` takes one argument"),
        ("5%", "an operator expected"),
        ("5**2", "a number, a name or `(` expected"),
        ("(2", "`)` expected, the end found"),
        ("2)", "an operator expected"),
        ("", "the end found"),
        ("1_000", "no unit of that name"),
        ("1,000", "an operator expected"),
        ("let", "`let` is reserved"),
        ("col(2)", "`col` is no function"),
        ("f(T={1,2})", "a sweep belongs to a claim"),
        ("f(3)", "a formula is called with bindings"),
        ("a.b", "an operator expected"),
        ("$a$", "a number, a name or `(` expected"),
        ("(" * 51 + "1" + ")" * 51, "nested deeper than 50"),
        ("-" * 51 + "1", "nested deeper than 50"),
        ("2^" * 51 + "1", "nested deeper than 50"),
        ("1+" * 250 + "1", "longer than 500 characters"),
        ("1e10001", "more than 10,000 digits"),
    ],
)
def test_what_is_malformed(text: str, message: str) -> None:
    with pytest.raises(MalformedError, match=re.escape(message)) as raised:
        parse(text)
    assert 0 <= raised.value.start <= len(text)


def test_the_caps_leave_room() -> None:
    assert parse("(" * 49 + "1" + ")" * 49) == parse("1")
    assert len(parse("1" + "+1" * 249).terms) == 250
