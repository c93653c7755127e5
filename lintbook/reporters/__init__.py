"""How a report is shown: one module for each format, all of them listed in ``FORMATS``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from lintbook.reporters.places import summary_line, trouble_line, vacant_line
from lintbook.reporters.terminal import PLAIN, Palette, palette_for, printable

if TYPE_CHECKING:
    from lintbook.engine import Report

__all__ = [
    "FORMATS",
    "FOR_PROGRAMS",
    "PLAIN",
    "Reporter",
    "palette_for",
    "printable",
    "reporter",
    "summary_line",
    "trouble_line",
    "vacant_line",
]

Reporter: TypeAlias = "Callable[[Report, Palette], Iterator[str]]"
"""Takes what a run has to say and the colours for it; yields lines of standard output without their ends."""

FOR_PROGRAMS = frozenset({"json", "sarif"})
"""The formats whose output is one whole: what people are told besides has no place in it."""

FORMATS = ("full", "concise", "json", "sarif", "github")
"""The names of the formats, each that of a module with a function ``render``."""


def reporter(name: str) -> Reporter:
    """Return what shows a report in a format, or as ``statistics``; only its module is imported."""
    render: Reporter = import_module(f"{__name__}.{name}").render
    return render
