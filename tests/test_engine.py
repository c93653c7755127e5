from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from lintbook.config import Configuration, Configurations
from lintbook.diagnostic import Diagnostic, Finding, Severity, Trouble, Unchecked
from lintbook.engine import Report, Summary, check, fold, judge
from lintbook.facts import Document, Facts
from lintbook.rule import Rule, Status
from lintbook.ruling import Subject, sign
from lintbook.text import Source, Span


def rule(name: str, code: str, severity: Severity = Severity.ERROR, *yielded: Finding | Unchecked) -> Rule:
    def run(book: object, **options: object) -> Iterator[Finding | Unchecked]:
        yield from yielded

    return Rule(name, code, "boxes", severity, Status.STABLE, "A rule.", {}, run)


ALPHA = rule("alpha", "BOX001")
BETA = rule("beta", "BOX002", Severity.WARNING)


def source(text: str, path: str = "src/one.md") -> Source:
    return Source(path, text)


def finding(where: Source, part: str, occurrence: int = 0, **more: str) -> Finding:
    """A finding at the n-th place where ``part`` stands."""
    start = -1
    for _ in range(occurrence + 1):
        start = where.text.index(part, start + 1)
    return Finding(where.span(start, start + len(part)), more.pop("message", "message"), **more)


def signed(found: Iterable[tuple[Rule, Finding]], *pages: Source) -> list[Diagnostic]:
    """Sign findings in pages of a book whose root is the working directory."""
    return sign(found, {page.path: page for page in pages}, {page.path: page.path for page in pages})


def fingerprints(text: str, *parts: tuple[str, int], signer: Rule = ALPHA, path: str = "src/one.md") -> list[str]:
    where = source(text, path)
    found = [(signer, finding(where, part, occurrence)) for part, occurrence in parts]
    return [diagnostic.fingerprint for diagnostic in signed(found, where)]


def test_a_diagnostic_bears_the_name_code_and_severity_of_its_rule() -> None:
    where = source("例 1.1.1")
    (diagnostic,) = signed([(BETA, finding(where, "1.1.1", message="seen", cause="why"))], where)
    assert (diagnostic.rule, diagnostic.code, diagnostic.severity) == ("beta", "BOX002", Severity.WARNING)
    assert (diagnostic.span, diagnostic.message, diagnostic.cause) == (
        Span("src/one.md", 2, 7),
        "seen",
        "why",
    )


def test_a_mild_finding_is_an_info_whatever_the_rule() -> None:
    where = source("例 1.1.1")
    for signer in (ALPHA, BETA):
        (diagnostic,) = signed([(signer, replace(finding(where, "1.1.1"), mild=True))], where)
        assert (diagnostic.code, diagnostic.severity) == (signer.code, Severity.INFO)


def test_the_order_is_path_then_offset_then_code_whatever_came_first() -> None:
    one, ten, two = source("a b", "src/one.md"), source("a", "src/one/ten.md"), source("a", "src/two.md")
    found = [
        (ALPHA, finding(two, "a")),
        (ALPHA, finding(one, "b")),
        (BETA, finding(one, "a")),
        (ALPHA, finding(ten, "a")),
        (ALPHA, finding(one, "a")),
    ]
    pages = (one, ten, two)
    expected = [
        ("src/one.md", 0, "BOX001"),
        ("src/one.md", 0, "BOX002"),
        ("src/one.md", 2, "BOX001"),
        ("src/one/ten.md", 0, "BOX001"),
        ("src/two.md", 0, "BOX001"),
    ]
    forwards, backwards = signed(found, *pages), signed(reversed(found), *pages)
    assert [(each.span.path, each.span.start, each.code) for each in forwards] == expected
    assert forwards == backwards


def test_a_fingerprint_stays_when_lines_move_above_and_blanks_change() -> None:
    before = fingerprints("text\n定义 2.2.1\n", ("定义 2.2.1", 0))
    moved = fingerprints("more\n\nmore\ntext\n定义 2.2.1\n", ("定义 2.2.1", 0))
    wrapped = fingerprints("text\r\n定义\r\n2.2.1\r\n", ("定义\r\n2.2.1", 0))
    assert before == moved == wrapped


def test_a_fingerprint_does_not_depend_on_message_or_cause() -> None:
    where = source("定义 2.2.1")
    one = signed([(ALPHA, finding(where, "2.2.1", message="2 found", cause="2 left"))], where)
    two = signed([(ALPHA, finding(where, "2.2.1", message="3 found", cause="3 left"))], where)
    assert one[0].fingerprint == two[0].fingerprint


def test_equal_places_of_a_page_have_different_fingerprints_counted_from_the_top() -> None:
    both = fingerprints("mk-blue mk-blue", ("mk-blue", 1), ("mk-blue", 0))
    upper = fingerprints("mk-blue mk-blue", ("mk-blue", 0))
    assert len(set(both)) == 2
    assert both[0] == upper[0]


def test_rule_path_and_text_each_make_another_fingerprint() -> None:
    prints = [
        *fingerprints("a b", ("a", 0)),
        *fingerprints("a b", ("b", 0)),
        *fingerprints("a b", ("a", 0), signer=BETA),
        *fingerprints("a b", ("a", 0), path="src/two.md"),
    ]
    assert len(set(prints)) == 4


def test_diagnostics_of_one_rule_and_cause_are_folded_at_the_first_place() -> None:
    where = source("a b c d e")
    found = [
        (ALPHA, finding(where, "a", cause="moved")),
        (ALPHA, finding(where, "b")),
        (ALPHA, finding(where, "c")),
        (ALPHA, finding(where, "d", cause="moved")),
        (BETA, finding(where, "e", cause="moved")),
    ]
    groups = fold(signed(found, where))
    texts = [[where.text[each.span.start : each.span.end] for each in group] for group in groups]
    assert texts == [["a", "d"], ["b"], ["c"], ["e"]]


class Pages:
    """As much of a book as judging needs."""

    def __init__(self, *documents: Document, root: str = ".") -> None:
        self.documents = documents
        self.root = root


def held(book: Pages, *rules: Rule, text: str = "", folder: Path = Path("/nowhere")) -> Subject:
    """A book held to a configuration file of this text, or to none."""
    if text:
        (folder / "lintbook.toml").write_text(text, encoding="utf-8")
    configuration = Configurations(rules, folder).of(".") if text else Configuration(rules, folder, folder)
    return Subject(book, configuration)  # type: ignore[arg-type]


def test_paths_limit_what_is_reported_and_leave_fingerprints_as_they_were() -> None:
    one, two = source("a", "src/one.md"), source("a", "src/two.md")
    book = Pages(Document(one, Facts()), Document(two, Facts()))
    rules = [rule("alpha", "BOX001", Severity.ERROR, finding(one, "a"), finding(two, "a"))]
    everything = judge([held(book, *rules)], lambda path: True)
    limited = judge([held(book, *rules)], lambda path: path == "src/two.md")
    assert [each.span.path for each in everything.diagnostics] == ["src/one.md", "src/two.md"]
    assert limited.diagnostics == everything.diagnostics[1:]
    assert (limited.summary.files, limited.summary.severities[Severity.ERROR]) == (2, 1)


def test_troubles_of_discovery_and_of_parsing_are_reported_once_in_order() -> None:
    cut = Trouble("src/one.md", "nested too deep", 3)
    document = Document(source("a"), Facts(troubles=(cut,)))
    missing = Trouble("absent", "does not exist")
    report = judge([held(Pages(document))], lambda path: True, [cut, missing])
    assert report.troubles == (missing, cut)


def test_what_was_not_checked_is_counted_by_reason_over_all_rules_and_books() -> None:
    where = source("a")
    rules = [
        rule("alpha", "BOX001", Severity.ERROR, Unchecked("links out of the book"), finding(where, "a")),
        rule("beta", "BOX002", Severity.ERROR, Unchecked("links out of the book"), Unchecked("footnotes")),
    ]
    report = judge(
        [
            held(Pages(Document(where, Facts())), *rules),
            held(Pages(Document(source("b", "src/two.md"), Facts())), *rules),
        ],
        lambda path: True,
    )
    assert report.summary.unchecked == {"links out of the book": 4, "footnotes": 2}
    assert len(report.diagnostics) == 1  # what two books say of one place, which one of them includes, is said once


def test_a_report_reaches_the_severity_of_its_worst_diagnostic() -> None:
    where = source("a")
    sources = {where.path: where}
    warned = Report(tuple(signed([(BETA, finding(where, "a"))], where)), (), Summary({}, 1, {}), sources)
    assert [warned.reaches(severity) for severity in (Severity.INFO, Severity.WARNING, Severity.ERROR)] == [
        True,
        True,
        False,
    ]
    assert not Report((), (), Summary({}, 0, {}), {}).reaches(Severity.INFO)


# configuration


def optional(*yielded: Finding) -> Rule:
    """A rule that finds the text which its option names."""

    def run(book: Pages, *, text: str = "a") -> Iterator[Finding | Unchecked]:
        yield Unchecked("footnotes")
        for document in book.documents:
            yield finding(document.source, text)

    return Rule("alpha", "BOX001", "boxes", Severity.ERROR, Status.STABLE, "A rule.", {"text": "a"}, run)


def test_a_rule_is_as_severe_as_it_is_where_its_finding_stands(tmp_path: Path) -> None:
    one, two = source("a", "src/one.md"), source("a", "src/two.md")
    signer = rule("alpha", "BOX001", Severity.ERROR, finding(one, "a"), finding(two, "a"))
    text = '[severity]\nalpha = "warning"\n[per-path."src/two.md".severity]\nalpha = "info"'
    book = Pages(Document(one, Facts()), Document(two, Facts()))
    report = judge([held(book, signer, text=text, folder=tmp_path)], lambda path: True)
    assert [each.severity for each in report.diagnostics] == [Severity.WARNING, Severity.INFO]


def test_a_rule_says_nothing_where_it_is_off(tmp_path: Path) -> None:
    one, two = source("a", "src/one.md"), source("a", "src/two.md")
    signer = rule("alpha", "BOX001", Severity.ERROR, finding(one, "a"), finding(two, "a"))
    book = Pages(Document(one, Facts()), Document(two, Facts()))
    text = '[per-path."src/one.md"]\nignore = ["alpha"]'
    report = judge([held(book, signer, text=text, folder=tmp_path)], lambda path: True)
    assert [each.span.path for each in report.diagnostics] == ["src/two.md"]


def test_other_options_on_some_paths_change_only_what_is_found_there(tmp_path: Path) -> None:
    one, two = source("a b", "src/one.md"), source("a b", "src/two.md")
    book = Pages(Document(one, Facts()), Document(two, Facts()))
    text = '[per-path."src/two.md".rules.alpha]\ntext = "b"'
    report = judge([held(book, optional(), text=text, folder=tmp_path)], lambda path: True)
    assert [(each.span.path, each.span.start) for each in report.diagnostics] == [("src/one.md", 0), ("src/two.md", 2)]
    assert report.summary.unchecked == {"footnotes": 1}


def test_a_fingerprint_is_the_same_from_wherever_the_book_is_checked() -> None:
    def prints(path: str, root: str, folder: str) -> list[str]:
        page = source("a", path)
        subject = held(
            Pages(Document(page, Facts()), root=root),
            rule("alpha", "BOX001", Severity.ERROR, finding(page, "a")),
            folder=Path(folder),
        )
        return [each.fingerprint for each in judge([subject], lambda path: True).diagnostics]

    above = prints("books/one/src/a.md", "books/one", "/r")
    assert above == prints("src/a.md", ".", "/r/books/one") == prints("a.md", "..", "/r/books/one/src")
    assert above == prints("../one/src/a.md", "../one", "/r/books/two")


def test_what_is_missing_does_not_depend_on_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "lectures").mkdir()
    (tmp_path / "lectures" / "a.md").write_text("[x](img/q.png) [y](../z.md) [w](v.md)\n", encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    for folder, path in ((".", "lectures"), ("lectures", "."), ("elsewhere", "../lectures"), ("/", str(tmp_path))):
        monkeypatch.chdir(tmp_path / folder)
        report = check([path], Path.cwd(), cached=False)
        assert [each.rule for each in report.diagnostics] == ["broken-link"] * 3, folder
