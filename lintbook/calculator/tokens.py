"""Tokens of arithmetic: what a chain such as ``128·(3/4)^2 = 81`` is made of, in linear text.

The lexer decides only what a character by itself can mean where it stands; which tokens make up a side, and whether it
is closed, is for ``arithmetic.py``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from enum import Enum
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from lintbook.calculator.linear import FUNCTIONS, ROW, SPACED, STRUCTURES
from lintbook.calculator.number import NumberTooLongError, Written, read_decimal, read_scale
from lintbook.calculator.plain import CODE, ITALIC, PROSE, SCRIPT, UPRIGHT, Plain
from lintbook.calculator.unit import ONE, Unit, read_unit
from lintbook.patterns import regex


class Mark(Enum):
    """What a token is."""

    NUMBER = "number"
    MEASURE = "measure"  # a unit or scale behind a number
    CONSTANT = "constant"  # pi, and e where it is raised to a power
    FUNCTION = "function"
    STRUCTURE = "structure"  # a fraction, root, binomial or brace of LaTeX
    OPERATOR = "operator"
    OPEN = "open"
    CLOSE = "close"
    RELATION = "relation"
    COMMA = "comma"
    ROW = "row"
    BREAK = "break"  # a chain ends here, and what stands before is complete
    WORD = "word"
    UNKNOWN = "unknown"  # may change the meaning of what stands beside it


class Token(Struct, frozen=True):
    """A token of linear text.

    ``setting`` is how it is set, ``gap`` whether a blank stands before it, ``apart`` whether that blank parts words and
    not only signs of a formula. ``written`` is that of a number, ``unit`` that of a measure; ``doubtful`` says that it
    may also mean something else.
    """

    mark: Mark
    text: str
    start: int
    end: int
    setting: str
    gap: bool
    apart: bool
    written: Written | None = None
    unit: Unit = ONE
    doubtful: bool = False


_WORD = r"[A-Za-z\u00c0-\u024f\u0370-\u03ff]"
# Characters of Chinese and Japanese words. They are no class of the pattern: to compile one that holds so many takes
# longer than to look at the few that stand beside a calculation.
_IDEOGRAPHS = (
    ("\u3005", "\u3007"),
    ("\u3040", "\u30ff"),
    ("\u3400", "\u4dbf"),
    ("\u4e00", "\u9fff"),
    ("\uf900", "\ufaff"),
)
_TOKEN = regex(
    rf"""
      (?P<celsius> °\s?[CF](?![A-Za-z]) | [℃℉] )
    | (?P<degree> °(?!\s?[CFcf]) )
    | (?P<blank> [\s&$¥€£\u200b]+ )
    | (?P<row> {ROW} )
    | (?P<dotted> [0-9]+ (?: (?: \.[0-9]+ ){{2,}} | (?: ’[0-9]{{3}} )+ ) )
    | (?P<padded> 0[0-9]+ (?! [0-9] | [.,][0-9] ) )
    | (?P<underscored> [0-9]+ (?: _[0-9]+ )+ (?: \.[0-9]+ )? )
    | (?P<number> \.?[0-9] )
    | (?P<superscript> [⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+ )
    | (?P<structure> \\(?: {"|".join(sorted(STRUCTURES))} )(?![a-z]) )
    | (?P<command> \\(?: {"|".join(sorted(FUNCTIONS))} )(?![a-z]) )
    | (?P<none> [=!<>]=+ | :+= | [+*/^|]= | //+ | \*{{3,}} | \.\.+ | -- )
    | (?P<arrow> [-=]+> | <[-=]+ | [→⇒⇔↦⟶⟹⟼⟺<>≤≥≠≪≫] )
    | (?P<relation> [=＝≈≃≅≒] )
    | (?P<operator> \*\* | [-+−*×·∙⋅/÷^!] )
    | (?P<open> [\^_]?\{{ | [(（\[⌈⌊] )
    | (?P<close> [}})）\]⌉⌋] )
    | (?P<comma> , )
    | (?P<break> [;；。，、！？?"“”‘’「」《》{SPACED}—✓✔✗✘✅❌•] | \.(?=\s|$|["”’)）])
                 | (?<![0-9])[:：] | [:：](?![0-9]) | ：(?=[0-9.,]+(?:\s*[-+−×*/·÷^]|[⁰¹²³⁴⁵⁶⁷⁸⁹])) )
    | (?P<times> [xX](?=\s*[0-9]) )
    | (?P<word> {_WORD}(?:[A-Za-z0-9\u00c0-\u024f\u0370-\u03ff]|_(?!\{{)|\.(?={_WORD}))* )
    | (?P<percent> [%‰] )
    | (?P<approximately> [~∼] )
    | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_FUNCTIONS = {
    "log": "log",
    "lg": "log",
    "ln": "ln",
    "log2": "log2",
    "log10": "log10",
    "exp": "exp",
    "sqrt": "sqrt",
    "max": "max",
    "min": "min",
    "abs": "abs",
    "ceil": "ceil",
    "floor": "floor",
}
_GOES_ON = regex(r"(?:['’‐-][A-Za-z]+)+")  # that's, Q-network
_MODULES = regex(r"^(?:math|np|numpy|torch|jnp)\.")
_CONSTANTS = {"π": "pi", "e": "e"}
_OPERATORS = {"−": "-", "×": "×", "∙": "*", "⋅": "*", "·": "*", "÷": "/", "**": "^"}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_LOGARITHMIC = regex(r"dB[A-Za-z]{0,2}|Np")  # of what they count sums are products: 60 dB + 60 dB = 63 dB
_EXPERTS = regex(r"[xX][0-9]+(?:\.[0-9]+)?[BM](?![A-Za-z0-9])")  # 8x7B is a name: what is shared counts once
_OPERATED = regex(r"\s*[-+−*/^·×⋅(²³=]")  # 2x+1, 2x = 10: a variable
_SURE = 3  # letters of a unit in a formula that are no product of variables, as TB may be
_BEHIND_NUMBER = (Mark.NUMBER, Mark.CLOSE, Mark.MEASURE)
_SHORT_NUMBER = regex(r"[0-9]{1,20}(?:\.[0-9]{1,20})?")


def _is_ideograph(character: str) -> bool:
    return any(first <= character <= last for first, last in _IDEOGRAPHS)


def tokens_of(text: Plain, borders: Sequence[int] = (), start: int = 0, end: int | None = None) -> list[Token]:
    """Cut linear text into tokens, from ``start`` up to ``end``, at which a token of its own must begin or end.

    ``borders`` are indices of the text, in order, at which markup stands.
    """
    return _Lexer(text, borders).run(start, len(text.text) if end is None else end)


class _Lexer:
    def __init__(self, text: Plain, borders: Sequence[int]) -> None:
        self.text = text.text
        self.setting = text.setting
        self.borders = borders
        self.at = 0
        self.gap = False
        self.apart = False
        self.tokens: list[Token] = []

    def run(self, start: int, end: int) -> list[Token]:
        self.at = start
        while self.at < end:
            match = _TOKEN.match(self.text, self.at)
            assert match is not None  # its last alternative takes any character
            kind = match.lastgroup or "other"
            self.at = match.end()
            if kind in _SIMPLE:
                self.add(_SIMPLE[kind], match)
            elif kind != "blank":
                _READERS[kind](self, match)
            self.gap = kind in ("blank", "degree")
            self.apart = self.gap and self.setting[match.start()] in (PROSE, CODE)
        return self.tokens

    # What a token may be

    @property
    def last(self) -> Token | None:
        return self.tokens[-1] if self.tokens else None

    def behind(self, *marks: Mark) -> bool:
        """Say whether the token before is one of these."""
        return self.last is not None and self.last.mark in marks

    def glued(self) -> bool:
        """Say whether what begins here is glued to a letter or digit before it."""
        if self.gap or not self.behind(Mark.NUMBER, Mark.WORD, Mark.UNKNOWN):
            return False
        return self.is_alphanumeric(self.tokens[-1].end - 1)

    def add(
        self,
        mark: Mark,
        match: re.Match[str],
        text: str | None = None,
        written: Written | None = None,
        unit: Unit = ONE,
        *,
        doubtful: bool = False,
    ) -> None:
        """Add a token that begins where ``match`` does and ends where the text is read on."""
        start = match.start()
        shown = self.text[start : self.at] if text is None else text
        setting = self.setting[start]
        self.tokens.append(Token(mark, shown, start, self.at, setting, self.gap, self.apart, written, unit, doubtful))

    def unknown(self, match: re.Match[str]) -> None:
        self.add(Mark.UNKNOWN, match)

    # Numbers

    def number(self, match: re.Match[str]) -> None:
        start = match.start()
        digits = "0" + self.text[start : start + 40] if match.group()[0] == "." else None
        try:
            found = read_decimal(digits or self.text, 0 if digits else start)
        except NumberTooLongError as error:
            self.at = start + error.length
            self.unknown(match)
            return
        self.at = start + found.end - 1 if digits else found.end
        self.written(match, found.written)

    def underscored(self, match: re.Match[str]) -> None:
        digits = match.group().replace("_", "")
        if self.setting[match.start()] not in (PROSE, CODE) or len(digits) > 40:
            self.unknown(match)
            return
        self.written(match, read_decimal(digits, 0).written)

    def written(self, match: re.Match[str], written: Written) -> None:
        """Add a number, unless it is glued to something or markup cuts it."""
        start = match.start()
        border = bisect_left(self.borders, start)
        cut = border < len(self.borders) and self.borders[border] < self.at
        if self.glued() or (cut and (self.borders[border] > start or self.is_alphanumeric(start - 1))):
            self.unknown(match)
            return
        doubtful = written.mark in (" ", "\u00a0") and self.setting[start] in (PROSE, CODE)
        self.add(Mark.NUMBER, match, written=written, doubtful=doubtful)

    def is_alphanumeric(self, at: int) -> bool:
        return at >= 0 and self.text[at].isalnum() and self.text[at] < "\u2e80"

    def superscript(self, match: re.Match[str]) -> None:
        """Read ``10⁹`` as ``10^9``."""
        digits = match.group().translate(_SUPERSCRIPTS)
        if (
            not self.behind(Mark.NUMBER, Mark.CLOSE)
            or self.gap
            or "-" in digits[1:]
            or len(digits) > 6
            or digits == "-"
        ):
            self.unknown(match)
            return
        self.add(Mark.OPERATOR, match, "^")
        if digits[0] == "-":
            self.add(Mark.OPERATOR, match, "-")
        self.add(Mark.NUMBER, match, digits.lstrip("-"), read_decimal(digits.lstrip("-"), 0).written)

    def degree(self, _: re.Match[str]) -> None:
        """Note of a number that it is an angle, and may be equal to one in radians: ``90° = π/2``."""
        if self.last is not None and self.last.mark is Mark.NUMBER:
            self.tokens[-1] = replace(self.last, doubtful=True)

    # Words

    def command(self, match: re.Match[str]) -> None:
        self.add(Mark.FUNCTION, match, _FUNCTIONS[match.group()[1:]])

    def word(self, match: re.Match[str]) -> None:
        if self.behind(*_BEHIND_NUMBER) and self.measure(match):
            return
        word, setting = match.group(), self.setting[match.start()]
        if setting == PROSE and (rest := _GOES_ON.match(self.text, match.end())):
            self.at = rest.end()
        name = _MODULES.sub("", word)
        if name in _FUNCTIONS and self.calls(match.end(), setting):
            self.add(Mark.FUNCTION, match, _FUNCTIONS[name])
        elif word in _CONSTANTS and (word == "π" or self.text.startswith("^", match.end())) and not self.called(match):
            self.add(Mark.CONSTANT, match, _CONSTANTS[word])
        elif self.text[self.at : self.at + 1] in ("(", "[") and setting != ITALIC:
            self.unknown(match)  # fib(10), a[3]
        elif _LOGARITHMIC.fullmatch(word):
            self.unknown(match)
        elif word in "xX" and self.glued() and setting in (PROSE, UPRIGHT) and not _OPERATED.match(self.text, self.at):
            self.add(Mark.WORD, match)  # 4x: four times
        elif self.ends_unit(match):
            self.add(Mark.WORD, match)
        elif setting in (ITALIC, SCRIPT) or self.glued() or self.is_variable(self.text[match.start() : self.at]):
            self.unknown(match)
        else:
            self.add(Mark.WORD, match)

    def calls(self, end: int, setting: str) -> bool:
        """Say whether an argument stands behind the name of a function."""
        following = self.text[end : end + 1]
        return following == "(" or (following in ("{", "_") and setting in (ITALIC, UPRIGHT, SCRIPT))

    def called(self, match: re.Match[str]) -> bool:
        """Say whether a bracket or subscript makes a variable of a constant's letter."""
        return self.text[match.end() : match.end() + 1] in ("(", "_", "[")

    def ends_unit(self, match: re.Match[str]) -> bool:
        """Say whether a letter is a unit that is not computed with: ``61 V``, ``61 requests/s``."""
        letter, setting = match.group(), self.setting[match.start()]
        if len(letter) > 1 or setting not in (PROSE, UPRIGHT) or _OPERATED.match(self.text, self.at):
            return False
        if self.behind(Mark.NUMBER):
            return (self.gap and letter in "VΩ") or (setting == UPRIGHT and letter.isupper())
        return letter in "sh" and self.counts_per()

    def counts_per(self) -> bool:
        """Say whether a stroke stands here behind a number, or the words for what it counts: ``61 requests/``."""
        if not self.behind(Mark.OPERATOR) or self.tokens[-1].text != "/":
            return False
        counted = next((token for token in reversed(self.tokens[:-1]) if token.mark is not Mark.WORD), None)
        return counted is not None and counted.mark is Mark.NUMBER

    @staticmethod
    def is_variable(word: str) -> bool:
        return len(word) == 1 and word not in ("a", "A", "I")

    def ideographs(self, match: re.Match[str]) -> None:
        """Read on to the end of the ideographs that begin here."""
        while _is_ideograph(self.text[self.at : self.at + 1]):
            self.at += 1
        if self.behind(*_BEHIND_NUMBER) and self.measure(match):
            return
        self.add(Mark.WORD, match)

    def percent(self, match: re.Match[str]) -> None:
        if not (self.behind(*_BEHIND_NUMBER) and self.measure(match)):
            self.unknown(match)

    def measure(self, match: re.Match[str]) -> bool:
        """Read the unit or scale that stands here behind a number; say whether there is one."""
        start, setting = match.start(), self.setting[match.start()]
        found = read_unit(self.text, start, raised=setting in (PROSE, UPRIGHT))
        if found is None and (scaled := read_scale(self.text, start)):
            found = Unit(scaled[0].factor, ONE.dimension), scaled[1]
        if found is None or found[1] == start:
            return False
        unit, end = found
        name = self.text[start:end]
        letter = len(name) == 1 and name.isalpha() and name.isascii()
        upright = setting == UPRIGHT and unit.dimension != ONE.dimension  # 10^{11}\,\text{m}
        if letter and (setting in (ITALIC, SCRIPT) or (self.behind(Mark.CLOSE) and not upright)):
            return False  # a variable
        self.at = end
        apart = letter and setting == CODE and self.gap  # `4 h`, but not `4h`: no variable begins with a digit
        doubtful = apart or (setting == ITALIC and len(name) < _SURE and name[0] != "μ" and name.isalpha())
        self.add(Mark.MEASURE, match, unit=unit, doubtful=doubtful)
        return True

    # Signs

    def operator(self, match: re.Match[str]) -> None:
        sign = match.group()
        if sign == "!" and (self.gap or not self.behind(Mark.NUMBER, Mark.CLOSE)):
            self.add(Mark.BREAK, match)
            return
        if sign == "-" and self.is_range(match):
            self.unknown(match)
            return
        self.add(Mark.OPERATOR, match, _OPERATORS.get(sign, sign))

    def is_range(self, match: re.Match[str]) -> bool:
        """Say whether a hyphen in prose is glued to numbers on both sides, the lower one first."""
        if self.setting[match.start()] != PROSE or self.gap or not self.behind(Mark.NUMBER):
            return False
        following = _SHORT_NUMBER.match(self.text, match.end())
        before = self.tokens[-1].written
        return following is not None and before is not None and before.number < Fraction(following.group())

    def times(self, match: re.Match[str]) -> None:
        """Read ``3 x 4`` as ``3 × 4``, unless the letter can be a variable."""
        blank = self.text[match.end() : match.end() + 1].isspace()
        hexadecimal = not self.gap and self.text[match.start() - 1 : match.start()] == "0"
        experts = not self.gap and _EXPERTS.match(self.text, match.start())
        if experts or (hexadecimal and self.last and self.last.text == "0"):
            self.unknown(match)
        elif (
            self.setting[match.start()] in (PROSE, CODE, UPRIGHT) and self.behind(*_BEHIND_NUMBER) and blank == self.gap
        ):
            self.add(Mark.OPERATOR, match, "×")
        else:
            self.unknown(match)

    def relation(self, match: re.Match[str]) -> None:
        self.add(Mark.RELATION, match, "=" if match.group() in "=＝" else "≈")

    def approximately(self, match: re.Match[str]) -> None:
        """Read ``= ~134`` as ``≈ 134``; elsewhere the sign makes a range or a rough number of its neighbour."""
        if self.last is not None and self.last.mark is Mark.RELATION:
            self.tokens[-1] = replace(self.last, text="≈", end=self.at)
        else:
            self.unknown(match)

    def other(self, match: re.Match[str]) -> None:
        """Read a word of ideographs, or a sign without meaning here.

        A dash or bar of prose parts, anything else may mean anything.
        """
        if _is_ideograph(match.group()):
            self.ideographs(match)
            return
        parts = self.gap and match.group() in "–|" and self.setting[match.start()] == PROSE
        self.add(Mark.BREAK if parts else Mark.UNKNOWN, match)


_SIMPLE = {
    "row": Mark.ROW,
    "dotted": Mark.UNKNOWN,
    "padded": Mark.UNKNOWN,
    "structure": Mark.STRUCTURE,
    "none": Mark.UNKNOWN,
    "arrow": Mark.BREAK,
    "open": Mark.OPEN,
    "close": Mark.CLOSE,
    "comma": Mark.COMMA,
    "celsius": Mark.WORD,
    "break": Mark.BREAK,
}
_READERS: dict[str, Callable[[_Lexer, re.Match[str]], None]] = {
    "degree": _Lexer.degree,
    "underscored": _Lexer.underscored,
    "number": _Lexer.number,
    "superscript": _Lexer.superscript,
    "command": _Lexer.command,
    "relation": _Lexer.relation,
    "operator": _Lexer.operator,
    "times": _Lexer.times,
    "word": _Lexer.word,
    "percent": _Lexer.percent,
    "approximately": _Lexer.approximately,
    "other": _Lexer.other,
}
