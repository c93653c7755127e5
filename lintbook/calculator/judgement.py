"""Judgement: all claims of a book, each held against its formulas; one problem for each cause.

The order is that of QUANTITIES section 4: names, symbols, dimensions, values; the first step that fails
speaks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lintbook.calculator.claim import Claim, Form, parse_claim
from lintbook.calculator.evaluation import (
    DimensionError,
    Environment,
    Evaluator,
    Quantity,
    UnboundError,
    nearest_integer,
)
from lintbook.calculator.expression import Call, MalformedError, Node, Number, show, walk
from lintbook.calculator.formula import NamedValue, Namespace
from lintbook.calculator.number import MAX_DIGITS
from lintbook.calculator.problem import (
    COLUMN_CLAIM,
    FAULTY_DECLARATION,
    FORMULA_CLAIM,
    QUOTED_VALUE,
    Kind,
    Problem,
)
from lintbook.calculator.quotation import Agreement, Quoted, Stretch, WrittenClaim, agreement
from lintbook.calculator.wording import (
    Compared,
    all_wrong,
    bytes_per_element,
    mismatched,
    shortened,
    truncated,
    wrong,
)
from lintbook.diagnostic import Related
from lintbook.text import Span


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of one claim: the places of the numbers it binds, and whether they were compared."""

    claim: WrittenClaim
    numbers: tuple[Span, ...] = ()
    compared: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of all claims of a book, in their order; the problems of the name space are its own."""

    problems: tuple[Problem, ...]
    claims: tuple[Checked, ...]


class _Objection(Exception):  # noqa: N818  # it ends the hearing of one claim and never leaves this module
    """A step of the judgement fails, at ``span`` or else at the claim or what it asks for."""

    def __init__(self, kind: Kind, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.span = span


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
    items: list[_Item]
    stretch: Stretch

    @property
    def span(self) -> Span:
        """The place of target and bindings."""
        return _place(self.written, self.claim.start, self.claim.end)

    def place(self, quoted: Quoted) -> Span:
        """Return the place of a number."""
        return Span(self.written.span.path, *self.written.stretch.range(quoted.start, quoted.end))

    def digits(self, quoted: Quoted) -> str:
        """Return a number as written, without its unit."""
        return self.written.stretch.text[quoted.start : quoted.end]


@dataclass(slots=True)
class _Uses:
    """How a formula fared under the claims that rely on it."""

    right: int = 0
    wrong: list[tuple[_Case, DimensionError]] = field(default_factory=list)


def judge_book(names: Namespace, claims: Iterable[WrittenClaim]) -> Verdict:
    """Judge all claims of a book, given in the order of its navigation.

    What only resembles a claim is not for here. Nothing is raised: all that is wrong is in the verdict, except the
    problems of the declarations themselves, which ``names`` has.
    """
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
            result = _evaluate(self._named_item(value), self.names.evaluator())
        except DimensionError as error:
            if error.formula:
                return  # found again by the claims that quote it, and judged with the formula's others
            self._say(Kind.MISMATCHED_UNIT, value.span, error.message)
        except UnboundError as error:
            self._say(Kind.UNBOUND, value.span, str(error))
        except MalformedError as error:
            self._say(Kind.MALFORMED, value.span, error.message)
        else:
            if value.dimension is None or value.dimension == result.dimension:
                return
            self._say(Kind.MISMATCHED_UNIT, value.span, f"declared in {value.unit}, but gives {result.dimension}")
        self._unusable.add(value.name)

    def hear(self, written: WrittenClaim) -> Checked:
        """Judge one claim as far as it can be judged alone."""
        try:
            claim = parse_claim(written.text)
        except MalformedError as error:
            end = len(written.text) if error.end is None else error.end
            seen = written.text[error.start : end].strip()
            span = _place(written, error.start, end) if seen else written.span
            self._say(Kind.MALFORMED, span, error.message)
            return Checked(written)
        try:
            return self._judge(written, claim)
        except _Objection as objection:
            asked = _place(written, claim.start, claim.end)
            # What is unbound is the claim as a whole; all else is wrong with what it asks for.
            place = written.span if objection.kind is Kind.UNBOUND else asked
            self._say(objection.kind, objection.span or place, objection.message)
            return Checked(written)

    def _judge(self, written: WrittenClaim, claim: Claim) -> Checked:
        self._check_names(claim)
        case = self._case(written, claim)
        values = self._values(case)
        if values is None:
            return Checked(written, tuple(case.place(quoted) for quoted in case.stretch.plainest))
        reading = _meant(case.stretch.plainest, values)
        outcomes = _outcomes(claim, reading, values)
        if not all(outcomes):
            reading = self._second_reading(case, values) or reading
            outcomes = _outcomes(claim, reading, values)
        self._report(case, self._compared(case, reading, values), outcomes)
        return Checked(written, tuple(case.place(quoted) for quoted in reading), compared=True)

    def close(self) -> None:
        """Report wrong dimensions: at the declaration of a formula that fails all its claims."""
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
        counts = [pair for case, _ in wrong for pair in self._counts(case)]
        return wrong[0][1].message + bytes_per_element(counts)

    def _counts(self, case: _Case) -> Iterator[tuple[Quoted, Quantity]]:
        """Yield the numbers of a claim with what its formula gives, though that is of the wrong dimension."""
        for item, quoted in zip(case.items, case.stretch.plainest, strict=False):
            try:
                _evaluate(item, self.names.evaluator())
            except DimensionError as error:
                own = isinstance(item.node, Call) and item.node.name == error.formula
                yield quoted, (error.result if own and error.result else Quantity(0))

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
        return (is_formula and what != "value") or (what != "formula" and self.names.named_value(name) is not None)

    def _check_named(self, claim: Claim, named: list[NamedValue]) -> None:
        """Object to named values with bindings, and to those that are measured."""
        if claim.sets or claim.bindings:
            raise _Objection(Kind.MALFORMED, f"`{named[0].name}` is a named value: it takes no bindings")
        if any(value.formula is None for value in named):
            raise _Objection(Kind.UNCHECKED, QUOTED_VALUE)

    def _check_symbols(self, written: WrittenClaim, claim: Claim, bound: Collection[str], used: set[str]) -> None:
        """Object to bindings that serve nothing and to symbols without value."""
        for binding in claim.bindings:
            if binding.name not in used:
                message = f"`{binding.name}` is no symbol of `{_label(claim)}`"
                raise _Objection(Kind.MALFORMED, message, _place(written, binding.start, binding.end))
        missing = [f"`{name}`" for name in sorted(used.difference(bound))]
        if missing:
            verb = "has" if len(missing) == 1 else "have"
            raise _Objection(Kind.UNBOUND, f"{', '.join(missing)} of `{_label(claim)}` {verb} no value")

    def _case(self, written: WrittenClaim, claim: Claim) -> _Case:
        """Bring a claim and its text together; object if the text has fewer numbers than the claim values."""
        inputs = frozenset[str]()
        if named := self._named(claim):
            self._check_named(claim, named)
            items = [self._named_item(value) for value in named]
        else:
            target = _target(claim)
            bound = self.names.bound_by(claim.sets, claim.bindings)
            used = self.names.used(target, bound, claim.bindings)
            self._check_symbols(written, claim, bound, used)
            items = _items(claim, target, {name: bound[name] for name in sorted(used)})
            inputs = frozenset(used)
        stretch = Stretch(written, claim.count, inputs)
        if all(len(reading) < len(items) for reading in stretch.readings()):
            raise _Objection(Kind.UNBOUND, _too_few(len(items), len(stretch.plainest)))
        return _Case(written, claim, items, stretch)

    def _named(self, claim: Claim) -> list[NamedValue]:
        return [value for name in claim.names if (value := self.names.named_value(name))]

    def _named_item(self, value: NamedValue) -> _Item:
        target = Call(value.formula or "", ())
        bound = self.names.bound_by(value.sets, value.bindings)
        used = self.names.used(target, bound, value.bindings)
        return _Item(value.name, target, Environment({name: bound[name] for name in sorted(used) if name in bound}))

    # Dimensions and values

    def _values(self, case: _Case) -> list[Quantity] | None:
        """Evaluate a claim; None if dimensions do not fit, which is judged when all claims are heard."""
        try:
            evaluator = self.names.evaluator()
            values = [_evaluate(item, evaluator) for item in case.items]
        except MalformedError as error:
            raise _Objection(Kind.MALFORMED, error.message) from error
        except UnboundError as error:
            raise _Objection(Kind.UNBOUND, str(error)) from error
        except DimensionError as error:
            if error.formula is None:
                raise _Objection(Kind.MISMATCHED_UNIT, error.message) from error
            self._uses.setdefault(error.formula, _Uses()).wrong.append((case, error))
            return None
        for name in sorted(self._relied_on(case)):
            self._uses.setdefault(name, _Uses()).right += 1
        return values

    def _relied_on(self, case: _Case) -> frozenset[str]:
        """Return the formulas that a claim relies on."""
        nodes = [item.node for item in case.items]
        bound = (node for item in case.items for node in item.environment.bindings.values())
        nodes += [node for node in bound if not isinstance(node, Number)]
        return frozenset[str]().union(*(self.names.reach(node) for node in nodes))

    def _second_reading(self, case: _Case, values: list[Quantity]) -> list[Quoted] | None:
        """Return the first reading of the text under which all numbers agree."""
        readings = (_meant(reading, values) for reading in case.stretch.readings())
        return next((reading for reading in readings if all(_outcomes(case.claim, reading, values))), None)

    def _compared(self, case: _Case, reading: list[Quoted], values: list[Quantity]) -> list[Compared]:
        """Pair numbers and values; object to too few numbers and to wrong dimensions."""
        if len(reading) < len(values):
            raise _Objection(Kind.UNBOUND, _too_few(len(values), len(reading)))
        compared = []
        for item, quoted, value in zip(case.items, reading, values, strict=True):
            if quoted.written is None:
                message = f"the number has more than {MAX_DIGITS:,} digits"
                raise _Objection(Kind.MALFORMED, message, case.place(quoted))
            compared.append(Compared(item.label, case.digits(quoted), quoted, quoted.written, value))
            if quoted.dimension != value.dimension:
                raise _Objection(Kind.MISMATCHED_UNIT, mismatched(compared[-1]), case.place(quoted))
        return compared

    def _report(self, case: _Case, compared: list[Compared], outcomes: list[Agreement]) -> None:
        """Report the numbers that do not agree with their values; as one if all miss by one ratio."""
        if len(compared) > 1 and set(outcomes) == {Agreement.DIFFERS} and (message := all_wrong(compared)):
            self._say(Kind.WRONG, case.place(compared[0].quoted), message, self._advice(case, compared, 0))
            return
        for index, (one, outcome) in enumerate(zip(compared, outcomes, strict=True)):
            place = case.place(one.quoted)
            if outcome is Agreement.DIFFERS:
                message = wrong(one, case.claim.option)
                self._say(Kind.WRONG, place, message, self._advice(case, compared, index))
            elif outcome is Agreement.TRUNCATED:
                self._say(Kind.TRUNCATED, place, truncated(one), self._advice(case, compared, index))

    def _advice(self, case: _Case, compared: list[Compared], index: int) -> str:
        """Show the formula with its numbers, and which numbers the claim binds if there are several."""
        item = case.items[index]
        node = item.node
        if isinstance(node, Call) and (formula := self.names.formula(node.name)):
            node = formula.expression

        def number(symbol: str) -> str:
            bound = item.environment.bindings.get(symbol)
            return show(bound, least=5) if bound else symbol

        advice = f"{item.label} = {show(node, number)}"
        if len(compared) > 1:
            advice += "; the claim binds " + ", ".join(one.shown for one in compared)
        return advice


def _place(written: WrittenClaim, start: int, end: int) -> Span:
    return Span(written.span.path, written.offset + start, written.offset + end)


def _label(claim: Claim) -> str:
    """Return what names the target of a claim in messages."""
    return shortened(f"({show(claim.expression)})") if claim.expression else claim.names[0]


def _target(claim: Claim) -> Node:
    return claim.expression or Call(claim.names[0], ())


def _evaluate(item: _Item, evaluator: Evaluator) -> Quantity:
    item.environment.settle(evaluator)  # so that a fault in a binding is not taken for one of the formula
    return nearest_integer(evaluator.evaluate(item.node, item.environment))


def _items(claim: Claim, target: Node, bound: Mapping[str, Node]) -> list[_Item]:
    """Return the values that a claim asks for: one, or those of its sweeps in step."""
    label = _label(claim)
    sweeps = [binding for binding in claim.bindings if binding.sweep]
    if not sweeps:
        return [_Item(label, target, Environment(bound))]
    steps = [{binding.name: binding.values[index] for binding in sweeps} for index in range(claim.count)]
    return [_Item(label, target, Environment({**bound, **step})) for step in steps]


def _meant(reading: list[Quoted], values: list[Quantity]) -> list[Quoted]:
    """Read numbers as a text about quantities of these dimensions means them."""
    return [quoted.read_as(value.dimension) for quoted, value in zip(reading, values, strict=False)]


def _outcomes(claim: Claim, reading: list[Quoted], values: list[Quantity]) -> list[Agreement]:
    """Compare number by number; values without a number of their dimension differ."""
    outcomes = [Agreement.DIFFERS] * len(values)
    for index, (quoted, value) in enumerate(zip(reading, values, strict=False)):
        if len(reading) == len(values) and quoted.dimension == value.dimension:
            outcomes[index] = agreement(quoted, value, claim.option, claim.tolerance)
    return outcomes


def _too_few(values: int, numbers: int) -> str:
    count = "1 value" if values == 1 else f"{values} values"
    found = {0: "no number stands", 1: "only 1 number stands"}.get(numbers, f"only {numbers} numbers stand")
    return f"the claim has {count}, but {found} before it"
