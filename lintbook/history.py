"""History: what a book was at another commit, asked of git.

Only the ``git`` command is used, it only reads, and neither the work tree nor the index is touched. A comparison is
with the merge base of a revision and HEAD, so that what the other side gained meanwhile is nobody's change; the new
side is what stands in the files now.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from lintbook.facts import Waiver
from lintbook.patterns import regex

FETCH_MORE = "fetch more of the history (`fetch-depth: 0` in GitHub Actions, `git fetch --unshallow`)"
_WAIVER = regex(r"none\s*[(（](?P<reason>.*\S.*)[)）]\s*", re.IGNORECASE)
# Set by git for its hooks; they would send every question to another place than the folder that is asked about.
_OF_HOOKS = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"})
# The endings of the files that a book is made of.
_READ = (".md", ".markdown", ".svg", ".toml", ".yml", ".yaml")
_RECORD, _FIELD = "\x1e", "\x1f"


class HistoryError(Exception):
    """The history cannot be asked; the message says why, and what to do."""


class Comparison(Struct, frozen=True):
    """What differs between the files of a folder and the commit ``base``. All paths are relative to the folder.

    ``texts`` are the old texts of files that were changed, renamed or removed since; ``unchanged`` are the files that
    were there and are the same; ``renamed`` gives the new path for an old one.
    """

    base: str
    texts: Mapping[str, str]
    unchanged: frozenset[str]
    renamed: Mapping[str, str]
    waivers: tuple[Waiver, ...]


def compare(folder: Path, revision: str) -> Comparison:
    """Compare what stands in ``folder`` with the merge base of ``revision`` and HEAD.

    Raise HistoryError if there is no repository, no such revision, or not enough of its history.
    """
    git = _Git(folder)
    base = _merge_base(git, revision)
    known = set(_tree(git, base))
    changes = list(_changes(git, base))
    blobs = {change.old_path: change.blob for change in changes if change.old_path.lower().endswith(_READ)}
    return Comparison(
        base=base,
        texts=_texts(git, blobs),
        unchanged=frozenset(known - {change.old_path for change in changes}),
        renamed={change.old_path: change.new_path for change in changes if change.new_path != change.old_path},
        waivers=tuple(_waivers(git, base)),
    )


class _Git:
    """Asks git about the repository that ``folder`` stands in."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._environment = {name: value for name, value in os.environ.items() if name not in _OF_HOOKS}
        self._environment |= {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C", "GIT_PAGER": "cat"}

    def ask(self, *arguments: str, given: bytes = b"") -> bytes:
        """Return what git prints; raise HistoryError with what it says if it fails."""
        done = self._run(arguments, given)
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise HistoryError(f"git cannot say what changed: {said[-1] if said else f'`git {arguments[0]}` failed'}")
        return done.stdout

    def answers(self, *arguments: str) -> str | None:
        """Return the one line that git prints, None if it fails."""
        done = self._run(arguments, b"")
        return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None

    def _run(self, arguments: tuple[str, ...], given: bytes) -> subprocess.CompletedProcess[bytes]:
        command = ["git", "-c", "core.quotePath=false", "-c", "core.fsmonitor=false", *arguments]
        try:
            return subprocess.run(
                command, cwd=self._folder, env=self._environment, input=given, capture_output=True, check=False
            )
        except FileNotFoundError as error:
            raise HistoryError("changes cannot be told: the command `git` is not installed") from error


def _merge_base(git: _Git, revision: str) -> str:
    """Return the commit that ``revision`` and HEAD have in common."""
    shallow = git.answers("rev-parse", "--is-shallow-repository")
    if shallow is None:
        raise HistoryError("changes cannot be told: the book stands in no git repository")
    more = f"; {FETCH_MORE}" if shallow == "true" else ""
    if git.answers("rev-parse", "--verify", "--quiet", "HEAD^{commit}") is None:
        raise HistoryError("changes cannot be told: the repository has no commit yet")
    commit = None
    if not revision.startswith("-"):
        commit = git.answers("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if commit is None:
        raise HistoryError(f"no commit is called `{revision}`{more}")
    base = git.answers("merge-base", commit, "HEAD")
    if not base:
        raise HistoryError(f"`{revision}` and HEAD have no commit in common{more}")
    return base


def _tree(git: _Git, commit: str) -> Iterator[str]:
    """Yield the paths of the files below the folder at a commit; links and submodules are none."""
    for entry in git.ask("ls-tree", "-r", "-z", commit).split(b"\0"):
        described, tab, path = entry.partition(b"\t")
        if tab and described.startswith(b"100"):
            yield os.fsdecode(path)


class _Change(NamedTuple):
    old_path: str
    new_path: str
    blob: str  # of the old text


def _changes(git: _Git, commit: str) -> Iterator[_Change]:
    """Yield the files below the folder that are no longer what they were at ``commit``; new ones are none."""
    raw = git.ask(
        *("diff", "--raw", "-z", "--no-abbrev", "--find-renames", "--relative", "--no-ext-diff", "--no-textconv"),
        *("--ignore-submodules=all", commit, "--", "."),
    )
    fields = iter(raw.split(b"\0"))
    for described in fields:
        if not described:
            return
        _, _, blob, _, status = described.decode("ascii").lstrip(":").split(" ")
        old = os.fsdecode(next(fields))
        new = os.fsdecode(next(fields)) if status[0] in "RC" else old
        if status[0] not in "AC":
            yield _Change(old, new, blob)


def _texts(git: _Git, blobs: Mapping[str, str]) -> dict[str, str]:
    """Read all blobs by one process; what is no UTF-8 is none of the book's."""
    if not blobs:
        return {}
    answer = git.ask("cat-file", "--batch", given="".join(f"{blob}\n" for blob in blobs.values()).encode("ascii"))
    texts, at = {}, 0
    for path, blob in blobs.items():
        end = answer.index(b"\n", at)
        header = answer[at:end].decode("ascii").split(" ")
        if header[-1] == "missing":
            raise HistoryError(f"the old text of `{path}` is not in the repository ({blob[:12]}); {FETCH_MORE}")
        size = int(header[2])
        data = answer[end + 1 : end + 1 + size]
        at = end + 1 + size + 1
        try:
            texts[path] = data.decode("utf-8")
        except UnicodeDecodeError:
            continue
    return texts


def _waivers(git: _Git, base: str) -> Iterator[Waiver]:
    """Yield the commits since ``base`` that waive their row, the newest first."""
    trailers = "%(trailers:key=Erratum,valueonly=true,unfold=true,separator=%x1d)"
    log = git.ask("log", f"--format=%h%x1f%s%x1f{trailers}%x1e", f"{base}..HEAD").decode("utf-8", "replace")
    for record in log.split(_RECORD):
        commit, _, rest = record.strip("\n").partition(_FIELD)
        subject, _, values = rest.partition(_FIELD)
        for value in values.split("\x1d"):
            if match := _WAIVER.fullmatch(value.strip()):
                yield Waiver(commit, subject, match["reason"].strip())
