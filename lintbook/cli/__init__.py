"""The command line: what each command takes, prints and returns. Nothing else in lintbook knows click.

Commands import what they need when they run, so that ``lintbook --version`` costs no more than click itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from lintbook import __version__
from lintbook.cli.baselines import baseline
from lintbook.cli.caching import cache
from lintbook.cli.changes import errata
from lintbook.cli.checking import check
from lintbook.cli.drawings import figures
from lintbook.cli.explaining import completion, explain, rules
from lintbook.cli.graphing import graph, refs
from lintbook.cli.preprocessing import mdbook
from lintbook.cli.quantifying import calc, quantities
from lintbook.cli.reconciling import labels
from lintbook.cli.redirecting import redirects
from lintbook.cli.settings import config, init
from lintbook.cli.status import FAILED, INTERRUPTED


def run(arguments: Sequence[str]) -> int:
    """Run lintbook with ``arguments`` and return the exit status, one of those in ``status``."""
    try:
        status: int = lintbook.main(list(arguments), prog_name="lintbook", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return FAILED
    except click.Abort:
        return INTERRUPTED
    return status


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
def lintbook() -> None:
    """Find where a lecture book in Markdown and SVG contradicts itself."""


for command in (
    baseline,
    cache,
    calc,
    check,
    completion,
    config,
    errata,
    explain,
    figures,
    graph,
    init,
    labels,
    mdbook,
    quantities,
    redirects,
    refs,
    rules,
):
    lintbook.add_command(command)
