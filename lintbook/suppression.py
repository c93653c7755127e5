"""Suppression: which diagnostics comments in the text silence, and which of these comments silence nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from lintbook.diagnostic import Diagnostic
from lintbook.facts import Suppression
from lintbook.rule import Rule


class Silence(NamedTuple):
    """What is left of diagnostics, those that are silenced, and the suppressions that silenced one."""

    heard: list[Diagnostic]
    silenced: list[Diagnostic]
    used: set[Suppression]


def silence(
    diagnostics: Iterable[Diagnostic], suppressions: Mapping[str, Sequence[Suppression]], rules: Mapping[str, Rule]
) -> Silence:
    """Leave out the diagnostics that begin inside the scope of a suppression which names their rule.

    ``suppressions`` are given by the path of their file, ``rules`` by their names. Of several that silence one
    diagnostic the innermost counts as used. Takes time in proportion to both, however they are nested.
    """
    heard: list[Diagnostic] = []
    silenced: list[Diagnostic] = []
    used: set[Suppression] = set()
    pages: dict[str, _Page] = {}
    for diagnostic in sorted(diagnostics, key=lambda each: (each.span.path, each.span.start)):
        path = diagnostic.span.path
        if path not in pages:
            pages[path] = _Page(suppressions.get(path, ()))
        found = pages[path].silencing(diagnostic.span.start, rules[diagnostic.rule])
        if found is None:
            heard.append(diagnostic)
        else:
            silenced.append(diagnostic)
            used.add(found)
    return Silence(heard, silenced, used)


class _Page:
    """The suppressions of one page, asked for places from its beginning to its end."""

    def __init__(self, suppressions: Sequence[Suppression]) -> None:
        at_work = (each for each in suppressions if each.problem is None)
        self._waiting = sorted(at_work, key=lambda each: each.scope.start, reverse=True)
        self._open: dict[str, list[Suppression]] = {}  # by their selector, the innermost last

    def silencing(self, offset: int, rule: Rule) -> Suppression | None:
        while self._waiting and self._waiting[-1].scope.start <= offset:
            begun = self._waiting.pop()
            self._open.setdefault(begun.selector, []).append(begun)
        innermost: Suppression | None = None
        for selector, stack in self._open.items():
            while stack and stack[-1].scope.end <= offset:
                stack.pop()
            if stack and rule.width(selector) is not None:
                candidate = stack[-1]
                if innermost is None or candidate.scope.start > innermost.scope.start:
                    innermost = candidate
        return innermost
