"""What a rule is: one function, with its code and severity beside it.

Name from the function, summary from the docstring, options from the keyword-only parameters, family from the
package that it stands in. A rule yields findings and cannot state its own code or severity, so it cannot misstate them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from typing import Any, get_type_hints

from lintbook.book import Book
from lintbook.diagnostic import Finding, Severity, Unchecked
from lintbook.facts import Document


class Status(StrEnum):
    """Where in its life a rule is."""

    STABLE = "stable"
    PREVIEW = "preview"
    DEPRECATED = "deprecated"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule; ``run`` takes a book and the rule's options and yields findings and what it could not check."""

    name: str
    code: str
    family: str
    severity: Severity
    status: Status
    summary: str
    options: Mapping[str, Any]  # the name of each option and its default
    run: Callable[..., Iterator[Finding | Unchecked]]

    def option_types(self) -> Mapping[str, Any]:
        """Return the type of each option, which values of a configuration are held to."""
        if not self.options:
            return {}
        hints = get_type_hints(inspect.unwrap(self.run))
        return {name: hints[name] for name in self.options}


def _describe(
    function: Callable[..., Iterator[Finding | Unchecked]],
    run: Callable[..., Iterator[Finding | Unchecked]],
    code: str,
    severity: Severity,
    status: Status,
) -> Rule:
    parameters = inspect.signature(function).parameters.values()
    return Rule(
        name=function.__name__.replace("_", "-"),
        code=code,
        family=function.__module__.split(".")[2],
        severity=severity,
        status=status,
        summary=inspect.getdoc(function).splitlines()[0],  # type: ignore[union-attr]  # a rule without one must fail
        options={p.name: p.default for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY},
        run=run,
    )


def book_rule(
    code: str, severity: Severity, status: Status = Status.STABLE
) -> Callable[[Callable[..., Iterator[Finding | Unchecked]]], Rule]:
    """Make a rule of a function that takes the whole book."""

    def decorate(function: Callable[..., Iterator[Finding | Unchecked]]) -> Rule:
        return _describe(function, function, code, severity, status)

    return decorate


def document_rule(
    code: str, severity: Severity, status: Status = Status.STABLE
) -> Callable[[Callable[..., Iterator[Finding | Unchecked]]], Rule]:
    """Make a rule of a function that takes one document."""

    def decorate(function: Callable[..., Iterator[Finding | Unchecked]]) -> Rule:
        @wraps(function)
        def run(book: Book, **options: object) -> Iterator[Finding | Unchecked]:
            document: Document
            for document in book.documents:
                yield from function(document, **options)

        return _describe(function, run, code, severity, status)

    return decorate
