"""What the calculator has to say: problems with their places in the source, and what became of each claim."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from lintbook.diagnostic import Related
from lintbook.text import Span

if TYPE_CHECKING:
    from lintbook.calculator.quotation import WrittenClaim


class Kind(StrEnum):
    """What kind of problem it is; each is reported by a rule of its own, or counted as not checked."""

    MALFORMED = "malformed"
    UNKNOWN = "unknown"  # an undeclared formula, set or value is named
    UNBOUND = "unbound"
    MISMATCHED_UNIT = "mismatched-unit"
    WRONG = "wrong"
    TRUNCATED = "truncated"  # cut instead of rounded: a hint, not a fault
    INCONSISTENT = "inconsistent"  # quotations of a measured value have no common value
    MISMATCHED_FORMULA = "mismatched-formula"


class Reason(StrEnum):
    """Why a quantity is not compared: plural phrases that name what is left out. There are no other reasons."""

    UNCLAIMED = "quantities that no claim or chain vouches for"
    UNKNOWN_NAME = "claims on names that nothing declares"
    FAULTY_DECLARATION = "claims on a declaration that is reported"
    REPORTED_CLAIM = "claims that are reported themselves"
    EMPTY_ROW = "rows of column claims without a number"
    UNREAD_FORMULA = "formulas in the text that cannot be read"
    UNCOMPUTED_CHAIN = "chains that cannot be computed"
    UNLIKE_SIDES = "chains whose sides are in different units"
    DOUBTFUL_CHAIN = "chains that may mean something else"


class Problem(Struct, frozen=True):
    """One problem, whatever number of claims it shows in: one cause, one problem.

    ``advice`` gives what helps to judge it: the formula with its numbers, and which numbers the claim binds.
    ``rewritten`` gives for the numbers of the text what they should be, if the formula is right.
    """

    kind: Kind
    span: Span
    message: str
    related: tuple[Related, ...] = ()
    advice: str | None = None
    rewritten: tuple[tuple[Span, str], ...] = ()


class Checked(Struct, frozen=True):
    """What became of one claim: the places of the numbers it binds, and whether they were compared, or why not.

    ``skipped`` counts rows of its column that have no number.
    """

    claim: WrittenClaim
    numbers: tuple[Span, ...] = ()
    reason: Reason | None = None
    skipped: int = 0

    @property
    def compared(self) -> bool:
        """Whether its numbers were held against its formulas."""
        return self.reason is None


class Verdict(Struct, frozen=True):
    """What became of all claims of a book, in their order; the problems of the name space are its own."""

    problems: tuple[Problem, ...]
    claims: tuple[Checked, ...]
