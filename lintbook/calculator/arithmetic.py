r"""Arithmetic in running text: the closed sides of chains such as ``$128\cdot(3/4)^2 = 81$``.

A side is closed if it has a value by itself: numbers, operators, brackets, known functions. Whatever else stands beside
an operator, or in the place of a number, leaves it open, and nothing is said of it. Words before a side, and behind its
numbers, are no part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from lintbook.calculator.groups import Group, Item, closes, grouped, is_token
from lintbook.calculator.linear import ROW, linear
from lintbook.calculator.pieces import MAX_BETWEEN, Piece, pieces_of, says_roughly
from lintbook.calculator.plain import CODE, ITALIC, PROSE, SCRIPT, UNKNOWN, Plain
from lintbook.calculator.side import OpenError, Side, read_side
from lintbook.calculator.tokens import Mark, Token, tokens_of
from lintbook.patterns import regex
from lintbook.text import Passage

_NAME = regex(r"(?=.*[A-Z].*[A-Z])[A-Za-z]+|[Gg]en")
_VERSION = regex(r"[0-9]\.[0-9](?![0-9])")  # PCIe 4.0 × 16 = 32 GB/s
_MAX_LABEL_SIZE = 12  # characters between a number and the relation behind it


class Chain(NamedTuple):
    """Closed sides, each related to the next by ``=`` or ``≈``."""

    sides: tuple[Side, ...]
    relations: tuple[str, ...]

    @property
    def start(self) -> int:
        """Where it begins in the passage."""
        return self.sides[0].start

    @property
    def end(self) -> int:
        """Where it ends in the passage."""
        return self.sides[-1].end

    @property
    def place(self) -> tuple[int, int]:
        """Where it begins and ends in the passage."""
        return self.start, self.end


def read_chains(passage: Passage) -> list[Chain]:
    """Return the chains of closed sides in a passage, in the order of the text."""
    text = linear(passage)
    stretches = list(_promising(text))
    borders = _borders(passage, text.places) if stretches else []
    reader = _Reader(text, passage.text)
    for start, end in stretches:
        listed = _LISTED.search(text.text, max(start - _LONGEST_ITEM, 0), start) is not None
        reader.level(grouped(tokens_of(text, borders, start, end)), listed=listed)
    return sorted(reader.chains, key=lambda chain: chain.start)


_LETTER = r"A-Za-z\u00c0-\u024f\u0370-\u03ff"
# What parts linear text whatever stands beside it, and what no number is without, the constants aside; a comma before a
# digit may belong to a number, and e counts only where it is raised to a power. A letter by itself is a variable if it
# is set as one; beside a stroke or a dot it may belong to a unit.
_SIGN = regex(
    rf"""
      (?P<number> [0-9π]+ )
    | (?P<relation> [=≈≃≅≒] )
    | (?P<open> [\^_]?\{{ | [(（\[⌈⌊] )
    | (?P<close> [}})）\]⌉⌋] )
    | (?P<break> [;；。，、！？?"“”「」《》—] | (?<!\.)\.(?=\s) | ,(?![0-9.]) )
    | (?P<variable> {UNKNOWN} | [A-DF-Za-df-z\u0391-\u03bf\u03c1-\u03c9] (?<![{_LETTER}_./⁄*·].)
                    (?<![{_LETTER}0-9_.][0-9].) (?![{_LETTER}/⁄*·]) )
    """,
    re.VERBOSE,
)


# A number of a list, before the comma behind it: words or a further comma stand before it, no relation.
_LISTED = regex(rf"(?:^|[{_LETTER},，、:：（(]|[^\W\x00-\u03ff])\s*[0-9]+(?:\.[0-9]+)?\s*[,，、]\s*$")
_LONGEST_ITEM = 24

# What may stand between a variable and a relation if both belong to one side; a row may end before the relation.
_ONE_SIDE = regex(rf"(?:[{_LETTER}0-9\s&+−×·*/|'\\^_(){{}}\[\]{UNKNOWN}]|\.(?=[0-9])|-(?![->]))*(?:{ROW}\s*)?")


class _Level(Struct):
    """A bracket that is open, where the part begins that is read in it, and whether a number stands before that.

    ``variable`` is where the last variable stands in it, or the end of the last bracket that has one.
    """

    bracket: str
    start: int
    related: bool = False
    variable: int = -1

    def is_open(self, text: Plain, end: int) -> bool:
        """Say whether the side before the relation at ``end`` has a variable in its formula: then it has no value."""
        at = self.variable
        return (
            at >= self.start
            and {ITALIC, SCRIPT}.issuperset(text.setting[at:end])
            and _ONE_SIDE.fullmatch(text.text, at, end) is not None
        )


def _promising(plain: Plain) -> Iterator[tuple[int, int]]:
    """Yield the stretches of linear text in which numbers stand on both sides of a relation, from break to break.

    Breaks in brackets part no stretches. Most text is passed over here: to cut it into tokens takes much longer.
    """
    text = plain.text
    begin, promising = 0, False
    last = -1  # where the last number begins
    levels = [_Level("", 0)]
    for sign in _SIGN.finditer(text):
        level, kind = levels[-1], sign.lastgroup
        if kind == "number":
            last = sign.start()
            promising |= level.related
        elif kind == "open":
            levels.append(_Level(sign[0], sign.end()))
        elif kind == "variable":
            if plain.setting[sign.start()] in (ITALIC, SCRIPT):
                level.variable = sign.start()
        elif kind == "close":
            if closes(level.bracket, sign[0]):
                levels.pop()
                promising |= levels[-1].related and last >= levels[-1].start
                if level.variable >= 0 and level.bracket not in ("^{", "_{"):  # which may be the label of a brace
                    levels[-1].variable = sign.start()
            else:
                level.variable = -1  # here the side ends
        else:
            level.related = kind == "relation" and last >= level.start and not level.is_open(plain, sign.start())
            level.start = sign.end()
            if kind == "break" and len(levels) == 1:
                if promising:
                    yield begin, sign.start()
                begin, promising = sign.end(), False
    if promising or any(level.related and last >= level.start for level in levels):
        yield begin, len(text)


def _borders(passage: Passage, places: Sequence[int]) -> list[int]:
    """Return the indices of the plain text at which markup was left out between two pieces."""
    cuts = {
        following.start
        for piece, following in pairwise(passage.pieces)
        if piece.verbatim and following.verbatim and piece.source_end != following.offset
    }
    return [index for index, place in enumerate(places) if place in cuts] if cuts else []


class _Reader:
    """Finds the chains of a passage, level by level of brackets."""

    def __init__(self, text: Plain, passage: str) -> None:
        self.text = text
        self.passage = passage
        self.chains: list[Chain] = []

    def level(self, items: Sequence[Item], *, listed: bool = False) -> None:
        """Read what stands between two brackets, and then what stands in brackets there.

        ``listed`` says that it goes on with a list of numbers.
        """
        for segment in _segments(items):
            self.segment(segment, listed=listed)
            listed = _lists(segment)
        for item in items:
            if isinstance(item, Group) and item.bracket not in ("^{", "_{"):
                self.level(item.items)

    def segment(self, items: Sequence[Item], *, listed: bool) -> None:
        """Read a stretch that no sentence ends: link each two closed sides between which a relation stands.

        Where numbers are ``listed``, the first of them here is the last of the list and no side: ``of 2, 4, 9 = 15/3``.
        """
        parts: list[list[Item]] = [[]]
        relations: list[Token] = []
        for item in items:
            if is_token(item, Mark.RELATION):
                relations.append(item)
                parts.append([])
            else:
                parts[-1].append(item)
        if not relations:
            return
        ends = [self.ends(part, relation) for part, relation in zip(parts, [None, *relations], strict=True)]
        ends = [
            each._replace(tail=None) if relation is not None and _assigns(part, relation) else each
            for part, relation, each in zip(parts, [*relations, None], ends, strict=True)
        ]
        if listed and ends[0].tail is not None and ends[0].tail.is_number:
            ends[0] = ends[0]._replace(tail=None)
        sides: list[Side] = []
        between: list[str] = []
        for number, relation in enumerate(relations):
            left, right = ends[number].tail, ends[number + 1].head
            if not sides or sides[-1] is not left:
                self.finish(sides, between)
                sides, between = [], []
            if left is None or right is None:
                continue
            sides = sides or [left]
            sides.append(right)
            between.append("≈" if ends[number + 1].roughly else relation.text)
        self.finish(sides, between)

    def finish(self, sides: Sequence[Side], between: Sequence[str]) -> None:
        if len(sides) > 1:
            self.chains.append(Chain(tuple(sides), tuple(between)))

    def ends(self, part: Sequence[Item], before: Token | None) -> _Ends:
        """Return the sides with which the text behind the relation ``before`` begins and ends; often they are one."""
        first = before is None
        pieces = pieces_of(part)
        if not pieces:
            return _Ends(None, None, roughly=False)
        roughly = not first and bool(pieces[0].before) and all(says_roughly(word) for word in pieces[0].before)
        head = None if first or (pieces[0].before and not roughly) else self.side(pieces[0])
        if len(pieces) == 1 and head is not None:
            return _Ends(head, head if self.tail(pieces[0], remark=False) else None, roughly)
        return _Ends(head, self.tail(pieces[-1], remark=len(pieces) > 1), roughly)

    def tail(self, piece: Piece, *, remark: bool) -> Side | None:
        """Return the side that stands before a relation, unless it is the words between that are related.

        A bracket by itself may be a ``remark`` on the number before it.
        """
        side = self.side(piece)
        size = sum(len(word.text) for word in piece.behind)
        if side is None or size > _MAX_LABEL_SIZE or len(piece.behind) > MAX_BETWEEN:
            return None  # `192 (8 nodes) and then GBS = 2048`
        alone = piece.items[0] if len(piece.items) == 1 else None
        if isinstance(alone, Group) and ((remark and not piece.before) or (piece.before and len(alone.items) == 1)):
            return None  # 192 (8 nodes) = …, fib (10) = …
        named = bool(piece.before) and piece.before[-1].setting == PROSE
        if named and side.is_number:
            return None  # `option 2 = 3 * 5`
        versioned = named and _NAME.fullmatch(piece.before[-1].text) and _VERSION.match(side.text)
        return replace(side, doubtful=True) if versioned else side

    def side(self, piece: Piece) -> Side | None:
        """Read a closed side; None if it is open."""
        if piece.open or not piece.items:
            return None
        start, end = self.text.range(piece.items[0].start, piece.items[-1].end)
        text = " ".join(self.passage[start:end].split())
        label, within = " ".join(word.text for word in piece.behind), tuple(word.text for word in piece.within)
        try:
            return read_side(piece.items, (start, end), text, label, within)
        except OpenError:
            return None


class _Ends(NamedTuple):
    """The first and the last side between two relations; ``roughly`` if words say that the first is rounded."""

    head: Side | None
    tail: Side | None
    roughly: bool


def _assigns(part: Sequence[Item], relation: Token) -> bool:
    """Say whether a relation gives a value to the word before it: ``size=2*3 count=7``."""
    last = part[-1] if part else None
    if not isinstance(last, Token) or last.mark is not Mark.WORD:
        return False
    return last.setting == CODE or (not relation.gap and last.text.isascii())


def _segments(items: Sequence[Item]) -> Iterator[list[Item]]:
    """Cut a level where a sentence, a row or a list goes on to something else."""
    segment: list[Item] = []
    for number, item in enumerate(items):
        after = items[number + 1] if number + 1 < len(items) else None
        if isinstance(item, Group) or item.mark not in _ENDS:
            segment.append(item)
        elif item.mark is Mark.ROW and _goes_on(segment, after):
            continue
        elif item.mark is Mark.COMMA and _is_decimal_comma(item, segment, after):
            segment.append(replace(item, mark=Mark.UNKNOWN))
        else:
            yield segment
            segment = []
    yield segment


def _lists(segment: Sequence[Item]) -> bool:
    """Say whether a stretch, which a comma or sentence ends, may be part of a list of numbers."""
    return bool(segment) and is_token(segment[-1], Mark.NUMBER) and not any(is_token(i, Mark.RELATION) for i in segment)


_ENDS = (Mark.BREAK, Mark.OPEN, Mark.CLOSE, Mark.ROW, Mark.COMMA)


def _goes_on(before: Sequence[Item], after: Item | None) -> bool:
    """Say whether a row goes on with the one before: a relation or operator stands at the border."""
    last = before[-1] if before else None
    ends = isinstance(last, Token) and last.mark in (Mark.RELATION, Mark.OPERATOR) and last.text != "!"
    begins = isinstance(after, Token) and (after.mark is Mark.RELATION or after.text in ("×", "*", "/"))
    return ends or begins


def _is_decimal_comma(comma: Token, before: Sequence[Item], after: Item | None) -> bool:
    """Say whether digits are glued to both sides of a comma: ``1,5`` may be one number or two."""
    return (
        not comma.gap
        and bool(before)
        and isinstance(after, Token)
        and not after.gap
        and is_token(before[-1], Mark.NUMBER)
        and is_token(after, Mark.NUMBER)
    )
