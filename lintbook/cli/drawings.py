"""The command ``lintbook figures``."""

from __future__ import annotations

from typing import Any

import click

from lintbook.cli.configuring import configuring, paths_argument
from lintbook.cli.troubles import tell
from lintbook.cli.watching import gather_books


@click.command()
@paths_argument
@configuring
def figures(paths: tuple[str, ...], **configured: Any) -> int:
    """Show what the drawings below PATHS define and use.

    What is wrong with them is shown too.

    The exit status is 0, or 2 if something could not be read.
    """
    from lintbook.engine import judge
    from lintbook.reporters import figures as reporter

    configured["select"] = configured["select"] or ("FIG",)
    gathered = gather_books(paths, configured)
    report = judge(*gathered, with_baseline=False)
    for book, _ in gathered.subjects:
        shown = sorted(filter(gathered.reported, (document.source.path for document in book.documents)))
        for line in reporter.render(book, shown, report.diagnostics):
            print(line)
    return tell(report.troubles)
