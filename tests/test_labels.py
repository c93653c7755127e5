"""Families of labels: reading them, and the table that reconciles them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lintbook.book import Book
from lintbook.checks.labels.families import Family, Reconciliation
from lintbook.cli import run
from lintbook.dialect import Dialect
from lintbook.facts import Document
from lintbook.parse import parse_markdown
from lintbook.text import Source

OBJECTIVES = Family(("goals.md",), ("use.md",), pattern=re.compile(r"[KSA]\d+\.\d+"))


def book(**pages: str) -> Book:
    documents = []
    for name, text in pages.items():
        source = Source(f"{name}.md", text)
        documents.append(Document(source, parse_markdown(source, Dialect.GITHUB)))
    return Book(documents, dialect=Dialect.GITHUB)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("K2.1", ["K2.1"]),
        ("（K2.1、S2.3）", ["K2.1", "S2.3"]),
        ("K2.1–K2.3", ["K2.1", "K2.2", "K2.3"]),
        ("K2.1 至 2.3", ["K2.1", "K2.2", "K2.3"]),
        ("K2.1–2.3、2.7", ["K2.1", "K2.2", "K2.3", "K2.7"]),
        ("K2.1, 2.2 and 2.4", ["K2.1", "K2.2", "K2.4"]),
        ("K2.1 and 3 more", ["K2.1"]),
        ("K2.1，2025 年", ["K2.1"]),
        ("K2.3–K2.1", ["K2.3", "K2.1"]),  # no range
        ("K2.1–S2.3", ["K2.1", "S2.3"]),
        ("K2.1–2.900000", ["K2.1"]),  # nobody means so many
        ("$K2.1$ and K2.x", []),
        ("`K2.1`", ["K2.1"]),
    ],
)
def test_ranges_and_lists_name_all_their_members(text: str, labels: list[str]) -> None:
    found = Reconciliation(book(use=f"# 用\n\n{text}\n"), "goals", OBJECTIVES).taken_up["use.md"]
    assert [label.text for label in found] == labels


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("- K2.1 说出\n- **K2.2** 写出\n1. [K2.3] 画出\n", ["K2.1", "K2.2", "K2.3"]),
        ("| 标签 | 目标 |\n|---|---|\n| K2.1 | 见 K2.2 |\n", ["K2.1"]),
        ("### K2.1 说出\n\n**S2.1**：写出。\n", ["K2.1", "S2.1"]),
        ("K2.1 在先，K2.2 在后。\n\n- 见 K2.3\n", []),
    ],
)
def test_a_label_is_declared_where_it_begins_its_block(text: str, labels: list[str]) -> None:
    found = Reconciliation(book(goals=f"# 目标\n\n{text}"), "goals", OBJECTIVES).declared
    assert [label.text for label in found] == labels


def test_a_place_may_be_what_stands_below_a_heading() -> None:
    family = Family(("goals.md#学习目标",), (), pattern=OBJECTIVES.pattern)
    text = "# 讲\n\n- K1.1\n\n## 学习目标\n\n- K2.1\n\n### 技能\n\n- S2.1\n\n## 其他\n\n- K9.9\n"
    found = Reconciliation(book(goals=text), "goals", family).declared
    assert [label.text for label in found] == ["K2.1", "S2.1"]


def test_labels_prints_the_reconciliation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "lintbook.toml": "[labels.families.\"目标\"]\npattern = '[KS]\\d\\.\\d'\ndeclared = ['goals.md']\n"
        "taken-up = ['use.md', 'cards*.md']\n",
        "goals.md": "# 目标\n\n- K2.1 说出\n- S2.1 写出\n",
        "use.md": "# 用\n\nK2.1，又 K2.1\n\nK2.1\n",
        "cards1.md": "# 卡\n\nS2.1\n",
        "cards2.md": "# 卡\n\n- S2.1\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run(["labels"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "目标  declared    use.md      cards*.md",
        "K2.1  goals.md:3  use.md:3,5  -",
        "S2.1  goals.md:4  -           cards1.md:3 cards2.md:3",
    ]
    assert run(["check", "--select", "LBL", "--format", "concise"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "goals.md:3:3: warning LBL002 uncovered-label: `K2.1` is taken up nowhere in `cards*.md`",
        "goals.md:4:3: warning LBL002 uncovered-label: `S2.1` is taken up nowhere in `use.md`",
    ]
