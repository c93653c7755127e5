"""Boxes and section numbers, read from blocks."""

from __future__ import annotations

import time

import pytest
from bounds import HANGS

from lintbook.dialect import Dialect
from lintbook.facts import Box, BoxForm, Facts, Number
from lintbook.parse import parse_markdown
from lintbook.parse.numbers import read_anchor, section_number
from lintbook.text import Source
from lintbook.vocabulary import KINDS, Kind, Vocabulary, standard_vocabulary


def facts(text: str) -> Facts:
    return parse_markdown(Source("page.md", text), Dialect.MKDOCS)


def boxes(text: str) -> list[str]:
    """The boxes of a page: what the reader sees of name and number, or the id alone."""
    return [text[box.span.start : box.span.end] for box in facts(text).boxes]


def box(text: str) -> Box:
    (found,) = facts(text).boxes
    return found


# ── declarations ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "kind", "number", "title", "form"),
    [
        ("### Definition 2.2.1 (Space) {#def-2.2.1}", "definition", "2.2.1", "Space", BoxForm.HEADING),
        ("## Lab 2.1 — Segments", "lab", "2.1", "Segments", BoxForm.HEADING),
        ("#### 定义 1.1.1 (测度)", "definition", "1.1.1", "测度", BoxForm.HEADING),
        ("**定理7.3（收敛）**：有界。", "theorem", "7.3", "收敛", BoxForm.STRONG),
        ("**Assumption 2.6.1 (OPE).** {#ASSUMP-2.6.1}", "assumption", "2.6.1", "OPE", BoxForm.STRONG),
        ("**Definition 2.2.1** (Space) {#DEF-2.2.1}", "definition", "2.2.1", "Space", BoxForm.STRONG),
        ("> **定理 4.2.1** 单调有界。", "theorem", "4.2.1", "", BoxForm.QUOTATION),
        ("**【例 2.1（骰子）】**", "example", "2.1", "骰子", BoxForm.STRONG),
        ("**形式化定义 1.4 (映射)**", "definition", "1.4", "映射", BoxForm.STRONG),
        ("**Working Definition 1.4.1** {#WDEF-1.4.1}", "working definition", "1.4.1", "", BoxForm.STRONG),
        ("**Non-Example 2.4.1**", "non-example", "2.4.1", "", BoxForm.STRONG),
        ("**案例3.1.1**", "case", "3.1.1", "", BoxForm.STRONG),
        ("**Exercise 6A.1 (Warm-up).** Run it.", "exercise", "6A.1", "Warm-up", BoxForm.STRONG),
        ("**Lemma C.1.1** (Duality)", "lemma", "C.1.1", "Duality", BoxForm.STRONG),
        ("**Remark 2.6.1a.** It holds.", "remark", "2.6.1a", "", BoxForm.STRONG),
        ("**Remark 9.2.0.1.**", "remark", "9.2.0.1", "", BoxForm.STRONG),
        ("**习题 3.1** 证明定理 2.1。", "exercise", "3.1", "", BoxForm.STRONG),
        ("**例 2.3 解方程**", "example", "2.3", "解方程", BoxForm.STRONG),
        ('!!! note "Theorem 2.1 (Sums)"', "theorem", "2.1", "Sums", BoxForm.STRONG),
        ("Theorem 2.1 (Sums). {#THM-2.1} Sums converge.", "theorem", "2.1", "Sums", BoxForm.LINE),
        ("- **Theorem 2.1** (Sums). {#THM-2.1} Sums converge.", "theorem", "2.1", "Sums", BoxForm.LINE),
        # Titles that begin with a letter of a formula, or with the word for a thing in small letters.
        ("**Definition 1.2 σ-algebra.** B.", "definition", "1.2", "σ-algebra", BoxForm.STRONG),
        ("### 定义 1.1.2 ε-贪心策略", "definition", "1.1.2", "ε-贪心策略", BoxForm.HEADING),
        ("### 定义 1.1.3 n步回报", "definition", "1.1.3", "n步回报", BoxForm.HEADING),
        ("### 定义 1.1.3 softmax 函数", "definition", "1.1.3", "softmax 函数", BoxForm.HEADING),
        (
            "**Definition 3.9 k-nearest neighbours.** Those.",
            "definition",
            "3.9",
            "k-nearest neighbours",
            BoxForm.STRONG,
        ),
        ("**Definition 3.9 l2-norms.** Those.", "definition", "3.9", "l2-norms", BoxForm.STRONG),
        ("**Definition 3.9 pH.** It.", "definition", "3.9", "pH", BoxForm.STRONG),
        ("### Definition 3.9 `softmax`", "definition", "3.9", "softmax", BoxForm.HEADING),
        ("### 定义 3.9 softmax", "definition", "3.9", "softmax", BoxForm.HEADING),
        ("### 定义 3.9 dropout（丢弃）", "definition", "3.9", "dropout（丢弃）", BoxForm.HEADING),
        ("**定理 3.9** $n$ 步之后。", "theorem", "3.9", "", BoxForm.STRONG),
        ("**定理 3.9** n 维空间中也成立。", "theorem", "3.9", "", BoxForm.STRONG),
        # Stars say how hard it is, or that it may be left out.
        ("**Exercise 1.2\\*.** B.", "exercise", "1.2", "", BoxForm.STRONG),
        ("**Exercise 1.3 ★★.** B.", "exercise", "1.3", "", BoxForm.STRONG),
        ("**Exercise 1.3 ★** (Sums). B.", "exercise", "1.3", "Sums", BoxForm.STRONG),
        ("### Exercise 1.3 ⭐️ (Sums)", "exercise", "1.3", "Sums", BoxForm.HEADING),
        ("### Definition 3.9 ⭐ Name", "definition", "3.9", "Name", BoxForm.HEADING),
        ("### 定义 3.9 · 名称", "definition", "3.9", "名称", BoxForm.HEADING),
        ("### 定义 3.9《名称》", "definition", "3.9", "《名称》", BoxForm.HEADING),
        ("<h4>Theorem 2.1 (Sums)</h4>", "theorem", "2.1", "Sums", BoxForm.HTML),
        ("<div><strong>Theorem 2.1</strong> (Sums).</div>", "theorem", "2.1", "", BoxForm.HTML),
    ],
)
def test_a_box_is_declared(text: str, kind: str, number: str, title: str, form: BoxForm) -> None:
    found = box(text)
    assert (found.kind, str(found.number), found.title, found.form) == (kind, number, title, form)
    assert text[found.number_span.start : found.number_span.end] == number
    assert text[found.span.start : found.span.end].endswith(number)
    assert text[found.span.start : found.span.end].startswith(found.label)


@pytest.mark.parametrize(
    "text",
    [
        "> **定理 2.1.2 的证明**",
        "**Proof of Theorem 2.1.2**",
        "**Recall Definition 2.1.2**",
        "### 回顾定义 2.2.1",
        "**由定理 2.1.2** 得证。",
        "**Lab 6A.1 preview:** next week.",
        "**习题 2.3 解答** 用反证法。",
        "### Exercise 2.3 (Solution)",
        "### Exercise 2.3: Hint",
        "**例 2.3 解：** 代入。",
        "**Theorem 2.1.2** states that it holds.",
        "**定理 2.1.2** 给出下界。",
        "**Theorems 2.1.2 and 2.1.3**",
        "**定义 2.1–2.3**",
        "- **Exercise 6.10**: harder.",
        "| **定理 2.1** | 单调 |\n|---|---|",
        "So **Theorem 2.1** holds.",
        "定义 2.3.1 只数读，不数写。",
        "表 2.3.1 汇总容量。",
        "```\n### Theorem 2.1.1\n```",
        "    **Theorem 2.1.1** as code",
        "<!-- **Theorem 2.1.1** -->",
        "**`Theorem 2.1.1`**",
        "**Version 2.1.1**",
        "**比例 2.1** 的图",
        "<li><strong>Theorem 2.1</strong> is used.</li>",
        "<p><strong>Theorem 2.1</strong> states more.</p>",
        "## 2.1 Theorem 2.2 in detail",
        "### Theorem 2.1 states more",
        "### Theorem 2.1 vs Theorem 2.2",
        "### Theorem 2.1 revisited",
        "### 定理 2.1 vs 定理 2.2",
        "### 例 2.1 vs 例 2.2",
        "### 定理 2.1 in 附录",
        "### Theorem 2.1 → Theorem 2.2",
        "### Theorem 2.1 ⇒ Theorem 2.2",
        "**定理 2.1** and 定理 2.2",
    ],
)
def test_what_speaks_of_a_box_declares_none(text: str) -> None:
    assert boxes(text) == []


def test_a_box_has_one_anchor_and_the_rest_of_its_line_is_no_other_box() -> None:
    found = facts("**Definition 2.5.1** {#DEF-2.5.1}\n\n**定义 2.5.2** {#model}\n").boxes
    assert [each.anchor.id if each.anchor else None for each in found] == ["DEF-2.5.1", "model"]


def test_lines_of_one_paragraph_may_each_declare_a_box() -> None:
    text = "**定义 2.1.1（甲）** 一。\n**定义 2.1.2（乙）** 二。\n中间的 **定义 2.1.3** 不是。"
    assert boxes(text) == ["定义 2.1.1", "定义 2.1.2"]
    assert boxes("> [!NOTE]\n> **Theorem 2.1 (Sums).** They converge.") == ["Theorem 2.1"]
    assert boxes("Some line.\n**Theorem 2.1 (Sums).** They converge.") == []


def test_a_second_name_is_kept_with_its_place() -> None:
    text = "**定义 1.1 (测度) / Definition 1.1 (Measure):** additive."
    (name,) = box(text).names
    assert (name.kind, str(name.number), text[name.span.start : name.span.end]) == (
        "definition",
        "1.1",
        "Definition 1.1",
    )
    assert box("**引理 2.3（Lemma 2.3）**").names[0].kind == "lemma"
    assert box("**引理 2.3（Zorn）**").names == ()


@pytest.mark.parametrize(
    "text",
    [
        "**Example 1.2** (Example 1.1 continued).",
        "**Example 1.2** (Example 1.1).",
        "**Theorem 1.3** (Theorem 7.26 in Rudin).",
        "**Theorem 1.3** (Lemma 1.3 for matrices).",
        "**定理 3.9（定理 3.2 的推广）**",
        "### 推论 3.9（引理 3.3 的矩阵形式）",
        "### 定理 3.9（Theorem 3.2 的推广）",
    ],
)
def test_a_title_that_cites_another_box_is_no_second_name(text: str) -> None:
    assert box(text).names == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("**Theorem 1.3 (Lemma 1.3)**", "lemma"),
        ("**引理 2.3（Theorem 2.4）**", "theorem"),
        ("**引理 2.3（Theorem 2.3: Covering）**", "theorem"),
        ("**引理 2.3 / Theorem 2.4 of covering**", "theorem"),
    ],
)
def test_a_second_name_is_all_that_the_parentheses_hold(text: str, name: str) -> None:
    assert [each.kind for each in box(text).names] == [name]


# ── equations and ids ────────────────────────────────────────────────────────────────────────────────────


def test_an_id_behind_equations_belongs_to_all_since_the_last_one() -> None:
    text = (
        "$$\na = b \\tag{2.1}\n$$ {#EQ-2.1}\n\n"
        "$$\na = b \\tag{6.8a}\n$$\n$$\nb = c \\tag{6.8b}\n$$ {#EQ-6.8}\n\n$$\nx \\tag{2.2}\n$$\n"
    )
    found = [(str(each.number), each.anchor.id if each.anchor else None, each.form) for each in facts(text).boxes]
    assert found == [
        ("2.1", "EQ-2.1", BoxForm.EQUATION),
        ("6.8a", "EQ-6.8", BoxForm.EQUATION),
        ("6.8b", "EQ-6.8", BoxForm.EQUATION),
        ("2.2", None, BoxForm.EQUATION),
    ]


def test_the_formula_of_an_equation_is_its_own_row() -> None:
    text = "$$\n\\begin{aligned} a &= b \\tag{2.1} \\\\ c &= d \\tag{2.2} \\end{aligned}\n$$"
    first, second = facts(text).boxes
    assert (first.title, second.title) == ("\\begin{aligned}a&=b", "c&=d\\end{aligned}")


def test_an_id_alone_is_a_box_that_nobody_sees() -> None:
    found = box("### 1.2.1 History {#REM-1.2.1}")
    assert (found.kind, str(found.number), found.form, found.shown) == ("remark", "1.2.1", BoxForm.ANCHOR, False)


@pytest.mark.parametrize(
    "text",
    [
        '<a id="thm-2.4.1"></a>\n\n### Theorem 2.4.1 (Sums)\n',
        '<div class="theorem" id="thm-2.4.1">\n\n**Theorem 2.4.1 (Sums).** They converge.\n\n</div>\n',
        "**Theorem 2.4.1 (Sums).** <a name='thm-2.4.1'></a> They converge.\n",
        '<h4 id="thm-2.4.1">Theorem 2.4.1 (Sums)</h4>\n',
    ],
)
def test_an_id_of_raw_html_belongs_to_the_box_beside_it(text: str) -> None:
    found = box(text)
    assert found.anchor is not None and found.anchor.id == "thm-2.4.1"
    assert found.shown


def test_an_id_of_raw_html_with_text_between_stands_alone() -> None:
    found = facts('<a id="thm-2.4.1"></a>\n\nSome text.\n\n### Theorem 2.4.2 (Sums)\n').boxes
    assert [(str(each.number), each.shown) for each in found] == [("2.4.1", False), ("2.4.2", True)]


@pytest.mark.parametrize(
    ("identifier", "prefix", "number", "dotted", "rest"),
    [
        ("def-2.2.1", "def", "2.2.1", True, ""),
        ("THM-2.3.4-RN", "thm", "2.3.4", True, "-RN"),
        ("def-2-1", "def", "2.1", False, ""),
        ("ex-1.1.1-plus", "ex", "1.1.1", True, "-plus"),
        ("LEM-6.1.1b", "lem", "6.1.1b", True, ""),
        ("alg-C.5.1", "alg", "C.5.1", True, ""),
        ("lab-6A.1", "lab", "6A.1", True, ""),
    ],
)
def test_a_box_anchor_says_kind_and_number(identifier: str, prefix: str, number: str, dotted: bool, rest: str) -> None:
    named = read_anchor(identifier, standard_vocabulary())
    assert named is not None
    assert (named.prefix, str(named.number), named.dotted, named.rest) == (prefix, number, dotted, rest)


@pytest.mark.parametrize("identifier", ["obs2-2.1", "OBS2-2.1", "my-obs-2.1"])
def test_a_prefix_of_more_than_letters_is_known_too(identifier: str) -> None:
    kind = Kind("sighting", ("观察",), ("obs2", "my-obs"))
    named = read_anchor(identifier, Vocabulary((*KINDS, kind)))
    assert named is not None
    assert (named.kinds, str(named.number)) == (("sighting",), "2.1")


@pytest.mark.parametrize("identifier", ["metric-space", "def", "def-two", "section-2", "lab-21--segments", "EQ-X.Y"])
def test_other_ids_say_nothing(identifier: str) -> None:
    assert read_anchor(identifier, standard_vocabulary()) is None


# ── sections ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2.4.7 能否当解释", "2.4.7"),
        ("2.1. Warm-up", "2.1"),
        ("第 3 讲 完备", "3"),
        ("第三章 收敛", "3"),
        ("第二十一讲", "21"),
        ("第一百零三章", "103"),
        ("第 2.2 节 序列", "2.2"),
        ("Chapter 10: Plugins", "10"),
        ("CHAPTER 6A — Neural", "6A"),
        ("Appendix C: Duality", "C"),
        ("附录A 符号", "A"),
        ("A.1 openapi.yaml", "A.1"),
        ("10.4c Built-in", "10.4c"),
        ("5 Networks", "5"),
        ("§2.4 Attention", "2.4"),
        ("3.5名称", "3.5"),  # many Chinese books set no blank
        ("第3章概率", "3"),
        ("2.1ものさし", "2.1"),
        ("1.2* Outer measures", "1.2"),
        ("1.2† Outer measures", "1.2"),
        ("1.2^*^ Outer measures", "1.2"),
        ("*3.5 Outer measures", "3.5"),
        ("★ 3.5 外测度", "3.5"),
        ("📘 3.5 Outer measures", "3.5"),
        ("📘 Chapter 3", "3"),
        ("(3.5) Outer measures", "3.5"),
        ("【3.5】外测度", "3.5"),
        ("「3.5」外测度", "3.5"),
        ("［3.5］外测度", "3.5"),
        ("3．5 外测度", "3.5"),
        ("Sec. 3.5: Outer measures", "3.5"),
        ("Subsection 3.5 Outer measures", "3.5"),
        ("Lesson 3.5 Outer measures", "3.5"),
    ],
)
def test_a_heading_begins_with_a_number(text: str, number: str) -> None:
    assert section_number(text) == Number.parse(number)


@pytest.mark.parametrize(
    "text",
    [
        *("七、注意力", "第二节 递推", "3项DNF的定义", "2 个重要结论", "1.5倍速", "2.5% off", "3D Vision"),
        *(
            "2024 年总结",
            "Appendix 6.A: Notes",
            "Chapter I",
            "Appendix Overview",
            "v2.4.1",
            *("[1.2.3] - 2024-05-01", "🚀 10 tips", "(2) Second", "2.4*3 = 7.2", "Unit 3", "Lesson Three"),
            "2nd edition",
            "Theorem 2.1",
        ),
    ],
)
def test_a_heading_without_number_of_the_book(text: str) -> None:
    assert section_number(text) is None


# Words that begin with what counts something.
TITLES = (
    *("条件概率", "位置编码", "层归一化", "层次聚类", "点估计", "点积注意力", "点云", "类别不平衡", "类与对象"),
    *("类比推理", "次梯度法", "步骤", "步长选择", "维数灾难", "维特比算法", "项目实战", "个性化推荐", "年龄模型"),
    *("天气模型", "日志", "倍增法", "万能逼近", "种子填充", "位运算"),
)


@pytest.mark.parametrize("title", TITLES)
def test_a_title_is_no_count(title: str) -> None:
    numbers = ("2.1 ", "2.1", "2 ", "2")
    assert [str(section_number(number + title)) for number in numbers] == ["2.1", "2.1", "2", "2"]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "3 个例子",
            "3 个项目",
            "2 类与 3 类",
            "3 维空间",
            "8 位量化",
            "5 点对比",
            "3 次优化",
            "7 天学会",
            "2 类比较",
        ),
        *("3 种类型", "3 条建议", "12 层网络", "1.5 亿参数", "2.5 万元", "1.5 倍", "3.5 % off", "2.5年之后", "1.5天"),
    ],
)
def test_a_count_begins_no_heading(text: str) -> None:
    assert section_number(text) is None


# ── fences ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_fence_is_a_fact_if_it_holds_numbered_text_or_is_never_closed() -> None:
    text = "```\n## 2.3 Next\n\n**Theorem 2.3.1 (Sums).**\n```\n\n```\nx = 1\n```\n\n> ```py\n> ### Lab 6.5: Seeds\n"
    first, second = facts(text).fences
    assert [(each.kind, str(each.number)) for each in first.swallowed] == [("", "2.3"), ("theorem", "2.3.1")]
    assert [text[each.span.start : each.span.end] for each in first.swallowed] == [
        "## 2.3 Next",
        "**Theorem 2.3.1 (Sums).**",
    ]
    assert text[first.span.start : first.span.end] == "```"
    assert first.closing is not None and text.count("\n", 0, first.closing.start) == 4
    assert (second.info, second.closing) == ("py", None)
    assert [each.label for each in second.swallowed] == ["Lab"]


def test_a_line_that_opens_a_fence_cannot_close_one() -> None:
    text = "````\n```python\n````\n\n```\n## 2.3 Next\n```python\nx\n```\n"
    (fence,) = facts(text).fences
    assert fence.opener is not None
    assert text[fence.opener.start : fence.opener.end] == "```python"


def test_comments_of_a_language_are_no_headings() -> None:
    assert facts("```python\n# 2.3 load the data\n# 1. first\n```\n").fences == ()


def test_places_survive_crlf_and_a_byte_order_mark() -> None:
    text = "\ufeff# 2 讲\r\n\r\n### 定义 2.1.1（甲） {#def-2.1.1}\r\n\r\n```\r\n## 2.2 乙\r\n```\r\n"
    found = facts(text)
    (only,) = found.boxes
    assert text[only.span.start : only.span.end] == "定义 2.1.1"
    (fence,) = found.fences
    assert text[fence.swallowed[0].span.start : fence.swallowed[0].span.end] == "## 2.2 乙"
    assert text[fence.span.start : fence.span.end] == "```"


def test_hostile_text_is_read_in_linear_time() -> None:
    for text in (
        "**定理 " * 20_000,
        "(" * 5_000 + "**Theorem 2.1 " * 5_000,
        "### Theorem 1" + ".1" * 50_000,
        "第" + "一" * 90_000,
    ):
        start = time.process_time()
        facts(text)
        assert time.process_time() - start < HANGS


@pytest.mark.parametrize(
    "text",
    [
        "**定义 1.1.6** $x$ 称为甲。",
        "**定义 1.1.6** 可测空间。",
        "**Definition 1.1.6** If $X$ is compact, it is bounded.",
        "**Definition 1.1.6** $x$ is called so.",
        "**方法 1.1.6** 将输入切成小块。",
        "**定理 1.1.6** 与 $x$ 无关的量。",
        "**定理 1.1.6** 即时更新不改变结果。",
        "**定理 １.１.６** 全角的数字。",
    ],
)
def test_a_name_that_opens_a_paragraph_declares(text: str) -> None:
    (declared,) = facts(text).boxes
    assert str(declared.number) == "1.1.6"


@pytest.mark.parametrize(
    "text",
    [
        "**定理 1.1.6** 与**定理 1.1.7** 相似。",
        "**定理 1.1.6** 可以推出它。",
        "**定理 1.1.6** 则说明了它。",
        "**定理 1.1.6** 将它推广。",
        "**Theorem 1.1.6** is used below.",
        "**定理 1.1.6**，以及别的。",
    ],
)
def test_a_name_that_a_sentence_begins_with_declares_nothing(text: str) -> None:
    assert facts(text).boxes == ()


@pytest.mark.parametrize(
    ("text", "anchors"),
    [
        ('**定理 1.1.1**（甲）<a id="thm-1.1.1"></a>\n\n**定理 1.1.2**（乙）\n', ["thm-1.1.1", None]),
        ('**定理 1.1.1**（甲）\n<a id="thm-1.1.1"></a>\n\n**定理 1.1.2**（乙）\n', ["thm-1.1.1", None]),
        ('**定理 1.1.1**（甲）\n\n<a id="thm-1.1.2"></a>\n\n**定理 1.1.2**（乙）\n', [None, "thm-1.1.2"]),
        ('**定理 1.1.1**（甲）\n\n<a id="thm-1.1.9"></a>\n**定理 1.1.2**（乙）\n', [None, "thm-1.1.9"]),
        ('**定理 1.1.1**（甲）<span id="thm-1.1.9"></span>\n\n**定理 1.1.2**（乙）\n', ["thm-1.1.9", None]),
    ],
)
def test_an_id_of_raw_html_between_two_boxes_belongs_to_the_one_on_its_line(
    text: str, anchors: list[str | None]
) -> None:
    assert [each.anchor and each.anchor.id for each in facts(text).boxes] == anchors


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("**Notation 1.2.2.** We write", ["1.2.2"]),
        ("#### 记号 1.2.4", ["1.2.4"]),
        ("> **Standing Convention 1.2.4** (Units). Bytes.", ["1.2.4"]),
        ("**系 1.5** 定理より従う。", ["1.5"]),
        ("**Théorème 1.2 (Lagrange).** Soit", ["1.2"]),
        ("**Theorem 1.2.2.** It is a known kind", []),
        ("**The proof of Theorem 1.2.2** is short", []),
        ("**Figure 1.2:** A caption; **表 1.2**", []),
        ("**图 1.2** 说明", []),
        ("Notation 1.2.2 in running text", []),
        ("- **Notation 1.2.2** in a list", []),
        ("## 1.2 Spaces", []),
    ],
)
def test_titles_with_numbers_may_name_kinds_that_are_not_known(text: str, numbers: list[str]) -> None:
    assert [str(number) for number in facts(text).unknown_boxes] == numbers


def test_an_ellipsis_is_a_range_only_before_its_end() -> None:
    assert boxes("**定义 2.1** ……\n\n**例 2.2** ...\n\n**例 2.3** … 2.5 都是") == ["定义 2.1", "例 2.2"]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ('![a](b){ width="30 px" #fig }', ["fig"]),
        ("::: {.theorem #thm-1.1 name='x y'}", ["thm-1.1"]),
        ("`x`{.python #code}", ["code"]),
        ("text {: .a key=1 #list}", ["list"]),
        ("{a #b} is a set, {{< x #y >}}, {1, #A}", []),
        ("$\\mathrm{x #y}$ and `{.a #b}`", []),
    ],
)
def test_an_id_may_stand_behind_classes_and_values(text: str, ids: list[str]) -> None:
    assert [anchor.id for anchor in facts(text).anchors] == ids


def test_an_attribute_list_below_a_heading_is_the_headings_in_kramdown() -> None:
    text = "## Bounded\n{: #b .c}\n\nText.\n{: #t}\n\n## Far\n\n{: #f}\n"
    page = parse_markdown(Source("page.md", text), Dialect.JEKYLL)
    assert [heading.anchor and heading.anchor.id for heading in page.headings] == ["b", None]
    assert [text[anchor.span.start : anchor.span.end] for anchor in page.anchors] == ["b", "t", "f"]


def test_a_list_of_attributes_may_stand_before_the_box_that_it_is_for() -> None:
    for text in ("{: #thm-2.1.1 .x}\n**Theorem 2.1.1.** So.", "**Theorem 2.1.1.** So.\n{: .x #thm-2.1.1}"):
        found = box(text)
        assert found.anchor is not None
        assert (found.label, found.anchor.id) == ("Theorem", "thm-2.1.1")


def test_what_liquid_shows_or_drops_is_no_markdown() -> None:
    text = "{% highlight c %}\n[a](b)\n{% endhighlight %}\n[c](d)\n"
    text += "{%- comment -%}[e](f){% endcomment %} {% comment %}[g](h)"
    page = parse_markdown(Source("page.md", text), Dialect.JEKYLL)
    assert [link.destination for link in page.links] == ["d", "h"]
    assert [text[link.span.start : link.span.end] for link in page.links] == ["[c](d)", "[g](h)"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("【例 1.3】取 $R=10$。", ["例 1.3"]),
        ("**【定义 1.1】（感知机）** 设", ["定义 1.1"]),
        ("> 💡 **注记 1.4** 与维数无关", ["注记 1.4"]),
        ("★ **Theorem 1.4** (Bound). So", ["Theorem 1.4"]),
        ("由【例 1.3】可知", []),
        ("【例 1.3 的解】略", []),
        ("1 **定理 1.4** 与维数无关", []),
    ],
)
def test_brackets_of_titles_declare_and_ornaments_stand_before(text: str, names: list[str]) -> None:
    assert boxes(text) == names
