"""Following a workspace: being told by the system which of its files change, as they do."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lintbook.workspace import Workspace

# Milliseconds. Files that change in one go (an editor's save, a checkout) are told together: once none has for a
# moment, at the latest after a while. Where the system tells nothing, files are looked at again and again.
_MOMENT = 30
_WHILE = 1_600
_AGAIN = 1_000


def can_follow() -> bool:
    """Return whether the library is installed that asks the system."""
    return find_spec("watchfiles") is not None


def follow(workspace: Workspace) -> Iterator[Collection[str] | None]:
    """Yield again and again, without an end, the absolute paths of what changed; None if it may be anything.

    The workspace is to be checked before, and each time again. What editors leave beside a file for a moment is not
    told. The first word comes within a second: None, for what nobody has watched yet.
    """
    from watchfiles import watch  # type: ignore[import-not-found,unused-ignore]  # an extra

    while True:
        roots = workspace.roots
        folders = map(_nearest, roots)
        batches = watch(*folders, step=_MOMENT, debounce=_WHILE, rust_timeout=_AGAIN, yield_on_timeout=True)
        for number, batch in enumerate(batches):
            changed = {path for _, path in batch} | workspace.changed_elsewhere()
            if number == 0:
                yield None
            elif changed:
                yield changed
            if workspace.roots != roots:
                break


def _nearest(path: str) -> Path:
    """Return the folder at ``path`` or, if it is gone, the nearest one above it, where it would come back."""
    folder = Path(path)
    return next(each for each in (folder, *folder.parents) if each.is_dir())
