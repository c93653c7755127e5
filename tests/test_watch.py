from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from lintbook import watch
from lintbook.cli import lintbook
from lintbook.engine import check
from lintbook.reporters.profile import render
from lintbook.watch import UNWATCHED, Stopwatch


class Clock:
    """A clock that stands until it is set forward."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(watch, "perf_counter", clock)
    return clock


def test_a_phase_inside_another_interrupts_it(clock: Clock) -> None:
    stopwatch = Stopwatch()
    with stopwatch.phase("reading"):
        clock.now += 1
        with stopwatch.phase("parsing"):
            clock.now += 10
        clock.now += 2
    clock.now += 100  # in no phase at all
    with stopwatch.phase("parsing"):
        clock.now += 20
    assert stopwatch.seconds == {"reading": 3, "parsing": 30}


def test_what_makes_items_is_timed_and_not_what_uses_them(clock: Clock) -> None:
    def items() -> Iterator[int]:
        for number in range(3):
            clock.now += 1
            yield number
        clock.now += 1

    stopwatch = Stopwatch({"starting": 0.5})
    for _ in stopwatch.through("rule", items()):
        clock.now += 100
    assert stopwatch.seconds == {"starting": 0.5, "rule": 4}


def test_time_counts_up_to_a_fault(clock: Clock) -> None:
    stopwatch = Stopwatch()
    with pytest.raises(ValueError, match="fault"), stopwatch.phase("reading"):
        clock.now += 1
        raise ValueError("fault")
    with stopwatch.phase("checking"):
        clock.now += 2
    assert stopwatch.seconds == {"reading": 1, "checking": 2}


def test_nobody_watching_costs_a_rule_nothing() -> None:
    items = iter([1, 2])
    assert UNWATCHED.through("rule", items) is items


def test_all_phases_and_rules_of_a_run_are_timed(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("[x](gone.md)\n")
    cold, warm = Stopwatch(), Stopwatch()
    check(["."], tmp_path, watch=cold)
    check(["."], tmp_path, watch=warm)
    both = {"loading the rules", "discovery", "reading", "broken-link", "signing", "comparing with the baseline"}
    assert both | {"parsing", "saving the cache"} <= cold.seconds.keys()
    assert both | {"unpacking the cache"} <= warm.seconds.keys()
    assert "parsing" not in warm.seconds


def test_the_longest_phase_comes_first_and_the_shortest_are_one() -> None:
    lines = list(render({"reading": 0.25, "one": 0.0004, "broken-link": 0.7492, "other": 0.0004}))
    assert [line.split()[:3] for line in lines] == [
        ["749.2", "ms", "74.9%"],
        ["250.0", "ms", "25.0%"],
        ["0.8", "ms", "0.1%"],
        ["1000.0", "ms", "100.0%"],
    ]
    assert [line.split("  ")[-1] for line in lines[:3]] == ["broken-link", "reading", "2 shorter phases"]


@pytest.mark.parametrize("option", ["--quiet", "--diff", "--format=json"])
def test_times_are_told_on_standard_error(option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text("[x](gone.md)\n")
    monkeypatch.chdir(tmp_path)
    plain = CliRunner().invoke(lintbook, ["check", option])
    timed = CliRunner().invoke(lintbook, ["check", option, "--profile"])
    assert timed.stdout == plain.stdout
    assert re.search(r"ms +[\d.]+%  starting\n", timed.stderr)
    assert timed.stderr.splitlines()[-1].split()[2] == "100.0%"
