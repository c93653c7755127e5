"""The configuration file that a book begins with, written from what is found in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lintbook.reporters.configuration import toml
from lintbook.reporters.places import counted

if TYPE_CHECKING:
    from lintbook.engine import Report
    from lintbook.ruling import Subject

_MOST_FREQUENT = 5  # rules that are named as candidates for later


def render(subjects: Sequence[Subject], report: Report) -> Iterator[str]:
    """Yield the lines of a ``lintbook.toml``, in which all that may be said stands ready in comments."""
    yield "# What lintbook is told about this book. `lintbook config` shows what is in force."
    yield ""
    for book, _ in subjects:
        pages = counted(len(book.pages), "page")
        yield f"# found: {book.project_file or 'no project file'}, {pages}, read as {book.dialect.value}"
    yield "# The renderer, where the project file does not tell: mdbook, mkdocs, jekyll, pandoc, github."
    yield f'# dialect = "{subjects[0].book.dialect.value if subjects else "mdbook"}"'
    yield ""
    yield "# Rules: all are on. Selectors are names, codes (BOX001), beginnings of codes (BOX) and families (boxes)."
    yield from _frequent(report)
    yield "# ignore = []"
    yield ""
    yield "# The least severity that makes the exit status 1; else it is `warning`."
    yield '# fail-on = "error"'
    yield ""
    yield "# Files that are no part of the book, as .gitignore writes them; what .gitignore names is left out too."
    yield from _found("exclude", sorted(path for book, _ in subjects for path in book.copies), "repeated boxes")
    yield ""
    yield "# Pages that are kept for their old addresses alone."
    yield from _found("retired", sorted(path for book, _ in subjects for path in book.retired), "redirects")
    yield ""
    yield "# Kinds of boxes that lintbook does not know, or more words for one that it knows."
    yield "# [kinds.example]"
    yield '# words = ["算例"]'
    yield '# prefixes = ["eg"]'
    yield ""
    yield "# How severe a rule is: error, warning, info."
    yield "# [severity]"
    yield '# broken-link = "error"'
    yield ""
    yield "# What holds on some paths only."
    yield '# [per-path."src/appendix/**"]'
    yield '# ignore = ["boxes"]'


def _frequent(report: Report) -> Iterator[str]:
    counts = Counter(diagnostic.rule for diagnostic in report.diagnostics)
    if counts:
        found = ", ".join(f"{rule} ({count})" for rule, count in counts.most_common(_MOST_FREQUENT))
        yield f"# found today: {found}"
        yield "# `lintbook baseline write` records them as known, so that only new ones are reported."


def _found(key: str, paths: Sequence[str], sign: str) -> Iterator[str]:
    """Yield the setting ``key``, for what lintbook knows by itself by a ``sign``."""
    if paths:
        yield f"# Known by their {sign} already: {counted(len(paths), 'page')}."
    yield f"# {key} = {toml(tuple(paths))}"
