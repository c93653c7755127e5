"""How a report is shown: one function for each format, all of them listed in ``FORMATS``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from lintbook.engine import Report
from lintbook.reporters import concise, full, github, json, sarif, statistics
from lintbook.reporters.places import summary_line, trouble_line
from lintbook.reporters.terminal import PLAIN, Palette, palette_for, printable

__all__ = [
    "FORMATS",
    "FOR_PROGRAMS",
    "PLAIN",
    "Reporter",
    "palette_for",
    "printable",
    "statistics_of",
    "summary_line",
    "trouble_line",
]

Reporter = Callable[[Report, Palette], Iterator[str]]
"""Takes what a run has to say and the colours for it; yields lines of standard output without their ends."""

FOR_PROGRAMS = frozenset({"json", "sarif"})
"""The formats whose output is one whole: what people are told besides has no place in it."""

FORMATS: Mapping[str, Reporter] = {
    "full": full.render,
    "concise": concise.render,
    "json": json.render,
    "sarif": sarif.render,
    "github": github.render,
}

statistics_of: Reporter = statistics.render
