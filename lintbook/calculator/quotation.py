"""Quotations: which numbers a claim binds, what they mean, and whether a value agrees with them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import ceil, floor
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from lintbook.calculator.claim import Option
from lintbook.calculator.evaluation import NEARLY, Quantity
from lintbook.calculator.expression import canonical
from lintbook.calculator.number import (
    MAX_DIGITS,
    NumberTooLongError,
    Rational,
    Scale,
    Value,
    Written,
    absolute,
    read_number,
    read_scale,
)
from lintbook.calculator.plain import CODE, ITALIC, MATH_GROUP, SCRIPT, THIN_BLANK, plain
from lintbook.calculator.unit import BYTE, INFORMATION, PLAIN, Dimension, Unit, read_unit
from lintbook.patterns import regex
from lintbook.text import Passage, Span

_LETTER = r"A-Za-z\u00c0-\u024f\u0370-\u03ff\u1f00-\u1fff"
_GLUE = regex(rf"[{_LETTER}_#.^]")
_HYPHENS = "-‐‑"
_MINUS = _HYPHENS + "−"
_NO_SIGN_BEHIND = regex(rf"[{_LETTER}0-9)\]}}）】]")
_HYPHENED = regex(rf"[{_HYPHENS}][{_LETTER}]")
_COMMAS = f",{MATH_GROUP}"
_THIN = f" \u00a0{THIN_BLANK}\u202f"
_DIGIT = regex(r"[0-9]")
_DOTTED = regex(r"[0-9]+(?:\.[0-9]+){2,}")
_CLAIM_MARK = "\u2060"  # where the claim stood: between the stretch and what follows
_BLANKS = regex(rf"[ \t\n\u00a0\u2000-\u200a\u202f\u205f\u3000{_CLAIM_MARK}]*")
_TOLERANCE = regex(r"\s*(?:±|\+/[-−])\s*[0-9][0-9.,]*\s*[)）]?")  # between a number and its unit: (4±0.1) GiB
_ARROW = regex(r"\s*[→⇒↦⟶⟹⟼]")
_BLANK = regex(r"\s")
_NAME_BEHIND = regex(rf"[{_LETTER}]")
_APPROXIMATELY = regex(r"(?:≈|(?<![0-9%\s])\s*[~∼]|约为?|大约|(?<![最附])近|\babout|\broughly)\s*$", re.IGNORECASE)
_OR_SO = regex(rf"[\s{_CLAIM_MARK}]*[\u4e00-\u9fff]{{0,4}}?左右")
# A symbol with an equals sign: any word, or the Latin or Greek end of one (取d=4096).
_EQUALS = (
    regex(r"([^\W\d_]\w*(?:_\{[^{}]*\})?)\s*[=≡]\s*$"),
    regex(rf"([{_LETTER}](?:[{_LETTER}0-9]|_\{{[^{{}}]*\}}|_)*)\s*[=≡]\s*$"),
)
_NOT_ALONE = regex(rf"[{_LETTER}0-9)\]}}）_^*·×/⁄+−\-\ufffc\\]")
_BRACKETED = regex(r"[(（\[]([^()（）\[\]]*)[)）\]]")
_CALLED_UNIT = regex(r"^(?:单位|單位|units?|in\b)\s*[:：]?\s*", re.IGNORECASE)  # what a header may put before a unit
_LOOK_BACK = 60  # characters before a number that may make it an input
_LONGEST_WORD = 12  # that says a number is approximate, blanks included
_REACH = 2_000  # how many characters before a claim its numbers may stand, and how many more for each
_REACH_OF_ONE = 50
_INSIDE_NUMBER = set("0123456789.,")
_APART = ("", _COMMAS, _THIN, _COMMAS + _THIN)  # marks that may part numbers instead of grouping digits


class Quoted(Struct, frozen=True):
    """A number of the text with what scales and measures it.

    ``written`` is None if it has too many digits. ``start`` and ``end`` are its range in the stretch, unit
    left out; ``tail`` is the scale and unit as they are shown. ``borrowed`` says that the scale may be left
    off: it stands elsewhere, or may be a symbol. ``doubtful`` says the same of the unit, which may be a
    symbol: ``4h``.
    """

    written: Written | None
    start: int
    end: int
    scale: Scale | None = None
    unit: Unit | None = None
    tail: str = ""
    approximate: bool = False
    borrowed: bool = False
    doubtful: bool = False

    @property
    def factor(self) -> Rational:
        """What one of the written number is in base units."""
        scale = self.scale.factor if self.scale else 1
        return scale * self.unit.factor if self.unit else scale

    @property
    def dimension(self) -> Dimension:
        """The dimension of the unit, plain if there is none."""
        return self.unit.dimension if self.unit else PLAIN

    def may_be(self, other: Quoted) -> bool:
        """Say whether one value could be printed as both numbers, with their units or without."""
        if self.written is None or other.written is None:
            return False
        if self.written.number == other.written.number:
            return True
        one, two = self.written.value(self.approximate), other.written.value(other.approximate)
        bare = max(one.low, two.low) <= min(one.high, two.high)
        low = max(one.low * self.factor, two.low * other.factor)
        high = min(one.high * self.factor, two.high * other.factor)
        return bare or (low <= high and self.dimension == other.dimension)

    def read_as(self, dimension: Dimension) -> Quoted:
        """Return what it means for ``dimension``: ``70 B`` is byte or billions, ``4h`` may be a product."""
        if self.unit is None and self.scale and self.scale.name == "B" and dimension == INFORMATION:
            return replace(self, scale=None, unit=BYTE)
        if self.doubtful and dimension == PLAIN:
            return replace(self, unit=None, tail=self.scale.name if self.scale else "")
        return self


class _Candidate(Struct, frozen=True):
    """A quoted number before it is chosen; places are in the plain text."""

    quoted: Quoted
    start: int
    end: int
    before_arrow: bool
    is_input: bool


class WrittenClaim(Protocol):
    """A claim as the text has it. ``text`` stands between the marks, its first character at ``offset``.

    ``stretch`` is the text that it may vouch for, ``references`` the ranges of it that belong to
    cross-references, footnote marks and tags, ``follows`` the text directly behind the claim, ``header`` that
    of its table column, ``table`` the table that a claim in its header may speak of.
    """

    @property
    def span(self) -> Span: ...  # noqa: D102
    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def offset(self) -> int: ...  # noqa: D102
    @property
    def stretch(self) -> Passage: ...  # noqa: D102
    @property
    def references(self) -> tuple[tuple[int, int], ...]: ...  # noqa: D102
    @property
    def follows(self) -> Passage: ...  # noqa: D102
    @property
    def header(self) -> Passage | None: ...  # noqa: D102
    @property
    def table(self) -> WrittenTable | None: ...  # noqa: D102


class WrittenCell(Protocol):
    """A cell of a table; ``claimed`` says that it has a claim of its own."""

    @property
    def passage(self) -> Passage: ...  # noqa: D102
    @property
    def references(self) -> tuple[tuple[int, int], ...]: ...  # noqa: D102
    @property
    def claimed(self) -> bool: ...  # noqa: D102


class WrittenTable(Protocol):
    """A table: the column that a claim in its header speaks of, its headers, its rows without them."""

    @property
    def column(self) -> int: ...  # noqa: D102
    @property
    def headers(self) -> tuple[Passage, ...]: ...  # noqa: D102
    @property
    def rows(self) -> Sequence[Sequence[WrittenCell]]: ...  # noqa: D102


class Stretch:
    """The text that a claim of ``count`` values may vouch for; ``inputs`` are the symbols that it binds."""

    def __init__(self, claim: WrittenClaim, count: int, inputs: frozenset[str]) -> None:
        self._excluded = sorted(claim.references)
        self._header = claim.header
        self._count = count
        self._inputs = inputs
        self._plain = plain(claim.stretch)
        behind = plain(claim.follows)
        self._limit = len(self._plain.text)
        self._text = self._plain.text + _CLAIM_MARK + behind.text
        self._setting = self._plain.setting + SCRIPT + behind.setting
        self._scanned: dict[str, list[_Candidate]] = {}  # by the marks that part numbers

    def all_numbers(self) -> list[Quoted]:
        """Return every number of the text that says something, whatever the claim binds; inputs are left out."""
        return [candidate.quoted for candidate in self._candidates("") if not candidate.is_input]

    @cached_property
    def plainest(self) -> list[Quoted]:
        """What the claim binds in the plainest reading; too few numbers if the text has no more."""
        return self._reading("", False, False)

    def readings(self) -> Iterator[list[Quoted]]:
        """Yield what the claim binds, in every reading that the text allows, the plainest first."""
        yield self.plainest
        seen = [self.plainest]
        for apart, two, bare in product(_APART, (False, True), (False, True)):
            reading = self._reading(apart, two, bare)
            if reading not in seen:
                seen.append(reading)
                yield reading

    def _reading(self, apart: str, two: bool, bare: bool) -> list[Quoted]:
        """Read the text in one way.

        The marks of ``apart`` part numbers, ``two`` takes a/b as two, ``bare`` leaves borrowed scales off.
        """
        if apart not in self._scanned:
            self._scanned[apart] = self._candidates(apart)
        candidates = [candidate for candidate in self._scanned[apart] if not candidate.is_input]
        if self._count == 1 and not two:
            candidates = self._with_fraction(candidates)
        chosen = [candidate for candidate in candidates if not candidate.before_arrow]
        if len(chosen) < self._count:
            chosen = candidates
        return self._shared([candidate.quoted for candidate in chosen[-self._count :]], bare)

    def _candidates(self, apart: str) -> list[_Candidate]:
        candidates = []
        at = max(0, self._limit - _REACH - _REACH_OF_ONE * self._count)
        while at and self._text[at - 1] in _INSIDE_NUMBER:
            at -= 1
        while (digit := _DIGIT.search(self._text, at, self._limit)) is not None:
            candidate, at = self._candidate(digit.start(), apart)
            if candidate:
                candidates.append(candidate)
        return candidates

    def _candidate(self, at: int, apart: str) -> tuple[_Candidate | None, int]:
        """Read the number at ``at``; return it, if it is a candidate, and where to read on."""
        dotted = _DOTTED.match(self._text, at)
        if dotted:
            return None, dotted.end()
        written, end = _number(self._text, at, apart)
        if self._setting[at] == SCRIPT or _GLUE.match(self._text, at - 1, at):
            return None, end
        start = self._sign(at)
        if start is None:
            return None, end
        if start < at and written:
            written = replace(written, number=-written.number)
        quoted, behind = self._measured(written, start, end)
        if self._is_part_of_name(start, behind) or self._is_excluded(quoted):
            return None, end
        before = self._text[max(0, start - _LOOK_BACK) : start]
        candidate = _Candidate(
            quoted=quoted,
            start=start,
            end=behind,
            before_arrow=_ARROW.match(self._text, behind, self._limit) is not None,
            is_input=before.rstrip().endswith("±") or self._is_bound(before, start),
        )
        return candidate, end

    def _sign(self, at: int) -> int | None:
        """Return where a number with digits at ``at`` begins, sign included; None if a name goes on there."""
        if not at or self._text[at - 1] not in _MINUS:
            return at
        if self._text[at - 1] in _HYPHENS and _NAME_BEHIND.match(self._text, at - 2, at - 1):
            return None
        return at if _NO_SIGN_BEHIND.match(self._text, at - 2, at - 1) else at - 1

    def _is_part_of_name(self, start: int, end: int) -> bool:
        """Say whether a number is glued to a name (``5-gram``) or shares a code span with other text."""
        if _HYPHENED.match(self._text, end) and not _BLANK.search(self._text, start, end):
            return True
        if self._setting[start] != CODE:
            return False
        first, last = start, start
        while first and self._setting[first - 1] == CODE:
            first -= 1
        while last < self._limit and self._setting[last] == CODE:
            last += 1
        return bool(self._text[first:start].strip() or self._text[min(end, last) : last].strip())

    def _measured(self, written: Written | None, start: int, end: int) -> tuple[Quoted, int]:
        """Read scale and unit behind a number; return the quotation and the index behind all of it."""
        text = self._text
        scale: Scale | None = None
        borrowed = False
        behind = end
        tolerance = _TOLERANCE.match(text, end)
        at = _skip(text, tolerance.end() if tolerance else end)
        unit = read_unit(text, at) or self._hyphened_unit(end)
        if unit is None and (scaled := read_scale(text, at)):
            scale, behind = scaled
            letter = len(scale.name) == 1 and _NAME_BEHIND.match(text, at) is not None
            borrowed = letter and (at >= self._limit or self._setting[at] == ITALIC)
            at = _skip(text, behind)
            unit = read_unit(text, at)
        tail = scale.name if scale else ""
        doubtful = False
        if unit:
            behind = unit[1]
            name = text[at:behind].lstrip(_HYPHENS)
            doubtful = self._setting[at] == ITALIC and len(name) <= 2 and name.islower()
            tail += (" " if tail and name.isascii() else "") + name
        approximate = self._is_approximate(start, behind)
        first, last = self._plain.range(start, end)
        found = unit[0] if unit else None
        return Quoted(written, first, last, scale, found, tail, approximate, borrowed, doubtful), behind

    def _hyphened_unit(self, end: int) -> tuple[Unit, int] | None:
        return read_unit(self._text, end + 1) if _HYPHENED.match(self._text, end) else None

    def _is_excluded(self, quoted: Quoted) -> bool:
        at = bisect_left(self._excluded, (quoted.end,))
        return any(end > quoted.start for _, end in self._excluded[:at])

    def _is_approximate(self, start: int, behind: int) -> bool:
        before = self._text[max(0, start - _LONGEST_WORD) : start]
        return _APPROXIMATELY.search(before) is not None or (
            "左右" in self._text and _OR_SO.match(self._text, behind) is not None
        )

    def _is_bound(self, before: str, start: int) -> bool:
        """Say whether a symbol that the claim binds stands alone before ``=`` and the number."""
        if not before.rstrip().endswith(("=", "≡")):
            return False
        found = (pattern.search(before) for pattern in _EQUALS)
        match = next((match for match in found if match and canonical(match[1]) in self._inputs), None)
        if match is None:
            return False
        at = start - len(before) + match.start()
        setting = self._setting[at]
        while setting == ITALIC and at and self._setting[at - 1] == ITALIC and self._text[at - 1].isspace():
            at -= 1  # in mathematics blanks mean nothing
        return at == 0 or self._setting[at - 1] not in (setting, SCRIPT) or not _NOT_ALONE.match(self._text, at - 1)

    def _with_fraction(self, candidates: list[_Candidate]) -> list[_Candidate]:
        """Join the last two numbers to a fraction if they are integers, without unit, parted by a stroke."""
        if len(candidates) < 2:
            return candidates
        *rest, above, below = candidates
        if rest and self._strokes(rest[-1], above):
            return candidates
        if not self._strokes(above, below) or not (_is_integer(above.quoted) and _is_integer(below.quoted)):
            return candidates
        assert above.quoted.written and below.quoted.written  # integers
        if below.quoted.written.number <= 0:
            return candidates
        number = Fraction(above.quoted.written.number) / below.quoted.written.number
        written = Written(number, 0, above.quoted.written.digits, 0)
        fraction = replace(
            below.quoted, written=written, start=above.quoted.start, approximate=above.quoted.approximate
        )
        return [*rest, replace(below, quoted=fraction, start=above.start)]

    def _strokes(self, above: _Candidate, below: _Candidate) -> bool:
        return self._text[above.end : below.start].strip() == "/"

    def _shared(self, quoted: list[Quoted], bare: bool) -> list[Quoted]:
        """Give numbers without scale and unit those of the last one, or of the header of the column."""
        if not quoted:
            return quoted
        source = quoted[-1] if quoted[-1].scale or quoted[-1].unit else self._from_header
        shared = [_borrowing(number, source) if source else number for number in quoted]
        return [replace(n, scale=None) if bare and n.borrowed else n for n in shared]

    @cached_property
    def _from_header(self) -> Quoted | None:
        """The scale and unit in brackets in the header of the column."""
        if self._header is None:
            return None
        for match in reversed(list(_BRACKETED.finditer(plain(self._header).text))):
            content = _CALLED_UNIT.sub("", match[1].strip(), count=1)
            scale, at = read_scale(content, 0) or (None, 0)
            unit, end = read_unit(content, _skip(content, at)) or (None, at)
            if end == len(content) and end:
                return Quoted(None, 0, 0, scale, unit, content)
        return None


def _number(text: str, at: int, apart: str) -> tuple[Written | None, int]:
    """Read a number; of one with too many digits only where it ends."""
    try:
        found = read_number(text, at, apart)
    except NumberTooLongError as error:
        return None, at + error.length
    return found.written, found.end


def _skip(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return match.end() if match else at


def _is_integer(quoted: Quoted) -> bool:
    written = quoted.written
    return written is not None and written.step == 1 and quoted.scale is None and quoted.unit is None


def _borrowing(number: Quoted, source: Quoted) -> Quoted:
    if number.unit or (number.scale and source.unit is None):
        return number
    if number.scale:
        return replace(number, unit=source.unit, tail=f"{number.tail} {source.tail}")
    return replace(number, scale=source.scale, unit=source.unit, tail=source.tail, borrowed=source.scale is not None)


class Agreement(IntEnum):
    """How well a value agrees with a number of the text."""

    DIFFERS = 0
    TRUNCATED = 1
    AGREES = 2


_UNBOUNDED = 10**MAX_DIGITS  # beyond any number that is read


def quotation(quoted: Quoted, option: Option | None = None, tolerance: Rational = 0) -> Value:
    """Return the values, in base units, of which a number of the text may be the quotation.

    ``option`` and ``tolerance`` are those of ``agreement``, which holds for just these values.
    """
    written = quoted.written
    assert written is not None  # numbers with too many digits are reported
    number, step = written.number, written.step
    low, high = written.value(quoted.approximate).low, written.value(quoted.approximate).high
    if option is Option.BELOW:
        low, high = -_UNBOUNDED, number
    elif option is Option.ABOVE:
        low, high = number, _UNBOUNDED
    elif option in (Option.FLOOR, Option.CEIL):
        low, high = (number, number + step) if option is Option.FLOOR else (number - step, number)
    elif option is Option.WITHIN and tolerance < 1:
        ends = (number / (1 - Fraction(tolerance)), number / (1 + Fraction(tolerance)))
        low, high = min(low, *ends), max(high, *ends)
    return Value(low * quoted.factor, high * quoted.factor)


def agreement(quoted: Quoted, result: Quantity, option: Option | None = None, tolerance: Rational = 0) -> Agreement:
    """Compare a number of the text with what a formula gives, as QUANTITIES section 4 says.

    Their dimensions are the same. ``tolerance`` is that of ``within``, a part of the result.
    """
    written = quoted.written
    if written is None:
        return Agreement.DIFFERS
    if option is None and result.value == written.number * quoted.factor:
        return Agreement.AGREES  # as most do, to the last digit
    value = Fraction(result.value) / quoted.factor
    if option in (Option.BELOW, Option.ABOVE):
        lies = value < written.number if option is Option.BELOW else value > written.number
        return Agreement.AGREES if lies else Agreement.DIFFERS
    if option in (Option.FLOOR, Option.CEIL) and written.step:
        steps = value / written.step
        whole = floor(steps) if option is Option.FLOOR else ceil(steps)
        return Agreement.AGREES if whole * written.step == written.number else Agreement.DIFFERS
    difference = abs(value - written.number)
    last_place = written.unit_in_last_place(quoted.approximate)
    slack = 0 if result.exact or written.step else NEARLY
    if 2 * difference <= last_place or difference <= max(slack, tolerance * abs(value)):
        return Agreement.AGREES
    excess = abs(value) - absolute(written.number)
    cut = 0 <= excess < last_place and value * written.number > 0
    return Agreement.TRUNCATED if cut and written.digits >= 2 else Agreement.DIFFERS
