"""The command ``lintbook labels``."""

from __future__ import annotations

from typing import Any

import click

from lintbook.cli.configuring import configuring, paths_argument
from lintbook.cli.troubles import tell
from lintbook.cli.watching import gather_books


@click.command()
@paths_argument
@configuring
def labels(paths: tuple[str, ...], **configured: Any) -> int:
    """Show where labels are declared and taken up.

    The families of labels are those of the configuration (`lintbook explain dangling-label`).
    """
    from lintbook.checks.labels.families import NO_FAMILIES, Reconciliation
    from lintbook.checks.labels.reconciliation import dangling_label
    from lintbook.reporters import labels as reporter

    gathered = gather_books(paths, configured)
    for book, configuration in gathered.subjects:
        options = configuration.treatment_of_all.options_of(dangling_label)
        for name, family in options.get("families", NO_FAMILIES).items():
            for line in reporter.render(book, Reconciliation(book, name, family)):
                print(line)
    return tell(gathered.troubles)
