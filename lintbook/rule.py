"""What a rule is: one function, with its code and severity beside it.

Name from the function, summary from the docstring, options from the keyword-only parameters, family from the
package that it stands in. A rule yields findings and cannot state its own code or severity, so it cannot misstate them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import wraps
from typing import Any, get_type_hints

from msgspec import Struct

from lintbook.book import Book
from lintbook.diagnostic import Finding, Progress, Severity, Unchecked
from lintbook.facts import Document, Suppression
from lintbook.likeness import nearest

Result = Finding | Unchecked | Progress
"""What a rule yields."""


class Status(StrEnum):
    """Where in its life a rule is."""

    STABLE = "stable"
    PREVIEW = "preview"
    DEPRECATED = "deprecated"
    REMOVED = "removed"


class Rule(Struct, frozen=True):
    """A rule; ``run`` takes a book and the rule's options and yields findings and what it could not check."""

    name: str
    code: str
    family: str
    severity: Severity
    status: Status
    summary: str
    options: Mapping[str, Any]  # the name of each option and its default
    run: Callable[..., Iterator[Result]]
    looks_back: bool = False  # whether it takes an Outcome in the place of a book, after all others have run

    def width(self, selector: str) -> int | None:
        """Return how wide a selector that fits this rule is, from 0 for the rule alone; None if it does not fit.

        A selector is a rule's name, its code, the beginning of codes (``BOX``), a family (``boxes``) or ``ALL``.
        """
        if selector in (self.name, self.code):
            return 0
        if selector == self.family:
            return 8
        if selector == "ALL":
            return 9
        return 7 - len(selector) if selector and self.code.startswith(selector) else None

    def option_types(self) -> Mapping[str, Any]:
        """Return the type of each option, which values of a configuration are held to."""
        if not self.options:
            return {}
        from inspect import unwrap

        hints = get_type_hints(unwrap(self.run))
        return {name: hints[name] for name in self.options}


def unknown_selector(selector: str, rules: Sequence[Rule]) -> str | None:
    """Say what is wrong with a selector that fits none of ``rules``, and what is nearest; None if it fits one."""
    if any(rule.width(selector) is not None for rule in rules):
        return None
    families = sorted({rule.family for rule in rules} | {rule.code[:3] for rule in rules})
    known = {each.lower(): each for each in (*families, *(each for rule in rules for each in (rule.name, rule.code)))}
    meant = nearest(selector.lower().replace("_", "-"), known)
    hint = f"did you mean `{known[meant]}`?" if meant else "`lintbook rules` lists them all"
    return f"no rule, code or family is called `{selector}`; {hint}"


class Outcome(Struct, frozen=True):
    """What came of the rules that ran on a book: the suppressions that silenced nothing, and all rules there are.

    Of rules that were not on where a suppression stands nothing is known, so that these are left out.
    """

    book: Book
    unused: tuple[Suppression, ...]
    rules: tuple[Rule, ...]


def _describe(
    function: Callable[..., Iterator[Result]],
    run: Callable[..., Iterator[Result]],
    code: str,
    severity: Severity,
    status: Status,
    *,
    looks_back: bool = False,
) -> Rule:
    return Rule(
        name=function.__name__.replace("_", "-"),
        code=code,
        family=function.__module__.split(".")[2],
        severity=severity,
        status=status,
        summary=function.__doc__.splitlines()[0],  # type: ignore[union-attr]  # a rule without one must fail
        options=function.__kwdefaults__ or {},
        run=run,
        looks_back=looks_back,
    )


def book_rule(
    code: str, severity: Severity, status: Status = Status.STABLE
) -> Callable[[Callable[..., Iterator[Result]]], Rule]:
    """Make a rule of a function that takes the whole book."""

    def decorate(function: Callable[..., Iterator[Result]]) -> Rule:
        return _describe(function, function, code, severity, status)

    return decorate


def change_rule(
    code: str, severity: Severity, status: Status = Status.STABLE
) -> Callable[[Callable[..., Iterator[Result]]], Rule]:
    """Make a rule of a function that takes the book and what it was; it speaks only where the two are compared."""

    def decorate(function: Callable[..., Iterator[Result]]) -> Rule:
        @wraps(function)
        def run(book: Book, **options: object) -> Iterator[Result]:
            if book.earlier is not None:
                yield from function(book, book.earlier, **options)

        return _describe(function, run, code, severity, status)

    return decorate


def document_rule(
    code: str, severity: Severity, status: Status = Status.STABLE
) -> Callable[[Callable[..., Iterator[Result]]], Rule]:
    """Make a rule of a function that takes one document."""

    def decorate(function: Callable[..., Iterator[Result]]) -> Rule:
        @wraps(function)
        def run(book: Book, **options: object) -> Iterator[Result]:
            document: Document
            for document in book.documents:
                yield from function(document, **options)

        return _describe(function, run, code, severity, status)

    return decorate


def outcome_rule(
    code: str, severity: Severity, status: Status = Status.STABLE
) -> Callable[[Callable[..., Iterator[Result]]], Rule]:
    """Make a rule of a function that takes what came of all other rules."""

    def decorate(function: Callable[..., Iterator[Result]]) -> Rule:
        return _describe(function, function, code, severity, status, looks_back=True)

    return decorate
