"""References of drawings that arrive nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from posixpath import dirname, join, normpath, splitext
from types import MappingProxyType

from msgspec.structs import replace

from lintbook.book import Book
from lintbook.checks.figures.copying import RESOURCES, Copies
from lintbook.diagnostic import Finding, Related, Severity, Unchecked
from lintbook.facts import Document, Use
from lintbook.ids import Id
from lintbook.rule import book_rule
from lintbook.text import Span

INCLUDED = "ids that a file from elsewhere may define"

# What is included from a file of another kind is code, which defines no ids.
_MARKUP = frozenset({"", ".htm", ".html", ".markdown", ".md", ".svg", ".txt", ".xml"})
# Shorter ids are all like one another; of longer ones, more would have to be compared than is worth it.
_COMPARABLE = range(3, 65)


@book_rule("FIG001", Severity.ERROR)
def dangling_svg_reference(
    book: Book, *, palette: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Finding | Unchecked]:
    """A drawing uses an id that is defined nowhere on its page."""
    copies = Copies(book, palette)
    for document in book.current:
        path = document.source.path
        # What the renderer has cut off counts, for the cut is its own fault.
        own = {definition.id for figure in document.facts.figures for definition in figure.definitions}
        strangers = [
            (number, use)
            for number, figure in enumerate(document.facts.figures, 1)
            for use in figure.uses
            if use.id not in own
        ]
        if not strangers:
            continue
        ids = book.ids_on_page(path) | own
        dangling = [(number, use) for number, use in strangers if use.id not in ids]
        if dangling and not _is_whole(book, document):
            yield from [Unchecked(INCLUDED)] * len(dangling)
        elif dangling:
            known = _KnownIds(ids, book.ids(path))
            mended: set[str] = set()
            for number, use in dangling:
                finding = _finding(use, known, cause=f"{path}: drawing {number}: {use.id}")
                assert finding.cause is not None
                if finding.cause not in mended:  # one definition mends all uses of the drawing
                    mended.add(finding.cause)
                    only = known.similar(use.id) is None
                    fix = copies.fix(document, document.facts.figures[number - 1], use, only=only)
                    finding = replace(finding, fix=fix)
                yield finding


def _is_whole(book: Book, document: Document) -> bool:
    """Whether all that the page includes has been read; the rest may define any id."""
    waiting, seen = [document], {document.source.path}
    while waiting:
        current = waiting.pop()
        for include in current.facts.includes:
            path = normpath(join(dirname(current.source.path), include.path))
            included = book.document(path)
            if included is None and include.directive == "include" and splitext(path)[1].lower() in _MARKUP:
                return False
            if included is not None and path not in seen:
                seen.add(path)
                waiting.append(included)
    return True


def _finding(use: Use, known: _KnownIds, cause: str) -> Finding:
    where = "in this file" if use.span.path.lower().endswith(".svg") else "on this page"
    message = f"`{use.id}` is defined nowhere {where}"
    advice = _advice(use)
    related: tuple[Related, ...] = ()
    similar = known.similar(use.id)
    if similar is not None:
        difference = "differs in case" if similar.casefold() == use.id.casefold() else "is the nearest id"
        message += f"; `{similar}` {difference}"
        advice = f"write `{similar}`, or {advice}"
        if similar in known.places:
            related = (Related(known.places[similar], f"`{similar}` is defined here"),)
    return Finding(use.span, message, related=related, cause=cause, advice=advice)


def _advice(use: Use) -> str:
    if use.attribute in RESOURCES:
        return f'add <{RESOURCES[use.attribute]} id="{use.id}"> to the <defs> of this drawing'
    if use.attribute in ("fill", "stroke"):
        return f'add a gradient or pattern with id="{use.id}" to the <defs> of this drawing'
    return f'give the element that is meant id="{use.id}"'


class _KnownIds:
    """The ids of a page, to be looked up by what they resemble, in time that does not grow with their number.

    ``places`` holds where each is made first, as far as that is known.
    """

    def __init__(self, ids: Iterable[str], made: Iterable[Id]) -> None:
        self.places: dict[str, Span] = {}
        self.folded: dict[str, str] = {}
        self.shortened: dict[str, str] = {}
        for id_ in sorted(ids):
            self.folded.setdefault(id_.casefold(), id_)
            for rest in _shortened(id_):
                self.shortened.setdefault(rest, id_)
        for each in made:
            self.places.setdefault(each.id, each.span)

    def similar(self, id_: str) -> str | None:
        """Return the id that differs from ``id_`` only in case or by one slip, if there is one."""
        found = self.folded.get(id_.casefold())
        return found or min(filter(None, map(self.shortened.get, _shortened(id_))), default=None)


def _shortened(id_: str) -> set[str]:
    """Return ``id_`` and what remains of it without one of its letters.

    A missing, added, wrong or swapped letter leaves two ids one of these in common.
    """
    if len(id_) not in _COMPARABLE:
        return set()
    return {id_, *(id_[:index] + id_[index + 1 :] for index in range(len(id_)))}
