"""Files: reading the text of one and replacing it, without surprises.

All paths are relative to a working directory, with ``/`` as separator.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from lintbook.diagnostic import Trouble
from lintbook.likeness import nearest
from lintbook.text import Source

MAXIMUM_SIZE = 64 * 2**20  # bytes; a larger file is no page that somebody wrote
_ALIKE = 0.65  # how alike two names of files must be for one to be offered for the other; their endings often are


def rulebook_folder() -> Path:
    """Return the folder of the rulebook: inside the package if installed, beside it in a checkout."""
    package = Path(__file__).resolve().parent
    inside = package / "rules"
    return inside if inside.is_dir() else package.parent / "rules"


class Reading(NamedTuple):
    """What came of reading a file: its text, what there is to say about it, or both."""

    source: Source | None
    trouble: Trouble | None


Pending = Mapping[str, str]
"""Texts of files, by path, that are to be written and are read as if they were."""

NOTHING_PENDING: Pending = MappingProxyType({})


def read(path: str, working_directory: Path, pending: Pending = NOTHING_PENDING) -> Reading:
    """Read the file at ``path``, relative to ``working_directory``, as UTF-8; or the text of it that is ``pending``.

    Only regular files of at most ``MAXIMUM_SIZE`` bytes are opened. A NUL is kept in the text, where a
    Markdown parser takes it for U+FFFD, and is named as a trouble besides.
    """
    if path in pending:
        return Reading(Source(path, pending[path]), None)
    file = working_directory / path
    status = _status(file)
    if isinstance(status, str):
        return Reading(None, Trouble(path, status))
    if status.st_size > MAXIMUM_SIZE:
        return Reading(None, Trouble(path, f"is not read: {status.st_size} bytes are more than {MAXIMUM_SIZE}"))
    try:
        data = file.read_bytes()
    except OSError as error:
        return Reading(None, Trouble(path, reason(error)))
    try:
        source = Source(path, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        before = Source(path, data[: error.start].decode("utf-8"))
        line, column = before.position(len(before.text))
        return Reading(None, Trouble(path, f"is not UTF-8: byte 0x{data[error.start]:02x}", line, column))
    if "\0" in source.text:
        line, column = source.position(source.text.index("\0"))
        return Reading(source, Trouble(path, "contains a NUL character", line, column))
    return Reading(source, None)


class Stamp(NamedTuple):
    """What differs whenever a file has been written, for all that the system tells."""

    modified: int  # nanoseconds
    size: int
    file: int


def stamp(path: str, working_directory: Path) -> Stamp | None:
    """Return the stamp of what stands at ``path``; None if nothing does."""
    try:
        status = (working_directory / path).stat()
    except (OSError, ValueError):  # a NUL in the path
        return None
    return Stamp(status.st_mtime_ns, status.st_size, status.st_ino)


def problem_of(path: Path) -> str | None:
    """Say why ``path`` is neither a regular file nor a folder; None if it is one."""
    status = _status(path)
    return status if isinstance(status, str) else None


def _status(path: Path) -> os.stat_result | str:
    """Return what the system says of a regular file or a folder, or why ``path`` is neither."""
    try:
        status = path.stat()
    except OSError as error:
        return reason(error)
    except ValueError:  # a NUL in the path
        return "is no path"
    is_either = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    return status if is_either else "is neither a file nor a folder"


def meant(path: str, working_directory: Path) -> str:
    """Return the question whether another ``path`` was meant, to be put behind a problem; empty if none is like it.

    Names that are nearly alike are, and backslashes for slashes.
    """
    found: list[str] = []
    for part in path.replace("\\", "/").split("/"):
        folder = working_directory.joinpath(*found)
        try:
            names = [part] if (folder / part).exists() else sorted(entry.name for entry in folder.iterdir())
        except (OSError, ValueError):
            return ""
        like = nearest(part, names, cutoff=_ALIKE)
        if like is None:
            return ""
        found.append(like)
    other = "/".join(found)
    return f"; did you mean `{other}`?" if other != path else ""


def reason(error: OSError) -> str:
    """Say in lintbook's words what the system reports about a file that was to be read."""
    if isinstance(error, FileNotFoundError):
        return "does not exist"
    return f"cannot be read: {_words(error)}"


def write(path: str, text: str, working_directory: Path) -> Trouble | None:
    """Give the file at ``path`` the ``text``, all of it or, if a trouble is returned, nothing.

    The text goes into a new file beside it, which then takes its place: whoever reads meanwhile sees the old or the new
    text. Folders that are missing are made. A symbolic link is followed, and an old file's permissions are kept. Line
    endings are those of the text. Into what is no file (``/dev/stdout``, a FIFO) the text is written as it is.
    """
    target = working_directory / path
    try:
        if target.exists() and not (target.is_file() or target.is_dir()):
            target.write_bytes(text.encode("utf-8"))
        elif target.exists() and not os.access(target, os.W_OK):
            return Trouble(path, "cannot be written: it is write-protected")
        else:
            _replace(Path(os.path.realpath(target)), text)
    except (FileExistsError, NotADirectoryError):
        return Trouble(path, "cannot be written: a file stands where its folder should be")
    except OSError as error:
        return Trouble(path, f"cannot be written: {_words(error)}")
    return None


def _replace(file: Path, text: str) -> None:
    """Put a new file with ``text`` in the place of ``file``; raise OSError and leave nothing behind if it fails."""
    from tempfile import NamedTemporaryFile  # written is seldom, read always

    mode = stat.S_IMODE(file.stat().st_mode) if file.exists() else _default_mode()
    temporary = None
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        with NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.", delete=False) as stream:
            temporary = Path(stream.name)
            stream.write(text.encode("utf-8"))
        temporary.chmod(mode)
        temporary.replace(file)
    except OSError:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()
        raise


def _default_mode() -> int:
    """Return the permissions that the system gives to a new file; temporary files are for their owner alone."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _words(error: OSError) -> str:
    words = error.strerror or type(error).__name__
    return f"{words[:1].lower()}{words[1:]}"
