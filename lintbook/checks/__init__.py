"""The rules, family by family. A new rule is a function in its family, a page in the rulebook and a line here."""

from lintbook.checks.boxes.anchors import legacy_box_anchor, mismatched_box_anchor
from lintbook.checks.boxes.duplicates import duplicate_box_number
from lintbook.checks.figures.dangling import dangling_svg_reference
from lintbook.checks.pages.links import broken_fragment, broken_link
from lintbook.checks.pages.navigation import missing_chapter
from lintbook.checks.quantities.claims import malformed_claim, mismatched_unit, unbound_claim, wrong_quantity
from lintbook.checks.references.dangling import dangling_box_reference
from lintbook.rule import Rule

RULES: tuple[Rule, ...] = (
    duplicate_box_number,
    mismatched_box_anchor,
    legacy_box_anchor,
    dangling_box_reference,
    broken_link,
    broken_fragment,
    missing_chapter,
    dangling_svg_reference,
    wrong_quantity,
    mismatched_unit,
    unbound_claim,
    malformed_claim,
)
