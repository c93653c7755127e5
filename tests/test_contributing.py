"""CONTRIBUTING.md: its example of a rule, done to a copy of the tree, and its list of dependencies."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


class Step(NamedTuple):
    """A fence of the example: the file that the text above it names, its language and its text."""

    path: str | None
    language: str
    text: str


def steps() -> list[Step]:
    """Read the section on adding a rule; a code span and a colon name the file that the next fence holds."""
    (section,) = re.findall(r"^## Adding a rule\n(.*?)^## Adding a format$", TEXT, re.MULTILINE | re.DOTALL)
    fence = re.compile(r"(?:`([^`\n]+)`:\n\n)?^(`{3,})(\w+)\n(.*?)^\2$", re.MULTILINE | re.DOTALL)
    return [Step(match[1], match[3], match[4]) for match in fence.finditer(section)]


def copy_of_the_tree(folder: Path) -> Path:
    """Copy what git knows of this tree."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def run(command: str, tree: Path, folder: str = ".") -> subprocess.CompletedProcess[str]:
    """Run a command of the page in a ``folder`` of ``tree``, with the tools of this environment."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree),
        "PATH": f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}",
    }
    return subprocess.run(
        command,
        shell=True,
        cwd=tree / folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with all that the example writes, before any command was run."""
    copied = copy_of_the_tree(tmp_path_factory.mktemp("tree"))
    for step in steps():
        if step.language == "diff":
            subprocess.run(
                ["git", "apply", "--unidiff-zero", "-"], cwd=copied, input=step.text, text=True, check=True
            )  # fmt: skip
        elif step.language != "sh":
            assert step.path is not None, step.text
            assert not (copied / step.path).exists()
            (copied / step.path).write_text(step.text, encoding="utf-8")
    return copied


# The meta-tests and the new examples; those of the other rules are what they are without the new one.
NARROWED = {"pytest tests/test_rulebook.py": "-k 'repeated or not (example or TestEachRule)'"}


def test_the_example_of_a_rule_works_from_end_to_end(tree: Path) -> None:
    commands = [line for step in steps() if step.language == "sh" for line in step.text.splitlines()]
    assert len(commands) >= 4
    for command in commands:
        done = run(f"{command} {NARROWED.get(command, '')}", tree)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        assert " passed" in done.stdout or "Success" in done.stdout, command


def test_the_example_of_a_rule_speaks(tree: Path) -> None:
    done = run(
        f"{sys.executable} -m lintbook check --no-cache --format concise --select repeated-box-title",
        tree,
        "fixtures/books/boxes-wrong",
    )
    said = "src/maps.md:17:5: warning BOX099 repeated-box-title: `定理 3.2.2` bears the title of `定理 3.2.1`: `复合`"
    assert done.stdout.splitlines() == [said]


def test_the_example_belongs_to_no_release() -> None:
    from lintbook.checks import RULES

    assert "repeated-box-title" not in {rule.name for rule in RULES}
    assert "BOX099" not in {rule.code for rule in RULES}


def named(requirements: list[str]) -> list[str]:
    """Return the names of libraries in requirements as pyproject.toml writes them."""
    return [re.split(r"[=<>]", requirement)[0] for requirement in requirements]


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = named(project["project"]["dependencies"])
    optional = [name for part in project["project"]["optional-dependencies"].values() for name in named(part)]
    # What is optional for users may be needed by tests, for the reason that it is there at all.
    development = [name for name in named(project["dependency-groups"]["dev"]) if name not in optional]
    tables = re.findall(r"^\| library \| reason \|\n.*?\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    rows = [[[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()] for table in tables]
    assert all(reason for table in rows for _, reason in table)
    listed = [sorted(name for names, _ in table for name in names.split(", ")) for table in rows]
    assert listed == [sorted([*needed, *(f"{name} (optional)" for name in optional)]), sorted(development)]
