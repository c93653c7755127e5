"""Fixing whole books: what can be fixed is gone, a second time changes nothing, and mdBook builds them as before."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from mdbook import build
from test_fixture_books import BOOKS

from lintbook.engine import Report, check, fix_files


def fixable(report: Report) -> list[str]:
    """The messages of what could still be fixed."""
    return [each.message for each in report.diagnostics if each.fix is not None and each.fix.edits]


def texts(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_a_fixed_book_has_nothing_left_to_fix(book: Path, tmp_path: Path) -> None:
    copy = tmp_path / book.name
    shutil.copytree(book, copy)
    before = check(["."], copy, cached=False)
    after = fix_files(["."], copy, unsafe=True, cached=False)
    assert after.troubles == before.troubles
    assert fixable(after) == []
    assert (after.summary.fixed > 0) == bool(fixable(before))
    fixed = texts(copy)
    again = fix_files(["."], copy, unsafe=True, cached=False)
    assert (again.summary.fixed, texts(copy)) == (0, fixed)
    assert again.diagnostics == after.diagnostics


@pytest.mark.parametrize("book", [book for book in BOOKS if (book / "book.toml").exists()], ids=lambda book: book.name)
def test_mdbook_builds_a_fixed_book_as_it_did(book: Path, tmp_path: Path) -> None:
    copy = tmp_path / book.name
    shutil.copytree(book, copy)
    plain = build(copy, tmp_path / "before")
    fix_files(["."], copy, cached=False)
    fixed = build(copy, tmp_path / "after")
    assert fixed.returncode == plain.returncode, fixed.stderr
    # A chapter whose name was misspelt is no longer made up by mdBook; every page that is there is built as before.
    there = {page.with_suffix(".html").name for page in (copy / "src").rglob("*.md")}
    pages = [{page.name for page in out.rglob("*.html")} & there for out in (tmp_path / "before", tmp_path / "after")]
    assert pages[0] <= pages[1]
