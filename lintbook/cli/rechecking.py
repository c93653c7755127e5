"""``lintbook check --watch``: what becomes of the findings while somebody writes."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from lintbook.cli.watching import watching
from lintbook.reporters import palette_for, reporter, summary_line, trouble_line, vacant_line
from lintbook.watch import Stopwatch

if TYPE_CHECKING:
    from lintbook.diagnostic import Trouble
    from lintbook.engine import Report
    from lintbook.workspace import Workspace

_HELD = "what is found is compared again once this can be read"


class Rechecking:
    """Checks a workspace whenever its files change, and tells what is new and what is gone.

    ``format_name`` is how a finding is shown; ``quiet`` leaves out the line that ends a check, ``profile`` tells where
    the time of each went.
    """

    def __init__(self, workspace: Workspace, format_name: str, *, quiet: bool, profile: bool) -> None:
        self._workspace = workspace
        self._render = reporter(format_name)
        self._palette = palette_for(sys.stdout, os.environ)
        # As of a single check: of the concise format standard output is one line for each entry and nothing else.
        self._summaries = sys.stdout if format_name == "full" else sys.stderr
        self._quiet = quiet
        self._profile = profile

    def run(self) -> None:
        """Check until the user interrupts."""
        from lintbook.following import can_follow, follow

        if not can_follow():
            raise click.ClickException("`--watch` needs the package watchfiles: install `lintbook[watch]`")
        try:
            told = self._check(None)
            self._print(self._render(told, self._palette))
            self._print_below(map(trouble_line, told.troubles), told)
            accepted = self._deciding(told)
            for changed in follow(self._workspace):
                report = self._check(changed)
                if self._deciding(report) <= accepted:
                    self._tell(told, report, changed)
                    told, accepted = report, self._deciding(report)
                else:
                    told = self._hold(told, report)
        except KeyboardInterrupt:  # which is how one ends this
            return

    def _check(self, changed: Collection[str] | None) -> Report:
        stopwatch = Stopwatch() if self._profile else None
        with watching(stopwatch, quiet=self._quiet) as watch:
            report = self._workspace.check(changed, watch=watch)
        if stopwatch is not None and stopwatch.seconds:
            from lintbook.reporters.profile import render

            for line in render(stopwatch.seconds):
                print(line, file=sys.stderr)
        return report

    def _deciding(self, report: Report) -> set[Trouble]:
        """Return the troubles with files that decide what the book is: a configuration, a project file."""
        return {trouble for trouble in report.troubles if self._workspace.decides(trouble.path)}

    def _tell(self, told: Report, report: Report, changed: Collection[str] | None) -> None:
        """Tell what is new and what is gone and, of files that somebody saved, that they have been checked."""
        from lintbook.reporters.changes import compare, render

        changes = compare(told, report)
        saved = {os.path.normpath(Path.cwd() / path) for path in report.sources} & set(changed or ())
        if not (changes or saved or report.vacant != told.vacant):
            return
        self._print(render(changes, self._render, self._palette))
        gone = (f"gone: {trouble_line(trouble)}" for trouble in changes.gone.troubles)
        self._print_below([*map(trouble_line, changes.new.troubles), *gone], report)

    def _hold(self, told: Report, report: Report) -> Report:
        """Tell only what cannot be read: without it the book is another one; return what is told now."""
        new = [trouble for trouble in report.troubles if trouble not in told.troubles]
        for trouble in new:
            print(trouble_line(trouble), file=sys.stderr)
        if new:
            print(f"lintbook: {_HELD}", file=sys.stderr)
        return replace(told, troubles=report.troubles)

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            print(line)
        sys.stdout.flush()

    def _print_below(self, troubles: Iterable[str], report: Report) -> None:
        """Print what stands below the findings of a check."""
        if not self._quiet:
            for folder in report.vacant:
                print(vacant_line(folder), file=sys.stderr)
        for line in troubles:
            print(line, file=sys.stderr)
        if not self._quiet:
            print(summary_line(report), file=self._summaries, flush=True)
