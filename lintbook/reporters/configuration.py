"""What is in force for a book, as a configuration file that says where each value comes from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from lintbook.patterns import regex
from lintbook.typed import name_of

if TYPE_CHECKING:
    from lintbook.config import Configuration
    from lintbook.parse.toml import Keys

_BARE = regex(r"[A-Za-z0-9_-]+")
_DEFAULT, _COMMAND_LINE = "default", "command line"


def render(configuration: Configuration) -> Iterator[str]:
    """Yield the lines of a TOML document: settings of the book, severities, paths, and the options of rules."""
    yield f"# configuration file: {configuration.file or 'none'}"
    treatment = configuration.treatment_of_all
    off = [rule.name for rule in configuration.rules if rule.name not in treatment.rules]
    yield f"# rules on: {len(treatment.rules)} of {len(configuration.rules)}{'; off: ' if off else ''}{', '.join(off)}"
    yield from _section(configuration)
    yield from _settings(configuration)
    yield from _severities(configuration)
    yield from _kinds(configuration)
    for name, rule in treatment.rules.items():
        given = treatment.options_of(rule)
        if rule.options:
            yield ""
            yield f"[rules.{name}]"
        for option, default in rule.options.items():
            origin = _option_origin(configuration, name, rule.family, option) if option in given else _DEFAULT
            yield _line(name_of(option), given.get(option, default), origin)
    for pattern, layer in configuration.per_path.items():
        keys = ("per-path", pattern)
        yield ""
        yield f"[{_joined(keys)}]"
        for field in layer.section.__struct_fields__:
            value = getattr(layer.section, field)
            if value:
                yield _line(name_of(field), value, _origin(configuration, (*keys, name_of(field))))
        for name, options in layer.options.items():
            yield _line(f"rules.{name}", options, _origin(configuration, keys))


def _section(configuration: Configuration) -> Iterator[str]:
    section, over = configuration.layer.section, configuration.overrides
    for field in ("select", "extend_select", "ignore"):
        name = name_of(field)
        if getattr(over, field):
            yield _line(name, getattr(over, field), _COMMAND_LINE)
        elif field == "select" and section.select is None:
            yield _line(name, ("ALL",), _DEFAULT)
        else:
            yield _line(name, getattr(section, field), _origin(configuration, (name,)))


def _settings(configuration: Configuration) -> Iterator[str]:
    for field in configuration.settings.__struct_fields__:
        name = name_of(field)
        value = getattr(configuration.settings, field)
        if field != "kinds":
            yield _line(name, value, _origin(configuration, (name,)))


def _severities(configuration: Configuration) -> Iterator[str]:
    given = configuration.layer.section.severity
    if given:
        yield ""
        yield "[severity]"
    for selector, severity in given.items():
        yield _line(selector, severity, _origin(configuration, ("severity", selector)))


def _kinds(configuration: Configuration) -> Iterator[str]:
    for kind, spellings in configuration.settings.kinds.items():
        yield ""
        yield f"[{_joined(('kinds', kind))}]"
        for field in spellings.__struct_fields__:
            yield _line(field, getattr(spellings, field), _origin(configuration, ("kinds", kind, field)))


def _option_origin(configuration: Configuration, rule: str, family: str, option: str) -> str:
    """Return where an option was given: for the rule itself, for its family, or as the table of the family."""
    for keys in (("rules", rule, name_of(option)), (family, name_of(option)), (family,)):
        origin = _origin(configuration, keys)
        if origin != _DEFAULT:
            return origin
    return _DEFAULT


def _origin(configuration: Configuration, keys: Keys) -> str:
    document = configuration.document
    inside = (*configuration.home, *keys)
    if document is None or not document.has(inside):
        return _DEFAULT
    return f"{configuration.file}:{document.key_place(inside).line}"


def _line(name: str, value: Any, origin: str) -> str:
    if value is None:
        return f"# {name} is not set  # {origin}"
    return f"{name if _BARE.fullmatch(name) or '.' in name else _quoted(name)} = {toml(value)}  # {origin}"


def _joined(keys: Keys) -> str:
    return ".".join(key if _BARE.fullmatch(key) else _quoted(key) for key in keys)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def toml(value: Any) -> str:
    """Return a value as TOML writes it on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Enum):
        return toml(value.value)
    if isinstance(value, re.Pattern):
        return _quoted(value.pattern)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, tuple | list | frozenset):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, Struct):
        named = {name_of(field): getattr(value, field) for field in value.__struct_fields__}
        return toml({name: each for name, each in named.items() if each is not None})
    if isinstance(value, Mapping):
        pairs = (f"{_joined((name_of(str(key)),))} = {toml(each)}" for key, each in value.items())
        inner = ", ".join(pairs)
        return f"{{ {inner} }}" if inner else "{}"
    return str(value)
