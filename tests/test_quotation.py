from __future__ import annotations

import pytest
from quoting import bound, judge, problems

DECLARATIONS = """
kv_cache [byte] = 2*L*B*T*n_kv*d_h*s
let llama : L=32 B=1 T=8192 d_h=128 s=2byte
kv.mha := kv_cache @llama n_kv=32        # 4 GiB
kv.gqa := kv_cache @llama n_kv=8         # 1 GiB
four = 4*d
"""


def binds(page: str, *numbers: str, header: str | None = None, references: tuple[str, ...] = ()) -> None:
    """The claims of a page bind these numbers, and all of them agree."""
    verdict = judge(page, DECLARATIONS, header, references)
    assert [p.message for p in verdict.problems] == []
    assert bound(page, DECLARATIONS, header, references) == list(numbers)


# Which numbers a claim binds


def test_the_last_numbers_of_the_stretch_in_order() -> None:
    binds("先 1，再 2、3、4<!--= (a) a={3,4} -->", "3", "4")


def test_the_stretch_begins_behind_the_previous_claim() -> None:
    binds("2<!--= (2) --> 与 3<!--= (3) -->", "2", "3")
    assert problems("2<!--= (2) --> 与<!--= (3) -->") == [
        ("unbound", "the claim has 1 value, but no number stands before it")
    ]


def test_fewer_numbers_than_values() -> None:
    assert problems("只有 3<!--= (a) a={3,4} -->") == [
        ("unbound", "the claim has 2 values, but only 1 number stands before it")
    ]


def test_words_may_stand_between_number_and_claim() -> None:
    binds("一层有 16 个参数（不含偏置）<!--= (16) -->", "16")


@pytest.mark.parametrize(
    ("page", "number"),
    [
        ("$7.09$ M<!--= (7.09e6) -->", "7.09"),
        (r"$7.09\ \text{M}$<!--= (7.09e6) -->", "7.09"),
        ("$20{,}608$<!--= (20608) -->", "20{,}608"),
        (r"$\mathbf{20\,608}$<!--= (20608) -->", r"20\,608"),
        ("20 608<!--= (20608) -->", "20 608"),
        ("５８１<!--= (581) -->", "５８１"),
        (r"$3.1\times10^{23}$<!--= ((5*10^4)^5) -->", r"3.1\times10^{23}"),
        ("约 3.1·10²³<!--= ((5*10^4)^5) -->", "3.1·10²³"),
        ("$2^{32}$<!--= (4*2^30) -->", "2^{32}"),
        (r"$\tfrac12$<!--= (1/2) -->", r"\tfrac12"),
        ("709 万<!--= (7.09e6) -->", "709"),
        ("1.2 万亿<!--= (1.2e12) -->", "1.2"),
        ("12‰<!--= (0.012) -->", "12"),
        ("3 thousand<!--= (3000) -->", "3"),
    ],
)
def test_the_signs_of_math_are_transparent_and_every_form_is_bound(page: str, number: str) -> None:
    binds(page, number)


@pytest.mark.parametrize(
    "page",
    [
        "3 个 FP16<!--= (3) -->",
        "3 页 sec21<!--= (3) -->",
        "3 次 #12<!--= (3) -->",
        "3 个 a_12<!--= (3) -->",
        "3 层 GPT-4<!--= (3) -->",
        "3 个 5-gram<!--= (3) -->",
        "3 个 7B-Instruct<!--= (3) -->",
        "3 次 3.9.9<!--= (3) -->",
        "3 个 σ2<!--= (3) -->",
        "$3, x_{12}$<!--= (3) -->",
        "$3, x_2$<!--= (3) -->",
        "$3, x^{12}$<!--= (3) -->",
        "3 和 x^2<!--= (3) -->",
        "3 个 `n=5`<!--= (3) -->",
        "3 个 `a 5`<!--= (3) -->",
        "$3 \\tag{2.1}$<!--= (3) -->",
        "$3 ± 1$<!--= (3) -->",
        r"$3 \pm 1$<!--= (3) -->",
    ],
)
def test_numbers_that_are_no_candidates(page: str) -> None:
    binds(page, "3")


def test_numbers_of_cross_references_and_footnote_marks_are_no_candidates() -> None:
    binds("得 3（定理 2.4.1、§2.3）<!--= (3) -->", "3", references=("定理 2.4.1", "§2.3"))


@pytest.mark.parametrize(
    ("page", "number"),
    [
        ("共73,856<!--= (73856) -->", "73,856"),
        ("4-GiB 缓存<!--= kv.mha -->", "4"),
        ("4±0.1 GiB<!--= kv.mha -->", "4"),
        ("(4 ± 0.1) GiB<!--= kv.mha -->", "4"),
        (r"$(4\pm0.1)\,\text{GiB}$<!--= kv.mha -->", "4"),
        ("`73,856`<!--= (73856) -->", "73,856"),
        ("`4 GiB`<!--= kv.mha -->", "4"),
        ("（5）<!--= (5) -->", "5"),
        ("x=5<!--= (5) -->", "5"),
        ("10−3<!--= (3) -->", "3"),
        ("x−3<!--= (3) -->", "3"),
        ("变化−12.5 %<!--= (-1/8) -->", "−12.5"),
        ("为 -4<!--= (-4) -->", "-4"),
        ("$x_{12}=16$<!--= (16) -->", "16"),
    ],
)
def test_numbers_that_are_candidates(page: str, number: str) -> None:
    binds(page, number)


@pytest.mark.parametrize("dash", ["–", "-", " - ", "−"])
def test_a_dash_between_numbers_is_no_sign(dash: str) -> None:
    binds(f"3{dash}5<!--= (a) a={{3,5}} -->", "3", "5")


def test_a_number_before_an_arrow_is_an_input() -> None:
    for arrow in ("→", "⇒", r"$\to$", r"$\mapsto$"):
        binds(f"长度 3、5 {arrow} 时<!--= (3) -->", "3")


def test_an_arrow_does_not_matter_if_too_few_numbers_would_remain() -> None:
    binds("4 GiB → 1 GiB<!--= {kv.mha,kv.gqa} -->", "4", "1")


@pytest.mark.parametrize(
    "page", ["$4d=16384$，$d=4096$", "16384（d = 4096）", r"$16384, d\equiv4096$", "16384，取d=4096"]
)
def test_a_number_behind_a_bound_symbol_is_an_input(page: str) -> None:
    binds(f"{page}<!--= four d=4096 -->", "16384")


@pytest.mark.parametrize("page", ["$4d=16384$", "$4 d=16384$", r"$4\cdot d=16384$", "$ad=16384$", "y = 16384"])
def test_a_bound_symbol_must_stand_alone(page: str) -> None:
    binds(f"{page}<!--= four d=4096 -->", "16384")


def test_symbols_are_one_whatever_their_spelling() -> None:
    binds(r"$5, n_{\text{kv}}=8$<!--= (5*n_kv/8) n_kv=8 -->", "5")
    binds(r"$5, \rho=8$<!--= (5*ρ/8) ρ=8 -->", "5")


def test_a_symbol_that_a_set_binds_is_an_input_too() -> None:
    binds("4 GiB（$T=8192$）<!--= kv_cache @llama n_kv=32 -->", "4")


def test_a_fraction_of_integers_is_one_number_for_one_value() -> None:
    binds("1/3<!--= (2/6) -->", "1/3")
    binds("1/3<!--= (a) a={1,3} -->", "1", "3")
    binds("2/1 GiB<!--= kv.gqa -->", "1")  # integers with a unit are two numbers


# Second readings count only if all numbers then agree


@pytest.mark.parametrize(
    ("page", "numbers"),
    [
        ("128,256,512<!--= (a) a={128,256,512} -->", ["128", "256", "512"]),
        ("层 20 608 个<!--= (608) -->", ["608"]),
        ("2024/3<!--= (3) -->", ["3"]),
        ("4096 到 8 K<!--= (a) a={4096,8000} -->", ["4096", "8"]),
        ("$16T$<!--= (16) -->", ["16"]),
    ],
)
def test_second_readings(page: str, numbers: list[str]) -> None:
    binds(page, *numbers)


def test_a_second_reading_that_agrees_in_part_does_not_count() -> None:
    assert problems("128,256,513<!--= (a) a={128,256,512} -->") == [
        ("unbound", "the claim has 3 values, but only 1 number stands before it")
    ]


# Units and scales


@pytest.mark.parametrize(
    "page",
    [
        "4 GiB<!--= kv.mha -->",
        r"$4\ \text{GiB}$<!--= kv.mha -->",
        r"$4\,\mathrm{GiB}$<!--= kv.mha -->",
        "4<!--= kv.mha --> GiB",
        "4294967296 字节<!--= kv.mha -->",
        "4.29 GB<!--= kv.mha -->",
        "34.4 Gbit<!--= kv.mha -->",
    ],
)
def test_where_a_unit_may_stand(page: str) -> None:
    assert problems(page, DECLARATIONS) == []


def test_a_unit_or_scale_written_once_goes_for_the_numbers_before() -> None:
    binds("4 / 1 GiB<!--= {kv.mha,kv.gqa} -->", "4", "1")
    binds("7.09 和 14.2 M<!--= (a) a={7.09e6,14.2e6} -->", "7.09", "14.2")
    binds("33.3/66.7 %<!--= (a/3) a={1,2} -->", "33.3", "66.7")


def test_a_cell_takes_unit_and_scale_of_its_header() -> None:
    binds("4<!--= kv.mha -->", "4", header="显存 (GiB)")
    binds("7.09<!--= (7.09e6) -->", "7.09", header="参数（M）")
    binds("1024 MiB<!--= kv.gqa -->", "1024", header="显存 (GiB)")
    binds("12<!--= (12) -->", "12", header="批量 (B)")  # the scale may be left off
    assert problems("4<!--= kv.mha -->", DECLARATIONS, "显存（见表）") == [
        ("mismatched-unit", "`4` has no unit, but kv.mha is in byte")
    ]


def test_a_b_is_byte_or_billions() -> None:
    binds("70 B<!--= (70*10^9) -->", "70")
    binds("70 B<!--= (70*1byte) -->", "70")


def test_counting_words_are_no_units() -> None:
    for word in ("个", "步", "参数", "layers", "tokens", "FLOP"):
        binds(f"16 {word}<!--= (16) -->", "16")


def test_a_letter_in_math_may_be_a_symbol() -> None:
    binds("$12m$<!--= (12) -->", "12")
    binds("$12s$<!--= (12*1s) -->", "12")


# When numbers agree


@pytest.mark.parametrize(
    ("page", "verdict"),
    [
        ("20<!--= (19.5) -->", "agrees"),
        ("20<!--= (20.5) -->", "agrees"),
        ("20<!--= (19.49) -->", "wrong"),
        ("20.0<!--= (20.05) -->", "agrees"),
        ("20.0<!--= (19.94) -->", "wrong"),
        ("3.16<!--= (3.169) -->", "truncated"),
        ("3.16<!--= (3.17) -->", "wrong"),
        ("3.17<!--= (3.164) -->", "wrong"),  # rounded up is no cut
        ("-3.16<!--= (-3.169) -->", "truncated"),
        ("4<!--= (4.9) -->", "wrong"),  # one digit is not enough to call it cut
        ("37 %<!--= (0.366) -->", "agrees"),
        ("37<!--= (0.366) -->", "wrong"),
        ("1/3<!--= (1/3) -->", "agrees"),
        ("1/3<!--= (0.333) -->", "wrong"),
        ("1/3<!--= (exp(-ln(3))) -->", "agrees"),
        ("3000<!--= (3049) -->", "wrong"),
        ("5×10^4<!--= (5.4e4) -->", "agrees"),
        ("0<!--= (0.4) -->", "agrees"),
        ("0<!--= (0.6) -->", "wrong"),
    ],
)
def test_half_a_unit_of_the_last_written_digit(page: str, verdict: str) -> None:
    assert [kind for kind, _ in problems(page)] == ([] if verdict == "agrees" else [verdict])


@pytest.mark.parametrize(
    "word", ["≈", r"$\approx$", "~", r"$\sim$", "约", "约为", "大约", "近", "about ", "roughly ", "About "]
)
def test_behind_an_approximate_word_trailing_zeros_do_not_count(word: str) -> None:
    assert problems(f"{word}3000<!--= (2950) -->") == []
    assert problems(f"{word}3000<!--= (3050) -->") == []
    assert [kind for kind, _ in problems(f"{word}3000<!--= (2949) -->")] == ["wrong"]
    assert [kind for kind, _ in problems(f"{word}20<!--= (19.4) -->")] == ["wrong"]  # two digits always count


@pytest.mark.parametrize(
    "page", ["3000 左右<!--= (3050) -->", "3000 个左右<!--= (3050) -->", "3000<!--= (3050) --> 左右"]
)
def test_a_word_behind_the_number_makes_it_approximate_too(page: str) -> None:
    assert problems(page) == []


@pytest.mark.parametrize(
    "page",
    [
        "最近 3000<!--= (3040) -->",
        "1000~3000<!--= (3040) -->",
        "3000（约 5）<!--= (5) --> 3000<!--= (3040) -->",
    ],
)
def test_what_makes_no_number_approximate(page: str) -> None:
    assert [kind for kind, _ in problems(page)] == ["wrong"]


@pytest.mark.parametrize(
    ("page", "agrees"),
    [
        ("102<!--= (100) ; within 2% -->", True),
        ("103<!--= (100) ; within 2% -->", False),
        ("98<!--= (100) ; within 2% -->", True),
        ("12<!--= (12.9) ; floor -->", True),
        ("13<!--= (12.9) ; floor -->", False),
        ("13<!--= (12.1) ; ceil -->", True),
        ("12<!--= (12.1) ; ceil -->", False),
        ("1.2<!--= (1.29) ; floor -->", True),
        ("5<!--= (4) ; below -->", True),
        ("4<!--= (4) ; below -->", False),  # strictly
        ("3<!--= (4) ; above -->", True),
        ("4<!--= (4) ; above -->", False),
    ],
)
def test_options(page: str, agrees: bool) -> None:
    assert [kind for kind, _ in problems(page)] == ([] if agrees else ["wrong"])


def test_a_long_page_is_read_only_as_far_back_as_numbers_can_stand() -> None:
    binds("4 5 6,7 " * 50_000 + "8<!--= (8) -->", "8")


def test_quoted_numbers_of_many_digits() -> None:
    binds("7" * 5000 + "<!--= (7*(10^5000-1)/9) -->", "7" * 5000)
    assert problems("1" * 20_000 + "<!--= (1) -->") == [("malformed", "the number has more than 10,000 digits")]


@pytest.mark.parametrize("blank", ["\u3000", "\u2002", "\u2009", "\u00a0", ""], ids=ascii)
def test_any_blank_may_stand_before_a_unit(blank: str) -> None:
    assert problems(f"4{blank}GiB<!--= (4*1024^3*1byte) -->") == []


@pytest.mark.parametrize("header", ["显存（单位：GiB）", "显存（单位 GiB）", "Memory (unit: GiB)", "Memory (in GiB)"])
def test_a_header_may_say_that_it_names_a_unit(header: str) -> None:
    assert problems("4<!--= (4*1024^3*1byte) -->", header=header) == []
