"""The json format: one object that holds every diagnostic, for programs. Scripts rely on its keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lintbook.diagnostic import Diagnostic, Edit, Fix, Related, Severity
from lintbook.reporters.places import Sources
from lintbook.reporters.terminal import UNPRINTABLE, Palette
from lintbook.text import Position, Span

if TYPE_CHECKING:
    from lintbook.engine import Report, Summary

VERSION = 1
"""The version of this format: it grows when a reader of the old one would go wrong."""


def render(report: Report, palette: Palette) -> Iterator[str]:
    """Yield the object on one line; the palette goes unused, for programs see no colours."""
    text = json.dumps(
        {
            "version": VERSION,
            "diagnostics": [_diagnostic(each, report.sources) for each in report.diagnostics],
            "summary": _summary(report.summary),
        },
        ensure_ascii=False,
    )
    # Still the same object to a reader of JSON, but harmless when it is looked at on a terminal.
    yield UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _diagnostic(diagnostic: Diagnostic, sources: Sources) -> dict[str, Any]:
    start, end = _ends(diagnostic.span, sources)
    return {
        "code": diagnostic.code,
        "rule": diagnostic.rule,
        "severity": diagnostic.severity.value,
        "path": diagnostic.span.path,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
        "message": diagnostic.message,
        "cause": diagnostic.cause,
        "fingerprint": diagnostic.fingerprint,
        "related": [_related(each, sources) for each in diagnostic.related],
        "fix": None if diagnostic.fix is None else _fix(diagnostic.fix, sources),
    }


def _related(related: Related, sources: Sources) -> dict[str, Any]:
    start, _ = _ends(related.span, sources)
    return {"path": related.span.path, **_position(start), "message": related.message}


def _fix(fix: Fix, sources: Sources) -> dict[str, Any]:
    return {"title": fix.title, "safe": fix.safe, "edits": [_edit(each, sources) for each in fix.edits]}


def _edit(edit: Edit, sources: Sources) -> dict[str, Any]:
    start, end = _ends(edit.span, sources)
    return {
        "path": edit.span.path,
        "start": _position(start),
        "end": _position(end),
        "replacement": edit.replacement,
    }


def _summary(summary: Summary) -> dict[str, Any]:
    return {
        **{severity.value: summary.severities.get(severity, 0) for severity in Severity},
        "files": summary.files,
        "fixed": summary.fixed,
        "suppressed": summary.suppressed,
        "known": summary.known,
        "stale": summary.stale,
        "unchecked": dict(sorted(summary.unchecked.items())),
        "progress": {each.what: {"done": each.done, "total": each.total} for each in summary.progress},
    }


def _ends(span: Span, sources: Sources) -> tuple[Position, Position]:
    source = sources[span.path]
    return source.position(span.start), source.position(span.end)


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column}
