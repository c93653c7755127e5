"""The full format, for people: the header line, the text with the place underlined, and what helps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lintbook.diagnostic import Diagnostic, Fix, Related
from lintbook.engine import Report, fold
from lintbook.reporters.places import MOST_PLACES, counted, header, place
from lintbook.reporters.terminal import Palette, paint, printable
from lintbook.text import Source, Span, display_width

_WIDEST = 96  # terminal columns of text shown of one line
_LEAD = 32  # of these, columns before the place when a line is cut
_REACH = 2 * _WIDEST  # characters looked at on either side: more than fit, however long the line is
_TAB = 4


def render(report: Report, palette: Palette) -> Iterator[str]:
    """Yield an entry for each cause, with an empty line behind it."""
    for group in fold(report.diagnostics):
        yield from _entry(group, report, palette)
        yield ""


def _entry(group: list[Diagnostic], report: Report, palette: Palette) -> Iterator[str]:
    first = group[0]
    yield header(first, report.sources, palette)
    source = report.sources[first.span.path]
    number = str(source.position(first.span.start).line)
    gutter = " " * len(number)
    excerpt = _excerpt(source, first.span)
    bar = paint("|", palette.aside)
    yield f"  {paint(number, palette.aside)} {bar} {excerpt.text}".rstrip()
    carets = paint(excerpt.carets, palette.of(first.severity))
    yield f"  {gutter} {bar} {excerpt.indent}{carets}{excerpt.note}"
    for remark in _remarks(group, report):
        yield f"  {gutter} {paint('=', palette.aside)} {remark}"


def _remarks(group: list[Diagnostic], report: Report) -> Iterator[str]:
    first, others = group[0], group[1:]
    yield from _listed([_related(each, report) for each in first.related], "related place")
    if first.fix is not None:
        yield _repair(first.fix)
    if first.advice is not None:
        yield f"advice: {printable(first.advice)}"
    if others:
        yield f"and {counted(len(others), 'more place')} of one cause:"
        yield from _listed([_place_of_cause(each, first, report) for each in others], "place")


def _listed(remarks: list[str], noun: str) -> Iterator[str]:
    yield from remarks[:MOST_PLACES]
    if len(remarks) > MOST_PLACES:
        yield f"… and {counted(len(remarks) - MOST_PLACES, f'more {noun}')}"


def _related(related: Related, report: Report) -> str:
    return f"{place(related.span, report.sources)}: {printable(related.message)}"


def _place_of_cause(diagnostic: Diagnostic, first: Diagnostic, report: Report) -> str:
    where = place(diagnostic.span, report.sources)
    return where if diagnostic.message == first.message else f"{where}: {printable(diagnostic.message)}"


def _repair(fix: Fix) -> str:
    return f"{'fix' if fix.safe else 'unsafe fix'}: {printable(fix.title)}"


class Excerpt(NamedTuple):
    """A line cut to what a terminal shows, and what stands under it; ``note`` says where the place ends."""

    text: str
    indent: str
    carets: str
    note: str


def _excerpt(source: Source, span: Span) -> Excerpt:
    """Show the line on which ``span`` begins; of a long line only the part round the span."""
    line = source.position(span.start).line
    start, stop = source.line_starts[line - 1], source.line_end(line)
    place_start, place_end = min(span.start, stop), min(span.end, stop)
    before = _expanded(source.text[max(start, place_start - _REACH) : place_start], 0)
    marked = _expanded(source.text[place_start : min(place_end, place_start + _REACH)], display_width(before))
    tail = source.text[place_end : min(stop, place_end + _REACH)]
    after = _expanded(tail, display_width(before + marked))
    if display_width(before + marked + after) > _WIDEST:
        before = _last_columns(before, max(_LEAD, _WIDEST - display_width(marked + after)))
        marked = _first_columns(marked, _WIDEST - display_width(before))
        after = _first_columns(after, _WIDEST - display_width(before + marked))
    return Excerpt(
        text=before + marked + after,
        indent=" " * display_width(before),
        carets="^" * max(1, display_width(marked)),
        note=_end_note(source, span, line),
    )


def _end_note(source: Source, span: Span, line: int) -> str:
    # A place that takes in the line ending alone still ends on its line.
    end = source.position(max(span.start, span.end - 1))
    return f" … as far as line {end.line}" if end.line > line else ""


def _expanded(text: str, column: int) -> str:
    """Return ``text``, which begins at ``column``, for a terminal: tabs as blanks, controls escaped."""
    if "\t" not in text:
        return printable(text)
    shown: list[str] = []
    for run in text.split("\t"):
        if shown:
            shown.append(" " * (_TAB - column % _TAB))
            column += len(shown[-1])
        shown.append(printable(run))
        column += display_width(shown[-1])
    return "".join(shown)


def _first_columns(text: str, columns: int) -> str:
    """Return the beginning of ``text`` that ``columns`` hold, an ellipsis for what is cut included."""
    if display_width(text) <= columns:
        return text
    return _fitting(text, columns - 1) + "…" if columns > 0 else ""


def _last_columns(text: str, columns: int) -> str:
    """Return the end of ``text`` that ``columns`` hold, an ellipsis for what is cut included."""
    if display_width(text) <= columns:
        return text
    return "…" + _fitting(text[::-1], columns - 1)[::-1]


def _fitting(text: str, columns: int) -> str:
    width = 0
    for index, character in enumerate(text):
        width += display_width(character)
        if width > columns:
            return text[:index]
    return text
