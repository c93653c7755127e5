"""Watching a run: who reads or checks tells what it is at, for whoever shows that or takes the time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from time import perf_counter
from types import MappingProxyType
from typing import TypeVar

_T = TypeVar("_T")


class Watch:
    """Is told what a run is at, and makes nothing of it: the watch of a run that nobody watches."""

    measures = False  # whether it takes the time of what it is told

    def tell(self, stage: str) -> None:
        """Take a few words, such as `reading: 120 of 500 files`; those told last say what is done now."""

    def phase(self, name: str) -> AbstractContextManager[None]:
        """Take what is done in a ``with`` block as the phase ``name``."""
        return nullcontext()

    def through(self, name: str, items: Iterator[_T]) -> Iterator[_T]:
        """Yield ``items``; take what makes them as the phase ``name``."""
        return items


UNWATCHED = Watch()


class Stopwatch(Watch):
    """Adds up the seconds on the clock that each phase took, to those of earlier ones that it is given.

    A phase that begins inside another interrupts it, so that no time counts twice.
    """

    measures = True

    def __init__(self, earlier: Mapping[str, float] = MappingProxyType({})) -> None:
        self.seconds = dict(earlier)
        self._running: list[str] = []
        self._since = 0.0

    def phase(self, name: str) -> AbstractContextManager[None]:
        """Count the time of a ``with`` block as that of the phase ``name``."""
        return self._counted(name)

    @contextmanager
    def _counted(self, name: str) -> Iterator[None]:
        self._lap()
        self.seconds.setdefault(name, 0.0)
        self._running.append(name)
        try:
            yield
        finally:
            self._lap()
            self._running.pop()

    def _lap(self) -> None:
        """Give the time since phases last changed to the one that is running."""
        now = perf_counter()
        if self._running:
            self.seconds[self._running[-1]] += now - self._since
        self._since = now

    def through(self, name: str, items: Iterator[_T]) -> Iterator[_T]:
        """Yield ``items``; count the time that it takes to make them as that of the phase ``name``."""
        nothing: list[_T] = []
        while True:
            with self.phase(name):
                made = next(([item] for item in items), nothing)
            if not made:
                return
            yield made[0]
