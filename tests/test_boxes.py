"""Rules about boxes: causes, related places, repairs, and what is said once."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from lintbook.book import Book
from lintbook.checks import RULES
from lintbook.diagnostic import Finding, Fix, Unchecked
from lintbook.dialect import Dialect
from lintbook.facts import Document
from lintbook.parse import parse_markdown
from lintbook.parse.summary import parse_summary
from lintbook.text import Source

RULE = {rule.name: rule for rule in RULES}


def book(pages: Mapping[str, str] | str, dialect: Dialect = Dialect.PANDOC) -> Book:
    """A book of these pages, without navigation; one text is `page.md`."""
    pages = {"page.md": pages} if isinstance(pages, str) else pages
    return Book(
        [Document(Source(path, text), parse_markdown(Source(path, text), dialect)) for path, text in pages.items()],
        dialect=dialect,
    )


def findings(rule: str, pages: Mapping[str, str] | str, dialect: Dialect = Dialect.PANDOC) -> list[Finding]:
    found = RULE[rule].run(book(pages, dialect))
    return [each for each in found if isinstance(each, Finding)]


def said(rule: str, pages: Mapping[str, str] | str, dialect: Dialect = Dialect.PANDOC) -> list[str]:
    return [finding.message for finding in findings(rule, pages, dialect)]


def unchecked(rule: str, pages: Mapping[str, str] | str) -> int:
    return sum(isinstance(each, Unchecked) for each in RULE[rule].run(book(pages)))


def fixed(fix: Fix, pages: Mapping[str, str] | str) -> dict[str, str]:
    """The pages after a fix."""
    texts = dict({"page.md": pages} if isinstance(pages, str) else pages)
    for edit in sorted(fix.edits, key=lambda edit: edit.span, reverse=True):
        path, start, end = edit.span.path, edit.span.start, edit.span.end
        texts[path] = texts[path][:start] + edit.replacement + texts[path][end:]
    return texts


# ── anchors ──────────────────────────────────────────────────────────────────────────────────────────────


def test_an_anchor_follows_the_number_with_all_that_leads_to_it() -> None:
    pages = {
        "one.md": "# 2 甲\n\n### 定义 2.2.2（乙） {#def-2.2.3}\n\n见[上](#def-2.2.3)与 [def-2.2.3]。\n",
        "two.md": "# 3 丙\n\n[乙](one.md#def-2.2.3)，[又](<one.md#def-2.2.3>)。\n\n[r]: one.md#def-2.2.3\n\n[r]\n",
    }
    (finding,) = findings("mismatched-box-anchor", pages)
    assert finding.fix is not None and finding.fix.safe
    after = fixed(finding.fix, pages)
    assert not any("2.2.3" in text for text in after.values())
    assert "".join(after.values()).count("def-2.2.2") == 6


def test_renaming_is_not_safe_where_another_box_has_the_number_and_none_where_the_id_is_taken() -> None:
    twice = "# 2\n\n### 定义 2.2.2（甲） {#a}\n\n### 定义 2.2.2（乙） {#def-2.2.3}\n"
    (finding,) = findings("mismatched-box-anchor", twice)
    assert finding.fix is not None and not finding.fix.safe
    taken = "# 2\n\n### 定义 2.2.1（甲） {#def-2.2.2}\n\n### 定义 2.2.2（乙） {#def-2.2.1}\n"
    assert [finding.fix for finding in findings("mismatched-box-anchor", taken)] == [None, None]


def test_anchors_that_a_renumbering_left_behind_have_one_cause() -> None:
    text = "# 10\n\n" + "\n\n".join(f"**Theorem 10.{n}.1 (T).** {{#THM-10.{n}}}" for n in range(1, 6))
    causes = {finding.cause for finding in findings("mismatched-box-anchor", text)}
    assert causes == {"page.md: anchors of 2 levels on numbers of 3"}
    drift = "# 7\n\n" + "\n\n".join(f"**Theorem 7.2.{n} (T).** {{#THM-7.1.{n}}}" for n in range(1, 6))
    assert {finding.cause for finding in findings("mismatched-box-anchor", drift)} == {"page.md: anchors with 1 for 2"}


@pytest.mark.parametrize(
    "line",
    [
        "**Theorem 2.3.4 (RN).** {#THM-2.3.4-RN}",
        "**Proposition 1.1.1' (P).** {#prop-1.1.1p}",
        "**Exercise 1.1.1+ (E).** {#ex-1.1.1-plus}",
        "**Exercise 6a.1 (E).** {#EX-6A.1}",
        "**Lemma 6.1.1b (L).** {#LEM-6.1.1b}",
        "$$\na \\tag{1.2'}\n$$ {#EQ-1.2-prime}",
    ],
)
def test_an_anchor_may_end_in_a_mnemonic(line: str) -> None:
    assert said("mismatched-box-anchor", line) == []


def test_a_letter_of_the_number_is_compared() -> None:
    assert said("mismatched-box-anchor", "**Lemma 6.1.1b (L).** {#LEM-6.1.1a}") == [
        "the anchor says `6.1.1a`, the box is `Lemma 6.1.1b`"
    ]


@pytest.mark.parametrize(
    ("anchors", "count"),
    [
        (("thm-2-1", "thm-2-2", "thm-2-3"), 0),  # the book writes them so
        (("thm-2-1", "thm-2-2", "thm-2.3"), 2),  # it does not
        (("thm-2-1", "thm-2-2", "thm-2-4"), 3),  # one was left behind
    ],
)
def test_flat_anchors_throughout_are_a_habit(anchors: tuple[str, ...], count: int) -> None:
    page = "\n\n".join(f"### Theorem 2.{index} {{#{anchor}}}" for index, anchor in enumerate(anchors, 1))
    assert len(said("legacy-box-anchor", page)) == count


def test_an_anchor_that_is_printed_can_be_written_as_an_element() -> None:
    text = (
        "# 2\n\n**Theorem 2.1 (T).** It holds. {#thm-2.1 .wide}\n\n$$\nx\n$$ {#eq-2.1}\n\n| a {#b} | c |\n|---|---|\n"
    )
    found = findings("unrendered-anchor", text, Dialect.MDBOOK)
    assert [text[finding.span.start : finding.span.end] for finding in found] == [
        "{#thm-2.1 .wide}",
        "{#eq-2.1}",
        "{#b}",
    ]
    assert found[0].fix is not None
    assert '<a id="thm-2.1"></a>' in fixed(found[0].fix, text)["page.md"]
    assert len({finding.cause for finding in found}) == 1


@pytest.mark.parametrize(
    "text",
    [
        "**Theorem 2.1 (Main).** {#thm-2.1} Let $x$ be.",
        "> **Theorem 2.1** (Main). {#thm-2.1} Let $x$ be.",
        "**Theorem 2.1** {#main} Let $x$ be.",
        "**定理 2.1（甲）** {#thm-2.1}设 $x$ 为数。",
        "Theorem 2.1. {#thm-2.1} Let $x$ be.",
    ],
)
def test_an_anchor_behind_a_title_is_printed_before_the_statement(text: str) -> None:
    assert len(said("unrendered-anchor", text, Dialect.MDBOOK)) == 1


@pytest.mark.parametrize(
    "text",
    [
        *("write {#id} here", "`{#id}`", "{#if x}", "{# a comment #}", "{{#include a.md}}"),
        *("**Theorem 2.1 (Main).** Write {#thm-2.1} behind it.", "**Note.** {#id} is printed."),
    ],
)
def test_braces_that_are_no_anchor(text: str) -> None:
    assert said("unrendered-anchor", text, Dialect.MDBOOK) == []


# ── duplicates ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_duplicate_names_the_first_and_offers_the_next_free_number() -> None:
    pages = {
        "a.md": "# 2\n\n### 定义 2.1（甲） {#def-2.1}\n\n### 定义 2.2（乙）\n",
        "b.md": "# 3\n\n### 定义 2.1（丙） {#def-2.1}\n\n[丙](#def-2.1) 与 [甲](a.md#def-2.1)。\n",
    }
    (finding,) = findings("duplicate-box-number", pages)
    assert finding.message == "`定义 2.1` is declared a second time, first on line 3 in `a.md`"
    assert finding.related[0].span.path == "a.md"
    assert finding.fix is not None and not finding.fix.safe
    after = fixed(finding.fix, pages)
    assert after["a.md"] == pages["a.md"]
    assert after["b.md"] == "# 3\n\n### 定义 2.3（丙） {#def-2.3}\n\n[丙](#def-2.3) 与 [甲](a.md#def-2.1)。\n"


@pytest.mark.parametrize(
    "pages",
    [
        {"a.md": "**定义 2.1（甲）** 一。", "a-solutions.md": "**定义 2.1（别的）** 二。"},
        {"a.md": "**定义 2.1（甲）** 一。", "z.md": "# 总结\n\n**定义 2.1** 二。"},
        {"a.md": "**定义 2.1（甲）** 一。", "z.md": "**定义 2.1（甲）** 再说一遍。"},
        {"a.md": "**Theorem 2.1 (A).** One.", "z.md": "**Theorem 2.1 (A, restated).** One."},
        {"a.md": "### 例 2.1 {#ex-2.1}\n\n> **例 2.1（甲）** 一。"},
        {"a.md": "**定义 2.1（甲）** 与 **定理 2.1（乙）**\n\n**案例 2.1（丙）**\n\n**定理 2.1（丁）**"},
        {"a.md": "$$\na \\tag{1.2}\n$$", "z.md": "$$\na \\tag{1.2}\n$$ {#EQ-1.2-RECALL}"},
        {"one/a.md": "# Chapter 1\n\n**定义 1.1（甲）**", "one/b.md": "# Chapter 2\n\n**定义 2.1（乙）**"}
        | {"two/a.md": "# Chapter 1\n\n**定义 1.1（丙）**", "two/b.md": "# Chapter 2\n\n**定义 2.1（丁）**"},
        {"a.md": "## 第一部分\n\n**定义 1.1（甲）**\n\n## 第二部分\n\n**定义 1.1（乙）**"},
    ],
)
def test_what_is_no_duplicate(pages: dict[str, str]) -> None:
    assert said("duplicate-box-number", pages) == []


MAIN = (
    "# 2 Circles\n\n## 2.1 Points\n\n**Theorem 2.1.** Three points lie on one circle.\n\n**Exercise 2.2.** Draw it.\n"
)


@pytest.mark.parametrize(
    "again",
    [
        # The same text, as it is set elsewhere, or its beginning.
        "# A Details\n\n## A.1 Points\n\n**Theorem 2.1.** *Three points lie on one circle.*",
        "# A Details\n\n## A.1 Points\n\n> **Theorem 2.1** (Circles).\n>\n> Three points lie on one circle. Only one.",
        # A heading above that says what is done with boxes of elsewhere.
        "# A Technicalities\n\n## A.1 Proof of Theorem 2.1\n\n**Theorem 2.1.** A circle goes through three points.",
        "# A Deferred proofs\n\n## A.1 Points\n\n**Theorem 2.1.** A circle goes through three points.",
        "## 2.9 Summary\n\n### Circles\n\n**Theorem 2.1.** Circles go through three points.",
        "## 2.9 本章小结与习题\n\n**Theorem 2.1** 三点共圆。",
        "# List of theorems\n\n**Theorem 2.1** Circles, Section 2.1",
        "# Theorems at a glance\n\n**Theorem 2.1** — circles.",
        "# Flashcards\n\n**Theorem 2.1** State it.",
        "# Problem set 3\n\n**Exercise 2.2.** Draw a circle.",
        "# Hints\n\n**Exercise 2.2.** Use a compass.",
        "<details>\n<summary>Hint for <b>Exercise 2.2</b></summary>\n\n**Exercise 2.2.** Compass.\n\n</details>",
        # Words before it.
        "We restate the theorem for convenience.\n\n**Theorem 2.1.** A circle goes through three points.",
        "Recall:\n\n**Theorem 2.1.** A circle goes through three points.",
        # A title that says so, or that names a part of the box.
        "# 1 Overview\n\n## 1.1 Results\n\n**Theorem 2.1 (informal).** Points lie on circles.",
        "**Theorem 2.1 (ii).** The circle is unique.",
        "**Exercise 2.2 (b).** Draw another.",
    ],
)
def test_a_box_is_stated_again_on_purpose(again: str) -> None:
    pages = {"main.md": MAIN, "more.md": f"{again}\n"}
    assert said("duplicate-box-number", pages) == []
    assert said("misplaced-box", pages) == []


@pytest.mark.parametrize(
    "again",
    [
        "**Theorem 2.1.** Three points lie on one line.",
        "**Theorem 2.1 (Lines).** Three points lie on one circle.",  # a copy that got another title
        "## 2.3 Solutions of linear systems\n\n**Theorem 2.1.** Lines meet in one point.",
        "## 2.3 Solutions to the wave equation\n\n**Theorem 2.1.** Waves are sums.",
        "## 2.3 Weak solutions\n\n**Theorem 2.1.** They are unique.",
        "## 2.3 Question answering\n\n**Theorem 2.1.** It is hard.",
        "## 2.3 解析几何\n\n**Theorem 2.1** 直线有方程。",
        "## 2.3 Summary statistics\n\n**Theorem 2.1.** The mean is linear.",
        "## 2.3 Proof techniques\n\n**Theorem 2.1.** Induction is one.",
        "## 2.3 列表\n\n**Theorem 2.1.** 列表可以反转。",
        "## 2.3 Lines\n\n#### Proof\n\nClear.\n\n### Theorem 2.1\n\nTwo points lie on one line.",
        "<details>\n<summary>Solution</summary>\n\nDone.\n\n</details>\n\n**Theorem 2.1.** Two points lie on one line.",
        "Recall that a line is straight. We come to lines.\n\n**Theorem 2.1.** Two points lie on one line.",
        "We repeat the experiment.\n\n**Theorem 2.1.** Two points lie on one line.",
    ],
)
def test_a_box_that_only_looks_as_if_it_were_stated_again(again: str) -> None:
    title = "**Theorem 2.1.**" if "(Lines)" not in again else "**Theorem 2.1 (Circles).**"
    pages = {"main.md": MAIN.replace("**Theorem 2.1.**", title), "more.md": f"{again}\n"}
    (found,) = findings("duplicate-box-number", pages)
    assert found.span.path == "more.md"


def test_titles_that_speak_of_recall_and_of_continuity_are_titles() -> None:
    page = "**Definition 2.1 (Precision).** One.\n\n**Definition 2.1 (Precision and recall).** Two."
    assert len(said("duplicate-box-number", page)) == 1
    assert len(said("duplicate-box-number", "**定理 2.1（夹逼）** 甲。\n\n**定理 2.1（连续性）** 乙。")) == 1
    assert said("duplicate-box-number", "**例 2.1（夹逼）** 甲。\n\n**例 2.1（续）** 乙。") == []


def test_one_part_of_a_box_stands_once() -> None:
    page = "**Theorem 2.1 (i).** One.\n\n**Theorem 2.1 (ii).** Two.\n\n**Theorem 2.1 (i).** Three."
    assert said("duplicate-box-number", page) == ["`Theorem 2.1` is declared a second time, first on line 1"]


def test_a_box_that_is_stated_again_has_no_place_in_the_order() -> None:
    page = "# 2\n\n**Theorem 2.1 (A).** One.\n\n**Theorem 2.2 (B).** Two.\n\n**Theorem 2.1 (A, recalled).** One."
    assert said("unordered-box", page) == []


def test_the_box_that_stands_where_it_belongs_is_the_first() -> None:
    """An overview states theorems of later chapters; a second box of the chapter is still a duplicate."""
    pages = {
        "one.md": "# 1 Overview\n\n**Theorem 2.1 (informal).** Points lie on circles.\n",
        "two.md": "# 2 Circles\n\n**Theorem 2.1.** Three points do.\n\n**Theorem 2.1.** Four points need not.\n",
    }
    (found,) = findings("duplicate-box-number", pages)
    assert (found.span.path, [each.span.path for each in found.related]) == ("two.md", ["two.md"])


@pytest.mark.parametrize(
    ("between", "again", "count"),
    [
        ("Hence", r"\boxed{x = y + z}", 0),
        ("Hence", r"x = y + z, \quad y > 0.", 0),
        ("Hence", r"x = y + z \qquad\text{for all } z", 0),
        ("Hence", r"x &= y + z", 0),
        ("Recall that", "x_i = y_i + z_i", 0),
        ("Hence", "x_i = y_i + z_i", 1),
        ("Hence", "x = y - z", 1),
        ("Hence", "x = y + z + w", 1),
    ],
)
def test_an_equation_is_stated_again(between: str, again: str, count: int) -> None:
    page = f"$$\nx = y + z \\tag{{3.1}}\n$$\n\n{between}\n\n$$\n{again} \\tag{{3.1}}\n$$\n"
    assert len(said("duplicate-box-number", page)) == count


def test_boxes_of_sections_of_one_number_tell_of_the_sections() -> None:
    pages = {
        "a.md": "# 3 甲\n\n## 3.1 乙\n\n### 定义 3.1.1（丙）\n",
        "b.md": "# 3 丁\n\n## 3.1 戊\n\n### 定义 3.1.1（己）\n",
    }
    (finding,) = findings("duplicate-box-number", pages)
    assert [related.message for related in finding.related] == [
        "the first declaration",
        "a section 3.1",
        "a section 3.1",
    ]
    assert said("duplicate-section-number", pages) == []


def test_boxes_that_get_new_numbers_get_different_ones() -> None:
    page = "# 2\n\n" + "\n\n".join(f"**定义 2.1（{title}）** 文。" for title in "甲乙丙")
    fixes = [finding.fix for finding in findings("duplicate-box-number", page)]
    assert [edit.replacement for fix in fixes if fix for edit in fix.edits] == ["2.2", "2.3"]


# ── boxes below boxes ────────────────────────────────────────────────────────────────────────────────────

THEOREMS = [f"**Theorem 3.{index} (Title {index}).** Text {index}." for index in range(1, 11)]


def chapter(*boxes: str) -> str:
    return "# 3 Chapter\n\n## 3.9 Section\n\n" + "\n\n".join(boxes)


def test_a_box_may_be_counted_below_another() -> None:
    """Corollaries behind their theorems, all of them or one; but not where others of that depth bear a section."""
    interleaved = [f"{each}\n\n**Corollary 3.{index}.1.** More." for index, each in enumerate(THEOREMS, 1)]
    for page in (chapter(*interleaved), chapter(*THEOREMS[:2], "**Corollary 3.2.1.** More.", *THEOREMS[2:])):
        assert said("misplaced-box", page) == []
        assert said("malformed-box-number", page) == []
    page = chapter("**Definition 3.9.1 (Of the section).** Text.", *interleaved[:3])
    assert said("misplaced-box", page) == [f"`Corollary 3.{index}.1` stands in section `3.9`" for index in (1, 2, 3)]


def test_a_number_below_no_box_is_odd() -> None:
    page = chapter(*THEOREMS, "**Remark 3.12.1** (to Theorem 3.2). More.")
    assert said("malformed-box-number", page) == ["`3.12.1` has three levels, others of the chapter two levels"]


def test_a_number_with_a_section_in_it_is_below_no_box() -> None:
    sections = [f"**Theorem 3.9.{index} (Title {index}).** Text." for index in range(1, 11)]
    page = chapter(*sections, "**Remark 3.1 (Odd).** Text.", "**Theorem 3.1.4 (Astray).** Text.")
    assert said("misplaced-box", page) == ["`Theorem 3.1.4` stands in section `3.9`"]
    assert said("malformed-box-number", page) == ["`3.1` has two levels, others of the chapter three levels"]


# ── books of several kinds ───────────────────────────────────────────────────────────────────────────────


def in_languages(*folders: str) -> dict[str, str]:
    """Two chapters in each of several folders."""
    page = "# {number} {folder}{name}\n\n## {number}.1 {folder}\n\n**Definition {number}.1 (Of {folder})** A.\n"
    return {
        f"{folder}{name}.md": page.format(number=number, folder=folder, name=name)
        for folder in folders
        for number, name in enumerate(("sets", "maps"), 1)
    }


@pytest.mark.parametrize("folders", [("en/", "fr/"), ("", "de/"), ("text/en-GB/", "text/zh_CN/", "text/pt-BR/")])
def test_translations_have_numbers_of_their_own(folders: tuple[str, ...]) -> None:
    pages = in_languages(*folders)
    summary = "".join(f"- [{path}]({path})\n" for path in pages)
    made = Book(
        [
            Document(Source(path, text), parse_markdown(Source(path, text), Dialect.MDBOOK))
            for path, text in pages.items()
        ]
        + [Document(Source("SUMMARY.md", summary), parse_summary(Source("SUMMARY.md", summary)))],
        dialect=Dialect.MDBOOK,
        summary="SUMMARY.md",
    )
    assert [*RULE["duplicate-section-number"].run(made), *RULE["duplicate-box-number"].run(made)] == []


def test_within_one_language_numbers_are_compared() -> None:
    pages = in_languages("en/", "fr/")
    pages["fr/maps.md"] += "\n**Definition 2.1 (Of something else)** B.\n"
    (found,) = findings("duplicate-box-number", pages)
    assert (found.span.path, found.related[0].span.path) == ("fr/maps.md", "fr/maps.md")


def solved(title: str) -> dict[str, str]:
    """A book of this title that solves exercises 1.1 to 1.20, but not 1.7 and 1.14."""
    exercises = "".join(f"## Exercise 1.{n}\n\nAs in Exercise 1.{max(n - 1, 1)}.\n\n" for n in range(1, 21) if n % 7)
    return {"index.md": f"# {title}\n", "sets.md": f"# 1 Sets\n\n{exercises}"}


@pytest.mark.parametrize("title", ["Solutions to Rudin", "Analysis: worked exercises", "《数学分析》习题解答"])
def test_a_book_of_solutions_leaves_exercises_out(title: str) -> None:
    assert said("skipped-box-number", solved(title)) == []
    assert said("dangling-box-reference", solved(title)) == []


@pytest.mark.parametrize("title", ["Analysis", "Weak solutions of equations", "Answering questions"])
def test_a_book_of_exercises_declares_them(title: str) -> None:
    assert len(said("skipped-box-number", solved(title))) == 2
    assert len(said("dangling-box-reference", solved(title))) == 2


# ── quotations ───────────────────────────────────────────────────────────────────────────────────────────


def quoting(number: str, end: str) -> str:
    boxes = "".join(f"**Theorem 3.{index}.** Text {index}.\n\n" for index in range(1, 6))
    return f"# 3 Functions\n\n## 3.4 Limits\n\n{boxes}> **Theorem {number}** (Stone). Each is a limit.{end}\n\nText.\n"


@pytest.mark.parametrize(
    "end",
    [
        "\n>\n> — Rudin, p. 159",
        "\n>\n> -- W. Rudin, *Principles of Mathematical Analysis*, p. 159.",
        "\n> ——周志华《机器学习》",
        "\n>\n> —— 周志华",
        "\n>\n> [Rud76]",
        "\n>\n> (Rudin, p. 159)",
        "\n>\n> 来源：教材第 7 章",
        "\n>\n> *Source:* [Rudin](https://example.org)",
        " — W. Rudin, *Principles of Mathematical Analysis*",
        "\n\n— W. Rudin",
    ],
)
def test_a_quotation_that_names_its_source_declares_nothing_of_the_book(end: str) -> None:
    assert said("misplaced-box", quoting("7.26", end)) == []
    assert said("skipped-box-number", quoting("3.41", end)) == []
    assert said("dangling-box-reference", quoting("3.41", end) + "\nTheorem 3.41 is quoted above.\n") == []


@pytest.mark.parametrize(
    "end",
    [
        "",
        "\n>\n> It is used below.",
        "\n>\n> — in *other* words, they are dense.",
        "\n>\n> ——即它们稠密。",
        "\n>\n> — Proof omitted.",
        "\n>\n> (Proved in 1922 by Banach.)",
        "\n>\n> The set — say, *A* — is open.",
        " — In *Hilbert* spaces it is trivial.",
    ],
)
def test_a_box_in_a_quotation_is_a_box(end: str) -> None:
    assert said("misplaced-box", quoting("7.26", end)) == ["`Theorem 7.26` stands in section `3.4`"]
    assert said("skipped-box-number", quoting("3.8", end)) == ["`3.6` to `3.7` are skipped before `Theorem 3.8`"]


# ── counters ─────────────────────────────────────────────────────────────────────────────────────────────


def numbered(*names: str) -> str:
    return "# 2\n\n## 2.1 Section\n\n" + "\n\n".join(f"**{name} (Title).** Text." for name in names)


FOUR = ("Remark 2.1.1", "Remark 2.1.2", "Remark 2.1.3", "Remark 2.1.4")


def test_kinds_that_collide_do_not_share_a_counter() -> None:
    page = numbered(*FOUR, "Theorem 2.1.1", "Theorem 2.1.2", "Theorem 2.1.4", "Definition 2.1.1")
    assert said("skipped-box-number", page) == ["`2.1.3` is skipped before `Theorem 2.1.4`"]


def test_a_gap_of_a_shared_counter_is_told_once() -> None:
    page = numbered(
        "Definition 2.1.1", "Theorem 2.1.2", "Example 2.1.4", "Theorem 2.1.5", "Definition 2.1.6", "Example 2.1.7"
    )
    assert said("skipped-box-number", page) == ["`2.1.3` is skipped before `Example 2.1.4`"]


def test_a_number_that_stands_twice_explains_the_gap_behind_it() -> None:
    page = numbered(*FOUR, "Theorem 2.1.1") + "\n\n**Theorem 2.1.1 (Other).** Text.\n\n**Theorem 2.1.3 (Title).** Text."
    assert said("duplicate-box-number", page) == ["`Theorem 2.1.1` is declared a second time, first on line 13"]
    assert said("skipped-box-number", page) == []
    assert said("unordered-box", page) == []


def test_a_counter_may_run_on_through_the_sections_of_a_chapter() -> None:
    later = "\n\n## 2.2 Next\n\n**Theorem 2.2.3 (T).**\n\n**Theorem 2.2.4 (T).**"
    page = numbered("Theorem 2.1.1", "Theorem 2.1.2") + later
    assert said("skipped-box-number", page) == []


def test_selected_theorems_of_another_book_are_no_counter() -> None:
    page = numbered("Theorem 2.1.3", "Theorem 2.1.8", "Lemma 2.1.14")
    assert said("skipped-box-number", page) == []
    assert unchecked("skipped-box-number", page) > 0


def test_a_number_far_off_sets_no_order() -> None:
    page = numbered(*FOUR, "Theorem 2.1.1", "Theorem 2.1.9", "Theorem 2.1.2", "Theorem 2.1.3")
    assert said("unordered-box", page) == []
    assert said("skipped-box-number", page) == ["`2.1.4` to `2.1.8` are skipped before `Theorem 2.1.9`"]


def test_several_boxes_behind_one_higher_box_have_one_cause() -> None:
    found = findings("unordered-box", numbered("Remark 2.1.1", "Remark 2.1.4", "Remark 2.1.2", "Remark 2.1.3"))
    assert [finding.message for finding in found] == [
        "`Remark 2.1.2` stands behind `Remark 2.1.4`",
        "`Remark 2.1.3` stands behind `Remark 2.1.4`",
    ]
    assert len({finding.cause for finding in found}) == 1


def test_equal_numbers_of_two_kinds_are_two_counters() -> None:
    names = ("Example 2.1.1", "Example 2.1.2", "Non-Example 2.1.3", "Definition 2.1.1", "Definition 2.1.2")
    assert said("unordered-box", numbered(*names)) == []


# ── places ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_misplaced_box_can_be_numbered_anew_with_its_references() -> None:
    pages = {
        "a.md": "# 2\n\n## 2.1 甲\n\n### 定理 2.1.1 {#thm-2.1.1}\n\n## 2.2 乙\n\n### 定理 2.1.2 {#thm-2.1.2}\n",
        "b.md": "# 3\n\n由定理 2.1.2 与[定理 2.1.2](a.md#thm-2.1.2)，不同于定理 2.1.1、2.1.2。\n",
    }
    (finding,) = findings("misplaced-box", pages)
    assert (finding.message, finding.cause) == ("`定理 2.1.2` stands in section `2.2`", "a.md: 2.1 in 2.2")
    assert finding.fix is not None and not finding.fix.safe
    after = fixed(finding.fix, pages)
    assert "### 定理 2.2.1 {#thm-2.2.1}" in after["a.md"]
    assert after["b.md"] == "# 3\n\n由定理 2.2.1 与[定理 2.2.1](a.md#thm-2.2.1)，不同于定理 2.1.1、2.2.1。\n"


@pytest.mark.parametrize(
    "page",
    [
        "# 2\n\n## 2.2 A\n\n### 2.2.3 B\n\n**Theorem 2.2.1 (T).**",
        "# 2\n\n## 2.2 A\n\n**Exercise 2.5 (E).**\n\n## Exercises\n\n**Exercise 2.6 (E).**",
        "# Chapter 6A: X\n\n**Exercise 6A.1 (E).**",
        "# Notes\n\n**Theorem 2.2.1 (T).**",
        "# 2\n\n## 2.2 A\n\n$$\nx \\tag{1.2}\n$$",
        "# 2\n\n## 2.2 A\n\n### 1.2.1 Stray\n\n**Theorem 2.2.1 (T).**",
        "# 第 2 讲 总结\n\n## 2.2 A\n\n**定理 2.1.1** 再说一遍。",
        "# Chapter 2\n\n## 2A Spaces\n\n**Exercise 2A.1.** A.\n\n**Exercise 2A.2.** B. See Section 2A.",
        "# Chapter 2\n\n## 2.A Spaces\n\n## 2.B Maps\n\n### Easy\n\n**Proposition 2B.1.** A.",
        "# Chapter 2\n\n## 2A Spaces\n\n### 2A.1 Bases\n\n**Exercise 2A.1.1.** A.",
    ],
)
def test_a_box_stands_where_it_belongs(page: str) -> None:
    assert said("misplaced-box", page) == []


@pytest.mark.parametrize(
    "page",
    [
        "# Chapter 2\n\n## 2A Spaces\n\n## 2B Maps\n\n**Exercise 2A.1.** A.",
        "# Chapter 2\n\n## Spaces\n\n**Exercise 2A.1.** A.",
        "# Chapter 2\n\n## 2D graphics\n\n**Exercise 3D.1.** A.",
        "# 2A Spaces\n\n# Chapter 2\n\n**Exercise 2A.1.** A.",
    ],
)
def test_a_letter_is_a_section_where_a_heading_above_says_so(page: str) -> None:
    assert len(said("misplaced-box", page)) == 1


# ── sections ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_file_that_was_renamed_alone_is_one_cause() -> None:
    pages = {
        "ch10.md": "# Chapter 10: Python\n\n## 10.1 A\n\n## 10.2 B\n\n## 10.3 Same\n",
        "ch11.md": "# Chapter 10: Rust\n\n## 10.1 C\n\n## 10.2 D\n\n## 10.3 Same\n",
        "ch12.md": "# Chapter 11: Zig\n\n## 11.1 A\n",
    }
    found = findings("duplicate-section-number", pages)
    assert {(finding.span.path, finding.cause) for finding in found} == {("ch11.md", "ch11.md: numbered as ch10.md")}
    assert len(found) == 4


@pytest.mark.parametrize(
    "pages",
    [
        {"a.md": "# Chapter 1: A\n\n## 1.1 B\n", "b.md": "# Chapter 1 — Exercises\n\n## 1.1 C\n"},
        {"a.md": "# Chapter 1: A\n\n## 1.1 B\n", "b.md": "# Chapter 1: D\n"},
        {"a.md": "# Changelog\n\n## 1.1 B\n", "b.md": "# Changelog\n\n## 1.1 C\n"},
        {"a.md": "# Chapter 1: A\n\n## 1.1 B\n", "b.md": "# Outline\n\n## Chapter 1: A\n\n### 1.1 C\n"},
        {"a.md": "# A\n\n## B\n\n#### 1. One\n\n#### 2. Two\n\n## C\n\n#### 1. One more\n"},
        {"a.md": "# A\n\n## 1. B\n\n### 1.1 C\n\n# D\n\n## 1. E\n\n### 1.1 F\n"},
        {"a.md": "# A\n\n## 第一节\n\n# B\n\n## 第一节\n"},
        {"a.md": "# 3\n\n## 3.1 A\n\n## 3.2 B\n\n## 3.3 Exercises\n\n### Section 3.1\n\n### Section 3.2\n"},
        {"a.md": "# 3\n\n## 3.1 A\n\n## 3.2 B\n\n## 3.3 Summary\n\n### 3.1 What A was\n\n### 3.2 What B was\n"},
        {"a.md": "# 3\n\n## 3.1 甲\n\n## 3.2 小结\n\n### 3.1 甲的要点\n"},
    ],
)
def test_what_is_no_duplicate_section(pages: dict[str, str]) -> None:
    assert said("duplicate-section-number", pages) == []


@pytest.mark.parametrize(
    "page",
    [
        "# 3\n\n## 3.1 A\n\n## 3.2 B\n\n### 3.1 Slip\n",
        "# 3\n\n## 3.1 A\n\n## 3.2 Exercises\n\n## 3.1 B\n",
        "# 3 Exercises\n\n## 3.1 A\n\n## 3.1 B\n",
        "# 3\n\n## 3.1 Exercises\n\n### 3.1.1 A\n\n### 3.1.1 B\n",
    ],
)
def test_a_section_that_gathers_others_excuses_no_slip(page: str) -> None:
    assert len(said("duplicate-section-number", page)) == 1


def test_sections_below_one_item_are_compared() -> None:
    assert said("duplicate-section-number", "# Notes\n\n## 1. A\n\n### 1.1 B\n\n### 1.1 C\n") == [
        "the section number `1.1` is given a second time, first on line 5"
    ]


# ── kinds and fences ─────────────────────────────────────────────────────────────────────────────────────


def test_a_prefix_that_a_book_always_writes_is_its_habit() -> None:
    often = "\n\n".join(f"**Lemma 2.{n} (L).** {{#thm-2.{n}}}" for n in range(1, 4))
    assert said("mismatched-box-kind", often) == []
    assert (
        len(
            said("mismatched-box-kind", often.replace("**Lemma 2.3 (L).** {#thm-2.3}", "**Lemma 2.3 (L).** {#lem-2.3}"))
        )
        == 2
    )


FENCES = "# 2\n\n## 2.1 A\n\n{}\n\n## 2.2 B\n\n**Theorem 2.2.1 (T).** Text.\n\n```python\nx = 1\n```\n\n## 2.3 C\n"


@pytest.mark.parametrize(
    ("stray", "line"),
    [("```", 5), ("```python", 5), ("~~~", 5), ("````", 5), ("> quoted\n\n```js", 7)],
)
def test_a_stray_fence_is_found_where_it_opens(stray: str, line: int) -> None:
    page = FENCES.format(stray)
    found = findings("swallowed-text", page)
    assert [page.count("\n", 0, finding.span.start) + 1 for finding in found] == [line]


def test_the_first_fence_out_of_step_is_blamed() -> None:
    page = "# 2\n\n```\n\n## 2.1 A\n\n```\ncode\n```\n\n## 2.2 B\n"
    (finding,) = findings("swallowed-text", page)
    assert page.count("\n", 0, finding.span.start) == 2
    assert re.search(r"swallows `2\.1`, and closes on line 7 only", finding.message)


def test_a_template_in_front_of_other_mistakes_is_not_blamed() -> None:
    page = "# 2\n\n```\n## 2.1 A title\n```\n\n```python\nx = 1\n```\n\n```js\n\n## 2.2 B\n"
    (finding,) = findings("swallowed-text", page)
    assert page.count("\n", 0, finding.span.start) == 10


def test_a_fence_within_a_fence_that_shows_markdown_swallows_what_follows() -> None:
    page = "# 2\n\n```markdown\n## 9.9 Shown\n```bash\nls\n```\n\nmore\n```\n\n## 2.1 A\n\n```\ncode\n```\n\n## 2.2 B\n"
    (finding,) = findings("swallowed-text", page)
    assert page.count("\n", 0, finding.span.start) == 9
    assert "swallows `2.1`" in finding.message
