"""Configuration: what an author asks for in ``lintbook.toml``, or below ``[tool.lintbook]`` of ``pyproject.toml``.

The file for a book is the nearest at its root or above it, as far as the top of its repository. What the file may say
is declared once: by the fields of ``Settings`` and ``Section``, and by the keyword-only parameters of the rules, whose
annotations are the types that values are held to. Whatever is not declared is an error with its place.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_type_hints

from msgspec import Struct, field
from msgspec.structs import replace

from lintbook.diagnostic import Severity, Trouble
from lintbook.dialect import Dialect
from lintbook.files import read
from lintbook.globs import Globs
from lintbook.likeness import nearest
from lintbook.rule import Rule, Status, unknown_selector
from lintbook.typed import RefusedError, convert, field_of, name_of
from lintbook.vocabulary import COLUMNS, KINDS, Kind, Vocabulary, standard_vocabulary

if TYPE_CHECKING:
    from lintbook.parse.toml import Keys, TomlDocument

FILE_NAME = "lintbook.toml"
_SHARED_FILE_NAME = "pyproject.toml"
_SHARED_TABLE: Keys = ("tool", "lintbook")
_EMPTY: Mapping[str, Any] = MappingProxyType({})


class KindSpellings(Struct, frozen=True):
    """How a book spells a kind of box: words in text, prefixes in anchors; added to those of a known kind."""

    words: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()


class ColumnHeadings(Struct, frozen=True):
    """What else a book writes above the columns of its tables of errata, open questions and terms, by their roles."""

    location: tuple[str, ...] = ()
    page: tuple[str, ...] = ()
    original: tuple[str, ...] = ()
    correction: tuple[str, ...] = ()
    question: tuple[str, ...] = ()
    term: tuple[str, ...] = ()
    mistake: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()


class Section(Struct, frozen=True):
    """What may be said of all paths or of some: rules on and off, their severities.

    A selector is a rule's name, its code, the beginning of codes (``BOX``), a family (``boxes``) or ``ALL``; the
    narrowest that fits a rule decides, and of two alike the one that switches off.
    """

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)


class Settings(Struct, frozen=True):
    """What may be said once for a whole book. Patterns of paths count from the folder of the file."""

    exclude: tuple[str, ...] = ()  # patterns of files that are no part of the book
    gitignore: bool = True  # whether what .gitignore names is left out too
    dialect: Dialect | None = None  # the renderer, where the project file does not tell
    retired: tuple[str, ...] = ()  # patterns of pages that are kept for their old addresses alone
    fail_on: Severity = Severity.WARNING  # the least severity that makes the exit status 1
    baseline: str | None = None  # the file of known diagnostics
    kinds: Mapping[str, KindSpellings] = field(default_factory=dict)
    columns: ColumnHeadings = ColumnHeadings()


Options = Mapping[str, Mapping[str, Any]]
"""Options that were given, by the name of the rule."""


class _Layer(Struct, frozen=True):
    """A section as it was read, with the options of rules given in it."""

    section: Section
    options: Options


class Treatment(Struct, frozen=True):
    """How one path is held: the rules that are on, with the severities in force, and their options."""

    rules: Mapping[str, Rule]
    options: Options

    def options_of(self, rule: Rule) -> Mapping[str, Any]:
        """Return the options that ``rule`` was given; what was not given is left to its defaults."""
        return self.options.get(rule.name, _EMPTY)


class Overrides(Struct, frozen=True):
    """What the command line says over the files: another file or none, and rules on and off."""

    file: str | None = None
    isolated: bool = False
    section: Section = Section()


class Configuration(Struct, frozen=True, dict=True):
    """What is in force for one book; ``file`` is where it was read, if anywhere, relative to ``working_directory``.

    Patterns of paths count from ``folder``, which is absolute, as the working directory is.
    """

    rules: tuple[Rule, ...]
    working_directory: Path
    folder: Path
    file: str | None = None
    settings: Settings = Settings()
    layer: _Layer = _Layer(Section(), _EMPTY)
    per_path: Mapping[str, _Layer] = field(default_factory=dict)
    overrides: Section = Section()
    document: TomlDocument | None = None
    home: Keys = ()  # the keys that lead to what the document says about lintbook

    def treatment(self, path: str) -> Treatment:
        """Return how the file at ``path`` is held."""
        fitting = tuple(number for number, globs in enumerate(self._path_globs) if globs.covers(self._inner(path)))
        if fitting not in self._treatments:
            layers = [self.layer, *(self._path_layers[number] for number in fitting)]
            self._treatments[fitting] = self._resolve(layers)
        return self._treatments[fitting]

    @cached_property
    def treatment_of_all(self) -> Treatment:
        """How paths are held of which nothing else is said."""
        return self._resolve([self.layer])

    @cached_property
    def _treatments(self) -> dict[tuple[int, ...], Treatment]:
        return {(): self.treatment_of_all}

    @cached_property
    def _path_globs(self) -> list[Globs]:
        return [Globs([pattern]) for pattern in self.per_path]

    @cached_property
    def _path_layers(self) -> list[_Layer]:
        return list(self.per_path.values())

    def _resolve(self, layers: Sequence[_Layer]) -> Treatment:
        sections = [*(layer.section for layer in layers), self.overrides]
        severities: dict[str, Severity] = {}
        options: dict[str, dict[str, Any]] = {}
        for section in sections:
            severities.update(_severities(self.rules, section.severity))
        for layer in layers:
            for name, given in layer.options.items():
                options.setdefault(name, {}).update(given)
        on = {
            rule.name: replace(rule, severity=severities.get(rule.name, rule.severity))
            for rule in _selected(self.rules, sections)
        }
        return Treatment(on, options)

    def _inner(self, path: str) -> str:
        if self.folder == self.working_directory:
            return path
        return _posix(os.path.relpath(self.working_directory / path, self.folder))

    def is_retired(self, path: str) -> bool:
        """Return whether the page at ``path`` is kept for its old address alone."""
        return self._retired.covers(self._inner(path))

    @cached_property
    def _retired(self) -> Globs:
        return Globs(self.settings.retired)

    def excludes(self, path: str, *, is_folder: bool) -> bool:
        """Return whether the file or folder at ``path`` itself is excluded; so is what stands in an excluded folder."""
        return bool(self._excluded and self._excluded.decides(self._inner(path), is_folder=is_folder))

    @property
    def gitignore(self) -> bool:
        """Whether what .gitignore names is left out of the book."""
        return self.settings.gitignore

    @cached_property
    def _excluded(self) -> Globs:
        return Globs(self.settings.exclude)

    @property
    def baseline(self) -> str | None:
        """The path of the baseline that the file names, relative to the working directory."""
        if self.settings.baseline is None:
            return None
        return _posix(os.path.relpath(self.folder / self.settings.baseline, self.working_directory))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The kinds of boxes that the book may use, and what it may write above the columns of records."""
        if not self.settings.kinds and self.settings.columns == ColumnHeadings():
            return standard_vocabulary()
        known = {kind.name: kind for kind in KINDS}
        for name, more in self.settings.kinds.items():
            kind = known.get(name, Kind(name, (), ()))
            prefixes = tuple(prefix.lower() for prefix in more.prefixes)
            known[name] = replace(kind, words=(*kind.words, *more.words), prefixes=(*kind.prefixes, *prefixes))
        columns = tuple(
            replace(column, words=(*column.words, *map(str.lower, getattr(self.settings.columns, column.role))))
            for column in COLUMNS
        )
        return Vocabulary(tuple(known.values()), columns)


# Selecting rules


def _narrowest(selectors: Sequence[str], rule: Rule) -> int | None:
    return min((width for each in selectors if (width := rule.width(each)) is not None), default=None)


def _selected(rules: Sequence[Rule], sections: Sequence[Section]) -> list[Rule]:
    """Return the rules that are on after all sections, each of which has the last word over those before it."""
    on = {rule.name: rule.status in (Status.STABLE, Status.DEPRECATED) for rule in rules}
    for section in sections:
        for rule in rules:
            chosen = _narrowest((*(section.select or ()), *section.extend_select), rule)
            if rule.status is Status.PREVIEW and chosen != 0:
                chosen = None  # what may still change is switched on by its own name only
            dropped = _narrowest(section.ignore, rule)
            if dropped is not None and (chosen is None or dropped <= chosen):
                on[rule.name] = False
            elif chosen is not None or section.select is not None:
                on[rule.name] = chosen is not None
    return [rule for rule in rules if on[rule.name]]


def _severities(rules: Sequence[Rule], given: Mapping[str, Severity]) -> dict[str, Severity]:
    found = {}
    for rule in rules:
        widths = [(width, severity) for each, severity in given.items() if (width := rule.width(each)) is not None]
        if widths:
            found[rule.name] = min(widths)[1]
    return found


# Finding the file


class Configurations:
    """The configurations of the books of a run; each file is read once. ``troubles`` tells what was wrong in them."""

    def __init__(self, rules: Sequence[Rule], working_directory: Path, overrides: Overrides | None = None) -> None:
        self._rules = tuple(rules)
        self._top = Path(os.path.normpath(working_directory.absolute()))
        self._overrides = overrides or Overrides()
        self._found: dict[Path, Configuration] = {}
        self.troubles: list[Trouble] = []

    @cached_property
    def _default(self) -> Configuration:
        return Configuration(self._rules, self._top, self._top, overrides=self._overrides.section)

    @cached_property
    def _named(self) -> Configuration:
        """The configuration of the file that the command line names; its patterns count from the working directory."""
        assert self._overrides.file is not None
        found = self._read(self._overrides.file, named=True)
        return replace(found, folder=self._top) if found is not None else self._default

    @property
    def places(self) -> frozenset[str]:
        """The paths, absolute or from the working directory, at which a file was looked for so far."""
        if self._overrides.file is not None:
            return frozenset({self._overrides.file})
        return frozenset(str(folder / name) for folder in self._found for name in (FILE_NAME, _SHARED_FILE_NAME))

    def may_stand_in(self, path: str) -> bool:
        """Return whether a configuration may stand in the file at ``path``, relative to the working directory."""
        named = self._overrides.file
        if named is not None:
            return os.path.normpath(self._top / path) == os.path.normpath(self._top / named)
        return path.rpartition("/")[2] in (FILE_NAME, _SHARED_FILE_NAME)

    def of(self, root: str) -> Configuration:
        """Return the configuration for the book whose root is the folder ``root``."""
        if self._overrides.isolated:
            return self._default
        if self._overrides.file is not None:
            return self._named
        return self._at(Path(os.path.normpath(self._top / root)))

    def _at(self, folder: Path) -> Configuration:
        """Return the configuration that is found at ``folder`` or above it, as far as the top of the repository."""
        if folder not in self._found:
            own = self._in_folder(folder)
            if own is None and folder != folder.parent and not (folder / ".git").exists():
                own = self._at(folder.parent)
            self._found[folder] = own or self._default
        return self._found[folder]

    def _in_folder(self, folder: Path) -> Configuration | None:
        for name in (FILE_NAME, _SHARED_FILE_NAME):
            if (folder / name).is_file():
                found = self._read(_posix(os.path.relpath(folder / name, self._top)))
                if found is not None:
                    return found
        return None

    def _read(self, path: str, *, named: bool = False) -> Configuration | None:
        """Read the file at ``path``; None if it has nothing to say. What is wrong with it becomes a trouble."""
        source, trouble = read(path, self._top)
        if trouble is not None:
            self.troubles.append(trouble)
        folder = (self._top / path).parent
        nothing = Configuration(self._rules, self._top, folder, path, overrides=self._overrides.section)
        is_shared = path.rpartition("/")[2] == _SHARED_FILE_NAME
        if source is None or (is_shared and "lintbook" not in source.text):
            return None if is_shared and not named else nothing
        from lintbook.parse.toml import read_toml

        document = read_toml(source)
        if isinstance(document, Trouble):
            self.troubles.append(document)
            return nothing
        reader = _Reader(document, self._rules, self.troubles)
        keys = _SHARED_TABLE if is_shared else ()
        table = _table_at(document.table, keys)
        if table is None and not named:
            return None
        return reader.read(nothing, table or {}, keys)


def _posix(path: str) -> str:
    return path.replace(os.sep, "/")


def _table_at(table: Any, keys: Keys) -> Any:
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table


# Reading the file


class _Reader:
    """Reads one file. What is wrong is noted with its place, and what was not given is left at its default."""

    def __init__(self, document: TomlDocument, rules: Sequence[Rule], troubles: list[Trouble]) -> None:
        self._document = document
        self._rules = {rule.name: rule for rule in rules}
        self._families = {rule.family for rule in rules}
        self._troubles = troubles

    def read(self, nothing: Configuration, table: Any, keys: Keys) -> Configuration:
        """Read what stands in ``table``, to which ``keys`` lead."""
        if not isinstance(table, dict):
            self._note(keys, f"`{'.'.join(keys)}` is not a table")
            return nothing
        homes = {*self._families, "rules", "per-path"}
        self._refuse_unknown(table, keys, {*_names(Settings), *_names(Section), *homes})
        return replace(
            nothing,
            document=self._document,
            home=keys,
            settings=self._fields(Settings, table, keys),
            layer=self._layer(table, keys),
            per_path=dict(self._per_path(table, keys)),
        )

    def _per_path(self, table: Mapping[str, Any], keys: Keys) -> list[tuple[str, _Layer]]:
        layers = []
        sections = self._table(table, keys, "per-path")
        for pattern, section in sections.items():
            inside = (*keys, "per-path", pattern)
            if not isinstance(section, dict):
                self._note(inside, f'`{pattern}` is not a table: write `[per-path."{pattern}"]`')
                continue
            self._refuse_unknown(section, inside, {*_names(Section), *self._families, "rules"})
            layers.append((pattern, self._layer(section, inside)))
        return layers

    def _layer(self, table: Mapping[str, Any], keys: Keys) -> _Layer:
        section: Section = self._fields(Section, table, keys)
        for name in ("select", "extend-select", "ignore"):
            given = getattr(section, field_of(name)) or ()
            for number, selector in enumerate(given):
                self._check_selector(selector, (*keys, name, str(number)))
        for selector in section.severity:
            self._check_selector(selector, (*keys, "severity", selector))
        return _Layer(section, self._options(table, keys))

    def _check_selector(self, selector: str, keys: Keys) -> None:
        problem = unknown_selector(selector, tuple(self._rules.values()))
        if problem is not None:
            self._note(keys, problem)

    def _options(self, table: Mapping[str, Any], keys: Keys) -> Options:
        """Read the options of rules: of a whole family in its own table, of one rule in ``rules``."""
        options: dict[str, dict[str, Any]] = {}
        for family in sorted(self._families & table.keys()):
            self._family_options(family, table, keys, options)
        given = self._table(table, keys, "rules")
        self._refuse_unknown(given, (*keys, "rules"), set(self._rules), what="rule")
        for name, values in given.items():
            if name in self._rules:
                inside = (*keys, "rules", name)
                if not isinstance(values, dict):
                    self._note(inside, f"`{name}` is not a table: write `[rules.{name}]`")
                    continue
                known = self._rules[name].option_types()
                self._refuse_unknown(values, inside, {name_of(each) for each in known}, what=f"option of `{name}`")
                options.setdefault(name, {}).update(self._values(values, inside, known))
        return options

    def _family_options(
        self, family: str, table: Mapping[str, Any], keys: Keys, options: dict[str, dict[str, Any]]
    ) -> None:
        """Read the table of a family: each key goes to every rule of the family that has such an option.

        An option that is called like its family takes the whole table.
        """
        inside = (*keys, family)
        values = self._table(table, keys, family)
        members = {rule.name: rule.option_types() for rule in self._rules.values() if rule.family == family}
        if any(family in types for types in members.values()):
            for name, types in members.items():
                if family in types:
                    options.setdefault(name, {}).update(self._values({family: values}, keys, {family: types[family]}))
            return
        known = {name_of(option) for types in members.values() for option in types}
        self._refuse_unknown(values, inside, known, what=f"option of the {family} rules")
        for name, types in members.items():
            found = self._values(values, inside, types)
            if found:
                options.setdefault(name, {}).update(found)

    def _values(self, table: Mapping[str, Any], keys: Keys, types: Mapping[str, Any]) -> dict[str, Any]:
        """Return by field the values of ``table`` that are of the right type; of the others say what is wrong."""
        found = {}
        for name, wanted in types.items():
            key = name_of(name)
            if key not in table:
                continue
            try:
                found[name] = convert(table[key], wanted)
            except RefusedError as refusal:
                self._refuse((*keys, key), refusal)
        return found

    def _fields(self, owner: type[Any], table: Mapping[str, Any], keys: Keys) -> Any:
        return owner(**self._values(table, keys, get_type_hints(owner)))

    def _table(self, table: Mapping[str, Any], keys: Keys, key: str) -> Mapping[str, Any]:
        value = table.get(key, {})
        if isinstance(value, dict):
            return value
        self._note((*keys, key), f"`{key}` is not a table")
        return {}

    def _refuse_unknown(self, table: Mapping[str, Any], keys: Keys, known: set[str], what: str = "key") -> None:
        for key in table:
            if key not in known:
                meant = nearest(name_of(key), sorted(known))
                hint = f"did you mean `{meant}`?" if meant else f"known are {_listed(known)}"
                self._note((*keys, key), f"`{key}` is no {what}; {hint}")

    def _refuse(self, keys: Keys, refusal: RefusedError) -> None:
        inside = (*keys, *refusal.keys)
        shown = ".".join(key for key in inside if not key.isdigit())
        place = self._document.key_place(inside) if refusal.is_key else self._document.value_place(inside)
        self._troubles.append(Trouble(self._document.source.path, f"`{shown}` {refusal.message}", *place))

    def _note(self, keys: Keys, message: str) -> None:
        self._troubles.append(Trouble(self._document.source.path, message, *self._document.key_place(keys)))


def _names(owner: type[Any]) -> set[str]:
    return set(map(name_of, owner.__struct_fields__))


def _listed(known: set[str]) -> str:
    return ", ".join(f"`{key}`" for key in sorted(known)) or "none"
