"""The workspace: books kept in memory while their files change, and checked again at the price of what changed."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from pathlib import Path
from posixpath import dirname
from typing import TYPE_CHECKING

from lintbook.discovery import Discovery, decides, under
from lintbook.engine import Report, Survey, baseline_path, collect, judge, open_caches, survey
from lintbook.files import NOTHING_PENDING, Pending, Stamp, stamp
from lintbook.memory import Memory
from lintbook.watch import UNWATCHED, Watch

if TYPE_CHECKING:
    from lintbook.config import Overrides
    from lintbook.rule import Rule


class Workspace:
    """The books round some paths, to be checked again and again while somebody writes them.

    What all parameters mean, ``engine.check`` says. A check says what a fresh one would, byte for byte.
    """

    def __init__(
        self,
        paths: Sequence[str],
        working_directory: Path,
        rules: Sequence[Rule] | None = None,
        *,
        overrides: Overrides | None = None,
        cached: bool = True,
        jobs: int | None = None,
        base: str | None = None,
        with_baseline: bool = True,
    ) -> None:
        from lintbook.checks import RULES

        self._paths = paths
        self._top = Path(os.path.normpath(working_directory.absolute()))
        self._rules = RULES if rules is None else rules
        self._overrides = overrides
        self._caches = open_caches(self._top) if cached else None
        self._jobs = jobs
        self._base = base
        self._with_baseline = with_baseline
        self._memory = Memory()
        self._survey: Survey | None = None
        self._last: Report | None = None
        self._decided_elsewhere = False  # whether a file that decides what the books are is behind a symbolic link
        self._pending: Pending = NOTHING_PENDING
        self._baselines: frozenset[str] = frozenset()
        self._outside: dict[str, Stamp | None] = {}  # baselines and configurations outside of all roots, as they were

    def check(
        self, changed: Iterable[str] | None = None, pending: Pending = NOTHING_PENDING, watch: Watch = UNWATCHED
    ) -> Report:
        """Check the books as they are now.

        ``changed`` are the files and folders, by their paths, absolute or relative to the working directory, that may
        not be what they were at the last check: written, moved, made or gone. None says that any may be so. ``pending``
        are texts that are not saved yet.
        """
        noted = None if changed is None else {under(".", path, self._top) for path in changed}
        stays = self._survey is not None and noted is not None and self._stays(self._survey, noted, pending)
        if not stays:
            self._survey = self._look_round(pending, watch)
        elif self._last is not None and not self._matters(noted or (), pending):
            return self._last
        for path in noted or ():
            self._memory.forget(path)
        assert self._survey is not None
        self._memory.begin()
        gathered = collect(
            self._survey,
            self._top,
            caches=self._caches,
            jobs=self._jobs,
            pending=pending,
            base=self._base,
            memory=self._memory,
            watch=watch,
        )
        self._caches = None  # memory knows now whatever the cache does
        self._pending = dict(pending)
        self._baselines = frozenset(filter(None, map(baseline_path, gathered.subjects)))
        self._outside = self._stamps_outside({*self._baselines, *self._survey.configurations.places})
        self._last = judge(*gathered, with_baseline=self._with_baseline, watch=watch)
        return self._last

    def _look_round(self, pending: Pending, watch: Watch) -> Survey:
        """Find out which books there are, and take note of the files whose changes will be told."""
        found = survey(
            self._paths,
            self._top,
            self._rules,
            overrides=self._overrides,
            caches=self._caches,
            pending=pending,
            watch=watch,
        )
        told = _told(found.discovery, self._top)
        self._memory.rely_on(told)
        linked = {path for book in found.discovery.books for path in book.files} - told
        self._decided_elsewhere = any(decides(path) or found.configurations.may_stand_in(path) for path in linked)
        return found

    def _matters(self, changed: Collection[str], pending: Pending) -> bool:
        """Whether a check may say something else than the last, where only files have changed that stayed in place."""
        if self._base is not None or self._memory.untold or pending != self._pending:
            return True
        return any(self._memory.has_read(path) or path in self._baselines for path in changed)

    def _stays(self, survey: Survey, changed: Collection[str], pending: Pending) -> bool:
        """Whether the books are made of the same files, configured alike, as at the last check."""
        typed = {path for path in {*pending, *self._pending} if pending.get(path) != self._pending.get(path)}
        if self._decided_elsewhere or any(self.decides(path) for path in (*changed, *typed)):
            return False
        return all(self._is_same_file(path, survey.discovery) for path in changed)

    def decides(self, path: str) -> bool:
        """Return whether the file at ``path``, if there is one, decides what the books are: as project files do."""
        return decides(path) or (self._survey is not None and self._survey.configurations.may_stand_in(path))

    def _is_same_file(self, path: str, discovery: Discovery) -> bool:
        """Whether the file at ``path`` is one of the books as before, or was none and is not there."""
        try:
            mode = os.lstat(self._top / path).st_mode
        except OSError:
            return not _is_known(path, discovery)
        return stat.S_ISREG(mode) and self._memory.relies_on(path)

    @property
    def roots(self) -> list[str]:
        """The folders, absolute, below which changes are to be told: those of the books or, without any, all."""
        books = self._survey.discovery.books if self._survey is not None else ()
        tops = {os.path.normpath(self._top / book.root) for book in books} or {str(self._top)}
        return sorted(top for top in tops if not any(_is_in(top, other) for other in tops))

    def changed_elsewhere(self) -> set[str]:
        """Return those files that the last check asked for, absolute, that have changed since without being told.

        They stand outside of ``roots`` or are reached through a symbolic link.
        """
        asked = {**self._outside, **self._memory.untold}
        return {os.path.normpath(self._top / path) for path, seen in asked.items() if stamp(path, self._top) != seen}

    def _stamps_outside(self, paths: Iterable[str]) -> dict[str, Stamp | None]:
        roots = self.roots
        absolute = {os.path.normpath(self._top / path) for path in paths}
        return {path: stamp(path, self._top) for path in absolute if not any(_is_in(path, root) for root in roots)}


def _is_in(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def _is_known(path: str, discovery: Discovery) -> bool:
    """Whether discovery has met something at ``path``."""
    met = (path in book.files or path in book.folders for book in discovery.books)
    return any(met) or any(trouble.path == path for trouble in discovery.troubles)


def _told(discovery: Discovery, top: Path) -> frozenset[str]:
    """Return the files of books that stand where they seem to: no symbolic link leads to them."""
    real = Path(os.path.realpath(top))
    found: list[str] = []
    for folder, paths in groupby(sorted(path for book in discovery.books for path in book.files), dirname):
        if os.path.realpath(top / folder) == os.path.normpath(real / folder):
            found.extend(path for path in paths if not (top / path).is_symlink())
    return frozenset(found)
