"""lintbook as a preprocessor of the real mdBook."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MDBOOK = Path(sysconfig.get_path("scripts")) / "mdbook"
LINTBOOK = f"{sys.executable} -m lintbook mdbook"


def built(folder: Path, policy: str | None) -> subprocess.CompletedProcess[str]:
    """Build the book in ``folder`` into its `out`, with the preprocessor unless there is no policy."""
    project = (folder / "book.toml").read_text(encoding="utf-8").partition("[preprocessor.lintbook]")[0]
    if policy is not None:
        project += f"[preprocessor.lintbook]\ncommand = {json.dumps(LINTBOOK)}\nwarning-policy = {json.dumps(policy)}\n"
    (folder / "book.toml").write_text(project, encoding="utf-8")
    shutil.rmtree(folder / "out", ignore_errors=True)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [MDBOOK, "build", "--dest-dir", folder / "out", folder],
        capture_output=True, text=True, timeout=120, check=False, env=environment,
    )  # fmt: skip


def pages(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in (folder / "out").rglob("*.html")}


def laid_out(name: str, folder: Path) -> Path:
    """A copy of a fixture book at a path that is not plain."""
    copy = folder / "书 of lectures"
    shutil.copytree(ROOT / "fixtures" / "books" / name, copy)
    return copy


@pytest.mark.parametrize("name", ["lecture-2", "lecture-2-before"])
def test_the_book_is_built_as_it_is_without(name: str, tmp_path: Path) -> None:
    book = laid_out(name, tmp_path)
    assert built(book, None).returncode == 0
    plain = pages(book)
    checked = built(book, "warn")
    assert checked.returncode == 0, checked.stderr
    assert pages(book) == plain
    assert "lintbook: checked " in checked.stderr


def test_a_policy_may_stop_the_build_of_a_faulty_book(tmp_path: Path) -> None:
    book = laid_out("lecture-2-before", tmp_path)
    stopped = built(book, "error")
    assert stopped.returncode != 0
    assert "error FIG001 dangling-svg-reference: " in stopped.stderr
    ignored = built(book, "ignore")
    assert ignored.returncode == 0
    assert "lintbook: checked" not in ignored.stderr


def test_the_strict_policy_lets_a_sound_book_pass(tmp_path: Path) -> None:
    checked = built(laid_out("lecture-2", tmp_path), "error")
    assert checked.returncode == 0, checked.stderr


def preprocess(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "lintbook", "mdbook", *arguments],
        input=given, capture_output=True, timeout=60, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def test_every_renderer_is_supported() -> None:
    assert preprocess("supports", "html").returncode == 0
    assert preprocess("supports", "epub").returncode == 0


def test_the_book_goes_back_word_for_word(tmp_path: Path) -> None:
    (tmp_path / "book.toml").write_text("")
    sections = {"sections": [{"Chapter": {"name": "课 \u2028", "content": "x\r\n", "number": [1]}}]}
    context = {"root": str(tmp_path), "config": {"book": {}}, "renderer": "html", "mdbook_version": "0.5.4"}
    done = preprocess(given=json.dumps([context, sections]).encode())
    assert done.returncode == 0
    assert json.loads(done.stdout) == sections


@pytest.mark.parametrize("given", [b"", b"{}", b"[1, 2]", b"\xff", b"[" * 100_000])
def test_what_is_no_book_is_refused_in_a_word(given: bytes) -> None:
    done = preprocess(given=given)
    assert done.returncode == 2
    assert b"mdBook hands a context and a book as JSON" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_policy_that_is_none_is_refused(tmp_path: Path) -> None:
    context = {"root": str(tmp_path), "config": {"preprocessor": {"lintbook": {"warning-policy": "eror"}}}}
    done = preprocess(given=json.dumps([context, {}]).encode())
    assert done.returncode == 2
    assert b'is none of "warn", "error", "ignore"' in done.stderr
