from __future__ import annotations

from fractions import Fraction

import pytest
from quoting import passage

from lintbook.calculator.number import (
    NumberTooLongError,
    integer,
    magnitude,
    print_like,
    read_number,
    read_scale,
)
from lintbook.calculator.plain import plain


def read(text: str, apart: str = ""):
    """Read the number that `text`, prose or `$math$`, begins with; return it and what stands behind."""
    shown = plain(passage(text)).text
    found = read_number(shown, 0, apart)
    return found.written, shown[found.end :]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("73856", 73_856),
        ("73,856", 73_856),
        ("$20{,}608$", 20_608),
        (r"$20\,608$", 20_608),
        ("20 608", 20_608),
        ("20\u202f608", 20_608),
        ("1,234,567", 1_234_567),
        ("7.09", Fraction(709, 100)),
        ("1,234.5", Fraction(12_345, 10)),
        ("0.125", Fraction(1, 8)),
        ("５８１", 581),
        ("７．５", Fraction(15, 2)),
        (r"$3.1\times10^{23}$", 31 * 10**22),
        (r"$3.1 \cdot 10^{23}$", 31 * 10**22),
        ("3.1×10²³", 31 * 10**22),
        ("3.1 × 10^23", 31 * 10**22),
        ("2·10⁻³", Fraction(1, 500)),
        ("5e4", 50_000),
        ("1.97E14", 197 * 10**12),
        ("2e-3", Fraction(1, 500)),
        ("$10^{23}$", 10**23),
        ("10²³", 10**23),
        ("$2^{32}$", 4_294_967_296),
        ("$2^{-3}$", Fraction(1, 8)),
        (r"$\frac{1}{3}$", Fraction(1, 3)),
        (r"$\tfrac12$", Fraction(1, 2)),
        (r"$\dfrac3{4}$", Fraction(3, 4)),
    ],
)
def test_every_form_of_a_written_number(text: str, number: Fraction) -> None:
    written, rest = read(text)
    assert (written.number, rest) == (number, "")


@pytest.mark.parametrize(
    ("text", "number", "rest"),
    [
        ("128,256,51", 128, ",256,51"),  # groups have three digits, so this is a list
        ("0,125", 0, ",125"),  # no group begins with a zero
        ("1234,567", 1234, ",567"),
        ("1, 234", 1, ", 234"),
        ("12.", 12, "."),
        ("5e", 5, "e"),
        ("5e4x", 5, "e4x"),
        ("3×4", 3, "×4"),
        ("3×10", 3, "×10"),
        ("2^n", 2, "^n"),
    ],
)
def test_where_a_number_ends(text: str, number: int, rest: str) -> None:
    written, behind = read(text)
    assert (written.number, behind) == (number, rest)


def test_groups_can_be_read_apart() -> None:
    assert read("128,256,512", apart=",")[0].number == 128
    assert read("20 608", apart=" ")[0].number == 20
    assert read("20 608", apart=",")[0].number == 20_608


@pytest.mark.parametrize(
    ("text", "step", "digits", "zeros"),
    [
        ("20", 1, 2, 1),
        ("20.0", Fraction(1, 10), 3, 0),
        ("0.125", Fraction(1, 1000), 3, 0),
        ("3.1e23", 10**22, 2, 0),
        ("3,000", 1, 4, 3),
        ("$10^{6}$", 1, 7, 6),
        (r"$\frac{1}{3}$", 0, 1, 0),  # a fraction is exact
    ],
)
def test_the_last_written_digit(text: str, step: Fraction, digits: int, zeros: int) -> None:
    written, _ = read(text)
    assert (written.step, written.digits, written.zeros) == (step, digits, zeros)


def test_a_number_is_an_interval_of_half_a_unit_of_its_last_digit() -> None:
    value = read("20")[0].value()
    assert Fraction("19.5") in value
    assert Fraction("20.5") in value
    assert Fraction("20.51") not in value


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("3000", 2950, 3050), ("20", "19.5", "20.5"), ("3510", 3505, 3515), ("5", "4.5", "5.5")],
)
def test_of_an_approximate_integer_trailing_zeros_do_not_count_but_two_digits_do(text: str, low, high) -> None:
    value = read(text)[0].value(approximate=True)
    assert (value.low, value.high) == (Fraction(low), Fraction(high))


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("%", Fraction(1, 100)),
        ("‰", Fraction(1, 1000)),
        ("千", 10**3),
        ("万", 10**4),
        ("亿", 10**8),
        ("百万", 10**6),
        ("万亿", 10**12),
        ("k", 10**3),
        ("K", 10**3),
        ("M 参数", 10**6),
        ("B", 10**9),
        ("T", 10**12),
        ("thousand", 10**3),
        ("million", 10**6),
        ("billion", 10**9),
        ("trillion", 10**12),
    ],
)
def test_every_scale(text: str, factor: Fraction) -> None:
    found = read_scale(text, 0)
    assert found is not None
    assert found[0].factor == factor


@pytest.mark.parametrize("text", ["KB", "Mi", "Kv", "Tρ", "K2", "millions", "参数"])
def test_a_scale_is_not_glued_to_a_letter(text: str) -> None:
    assert read_scale(text, 0) is None


def test_numbers_of_many_digits_are_read_or_refused_with_a_word() -> None:
    written, rest = read("7" * 5000)
    assert written.number == 7 * (10**5000 - 1) // 9
    assert rest == ""
    for text in (
        "1" * 10_001,
        "$10^{10001}$",
        "$10^{99999999999}$",
        "1e99999",
        "$9^{9999999}$",
        "0." + "0" * 9_999 + "1",
    ):
        with pytest.raises(NumberTooLongError, match="more than 10,000 digits"):
            read(text)


def test_long_digits_become_integers() -> None:
    assert integer("0" * 5000 + "12") == 12
    assert integer("12" + "0" * 5000) == 12 * 10**5000


@pytest.mark.parametrize(
    ("value", "exponent"),
    [(1, 0), (9, 0), (10, 1), (999, 2), (-1000, 3), (Fraction(1, 2), -1), (Fraction(1, 10), -1)],
)
def test_magnitude(value: Fraction, exponent: int) -> None:
    assert magnitude(value) == exponent


@pytest.mark.parametrize("exponent", [300, 4321, 9999])
def test_magnitude_of_large_numbers(exponent: int) -> None:
    assert magnitude(10**exponent) == exponent
    assert magnitude(10**exponent - 1) == exponent - 1
    assert magnitude(Fraction(1, 10**exponent)) == -exponent


@pytest.mark.parametrize(
    ("value", "like", "printed"),
    [
        (20, "10", "20"),
        (73_856, "73,728", "73,856"),
        (73_856, "$73{,}728$", "73,856"),
        (Fraction("0.36603"), "5", "0.37"),  # two digits at least
        (Fraction("0.36603"), "0.37", "0.366"),
        (Fraction("0.125"), "0.5", "0.125"),  # a third where the value ends with it
        (Fraction("153.98"), "153", "154"),
        (Fraction("7.087872"), "7.10", "7.09"),
        (Fraction("7.0946"), "7.09", "7.095"),  # a further digit where it would read like the text
        (3125 * 10**20, "3.0e23", "3.1×10^23"),
        (10**20, "5", "1×10^20"),
        (4, "5e4", "4"),
        (Fraction(1, 3), r"$\frac{1}{2}$", "1/3"),
        (-4, "4", "-4"),
        (0, "4", "0"),
    ],
)
def test_values_are_printed_like_the_text(value: Fraction, like: str, printed: str) -> None:
    assert print_like(Fraction(value), read(like)[0]) == printed


def test_printing_is_safe_for_any_size() -> None:
    assert print_like(Fraction(10**9000), read("1")[0]) == "1×10^9000"
    assert print_like(Fraction(1, 3), read("0." + "3" * 6000)[0]).startswith("0.333")
