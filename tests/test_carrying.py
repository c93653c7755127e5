"""Redirects carried from SUMMARY.md into book.toml: what is added, and that all else stays."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from lintbook.carrying import with_redirects
from lintbook.cli import run

NEW = {"/old.html#a": "new.html#b"}
LINE = '"/old.html#a" = "new.html#b"\n'
TABLE = '[book]\ntitle = "B"\n\n[output.html.redirect]\n"/x.html" = "y.html" # why\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TABLE, TABLE + LINE),
        (TABLE.rstrip("\n"), TABLE + LINE),
        (
            TABLE + "\n# on the search\n[output.html.search]\n",
            TABLE + LINE + "\n# on the search\n[output.html.search]\n",
        ),
        ("[output.html.redirect]\n", "[output.html.redirect]\n" + LINE),
        ("[book]\n", "[book]\n\n[output.html.redirect]\n" + LINE),
        ("[book]", "[book]\n\n[output.html.redirect]\n" + LINE),
        ("", "\n[output.html.redirect]\n" + LINE),
        (TABLE.replace("\n", "\r\n"), (TABLE + LINE).replace("\n", "\r\n")),
    ],
)
def test_lines_go_to_the_end_of_the_table(text: str, expected: str) -> None:
    assert with_redirects(text, NEW) == expected


@pytest.mark.parametrize(
    "text",
    ['[output.html]\nredirect = { "/x.html" = "y.html" }\n', 'output.html.redirect."/x.html" = "y.html"\n', "[book\n"],
)
def test_a_table_of_another_form_is_left_alone(text: str) -> None:
    with pytest.raises(ValueError, match=r"redirects|TOML"):
        with_redirects(text, NEW)


@given(some.dictionaries(some.text(min_size=1), some.text(), max_size=4))
def test_any_address_is_written_so_that_it_is_read_again(redirects: dict[str, str]) -> None:
    try:
        text = with_redirects(TABLE, redirects)
    except ValueError:  # a character that no TOML may hold
        return
    assert tomllib.loads(text)["output"]["html"]["redirect"] == {"/x.html": "y.html", **redirects}


def test_the_command_shows_both_and_carries_what_is_lacking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "src/part").mkdir(parents=True)
    (tmp_path / "book.toml").write_text('[output.html.redirect]\n"/old.html" = "new.html"\n', encoding="utf-8")
    record = "old.md#a -> part/README.md#b\nold.md -> new.md\npart/x.md -> gone.md\n"
    (tmp_path / "src/SUMMARY.md").write_text(
        f"- [New](new.md)\n- [Part](part/README.md)\n\n<!-- redirects\n{record}-->\n", encoding="utf-8"
    )
    (tmp_path / "src/new.md").write_text("# New\n", encoding="utf-8")
    (tmp_path / "src/part/README.md").write_text("# Part\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run(["redirects", "--write"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "book.toml:2: /old.html → new.html",
        "src/SUMMARY.md:5: old.md#a → part/README.md#b (not in book.toml)",
        "src/SUMMARY.md:6: old.md → new.md (in book.toml too)",
        "src/SUMMARY.md:7: part/x.md → gone.md (not in book.toml)",
        "book.toml: 2 redirects added",
    ]
    table = tomllib.loads((tmp_path / "book.toml").read_text(encoding="utf-8"))["output"]["html"]["redirect"]
    assert table == {
        "/old.html": "new.html",
        "/old.html#a": "part/index.html#b",
        "/part/x.html": "../gone.html",
    }
    assert run(["redirects", "--write"]) == 0
    assert "added" not in capsys.readouterr().out
