"""`lintbook config` and `lintbook init`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from lintbook.checks import RULES
from lintbook.cli import run
from lintbook.config import Configurations


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "book.toml").write_text('[output.html.redirect]\n"/old.html" = "new.html"\n')
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "SUMMARY.md").write_text("# Summary\n\n- [New](new.md)\n")
    (tmp_path / "src" / "new.md").write_text("# New\n\n[a](gone.md)\n")
    (tmp_path / "src" / "old.md").write_text("# Old\n")
    return tmp_path


def test_config_shows_what_is_in_force_and_where_it_comes_from(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "lintbook.toml").write_text(
        'ignore = ["BOX001"]\nretired = ["src/老.md"]\n\n[severity]\nbroken-link = "warning"\n\n'
        '[kinds.sight]\nwords = ["观察"]\n\n[per-path."src/a*"]\nselect = ["PAG"]\n\n[terms]\n"RNN cell" = "RNN"\n'
    )
    assert run(["config", "--extend-select", "PAG001"]) == 0
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert lines[0] == "# configuration file: lintbook.toml"
    assert lines[1].endswith("; off: duplicate-box-number")
    for line in (
        'select = ["ALL"]  # default',
        'extend-select = ["PAG001"]  # command line',
        'ignore = ["BOX001"]  # lintbook.toml:1',
        'retired = ["src/老.md"]  # lintbook.toml:2',
        'fail-on = "warning"  # default',
        'broken-link = "warning"  # lintbook.toml:5',
        'words = ["观察"]  # lintbook.toml:8',
        '[per-path."src/a*"]',
        'select = ["PAG"]  # lintbook.toml:11',
        'terms = { "RNN cell" = "RNN" }  # lintbook.toml:13',
    ):
        assert line in lines, line
    assert tomllib.loads(shown)["ignore"] == ["BOX001"]


def test_config_tells_what_is_wrong(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "lintbook.toml").write_text("retird = []\n")
    assert run(["config"]) == 2
    assert "lintbook: lintbook.toml:1:1: `retird` is no key; did you mean `retired`?" in capsys.readouterr().err


def test_init_writes_what_it_finds_and_changes_nothing_in_force(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init"]) == 0
    text = (book / "lintbook.toml").read_text(encoding="utf-8")
    assert "# found: book.toml, 2 pages, read as mdbook" in text
    assert '# retired = ["src/old.md"]' in text
    assert "broken-link (1)" in text
    assert tomllib.loads(text) == {}
    capsys.readouterr()
    assert run(["init"]) == 2
    assert "is there already" in capsys.readouterr().err


def test_what_init_writes_is_right_when_it_is_switched_on(book: Path) -> None:
    run(["init"])
    text = (book / "lintbook.toml").read_text(encoding="utf-8")
    switched_on = re.sub(r"^# (?=[a-z-]+ = |\[)", "", text, flags=re.MULTILINE)
    assert {"dialect", "ignore", "exclude", "retired", "kinds", "severity", "per-path"} <= tomllib.loads(
        switched_on
    ).keys()
    (book / "lintbook.toml").write_text(switched_on, encoding="utf-8")
    configurations = Configurations(RULES, book)
    configurations.of(".")
    assert configurations.troubles == []


def test_init_begins_a_file_in_another_folder(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(book.parent)
    assert run(["init", book.name]) == 0
    assert (book / "lintbook.toml").is_file()


def test_the_configuration_of_the_documentation_is_right(book: Path) -> None:
    page = (Path(__file__).parent.parent / "docs" / "configuration.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```toml\n(ignore = .*?)```", page, re.DOTALL)
    (book / "lintbook.toml").write_text(text, encoding="utf-8")
    configurations = Configurations(RULES, book)
    found = configurations.of(".")
    assert configurations.troubles == []
    assert "unused-svg-definition" not in found.treatment_of_all.rules
    assert found.treatment_of_all.options["stale-statement"] == {"years": 3}
    assert not any(rule.family == "boxes" for rule in found.treatment("src/appendix/a.md").rules.values())
    assert found.is_retired("src/lectures/lec02.md")
