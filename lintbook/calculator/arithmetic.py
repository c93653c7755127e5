r"""Arithmetic in running text: the closed sides of chains such as ``$128\cdot(3/4)^2 = 81$``.

A side is closed if it has a value by itself: numbers, operators, brackets, known functions. Whatever else stands beside
an operator, or in the place of a number, leaves it open, and nothing is said of it. Words before a side, and behind its
numbers, are no part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from lintbook.calculator.expression import MAX_DEPTH, Function, Negative, Node, Number, Pi, Power, Product, Sum, Symbol
from lintbook.calculator.linear import linear
from lintbook.calculator.number import MAX_DIGITS, NumberTooLongError, Written, times_power_of_ten
from lintbook.calculator.plain import CODE, PROSE, UPRIGHT, Plain
from lintbook.calculator.tokens import Mark, Token, tokens_of
from lintbook.calculator.unit import PLAIN
from lintbook.text import Passage

BASE = "base"  # the symbol for the base of a logarithm that names none

_CLOSERS = {"(": ")）]", "（": ")）]", "[": "])）", "{": "}", "^{": "}", "_{": "}", "⌈": "⌉", "⌊": "⌋"}
# Words that say that the number behind them is rounded.
_ROUGHLY = frozenset({"约", "约为", "大约", "近", "大约为", "about", "roughly", "approximately", "approx", "circa"})
# Words that do arithmetic between two numbers, and those that do it behind one.
_BETWEEN = frozenset(
    (
        *("times", "plus", "minus", "over", "by", "mod", "modulo", "div", "remainder", "rem", "percent", "dozen"),
        *("to", "or"),  # a range, a choice
    )
)
_OF_A_SHARE = (["of"], ["的"])
_BETWEEN_IDEOGRAPHS = re.compile("次方|次幂|平方|立方|分之|乘|加|减|除|模|余|比|或|到|至")
_BEHIND = frozenset(("squared", "cubed", "percent", "dozen"))
_BEHIND_IDEOGRAPHS = re.compile("(?:次方|次幂|平方|立方|分之)$")
_MAX_BETWEEN = 2  # words that do arithmetic: divided by


@dataclass(frozen=True, slots=True)
class Group:
    """A pair of brackets and what stands between."""

    bracket: str
    items: tuple[Item, ...]
    start: int
    end: int
    setting: str
    gap: bool
    apart: bool


Item = Token | Group


@dataclass(frozen=True, slots=True)
class Side:
    """A closed side of a chain. ``start`` and ``end`` are its range in the passage.

    ``readings`` are the expressions that it may stand for, the plainest first: ``a/b*c`` may mean ``a/(b*c)``. Their
    symbols are the numbers and measures of ``leaves``. ``written`` is the number of a side that is nothing else, its
    measures left out, and ``exponent`` that of a bare power of ten. ``label`` are the words behind the side.
    """

    start: int
    end: int
    text: str
    readings: tuple[Node, ...]
    leaves: tuple[Token, ...]
    written: Written | None
    exponent: int | None
    label: str
    setting: str
    doubtful: bool  # it may also be read as something else
    is_shape: bool  # nothing but integers and ``×``
    is_bracketed: bool  # a number in brackets
    is_list: bool  # integers parted by strokes: ``4/8/16``
    has_bare_logarithm: bool  # of whatever base

    @property
    def numbers(self) -> Iterator[Token]:
        """Its numbers."""
        return (leaf for leaf in self.leaves if leaf.mark is Mark.NUMBER)

    @property
    def measures(self) -> tuple[Token, ...]:
        """Its units and scales."""
        return tuple(leaf for leaf in self.leaves if leaf.mark is Mark.MEASURE)

    @property
    def is_number(self) -> bool:
        """Whether it is a number and nothing else."""
        return self.written is not None


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


def read_chains(passage: Passage) -> list[Chain]:
    """Return the chains of closed sides in a passage, in the order of the text."""
    text = linear(passage)
    tokens = tokens_of(text, _borders(passage, text.places))
    reader = _Reader(text, passage.text)
    reader.level(_grouped(tokens))
    return sorted(reader.chains, key=lambda chain: chain.start)


def _borders(passage: Passage, places: Sequence[int]) -> list[int]:
    """Return the indices of the plain text at which markup was left out between two pieces."""
    cuts = {
        following.start
        for piece, following in pairwise(passage.pieces)
        if piece.verbatim and following.verbatim and piece.source_end != following.offset
    }
    return [index for index, place in enumerate(places) if place in cuts] if cuts else []


def _grouped(tokens: Iterable[Token]) -> tuple[Item, ...]:
    """Put what stands in brackets together; a bracket without partner ends what stands before it."""
    levels: list[tuple[Token | None, list[Item]]] = [(None, [])]
    for token in tokens:
        opener, items = levels[-1]
        if token.mark is Mark.OPEN and len(levels) <= MAX_DEPTH:
            levels.append((token, []))
        elif token.mark is not Mark.CLOSE:
            items.append(token)
        elif opener is not None and token.text in _CLOSERS[opener.text]:
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


class _Reader:
    """Finds the chains of a passage, level by level of brackets."""

    def __init__(self, text: Plain, passage: str) -> None:
        self.text = text
        self.passage = passage
        self.chains: list[Chain] = []

    def level(self, items: Sequence[Item]) -> None:
        """Read what stands between two brackets, and then what stands in brackets there."""
        for segment in _segments(items):
            self.segment(segment)
        for item in items:
            if isinstance(item, Group) and item.bracket not in ("^{", "_{"):
                self.level(item.items)

    def segment(self, items: Sequence[Item]) -> None:
        """Read a stretch that no sentence ends: link each two closed sides between which a relation stands."""
        parts: list[list[Item]] = [[]]
        relations: list[Token] = []
        for item in items:
            if isinstance(item, Token) and item.mark is Mark.RELATION:
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
        pieces = _pieces(part)
        if not pieces:
            return _Ends(None, None, roughly=False)
        roughly = not first and bool(pieces[0].before) and all(_says_roughly(word) for word in pieces[0].before)
        head = None if first or (pieces[0].before and not roughly) else self.side(pieces[0])
        if len(pieces) == 1 and head is not None:
            return _Ends(head, head if self.tail(pieces[0], remark=False) else None, roughly)
        return _Ends(head, self.tail(pieces[-1], remark=len(pieces) > 1), roughly)

    def tail(self, piece: _Piece, *, remark: bool) -> Side | None:
        """Return the side that stands before a relation, unless it is the words between that are related.

        A bracket by itself may be a ``remark`` on the number before it.
        """
        side = self.side(piece)
        if side is None or len(side.label) > _MAX_LABEL_SIZE or len(piece.behind) > _MAX_BETWEEN:
            return None  # `192 (8 nodes) and then GBS = 2048`
        alone = piece.items[0] if len(piece.items) == 1 else None
        if isinstance(alone, Group) and ((remark and not piece.before) or (piece.before and len(alone.items) == 1)):
            return None  # 192 (8 nodes) = …, fib (10) = …
        named = bool(piece.before) and piece.before[-1].setting == PROSE
        return None if named and side.is_number else side  # `option 2 = 3 * 5`

    def side(self, piece: _Piece) -> Side | None:
        """Read a closed side; None if it is open."""
        if piece.open or not piece.items:
            return None
        try:
            readings = _readings(piece.items)
        except _OpenError:
            return None
        leaves = tuple(_leaves(piece.items))
        first, last = piece.items[0], piece.items[-1]
        start, end = self.text.range(first.start, last.end)
        written, exponent = _as_number(piece.items)
        return Side(
            start,
            end,
            " ".join(self.passage[start:end].split()),
            readings,
            leaves,
            written,
            exponent,
            "".join(word.text for word in piece.behind),
            first.setting,
            doubtful=any(leaf.doubtful for leaf in leaves) or _may_mean_more(piece.items),
            is_shape=_is_shape(piece.items),
            is_bracketed=isinstance(first, Group) and len(piece.items) == 1 and first.bracket == "(",
            is_list=_is_list(piece.items),
            has_bare_logarithm=any(_names_no_base(items) for items in _levels(piece.items)),
        )


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
        and _is(before[-1], Mark.NUMBER)
        and _is(after, Mark.NUMBER)
    )


def _is(item: Item, mark: Mark) -> bool:
    return isinstance(item, Token) and item.mark is mark


# Pieces: what words part


@dataclass(slots=True)
class _Piece:
    """A stretch of operators and operands, with the words before and behind it."""

    before: list[Token] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    behind: list[Token] = field(default_factory=list)
    open: bool = False

    @property
    def is_share(self) -> bool:
        """Whether it is a percentage or a fraction, of which something may be taken: 50 % of 20, but not 72 of 128."""
        return any(token.text in ("%", "/", "\\frac") for token in _flat(self.items))

    @property
    def begins_with_share(self) -> bool:
        """Whether the word before it makes a part of its number: 百分之 20."""
        return bool(self.before) and self.before[-1].text.endswith("分之")

    @property
    def ends_with_operand(self) -> bool:
        return bool(self.items) and _ends_operand(self.items[-1])


def _ends_operand(item: Item) -> bool:
    if isinstance(item, Group):
        return item.bracket != "_{"
    return item.mark in (Mark.NUMBER, Mark.MEASURE, Mark.CONSTANT, Mark.UNKNOWN) or (
        item.mark is Mark.OPERATOR and item.text == "!"
    )


def _begins_operand(item: Item) -> bool:
    return isinstance(item, Group) or item.mark in (Mark.NUMBER, Mark.CONSTANT, Mark.FUNCTION, Mark.STRUCTURE)


def _pieces(part: Sequence[Item]) -> list[_Piece]:
    """Cut what stands between two relations where words part it; words that count or name are left out."""
    pieces = [_Piece()]
    for number, item in enumerate(part):
        after = part[number + 1] if number + 1 < len(part) else None
        if isinstance(item, Token) and item.mark is Mark.WORD:
            _add_word(pieces[-1], item)
            continue
        if _parts_from(pieces[-1], item, after):
            pieces[-1].open |= isinstance(item, Group) and _speaks_of_modulus(item)
            pieces.append(_Piece(before=pieces[-1].behind.copy()))
        _add_item(pieces[-1], item, after)
    _drop_multiplier(pieces[-1])
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        piece.open |= any(_calculates_behind(word) for word in piece.behind) or piece.begins_with_share
        share = piece.is_share and [word.text for word in piece.behind] in _OF_A_SHARE
        if following and (share or _calculate_between(piece.behind)):
            piece.open = following.open = True
    return [piece for piece in pieces if piece.items]


def _add_word(piece: _Piece, word: Token) -> None:
    if not piece.items:
        piece.before.append(word)
        return
    last = piece.items[-1]
    if isinstance(last, Token) and last.mark is Mark.OPERATOR and not piece.behind and last.text != "!":
        if last.text == "/" and word.setting in (PROSE, UPRIGHT) and len(word.text) > 1:
            piece.items.pop()  # 12/layer: a label
        elif word.gap:
            _drop_multiplier(piece)
    piece.open |= not piece.ends_with_operand
    piece.behind.append(word)


def _drop_multiplier(piece: _Piece) -> None:
    """Take the sign of ``4× faster`` for a word."""
    last = piece.items[-1] if piece.items else None
    if isinstance(last, Token) and last.mark is Mark.OPERATOR and last.text == "×" and not last.gap:
        piece.items.pop()


_MAX_LABEL_SIZE = 12  # characters between a number and the relation behind it
_IN_WORDS = (PROSE, CODE)
_MAX_LABEL = 3  # words between a number and the operator behind it


def _parts_from(piece: _Piece, item: Item, after: Item | None) -> bool:
    """Say whether ``item`` begins a side of its own."""
    if not piece.items:
        return False
    if piece.behind:
        joins = isinstance(item, Token) and item.mark is Mark.OPERATOR and item.text != "!"
        return not joins or len(piece.behind) > _MAX_LABEL or _is_sign(item, after)
    if not piece.ends_with_operand or not _begins_operand(item):
        return False
    # Between words a bracket is a remark, (1) before a number counts, and two formulas are two; 2 1/2 is no such thing.
    last = piece.items[-1]
    formulas = item.setting not in _IN_WORDS and last.setting not in _IN_WORDS
    parted = item.apart or (item.setting == PROSE) != (last.setting == PROSE)
    return parted and (formulas or isinstance(last, Group) or not _is(item, Mark.NUMBER))


def _is_sign(item: Item, after: Item | None) -> bool:
    """Say whether a minus is glued to what follows and not to what stands before it."""
    return _is(item, Mark.OPERATOR) and item.text == "-" and item.gap and after is not None and not after.gap  # type: ignore[union-attr]


def _add_item(piece: _Piece, item: Item, after: Item | None) -> None:
    if piece.behind:
        piece.open |= _calculate_between(piece.behind) or any(_calculates_behind(word) for word in piece.behind)
        piece.behind.clear()
    if not piece.items and piece.before and _is(item, Mark.OPERATOR):
        piece.open |= not _is_sign(item, after)
    if _is(item, Mark.NUMBER) and piece.ends_with_operand:
        piece.open = True  # 2 1/2
    piece.open |= _is(item, Mark.UNKNOWN) or (isinstance(item, Group) and _speaks_of_modulus(item))
    piece.items.append(item)


def _speaks_of_modulus(group: Group) -> bool:
    first = group.items[0] if group.items else None
    return isinstance(first, Token) and (first.text.startswith("mod") or first.text.startswith("模"))


def _says_roughly(word: Token) -> bool:
    return word.text.lower() in _ROUGHLY


def _calculates_behind(word: Token) -> bool:
    """Say whether a word changes the number before it."""
    return word.text.lower() in _BEHIND or _BEHIND_IDEOGRAPHS.search(word.text) is not None


def _calculate_between(words: Sequence[Token]) -> bool:
    """Say whether the words between two numbers make one number of them: ``10 times 3``, ``50 % of 20``."""
    if not words or len(words) > _MAX_BETWEEN:
        return False
    last = words[-1].text
    return last.lower() in _BETWEEN or (len(last) <= _MAX_BETWEEN + 2 and _BETWEEN_IDEOGRAPHS.search(last) is not None)


# Expressions


class _OpenError(Exception):
    """What stands here has no value by itself."""


def _readings(items: Sequence[Item]) -> tuple[Node, ...]:
    """Return what a side may mean, the plainest first, each once."""
    readings: list[Node] = []
    for below, mixed in ((False, False), (True, False), (False, True), (True, True)):
        reading = _Parser(items, below=below, mixed=mixed).whole()
        if reading not in readings:
            readings.append(reading)
    return tuple(readings)


def _leaves(items: Iterable[Item]) -> Iterator[Token]:
    for item in items:
        if isinstance(item, Group):
            yield from _leaves(item.items)
        elif item.mark in (Mark.NUMBER, Mark.MEASURE):
            yield item


def leaf_name(token: Token) -> str:
    """Return the symbol for a number or measure in the readings of a side."""
    return f"{token.mark.value}{token.start}"


class _Parser:
    """Reads the items of a side as an expression.

    ``below`` puts all factors behind a stroke under it, ``mixed`` adds a fraction to the number before it.
    """

    def __init__(self, items: Sequence[Item], *, below: bool, mixed: bool, depth: int = 0) -> None:
        self.items = items
        self.below = below
        self.mixed = mixed
        self.depth = depth
        self.at = 0

    def inside(self, group: Group) -> Node:
        """Read what stands in brackets."""
        return self.part(group.items)

    def part(self, items: Sequence[Item]) -> Node:
        """Read some items by themselves."""
        return _Parser(items, below=self.below, mixed=self.mixed, depth=self.depth + 1).whole()

    def whole(self) -> Node:
        """Read all items; raise _OpenError if they are no expression."""
        node = self.sum()
        if self.at < len(self.items):
            raise _OpenError
        return node

    @property
    def here(self) -> Item | None:
        return self.items[self.at] if self.at < len(self.items) else None

    def operator(self, *signs: str) -> str | None:
        """Pass over one of these operators, if one stands here."""
        item = self.here
        if isinstance(item, Token) and item.mark is Mark.OPERATOR and item.text in signs:
            self.at += 1
            return item.text
        return None

    def sum(self) -> Node:
        """Read terms."""
        terms = [("+", Negative(self.product()) if self.operator("-") else self.product())]
        while sign := self.operator("+", "-"):
            terms.append((sign, Negative(self.product()) if self.operator("-") else self.product()))
        return terms[0][1] if len(terms) == 1 else Sum(tuple(terms))

    def product(self) -> Node:
        """Read factors, with or without signs between them."""
        factors: list[tuple[str, Node]] = [("*", self.factor())]
        under = False
        while True:
            sign = self.operator("×", "*", "/")
            if sign is None and not self.implied():
                break
            if sign == "/":
                under = True
            else:
                sign = "/" if under and self.below else "*"
            factors.append((sign, Negative(self.factor()) if self.operator("-") else self.factor()))
        return factors[0][1] if len(factors) == 1 else Product(tuple(factors))

    def implied(self) -> bool:
        """Say whether a factor stands here without a sign before it."""
        item = self.here
        return item is not None and _begins_operand(item) and not _is(item, Mark.NUMBER)

    def factor(self) -> Node:
        """Read an operand, its exponent and its measures; raise _OpenError if all is nested too deeply."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _OpenError
        node = self.raised()
        self.depth -= 1
        while (item := self.here) is not None and _is(item, Mark.MEASURE):
            assert isinstance(item, Token)
            self.at += 1
            node = Product((("*", node), ("*", Symbol(leaf_name(item)))))
        return node

    def raised(self) -> Node:
        """Read an operand and its exponent."""
        node = self.operand()
        if self.mixed and isinstance(node, Symbol) and _is_fraction(self.here):
            node = Sum((("+", node), ("+", self.operand())))
        while self.operator("!"):
            node = Function("factorial", (node,))
        if self.operator("^"):
            node = Power(node, Negative(self.factor()) if self.operator("-") else self.factor())
        elif isinstance(self.here, Group) and self.here.bracket == "^{":
            node = Power(node, self.inside(self.take_group()))
        while self.operator("!"):
            node = Function("factorial", (node,))
        return node

    def operand(self) -> Node:
        item = self.here
        if item is None:
            raise _OpenError
        self.at += 1
        if isinstance(item, Group):
            return self.group(item)
        match item.mark:
            case Mark.NUMBER:
                return Symbol(leaf_name(item))
            case Mark.CONSTANT if item.text == "pi":
                return Pi()
            case Mark.CONSTANT:
                return Function("exp", (_ONE,))
            case Mark.STRUCTURE:
                return self.structure(item.text)
            case Mark.FUNCTION:
                return self.function(item.text)
            case _:
                raise _OpenError

    def group(self, group: Group) -> Node:
        if group.bracket in ("^{", "_{"):
            raise _OpenError
        node = self.inside(group)
        if group.bracket in "⌈⌊":
            return Function("ceil" if group.bracket == "⌈" else "floor", (node,))
        return node

    def take_group(self, *brackets: str) -> Group:
        """Pass over a group in one of these brackets (any, if none is given); raise _OpenError if there is none."""
        item = self.here
        if not isinstance(item, Group) or (brackets and item.bracket not in brackets):
            raise _OpenError
        self.at += 1
        return item

    def structure(self, name: str) -> Node:
        """Read the arguments of a command."""
        if name == "\\sqrt":
            index = self.inside(self.take_group("[")) if self.sees("[") else None
            radicand = self.inside(self.take_group("{")) if self.sees("{") else self.operand()
            return Function("sqrt", (radicand,)) if index is None else Power(radicand, _quotient(_ONE, index))
        first = self.inside(self.take_group("{"))
        if name == "\\brace":
            if self.sees("_{") or self.sees("^{"):
                self.at += 1  # what is written at the brace
            return first
        second = self.inside(self.take_group("{"))
        return Function("binomial", (first, second)) if name == "\\binom" else _quotient(first, second)

    def sees(self, bracket: str) -> bool:
        return isinstance(self.here, Group) and self.here.bracket == bracket

    def function(self, name: str) -> Node:
        """Read the base and the argument of a function."""
        base = self.inside(self.take_group("_{")) if self.sees("_{") else None
        arguments = self.arguments(name)
        if name == "log" and base is None:
            return _quotient(Function("ln", arguments), Symbol(BASE))
        if base is not None:
            if name != "log":
                raise _OpenError
            return _quotient(Function("ln", arguments), Function("ln", (base,)))
        return Function(name, arguments)

    def arguments(self, name: str) -> tuple[Node, ...]:
        if not (self.sees("(") or self.sees("（") or self.sees("[")):
            return (self.factor(),)
        group = self.take_group()
        parts: list[list[Item]] = [[]]
        for item in group.items:
            if _is(item, Mark.COMMA):
                parts.append([])
            else:
                parts[-1].append(item)
        if len(parts) > 1 and name not in ("max", "min"):
            raise _OpenError
        return tuple(self.part(part) for part in parts)


_ONE = Number("1", 1, PLAIN)


def _quotient(above: Node, below: Node) -> Node:
    return Product((("*", above), ("/", below)))


def _is_fraction(item: Item | None) -> bool:
    return isinstance(item, Token) and item.mark is Mark.STRUCTURE and item.text == "\\frac"


# Shapes of sides


def _unwrapped(items: Sequence[Item]) -> Sequence[Item]:
    """Take away braces round a whole side, which show nothing."""
    while len(items) == 1 and isinstance(items[0], Group) and items[0].bracket == "{":
        items = items[0].items
    return items


def _as_number(items: Sequence[Item]) -> tuple[Written | None, int | None]:
    """Read a side that is one number, sign and measures aside; and the exponent of a bare power of ten."""
    items = [item for item in _unwrapped(items) if not _is(item, Mark.MEASURE)]
    negative = bool(items) and _is(items[0], Mark.OPERATOR) and items[0].text == "-"  # type: ignore[union-attr]
    items = _unwrapped(items[1:] if negative else items)
    first = items[0] if items else None
    if not isinstance(first, Token) or first.written is None:
        return None, None
    written: Written | None = first.written
    exponent = None
    if len(items) > 1:
        tens = items if first.text == "10" else items[2:]
        exponent = _power_of_ten(tens)
        times = isinstance(items[1], Token) and items[1].text in ("×", "*")
        if exponent is None or (tens is not items and not times):
            return None, None
        written = None if tens is items else _scaled(first.written, exponent)
        exponent = exponent if tens is items else None
    if written and negative:
        written = replace(written, number=-written.number)
    return written, exponent if not negative else None


def _scaled(written: Written, exponent: int) -> Written | None:
    try:
        return times_power_of_ten(written, exponent)
    except NumberTooLongError:
        return None


def _power_of_ten(items: Sequence[Item]) -> int | None:
    """Return n of ``10^n`` or ``10^{n}``."""
    if not items or not isinstance(items[0], Token) or items[0].text != "10":
        return None
    rest = list(items[1:])
    if len(rest) == 1 and isinstance(rest[0], Group) and rest[0].bracket == "^{":
        rest = list(rest[0].items)
    elif rest and isinstance(rest[0], Token) and rest[0].text == "^":
        rest = list(_unwrapped(rest[1:]))
    else:
        return None
    negative = len(rest) == 2 and isinstance(rest[0], Token) and rest[0].text == "-"
    digits = rest[1:] if negative else rest
    if len(digits) != 1 or not isinstance(digits[0], Token) or digits[0].written is None:
        return None
    number = digits[0].written.number
    if number.denominator != 1 or number > MAX_DIGITS:
        return None
    return -int(number) if negative else int(number)


def _is_shape(items: Sequence[Item]) -> bool:
    """Say whether a side is ``3×4``, or several of them in brackets side by side."""
    tokens = list(_flat(items))
    signs = [token for token in tokens if token.mark is Mark.OPERATOR]
    integers = all(t.written is not None and t.written.step == 1 for t in tokens if t.mark is Mark.NUMBER)
    only = all(token.mark in (Mark.NUMBER, Mark.OPERATOR) for token in tokens)
    return only and integers and any(s.text == "×" for s in signs) and all(s.text in ("×", "*") for s in signs)


def _is_list(items: Sequence[Item]) -> bool:
    signs = [item for item in items if isinstance(item, Token) and item.mark is Mark.OPERATOR]
    return len(signs) > 1 and all(sign.text == "/" and not sign.gap for sign in signs)


def _may_mean_more(items: Sequence[Item]) -> bool:
    """Say whether a side may exclaim (``= 7!``), or may end with the number of its formula."""
    last = items[-1]
    if isinstance(last, Token):
        return last.text == "!" and last.setting == PROSE
    return last.bracket == "(" and last.gap and len(last.items) == 1 and len(items) > 1 and _is(items[-2], Mark.NUMBER)


def _levels(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    yield items
    for item in items:
        if isinstance(item, Group):
            yield from _levels(item.items)


def _names_no_base(items: Sequence[Item]) -> bool:
    """Say whether a logarithm stands here whose base is not written."""
    following = [*items[1:], None]
    return any(
        isinstance(item, Token)
        and item.mark is Mark.FUNCTION
        and item.text == "log"
        and not (isinstance(after, Group) and after.bracket == "_{")
        for item, after in zip(items, following, strict=True)
    )


def _flat(items: Iterable[Item]) -> Iterator[Token]:
    for item in items:
        if isinstance(item, Group):
            yield from _flat(item.items)
        else:
            yield item
