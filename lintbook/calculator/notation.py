"""Notation: relations between closed sides that are none of arithmetic, or may be none."""

from __future__ import annotations

from lintbook.calculator.conversion import with_bytes
from lintbook.calculator.side import Side
from lintbook.calculator.unit import INFORMATION, PLAIN, RATE, Dimension
from lintbook.patterns import regex


def says_nothing(left: Side, right: Side) -> bool:
    """Say whether a relation between two closed sides is none of arithmetic."""
    if not (any(left.numbers) and any(right.numbers)):
        return True  # π = 0.3
    if left.is_number and right.is_number:
        return not _are_conversion(left, right)
    if left.is_number and left.label and left.label != right.label:
        return True  # 2 GPUs = 2 × 80 GB
    if left.label and (right.label or right.measures) and left.label != right.label and not left.measures:
        return True  # 1000 × 1000 images = 150 GB
    if left.is_shape and right.is_shape:
        return True  # (3×4)(4×2) = 3×2
    identity = right.text == "1" and "(" in left.text
    return (right.is_bracketed or identity) and _CYCLES.fullmatch(left.text) is not None


_CYCLES = regex(r"(?:\([0-9]{2,9}\)\s*(?:\^\s*\{?-?[0-9]{1,3}\}?\s*)?){1,99}")  # permutations: (12)(34), (123)^2


def may_mean_more(left: Side, right: Side) -> bool:
    """Say whether two sides that disagree may be none of one equation."""
    return (
        left.doubtful
        or right.doubtful
        or right.is_list
        or right.is_class
        or (left.is_symbol and right.text in _SIGNS)
        or _are_of_other_notation(left, right)
        or (right.is_shape and _RESOLUTION.fullmatch(left.text) is not None)
        or _are_binary(left, right)
        or any(map(_adds_percent, (left, right)))
    )


_SIGNS = ("1", "0", "-1", "−1")  # values of symbols of Legendre and Jacobi
_DATE = regex(
    r"(?<![0-9/])(?:[0-9]{1,2}/[0-9]{1,2}/(?:19|20)[0-9]{2}|(?:19|20)[0-9]{2}/[0-9]{1,2}/[0-9]{1,2})(?![0-9/])"
)
_SHARES = regex(r"[0-9]{1,2}(?:/[0-9]{1,2})+")
_XOR = regex(r"([0-9]{1,9})\s*\^\s*([0-9]{1,9})")
_LANES = regex(r"[1-8]\s?[×xX]\s?[1-8]")


def _are_of_other_notation(left: Side, right: Side) -> bool:
    """Say whether two sides may be dates, bits, shares of a hundred or antennas."""
    if _DATE.search(left.text) or _DATE.search(right.text):
        return True  # 12/31/2023 − 1/1/2023 = 364 days
    bits = _XOR.fullmatch(left.text)
    if bits and right.written and int(bits[1]) ^ int(bits[2]) == right.written.number:
        return True  # `5 ^ 3 = 6`
    if _SHARES.fullmatch(left.text) and sum(map(int, left.text.split("/"))) == 100 and (left.label or left.is_list):
        return True  # an 80/20 split = 800 + 200
    rated = any(measure.unit.dimension == INFORMATION.times(RATE) for measure in right.measures)
    return rated and _LANES.fullmatch(left.text) is not None  # Wi-Fi 6 with 2×2 = 1.2 Gb/s


_RESOLUTION = regex(r"[0-9]{1,2}[kK]")  # 4K = 3840×2160
_PERCENT_ADDED = regex(r"[-+−]\s*[0-9.]+\s*\\?%")


def _adds_percent(side: Side) -> bool:
    """Say whether a side adds a percentage to a number that is none: ``100 + 20 %`` may be 120."""
    percents = sum(measure.text == "%" for measure in side.measures)
    return _PERCENT_ADDED.search(side.text) is not None and percents < sum(1 for _ in side.numbers)


def _are_binary(left: Side, right: Side) -> bool:
    """Say whether two sides may be sums of bits or of binary numbers: ``1 + 1 = 0``, ``11 + 1 = 100``."""
    if left.measures or right.measures:
        return False
    digits = {digit for side in (left, right) for number in side.numbers for digit in number.text}
    return digits <= {"0", "1"} and not set("×*/^·.") & set(left.text + right.text) and "\\" not in left.text


def _are_conversion(left: Side, right: Side) -> bool:
    """Say whether two numbers are one quantity in two units: ``90 min = 1.5 h``."""
    if left.label or right.label:
        return False
    for one, other in with_bytes(left, right):
        dimension = _dimension(one)
        if dimension != PLAIN and dimension == _dimension(other):
            return True
    return False


def _dimension(side: Side) -> Dimension:
    dimension = PLAIN
    for measure in side.measures:
        dimension = dimension.times(measure.unit.dimension)
    return dimension
