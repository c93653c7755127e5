"""Faults planted into clean books: each is found where it stands, and nothing else is said."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from lintbook.engine import check

FIXTURES = Path(__file__).parent.parent / "fixtures" / "books"
LECTURE = "src/lectures"


class Fault(NamedTuple):
    """A fault: the file and the text in it that is replaced, by what, and the rule that must speak of it.

    ``where`` tells the file and the text of the line that is named, where these are not the planted ones; ``also`` are
    the rules that speak of what follows from the fault, in other lines.
    """

    path: str
    old: str
    new: str
    rule: str
    where: tuple[str, str] | None = None
    also: tuple[str, ...] = ()


FAULTS = [
    Fault(f"{LECTURE}/sec21.md", "](sec22.md#def-2.2.1)", "](sec22a.md#def-2.2.1)", "broken-link"),
    Fault(
        f"{LECTURE}/sec22.md",
        "{#def-2.2.1}",
        "{#def-2.2.1x}",
        "broken-fragment",
        ("*", "sec22.md#def-2.2.1)"),
        ("dangling-redirect", "missing-correction"),
    ),
    Fault("src/preface.md", "](lectures/sec21.md)", "](lectures/Sec21.md)", "mismatched-path-case"),
    Fault("src/preface.md", "](lectures/sec21.md)", "](lectures\\sec21.md)", "backslash-path"),
    Fault("src/preface.md", "](lectures/sec21.md)", "] (lectures/sec21.md)", "unparsed-link"),
    Fault("src/SUMMARY.md", "(lectures/sec27.md)", "(lectures/sec-27.md)", "missing-chapter"),
    Fault(
        "src/SUMMARY.md",
        "(./lectures/sec25.md)",
        "(lectures/sec24.md)",
        "duplicate-chapter",
        None,
        ("dangling-redirect", "link-to-orphan", "orphaned-page"),
    ),
    Fault("src/SUMMARY.md", "(lectures/sec26.md)", "(lectures/sec26.md#x)", "fragment-in-summary"),
    Fault("src/SUMMARY.md", "  - [2.7 现代序列架构]", "  - 2.7\n  - [2.7 现代序列架构]", "malformed-summary"),
    Fault("src/SUMMARY.md", "[前言](preface.md)\n", "", "orphaned-page", ("src/preface.md", "# ")),
    Fault(
        f"{LECTURE}/sec21.md",
        "# 2.1",
        "{{#include gone.md}}\n\n# 2.1",
        "missing-include",
        (f"{LECTURE}/sec21.md", "gone.md"),
    ),
    Fault("book.toml", '= "sec22.html#def-2.2.1"', '= "sec22.html#def-2.2.9"', "dangling-redirect"),
    Fault(
        "book.toml", '"/lec02.html" =', '"/lectures/sec21.html" =', "shadowing-redirect", None, ("dangling-redirect",)
    ),
    Fault(
        "book.toml", '"/lec02.html" = "lectures/sec2-summary.html"', '"/lec02.html" = "lec02.html"', "redirect-cycle"
    ),
    Fault("src/preface.md", "# ", "<div>\n\n# ", "unbalanced-html", ("src/preface.md", "<div>")),
]


def copied(tmp_path: Path, fault: Fault | None = None) -> Path:
    """Copy the lecture book to ``tmp_path``, with ``fault`` planted."""
    book = tmp_path / "book"
    shutil.copytree(FIXTURES / "lecture-2", book)
    if fault is not None:
        file = book / fault.path
        text = file.read_text(encoding="utf-8")
        assert fault.old in text, "the book has changed: plant the fault elsewhere"
        file.write_text(text.replace(fault.old, fault.new, 1), encoding="utf-8")
    return book


def lines_found(book: Path) -> set[tuple[str, int, str]]:
    """Return path, line and rule of all that lintbook finds in ``book``, of pages and all else."""
    report = check((".",), book, cached=False)
    assert report.troubles == ()
    return {
        (each.span.path, report.sources[each.span.path].position(each.span.start).line, each.rule)
        for each in report.diagnostics
        if each.severity.weight > 0
    }


def planted_lines(book: Path, fault: Fault) -> set[tuple[str, int]]:
    """Return the lines that must be named: that of the planted text, or all that hold the text of ``where``."""
    pattern, wanted = fault.where or (fault.path, fault.new.strip().split("\n")[0])
    files = sorted((book / "src").rglob("*.md")) if pattern == "*" else [book / pattern]
    return {
        (file.relative_to(book).as_posix(), number)
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1)
        if wanted in line
    }


def test_the_book_is_clean(tmp_path: Path) -> None:
    assert lines_found(copied(tmp_path)) == set()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.rule} in {fault.path}")
def test_a_planted_fault_is_found_where_it_stands(tmp_path: Path, fault: Fault) -> None:
    book = copied(tmp_path, fault)
    found = lines_found(book)
    assert found & {(*line, fault.rule) for line in planted_lines(book, fault)}
    others = {(path, line, rule) for path, line, rule in found if rule not in fault.also}
    assert others <= {(*line, fault.rule) for line in planted_lines(book, fault)}


def test_a_moved_page_is_one_cause(tmp_path: Path) -> None:
    book = copied(tmp_path)
    (book / "src/lectures/sec24.md").rename(book / "src/lectures/attention.md")
    summary = book / "src/SUMMARY.md"
    summary.write_text(summary.read_text(encoding="utf-8").replace("/sec24.md)", "/attention.md)"), encoding="utf-8")
    report = check((".",), book, cached=False)
    broken = [each for each in report.diagnostics if each.rule == "broken-link"]
    assert len(broken) > 2
    assert {each.cause for each in broken} == {"missing src/lectures/sec24.md"}
