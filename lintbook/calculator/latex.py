r"""Formulas in the text: LaTeX with symbols, read as an expression of the calculator.

The author's text reaches nothing but this parser. It knows the symbols that may occur, since letters that run together
are cut by them: ``2LBTn_{kv}d_hs`` is a product of seven factors only for a formula that has just these symbols.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lintbook.calculator.expression import (
    MAX_DEPTH,
    SUBSCRIPT,
    Function,
    MalformedError,
    Negative,
    Node,
    Number,
    Pi,
    Power,
    Product,
    Sum,
    Symbol,
    canonical,
)
from lintbook.calculator.linear import ROW, SPACED, linear
from lintbook.calculator.number import NumberTooLongError, read_decimal
from lintbook.calculator.plain import MATH_GROUP, UNKNOWN, UPRIGHT, Plain
from lintbook.calculator.unit import PLAIN
from lintbook.patterns import regex
from lintbook.text import Passage, Style

_RELATIONS = "=≈≡∼＝"
_OPENERS, _CLOSERS = "({[⌈⌊", ")}]⌉⌋"
_CLOSER_OF = dict(zip(_OPENERS, _CLOSERS, strict=True))
_BLANKS = regex(rf"[\s\u2009{ROW}]*")
_LETTERS = regex(r"[^\W\d_]+")
_COMMAND = regex(r"\\([a-z]+)")
_ENDINGS = " \t\n.,;。，；"
_ONE = Number("1", 1, PLAIN)
_TEN = Number("10", 10, PLAIN)


class UnknownSymbolError(ValueError):
    """A symbol stands in the text that the formula does not have."""

    def __init__(self, symbol: str) -> None:
        super().__init__(f"`{symbol}` is no symbol of it")
        self.symbol = symbol


def last_formula(stretch: Passage) -> Passage | None:
    """Return the last formula of a passage; None if it has none."""
    pieces = stretch.pieces
    last = len(pieces) - 1
    while last >= 0 and pieces[last].style is not Style.MATH:
        last -= 1
    if last < 0:
        return None
    first = last
    while first and pieces[first - 1].style is Style.MATH:
        first -= 1
    end = pieces[last + 1].start if last + 1 < len(pieces) else len(stretch.text)
    return stretch.slice(pieces[first].start, end)


def read_right_side(formula: Passage, symbols: Mapping[str, str]) -> Node:
    """Read what stands behind the last relation of a formula, or all of it if there is none.

    ``symbols`` gives for each spelling in the text the symbol that it stands for. Raise UnknownSymbolError for a symbol
    that is not among them, and MalformedError for what cannot be read.
    """
    text = linear(formula)
    start, end = _right_side(text.text)
    return _Reader(text, start, end, symbols).read()


def _right_side(text: str) -> tuple[int, int]:
    depth, start, end = 0, 0, len(text)
    for index, character in enumerate(text):
        depth += (character in _OPENERS) - (character in _CLOSERS)
        if depth == 0 and character in _RELATIONS:
            start, end = index + 1, len(text)
        elif depth == 0 and character == SPACED and text[start:index].strip():
            end = min(end, index)
    while end > start and text[end - 1] in _ENDINGS:
        end -= 1
    return start, end


class _Reader:
    """Reads linear text by recursive descent."""

    def __init__(self, text: Plain, start: int, end: int, symbols: Mapping[str, str]) -> None:
        self.text = text.text[:end]
        self.setting = text.setting
        self.at = start
        self.symbols = {canonical(spelling): symbol for spelling, symbol in symbols.items()}
        self.factors: list[Node] = []  # symbols cut from one run of letters, still to be returned
        self.depth = 0

    def fail(self) -> MalformedError:
        seen = self.text[self.at : self.at + 12].replace(UNKNOWN, "…") or "the end"
        return MalformedError(f"`{seen}` cannot be read", self.at)

    def read(self) -> Node:
        node = self.sum()
        self.skip()
        if self.at < len(self.text):
            raise self.fail()
        return node

    def skip(self) -> None:
        match = _BLANKS.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def sees(self, signs: str) -> str:
        """Return the sign of ``signs`` that stands here, or nothing."""
        self.skip()
        here = self.text[self.at : self.at + 1]
        return here if here and here in signs else ""

    def takes(self, signs: str) -> str:
        """Pass over one of ``signs``."""
        here = self.sees(signs)
        self.at += len(here)
        return here

    def sum(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise MalformedError(f"nested deeper than {MAX_DEPTH}", self.at)
        terms: list[tuple[str, Node]] = [("+", Negative(self.product()) if self.takes("-−") else self.product())]
        while sign := self.takes("+-−"):
            terms.append(("+" if sign == "+" else "-", self.product()))
        self.depth -= 1
        return terms[0][1] if len(terms) == 1 else Sum(tuple(terms))

    def product(self) -> Node:
        factors: list[tuple[str, Node]] = [("*", self.factor())]
        while True:
            if self.factors:
                factors.append(("*", self.factor()))
            elif sign := self.takes("×·*/÷⋅"):
                factors.append(("/" if sign in "/÷" else "*", self.factor()))
            elif self.begins_factor():
                factors.append(("*", self.factor()))
            else:
                break
        return factors[0][1] if len(factors) == 1 else Product(tuple(factors))

    def begins_factor(self) -> bool:
        self.skip()
        here = self.text[self.at : self.at + 1]
        return bool(here) and (here.isalnum() or here in "\\" + _OPENERS)

    def factor(self) -> Node:
        """Read an operand and its exponent, which belongs to the last letter of a run."""
        if self.factors:
            node = self.factors.pop(0)
        elif self.sees("-−"):
            self.at += 1
            return Negative(self.factor())
        else:
            node = self.operand()
        if self.factors:
            return node
        while self.takes("!"):
            node = Function("factorial", (node,))
        if self.text.startswith("^{", self.at):
            self.at += 1
            node = Power(node, self.bracket())
        return node

    def operand(self) -> Node:
        here = self.sees("\\" + _OPENERS)
        if here == "\\":
            return self.command()
        if here:
            return self.bracket()
        match = _LETTERS.match(self.text, self.at)
        if match:
            return self.letters(match)
        if self.text[self.at : self.at + 1].isdecimal():
            return self.number()
        raise self.fail()

    def number(self) -> Number:
        start = self.at
        try:
            found = read_decimal(self.text, start)
        except (NumberTooLongError, ValueError) as error:
            raise self.fail() from error
        self.at = found.end
        return Number(self.text[start : self.at].replace(MATH_GROUP, ","), found.written.number, PLAIN)

    def bracket(self) -> Node:
        opener = self.takes(_OPENERS)
        if not opener:
            raise self.fail()
        node = self.sum()
        if not self.takes(_CLOSER_OF[opener]):
            raise self.fail()
        return Function("ceil" if opener == "⌈" else "floor", (node,)) if opener in "⌈⌊" else node

    def letters(self, match: re.Match[str]) -> Node:
        """Cut a run of letters into the symbols that are known."""
        run, start = match.group(), self.at
        self.at = match.end()
        subscript = SUBSCRIPT.match(self.text, self.at)
        if subscript:
            self.at = subscript.end()
        word = self.setting[start] == UPRIGHT
        cut = self.cut(run, f"_{subscript[1]}" if subscript else "", word=word)
        self.factors = cut[1:]
        return cut[0]

    def cut(self, run: str, subscript: str, *, word: bool) -> list[Node]:
        parts: list[Node] = []
        at = 0
        while at < len(run):
            ends = [len(run)] if word else range(len(run), at, -1)
            for end in ends:
                name = canonical(run[at:end] + (subscript if end == len(run) else ""))
                if name in self.symbols:
                    parts.append(Symbol(self.symbols[name]))
                elif name == "pi":
                    parts.append(Pi())
                elif name == "e" and self.text.startswith("^{", self.at):
                    parts.append(Function("exp", (_ONE,)))
                else:
                    continue
                at = end
                break
            else:
                raise UnknownSymbolError(run[at:] + subscript if word or len(run) == at + 1 else run[at])
        return parts

    def command(self) -> Node:
        match = _COMMAND.match(self.text, self.at)
        if match is None:
            raise self.fail()
        self.at = match.end()
        match match[1]:
            case "frac":
                return Product((("*", self.bracket()), ("/", self.bracket())))
            case "sqrt":
                index = self.bracket() if self.sees("[") else None
                radicand = self.bracket()
                if index is None:
                    return Function("sqrt", (radicand,))
                return Power(radicand, Product((("*", _ONE), ("/", index))))
            case "binom":
                return Function("binomial", (self.bracket(), self.bracket()))
            case "log" | "ln" | "lg" | "exp":
                return self.function(match[1])
            case "max" | "min":
                return Function(match[1], self.arguments())
            case _:
                raise self.fail()

    def function(self, name: str) -> Node:
        """Read the base and the argument of a logarithm or exponential; a bare logarithm is natural."""
        base: Node | None = _TEN if name == "lg" else None
        if name == "log" and self.text.startswith("_{", self.at):
            self.at += 1
            base = self.bracket()
        argument = self.bracket() if self.sees("([") else self.factor()
        if name == "exp":
            return Function("exp", (argument,))
        logarithm = Function("ln", (argument,))
        return logarithm if base is None else Product((("*", logarithm), ("/", Function("ln", (base,)))))

    def arguments(self) -> tuple[Node, ...]:
        if not self.takes("("):
            raise self.fail()
        found = [self.sum()]
        while self.takes(","):
            found.append(self.sum())
        if not self.takes(")"):
            raise self.fail()
        return tuple(found)
