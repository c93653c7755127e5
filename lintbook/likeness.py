"""Which of many known names an unknown one is most like, in time that hardly grows with their number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

_COMMON = 500  # names; a pair of letters that more of them share tells nothing
_COMPARED = 30  # names that share most pairs with the unknown one and are compared letter by letter
_LONGEST = 200  # letters that are looked at


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the one of a few ``known`` names that is most like ``name``, by a ratio of at least ``cutoff``, if any."""
    from difflib import get_close_matches  # seldom needed in a run that finds little

    return next(iter(get_close_matches(name, list(known), 1, cutoff)), None)


def ratio(one: str, other: str) -> float:
    """Return how much two texts have in common, from 0 to 1."""
    from difflib import SequenceMatcher

    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def most_like(name: str, known: tuple[str, ...], count: int = 1, cutoff: float = 0.6) -> list[str]:
    """Return at most ``count`` of the ``known`` names that resemble ``name``, the most like it first.

    Names are compared by difflib's ratio, which must reach ``cutoff``; only those are compared that share the most
    pairs of neighbouring letters with ``name``.
    """
    from difflib import get_close_matches

    postings = _postings(known)
    shared: Counter[int] = Counter()
    for pair in _pairs(name):
        numbers = postings.get(pair, ())
        if len(numbers) <= _COMMON:
            shared.update(numbers)
    # Of equally many shared pairs the name that comes first in `known`, whatever the order of a dictionary.
    ranked = sorted(shared, key=lambda number: (-shared[number], number))[:_COMPARED]
    return get_close_matches(name[:_LONGEST], [known[number] for number in sorted(ranked)], count, cutoff)


@lru_cache(maxsize=64)
def _postings(known: tuple[str, ...]) -> dict[str, list[int]]:
    """Return for each pair of letters the numbers of the names that have it."""
    found: dict[str, list[int]] = {}
    for number, name in enumerate(known):
        for pair in _pairs(name):
            found.setdefault(pair, []).append(number)
    return found


def _pairs(name: str) -> set[str]:
    short = name[:_LONGEST]
    return {short[index : index + 2] for index in range(len(short) - 1)} or {short}
