"""Compare a wheel with the checkout: `wheel_contents.py WHEEL`, run at the top of the repository.

The package and the whole rulebook must be inside, and nothing but `lintbook` at the top level.
"""

from __future__ import annotations

import sys
from pathlib import Path
from zipfile import ZipFile


def main(wheel: str) -> int:
    """Print what is missing from ``wheel`` or does not belong there, and return the exit status."""
    with ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if not name.endswith("/")}
    package = {path.as_posix() for path in Path("lintbook").rglob("*") if path.suffix == ".py"}
    package.add("lintbook/py.typed")
    rulebook = {f"lintbook/{path.as_posix()}" for path in Path("rules").rglob("*") if path.is_file()}
    missing = (package | rulebook) - inside
    strange = {name for name in inside if not name.startswith("lintbook/") and ".dist-info/" not in name}
    for name in sorted(missing):
        print(f"missing from the wheel: {name}")
    for name in sorted(strange):
        print(f"does not belong at the top level: {name}")
    return 1 if missing or strange else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
