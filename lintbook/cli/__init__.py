"""The command line: what each command takes, prints and returns. Nothing else in lintbook knows click.

Commands import what they need when they run, so that ``lintbook --version`` costs no more than click itself.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module

import click

from lintbook import __version__
from lintbook.cli.nearest import Group
from lintbook.cli.status import FAILED, INTERRUPTED


def run(arguments: Sequence[str]) -> int:
    """Run lintbook with ``arguments`` and return the exit status, one of those in ``status``."""
    try:
        status: int = lintbook.main(list(arguments), prog_name="lintbook", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        if isinstance(error, click.NoSuchOption):
            for path in filter(_is_file_with_a_dash, arguments):
                click.echo(f"`{path}` is there: to name it, write `./{path}`", err=True)
        return FAILED
    except click.Abort:
        return INTERRUPTED
    except SystemExit:
        # So click leaves where the reader of the output is gone, with 1: that would say that the book has faults.
        return FAILED
    return status


def _is_file_with_a_dash(argument: str) -> bool:
    return argument.startswith("-") and os.path.lexists(argument)


# The module of each command. It is imported when the command runs, or when help tells of all of them.
_MODULES = {
    "baseline": "baselines",
    "cache": "caching",
    "calc": "quantifying",
    "check": "checking",
    "completion": "explaining",
    "config": "settings",
    "errata": "changes",
    "explain": "explaining",
    "figures": "drawings",
    "graph": "graphing",
    "init": "settings",
    "labels": "reconciling",
    "mdbook": "preprocessing",
    "quantities": "quantifying",
    "redirects": "redirecting",
    "refs": "graphing",
    "rules": "explaining",
}


class _Commands(Group):
    """The commands of lintbook, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands in the order of the alphabet."""
        return sorted(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command that is called ``cmd_name``, or None."""
        if cmd_name not in _MODULES:
            return None
        command: click.Command = getattr(import_module(f"{__name__}.{_MODULES[cmd_name]}"), cmd_name)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
def lintbook() -> None:
    """Find where a lecture book in Markdown and SVG contradicts itself."""
