"""Telling troubles: what could not be read or done, on standard error, and the exit status that it makes."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from lintbook.cli.status import CLEAN, FAILED
from lintbook.diagnostic import Trouble
from lintbook.reporters import trouble_line


def tell(troubles: Iterable[Trouble]) -> int:
    """Print ``troubles``, a line each; return the exit status of a run that found nothing else."""
    status = CLEAN
    for trouble in troubles:
        print(trouble_line(trouble), file=sys.stderr)
        status = FAILED
    return status
