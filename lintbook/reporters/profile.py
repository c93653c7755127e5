"""Where the time of a run went: its phases, the longest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def render(seconds: Mapping[str, float]) -> Iterator[str]:
    """Yield a line for each phase that took a millisecond or more, one for all others, and one for the whole."""
    whole = sum(seconds.values())
    told = {name: time for name, time in seconds.items() if time >= 0.001}
    for name in sorted(told, key=lambda name: -told[name]):
        yield _line(told[name], whole, name)
    rest = [time for time in seconds.values() if time < 0.001]
    if rest:
        yield _line(sum(rest), whole, f"{len(rest)} shorter phases")
    yield _line(whole, whole, "in all; of rules the first that asks for an index of the book pays for it")


def _line(time: float, whole: float, name: str) -> str:
    return f"{time * 1000:9.1f} ms {time / whole:6.1%}  {name}"
