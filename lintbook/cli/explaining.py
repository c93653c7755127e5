"""The commands that tell about lintbook: ``explain``, ``rules`` and ``completion``."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from lintbook.cli.nearest import Choice
from lintbook.cli.status import CLEAN
from lintbook.likeness import nearest
from lintbook.reporters import PLAIN, palette_for

if TYPE_CHECKING:
    from lintbook.rule import Rule

SHELLS = ("bash", "fish", "zsh")
_WIDEST = 100  # columns of a page; longer lines are hard to read


def _complete_name(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    return sorted(name for name in _names() if name.startswith(incomplete))


@click.command()
@click.argument("name", shell_complete=_complete_name)
def explain(name: str) -> int:
    """Show the page about a rule or a formula.

    NAME is the name or code of a rule (broken-link, PAG001), a family or the beginning of codes (pages, PAG), or a
    formula of the library (kv_cache).
    """
    from lintbook.checks import RULES
    from lintbook.rulebook import RulebookError, formula_text, page_text

    spellings = (name, name.lower(), name.upper())
    chosen = [rule for rule in RULES if any(rule.width(each) is not None for each in spellings)]
    try:
        if len(chosen) == 1:
            rule = chosen[0]
            title = f"{rule.code} {rule.name} ({rule.severity.value}, {rule.status.value}): {rule.summary}"
            _show_page(page_text(rule.family, rule.name), title)
        elif chosen:
            _show_list(chosen)
            print("\n`lintbook explain NAME` shows the page about one of them.")
        else:
            text = formula_text(name)
            if text is None:
                raise click.UsageError(f"no rule, family or formula is called `{name}`{_hint(name)}")
            _show_page(text)
    except RulebookError as error:
        raise click.ClickException(str(error)) from error
    return CLEAN


def _show_page(text: str, title: str | None = None) -> None:
    """Print a page of the rulebook; on a terminal ``title`` stands in the place of the one that the page has."""
    from lintbook.reporters.page import render

    palette = palette_for(sys.stdout, os.environ)
    if title is not None:
        print(f"{title}\n")
        text = text if palette is PLAIN else text.partition("\n\n")[2]
    for line in render(text, palette, min(get_terminal_size().columns, _WIDEST)):
        print(line)


def _names() -> set[str]:
    """Return all that can be explained."""
    from lintbook.calculator.library import library
    from lintbook.checks import RULES

    return {name for rule in RULES for name in (rule.name, rule.code, rule.family, rule.code[:3])} | set(library())


def _hint(name: str) -> str:
    known = {each.lower(): each for each in sorted(_names())}
    meant = nearest(name.lower(), known)
    return f"; did you mean `{known[meant]}`?" if meant else "; `lintbook rules` lists the rules"


@click.command()
@click.option("--format", "format_name", type=Choice(["text", "json"]), default="text", show_default=True)
def rules(format_name: str) -> int:
    """List all rules.

    Of each its code, name, severity and what is reported; in json also family, status and options.
    """
    from lintbook.checks import RULES

    listed = sorted(RULES, key=lambda rule: rule.code)
    if format_name == "json":
        print(json.dumps([_described(rule) for rule in listed], ensure_ascii=False, indent=2))
        return CLEAN
    _show_list(listed)
    return CLEAN


def _show_list(listed: Sequence[Rule]) -> None:
    width = max(len(rule.name) for rule in listed)
    for rule in listed:
        print(f"{rule.code}  {rule.name:<{width}}  {rule.severity.value:<7}  {rule.summary}")


def _described(rule: Rule) -> dict[str, object]:
    from lintbook.reporters.configuration import toml
    from lintbook.typed import name_of

    return {
        "code": rule.code,
        "name": rule.name,
        "family": rule.family,
        "severity": rule.severity.value,
        "status": rule.status.value,
        "summary": rule.summary,
        # As a configuration file writes the defaults; null is one that is not set.
        "options": {name_of(key): None if each is None else toml(each) for key, each in rule.options.items()},
    }


@click.command()
@click.argument("shell", type=Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print what makes SHELL complete commands and names.

    For bash: lintbook completion bash >> ~/.bash_completion
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    print(kind(context.find_root().command, {}, "lintbook", "_LINTBOOK_COMPLETE").source())
    return CLEAN
