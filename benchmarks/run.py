"""Measure lintbook, cold and warm, beside other linters that are installed; print tables of times and ratios.

    python benchmarks/run.py [TREE …] [--pages N …] [--runs N] [--json FILE]

Without a TREE, books of three sizes are generated. Each tree is copied before it is measured, so that no configuration,
ignore file or cache above it has a say. The linters take turns, one run of each after the other, so that what else the
machine does falls on all of them; the best time of each counts, since it only makes a run slower.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from generate import write_book

BASE = "rumdl, cold"  # what times are put in relation to
_LINKS = "remark-validate-links=repository:false"  # else it asks git for the address of the repository


class Cost(NamedTuple):
    """What one run took: seconds on the clock and of the processor, mebibytes at the most."""

    wall: float
    cpu: float
    peak: float


class Contender(NamedTuple):
    """A command that checks the tree in the current folder; ``warm`` if a run before it may leave something behind."""

    name: str
    command: tuple[str, ...]
    warm: bool = False


def contenders() -> list[Contender]:
    """Return the linters that are installed, beside this Python or on the path, and are content with a sound page."""
    known = [
        Contender("lintbook, cold", ("lintbook", "check", "--no-cache", "--format", "concise")),
        Contender("lintbook, warm", ("lintbook", "check", "--format", "concise"), warm=True),
        Contender("rumdl, cold", ("rumdl", "check", "--no-cache", ".")),
        Contender("rumdl, warm", ("rumdl", "check", "."), warm=True),
        Contender("markdownlint-cli2", ("markdownlint-cli2", "**/*.md")),
        Contender("remark-validate-links", ("remark", "--use", _LINKS, "--quiet", ".")),
        Contender("bare Python", (sys.executable, "-c", "")),
    ]
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = []
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "page.md").write_text("# A page\n", encoding="utf-8")
        for each in known:
            program = shutil.which(each.command[0], path=places)
            command = (program or "", *each.command[1:])
            if program is None:
                print(f"{each.name}: {each.command[0]} is not installed", file=sys.stderr)
            elif not is_content(command, folder):
                print(f"{each.name}: {' '.join(command)} fails on a sound page", file=sys.stderr)
            else:
                found.append(each._replace(command=command))
    return found


def is_content(command: tuple[str, ...], folder: str) -> bool:
    """Return whether ``command`` ends well in ``folder``; one that only fails would be the fastest."""
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0


def run(command: tuple[str, ...], folder: Path, environment: dict[str, str]) -> Cost:
    """Run ``command`` in ``folder``; its findings and exit status do not matter here."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    start = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        os.chdir(folder)
        for stream in range(3):
            os.dup2(nowhere, stream)
        os.execve(command[0], command, environment)
    _, _, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    os.close(nowhere)
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def measure(linters: list[Contender], folder: Path, runs: int) -> dict[str, Cost]:
    """Return for each linter the best of ``runs`` runs on the tree at ``folder``."""
    found: dict[str, list[Cost]] = {}
    with tempfile.TemporaryDirectory() as caches:
        environment = {**os.environ, "LINTBOOK_CACHE_DIR": f"{caches}/lintbook", "RUMDL_CACHE_DIR": f"{caches}/rumdl"}
        # An installed lintbook is compiled; one of a checkout is after its first run, unless Python is told otherwise.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for linter in linters:
            if linter.warm:
                run(linter.command, folder, environment)
        for _ in range(runs):
            for linter in linters:
                found.setdefault(linter.name, []).append(run(linter.command, folder, environment))
    return {name: min(costs, key=lambda cost: cost.wall) for name, costs in found.items()}


def table(title: str, found: dict[str, Cost]) -> Iterator[str]:
    """Yield the results as lines of a Markdown table, with ratios to rumdl's cold run where it is installed."""
    base = found.get(BASE)
    yield f"### {title}"
    yield ""
    yield f"| | wall (s) | CPU (s) | peak (MiB) | wall ÷ {BASE} |"
    yield "|---|---:|---:|---:|---:|"
    for name, cost in found.items():
        ratio = f"{cost.wall / base.wall:.1f}" if base else "–"
        yield f"| {name} | {cost.wall:.3f} | {cost.cpu:.3f} | {cost.peak:.0f} | {ratio} |"
    yield ""


@contextmanager
def copied(tree: Path) -> Iterator[Path]:
    """Give a copy of ``tree``, without its version control, that stands in no other tree's configuration."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "book"
        shutil.copytree(tree, copy, ignore=shutil.ignore_patterns(".git", ".*cache*"), symlinks=True)
        (copy / ".git").mkdir()  # where linters stop looking for a configuration above
        yield copy


@contextmanager
def generated(pages: int) -> Iterator[tuple[str, Path]]:
    """Give the title and the folder of a generated book of so many pages."""
    with tempfile.TemporaryDirectory() as folder:
        size = write_book(Path(folder), pages)
        yield f"{pages} pages, {size / 1e6:.1f} MB", Path(folder)


def results(trees: list[Path], pages: list[int], runs: int) -> Iterator[tuple[str, dict[str, Cost]]]:
    """Yield the title of each tree and what its linters took."""
    linters = contenders()
    for tree in trees:
        with copied(tree) as folder:
            size = sum(page.stat().st_size for page in folder.rglob("*.md") if page.is_file())
            yield f"{tree.resolve().name}, {size / 1e6:.1f} MB", measure(linters, folder, runs)
    for count in pages if not trees else ():
        with generated(count) as (title, folder):
            yield title, measure(linters, folder, runs)


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description="Measure lintbook beside other linters that are installed.")
    parser.add_argument("trees", nargs="*", type=Path, help="books to measure on; by default generated ones")
    parser.add_argument("--pages", nargs="*", type=int, default=[10, 100, 1000], help="of generated books")
    parser.add_argument("--runs", type=int, default=5, help="of each linter on each tree; the best counts")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results into FILE too")
    arguments = parser.parse_args()
    machine = {"python": sys.version.split()[0], "cores": os.cpu_count(), "runs": arguments.runs}
    print(f"Python {machine['python']}, {machine['cores']} cores, best of {arguments.runs} interleaved runs\n")
    written: dict[str, dict[str, dict[str, float]]] = {}
    for title, found in results(arguments.trees, arguments.pages, arguments.runs):
        print("\n".join(table(title, found)), flush=True)
        written[title] = {name: cost._asdict() for name, cost in found.items()}
    if arguments.json is not None:
        arguments.json.write_text(json.dumps({**machine, "results": written}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
