"""The command line: what each command takes, prints and returns. Nothing else in lintbook knows click.

Commands import what they need when they run, so that ``lintbook --version`` costs no more than click itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lintbook import __version__
from lintbook.diagnostic import Severity
from lintbook.reporters import FORMATS, palette_for, summary_line, trouble_line

if TYPE_CHECKING:
    from lintbook.engine import Report
    from lintbook.rule import Rule

CLEAN, FOUND, FAILED, INTERRUPTED = 0, 1, 2, 130


def run(arguments: Sequence[str]) -> int:
    """Run lintbook with ``arguments`` and return the exit status, one of the four above."""
    try:
        status: int = lintbook.main(list(arguments), prog_name="lintbook", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return FAILED
    except click.Abort:
        return INTERRUPTED
    return status


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
def lintbook() -> None:
    """Find where a lecture book in Markdown and SVG contradicts itself."""


@lintbook.command()
@click.argument("paths", nargs=-1)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(FORMATS)),
    default="full",
    show_default=True,
    help="How to show what is found: for people, one line each, or for programs.",
)
@click.option(
    "--fail-on",
    type=click.Choice([severity.value for severity in Severity]),
    default=Severity.WARNING.value,
    show_default=True,
    help="The least severity that makes the exit status 1.",
)
@click.option("--no-cache", is_flag=True, help="Read every file anew; nothing is kept for the next run.")
def check(paths: tuple[str, ...], format_name: str, fail_on: str, no_cache: bool) -> int:
    """Check the books round PATHS (files or folders; by default the current folder).

    The whole of each book is read; PATHS limit what is reported, except that findings in SUMMARY.md,
    book.toml and the errata page of a book always are.

    The exit status is 0 if nothing was found, 1 if something was, 2 if something could not be read or done.
    """
    from lintbook.engine import check as check_books

    report = check_books(paths or (".",), Path.cwd(), cached=not no_cache)
    _show(report, format_name)
    if report.troubles:
        return FAILED
    return FOUND if report.reaches(Severity(fail_on)) else CLEAN


def _show(report: Report, format_name: str) -> None:
    for line in FORMATS[format_name](report, palette_for(sys.stdout, os.environ)):
        print(line)
    sys.stdout.flush()
    for trouble in report.troubles:
        print(trouble_line(trouble), file=sys.stderr)
    if format_name == "concise":
        # Its standard output is one line for each entry and nothing else.
        print(summary_line(report.summary), file=sys.stderr)


@lintbook.group()
def cache() -> None:
    """Look after what is kept of files that were read."""


@cache.command("clear")
def clear_cache() -> int:
    """Remove all that is kept; the next run reads every file anew."""
    from lintbook.cache import cache_folder, clear

    print(f"removed {clear()} from {cache_folder()}")
    return CLEAN


@lintbook.command()
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


@lintbook.command()
def rules() -> int:
    """List all rules: code, name, severity and what is reported."""
    from lintbook.checks import RULES

    width = max(len(rule.name) for rule in RULES)
    for rule in sorted(RULES, key=lambda rule: rule.code):
        print(f"{rule.code}  {rule.name:<{width}}  {rule.severity.value:<7}  {rule.summary}")
    return CLEAN
