"""The command ``lintbook check``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lintbook.cli.configuring import configuring, overrides
from lintbook.cli.status import CLEAN, FAILED, FOUND
from lintbook.diagnostic import Severity
from lintbook.reporters import FORMATS, palette_for, summary_line, trouble_line

if TYPE_CHECKING:
    from lintbook.engine import Report


@click.command()
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
    help="The least severity that makes the exit status 1.  [default: warning]",
)
@click.option("--no-cache", is_flag=True, help="Read every file anew; nothing is kept for the next run.")
@configuring
def check(paths: tuple[str, ...], format_name: str, fail_on: str | None, no_cache: bool, **configured: Any) -> int:
    """Check the books round PATHS (files or folders; by default the current folder).

    The whole of each book is read; PATHS limit what is reported, except that findings in SUMMARY.md,
    book.toml and the errata page of a book always are.

    The exit status is 0 if nothing was found, 1 if something was, 2 if something could not be read or done.
    """
    from lintbook.engine import check as check_books

    report = check_books(paths or (".",), Path.cwd(), overrides=overrides(**configured), cached=not no_cache)
    _show(report, format_name)
    if report.troubles:
        return FAILED
    return FOUND if report.reaches(Severity(fail_on) if fail_on else report.fail_on) else CLEAN


def _show(report: Report, format_name: str) -> None:
    for line in FORMATS[format_name](report, palette_for(sys.stdout, os.environ)):
        print(line)
    sys.stdout.flush()
    for trouble in report.troubles:
        print(trouble_line(trouble), file=sys.stderr)
    if format_name == "concise":
        # Its standard output is one line for each entry and nothing else.
        print(summary_line(report.summary), file=sys.stderr)
