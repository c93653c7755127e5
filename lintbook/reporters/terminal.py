"""What may be written to a terminal: colours where they are wanted, and no control character of a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO

from msgspec import Struct

from lintbook.diagnostic import Severity
from lintbook.patterns import regex

UNPRINTABLE = regex(
    "["
    "\x00-\x1f\x7f-\x9f"  # controls would steer the terminal
    "\u2028\u2029"  # line and paragraph separators would break a line in two
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidirectional controls make text read as what it is not
    "\ud800-\udfff"  # surrogates stand for undecodable bytes of a file name
    "]"
)

_RESET = "\x1b[0m"


class Palette(Struct, frozen=True):
    """The SGR codes of the few roles that text has in a report; an empty one leaves the text as it is."""

    error: str = ""
    warning: str = ""
    info: str = ""
    place: str = ""
    aside: str = ""

    def of(self, severity: Severity) -> str:
        """Return the code for ``severity``."""
        match severity:
            case Severity.ERROR:
                return self.error
            case Severity.WARNING:
                return self.warning
            case Severity.INFO:
                return self.info


PLAIN = Palette()
COLOURED = Palette(error="\x1b[1;31m", warning="\x1b[1;33m", info="\x1b[1;36m", place="\x1b[1m", aside="\x1b[2m")


def paint(text: str, code: str) -> str:
    """Return ``text`` in the colour that ``code`` switches on."""
    return f"{code}{text}{_RESET}" if code else text


def palette_for(stream: TextIO, environment: Mapping[str, str]) -> Palette:
    """Return the palette that ``stream`` is to be written in.

    ``NO_COLOR`` (no-color.org) wins over ``FORCE_COLOR`` (force-color.org); both count when not empty.
    Otherwise colours are for terminals that can show them.
    """
    if environment.get("NO_COLOR"):
        return PLAIN
    if environment.get("FORCE_COLOR"):
        return COLOURED
    return COLOURED if stream.isatty() and environment.get("TERM") != "dumb" else PLAIN


def printable(text: str) -> str:
    r"""Return ``text`` with every unprintable character shown as its escape: ``\x1b``, ``\u202e``."""
    return UNPRINTABLE.sub(lambda match: _escape(match[0]), text)


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
