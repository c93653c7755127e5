"""Sides: what has a value by itself, read as expressions, and what its shape tells."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from lintbook.calculator.expression import MAX_DEPTH, Function, Negative, Node, Number, Pi, Power, Product, Sum, Symbol
from lintbook.calculator.groups import Group, Item, begins_operand, flat, is_token
from lintbook.calculator.number import MAX_DIGITS, NumberTooLongError, Written, times_power_of_ten
from lintbook.calculator.plain import PROSE
from lintbook.calculator.tokens import Mark, Token
from lintbook.calculator.unit import BYTE, PLAIN

BASE = "base"  # the symbol for the base of a logarithm that names none


class OpenError(Exception):
    """What stands here has no value by itself."""


class Side(Struct, frozen=True):
    """A closed side of a chain. ``start`` and ``end`` are its range in the passage.

    ``readings`` are the expressions that it may stand for, the plainest first: ``a/b*c`` may mean ``a/(b*c)``. Their
    symbols are the numbers and measures of ``leaves``. ``written`` is the number of a side that is nothing else, its
    measures left out, and ``exponent`` that of a bare power of ten. ``label`` are the words behind the side, ``words``
    those behind numbers within it.
    """

    start: int
    end: int
    text: str
    readings: tuple[Node, ...]
    leaves: tuple[Token, ...]
    written: Written | None
    exponent: int | None
    label: str
    words: tuple[str, ...]
    setting: str
    doubtful: bool  # it may also be read as something else
    is_shape: bool  # nothing but integers and ``×``
    is_bracketed: bool  # a number in brackets
    is_list: bool  # integers parted by strokes: ``4/8/16``
    is_symbol: bool  # fractions in brackets, as symbols of Legendre and Jacobi
    is_class: bool  # a number in square brackets, as a residue class
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

    def in_bytes(self, letters: Collection[Token]) -> Side:
        """Return the side with these of its measures, which read ``B``, for bytes."""
        leaves = tuple(replace(leaf, unit=BYTE) if leaf in letters else leaf for leaf in self.leaves)
        return replace(self, leaves=leaves)


def read_side(
    items: Sequence[Item], place: tuple[int, int], text: str, label: str = "", words: tuple[str, ...] = ()
) -> Side:
    """Read a side of which ``place`` is the range in the passage, and ``text`` its characters.

    ``label`` are the words behind it, ``words`` those behind numbers within it.

    Raise OpenError if it has no value by itself.
    """
    leaves = tuple(token for token in flat(items) if token.mark in (Mark.NUMBER, Mark.MEASURE))
    written, exponent = _as_number(items)
    first = items[0]
    return Side(
        *place,
        text,
        _readings(items),
        leaves,
        written,
        exponent,
        label,
        words,
        first.setting,
        doubtful=any(leaf.doubtful for leaf in leaves) or _may_mean_more(items),
        is_shape=_is_shape(items),
        is_bracketed=isinstance(first, Group) and len(items) == 1 and first.bracket == "(",
        is_list=_is_list(items),
        is_symbol=all(isinstance(item, Group) and _is_quotient(item) for item in items),
        is_class=_is_class(items),
        has_bare_logarithm=any(_names_no_base(level) for level in _levels(items)),
    )


def _readings(items: Sequence[Item]) -> tuple[Node, ...]:
    """Return what a side may mean, the plainest first, each once."""
    signs = {token.text for token in flat(items)}
    readings: list[Node] = []
    # Without a stroke there is nothing to put below it, without a fraction nothing to mix.
    for mixed in (False, True) if "\\frac" in signs else (False,):
        for below in (False, True) if "/" in signs else (False,):
            reading = _Parser(items, below=below, mixed=mixed).whole()
            if reading not in readings:
                readings.append(reading)
    return tuple(readings)


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
        """Read all items; raise OpenError if they are no expression."""
        node = self.sum()
        if self.at < len(self.items):
            raise OpenError
        return node

    @property
    def here(self) -> Item | None:
        return self.items[self.at] if self.at < len(self.items) else None

    def operator(self, *signs: str) -> str | None:
        """Pass over one of these operators, if one stands here."""
        item = self.here
        if is_token(item, Mark.OPERATOR) and item.text in signs:
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
        return item is not None and begins_operand(item) and not is_token(item, Mark.NUMBER)

    def factor(self) -> Node:
        """Read an operand, its exponent and its measures."""
        node = self.raised()
        while is_token(item := self.here, Mark.MEASURE):
            self.at += 1
            node = Product((("*", node), ("*", Symbol(leaf_name(item)))))
        return node

    def raised(self) -> Node:
        """Read an operand and its exponent; raise OpenError if all is nested too deeply."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise OpenError
        node = self.power()
        self.depth -= 1
        return node

    def power(self) -> Node:
        """Read an operand and its exponent, which takes no measures: those of ``10^9 s`` are behind the power."""
        node = self.operand()
        if self.mixed and isinstance(node, Symbol) and _is_fraction(self.here):
            node = Sum((("+", node), ("+", self.operand())))
        while self.operator("!"):
            node = Function("factorial", (node,))
        if self.operator("^"):
            if _is_mark(self.here):
                raise OpenError
            node = Power(node, Negative(self.raised()) if self.operator("-") else self.raised())
        elif isinstance(self.here, Group) and self.here.bracket == "^{":
            node = Power(node, self.inside(self.take_group()))
        while self.operator("!"):
            node = Function("factorial", (node,))
        return node

    def operand(self) -> Node:
        item = self.here
        if item is None:
            raise OpenError
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
                raise OpenError

    def group(self, group: Group) -> Node:
        if group.bracket in ("^{", "_{"):
            raise OpenError
        node = self.inside(group)
        if group.bracket in "⌈⌊":
            return Function("ceil" if group.bracket == "⌈" else "floor", (node,))
        return node

    def take_group(self, *brackets: str) -> Group:
        """Pass over a group in one of these brackets (any, if none is given); raise OpenError if there is none."""
        item = self.here
        if not isinstance(item, Group) or (brackets and item.bracket not in brackets):
            raise OpenError
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
                raise OpenError
            return _quotient(Function("ln", arguments), Function("ln", (base,)))
        return Function(name, arguments)

    def arguments(self, name: str) -> tuple[Node, ...]:
        if not (self.sees("(") or self.sees("（") or self.sees("[")):
            return (self.factor(),)
        group = self.take_group()
        parts: list[list[Item]] = [[]]
        for item in group.items:
            if is_token(item, Mark.COMMA):
                parts.append([])
            else:
                parts[-1].append(item)
        if len(parts) > 1 and name not in ("max", "min"):
            raise OpenError
        return tuple(self.part(part) for part in parts)


_ONE = Number("1", 1, PLAIN)


def _quotient(above: Node, below: Node) -> Node:
    return Product((("*", above), ("/", below)))


def _is_mark(item: Item | None) -> bool:
    """Say whether an exponent is a mark: ``5^{(3)}`` is a rising factorial, a derivative, the third of several."""
    inner = item.items[0] if isinstance(item, Group) and item.bracket == "{" and len(item.items) == 1 else None
    return isinstance(inner, Group) and inner.bracket == "(" and len(inner.items) == 1


def _is_fraction(item: Item | None) -> bool:
    return is_token(item, Mark.STRUCTURE) and item.text == "\\frac"


# Shapes


def _unwrapped(items: Sequence[Item]) -> Sequence[Item]:
    """Take away braces round a whole side, which show nothing."""
    while len(items) == 1 and isinstance(items[0], Group) and items[0].bracket == "{":
        items = items[0].items
    return items


def _as_number(items: Sequence[Item]) -> tuple[Written | None, int | None]:
    """Read a side that is one number, sign and measures aside; and the exponent of a bare power of ten."""
    items = [item for item in _unwrapped(items) if not is_token(item, Mark.MEASURE)]
    negative = bool(items) and is_token(items[0], Mark.OPERATOR) and items[0].text == "-"
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
    tokens = list(flat(items))
    signs = [token for token in tokens if token.mark is Mark.OPERATOR]
    integers = all(t.written is not None and t.written.step == 1 for t in tokens if t.mark is Mark.NUMBER)
    only = all(token.mark in (Mark.NUMBER, Mark.OPERATOR) for token in tokens)
    return only and integers and any(s.text == "×" for s in signs) and all(s.text in ("×", "*") for s in signs)


def _is_list(items: Sequence[Item]) -> bool:
    signs = [item for item in items if is_token(item, Mark.OPERATOR)]
    return len(signs) > 1 and all(sign.text == "/" and not sign.gap for sign in signs)


def _is_quotient(group: Group) -> bool:
    """Say whether brackets hold one fraction of integers and nothing else."""
    items = group.items
    if group.bracket != "(" or any(token.written is not None and token.written.decimals for token in flat(items)):
        return False
    if len(items) == 3 and is_token(items[0], Mark.STRUCTURE):
        return items[0].text == "\\frac"
    return len(items) == 3 and is_token(items[1], Mark.OPERATOR) and items[1].text == "/"


def _is_class(items: Sequence[Item]) -> bool:
    alone = items[0] if len(items) == 1 else None
    return isinstance(alone, Group) and alone.bracket == "[" and len(alone.items) == 1


def _may_mean_more(items: Sequence[Item]) -> bool:
    """Say whether a side may exclaim (``= 7!``), or may end with the number of its formula."""
    last = items[-1]
    if isinstance(last, Token):
        return last.text == "!" and last.setting == PROSE
    return (
        last.bracket == "("
        and last.gap
        and len(last.items) == 1
        and len(items) > 1
        and is_token(items[-2], Mark.NUMBER)
    )


def _levels(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    yield items
    for item in items:
        if isinstance(item, Group):
            yield from _levels(item.items)


def _names_no_base(items: Sequence[Item]) -> bool:
    """Say whether a logarithm stands here whose base is not written."""
    following = [*items[1:], None]
    return any(
        is_token(item, Mark.FUNCTION)
        and item.text == "log"
        and not (isinstance(after, Group) and after.bracket == "_{")
        for item, after in zip(items, following, strict=True)
    )
