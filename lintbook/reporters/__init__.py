"""How a report is shown: one function for each format, all of them listed in ``FORMATS``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from lintbook.engine import Report
from lintbook.reporters import concise, full, json
from lintbook.reporters.places import summary_line, trouble_line
from lintbook.reporters.terminal import Palette, palette_for

__all__ = ["FORMATS", "Reporter", "palette_for", "summary_line", "trouble_line"]

Reporter = Callable[[Report, Palette], Iterator[str]]
"""Takes what a run has to say and the colours for it; yields lines of standard output without their ends."""

FORMATS: Mapping[str, Reporter] = {
    "full": full.render,
    "concise": concise.render,
    "json": json.render,
}
