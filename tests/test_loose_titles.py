"""Loose titles: what may declare a box though its shape does not say so, what plainly speaks of one, what follows."""

from __future__ import annotations

import pytest
from test_boxes import said

from lintbook.dialect import Dialect
from lintbook.parse import parse_markdown
from lintbook.text import Source


def titles(text: str) -> list[str]:
    facts = parse_markdown(Source("page.md", text), Dialect.PANDOC)
    return [f"{title.kind} {title.number}".strip() for title in facts.loose_titles]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("* **Exercise 4.1.** Show it.", ["exercise 4.1"]),
        ("Example 3.2. Let $x$ be a number.", ["example 3.2"]),
        ("Example 3.2 (Sums). There are some.", ["example 3.2"]),
        ("定理 3.9：设 $x$ 为数。", ["theorem 3.9"]),
        ("定理 3.9 设 $x$ 为数。", ["theorem 3.9"]),
        ("*Definition 3.9.* A set.", ["definition 3.9"]),
        ("<b>Definition 3.9.</b> A set.", ["definition 3.9"]),
        ("<details>\n<summary><b>Definition 3.9</b></summary>\n</details>", ["definition 3.9"]),
        ('<p class="title">Definition 3.9</p>', ["definition 3.9"]),
        ("<dl>\n<dt>Definition 3.9</dt>\n</dl>", ["definition 3.9"]),
        ("<figure>\n<figcaption>Algorithm 3.10: Sorting</figcaption>\n</figure>", ["algorithm 3.10"]),
        ("![Algorithm 3.10: Sorting](sorting.png)", ["algorithm 3.10"]),
        ("```\nAlgorithm 3.10: Sorting\nfor all items\n```", ["algorithm 3.10"]),
        ('```admonish definition title="Definition 3.9"\nA set.\n```', ["definition 3.9"]),
        ("/// definition | Definition 3.9\nA set.\n///", ["definition 3.9"]),
        (":::definition[Definition 3.9]\nA set.\n:::", ["definition 3.9"]),
        (":::note Definition 3.9\nA set.\n:::", ["definition 3.9"]),
        ("> [!NOTE] Definition 3.9\n> A set.", ["definition 3.9"]),
        ("**3.9 Definition** (Name). A set.", ["definition 3.9"]),
        ("**3.9. Definition.** A set.", ["definition 3.9"]),
        ("#### 3.9 Definition (Name)", ["definition 3.9"]),
        ("**Definition (3.9).** A set.", ["definition 3.9"]),
        ("**定义 3．9** 设 $x$ 为数。", ["definition 3.9"]),
        ("**[Definition 3.9]** A set.", ["definition 3.9"]),
        ("**\\* Definition 3.9.** A set.", ["definition 3.9"]),
        ("**Exercises 3.9–3.11.** Show them.", ["exercise 3.9", "exercise 3.10", "exercise 3.11"]),
        ("### Exercises 3.9 to 3.11", ["exercise 3.9", "exercise 3.10", "exercise 3.11"]),
        ("**Definitions 3.9 and 3.11.** Two sets.", ["definition 3.9", "definition 3.11"]),
        ("**Theorem and Definition 2.2.** A set.", ["theorem 2.2", "definition 2.2"]),
        ("**Definition/Theorem 2.2.** A set.", ["definition 2.2", "theorem 2.2"]),
        ("### 定义与定理 3.9", ["definition 3.9", "theorem 3.9"]),
        ("### DEFINITION 2.1 (SET)", ["definition 2.1"]),
        ("**Theorem 3.9, part 1.** A set.", ["theorem 3.9"]),
        ("### 定义 3.9，名称", ["definition 3.9"]),
        ("### Definition 3.9 → Name", ["definition 3.9"]),
        ("**3.5 Outer measures**", ["3.5"]),
        ("<h2>3.5 Outer measures</h2>", ["3.5"]),
    ],
)
def test_a_line_may_be_the_title_of_a_box_or_section(text: str, names: list[str]) -> None:
    assert titles(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "**Theorem 3.9.** It is declared.",
        "Theorem 3.41 shows that it holds.",
        "Theorem 3.41, which is gone, was good.",
        "Theorem 3.41 (Rudin) shows it.",
        "Theorem 3.41\nshows it on two lines.",
        "By Theorem 3.41.",
        "定理 3.41 的证明用到它。",
        "定理 3.41 说明它成立。",
        "**Theorem 3.41** shows it.",
        "**Theorems 2.1 and 2.2** are used.",
        "**定理 3.41** 的证明。",
        "### Theorem 3.41 → Theorem 3.2",
        "### 定理 3.41 的证明",
        "### Proof of Theorem 3.41",
        "- Theorem 3.41: see there.",
        "- **Theorem 3.41** is gone.",
        "| Theorem 3.41 | gone |\n|---|---|",
        "[Theorem 3.41](#gone). It was good.",
        "**[Theorem 3.41](#gone).** It was good.",
        '<a href="#gone">Theorem 3.41</a>',
        "<p>Theorem 3.41 shows it.</p>",
        "- **3.5 Outer measures**: what they are",
        "**3.5 kg** of sugar",
        "**Table 3.9.** Numbers",
    ],
)
def test_what_is_declared_or_spoken_of_is_no_loose_title(text: str) -> None:
    assert titles(text) == []


PAGE = "# 3\n\n**Theorem 3.1.** A.\n\n**Theorem 3.2.** B.\n\n**Definition 3.1.** C.\n\n"


@pytest.mark.parametrize(
    "text",
    [
        "<b>Theorem 3.9.</b> D.\n\nBy Theorem 3.9 it is.",
        "- **Exercise 3.1.** D.\n- **Exercise 3.2.** E. See Exercise 3.1.",
        "**Theorem and Definition 3.9.** D.\n\nBy Definition 3.9 and Theorem 3.9 it is.",
        "**Theorem 3.9, part 1.** D.\n\nTheorem 3.9a is a part of it.",
    ],
)
def test_a_box_with_a_loose_title_is_there(text: str) -> None:
    assert said("dangling-box-reference", PAGE + text) == []


@pytest.mark.parametrize(
    "text",
    [
        "<b>Theorem 3.9.</b> D.\n\nBy Theorem 3.8 it is.",
        "<b>Theorem 3.8.</b> D.\n\nBy Definition 3.8 it is.",
        "**Theorem 3.8** shows it.",
        "- **Theorem 3.1**: A.\n- **Theorem 3.8**: gone.",  # lines about what is declared elsewhere
        "## Theorems 3.2 and 3.8",
    ],
)
def test_a_loose_title_excuses_nothing_else(text: str) -> None:
    assert len(said("dangling-box-reference", PAGE + text)) == 1


def test_a_page_of_errata_speaks_of_what_was() -> None:
    pages = {"page.md": PAGE + "By Theorem 3.8 it is.", "errata.md": "# Errata\n\nTheorem 3.8. Read 3.2.\n"}
    assert "`Theorem 3.8` is declared nowhere" in said("dangling-box-reference", pages)


def test_a_section_with_a_loose_title_is_there() -> None:
    page = "# 1\n\n## 1.1 A\n\n<h2>1.2 B</h2>\n\n**1.3 C**\n\nSee Sections 1.2 and 1.3, not Section 1.4."
    assert said("dangling-section-reference", page) == ["`Section 1.4` is not in the book"]


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("**Theorem 3.3.** D.", ["`3.2` is skipped before `Theorem 3.3`"]),
        ("<b>Theorem 3.2.</b> C.\n\n**Theorem 3.3.** D.", []),
        ("Example 3.2. Let $x$ be.\n\n**Theorem 3.3.** D.", []),  # examples may share the counter
        ("**Theorem 3.2, part 1.** C.\n\n**Theorem 3.4.** D.", ["`3.3` is skipped before `Theorem 3.4`"]),
        (
            "<b>Example 3.1.</b> B.\n\n<b>Example 3.2.</b> C.\n\n<b>Example 3.3.</b> D.\n\n**Theorem 3.3.** D.",
            ["`3.2` is skipped before `Theorem 3.3`"],
        ),
    ],
)
def test_a_loose_title_fills_the_gap_of_its_counter(text: str, messages: list[str]) -> None:
    theorems = "".join(f"**Theorem 4.{n}.** A.\n\n" for n in range(1, 9))  # one gap among many boxes is a slip
    examples = "".join(f"# {n}\n\n**Theorem {n}.1.** A.\n\n<b>Example {n}.1.</b> B.\n\n" for n in (5, 6, 7))
    apart = text.startswith("<b>Example")  # the book shows that examples have a counter of their own
    pages = {"a.md": "# 3\n\n**Theorem 3.1.** A.\n\n" + text, "b.md": "# 4\n\n" + theorems, "c.md": examples * apart}
    assert said("skipped-box-number", pages) == messages
