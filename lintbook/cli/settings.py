"""The commands about configuration: ``lintbook config`` and ``lintbook init``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from lintbook.cli.configuring import configuring, overrides
from lintbook.cli.status import CLEAN
from lintbook.cli.troubles import tell
from lintbook.cli.watching import watching
from lintbook.reporters import printable


@click.command()
@click.argument("folder", default=".", type=click.Path(exists=True, file_okay=False))
@configuring
def config(folder: str, **configured: Any) -> int:
    """Show the configuration in force for a book in FOLDER.

    Each value is shown with where it comes from. FOLDER is by default the current one.
    """
    from lintbook.checks import RULES
    from lintbook.config import Configurations
    from lintbook.reporters.configuration import render

    configurations = Configurations(RULES, Path.cwd(), overrides(**configured))
    for line in render(configurations.of(folder)):
        print(printable(line))
    sys.stdout.flush()
    return tell(configurations.troubles)


@click.command()
@click.argument("folder", default=".", type=click.Path(exists=True, file_okay=False))
def init(folder: str) -> int:
    """Write a lintbook.toml for what is found in FOLDER.

    All that may be said stands in it as comments. FOLDER is by default the current one. A file that is there is not
    overwritten.
    """
    from lintbook.checks import RULES
    from lintbook.config import FILE_NAME
    from lintbook.engine import gather, judge
    from lintbook.files import write
    from lintbook.reporters.start import render

    top = Path(folder).absolute()
    if (top / FILE_NAME).exists():
        raise click.ClickException(f"{FILE_NAME} is there already; `lintbook config` shows what is in force")
    with watching() as watch:
        gathered = gather((".",), top, RULES, watch=watch)
        lines = render(gathered.subjects, judge(*gathered, watch=watch))
    trouble = write(FILE_NAME, "".join(f"{line}\n" for line in lines), top)
    if trouble is not None:
        return tell([trouble])
    print(f"wrote {printable(str(Path(folder) / FILE_NAME))}")
    return CLEAN
