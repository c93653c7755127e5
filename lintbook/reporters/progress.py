"""The line on a terminal that says what a long run is at, and leaves nothing behind."""

from __future__ import annotations

import os
from collections.abc import Callable
from time import monotonic
from typing import TextIO

from lintbook.watch import Watch

_PATIENCE = 0.5  # seconds that a run may take without a word
_REST = 0.1  # seconds for which a line stands, so that showing it costs nothing
_ERASE = "\r\x1b[K"
_NARROWEST = 80  # columns, of a terminal that does not tell


class ProgressLine(Watch):
    """Shows on ``stream``, a terminal, what it is told, once the run has lasted; ``clock`` counts seconds."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._next = clock() + _PATIENCE
        self._shown = False

    def tell(self, stage: str) -> None:
        """Put ``stage``, a few words in ASCII, in the place of what is shown."""
        now = self._clock()
        if now < self._next:
            return
        self._next = now + _REST
        self._shown = True
        # A line that reached the last column would go on in the next, where it could not be erased.
        self._write(_ERASE + f"lintbook: {stage}"[: _columns(self._stream) - 1])

    def erase(self) -> None:
        """Leave the line as if nothing had been shown."""
        if self._shown:
            self._write(_ERASE)
            self._shown = False

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or _NARROWEST
    except OSError:
        return _NARROWEST
