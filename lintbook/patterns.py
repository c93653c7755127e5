"""Regular expressions that are compiled when they are first used.

Compiling all of lintbook's would take longer than a warm run does without; most runs need a few of them.
"""

from __future__ import annotations

import re
from typing import Any, cast

_OFFERED = ("findall", "finditer", "fullmatch", "groupindex", "groups", "match", "search", "split", "sub")


class _Pattern:
    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Compile, and have all that is offered at hand from now on: this is not called a second time."""
        compiled = re.compile(self.pattern, self._flags)
        self.__dict__.update({offered: getattr(compiled, offered) for offered in _OFFERED})
        return self.__dict__[name] if name in _OFFERED else getattr(compiled, name)


def regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what ``re.compile`` returns, compiled when it is first used; re.error is raised no sooner."""
    return cast("re.Pattern[str]", _Pattern(pattern, flags))
