"""Claims: what stands between ``<!--=`` and ``-->``: target, bindings and option."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from msgspec import Struct

from lintbook.calculator.expression import Binding, Node, Parser
from lintbook.calculator.number import Rational


class Form(StrEnum):
    """What a claim's target is."""

    NAME = "name"  # a formula or a named value
    EXPRESSION = "expression"
    LIST = "list"  # of named values
    COLUMN = "column"
    FORMULA = "formula"


class Option(StrEnum):
    """What a claim says about how its numbers agree."""

    WITHIN = "within"
    FLOOR = "floor"
    CEIL = "ceil"
    BELOW = "below"
    ABOVE = "above"


class Claim(Struct, frozen=True):
    """A claim as read. ``names`` are those of the target, ``expression`` is a target in brackets.

    ``start`` and ``end`` are the place of target and bindings in the text. ``tolerance`` is that of
    ``within``.
    """

    form: Form
    names: tuple[str, ...]
    expression: Node | None
    sets: tuple[str, ...]
    bindings: tuple[Binding, ...]
    option: Option | None
    tolerance: Rational
    start: int
    end: int

    @property
    def count(self) -> int:
        """How many values the claim has."""
        if self.form is Form.LIST:
            return len(self.names)
        return max((len(binding.values) for binding in self.bindings), default=1)


def parse_claim(text: str) -> Claim:
    """Read the text of a claim, its marks left out; raise MalformedError with the place in ``text``."""
    parser = Parser(text)
    parser.skip()
    start = parser.at
    form, names, expression = _target(parser)
    sets: list[str] = []
    bindings: list[Binding] = []
    end = parser.at
    while not parser.ended() and not parser.sees(";"):
        if not text[parser.at - 1].isspace():
            parser.fail(f"a blank expected, {parser.seen()}")
        if parser.takes("@"):
            sets.append(parser.name("the name of a set"))
        else:
            bindings.append(_spelling(parser) if form is Form.FORMULA else parser.binding())
        end = parser.at
    option, tolerance = _option(parser)
    _refuse(parser, form, bindings)
    return Claim(form, names, expression, tuple(sets), tuple(bindings), option, tolerance, start, end)


def _target(parser: Parser) -> tuple[Form, tuple[str, ...], Node | None]:
    if parser.takes("("):
        expression = parser.expression()
        parser.expect(")")
        return Form.EXPRESSION, (), expression
    if parser.takes("{"):
        return Form.LIST, _list(parser), None
    for word, form in (("each", Form.COLUMN), ("formula", Form.FORMULA)):
        if parser.text[parser.at :].split(maxsplit=1)[:1] == [word]:
            parser.at += len(word)
            parser.skip()
            return form, (parser.free_name("a formula"),), None
    return Form.NAME, (parser.dotted("a formula, a value or an expression in brackets"),), None


def _list(parser: Parser) -> tuple[str, ...]:
    names = []
    while True:
        parser.skip()
        names.append(parser.dotted("the name of a value"))
        parser.skip()
        if parser.takes("}"):
            return tuple(names)
        parser.expect(",")


def _spelling(parser: Parser) -> Binding:
    """Read ``a=b`` of a formula claim: symbol a is written b there."""
    start = parser.at
    name = parser.free_name("a symbol")
    if not parser.takes("="):
        parser.fail(f"`=` expected behind `{name}`, without blanks", start)
    spelling = parser.name("a symbol")
    return Binding(name, (), sweep=False, column=None, start=start, end=parser.at, spelling=spelling)


def _option(parser: Parser) -> tuple[Option | None, Rational]:
    if not parser.takes(";"):
        return None, 0
    parser.skip()
    start = parser.at
    word = parser.name("an option")
    if word not in list(Option):
        parser.fail(f"`{word}` is no option", start)
    tolerance: Rational = 0
    if word == Option.WITHIN:
        parser.skip()
        tolerance = Fraction(parser.plain_number(), 100)
        parser.expect("%")
    if not parser.ended():
        parser.fail(f"the end expected behind the option, {parser.seen()}")
    return Option(word), tolerance


def _refuse(parser: Parser, form: Form, bindings: list[Binding]) -> None:
    """Refuse what is read well but means nothing."""
    seen: dict[str, Binding] = {}
    length: Binding | None = None
    for binding in bindings:
        parser.at = binding.end
        if binding.name in seen:
            parser.fail(f"`{binding.name}` is bound twice", binding.start)
        seen[binding.name] = binding
        if binding.column is not None and form is not Form.COLUMN:
            parser.fail("`col()` belongs to a claim on a column: `each …`", binding.start)
        if binding.sweep and form is Form.COLUMN:
            parser.fail("a claim on a column takes no sweep", binding.start)
        if binding.sweep:
            length = length or binding
            if len(length.values) != len(binding.values):
                counts = f"{len(binding.values)} values, `{length.name}` {len(length.values)}"
                parser.fail(f"sweeps go in step, but `{binding.name}` has {counts}", binding.start)
