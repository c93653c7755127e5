"""The command ``lintbook errata``."""

from __future__ import annotations

from typing import Any

import click

from lintbook.cli.configuring import configuring, paths_argument
from lintbook.cli.status import CLEAN, FOUND
from lintbook.cli.troubles import tell
from lintbook.cli.watching import gather_books
from lintbook.diagnostic import Finding


@click.command()
@paths_argument
@click.option("--base", metavar="REV", required=True, help="The revision to compare with, by their merge base.")
@click.option("--draft", "drafted", is_flag=True, help="Print a row for each change without one, and nothing else.")
@configuring
def errata(paths: tuple[str, ...], base: str, drafted: bool, **configured: Any) -> int:
    """Show what changed since REV, and what of it has no row.

    Rows are those of the errata tables of the books round PATHS.

    The exit status is 0 if every change has its row and no row was rewritten, 1 if not, 2 if the history cannot be
    read.
    """
    from lintbook.checks.errata.log import Log, rewritten_erratum, unlogged_change
    from lintbook.reporters import log

    gathered = gather_books(paths, configured, base=base)
    found = False
    for book, _ in gathered.subjects:
        if book.earlier is None:
            continue
        told = Log(book, book.earlier)
        for line in log.draft(book, told) if drafted else log.render(book, told):
            print(line)
        results = [*rewritten_erratum.run(book), *unlogged_change.run(book)]
        found = found or any(isinstance(result, Finding) for result in results)
    return tell(gathered.troubles) or (FOUND if found else CLEAN)
