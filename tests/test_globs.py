from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from bounds import HANGS

from lintbook.globs import Globs


@pytest.mark.parametrize(
    ("pattern", "covered", "spared"),
    [
        ("old.md", ["old.md", "src/old.md"], ["old.md.md", "bold.md"]),
        ("/old.md", ["old.md"], ["src/old.md"]),
        ("drafts/", ["drafts/one.md", "src/drafts/a/b.md"], ["drafts", "drafts.md"]),
        ("src/drafts", ["src/drafts/one.md"], ["drafts/one.md", "a/src/drafts/one.md"]),
        ("*.svg", ["a.svg", "src/b.svg"], ["a.svgz"]),
        ("src/*.md", ["src/a.md"], ["src/sub/a.md"]),
        ("src/**/a.md", ["src/a.md", "src/x/a.md", "src/x/y/a.md"], ["a.md", "src/x/b.md"]),
        ("**/gen/a.md", ["gen/a.md", "x/gen/a.md"], ["gen/x/a.md"]),
        ("old/**", ["old/a.md", "old/x/a.md"], ["old"]),
        ("sec2?.md", ["sec21.md"], ["sec2.md", "sec211.md"]),
        ("[!a]*.md", ["b.md"], ["a.md"]),
        ("[^a]*.md", ["b.md"], ["a.md"]),
        (r"\#one.md", ["#one.md"], ["one.md"]),
        (r"\!one.md", ["!one.md"], ["one.md"]),
        (r"a\*.md", ["a*.md"], ["ab.md"]),
        ("课 一.md  ", ["课 一.md"], ["课.md"]),
        ("# comment", [], ["# comment"]),
        ("", [], ["a"]),
    ],
)
def test_a_pattern_covers_what_gitignore_says(pattern: str, covered: list[str], spared: list[str]) -> None:
    globs = Globs([pattern])
    assert [path for path in covered if not globs.covers(path)] == []
    assert [path for path in spared if globs.covers(path)] == []


def test_the_last_pattern_that_matches_decides() -> None:
    globs = Globs(["*.md", "!kept.md", "src/kept.md"])
    assert [globs.covers(path) for path in ("a.md", "kept.md", "src/kept.md", "a.svg")] == [True, False, True, False]


def test_git_agrees(tmp_path: Path) -> None:
    patterns = ["*.log", "!keep.log", "/build", "a/**/z.md", "**/tmp", "x/*/y", "doc[s0-9]/", "w**d.md", r"q\?.md"]
    paths = [
        *("a.log", "keep.log", "b/keep.log", "build/x.md", "c/build/x.md", "a/z.md", "a/b/c/z.md", "a/b/zz.md"),
        *("tmp/a.md", "s/tmp/a.md", "x/1/y/f.md", "x/1/2/y/f.md", "docs/a.md", "doc7/a.md", "doc/a.md"),
        *("word.md", "wd.md", "s/w-d.md", "q?.md", "qa.md"),
    ]
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / ".gitignore").write_text("\n".join(patterns), encoding="utf-8")
    asked = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin"],
        cwd=tmp_path, input="\n".join(paths), capture_output=True, text=True, check=False,
    )  # fmt: skip
    globs = Globs(patterns)
    assert asked.stdout.splitlines() == [path for path in paths if globs.covers(path)]


def test_hostile_patterns_take_no_more_time_than_others() -> None:
    start = time.process_time()
    assert not Globs(["*a" * 120 + "b"]).covers("a" * 250)
    assert not Globs(["**/a/" * 40 + "b"]).covers("a/" * 500 + "c")
    assert time.process_time() - start < HANGS
