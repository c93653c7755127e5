"""The graph of a book, its pictures, and who uses what."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import networkx
import pytest

from lintbook.cli import run

PAGES = {
    "book.toml": '[book]\ntitle = "x"\n',
    "src/SUMMARY.md": "# 目录\n\n- [一](one.md)\n- [二](two.md)\n",
    "src/one.md": (
        "# 2.1 一 \"甲\" <b>\n\n"
        "<!-- quantities\nsize [1] = 2*n\n-->\n\n"
        "### 定义 2.1.1（状态） {#def-2.1.1}\n\n见 [后文](two.md)。\n\n"
        "### 定理 2.1.2（界） {#thm-2.1.2}\n\n由定义 2.1.1 与定理 9.9.9 得 4 <!--= size n=2 -->。\n"
    ),
    "src/two.md": "# 2.2 二\n\n[定义 2.1.1](one.md#def-2.1.1) 说过。\n",
}  # fmt: skip


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in PAGES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def drawn(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert run(["graph", *options]) == 0
    return capsys.readouterr().out


def test_the_graph_has_what_the_book_declares_and_what_uses_it(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = json.loads(drawn(capsys, "--format", "json"))
    kinds = {node["id"]: node["type"] for node in graph["nodes"]}
    assert kinds == {
        "src/one.md": "page", "src/two.md": "page", "section 2.1": "section", "section 2.2": "section",
        "definition 2.1.1": "box", "theorem 2.1.2": "box", "theorem 9.9.9": "missing", "formula size": "formula",
    }  # fmt: skip
    edges = {(edge["source"], edge["type"], edge["target"]) for edge in graph["edges"]}
    assert edges == {
        ("src/one.md", "contains", "section 2.1"),
        ("src/one.md", "contains", "definition 2.1.1"),
        ("src/one.md", "contains", "theorem 2.1.2"),
        ("src/two.md", "contains", "section 2.2"),
        ("definition 2.1.1", "links", "src/two.md"),
        ("theorem 2.1.2", "refers", "definition 2.1.1"),
        ("theorem 2.1.2", "refers", "theorem 9.9.9"),
        ("theorem 2.1.2", "claims", "formula size"),
        ("section 2.2", "links", "definition 2.1.1"),
        ("section 2.2", "refers", "definition 2.1.1"),
    }


def test_what_is_near_a_box_is_found_in_both_directions(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def near(depth: str) -> set[str]:
        graph = json.loads(drawn(capsys, "--format", "json", "--around", "thm-2.1.2", "--depth", depth))
        return {node["id"] for node in graph["nodes"]}

    assert near("0") == {"theorem 2.1.2"}
    once = {"theorem 2.1.2", "definition 2.1.1", "theorem 9.9.9", "formula size", "src/one.md"}
    assert near("1") == once
    assert near("2") == {*once, "src/two.md", "section 2.1", "section 2.2"}


def test_graphml_is_read_back_by_networkx(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = drawn(capsys, "--format", "graphml")
    graph = networkx.read_graphml(io.BytesIO(text.encode()))
    assert graph.nodes["definition 2.1.1"]["path"] == "src/one.md"
    assert graph.number_of_edges() == 10


def test_dot_and_mermaid_keep_names_from_being_taken_for_signs(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dot = drawn(capsys)
    assert '"section 2.1" [label="2.1 一 \\"甲\\"", shape=folder];' in dot
    assert '"theorem 9.9.9" [label="theorem 9.9.9", shape=diamond, color=red];' in dot
    mermaid = drawn(capsys, "--format", "mermaid")
    assert mermaid.startswith("flowchart LR\n")
    assert "#34;甲#34;" in mermaid
    assert all(
        re.fullmatch(r"  n\d+(?:[\[({/]+\"[^\"]*\"[\])}/]+| -->\|[\w ()]+\| n\d+)", line)
        for line in mermaid.splitlines()[1:]
    )


@pytest.mark.parametrize(
    "name", ["def-2.1.1", "DEF-2.1.1", "定义 2.1.1", "Definition 2.1.1", "2.1.1", "definition 2.1.1"]
)
def test_a_box_has_many_names(book: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert run(["refs", name]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "definition 2.1.1: 定义 2.1.1 状态",
        "  src/one.md:7:5: declared: 定义 2.1.1",
        "  src/one.md:9:3: links src/two.md: [后文](two.md)",
        "  src/one.md:13:2: refers: 定义 2.1.1",
        "  src/two.md:3:1: links: [定义 2.1.1](one.md#def-2.1.1)",
        "  src/two.md:3:2: refers: 定义 2.1.1",
    ]


def test_the_numbers_of_a_formula_are_found(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["refs", "size"]) == 0
    assert "  src/one.md:13:25: claims: <!--= size n=2 -->" in capsys.readouterr().out.splitlines()


def test_what_is_declared_nowhere_is_said_and_what_is_unknown_refused(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["refs", "定理 9.9.9"]) == 0
    assert capsys.readouterr().out.endswith("  is declared nowhere\n")
    assert run(["refs", "def-7.7.7"]) == 2
    assert "the book has nothing called `def-7.7.7`" in capsys.readouterr().err


def test_of_several_books_one_is_to_be_named(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "other" / "src").mkdir(parents=True)
    (book / "other" / "book.toml").write_text("")
    (book / "other" / "src" / "a.md").write_text("# A\n")
    assert run(["graph"]) == 2
    assert "a graph is of one book; round `.` there are: `.`, `other`" in capsys.readouterr().err
    assert run(["graph", "other"]) == 0
