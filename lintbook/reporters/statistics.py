"""Statistics: how often each rule spoke, in the place of what it said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lintbook.diagnostic import Diagnostic
from lintbook.reporters.terminal import Palette, paint

if TYPE_CHECKING:
    from lintbook.engine import Report


def render(report: Report, palette: Palette) -> Iterator[str]:
    """Yield a line for each rule, the most frequent first: count, severity, code, name, and what can be fixed."""
    groups: dict[tuple[str, str], list[Diagnostic]] = {}
    for diagnostic in report.diagnostics:
        groups.setdefault((diagnostic.code, diagnostic.severity), []).append(diagnostic)
    width = max((len(str(len(group))) for group in groups.values()), default=0)
    for (code, _), group in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        first = group[0]
        severity = paint(f"{first.severity.value:<7}", palette.of(first.severity))
        fixable = sum(each.fix is not None and bool(each.fix.edits) for each in group)
        yield f"{len(group):>{width}} {severity} {code} {first.rule}" + (f" ({fixable} fixable)" if fixable else "")
