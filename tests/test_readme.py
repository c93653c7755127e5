"""What README.md and docs/ say holds: commands and options exist, examples do what is said, lintbook finds nothing.

That the README's commands do what it promises is tried in an empty environment by .ci/newcomer.py.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import click
import pytest

from lintbook import __version__
from lintbook.calculator.library import library
from lintbook.checks import RULES
from lintbook.cli import lintbook
from lintbook.config import Configurations, Section, Settings
from lintbook.engine import check
from lintbook.reporters import FORMATS
from lintbook.typed import name_of

ROOT = Path(__file__).parent.parent
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *(f"docs/{path.name}" for path in ROOT.glob("docs/*.md"))]


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def fences(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def newcomer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("newcomer", ROOT / ".ci" / "newcomer.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["newcomer"] = module  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


def test_it_is_known_of_every_command_of_the_readme_what_it_is_to_do(newcomer: ModuleType) -> None:
    said = {
        (fence.section, command)
        for fence in newcomer.fences(text_of("README.md"))
        if fence.language == "sh"
        for command in newcomer.commands(fence)
    }
    assert said == set(newcomer.PROMISES)


def test_what_is_replaced_of_the_readme_stands_in_it(newcomer: ModuleType) -> None:
    for said, (_, reason) in newcomer.INSTEAD.items():
        assert said in text_of("README.md")
        assert reason


def test_lintbook_finds_nothing_in_the_pages_about_lintbook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    report = check(PAGES, ROOT)
    assert [(each.span.path, each.rule, each.message) for each in report.diagnostics] == []


def meant(words: list[str]) -> click.Command:
    """Return the command of lintbook that ``words`` begin with, as far as they name any."""
    command: click.Command = lintbook
    for word in words:
        inner = command.get_command(click.Context(command), word) if isinstance(command, click.Group) else None
        if inner is None:
            break
        command = inner
    return command


@pytest.mark.parametrize("page", ["README.md", *(page for page in PAGES if page.startswith("docs/"))])
def test_commands_and_options_that_are_named_exist(page: str) -> None:
    lines = [line for fence in fences(page, "sh") for line in fence.splitlines()]
    for named in (*re.findall(r"`(lintbook [^`\n]+)`", text_of(page)), *lines):
        program, *words = re.sub(r"\s{2,}# .*", "", named).split()
        if program == "lintbook":
            command = meant(words)
            assert command is not lintbook, named
            options = {name for option in command.get_params(click.Context(command)) for name in option.opts}
            assert {word for word in words if word.startswith("-")} <= options, named


def test_all_formats_are_listed() -> None:
    listed = re.findall(r"^\| `([a-z]+)` \|", text_of("docs/output.md"), re.MULTILINE)
    assert listed == list(FORMATS)


def test_all_keys_of_the_configuration_are_listed() -> None:
    table = re.search(r"^\| `select`.*?\n(?=\n)", text_of("docs/configuration.md"), re.MULTILINE | re.DOTALL)
    assert table is not None
    listed = {name for row in table[0].splitlines() for name in re.findall(r"`([a-z-]+)`", row.split("|")[1])}
    fields = {name_of(name) for struct in (Section, Settings) for name in struct.__struct_fields__}
    families = {rule.family for rule in RULES}
    assert listed - families == fields | {"rules", "per-path"}


def test_the_example_of_a_configuration_is_accepted(tmp_path: Path) -> None:
    (example,) = fences("docs/configuration.md", "toml")
    (tmp_path / "lintbook.toml").write_text(example, encoding="utf-8")
    configurations = Configurations(RULES, tmp_path)
    settings = configurations.of(".").settings
    assert configurations.troubles == []
    assert settings.exclude == ("drafts/",)


def said_of(page: Path, text: str) -> list[str]:
    page.write_text(text, encoding="utf-8")
    return [each.message for each in check((".",), page.parent, cached=False).diagnostics]


def test_the_example_of_a_claim_holds_only_as_long_as_its_numbers_are_right(tmp_path: Path) -> None:
    (example,) = fences("docs/quantities.md", "markdown")
    assert said_of(tmp_path / "page.md", example) == []
    assert said_of(tmp_path / "page.md", example.replace("4 GiB", "5 GiB")) == ["5 GiB, but kv_cache gives 4 GiB"]
    assert said_of(tmp_path / "page.md", example.replace("1 GiB", "1.0 GB")) != []


def test_the_example_of_a_comment_silences_and_what_it_silences_is_there(tmp_path: Path) -> None:
    (example,) = fences("docs/silencing.md", "markdown")
    (comment,) = fences("README.md", "markdown")
    assert example.startswith(comment)
    assert said_of(tmp_path / "page.md", example) == []
    assert said_of(tmp_path / "page.md", example.removeprefix(comment)) == ["`notes.md` does not exist"]


def test_the_changelog_names_every_rule_and_command_and_counts_the_formulas() -> None:
    text = text_of("CHANGELOG.md")
    assert re.search(rf"^## {re.escape(__version__)}\b", text, re.MULTILINE)
    assert [rule.name for rule in RULES if f"`{rule.name}`" not in text] == []
    commands = lintbook.list_commands(click.Context(lintbook))
    assert [name for name in commands if not re.search(rf"`lintbook {name}\b", text)] == []
    assert f"A library of {len(library())} formulas" in text


def test_the_licence_is_that_of_the_project() -> None:
    licence = text_of("LICENSE")
    assert licence.startswith("MIT License\n\nCopyright (c) ")
    assert "lintbook contributors\n" in licence
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    assert (project["license"], project["license-files"]) == ("MIT", ["LICENSE"])
