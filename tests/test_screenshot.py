"""The picture of the README shows what lintbook prints today."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from lintbook.cli import run

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "screenshot.svg"
TEXT = "{http://www.w3.org/2000/svg}text"


WIDTH = 12.2  # of a character, as rich draws one


def shown(picture: Path) -> list[str]:
    """Return the lines of the terminal that ``picture`` draws, from top to bottom."""
    lines: dict[float, str] = {}
    for text in ElementTree.parse(picture).getroot().iter(TEXT):
        if not text.attrib["class"].endswith("-title"):  # all of the terminal, and nothing of its frame
            y, column = float(text.attrib["y"]), round(float(text.attrib["x"]) / WIDTH)
            lines[y] = lines.get(y, "").ljust(column) + "".join(text.itertext()).replace("\xa0", " ")
    return [line.rstrip() for _, line in sorted(lines.items())]


def colours(picture: Path) -> set[str]:
    return {text.attrib["class"] for text in ElementTree.parse(picture).getroot().iter(TEXT) if "class" in text.attrib}


def test_the_picture_is_what_its_script_draws_today(tmp_path: Path) -> None:
    drawn = tmp_path / "screenshot.svg"
    subprocess.run([sys.executable, ROOT / "docs" / "screenshot.py", drawn], check=True, timeout=120)
    assert shown(PICTURE) == shown(drawn), "draw it again: python docs/screenshot.py"
    assert colours(PICTURE) == colours(drawn)


def test_the_picture_shows_all_that_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT / "fixtures" / "books" / "first-look")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    run(["check"])
    printed = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert shown(PICTURE)[0] == "$ lintbook check"
    assert [line for line in shown(PICTURE)[1:] if line] == [line for line in printed if line]


def test_the_picture_asks_the_web_for_nothing() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    assert "@import" not in text
    assert "@font-face" not in text
    assert text.count("http") == text.count('xmlns="http://www.w3.org/2000/svg"') == 1
