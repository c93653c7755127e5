"""The github format: workflow commands, which GitHub Actions shows as annotations of a change, one for each place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lintbook.diagnostic import Diagnostic, Severity
from lintbook.reporters.terminal import UNPRINTABLE, Palette

if TYPE_CHECKING:
    from lintbook.engine import Report

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: Report, palette: Palette) -> Iterator[str]:
    """Yield a command for each diagnostic; the palette goes unused, for GitHub colours them itself."""
    for diagnostic in report.diagnostics:
        yield _command(diagnostic, report)


def _command(diagnostic: Diagnostic, report: Report) -> str:
    source = report.sources[diagnostic.span.path]
    start, end = source.position(diagnostic.span.start), source.position(diagnostic.span.end)
    properties = {
        "title": f"{diagnostic.code} {diagnostic.rule}",
        "file": diagnostic.span.path,
        "line": str(start.line),
        "endLine": str(end.line),
        # Columns are taken to be of one line; of a place of several lines GitHub shows the lines alone.
        **({"col": str(start.column), "endColumn": str(end.column)} if start.line == end.line else {}),
    }
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    advice = f" ({diagnostic.advice})" if diagnostic.advice is not None else ""
    return f"::{_COMMANDS[diagnostic.severity]} {listed}::{_data(diagnostic.message + advice)}"


def _data(text: str) -> str:
    """Escape what would end a command, and what would steer a terminal that shows the log."""
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return UNPRINTABLE.sub("\ufffd", escaped)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
