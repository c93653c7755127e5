"""What is written alike in the formats for people: places, the header line, troubles, the summary line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from lintbook.diagnostic import Diagnostic, Severity, Trouble
from lintbook.reporters.terminal import Palette, paint, printable
from lintbook.text import Source, Span

if TYPE_CHECKING:
    from lintbook.engine import Report

Sources = Mapping[str, Source]
"""The texts that were read, by their paths."""

MOST_PLACES = 10
"""How many further places an entry names; machines read them all from the json format."""


def place(span: Span, sources: Sources) -> str:
    """Return where ``span`` begins: ``path:line:column``."""
    position = sources[span.path].position(span.start)
    return f"{printable(span.path)}:{position.line}:{position.column}"


def header(diagnostic: Diagnostic, sources: Sources, palette: Palette) -> str:
    """Return ``path:line:column: severity CODE rule-name: message``."""
    where = paint(place(diagnostic.span, sources), palette.place)
    severity = paint(diagnostic.severity, palette.of(diagnostic.severity))
    return f"{where}: {severity} {diagnostic.code} {diagnostic.rule}: {printable(diagnostic.message)}"


def further(spans: Sequence[Span], sources: Sources) -> str:
    """Return the places of ``spans`` in a row; beyond ``MOST_PLACES`` only an ellipsis."""
    shown = [place(span, sources) for span in spans[:MOST_PLACES]]
    return ", ".join([*shown, "…"] if len(spans) > MOST_PLACES else shown)


def trouble_line(trouble: Trouble) -> str:
    """Return ``lintbook: path:line:column: message``, as far as the place is known."""
    where = [trouble.path, *(str(number) for number in (trouble.line, trouble.column) if number is not None)]
    return printable(f"lintbook: {':'.join(where)}: {trouble.message}")


def vacant_line(folder: str) -> str:
    """Return what there is to say of a folder that was named and holds nothing to check."""
    return printable(f"lintbook: {folder}: holds no page of a book")


def summary_line(report: Report) -> str:
    """Return the sentence that ends a run: what was read, what was found and fixed, and what was not checked."""
    summary = report.summary
    found = [
        counted(summary.severities[severity], severity.value)
        for severity in (Severity.ERROR, Severity.WARNING, Severity.INFO)
        if summary.severities.get(severity)
    ]
    parts = [f"checked {counted(summary.files, 'file')}: {', '.join(found) or 'nothing found'}"]
    if summary.fixed:
        parts.append(f"{summary.fixed} fixed")
    parts.extend(_fixable(report))
    if summary.suppressed:
        parts.append(f"{summary.suppressed} suppressed")
    if summary.known:
        parts.append(f"{summary.known} known by the baseline")
    if summary.stale:
        parts.append(f"{summary.stale} stale in the baseline (`lintbook baseline prune`)")
    parts.extend(f"{each.done} of {each.total} {each.what}" for each in summary.progress if each.total)
    left_out = [f"{printable(reason)} ({count})" for reason, count in sorted(summary.unchecked.items()) if count]
    if left_out:
        parts.append(f"not checked: {', '.join(left_out)}")
    return "; ".join(parts)


def _fixable(report: Report) -> Iterator[str]:
    fixes = [diagnostic.fix for diagnostic in report.diagnostics if diagnostic.fix is not None and diagnostic.fix.edits]
    safe = sum(fix.safe for fix in fixes)
    if safe:
        yield f"{safe} to be fixed by `--fix`"
    if len(fixes) > safe:
        yield f"{len(fixes) - safe} {'' if safe else 'to be fixed '}by `--fix --unsafe-fixes`"


def counted(count: int, noun: str) -> str:
    """Return ``1 file``, ``2 files``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
