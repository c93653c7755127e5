"""Measure lintbook, cold and warm, beside other linters that are installed; print a table of times and ratios.

    python benchmarks/run.py [TREE …] [--pages N …] [--runs N]

Without a TREE, books of three sizes are generated. Each command runs so many times and the best time counts, since
whatever else the machine does only makes a run slower. All figures of one table come from one run of this script.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from generate import write_book

LINTBOOK = [sys.executable, "-m", "lintbook", "check", "--format", "concise"]


class Cost(NamedTuple):
    """What one run took: seconds on the clock and of the processor, mebibytes at the most."""

    wall: float
    cpu: float
    peak: float


def run(command: list[str], folder: Path, environment: dict[str, str]) -> Cost:
    """Run ``command`` in ``folder``; its findings and exit status do not matter here."""
    pid = os.fork()
    if pid == 0:
        os.chdir(folder)
        with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - a file descriptor is what is wanted
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        os.execvpe(command[0], command, environment)
    start = time.perf_counter()
    _, _, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def best(runs: int, measure: Callable[[], Cost]) -> Cost:
    """Return the run with the shortest time on the clock."""
    return min((measure() for _ in range(runs)), key=lambda cost: cost.wall)


def measure(folder: Path, runs: int) -> dict[str, Cost]:
    """Measure every linter that is there on the tree at ``folder``."""
    found: dict[str, Cost] = {}
    with tempfile.TemporaryDirectory() as caches:
        environment = {**os.environ, "LINTBOOK_CACHE_DIR": caches}
        found["lintbook, cold"] = best(runs, lambda: run([*LINTBOOK, "--no-cache"], folder, environment))
        run(LINTBOOK, folder, environment)
        found["lintbook, warm"] = best(runs, lambda: run(LINTBOOK, folder, environment))
    found["bare Python"] = best(runs, lambda: run([sys.executable, "-c", ""], folder, dict(os.environ)))
    others = {
        "rumdl, cold": ["rumdl", "check", "--no-cache", "."],
        "markdownlint-cli2": ["markdownlint-cli2", "**/*.md"],
        "remark-validate-links": ["remark", "--use", "remark-validate-links", "--quiet", "."],
    }
    for name, command in others.items():
        if shutil.which(command[0]):
            found[name] = best(runs, lambda command=command: run(command, folder, dict(os.environ)))  # type: ignore[misc]
    return found


def table(title: str, found: dict[str, Cost]) -> str:
    """Return the results as a Markdown table, as ratios to rumdl's cold run or, without it, to bare Python."""
    base = "rumdl, cold" if "rumdl, cold" in found else "bare Python"
    lines = [f"### {title}", "", f"| | wall (s) | CPU (s) | peak (MiB) | wall ÷ {base} |", "|---|---:|---:|---:|---:|"]
    for name, cost in found.items():
        ratio = cost.wall / found[base].wall
        lines.append(f"| {name} | {cost.wall:.3f} | {cost.cpu:.3f} | {cost.peak:.0f} | {ratio:.1f} |")
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("trees", nargs="*", type=Path)
    parser.add_argument("--pages", nargs="*", type=int, default=[10, 100, 1000])
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, best of {arguments.runs} runs\n")
    for tree in arguments.trees:
        print(table(tree.name, measure(tree, arguments.runs)))
    for pages in () if arguments.trees else arguments.pages:
        with tempfile.TemporaryDirectory() as folder:
            size = write_book(Path(folder), pages)
            print(table(f"{pages} pages, {size / 1e6:.1f} MB", measure(Path(folder), arguments.runs)))


if __name__ == "__main__":
    main()
