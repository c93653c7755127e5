"""Several processes: they say what one says, and one that dies costs nothing but time."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from lintbook import reading, ruling, sharing
from lintbook.discovery import BookFiles
from lintbook.engine import Report, check
from lintbook.facts import Facts
from lintbook.text import Source
from lintbook.vocabulary import Vocabulary

FIXTURES = Path(__file__).parent.parent / "fixtures"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def counted(folder: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> int:
    """How many processes a check on ``folder`` starts."""
    started = []
    fork = os.fork

    def counting() -> int:
        started.append(1)
        return fork()

    with monkeypatch.context() as patch:
        patch.setattr(os, "fork", counting)
        check(["."], folder, cached=False, jobs=jobs)
    return len(started)


@pytest.mark.parametrize("shares", [1, 4, 100])
def test_two_processes_read_what_one_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shares: int) -> None:
    monkeypatch.setattr(sharing, "_MOST_SHARES", shares)
    for number in range(6):
        write(tmp_path / f"{number}.md", f"# {number}\n\n[x](gone{number}.md) 定理 2.{number}\n" * 40)
    monkeypatch.setattr(sharing, "WORTH_A_PROCESS", 100)
    alone, forked, crowded = (check(["."], tmp_path, cached=False, jobs=jobs) for jobs in (1, 2, 5))
    assert alone.diagnostics == forked.diagnostics == crowded.diagnostics
    assert alone.summary == forked.summary == crowded.summary
    assert len(forked.diagnostics) == 6 * 40
    assert counted(tmp_path, monkeypatch, jobs=1) == 0
    assert counted(tmp_path, monkeypatch, jobs=5) == 4


def test_process_that_dies_costs_nothing_but_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        write(tmp_path / f"{number}.md", f"[x](gone{number}.md)\n" * 40)
    monkeypatch.setattr(sharing, "WORTH_A_PROCESS", 100)
    parent, parse = os.getpid(), reading._parse

    def dying(source: Source, files: BookFiles, vocabulary: Vocabulary) -> Facts:
        if os.getpid() != parent:
            raise MemoryError
        return parse(source, files, vocabulary)

    monkeypatch.setattr(reading, "_parse", dying)
    assert len(check(["."], tmp_path, cached=False).diagnostics) == 4 * 40


BOOKS = sorted(folder.name for folder in (FIXTURES / "books").iterdir())


@pytest.mark.parametrize("name", BOOKS)
def test_two_processes_rule_as_one_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = FIXTURES / "books" / name
    alone = check(["."], folder, cached=False, jobs=1)
    monkeypatch.setattr(ruling, "_WORTH_SHARING", 0)
    assert counted(folder, monkeypatch, jobs=2) >= 1
    assert told(check(["."], folder, cached=False, jobs=2)) == told(alone)


def told(report: Report) -> object:
    return report.diagnostics, report.troubles, report.summary


def test_rules_of_two_processes_are_as_severe_and_as_lenient_as_the_path_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        tmp_path / "lintbook.toml",
        '[severity]\nbroken-link = "warning"\n[per-path."old/**"]\nseverity = { broken-link = "info" }\n',
    )
    for page in ("one.md", "old/two.md"):
        write(tmp_path / page, "# 1 一\n\n[x](gone.md)\n")
    monkeypatch.setattr(ruling, "_WORTH_SHARING", 0)
    alone, shared = (check(["."], tmp_path, cached=False, jobs=jobs) for jobs in (1, 2))
    assert [(each.span.path, each.severity) for each in shared.diagnostics] == [
        ("old/two.md", "info"),
        ("one.md", "warning"),
    ]
    assert told(shared) == told(alone)


def test_rules_of_a_process_that_dies_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "one.md", "[x](gone.md)\n\n2 + 2 = 5\n")
    monkeypatch.setattr(ruling, "_WORTH_SHARING", 0)
    parent, results = os.getpid(), ruling._results

    def dying(*given: Any) -> object:
        if os.getpid() != parent:
            raise MemoryError
        return results(*given)

    monkeypatch.setattr(ruling, "_results", dying)
    assert [each.rule for each in check(["."], tmp_path, cached=False, jobs=2).diagnostics] == [
        "broken-link",
        "wrong-arithmetic",
    ]


def test_a_rule_that_fails_in_another_process_fails_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "one.md", "# 1 一\n")
    monkeypatch.setattr(ruling, "_WORTH_SHARING", 0)

    def failing(*_: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(ruling, "_results", failing)
    with pytest.raises(ZeroDivisionError):
        check(["."], tmp_path, cached=False, jobs=2)


def test_books_too_large_to_be_copied_are_ruled_on_by_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "one.md", "# 1 一\n")
    monkeypatch.setattr(ruling, "_WORTH_SHARING", 0)
    monkeypatch.setattr(ruling, "_MOST_TO_COPY", 3)
    assert counted(tmp_path, monkeypatch, jobs=2) == 0
