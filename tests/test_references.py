"""Rules about cross-references: what is known to be missing, where labels lead, what is said once."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_boxes import book, findings, fixed, said, unchecked

from lintbook.book import Book
from lintbook.checks.references.legacy import reference_to_legacy
from lintbook.diagnostic import Finding
from lintbook.dialect import Dialect
from lintbook.engine import check
from lintbook.facts import Document
from lintbook.parse import parse_markdown
from lintbook.parse.project import parse_project
from lintbook.text import Source

BOXES = (
    "# 2\n\n## 2.1 A\n\n**Theorem 2.1.1 (T).**\n\n**Theorem 2.1.2 (T).**\n\n**Definition 2.1.1 (D).** {#DEF-2.1.1}\n\n"
)


# ── boxes ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("By Theorem 2.1.9.", "`Theorem 2.1.9` is declared nowhere"),
        ("By [DEF-2.1.2].", "`DEF-2.1.2` is declared nowhere: 2.1.2 is a theorem"),
        ("By Lemma 2.1.1.", "`Lemma 2.1.1` is declared nowhere: 2.1.1 is a theorem"),
        ("Theorems 2.1.1–2.1.4", "`Theorems 2.1.1–2.1.4` reaches `Theorem 2.1.3` and 1 more, which no page declares"),
    ],
)
def test_a_box_that_is_not_there(text: str, message: str) -> None:
    assert said("dangling-box-reference", BOXES + text) == [message]


@pytest.mark.parametrize(
    "text",
    [
        "By Theorem 2.1.1 and [DEF-2.1.1(a)], Definition 2.1.1b",
        "Theorem 2.1.9 of [Nes], [@folland, Theorem 2.1.9]",
        "see [Theorem 2.1.9](https://example.org/p) and [Theorem 2.1.9](#nowhere)",
        "Puzzle 2.1.9, Figure 2.1.9",
        "```\n### Theorem 2.1.9 (T)\n```\n\nBy Theorem 2.1.9.",
    ],
)
def test_a_box_that_is_there_or_elsewhere(text: str) -> None:
    assert said("dangling-box-reference", BOXES + text) == []


def test_the_nearest_number_of_the_section_is_offered() -> None:
    (finding,) = findings("dangling-box-reference", BOXES + "By Theorem 2.1.4.")
    assert finding.advice == "the nearest is Theorem 2.1.2"


def test_a_range_of_theorems_may_hold_a_lemma_but_not_end_in_one() -> None:
    page = "**Theorem 2.1 (T).**\n\n**Lemma 2.2 (L).**\n\n**Theorem 2.3 (T).**\n\n"
    assert said("dangling-box-reference", page + "Theorems 2.1–2.3") == []
    assert len(said("dangling-box-reference", page + "Theorems 2.1–2.2")) == 1


def test_a_page_that_comments_another_book_names_what_it_does_not_declare() -> None:
    page = "**定理4.1**（甲）很强。\n\n" + "".join(f"由定理4.{n}得。\n\n" for n in range(2, 12))
    assert said("dangling-box-reference", page) == []
    assert unchecked("dangling-box-reference", page) == 10


# ── sections ─────────────────────────────────────────────────────────────────────────────────────────────

SECTIONS = "# Chapter 1: A\n\n## 1.1 B\n\n### 1.1.1 C\n\n### 1.1.2 D\n\n## 1.2 E\n\n**Theorem 1.4.1 (T).**\n\n"
OTHERS = {"two.md": "# Chapter 2: F\n\n## 2.1 G\n", "four.md": "# Chapter 4: H\n\n## 4.1 I\n"}


def sections(text: str) -> list[str]:
    return said("dangling-section-reference", {"one.md": SECTIONS + text, **OTHERS})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("see §1.3", "`§1.3` is not in the book"),
        ("see Section 1.1.4", "`Section 1.1.4` is not in the book"),
        ("见第 1.3 节", "`第 1.3 节` is not in the book"),
        ("见 1.3 节", "`第 1.3 节` is not in the book"),
        ("见（1.1.4）", "`1.1.4` is not in the book"),
        ("see §3.1", "`§3.1` is not in the book"),
        ("see Chapter 3", "`Chapter 3` is not in the book"),
        ("see Chapter 5", "`Chapter 5` is not in the book"),
        ("Sections 1.1–1.4", "`Sections 1.1–1.4` reaches `Sections 1.3`, not in the book"),
    ],
)
def test_a_section_that_is_not_there(text: str, message: str) -> None:
    assert sections(text) == [message]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "§1.1.2, Section 1.2, Chapter 4, （1.1.1）",
            "§1.4 has boxes alone",
            "（1.4.1）is a box",
            "（1.2.4）, （1.3）",
        ),
        *("§2.1.4 in a chapter that is not divided so", "Section 3", "Chapter 17", "§17.4", "Section 1.9 of Knuth"),
        "Chapter 3 — Rings — is planned; see Chapter 3",
        "see [Section 1.9](two.md)",
        "```\n## 1.3 Swallowed\n```\n\nsee §1.3",
    ],
)
def test_a_section_that_is_there_or_not_known(text: str) -> None:
    assert sections(text) == []


def test_a_chapter_that_is_named_again_and_again_is_planned() -> None:
    assert sections("See Chapter 3. " * 3) == ["`Chapter 3` is not in the book"] * 3
    assert sections("See Chapter 3. " * 4) == []


def test_a_page_that_mostly_names_other_sections_speaks_of_another_book() -> None:
    assert sections("see §1.3, §1.4.2, §1.5, §1.6") == []
    assert len(sections("see §1.1, §1.2, §1.1.1, §1.1.2, §1.3, §1.5, §1.6")) == 3


def test_volumes_have_sections_of_their_own() -> None:
    pages = {
        f"{folder}/{number}.md": f"# Chapter {number}: {folder}\n\n## {number}.1 A\n\n## {number}.2 B\n"
        for folder in ("guide", "studies")
        for number in (1, 2, 3)
    }
    pages["studies/3.md"] += "\n## 3.3 C\n"
    pages["guide/1.md"] += "\nsee §2.1 and §3.3\n"
    (finding,) = findings("dangling-section-reference", pages)
    assert (finding.span.path, finding.message) == ("guide/1.md", "`§3.3` is not in the book")
    assert said("duplicate-section-number", pages) == []


# ── labels ───────────────────────────────────────────────────────────────────────────────────────────────

PAGE = """\
# 4 Symbols

## 4.1 Relations {#sec-4.1}

### Definition 4.1.1 (Equal) {#def-4.1.1}

### Definition 4.1.2 (Less) {#def-4.1.2}

### Lemma 4.1.1 (Order) {#lem-4.1.1}

**Theorem 4.1.2 (Sums).** {#THM-4.1.2-sums}

### 4.1.3 History {#REM-4.1.3}

### Definition 4.1.4 (Stale) {#def-4.1.5}

<a id="thm-4.1.7"></a>

### Theorem 4.1.7 (Products)

"""


@pytest.mark.parametrize(
    ("link", "arrives"),
    [
        ("[Definition 4.1.1](#def-4.1.2)", "`Definition 4.1.2`"),
        ("[Theorem 4.1.1](#lem-4.1.1)", "`Lemma 4.1.1`"),
        ("[see Def. 4.1.2](#def-4.1.1)", "`Definition 4.1.1`"),
        ("[**Definition 4.1.2** (Less)](#def-4.1.1)", "`Definition 4.1.1`"),
        ("[4.1.2](#def-4.1.1)", "`Definition 4.1.1`"),
        ("[DEF-4.1.2](#def-4.1.1)", "`Definition 4.1.1`"),
        ("[Theorem 4.1.2](#thm-4.1.7)", "`Theorem 4.1.7`"),
        ("[Section 4.2](#sec-4.1)", "section `4.1`"),
        ("[§4.1.2](#REM-4.1.3)", "section `4.1.3`"),
        ("[Definition 4.1.2](#definition-411-equal)", None),
    ],
)
def test_a_label_that_names_something_else(link: str, arrives: str | None) -> None:
    messages = said("mismatched-link-label", PAGE + link)
    assert [message.rpartition("arrives at ")[2] for message in messages] == ([arrives] if arrives else [])


@pytest.mark.parametrize(
    "link",
    [
        *(
            "[Definition 4.1.1](#def-4.1.1)",
            "[定义 4.1.1](#def-4.1.1)",
            "[4.1.1](#def-4.1.1)",
            "[DEF-4.1.1](#def-4.1.1)",
        ),
        *("[Theorem 4.1.2](#THM-4.1.2-sums)", "[Theorem 4.1.7 (Products)](#thm-4.1.7)", "[Remark 4.1.3](#REM-4.1.3)"),
        *("[Section 4.1.3](#REM-4.1.3)", "[Section 4.1](#REM-4.1.3)", "[§4.1.3](#sec-4.1)", "[Chapter 4](#sec-4.1)"),
        *("[the proof of Theorem 4.1.9](#lem-4.1.1)", "[Definitions 4.1.1 and 4.1.2](#lem-4.1.1)", "[4.1.9](#sec-4.1)"),
        *("[Definition 4.1.4](#def-4.1.5)", "[Definition 4.1.5](#def-4.1.5)", "[Definition 4.1.1](#nowhere)"),
        *("[Theorem 4.1.9](https://example.org)", "![Definition 4.1.2](#def-4.1.1)", "[Definition 4.1.2](gone.md)"),
        *("`[Definition 4.1.2](#def-4.1.1)`", "[Section 3](#sec-4.1)"),
    ],
)
def test_a_label_that_fits_or_says_too_little(link: str) -> None:
    assert said("mismatched-link-label", PAGE + link) == []


def test_the_box_of_the_label_is_offered() -> None:
    page = PAGE + "[Definition 4.1.2](#def-4.1.1)"
    (finding,) = findings("mismatched-link-label", page)
    assert finding.fix is not None and not finding.fix.safe
    assert fixed(finding.fix, page)["page.md"].endswith("[Definition 4.1.2](#def-4.1.2)")


def test_reference_links_are_judged_by_their_labels() -> None:
    assert len(said("mismatched-link-label", PAGE + "[Definition 4.1.2][d]\n\n[d]: #def-4.1.1")) == 1


# ── old addresses and links that nobody meant ────────────────────────────────────────────────────────────

LEGACY = {
    "book.toml": '[output.html.redirect]\n"/old.html" = "new.html"\n"/old.html#def-2-1" = "new.html#def-2.2.1"\n',
    "src/SUMMARY.md": "# S\n\n- [New](new.md)\n- [More](sub/more.md)\n",
    "src/new.md": "# 2.2 New\n\n### 定义 2.2.1（状态） {#def-2.2.1}\n",
    "src/old.md": "# 旧\n\n### 定义 2.1（状态） {#def-2-1}\n\n[自己](#def-2-1)，定义 2.1。\n",
}


def legacy(text: str) -> list[Finding]:
    from lintbook.parse.summary import parse_summary

    project, facts = parse_project(Source("book.toml", LEGACY["book.toml"]))
    documents = [Document(Source("book.toml", LEGACY["book.toml"]), facts)]
    for path, content in {**LEGACY, "src/sub/more.md": text}.items():
        source = Source(path, content)
        if path.endswith("SUMMARY.md"):
            documents.append(Document(source, parse_summary(source)))
        elif path.endswith(".md"):
            documents.append(Document(source, parse_markdown(source, Dialect.MDBOOK)))
    found = Book(
        documents,
        dialect=Dialect.MDBOOK,
        source_root="src",
        project=project,
        project_file="book.toml",
        summary="src/SUMMARY.md",
    )
    return [each for each in reference_to_legacy.run(found) if isinstance(each, Finding)]


@pytest.mark.parametrize(
    ("text", "destination"),
    [
        ("[x](../old.md#def-2-1)", "../new.md#def-2.2.1"),
        ("[x](../old.html#def-2-1)", "../new.md#def-2.2.1"),
        ("[x](../old.md)", "../new.md"),
        ("[x](../old.md#unknown)", "../new.md"),
    ],
)
def test_a_link_to_an_old_address_is_led_to_the_new_one(text: str, destination: str) -> None:
    (finding,) = legacy(text)
    assert finding.fix is not None and finding.fix.safe
    (edit,) = finding.fix.edits
    assert edit.replacement == destination
    assert text[edit.span.start : edit.span.end] == text[4:-1]


def test_a_link_of_included_text_is_led_on_from_the_page_that_it_stands_on(tmp_path: Path) -> None:
    pages = {
        **LEGACY,
        "src/SUMMARY.md": "# Summary\n\n- [新](new.md)\n- [多](more.md)\n",
        "src/more.md": "# 2.3 More\n\n{{#include parts/note.txt}}\n",
        "src/parts/note.txt": "[x](old.md#def-2-1)\n",
    }
    for path, text in pages.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    report = check((".",), tmp_path, cached=False)
    (found,) = (each for each in report.diagnostics if each.rule == "reference-to-legacy")
    assert found.span.path == "src/parts/note.txt" and found.fix is not None
    assert [edit.replacement for edit in found.fix.edits] == ["new.md#def-2.2.1"]


def test_a_retired_number_is_called_by_its_new_name() -> None:
    (finding,) = legacy("见定义 2.1。")
    assert finding.message == "`定义 2.1` is a retired number: it leads on to `定义 2.2.1`"


@pytest.mark.parametrize(
    "text", ["（原定义 2.1）", "formerly Definition 2.1", "定义 2.2.1", "[x](../new.md#def-2.2.1)"]
)
def test_what_is_no_reference_to_legacy(text: str) -> None:
    assert legacy(text) == []


def test_part_of_a_box_is_told_from_a_link_and_a_backslash_keeps_them_apart() -> None:
    page = "By [DEF-2.2.7](a) it holds."
    (finding,) = findings("accidental-link", page)
    assert finding.fix is not None
    after = fixed(finding.fix, page)["page.md"]
    assert after == "By [DEF-2.2.7]\\(a) it holds."
    assert not book(after).pages[0].facts.links


def test_a_link_in_a_formula_is_one_in_mdbook_alone() -> None:
    page = "The entry $A[i](j)$."
    assert said("accidental-link", page, Dialect.MDBOOK) == ["`[i](j)` in a formula is a link to `j`"]
    assert said("accidental-link", page, Dialect.PANDOC) == []
