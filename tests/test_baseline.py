"""The baseline: what it knows, what is new beside it, and what of it is stale."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lintbook.baseline import Baseline, growth, read_baseline, record, sift, without, write_baseline
from lintbook.cli import run
from lintbook.diagnostic import Diagnostic, Severity, Trouble
from lintbook.engine import check
from lintbook.text import Span

INSTEAD = "restore it, or write it anew by `lintbook baseline write`"


def found(fingerprint: str, rule: str = "some-rule", path: str = "src/a.md") -> Diagnostic:
    return Diagnostic(
        "BOX001", rule, Severity.ERROR, Span(path, 0, 1), f"saw `{fingerprint}`", (), None, None, None, fingerprint
    )


def recorded(*diagnostics: Diagnostic, book: str = ".") -> Baseline:
    return record("lintbook-baseline.json", [(book, each.span.path, each) for each in diagnostics])


def test_the_known_are_told_from_the_new_and_the_stale() -> None:
    sifted = sift(recorded(found("1"), found("2")), ".", [found("2"), found("3")], {"some-rule"})
    assert [each.fingerprint for each in sifted.new] == ["3"]
    assert [each.fingerprint for each in sifted.known] == ["2"]
    assert [each.known.fingerprint for each in sifted.stale] == ["1"]


def test_one_more_of_a_kind_is_new_and_one_less_is_stale() -> None:
    """Files of one name in two places of a book's root may have equal fingerprints."""
    two = recorded(found("1"), found("1"))
    more = sift(two, ".", [found("1")] * 3, {"some-rule"})
    assert (len(more.known), len(more.new), more.stale) == (2, 1, ())
    less = sift(two, ".", [found("1")], {"some-rule"})
    assert (len(less.known), [entry.count for entry in less.stale]) == (1, [1])
    assert without(two, less.stale) == recorded(found("1"))


def test_of_rules_that_were_off_nothing_is_stale_and_other_books_are_left_alone() -> None:
    assert sift(recorded(found("1")), ".", [], {"other-rule"}).stale == ()
    assert sift(recorded(found("1"), book="books/one"), "books/two", [found("1")], {"some-rule"}).known == ()


def test_growth_is_what_was_not_known_before() -> None:
    assert growth(recorded(found("1")), recorded(found("1"), found("1"), found("2"))) == 2
    assert growth(recorded(found("1"), found("2")), recorded(found("2"))) == 0


def test_a_baseline_is_read_as_it_was_written(tmp_path: Path) -> None:
    baseline = recorded(found("2"), found("1"), found("1"), found("3", path="src/课.md"))
    assert write_baseline(baseline, tmp_path) is None
    assert read_baseline(baseline.path, tmp_path) == baseline
    lines = (tmp_path / baseline.path).read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[3].rstrip(",")) == {
        "book": ".", "path": "src/a.md", "rule": "some-rule", "message": "saw `1`", "fingerprint": "1", "count": 2,
    }  # fmt: skip
    assert "课" in lines[5]
    empty = recorded()
    assert write_baseline(empty, tmp_path) is None
    assert read_baseline(empty.path, tmp_path) == empty


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("{", (f"is no baseline: it is no JSON; {INSTEAD}", 1, 2)),
        ("[]", (f"is no baseline; {INSTEAD}",)),
        ('{"version": 2}', ("is a baseline of version 2, not 1",)),
        ('{"version": 1, "diagnostics": [{}]}', (f"is no baseline; {INSTEAD}",)),
        ('{"version": 1, "diagnostics": 3}', (f"is no baseline; {INSTEAD}",)),
    ],
)
def test_a_damaged_baseline_is_a_trouble(tmp_path: Path, text: str, trouble: tuple[str, int, int]) -> None:
    (tmp_path / "b.json").write_text(text)
    assert read_baseline("b.json", tmp_path) == Trouble("b.json", *trouble)


def test_a_baseline_that_is_named_and_missing_is_a_trouble(tmp_path: Path) -> None:
    said = "is the baseline and does not exist; `lintbook baseline write` makes it"
    assert read_baseline("b.json", tmp_path) == Trouble("b.json", said)


# whole runs


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    (tmp_path / "one.md").write_text("# One\n\n[a](gone.md)\n\n[b](gone.md)\n")
    return tmp_path


def test_what_is_recorded_is_reported_no_more(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--quiet"]) == 1
    assert run(["baseline", "write"]) == 0
    assert capsys.readouterr().out.endswith("lintbook-baseline.json: 2 known, 2 of them new\n")
    assert run(["check"]) == 0
    assert capsys.readouterr().out == "checked 1 file: nothing found; 2 known by the baseline\n"
    assert run(["check", "--no-baseline"]) == 1


def test_lines_that_move_change_nothing_and_a_new_fault_is_reported(book: Path) -> None:
    run(["baseline", "write"])
    (book / "one.md").write_text("# One\n\nmore\n\n[a](gone.md)\n\n[b](gone.md)\n\n[c](gone.md) [d](other.md)\n")
    report = check(["."], book)
    assert [each.message for each in report.diagnostics] == ["`gone.md` does not exist", "`other.md` does not exist"]
    assert (report.summary.known, report.summary.stale) == (2, 0)


def test_the_baseline_is_found_from_wherever_the_book_is_checked(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (book / ".git").mkdir()
    (book / "inner" / "src").mkdir(parents=True)
    (book / "inner" / "book.toml").write_text("")
    (book / "inner" / "src" / "a.md").write_text("[x](gone.md)")
    assert run(["baseline", "write"]) == 0
    for folder in (book, book / "inner", book / "inner" / "src"):
        monkeypatch.chdir(folder)
        assert run(["check", "."]) == 0, folder


@pytest.fixture
def book_and_more(book: Path) -> Path:
    """A book of mdBook with a README beside its sources, and another one in a folder of its own."""
    (book / ".git").mkdir()
    (book / "one.md").rename(book / "README.md")
    for folder in (book, book / "other"):
        (folder / "src").mkdir(parents=True)
        (folder / "book.toml").write_text("")
        (folder / "src" / "SUMMARY.md").write_text("- [A](a.md)\n- [B](b.md)\n")
        (folder / "src" / "a.md").write_text("[x](gone.md)")
    return book


@pytest.mark.parametrize("path", [".", "src", "README.md", "src/a.md", "other"])
def test_what_one_book_knows_is_not_stale_in_the_pages_beside_it(book_and_more: Path, path: str) -> None:
    run(["baseline", "write"])
    report = check([path], book_and_more)
    assert (report.diagnostics, report.summary.stale) == ((), 0)


def test_the_books_of_a_baseline_are_pruned_and_written_each_for_itself(
    book_and_more: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["baseline", "write"])
    run(["baseline", "show"])
    shown = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()[1:-1]]
    assert shown == ["README.md", "README.md", "other/src/SUMMARY.md", "other/src/a.md", "src/SUMMARY.md", "src/a.md"]
    run(["baseline", "prune"])
    assert capsys.readouterr().out == "lintbook-baseline.json: 6 known, 0 removed\n"
    (book_and_more / "other" / "src" / "a.md").write_text("[x](gone.md) [y](lost.md)")
    run(["baseline", "write", "other"])
    assert capsys.readouterr().out == "lintbook-baseline.json: 7 known, 1 of them new\n"
    assert run(["check"]) == 0


def test_writing_what_some_rules_find_keeps_what_is_known_of_others(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["baseline", "write"])
    run(["baseline", "write", "--select", "boxes"])
    assert capsys.readouterr().out.splitlines()[-1] == "lintbook-baseline.json: 2 known, 0 of them new"
    assert run(["check"]) == 0


def test_stale_entries_are_told_and_pruned(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["baseline", "write"])
    (book / "one.md").write_text("# One\n\n[a](gone.md)\n")
    capsys.readouterr()
    assert run(["check"]) == 0
    assert "1 stale in the baseline (`lintbook baseline prune`)" in capsys.readouterr().out
    assert run(["check", "--fail-on-stale"]) == 1
    assert run(["check", "--select", "boxes", "--fail-on-stale"]) == 0
    capsys.readouterr()
    assert run(["baseline", "show"]) == 0
    assert sorted(capsys.readouterr().out.splitlines(), key=len) == [
        "one.md: broken-link: `gone.md` does not exist",
        "lintbook-baseline.json: 2 known, 1 of them stale",
        "one.md: broken-link: `gone.md` does not exist (1 stale)",
    ]
    assert run(["baseline", "prune"]) == 0
    assert capsys.readouterr().out == "lintbook-baseline.json: 1 known, 1 removed\n"
    assert run(["check", "--fail-on-stale"]) == 0


def test_in_continuous_integration_it_only_shrinks(
    book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["baseline", "write"])
    before = (book / "lintbook-baseline.json").read_bytes()
    (book / "one.md").write_text("# One\n\n[a](gone.md)\n\n[c](other.md)\n")
    monkeypatch.setenv("CI", "true")
    assert run(["baseline", "write"]) == 2
    assert "lintbook-baseline.json only shrinks here, and 1 diagnostics are not in it" in capsys.readouterr().err
    assert (book / "lintbook-baseline.json").read_bytes() == before
    (book / "one.md").write_text("# One\n\n[a](gone.md)\n")
    assert run(["baseline", "write"]) == 0
    assert (book / "lintbook-baseline.json").read_bytes() != before


def test_the_configuration_may_name_another_file(book: Path) -> None:
    (book / "lintbook.toml").write_text('baseline = "known/faults.json"')
    (book / "known").mkdir()
    assert run(["check"]) == 2  # a name that is wrong must not make everything new in silence
    assert run(["baseline", "write"]) == 0
    assert (book / "known" / "faults.json").is_file()
    assert run(["check"]) == 0


def test_known_faults_are_fixed_too(book: Path) -> None:
    (book / "one.md").write_text("# One\n\n<!-- lintbook: ignore[broken-link] -->\n\ntext\n")
    run(["baseline", "write"])
    assert run(["check", "--fix"]) == 0
    assert (book / "one.md").read_text() == "# One\n\n\ntext\n"


def test_a_damaged_baseline_hides_nothing(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "lintbook-baseline.json").write_text("{}")
    assert run(["check"]) == 2
    shown = capsys.readouterr()
    assert "2 errors" in shown.out
    assert "lintbook: lintbook-baseline.json: is no baseline" in shown.err
