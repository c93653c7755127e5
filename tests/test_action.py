"""The gate in continuous integration: the GitHub action step by step from a fresh clone, and the job for GitLab."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from repositories import ENVIRONMENT, Repository

ROOT = Path(__file__).parent.parent
LECTURE = ROOT / "fixtures" / "books" / "lecture-2"
EXPRESSION = re.compile(r"\$\{\{\s*(.+?)\s*\}\}")


class Runner:
    """Runs the steps of a composite action as GitHub does, each in a shell of its own."""

    def __init__(self, action: Path, workspace: Path, temporary: Path, inputs: Mapping[str, str]) -> None:
        self.steps = yaml.safe_load((action / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
        self.workspace = workspace
        self.inputs = inputs
        self.summary = temporary / "summary.md"
        self.environment = {
            **ENVIRONMENT,
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "RUNNER_TEMP": str(temporary),
            "GITHUB_ACTION_PATH": str(action),
            "GITHUB_STEP_SUMMARY": str(self.summary),
        }

    def run(self, name: str) -> subprocess.CompletedProcess[str]:
        """Run the step of that name."""
        (step,) = (step for step in self.steps if step["name"] == name)
        assert step["shell"] == "bash"
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.workspace,
            env={**self.environment, **{key: self.filled(value) for key, value in step.get("env", {}).items()}},
            capture_output=True,
            text=True,
            check=False,
        )

    def filled(self, text: str) -> str:
        """Return ``text`` with the inputs that it names; any other expression fails the test."""
        return EXPRESSION.sub(lambda match: self.inputs[match[1].removeprefix("inputs.")], text)


def defaults(action: Mapping[str, Any]) -> dict[str, str]:
    return {name: given["default"] for name, given in action["inputs"].items()}


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh clone of the project as it is committed."""
    folder = tmp_path_factory.mktemp("action")
    Repository(folder).git("clone", "--quiet", "--no-hardlinks", str(ROOT), "lintbook")
    return folder / "lintbook"


@pytest.fixture
def lecture(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "work space")
    shutil.copytree(LECTURE, repository.folder / "book", dirs_exist_ok=True)
    repository.commit("the book")
    return repository


def test_the_action_runs_step_by_step_from_a_fresh_clone(clone: Path, lecture: Repository, tmp_path: Path) -> None:
    base = lecture.git("rev-parse", "HEAD").strip()
    lecture.edit(
        "book/src/lectures/sec22.md", ("例 2.2.1（有效记忆跨度） {#ex-2.2.1}", "例 2.2.2（有效记忆跨度） {#ex-2.2.2}")
    )
    lecture.commit("renumber")
    inputs = {**defaults(yaml.safe_load((clone / "action.yml").read_text(encoding="utf-8"))), "base": base}
    runner = Runner(clone, lecture.folder, tmp_path, {**inputs, "paths": "book/src/lectures\nbook/src/preface.md"})
    assert [step["name"] for step in runner.steps] == [
        "Install lintbook",
        "Tell what changed",
        "Check",
    ]
    installed = runner.run("Install lintbook")
    assert installed.returncode == 0, installed.stderr
    told = runner.run("Tell what changed")
    assert (told.returncode, told.stderr) == (0, "")
    assert (
        "facts changed, without a row: 1\n  book/src/lectures/sec22.md:96:5: `例 2.2.2` was"
        in runner.summary.read_text()
    )
    checked = runner.run("Check")
    assert checked.returncode == 1
    annotations = checked.stdout.splitlines()
    assert all(line.startswith(("::error title=", "::warning title=", "::notice title=")) for line in annotations)
    start = "::error title=ERR006 unlogged-change,file=book/src/lectures/sec22.md,line=96,"
    assert [line for line in annotations if line.startswith(start)]
    lecture.git("reset", "--quiet", "--hard", base)
    assert runner.run("Check").returncode == 0
    runner.inputs = {**inputs, "base": "0" * 40}  # a branch that is pushed for the first time
    assert (runner.run("Tell what changed").returncode, runner.run("Check").returncode) == (0, 0)
    runner.inputs = {**inputs, "base": "1" * 40}
    assert (runner.run("Tell what changed").returncode, runner.run("Check").returncode) == (0, 2)


def test_the_workflow_of_this_project_uses_the_action_on_a_book_of_its_own() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/gate.yml").read_text(encoding="utf-8"))
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    checkout, _, gate = workflow["jobs"]["lintbook"]["steps"]
    assert checkout["with"]["fetch-depth"] == 0
    assert gate["uses"] == "./"
    assert set(gate["with"]) <= set(action["inputs"])
    assert (ROOT / gate["with"]["paths"] / "book.toml").is_file()


def fences(language: str) -> list[str]:
    text = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_job_for_gitlab_runs(lecture: Repository) -> None:
    (job,) = (each["lintbook"] for each in map(yaml.safe_load, fences("yaml")) if "lintbook" in each)
    base = lecture.git("rev-parse", "HEAD").strip()
    lecture.edit("book/src/lectures/sec22.md", ("{#ex-2.2.1}", "{#ex-span}"))
    environment = {
        **ENVIRONMENT,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
    }
    statuses = []
    for line in job["script"]:
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=lecture.folder / "book",
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        statuses.append(done.returncode)
        assert "`ex-2.2.1`" in done.stdout
    assert statuses == [0, 1]


def test_the_action_that_is_documented_has_the_inputs_that_are_documented() -> None:
    text = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE) == list(action["inputs"])
