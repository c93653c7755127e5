"""The commands ``lintbook calc`` and ``lintbook quantities``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lintbook.cli.configuring import configuring, paths_argument
from lintbook.cli.status import CLEAN
from lintbook.cli.troubles import tell
from lintbook.cli.watching import gather_books

if TYPE_CHECKING:
    from lintbook.calculator.formula import Namespace


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="FORMULA [SYMBOL=VALUE]...")
@click.option("--in", "unit", metavar="UNIT", help="Show the result in this unit.")
@click.option("--solve", "symbol", metavar="SYMBOL", help="Find the value of a symbol, from `FORMULA=RESULT`.")
def calc(words: tuple[str, ...], unit: str | None, symbol: str | None) -> int:
    """Compute a formula or an expression.

    The FORMULA is one of the library, or of the book round the current folder.

    \b
    lintbook calc kv_cache L=32 B=1 T=8192 n_kv=8 d_h=128 s=2byte
    lintbook calc '2*32*8192*2byte' --in MiB
    lintbook calc kv_cache=4GiB L=32 B=1 T=8192 d_h=128 s=2byte --solve n_kv
    """  # noqa: D301  # click reads \b as: keep these lines
    from lintbook.calculator.calculation import CalculationError, calculate, knows

    names = None if knows(words) else _names_here(words)
    try:
        for line in calculate(words, names, unit, symbol):
            print(line)
    except CalculationError as error:
        raise click.ClickException(str(error)) from error
    return CLEAN


def _names_here(words: tuple[str, ...]) -> Namespace | None:
    """Return the names of the book round the current folder; None if there is not just one."""
    subjects = gather_books((), {}).subjects
    return subjects[0].book.names_for(re.findall(r"\w+", " ".join(words))) if len(subjects) == 1 else None


class _ListUnlessNamed(click.Group):
    """Takes what names no command for the paths of the command ``list``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put ``list`` before arguments that do not begin with a command, or ask for help."""
        named = bool(args) and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named else ["list", *args])


@click.group(cls=_ListUnlessNamed)
def quantities() -> None:
    """List quantities, or suggest claims for them.

    Without a command: `list`, for the books round PATHS.
    """


@quantities.command("list")
@paths_argument
@configuring
def list_quantities(paths: tuple[str, ...], **configured: Any) -> int:
    """List the quantities below PATHS.

    These are numbers with a unit, a claim or a chain; of each is told whether it was recomputed, or why not.
    """
    from lintbook.reporters import quantities as reporter

    gathered = gather_books(paths, configured)
    for book, _ in gathered.subjects:
        for line in reporter.render(book, gathered.reported):
            print(line)
    return tell(gathered.troubles)


@quantities.command()
@paths_argument
@click.option("--apply", is_flag=True, help="Write the claims into the files.")
@configuring
def suggest(paths: tuple[str, ...], apply: bool, **configured: Any) -> int:
    """Suggest claims for numbers below PATHS, as a diff.

    They are for numbers beside which all values of a formula stand. A suggestion agrees with its number, but
    whether it is the formula that the text means only its author can tell.
    """
    from lintbook.checks.quantities.suggestion import suggestions
    from lintbook.fixing import difference, edited, save

    gathered = gather_books(paths, configured)
    old: dict[str, str] = {}
    new: dict[str, str] = {}
    for book, _ in gathered.subjects:
        for document in book.current:
            source = document.source
            edits = sorted((each.edit for each in suggestions(book, document)), key=lambda edit: edit.span)
            if edits and gathered.reported(source.path):
                old[source.path], new[source.path] = source.text, edited(source, edits)
    for line in difference(old, new):
        print(line)
    return tell([*gathered.troubles, *(save(old, new, Path.cwd()) if apply else ())])
