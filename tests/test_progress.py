"""What a long run says on a terminal, and that nothing of it is left there."""

from __future__ import annotations

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from lintbook.engine import check
from lintbook.reporters.progress import ProgressLine
from lintbook.watch import Watch

ROOT = Path(__file__).parent.parent
ERASE = "\r\x1b[K"


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_short_run_shows_nothing() -> None:
    stream, clock = StringIO(), Clock()
    line = ProgressLine(stream, clock)
    clock.now += 0.49
    line.tell("reading: 1 of 2 files")
    line.erase()
    assert stream.getvalue() == ""


def test_a_long_run_shows_what_it_is_at_and_erases_it() -> None:
    stream, clock = StringIO(), Clock()
    line = ProgressLine(stream, clock)
    clock.now += 0.5
    line.tell("reading: 1 of 9 files")
    clock.now += 0.01
    line.tell("reading: 2 of 9 files")  # too soon for anybody to read
    clock.now += 1
    line.tell("checking: broken-link")
    line.erase()
    line.erase()
    assert stream.getvalue() == (f"{ERASE}lintbook: reading: 1 of 9 files{ERASE}lintbook: checking: broken-link{ERASE}")


def test_a_line_never_reaches_the_end_of_the_terminal() -> None:
    """There it would go on in the next line, where it could not be erased."""
    stream, clock = StringIO(), Clock()
    line = ProgressLine(stream, clock)
    clock.now += 1
    line.tell("x" * 200)
    assert len(stream.getvalue().removeprefix(ERASE)) == 79


class Notes(Watch):
    """Notes down what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def tell(self, stage: str) -> None:
        self.told.append(stage)


def test_a_watch_is_told_how_far_reading_and_checking_have_come(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("# A page\n")
    watch = Notes()
    check((".",), tmp_path, cached=False, watch=watch)
    reading = [stage for stage in watch.told if stage.startswith("reading")]
    assert reading == ["reading: 0 of 2 files", "reading: 1 of 2 files"]
    assert "checking: broken-link" in watch.told[len(reading) :]


def test_what_is_in_the_cache_counts_as_read(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("# A page\n")
    check((".",), tmp_path)
    (tmp_path / "b.md").write_text("# Another page\n")
    watch = Notes()
    check((".",), tmp_path, watch=watch)
    assert [stage for stage in watch.told if stage.startswith("reading")] == ["reading: 1 of 2 files"]


# on a terminal

SLOW = """
import sys, time, lintbook.reading
from lintbook.__main__ import main
parse = lintbook.reading._parse
def slow(*arguments):
    time.sleep(0.6)
    return parse(*arguments)
lintbook.reading._parse = slow
sys.argv = ["lintbook", *{arguments}]
main()
"""


def on_a_terminal(folder: Path, *arguments: str, environment: dict[str, str] | None = None) -> str:
    """Run lintbook, slowed down, with both outputs on one terminal; return all that was written there."""
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW.format(arguments=arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "NO_COLOR": "1", **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    written = b""
    try:
        while part := os.read(ours, 65536):
            written += part
    except OSError:  # what Linux says when the other end is closed
        pass
    os.close(ours)
    assert process.wait(timeout=60) in (0, 1)
    return written.decode().replace("\r\n", "\n")


def left_on_screen(written: str) -> str:
    """What a terminal shows in the end: of each line that which was written after it was erased last."""
    return "\n".join(line.rpartition(ERASE)[2] for line in written.split("\n"))


@pytest.fixture
def book(tmp_path: Path) -> Path:
    for name in ("a.md", "b.md", "c.md"):
        (tmp_path / name).write_text("[x](gone.md)\n")
    return tmp_path


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("command", [("check", "--no-cache", "--format", "concise"), ("quantities",)])
def test_on_a_terminal_progress_comes_and_goes(book: Path, command: tuple[str, ...]) -> None:
    written = on_a_terminal(book, *command)
    assert f"{ERASE}lintbook: reading: 2 of 3 files" in written
    assert "reading" not in left_on_screen(written)
    assert "checking:" not in left_on_screen(written)
    if command[0] == "check":
        assert left_on_screen(written).startswith("a.md:1:5: error PAG001 broken-link:")


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("options", "environment"), [(("--quiet",), {}), ((), {"TERM": "dumb"})])
def test_nothing_moves_when_it_is_not_wanted(book: Path, options: tuple[str, ...], environment: dict[str, str]) -> None:
    written = on_a_terminal(book, "check", "--no-cache", *options, environment=environment)
    assert "\x1b" not in written
    assert "reading:" not in written
