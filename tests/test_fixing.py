"""Fixes: which go together, what they make of a text, and how they get into the files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lintbook.diagnostic import Diagnostic, Edit, Fix, Severity, Trouble
from lintbook.fixing import difference, is_inside, plan, save
from lintbook.text import Source, Span

TEXT = "one two three two"


def page(text: str = TEXT, path: str = "a.md") -> Source:
    return Source(path, text)


def edit(start: int, end: int, replacement: str, path: str = "a.md") -> Edit:
    return Edit(Span(path, start, end), replacement)


def diagnostic(*edits: Edit, safe: bool = True) -> Diagnostic:
    fix = Fix("mend it", edits, safe)
    return Diagnostic("BOX001", "some-rule", Severity.ERROR, Span("a.md", 0, 1), "seen", (), fix, None, None, "0" * 16)


def made(*found: Diagnostic, text: str = TEXT, unsafe: bool = False) -> tuple[str, int]:
    """The text that comes of the fixes, and how many of them were made."""
    source = page(text)
    step = plan(found, {source.path: source}, unsafe=unsafe)
    return step.texts.get(source.path, text), len(step.repaired)


def test_edits_of_several_fixes_are_made_at_their_places() -> None:
    assert made(diagnostic(edit(14, 17, "2"), edit(4, 7, "2")), diagnostic(edit(0, 3, "1"))) == ("1 2 three 2", 2)


def test_unsafe_fixes_are_made_only_if_asked_for() -> None:
    unsafe = diagnostic(edit(0, 3, "1"), safe=False)
    assert made(unsafe) == (TEXT, 0)
    assert made(unsafe, unsafe=True) == ("1 two three two", 1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (edit(4, 7, "2"), edit(4, 7, "zwei")),
        (edit(4, 7, "2"), edit(5, 9, "x")),
        (edit(4, 13, "2"), edit(5, 6, "x")),
        (edit(5, 6, "x"), edit(4, 13, "2")),
        (edit(4, 4, "a"), edit(4, 4, "b")),
        (edit(4, 4, "a"), edit(4, 7, "b")),
        (edit(4, 7, "b"), edit(7, 7, "a")),
    ],
)
def test_of_fixes_that_change_one_place_the_first_is_made_whole_and_the_other_not_at_all(
    first: Edit, second: Edit
) -> None:
    source = page()
    found = [diagnostic(first), diagnostic(edit(0, 1, "O"), second)]
    step = plan(found, {"a.md": source}, unsafe=False)
    assert step.repaired == (found[0],)
    assert step.texts == plan(found[:1], {"a.md": source}, unsafe=False).texts


def test_neighbours_that_both_replace_something_go_together() -> None:
    assert made(diagnostic(edit(0, 3, "1")), diagnostic(edit(3, 7, "-2"))) == ("1-2 three two", 2)


def test_an_edit_that_fixes_share_is_made_once() -> None:
    shared = edit(3, 3, " and a half")
    found = (diagnostic(shared, edit(4, 7, "2")), diagnostic(shared, edit(14, 17, "2")))
    assert made(*found) == ("one and a half 2 three 2", 2)


def test_a_fix_that_contradicts_itself_is_not_made() -> None:
    assert made(diagnostic(edit(0, 3, "1"), edit(2, 5, "x"))) == (TEXT, 0)


def test_a_fix_that_reaches_beyond_the_files_is_not_made() -> None:
    assert made(diagnostic(edit(0, 3, "1"), edit(0, 1, "x", path="../other.md"))) == (TEXT, 0)


def test_a_fix_without_edits_is_advice() -> None:
    assert made(diagnostic()) == (TEXT, 0)


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("a\nb\n", 2, "a\nx\ny\nb\n"),
        ("a\r\nb\r\n", 3, "a\r\nx\r\ny\r\nb\r\n"),
        ("a\r\nb", 3, "a\r\nx\r\ny\r\nb"),
        ("\ufeffa\rb\r", 3, "\ufeffa\rx\ry\rb\r"),
        ("a", 1, "ax\ny\n"),
    ],
)
def test_what_is_inserted_ends_its_lines_as_the_file_does(text: str, place: int, expected: str) -> None:
    assert made(diagnostic(edit(place, place, "x\ny\n")), text=text) == (expected, 1)


def test_many_fixes_take_no_more_than_their_share_of_time() -> None:
    text = "ab" * 20_000
    found = [diagnostic(edit(2 * number, 2 * number + 1, "x")) for number in range(20_000)]
    assert made(*found, text=text) == ("xb" * 20_000, 20_000)


# files


def test_a_difference_is_shown_as_other_tools_show_it() -> None:
    lines = list(difference({"a.md": "one\r\ntwo"}, {"a.md": "one\r\n2"}))
    assert lines == [
        "--- a.md",
        "+++ a.md",
        "@@ -1,2 +1,2 @@",
        " one",
        "-two",
        "\\ No newline at end of file",
        "+2",
        "\\ No newline at end of file",
    ]


def test_a_link_that_leads_out_of_the_book_is_outside(tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "in.md").write_text("x")
    (tmp_path / "out.md").write_text("x")
    (tmp_path / "book" / "link.md").symlink_to(tmp_path / "out.md")
    assert is_inside("book/in.md", "book", tmp_path)
    assert not is_inside("book/link.md", "book", tmp_path)
    assert not is_inside("book/../out.md", "book", tmp_path)
    assert is_inside("in.md", ".", tmp_path / "book")
    assert is_inside("src/in.md", "..", tmp_path / "book")


def test_files_are_written_all_or_none(tmp_path: Path) -> None:
    old, new = {"a.md": "a", "b.md": "b"}, {"a.md": "A", "b.md": "B"}
    for name, text in old.items():
        (tmp_path / name).write_text(text)
    assert save(old, new, tmp_path) == []
    assert [(tmp_path / name).read_text() for name in new] == ["A", "B"]
    (tmp_path / "b.md").write_text("meanwhile")
    newer = {"a.md": "AA", "b.md": "BB"}
    assert save(new, newer, tmp_path) == [Trouble("b.md", "is not fixed: it has changed while it was checked")]
    assert [(tmp_path / name).read_text() for name in new] == ["A", "meanwhile"]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser writes what is write-protected")
def test_a_write_protected_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("a")
    file.chmod(0o444)
    assert save({"a.md": "a"}, {"a.md": "b"}, tmp_path) == [Trouble("a.md", "cannot be written: it is write-protected")]
