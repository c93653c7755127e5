"""Judgement: all claims of a book, each held against its formulas; one problem for each cause.

The order is that of QUANTITIES section 4: names, symbols, dimensions, values; the first step that fails
speaks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from lintbook.calculator.claim import Claim, Form, parse_claim
from lintbook.calculator.column import as_value, cell_text, find_column, last_number
from lintbook.calculator.evaluation import (
    DimensionError,
    Environment,
    Evaluator,
    Quantity,
    UnboundError,
    nearest_integer,
)
from lintbook.calculator.expression import Call, MalformedError, Node, Number, show, walk
from lintbook.calculator.formula import NamedValue, Namespace, unknown
from lintbook.calculator.latex import UnknownSymbolError, last_formula, read_right_side
from lintbook.calculator.number import MAX_DIGITS, Value
from lintbook.calculator.problem import Checked, Kind, Problem, Reason, Verdict
from lintbook.calculator.quotation import Agreement, Quoted, Stretch, WrittenClaim, WrittenTable, agreement, quotation
from lintbook.calculator.unit import PLAIN
from lintbook.calculator.wording import (
    Compared,
    all_wrong,
    bytes_per_element,
    different,
    mismatched,
    rewritten,
    shortened,
    truncated,
    wrong,
)
from lintbook.diagnostic import Related
from lintbook.text import Span


class _Objection(Exception):  # noqa: N818  # it ends the hearing of one claim and never leaves this module
    """A step of the judgement fails, at ``span`` or else at the claim or what it asks for."""

    def __init__(self, kind: Kind, message: str, span: Span | None = None, advice: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.span = span
        self.advice = advice


class _Silence(Exception):  # noqa: N818  # as above
    """A claim cannot be judged, for a reason that is no problem of its own."""

    def __init__(self, reason: Reason, problem: Problem | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.problem = problem


class _Item(Struct, frozen=True):
    """One value that a claim asks for: an expression in an environment. ``label`` names it in messages.

    A ``measured`` value is known by its quotations only.
    """

    label: str
    node: Node
    environment: Environment
    measured: NamedValue | None = None


class _Answer(NamedTuple):
    """What the text of a claim asks for and what that gives, whatever stands before the claim.

    ``inputs`` are the symbols that it binds, ``formulas`` those that it relies on.
    """

    claim: Claim
    items: list[_Item]
    inputs: frozenset[str]
    values: list[Quantity]
    formulas: list[str]


class _Case(Struct, frozen=True):
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


class _Pair(NamedTuple):
    """A number of the text and the value that was asked for, and whether they agree."""

    case: _Case
    item: _Item
    one: Compared
    outcome: Agreement

    @property
    def place(self) -> Span:
        """The place of the number."""
        return self.case.place(self.one.quoted)


class _Quotation(Struct, frozen=True):
    """A number of the text that quotes a measured value, and the values that it may stand for."""

    place: Span
    values: Value
    shown: str


class _Uses(Struct):
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
        self._quotations: dict[str, list[_Quotation]] = {}
        self._answers: dict[str, _Answer] = {}  # by the text of the claims: many say the same of other places
        for value in names.named_values():
            self._try_named(value)

    def _say(
        self,
        kind: Kind,
        span: Span,
        message: str,
        advice: str | None = None,
        rewritten: tuple[tuple[Span, str], ...] = (),
    ) -> None:
        self.problems.append(Problem(kind, span, message, advice=advice, rewritten=rewritten))

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
        answer = self._answers.get(written.text)
        try:
            claim = parse_claim(written.text) if answer is None else answer.claim
        except MalformedError as error:
            end = len(written.text) if error.end is None else error.end
            seen = written.text[error.start : end].strip()
            span = _place(written, error.start, end) if seen else written.span
            self._say(Kind.MALFORMED, span, error.message)
            return Checked(written)
        try:
            if answer is not None:
                return self._held(self._case(written, claim, answer.items, answer.inputs), answer)
            return self._judge(written, claim)
        except _Silence as silence:
            if silence.problem:
                self.problems.append(silence.problem)
            return Checked(written, reason=silence.reason)
        except _Objection as objection:
            asked = _place(written, claim.start, claim.end)
            # What is unbound is the claim as a whole; all else is wrong with what it asks for.
            place = written.span if objection.kind is Kind.UNBOUND else asked
            self._say(objection.kind, objection.span or place, objection.message, objection.advice)
            return Checked(written, reason=Reason.REPORTED_CLAIM)

    def _judge(self, written: WrittenClaim, claim: Claim) -> Checked:
        self._check_names(written, claim)
        if claim.form is Form.COLUMN:
            return self._judge_column(written, claim)
        if claim.form is Form.FORMULA:
            return self._judge_formula(written, claim)
        items, inputs = self._asked(written, claim)
        case = self._case(written, claim, items, inputs)
        values = self._values(case)
        if values is None:
            numbers = tuple(case.place(quoted) for quoted in case.stretch.plainest)
            return Checked(written, numbers, Reason.REPORTED_CLAIM)
        answer = _Answer(claim, items, inputs, values, sorted(self._relied_on(items)))
        self._answers[written.text] = answer
        return self._held(case, answer)

    def _held(self, case: _Case, answer: _Answer) -> Checked:
        """Hold a claim against what its text gives."""
        self._count(answer.formulas)
        pairs = self._compare(case, answer.values)
        self._report(pairs)
        self._quote(pairs)
        return Checked(case.written, tuple(pair.place for pair in pairs))

    def _compare(self, case: _Case, values: list[Quantity]) -> list[_Pair]:
        """Hold the numbers of a claim against its values."""
        reading = _meant(case.stretch.plainest, values)
        outcomes = _outcomes(case, reading, values)
        if not all(outcomes):
            reading = self._second_reading(case, values) or reading
            outcomes = _outcomes(case, reading, values)
        compared = self._compared(case, reading, values)
        return [_Pair(case, *each) for each in zip(case.items, compared, outcomes, strict=True)]

    # Columns

    def _judge_column(self, written: WrittenClaim, claim: Claim) -> Checked:
        """Judge a claim on a column: one value for each of its rows that has numbers."""
        if written.table is None:
            raise _Objection(Kind.MALFORMED, "a claim on a column stands in a header cell of a table")
        cases, skipped = self._rows(written, claim, written.table)
        heard = [self._row(case) for case in cases]
        pairs = [pair for each in heard if each is not None for pair in each]
        self._report(pairs)
        reason = Reason.REPORTED_CLAIM if None in heard else None
        return Checked(written, tuple(pair.place for pair in pairs), reason, skipped)

    def _row(self, case: _Case) -> list[_Pair] | None:
        """Judge a row; None if dimensions do not fit."""
        values = self._values(case)
        if values is None:
            return None
        self._count(sorted(self._relied_on(case.items)))
        return self._compare(case, values)

    def _rows(self, written: WrittenClaim, claim: Claim, table: WrittenTable) -> tuple[list[_Case], int]:
        """Return the rows that can be judged, and how many have no number."""
        columns = self._columns(written, claim, table)
        target = _target(claim)
        bound = self.names.bound_by(claim.sets, [binding for binding in claim.bindings if binding.column is None])
        placeholders = {name: Number("1", 1, PLAIN) for name in columns}
        used = self.names.used(target, bound | placeholders, claim.bindings)
        self._check_symbols(written, claim, bound.keys() | columns.keys(), used)
        cases, skipped = [], 0
        for row in table.rows:
            cell = row[table.column]
            if cell.claimed:
                continue
            taken = {name: last_number(written, table, row[index], index) for name, index in columns.items()}
            values = {name: as_value(quoted) for name, quoted in taken.items() if quoted}
            text = cell_text(written, cell, table.headers[table.column])
            stretch = Stretch(text, 1, frozenset())
            if not stretch.plainest or len(values) < len(columns):
                skipped += 1
                continue
            known = {name: node for name, node in {**bound, **values}.items() if name in used}
            item = _Item(_label(claim), target, Environment(known))
            cases.append(_Case(text, claim, [item], stretch))
        return cases, skipped

    def _columns(self, written: WrittenClaim, claim: Claim, table: WrittenTable) -> dict[str, int]:
        columns = {}
        for binding in claim.bindings:
            if binding.column is not None:
                try:
                    columns[binding.name] = find_column(table, binding.column)
                except MalformedError as error:
                    place = _place(written, binding.start, binding.end)
                    raise _Objection(Kind.MALFORMED, error.message, place) from error
        return columns

    # Formulas in the text

    def _judge_formula(self, written: WrittenClaim, claim: Claim) -> Checked:
        """Judge a claim that the formula before it is the named one."""
        from lintbook.calculator.symbolic import counterexample, difference, written_out

        target = _target(claim)
        used = self.names.symbols(target)
        self._check_symbols(written, claim, used, set(used))
        formula = last_formula(written.stretch)
        if formula is None:
            raise _Objection(Kind.UNBOUND, "no formula stands before the claim")
        place = Span(written.span.path, *formula.range(0, len(formula.text)))
        respelt = {binding.name: binding.spelling or binding.name for binding in claim.bindings}
        spellings = {respelt.get(name, name): name for name in used}
        name = claim.names[0]
        try:
            text = read_right_side(formula, spellings)
            named = written_out(self.names, target)
            found = counterexample(text, named, used)
        except UnknownSymbolError as error:
            self._say(Kind.MISMATCHED_FORMULA, place, f"`{error.symbol}` is no symbol of `{name}`")
            return Checked(written, (place,))
        except MalformedError as error:
            raise _Silence(Reason.UNREAD_FORMULA) from error
        if found:
            advice = difference(named, text)
            advice = f"`{name}` minus the text is {advice}" if advice else None
            self._say(Kind.MISMATCHED_FORMULA, place, different(name, found), advice)
        return Checked(written, (place,))

    # Measured values

    def _quote(self, pairs: Iterable[_Pair]) -> None:
        """Keep the quotations of measured values, to be held against each other."""
        for pair in pairs:
            if pair.item.measured:
                values = quotation(pair.one.quoted, pair.case.claim.option, pair.case.claim.tolerance)
                found = _Quotation(pair.place, values, pair.one.shown)
                self._quotations.setdefault(pair.item.measured.name, []).append(found)

    def _close_quotations(self) -> None:
        """Report quotations of a measured value that have no common value with those before."""
        for name, quotations in self._quotations.items():
            common = quotations[0].values
            agreeing = [quotations[0]]
            for later in quotations[1:]:
                low, high = max(common.low, later.values.low), min(common.high, later.values.high)
                if low <= high:
                    common = Value(low, high)
                    agreeing.append(later)
                    continue
                others = [one for one in agreeing if not _overlap(one.values, later.values)] or agreeing
                related = tuple(Related(one.place, f"{one.shown} here") for one in others)
                message = f"{later.shown}, but `{name}` is quoted as {others[0].shown} elsewhere"
                self.problems.append(Problem(Kind.INCONSISTENT, later.place, message, related))

    def close(self) -> None:
        """Report what only all claims together tell: wrong dimensions, and quotations that disagree.

        A formula whose dimension is wrong under all its claims is reported at its declaration.
        """
        self._close_quotations()
        for name, uses in self._uses.items():
            formula = self.names.formula(name)
            if formula and uses.wrong and not uses.right and self.names.is_own(name):
                spans = dict.fromkeys(case.span for case, _ in uses.wrong)
                related = tuple(Related(span, "claimed here") for span in spans)
                message = self._misdeclared(uses.wrong)
                self.problems.append(Problem(Kind.MISMATCHED_UNIT, formula.span, message, related))
                continue
            for span, message in dict.fromkeys((case.span, error.message) for case, error in uses.wrong):
                self._say(Kind.MISMATCHED_UNIT, span, f"`{name}`: {message}")

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

    def _check_names(self, written: WrittenClaim, claim: Claim) -> None:
        """Object to names that are not declared; be silent where a declaration is reported already."""
        what = {Form.NAME: "formula or value", Form.LIST: "value"}.get(claim.form, "formula")
        used = [(name, what) for name in claim.names] + [(name, "set") for name in claim.sets]
        nodes = [value for binding in claim.bindings for value in binding.values]
        nodes += [claim.expression] if claim.expression else []
        used += [(part.name, "formula") for node in nodes for part in walk(node) if isinstance(part, Call)]
        for name, kind in used:
            if name in self.names.faulty or name in self._unusable:
                raise _Silence(Reason.FAULTY_DECLARATION)
            if not self._is_declared(name, kind):
                place = _place(written, claim.start, claim.end)
                raise _Silence(Reason.UNKNOWN_NAME, unknown(self.names, name, kind, place))

    def _is_declared(self, name: str, what: str) -> bool:
        if what == "set":
            return self.names.has_set(name)
        is_formula = self.names.formula(name) is not None
        return (is_formula and what != "value") or (what != "formula" and self.names.named_value(name) is not None)

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

    def _asked(self, written: WrittenClaim, claim: Claim) -> tuple[list[_Item], frozenset[str]]:
        """Return the values that a claim asks for, and the symbols that it binds."""
        if named := self._named(claim):
            if claim.sets or claim.bindings:
                raise _Objection(Kind.MALFORMED, f"`{named[0].name}` is a named value: it takes no bindings")
            return [self._named_item(value) for value in named], frozenset()
        target = _target(claim)
        bound = self.names.bound_by(claim.sets, claim.bindings)
        used = self.names.used(target, bound, claim.bindings)
        self._check_symbols(written, claim, bound, used)
        return _items(claim, target, {name: bound[name] for name in sorted(used)}), frozenset(used)

    def _case(self, written: WrittenClaim, claim: Claim, items: list[_Item], inputs: frozenset[str]) -> _Case:
        """Bring a claim and its text together; object if the text has fewer numbers than the claim values."""
        stretch = Stretch(written, claim.count, inputs)
        if all(len(reading) < len(items) for reading in stretch.readings()):
            raise _Objection(Kind.UNBOUND, _too_few(len(items), len(stretch.plainest)))
        return _Case(written, claim, items, stretch)

    def _named(self, claim: Claim) -> list[NamedValue]:
        return [value for name in claim.names if (value := self.names.named_value(name))]

    def _named_item(self, value: NamedValue) -> _Item:
        if value.formula is None:
            return _Item(value.name, Number("0", 0, value.dimension or PLAIN), Environment({}), value)
        target = Call(value.formula, ())
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
        return values

    def _count(self, formulas: Iterable[str]) -> None:
        """Take note that formulas gave what fits the dimensions of a claim that relies on them."""
        for name in formulas:
            self._uses.setdefault(name, _Uses()).right += 1

    def _relied_on(self, items: Iterable[_Item]) -> frozenset[str]:
        """Return the formulas that some values rely on."""
        nodes = [item.node for item in items]
        bound = (node for item in items for node in item.environment.bindings.values())
        nodes += [node for node in bound if not isinstance(node, Number)]
        return frozenset[str]().union(*(self.names.reach(node) for node in nodes))

    def _second_reading(self, case: _Case, values: list[Quantity]) -> list[Quoted] | None:
        """Return the first reading of the text under which all numbers agree."""
        readings = (_meant(reading, values) for reading in case.stretch.readings())
        return next((reading for reading in readings if all(_outcomes(case, reading, values))), None)

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
        for one in compared:
            if one.quoted.dimension != one.value.dimension:
                place = case.place(one.quoted)
                raise _Objection(Kind.MISMATCHED_UNIT, mismatched(one), place, _binding(compared))
        return compared

    def _report(self, pairs: Sequence[_Pair]) -> None:
        """Report the numbers that do not agree with their values; as one if all miss by one ratio."""
        all_ = [pair.one for pair in pairs]
        differ = len(pairs) > 1 and all(pair.outcome is Agreement.DIFFERS for pair in pairs)
        if differ and (message := all_wrong(all_)):
            advice = self._advice(pairs[0].item, all_)
            self._say(Kind.WRONG, pairs[0].place, message, advice, _rewritten(pairs))
            return
        for pair in pairs:
            if pair.outcome is Agreement.DIFFERS:
                message = wrong(pair.one, pair.case.claim.option)
                self._say(Kind.WRONG, pair.place, message, self._advice(pair.item, all_), _rewritten([pair]))
            elif pair.outcome is Agreement.TRUNCATED:
                advice = self._advice(pair.item, all_)
                self._say(Kind.TRUNCATED, pair.place, truncated(pair.one), advice, _rewritten([pair]))

    def _advice(self, item: _Item, compared: list[Compared]) -> str:
        """Show the formula with its numbers, and which numbers the claim binds if there are several."""
        node = item.node
        if isinstance(node, Call) and (formula := self.names.formula(node.name)):
            node = formula.expression

        def number(symbol: str) -> str:
            bound = item.environment.bindings.get(symbol)
            return show(bound, least=5) if bound else symbol

        shown = f"{item.label} = {show(node, number)}"
        return "; ".join(filter(None, (shown, _binding(compared))))


def _binding(compared: Sequence[Compared]) -> str | None:
    """Say which numbers a claim binds if there are several: not all of them may have been meant."""
    return "the claim binds " + ", ".join(one.shown for one in compared) if len(compared) > 1 else None


def _rewritten(pairs: Sequence[_Pair]) -> tuple[tuple[Span, str], ...]:
    """Return what numbers should be, as the text writes them; nothing if one of them cannot be written so."""
    numbers = [rewritten(pair.one) if pair.case.claim.option is None else None for pair in pairs]
    return tuple((pair.place, number) for pair, number in zip(pairs, numbers, strict=True) if number and all(numbers))


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


def _outcomes(case: _Case, reading: list[Quoted], values: list[Quantity]) -> list[Agreement]:
    """Compare number by number; values without a number of their dimension differ, measured ones have no other."""
    outcomes = [Agreement.DIFFERS] * len(values)
    claim = case.claim
    for index, (item, quoted, value) in enumerate(zip(case.items, reading, values, strict=False)):
        if len(reading) == len(values) and quoted.dimension == value.dimension:
            agrees = agreement(quoted, value, claim.option, claim.tolerance)
            outcomes[index] = Agreement.AGREES if item.measured else agrees
    return outcomes


def _overlap(one: Value, other: Value) -> bool:
    return max(one.low, other.low) <= min(one.high, other.high)


def _too_few(values: int, numbers: int) -> str:
    count = "1 value" if values == 1 else f"{values} values"
    found = {0: "no number stands", 1: "only 1 number stands"}.get(numbers, f"only {numbers} numbers stand")
    return f"the claim has {count}, but {found} before it"
