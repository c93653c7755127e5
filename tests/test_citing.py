"""Cross-references, read from blocks."""

from __future__ import annotations

import time

import pytest
from bounds import HANGS

from lintbook.dialect import Dialect
from lintbook.facts import Facts, Reference, ReferenceForm
from lintbook.parse import parse_markdown
from lintbook.parse.numbers import is_box_part
from lintbook.text import Source


def facts(text: str) -> Facts:
    return parse_markdown(Source("page.md", text), Dialect.MKDOCS)


def named(text: str) -> list[str]:
    """What a text refers to: kind and number or range, with a star where another work is meant."""
    return [_name(reference) for reference in facts(text).references]


def _name(reference: Reference) -> str:
    numbers = f"{reference.number}–{reference.last}" if reference.last else str(reference.number)
    return f"{reference.kind} {numbers}{'*' if reference.foreign else ''}"


def covered(text: str) -> list[str]:
    return [text[reference.span.start : reference.span.end] for reference in facts(text).references]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("By Theorem 2.2.2 it holds.", ["theorem 2.2.2"]),
        ("由定义 2.4.2、定义 2.4.3", ["definition 2.4.2", "definition 2.4.3"]),
        ("定理 2.6.2、2.6.3 与 2.6.4", ["theorem 2.6.2", "theorem 2.6.3", "theorem 2.6.4"]),
        ("Theorems 2.1, 2.2, and 2.3", ["theorem 2.1", "theorem 2.2", "theorem 2.3"]),
        ("Theorem 2.1, 2.2 percent of it", ["theorem 2.1"]),
        ("定理 2.6.1–2.6.5", ["theorem 2.6.1–2.6.5"]),
        ("定理 1.8 至 1.18", ["theorem 1.8–1.18"]),
        ("Lab 1.3--1.4", ["lab 1.3–1.4"]),
        ("定义 2.1…定义 2.7", ["definition 2.1–2.7"]),
        ("method 2.1–method 2.3", ["method 2.1–2.3"]),
        ("例 2.1/例 2.2", ["example 2.1", "example 2.2"]),
        ("Theorem~2.4.1, Theorem\u00a02.4.2", ["theorem 2.4.1", "theorem 2.4.2"]),
        ("Theorem\u20092.4.1, Section\u2009 3.2", ["theorem 2.4.1", "section 3.2"]),
        ("[MyDEF-2.2.7] and [Some-2.2.8]", ["mydef 2.2.7"]),
        ("[DEF-2.2.7] and [ASSUMP-9.1.4(a)]", ["definition 2.2.7", "assumption 9.1.4"]),
        ("[EQ-2.4]–[EQ-2.8], [EQ-1.8--1.10]", ["equation 2.4–2.8", "equation 1.8–1.10"]),
        ("[EQ-2.4], [EQ-2.8]", ["equation 2.4", "equation 2.8"]),
        ("Remark 1.2.1a, Exercise 6A.1, Lemma C.1.1", ["remark 1.2.1a", "exercise 6A.1", "lemma C.1.1"]),
        ("**定理4.1**与**引理4.2**", ["theorem 4.1", "lemma 4.2"]),
        ("| a |\n|---|\n| 定理 2.1 |", ["theorem 2.1"]),
        ("- **Exercise 6.10**: harder", ["exercise 6.10"]),
        ("Theorem 2.8's proof and Theorem 2.9’", ["theorem 2.8", "theorem 2.9'"]),
        ("### 定理 2.1.2 的证明", ["theorem 2.1.2"]),
    ],
)
def test_boxes_are_named(text: str, names: list[str]) -> None:
    assert named(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("see §7.1.4 and §§ 2.1–2.3", ["section 7.1.4", "section 2.1–2.3"]),
        ("Section 2.4, Sec. 2.5, Subsection 2.5.1", ["section 2.4", "section 2.5", "section 2.5.1"]),
        ("Sections 1.1--1.6, 1.9, and 1.10", ["section 1.1–1.6", "section 1.9", "section 1.10"]),
        ("Section 2.4 and 3.1 million", ["section 2.4"]),
        ("第 2.2 节、2.4 节和 2.5.1 小节", ["section 2.2", "section 2.4", "section 2.5.1"]),
        ("第 3、4 章与第 5 讲", ["chapter 3", "chapter 4", "lecture 5"]),
        ("第 1-5 章", ["chapter 1–5"]),
        ("（2.4.7）与（2.6.5 的对照表）", ["section 2.4.7", "section 2.6.5"]),
        ("（2.4.6、方法 2.6.1）", ["section 2.4.6", "method 2.6.1"]),
        ("（2.8.6、2.8.7）", ["section 2.8.6", "section 2.8.7"]),
        (
            "附录 C.3–C.5, Appendix A, Appendices B and C",
            ["appendix C.3–C.5", "appendix A", "appendix B", "appendix C"],
        ),
        ("Chapter 2, §2.8.1", ["chapter 2", "section 2.8.1"]),
        ("chapter 5.5 and Chapter 6A, §6A.1–6A.2", ["chapter 5.5", "chapter 6A", "section 6A.1–6A.2"]),
        ("定理 2.1 与 2.2 节", ["theorem 2.1", "section 2.2"]),
        ("## 2.3 §2.2 revisited", ["section 2.2"]),
    ],
)
def test_sections_are_named(text: str, names: list[str]) -> None:
    assert named(text) == names


@pytest.mark.parametrize(
    "text",
    [
        *("version 2.2.9, 10.1.1.3, 2024.1.5", "2.4 节点", "2.5 节省", "方法 2.4 倍", "假设 2.1 万个", "4.73 讲到的"),
        *(
            "`定理 2.1`",
            "$\\text{Theorem } 2.1$",
            "<!-- Theorem 2.1 -->",
            "案例如 2.1",
            "a 2.1.1 release",
            "(0.5, 0.5)",
        ),
        *(
            "(0.6, 0.3, 0.1)",
            "（4.24）",
            "~1.4–1.5×",
            "in fact 2.1 %",
            "Appendix 6.A",
            "Chapter I",
            "Fig. 2.1, Table 2.2",
        ),
        *(
            "In this example 3.5 of the mass is lost.",
            "makes the problem 3.5 times as hard",
            "an example 3.5 MB in size",
        ),
        *(
            "例 3.5 元一斤",
            "例如 3.5 节课",
            "这一例 3.5 mm 的板",
            "原理 3.5 版",
            "每个例子 3.5 分",
            "该方法 3.5 秒",
            "第 3 节课",
        ),
        *("## 2.4 Attention", "## 第 3 讲 完备", "### Chapter 3: Sums", "### 定义 2.1（甲）", "表 2.3.1 的"),
        "```\nTheorem 2.1, §2.1\n```",
    ],
)
def test_what_is_no_reference(text: str) -> None:
    assert named(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("In example 3.5 of the sums", "example 3.5"),
        ("Theorem 3.5 times out", "theorem 3.5"),
        ("例 3.5 元素", "example 3.5"),
        ("原理 3.5 版面", "principle 3.5"),
        ("由此定理 3.5", "theorem 3.5"),
        ("以上定理 3.5", "theorem 3.5"),
        ("这样定理 3.5", "theorem 3.5"),
        ("3.5 节课后习题", "section 3.5"),
        ("第 3.5 节课后习题", "section 3.5"),
    ],
)
def test_what_begins_like_a_quantity_and_is_a_reference(text: str, name: str) -> None:
    assert named(text) == [name]


@pytest.mark.parametrize(
    "text",
    [
        "[@folland, Theorem 2.14] and [@nesterov:2018, §2.1.5]",
        "Theorem 2.1.15 of [Nes]",
        "Mohri et al. (2018) Ch.2 定义 2.1",
        "**61页**中的**定理4.1**",
        "在 8.2.3 节的**170页**",
        "《分析学》中的定理 2.1",
        "[Theorem 3.1 of the paper](https://example.com)",
        "the paper (https://example.org/p.pdf), [here](https://example.org/p.pdf) Section 2.1",
        "Section 2.4 of Knuth and §17.4 of the JLS",
        "\\cite{knuth} 的定理 2.1",
    ],
)
def test_another_work_is_told_by_what_stands_beside(text: str) -> None:
    found = facts(text).references
    assert found
    assert all(reference.foreign for reference in found)


def test_the_title_of_a_box_may_cite_another_work() -> None:
    text = "**Theorem 10.1.1** (Robust; [@nilim, Theorem 3.1]). {#THM-10.1.1}"
    assert [str(box.number) for box in facts(text).boxes] == ["10.1.1"]
    assert named(text) == ["theorem 3.1*"]


def test_places_are_those_of_the_words() -> None:
    text = "> - 由定理 2.6.2、2.6.3 与 §2.1–2.3，\n>   参见（2.4.7）及[第 2.2 节](a.md)；[EQ-2.4]–[EQ-2.8]。"
    assert covered(text) == ["定理 2.6.2", "2.6.3", "§2.1–2.3", "2.4.7", "第 2.2 节", "[EQ-2.4]–[EQ-2.8]"]


def test_lists_of_sections_have_each_its_place() -> None:
    text = "Sections 1.1--1.6, 1.9, and 1.10 form"
    assert covered(text) == ["Sections 1.1--1.6", "1.9", "1.10"]
    assert covered("第 3、4 章") == ["第 3", "4 章"]


def test_forms_are_told_apart() -> None:
    forms = [reference.form for reference in facts("Theorem 2.1, [THM-2.1], §2.1").references]
    assert forms == [ReferenceForm.TEXTUAL, ReferenceForm.BRACKETED, ReferenceForm.SECTION]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[DEF-2.2.7](a)", True),
        ("[(ASSUMP-9.1.4)](iii)", True),
        ("[DEF-2.2.7](#DEF-2.2.7)", False),
        ("[part](a)", False),
        ("![DEF-2.2.7](a)", False),
    ],
)
def test_a_part_of_a_box_makes_a_link_that_nobody_meant(text: str, part: bool) -> None:
    (link,) = facts(text).links
    assert is_box_part(link) is part


def test_many_numbers_are_read_in_linear_time() -> None:
    for text in (
        "### Theorem 1" + ".1" * 50_000,
        "1.1、" * 30_000,
        "§1.1" * 20_000,
        "$$" + "\\tag{2.1} a " * 5_000 + "$$",
    ):
        start = time.process_time()
        facts(text)
        assert time.process_time() - start < HANGS


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("由定理 2.4.1<sup>1</sup>", ["theorem 2.4.1"]),
        ("Theorem 2.2.2[x](https://a.b)", ["theorem 2.2.2"]),
        ("见定理２.１.３１。", ["theorem 2.1.31"]),
        ("第 153 步用定理 2.1", ["theorem 2.1"]),
    ],
)
def test_a_number_ends_where_markup_stands(text: str, names: list[str]) -> None:
    assert [name.rstrip("*") for name in named(text)] == names


@pytest.mark.parametrize(
    "text",
    [
        "see [12, Theorem 4.1.99]",
        "文献 [12] 的定理 4.1.99",
        "[12] 定理 4.1.99",
        "[3, 12] 定理 4.1.99",
        "Theorem 4.1.99 ([12])",
        "Theorem 4.1.99 [Rud76]",
        "参见 [Rud76, 定理 4.1.99]",
        "Rudin 的定理 4.1.99",
        "Theorem 4.1.99 in Boyd 2004",
        "Theorem 4.1.99 of Boyd and Vandenberghe 2004",
        "some say more (e.g. Rudin, Theorem 4.1.99)",
        "see Boyd and Vandenberghe, Theorem 4.1.99",
        "in Rudin's book, *Principles*, Theorem 4.1.99",
        "文献[2]の定理4.1.99",
        "## 参考文献\n\n- Rudin, *Analysis*, 1976. Theorem 4.1.99",
        "# A. References and notes\n\n### Books\n\nTheorem 4.1.99 is there.",
    ],
)
def test_the_key_or_year_of_a_work_makes_a_reference_foreign(text: str) -> None:
    assert named(text) == ["theorem 4.1.99*"]


@pytest.mark.parametrize(
    "text",
    [
        "定理 2.1.4",
        "By Fubini, Theorem 2.1.4 holds",
        "Hence, Theorem 2.1.4 holds",
        "## References\n\n## Results\n\nTheorem 2.1.4",
        "在 [2, 5] 上由定理 2.1.4",
        "[a] 定理 2.1.4",
        "Theorem 2.1.4 in Section 2004",
    ],
)
def test_other_brackets_and_numbers_make_no_reference_foreign(text: str) -> None:
    assert named(text)[0] == "theorem 2.1.4"


@pytest.mark.parametrize(
    ("header", "judged"),
    [
        *[
            (each, False)
            for each in ("原编号", "旧", "旧编号", "勘误前", "原表述（节选）", "原", "改前", "Original text")
        ],
        *[(each, True) for each in ("新编号", "原因", "更正", "说明", "勘误后")],
    ],
)
def test_the_column_of_originals_is_known_by_its_header(header: str, judged: bool) -> None:
    assert bool(named(f"| {header} | 注 |\n|---|---|\n| 定理 2.1.55 | x |\n")) is judged


def test_signs_of_a_range_without_end_take_no_more_than_their_share_of_time() -> None:
    start = time.process_time()
    named("定理 1.1" + "~" * 200_000)
    named("**定理 1.1**" + "~" * 200_000)
    assert time.process_time() - start < HANGS
