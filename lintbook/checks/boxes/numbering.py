"""How a book numbers its boxes where its author says so, instead of what its numbers show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct


class Numbering(Struct, frozen=True):
    """The numbering of a book as it is configured.

    ``depth`` is how many levels every number has. ``counters`` says which kinds count together: all that a section has
    (``shared``), none (``apart``), those of each list, or what the book shows (``inferred``).
    """

    depth: int | None = None
    counters: Literal["inferred", "shared", "apart"] | tuple[tuple[str, ...], ...] = "inferred"

    @property
    def is_fixed(self) -> bool:
        """Whether the author says which kinds count together."""
        return self.counters != "inferred"

    def share(self, one: str, other: str) -> bool:
        """Return whether two kinds count together by the author's word."""
        if isinstance(self.counters, str):
            return self.counters == "shared"
        return any(one in kinds and other in kinds for kinds in self.counters)

    def joined(self, kinds: Iterable[str]) -> list[list[str]]:
        """Return ``kinds`` in groups of those that count together by the author's word."""
        groups: list[list[str]] = []
        for kind in kinds:
            home = next((group for group in groups if self.share(group[0], kind)), None)
            if home is None:
                groups.append([kind])
            else:
                home.append(kind)
        return groups


INFERRED = Numbering()
