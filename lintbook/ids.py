"""The ids of a page: what renderers make of its headings and footnotes, and what it states itself."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from lintbook.builder import Build
from lintbook.dialect import Dialect, PageIds, mark_ids, note_ids, slug, without_emoji
from lintbook.facts import Anchor, AnchorOrigin, Document, Heading, StrayTag, Term
from lintbook.text import Span, Style

if TYPE_CHECKING:
    from lintbook.parse.project import Project

_WRITTEN = (AnchorOrigin.HTML, AnchorOrigin.ATTRIBUTE, AnchorOrigin.LIST, AnchorOrigin.TARGET)


class Id(Struct, frozen=True):
    """An id of a rendered page and the place in the source that makes it."""

    id: str
    span: Span


_Placed = TypeVar("_Placed", Anchor, Heading, Term, StrayTag)


class Stretch(Struct, frozen=True):
    """A part of a page: the characters ``start`` up to ``end`` of ``document``, its own or included ones."""

    document: Document
    start: int
    end: int

    def holds(self, span: Span) -> bool:
        """Return whether the place at ``span`` begins in this part."""
        return self.start <= span.start < self.end and span.path == self.document.source.path

    def within(self, facts: Sequence[_Placed]) -> Sequence[_Placed]:
        """Return those of ``facts``, a kind of the document in its order, that begin in this part."""
        first = bisect_left(facts, self.start, key=_start)
        return facts[first : bisect_left(facts, self.end, lo=first, key=_start)]


def heading_ids(stretches: Sequence[Stretch], dialect: Dialect, project: Project | None) -> Iterator[Id]:
    """Yield the ids that ``dialect`` gives the headings and terms of a page."""
    has_terms = _has_terms(dialect, project)
    parts = [(stretch, _headings(stretch, has_terms)) for stretch in stretches]
    ids = PageIds(dialect, _taken(stretches))
    notes = _note_numbers(stretches)
    for stretch, headings in parts:
        for heading in headings:
            if isinstance(heading, Heading) and heading.anchor is not None:
                yield Id(ids.explicit(heading.anchor.id), heading.anchor.span)
                continue
            source = stretch.document.source
            if dialect.slugs_source:
                text = source.text[heading.span.start : heading.span.end]
            elif dialect is Dialect.MDBOOK:
                text = _shown(heading, stretch.document, notes, project)
            else:
                text = heading.passage.text if isinstance(heading, Heading) else heading.plain.text
            if dialect is Dialect.MKDOCS and (bare := _without_pictures(text, project)) != text:
                yield Id(slug(text, dialect), heading.span)  # not every such name is an emoji's
                text = bare
            yield Id(ids.generated(text), heading.span)


def _without_pictures(text: str, project: Project | None) -> str:
    """Return the text of a heading of MkDocs as its ids are made of it, where emoji become pictures."""
    return without_emoji(text) if project and "pymdownx.emoji" in project.extensions else text


def built_ids(stretches: Sequence[Stretch], build: Build | None) -> Iterator[Id]:
    """Yield the ids that the builder of a tree without project file gives headings, where they are its own."""
    headings = [each for stretch in stretches for each in stretch.within(stretch.document.facts.headings)]
    unnamed = [heading for heading in headings if heading.anchor is None]
    made = build.heading_ids(heading.text for heading in unnamed) if build else ()
    yield from (Id(name, heading.span) for name, heading in zip(made, unnamed, strict=False))


def _has_terms(dialect: Dialect, project: Project | None) -> bool:
    """Whether terms of definition lists get ids: mdBook's do, as long as it reads such lists."""
    return dialect is Dialect.MDBOOK and (project is None or project.definition_lists)


def written_ids(stretches: Sequence[Stretch], dialect: Dialect, pages: Container[str]) -> Iterator[Id]:
    """Yield the ids that a page states itself: of raw HTML, attributes and footnotes, and of drawings.

    Those of a drawing count if it is a file that is included, not one of ``pages``: in these they are raw HTML.
    """
    notes = _note_numbers(stretches)
    marks: Counter[str] = Counter()
    for stretch in stretches:
        facts = stretch.document.facts
        for anchor in stretch.within(facts.anchors):
            if anchor.origin in _WRITTEN:
                if dialect.makes_anchor(anchor.origin):
                    yield Id(anchor.id, anchor.span)
            elif anchor.origin is AnchorOrigin.MARK:
                marks[anchor.id] += 1
                for name in mark_ids(anchor.id, marks[anchor.id], marks.total(), dialect):
                    yield Id(name, anchor.span)
            elif anchor.origin is AnchorOrigin.FOOTNOTE:
                # mdBook drops a note to which nothing refers.
                is_kept = anchor.id in notes or dialect is not Dialect.MDBOOK
                for name in note_ids(anchor.id, dialect) if is_kept else ():
                    yield Id(name, anchor.span)
        if stretch.document.source.path not in pages:
            for figure in facts.figures:
                yield from (Id(each.id, each.span) for each in figure.definitions if stretch.holds(each.span))


def _shown(heading: Heading | Term, document: Document, notes: Mapping[str, int], project: Project | None) -> str:
    """Return the text that mdBook makes a slug of.

    Footnote marks are numbers. Hyphens become dashes where the book sets dashes, but not in code. A hard line
    break is no blank, unlike a soft one.
    """
    sets_dashes = project is None or project.smart_punctuation
    passage, source = heading.plain, document.source
    marks = _marks_in(heading.span, document.facts.anchors, notes) if notes else []
    if not marks and "--" not in passage.text and "\n" not in passage.text:
        return passage.text
    parts = [(mark.span.start, str(notes[mark.id])) for mark in marks]
    ends = [*(piece.start for piece in passage.pieces[1:]), len(passage.text)]
    for piece, end in zip(passage.pieces, ends, strict=False):  # of no text there are no pieces
        text = passage.text[piece.start : end]
        if text == "\n" and _is_hard_break(source.text, piece.offset):
            continue
        if sets_dashes and piece.style is not Style.CODE and piece.verbatim:
            text = re.sub("-{2,}", "–", text)
        parts.append((piece.offset, text))
    return "".join(text for _, text in sorted(parts, key=lambda part: part[0]))


def _headings(stretch: Stretch, with_terms: bool) -> list[Heading | Term]:
    facts = stretch.document.facts
    found: list[Heading | Term] = [*stretch.within(facts.headings)]
    if with_terms and facts.terms:
        found.extend(stretch.within(facts.terms))
        found.sort(key=lambda each: each.span)
    return found


def _taken(stretches: Iterable[Stretch]) -> list[str]:
    return [
        anchor.id
        for stretch in stretches
        for anchor in stretch.within(stretch.document.facts.anchors)
        if anchor.origin is AnchorOrigin.HTML
    ]


def _note_numbers(stretches: Iterable[Stretch]) -> dict[str, int]:
    """Return the number of each footnote: they are counted as the text refers to them."""
    numbers: dict[str, int] = {}
    for stretch in stretches:
        for anchor in stretch.within(stretch.document.facts.anchors):
            if anchor.origin is AnchorOrigin.MARK:
                numbers.setdefault(anchor.id, len(numbers) + 1)
    return numbers


def _marks_in(span: Span, anchors: Sequence[Anchor], notes: Mapping[str, int]) -> list[Anchor]:
    """Return the marks of ``notes`` that stand within ``span``; ``anchors`` are those of its file."""
    first, last = (bisect_left(anchors, place, key=_start) for place in (span.start, span.end))
    return [mark for mark in anchors[first:last] if mark.origin is AnchorOrigin.MARK and mark.id in notes]


def _start(fact: Anchor | Heading | Term | StrayTag) -> int:
    return fact.span.start


def _is_hard_break(text: str, offset: int) -> bool:
    r"""Whether the line break at ``offset`` is a hard one: a backslash or two blanks stand before it."""
    return text.startswith("\\", offset) or text.endswith("  ", 0, offset)
