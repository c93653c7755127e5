"""The baseline: diagnostics that are known and were left for later, in a file that may only shrink.

An entry is found again by its fingerprint, which lines that move do not change. Equal places of a page have different
fingerprints, counted from the top: one more of a kind is new, one less leaves an entry stale.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from posixpath import join, normpath
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import Struct

from lintbook.diagnostic import Diagnostic, Trouble
from lintbook.files import read, write

FILE_NAME = "lintbook-baseline.json"
VERSION = 1
_INSTEAD = "restore it, or write it anew by `lintbook baseline write`"


class Known(NamedTuple):
    """A known diagnostic: the folder of its book's sources as seen from the baseline's, and its fingerprint."""

    book: str
    fingerprint: str


class Entry(Struct, frozen=True):
    """What the baseline says of a known diagnostic, for people who read it, and how often it occurs.

    ``path`` is seen from the folder of the book's sources; that of a project file beside them begins with ``../``.
    """

    known: Known
    rule: str
    path: str
    message: str
    count: int = 1

    @property
    def place(self) -> str:
        """The file of the diagnostic, as seen from the baseline's folder."""
        return normpath(join(self.known.book, self.path))


class Baseline(Struct, frozen=True):
    """The entries of a baseline file; ``path`` is relative to the working directory."""

    path: str
    entries: Mapping[Known, Entry]

    @property
    def count(self) -> int:
        """How many diagnostics are known."""
        return sum(entry.count for entry in self.entries.values())

    def in_order(self) -> list[Entry]:
        """Return the entries in the order of their places."""
        return sorted(self.entries.values(), key=lambda entry: (entry.place, entry.rule, entry.known.fingerprint))


class Sifted(Struct, frozen=True):
    """The diagnostics that no baseline knows, those that one knows, and entries that nothing matches any more.

    ``troubles`` tells of baselines that could not be read; to them all is new.
    """

    new: tuple[Diagnostic, ...]
    known: tuple[Diagnostic, ...] = ()
    stale: tuple[Entry, ...] = ()
    troubles: tuple[Trouble, ...] = ()


def sift(baseline: Baseline, book: str, diagnostics: Iterable[Diagnostic], rules: Container[str]) -> Sifted:
    """Tell the known diagnostics of ``book`` from the new ones.

    What of an entry nothing matches is stale, unless its rule is none of ``rules``, by name, which were on.
    """
    left = Counter({known: entry.count for known, entry in baseline.entries.items() if known.book == book})
    new, old = [], []
    for diagnostic in diagnostics:
        known = Known(book, diagnostic.fingerprint)
        if left[known]:
            left[known] -= 1
            old.append(diagnostic)
        else:
            new.append(diagnostic)
    unmatched = (_counted(baseline.entries[known], count) for known, count in left.items() if count)
    return Sifted(tuple(new), tuple(old), tuple(entry for entry in unmatched if entry.rule in rules))


def _counted(entry: Entry, count: int) -> Entry:
    return Entry(entry.known, entry.rule, entry.path, entry.message, count)


def locate(folder: Path, working_directory: Path) -> str | None:
    """Return the path of the baseline at ``folder`` or above it, as far as its repository goes; None without one."""
    for above in (folder, *folder.parents):
        if (above / FILE_NAME).is_file():
            return os.path.relpath(above / FILE_NAME, working_directory).replace(os.sep, "/")
        if (above / ".git").exists():
            break
    return None


def of_others(baseline: Baseline | None, judged: Mapping[str, Container[str]]) -> dict[Known, Entry]:
    """Return what ``baseline`` knows and a run says nothing about.

    ``judged`` are the books of the run, each with the names of the rules that were on.
    """
    if baseline is None:
        return {}
    entries = baseline.entries.items()
    return {known: entry for known, entry in entries if entry.rule not in judged.get(known.book, ())}


def record(
    path: str, found: Iterable[tuple[str, str, Diagnostic]], others: Mapping[Known, Entry] = MappingProxyType({})
) -> Baseline:
    """Return the baseline that knows ``others`` and all of ``found``: the book, the path inside it, the diagnostic."""
    entries = dict(others)
    for book, inner, diagnostic in found:
        known = Known(book, diagnostic.fingerprint)
        before = entries[known].count if known in entries else 0
        entries[known] = Entry(known, diagnostic.rule, inner, diagnostic.message, before + 1)
    return Baseline(path, entries)


def without(baseline: Baseline, stale: Iterable[Entry]) -> Baseline:
    """Return ``baseline`` less what is ``stale`` in it."""
    entries = dict(baseline.entries)
    for entry in stale:
        left = entries.pop(entry.known)
        if left.count > entry.count:
            entries[entry.known] = _counted(left, left.count - entry.count)
    return Baseline(baseline.path, entries)


def growth(old: Baseline, new: Baseline) -> int:
    """Return how many diagnostics ``new`` knows that ``old`` does not."""
    return sum(
        max(entry.count - (old.entries[known].count if known in old.entries else 0), 0)
        for known, entry in new.entries.items()
    )


def read_baseline(path: str, working_directory: Path) -> Baseline | Trouble:
    """Read the baseline file at ``path``; a damaged one is a trouble, for what it knew would all seem new."""
    import json  # most books have no baseline

    if not (working_directory / path).exists():
        return Trouble(path, "is the baseline and does not exist; `lintbook baseline write` makes it")
    source, trouble = read(path, working_directory)
    if source is None or trouble is not None:
        return trouble or Trouble(path, "is not read")
    try:
        content = json.loads(source.text)
        if content["version"] != VERSION:
            return Trouble(path, f"is a baseline of version {content['version']}, not {VERSION}")
        entries = [_entry(each) for each in content["diagnostics"]]
    except json.JSONDecodeError as error:
        return Trouble(path, f"is no baseline: it is no JSON; {_INSTEAD}", error.lineno, error.colno)
    except (KeyError, TypeError, ValueError, RecursionError):
        return Trouble(path, f"is no baseline; {_INSTEAD}")
    return Baseline(path, {entry.known: entry for entry in entries})


def _entry(value: Mapping[str, Any]) -> Entry:
    texts = [value[key] for key in ("book", "fingerprint", "rule", "path", "message")]
    count = value.get("count", 1)
    if not all(isinstance(text, str) for text in texts) or not isinstance(count, int):
        raise TypeError("an entry of another shape")
    book, fingerprint, rule, path, message = texts
    return Entry(Known(book, fingerprint), rule, path, message, count)


def write_baseline(baseline: Baseline, working_directory: Path) -> Trouble | None:
    """Write a baseline, an entry a line and in order, so that a version history shows what changed."""
    lines = ",\n".join(f"    {line}" for line in _lines(baseline))
    text = f'{{\n  "version": {VERSION},\n  "diagnostics": [\n{lines}\n  ]\n}}\n'
    if not lines:
        text = f'{{\n  "version": {VERSION},\n  "diagnostics": []\n}}\n'
    return write(baseline.path, text, working_directory)


def _lines(baseline: Baseline) -> Iterator[str]:
    import json

    for entry in baseline.in_order():
        fields: dict[str, Any] = {
            "book": entry.known.book,
            "path": entry.path,
            "rule": entry.rule,
            "message": entry.message,
            "fingerprint": entry.known.fingerprint,
        }
        if entry.count > 1:
            fields["count"] = entry.count
        yield json.dumps(fields, ensure_ascii=False)
