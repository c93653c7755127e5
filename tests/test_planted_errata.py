"""Faults planted into the clean lecture book: each is found on its line and in its cell, and nothing else is said."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from lintbook.checks import RULES
from lintbook.diagnostic import Severity
from lintbook.engine import check

KV = "`sec25.md` 方法 2.5.3 | $2LBTn_{kv}d_h$ 字节 | $2LBTn_{kv}d_hs$ 字节，三档为 $4$ GiB / $1$ GiB / $0.125$ GiB |  |"
CLEAN = Path(__file__).parent.parent / "fixtures" / "books" / "lecture-2"
OURS = [rule for rule in RULES if rule.family in ("errata", "terms", "labels")]
ERRATA, SECTIONS = "src/lectures/errata2.md", "src/lectures"
SVG_ROW = "| `sec22.md`、`sec23.md`、`sec24.md` 的三张图 |"
QUESTIONS = "| 2.6.6 | 扩窗时频率缩放的默认值因框架而异 | 待核实 |"
TERM = "| 译成“问题、钥匙、数值” |"


class Fault(NamedTuple):
    """Edits of files (old and new text), and what must be found: rule, path, and the text that begins at the place."""

    name: str
    edits: tuple[tuple[str, str, str], ...]
    found: tuple[tuple[str, str, str], ...]


def fault(name: str, old: str, new: str, rule: str, place: str, path: str = ERRATA) -> Fault:
    """A fault of one edit that is found in the file that was edited."""
    return Fault(name, ((path, old, new),), ((rule, path, place),))


FAULTS = [
    fault(
        "a row without its note",
        " | 前者数了两个偏置，其余两个数只数了一个 |",
        " |",
        "malformed-erratum",
        "`sec23.md` 例 2.3.1 | LSTM",
    ),
    fault("a row of two cells", " | LSTM 的参数量 `82,944` | ", " ", "malformed-erratum", "`sec23.md` 例 2.3.1 LSTM"),
    fault("no location", "| `sec23.md` 例 2.3.1 |", "|  |", "malformed-erratum", "| LSTM 的参数量 `82,944`"),
    fault(
        "a pipe that is not escaped",
        "前者数了两个偏置，其余",
        "前者数了两个偏置|其余",
        "malformed-erratum",
        "其余两个数只数了一个",
    ),
    fault("the same row once more", "\n待核实的开放条目", f"| {KV}\n\n待核实的开放条目", "malformed-erratum", KV),
    fault("a mistyped file", "、`sec24.md` 的", "、`sce24.md` 的", "dangling-erratum", "sce24.md` 的"),
    fault("a box that is not there", "`sec23.md` 例 2.3.1", "`sec23.md` 例 2.3.4", "dangling-erratum", "例 2.3.4"),
    fault(
        "a box of another page",
        "`sec25.md` 方法 2.5.3 |",
        "`sec24.md` 方法 2.5.3 |",
        "dangling-erratum",
        "方法 2.5.3 | $2LB",
    ),
    fault("an open question nowhere", QUESTIONS, QUESTIONS.replace("2.6.6", "2.6.12"), "dangling-erratum", "2.6.12 |"),
    Fault(
        "an original that came back",
        ((f"{SECTIONS}/sec23.md", "正是 `82,432`", "正是 `82,432`，而不是 `82,944`"),),
        (("stale-original", ERRATA, "LSTM 的参数量 `82,944`"),),
    ),
    fault("a correction that was not made", "参数量 `82,432`", "参数量 `82,434`", "missing-correction", "82,434`"),
    fault("an id that no drawing has", "`mk-red` |", "`mk-rde` |", "missing-correction", "mk-rde"),
    fault("a box that was not renumbered so", "如定义 2.2.1、", "如定义 2.2.7、", "missing-correction", "定义 2.2.7"),
    fault(
        "an anchor that is not there",
        "形如 `{#def-2.2.1}` |",
        "形如 `{#def-2.2.8}` |",
        "missing-correction",
        "{#def-2.2.8}",
    ),
    fault(
        "a mark without a row",
        "## 2.4.6",
        "此处比例待核实。\n\n## 2.4.6",
        "untracked-question",
        "待核实。",
        f"{SECTIONS}/sec24.md",
    ),
    Fault(
        "a mark in the wrong box",
        (
            (ERRATA, QUESTIONS, "| `sec26.md` 定义 2.6.1 | 波长 | 待核实 |"),
            (f"{SECTIONS}/sec26.md", "越过最后一行，就没有参数可用。", "越过最后一行，就没有参数可用（需核实）。"),
        ),
        (("untracked-question", f"{SECTIONS}/sec26.md", "需核实）"),),
    ),
    Fault(
        "a discouraged word",
        (
            (ERRATA, TERM, "| 译成 `钥匙` |"),
            (f"{SECTIONS}/sec24.md", "## 2.4.6", "每个位置各有一把钥匙。\n\n## 2.4.6"),
        ),
        (("discouraged-term", f"{SECTIONS}/sec24.md", "钥匙。"),),
    ),
]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    shutil.copytree(CLEAN, tmp_path / "book")
    return tmp_path / "book"


def places(book: Path) -> list[tuple[str, str, int]]:
    """The rule, path and offset of all that is found, advice left out."""
    report = check(["."], book, OURS, cached=False)
    assert report.troubles == ()
    found = [each for each in report.diagnostics if each.severity is not Severity.INFO]
    return [(each.rule, each.span.path, each.span.start) for each in found]


def test_the_untouched_book_is_silent(book: Path) -> None:
    report = check(["."], book, OURS, cached=False)
    assert (report.diagnostics, report.summary.unchecked) == ((), {})


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_planted_fault_is_found_at_its_place(book: Path, fault: Fault) -> None:
    for path, old, new in fault.edits:
        text = (book / path).read_text(encoding="utf-8")
        assert text.count(old) == 1, old
        (book / path).write_text(text.replace(old, new), encoding="utf-8")
    wanted = []
    for rule, path, place in fault.found:
        text = (book / path).read_text(encoding="utf-8")
        wanted.append((rule, path, text.rindex(place)))
    assert places(book) == wanted


@pytest.mark.parametrize(
    ("location", "said"),
    [
        ("Theorem 1.9 (removed)", 0),
        ("Theorem 1.9 (since merged into Theorem 1.1)", 0),
        ("Theorem 1.9, 1st printing", 0),
        ("First edition: Theorem 1.9", 0),
        ("print: Theorem 1.9; web: Theorem 1.1", 0),
        ("Theorem 1.9 on p. 12", 0),
        ("定理 1.9（已删除）", 0),
        ("定理 1.9，第一版", 0),
        ("印刷版定理 1.9", 0),
        ("1.9 (deleted)", 0),
        ("`two.md` (deleted)", 0),
        ("`one.md#L3`", 0),
        ("`one.md#L3-L5`", 0),
        ("Theorem 1.9", 1),
        ("Theorem 1.9, first line", 1),
        ("Theorem 1.9 (proof)", 1),
        ("print: Theorem 1.1; web: Theorem 1.9", 1),
        ("定理 1.9 的第一句", 1),
        ("`two.md`", 1),
        ("`one.md#L3a`", 1),
    ],
)
def test_locations_that_are_gone_and_such_as_are_not_there(tmp_path: Path, location: str, said: int) -> None:
    rows = f"# Errata\n\n| Location | Original | Correction |\n|---|---|---|\n| {location} | teh | the |\n"
    (tmp_path / "errata.md").write_text(rows, encoding="utf-8")
    (tmp_path / "one.md").write_text("# 1 Sets\n\n## 1.1 A set\n\n**Theorem 1.1.** Text.\n", encoding="utf-8")
    found = check(["."], tmp_path, OURS, cached=False).diagnostics
    assert [each.rule for each in found] == ["dangling-erratum"] * said


@pytest.mark.parametrize(
    ("correction", "missing"),
    [
        ("removed `sett`", None),
        ("`sett` was removed", None),
        ("移除了 `sett`", None),
        ("replaced `sett` with `set`", None),
        ("`sett` → `set`", None),
        ("`sett` 应为 `set`", None),
        ("see commit `a1b2c3d`", None),
        ("Theorem 1.1 (there is no Theorem 1.9)", None),
        ("Theorem 1.9 does not exist", None),
        ("`sett` should be `bag`", "bag"),
        ("replaced `sett` with `bag`", "bag"),
        ("add `sett`", "sett"),
        ("see `bag`", "bag"),
        ("`a1b2c3d`", "a1b2c3d"),
        ("see `1234567`", "1234567"),
        ("Theorem 1.9", "Theorem 1.9"),
    ],
)
def test_what_a_correction_has_gone_and_what_it_holds(tmp_path: Path, correction: str, missing: str | None) -> None:
    rows = f"# Errata\n\n| Location | Original | Correction |\n|---|---|---|\n| Theorem 1.1 | x | {correction} |\n"
    (tmp_path / "errata.md").write_text(rows, encoding="utf-8")
    (tmp_path / "one.md").write_text("# 1 Sets\n\n**Theorem 1.1.** A set.\n", encoding="utf-8")
    found = check(["."], tmp_path, OURS, cached=False).diagnostics
    assert [each.message.split("`")[1] for each in found] == ([] if missing is None else [missing])


def test_hostile_rows_take_linear_time(tmp_path: Path) -> None:
    """Long cells without blanks, many names of files in one, and many rows that were all meant for one box."""
    header = "# 勘误\n\n| 位置 | 原文 | 更正 |\n|---|---|---|\n"
    rows = [f"| {'a' * 100_000} | `b` | `c` |", f"| {'`x.md`、' * 5_000} | `b` | `c` |"]
    rows.extend(f"| `one.md` 定义 1.1.1 | `w{number}` | `v{number}` |" for number in range(1_000))
    (tmp_path / "errata.md").write_text(header + "\n".join(rows) + "\n", encoding="utf-8")
    (tmp_path / "one.md").write_text("# 1.1 页\n\n### 定义 1.1.1（名）\n\n正文。\n", encoding="utf-8")
    found = check(["."], tmp_path, OURS, cached=False).diagnostics
    assert sum(each.rule == "missing-correction" for each in found) == 1_001  # and `c`, of the row of dead names
    assert sum(each.rule == "dangling-erratum" for each in found) == 5_000


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (f"{SECTIONS}/sec26.md", "窗口同时受外推能力", "窗口（待核实）同时受外推能力"),  # the row 2.6.6 tracks it
        (f"{SECTIONS}/sec24.md", "## 2.4.6", "凡标“待核实”的数字以后再查，`待核实` 是代码。\n\n## 2.4.6"),
        (ERRATA, TERM, "| 译成 `问匙` |"),  # a word that the book does not use
        (ERRATA, SVG_ROW, "| [2.2](sec22.md)、src/lectures/sec23.md，以及 2.4 |"),
        (
            ERRATA,
            "\n待核实的开放条目",
            f"\n\n## 第二刷\n\n| 位置 | 原表述 | 更正 | 说明 |\n|---|---|---|---|\n| {KV}\n\n待核实的开放条目",
        ),
        (ERRATA, "`sec25.md` 方法 2.5.3 |", "`sec25.md` 习题 2.5.3 |"),  # exercises may stand in another book
        (ERRATA, "LSTM 的参数量 `82,944`", "LSTM 的参数量 `82,4*`"),  # a pattern is no text
        (ERRATA, "LSTM 的参数量 `82,944`", "LSTM 的参数量 `2,432`"),  # a part of the right number
        (ERRATA, "各图补齐所用的箭头：", "删去 `mk-nothing`，各图补齐所用的箭头："),
    ],
)
def test_what_only_looks_like_a_fault_is_none(book: Path, path: str, old: str, new: str) -> None:
    text = (book / path).read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    (book / path).write_text(text.replace(old, new), encoding="utf-8")
    assert places(book) == []
