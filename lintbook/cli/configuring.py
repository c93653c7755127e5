"""Options that all commands share which read a book: another configuration file, rules on and off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from lintbook.config import Overrides


_Given = TypeVar("_Given", str | None, tuple[str, ...])


def filled(context: click.Context, parameter: click.Parameter, given: _Given) -> _Given:
    """Return the path or the paths that were given; raise BadParameter where one is empty."""
    if given == "" or (isinstance(given, tuple) and "" in given):
        raise click.BadParameter("an empty path names nothing", context, parameter)
    return given


def _paths(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    if "-" in given and not Path("-").exists():
        raise click.BadParameter("a page is checked in its book: name its file, not standard input", context, parameter)
    return filled(context, parameter, given)


paths_argument = click.argument("paths", nargs=-1, callback=_paths)
"""Gives a command the argument PATHS: files or folders."""


def configuring(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that ``overrides`` reads."""
    options = (
        click.option(
            "--config",
            "config_file",
            metavar="FILE",
            callback=filled,
            help="Take this configuration file and no other.",
        ),
        click.option("--isolated", is_flag=True, help="Take no configuration file."),
        click.option("--select", metavar="RULES", multiple=True, help="Switch on these rules and no others."),
        click.option("--extend-select", metavar="RULES", multiple=True, help="Switch on these rules too."),
        click.option("--ignore", metavar="RULES", multiple=True, help="Switch off these rules."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def overrides(
    config_file: str | None,
    isolated: bool,
    select: tuple[str, ...],
    extend_select: tuple[str, ...],
    ignore: tuple[str, ...],
) -> Overrides:
    """Return what these options say; raise UsageError where they exclude each other or name what does not exist."""
    from lintbook.config import Overrides, Section
    from lintbook.files import meant

    if isolated and config_file is not None:
        raise click.UsageError("`--isolated` takes no configuration file, `--config` names one")
    if config_file is not None and not Path(config_file).exists():
        raise click.UsageError(f"--config: `{config_file}` does not exist{meant(config_file, Path.cwd())}")
    section = Section(
        select=_selectors("--select", select) if select else None,
        extend_select=_selectors("--extend-select", extend_select),
        ignore=_selectors("--ignore", ignore),
    )
    return Overrides(config_file, isolated, section)


def _selectors(option: str, given: tuple[str, ...]) -> tuple[str, ...]:
    """Return the selectors of an option, which may stand side by side, with commas between them."""
    from lintbook.checks import RULES
    from lintbook.rule import unknown_selector

    found = tuple(selector.strip() for each in given for selector in each.split(",") if selector.strip())
    for selector in found:
        problem = unknown_selector(selector, RULES)
        if problem is not None:
            raise click.UsageError(f"{option}: {problem}")
    return found
