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
from hashlib import blake2b
from pathlib import Path
from typing import Any

from lintbook import __version__, packing
from lintbook.facts import Facts

_MAGIC = b"lintbook"
_DIGEST = 16
_HEADER = len(_MAGIC) + _DIGEST + 8 + _DIGEST  # magic, reader, length of the index, its checksum
MAX_SIZE = 256 * 2**20  # bytes; a larger cache is dropped rather than read
MAX_BOOKS = 200  # the caches least recently used are removed beyond this number


def _digest(*parts: bytes) -> bytes:
    hashed = blake2b(digest_size=_DIGEST)
    for part in parts:
        hashed.update(len(part).to_bytes(8, "little") + part)
    return hashed.digest()


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


def _reader_key() -> bytes:
    """Return what facts depend on besides text and options: lintbook's version and the code that reads.

    The code is told by the sizes and times of its files, so that a checkout under work never believes itself.
    """
    package = Path(__file__).parent
    stamps = [
        (str(file.relative_to(package)), status.st_size, status.st_mtime_ns)
        for folder in (package, package / "parse", package / "calculator")  # chains are read by the calculator
        for file in sorted(folder.glob("*.py"))
        for status in [file.stat()]
    ]
    return _digest(__version__.encode(), packing.schema(), repr(stamps).encode())


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
        self._unpacker = packing.Unpacker()
        self._changed = False

    @staticmethod
    def key(text: str, *options: str) -> bytes:
        """Return the key of a text that is read with ``options``."""
        return _digest(text.encode("utf-8", "surrogatepass"), *(option.encode() for option in options))

    def get(self, key: bytes, path: str) -> Facts | None:
        """Return the facts under ``key``, for the file at ``path``; None if there are none that can be believed."""
        entry = self._index.get(key)
        if entry is None:
            return None
        start, length, checksum = entry
        part = self._data[start : start + length]
        if _digest(part) != checksum:
            return None
        self._used[key] = part
        return self._unpacker.unpack(marshal.loads(part), path)  # the checksum has vouched for it

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
