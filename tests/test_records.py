"""Tables read as records: what is one, what is in its cells, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintbook.checks import RULES
from lintbook.dialect import Dialect
from lintbook.engine import check
from lintbook.facts import Erratum, Facts, LooseForm
from lintbook.parse import parse_markdown
from lintbook.text import Source


def read(text: str, path: str = "errata.md") -> Facts:
    return parse_markdown(Source(path, text), Dialect.MDBOOK)


def said(erratum: Erratum) -> tuple[str, ...]:
    return (erratum.location.text, erratum.original.text, erratum.correction.text)


@pytest.mark.parametrize(
    ("header", "row", "record"),
    [
        ("| 位置 | 原表述 | 更正 | 说明 |", "| a | b | c | d |", ("a", "b", "c")),
        ("| 页码 | 位置 | 原文 | 修正为 | 缺陷追踪 |", "| 1 | a | b | c | d |", ("a", "b", "c")),
        ("| 该当箇所 | 誤 | 正 |", "| a | b | c |", None),  # 该 is no Japanese letter
        ("| 該当箇所 | 誤 | 正 |", "| a | b | c |", ("a", "b", "c")),
        ("章-節 | 頁 (図, 表番号) | 誤 | 正 | 備考", "a | 3 | b | c | d", ("a", "b", "c")),
        ("| Page | Location | Error | Correction |", "| 1 | a | b | c |", ("a", "b", "c")),
        ("| *Location* | **As printed** | Should read |", "| a | b | c |", ("a", "b", "c")),
        ("| 编号 | 发现版本 | 位置 | 原文 | 修正 | 状态 |", "| 1 | v1 | a | b | c | ok |", ("a", "b", "c")),
        ("| Correction | Original | Page |", "| c | b | a |", ("a", "b", "c")),
        ("| 位置/文件 | 误 | 正 |", "| a | b | c |", ("a", "b", "c")),
        ("| 章节 | 原书 | 应改为 | 备注 |", "| a | b | c | |", ("a", "b", "c")),
        ("| Page | Printed | Corrigendum |", "| a | b | c |", ("a", "b", "c")),
        ("| Location | Correction |", "| a | c |", None),
        ("| Error | Correction |", "| b | c |", None),
        ("| Line | Before | After |", "| a | b | c |", None),
        ("| Location | Error | Message |", "| a | b | c |", None),
    ],
)
def test_the_header_says_that_a_table_lists_errata(header: str, row: str, record: tuple[str, ...] | None) -> None:
    rule = "|".join(["---"] * header.strip("| ").count("|") + ["---"])
    facts = read(f"# Page\n\n{header}\n{rule}\n{row}\n", "page.md")
    assert [said(erratum) for erratum in facts.errata] == ([record] if record else [])


def test_common_words_head_errata_where_errata_are_spoken_of() -> None:
    table = "| Line | Before | After |\n|---|---|---|\n| 3 | b | c |\n"
    assert [said(each) for each in read(f"# Errata\n\n{table}", "page.md").errata] == [("3", "b", "c")]
    assert [said(each) for each in read(f"# Page\n\n## Errata\n\n{table}", "page.md").errata] == [("3", "b", "c")]
    assert [said(each) for each in read(f"# Page\n\n{table}", "ERRATUM.md").errata] == [("3", "b", "c")]
    assert read(f"# Page\n\n## Errata\n\nx\n\n## Other\n\n{table}", "page.md").errata == ()


def test_cells_keep_their_places() -> None:
    text = "# 勘误\n\n位置 | 原文 | 修正 \n---|---|---\n`a.md` 定义 1.1.1 | x\\|y<br>`z` | **w** 见 [b](b.md) \n"
    (erratum,) = read(text).errata
    for cell, written in (
        (erratum.location, "`a.md` 定义 1.1.1"),
        (erratum.original, "x\\|y<br>`z`"),
        (erratum.correction, "**w** 见 [b](b.md)"),
    ):
        assert text[cell.span.start : cell.span.end] == written
    assert said(erratum) == ("a.md 定义 1.1.1", "x|yz", "w 见 b")
    (reference,) = erratum.location.references
    assert text[reference.span.start : reference.span.end] == "定义 1.1.1"
    (link,) = erratum.correction.links
    assert link.destination == "b.md"


def test_references_of_records_are_not_those_of_the_page() -> None:
    table = "| 位置 | 原文 | 修正 | 说明 |\n|---|---|---|---|\n| 定义 1.1.1 | 定义 1.1.2 | 定义 1.1.3 | 定义 1.1.4 |\n"
    facts = read(f"# 勘误\n\n{table}\n见定义 1.1.5。\n")
    assert [str(reference.number) for reference in facts.references] == ["1.1.4", "1.1.5"]


def test_anchors_quoted_by_a_record_are_none_of_the_page() -> None:
    table = "| 位置 | 原文 | 修正 | 说明 |\n|---|---|---|---|\n| a | {#def-2-1} | {#def-2.1.1} | {#def-2.1.2} |\n"
    facts = read(f"# 勘误\n\n{table}")
    assert [anchor.id for anchor in facts.anchors] == ["def-2.1.2"]
    assert [str(box.number) for box in facts.boxes] == ["2.1.2"]


@pytest.mark.parametrize(
    ("row", "lacking", "excess"),
    [
        ("| a | b | c | d |", (), None),
        ("| a | b | c | |", (), None),
        ("| a | b | c |", ("Note",), None),
        ("| a | b |", ("Correction", "Note"), None),
        ("a | b | c |", (), None),  # an empty cell is meant behind the pipe
        ("a | b | c", ("Note",), None),
        ("| a | b | c | d | e |", (), "e"),
        ("| a | b | c | d | e | f", (), "e | f"),
        ("| a | b\\|b | c | d |", (), None),
    ],
)
def test_rows_that_are_too_short_or_too_long(row: str, lacking: tuple[str, ...], excess: str | None) -> None:
    text = f"# Errata\n\n| Location | Error | Correction | Note |\n|---|---|---|---|\n{row}\n"
    (erratum,) = read(text).errata
    assert erratum.lacking == lacking
    found = erratum.excess
    assert (text[found.start : found.end] if found else None) == excess


@pytest.mark.parametrize(
    ("above", "row", "count"),
    [
        ("Sample row:", "| 7 | Fig 1.7 | fooo | foo |", 0),
        ("格式如下：", "| 7 | 图 1.7 | 错 | 对 |", 0),
        ("Rows in page order.", "| 7 | Fig 1.7 | fooo | foo |", 1),
        ("Rows.", "| 1 | - | - | - |", 0),
        ("Rows.", "| 1 | 暂无 | — | — |", 0),
        ("Rows.", "| 1 | (sample) | fooo | foo |", 0),
        ("Rows.", "| 1 | Example 2.3 | fooo | foo |", 1),
        ("Sample rows:", "| 7 | a | b | c |\n| 8 | a | b | c |\n| 9 | a | b | c |", 3),
    ],
)
def test_samples_and_place_holders_are_no_errata(above: str, row: str, count: int) -> None:
    facts = read(f"# Errata\n\n{above}\n\n| Page | Location | Error | Correction |\n|---|---|---|---|\n{row}\n")
    assert len(facts.errata) == count


def test_a_fenced_sample_and_an_empty_table_are_no_errata() -> None:
    table = "| Page | Error | Correction |\n|---|---|---|\n"
    facts = read(f"# Errata\n\n```markdown\n{table}| 7 | a | b |\n```\n\n{table}")
    assert (facts.errata, facts.loose_records) == ((), ())


def test_items_of_a_plain_form_are_records_and_others_are_loose() -> None:
    text = (
        "# Errata\n\nKeep rows short.\n\n- p. 7: `teh` → `the`\n- on page 9 it should be `a`\n- a: b → c → d\n"
        "- nothing to see\n\n## Page 12: two should be three\n"
    )
    facts = read(text)
    assert [said(erratum) for erratum in facts.errata] == [("p. 7", "teh", "the")]
    loose = [text[each.span.start : each.span.end] for each in facts.loose_records]
    assert loose == ["on page 9 it should be `a`", "a: b → c → d", "Page 12: two should be three"]
    assert {each.form for each in facts.loose_records} == {LooseForm.PROSE}
    assert read(text.replace("# Errata", "# Arrows"), "page.md").loose_records == ()


def test_a_table_without_a_place_is_loose_on_an_errata_page() -> None:
    table = "| Error | Correction |\n|---|---|\n| a | b |\n"
    (loose,) = read(f"# Errata\n\n{table}").loose_records
    assert loose.form is LooseForm.COLUMNS
    assert read(f"# Page\n\n{table}", "page.md").loose_records == ()


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("# 勘误\n\n| 位置 | 问题 | 状态 |\n|---|---|---|\n| 2.6 | 默认值 | 待核实 |\n", 1),
        ("# 页\n\n待核实的条目：\n\n| 位置 | 问题 |\n|---|---|\n| 2.6 | 默认值 |\n", 1),
        ("# Page\n\n## Open questions\n\n| Where | Question |\n|---|---|\n| 2.6 | which |\n", 1),
        ("# 页\n\n| 位置 | 问题 |\n|---|---|\n| 2.6 | 默认值 |\n", 0),
        ("# 勘误\n\n| 位置 | 问题 |\n|---|---|\n| - | 无 |\n", 0),
        ("# 勘误\n\n| 位置 | 问题 | 修正 |\n|---|---|---|\n| 2.6 | 默认值 | 改了 |\n", 0),
    ],
)
def test_tables_of_open_questions(text: str, count: int) -> None:
    assert len(read(text, "page.md").open_questions) == count


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("比例约为三成（待核实）。", ["待核实"]),
        ("**需核实**：比例。", ["需核实"]),
        ("比例待核实。", ["待核实"]),
        ("[to be verified] and (unverified: see below)", ["to be verified", "unverified"]),
        ("標準値（要確認）", ["要確認"]),
        ("标“待核实”的，`待核实`，凡待核实的，待核实的条目，无需核实。", []),
        ("the claim to be verified; unverified claims", []),
        ("## 待核实", []),
    ],
)
def test_doubts_are_marks_and_not_words_about_them(text: str, marks: list[str]) -> None:
    assert [doubt.mark for doubt in read(f"# 页\n\n{text}\n", "page.md").doubts] == marks


@pytest.mark.parametrize(
    ("header", "cell", "terms"),
    [
        ("| 术语 | 常见误用／误译 | 正确理解 |", "`钥匙`、`关键字`", [("钥匙", "键"), ("关键字", "键")]),
        ("| Use | Avoid | Note |", "`foo` or bar", [("foo", "键")]),
        ("| 中文 | 常见误写 | 出处 |", "`钥匙`", [("钥匙", "键")]),
        ("| 术语 | 常见误用 | 说明 |", "当成同一个数", []),
        ("| 术语 | 含义 | 常见混淆 |", "`钥匙`", []),
        ("| File | Avoid | Note |", "`foo`", []),
    ],
)
def test_code_in_the_column_of_mistakes_is_discouraged(header: str, cell: str, terms: list[tuple[str, str]]) -> None:
    facts = read(f"# 页\n\n{header}\n|---|---|---|\n| 键 | {cell} | x |\n", "page.md")
    assert [(term.text, term.instead) for term in facts.discouraged_terms] == terms


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("截至 2025 年的默认", [(2025, 0)]),
        ("截至2024年6月，截止到 2023-01", [(2024, 6), (2023, 1)]),
        ("As of May 10, 2016, and as of 10 June 2017", [(2016, 5), (2017, 6)]),
        ("as of 2026-08-31, as of late 2024, as of the end of 2023", [(2026, 8), (2024, 0), (2023, 0)]),
        ("`as of 2020`, as often 2020, as of 20203", []),
    ],
)
def test_dated_statements(text: str, dates: list[tuple[int, int]]) -> None:
    found = read(f"# 页\n\n{text}\n", "page.md").dated_statements
    assert [(each.year, each.month) for each in found] == dates


def test_columns_may_be_headed_by_other_words(tmp_path: Path) -> None:
    (tmp_path / "lintbook.toml").write_text(
        "[columns]\nlocation = ['Fundstelle']\noriginal = ['Fehler']\ncorrection = ['Richtig']\n", encoding="utf-8"
    )
    table = "| Fundstelle | Fehler | Richtig |\n|---|---|---|\n| `nowhere.md` | a | b |\n"
    (tmp_path / "page.md").write_text(f"# Druckfehler\n\n{table}", encoding="utf-8")
    rules = [rule for rule in RULES if rule.family == "errata"]
    (found,) = check(["."], tmp_path, rules).diagnostics
    assert found.message == "`nowhere.md` is no file of the book"
    (tmp_path / "lintbook.toml").write_text("", encoding="utf-8")
    assert check(["."], tmp_path, rules).diagnostics == ()


def test_hostile_tables_take_linear_time() -> None:
    """Ten thousand rows, rows of ten thousand pipes, and items that promise an arrow and have none."""
    header = "# 勘误\n\n| 位置 | 原文 | 修正 |\n|---|---|---|\n"
    assert len(read(header + "| a | `b` | `c` |\n" * 10_000).errata) == 10_000
    assert len(read(header + "| a | b | c " + "| d " * 10_000 + "|\n").errata) == 1
    assert read("# 勘误\n\n- " + "replace a: " * 20_000).errata == ()
