"""Facts as plain values and back, for a cache and for pipes between processes.

Packed facts are nested tuples, lists, strings and numbers, which ``marshal`` writes and reads at the speed of C. The
path of the file is left out: the same text has the same facts wherever it stands.
"""

from __future__ import annotations

import inspect
from enum import Enum
from functools import cache
from hashlib import blake2b
from typing import Any

from msgspec import Struct

import lintbook.diagnostic
import lintbook.facts
import lintbook.text
from lintbook.diagnostic import Trouble
from lintbook.facts import Facts
from lintbook.text import Span


def _is_packed(value: object) -> bool:
    """Whether ``value`` is a class that facts are made of: a struct, a named tuple, an enumeration."""
    if not inspect.isclass(value):
        return False
    return issubclass(value, Struct | Enum) or hasattr(value, "_fields")


# Numbered by their names, in an order that every process finds.
_CLASSES: list[Any] = sorted(
    {
        value
        for module in (lintbook.text, lintbook.diagnostic, lintbook.facts)
        for value in vars(module).values()
        if _is_packed(value)
    },
    key=lambda value: value.__qualname__,
)
_TAGS = {value: number for number, value in enumerate(_CLASSES)}


def _field_names(value: Any) -> tuple[str, ...]:
    """Return the fields of a class that are packed; the path of a place is not."""
    if issubclass(value, Enum):
        return ("value",)
    names = value.__struct_fields__ if issubclass(value, Struct) else value._fields
    return tuple(name for name in names if not (name == "path" and value in (Span, Trouble)))


_FIELDS = {value: _field_names(value) for value in _CLASSES}


@cache
def schema() -> bytes:
    """Return 16 bytes that differ whenever what is packed has another shape."""
    shape = [(value.__qualname__, names) for value, names in _FIELDS.items()]
    return blake2b(repr(shape).encode(), digest_size=16).digest()


def pack(facts: Facts) -> object:
    """Return the facts of one file as plain values."""
    return _pack(facts)


def _pack(value: Any) -> object:
    kind = type(value)
    if kind is tuple:
        return [_pack(item) for item in value]
    tag = _TAGS.get(kind)
    if tag is None:
        return value
    return (tag, *(_pack(getattr(value, name)) for name in _FIELDS[kind]))


def unpack(packed: object, path: str) -> Facts:
    """Return the facts that were packed, for the file at ``path``."""
    makers = [_maker(value, path) for value in _CLASSES]

    def restore(value: Any) -> Any:
        kind = type(value)
        if kind is tuple:
            return makers[value[0]](*map(restore, value[1:]))
        if kind is list:
            return tuple(map(restore, value))
        return value

    facts = restore(packed)
    assert isinstance(facts, Facts)
    return facts


def _maker(value: Any, path: str) -> Any:
    if value in (Span, Trouble):
        return lambda *fields: value(path, *fields)
    return value._value2member_map_.__getitem__ if issubclass(value, Enum) else value
