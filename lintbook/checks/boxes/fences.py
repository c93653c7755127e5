"""Code fences that swallow the text behind them."""

from __future__ import annotations

from collections.abc import Iterator

from lintbook.diagnostic import Finding, Related, Severity
from lintbook.facts import Document, Fence, Swallowed
from lintbook.rule import document_rule

# Languages in which numbered headings are what is shown.
_SHOWING = frozenset({"markdown", "md", "mdx", "text", "txt", "rst", "asciidoc", "latex", "tex", "diff", "html"})
# So many places are named with the finding.
_MOST_PLACES = 20


@document_rule("BOX012", Severity.WARNING)
def swallowed_text(document: Document) -> Iterator[Finding]:
    """Numbered headings or boxes stand inside a fence that never closed or closed late."""
    fences = document.facts.fences
    for number, fence in enumerate(fences):
        swallowed = _swallowed(fence, any(_is_astray(later) for later in fences[number + 1 :]))
        if swallowed:
            yield _finding(document, fence, swallowed)
            if not _is_astray(fence):
                return  # from here on code and text have changed places: that is this fault again


def _is_astray(fence: Fence) -> bool:
    """Whether fences are out of step here: this one is never closed, or a line in it was meant to open one."""
    return fence.closing is None or fence.opener is not None


def _swallowed(fence: Fence, astray_later: bool) -> tuple[Swallowed, ...]:
    """Return what a fence swallows that was not meant to be shown in it."""
    shows = fence.info.lower().split(" ")[0].strip("{}.") in _SHOWING
    if fence.closing is not None and fence.opener is None:
        # It looks closed. Where fences behind it are out of step its end is what was to open one, so that the next
        # begins with what was to close that and names no language.
        return fence.swallowed if astray_later and not fence.info and fence.following == "" else ()
    if shows and fence.opener is not None:
        return tuple(each for each in fence.swallowed if each.span > fence.opener)
    return () if shows else fence.swallowed


def _finding(document: Document, fence: Fence, swallowed: tuple[Swallowed, ...]) -> Finding:
    first, *others = swallowed
    name = f"{first.label} {first.number}".lstrip()
    more = f" and {len(others)} more" if others else ""
    if fence.closing is None:
        end = "and is never closed"
    else:
        end = f"and closes on line {document.source.position(fence.closing.start).line} only"
    return Finding(
        fence.span,
        f"this fence swallows `{name}`{more}, {end}",
        related=tuple(Related(each.span, "shown as code") for each in swallowed[:_MOST_PLACES]),
        advice="close the fence, or remove it",
    )
