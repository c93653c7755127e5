"""Sharing out: many texts parsed by several processes, each of which takes the next that is left."""

from __future__ import annotations

import marshal
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from lintbook import packing
from lintbook.facts import Facts
from lintbook.text import Source

# Below this many characters for each, one more process costs more than it saves.
WORTH_A_PROCESS = 25_000

# A pipe holds so many numbers of four bytes on every system; they are written before any is read.
_MOST_SHARES = 4000

Parse = Callable[[Source], Facts]


class Parsed(NamedTuple):
    """A source and what it says, ``packed`` too if it came so from another process."""

    source: Source
    facts: Facts
    packed: object | None = None


def parse_all(
    sources: Sequence[Source], parse: Parse, *, jobs: int | None, done: Callable[[float], None]
) -> Iterator[Parsed]:
    """Parse ``sources`` in up to ``jobs`` processes (None: as many as there are cores), as far as that pays.

    ``done`` is told which share of them is parsed. What comes first depends on chance, what comes not.
    """
    processes = _processes(sources, jobs)
    if processes < 2:
        for number, source in enumerate(sources):
            done(number / len(sources))
            yield Parsed(source, parse(source))
        return
    # The largest first, so that at the end none waits long for another.
    *shared, smallest = sorted(sources, key=lambda source: len(source.text), reverse=True)
    # What parsing imports and compiles is at hand before this process is copied, not made again in each copy.
    parsed = [Parsed(smallest, parse(smallest))]
    queue = _Queue(shared)
    others = [_fork(queue, parse) for _ in range(processes - 1)]
    parsed.extend(Parsed(source, parse(source)) for share in queue.shares(done) for source in share)
    by_path = {source.path: source for source in sources}
    for child, pipe in others:
        parsed.extend(_answered(child, pipe, by_path))
    known = {each.source.path for each in parsed}
    while parsed:  # a large book does not fit into memory twice
        yield parsed.pop()
    # Whatever went wrong there goes wrong here again, where it can be seen.
    yield from (Parsed(source, parse(source)) for source in sources if source.path not in known)


def _processes(sources: Sequence[Source], jobs: int | None) -> int:
    """Return how many processes are to parse ``sources``, one of which is parsed before there are several.

    More than one only if a copy of this process is safe, for which no other thread may hold a lock.
    """
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return 1
    paying = sum(len(source.text) for source in sources) // WORTH_A_PROCESS
    return min(jobs or os.cpu_count() or 1, paying, len(sources) - 1)


class _Queue:
    """Sources in shares, each of which one of several processes takes, this one or a copy of it."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources
        self._count = min(len(sources), _MOST_SHARES)
        self._numbers, numbers = os.pipe()
        os.write(numbers, b"".join(number.to_bytes(4, "little") for number in range(self._count)))
        os.close(numbers)

    def shares(self, done: Callable[[float], None] = lambda share: None) -> Iterator[Sequence[Source]]:
        """Yield shares that no other process has taken; ``done`` is told which part of all is taken."""
        while number := os.read(self._numbers, 4):
            taken = int.from_bytes(number, "little")
            done(taken / self._count)
            yield self._sources[taken :: self._count]
        os.close(self._numbers)


def _fork(queue: _Queue, parse: Parse) -> tuple[int, int]:
    """Parse what others leave of ``queue`` in a copy of this process; return its number and the pipe it answers on."""
    answer, question = os.pipe()
    child = os.fork()
    if child:
        os.close(question)
        return child, answer
    status = 1
    try:
        os.close(answer)
        packed = [(source.path, packing.pack(parse(source))) for share in queue.shares() for source in share]
        with os.fdopen(question, "wb") as results:
            results.write(marshal.dumps(packed))
        status = 0
    finally:
        os._exit(status)  # nothing of the copied process may be flushed or cleaned up a second time


def _answered(child: int, pipe: int, sources: dict[str, Source]) -> Iterator[Parsed]:
    """Yield what the process ``child`` parsed; nothing if it failed."""
    with os.fdopen(pipe, "rb") as results:
        packed = results.read()
    _, status = os.waitpid(child, 0)
    if status == 0:
        for path, facts in marshal.loads(packed):
            yield Parsed(sources[path], packing.unpack(facts, path, Facts), facts)
