"""The calculator: numbers, units, expressions, formulas, claims and chains. It knows nothing of Markdown.

QUANTITIES is the contract: ``parse_block`` reads declarations, ``Namespace.of`` joins those of a book and of the
library, ``judge_book`` compares what claims vouch for with what the formulas give. ``judge_chains`` compares the sides
of equations between numbers, and ``calculate`` is the companion on the command line.
"""
