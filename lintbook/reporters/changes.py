"""What became different from one check to the next: diagnostics that are new, and those that are gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from lintbook.diagnostic import Diagnostic
from lintbook.reporters import concise
from lintbook.reporters.terminal import Palette, paint

if TYPE_CHECKING:
    from lintbook.engine import Report
    from lintbook.reporters import Reporter


class Changes(NamedTuple):
    """The difference of two reports: each holds only what the other does not have."""

    gone: Report
    new: Report

    def __bool__(self) -> bool:
        return any(each.diagnostics or each.troubles for each in self)


def compare(before: Report, after: Report) -> Changes:
    """Return what differs. A diagnostic that only moved with its text is no other one."""
    return Changes(_without(before, after), _without(after, before))


def _without(report: Report, other: Report) -> Report:
    known = Counter(map(_identity, other.diagnostics))
    diagnostics = []
    for diagnostic in report.diagnostics:
        identity = _identity(diagnostic)
        if known[identity]:
            known[identity] -= 1
        else:
            diagnostics.append(diagnostic)
    troubles = tuple(trouble for trouble in report.troubles if trouble not in other.troubles)
    return replace(report, diagnostics=tuple(diagnostics), troubles=troubles)


def _identity(diagnostic: Diagnostic) -> tuple[str, str]:
    return diagnostic.fingerprint, diagnostic.message


def render(changes: Changes, reporter: Reporter, palette: Palette) -> Iterator[str]:
    """Yield the lines of what is new, as ``reporter`` shows it, and below it one line for each thing gone."""
    yield from reporter(changes.new, palette)
    for line in concise.render(changes.gone, palette):
        yield f"{paint('gone:', palette.aside)} {line}"
