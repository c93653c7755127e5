"""What lintbook says: findings, as rules yield them, and diagnostics, as users see them."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from lintbook.text import Span


class Severity(StrEnum):
    """How sure a rule is: errors have no known false alarms, warnings are likely faults, infos are advice."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def weight(self) -> int:
        """A number that grows with severity, for comparing."""
        return {"info": 0, "warning": 1, "error": 2}[self.value]


class Edit(Struct, frozen=True):
    """Replace the characters of ``span`` by ``replacement``."""

    span: Span
    replacement: str


class Fix(Struct, frozen=True):
    """A repair made of edits that apply together or not at all; ``safe`` if only one repair is possible."""

    title: str
    edits: tuple[Edit, ...] = ()
    safe: bool = False


class Related(Struct, frozen=True):
    """Another place that helps to understand a finding."""

    span: Span
    message: str


class Finding(Struct, frozen=True):
    """What a rule yields; the engine adds the rule's name, code and severity.

    ``message`` is one line, lower case, without final stop, what was seen in backquotes. ``advice`` says in a few
    words how to repair the place where no fix can be offered. Findings of one rule with one ``cause`` are one fault
    that shows in several places. A ``mild`` finding is the harmless case of its rule and is signed as info.
    """

    span: Span
    message: str
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    cause: str | None = None
    advice: str | None = None
    mild: bool = False


class Unchecked(Struct, frozen=True):
    """What a rule yields for something that it could not check, so that silence can be trusted.

    ``reason`` is one of a rule's fixed words for why, a plural phrase that names what was left out.
    """

    reason: str


class Progress(Struct, frozen=True):
    """What a rule yields to say how much it could check: ``done`` of ``total``.

    ``what`` names the things and what is done with them: ``quantities recomputed``.
    """

    what: str
    done: int
    total: int


class Diagnostic(Struct, frozen=True):
    """A finding signed by the engine."""

    code: str
    rule: str
    severity: Severity
    span: Span
    message: str
    related: tuple[Related, ...]
    fix: Fix | None
    cause: str | None
    advice: str | None
    fingerprint: str


class Trouble(Struct, frozen=True):
    """Something that could not be read or done; the rest is still checked.

    ``path`` is relative to the working directory; ``line`` and ``column`` count from one and are absent where the whole
    file is meant.
    """

    path: str
    message: str
    line: int | None = None
    column: int | None = None
