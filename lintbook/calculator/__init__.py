"""The calculator: numbers, units, expressions, formulas and claims. It knows nothing of Markdown.

QUANTITIES is the contract: ``parse_block`` reads declarations, ``Namespace.of`` joins those of a book,
``judge_book`` compares what claims vouch for with what the formulas give.
"""
