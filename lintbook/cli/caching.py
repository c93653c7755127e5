"""The command ``lintbook cache``."""

from __future__ import annotations

import click

from lintbook.cli.nearest import Group
from lintbook.cli.status import CLEAN


@click.group(cls=Group)
def cache() -> None:
    """Look after what is kept of files that were read."""


@cache.command("clear")
def clear_cache() -> int:
    """Remove all that is kept; the next run reads every file anew."""
    from lintbook.cache import cache_folder, clear

    print(f"removed {clear()} from {cache_folder()}")
    return CLEAN
