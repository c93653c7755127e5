from __future__ import annotations

from fractions import Fraction

import pytest

from lintbook.calculator.unit import (
    ENERGY,
    INFORMATION,
    LENGTH,
    MASS,
    PLAIN,
    POWER,
    RATE,
    TIME,
    Dimension,
    parse_unit,
    read_unit,
)

BIT_RATE = Dimension(information=1, time=-1)


@pytest.mark.parametrize(
    ("text", "factor", "dimension"),
    [
        ("bit", 1, INFORMATION),
        ("byte", 8, INFORMATION),
        ("bytes", 8, INFORMATION),
        ("字节", 8, INFORMATION),
        ("比特", 1, INFORMATION),
        ("kB", 8 * 10**3, INFORMATION),
        ("KB", 8 * 10**3, INFORMATION),
        ("MB", 8 * 10**6, INFORMATION),
        ("GB", 8 * 10**9, INFORMATION),
        ("Gb", 10**9, INFORMATION),
        ("Mbit", 10**6, INFORMATION),
        ("KiB", 8 * 2**10, INFORMATION),
        ("MiB", 8 * 2**20, INFORMATION),
        ("GiB", 8 * 2**30, INFORMATION),
        ("TiB", 8 * 2**40, INFORMATION),
        ("Gibit", 2**30, INFORMATION),
        ("s", 1, TIME),
        ("ms", Fraction(1, 10**3), TIME),
        ("μs", Fraction(1, 10**6), TIME),  # the Greek letter
        ("µs", Fraction(1, 10**6), TIME),  # the micro sign
        ("ns", Fraction(1, 10**9), TIME),
        ("min", 60, TIME),
        ("h", 3600, TIME),
        ("days", 86_400, TIME),
        ("秒", 1, TIME),
        ("毫秒", Fraction(1, 10**3), TIME),
        ("微秒", Fraction(1, 10**6), TIME),
        ("分钟", 60, TIME),
        ("小时", 3600, TIME),
        ("天", 86_400, TIME),
        ("km", 1000, LENGTH),
        ("米", 1, LENGTH),
        ("kg", 1000, MASS),
        ("J", 1000, ENERGY),  # kg m²/s², with the gram as base
        ("kW", 10**6, POWER),
        ("MHz", 10**6, RATE),
        ("FLOP", 1, PLAIN),
        ("TFLOPS", 10**12, RATE),
        ("TFLOP/s", 10**12, RATE),
        ("TFLOPs/s", 10**12, RATE),
        ("tokens", 1, PLAIN),
        ("steps", 1, PLAIN),
        ("GB/s", 8 * 10**9, BIT_RATE),
        ("W*s", 1000, ENERGY),
        ("FLOP/byte", Fraction(1, 8), Dimension(information=-1)),
    ],
)
def test_the_table(text: str, factor: Fraction, dimension: Dimension) -> None:
    assert parse_unit(text) == (factor, dimension)


@pytest.mark.parametrize("text", ["B", "K", "GX", "", "byte/", "mmin", "kday", "Kis", "步", "layers"])
def test_what_is_no_unit(text: str) -> None:
    with pytest.raises(ValueError, match="is no unit"):
        parse_unit(text)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("GiB 显存", 3),
        ("字节的", 2),
        ("GB/s", 4),
        ("GB/卡", 2),
        ("GB per second", 13),
        ("B/s", 3),
        ("seconds", 7),
        ("milliseconds", 12),
        ("gibibytes", 9),
        ("bytes/step", 10),
    ],
)
def test_units_in_prose(text: str, length: int) -> None:
    found = read_unit(text, 0)
    assert found is not None
    assert found[1] == length


@pytest.mark.parametrize("text", ["B", "GBs2", "m^2", "m²", "s_1", "个", "layers", "memory", "sec21"])
def test_prose_that_only_begins_like_a_unit(text: str) -> None:
    assert read_unit(text, 0) is None


@pytest.mark.parametrize(
    ("dimension", "name"),
    [
        (PLAIN, "a plain number"),
        (INFORMATION, "byte"),
        (BIT_RATE, "byte/s"),
        (RATE, "1/s"),
        (POWER, "W"),
        (ENERGY, "J"),
        (Dimension(information=2), "byte^2"),
    ],
)
def test_dimensions_are_named_by_their_units(dimension: Dimension, name: str) -> None:
    assert str(dimension) == name


def test_dimensions_multiply() -> None:
    assert INFORMATION.times(TIME, -1) == BIT_RATE
    assert INFORMATION.times(INFORMATION, -1) == PLAIN
