r"""Plain text: a passage with the signs of mathematics taken away, each character tied to its place.

Numbers are read here, so everything that shows alike is made alike: ``20{,}608`` and ``\text{20,608}``,
``\times`` and ``×``, full-width digits and ASCII ones. Exponents and subscripts are always ``^{…}`` and
``_{…}``.
"""

from __future__ import annotations

import re

from msgspec import Struct, field

from lintbook.patterns import regex
from lintbook.text import Passage, Style

# How a character of plain text is set.
PROSE, CODE, ITALIC, UPRIGHT, SCRIPT = "p", "c", "i", "u", "s"

THIN_BLANK = "\u2009"
MATH_GROUP = "\u066c"  # `{,}`: a comma that can only group digits
FRACTION_STROKE = "\u2044"

_SAME_WIDTH = str.maketrans("０１２３４５６７８９％．＝－＋～／", "0123456789%.=-+~/")

_COMMANDS = {
    "times": "×",
    "cdot": "·",
    "approx": "≈",
    "sim": "∼",
    "to": "→",
    "rightarrow": "→",
    "longrightarrow": "→",
    "Rightarrow": "⇒",
    "implies": "⇒",
    "mapsto": "↦",
    "equiv": "≡",
    "pm": "±",
    "left": "",
    "right": "",
    "lbrace": "(",
    "rbrace": ")",
    "quad": " ",
    "qquad": " ",
    "thinspace": THIN_BLANK,
}
_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu "
    "nu xi omicron pi rho sigma tau upsilon phi chi psi omega"
)
GREEK_LETTERS = dict(zip(_GREEK.split(), "αβγδεζηθικλμνξοπρστυφχψω", strict=True))
GREEK_LETTERS |= {name.capitalize(): letter.upper() for name, letter in GREEK_LETTERS.items()}
_COMMANDS |= GREEK_LETTERS | {f"var{name}": GREEK_LETTERS[name] for name in ("epsilon", "theta", "phi", "rho", "pi")}

_ESCAPES = {",": THIN_BLANK, "%": "%", "{": "(", "}": ")", "\\": "\n", "!": "", "_": "_", "#": "#", "&": "&"}
_UPRIGHT_COMMANDS = {
    "text",
    "textrm",
    "textbf",
    "textit",
    "mathrm",
    "operatorname",
    "mbox",
    "mathsf",
    "mathtt",
}
_FONT_COMMANDS = {"mathbf", "boldsymbol", "bm", "mathit", "boxed", "displaystyle", "textstyle", "underline"}
# Their argument is no text of the reader's.
_SILENT_COMMANDS = {
    "color",
    "textcolor",
    "hspace",
    "vspace",
    "label",
    "tag",
    "ref",
    "eqref",
    "begin",
    "end",
    "cite",
}
FRACTION_COMMANDS = {"frac", "tfrac", "dfrac", "cfrac"}
UNKNOWN = "\ufffc"

_TOKEN = regex(
    r"(?P<comma>\{,\})"
    r"|\\(?P<command>[A-Za-z]+)\s*"
    r"|\\(?P<escape>.)"
    r"|(?P<script>[\^_])\s*"
    r"|(?P<brace>[{}])"
    r"|(?P<run>[^\\{}^_&~]+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_ARGUMENT = regex(r"\{[^{}]*\}\s*")
FRACTION_ARGUMENTS = regex(r"(?:\{\s*(\d+)\s*\}|(\d))\s*(?:\{\s*(\d+)\s*\}|(\d))")
_BASE = regex(r"(?<![0-9.,])(?:10|2)$")
_SCRIPT_ATOM = regex(r"\\[A-Za-z]+|[^{}\\]")


class Plain(Struct, frozen=True):
    """Plain text. ``setting`` has one letter for every character: how it is set.

    ``places`` has the index in the passage of every character, and that of the end; ``stops`` the index behind what
    a character stands for, where that is more than one.
    """

    text: str
    setting: str
    places: list[int]
    stops: dict[int, int]

    def range(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the passage that ``start`` up to ``end`` of the plain text stands for."""
        if end <= start:
            return self.places[start], self.places[start]
        return self.places[start], self.stops.get(end - 1, self.places[end - 1] + 1)


class Writer(Struct):
    """Collects plain text piece by piece."""

    text: list[str] = field(default_factory=list)
    setting: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    stops: dict[int, int] = field(default_factory=dict)

    def copy(self, text: str, setting: str, place: int) -> None:
        """Add characters that stand one for one at ``place`` and behind it."""
        self.text.append(text)
        self.setting.append(setting * len(text))
        self.places.extend(range(place, place + len(text)))

    def sign(self, text: str, setting: str, place: int, stop: int) -> None:
        """Add characters that together stand for what is at ``place`` up to ``stop``."""
        self.text.append(text)
        self.setting.append(setting * len(text))
        self.places.extend([place] * len(text))
        self.stops[len(self.places) - 1] = stop

    def ends_with_digit(self) -> bool:
        """Say whether a digit was written last."""
        return bool(self.text) and self.text[-1][-1:].isdecimal()

    def finish(self, end: int) -> Plain:
        """Return all that was written; the passage ends at ``end``."""
        return Plain("".join(self.text), "".join(self.setting), [*self.places, end], self.stops)


def plain(passage: Passage, math: type[Math] | None = None) -> Plain:
    """Read ``passage`` as plain text; ``math`` writes its LaTeX, if numbers are not all that is wanted of it."""
    writer = Writer()
    math = math or Math
    pieces = passage.pieces
    at = 0
    while at < len(pieces):
        last = at
        while last + 1 < len(pieces) and pieces[last + 1].style is pieces[at].style:
            last += 1
        start = pieces[at].start
        end = pieces[last + 1].start if last + 1 < len(pieces) else len(passage.text)
        text = passage.text[start:end]
        if pieces[at].style is Style.MATH:
            math(writer, text, start).write()
        elif pieces[at].style in (Style.SUPERSCRIPT, Style.SUBSCRIPT):
            _write_script(writer, text, start, raised=pieces[at].style is Style.SUPERSCRIPT)
        else:
            setting = CODE if pieces[at].style is Style.CODE else PROSE
            writer.copy(text.translate(_SAME_WIDTH), setting, start)
        at = last + 1
    return writer.finish(len(passage.text))


def _write_script(writer: Writer, text: str, start: int, *, raised: bool) -> None:
    """Write raised or lowered prose: an exponent behind a base of ten or two, else a note's mark or a subscript."""
    before = "".join(writer.text[-1:])[-3:]
    exponent = raised and _BASE.search(before) is not None
    writer.sign("^{" if exponent else "_{", SCRIPT, start, start + 1)
    writer.copy(text.translate(_SAME_WIDTH), SCRIPT, start)
    writer.sign("}", SCRIPT, start + len(text) - 1, start + len(text))


class Math:
    """Writes one stretch of LaTeX, ``text``, that begins at ``base`` of the passage."""

    def __init__(self, writer: Writer, text: str, base: int) -> None:
        self.writer = writer
        self.text = text
        self.base = base
        self.at = 0
        self.open = [(ITALIC, "")]  # setting inside each open brace, and what is written when it closes

    @property
    def setting(self) -> str:
        """How the characters here are set."""
        return self.open[-1][0]

    def sign(self, shown: str, place: int) -> None:
        """Write ``shown`` for what stands from ``place`` to where the text is read on."""
        if shown:
            stop = len(self.text[place : self.at].rstrip()) + place
            self.writer.sign(shown, self.setting, self.base + place, self.base + max(stop, place + 1))

    def write(self) -> None:
        """Write all of it."""
        while self.at < len(self.text):
            token = _TOKEN.match(self.text, self.at)
            assert token is not None  # its last alternative takes any character
            self.at = token.end()
            kind = token.lastgroup or "other"
            value, place = token.group(kind), token.start()
            if kind == "run":
                self.writer.copy(value.translate(_SAME_WIDTH), self.setting, self.base + place)
            elif kind == "command":
                self.command(value, place)
            elif kind == "script":
                self.script(value, place)
            elif kind == "brace":
                self.brace(value, place)
            elif kind == "comma":
                self.sign(MATH_GROUP, place)
            elif kind == "escape":
                self.escape(value, place)
            else:
                self.sign(" " if value in "&~" else value, place)

    def escape(self, value: str, place: int) -> None:
        """Write an escaped character."""
        self.sign(_ESCAPES.get(value, " "), place)

    def brace(self, value: str, place: int) -> None:
        """Open or close a group."""
        if value == "{":
            self.open.append((self.setting, ""))
            return
        if len(self.open) > 1:
            self.sign(self.open[-1][1], place)
            self.open.pop()
        if self.text.startswith("{", self.at):  # the arguments of a command: two numbers, not one
            self.sign(" ", place)

    def command(self, name: str, place: int) -> None:
        """Write a command."""
        if name in FRACTION_COMMANDS:
            self.fraction(place)
        elif name in _SILENT_COMMANDS:
            argument = _ARGUMENT.match(self.text, self.at)
            self.at = argument.end() if argument else self.at
        elif name in _UPRIGHT_COMMANDS and self.text.startswith("{", self.at):
            self.at += 1
            self.open.append((self.setting if self.setting == SCRIPT else UPRIGHT, ""))
        elif name not in _FONT_COMMANDS:
            self.sign(_COMMANDS.get(name, UNKNOWN), place)

    def fraction(self, place: int) -> None:
        """Write a fraction of integers as one number; the parts of any other are read one by one."""
        if self.writer.ends_with_digit():
            self.sign(" ", place)
        arguments = FRACTION_ARGUMENTS.match(self.text, self.at)
        if arguments is None:
            return
        above, below = (arguments[1] or arguments[2]), (arguments[3] or arguments[4])
        self.at = arguments.end()
        self.sign(f"{above}{FRACTION_STROKE}{below}", place)
        if self.text[self.at : self.at + 1].isdecimal():
            self.sign(" ", place)

    def script(self, mark: str, place: int) -> None:
        """Open an exponent or subscript in braces, or write one of a single character."""
        self.writer.sign(f"{mark}{{", SCRIPT, self.base + place, self.base + self.at)
        if self.text.startswith("{", self.at):
            self.at += 1
            self.open.append((SCRIPT, "}"))
            return
        atom = _SCRIPT_ATOM.match(self.text, self.at)
        if atom:
            shown = _COMMANDS.get(atom.group()[1:], UNKNOWN) if atom.group()[0] == "\\" else atom.group()
            self.writer.sign(shown, SCRIPT, self.base + self.at, self.base + atom.end())
            self.at = atom.end()
        self.writer.sign("}", SCRIPT, self.base + self.at - 1, self.base + self.at)
