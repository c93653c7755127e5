"""The sarif format (2.1.0): for code scanning services and viewers, as one object."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lintbook import HOMEPAGE, __version__
from lintbook.diagnostic import Diagnostic, Edit, Fix, Related, Severity, Trouble
from lintbook.reporters.places import Sources
from lintbook.reporters.terminal import UNPRINTABLE, Palette
from lintbook.text import Span

if TYPE_CHECKING:
    from lintbook.engine import Report

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(report: Report, palette: Palette) -> Iterator[str]:
    """Yield the object on one line; the palette goes unused, for programs see no colours."""
    rules = sorted(
        {diagnostic.rule: diagnostic for diagnostic in report.diagnostics}.values(), key=lambda each: each.code
    )
    places = {diagnostic.rule: number for number, diagnostic in enumerate(rules)}
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver(rules)},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"WORKINGDIRECTORY": {"description": {"text": "where lintbook was run"}}},
                "invocations": [
                    {
                        "executionSuccessful": not report.troubles,
                        "toolExecutionNotifications": [_notification(each) for each in report.troubles],
                    }
                ],
                "results": [_result(each, places[each.rule], report.sources) for each in report.diagnostics],
            }
        ],
    }
    text = json.dumps(log, ensure_ascii=False)
    yield UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _driver(rules: list[Diagnostic]) -> dict[str, Any]:
    return {
        "name": "lintbook",
        "version": __version__,
        "informationUri": HOMEPAGE,
        "rules": [_rule(each) for each in rules],
    }


def _rule(example: Diagnostic) -> dict[str, Any]:
    """Describe the rule of a diagnostic."""
    from lintbook.checks import RULES

    known = next((rule for rule in RULES if rule.name == example.rule), None)
    described: dict[str, Any] = {"id": example.code, "name": example.rule}
    if known is not None:
        described["shortDescription"] = {"text": known.summary}
        described["helpUri"] = f"{HOMEPAGE}/blob/v{__version__}/rules/{known.family}/{known.name}.md"
        described["defaultConfiguration"] = {"level": _LEVELS[known.severity]}
    return described


def _result(diagnostic: Diagnostic, rule: int, sources: Sources) -> dict[str, Any]:
    advice = f"; {diagnostic.advice}" if diagnostic.advice is not None else ""
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": diagnostic.message + advice},
        "locations": [_location(diagnostic.span, sources)],
        "partialFingerprints": {"lintbook/v1": diagnostic.fingerprint},
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            _related(each, number, sources) for number, each in enumerate(diagnostic.related, start=1)
        ]
    if diagnostic.fix is not None and diagnostic.fix.edits:
        result["fixes"] = [_fix(diagnostic.fix, sources)]
    if diagnostic.cause is not None:
        result["properties"] = {"cause": diagnostic.cause}
    return result


def _related(related: Related, number: int, sources: Sources) -> dict[str, Any]:
    return {"id": number, **_location(related.span, sources), "message": {"text": related.message}}


def _fix(fix: Fix, sources: Sources) -> dict[str, Any]:
    changes: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        changes.setdefault(edit.span.path, []).append(edit)
    return {
        "description": {"text": fix.title if fix.safe else f"{fix.title} (may not be what is meant)"},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(path),
                "replacements": [
                    {"deletedRegion": _region(edit.span, sources), "insertedContent": {"text": edit.replacement}}
                    for edit in edits
                ],
            }
            for path, edits in changes.items()
        ],
    }


def _location(span: Span, sources: Sources) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(span.path), "region": _region(span, sources)}}


def _artifact(path: str) -> dict[str, Any]:
    from urllib.parse import quote

    # Of what is not UTF-8 in a name the bytes are kept.
    return {"uri": quote(path, errors="surrogateescape"), "uriBaseId": "WORKINGDIRECTORY"}


def _region(span: Span, sources: Sources) -> dict[str, int]:
    source = sources[span.path]
    start, end = source.position(span.start), source.position(span.end)
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }


def _notification(trouble: Trouble) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": _artifact(trouble.path)}
    if trouble.line is not None:
        location["region"] = {"startLine": trouble.line}
        if trouble.column is not None:
            location["region"]["startColumn"] = trouble.column
    return {"level": "error", "message": {"text": trouble.message}, "locations": [{"physicalLocation": location}]}
