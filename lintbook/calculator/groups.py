"""Groups: tokens put together by the brackets that they stand in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeGuard

from msgspec import Struct

from lintbook.calculator.expression import MAX_DEPTH
from lintbook.calculator.tokens import Mark, Token

_CLOSERS = {"(": ")）]", "（": ")）]", "[": "])）", "{": "}", "^{": "}", "_{": "}", "⌈": "⌉", "⌊": "⌋"}


def closes(opener: str, closer: str) -> bool:
    """Say whether one bracket is the partner of another."""
    return closer in _CLOSERS.get(opener, "")


class Group(Struct, frozen=True):
    """A pair of brackets and what stands between."""

    bracket: str
    items: tuple[Item, ...]
    start: int
    end: int
    setting: str
    gap: bool
    apart: bool


Item = Token | Group


def grouped(tokens: Iterable[Token]) -> tuple[Item, ...]:
    """Put what stands in brackets together; a bracket without partner ends what stands before it."""
    levels: list[tuple[Token | None, list[Item]]] = [(None, [])]
    for token in tokens:
        opener, items = levels[-1]
        if token.mark is Mark.OPEN and len(levels) <= MAX_DEPTH:
            levels.append((token, []))
        elif token.mark is not Mark.CLOSE:
            items.append(token)
        elif opener is not None and closes(opener.text, token.text):
            levels.pop()
            group = Group(opener.text, tuple(items), opener.start, token.end, opener.setting, opener.gap, opener.apart)
            levels[-1][1].append(group)
        else:
            items.append(token)
    while len(levels) > 1:
        opener, items = levels.pop()
        assert opener is not None
        levels[-1][1].extend((opener, *items))
    return tuple(levels[0][1])


def is_token(item: Item | None, mark: Mark) -> TypeGuard[Token]:
    """Say whether an item is a token of this kind."""
    return isinstance(item, Token) and item.mark is mark


def ends_operand(item: Item) -> bool:
    """Say whether an operand may end with this item."""
    if isinstance(item, Group):
        return item.bracket != "_{"
    return item.mark in (Mark.NUMBER, Mark.MEASURE, Mark.CONSTANT, Mark.UNKNOWN) or (
        item.mark is Mark.OPERATOR and item.text == "!"
    )


def begins_operand(item: Item) -> bool:
    """Say whether an operand may begin with this item."""
    return isinstance(item, Group) or item.mark in (Mark.NUMBER, Mark.CONSTANT, Mark.FUNCTION, Mark.STRUCTURE)


def flat(items: Iterable[Item]) -> Iterator[Token]:
    """Yield the tokens of items, those in brackets included."""
    for item in items:
        if isinstance(item, Group):
            yield from flat(item.items)
        else:
            yield item
