"""Sharing out: work done by several processes, each of which takes the next piece that is left."""

from __future__ import annotations

import marshal
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from lintbook import packing
from lintbook.facts import Facts
from lintbook.text import Source

# Below this many characters for each, one more process that parses costs more than it saves.
WORTH_A_PROCESS = 25_000

# A pipe holds so many numbers of four bytes on every system; they are written before any is read.
_MOST_SHARES = 4000

Parse = Callable[[Source], Facts]

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


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
    processes = min(allowed(jobs), sum(len(source.text) for source in sources) // WORTH_A_PROCESS, len(sources) - 1)
    # The largest first, so that at the end none waits long for another.
    ordered = sorted(sources, key=lambda source: len(source.text), reverse=True) if processes > 1 else list(sources)
    if processes > 1:
        # What parsing imports and compiles is at hand before this process is copied, not made again in each copy.
        smallest = ordered.pop()
        yield Parsed(smallest, parse(smallest))
    work: Work[Source, Parsed] = Work(
        lambda source: Parsed(source, parse(source)),
        lambda parsed: packing.pack(parsed.facts),
        lambda source, packed: Parsed(source, packing.unpack(packed, source.path, Facts), packed),
    )
    yield from share_out(ordered, work, processes, done)


def allowed(jobs: int | None) -> int:
    """Return how many processes may work where up to ``jobs`` are asked for; None asks for as many as there are cores.

    More than one only if a copy of this process is safe, for which no other thread may hold a lock.
    """
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return 1
    return jobs or os.cpu_count() or 1


class Work(NamedTuple, Generic[_Item, _Result]):
    """What is done with an item, and how its result goes through a pipe: packed, as ``marshal`` takes it, and back."""

    do: Callable[[_Item], _Result]
    pack: Callable[[_Result], object]
    unpack: Callable[[_Item, object], _Result]


def share_out(
    items: Sequence[_Item],
    work: Work[_Item, _Result],
    processes: int,
    done: Callable[[float], None] = lambda share: None,
) -> Iterator[_Result]:
    """Work on ``items`` in ``processes``, of which this is one, and yield the results, in no order.

    ``done`` is told which share of them is taken.
    """
    if processes < 2:
        for number, item in enumerate(items):
            done(number / len(items))
            yield work.do(item)
        return
    queue = _Queue(len(items))
    others = [_fork(queue, items, work) for _ in range(processes - 1)]
    results = {number: work.do(items[number]) for number in queue.numbers(done)}
    for child, pipe in others:
        results.update((number, work.unpack(items[number], packed)) for number, packed in _answered(child, pipe))
    left = [number for number in range(len(items)) if number not in results]
    while results:  # a large book does not fit into memory twice
        yield results.popitem()[1]
    # Whatever went wrong there goes wrong here again, where it can be seen.
    yield from (work.do(items[number]) for number in left)


class _Queue:
    """Numbers from 0 up to ``count``, in shares each of which one of several processes takes."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._shares = min(count, _MOST_SHARES)
        self._pipe, pipe = os.pipe()
        os.write(pipe, b"".join(share.to_bytes(4, "little") for share in range(self._shares)))
        os.close(pipe)

    def numbers(self, done: Callable[[float], None] = lambda share: None) -> Iterator[int]:
        """Yield numbers that no other process has taken; ``done`` is told which part of all is taken."""
        while share := os.read(self._pipe, 4):
            first = int.from_bytes(share, "little")
            done(first / self._shares)
            yield from range(first, self._count, self._shares)
        os.close(self._pipe)


def _fork(queue: _Queue, items: Sequence[_Item], work: Work[_Item, _Result]) -> tuple[int, int]:
    """Do what others leave of ``queue`` in a copy of this process; return its number and the pipe it answers on."""
    answer, question = os.pipe()
    child = os.fork()
    if child:
        os.close(question)
        return child, answer
    status = 1
    try:
        os.close(answer)
        packed = [(number, work.pack(work.do(items[number]))) for number in queue.numbers()]
        with os.fdopen(question, "wb") as results:
            results.write(marshal.dumps(packed))
        status = 0
    finally:
        os._exit(status)  # nothing of the copied process may be flushed or cleaned up a second time


def _answered(child: int, pipe: int) -> Sequence[tuple[int, object]]:
    """Return the packed results of the process ``child``, each with the number of its item; none if it failed."""
    with os.fdopen(pipe, "rb") as results:
        packed = results.read()
    _, status = os.waitpid(child, 0)
    answered: Sequence[tuple[int, object]] = marshal.loads(packed) if status == 0 else ()
    return answered
