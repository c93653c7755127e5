"""What changed since an earlier commit, told in facts: box numbers, anchors, claims, the definitions of figures.

A re-wrapped page, a re-aligned table, a moved paragraph change no fact, and what was only added is no change.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from msgspec import Struct

from lintbook.book import Book, Revision
from lintbook.calculator.claim import parse_claim
from lintbook.calculator.expression import MalformedError
from lintbook.calculator.quotation import Quoted, Stretch
from lintbook.facts import AnchorOrigin, Box, Claim, Document, Figure, Number
from lintbook.patterns import regex
from lintbook.text import Span
from lintbook.vocabulary import is_errata_page

_ANCHORS = (AnchorOrigin.HEADING, AnchorOrigin.ATTRIBUTE, AnchorOrigin.LIST, AnchorOrigin.HTML)
_DEFS = regex(r"<defs\b[^>]*/>|<defs\b.*?</defs\s*>", re.DOTALL)

_Fact = TypeVar("_Fact")


class Change(Struct, frozen=True):
    """A fact that is not what it was.

    ``span`` is where that shows now, ``page`` where it stood then, under its old path, ``place`` the box that it is
    about, if any; ``before`` and ``after`` are what was said and is said, ``after`` empty if nothing is.
    """

    span: Span
    page: str
    place: str
    before: str
    after: str
    message: str


def changes(book: Book, earlier: Revision) -> tuple[Change, ...]:
    """Return what changed on pages that were live, errata pages left aside, in the order of the places."""
    comparison = _Comparison(book, earlier)
    found = [*comparison.boxes(), *comparison.anchors(), *comparison.claims(), *comparison.figures()]
    return tuple(sorted(found, key=lambda change: (change.span, change.message)))


def keeps_errata(book: Book) -> bool:
    """Return whether the book has a page for errata."""
    return any(_is_errata(page) for page in book.current if page in book.pages)


def _is_errata(page: Document) -> bool:
    title = next((heading.text for heading in page.facts.headings), "")
    return bool(page.facts.errata) or is_errata_page(page.source.path, title)


class _BoxKey(NamedTuple):
    kind: str
    number: Number


class _Comparison:
    def __init__(self, book: Book, earlier: Revision) -> None:
        self._book = book
        self._earlier = earlier
        self._old = [page for page in earlier.book.live_pages if not _is_errata(page)]
        self._new = [page for page in book.live_pages if not _is_errata(page)]
        # What a page says that is the same is said on both sides, and need not be looked at.
        same = {id(page) for page in self._old} & {id(page) for page in self._new}
        self._other_old = [page for page in self._old if id(page) not in same]
        self._other_new = [page for page in self._new if id(page) not in same]
        self._changed_boxes: set[_BoxKey] = set()

    # ── boxes ────────────────────────────────────────────────────────────────────────────────────────────

    def boxes(self) -> Iterator[Change]:
        """Yield the boxes that bear another number, and those that are gone."""
        old, new = _by_key(self._old), _by_key(self._new)
        added = [box for key, box in new.items() if key not in old]
        titles = _by_title(new)
        for key, box in old.items():
            after = self._renumbered(box, key, new, titles)
            if after is None and key not in new:
                after = self._in_place_of(box, added)
            if after is None and key in new:
                continue
            self._changed_boxes.add(key)
            name = f"{box.label} {box.number}"
            if after is None:
                where = self._nearest(box.span.path)
                yield Change(where, box.span.path, name, name, "", f"`{name}` is no longer declared")
            else:
                now = f"{after.label} {after.number}"
                yield Change(after.span, box.span.path, name, name, now, f"`{now}` was `{name}`")

    @staticmethod
    def _renumbered(
        box: Box, key: _BoxKey, new: dict[_BoxKey, Box], titles: dict[tuple[str, str], list[Box]]
    ) -> Box | None:
        """Return the one box that bears the title of ``box`` now, if it bears another number."""
        same = titles.get((box.kind, box.title), []) if box.title else []
        if len(same) != 1 or same[0].number == box.number:
            return None
        stays = new.get(key)
        return same[0] if stays is None or stays.title != box.title else None

    def _in_place_of(self, box: Box, added: Sequence[Box]) -> Box | None:
        """Return the new box of the same kind that stands where an untitled one stood, the only one that may."""
        path = self._new_path(box.span.path)
        same = [other for other in added if other.kind == box.kind and other.span.path == path]
        untitled = [other for other in same if not other.title or not box.title]
        return untitled[0] if len(untitled) == 1 else None

    # ── anchors ──────────────────────────────────────────────────────────────────────────────────────────

    def anchors(self) -> Iterator[Change]:
        """Yield the ids that are gone; those of changed boxes are told with the boxes."""
        now = {anchor.id for page in self._new for anchor in page.facts.anchors if anchor.origin in _ANCHORS}
        for page in self._old:
            told = {box.anchor.id for box in page.facts.boxes if box.anchor and _key(box) in self._changed_boxes}
            told.update(definition.id for figure in page.facts.figures for definition in figure.definitions)
            for anchor in page.facts.anchors:
                if anchor.origin not in _ANCHORS or anchor.id in now or anchor.id in told:
                    continue
                told.add(anchor.id)
                owner = next((box for box in page.facts.boxes if box.anchor is anchor or box.anchor == anchor), None)
                box = self._same_box(owner)
                after = box.anchor.id if box is not None and box.anchor is not None else ""
                where = box.anchor.span if box is not None and box.anchor is not None else None
                yield Change(
                    where or (box.span if box is not None else self._nearest(page.source.path)),
                    page.source.path,
                    f"{owner.label} {owner.number}" if owner is not None else "",
                    f"`{{#{anchor.id}}}`",
                    f"`{{#{after}}}`" if after else "",
                    f"the anchor `{after}` was `{anchor.id}`" if after else f"the anchor `{anchor.id}` is gone",
                )

    def _same_box(self, owner: Box | None) -> Box | None:
        if owner is None:
            return None
        return _by_key(self._new).get(_key(owner))

    # ── claims ───────────────────────────────────────────────────────────────────────────────────────────

    def claims(self) -> Iterator[Change]:
        """Yield the claims that say something else, and those that are gone."""
        gone, come = _difference(self._claims(self._other_old), self._claims(self._other_new))
        for path, claims in _by_path(gone, lambda pair: pair[1].span.path).items():
            candidates = [pair for pair in come if pair[1].span.path == self._new_path(path)]
            for content, _ in claims:
                after = next((pair for pair in candidates if pair[0].text == content.text), None)
                after = after or next((pair for pair in candidates if pair[0].numbers == content.numbers), None)
                after = after or next(iter(candidates), None)
                before = content.shown
                if after is None:
                    yield Change(self._nearest(path), path, "", before, "", f"the claim `{content.text}` is gone")
                    continue
                candidates.remove(after)
                now = after[0].shown
                if now == before:  # the same numbers, another formula
                    before, now = content.text, after[0].text
                yield Change(after[1].span, path, "", before, now, f"the claim says `{now}`, it said `{before}`")

    @staticmethod
    def _claims(pages: Iterable[Document]) -> list[tuple[_Content, Claim]]:
        return [(_content(claim), claim) for page in pages for claim in page.facts.claims if claim.problem is None]

    # ── figures ──────────────────────────────────────────────────────────────────────────────────────────

    def figures(self) -> Iterator[Change]:
        """Yield the drawings that define other things than they did."""
        old = self._drawings(self._earlier.book, self._other_old)
        new = self._drawings(self._book, self._other_new)
        for before, after in self._paired(old, new):
            was, now = _defined(before.figure), _defined(after.figure)
            gained, lost = sorted(now - was), sorted(was - now)
            if gained or lost:
                said = [*([f"gained {_list(gained)}"] if gained else ()), *([f"lost {_list(lost)}"] if lost else ())]
                yield Change(
                    after.figure.head,
                    before.path,
                    "",
                    f"the drawing defines {_list(sorted(was))}" if was else "the drawing defines nothing",
                    f"the drawing defines {_list(sorted(now))}" if now else "the drawing defines nothing",
                    f"the drawing {' and '.join(said)}",
                )

    @staticmethod
    def _drawings(book: Book, pages: Sequence[Document]) -> list[_Drawing]:
        files = [document for document in book.documents if document.source.path.lower().endswith(".svg")]
        return [
            _Drawing(document.source.path, _look(document, figure), figure)
            for document in (*pages, *files)
            for figure in document.facts.figures
        ]

    def _paired(self, old: list[_Drawing], new: list[_Drawing]) -> Iterator[tuple[_Drawing, _Drawing]]:
        """Pair drawings that look alike but for what they define; of the others those in the same order on a page."""
        waiting: dict[str, list[_Drawing]] = defaultdict(list)
        for drawing in new:
            waiting[drawing.look].append(drawing)
        rest: dict[str, list[_Drawing]] = defaultdict(list)
        for drawing in old:
            alike = waiting.get(drawing.look)
            if alike:
                here = [each for each in alike if each.path == self._new_path(drawing.path)]
                chosen = (here or alike)[0]
                alike.remove(chosen)
                yield drawing, chosen
            else:
                rest[self._new_path(drawing.path)].append(drawing)
        left: dict[str, list[_Drawing]] = defaultdict(list)
        for drawing in new:
            if any(drawing is each for each in waiting[drawing.look]):
                left[drawing.path].append(drawing)
        for path, drawings in rest.items():
            if len(drawings) == len(left[path]):
                yield from zip(drawings, left[path], strict=True)

    # ── places ───────────────────────────────────────────────────────────────────────────────────────────

    def _new_path(self, path: str) -> str:
        return self._earlier.renamed.get(path, path)

    def _nearest(self, path: str) -> Span:
        """Return the place that stands for the page that was at ``path``: its heading, or the top of the book."""
        page = self._book.document(self._new_path(path))
        if page is None or page.source.path not in self._book.live:
            page = self._book.live_pages[0] if self._book.live_pages else self._book.documents[0]
        if page.facts.headings:
            return page.facts.headings[0].span
        return page.source.span(0, 0)


def _key(box: Box) -> _BoxKey:
    return _BoxKey(box.kind, box.number)


def _by_key(pages: Iterable[Document]) -> dict[_BoxKey, Box]:
    found: dict[_BoxKey, Box] = {}
    for page in pages:
        for box in page.facts.boxes:
            found.setdefault(_key(box), box)
    return found


def _by_title(boxes: dict[_BoxKey, Box]) -> dict[tuple[str, str], list[Box]]:
    found: dict[tuple[str, str], list[Box]] = defaultdict(list)
    for box in boxes.values():
        found[box.kind, box.title].append(box)
    return found


class _Content(NamedTuple):
    """What a claim says: its text, and the numbers that it vouches for, each with its unit."""

    text: str
    numbers: tuple[Hashable, ...]
    shown: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Content) and self[:2] == other[:2]

    def __hash__(self) -> int:
        return hash(self[:2])


def _content(claim: Claim) -> _Content:
    text = " ".join(claim.text.split())
    try:
        parsed = parse_claim(claim.text)
    except MalformedError:
        return _Content(text, (), text)
    symbols = frozenset(binding.name for binding in parsed.bindings)
    quoted = Stretch(claim, parsed.count, symbols).plainest
    numbers = tuple((each.written.number if each.written else None, each.tail) for each in quoted)
    shown = ", ".join(f"{_digits(claim, each)} {each.tail}".strip() for each in quoted)
    return _Content(text, numbers, shown or text)


def _digits(claim: Claim, quoted: Quoted) -> str:
    return claim.stretch.text[quoted.start : quoted.end].replace("{,}", ",")


class _Drawing(NamedTuple):
    path: str
    look: str
    figure: Figure


def _look(document: Document, figure: Figure) -> str:
    """Return the text of a drawing without what it defines and without blanks."""
    text = document.source.text[figure.span.start : figure.span.end]
    return re.sub(r"\s+", "", _DEFS.sub("", text))


def _defined(figure: Figure) -> set[str]:
    return {definition.id for definition in figure.definitions}


def _list(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _difference(
    old: Sequence[tuple[_Content, Claim]], new: Sequence[tuple[_Content, Claim]]
) -> tuple[list[tuple[_Content, Claim]], list[tuple[_Content, Claim]]]:
    """Return what ``old`` has more of than ``new``, and the reverse."""
    return _surplus(old, new), _surplus(new, old)


def _surplus(
    these: Sequence[tuple[_Content, Claim]], those: Sequence[tuple[_Content, Claim]]
) -> list[tuple[_Content, Claim]]:
    left = Counter(content for content, _ in those)
    found = []
    for pair in these:
        if left[pair[0]]:
            left[pair[0]] -= 1
        else:
            found.append(pair)
    return found


def _by_path(facts: Iterable[_Fact], path: Callable[[_Fact], str]) -> dict[str, list[_Fact]]:
    found: dict[str, list[_Fact]] = defaultdict(list)
    for fact in facts:
        found[path(fact)].append(fact)
    return found
