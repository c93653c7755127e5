from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quoting import passage

from lintbook.calculator.plain import CODE, ITALIC, PROSE, SCRIPT, UPRIGHT, plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("$7.09$ M", "7.09 M"),
        (r"$7.09\ \text{M}$", "7.09 M"),
        (r"$4~\mathrm{GiB}$", "4 GiB"),
        (r"$33.3\%$", "33.3%"),
        (r"$\rho=0.9\to153$", "ρ=0.9→153"),
        (r"$a \times b \cdot c$", "a ×b ·c"),
        (r"$x_h^2$", "x_{h}^{2}"),
        (r"$d_{\text{model}}$", "d_{model}"),
        (r"$\mathbf{42}$", "42"),
        (r"$5\tag{2.1}$", "5"),
        (r"$\frac{d}{4}$", "d 4"),
        (r"$2\tfrac12$", "2 1⁄2"),
        (r"$\left\{1\right\}$", "(1)"),
        ("３％", "3%"),
        (r"\times and $\unknown 5$", "\\times and \ufffc5"),  # prose keeps its backslashes
    ],
)
def test_what_shows_alike_reads_alike(text: str, shown: str) -> None:
    assert plain(passage(text)).text == shown


def test_how_each_character_is_set() -> None:
    assert plain(passage(r"a`b`$c\text{d}e^{f}$")).setting == (
        PROSE + CODE + ITALIC + UPRIGHT + ITALIC + SCRIPT * 2 + SCRIPT + SCRIPT
    )


@pytest.mark.parametrize(
    ("text", "part", "written"),
    [
        (r"$20{,}608/3$", "20\u066c608", "20{,}608"),
        (r"$\frac{1}{3}$ 个", "1⁄3", r"\frac{1}{3}"),
        (r"$3.1\times10^{23}$", "3.1×10^{23}", r"3.1\times10^{23}"),
        ("约 73,856 个", "73,856", "73,856"),
    ],
)
def test_ranges_lead_back_to_the_passage(text: str, part: str, written: str) -> None:
    origin = passage(text)
    shown = plain(origin)
    start = shown.text.index(part)
    low, high = shown.range(start, start + len(part))
    assert origin.text[low:high] == written


@given(st.text(alphabet=r"\{}^_$frac12tex,. %`中", max_size=60))
def test_any_text_is_read_and_every_place_lies_in_it(text: str) -> None:
    origin = passage(text)
    shown = plain(origin)
    assert len(shown.text) == len(shown.setting) == len(shown.places) - 1
    assert all(0 <= place < max(len(origin.text), 1) for place in shown.places[:-1])
    assert shown.places[-1] == len(origin.text)
