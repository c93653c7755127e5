"""Suppressions: comments that silence rules, and the text that each of them governs.

``<!-- lintbook: ignore[rule] reason -->`` on lines of its own governs the next block, inside a block of text that
block, between tags the next element. ``disable[rule]`` governs what stands behind it, as far as ``enable[rule]``;
``ignore-file[rule]`` the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lintbook.facts import Suppression
from lintbook.likeness import nearest
from lintbook.parse.blocks import Reading
from lintbook.parse.markup import Comment, EndTag, Event, Grammar, StartTag, scan
from lintbook.patterns import regex
from lintbook.text import Passage, Source, Span

Range = tuple[int, int]

ACTIONS = ("ignore", "disable", "enable", "ignore-file")
_COMMENT = regex(r"\s*lintbook(?P<sign>:\s*|[\s-]+)(?P<action>[a-z-]*)(?P<rest>.*)", re.DOTALL)
_RULES = regex(r"\s*\[(?P<rules>[^\]]*)\](?P<reason>.*)", re.DOTALL)
_SELECTOR = regex(r"[^\s,]+(?:[ \t]+[^\s,]+)*")
# Elements of HTML that have no content and no end tag.
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)


class Directive(NamedTuple):
    """A comment that speaks to lintbook: its place, its text without the marks and where that begins.

    ``governed`` is what an ``ignore`` in this place silences; None if nothing follows it there.
    """

    span: Range
    text: str
    offset: int
    governed: Range | None


def page_suppressions(source: Source, reading: Reading) -> tuple[Suppression, ...]:
    """Return the suppressions of a Markdown page."""
    directives = [
        Directive(comment.span, comment.text, comment.lines[0][1], comment.governed)
        for comment in reading.comments
        if comment.alone or comment.governed
    ]
    directives.extend(
        Directive(comment.span, comment.text, comment.span[0] + len("<!--"), block.span)
        for block in reading.blocks
        for comment in block.comments
    )
    known = {directive.span[0] for directive in directives}
    between_tags = _between_tags(reading.html, Grammar.HTML)
    directives.extend(directive for directive in between_tags if directive.span[0] not in known)
    return _suppressions(source, directives)


def drawing_suppressions(source: Source, whole: Passage) -> tuple[Suppression, ...]:
    """Return the suppressions of an SVG file, whose text ``whole`` is."""
    return _suppressions(source, _between_tags(whole, Grammar.XML)) if "lintbook" in source.text else ()


def _between_tags(text: Passage, grammar: Grammar) -> Iterator[Directive]:
    """Yield the comments that stand between tags, each with the next element at its place."""
    for comment, governed in _followed(scan(text.text, grammar), len(text.text), grammar):
        start, end = text.range(comment.start, comment.end)
        if text.text.startswith("<!--", comment.start):
            content = text.text[comment.start + len("<!--") : comment.end].removesuffix("-->")
            reach = text.range(*governed) if governed is not None else None
            yield Directive((start, end), content, start + len("<!--"), reach)


def _followed(events: Iterable[Event], end: int, grammar: Grammar) -> Iterator[tuple[Comment, Range | None]]:
    """Yield comments with the element that follows each on its own level."""
    waiting: list[Comment] = []
    open_elements: list[tuple[str, int, list[Comment]]] = []
    for event in events:
        if isinstance(event, Comment):
            waiting.append(event)
        elif isinstance(event, StartTag):
            if event.self_closing or (grammar is Grammar.HTML and event.name.lower() in _VOID):
                yield from ((comment, (event.start, event.end)) for comment in waiting)
            else:
                open_elements.append((event.name.lower(), event.start, waiting))
            waiting = []
        elif isinstance(event, EndTag):
            yield from ((comment, None) for comment in waiting)
            waiting = []
            if open_elements and open_elements[-1][0] == event.name.lower():
                _, start, comments = open_elements.pop()
                yield from ((comment, (start, event.end)) for comment in comments)
    yield from ((comment, None) for comment in waiting)
    for _, start, comments in open_elements:
        yield from ((comment, (start, end)) for comment in comments)


def _suppressions(source: Source, directives: Iterable[Directive]) -> tuple[Suppression, ...]:
    found: list[Suppression] = []
    disabled: dict[str, Suppression] = {}
    end = len(source.text) + 1
    for directive in sorted(directives):
        match = _COMMENT.fullmatch(directive.text)
        if match is None or (":" not in match["sign"] and match["action"] not in ACTIONS):
            continue
        span = source.span(*directive.span)
        problem = _problem(match)
        if problem is not None:
            found.append(Suppression(span, "", span, span, "", problem))
            continue
        rules = _RULES.match(match["rest"])
        selectors = _selectors(source, directive, match.start("rest"), rules) if rules else []
        reason = rules["reason"].strip() if rules else ""
        if match["action"] == "enable":
            found.extend(_enabled(source, span, selectors or [(name, span) for name in disabled], disabled))
            continue
        for selector, place in selectors:
            match match["action"]:
                case "ignore":
                    low, high = directive.governed or (span.end, span.end)
                    found.append(Suppression(span, selector, place, source.span(low, high), reason))
                case "ignore-file":
                    found.append(Suppression(span, selector, place, source.span(0, end), reason))
                case _ if selector not in disabled:
                    disabled[selector] = Suppression(span, selector, place, source.span(span.end, end), reason)
                case _:
                    pass  # it is off already: the first has its reason
    return tuple(sorted((*found, *disabled.values()), key=lambda each: (each.span, each.selector_span)))


def _enabled(
    source: Source, span: Span, selectors: Sequence[tuple[str, Span]], disabled: dict[str, Suppression]
) -> Iterator[Suppression]:
    """Yield what ends here; what was not switched off is a suppression of nothing."""
    for selector, place in selectors:
        begun = disabled.pop(selector, None)
        if begun is None:
            problem = f"`enable[{selector}]` follows no `disable[{selector}]`"
            yield Suppression(span, selector, place, source.span(span.end, span.end), "", problem)
        else:
            scope = source.span(begun.scope.start, span.start)
            yield Suppression(begun.span, selector, begun.selector_span, scope, begun.reason)


def _problem(match: re.Match[str]) -> str | None:
    """Say why a comment that speaks to lintbook asks for nothing that it does."""
    action = match["action"]
    if ":" not in match["sign"]:
        return f"a suppression is written `lintbook: {action}[rule-name] reason`"
    if action not in ACTIONS:
        meant = nearest(action, ACTIONS)
        hint = f"did you mean `{meant}`?" if meant else f"known are {', '.join(f'`{each}`' for each in ACTIONS)}"
        return f"`{action}` is nothing that lintbook does; {hint}"
    rules = _RULES.match(match["rest"])
    if action == "enable" and not match["rest"].strip():
        return None
    if rules is None or not rules["rules"].strip(" \t\n,"):
        return f"`{action}` names no rule: write `{action}[rule-name] reason`"
    if "ALL" in re.split(r"[\s,]+", rules["rules"]):
        return f"`{action}[ALL]` would hide what nobody has looked at: name rules or families"
    return None


def _selectors(source: Source, directive: Directive, start: int, rules: re.Match[str]) -> list[tuple[str, Span]]:
    """Return what stands between the brackets, each with its place.

    In a comment of several lines, between which marks of a quotation may stand, that is the comment's.
    """
    found = []
    for match in _SELECTOR.finditer(rules.string, rules.start("rules"), rules.end("rules")):
        low = directive.offset + start + match.start()
        place = source.span(low, low + len(match[0]))
        exact = source.text.startswith(match[0], low)
        found.append((match[0], place if exact else source.span(*directive.span)))
    return found
