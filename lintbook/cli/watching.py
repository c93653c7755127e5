"""Reading books with a word on the terminal about how far it has come, for all commands that do."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lintbook.cli.configuring import overrides
from lintbook.reporters import vacant_line
from lintbook.watch import UNWATCHED, Watch

if TYPE_CHECKING:
    from lintbook.engine import Gathered


@contextmanager
def watching(watch: Watch | None = None, *, quiet: bool = False) -> Iterator[Watch]:
    """Give ``watch`` or, without one, what shows how far a run has come on standard error.

    That is shown only if it is a terminal, one that can erase it.
    """
    if watch is not None:
        yield watch
        return
    if quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield UNWATCHED
        return
    from lintbook.reporters.progress import ProgressLine

    line = ProgressLine(sys.stderr)
    try:
        yield line
    finally:
        line.erase()


def gather_books(paths: tuple[str, ...], configured: Mapping[str, Any], *, base: str | None = None) -> Gathered:
    """Read the books round ``paths``, by default the current folder; say which of them hold none.

    ``configured`` are the options of ``configuring``, empty for a command that has none of them.
    """
    from lintbook.checks import RULES
    from lintbook.engine import gather

    over = overrides(**configured) if configured else None
    with watching() as watch:
        gathered = gather(paths or (".",), Path.cwd(), RULES, overrides=over, base=base, watch=watch)
    for folder in gathered.vacant:
        print(vacant_line(folder), file=sys.stderr)
    return gathered
