"""The page about mistakes says what lintbook answers today, and the others where the same versions are installed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from lintbook import __version__

ROOT = Path(__file__).parent.parent
ANSWER = re.compile(
    r"^## (?P<number>\d+)\. |^```text\n(?P<said>(?:#.*\n)*\$ (?P<linter>\w+) (?:.*\n)*?)```$", re.MULTILINE
)


def answers(page: str) -> dict[str, dict[int, str]]:
    """The answers of a page by the name and version of the linter, and by the number of the mistake."""
    versions = {each.split()[0]: each for each in re.findall(r"(?:ruff|rumdl|lintbook) \d[\w.]*\w", page)}
    found: dict[str, dict[int, str]] = {}
    number = 0
    for match in ANSWER.finditer(page):
        if match["number"]:
            number = int(match["number"])
        else:
            found.setdefault(versions[match["linter"]], {})[number] = match["said"]
    return found


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[int, str]]:
    page = tmp_path_factory.mktemp("docs") / "mistakes.md"
    subprocess.run([sys.executable, ROOT / "docs" / "mistakes.py", page], check=True, timeout=300)
    return answers(page.read_text(encoding="utf-8"))


KEPT = answers((ROOT / "docs" / "mistakes.md").read_text(encoding="utf-8"))


def test_lintbook_answers_each_of_twenty_mistakes_as_the_page_says(written: dict[str, dict[int, str]]) -> None:
    name = f"lintbook {__version__}"
    assert sorted(KEPT[name]) == list(range(1, 21))
    assert KEPT[name] == written[name], "write it again: python docs/mistakes.py"


@pytest.mark.parametrize("name", [name for name in KEPT if not name.startswith("lintbook")])
def test_the_others_answer_as_the_page_says(name: str, written: dict[str, dict[int, str]]) -> None:
    if name not in written:
        pytest.skip(f"{name} is not installed")
    assert KEPT[name] == written[name], "write it again: python docs/mistakes.py"


def test_no_mistake_is_answered_by_a_traceback_or_taken_for_success() -> None:
    for said in KEPT[f"lintbook {__version__}"].values():
        assert "Traceback" not in said
        assert said.endswith(("exit status: 1\n", "exit status: 2\n"))
