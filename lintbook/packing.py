"""Facts as plain values and back, for a cache and for pipes between processes.

Packed facts are nested tuples, strings and numbers, which ``marshal`` writes and reads at the speed of C: a struct is
the tuple of its fields, and what each of them is made of, its annotation says. The path of the file is left out: the
same text has the same facts wherever it stands.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import Enum
from functools import cache
from hashlib import sha256
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin

from msgspec import Struct

import lintbook.diagnostic
import lintbook.facts
import lintbook.text
from lintbook.diagnostic import Trouble
from lintbook.text import Span

_Said = TypeVar("_Said")


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    """Return the fields of a struct or named tuple that are packed; the path of a place is not."""
    names: tuple[str, ...] = kind.__struct_fields__ if issubclass(kind, Struct) else vars(kind)["_fields"]
    return names[1:] if kind in (Span, Trouble) else names


@cache
def schema() -> bytes:
    """Return bytes that differ whenever what is packed has another shape."""
    modules = (lintbook.text, lintbook.diagnostic, lintbook.facts)
    kinds = {kind for module in modules for kind in vars(module).values() if isinstance(kind, type)}
    shapes = sorted(f"{kind.__qualname__} {getattr(kind, '__annotations__', None)}" for kind in kinds)
    return sha256("\n".join(shapes).encode()).digest()


def pack(value: Any) -> object:
    """Return ``value``, facts of one file, as plain values."""
    kind: Any = type(value)
    if kind is tuple:
        return tuple([pack(item) for item in value])
    if kind in (str, int, bool, NoneType):
        return value
    if issubclass(kind, Enum):
        return value.value
    return tuple([pack(getattr(value, name)) for name in _field_names(kind)])


def unpack(packed: object, path: str, kind: type[_Said]) -> _Said:
    """Return what was packed, a ``kind`` of facts, for the file at ``path``."""
    restored: _Said = _restorer(kind)(packed, path)  # type: ignore[arg-type]  # a type can be hashed
    return restored


_Restore = Callable[[Any, str], Any]


@cache
def _restorer(kind: Any) -> _Restore:
    """Return what makes a ``kind`` of a packed one and the path of its file.

    It is written for the kind, as data classes write their ``__init__``: one expression takes a third of the time that
    a loop over the fields does.
    """
    names: dict[str, Any] = {"kind": kind}
    fields = [_restored(hint, f"packed[{position}]", names) for position, hint in enumerate(_hints(kind))]
    made: _Restore = eval(f"lambda packed, path: kind({', '.join([*_path_of(kind), *fields])})", names)
    return made


def _restored(annotation: Any, value: str, names: dict[str, Any]) -> str:
    """Return the expression that makes a value of ``annotation`` of the packed ``value``; ``names`` is what it uses."""
    if get_origin(annotation) is tuple:
        member, *others = get_args(annotation)
        each = _restored(member, "each", names)
        if each == "each":
            return value
        assert others == [...], f"{annotation}: what stands behind its first member is not restored"
        return f"({value} and tuple([{each} for each in {value}]))"
    if get_args(annotation):  # a union with None
        (kind,) = (each for each in get_args(annotation) if each is not NoneType)
        restored = _restored(kind, value, names)
        return restored if restored == value else f"(None if {value} is None else {restored})"
    if annotation in (str, int, bool):
        return value
    name = annotation.__name__
    if issubclass(annotation, Enum):
        names[name] = dict(annotation._value2member_map_)
        return f"{name}[{value}]"
    if all(_restored(hint, "field", {}) == "field" for hint in _hints(annotation)):
        names[name] = annotation
        return f"{name}({', '.join([*_path_of(annotation), '*' + value])})"

    def restore(packed: Any, path: str) -> Any:
        # Most kinds of facts are not on most pages, so that what makes them is written when one is met.
        names[name] = _restorer(annotation)
        return names[name](packed, path)

    names[name] = restore
    return f"{name}({value}, path)"


def _path_of(kind: type) -> list[str]:
    return ["path"] if kind in (Span, Trouble) else []


@cache
def _hints(kind: type) -> list[Any]:
    """Return what the annotations of the packed fields mean.

    So says typing.get_type_hints too, which takes five times as long, a hundredth of a warm run.
    """
    annotations = [vars(kind)["__annotations__"][name] for name in _field_names(kind)]
    written = (getattr(each, "__forward_arg__", each) for each in annotations)  # a NamedTuple wraps them
    hints: list[Any] = eval(f"[{', '.join(written)}]", vars(sys.modules[kind.__module__]))
    return hints
