"""The commands that tell about lintbook: ``explain``, ``rules`` and ``completion``."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import click

from lintbook.cli.nearest import Choice
from lintbook.cli.status import CLEAN
from lintbook.likeness import nearest
from lintbook.reporters import palette_for

if TYPE_CHECKING:
    from lintbook.rule import Rule

SHELLS = ("bash", "fish", "zsh")


def _complete_rule(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    from lintbook.checks import RULES

    return sorted(name for rule in RULES for name in (rule.name, rule.code) if name.startswith(incomplete))


@click.command()
@click.argument("name", shell_complete=_complete_rule)
def explain(name: str) -> int:
    """Show the page of the rulebook about the rule NAME (its name or code)."""
    from lintbook.reporters.page import render
    from lintbook.rulebook import RulebookError, page_text

    rule = _rule(name)
    try:
        page = page_text(rule.family, rule.name)
    except RulebookError as error:
        raise click.ClickException(str(error)) from error
    print(f"{rule.code} {rule.name} ({rule.severity.value}, {rule.status.value}): {rule.summary}\n")
    for line in render(page, palette_for(sys.stdout, os.environ)):
        print(line)
    return CLEAN


def _rule(name: str) -> Rule:
    from lintbook.checks import RULES

    known = {spelling: rule for rule in RULES for spelling in (rule.name, rule.code.lower())}
    wanted = name.lower()
    if wanted in known:
        return known[wanted]
    meant = nearest(wanted, known)
    hint = f"did you mean `{known[meant].name}`?" if meant else "`lintbook rules` lists them all"
    raise click.UsageError(f"no rule is called `{name}`; {hint}")


@click.command()
@click.option("--format", "format_name", type=Choice(["text", "json"]), default="text", show_default=True)
def rules(format_name: str) -> int:
    """List all rules: code, name, severity and what is reported; in json also family, status and options."""
    from lintbook.checks import RULES

    listed = sorted(RULES, key=lambda rule: rule.code)
    if format_name == "json":
        print(json.dumps([_described(rule) for rule in listed], ensure_ascii=False, indent=2))
        return CLEAN
    width = max(len(rule.name) for rule in listed)
    for rule in listed:
        print(f"{rule.code}  {rule.name:<{width}}  {rule.severity.value:<7}  {rule.summary}")
    return CLEAN


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
    """Print what makes SHELL complete lintbook's commands, options and rules.

    For bash: lintbook completion bash >> ~/.bash_completion
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    print(kind(context.find_root().command, {}, "lintbook", "_LINTBOOK_COMPLETE").source())
    return CLEAN
