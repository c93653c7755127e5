"""The command ``lintbook check``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

import click

from lintbook.cli.configuring import configuring, filled, overrides, paths_argument
from lintbook.cli.nearest import Choice
from lintbook.cli.status import CLEAN, FOUND
from lintbook.cli.troubles import tell
from lintbook.cli.watching import watching
from lintbook.diagnostic import Severity, Trouble
from lintbook.reporters import (
    FOR_PROGRAMS,
    FORMATS,
    PLAIN,
    Reporter,
    palette_for,
    printable,
    reporter,
    summary_line,
    vacant_line,
)
from lintbook.watch import Stopwatch

if TYPE_CHECKING:
    from lintbook.engine import Repair, Report


@click.command()
@paths_argument
@click.option(
    "--format",
    "format_name",
    type=Choice(FORMATS),
    default="full",
    show_default=True,
    help="How to show what is found: for people, one line each, or for programs.",
)
@click.option("--output-file", "-o", metavar="FILE", callback=filled, help="Write what is found to FILE.")
@click.option("--statistics", is_flag=True, help="Show how often each rule spoke instead of what it said.")
@click.option("--quiet", "-q", is_flag=True, help="Leave out progress and the line that ends a run.")
@click.option("--fix", is_flag=True, help="Repair what can be repaired in one way only.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: repair also what may be meant otherwise.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option(
    "--fail-on",
    type=Choice([severity.value for severity in Severity]),
    help="The least severity that makes the exit status 1.  [default: warning]",
)
@click.option("--no-baseline", is_flag=True, help="Report also what the baseline knows.")
@click.option("--fail-on-stale", is_flag=True, help="Exit with 1 also where the baseline knows what is found no more.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever was found.")
@click.option("--base", metavar="REV", help="Judge also what changed since REV: rows of errata, facts without one.")
@click.option("--jobs", "-j", type=click.IntRange(1), metavar="N", help="Work with at most N processes at once.")
@click.option("--no-cache", is_flag=True, help="Read every file anew; nothing is kept for the next run.")
@click.option("--watch", "keeps_on", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
@click.option("--profile", is_flag=True, help="Tell on standard error how long each phase and rule took.")
@configuring
def check(
    paths: tuple[str, ...],
    format_name: str,
    output_file: str | None,
    statistics: bool,
    quiet: bool,
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    fail_on: str | None,
    no_baseline: bool,
    fail_on_stale: bool,
    exit_zero: bool,
    base: str | None,
    jobs: int | None,
    no_cache: bool,
    keeps_on: bool,
    profile: bool,
    **configured: Any,
) -> int:
    """Check the books round PATHS.

    These are files or folders, by default the current folder. The whole of each book is read; PATHS limit what is
    reported, except that findings in SUMMARY.md, book.toml and the errata page of a book always are.

    The exit status is 0 if nothing was found, 1 if something was, 2 if something could not be read or done; with
    --watch it is 0.
    """
    from lintbook import engine

    if unsafe_fixes and not (fix or diff):
        raise click.UsageError("`--unsafe-fixes` goes with `--fix` or `--diff`")
    if statistics and format_name in FOR_PROGRAMS:
        raise click.UsageError(f"`--statistics` is for people, `--format {format_name}` for programs")
    if base is not None and (fix or diff):
        raise click.UsageError("`--base` judges what changed and goes with neither `--fix` nor `--diff`")
    given: dict[str, Any] = {
        "overrides": overrides(**configured),
        "cached": not no_cache,
        "jobs": jobs,
        "with_baseline": not no_baseline,
    }
    paths = paths or (".",)
    if keeps_on:
        if fix or diff or statistics or output_file is not None or format_name in FOR_PROGRAMS:
            raise click.UsageError(
                "`--watch` is for people at a screen: it goes with none of `--fix`, `--diff`, `--statistics`,"
                " `--output-file` and the formats for programs"
            )
        return _keep_on(paths, format_name, quiet=quiet, profile=profile, base=base, **given)
    stopwatch = Stopwatch({"starting": process_time()}) if profile else None
    if diff:
        with watching(stopwatch, quiet=quiet) as watch:
            repair = engine.fix(paths, Path.cwd(), unsafe=unsafe_fixes, watch=watch, **given)
        status = _show_difference(repair)
        _show_times(stopwatch)
        return status
    with watching(stopwatch, quiet=quiet) as watch:
        if fix:
            report = engine.fix_files(paths, Path.cwd(), unsafe=unsafe_fixes, watch=watch, **given)
        else:
            report = engine.check(paths, Path.cwd(), base=base, watch=watch, **given)
    with watch.phase("reporting"):
        written = _show(report, reporter("statistics" if statistics else format_name), output_file)
    if not quiet:
        for folder in report.vacant:
            print(vacant_line(folder), file=sys.stderr)
    failed = tell((*report.troubles, *written))
    if not quiet and format_name not in FOR_PROGRAMS:
        # Of the concise format standard output is one line for each entry and nothing else.
        on_output = format_name == "full" and output_file is None
        print(summary_line(report), file=sys.stdout if on_output else sys.stderr)
    _show_times(stopwatch)
    if failed:
        return failed
    failing = report.reaches(Severity(fail_on) if fail_on else report.fail_on)
    failing = failing or (fail_on_stale and report.summary.stale > 0)
    return FOUND if failing and not exit_zero else CLEAN


def _show(report: Report, render: Reporter, output_file: str | None) -> tuple[Trouble, ...]:
    """Show what was found, or write it into a file; return why that could not be done."""
    if output_file is None:
        for line in render(report, palette_for(sys.stdout, os.environ)):
            print(line)
        sys.stdout.flush()
        return ()
    from lintbook.files import write

    trouble = write(output_file, "".join(f"{line}\n" for line in render(report, PLAIN)), Path.cwd())
    return () if trouble is None else (trouble,)


def _show_times(stopwatch: Stopwatch | None) -> None:
    if stopwatch is not None:
        from lintbook.reporters.profile import render

        for line in render(stopwatch.seconds):
            print(line, file=sys.stderr)


def _keep_on(paths: tuple[str, ...], format_name: str, *, quiet: bool, profile: bool, **given: Any) -> int:
    from lintbook.cli.rechecking import Rechecking
    from lintbook.workspace import Workspace

    Rechecking(Workspace(paths, Path.cwd(), **given), format_name, quiet=quiet, profile=profile).run()
    return CLEAN


def _show_difference(repair: Repair) -> int:
    from lintbook.fixing import difference

    for line in difference(repair.old, repair.new):
        print(printable(line))
    sys.stdout.flush()
    return tell(repair.report.troubles) or (FOUND if repair.new else CLEAN)
