"""The concise format: one line for each entry, ``path:line:column: severity CODE rule-name: message``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lintbook.diagnostic import Diagnostic
from lintbook.engine import Report, fold
from lintbook.reporters.places import counted, further, header
from lintbook.reporters.terminal import Palette
from lintbook.text import Source


def render(report: Report, palette: Palette) -> Iterator[str]:
    """Yield one line for each diagnostic; those of one cause are one line, at the first of their places."""
    for group in fold(report.diagnostics):
        yield _line(group, report.sources, palette)


def _line(group: list[Diagnostic], sources: Mapping[str, Source], palette: Palette) -> str:
    line = header(group[0], sources, palette)
    others = [diagnostic.span for diagnostic in group[1:]]
    if not others:
        return line
    return f"{line} (and {counted(len(others), 'more place')}: {further(others, sources)})"
