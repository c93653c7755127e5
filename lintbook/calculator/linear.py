r"""Linear text: a passage whose LaTeX is written so that prose, code and formulas are read by one grammar.

Beside what plain text does, braces stay (``\frac{1}{2}`` keeps its two groups), functions keep their names, relations
become signs, rows of aligned formulas end with ``ROW``, and what has no meaning for arithmetic is ``UNKNOWN``. A
backslash begins a name of ``STRUCTURES`` or ``FUNCTIONS``.
"""

from __future__ import annotations

import re

from lintbook.calculator.plain import FRACTION_ARGUMENTS, SCRIPT, UNKNOWN, UPRIGHT, Math, Plain, plain
from lintbook.patterns import regex
from lintbook.text import Passage

ROW = "\u23ce"
SPACED = "\u2003"  # the wide blank between two formulas

# Commands that keep their names: those whose arguments are groups, and functions.
STRUCTURES = frozenset({"frac", "sqrt", "binom", "brace"})
FUNCTIONS = frozenset({"log", "ln", "lg", "exp", "max", "min"})

_SIGNS = {
    "approx": "≈",
    "simeq": "≈",
    "cong": "≈",
    "approxeq": "≈",
    "doteq": "≈",
    "thickapprox": "≈",
    "ne": "≠",
    "neq": "≠",
    "lt": "<",
    "gt": ">",
    "le": "≤",
    "leq": "≤",
    "leqslant": "≤",
    "lesssim": "≤",
    "ge": "≥",
    "geq": "≥",
    "geqslant": "≥",
    "gtrsim": "≥",
    "ll": "<",
    "gg": ">",
    "in": "→",
    "implies": "⇒",
    "iff": "⇔",
    "Leftrightarrow": "⇔",
    "leftrightarrow": "⇔",
    "quad": SPACED,
    "qquad": SPACED,
    "ast": "*",
    "div": "÷",
    "lceil": "⌈",
    "rceil": "⌉",
    "lfloor": "⌊",
    "rfloor": "⌋",
    "dots": "…",
    "ldots": "…",
    "cdots": "…",
    "lbrack": "[",
    "rbrack": "]",
    "sqrt": "\\sqrt",
    "binom": "\\binom",
    "dbinom": "\\binom",
    "tbinom": "\\binom",
    "underbrace": "\\brace",
    "overbrace": "\\brace",
}
_SIGNS |= dict.fromkeys(
    (
        *("big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl", "Biggr"),
        *("num", "mathrel", "mathbin", "mathop", "mathord"),
        *("left", "right", "limits", "nolimits", "displaystyle", "textstyle", "nonumber", "notag", "newline", "hline"),
    ),
    "",
)
# Environments in which a row is a line of a formula; in all others it is part of something that is no number.
_ROWS = frozenset(
    name + star
    for name in ("aligned", "align", "alignat", "split", "gather", "gathered", "multline", "equation", "eqnarray")
    for star in ("", "*")
)
_MEASURED = regex(r"\{(?P<number>[0-9.]+(?:e[-+]?[0-9]+)?)\}\s*\{(?P<unit>[A-Za-z/%μµΩ]+)\}")
_FACTORIALS = frozenset({"underline", "overline"})  # falling and rising, in an exponent
# What changes only blanks in braces: `5 {=} 5`, `1 + 2 + {}` at the end of a row.
_SPACING = regex(r"\s*(?:[-=+−]|\\(?:approx|times|cdot)(?![A-Za-z]))?\s*\}")


def linear(passage: Passage) -> Plain:
    """Read ``passage`` as linear text."""
    return plain(passage, _LinearMath)


class _LinearMath(Math):
    """Writes LaTeX as linear text."""

    def brace(self, value: str, place: int) -> None:
        """Keep a brace, unless no more than the blanks round a sign is meant by it."""
        if value == "{" and _SPACING.match(self.text, self.at):
            self.open.append((self.setting, ""))
        elif value == "{":
            self.sign("{", place)
            self.open.append((self.setting, "}"))
        elif len(self.open) > 1:
            self.sign(self.open[-1][1], place)
            self.open.pop()

    def escape(self, value: str, place: int) -> None:
        r"""Tell rows from blanks: ``\\`` ends one. A norm is no blank either."""
        if value in "\\|":
            self.sign(ROW if value == "\\" else UNKNOWN, place)
        else:
            super().escape(value, place)

    def command(self, name: str, place: int) -> None:
        """Write a command by its sign or name."""
        if name in ("begin", "end"):
            self.environment(name, place)
        elif name in _SIGNS:
            self.sign(_SIGNS[name], place)
        elif name in FUNCTIONS:
            self.sign(f"\\{name}", place)
        elif name in ("qty", "SI") and (measured := _MEASURED.match(self.text, self.at)):
            self.measured(measured, place)
        elif name in _FACTORIALS and self.setting == SCRIPT:
            self.sign(UNKNOWN, place)
        else:
            super().command(name, place)

    def measured(self, arguments: re.Match[str], place: int) -> None:
        """Write a number with its unit."""
        self.at = arguments.end()
        self.sign(f"{arguments['number']} ", place)
        self.open.append((UPRIGHT, ""))
        self.sign(arguments["unit"], place)
        self.open.pop()

    def environment(self, name: str, place: int) -> None:
        """Pass over the marks of rows; put everything else in brackets that hold no number."""
        end = self.text.find("}", self.at)
        if not self.text.startswith("{", self.at) or end < 0:
            self.sign(UNKNOWN, place)
            return
        environment = self.text[self.at + 1 : end]
        self.at = end + 1
        if environment not in _ROWS:
            self.sign(f"{UNKNOWN}(" if name == "begin" else f"){UNKNOWN}", place)

    def fraction(self, place: int) -> None:
        """Write a fraction with its two groups."""
        self.sign("\\frac", place)
        arguments = FRACTION_ARGUMENTS.match(self.text, self.at)
        if arguments:
            begin, self.at = self.at, arguments.end()
            self.sign(f"{{{arguments[1] or arguments[2]}}}{{{arguments[3] or arguments[4]}}}", begin)
