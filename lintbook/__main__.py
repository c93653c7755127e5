"""The entry point: ``lintbook`` and ``python -m lintbook``."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from io import StringIO, TextIOWrapper
from typing import NoReturn

# The cycle collector looks for garbage each time that so many objects are new; a run makes many, and no cycles.
_OBJECTS = 200_000


def main() -> NoReturn:
    """Run the command line on the arguments of the process and leave with its exit status."""
    gc.set_threshold(_OBJECTS)
    try:
        _prepare_streams()
        from lintbook.cli import run

        status = run(sys.argv[1:])
        sys.stdout.flush()
        sys.stderr.flush()
    except KeyboardInterrupt:
        status = _leave("", 130)
    except OSError as error:
        status = _broken_off(error)
    except ModuleNotFoundError as error:
        status = _own_fault() if (error.name or "lintbook").partition(".")[0] == "lintbook" else _incomplete(error)
    except Exception:
        # Python would leave with status 1, which says that the book has faults.
        status = _own_fault()
    os._exit(status)  # to take all objects apart first takes a tenth of a warm run


def _prepare_streams() -> None:
    """Make output independent of the machine, and let no character (a surrogate in a file name) stop it.

    What does not go to a terminal is UTF-8 with bare line feeds; a terminal keeps its own encoding. A stream
    that the caller closed (``>&-``) is None in Python; what is written to it then goes nowhere.
    """
    sys.stdout = sys.stdout or StringIO()
    sys.stderr = sys.stderr or StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            encoding = None if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace", newline="\n")


def _own_fault() -> int:
    """Show where lintbook itself went wrong, for the report that we ask for; return the exit status."""
    from traceback import format_exc

    return _leave(f"{format_exc()}lintbook: this is a fault of lintbook, not of your book; please report what is above")


def _incomplete(error: ModuleNotFoundError) -> int:
    """Say which library is missing; return the exit status."""
    return _leave(f"lintbook: the library `{error.name}` is missing; install lintbook anew, with all that it needs")


def _broken_off(error: OSError) -> int:
    """Say what the system refused, unless the reader of the output just left (``head``); return the exit status."""
    words = error.strerror or str(error)
    if isinstance(error, BrokenPipeError):
        return _leave("")
    if error.filename:
        return _leave(f"lintbook: {error.filename}: {words}")
    if isinstance(error, FileNotFoundError):
        return _leave("lintbook: the current folder is gone")
    return _leave(f"lintbook: output is lost: {words}")


def _leave(words: str, status: int = 2) -> int:
    """Say what ended the run, if anything, and write out what is left, as far as that goes; return the exit status."""
    with suppress(OSError):
        print(words, end="\n" if words else "", file=sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    return status


if __name__ == "__main__":
    main()
