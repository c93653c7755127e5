from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from lintbook.diagnostic import Trouble
from lintbook.files import MAXIMUM_SIZE, meant, read, write


def test_read_keeps_every_character(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_bytes("\ufeff定\r\n\r义".encode())
    source, trouble = read("one.md", tmp_path)
    assert source is not None
    assert (source.path, source.text, trouble) == ("one.md", "\ufeff定\r\n\r义", None)


def test_read_names_the_first_byte_that_is_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_bytes("定义\n定".encode() + b"\xff.\xfe")
    assert read("one.md", tmp_path) == (None, Trouble("one.md", "is not UTF-8: byte 0xff", 2, 2))


def test_read_keeps_a_nul_and_names_it(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_bytes(b"a\nb\0c")
    source, trouble = read("one.md", tmp_path)
    assert source is not None
    assert source.text == "a\nb\0c"
    assert trouble == Trouble("one.md", "contains a NUL character", 2, 2)


def test_read_refuses_what_is_too_large(tmp_path: Path) -> None:
    with (tmp_path / "one.md").open("wb") as file:
        file.truncate(MAXIMUM_SIZE + 1)
    source, trouble = read("one.md", tmp_path)
    assert source is None
    assert trouble is not None
    assert trouble.message.startswith("is not read: 67108865 bytes")


def test_read_names_what_is_gone_or_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read("one.md", tmp_path) == (None, Trouble("one.md", "does not exist"))
    (tmp_path / "one.md").write_bytes(b"text")

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert read("one.md", tmp_path) == (None, Trouble("one.md", "cannot be read: permission denied"))


# writing


def test_write_keeps_line_endings_marks_and_permissions(tmp_path: Path) -> None:
    file = tmp_path / "课.md"
    file.write_bytes(b"old")
    file.chmod(0o640)
    assert write("课.md", "\ufeff定义\r\n", tmp_path) is None
    assert file.read_bytes() == "\ufeff定义\r\n".encode()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["课.md"]


def test_write_makes_a_new_file_as_any_program_would(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("x")
    assert write("new.json", "{}", tmp_path) is None
    assert (tmp_path / "new.json").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_write_follows_a_symbolic_link(tmp_path: Path) -> None:
    (tmp_path / "real.md").write_text("old")
    (tmp_path / "link.md").symlink_to("real.md")
    assert write("link.md", "new", tmp_path) is None
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "real.md").read_text() == "new"


def test_write_that_fails_leaves_everything_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "one.md"
    file.write_text("old")

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert write("one.md", "new", tmp_path) == Trouble("one.md", "cannot be written: no space left on device")
    assert file.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["one.md"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no FIFOs")
@pytest.mark.parametrize("name", ["pipe", "link"])
def test_write_into_what_is_no_file_does_not_take_its_place(tmp_path: Path, name: str) -> None:
    """`--output-file /dev/stdout` writes there; a file in the place of a device would break the machine."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert write(name, "定义\n", tmp_path) is None
    assert os.read(reader, 100).decode() == "定义\n"
    os.close(reader)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_write_makes_the_folders_that_are_missing(tmp_path: Path) -> None:
    assert write("no/folder/one.md", "new", tmp_path) is None
    assert (tmp_path / "no" / "folder" / "one.md").read_text() == "new"


def test_write_says_where_a_folder_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text("old")
    for path in ("one.md/two.md", "one.md/two/three.md"):
        said = "cannot be written: a file stands where its folder should be"
        assert write(path, "new", tmp_path) == Trouble(path, said)
    assert (tmp_path / "one.md").read_text() == "old"


@pytest.mark.parametrize(
    ("path", "question"),
    [
        ("src\\第一讲.md", "; did you mean `src/第一讲.md`?"),
        ("scr/第一讲.md", "; did you mean `src/第一讲.md`?"),
        ("src/第一将.md", "; did you mean `src/第一讲.md`?"),
        ("src/two.md", ""),
        ("other/one.md", ""),
        ("src/第一讲.md/x", ""),
        ("a\0b", ""),
    ],
)
def test_a_path_that_is_nearly_right_is_asked_about(tmp_path: Path, path: str, question: str) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "第一讲.md").touch()
    assert meant(path, tmp_path) == question
