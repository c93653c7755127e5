"""TOML with places: tomllib judges a document and decodes its values, a small scanner tells where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from msgspec import Struct

from lintbook.diagnostic import Trouble
from lintbook.patterns import regex
from lintbook.text import BYTE_ORDER_MARK, Position, Source

Keys = tuple[str, ...]
"""The keys that lead to a value; a place in an array counts as a key too, from ``"0"`` on."""

_PLACE = regex(r" \(at (?:line (\d+), column (\d+)|end of document)\)")


class TomlEntry(NamedTuple):
    """A key or a table's name and what it leads to: where the last key stands, where the value stands.

    Quotes are left out of both. A table begun by its name in brackets is its own value; a value of an array has the
    place of the value for its key.
    """

    keys: Keys
    key_start: int
    key_end: int
    start: int
    end: int
    text: str | None  # a string's decoded text


class TomlDocument(Struct, frozen=True, dict=True):
    """A sound TOML document: its values, and its entries in the order of the text."""

    source: Source
    table: Mapping[str, Any]
    entries: tuple[TomlEntry, ...]

    @cached_property
    def _by_keys(self) -> dict[Keys, TomlEntry]:
        found: dict[Keys, TomlEntry] = {}
        for entry in self.entries:
            found.setdefault(entry.keys, entry)
        return found

    def has(self, keys: Keys) -> bool:
        """Return whether ``keys`` lead to something."""
        return keys in self._by_keys or any(entry.keys[: len(keys)] == keys for entry in self.entries)

    def key_place(self, keys: Keys) -> Position:
        """Return where the last of ``keys`` stands; of a table that is only implied, where one of its keys does."""
        entry = self._by_keys.get(keys)
        if entry is None:
            entry = next((each for each in self.entries if each.keys[: len(keys)] == keys), None)
        return self.source.position(entry.key_start if entry else 0)

    def value_place(self, keys: Keys) -> Position:
        """Return where the value that ``keys`` lead to stands."""
        entry = self._by_keys.get(keys)
        return self.source.position(entry.start) if entry else self.key_place(keys)


# For so many parts of one key tomllib, too, takes the square of the time.
_LONGEST_KEY = 500
_PART = r"(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+"
_LONG_KEY = regex(rf"(?<![\w.\"'-])(?:{_PART}\.[ \t]*+){{{_LONGEST_KEY}}}")


def read_toml(source: Source) -> TomlDocument | Trouble:
    """Read a TOML document; what is none gives a trouble that names the place."""
    from tomllib import loads  # many books have no TOML at all

    if source.text.count(".") >= _LONGEST_KEY and (found := _LONG_KEY.search(source.text)):
        problem = f"is not read: a key has more than {_LONGEST_KEY} parts"
        return Trouble(source.path, problem, *source.position(found.start()))
    text = source.text.removeprefix(BYTE_ORDER_MARK)
    try:
        table = loads(text)
        entries = tuple(_Scanner(source.text, len(source.text) - len(text)).entries())
    except (ValueError, RecursionError) as error:  # int() refuses thousands of digits with a plain ValueError
        return _trouble(source, error)
    return TomlDocument(source, table, entries)


def _trouble(source: Source, error: Exception) -> Trouble:
    """Name the place that tomllib puts into its message, in the words of lintbook."""
    if isinstance(error, RecursionError):
        return Trouble(source.path, "is not read: values are nested too deeply")
    message = str(error)
    found = _PLACE.search(message)
    said = _PLACE.sub("", message)
    said = said[:1].lower() + said[1:]
    if found is None:
        return Trouble(source.path, f"is no valid TOML: {said}")
    if found[1] is None:
        line, column = source.position(len(source.text))
        said += " at the end of the file"
    else:
        line, column = int(found[1]), int(found[2])
    return Trouble(source.path, f"is no valid TOML: {said}", line, column)


class _Scanner:
    """Walks over a TOML document that tomllib has accepted and tells where keys and values stand.

    Since the document is known to be sound, only what separates its parts is looked at; the parts themselves are
    decoded by tomllib.
    """

    _BLANKS = regex(r"[ \t]*")
    _SPACE = regex(r"(?:[ \t\r\n]|#[^\n]*)*")
    _BARE = regex(r"[A-Za-z0-9_-]+")
    _SHORT = regex(r'"(?:[^"\\]|\\.)*"|' r"'[^']*'")
    _LONG = regex(r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}|' r"'''(?:[^']|'{1,2}(?!'))*'{3,5}", re.DOTALL)
    _PLAIN = regex(r"[^,\]}#\r\n]*[^,\]}#\s]")

    def __init__(self, text: str, position: int) -> None:
        self._text = text
        self._position = position
        self._lengths: dict[Keys, int] = {}  # of arrays of tables, by the keys that lead to them

    def entries(self) -> Iterator[TomlEntry]:
        """Yield each key and what it leads to, inline tables and arrays opened, in the order of the text."""
        table: Keys = ()
        while self._skip(self._SPACE) < len(self._text):
            if self._text[self._position] == "[":
                entry = self._header()
                table = entry.keys
                yield entry
            else:
                yield from self._pair(table)

    def _header(self) -> TomlEntry:
        brackets = 2 if self._text.startswith("[[", self._position) else 1
        self._position += brackets
        keys, start, end = self._key()
        keys = self._inside_arrays(keys, is_array=brackets == 2)
        self._skip(self._BLANKS)
        self._position += brackets
        return TomlEntry(keys, start, end, start, end, None)

    def _inside_arrays(self, keys: Keys, *, is_array: bool) -> Keys:
        """Return the keys of a table with its place in each array of tables that it stands in."""
        inside: Keys = ()
        for number, key in enumerate(keys, start=1):
            inside = (*inside, key)
            if is_array and number == len(keys):
                self._lengths[inside] = self._lengths.get(inside, 0) + 1
            if inside in self._lengths:
                inside = (*inside, str(self._lengths[inside] - 1))
        return inside

    def _skip(self, pattern: re.Pattern[str]) -> int:
        found = pattern.match(self._text, self._position)
        if found is not None:
            self._position = found.end()
        return self._position

    def _key(self) -> tuple[Keys, int, int]:
        """Read a dotted key; return its parts and where the last one stands."""
        parts: list[str] = []
        while True:
            self._skip(self._BLANKS)
            start = self._position
            if self._skip(self._BARE) > start:
                parts.append(self._text[start : self._position])
                end = self._position
            else:
                self._skip(self._SHORT)
                parts.append(self._decoded(start))
                start, end = start + 1, self._position - 1
            if not self._text.startswith(".", self._skip(self._BLANKS)):
                return tuple(parts), start, end
            self._position += 1

    def _decoded(self, start: int) -> str:
        """Return the text of the string literal that begins at ``start`` and ends here."""
        literal = self._text[start : self._position]
        if "\\" not in literal and "\n" not in literal and literal[:3] not in ("'''", '"""'):
            return literal[1:-1]  # nothing to decode, as in nearly all of them
        from tomllib import loads

        return str(loads(f"value = {literal}")["value"])

    def _pair(self, table: Keys) -> Iterator[TomlEntry]:
        keys, start, end = self._key()
        self._position += 1  # the equals sign
        self._skip(self._BLANKS)
        yield from self._value((*table, *keys), (start, end))

    def _value(self, keys: Keys, key: tuple[int, int] | None) -> Iterator[TomlEntry]:
        """Yield the values inside the one that begins here, and then itself; ``key`` is where its key stands."""
        start = self._position
        opening, quotes, text = self._text[start], 0, None
        if opening == "{":
            yield from self._inline_table(keys)
        elif opening == "[":
            yield from self._array(keys)
        elif opening in "\"'":
            quotes = 1 if self._skip(self._LONG) == start else 3
            if quotes == 1:
                self._skip(self._SHORT)
            text = self._decoded(start)
        else:
            self._skip(self._PLAIN)
        place = (start + quotes, self._position - quotes)
        yield TomlEntry(keys, *(key or place), *place, text)

    def _inline_table(self, keys: Keys) -> Iterator[TomlEntry]:
        self._position += 1
        while self._text[self._skip(self._SPACE)] != "}":
            if self._text[self._position] == ",":
                self._position += 1
            else:
                yield from self._pair(keys)
        self._position += 1

    def _array(self, keys: Keys) -> Iterator[TomlEntry]:
        self._position += 1
        number = 0
        while self._text[self._skip(self._SPACE)] != "]":
            if self._text[self._position] == ",":
                self._position += 1
            else:
                yield from self._value((*keys, str(number)), None)
                number += 1
        self._position += 1
