"""Real git repositories for tests, in folders of their own, whatever git is configured to do elsewhere."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "An Author",
    "GIT_AUTHOR_EMAIL": "author@example.org",
    "GIT_COMMITTER_NAME": "An Author",
    "GIT_COMMITTER_EMAIL": "author@example.org",
}


class Repository:
    """A git repository at ``folder``, made if there is none; its first branch is called main."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / ".git").exists():
            self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str, given: bytes | None = None) -> str:
        """Run git and return what it prints; a failure fails the test."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env=ENVIRONMENT, input=given, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def write(self, files: Mapping[str, str]) -> None:
        """Write files, with their folders."""
        for path, text in files.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="")

    def edit(self, path: str, *replacements: tuple[str, str]) -> None:
        """Replace in a file what occurs in it, each the first time; what does not occur fails the test."""
        text = (self.folder / path).read_text(encoding="utf-8")
        for old, new in replacements:
            assert old in text, old
            text = text.replace(old, new, 1)
        self.write({path: text})

    def commit(self, message: str) -> str:
        """Commit all that stands in the folder and return the commit."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD").strip()
