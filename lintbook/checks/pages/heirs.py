"""Which id a fragment that leads nowhere once was, or was meant to be."""

from __future__ import annotations

from collections import defaultdict

from msgspec import Struct

from lintbook.book import Book
from lintbook.ids import Id
from lintbook.likeness import most_like, ratio
from lintbook.site import Target
from lintbook.text import Span


class Heir(Struct, frozen=True):
    """An id of the page that a fragment may mean, and what makes it.

    It is ``certain`` if nothing else can be meant; ``case`` says that the two differ in case only. ``advice`` says in
    words why.
    """

    id: str
    span: Span | None
    advice: str
    certain: bool
    case: bool = False


# Likeness, between 0 and 1, from which an id is offered, and by which the best must lead to be called the heir.
_ALIKE = 0.6
_LEAD = 0.2


class Heirs:
    """The ids of pages by what a fragment may have in common with them; each page is looked through once."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._pages: dict[str, _Known] = {}

    def of(self, target: Target) -> Heir | None:
        """Return the id of the page of ``target`` that comes closest to its fragment; None if none is near."""
        known = self._pages.get(target.path)
        if known is None:
            known = self._pages[target.path] = _Known(self._book.ids(target.path))
        fragment = target.fragment
        if alike := known.by_case.get(fragment.lower()):
            return _named(alike, "`{}` differs in case only", case=True)
        words = _words(fragment)
        if words and (alike := known.by_words.get(words)):
            return _named(alike, "`{}` has the same words")
        return _renamed(known, fragment)


class _Known:
    def __init__(self, ids: tuple[Id, ...]) -> None:
        self.ids = {made.id: made for made in reversed(ids) if made.id}
        self.names = tuple(sorted(self.ids))
        self.by_case: dict[str, list[Id]] = defaultdict(list)
        self.by_words: dict[str, list[Id]] = defaultdict(list)
        for made in self.ids.values():
            self.by_case[made.id.lower()].append(made)
            self.by_words[_words(made.id)].append(made)


def _named(alike: list[Id], advice: str, *, case: bool = False) -> Heir:
    first = min(alike, key=lambda made: made.id)
    return Heir(first.id, first.span, advice.format(first.id), certain=len(alike) == 1, case=case)


def _words(identifier: str) -> str:
    """Return what renderers agree on: letters and digits. How they join words and what they drop differs."""
    return "".join(character for character in identifier.lower() if character.isalnum())


def _renamed(known: _Known, fragment: str) -> Heir | None:
    found = most_like(fragment, known.names, 2, _ALIKE)
    if not found:
        return None
    likeness = [ratio(each, fragment) for each in found]
    if len(found) == 1 or likeness[0] - likeness[1] >= _LEAD:
        advice = f"was it renamed to `{found[0]}`?"
        return Heir(found[0], known.ids[found[0]].span, advice, certain=False)
    return Heir(found[0], None, f"did you mean `{found[0]}`?", certain=False)
