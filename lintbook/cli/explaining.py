"""The commands about rules: ``lintbook explain`` and ``lintbook rules``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lintbook.cli.status import CLEAN

if TYPE_CHECKING:
    from lintbook.rule import Rule


@click.command()
@click.argument("name")
def explain(name: str) -> int:
    """Show the page of the rulebook about the rule NAME (its name or code)."""
    from lintbook.rulebook import RulebookError, page_text

    rule = _rule(name)
    try:
        page = page_text(rule.family, rule.name)
    except RulebookError as error:
        raise click.ClickException(str(error)) from error
    print(f"{rule.code} {rule.name} ({rule.severity.value}, {rule.status.value}): {rule.summary}\n")
    print(page, end="")
    return CLEAN


def _rule(name: str) -> Rule:
    from lintbook.checks import RULES

    known = {spelling: rule for rule in RULES for spelling in (rule.name, rule.code.lower())}
    wanted = name.lower()
    if wanted in known:
        return known[wanted]
    from difflib import get_close_matches

    nearest = get_close_matches(wanted, known, n=1)
    hint = f"did you mean `{known[nearest[0]].name}`?" if nearest else "`lintbook rules` lists them all"
    raise click.UsageError(f"no rule is called `{name}`; {hint}")


@click.command()
def rules() -> int:
    """List all rules: code, name, severity and what is reported."""
    from lintbook.checks import RULES

    width = max(len(rule.name) for rule in RULES)
    for rule in sorted(RULES, key=lambda rule: rule.code):
        print(f"{rule.code}  {rule.name:<{width}}  {rule.severity.value:<7}  {rule.summary}")
    return CLEAN
