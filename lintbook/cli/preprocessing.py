"""The command ``lintbook mdbook``: a preprocessor that checks the sources and hands the book back unchanged."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from lintbook.cli.status import CLEAN, FOUND
from lintbook.cli.troubles import tell
from lintbook.reporters import PLAIN, reporter, summary_line

POLICIES = ("warn", "error", "ignore")


@click.group(invoke_without_command=True)
@click.pass_context
def mdbook(context: click.Context) -> int:
    """Check a book while mdBook builds it.

    This is for a table [preprocessor.lintbook] in book.toml. What is found goes to standard error. `warning-policy`
    in that table says what it does to the build: "warn" (by default) lets it go on, "error" stops it where
    `lintbook check` would exit with 1, "ignore" checks nothing.
    """
    if context.invoked_subcommand is not None:
        return CLEAN
    data = sys.stdin.buffer.read()
    try:
        settings, book = json.loads(data)
        root = Path(settings["root"])
        policy = _policy(settings)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise click.ClickException("mdBook hands a context and a book as JSON on standard input") from error
    status = CLEAN if policy == "ignore" else _checked(root, policy)
    # The book goes back whatever was found: whether the build goes on is for the status to say.
    json.dump(book, sys.stdout, ensure_ascii=False)
    sys.stdout.flush()
    return status


@mdbook.command()
@click.argument("renderer")
def supports(renderer: str) -> int:
    """Say whether the book may be checked for RENDERER; the sources are the same for all."""
    return CLEAN


def _policy(settings: dict[str, Any]) -> str:
    table = settings.get("config", {}).get("preprocessor", {}).get("lintbook", {})
    policy = table.get("warning-policy", "warn") if isinstance(table, dict) else "warn"
    if policy not in POLICIES:
        listed = ", ".join(f'"{each}"' for each in POLICIES)
        raise click.UsageError(f"warning-policy in [preprocessor.lintbook] is none of {listed}")
    return str(policy)


def _checked(root: Path, policy: str) -> int:
    """Check the sources of the book at ``root`` and show what is found; return the status that the policy gives it."""
    from lintbook.engine import check

    report = check((".",), root)
    for line in reporter("concise")(report, PLAIN):
        print(line, file=sys.stderr)
    failed = tell(report.troubles)
    print(f"lintbook: {summary_line(report)}", file=sys.stderr)
    if policy == "warn":
        return CLEAN
    return failed or (FOUND if report.reaches(report.fail_on) else CLEAN)
