"""What the second reader would save: where the time of reading Markdown goes, and what pulldown-cmark would take.

    python benchmarks/reading.py FOLDER…

Reads all Markdown files below the folders three times in one process and prints the least processor time of each part.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import pyromark

from lintbook.dialect import Dialect
from lintbook.parse import markdown, parse_markdown
from lintbook.parse.grammar import ParsedPage
from lintbook.text import Source

ROUNDS = 3
OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_DEFINITION_LIST
    | pyromark.Options.ENABLE_HEADING_ATTRIBUTES
)


class Stopwatch:
    """Adds up the processor time of calls, those within another of them left out."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._running = False

    def timed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return ``function`` with its time added up here."""

        @wraps(function)
        def measured(*arguments: Any) -> Any:
            if self._running:
                return function(*arguments)
            self._running, begin = True, time.process_time()
            try:
                return function(*arguments)
            finally:
                self.seconds += time.process_time() - begin
                self._running = False

        return measured


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time that ``work`` takes."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def main() -> None:
    """Measure and print."""
    paths = sorted(path for folder in sys.argv[1:] for path in Path(folder).rglob("*.md") if path.is_file())
    texts = [path.read_bytes().decode("utf-8", errors="replace") for path in paths]
    size = sum(len(text.encode()) for text in texts) / 1e6
    gc.disable()
    grammar = Stopwatch()
    for name in ("__init__", "inline"):
        setattr(ParsedPage, name, grammar.timed(getattr(ParsedPage, name)))
    rows: dict[str, float] = {}
    for _ in range(ROUNDS):
        grammar.seconds = 0.0
        read = seconds(lambda: [markdown.read(Source("page.md", text)) for text in texts])
        found = {
            "markdown-it: tokens with places": grammar.seconds,
            "passages and marks of them": read - grammar.seconds,
            "all facts": seconds(lambda: [parse_markdown(Source("page.md", text), Dialect.MDBOOK) for text in texts]),
            "pulldown-cmark: events with offsets": seconds(
                lambda: [list(pyromark.events_with_range(text, options=OPTIONS)) for text in texts]
            ),
        }
        rows = {name: min(rows.get(name, value), value) for name, value in found.items()}
        gc.collect()
    print(f"{len(texts)} files, {size:.2f} MB")
    for name, value in rows.items():
        print(f"{value:8.2f} s  {size / value:7.2f} MB/s  {value / rows['all facts']:6.1%}  {name}")


if __name__ == "__main__":
    main()
