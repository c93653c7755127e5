"""The formats for other programs: sarif, held to the object model that is made from its schema, and github."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import attr
import pytest
import sarif_om
from jsonschema import Draft7Validator

from lintbook.checks import RULES
from lintbook.diagnostic import Diagnostic, Edit, Fix, Related, Severity, Trouble
from lintbook.engine import Report, Summary, check
from lintbook.reporters import reporter
from lintbook.reporters.terminal import PLAIN
from lintbook.text import Source, Span

BOOKS = sorted((Path(__file__).parent.parent / "fixtures" / "books").iterdir())

# What class of the model stands under each key of an object that we write; a key that is not here holds plain values.
PARTS = {
    "runs": sarif_om.Run,
    "tool": sarif_om.Tool,
    "driver": sarif_om.ToolComponent,
    "rules": sarif_om.ReportingDescriptor,
    "shortDescription": sarif_om.MultiformatMessageString,
    "defaultConfiguration": sarif_om.ReportingConfiguration,
    "invocations": sarif_om.Invocation,
    "toolExecutionNotifications": sarif_om.Notification,
    "results": sarif_om.Result,
    "message": sarif_om.Message,
    "locations": sarif_om.Location,
    "relatedLocations": sarif_om.Location,
    "physicalLocation": sarif_om.PhysicalLocation,
    "artifactLocation": sarif_om.ArtifactLocation,
    "region": sarif_om.Region,
    "deletedRegion": sarif_om.Region,
    "fixes": sarif_om.Fix,
    "description": sarif_om.Message,
    "artifactChanges": sarif_om.ArtifactChange,
    "replacements": sarif_om.Replacement,
    "insertedContent": sarif_om.ArtifactContent,
}


def modelled(kind: type[Any], value: dict[str, Any]) -> Any:
    """Build an object of the model; it refuses a name that the schema has not, and the lack of one that it needs."""
    names = {field.metadata["schema_property_name"]: field.name for field in attr.fields(kind)}
    given = {}
    for key, part in value.items():
        assert key in names, f"{kind.__name__} has no {key}"
        if key not in PARTS:
            given[names[key]] = part
        elif isinstance(part, list):
            given[names[key]] = [modelled(PARTS[key], each) for each in part]
        else:
            given[names[key]] = modelled(PARTS[key], part)
    return kind(**given)


def report() -> Report:
    source = Source("课/a b.md", "# 定义 2.2.1 {#def-2-1}\n\n定义 2.2.1\n")
    fix = Fix("write `def-2.2.1`", (Edit(source.span(13, 20), "def-2.2.1"), Edit(source.span(25, 30), "x")), safe=False)
    rule = next(rule for rule in RULES if rule.code == "BOX008")
    found = Diagnostic(
        rule.code, rule.name, Severity.WARNING, source.span(13, 20), "`def-2-1` is flat: 100 %, so\nmend it",
        (Related(source.span(23, 32), "used here"),), fix, "flat anchors", "mind the links", "0123456789abcdef",
    )  # fmt: skip
    long = Diagnostic(
        "PAG001",
        "broken-link",
        Severity.INFO,
        source.span(0, len(source.text) - 1),
        "seen",
        (),
        None,
        None,
        None,
        "f" * 16,
    )
    return Report(
        (found, long), (Trouble("b.md", "is not UTF-8", 3, 4), Trouble("c", "does not exist")),
        Summary({}, 1, {}), {source.path: source},
    )  # fmt: skip


@pytest.fixture(scope="module")
def log() -> dict[str, Any]:
    (line,) = reporter("sarif")(report(), PLAIN)
    loaded = json.loads(line)
    assert isinstance(loaded, dict)
    return loaded


def test_sarif_fits_the_model(log: dict[str, Any]) -> None:
    assert log["$schema"].endswith("sarif-2.1.0.json")
    built = modelled(sarif_om.SarifLog, {key: value for key, value in log.items() if key != "$schema"})
    assert built.version == "2.1.0"


@pytest.mark.skipif("LINTBOOK_SARIF_SCHEMA" not in os.environ, reason="the schema, which .ci/run fetches, is not here")
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_sarif_is_valid_by_its_schema(book: Path) -> None:
    schema = json.loads(Path(os.environ["LINTBOOK_SARIF_SCHEMA"]).read_text(encoding="utf-8"))
    (line,) = reporter("sarif")(check(["."], book), PLAIN)
    errors = [f"{error.json_path}: {error.message}" for error in Draft7Validator(schema).iter_errors(json.loads(line))]
    assert schema["title"].startswith("Static Analysis Results Format (SARIF) Version 2.1.0")
    assert errors == []


def test_sarif_says_of_a_rule_what_it_is_and_where_that_is_explained(log: dict[str, Any]) -> None:
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["BOX008", "PAG001"]
    assert rules[0]["helpUri"].endswith("/rules/boxes/legacy-box-anchor.md")
    assert [result["ruleIndex"] for result in log["runs"][0]["results"]] == [0, 1]


def test_sarif_tells_places_in_code_points_with_relative_escaped_paths(log: dict[str, Any]) -> None:
    run = log["runs"][0]
    assert run["columnKind"] == "unicodeCodePoints"
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "%E8%AF%BE/a%20b.md", "uriBaseId": "WORKINGDIRECTORY"}
    assert place["region"] == {"startLine": 1, "startColumn": 14, "endLine": 1, "endColumn": 21}
    assert run["results"][0]["level"] == "warning" and run["results"][1]["level"] == "note"
    assert run["results"][0]["partialFingerprints"] == {"lintbook/v1": "0123456789abcdef"}


def test_sarif_holds_related_places_fixes_and_troubles(log: dict[str, Any]) -> None:
    run = log["runs"][0]
    result = run["results"][0]
    assert result["relatedLocations"][0]["message"] == {"text": "used here"}
    (change,) = result["fixes"][0]["artifactChanges"]
    assert [each["insertedContent"]["text"] for each in change["replacements"]] == ["def-2.2.1", "x"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert [each["message"]["text"] for each in invocation["toolExecutionNotifications"]] == [
        "is not UTF-8",
        "does not exist",
    ]


def test_github_gets_a_command_for_each_place() -> None:
    assert list(reporter("github")(report(), PLAIN)) == [
        "::warning title=BOX008 legacy-box-anchor,file=课/a b.md,line=1,endLine=1,col=14,endColumn=21"
        "::`def-2-1` is flat: 100 %25, so%0Amend it (mind the links)",
        "::notice title=PAG001 broken-link,file=课/a b.md,line=1,endLine=3::seen",
    ]


def test_github_commands_cannot_be_broken_by_names() -> None:
    source = Source("a,b:c%\n::error.md", "x")
    found = Diagnostic("BOX001", "r", Severity.ERROR, Span(source.path, 0, 1), "m", (), None, None, None, "0")
    (line,) = reporter("github")(Report((found,), (), Summary({}, 1, {}), {source.path: source}), PLAIN)
    assert "file=a%2Cb%3Ac%25%0A%3A%3Aerror.md," in line
