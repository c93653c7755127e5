"""The rules, family by family. A new rule is a function in its family, a page in the rulebook and a line here."""

from lintbook.checks.boxes.anchors import legacy_box_anchor, mismatched_box_anchor, unrendered_anchor
from lintbook.checks.boxes.counters import skipped_box_number, unordered_box
from lintbook.checks.boxes.duplicates import duplicate_box_number
from lintbook.checks.boxes.fences import swallowed_text
from lintbook.checks.boxes.kinds import mismatched_box_kind
from lintbook.checks.boxes.placement import malformed_box_number, misplaced_box
from lintbook.checks.boxes.sections import duplicate_section_number, misplaced_section
from lintbook.checks.errata.corrections import missing_correction, stale_original
from lintbook.checks.errata.log import rewritten_erratum, unlogged_change
from lintbook.checks.errata.questions import untracked_question
from lintbook.checks.errata.rows import dangling_erratum, malformed_erratum
from lintbook.checks.figures.cuts import broken_inline_svg
from lintbook.checks.figures.dangling import dangling_svg_reference
from lintbook.checks.figures.definitions import duplicate_svg_id, unused_svg_definition
from lintbook.checks.figures.targets import borrowed_svg_reference, mistyped_svg_reference
from lintbook.checks.figures.wellformed import malformed_svg
from lintbook.checks.labels.reconciliation import dangling_label, duplicate_label, uncovered_label
from lintbook.checks.pages.anchors import duplicate_anchor
from lintbook.checks.pages.inclusion import missing_include
from lintbook.checks.pages.links import (
    backslash_path,
    broken_fragment,
    broken_link,
    link_to_orphan,
    mismatched_path_case,
    readme_link,
)
from lintbook.checks.pages.markup import shadowed_definition, unbalanced_html, unparsed_link
from lintbook.checks.pages.navigation import (
    duplicate_chapter,
    fragment_in_summary,
    malformed_summary,
    missing_chapter,
    orphaned_page,
)
from lintbook.checks.pages.redirects import dangling_redirect, missing_redirect, redirect_cycle, shadowing_redirect
from lintbook.checks.quantities.chains import wrong_arithmetic
from lintbook.checks.quantities.claims import (
    inconsistent_quantity,
    malformed_claim,
    mismatched_formula,
    mismatched_unit,
    unbound_claim,
    unknown_formula,
    wrong_quantity,
)
from lintbook.checks.quantities.sources import mismatched_source
from lintbook.checks.references.accidental import accidental_link
from lintbook.checks.references.dangling import dangling_box_reference
from lintbook.checks.references.labels import mismatched_link_label
from lintbook.checks.references.legacy import reference_to_legacy
from lintbook.checks.references.sections import dangling_section_reference
from lintbook.checks.suppressions.comments import unknown_rule, unused_suppression
from lintbook.checks.terms.dated import stale_statement
from lintbook.checks.terms.discouraged import discouraged_term
from lintbook.rule import Rule

RULES: tuple[Rule, ...] = (
    duplicate_box_number,
    malformed_box_number,
    mismatched_box_anchor,
    mismatched_box_kind,
    misplaced_box,
    skipped_box_number,
    unordered_box,
    legacy_box_anchor,
    unrendered_anchor,
    duplicate_section_number,
    misplaced_section,
    swallowed_text,
    dangling_box_reference,
    dangling_section_reference,
    mismatched_link_label,
    reference_to_legacy,
    accidental_link,
    broken_link,
    broken_fragment,
    duplicate_anchor,
    mismatched_path_case,
    backslash_path,
    readme_link,
    unparsed_link,
    missing_chapter,
    duplicate_chapter,
    fragment_in_summary,
    malformed_summary,
    orphaned_page,
    link_to_orphan,
    missing_include,
    dangling_redirect,
    shadowing_redirect,
    redirect_cycle,
    missing_redirect,
    unbalanced_html,
    shadowed_definition,
    dangling_svg_reference,
    mistyped_svg_reference,
    borrowed_svg_reference,
    duplicate_svg_id,
    broken_inline_svg,
    malformed_svg,
    unused_svg_definition,
    wrong_quantity,
    wrong_arithmetic,
    mismatched_unit,
    inconsistent_quantity,
    mismatched_formula,
    mismatched_source,
    unbound_claim,
    unknown_formula,
    malformed_claim,
    malformed_erratum,
    dangling_erratum,
    stale_original,
    missing_correction,
    rewritten_erratum,
    unlogged_change,
    untracked_question,
    discouraged_term,
    stale_statement,
    dangling_label,
    uncovered_label,
    duplicate_label,
    unused_suppression,
    unknown_rule,
)
