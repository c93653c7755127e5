"""What a long run is at: who reads or checks tells it to a watch, which shows it or not."""

from __future__ import annotations

from collections.abc import Callable

Watch = Callable[[str], None]
"""Takes a few words, such as `reading: 120 of 500 files`; those told last say what is done now."""


def unwatched(stage: str) -> None:
    """Watch nothing."""
