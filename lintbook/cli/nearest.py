"""Commands and choices that answer a word which is none of theirs with the nearest that is."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import click

from lintbook.likeness import nearest


class Group(click.Group):
    """A group of commands that offers the nearest to one that does not exist."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that ``args`` begin with, or fail with what was meant."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-") and not ctx.resilient_parsing:
            if ctx.parent is None and os.path.lexists(name):
                ctx.fail(f"`{name}` is no command; `lintbook check {name}` checks it")
            ctx.fail(f"`{name}` is no command{_meant(name, self.list_commands(ctx))}")
        return super().resolve_command(ctx, args)


class Choice(click.Choice[str]):
    """One of some words; the nearest is offered for one that is none of them."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return what is wrong with ``value``."""
        listed = ", ".join(f"`{each}`" for each in self.choices)
        return f"`{value}` is none of {listed}{_meant(str(value), self.choices)}"


def _meant(given: str, known: Iterable[str]) -> str:
    like = nearest(given.lower(), known)
    return f"; did you mean `{like}`?" if like else ""
