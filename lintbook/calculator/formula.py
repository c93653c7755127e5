"""Declarations: formulas, sets and named values, and the one name space that a book has of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from msgspec import Struct
from msgspec.structs import replace

from lintbook.calculator.evaluation import DimensionError, Environment, Evaluator, Quantity, nearest_integer
from lintbook.calculator.expression import Binding, Call, MalformedError, Node, Number, Parser, Symbol, walk
from lintbook.calculator.problem import Kind, Problem
from lintbook.calculator.unit import PLAIN, Dimension, parse_unit
from lintbook.diagnostic import Related
from lintbook.likeness import nearest
from lintbook.text import Passage, Piece, Span, Style


class Formula(Struct, frozen=True):
    """A named expression; ``unit`` as declared, ``dimension`` what that unit asks of the result."""

    name: str
    unit: str | None
    dimension: Dimension
    expression: Node
    span: Span


class ValueSet(Struct, frozen=True):
    """``let name : …``: values for symbols, those of other sets included."""

    name: str
    sets: tuple[str, ...]
    bindings: tuple[Binding, ...]
    span: Span


class NamedValue(Struct, frozen=True):
    """``name := formula bindings``, or ``name := quoted``, which has no formula."""

    name: str
    unit: str | None
    dimension: Dimension | None
    formula: str | None
    sets: tuple[str, ...]
    bindings: tuple[Binding, ...]
    span: Span


class FaultyDeclaration(Struct, frozen=True):
    """A declaration that cannot be read; ``name`` is what it would have declared, if that much is clear."""

    name: str | None
    message: str
    span: Span


Declaration = Formula | ValueSet | NamedValue


def parse_block(path: str, lines: Sequence[tuple[str, int]]) -> list[Declaration | FaultyDeclaration]:
    """Read the declarations of a block, its ``lines`` given as (text, offset in the file at ``path``).

    One declaration a line; a line that begins with a blank continues the one before, once the indentation
    that is common to the block is taken away; ``#`` begins a comment.
    """
    return [_declaration(path, statement) for statement in _statements(lines)]


def _statements(lines: Sequence[tuple[str, int]]) -> Iterator[Passage]:
    """Join the lines of each declaration, its characters tied to their places."""
    bare = [(text.split("#", 1)[0].rstrip(), offset) for text, offset in lines]
    bare = [(text, offset) for text, offset in bare if text]
    common = min((len(text) - len(text.lstrip()) for text, _ in bare), default=0)
    text, pieces = "", list[Piece]()
    for line, offset in bare:
        indent = len(line) - len(line.lstrip())
        if indent == common and text:
            yield Passage(text, tuple(pieces))
            text, pieces = "", []
        text += " " if text else ""
        stripped = line.strip()
        begin = offset + indent
        pieces.append(Piece(len(text), begin, begin + len(stripped), Style.PROSE, verbatim=True))
        text += stripped
    if text:
        yield Passage(text, tuple(pieces))


def _declaration(path: str, statement: Passage) -> Declaration | FaultyDeclaration:
    name: str | None = None
    start, end = 0, len(statement.text)
    try:
        parser = Parser(statement.text)
        is_set = statement.text.split(maxsplit=1)[0] == "let"
        if is_set:
            parser.at = len("let")
            parser.skip()
        name = parser.dotted("a declaration")
        span = Span(path, *statement.range(0, parser.at))
        if is_set:
            return _set(parser, name, span)
        return _formula_or_value(parser, name, span)
    except MalformedError as error:
        start, end = error.start, end if error.end is None else error.end
        return FaultyDeclaration(name, error.message, Span(path, *statement.range(start, end)))


def _set(parser: Parser, name: str, span: Span) -> ValueSet:
    if "." in name:
        parser.fail(f"the name of a set has no dots: `{name}`", 0)
    parser.expect(":")
    sets, bindings = _bindings(parser)
    return ValueSet(name, sets, bindings, span)


def _formula_or_value(parser: Parser, name: str, span: Span) -> Formula | NamedValue:
    unit, dimension = _declared_unit(parser)
    parser.skip()
    if parser.takes(":="):
        parser.skip()
        if parser.sees("quoted") and parser.text[parser.at :].strip() == "quoted":
            return NamedValue(name, unit, dimension, None, (), (), span)
        formula = parser.free_name("a formula")
        sets, bindings = _bindings(parser)
        return NamedValue(name, unit, dimension, formula, sets, bindings, span)
    if "." in name:
        parser.fail(f"the name of a formula has no dots; a value is declared by `{name} :=`", 0)
    parser.expect("=")
    expression = parser.expression()
    if not parser.ended():
        parser.fail(f"an operator expected, {parser.seen()}")
    return Formula(name, unit, PLAIN if dimension is None else dimension, expression, span)


def _declared_unit(parser: Parser) -> tuple[str | None, Dimension | None]:
    parser.skip()
    start = parser.at
    if not parser.takes("["):
        return None, None
    end = parser.text.find("]", start)
    if end < 0:
        parser.fail("`[` is never closed", start)
    parser.at = end + 1
    unit = parser.text[start + 1 : end].strip()
    if unit == "%":
        return unit, PLAIN
    try:
        return unit, parse_unit(unit).dimension
    except ValueError as error:
        parser.fail(str(error), start)


def _bindings(parser: Parser) -> tuple[tuple[str, ...], tuple[Binding, ...]]:
    """Read the sets and bindings of a declaration, which hold no sweeps and no columns."""
    sets: list[str] = []
    bindings: list[Binding] = []
    while not parser.ended():
        start = parser.at
        if parser.takes("@"):
            sets.append(parser.name("the name of a set"))
            continue
        binding = parser.binding()
        if binding.sweep or binding.column is not None:
            parser.fail(f"`{binding.name}` has a {'sweep' if binding.sweep else 'column'}: only a claim may", start)
        if any(binding.name == other.name for other in bindings):
            parser.fail(f"`{binding.name}` is bound twice", start)
        bindings.append(binding)
    return tuple(sets), tuple(bindings)


class Namespace:
    """All declarations that a book sees, and the problems they have of their own.

    ``faulty`` names have a declaration that is malformed, or rely on one: claims on them are silent.
    """

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.faulty: set[str] = set()
        self._declared: dict[str, Declaration] = {}
        self._own: set[str] = set()
        self._needed: dict[str, frozenset[str]] = {}  # the symbols that each formula asks of its environment
        self._sets: dict[str, dict[str, Node]] = {}  # what each set binds, included sets and all
        self._reach: dict[str, frozenset[str]] = {}  # the formulas that each one relies on, itself included

    @classmethod
    def of(
        cls,
        declarations: Iterable[Declaration | FaultyDeclaration],
        library: Iterable[Formula] = (),
    ) -> Namespace:
        """Join the declarations of a book, in its order, with the formulas of a library that it does not replace.

        A formula of the library that calls a replaced one may be faulty then; nothing is said of that.
        """
        names = cls()
        for declaration in declarations:
            names._add(declaration)
        names._own = names._declared.keys() | names.faulty
        names._declared |= {formula.name: formula for formula in library if formula.name not in names._own}
        names._find_unknown()
        names._find_circles()
        names._find_misspelled()
        return names

    def formula(self, name: str) -> Formula | None:
        """Return the formula of that name."""
        found = self._declared.get(name)
        return found if isinstance(found, Formula) else None

    def formula_names(self) -> Iterator[str]:
        """Yield the names of all formulas that can be read."""
        for name, declaration in self._declared.items():
            if isinstance(declaration, Formula) and name not in self.faulty:
                yield name

    def named_value(self, name: str) -> NamedValue | None:
        """Return the named or quoted value of that name."""
        found = self._declared.get(name)
        return found if isinstance(found, NamedValue) else None

    def named_values(self) -> Iterator[NamedValue]:
        """Yield all named and quoted values that can be read."""
        for name, declaration in self._declared.items():
            if isinstance(declaration, NamedValue) and name not in self.faulty:
                yield declaration

    def has_set(self, name: str) -> bool:
        """Say whether a set of that name is declared."""
        return isinstance(self._declared.get(name), ValueSet)

    def nearest(self, name: str, what: str) -> str | None:
        """Return the declared name that is most like ``name`` and may stand in its place; None if none is like it.

        ``what`` is what the name should be: a ``set``, a ``value``, a ``formula``, or a ``formula or value``.
        """
        kinds = {ValueSet: "set", NamedValue: "value", Formula: "formula"}
        fitting = [known for known, declared in self._declared.items() if kinds[type(declared)] in what]
        if "formula" in what:
            from lintbook.calculator.library import library

            fitting += library()
        return nearest(name, fitting)

    def bound_by(self, sets: Iterable[str], bindings: Iterable[Binding] = ()) -> dict[str, Node]:
        """Return what sets and bindings give: later sets override earlier ones, bindings all sets."""
        bound: dict[str, Node] = {}
        for name in sets:
            bound |= self._sets[name]
        return bound | {binding.name: binding.values[0] for binding in bindings}

    def symbols(self, node: Node) -> frozenset[str]:
        """Return the symbols that an expression asks of its environment, also through formulas it calls."""
        found: set[str] = set()
        if isinstance(node, Number):
            return frozenset()
        for part in walk(node):
            if isinstance(part, Symbol):
                found.add(part.name)
            else:
                changed = {name for name, _ in part.bindings}
                found |= self._needed.get(part.name, frozenset()) - changed
        return frozenset(found)

    def reach(self, node: Node) -> frozenset[str]:
        """Return the formulas that an expression calls, and those that they call."""
        called = [self._reach.get(part.name, frozenset()) for part in walk(node) if isinstance(part, Call)]
        return frozenset[str]().union(*called)

    def is_own(self, name: str) -> bool:
        """Say whether the book itself declares the name; else it is the library's."""
        return name in self._own

    def evaluator(self) -> Evaluator:
        """Return an evaluator, for one claim, that can call these formulas."""
        return Evaluator(self._call)

    def _call(self, name: str, environment: Environment, evaluator: Evaluator) -> Quantity:
        formula = self.formula(name)
        assert formula is not None  # undeclared names were found before anything is evaluated
        try:
            result = nearest_integer(evaluator.evaluate(formula.expression, environment))
        except DimensionError as error:
            if error.formula is None:
                raise DimensionError(error.message, name) from error
            raise
        if result.dimension != formula.dimension:
            raise DimensionError(_misdeclared(formula, result), name, result)
        return result

    def _add(self, declaration: Declaration | FaultyDeclaration) -> None:
        if isinstance(declaration, FaultyDeclaration):
            self.problems.append(Problem(Kind.MALFORMED, declaration.span, declaration.message))
            if declaration.name:
                self.faulty.add(declaration.name)
            return
        first = self._declared.setdefault(declaration.name, declaration)
        if meaning(first) != meaning(declaration):
            self.faulty.add(declaration.name)
            message = f"`{declaration.name}` is declared before, differently"
            related = (Related(first.span, "the first declaration"),)
            self.problems.append(Problem(Kind.MALFORMED, declaration.span, message, related))

    def _fault(self, name: str, problem: Problem) -> None:
        """Call a declaration faulty; of one in the library nothing is said, for the book's author did not write it."""
        self.faulty.add(name)
        if self.is_own(name):
            self.problems.append(problem)

    def _find_unknown(self) -> None:
        """Report what names an undeclared formula or set; it is faulty, and so is all that relies on it."""
        for name, declaration in self._declared.items():
            for used, what in _used(declaration):
                fits = self.has_set(used) if what == "set" else self.formula(used) is not None
                if not fits and used not in self.faulty:
                    self._fault(name, unknown(self, used, what, declaration.span))
                    break

    def _find_circles(self) -> None:
        """Report declarations that rely on themselves, one problem for each circle."""
        graph = self._graph()
        while True:
            try:
                order = list(TopologicalSorter(graph).static_order())
                break
            except CycleError as error:
                circle = set(error.args[1])
                self._report_circle([name for name in self._declared if name in circle])
                graph = {name: used - circle for name, used in graph.items() if name not in circle}
        for name in order:
            self._resolve(name, self._declared[name])

    def _resolve(self, name: str, declaration: Declaration) -> None:
        """Work out what a declaration amounts to; those that it relies on were resolved before."""
        if any(used in self.faulty for used, _ in _used(declaration)):
            self.faulty.add(name)
        if isinstance(declaration, Formula):
            self._needed[name] = self.symbols(declaration.expression)
            self._reach[name] = self.reach(declaration.expression) | {name}
        elif isinstance(declaration, ValueSet) and name not in self.faulty:
            self._sets[name] = self.bound_by(declaration.sets, declaration.bindings)

    def _graph(self) -> dict[str, set[str]]:
        return {
            name: {used for used, _ in _used(declaration) if used in self._declared}
            for name, declaration in self._declared.items()
        }

    def _report_circle(self, circle: list[str]) -> None:
        self.faulty |= set(circle)
        first, *others = sorted((self._declared[name] for name in circle), key=lambda each: not self.is_own(each.name))
        message = f"`{first.name}` relies on itself"
        if others:
            message += " through " + ", ".join(f"`{other.name}`" for other in others)
        own = [other for other in others if self.is_own(other.name)]
        related = tuple(Related(other.span, f"`{other.name}` is part of the circle") for other in own)
        self._fault(first.name, Problem(Kind.MALFORMED, first.span, message, related))

    def _find_misspelled(self) -> None:
        """Report bindings in declarations that serve nothing: a misspelt symbol would keep its old value."""
        for name, declaration in self._declared.items():
            if name in self.faulty:
                continue
            for symbol in self._useless(declaration):
                message = f"nothing uses the binding of `{symbol}`"
                self._fault(name, Problem(Kind.MALFORMED, declaration.span, message))

    def _useless(self, declaration: Declaration) -> list[str]:
        if isinstance(declaration, NamedValue) and declaration.formula:
            call = Call(declaration.formula, ())
            bound = self.bound_by(declaration.sets, declaration.bindings)
            used = self.used(call, bound, declaration.bindings)
            return [binding.name for binding in declaration.bindings if binding.name not in used]
        if isinstance(declaration, Formula):
            calls = [part for part in walk(declaration.expression) if isinstance(part, Call)]
            return [s for call in calls for s, _ in call.bindings if s not in self._needed.get(call.name, ())]
        return []

    def used(self, target: Node, bound: Mapping[str, Node], bindings: Sequence[Binding]) -> set[str]:
        """Return the symbols that ``target`` needs, those of the expressions bound to them included.

        ``bindings`` are the written ones, whose sweeps have further values than ``bound`` has.
        """
        expressions: dict[str, Sequence[Node]] = {name: (node,) for name, node in bound.items()}
        expressions |= {binding.name: binding.values for binding in bindings if binding.sweep}
        found: set[str] = set()
        pending = set(self.symbols(target))
        while pending:
            found |= pending
            nodes = [node for name in pending for node in expressions.get(name, ())]
            pending = {name for node in nodes for name in self.symbols(node)} - found
        return found


def unknown(names: Namespace, name: str, what: str, span: Span) -> Problem:
    """Return the problem that no formula, value or set ``name`` is declared, with the nearest name that is."""
    nearest = names.nearest(name, what)
    advice = f"did you mean `{nearest}`?" if nearest else None
    return Problem(Kind.UNKNOWN, span, f"no {what} `{name}` is declared", advice=advice)


def meaning(declaration: Declaration) -> Declaration:
    """Return a declaration without its places: what of it two declarations of one thing have in common."""
    bare = replace(declaration, span=Span("", 0, 0))
    if isinstance(bare, Formula):
        return bare
    return replace(bare, bindings=tuple(replace(binding, start=0, end=0) for binding in bare.bindings))


def _used(declaration: Declaration) -> Iterator[tuple[str, str]]:
    """Yield the names that a declaration relies on, and what each must be: a ``formula`` or a ``set``."""
    nodes: list[Node] = []
    if isinstance(declaration, Formula):
        nodes = [declaration.expression]
    else:
        yield from ((name, "set") for name in declaration.sets)
        nodes = [value for binding in declaration.bindings for value in binding.values]
        if isinstance(declaration, NamedValue) and declaration.formula:
            yield declaration.formula, "formula"
    for node in nodes:
        yield from ((part.name, "formula") for part in walk(node) if isinstance(part, Call))


def _misdeclared(formula: Formula, result: Quantity) -> str:
    declared = f"declared in {formula.unit}" if formula.dimension != PLAIN else "declared as a plain number"
    if result.dimension != PLAIN:
        return f"{declared}, but gives {result.dimension}"
    return f"{declared}, counts elements" if formula.dimension.information else f"{declared}, but gives a plain number"
