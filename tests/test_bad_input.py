"""Bad input gets a clear word, nothing is lost, and nothing hangs: run through the command line in another process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

LIMIT = 60  # seconds; each takes about one


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "lintbook", "check", "--format", "concise", *(arguments or (".",))],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done


def write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


SOUND = "[x](gone.md)\n"
FOUND = "broken-link: `gone.md` does not exist"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a sound page that has a fault: it must be found whatever stands beside it."""
    write(tmp_path / "sound.md", SOUND)
    return tmp_path


def assert_said(folder: Path, *words: str) -> None:
    done = run(folder)
    assert done.returncode == 2
    assert f"sound.md:1:5: error PAG001 {FOUND}" in done.stdout
    for word in words:
        assert word in done.stderr


def test_page_that_is_not_utf8(folder: Path) -> None:
    write(folder / "latin.md", b"# ok\n\ncaf\xe9\n")
    assert_said(folder, "lintbook: latin.md:3:4: is not UTF-8: byte 0xe9")


def test_nul_byte(folder: Path) -> None:
    write(folder / "nul.md", b"a\0b [y](also-gone.md)\n")
    done = run(folder)
    assert done.returncode == 2
    assert "nul.md:1:2: contains a NUL character" in done.stderr
    assert "nul.md:1:9: error PAG001" in done.stdout


@pytest.mark.parametrize(
    "line",
    ["x" * 10_000_000, "[" * 10_000_000, "a *b* [c](d) `e` " * 600_000, "`a` " * 2_500_000, "| a " * 2_500_000],
    ids=["letters", "brackets", "markup", "backticks", "pipes"],
)
def test_line_of_ten_megabytes(folder: Path, line: str) -> None:
    write(folder / "long.md", f"before\n\n{line}\n\nbehind [z](lost.md)\n")
    assert_said(folder, "long.md:3:1: a paragraph of ", "characters is not checked")
    assert "long.md:5:12: error PAG001 broken-link: `lost.md`" in run(folder).stdout


def test_a_key_of_twenty_thousand_parts(folder: Path) -> None:
    write(folder / "book.toml", "[book]\ntitle = 'a.b'\n" + ".".join(["a"] * 20_000) + " = 1\n")
    assert_said(folder, "book.toml:3:1: is not read: a key has more than 500 parts")


def test_ten_thousand_nested_quotations(folder: Path) -> None:
    write(folder / "deep.md", ">" * 10_000 + " deep\n\nbehind [z](lost.md)\n")
    assert_said(folder, "deep.md:1:1: nested deeper than 150 levels: the text there is not checked")
    assert "deep.md:3:12: error PAG001 broken-link: `lost.md`" in run(folder).stdout


def test_links_that_loop_and_lead_nowhere(folder: Path) -> None:
    (folder / "loop").symlink_to(".")
    (folder / "itself.md").symlink_to("itself.md")
    (folder / "dead.md").symlink_to("nowhere.md")
    assert_said(folder, "dead.md: leads nowhere", "itself.md: ")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no FIFOs")
def test_fifo_is_never_opened(folder: Path) -> None:
    os.mkfifo(folder / "pipe.md")
    assert_said(folder, "pipe.md: is neither a file nor a folder")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is forbidden to the superuser")
def test_folder_without_permission(folder: Path) -> None:
    write(folder / "shut" / "page.md", SOUND)
    (folder / "shut").chmod(0)
    try:
        assert_said(folder, "shut: cannot be read: permission denied")
    finally:
        (folder / "shut").chmod(0o755)


def test_drawing_with_entity_bomb_and_external_entity(folder: Path) -> None:
    bomb = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol"}">' for n in range(10))
    secret = folder / "secret.txt"
    write(secret, "never to be shown")
    write(folder / "bomb.svg", f"<!DOCTYPE svg [{bomb}]>\n<svg><text>&l9;</text></svg>")
    write(folder / "thief.svg", f'<!DOCTYPE svg [<!ENTITY x SYSTEM "{secret.as_uri()}">]>\n<svg><text>&x;</text></svg>')
    done = run(folder)
    assert done.returncode == 2
    assert "bomb.svg:2:12" in done.stderr
    assert "thief.svg:2:12" in done.stderr
    assert "never to be shown" not in done.stdout + done.stderr


def test_path_that_does_not_exist(folder: Path) -> None:
    done = run(folder, "sound.md", "absent.md")
    assert done.returncode == 2
    assert "absent.md: does not exist" in done.stderr
    assert FOUND in done.stdout


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("lectures\\第 1 讲.md", "lectures/第 1 讲.md"),
        ("lectrues/第 1 讲.md", "lectures/第 1 讲.md"),
        ("lectures/第 1 将.md", "lectures/第 1 讲.md"),
        ("./lectures/../lectrues", "lectures"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="a backslash is a separator there")
def test_path_that_does_not_exist_and_resembles_one_that_does(folder: Path, path: str, meant: str) -> None:
    write(folder / "lectures" / "第 1 讲.md", SOUND)
    done = run(folder, path)
    assert done.returncode == 2
    assert f"does not exist; did you mean `{meant}`?" in done.stderr


def test_path_that_resembles_nothing(folder: Path) -> None:
    done = run(folder, "elsewhere/x.md")
    assert "lintbook: elsewhere/x.md: does not exist\n" in done.stderr


def test_folder_without_pages(folder: Path) -> None:
    (folder / "empty").mkdir()
    write(folder / "data" / "x.csv", "1,2\n")
    done = run(folder, "empty", "data", "sound.md")
    assert done.returncode == 1
    assert done.stderr.splitlines()[:2] == [
        "lintbook: empty: holds no page of a book",
        "lintbook: data: holds no page of a book",
    ]


@pytest.mark.skipif(os.name == "nt", reason="names that Windows refuses")
@pytest.mark.parametrize("name", ["two words", "第一讲", "q\"uo'te", "new\nline", "-dash", "a:1:2", "100%25#x?y"])
def test_names_with_anything_in_them(folder: Path, name: str) -> None:
    write(folder / name / f"{name}.md", SOUND)
    shown = f"{name}/{name}.md".replace("\n", "\\x0a")
    for path in (f"./{name}", f"./{name}/{name}.md", str(folder / name)):
        done = run(folder, path)
        assert (done.returncode, done.stdout) == (1, f"{shown}:1:5: error PAG001 {FOUND}\n")


def test_empty_book(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode == 0
    assert done.stderr.splitlines() == ["lintbook: .: holds no page of a book", "checked 0 files: nothing found"]


def test_book_without_pages(tmp_path: Path) -> None:
    write(tmp_path / "book.toml", '[book]\ntitle = "x"\n')
    done = run(tmp_path)
    assert done.returncode == 2
    assert "book.toml: the book is empty: there is no page in `src`" in done.stderr


def test_folder_named_through_a_link(folder: Path) -> None:
    (folder / "real").mkdir()
    write(folder / "real" / "page.md", SOUND)
    (folder / "link").symlink_to("real")
    for name in ("link", "link/page.md"):
        done = run(folder, name)
        assert done.returncode == 1
        assert f"real/page.md:1:5: error PAG001 {FOUND}" in done.stdout


def test_broken_book_toml(tmp_path: Path) -> None:
    write(tmp_path / "book.toml", '[book\ntitle = "x"\n')
    write(tmp_path / "src" / "SUMMARY.md", "# Summary\n\n- [a](a.md)\n")
    write(tmp_path / "src" / "a.md", SOUND)
    done = run(tmp_path)
    assert done.returncode == 2
    assert "book.toml:1:6: is no valid TOML" in done.stderr
    assert f"src/a.md:1:5: error PAG001 {FOUND}" in done.stdout


def test_numbers_with_thousands_of_digits_and_ranges_with_a_billion_members(tmp_path: Path) -> None:
    digits = "9" * 5_000
    page = (
        "# 2\n\n**Theorem 2.1** (A). x\n\n**Theorem 2.2** (B). y\n\n"
        f"See Theorem 2.1-2.1000000000.\n\nSee Theorem 2.{digits}.\n\n{digits}.{digits} and 3<!--= ({digits}) -->\n\n"
        f"5<!--= (10^{digits}) --> and 6<!--= (9^9^9^9) -->\n"
    )
    write(tmp_path / "page.md", page)
    done = run(tmp_path)
    assert done.returncode == 1
    assert "page.md:7:5: error REF001 dangling-box-reference: `Theorem 2.1–2.1000000000` reaches" in done.stdout
    assert "page.md:9:5: error REF001 dangling-box-reference" in done.stdout
    assert done.stdout.count("page.md:13:") == 2  # both powers are refused


def test_output_is_the_same_bytes_twice(tmp_path: Path) -> None:
    for number in range(20):
        write(tmp_path / f"p{number}.md", SOUND * 3 + f"[y](p{(number + 1) % 20}.md#none)\n")
    first, second = (run(tmp_path, "--format", "json", ".") for _ in range(2))
    assert first.stdout == second.stdout
    assert first.stdout.count('"rule":') == 80


def test_terminal_is_not_at_the_mercy_of_a_page(tmp_path: Path) -> None:
    write(tmp_path / "page.md", "[x](<\x1b[31mgone\u202e.md>)\n")
    done = run(tmp_path)
    assert done.returncode == 1
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout
