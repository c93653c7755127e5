"""Facts as plain values and back, for a cache and for pipes between processes.

Packed facts are nested tuples, strings and numbers, which ``marshal`` writes and reads at the speed of C: a struct is
the tuple of its fields, and what each of them is made of, its annotation says. The path of the file is left out: the
same text has the same facts wherever it stands.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum
from functools import cache
from hashlib import blake2b
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from msgspec import Struct

import lintbook.diagnostic
import lintbook.facts
import lintbook.text
from lintbook.diagnostic import Trouble
from lintbook.facts import Facts
from lintbook.text import Span


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    """Return the fields of a struct or named tuple that are packed; the path of a place is not."""
    names: tuple[str, ...] = kind.__struct_fields__ if issubclass(kind, Struct) else vars(kind)["_fields"]
    return tuple(name for name in names if not (name == "path" and kind in (Span, Trouble)))


@cache
def schema() -> bytes:
    """Return 16 bytes that differ whenever what is packed has another shape."""
    modules = (lintbook.text, lintbook.diagnostic, lintbook.facts)
    kinds = {kind for module in modules for kind in vars(module).values() if inspect.isclass(kind)}
    shapes = sorted(f"{kind.__qualname__} {getattr(kind, '__annotations__', None)}" for kind in kinds)
    return blake2b("\n".join(shapes).encode(), digest_size=16).digest()


def pack(facts: Facts) -> object:
    """Return the facts of one file as plain values."""
    return _pack(facts)


def _pack(value: Any) -> object:
    kind: Any = type(value)
    if kind is tuple:
        return tuple([_pack(item) for item in value])
    if kind in (str, int, bool, NoneType):
        return value
    if issubclass(kind, Enum):
        return value.value
    return tuple([_pack(getattr(value, name)) for name in _field_names(kind)])


_Restore = Callable[[Any], Any]


class Unpacker:
    """Makes facts again of what was packed, of one file after another."""

    def __init__(self) -> None:
        self._path = ""
        self._known: dict[Any, _Restore | None] = {
            Span: lambda packed: Span(self._path, *packed),
            Trouble: lambda packed: Trouble(self._path, *packed),
        }

    def unpack(self, packed: object, path: str) -> Facts:
        """Return the facts that were packed, for the file at ``path``."""
        self._path = path
        restore = self._restorer(Facts)
        assert restore is not None
        facts = restore(packed)
        assert isinstance(facts, Facts)
        return facts

    def _restorer(self, annotation: Any) -> _Restore | None:
        """Return what makes a value of ``annotation`` of a packed one; None where it is the same."""
        if annotation not in self._known:
            self._known[annotation] = self._make_restorer(annotation)
        return self._known[annotation]

    def _make_restorer(self, annotation: Any) -> _Restore | None:
        if get_origin(annotation) is tuple:
            member, *others = get_args(annotation)
            assert set(others) <= {..., int}, f"{annotation}: what stands behind its first member is not restored"
            return self._of_tuple(member)
        if get_args(annotation):  # a union with None
            return self._of_optional(next(each for each in get_args(annotation) if each is not NoneType))
        if issubclass(annotation, Enum):
            return dict(annotation._value2member_map_).__getitem__
        return self._of_fields(annotation) if hasattr(annotation, "__annotations__") else None

    def _of_tuple(self, member: Any) -> _Restore:
        restore: _Restore | None = None

        def restored(packed: tuple[Any, ...]) -> tuple[Any, ...]:
            nonlocal restore
            if not packed:
                return packed  # most kinds of facts are not on most pages: nobody need look at their fields
            restore = restore or self._restorer(member)
            return packed if restore is None else tuple(map(restore, packed))

        return restored

    def _of_optional(self, member: Any) -> _Restore | None:
        restore = self._restorer(member)
        return None if restore is None else lambda packed: None if packed is None else restore(packed)

    def _of_fields(self, kind: Any) -> _Restore:
        hints = get_type_hints(kind)
        restorers = [(position, self._restorer(hints[name])) for position, name in enumerate(_field_names(kind))]
        inner = [(position, restore) for position, restore in restorers if restore is not None]

        def restored(packed: tuple[Any, ...]) -> Any:
            fields = list(packed)
            for position, restore in inner:
                fields[position] = restore(fields[position])
            return kind(*fields)

        return restored
