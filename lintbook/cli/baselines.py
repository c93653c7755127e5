"""The commands ``lintbook baseline write``, ``prune`` and ``show``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lintbook.cli.configuring import configuring, overrides, paths_argument
from lintbook.cli.nearest import Group
from lintbook.cli.troubles import tell
from lintbook.cli.watching import watching
from lintbook.reporters import printable

if TYPE_CHECKING:
    from lintbook.engine import Baselines


@click.group(cls=Group)
def baseline() -> None:
    """Look after diagnostics that are left for later."""


@baseline.command()
@paths_argument
@configuring
def write(paths: tuple[str, ...], **configured: Any) -> int:
    """Record all that is found round PATHS as known.

    The file is the one that the configuration names, or the nearest lintbook-baseline.json, or a new one in the
    current folder. In continuous integration (where the environment has CI) a baseline that is there only shrinks.
    """
    from lintbook.baseline import growth, write_baseline

    found = _baselines(paths, configured)
    for path, after in found.after.items():
        before = found.before.get(path)
        added = growth(before, after) if before is not None else 0
        if added and _in_continuous_integration(os.environ):
            raise click.ClickException(f"{path} only shrinks here, and {added} diagnostics are not in it")
        trouble = write_baseline(after, Path.cwd())
        if trouble is not None:
            return tell([trouble])
        print(f"{printable(path)}: {after.count} known, {added if before is not None else after.count} of them new")
    return tell(found.troubles)


@baseline.command()
@paths_argument
@configuring
def prune(paths: tuple[str, ...], **configured: Any) -> int:
    """Take out what is found no more round PATHS."""
    from lintbook.baseline import without, write_baseline

    found = _baselines(paths, configured)
    for path, before in found.before.items():
        after = without(before, found.stale[path])
        trouble = write_baseline(after, Path.cwd()) if after.count < before.count else None
        if trouble is not None:
            return tell([trouble])
        print(f"{printable(path)}: {after.count} known, {before.count - after.count} removed")
    return tell(found.troubles)


@baseline.command()
@paths_argument
@configuring
def show(paths: tuple[str, ...], **configured: Any) -> int:
    """List what is known round PATHS, and what of it is found no more."""
    found = _baselines(paths, configured)
    for path, known in found.before.items():
        stale = {entry.known: entry.count for entry in found.stale[path]}
        for entry in known.in_order():
            times = f" ({entry.count} times)" if entry.count > 1 else ""
            gone = f" ({stale[entry.known]} stale)" if entry.known in stale else ""
            print(printable(f"{entry.place}: {entry.rule}: {entry.message}{times}{gone}"))
        print(f"{printable(path)}: {known.count} known, {sum(stale.values())} of them stale")
    return tell(found.troubles)


def _baselines(paths: tuple[str, ...], configured: Mapping[str, Any]) -> Baselines:
    from lintbook.engine import baselines

    with watching() as watch:
        return baselines(paths or (".",), Path.cwd(), overrides=overrides(**configured), watch=watch)


def _in_continuous_integration(environment: Mapping[str, str]) -> bool:
    return environment.get("CI", "").lower() not in ("", "0", "false")
