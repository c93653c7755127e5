"""Comments that silence nothing, or that name no rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from lintbook.diagnostic import Edit, Finding, Fix, Severity
from lintbook.facts import Document, Suppression
from lintbook.rule import Outcome, outcome_rule, unknown_selector
from lintbook.text import Source


@outcome_rule("SUP001", Severity.WARNING)
def unused_suppression(outcome: Outcome) -> Iterator[Finding]:
    """A comment silences a rule that finds nothing there."""
    unused = frozenset(outcome.unused)
    for document in outcome.book.documents:
        for _, group in groupby(document.facts.suppressions, key=lambda each: each.span):
            comment = list(group)
            idle = [each for each in comment if each in unused]
            fix = _without(idle, comment, document) if idle else None
            for each in idle:
                yield Finding(
                    each.selector_span, f"`{each.selector}` finds nothing here that could be silenced", fix=fix
                )


def _without(idle: list[Suppression], comment: list[Suppression], document: Document) -> Fix:
    """Take what is idle out of a comment, or the comment out of the text if nothing else is in it."""
    kept = [each.selector for each in comment if each not in idle]
    if not kept:
        return Fix("remove the comment", (_removal(comment[0], document),), safe=True)
    inside = document.source.span(comment[0].selector_span.start, comment[-1].selector_span.end)
    return Fix(f"name only {', '.join(f'`{each}`' for each in kept)}", (Edit(inside, ", ".join(kept)),), safe=True)


def _removal(suppression: Suppression, document: Document) -> Edit:
    """Remove a comment, with its line if it stands alone there and the blocks round it stay apart all the same."""
    source, span = document.source, suppression.span
    first, last = source.position(span.start).line, source.position(span.end).line
    start, stop = source.line_starts[first - 1], source.line_end(last)
    before, behind = source.text[start : span.start], source.text[span.end : stop]
    if before.strip() or behind.strip():
        # Of the blanks round a comment in a line those before it go with it.
        return Edit(source.span(start + len(before.rstrip(" ")) if before.strip() else span.start, span.end), "")
    in_drawing = any(figure.span.start < span.start < figure.span.end for figure in document.facts.figures)
    if in_drawing or _is_empty(source, first - 1) or _is_empty(source, last + 1):
        following = source.line_starts[last] if last < len(source.line_starts) else stop
        return Edit(source.span(start, following), "")
    return Edit(source.span(start, stop), "")


def _is_empty(source: Source, line: int) -> bool:
    """Whether nothing stands on ``line``, or there is no such line."""
    return not 1 <= line <= len(source.line_starts) or not source.line_text(line).strip()


@outcome_rule("SUP002", Severity.WARNING)
def unknown_rule(outcome: Outcome) -> Iterator[Finding]:
    """A comment asks lintbook for something that it does not know."""
    for document in outcome.book.documents:
        for suppression in document.facts.suppressions:
            if suppression.problem is not None:
                yield Finding(suppression.selector_span, suppression.problem)
                continue
            problem = unknown_selector(suppression.selector, outcome.rules)
            if problem is not None:
                yield Finding(suppression.selector_span, problem, fix=_nearest(suppression, problem))


def _nearest(suppression: Suppression, problem: str) -> Fix | None:
    """Offer the rule that the problem says was meant; another may have been."""
    found = re.search(r"did you mean `([^`]+)`\?$", problem)
    if found is None or suppression.selector_span == suppression.span:
        return None
    return Fix(f"write `{found[1]}`", (Edit(suppression.selector_span, found[1]),))
