"""What the text round an equation says of it: whether it is asserted, and in which arithmetic."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintbook.calculator.problem import Reason
from lintbook.engine import check


def verdict(text: str, folder: Path) -> tuple[int, int]:
    """How many equations of a page are reported, and how many are counted as doubtful."""
    (folder / "page.md").write_text(f"# Page\n\n{text}\n", encoding="utf-8")
    report = check(["."], folder, cached=False)
    reported = sum(each.rule == "wrong-arithmetic" for each in report.diagnostics)
    return reported, report.summary.unchecked.get(Reason.DOUBTFUL_CHAIN, 0)


@pytest.mark.parametrize(
    "text",
    [
        # asked
        "Is 3 + 4 = 8?",
        "3+4=8 吗？",
        "Does 1/2 + 1/3 = 2/5? No.",
        r"Which of the following hold? $\sqrt{4+9} = 2+3$",
        # supposed
        "Suppose\n3 + 4 = 8.",
        "If 1 + 1 = 3, then pigs fly.",
        "如果 2 + 2 = 5，那么一切都成立。",
        # denied
        "This would give 3 + 1 = 5, impossible.",
        "于是 3 + 1 = 5，这不可能。",
        "It is not the case that 2 + 2 = 5.",
        "Not 3 + 4 = 8, but 7.",
        "Clearly 2 + 2 = 5 does not hold.",
        "7 × 8 = 54 should be 56.",
        # statements of logic
        "Let $p$: $1+1=3$ and $q$: $2+2=4$.",
        'The proposition "2 + 2 = 5" has truth value F.',
        '命题"1+1=3"为假。',
        "¬(2 + 2 = 5)",
        r"$(2+2=5) \to (2+2=4)$ is true.",
        # quoted
        "A student wrote 1/2 + 1/3 = 2/5.",
        "小明同学算出 3 + 4 = 8。",
        "Freshman's dream: (1 + 2)^2 = 1 + 4.",
        "Typo: 7 × 8 = 54.",
        "改错：7 × 8 = 54",
        "7 × 8 = 54 [sic]",
        # choices
        "A. 2 + 2 = 5 B. 2 + 2 = 4",
        "- C) 2 + 2 = 5",
        # other arithmetics
        "String concatenation: 2 + 3 = 23.",
        "Evaluated left to right, 2 + 3 × 4 = 20.",
        "In two's complement, 127 + 1 = −128.",
        "With int8, 127 + 1 = -128.",
        "For an 8-bit signed integer, −128 − 1 = 127.",
        "With 4-bit counters, 15 + 1 = 0.",
        "In the ring buffer of 8 slots, 7 + 1 = 0.",
        "On a 12-hour clock 9 + 5 = 2.",
        "Saturated addition: 250 + 10 = 255.",
        "In single precision, 16777216 + 1 = 16777216.",
        "In float32, 2^24 + 1 = 2^24.",
        "With bf16, 256 + 1 = 256.",
        "In fixed-point Q4.4: 1.5 × 1.3 = 1.9375.",
        "In ternary 2 + 1 = 10.",
        "Nimbers: 3 + 5 = 6.",
    ],
)
def test_what_is_not_asserted_of_numbers_is_counted_and_not_reported(text: str, tmp_path: Path) -> None:
    assert verdict(text, tmp_path) == (0, 1)


@pytest.mark.parametrize(
    "text",
    [
        "What is a batch? There are 3 × 4 = 13 items.",
        "There are 3 × 4 = 13 items. How many are left?",
        "There are 3 × 4 = 13 heads if possible.",
        "如果用 8 块卡，共 8 × 80 = 650 个。",
        "This would give 2 × 40 = 90 GB, impossible on one card.",
        "We do not hold 3 × 4 = 13 books.",
        "不是所有的头都用：3 × 4 = 13。",
        "The answer should be 3 × 4 = 13.",
        "With p as above, q = 3 + 4 = 8.",
        "The proposition says 3 × 4 = 13.",
        "conv (6×28×28 = 4705) → pooling",
        "conv → (6×28×28 = 4705)",
        "Each student gets 3 × 4 = 13 points.",
        "学生共 3 × 4 = 13 人。",
        "B. Smith shows that 3 × 4 = 13.",
        "Concatenate the heads: 128 + 128 = 266.",
        "A left-to-right model reads 3 × 4 = 13 tokens.",
        "With int8 weights there are 7 × 1000 = 7100 values.",
        "With 4-bit weights, 128 × 4 = 528.",
        "The ring buffer holds 8 items of 12 words: 8 × 12 = 97.",
        "The saturated model has 3 × 4 = 13 heads.",
        "In single precision, 1000 × 4 = 4100.",
        "The fixed-point iteration gives 3 × 0.5 = 2.5.",
        "In binary classification 3 × 4 = 13 errors are made.",
    ],
)
def test_words_like_these_about_something_else_excuse_nothing(text: str, tmp_path: Path) -> None:
    assert verdict(text, tmp_path) == (1, 0)
