"""A newcomer's hour: do what README.md says, word for word, on books that lintbook never saw: `newcomer.py WHEEL`.

Every `sh` fence of the README is run in its place, line by line, in an environment that holds nothing but pip, and
every other fence is written where the text above it says. What each command must then have done stands in `PROMISES`;
a command without promise, or a promise without command, fails. `INSTEAD` holds what is run or written in another
form, with the reason. The books are those of fixtures/newcomer; their faults stand in expected.txt.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BOOKS = sorted(path for path in (ROOT / "fixtures" / "newcomer").iterdir() if path.is_dir())

# What the README says: what is done in its place, and why.
INSTEAD = {
    "pip install .": ("pip install --quiet {wheel}", "the wheel of this checkout is built already"),
    "https://example.org/lintbook": (
        "{repository}",
        "the address is an example; this is a repository of this checkout",
    ),
}
# These touch the environment alone, which all books share.
ONCE = frozenset({"pip install .", "pip install pre-commit"})


class BrokenPromiseError(Exception):
    """The README promises what does not happen."""


class Fence(NamedTuple):
    """A fence of the README: the section that it stands in, its language and its text."""

    section: str
    language: str
    text: str


class Done(NamedTuple):
    """What became of a command."""

    status: int
    out: str
    err: str


def fences(text: str) -> Iterator[Fence]:
    """Yield the fences of a page in their order."""
    section = ""
    for match in re.finditer(r"^## ([^\n]+)$|^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        section = match[1] or section
        if match[2]:
            yield Fence(section, match[2], match[3])


def commands(fence: Fence) -> list[str]:
    """Return the lines of a fence of shell commands, without the remarks behind them."""
    return [re.sub(r"\s{2,}# .*", "", line) for line in fence.text.splitlines()]


@dataclass
class Newcomer:
    """Somebody with an empty environment in ``home``, a wheel of lintbook, and mdBook."""

    home: Path
    wheel: Path
    done_once: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        tools = self.home / "env" / "bin"
        subprocess.run([sys.executable, "-m", "venv", tools.parent], check=True)
        # The newcomer has mdBook from elsewhere; ours is a development dependency.
        (tools / "mdbook").symlink_to(Path(sysconfig.get_path("scripts")) / "mdbook")
        strange = ("PYTHON", "GIT_", "LINTBOOK", "PRE_COMMIT", "VIRTUAL_ENV", "CI")
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(strange)},
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "GIT_CONFIG_GLOBAL": os.devnull,
            **{f"GIT_{who}_NAME": "A Newcomer" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": "newcomer@example.org" for who in ("AUTHOR", "COMMITTER")},
            "PRE_COMMIT_HOME": str(self.home / "pre-commit"),
            "LINTBOOK_CACHE_DIR": str(self.home / "cache"),
            "PIP_NO_COMPILE": "1",  # most modules of the libraries are never imported here
        }
        self.repository = self._repository()

    def _repository(self) -> Path:
        """Return a repository of this checkout, as somebody would have it from a forge, with the tag of the README."""
        folder = self.home / "lintbook"
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)
        for name in listed.stdout.split("\0"):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        self.git(
            folder, "init --quiet --initial-branch=main && git add --all && git commit --quiet -m x && git tag v0.1.0"
        )
        return folder

    def run(self, command: str, folder: Path) -> Done:
        """Run ``command`` in a shell in ``folder``."""
        done = subprocess.run(
            command, shell=True, cwd=folder, env=self.environment, capture_output=True, check=False, timeout=300
        )  # fmt: skip
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    def git(self, folder: Path, arguments: str) -> str:
        """Run git, which must not fail, and return what it prints."""
        done = self.run(f"git {arguments}", folder)
        if done.status:
            raise BrokenPromiseError(f"git {arguments}: {done.err}")
        return done.out

    def own(self, text: str) -> str:
        """Put what ``INSTEAD`` says in the place of what the README says."""
        for said, (instead, _) in INSTEAD.items():
            text = text.replace(said, instead.format(wheel=self.wheel, repository=self.repository))
        return text


class Place(NamedTuple):
    """Where a rule spoke: ``path:line:column`` and the rule's name."""

    where: str
    rule: str


class Visit:
    """A newcomer in one book, a clone of a repository in which the book stands."""

    def __init__(self, newcomer: Newcomer, book: Path) -> None:
        self.newcomer = newcomer
        self.name = book.name
        origin = newcomer.home / "origin" / book.name
        shutil.copytree(book, origin)
        expected = (origin / "expected.txt").read_text(encoding="utf-8").splitlines()[1:]
        self.expected = [Place(*line.split(" ")) for line in expected]
        (origin / "expected.txt").unlink()
        newcomer.git(origin, "init --quiet --initial-branch=main && git add --all && git commit --quiet -m 'The book'")
        newcomer.git(origin, "config receive.denyCurrentBranch ignore")
        self.folder = newcomer.home / "books" / book.name
        newcomer.git(newcomer.home, f"clone --quiet {origin} {self.folder}")

    def run(self, command: str) -> Done:
        """Run ``command`` in the book."""
        return self.newcomer.run(command, self.folder)

    def changed(self) -> list[str]:
        """Return the files that differ from the last commit."""
        return self.newcomer.git(self.folder, "diff --name-only").splitlines()

    def found(self) -> list[Place]:
        """Return what lintbook finds now."""
        return places(self.run("lintbook check --format json").out)

    def silence(self, comment: str) -> None:
        """Put ``comment`` above the paragraph of the first finding of the rule that it names."""
        match = re.search(r"\[([a-z-]+)\]", comment)
        promise(match is not None, f"the comment names a rule: {comment}")
        assert match is not None
        before = self.found()
        first = next(place for place in before if place.rule == match[1])
        path, line, _ = first.where.split(":")
        lines = (self.folder / path).read_text(encoding="utf-8").splitlines()
        above = max(index for index in range(int(line)) if index == 0 or not lines[index - 1])
        lines[above:above] = [comment, ""]
        (self.folder / path).write_text("\n".join(lines) + "\n", encoding="utf-8")
        after = self.run("lintbook check --format json")
        gone = len(before) - len(places(after.out))
        promise(gone >= 1, f"the comment silences {first}")
        promise(json.loads(after.out)["summary"]["suppressed"] == gone, "what was silenced is counted")
        promise("unused-suppression" not in after.out, "the comment is of use")

    def commit(self) -> Done:
        """Commit all that there is, hooks and all."""
        return self.run("git add --all && git commit --quiet --message 'What the newcomer did'")


def promise(kept: bool, what: str, done: Done | None = None) -> None:
    """Raise BrokenPromiseError, which tells ``what`` was promised, unless it is ``kept``."""
    if not kept:
        raise BrokenPromiseError(what + (f"\nstatus {done.status}\n{done.out}\n{done.err}" if done else ""))


def places(output: str) -> list[Place]:
    """Return the places that the json format reports."""
    found = json.loads(output)["diagnostics"]
    return [Place(f"{each['path']}:{each['line']}:{each['column']}", each["rule"]) for each in found]


# What the README promises of each command


def succeeds(visit: Visit, done: Done) -> None:
    promise(done.status == 0, "the command succeeds", done)


def finds_what_is_wrong(visit: Visit, done: Done) -> None:
    promise(done.status == 1, "the status is 1: something was found", done)
    for place in visit.expected:
        promise(place.where in done.out and place.rule in done.out, f"{place} is reported", done)
    promise(done.out.splitlines()[-1].startswith("checked "), "the last line says what was checked", done)


def counts_rules(visit: Visit, done: Done) -> None:
    promise(done.status == 1, "the status is 1", done)
    for rule in {place.rule for place in visit.expected}:
        promise(rule in done.out, f"{rule} is counted", done)


def explains(visit: Visit, done: Done) -> None:
    promise(done.status == 0 and "## Why" in done.out and "## Repair" in done.out, "why, and how to repair it", done)


def finds_places_in_lines(visit: Visit, done: Done) -> None:
    lines = done.out.splitlines()
    entry = re.compile(r"(?P<where>[^:]+:\d+:\d+): (?:error|warning|info) [A-Z]{3}\d{3} (?P<rule>[a-z-]+): .+")
    promise(done.status == 1 and bool(lines) and all(map(entry.fullmatch, lines)), "each line is an entry", done)
    found = {Place(match["where"], match["rule"]) for line in lines if (match := entry.fullmatch(line))}
    promise(found <= set(visit.expected), "nothing but what is wrong is reported", done)


def finds_places_for_programs(visit: Visit, done: Done) -> None:
    promise(done.status == 1 and places(done.out) == visit.expected, "every place is reported and no other", done)


def writes_sarif(visit: Visit, done: Done) -> None:
    (run,) = json.loads((visit.folder / "lintbook.sarif").read_text(encoding="utf-8"))["runs"]
    promise(done.status == 1 and len(run["results"]) == len(visit.expected), "the file holds every place", done)
    (visit.folder / "lintbook.sarif").unlink()


def annotates(visit: Visit, done: Done) -> None:
    lines = done.out.splitlines()
    promise(done.status == 1 and len(lines) == len(visit.expected), "there is an annotation for each place", done)
    promise(all(re.match(r"::(error|warning|notice) .*file=", line) for line in lines), "they are GitHub's", done)


def shows_changes(visit: Visit, done: Done) -> None:
    promise(done.status == 1 and done.out.startswith("--- "), "changes are shown", done)
    promise(visit.changed() == [], "nothing is changed")


def makes_changes(visit: Visit, done: Done) -> None:
    promise(bool(visit.changed()), "something is changed", done)
    left = visit.found()
    promise(len(left) < len(visit.expected), "what was fixed is found no more", done)
    promise({place.rule for place in left} <= {place.rule for place in visit.expected}, "nothing new is found", done)
    contents = {name: (visit.folder / name).read_bytes() for name in visit.changed()}
    again = visit.run("lintbook check --fix")
    same = {name: (visit.folder / name).read_bytes() for name in visit.changed()} == contents
    promise(same, "fixing twice changes nothing", again)


def knows_the_rest(visit: Visit, done: Done) -> None:
    promise(done.status == 0 and (visit.folder / "lintbook-baseline.json").exists(), "the baseline is written", done)


def finds_nothing_new(visit: Visit, done: Done) -> None:
    promise(done.status == 0 and "nothing found" in done.out, "nothing new is found", done)


def hooks_in(visit: Visit, done: Done) -> None:
    promise(done.status == 0 and (visit.folder / ".git/hooks/pre-commit").exists(), "the hook is installed", done)


def passes_until_there_is_something_new(visit: Visit, done: Done) -> None:
    promise(done.status == 0 and "Passed" in done.out, "the hook passes", done)
    committed = visit.commit()
    promise(committed.status == 0, "what was done can be committed", committed)
    visit.newcomer.git(visit.folder, "push --quiet origin main")
    page = visit.folder / visit.expected[0].where.partition(":")[0]
    sound = page.read_text(encoding="utf-8")
    page.write_text(f"{sound}\n[new](nowhere-at-all.md)\n", encoding="utf-8")
    refused = visit.commit()
    said = refused.out + refused.err
    promise(refused.status == 1 and "nowhere-at-all.md" in said, "a commit with a new fault is refused", refused)
    page.write_text(sound, encoding="utf-8")
    visit.newcomer.git(visit.folder, "add --all")


def builds_and_checks(visit: Visit, done: Done) -> None:
    promise(done.status == 0 and "lintbook: checked " in done.err, "mdBook builds, and lintbook checks", done)
    promise((visit.folder / "book" / "index.html").exists(), "the book is there", done)


PROMISES: dict[tuple[str, str], Callable[[Visit, Done], None]] = {
    ("Install", "pip install ."): succeeds,
    ("Check a book", "lintbook check"): finds_what_is_wrong,
    ("Check a book", "lintbook check --statistics"): counts_rules,
    ("Check a book", "lintbook explain broken-link"): explains,
    ("Check a book", "lintbook check --format concise"): finds_places_in_lines,
    ("Check a book", "lintbook check --format json"): finds_places_for_programs,
    ("Check a book", "lintbook check --format sarif --output-file lintbook.sarif"): writes_sarif,
    ("Check a book", "lintbook check --format github"): annotates,
    ("Repair what can be repaired at once", "lintbook check --diff"): shows_changes,
    ("Repair what can be repaired at once", "lintbook check --fix"): makes_changes,
    ("Leave the rest for later", "lintbook baseline write"): knows_the_rest,
    ("Leave the rest for later", "lintbook check"): finds_nothing_new,
    ("Before each commit", "pip install pre-commit"): succeeds,
    ("Before each commit", "pre-commit install"): hooks_in,
    ("Before each commit", "pre-commit run --all-files"): passes_until_there_is_something_new,
    ("In continuous integration", "lintbook check --fail-on-stale"): finds_nothing_new,
    ("In continuous integration", "lintbook check --base origin/main"): finds_nothing_new,
    ("While mdBook builds", "mdbook build"): builds_and_checks,
}


def follow(visit: Visit, fence: Fence) -> Iterator[str]:
    """Do what a fence says; yield the commands that were run."""
    text = visit.newcomer.own(fence.text)
    if fence.section == "While mdBook builds" and not (visit.folder / "book.toml").exists():
        return
    match fence.language:
        case "sh":
            for command in commands(fence):
                if command in ONCE & visit.newcomer.done_once:
                    continue
                visit.newcomer.done_once.add(command)
                kept = PROMISES.get((fence.section, command))
                promise(kept is not None, "it is known what the command is to do")
                assert kept is not None
                kept(visit, visit.run(visit.newcomer.own(command)))
                yield command
        case "markdown":
            visit.silence(text.strip())
        case "yaml":
            (visit.folder / ".pre-commit-config.yaml").write_text(text, encoding="utf-8")
        case "toml":
            with (visit.folder / "book.toml").open("a", encoding="utf-8") as file:
                file.write(f"\n{text}")
        case _:
            raise BrokenPromiseError(f"the script does not know what to do with a fence of {fence.language}")


def main(wheel: str) -> int:
    """Visit each book; return the exit status."""
    steps = list(fences((ROOT / "README.md").read_text(encoding="utf-8")))
    for said, (instead, reason) in INSTEAD.items():
        print(f"instead of `{said}`: `{instead}` ({reason})")
    run: set[tuple[str, str]] = set()
    start = monotonic()
    with TemporaryDirectory() as home:
        newcomer = Newcomer(Path(home).resolve(), Path(wheel).resolve())
        for book in BOOKS:
            visit = Visit(newcomer, book)
            for step in steps:
                try:
                    for command in follow(visit, step):
                        run.add((step.section, command))
                        print(f"{monotonic() - start:5.1f} s  {book.name}: {command}", flush=True)
                except BrokenPromiseError as broken:
                    print(f"{book.name}: {step.section}: {step.text}broken promise: {broken}", file=sys.stderr)
                    return 1
    for section, command in PROMISES.keys() - run:
        print(f"the README says no more, or no book was right for it: {section}: {command}", file=sys.stderr)
    return 1 if PROMISES.keys() - run else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
