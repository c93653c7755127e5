"""What comments silence, whole runs included."""

from __future__ import annotations

import time
from pathlib import Path

from bounds import HANGS

from lintbook.diagnostic import Diagnostic, Severity
from lintbook.engine import Report, check, fix
from lintbook.facts import Suppression
from lintbook.rule import Rule, Status
from lintbook.suppression import silence
from lintbook.text import Span

ALPHA = Rule("alpha", "BOX001", "boxes", Severity.ERROR, Status.STABLE, "A rule.", {}, lambda book: iter(()))
BETA = Rule("beta", "PAG001", "pages", Severity.ERROR, Status.STABLE, "A rule.", {}, lambda book: iter(()))
RULES = {rule.name: rule for rule in (ALPHA, BETA)}


def found(start: int, rule: Rule = ALPHA, path: str = "a.md") -> Diagnostic:
    span = Span(path, start, start + 1)
    return Diagnostic(rule.code, rule.name, rule.severity, span, "seen", (), None, None, None, f"{start:016}")


def comment(start: int, end: int, selector: str = "alpha", problem: str | None = None) -> Suppression:
    """A comment in front of what it governs."""
    place = Span("a.md", max(start - 1, 0), start)
    return Suppression(place, selector, place, Span("a.md", start, end), "", problem)


def heard(diagnostics: list[Diagnostic], *comments: Suppression) -> list[int]:
    return [each.span.start for each in silence(diagnostics, {"a.md": comments}, RULES).heard]


def test_what_begins_inside_the_scope_is_silenced_and_no_more() -> None:
    assert heard([found(4), found(5), found(9), found(10)], comment(5, 10)) == [4, 10]


def test_only_the_rules_that_are_named_are_silenced() -> None:
    both = [found(5), found(6, BETA)]
    assert heard(both, comment(0, 9)) == [6]
    assert heard(both, comment(0, 9, "PAG001")) == [5]
    assert heard(both, comment(0, 9, "boxes")) == [6]
    assert heard(both, comment(0, 9, "BOX")) == [6]
    assert heard(both, comment(0, 9), comment(0, 9, "beta")) == []


def test_other_files_and_comments_that_ask_for_nothing_silence_nothing() -> None:
    assert heard([found(5, path="b.md")], comment(0, 9)) == [5]
    assert heard([found(5)], comment(0, 9, problem="names no rule")) == [5]


def test_of_nested_comments_the_innermost_counts_as_used() -> None:
    outer, inner, later = comment(0, 100), comment(10, 20), comment(30, 40)
    result = silence([found(15), found(50)], {"a.md": [outer, later, inner]}, RULES)
    assert (result.heard, result.used) == ([], {inner, outer})
    assert silence([found(15)], {"a.md": [outer, inner]}, RULES).used == {inner}


def test_very_many_of_both_take_no_more_than_their_share_of_time() -> None:
    comments = [comment(number, 40_000) for number in range(20_000)]
    start = time.process_time()
    assert heard([found(20_000 + number) for number in range(20_000)], *comments) == []
    assert time.process_time() - start < HANGS


# whole runs


def report(folder: Path, **pages: str) -> Report:
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return check(["."], folder, cached=False)


def rules_of(what: Report) -> list[str]:
    return [each.rule for each in what.diagnostics]


def test_a_comment_silences_the_block_behind_it(tmp_path: Path) -> None:
    said = "<!-- lintbook: ignore[broken-link] next week -->"
    what = report(tmp_path, one=f"# One\n\n{said}\n\n[a](gone.md)\n\n[b](gone.md)\n")
    assert [what.sources["one.md"].position(each.span.start).line for each in what.diagnostics] == [7]
    assert what.summary.suppressed == 1


def test_a_comment_that_silences_nothing_is_told_unless_its_rule_is_off(tmp_path: Path) -> None:
    text = "# One\n\n<!-- lintbook: ignore[broken-link] next week -->\n\ntext\n"
    assert rules_of(report(tmp_path, one=text)) == ["unused-suppression"]
    (tmp_path / "lintbook.toml").write_text('ignore = ["broken-link"]')
    assert rules_of(report(tmp_path)) == []


def test_what_is_said_about_comments_can_be_silenced_too(tmp_path: Path) -> None:
    text = (
        "# One\n\n<!-- lintbook: ignore-file[suppressions] a page about lintbook -->\n\n<!-- lintbook: ignroe[x] -->\n"
    )
    what = report(tmp_path, one=text)
    assert (rules_of(what), what.summary.suppressed) == ([], 1)


def test_fingerprints_do_not_depend_on_what_is_silenced(tmp_path: Path) -> None:
    plain = report(tmp_path, one="# One\n\n[a](gone.md)\n\n[b](gone.md)\n").diagnostics
    said = "<!-- lintbook: ignore[broken-link] -->"
    (left,) = report(tmp_path, one=f"# One\n\n{said}\n\n[a](gone.md)\n\n[b](gone.md)\n").diagnostics
    assert left.fingerprint == plain[1].fingerprint


def test_taking_out_an_idle_comment_keeps_the_blocks_round_it_apart(tmp_path: Path) -> None:
    said = "<!-- lintbook: ignore[broken-link] -->"
    (tmp_path / "one.md").write_text(
        f"one\n{said}\ntwo\n\n{said}\n\nthree {said} four\n\n<svg>\n{said}\n<g></g>\n</svg>\n\n> {said}\n> five\n"
    )
    repair = fix(["."], tmp_path, cached=False)
    assert repair.new["one.md"] == "one\n\ntwo\n\n\nthree four\n\n<svg>\n<g></g>\n</svg>\n\n>\n> five\n"
    assert rules_of(repair.report) == []
