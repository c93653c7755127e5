"""The cache: what files said when they were last read, never what was thought of it.

One file for each book holds the packed facts of its pages, each under a key made of the page's text and of all that its
reading depends on. Nothing in the file is believed before its checksum has vouched for it, since ``marshal`` must not
see bytes that it did not write; a file that is damaged, foreign, of another version or writable by others is as good as
none.
"""

from __future__ import annotations

import marshal
import os
import stat
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from lintbook import __version__, packing
from lintbook.text import Source

_MAGIC = b"lintbook"
_DIGEST = 16
_HEADER = len(_MAGIC) + _DIGEST + 8 + _DIGEST  # magic, reader, length of the index, its checksum
MAX_SIZE = 256 * 2**20  # bytes; a larger cache is dropped rather than read
MAX_BOOKS = 200  # the caches least recently used are removed beyond this number


_Said = TypeVar("_Said")


def _digest(*parts: bytes) -> bytes:
    """Return 16 bytes that tell ``parts`` from all others."""
    hashed = sha256()  # many processors have instructions for it
    for part in parts:
        hashed.update(len(part).to_bytes(8, "little"))
        hashed.update(part)
    return hashed.digest()[:_DIGEST]


def cache_folder() -> Path:
    """Return the folder of lintbook's caches: ``LINTBOOK_CACHE_DIR``, or one in the user's cache folder."""
    named = os.environ.get("LINTBOOK_CACHE_DIR")
    if named:
        return Path(named)
    base = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "lintbook"


def clear() -> int:
    """Remove all caches; return how many there were."""
    files = _files(cache_folder())
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.facts")) if folder.is_dir() else []


@cache
def _reader_key() -> bytes:
    """Return what facts depend on besides text and options: lintbook's version and the code that reads.

    The code is told by the sizes and times of its files, so that a checkout under work never believes itself.
    """
    package = os.path.dirname(__file__)  # noqa: PTH120  # to make a Path of each file takes ten times as long
    stamps = []
    for folder in ("", "parse", "calculator"):  # chains are read by the calculator
        with os.scandir(os.path.join(package, folder)) as files:  # noqa: PTH118
            for file in files:
                if file.name.endswith(".py"):
                    status = file.stat()
                    stamps.append((folder, file.name, status.st_size, status.st_mtime_ns))
    return _digest(__version__.encode(), packing.schema(), repr(sorted(stamps)).encode())


class FactsCache:
    """The cache of one book, told from others by ``home``, the absolute path of its project file or folder.

    What a run did not ask for is dropped when it is saved.
    """

    def __init__(self, home: Path, folder: Path | None = None) -> None:
        self._folder = folder or cache_folder()
        self._file = self._folder / f"{_digest(os.fsencode(home)).hex()}.facts"
        self._reader = _reader_key()
        self._data, self._index = self._load()
        self._used: dict[bytes, bytes] = {}
        self._changed = False

    @staticmethod
    def key(text: str, *options: str) -> bytes:
        """Return the key of a text that is read with ``options``."""
        return _digest(text.encode("utf-8", "surrogatepass"), *(option.encode() for option in options))

    def get(self, key: bytes, path: str, kind: type[_Said]) -> _Said | None:
        """Return what is kept under ``key``, a ``kind`` of facts, for the file at ``path``; None if nothing is.

        What cannot be believed is not.
        """
        entry = self._index.get(key)
        if entry is None:
            return None
        start, length, checksum = entry
        part = self._data[start : start + length]
        if _digest(part) != checksum:
            return None
        self._used[key] = part
        return packing.unpack(marshal.loads(part), path, kind)  # the checksum has vouched for it

    def put(self, key: bytes, packed: Any) -> None:
        """Keep packed facts under ``key``."""
        self._used[key] = marshal.dumps(packed)
        self._changed = True

    def save(self) -> None:
        """Write what this run used, in one step, if anything changed; a folder that cannot be written is left alone."""
        if not self._changed and len(self._used) == len(self._index):
            return
        index, offset = {}, 0
        for key, part in self._used.items():
            index[key] = (offset, len(part), _digest(part))
            offset += len(part)
        packed = marshal.dumps(index)
        from tempfile import NamedTemporaryFile

        header = _MAGIC + self._reader + len(packed).to_bytes(8, "little") + _digest(packed)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self._folder, suffix=".new", delete=False) as file:
                file.writelines([header, packed, *self._used.values()])
            Path(file.name).replace(self._file)
            self._make_room()
        except OSError:
            return  # without a cache the next run is slower and just as right

    def _make_room(self) -> None:
        files = _files(self._folder)
        for file in sorted(files, key=lambda file: file.stat().st_mtime)[: max(len(files) - MAX_BOOKS, 0)]:
            file.unlink(missing_ok=True)

    def _load(self) -> tuple[bytes, dict[bytes, tuple[int, int, bytes]]]:
        """Return the parts and their index, or nothing of a file that is not to be believed."""
        nothing: tuple[bytes, dict[bytes, tuple[int, int, bytes]]] = (b"", {})
        try:
            status = self._file.stat()
            if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_SIZE or _is_others(status):
                return nothing
            data = self._file.read_bytes()
        except OSError:
            return nothing
        place = len(_MAGIC) + _DIGEST
        length = int.from_bytes(data[place : place + 8], "little")
        packed = data[_HEADER : _HEADER + length]
        sound = data[:place] == _MAGIC + self._reader and _digest(packed) == data[place + 8 : _HEADER]
        if len(data) < _HEADER or len(packed) != length or not sound:
            return nothing
        index: Any = marshal.loads(packed)  # the checksum has vouched for it
        return data[_HEADER + length :], index


def _is_others(status: os.stat_result) -> bool:
    """Whether somebody else may have written a file."""
    if not hasattr(os, "geteuid"):
        return False
    return status.st_uid != os.geteuid() or bool(status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


class Caches:
    """The caches of all books that a run meets, each opened when it is first asked for.

    They are told apart by the paths, relative to ``working_directory``, of their project files or, without one, roots.
    """

    def __init__(self, working_directory: Path) -> None:
        self._top = working_directory.absolute()
        self._open: dict[str, FactsCache] = {}

    def of(self, home: str) -> FactsCache:
        """Return the cache of the book at ``home``."""
        path = os.path.normpath(self._top / home)
        if path not in self._open:
            self._open[path] = FactsCache(Path(path))
        return self._open[path]

    def read(self, home: str, source: Source, part: str, kind: type[_Said], parse: Callable[[Source], _Said]) -> _Said:
        """Return what ``parse`` makes of a text, a ``kind`` of facts, from the cache of the book at ``home`` if there.

        It depends on nothing but the text and which ``part`` of the book that is.
        """
        cache = self.of(home)
        key = cache.key(source.text, part)
        known = cache.get(key, source.path, kind)
        if known is None:
            known = parse(source)
            cache.put(key, packing.pack(known))
        return known

    def save(self) -> None:
        """Write what the run used, each cache as ``FactsCache.save`` does."""
        for each in self._open.values():
            each.save()
