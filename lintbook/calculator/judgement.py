"""Judgement: all claims of a book, each held against its formulas; one problem for each cause.

The order is that of QUANTITIES section 4: names, symbols, dimensions, values; the first step that fails
speaks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Protocol

from lintbook.calculator.claim import Claim, Form, Option, parse_claim
from lintbook.calculator.evaluation import (
    DimensionError,
    Environment,
    Quantity,
    UnboundError,
    nearest_integer,
)
from lintbook.calculator.expression import Call, MalformedError, Node, Number, show, walk
from lintbook.calculator.formula import NamedValue, Namespace
from lintbook.calculator.number import MAX_DIGITS, print_like
from lintbook.calculator.problem import (
    COLUMN_CLAIM,
    FAULTY_DECLARATION,
    FORMULA_CLAIM,
    QUOTED_VALUE,
    Kind,
    Problem,
)
from lintbook.calculator.quotation import Agreement, Quoted, Stretch, agreement
from lintbook.calculator.unit import BYTE, DECIMAL_BYTES, INFORMATION, PLAIN, Dimension
from lintbook.diagnostic import Related
from lintbook.text import Passage, Span


class WrittenClaim(Protocol):
    """A claim as the text has it. ``text`` stands between the marks, its first character at ``offset``.

    ``stretch`` is the text that it may vouch for, ``references`` the ranges of it that belong to
    cross-references, footnote marks and tags, ``follows`` the text directly behind the claim, ``header`` that
    of its table column.
    """

    @property
    def span(self) -> Span: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def offset(self) -> int: ...  # noqa: D102
    @property
    def stretch(self) -> Passage: ...  # noqa: D102
    @property
    def references(self) -> tuple[tuple[int, int], ...]: ...  # noqa: D102
    @property
    def follows(self) -> Passage: ...  # noqa: D102
    @property
    def header(self) -> Passage | None: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of one claim: the places of the numbers it binds, and whether they were compared with values."""

    claim: WrittenClaim
    numbers: tuple[Span, ...] = ()
    compared: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of all claims of a book, in their order, and every problem that is not of the name space's own."""

    problems: tuple[Problem, ...]
    claims: tuple[Checked, ...]


class _Objection(Exception):  # noqa: N818  # it ends the hearing of one claim and never leaves this module
    """A step of the judgement fails, at ``span`` or else at the claim's target and bindings."""

    def __init__(self, kind: Kind, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.span = span


_SHOWN = 40  # characters of a number in a message


@dataclass(frozen=True, slots=True)
class _Item:
    """One value that a claim asks for: an expression in an environment. ``label`` names it in messages."""

    label: str
    node: Node
    environment: Environment


@dataclass(frozen=True, slots=True)
class _Case:
    """A claim that has a value for every symbol, with the text that it may vouch for."""

    written: WrittenClaim
    claim: Claim
    items: tuple[_Item, ...]
    stretch: Stretch
    inputs: frozenset[str]

    @property
    def span(self) -> Span:
        """The place of target and bindings."""
        return _place(self.written, self.claim.start, self.claim.end)

    def place(self, quoted: Quoted) -> Span:
        """Return the place of a number."""
        return Span(self.written.span.path, *self.written.stretch.range(quoted.start, quoted.end))

    def digits(self, quoted: Quoted) -> str:
        """Return a number as written, without its unit; the middle of a very long one is left out."""
        text = self.written.stretch.text[quoted.start : quoted.end]
        return text if len(text) <= _SHOWN else f"{text[: _SHOWN // 2]}…{text[-_SHOWN // 2 :]}"

    def shown(self, quoted: Quoted) -> str:
        """Return a number as written, with its unit."""
        return _with_tail(self.digits(quoted), quoted)

    @property
    def reading(self) -> list[Quoted]:
        """The plainest reading of the text."""
        return next(self.stretch.readings(len(self.items), self.inputs))


@dataclass(slots=True)
class _Uses:
    """How a formula fared under the claims that rely on it."""

    right: int = 0
    wrong: list[tuple[_Case, DimensionError]] = field(default_factory=list)


def judge_book(names: Namespace, claims: Iterable[WrittenClaim]) -> Verdict:
    """Judge all claims of a book, given in the order of its navigation."""
    court = _Court(names)
    checked = [court.hear(claim) for claim in claims]
    court.close()
    return Verdict(tuple(court.problems), tuple(checked))


class _Court:
    """Hears the claims one by one, then says which formulas are wrong under all of them."""

    def __init__(self, names: Namespace) -> None:
        self.names = names
        self.problems: list[Problem] = []
        self._uses: dict[str, _Uses] = {}
        self._unusable: set[str] = set()
        for value in names.named_values():
            self._try_named(value)

    def _say(self, kind: Kind, span: Span, message: str, advice: str | None = None) -> None:
        self.problems.append(Problem(kind, span, message, advice=advice))

    def _try_named(self, value: NamedValue) -> None:
        """Report a named value that has no value, once and at its declaration."""
        if value.formula is None:
            return
        try:
            result = self._evaluate(self._named_item(value))
        except DimensionError:
            return  # found again by the claims that quote it
        except UnboundError as error:
            self._say(Kind.UNBOUND, value.span, str(error))
        except MalformedError as error:
            self._say(Kind.MALFORMED, value.span, error.message)
        else:
            if value.dimension is None or value.dimension == result.dimension:
                return
            self._say(
                Kind.MISMATCHED_UNIT, value.span, f"declared in {value.unit}, but gives {result.dimension}"
            )
        self._unusable.add(value.name)

    def hear(self, written: WrittenClaim) -> Checked:
        """Judge one claim as far as it can be judged alone."""
        try:
            claim = parse_claim(written.text)
        except MalformedError as error:
            end = len(written.text) if error.end is None else error.end
            self._say(Kind.MALFORMED, _place(written, error.start, end), error.message)
            return Checked(written)
        try:
            return self._judge(written, claim)
        except _Objection as objection:
            span = objection.span or _place(written, claim.start, claim.end)
            self._say(objection.kind, span, objection.message)
            return Checked(written)

    def _judge(self, written: WrittenClaim, claim: Claim) -> Checked:
        self._check_names(claim)
        self._check_symbols(written, claim)
        case = self._case(written, claim)
        reading = case.reading
        values = self._values(case)
        if values is None:
            return Checked(written, tuple(case.place(quoted) for quoted in reading))
        reading = _agreeing_reading(case, values) or [
            quoted.read_as(value.dimension) for quoted, value in zip(reading, values, strict=False)
        ]
        self._check_text(case, reading, values)
        self._compare(case, reading, values)
        return Checked(written, tuple(case.place(quoted) for quoted in reading), compared=True)

    def close(self) -> None:
        """Report dimensions: at the declaration if a formula is wrong under all its claims, else at those claims."""
        for name, uses in self._uses.items():
            formula = self.names.formula(name)
            if formula and uses.wrong and not uses.right and self.names.is_own(name):
                related = tuple(Related(case.span, "claimed here") for case, _ in uses.wrong)
                message = self._misdeclared(uses.wrong)
                self.problems.append(Problem(Kind.MISMATCHED_UNIT, formula.span, message, related))
                continue
            for case, error in uses.wrong:
                self._say(Kind.MISMATCHED_UNIT, case.span, f"`{name}`: {error.message}")

    def _misdeclared(self, wrong: Sequence[tuple[_Case, DimensionError]]) -> str:
        """Say what is wrong with a formula's dimension, and by what factor all quoted values miss it."""
        message = wrong[0][1].message
        ratios = {ratio for case, _ in wrong for ratio in self._byte_ratios(case)}
        ratio = ratios.pop() if len(ratios) == 1 else None
        if ratio is None or ratio == 1:
            return message
        hint = ": bytes per element?" if ratio in (2, 4, 8) else ""
        return f"{message}; every quoted value is exactly {ratio}× the formula{hint}"

    def _byte_ratios(self, case: _Case) -> Iterator[Fraction | None]:
        """Yield, for each value of a claim, how many bytes the text has for one element of the formula."""
        for item, quoted in zip(case.items, case.reading, strict=False):
            try:
                self._evaluate(item)
            except DimensionError as error:
                counts = error.result and error.result.dimension == PLAIN and error.result.value
                in_bytes = quoted.read_as(INFORMATION)
                if counts and in_bytes.written and in_bytes.dimension == INFORMATION:
                    yield in_bytes.written.number * in_bytes.factor / BYTE.factor / counts
                else:
                    yield None

    # Names and symbols

    def _check_names(self, claim: Claim) -> None:
        """Object to names that are not declared; be silent where a declaration is reported already."""
        what = {Form.NAME: "formula or value", Form.LIST: "value"}.get(claim.form, "formula")
        used = [(name, what) for name in claim.names] + [(name, "set") for name in claim.sets]
        nodes = [value for binding in claim.bindings for value in binding.values]
        nodes += [claim.expression] if claim.expression else []
        used += [(part.name, "formula") for node in nodes for part in walk(node) if isinstance(part, Call)]
        for name, kind in used:
            if name in self.names.faulty or name in self._unusable:
                raise _Objection(Kind.UNCHECKED, FAULTY_DECLARATION)
            if not self._is_declared(name, kind):
                raise _Objection(Kind.UNKNOWN, f"no {kind} `{name}` is declared")
        if claim.form is Form.COLUMN:
            raise _Objection(Kind.UNCHECKED, COLUMN_CLAIM)
        if claim.form is Form.FORMULA:
            raise _Objection(Kind.UNCHECKED, FORMULA_CLAIM)

    def _is_declared(self, name: str, what: str) -> bool:
        if what == "set":
            return self.names.has_set(name)
        is_formula = self.names.formula(name) is not None
        return (is_formula and what != "value") or (
            what != "formula" and self.names.named_value(name) is not None
        )

    def _check_symbols(self, written: WrittenClaim, claim: Claim) -> None:
        """Object to bindings that serve nothing and to symbols without value."""
        named = [value for name in claim.names if (value := self.names.named_value(name))]
        if named and (claim.sets or claim.bindings):
            raise _Objection(Kind.MALFORMED, f"`{named[0].name}` is a named value: it takes no bindings")
        if any(value.formula is None for value in named):
            raise _Objection(Kind.UNCHECKED, QUOTED_VALUE)
        if named:
            return
        target = _target(claim)
        for binding in self.names.unused(target, claim.sets, claim.bindings):
            message = f"nothing uses the binding of `{binding.name}`"
            raise _Objection(Kind.MALFORMED, message, _place(written, binding.start, binding.end))
        bound = self.names.bound_by(claim.sets, claim.bindings)
        missing = sorted(self.names.used(target, bound) - bound.keys())
        if missing:
            listed = ", ".join(f"`{name}`" for name in missing)
            raise _Objection(Kind.UNBOUND, f"{listed} {'has' if len(missing) == 1 else 'have'} no value")

    def _case(self, written: WrittenClaim, claim: Claim) -> _Case:
        """Bring a claim and its text together; object if the text has fewer numbers than the claim values."""
        items = tuple(self._items(claim))
        inputs = frozenset[str]()
        if not self.names.named_value(claim.names[0] if claim.names else ""):
            bound = self.names.bound_by(claim.sets, claim.bindings)
            inputs = frozenset(self.names.used(_target(claim), bound))
        stretch = Stretch(written.stretch, written.references, written.follows, written.header)
        return _Case(written, claim, items, stretch, inputs)

    def _items(self, claim: Claim) -> Iterator[_Item]:
        named = [value for name in claim.names if (value := self.names.named_value(name))]
        yield from (self._named_item(value) for value in named)
        if named:
            return
        target = _target(claim)
        label = claim.names[0] if claim.names else f"({show(target)})"
        given = self.names.bound_by(claim.sets, claim.bindings)
        for index in range(claim.count):
            swept = {b.name: b.values[index] for b in claim.bindings if b.sweep}
            yield _Item(label, target, Environment(given | swept))

    def _named_item(self, value: NamedValue) -> _Item:
        bound = self.names.bound_by(value.sets, value.bindings)
        return _Item(value.name, Call(value.formula or "", ()), Environment(bound))

    # Dimensions and values

    def _evaluate(self, item: _Item) -> Quantity:
        return nearest_integer(self.names.evaluator().evaluate(item.node, item.environment))

    def _values(self, case: _Case) -> list[Quantity] | None:
        """Evaluate a claim; None if dimensions do not fit, which is judged when all claims are heard."""
        try:
            values = [self._evaluate(item) for item in case.items]
        except MalformedError as error:
            raise _Objection(Kind.MALFORMED, error.message) from error
        except UnboundError as error:
            raise _Objection(Kind.UNBOUND, str(error)) from error
        except DimensionError as error:
            if error.formula is None:
                raise _Objection(Kind.MISMATCHED_UNIT, error.message) from error
            self._uses.setdefault(error.formula, _Uses()).wrong.append((case, error))
            return None
        for name in self.names.reach(case.items[0].node):
            self._uses.setdefault(name, _Uses()).right += 1
        return values

    def _check_text(self, case: _Case, reading: list[Quoted], values: list[Quantity]) -> None:
        """Object to a text that has too few numbers, or numbers that are not of the formula's dimension."""
        if len(reading) < len(values):
            count = "1 value" if len(values) == 1 else f"{len(values)} values"
            found = {0: "no number", 1: "only 1 number"}.get(len(reading), f"only {len(reading)} numbers")
            raise _Objection(Kind.UNBOUND, f"the claim has {count}, but {found} stands before it")
        for item, quoted, value in zip(case.items, reading, values, strict=True):
            if quoted.written is None:
                message = f"the number has more than {MAX_DIGITS:,} digits"
                raise _Objection(Kind.MALFORMED, message, case.place(quoted))
            if quoted.dimension != value.dimension:
                message = _mismatch(case.shown(quoted), quoted.dimension, item.label, value.dimension)
                raise _Objection(Kind.MISMATCHED_UNIT, message, case.place(quoted))

    def _compare(self, case: _Case, reading: list[Quoted], values: list[Quantity]) -> None:
        """Report the numbers that do not agree with their values."""
        claim = case.claim
        outcomes = [_agreement(claim, quoted, value) for quoted, value in zip(reading, values, strict=True)]
        triples = list(zip(case.items, reading, values, strict=True))
        if (
            len(triples) > 1
            and set(outcomes) == {Agreement.DIFFERS}
            and (named := _common_ratio(reading, values))
        ):
            self._say(
                Kind.WRONG, case.place(reading[0]), _all_wrong(case, triples, named), self._advice(case, 0)
            )
            return
        for index, (item, quoted, value) in enumerate(triples):
            if outcomes[index] is Agreement.DIFFERS:
                message = _wrong(case, item, quoted, value)
                self._say(Kind.WRONG, case.place(quoted), message, self._advice(case, index))
            elif outcomes[index] is Agreement.TRUNCATED:
                message = f"{case.shown(quoted)} is cut, not rounded: {item.label} gives {_recomputed(quoted, value)}"
                self._say(Kind.TRUNCATED, case.place(quoted), message, self._advice(case, index))

    def _advice(self, case: _Case, index: int) -> str:
        """Show the formula with its numbers, and which numbers the claim binds if there are several."""
        item = case.items[index]
        node = item.node
        if isinstance(node, Call) and (formula := self.names.formula(node.name)):
            node = formula.expression

        def number(symbol: str) -> str:
            bound = item.environment.bindings.get(symbol)
            return show(bound) if isinstance(bound, Number) else f"({show(bound)})" if bound else symbol

        advice = f"{item.label} = {show(node, number)}"
        if len(case.items) > 1:
            advice += "; the claim binds " + ", ".join(case.shown(quoted) for quoted in case.reading)
        return advice


def _place(written: WrittenClaim, start: int, end: int) -> Span:
    return Span(written.span.path, written.offset + start, written.offset + end)


def _target(claim: Claim) -> Node:
    return claim.expression or Call(claim.names[0], ())


def _agreement(claim: Claim, quoted: Quoted, value: Quantity) -> Agreement:
    return agreement(quoted, value.value, value.exact, claim.option, claim.tolerance)


def _agreeing_reading(case: _Case, values: list[Quantity]) -> list[Quoted] | None:
    """Return the first reading of the text under which all numbers agree."""
    for reading in case.stretch.readings(len(values), case.inputs):
        meant = [quoted.read_as(value.dimension) for quoted, value in zip(reading, values, strict=False)]
        if len(meant) == len(values) and all(
            quoted.dimension == value.dimension and _agreement(case.claim, quoted, value)
            for quoted, value in zip(meant, values, strict=True)
        ):
            return meant
    return None


# Messages


def _with_tail(number: str, quoted: Quoted) -> str:
    blank = "" if not quoted.tail or quoted.tail[0] in "%‰" else " "
    return number + blank + quoted.tail


def _recomputed(quoted: Quoted, value: Quantity) -> str:
    """Print a value in the unit and precision of the text."""
    assert quoted.written is not None  # checked before values are compared
    return _with_tail(print_like(value.value / quoted.factor, quoted.written), quoted)


def _mismatch(shown: str, found: Dimension, label: str, wanted: Dimension) -> str:
    if found == PLAIN:
        return f"`{shown}` has no unit, but {label} is in {wanted}"
    if wanted == PLAIN:
        return f"`{shown}` is in {found}, but {label} is a plain number"
    return f"`{shown}` is in {found}, but {label} is in {wanted}"


def _wrong(case: _Case, item: _Item, quoted: Quoted, value: Quantity) -> str:
    shown, gives = case.shown(quoted), f"{item.label} gives {_recomputed(quoted, value)}"
    if case.claim.option in (Option.BELOW, Option.ABOVE):
        return f"not {case.claim.option} {shown}: {gives}"
    message = f"{shown}, but {gives}"
    if binary := _binary(quoted, value):
        return f"{message}: {binary}"
    ratio = _ratio(quoted, value)
    return f"{message} ({ratio})" if ratio else message


def _all_wrong(case: _Case, triples: list[tuple[_Item, Quoted, Quantity]], ratio: str) -> str:
    """Say of all numbers of a claim what is wrong with them; a unit that all share is said once."""
    same = len({quoted.tail for _, quoted, _ in triples}) == 1
    quoted_last = triples[-1][1]
    numbers = [case.digits(q) if same else case.shown(q) for _, q, _ in triples]
    bare = [replace(q, tail="") if same else q for _, q, _ in triples]
    results = [_recomputed(q, value) for q, (_, _, value) in zip(bare, triples, strict=True)]
    labels = list(dict.fromkeys(item.label for item, _, _ in triples))
    tail = quoted_last if same else replace(quoted_last, tail="")
    verb = "gives" if len(labels) == 1 else "give"
    written, recomputed = _with_tail(" / ".join(numbers), tail), _with_tail(" / ".join(results), tail)
    return f"{written}, but {', '.join(labels)} {verb} {recomputed} (each {ratio})"


def _binary(quoted: Quoted, value: Quantity) -> str | None:
    """Say that a number agrees if its unit, written as a power of 1000, meant one of 1024."""
    if quoted.unit is None or quoted.written is None:
        return None
    name = quoted.tail.split()[-1].split("/")[0]
    if name not in DECIMAL_BYTES:
        return None
    power = "KMGTP".index(name[0].upper()) + 1
    meant = quoted.written.value(quoted.approximate)
    if value.value / quoted.factor * Fraction(1000, 1024) ** power not in meant:
        return None
    return f"it agrees only in powers of 1024, as {name[0].upper()}i{name[1:]}"


_RATIOS = [2, 8, 10, 100, *(1000**n for n in range(1, 5)), *(1024**n for n in range(1, 5))]


def _ratio(quoted: Quoted, value: Quantity) -> str | None:
    """Name the ratio of value and number if it is one that a slip makes: bytes per element, bits, a prefix."""
    written = quoted.written
    if written is None or not written.number:
        return None
    ratio = value.value / quoted.factor / written.number
    for known in _RATIOS:
        if ratio in (known, Fraction(1, known)):
            return f"exactly {'' if ratio >= 1 else '1/'}{known}×"
    for known in _RATIOS if written.digits > 1 else ():
        for factor in (Fraction(known), Fraction(1, known)):
            if value.value / quoted.factor / factor in written.value():
                return f"{'' if factor > 1 else '1/'}{known}×"
    return None


def _common_ratio(reading: list[Quoted], values: list[Quantity]) -> str | None:
    """Name the ratio if it is one and the same for all numbers."""
    if any(quoted.written is None or not quoted.written.number for quoted in reading):
        return None
    exact = {
        value.value / quoted.factor / quoted.written.number
        for quoted, value in zip(reading, values, strict=True)
        if quoted.written
    }
    if len(exact) == 1 and (ratio := exact.pop()).denominator < 100 and ratio.numerator < 10**15:
        return f"exactly {ratio}×"
    named = {_ratio(quoted, value) for quoted, value in zip(reading, values, strict=True)}
    return named.pop() if len(named) == 1 else None
