from __future__ import annotations

from fractions import Fraction

import pytest

from lintbook.calculator.claim import Form, Option, parse_claim
from lintbook.calculator.expression import MalformedError


@pytest.mark.parametrize(
    ("text", "form", "names"),
    [
        (" kv_cache @llama ", Form.NAME, ("kv_cache",)),
        ("kv.mha", Form.NAME, ("kv.mha",)),
        (" (0.99^100) ", Form.EXPRESSION, ()),
        ("{kv.mha, kv.gqa,kv.mqa}", Form.LIST, ("kv.mha", "kv.gqa", "kv.mqa")),
        ("each kv_cache @base L=col(层数 L)", Form.COLUMN, ("kv_cache",)),
        ("formula out st=s", Form.FORMULA, ("out",)),
        (r"\rho_x", Form.NAME, ("rho_x",)),
    ],
)
def test_targets(text: str, form: Form, names: tuple[str, ...]) -> None:
    claim = parse_claim(text)
    assert (claim.form, claim.names) == (form, names)


def test_the_place_of_target_and_bindings() -> None:
    text = "  kv @a n={1, 2}  ; floor "
    claim = parse_claim(text)
    assert text[claim.start : claim.end] == "kv @a n={1, 2}"
    (binding,) = claim.bindings
    assert text[binding.start : binding.end] == "n={1, 2}"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("32", 32),
        ("-0.5", Fraction(-1, 2)),
        ("5e4", 50_000),
        ("99%", Fraction(99, 100)),
        ("2byte", 16),
        ("900GB/s", 900 * 8 * 10**9),
        ("70B", 70 * 10**9),
        ("7K", 7_000),
        ("7M", 7 * 10**6),
        ("7T", 7 * 10**12),
        ("5万", 50_000),
        ("2亿", 2 * 10**8),
        ("4MiB", 4 * 8 * 2**20),
        ("2*3", None),
        ("(2)", 2),
    ],
)
def test_values_of_bindings(written: str, value: Fraction | None) -> None:
    if value is None:
        with pytest.raises(MalformedError):
            parse_claim(f"f a={written}")
        return
    (binding,) = parse_claim(f"f a={written}").bindings
    assert binding.values[0].value == value


@pytest.mark.parametrize(
    ("text", "count"), [("f", 1), ("f a=2", 1), ("f a={1,2,3}", 3), ("{a,b}", 2), ("f a={1} b=2", 1)]
)
def test_how_many_values_a_claim_has(text: str, count: int) -> None:
    assert parse_claim(text).count == count


@pytest.mark.parametrize(
    ("text", "option", "tolerance"),
    [
        ("f ; within 2%", Option.WITHIN, Fraction(1, 50)),
        ("f;within 0.5 %", Option.WITHIN, Fraction(1, 200)),
        ("f ; floor", Option.FLOOR, 0),
        ("f ;ceil", Option.CEIL, 0),
        ("f a=1;below", Option.BELOW, 0),
        ("f ; above ", Option.ABOVE, 0),
        ("f", None, 0),
    ],
)
def test_options(text: str, option: Option | None, tolerance: Fraction) -> None:
    claim = parse_claim(text)
    assert (claim.option, claim.tolerance) == (option, tolerance)


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("", "a formula, a value or an expression in brackets expected", ""),
        ("f a = 3", "`=` expected behind `a`, without blanks", "a"),
        ("f a=1,000", "a blank expected behind the value of `a`, `,000` found", "a=1"),
        ("f a=7B/s", "`B` is no unit", "B/s"),
        ("f a=2 byte", "`=` expected behind `byte`", "byte"),
        ("f a={1,2", "`,` expected, the end found", ""),
        ("f a={1,2} b={1,2,3}", "sweeps go in step, but `b` has 3 values, `a` 2", "b={1,2,3}"),
        ("f a=1 a=2", "`a` is bound twice", "a=2"),
        ("f a=col(2)", "`col()` belongs to a claim on a column", "a=col(2)"),
        ("each f a={1,2}", "a claim on a column takes no sweep", "a={1,2}"),
        ("each f a=col(显存 (GiB)", "`col(` is never closed", "a=col(显存 (GiB)"[2:]),
        ("f ; about", "`about` is no option", "about"),
        ("f ; floor ceil", "the end expected behind the option", "c"),
        ("f ; within 2", "`%` expected", ""),
        ("f@a", "a blank expected", "@"),
        ("(1+2", "`)` expected", ""),
        ("2", "a formula, a value or an expression in brackets expected", "2"),
        ("sqrt", "`sqrt` is reserved", "sqrt"),
        ("f a=2*x", "a blank expected behind the value of `a`", "a=2"),
        ("f pi=3", "`pi` is reserved", "pi"),
        ("f " + "a" * 500 + "=1", "longer than 500 characters", "f " + "a" * 500 + "=1"),
    ],
)
def test_malformed_claims(text: str, message: str, at: str) -> None:
    with pytest.raises(MalformedError) as raised:
        parse_claim(text)
    assert message in raised.value.message
    assert text[raised.value.start : raised.value.end] == at
