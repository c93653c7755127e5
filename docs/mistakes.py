"""Write what Ruff, rumdl and lintbook answer to the same mistakes: `python docs/mistakes.py [FILE]`.

Each is run in a folder of its own that holds one sound page and what the mistake needs. A linter that is not installed
answers nothing. The page is docs/mistakes.md unless FILE says otherwise.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "mistakes.md"
SECONDS = 60
_DURATION = re.compile(r"\(\d+(?:\.\d+)?m?s\)")

_HEAD = """\
# Twenty mistakes

What a linter is like shows when something goes wrong. This page holds the answers of three linters to the same mistakes
in configuration and usage: {versions}. Ruff checks Python, so its pages are Python;
where a linter has nothing of the kind it is not asked.

The page is written by `python docs/mistakes.py`, and a test holds lintbook to what stands here.
"""


class Asked(NamedTuple):
    """What a linter is asked: the words behind its name, the files that are there, and standard input."""

    words: tuple[str, ...]
    files: Mapping[str, str | bytes] = {}
    stdin: str = ""


class Mistake(NamedTuple):
    """A mistake as it is made with each linter that knows anything of the kind."""

    title: str
    ruff: Asked | None
    rumdl: Asked | None
    lintbook: Asked | None


class Linter(NamedTuple):
    """A linter: its name, how it is started, the sound page that it checks."""

    name: str
    command: tuple[str, ...] | None
    page: str
    text: str

    def version(self) -> str | None:
        """Return name and version, or None if it is not installed."""
        if self.command is None:
            return None
        done = subprocess.run([*self.command, "--version"], capture_output=True, text=True, check=True, timeout=SECONDS)
        return done.stdout.strip()

    def answer(self, asked: Asked) -> str | None:
        """Return what it prints in a folder that is made for the purpose, and its exit status; None without it."""
        if self.command is None:
            return None
        with tempfile.TemporaryDirectory() as work:
            folder = Path(work).resolve() / "book"
            for path, content in {self.page: self.text, ".git/HEAD": "", **asked.files}.items():
                file = folder / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content.encode() if isinstance(content, str) else content)
            done = subprocess.run(
                [*self.command, *asked.words],
                cwd=folder,
                env=_environment(work),
                input=asked.stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        said = _DURATION.sub("(… ms)", done.stdout.replace(f"{folder}/", "")).strip("\n")
        return "\n".join([*(line.rstrip() for line in said.split("\n") if said), f"exit status: {done.returncode}"])


def _environment(work: str) -> dict[str, str]:
    """Return the environment of this process without what would colour, remember or configure."""
    ours = ("RUFF_", "RUMDL_", "LINTBOOK_", "CI", "FORCE_COLOR")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    homes = {"XDG_CONFIG_HOME": work, "XDG_CACHE_HOME": work, "HOME": work}
    return {**kept, **homes, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "RUFF_NO_CACHE": "true", "COLUMNS": "100"}


def _installed(name: str) -> tuple[str, ...] | None:
    """Return the command ``name`` beside this Python, or on the path; None if there is none."""
    found = shutil.which(name, path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    return (found,) if found else None


LINTERS = (
    Linter("ruff", _installed("ruff"), "sums.py", "total = 1\n"),
    Linter("rumdl", _installed("rumdl"), "sums.md", "# Sums\n"),
    Linter("lintbook", (sys.executable, "-m", "lintbook"), "sums.md", "# Sums\n"),
)

CHECK = ("check",)


def _configured(ruff: str, rumdl: str, lintbook: str) -> tuple[Asked, Asked, Asked]:
    """Return how each is asked to check, with these configurations."""
    return (
        Asked(CHECK, {"ruff.toml": ruff}),
        Asked(CHECK, {".rumdl.toml": rumdl}),
        Asked(CHECK, {"lintbook.toml": lintbook}),
    )


def _used(*words: str) -> tuple[Asked, Asked, Asked]:
    """Return all three asked in the same words."""
    return Asked(words), Asked(words), Asked(words)


def _commented(ruff: str, rule: str, rumdl: str, lintbook: str) -> tuple[Asked, Asked, Asked]:
    """Return how each is asked to check a page with a comment; Ruff with the ``rule`` about such comments on."""
    return (
        Asked((*CHECK, "--extend-select", rule), {"sums.py": ruff}),
        Asked(CHECK, {"sums.md": f"# Sums\n\n{rumdl}\n\nText.\n"}),
        Asked(CHECK, {"sums.md": f"# Sums\n\n{lintbook}\n\nText.\n"}),
    )


_PICTURE = b"\x89PNG\r\n\x1a\n\0\0"
_EMPTY = {"a.toml": ""}

MISTAKES = (
    Mistake(
        "A key that does not exist",
        *_configured("[lint]\nselct = []\n", "[global]\ndisabel = []\n", "ignor = []\n"),
    ),
    Mistake(
        "A value of another type",
        *_configured("[lint]\nselect = 'E'\n", "[global]\nline-length = 'x'\n", "ignore = 'broken-link'\n"),
    ),
    Mistake(
        "A rule that does not exist, in the configuration",
        *_configured("[lint]\nselect = ['E50l']\n", "[global]\ndisable = ['MD9']\n", "ignore = ['broken-lnk']\n"),
    ),
    Mistake("A configuration that is no TOML", *_configured("[lint\n", "[global\n", "[rules\n")),
    Mistake("A configuration file that is not there", *_used("check", "--config", "strict.toml")),
    Mistake("An option that does not exist", *_used("check", "--statistic")),
    Mistake("A command that does not exist", *_used("chekc")),
    Mistake(
        "A format that does not exist",
        Asked((*CHECK, "--output-format", "jsn")),
        Asked((*CHECK, "--output-format", "jsn")),
        Asked((*CHECK, "--format", "jsn")),
    ),
    Mistake(
        "A path that does not exist",
        Asked((*CHECK, "sum.py")),
        Asked((*CHECK, "sum.md")),
        Asked((*CHECK, "sum.md")),
    ),
    Mistake("A file that is no text", *(Asked((*CHECK, "logo.png"), {"logo.png": _PICTURE}),) * 3),
    Mistake(
        "A page that is not UTF-8",
        Asked(CHECK, {"latin.py": b"x = 1\n# caf\xe9\n"}),
        Asked(CHECK, {"latin.md": b"# Ca\n\ncaf\xe9\n"}),
        Asked(CHECK, {"latin.md": b"# Ca\n\ncaf\xe9\n"}),
    ),
    Mistake(
        "A comment that silences all there is",
        *_commented("import os  # noqa\n", "PGH004", "<!-- rumdl-disable-next-line -->", "<!-- lintbook: ignore -->"),
    ),
    Mistake(
        "A comment that names a rule which does not exist",
        *_commented(
            "import os  # noqa: F410\n",
            "RUF102",
            "<!-- rumdl-disable-next-line MD9 -->",
            "<!-- lintbook: ignore[broken-lnk] -->",
        ),
    ),
    Mistake(
        "A comment that silences nothing",
        *_commented(
            "total = 1  # noqa: F401\n",
            "RUF100",
            "<!-- rumdl-disable-next-line MD013 -->",
            "<!-- lintbook: ignore[broken-link] -->",
        ),
    ),
    Mistake("Options that exclude each other", *(Asked((*CHECK, "--isolated", "--config", "a.toml"), _EMPTY),) * 3),
    Mistake(
        "A baseline that is damaged", None, None, Asked(CHECK, {"lintbook-baseline.json": '{"version": 1,\n "diag'})
    ),
    Mistake("A baseline that is not there", None, None, Asked(CHECK, {"lintbook.toml": 'baseline = "known.json"\n'})),
    Mistake(
        "An output file where a folder should be",
        Asked((*CHECK, "--output-file", "sums.py/found.txt")),
        None,
        Asked((*CHECK, "--output-file", "sums.md/found.txt")),
    ),
    Mistake(
        "A rule to explain that does not exist",
        Asked(("rule", "F4O1")),
        Asked(("rule", "MD9")),
        Asked(("explain", "broken-lnk")),
    ),
    Mistake("Nothing on standard input", *_used(*CHECK, "-")),
)


def page() -> Iterator[str]:
    """Yield the lines of the page."""
    versions = [linter.version() for linter in LINTERS]
    yield _HEAD.format(versions=", ".join(version for version in versions if version is not None))
    told = [
        [None if asked is None else linter.answer(asked) for linter, asked in zip(LINTERS, mistake[1:], strict=True)]
        for mistake in MISTAKES
    ]
    yield f"| exit status | {' | '.join(linter.name for linter in LINTERS)} |\n|---|{'---|' * len(LINTERS)}"
    for number, (mistake, answers) in enumerate(zip(MISTAKES, told, strict=True), start=1):
        statuses = ["" if answer is None else answer[-1] for answer in answers]
        yield f"| {number}. {mistake.title} | {' | '.join(statuses)} |"
    for number, (mistake, answers) in enumerate(zip(MISTAKES, told, strict=True), start=1):
        yield f"\n## {number}. {mistake.title}"
        for linter, asked, answer in zip(LINTERS, mistake[1:], answers, strict=True):
            if asked is not None and answer is not None:
                yield "\n".join(("\n```text", *_made(linter, asked), answer, "```"))


def _made(linter: Linter, asked: Asked) -> Iterator[str]:
    """Yield what the mistake is: the files that can be shown, and the command."""
    for path, content in asked.files.items():
        if isinstance(content, str) and content:
            yield from (f"# {path}", *(f"#   {line}" if line else "#" for line in content.splitlines()))
    yield f"$ {linter.name} {' '.join(asked.words)}"


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    target.write_text("\n".join(page()).rstrip("\n") + "\n", encoding="utf-8")
