from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest
from click.testing import CliRunner

from lintbook.cli import lintbook
from lintbook.engine import check
from lintbook.following import can_follow
from lintbook.reporters import PLAIN, reporter
from lintbook.reporters.changes import compare, render

PATIENCE = 30  # seconds until a word that does not come is taken for missing; a loaded machine is slow

GONE_PAGE = "src/one.md:3:5: error PAG001 broken-link: `gone.md` does not exist"

needs_watchfiles = pytest.mark.skipif(
    not can_follow() and "CI" not in os.environ, reason="watchfiles is not installed; .ci/run does not let that pass"
)


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    folder = tmp_path / "book"
    write(folder / "book.toml", '[book]\nsrc = "src"\n')
    write(folder / "src" / "SUMMARY.md", "# Summary\n\n- [One](one.md)\n- [Two](two.md)\n")
    write(folder / "src" / "one.md", "# One\n\n[two](two.md#part)\n")
    write(folder / "src" / "two.md", "# Two\n\n## Part\n")
    return folder


# what is told


def difference(book: Path, path: str, text: str) -> list[str]:
    before = check(["."], book)
    write(book / path, text)
    return list(render(compare(before, check(["."], book)), reporter("concise"), PLAIN))


def test_a_new_finding_is_told_and_not_an_old_one(book: Path) -> None:
    write(book / "src" / "two.md", "# Two\n\n## Part\n\n[x](gone.md)\n")
    told = difference(book, "src/one.md", "# One\n\n[two](two.md#piece)\n")
    assert told == ["src/one.md:3:14: error PAG002 broken-fragment: `src/two.md` has no id `piece`"]


def test_a_finding_that_is_gone_is_one_line_in_every_format(book: Path) -> None:
    write(book / "src" / "one.md", "# One\n\n[x](gone.md) [y](gone.md)\n")
    before = check(["."], book)
    write(book / "src" / "one.md", "# One\n")
    changes = compare(before, check(["."], book))
    gone = (
        "gone: src/one.md:3:5: error PAG001 broken-link: `gone.md` does not exist (and 1 more place: src/one.md:3:18)"
    )
    for name in ("full", "concise"):
        assert list(render(changes, reporter(name), PLAIN)) == [gone]


def test_a_finding_that_moved_with_its_text_is_no_other_one(book: Path) -> None:
    write(book / "src" / "one.md", "# One\n\n[x](gone.md)\n")
    assert difference(book, "src/one.md", "# One\n\nA word before it.\n\n[x](gone.md)\n") == []


def test_a_second_finding_of_one_kind_is_told_once(book: Path) -> None:
    write(book / "src" / "one.md", "# One\n\n[x](gone.md)\n")
    told = difference(book, "src/one.md", "# One\n\n[x](gone.md)\n\n[y](gone.md)\n")
    assert told == ["src/one.md:5:5: error PAG001 broken-link: `gone.md` does not exist"]


# the command


class Following:
    """A running ``lintbook check --watch``, and what it says, standard error and all."""

    def __init__(self, folder: Path, *options: str) -> None:
        command = [sys.executable, "-u", "-m", "lintbook", "check", "--watch", *options]
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
        )
        self._lines: Queue[str] = Queue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def says(self, last: str) -> list[str]:
        """What is said from now up to the line in which ``last`` stands."""
        said: list[str] = []
        while not said or last not in said[-1]:
            try:
                said.append(self._lines.get(timeout=PATIENCE))
            except Empty:
                pytest.fail(f"{last!r} was not said, but {said}")
        return said

    def ends(self) -> tuple[int, list[str]]:
        """The exit status after Ctrl-C, and what was left to say."""
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(PATIENCE)
        left = []
        while not self._lines.empty():
            left.append(self._lines.get())
        return status, left


@pytest.fixture
def following(book: Path) -> Iterator[Following]:
    found = Following(book, "--format", "concise")
    yield found
    found.process.kill()
    found.process.wait()


CLEAN = "checked 4 files: nothing found"
ONE_ERROR = "checked 4 files: 1 error"


def ready(following: Following, book: Path) -> None:
    """Wait until changes are followed: a first one is told however long that takes."""
    assert following.says(CLEAN) == [CLEAN]
    write(book / "src" / "two.md", "# Two\n\n## Part\n\n[x](gone.md)\n")
    assert following.says(ONE_ERROR)[0].startswith("src/two.md:5:5: error PAG001")
    write(book / "src" / "two.md", "# Two\n\n## Part\n")
    assert following.says(CLEAN)[0].startswith("gone: src/two.md:5:5: error PAG001")


@needs_watchfiles
def test_what_a_save_changes_is_told(book: Path, following: Following) -> None:
    ready(following, book)
    write(book / "src" / "one.md", "# One\n\n[x](gone.md)\n")
    assert following.says(ONE_ERROR)[0] == GONE_PAGE
    write(book / "src" / "one.md", "# One\n\n[x](gone.md) and a word\n")
    (answer,) = following.says(ONE_ERROR)  # a save is answered, if only by the sum
    assert answer.startswith(ONE_ERROR)


@needs_watchfiles
def test_a_file_that_an_editor_replaces_is_read_again(book: Path, following: Following) -> None:
    ready(following, book)
    write(book / "src" / ".one.md.swp", "\0 not text")
    write(book / "src" / "one.md.new", "# One\n\n[x](gone.md)\n")
    (book / "src" / "one.md").rename(book / "src" / "one.md~")
    (book / "src" / "one.md.new").rename(book / "src" / "one.md")
    assert GONE_PAGE in following.says(ONE_ERROR)


@needs_watchfiles
def test_files_that_come_and_go_are_noticed(book: Path, following: Following) -> None:
    ready(following, book)
    (book / "src" / "two.md").unlink()
    said = following.says("checked 3 files")
    assert any("missing-chapter" in line for line in said)
    shutil.copytree(book / "src", book / "src" / "more")
    said = following.says("checked 5 files")
    assert any("orphaned-page" in line and "src/more/" in line for line in said)


@needs_watchfiles
def test_a_broken_configuration_is_told_and_what_is_found_waits_for_it(book: Path, following: Following) -> None:
    ready(following, book)
    write(book / "lintbook.toml", 'ignore = ["broken-link"]\n')
    write(book / "src" / "one.md", "# One\n\n[x](gone.md)\n")
    assert following.says(CLEAN)
    write(book / "lintbook.toml", 'ignore = ["broken-link"\n')
    said = following.says("compared again")
    assert said[-2].startswith("lintbook: lintbook.toml:")
    assert not any("broken-link" in line for line in said)
    write(book / "lintbook.toml", "")
    said = following.says(ONE_ERROR)
    assert GONE_PAGE in said
    assert any(line.startswith("gone: lintbook: lintbook.toml:") for line in said)


@needs_watchfiles
def test_files_outside_are_looked_at(book: Path, following: Following) -> None:
    ready(following, book)
    outside = book.parent / "outside.txt"
    write(outside, "## Part\n")
    write(book / "src" / "two.md", f"# Two\n\n{{{{#include ../../{outside.name}}}}}\n")
    following.says("checked 5 files: nothing found")
    write(outside, "## Piece\n")
    assert any("src/one.md:3:14: error PAG002" in line for line in following.says("1 error"))


@needs_watchfiles
def test_an_interrupt_ends_it_quietly(book: Path, following: Following) -> None:
    ready(following, book)
    assert following.ends() == (0, [])


@pytest.mark.parametrize("option", ["--fix", "--diff", "--statistics", "--output-file=x", "--format=json"])
def test_only_what_people_read_goes_with_it(option: str) -> None:
    result = CliRunner().invoke(lintbook, ["check", "--watch", option])
    assert result.exit_code == 2
    assert "`--watch` is for people" in result.stderr


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch, book: Path) -> None:
    monkeypatch.chdir(book)
    monkeypatch.setattr("lintbook.following.find_spec", lambda name: None)
    result = CliRunner().invoke(lintbook, ["check", "--watch"])
    assert result.exit_code == 1
    assert "install `lintbook[watch]`" in result.stderr
