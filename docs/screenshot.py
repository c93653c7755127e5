"""Draw what `lintbook check` prints in a terminal: `python docs/screenshot.py [FILE]`, by default docs/screenshot.svg.

The book is fixtures/books/first-look, which `make demo` checks too. Nothing is drawn that lintbook did not print.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "fixtures" / "books" / "first-look"
PICTURE = ROOT / "docs" / "screenshot.svg"

# Background, foreground, and the eight colours of a terminal.
_THEME = TerminalTheme(
    (24, 26, 31),
    (220, 223, 228),
    [
        *((62, 68, 81), (240, 98, 98), (126, 200, 120), (240, 190, 80)),
        *((97, 175, 239), (198, 120, 221), (80, 200, 200), (220, 223, 228)),
    ],
)

# rich's own frame asks the web for its font, which pictures in a page are not allowed to do.
_FRAME = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="lintbook check">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; \
font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-family: system-ui, sans-serif; font-size: 18px; }}
{styles}
</style>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
_CLIP = re.compile(r' clip-path="url\(#shot-line-\d+\)"')


def printed() -> str:
    """Return what a terminal gets of `lintbook check` in the book, colours included."""
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    done = subprocess.run(
        [sys.executable, "-m", "lintbook", "check", "--isolated", "--no-cache"],
        cwd=BOOK,
        env={**environment, "FORCE_COLOR": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 1 or done.stderr:
        raise SystemExit(f"the book has faults and nothing else, but lintbook says ({done.returncode}): {done.stderr}")
    return done.stdout


def picture(output: str) -> str:
    """Return the SVG drawing of a terminal in which `lintbook check` gave ``output``."""
    text = Text.from_ansi(f"\x1b[1m$ lintbook check\x1b[0m\n{output.rstrip()}")
    width = max(cell_len(line) for line in text.plain.splitlines())
    console = Console(record=True, width=width, file=StringIO(), force_terminal=True, color_system="truecolor")
    console.print(text, soft_wrap=True, highlight=False)
    drawn = console.export_svg(title="lintbook check", theme=_THEME, code_format=_FRAME, unique_id="shot")
    # rich would clip each line and defines no path for the last; lintbook calls that a dangling-svg-reference.
    return _CLIP.sub("", drawn)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE
    target.write_text(picture(printed()), encoding="utf-8", newline="")
