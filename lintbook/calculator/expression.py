"""Expressions: the grammar of declarations and claims, read by an own tokenizer and precedence parser.

The author's text reaches nothing but this parser; it never becomes Python, sympy or LaTeX. The parser is
shared by declarations and claims, since both hold names, bindings and scalars.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn
from unicodedata import category, normalize

from msgspec import Struct

from lintbook.calculator.number import BINDING_SCALES, NumberTooLongError, Rational, decimal, exact, integer
from lintbook.calculator.plain import GREEK_LETTERS
from lintbook.calculator.unit import ONE, TABLE, Dimension, Unit, parse_unit
from lintbook.patterns import regex

MAX_LENGTH = 500
MAX_DEPTH = 50

FUNCTIONS = frozenset({"sqrt", "exp", "ln", "log2", "log10", "abs", "floor", "ceil", "round", "min", "max"})
RESERVED = FUNCTIONS | {"let", "each", "formula", "quoted", "col", "pi"}

_SPELLED = {letter: name for name, letter in GREEK_LETTERS.items()} | {
    "µ": "mu",
    "ϵ": "epsilon",
    "ϕ": "phi",
    "ς": "sigma",
}
_VARIANT = regex(r"^var(?=(?:epsilon|theta|phi|rho|pi)(?![a-z]))")
SUBSCRIPT = regex(r"_\{\s*([^{}]*?)\s*\}")


class MalformedError(ValueError):
    """What is written cannot be read or computed. ``start`` and ``end`` count in the text that was parsed."""

    def __init__(self, message: str, start: int = 0, end: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end


class Number(Struct, frozen=True):
    """A number with its unit, as written."""

    text: str
    value: Rational
    dimension: Dimension


class Symbol(Struct, frozen=True):
    """A name whose value a binding gives."""

    name: str


class Pi(Struct, frozen=True):
    """The number pi."""


class Negative(Struct, frozen=True):
    """``-operand``."""

    operand: Node


class Sum(Struct, frozen=True):
    """Terms, each with ``+`` or ``-`` before it; a sum of any length is one level deep."""

    terms: tuple[tuple[str, Node], ...]


class Product(Struct, frozen=True):
    """Factors, each with ``*`` or ``/`` before it, applied from left to right."""

    factors: tuple[tuple[str, Node], ...]


class Power(Struct, frozen=True):
    """``base^exponent``."""

    base: Node
    exponent: Node


class Function(Struct, frozen=True):
    """A function of the grammar and its arguments."""

    name: str
    arguments: tuple[Node, ...]


class Call(Struct, frozen=True):
    """A formula called with the caller's values, those of ``bindings`` changed."""

    name: str
    bindings: tuple[tuple[str, Node], ...]


Compound = Pi | Negative | Sum | Product | Power | Function | Call
Node = Number | Symbol | Compound


class Binding(Struct, frozen=True):
    """``symbol=value``: one value, those of a sweep, a column, or how a formula in the text spells the symbol.

    ``start`` and ``end`` are its place in the text.
    """

    name: str
    values: tuple[Node, ...]
    sweep: bool
    column: str | None
    start: int
    end: int
    spelling: str | None = None


def walk(node: Node) -> Iterator[Symbol | Call]:
    """Yield the symbols and calls of an expression; the bindings of a call are expressions of the caller."""
    pending: list[Node] = [node]
    while pending:
        match pending.pop():
            case Symbol() as symbol:
                yield symbol
            case Call() as call:
                yield call
                pending += [value for _, value in call.bindings]
            case Negative(operand):
                pending.append(operand)
            case Sum(parts) | Product(parts):
                pending += [part for _, part in parts]
            case Power(base, exponent):
                pending += [base, exponent]
            case Function(_, arguments):
                pending += arguments
            case _:
                pass


_PRECEDENCE = {Sum: 1, Product: 2, Negative: 3, Power: 4}
_ATOM = 5


def show(node: Node, symbol: Callable[[str], str] = str, least: int = 0) -> str:
    """Print an expression, each symbol by what ``symbol`` makes of it.

    It stands in brackets if it binds less tightly than ``least``.
    """
    match node:
        case Number():
            text = node.text
        case Symbol():
            text = symbol(node.name)
        case Pi():
            text = "pi"
        case Negative():
            text = "-" + show(node.operand, symbol, 3)
        case Sum():
            text = "".join([sign + show(term, symbol, 2) for sign, term in node.terms]).removeprefix("+")
        case Product():
            text = "".join([sign + show(factor, symbol, 3) for sign, factor in node.factors]).removeprefix("*")
        case Power():
            text = f"{show(node.base, symbol, _ATOM)}^{show(node.exponent, symbol, 3)}"
        case Function():
            text = f"{node.name}({', '.join([show(argument, symbol) for argument in node.arguments])})"
        case Call():
            values = [(name, show(value, symbol), isinstance(value, Number)) for name, value in node.bindings]
            bindings = [f"{name}={shown}" if bare else f"{name}=({shown})" for name, shown, bare in values]
            text = f"{node.name}({', '.join(bindings)})"
    precedence = _PRECEDENCE.get(type(node), _PRECEDENCE[Negative] if text.startswith("-") else _ATOM)
    if isinstance(node, Number) and not {"/", "*"}.isdisjoint(text):
        precedence = _PRECEDENCE[Product]  # 900GB/s
    return f"({text})" if precedence < least else text


def with_plain_subscripts(text: str) -> str:
    """Return ``text`` in NFC, with ``n_{kv}`` written as ``n_kv``."""
    return SUBSCRIPT.sub(r"_\1", normalize("NFC", text))


def canonical(name: str) -> str:
    r"""Return the one spelling of a name: NFC, ``\rho`` and ``ρ`` are ``rho``, ``n_{kv}`` is ``n_kv``."""
    if name.isascii() and "\\" not in name and "{" not in name:
        return name
    name = with_plain_subscripts(name).removeprefix("\\")
    return "".join(_SPELLED.get(character, character) for character in _VARIANT.sub("", name))


_NUMBER = regex(r"([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")
_BLANKS = regex(r"\s*")
_GLUED = regex(r"[^\W\d]\w*")
_UNIT = regex(r"[^\W\d]\w*(?:[/*][^\W\d]\w*)*|%")


class Parser:
    """Reads the grammar of QUANTITIES section 7 from ``text``, beginning at ``at``; raises MalformedError."""

    def __init__(self, text: str, at: int = 0) -> None:
        if len(text) > MAX_LENGTH:
            raise MalformedError(f"longer than {MAX_LENGTH} characters", 0, len(text))
        self.text = text
        self.at = at
        self._depth = 0

    def fail(self, message: str, start: int | None = None) -> NoReturn:
        """Raise MalformedError about what stands from ``start`` (or here) to here."""
        begin = self.at if start is None else start
        raise MalformedError(message, begin, max(self.at, min(begin + 1, len(self.text))))

    def skip(self) -> None:
        """Pass over blanks."""
        match = _BLANKS.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def sees(self, sign: str) -> bool:
        """Say whether ``sign`` stands here."""
        return self.text.startswith(sign, self.at)

    def takes(self, sign: str) -> bool:
        """Pass over ``sign`` if it stands here, and say whether it did."""
        if self.text.startswith(sign, self.at):
            self.at += len(sign)
            return True
        return False

    def expect(self, sign: str) -> None:
        """Pass over blanks and ``sign``."""
        self.skip()
        if not self.takes(sign):
            self.fail(f"`{sign}` expected, {self.seen()}")

    def ended(self) -> bool:
        """Say whether the text ends here, blanks aside."""
        self.skip()
        return self.at >= len(self.text)

    def seen(self) -> str:
        """Describe what stands here, for a message."""
        rest = self.text[self.at :].strip()
        return f"`{rest[:12].split()[0]}` found" if rest else "the end found"

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self.fail(f"nested deeper than {MAX_DEPTH}")
        yield
        self._depth -= 1

    # Names

    def raw_name(self) -> str | None:
        r"""Read a name as written, ``\rho`` and ``n_{kv}`` included; None if none stands here."""
        text, start = self.text, self.at
        at = start + 1 if text.startswith("\\", start) else start
        if not text[at : at + 1].isalpha():
            return None
        while at < len(text):
            character = text[at]
            if character == "_" and text.startswith("{", at + 1) and "}" in text[at:]:
                at = text.index("}", at) + 1
            elif character == "_" or character.isalpha() or character.isdecimal() or _is_mark(character):
                at += 1
            else:
                break
        self.at = at
        return text[start:at]

    def name(self, what: str = "a name") -> str:
        """Read a name and return its one spelling."""
        start = self.at
        raw = self.raw_name()
        if raw is None:
            self.fail(f"{what} expected, {self.seen()}")
        name = canonical(raw)
        if not all(c == "_" or c.isalpha() or c.isdecimal() or _is_mark(c) for c in name):
            self.fail(f"`{raw}` is no name", start)
        return name

    def free_name(self, what: str = "a name") -> str:
        """Read a name that is not reserved."""
        start = self.at
        name = self.name(what)
        if name in RESERVED:
            self.fail(f"`{name}` is reserved", start)
        return name

    def dotted(self, what: str = "a name") -> str:
        """Read a name that may contain dots."""
        start = self.at
        parts = [self.name(what)]
        while self.takes("."):
            parts.append(self.name("a name behind the dot"))
        name = ".".join(parts)
        if name in RESERVED:
            self.fail(f"`{name}` is reserved", start)
        return name

    # Expressions

    def expression(self) -> Node:
        """Read ``expr``."""
        return self._chain("+-", self._term, Sum)

    def _term(self) -> Node:
        return self._chain("*/", self._unary, Product)

    def _chain(
        self, signs: str, part: Callable[[], Node], make: Callable[[tuple[tuple[str, Node], ...]], Node]
    ) -> Node:
        parts = [(signs[0], part())]
        while True:
            self.skip()
            sign = self.text[self.at : self.at + 1]
            if not sign or sign not in signs:
                break
            self.at += 1
            parts.append((sign, part()))
        return parts[0][1] if len(parts) == 1 else make(tuple(parts))

    def _unary(self) -> Node:
        self.skip()
        if self.takes("-"):
            with self._deeper():
                return Negative(self._unary())
        return self._power()

    def _power(self) -> Node:
        base = self._atom()
        self.skip()
        if self.takes("^"):
            with self._deeper():
                return Power(base, self._unary())
        return base

    def _atom(self) -> Node:
        self.skip()
        start = self.at
        if self.takes("("):
            with self._deeper():
                node = self.expression()
            self.expect(")")
            return node
        if self.text[self.at : self.at + 1] in set("0123456789"):
            return self._number_in_expression()
        raw = self.raw_name()
        if raw is None:
            self.fail(f"a number, a name or `(` expected, {self.seen()}")
        self.at = start
        name = self.name()
        if self.sees("("):
            return self._function(name, start) if name in RESERVED else self._call(name)
        if name == "pi":
            return Pi()
        if name in RESERVED:
            self.fail(f"`{name}` is reserved", start)
        return Symbol(name)

    def _function(self, name: str, start: int) -> Node:
        if name not in FUNCTIONS:
            self.fail(f"`{name}` is no function", start)
        self.takes("(")
        arguments = []
        with self._deeper():
            arguments.append(self.expression())
            while self.takes(","):
                arguments.append(self.expression())
        self.expect(")")
        if len(arguments) > 1 and name not in ("min", "max"):
            self.fail(f"`{name}` takes one argument", start)
        return Function(name, tuple(arguments))

    def _call(self, name: str) -> Node:
        self.takes("(")
        bindings: list[tuple[str, Node]] = []
        self.skip()
        with self._deeper():
            while not self.takes(")"):
                if bindings:
                    self.expect(",")
                    self.skip()
                bindings.append(self._call_binding(name))
                self.skip()
        return Call(name, tuple(bindings))

    def _call_binding(self, formula: str) -> tuple[str, Node]:
        start = self.at
        if self.raw_name() is None:
            self.fail(f"`{formula}` is no function, and a formula is called with bindings such as `n=2`", start)
        self.at = start
        symbol = self.free_name("a symbol")
        self.skip()
        if not self.takes("="):
            self.fail(
                f"`{formula}` is no function, and a formula is called with bindings such as `{symbol}=2`",
                start,
            )
        self.skip()
        if self.sees("{"):
            self.fail("a sweep belongs to a claim, not to a call")
        return symbol, self.scalar()

    # Numbers

    def _digits(self) -> tuple[str, Rational]:
        match = _NUMBER.match(self.text, self.at)
        if match is None:
            self.fail(f"a number expected, {self.seen()}")
        start, self.at = self.at, match.end()
        try:
            return match.group(), decimal(match[1], match[2] or "", _exponent(match[3]))
        except NumberTooLongError as error:
            self.fail(str(error), start)

    def plain_number(self) -> Rational:
        """Read a number without sign and unit."""
        return self._digits()[1]

    def _number_in_expression(self) -> Node:
        start = self.at
        text, value = self._digits()
        glued = _GLUED.match(self.text, self.at)
        if glued is None:
            return Number(text, value, ONE.dimension)
        unit = TABLE.get(glued.group())
        if unit is None:
            self.at = glued.end()
            self.fail(f"`{text}{glued.group()}`: no unit of that name, and a product needs `*`", start)
        self.at = glued.end()
        return _quantity(text + glued.group(), value, unit)

    def scalar(self) -> Node:
        """Read a value of a binding: a number with or without unit, or an expression in brackets."""
        if self.takes("("):
            with self._deeper():
                node = self.expression()
            self.expect(")")
            return node
        start = self.at
        sign = -1 if self.takes("-") else 1
        _, value = self._digits()
        unit = self._unit()
        return _quantity(self.text[start : self.at], sign * value, unit)

    def _unit(self) -> Unit:
        match = _UNIT.match(self.text, self.at)
        if match is None:
            return ONE
        start, self.at = self.at, match.end()
        if match.group() in BINDING_SCALES:
            return Unit(BINDING_SCALES[match.group()], ONE.dimension)
        try:
            return parse_unit(match.group())
        except ValueError as error:
            self.fail(str(error), start)

    def binding(self) -> Binding:
        """Read ``symbol=value``; blanks stand only inside brackets."""
        start = self.at
        name = self.free_name("a symbol")
        if not self.takes("="):
            self.fail(f"`=` expected behind `{self.text[start : self.at]}`, without blanks", start)
        column: str | None = None
        sweep = False
        values: tuple[Node, ...] = ()
        if self.takes("{"):
            sweep, values = True, self._sweep()
        elif self.sees("col("):
            column = self._column()
        else:
            values = (self.scalar(),)
        if self.at < len(self.text) and not self.text[self.at].isspace() and not self.sees(";"):
            self.fail(f"a blank expected behind the value of `{name}`, {self.seen()}", start)
        return Binding(name, values, sweep, column, start, self.at)

    def _sweep(self) -> tuple[Node, ...]:
        values = []
        while True:
            self.skip()
            values.append(self.scalar())
            self.skip()
            if self.takes("}"):
                return tuple(values)
            self.expect(",")

    def _column(self) -> str:
        start = self.at
        self.at += len("col(")
        depth = 1
        begin = self.at
        while depth and not self.ended():
            depth += {"(": 1, ")": -1}.get(self.text[self.at], 0)
            self.at += 1
        if depth:
            self.fail("`col(` is never closed", start)
        return self.text[begin : self.at - 1].strip()


def _is_mark(character: str) -> bool:
    """Say whether ``character`` is a combining mark, as many scripts write their vowels."""
    return character > "\u02ff" and category(character) in ("Mn", "Mc")


def _exponent(text: str | None) -> int:
    if not text:
        return 0
    return -integer(text[1:]) if text[0] == "-" else integer(text.lstrip("+"))


def _quantity(text: str, value: Rational, unit: Unit) -> Number:
    return Number(text, exact(value * unit.factor), unit.dimension)
