"""Which id a fragment that leads nowhere once was, or was meant to be."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

from lintbook.book import Book
from lintbook.likeness import most_like
from lintbook.site import Id, Target
from lintbook.text import Span


@dataclass(frozen=True, slots=True)
class Heir:
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


def heir_of(book: Book, target: Target) -> Heir | None:
    """Return the id of the page of ``target`` that comes closest to its fragment; None if none is near."""
    ids = {made.id: made for made in reversed(book.ids(target.path)) if made.id}
    fragment = target.fragment
    alike = [each for each in ids.values() if each.id.lower() == fragment.lower()]
    if alike:
        return _named(alike, "`{}` differs in case only", case=True)
    words = _words(fragment)
    alike = [each for each in ids.values() if words and _words(each.id) == words]
    if alike:
        return _named(alike, "`{}` has the same words")
    return _renamed(ids, fragment)


def _named(alike: list[Id], advice: str, *, case: bool = False) -> Heir:
    first = min(alike, key=lambda made: made.id)
    return Heir(first.id, first.span, advice.format(first.id), certain=len(alike) == 1, case=case)


def _words(identifier: str) -> str:
    """Return what renderers agree on: letters and digits. How they join words and what they drop differs."""
    return "".join(character for character in identifier.lower() if character.isalnum())


def _renamed(ids: dict[str, Id], fragment: str) -> Heir | None:
    found = most_like(fragment, tuple(sorted(ids)), 2, _ALIKE)
    if not found:
        return None
    likeness = [SequenceMatcher(None, each, fragment).ratio() for each in found]
    if len(found) == 1 or likeness[0] - likeness[1] >= _LEAD:
        advice = f"was it renamed to `{found[0]}`?"
        return Heir(found[0], ids[found[0]].span, advice, certain=False)
    return Heir(found[0], None, f"did you mean `{found[0]}`?", certain=False)
