"""Values of a configuration file held to the types that code declares for them, by annotations.

A key is a field's name with ``-`` for ``_``. What is of another type is refused with the keys that lead to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields

from lintbook.likeness import nearest


class RefusedError(Exception):
    """A value is not what it must be: ``message`` says what it is not, ``keys`` lead to it from the outer value.

    ``is_key`` if the last key itself is wrong, and not the value that it leads to.
    """

    def __init__(self, message: str, keys: tuple[str, ...] = (), *, is_key: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.keys = keys
        self.is_key = is_key

    def inside(self, key: str) -> RefusedError:
        """Return this refusal as seen from outside the value that ``key`` leads to."""
        return RefusedError(self.message, (key, *self.keys), is_key=self.is_key)


def name_of(field: str) -> str:
    """Return how a file spells the name of a field: ``extend_select`` is ``extend-select``."""
    return field.replace("_", "-")


def field_of(name: str) -> str:
    """Return the field that a file calls ``name``."""
    return name.replace("-", "_")


def convert(value: Any, wanted: Any) -> Any:
    """Return a value of TOML as one of the type ``wanted``; raise RefusedError where it is none.

    Types are bool, int, float, str, date, ``re.Pattern`` (of a string), enumerations and literals of strings, tuples
    and mappings of these, structs, and unions, of which the first that fits is taken.
    """
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin in (Union, UnionType):
        return _union(value, [each for each in arguments if each is not NoneType])
    if origin is tuple:
        return _tuple(value, arguments)
    if origin in (Mapping, dict):
        return _mapping(value, arguments[1])
    if origin is Literal:
        return _choice(value, {each: each for each in arguments})
    if origin is re.Pattern:
        return _pattern(value)
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return _choice(value, {each.value: each for each in wanted})
    if isinstance(wanted, type) and issubclass(wanted, Struct):
        return _struct(value, wanted)
    return _plain(value, wanted)


_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a string",
    date: "a date",
}


def _plain(value: Any, wanted: Any) -> Any:
    fits = type(value) is wanted or (wanted is float and type(value) is int)
    if wanted is date and isinstance(value, datetime):
        fits = False
    if not fits:
        raise RefusedError(f"is not {_WORDS[wanted]}")
    return value


def _union(value: Any, types: list[Any]) -> Any:
    refusals = []
    for wanted in types:
        try:
            return convert(value, wanted)
        except RefusedError as refusal:
            refusals.append(refusal)
    raise max(refusals, key=lambda refusal: len(refusal.keys))


def _tuple(value: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    if not isinstance(value, list):
        import json

        lacks_brackets = isinstance(value, str) and arguments[0] is str
        hint = f": write `[{json.dumps(value, ensure_ascii=False)}]`" if lacks_brackets else ""
        raise RefusedError(f"is not a list{hint}")
    found = []
    for number, each in enumerate(value):
        try:
            found.append(convert(each, arguments[0]))
        except RefusedError as refusal:
            raise refusal.inside(str(number)) from None
    return tuple(found)


def _mapping(value: Any, wanted: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RefusedError("is not a table")
    found = {}
    for key, each in value.items():
        try:
            found[key] = convert(each, wanted)
        except RefusedError as refusal:
            raise refusal.inside(key) from None
    return found


def _choice(value: Any, choices: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and value in choices:
        return choices[value]
    listed = ", ".join(f"`{each}`" for each in choices)
    meant = nearest(value, choices) if isinstance(value, str) else None
    hint = f"; did you mean `{meant}`?" if meant else ""
    raise RefusedError(f"is none of {listed}{hint}")


def _pattern(value: Any) -> re.Pattern[str]:
    if not isinstance(value, str):
        raise RefusedError("is not a string")
    try:
        return re.compile(value)
    except (re.error, RecursionError, OverflowError) as error:
        raise RefusedError(f"is no regular expression: {error}") from None


def _struct(value: Any, wanted: type[Struct]) -> Struct:
    if not isinstance(value, dict):
        raise RefusedError("is not a table")
    names = {name_of(each.name): each for each in fields(wanted)}
    for key in value:
        if key not in names:
            meant = nearest(name_of(key), names)
            hint = f"did you mean `{meant}`?" if meant else "known are " + ", ".join(f"`{n}`" for n in names)
            raise RefusedError(f"is no key; {hint}", (key,), is_key=True)
    found = {}
    for name, each in names.items():
        if name in value:
            try:
                found[each.name] = convert(value[name], each.type)
            except RefusedError as refusal:
                raise refusal.inside(name) from None
        elif each.required:
            raise RefusedError(f"has no `{name}`")
    return wanted(**found)
