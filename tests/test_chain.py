"""Chains of arithmetic: which sides are closed, and whether they agree as people write such relations."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path

import pytest
from bounds import HANGS
from hypothesis import given
from hypothesis import strategies as st
from quoting import passage

from lintbook.calculator import arithmetic
from lintbook.calculator.arithmetic import read_chains
from lintbook.calculator.chain import Grade, judge, judge_chains
from lintbook.calculator.problem import Reason
from lintbook.calculator.wording import disagreeing, nearly_agreeing
from lintbook.engine import check
from lintbook.text import Passage, Piece, Style


def sides(text: str) -> list[list[str]]:
    """The sides of each chain of a text, as written."""
    return [[side.text for side in chain.sides] for chain in read_chains(passage(text))]


def grades(text: str) -> list[Grade]:
    """How well each two sides agree; chains that cannot be compared are left out."""
    return [comparison.grade for comparison in judge_chains(passage(text)) if comparison.reason is None]


def reasons(text: str) -> list[Reason]:
    """Why chains are not compared."""
    return [comparison.reason for comparison in judge_chains(passage(text)) if comparison.reason is not None]


def messages(text: str) -> list[str]:
    return [
        disagreeing(c) if c.grade is Grade.DISAGREE else nearly_agreeing(c)
        for c in judge_chains(passage(text))
        if c.grade < Grade.AGREE
    ]


# What is a closed side


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"so $128\cdot(3/4)^2 = 72$ in all", [[r"128\cdot(3/4)^2", "72"]]),
        ("共 3×4=12 个", [["3×4", "12"]]),
        ("the total is 3 + 4 = 7.", [["3 + 4", "7"]]),
        (r"$x = 3 + 4 = 7$", [["3 + 4", "7"]]),
        (r"$\frac{1}{2} + \tfrac12 = 1$", [[r"\frac{1}{2} + \tfrac12", "1"]]),
        (r"$\left\lceil \dfrac{10}{3} \right\rceil = 4$", [[r"\lceil \dfrac{10}{3} \right\rceil", "4"]]),
        (r"$2 + 3 = 5 = 10/2$", [["2 + 3", "5", "10/2"]]),
        ("`6 * 2 = 12` and `6 / 2 = 3`", [["6 * 2", "12"], ["6 / 2", "3"]]),
        ("`64 * 256 = 16384. 32e3 / 2 = 16e3`", [["64 * 256", "16384"], ["32e3 / 2", "16e3"]]),
        ("`2 + 8 = 10` bytes", [["2 + 8", "10 bytes"]]),
        (r"$34 \cdot 10 = 340\mu s$", [[r"34 \cdot 10", r"340\mu s"]]),
        ("1920x1080 = 2,073,600 pixels", [["1920x1080", "2,073,600"]]),
        ("3 layers × 4 heads = 12", [["3 layers × 4", "12"]]),
        ("8/2 = 4× faster, 8/4 = 2x faster", [["8/2", "4"], ["8/4", "2"]]),
        ("that's 3 * 5 = 15, and we'll need 2 * 2 = 4 Q-networks", [["3 * 5", "15"], ["2 * 2", "4"]]),
        ("10³×8 = 8000", [["10³×8", "8000"]]),
        ("(see 3 × 5 = 15)", [["3 × 5", "15"]]),
        (r"$\sqrt[3]{8} = 2$, $\binom{5}{2} = 10$", [[r"\sqrt[3]{8}", "2"], [r"\binom{5}{2}", "10"]]),
        ("BIC = 3 ln(100) + 241 = 254.8, 4 max(1, 2) = 8", [["3 ln(100) + 241", "254.8"], ["4 max(1, 2)", "8"]]),
        ("12 × 5 = 60 requests/s, 3 × 4 = 12/s, 2 × 2 = 4 元/月", [["12 × 5", "60"], ["3 × 4", "12"], ["2 × 2", "4"]]),
        ("12 × 5 = 60 °C, 3 × 4 = 12 V", [["12 × 5", "60"], ["3 × 4", "12"]]),
        (r"$3 \times 4 = 12\,\mathrm{m/s^2}$", [[r"3 \times 4", r"12\,\mathrm{m/s^2"]]),
        (r"$\qty{12}{m} \times 5 = \SI{60}{m}$", [[r"\qty{12}{m} \times 5", r"\SI{60}{m}"]]),
        (r"$\num{12} \times 5 = 60$", [[r"{12} \times 5", "60"]]),
        ("/26：2⁶ − 2 = 62", [["2⁶ − 2", "62"]]),
        (r"$5 {=} 4 {+} 1 \mathrel{=} \color{red}{5}$", [["5", "4 {+} 1", "{5}"]]),
        (r"$\log_2 8 = 3$, $2\ln 2 = 1.39$", [[r"\log_2 8", "3"], [r"2\ln 2", "1.39"]]),
        (r"$e^{3} \approx 20$", [["e^{3}", "20"]]),
        (r"$\underbrace{3 + 4}_{\text{two terms}} = 7$", [[r"\underbrace{3 + 4}_{\text{two terms}}", "7"]]),
    ],
)
def test_closed_sides_are_read_where_they_stand(text: str, expected: list[list[str]]) -> None:
    assert sides(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        r"$x + 3 = 5$",
        r"$3x = 6$",
        r"$6 = 2 \cdot k$",
        r"$f(2025) = 3$",
        r"$P(X = 3) = 0.2$",
        r"$x_1 = 5$",
        r"$1 + 2 + \cdots + 10 = 55$",
        r"$7 + 8 = 3 \pmod{12}$",
        "7 + 8 = 3 (mod 12)",
        "`!5 == -6`",
        r"$0101 = 5$",
        r"$3:4 = 6:8$",
        "`7 % 3 = 1`",
        "`0x10 * 1 = 16`",
        "`lr=1e-3, beta=0.9`",
        "2 1/2 = 2.5",
        "版本 3.9.9 = 4",
        "1,5 + 1,5 = 3",
        "H100 * 8 = 640",
        "batch 4 * seq 2048 = 8192",
        "50% of 20 + 3 = 13",
        "10 divided by 2 + 3 = 2",
        "10 的 3 次方 × 2 = 2000",
        "2 的 10 次方 = 1024",
        "百分之 20 × 50 = 10",
        "页 3-5 = 三页",
        "2020-05-03 = 5",
        "8*(2+1)+4 => 28",
        r"$3 \ne 4 \cdot 2$",
        r"$\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} = 10$",
        r"$(1, 2) = 3$",
        r"$0.333\ldots = 1/3$",
        "GBS=192 (73TFLOPS) and then we ramped up to GBS=2048",
        "option 2 = 3 * 5",
        "`fib(10) = 55`",
        "fact(5) = 120, fib (10) = 55",
        r"$\text{sigmoid}(0) = 0.5$",
        "`a[3] = 5`",
        "`size=2*3 count=7`",
        "size=2*3 count=7",
        "11 / 4 = 2 余 3, 11 / 4 = 2 remainder 3",
        "100/3 = 30 to 40",
        "2 × 3 = 12/m, 2 + 1/s = 2.5",
        "2 × 9 = 2 m^2",
        r"$5^{\underline{3}} = 60$, $5^{(3)} = 210$",
        "Adding (1) + (2) = 5x = 10",
        "The mean of 2, 4, 9 = 15/3",
        "The mean (of 2, 4, 9 = 15/3)",
        "平均 2、4、9 = 15/3",
        "1’234 × 2 = 2’468",
        r"$\frac{1}{} = 2 \cdot 1$",
    ],
)
def test_what_is_open_or_means_something_else_is_no_chain(text: str) -> None:
    assert sides(text) == []


def test_rows_of_aligned_formulas_are_linked_only_where_a_row_begins_with_the_relation() -> None:
    linked = r"$\begin{aligned} x &= 3 \cdot 4 \\ &= 12 \\ &= 13 \end{aligned}$"
    assert sides(linked) == [[r"3 \cdot 4", "12", "13"]]
    summed = r"$\begin{aligned} S &= 1 + 2 + {} \\ & 3 \\ &= 6 \end{aligned}$"
    assert sides(summed) == [[r"1 + 2 + {} \\ & 3", "6"]]
    apart = r"$\begin{aligned} a &= 3 \cdot 4 = 12 \\ b &= 2 \cdot 2 = 4 \end{aligned}$"
    assert sides(apart) == [[r"3 \cdot 4", "12"], [r"2 \cdot 2", "4"]]


def test_chains_cross_line_breaks_and_two_formulas_are_two() -> None:
    assert sides("3 + 4 =\n7 个") == [["3 + 4", "7"]]
    assert sides(r"$5 = 5 \cdot 1$ $2 + 2 = 4$") == [["5", r"5 \cdot 1"], ["2 + 2", "4"]]


def test_a_side_cut_by_words_begins_and_ends_two_chains() -> None:
    assert sides("2 × 5 = 10 且 (480 - 10) = 470") == [["2 × 5", "10"], ["(480 - 10)", "470"]]


def test_digits_parted_by_markup_are_no_number() -> None:
    # 2<sup>10</sup> shows as 2 and 10 beside each other
    pieces = (Piece(0, 0, 1, Style.PROSE, True), Piece(1, 6, 8, Style.PROSE, True), Piece(3, 14, 22, Style.PROSE, True))
    assert read_chains(Passage("210 = 1024", pieces)) == []


def test_places_are_those_of_the_passage() -> None:
    text = r"共有 $4\times768^2=2{,}359{,}296$ 个"
    (chain,) = read_chains(passage(text))
    shown = passage(text).text
    assert [shown[side.start : side.end] for side in chain.sides] == [r"4\times768^2", "2{,}359{,}296"]


# Whether sides agree


@pytest.mark.parametrize(
    "text",
    [
        r"$128\cdot(3/4)^2 = 72$",
        "`17/2 = 8.5ms`",
        "`256*16 = 4TB`",
        "`128*2048*2 = 512kiB`",
        "`100_000*10_000*4 bytes = 3.73GiB`",
        "`0.131*1024 = ~134MB`",
        "`a = 16*20*28 / 2*2 = 2,240`",
        "`6e7 / 3e10 = 2ms`",
        "`7200 / 2 = 1 h`",
        "16 GB / 16 = 1 GB",
        "80 GB * 8 = 640",
        "128 MB / 4 KB = 32768",
        r"$2^{16} = 64$ K",
        r"$16 \times 1024^3 = 16$ GB",
        "`365 days * 24 = 8760 hours`",
        "1/2 GB = 0.5 GB",
        "7B × 2 字节 = 14 GB，70 B × 2 = 140 GB",
        "3 亿 / 100 = 300 万",
        "90 min = 1.5 h",
        "3,276,800 bytes ≈ 3.28 MB ≈ 3.125 MiB",
        "12/15*100 = 80%",
        r"$45/60 = 75\%$",
        r"$\log(100) = 2$",
        r"$\log(8) = 3$",
        r"$\log(3) \approx 1.10$",
        r"$2\tfrac{1}{2} = 2.5$",
        r"$\frac{9.2e14}{1.5e10} \simeq 61,000$",
        "`4 * 1024 * 4096 / 9e10 = 190us`",
        "`5 // 1 = 5`, `7 / 2 = 3`",
        r"$50! \approx 10^{64}$",
        r"$2^{10} = 1024 \approx 10^3$",
        r"$100^{10} = 10^{20}$",
        r"$(1.5)^{50} \approx 6.4 \times 10^8$",
        r"$\frac{7}{3} \cdot 3 = 2.33 \cdot 3$",
        r"$1/3 + 1/6 = 1/2$",
        r"$\sqrt{2} \cdot \sqrt{2} = 2$",
        r"$-3 + 5 = 2$, $2 - -3 = 5$, $-2^2 = -4$, $(-2)^2 = 4$, $-7 = -10 + 3$",
        "10 GB / 2 GB/s = 5 s",
        "10 Gbps / 8 = 1.25 Gbps",
        "10 Gbps / 8 = 1.25 GB/s",
        "`0.1 + 0.2 = 0.30000000000000004`",
        "3.14e23 / (1024 × 312e12) = 11.4 days",
        "44.1 kHz × 16 bit × 2 = 1.4 Mbps",
        "1 s / 50 ms = 20",
        "1 MB = 1024 KB = 1,048,576 bytes, 1 GB = 1000 MB",
        "π × 2² = 12.57",
        r"$128\cdot(3/4)^2 = 72$ of 128 channels",
        r"$2\times32\times4096\times 2\,\mathrm{B} = 512\,\mathrm{KiB}$",
        "4096 × 4096 × 2 B = 32 MiB, 8 KiB / 2 = 4096 B, 3 KB × 2 = 6144 B, 1 MB / 4 = 250000 B",
        "32 KB / 64 B = 512 lines, 32 KiB / (8 × 64 B) = 64 sets, 4 KiB/8 B = 512",
        "16 KB / 64 B = 2^14 / 2^6 = 2^8, 7 B × 2 B = 14 GB, 2^33 B = 8 GiB",
        "2^64 = 16 EiB, 2^50 = 1 PiB, 100,000 × 20 TB = 2 EB, 2^30 = 1 gigabyte",
        "2 × 32 × 4096 × 2 bytes = 512 KB per token",
        r"$\SI{3e8}{m/s} \times \SI{2}{s} = \SI{6e8}{m}$",
        "20 cm × 30 cm = 0.06 m², 2 m/s² × 3 s = 6 m/s, 25 °C + 10 °C = 35 °C",
        r"$\frac{1}{2} \cdot 9.8\,\mathrm{m/s^2} \cdot (2\,\mathrm{s})^2 = 19.6\,\mathrm{m}$",
        r"$5\,\mathrm{kg} \cdot 9.8\,\mathrm{m/s^2} = 49\,\mathrm{N}$",
        "20 mm × 3 = 6 cm, 100 cm × 2 = 2 m, 100 厘米 × 3 = 3 米",
        r"$\frac{3\times10^6\ \text{m}}{2\times10^8\ \text{m/s}} = 15\ \text{ms}$",
        "10^3 m = 1 km, 3 × 10^8 m/s × 500 s = 1.5 × 10^11 m",
        "1500 bytes * 8 / 1 Gbps = 0.012 ms, 1 GB × 8 / 100 Mb/s = 80 s, 1 ms × 1 Gb/s / 8 = 125 KB",
        "1600 MHz × 2 × 64 bits / 8 = 25.6 GB/s",
        "8 Mbps = 8 Mbps / 8 = 1 MB/s",
        "4096 MB / 1024 = 4 GB, 3 GB × 1024 = 3072 MB, 1 GB × 1024 × 1024 × 1024 = 1,073,741,824 bytes",
        "90 km/h × 1000 / 3600 = 25 m/s, 90 km/h / 3.6 = 25 m/s, 74 min × 60 × 176,400 B/s = 783 MB",
        "UBRR = 16 MHz/(16 × 9600) − 1 = 103.17, 80 MHz / 1000 − 1 = 79999",
    ],
)
def test_sides_that_agree_as_people_write_them(text: str) -> None:
    assert all(grade is Grade.AGREE for grade in grades(text))
    assert grades(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (r"$128\cdot(3/4)^2 = 81$", r"`128\cdot(3/4)^2` gives 72, which disagrees with `81`"),
        ("4096 × 2 = 819", "`4096 × 2` gives 8192, which disagrees with `819` (10×)"),
        ("16GB / 16 = 1MB", "`16GB / 16` gives 1000 MB, which disagrees with `1MB` (exactly 1000×)"),
        (r"$(1.0/0.9125)^{20} \approx 9.3$", "`(1.0/0.9125)^{20}` gives 6.2, which disagrees with `9.3`"),
        (r"$30 \cdot 23 = 700$", r"`30 \cdot 23` gives 690, which disagrees with `700`"),
        ("3 亿 / 100 = 30 万", "`3 亿 / 100` gives 300万, which disagrees with `30 万` (exactly 10×)"),
        # Beside notations that are passed over: lists, symbols, dates, shares, versions.
        ("x = 2, 9 = 2^3", "`2^3` gives 8, which disagrees with `9`"),
        ("n > 12, 18 = 2·3", "`2·3` gives 6, which disagrees with `18`"),
        (r"$\left(\frac{3}{7}\right)^2 = 1$", ""),
        ("(3/7) = 0.5", ""),
        ("$[3 + 4] = 8$", ""),
        ("$[3] + [4] = 8$", ""),
        ("$2^{(3 + 1)} = 17$", ""),
        ("80/20 = 5", ""),
        ("`5 ^ 3 = 15`", ""),
        ("2×2 = 5 GB", ""),
        ("16×2 = 36 Gb/s", ""),
        ("100 − 150 = (40)", ""),
        ("Total 4.0 × 16 = 32", ""),
        ("8/2 = 5x faster", ""),
        (r"$\sqrt{2} \approx 1.42$", r"`\sqrt{2}` gives 1.41, which disagrees with `1.42`"),
        (r"$2^{10} \cdot 8 = 10^{4}$", r"`2^{10} \cdot 8` gives 8192, which disagrees with `10^{4}`"),
        (
            r"$0.12 \ln(6) + 0.88 \ln(44/49) \approx 0.215 + 0.106$",
            r"`0.12 \ln(6) + 0.88 \ln(44/49)` gives 0.12, which disagrees with `0.215 + 0.106`, which is 0.321",
        ),
        (r"$100 \times 10^{12} \times 16 \times 8 = 2 \times 10^{14}$ bytes", ""),
        ("$8.5 + 4.2 = 13.1$", ""),
        ("90 min = 3 h", ""),
        ("4K / 2 = 3000", ""),
        ("4 GB * 2 = 9 in total", ""),
        ("3 × 4 = 13 GPUs", ""),
        ("3.28 MB ≈ 3.225 MiB", "`3.28 MB` gives 3.128 MiB, which disagrees with `3.225 MiB`"),
        ("1 GB = 1000 KB", ""),
        ("`80e9 / 4.5e10 = 10.8s`", ""),
        (r"$\frac{17}{9e10 \cdot 4} = 1.4\mu s$", ""),
        ("8B × 2 = 26GB", ""),
        (r"$3 \cdot 0.5 = 1.6$", ""),
        ("12 × 7,087,872 ≈ 8506 万", "`12 × 7,087,872` gives 8505万, which disagrees with `8506 万`"),
        (r"$\lceil 48828.125 \rceil = 48,828$", ""),
        ("100 × 20% = 30", ""),
        ("批大小 16：16×2 GiB = 36 GiB", "`16×2 GiB` gives 32 GiB, which disagrees with `36 GiB`"),
        (r"$s=x/127$：$6.35/127=0.5$", "`6.35/127` gives 0.05, which disagrees with `0.5` (exactly 1/10×)"),
        ("3 KB × 3 = 6000 B", "`3 KB × 3` gives 9000 B, which disagrees with `6000 B`"),
        ("32 KB / 64 B = 256 lines", "`32 KB / 64 B` gives 500, which disagrees with `256`"),
        ("2^34 B = 4 GiB", "`2^34 B` gives 16 GiB, which disagrees with `4 GiB`"),
        ("1.44 MB = 1,744,560 B", "`1.44 MB` gives 1,440,000 B, which disagrees with `1,744,560 B`"),
        ("2^64 = 32 EiB", ""),
        ("20 mm × 3 = 8 cm", "`20 mm × 3` gives 6 cm, which disagrees with `8 cm`"),
        (r"$\frac{3\times10^6\ \text{m}}{2\times10^8\ \text{m/s}} = 150\ \text{ms}$", ""),
        # Factors that convert nothing: no two units are that far apart, or the rest is wrong.
        ("16 × 8 GB = 16 GB", "`16 × 8 GB` gives 128 GB, which disagrees with `16 GB` (exactly 8×)"),
        ("1000 × 16 GB = 16 GB", ""),
        ("8 × 64 bytes = 64 bytes", ""),
        ("60 × 2 s = 2 s", ""),
        ("1500 bytes * 8 / 1 Gbps = 0.12 ms", ""),
        ("90 km/h × 1000 / 3600 = 20 m/s", ""),
        ("16 MHz/(16 × 9600) − 1 = 123.17", "`16 MHz/(16 × 9600) − 1` gives 103.17, which disagrees with `123.17`"),
        # What is counted is no unit.
        ("3 GPUs × 80 GB = 250 GB", "`3 GPUs × 80 GB` gives 240 GB, which disagrees with `250 GB`"),
        ("12 layers × 4 = 50 MB", ""),
        ("10^10 / (84 × 8) = 15.88 Mpps", ""),
        ("12 × 5 = 61 requests/s", "`12 × 5` gives 60, which disagrees with `61`"),
        ("The total of FLOPs/s is 16*3 = 49 in bfloat16.", "`16*3` gives 48, which disagrees with `49`"),
        ("60 × 60 s = 1 min", "`60 × 60 s` gives 60 min, which disagrees with `1 min`"),
        ("12 × 5 = 61/s", ""),
        ("2 × 32 × 4096 × 2 bytes = 612 KB per token", ""),
        (r"$\qty{12}{m} \times 5 = \qty{61}{m}$", ""),
        ("12 × 5 = 61 °C", ""),
        ("12 × 5 = 61 V", ""),
        ("12 × 5 = 61 次/秒", ""),
        (r"$12 \times 5 = 61\,\mathrm{m/s^2}$", ""),
        ("20 cm × 30 cm = 0.6 m²", ""),
        ("3 ln(100) + 241 = 264.8", "`3 ln(100) + 241` gives 254.8, which disagrees with `264.8`"),
        ("4096 × 20 B = 8 KiB", "`4096 × 20 B` gives 80 KiB, which disagrees with `8 KiB` (exactly 10×)"),
    ],
)
def test_sides_that_disagree_are_told_with_the_value(text: str, message: str) -> None:
    assert grades(text) == [Grade.DISAGREE]
    if message:
        assert messages(text) == [message]


@pytest.mark.parametrize(
    ("text", "grade", "message"),
    [
        (
            r"$\frac{1.97e14}{4.5e10} = 4377$",
            Grade.CUT,
            r"`4377` is cut, not rounded: `\frac{1.97e14}{4.5e10}` gives 4378",
        ),
        (r"$2/3 = 0.66$", Grade.CUT, "`0.66` is cut, not rounded: `2/3` gives 0.67"),
        (
            r"$3.14 \times 4 = 12.57$",
            Grade.ROUNDED_INPUTS,
            r"`3.14 \times 4` gives 12.56, and `12.57` only if its numbers are rounded themselves",
        ),
        (r"$0.33 + 0.33 + 0.33 = 1.00$", Grade.ROUNDED_INPUTS, None),
        (r"$867 / 2 \approx 400$", Grade.LOOSE, "`400` is rounded further than its digits say: `867 / 2` gives 434"),
        (r"$128 \cdot 6 = 770$", Grade.LOOSE, None),
        (r"$e^{50} \approx 10^{21}$", Grade.LOOSE, None),
    ],
)
def test_sides_that_nearly_agree_are_told_as_advice(text: str, grade: Grade, message: str | None) -> None:
    assert grades(text) == [grade]
    if message:
        assert messages(text) == [message]


@pytest.mark.parametrize(
    "text",
    [
        r"$\pi = 0.3$",
        "2 GPUs = 2 × 80 GB",
        r"$(3\times4)(4\times2) = 3\times2$",
        r"$(12)(34) = (1234)$",
        r"$(123)^2 = (132)$, $(12)^2 = 1$, $(123)^{-1} = (132)$",
        "60 dB + 60 dB = 63 dB",
        "6/8 = 3：4，比为 3：4",
        "若 x=3，则 2x+1=7，3x²=27",
        "10 dBm + 3 dB = 12 dBm",
        "8x7B = 46.7B, 8x22B = 141B",
        "1 GPU = 80 GB",
        "0.95 = 1.96",
    ],
)
def test_relations_that_are_no_arithmetic_say_nothing(text: str) -> None:
    assert judge_chains(passage(text)) == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (r"$1+1=0$", Reason.DOUBTFUL_CHAIN),
        (r"$11+1=100$", Reason.DOUBTFUL_CHAIN),
        ("3+4 = 7!", Reason.DOUBTFUL_CHAIN),
        ("90° = π/2", Reason.DOUBTFUL_CHAIN),
        ("4K = 3840×2160", Reason.DOUBTFUL_CHAIN),
        (r"$3 + 4 = 7 \ (2)$", Reason.DOUBTFUL_CHAIN),
        ("2*2 = 4/8/16", Reason.DOUBTFUL_CHAIN),
        (r"$\left(\frac{3}{7}\right) = -1$", Reason.DOUBTFUL_CHAIN),
        ("(2/7) = 1", Reason.DOUBTFUL_CHAIN),
        ("$[3] + [4] = [2]$", Reason.DOUBTFUL_CHAIN),
        ("Wi-Fi 6 with 2×2 = 1.2 Gb/s", Reason.DOUBTFUL_CHAIN),
        ("PCIe 4.0 × 16 = 32 GB/s", Reason.DOUBTFUL_CHAIN),
        ("An 80/20 split = 900 + 200", Reason.DOUBTFUL_CHAIN),
        ("`5 ^ 3 = 6`", Reason.DOUBTFUL_CHAIN),
        ("50/30/20 = 100%", Reason.DOUBTFUL_CHAIN),
        ("12/31/2023 − 1/1/2023 = 364 days", Reason.DOUBTFUL_CHAIN),
        ("100 − 150 = (50)", Reason.DOUBTFUL_CHAIN),
        ("100 W × 2 h = 0.2 kWh", Reason.UNLIKE_SIDES),
        ("3840×2160 = 8.3 MP", Reason.UNLIKE_SIDES),
        ("10^10 / (84 × 8) = 14.88 Mpps", Reason.UNLIKE_SIDES),
        ("10^9 s ≈ 32 years", Reason.UNLIKE_SIDES),
        ("共 10^9 秒 ≈ 32 年", Reason.UNLIKE_SIDES),
        ("4 × 7 days = 4 weeks", Reason.UNLIKE_SIDES),
        ("3 inches × 2.54 = 0.0762 m", Reason.UNLIKE_SIDES),
        (r"$1\,\mathrm{J} = 10^7\,\mathrm{erg}$", Reason.UNLIKE_SIDES),
        ("10.2 kW × 8760 h = 89 MWh/yr", Reason.UNLIKE_SIDES),
        ("16 × 4 KiB = 16 pages", Reason.UNLIKE_SIDES),
        ("4 × 1024 B = 1 page", Reason.UNLIKE_SIDES),
        ("2 × 4 字节 = 2 个整数", Reason.UNLIKE_SIDES),
        ("200 + 10% = 220", Reason.DOUBTFUL_CHAIN),
        (r"$9^{9^{9^9}} = 2$", Reason.UNCOMPUTED_CHAIN),
        (r"$9999! = 2$", Reason.UNCOMPUTED_CHAIN),
        (r"$1/0 = 2$", Reason.UNCOMPUTED_CHAIN),
        ("3 GB + 4 s = 8 GB", Reason.UNLIKE_SIDES),
        ("3 GB × 2 = 7 s", Reason.UNLIKE_SIDES),
    ],
)
def test_what_cannot_be_compared_is_said_so(text: str, reason: Reason) -> None:
    assert reasons(text) == [reason]
    assert grades(text) == []


def test_a_chain_that_is_doubted_disagrees_with_nothing_and_is_counted() -> None:
    (disagrees, agrees, rounded) = (
        judge(chain, doubted=True) for text in ("3+4=2", "3+4=7", "2/3=0.66") for chain in read_chains(passage(text))
    )
    assert [comparison.reason for comparison in (*disagrees, *agrees)] == [Reason.DOUBTFUL_CHAIN, None]
    assert [comparison.reason for comparison in rounded] == [Reason.DOUBTFUL_CHAIN]


def test_a_running_total_is_no_equation() -> None:
    assert reasons("2 + 1 = 3 + 4 = 7") == [Reason.DOUBTFUL_CHAIN]
    assert grades("2 + 1 = 3 + 4 = 7") == [Grade.AGREE]


def test_only_neighbours_are_compared() -> None:
    assert grades(r"$2 + 3 = 5 = 6 = 12/2$") == [Grade.AGREE, Grade.AGREE]


# Against an independent reckoning, and against hostile text


@given(
    st.lists(st.tuples(st.sampled_from("+-*"), st.integers(1, 999)), min_size=1, max_size=5),
    st.integers(1, 999),
    st.sampled_from(["code", "math"]),
)
def test_sums_and_products_agree_with_python(rest: list[tuple[str, int]], first: int, style: str) -> None:
    expression = str(first) + "".join(f" {sign} {number}" for sign, number in rest)
    result = eval(expression)  # built above from integers and three signs
    text = f"`{expression} = {result}`"
    if style == "math":
        text = "$" + text[1:-1].replace("*", r"\cdot") + "$"
    assert set(grades(text)) <= {Grade.AGREE}
    wrong = text.replace(f"= {result}", f"= {result * 10 + 7}")
    assert set(grades(wrong)) <= {Grade.DISAGREE} or Fraction(result) in (0, 1)


@given(st.text(alphabet="0123456789.,=≈+-*/^(){}[]!%xe \\$`fracsqrtlog_约的万GBms&~:;", max_size=80))
def test_no_text_breaks_the_reader_and_a_cut_out_chain_reads_the_same(text: str) -> None:
    shown = passage(text)
    for chain in read_chains(shown):
        again = read_chains(shown.slice(chain.start, chain.reach))
        assert [[side.text for side in each.sides] for each in again] == [[side.text for side in chain.sides]]
    judge_chains(shown)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 20_000 + "=" + ")" * 20_000,
        "1=" * 20_000,
        "1+" * 20_000 + "1=2",
        "9" * 30_000 + " = 1 + 1",
        "$" + r"\frac{" * 5_000 + "1" + "}{2}" * 5_000 + " = 3$",
        "1 + 1 = " + "2 " * 20_000,
        "$" + "2^" * 5_000 + "2 = 4$",
        ("1 word " * 10_000) + "= 2",
    ],
)
def test_hostile_text_takes_linear_time(text: str) -> None:
    start = time.process_time()
    judge_chains(passage(text))
    assert time.process_time() - start < HANGS


_PARTS = st.sampled_from(
    [
        *("2", "3", "6", "1,5", "1,000", r"\pi", r"\frac{1}{2}", r"\underbrace{6}_{a) b, c}", "max(1, 2)", "x", "GB"),
        *("m", r"\lambda", r"\frac{x}{2}", "f(x)", "e^", r"\cdot ", "'", "|", "->", r"\le ", "天"),
        *(" = ", "=", r" \approx ", " + ", r" \times ", "/", "^", "_{", "{", "}", "(", ")", "[", "]", " foo ", " "),
        *(", ", ",", ". ", "; ", "。", "，", ":", "?", "!", "—", "“", r"\\", r"\quad ", r"\text{", "$"),
    ]
)


@given(st.lists(_PARTS, max_size=25).map("".join))
def test_what_is_passed_over_holds_no_chain(text: str) -> None:
    """Numbers on both sides are looked for before the text is cut into tokens: all of it yields no more chains."""
    read = passage(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arithmetic, "_promising", lambda linear: [(0, len(linear.text))])
        whole = read_chains(read)
    assert read_chains(read) == whole


def test_of_several_equations_in_a_paragraph_each_is_judged_once_with_all_that_stands_beside_it(tmp_path: Path) -> None:
    text = "Here 1 + 1 = 3, and 2 + 2 = 4, but 3 + 3 = 7; and 100 W × 2 h = 0.2 kWh of energy.\n"
    (tmp_path / "page.md").write_text(text, encoding="utf-8")
    report = check(["."], tmp_path)
    assert [(each.rule, text[each.span.start : each.span.end]) for each in report.diagnostics] == [
        ("wrong-arithmetic", "3"),
        ("wrong-arithmetic", "7"),
    ]
    assert report.summary.unchecked[Reason.UNLIKE_SIDES] == 1
