"""Facts as plain values and back, for a cache and for pipes between processes.

Packed facts are nested tuples, strings and numbers, which ``marshal`` writes and reads at the speed of C: a struct is
the tuple of its fields, and what each of them is made of, its annotation says. The path of the file is left out: the
same text has the same facts wherever it stands.

A function is written for each kind of facts and each of the two ways, as data classes write their ``__init__``: a loop
over the fields takes three times as long and more.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
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

_PLAIN = (str, int, bool)
_WITH_PATH = (Span, Trouble)  # the path is their first field


@cache
def schema() -> bytes:
    """Return bytes that differ whenever what is packed has another shape."""
    modules = (lintbook.text, lintbook.diagnostic, lintbook.facts)
    kinds = {kind for module in modules for kind in vars(module).values() if isinstance(kind, type)}
    shapes = sorted(f"{kind.__qualname__} {getattr(kind, '__annotations__', None)}" for kind in kinds)
    return sha256("\n".join(shapes).encode()).digest()


def pack(facts: object) -> object:
    """Return ``facts`` of one file as plain values."""
    return _PACKER.function(type(facts))(facts, "")


def unpack(packed: object, path: str, kind: type[_Said]) -> _Said:
    """Return what was packed, a ``kind`` of facts, for the file at ``path``."""
    restored: _Said = _UNPACKER.function(kind)(packed, path)
    return restored


_Function = Callable[[Any, str], Any]


class _Writer(ABC):
    """Writes functions that take a value of one kind, packed or not, and the path of its file, and turn it round."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}  # what the functions use
        self._functions: dict[type, _Function] = {}

    def function(self, kind: type) -> _Function:
        """Return the function for values of ``kind``, a struct or named tuple."""
        if kind not in self._functions:
            self._functions[kind] = eval(f"lambda value, path: {self._of_fields(kind, 'value')}", self.names)
        return self._functions[kind]

    def _expression(self, annotation: Any, value: str) -> str:
        """Return the expression that turns round ``value``, itself an expression, which is of ``annotation``."""
        if get_origin(annotation) is tuple:
            member, *others = get_args(annotation)
            each = self._expression(member, "each")
            if each == "each":
                return value
            assert others == [...], f"{annotation}: what stands behind its first member would be lost"
            return f"({value} and tuple([{each} for each in {value}]))"
        if get_args(annotation):  # a union with None
            (kind,) = (each for each in get_args(annotation) if each is not NoneType)
            turned = self._expression(kind, value)
            return value if turned == value else f"(None if {value} is None else {turned})"
        if annotation in _PLAIN:
            return value
        if issubclass(annotation, Enum):
            return self.of_member(annotation, value)
        if set(_hints(annotation).values()) <= set(_PLAIN):
            return self._of_fields(annotation, value)
        return self._call(annotation, value)

    def _call(self, kind: type, value: str) -> str:
        name = f"of_{kind.__name__}"

        def written(value: Any, path: str) -> Any:
            # Most kinds of facts are not on most pages, so that their functions are written when one is met.
            self.names[name] = self.function(kind)
            return self.names[name](value, path)

        self.names.setdefault(name, written)
        return f"{name}({value}, path)"

    def _of_fields(self, kind: type, value: str) -> str:
        return self.of_kind(kind, [self._expression(hint, field) for field, hint in self.fields(kind, value)])

    @abstractmethod
    def of_member(self, kind: type[Enum], value: str) -> str:
        """Return the expression for a member of an enumeration."""

    @abstractmethod
    def of_kind(self, kind: type, fields: list[str]) -> str:
        """Return the expression for a struct or named tuple, of those of its fields."""

    @abstractmethod
    def fields(self, kind: type, value: str) -> Iterable[tuple[str, Any]]:
        """Yield for each field of ``value`` the expression that gives it, and what it is made of."""


class _Packer(_Writer):
    def of_member(self, kind: type[Enum], value: str) -> str:
        return f"{value}._value_"  # `value` is looked up by code

    def of_kind(self, kind: type, fields: list[str]) -> str:
        return f"({''.join(f'{field}, ' for field in fields)})"

    def fields(self, kind: type, value: str) -> Iterable[tuple[str, Any]]:
        return ((f"{value}.{name}", hint) for name, hint in _hints(kind).items())


class _Unpacker(_Writer):
    def of_member(self, kind: type[Enum], value: str) -> str:
        self.names[kind.__name__] = dict(kind._value2member_map_)
        return f"{kind.__name__}[{value}]"

    def of_kind(self, kind: type, fields: list[str]) -> str:
        self.names[kind.__name__] = kind
        path = ["path"] if kind in _WITH_PATH else []
        return f"{kind.__name__}({', '.join([*path, *fields])})"

    def fields(self, kind: type, value: str) -> Iterable[tuple[str, Any]]:
        return ((f"{value}[{position}]", hint) for position, hint in enumerate(_hints(kind).values()))


_PACKER, _UNPACKER = _Packer(), _Unpacker()


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """Return what the packed fields of a struct or named tuple are made of, by their names.

    So says typing.get_type_hints too, which takes three times as long: a millisecond of each run.
    """
    names = kind.__struct_fields__ if issubclass(kind, Struct) else kind._fields
    packed = names[1:] if kind in _WITH_PATH else names
    annotations = [vars(kind)["__annotations__"][name] for name in packed]
    written = (getattr(each, "__forward_arg__", each) for each in annotations)  # a NamedTuple wraps them
    return dict(zip(packed, eval(f"[{', '.join(written)}]", vars(sys.modules[kind.__module__])), strict=True))
