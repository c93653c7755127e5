"""Quotations: which numbers of its stretch a claim binds, what they mean, and whether a value agrees with them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from itertools import product

from lintbook.calculator.claim import Option
from lintbook.calculator.expression import canonical
from lintbook.calculator.number import NumberTooLongError, Scale, Written, read_number, read_scale
from lintbook.calculator.plain import CODE, ITALIC, SCRIPT, plain
from lintbook.calculator.unit import BYTE, INFORMATION, PLAIN, Dimension, Unit, read_unit
from lintbook.text import Passage

_LETTER = r"A-Za-z\u00c0-\u024f\u0370-\u03ff\u1f00-\u1fff"
_GLUE = re.compile(rf"[{_LETTER}_#.]")
_MINUS = "-−‐‑"
_NO_SIGN_BEHIND = re.compile(rf"[{_LETTER}0-9)\]}}）】]")
_HYPHENED = re.compile(rf"[-‐‑][{_LETTER}]")
_DIGIT = re.compile(r"[0-9]")
_DOTTED = re.compile(r"[0-9]+(?:\.[0-9]+){2,}")
_CLAIM_MARK = "\u2060"  # where the claim stood: between the stretch and what follows
_BLANKS = re.compile(rf"[ \t\n\u00a0\u2009\u202f{_CLAIM_MARK}]*")
_ARROW = re.compile(r"\s*[→⇒↦⟶⟹⟼]")
_PLUS_MINUS = re.compile(r"±\s*$")
_APPROXIMATELY = re.compile(
    r"(?:≈|(?<![0-9%\s])\s*[~∼]|约为?|大约|(?<![最附])近|\babout|\broughly)\s*$", re.IGNORECASE
)
_OR_SO = re.compile(rf"[\s{_CLAIM_MARK}]*[\u4e00-\u9fff]{{0,4}}?左右")
_EQUALS = re.compile(rf"([{_LETTER}](?:[{_LETTER}0-9]|_\{{[^{{}}]*\}}|_)*|[^\W\d_]\w*)\s*[=≡]\s*$")
_NOT_ALONE = re.compile(rf"[{_LETTER}0-9)\]}}）_^*·×/⁄+−\-\ufffc\\]")
_BRACKETED = re.compile(r"[(（\[]([^()（）\[\]]*)[)）\]]")
_LOOK_BACK = 60  # characters before a number that may make it an input


@dataclass(frozen=True, slots=True)
class Quoted:
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
    def factor(self) -> Fraction:
        """What one of the written number is in base units."""
        scale = self.scale.factor if self.scale else Fraction(1)
        return scale * self.unit.factor if self.unit else scale

    @property
    def dimension(self) -> Dimension:
        """The dimension of the unit, plain if there is none."""
        return self.unit.dimension if self.unit else PLAIN

    def read_as(self, dimension: Dimension) -> Quoted:
        """Return the number as a text about ``dimension`` means it: ``70 B`` is byte or billions, ``4h`` a product."""
        if self.unit is None and self.scale and self.scale.name == "B" and dimension == INFORMATION:
            return replace(self, scale=None, unit=BYTE)
        if self.doubtful and dimension == PLAIN:
            return replace(self, unit=None, tail=self.scale.name if self.scale else "")
        return self


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A quoted number before it is chosen; places are in the plain text."""

    quoted: Quoted
    start: int
    end: int
    before_arrow: bool
    is_input: bool


class Stretch:
    """The text that a claim may vouch for: ``passage``, and what directly ``follows`` the claim.

    ``excluded`` are ranges of the passage that belong to cross-references, footnote marks and tags;
    ``header`` is the header of the table column.
    """

    def __init__(
        self, passage: Passage, excluded: Sequence[tuple[int, int]], follows: Passage, header: Passage | None
    ) -> None:
        self._excluded = sorted(excluded)
        self._header = header
        self._plain = plain(passage)
        behind = plain(follows)
        self._limit = len(self._plain.text)
        self._text = self._plain.text + _CLAIM_MARK + behind.text
        self._setting = self._plain.setting + SCRIPT + behind.setting

    def readings(self, count: int, inputs: frozenset[str]) -> Iterator[list[Quoted]]:
        """Yield what a claim of ``count`` values binds, in every reading that the text allows, the plainest first.

        ``inputs`` are the symbols that the claim binds. A reading has fewer numbers if the text has.
        """
        seen: list[list[Quoted]] = []
        for apart, two, bare in product(
            ("", ",\u066c", " \u00a0\u2009\u202f", ",\u066c \u00a0\u2009\u202f"), (False, True), (False, True)
        ):
            reading = self._reading(count, inputs, apart, two, bare)
            if reading not in seen:
                seen.append(reading)
                yield reading

    def _reading(self, count: int, inputs: frozenset[str], apart: str, two: bool, bare: bool) -> list[Quoted]:
        candidates = [c for c in self._candidates(inputs, apart) if not c.is_input]
        if count == 1 and not two:
            candidates = self._with_fraction(candidates)
        chosen = [c for c in candidates if not c.before_arrow]
        if len(chosen) < count:
            chosen = candidates
        return self._shared([c.quoted for c in chosen[-count:]], bare)

    def _candidates(self, inputs: frozenset[str], apart: str) -> Iterator[_Candidate]:
        at = 0
        while (digit := _DIGIT.search(self._text, at, self._limit)) is not None:
            candidate, at = self._candidate(digit.start(), inputs, apart)
            if candidate:
                yield candidate

    def _candidate(self, at: int, inputs: frozenset[str], apart: str) -> tuple[_Candidate | None, int]:
        """Read the number at ``at``; return it, if it is a candidate, and where to read on."""
        text = self._text
        dotted = _DOTTED.match(text, at)
        if dotted:
            return None, dotted.end()
        try:
            found = read_number(text, at, apart)
            written, end = found.written, found.end
        except NumberTooLongError as error:
            written, end = None, at + error.length
        if self._setting[at] == SCRIPT or _GLUE.match(text, at - 1, at):
            return None, end
        start = at
        if at and text[at - 1] in _MINUS:
            before = text[at - 2 : at - 1]
            if re.match(f"[{_LETTER}]", before):
                return None, end
            if not _NO_SIGN_BEHIND.match(before):
                start = at - 1
                written = written and replace(written, number=-written.number)
        quoted, behind = self._measured(written, start, end)
        if _HYPHENED.match(text, behind) or self._in_code(start, behind) is False:
            return None, max(end, behind)
        if self._is_excluded(quoted):
            return None, end
        before = text[max(0, start - _LOOK_BACK) : start]
        return _Candidate(
            quoted=replace(quoted, approximate=self._is_approximate(before, behind)),
            start=start,
            end=behind,
            before_arrow=_ARROW.match(text, behind, self._limit) is not None,
            is_input=_PLUS_MINUS.search(before) is not None or self._is_bound(before, start, inputs),
        ), end

    def _measured(self, written: Written | None, start: int, end: int) -> tuple[Quoted, int]:
        """Read scale and unit behind a number; return the quotation and the index behind all of it."""
        text = self._text
        scale: Scale | None = None
        borrowed = False
        behind = end
        at = _skip(text, end)
        unit = read_unit(text, at) or self._hyphened_unit(end)
        if unit is None and (scaled := read_scale(text, at)):
            borrowed = at >= self._limit or self._setting[at] == ITALIC
            scale, behind = scaled
            at = _skip(text, behind)
            unit = read_unit(text, at)
        tail = scale.name if scale else ""
        doubtful = False
        if unit:
            behind = unit[1]
            name = text[at:behind].lstrip("-‐‑")
            doubtful = self._setting[at] == ITALIC and len(name) <= 2 and name.islower()
            tail += (" " if tail and name.isascii() else "") + name
        place = self._plain.range(start, end)
        return Quoted(
            written, *place, scale, unit and unit[0], tail, borrowed=borrowed, doubtful=doubtful
        ), behind

    def _hyphened_unit(self, end: int) -> tuple[Unit, int] | None:
        return read_unit(self._text, end + 1) if _HYPHENED.match(self._text, end) else None

    def _in_code(self, start: int, end: int) -> bool | None:
        """Say whether a number and its unit fill a code span; None if they stand in no code."""
        if self._setting[start] != CODE:
            return None
        first, last = start, start
        while first and self._setting[first - 1] == CODE:
            first -= 1
        while last < self._limit and self._setting[last] == CODE:
            last += 1
        inside = min(end, last)
        return not self._text[first:start].strip() and not self._text[inside:last].strip()

    def _is_excluded(self, quoted: Quoted) -> bool:
        at = bisect_left(self._excluded, (quoted.end,))
        return any(end > quoted.start for _, end in self._excluded[:at])

    def _is_approximate(self, before: str, behind: int) -> bool:
        return _APPROXIMATELY.search(before) is not None or _OR_SO.match(self._text, behind) is not None

    def _is_bound(self, before: str, start: int, inputs: frozenset[str]) -> bool:
        """Say whether a symbol that the claim binds stands alone before ``=`` and the number."""
        match = _EQUALS.search(before) if inputs else None
        if match is None or canonical(match[1]) not in inputs:
            return False
        at = start - len(before) + match.start()
        setting = self._setting[at]
        while setting == ITALIC and at and self._setting[at - 1] == ITALIC and self._text[at - 1].isspace():
            at -= 1  # in mathematics blanks mean nothing
        return (
            at == 0
            or self._setting[at - 1] not in (setting, SCRIPT)
            or not _NOT_ALONE.match(self._text, at - 1)
        )

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
        number = above.quoted.written.number / below.quoted.written.number
        written = Written(number, Fraction(0), above.quoted.written.digits, 0)
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
            content = match[1].strip()
            scale, at = read_scale(content, 0) or (None, 0)
            unit, end = read_unit(content, _skip(content, at)) or (None, at)
            if end == len(content) and end:
                return Quoted(None, 0, 0, scale, unit, content)
        return None


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
    return replace(
        number, scale=source.scale, unit=source.unit, tail=source.tail, borrowed=source.scale is not None
    )


class Agreement(IntEnum):
    """How well a value agrees with a number of the text."""

    DIFFERS = 0
    TRUNCATED = 1
    AGREES = 2


_SLACK = Fraction(1, 10**30)  # what a fraction may differ by from an irrational result


def agreement(
    quoted: Quoted,
    value: Fraction,
    exact: bool,
    option: Option | None = None,
    tolerance: Fraction = Fraction(0),
) -> Agreement:
    """Compare a number of the text with a value in base units, as QUANTITIES section 4 says.

    ``tolerance`` is that of ``within``, a part of the value.
    """
    written = quoted.written
    if written is None:
        return Agreement.DIFFERS
    value /= quoted.factor
    if option in (Option.BELOW, Option.ABOVE):
        lies = value < written.number if option is Option.BELOW else value > written.number
        return Agreement.AGREES if lies else Agreement.DIFFERS
    if option in (Option.FLOOR, Option.CEIL) and written.step:
        steps = value / written.step
        whole = steps.__floor__() if option is Option.FLOOR else steps.__ceil__()
        return Agreement.AGREES if whole * written.step == written.number else Agreement.DIFFERS
    if value in written.value(quoted.approximate) or abs(value - written.number) <= tolerance * abs(value):
        return Agreement.AGREES
    if not exact and not written.step and abs(value - written.number) <= _SLACK:
        return Agreement.AGREES
    excess = abs(value) - abs(written.number)
    cut = 0 <= excess < written.unit_in_last_place(quoted.approximate) and value * written.number > 0
    return Agreement.TRUNCATED if cut and written.digits >= 2 else Agreement.DIFFERS
