"""Chains of arithmetic: equations in running text both sides of which are numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintbook.facts import Chain
from lintbook.parse.blocks import TextBlock
from lintbook.patterns import regex
from lintbook.text import Span
from lintbook.vocabulary import Role, Vocabulary

# A relation, and what a number or a formula of numbers begins with behind it.
_RELATION = regex(
    r"(?:[=≈≃≅≒＝]|\\(?:approx|thickapprox|simeq|cong|doteq)(?![a-z]))"
    r"[\s$&~∼{(（\[\-−≈]{0,12}"
    r"(?:[0-9０-９.πe⌈⌊√]|约|大约|近|about|roughly|approx|circa"
    r"|\\(?:[dtc]?frac|sqrt|[dt]?binom|log|ln|lg|exp|max|min|left|[bB]ig|l(?:ceil|floor)|text|math|sim|pi|underbrace"
    r"|boxed|quad|,|;|:|!))"
)
_SIGN = regex(r"[≈≃≅≒＝]")
_DIGIT = regex(r"[0-9０-９]")
_BEFORE = 80  # how far before a relation a digit of its left side may stand, behind it the brackets of a formula


def read_chains(path: str, blocks: Iterable[TextBlock], vocabulary: Vocabulary) -> Iterator[Chain]:
    """Yield the chains of a page's text that say something of arithmetic.

    Those that an errata table quotes as errors are left out.
    """
    from lintbook.calculator.arithmetic import read_chains as chains_of
    from lintbook.calculator.chain import judge_chains

    quoted = vocabulary.headings(Role.ORIGINAL, loose=True)
    for block in blocks:
        passage = block.passage
        if not _may_compute(passage.text) or (block.header and block.header.text.strip().lower() in quoted):
            continue
        for chain in chains_of(passage):
            itself = passage.slice(chain.start, chain.end)
            comparisons = judge_chains(itself)
            if comparisons:
                holds = all(comparison.agrees and comparison.reason is None for comparison in comparisons)
                yield Chain(Span(path, *passage.range(chain.start, chain.end)), itself, holds)


def _may_compute(text: str) -> bool:
    """Say whether numbers may stand on both sides of some relation; most text is passed over here."""
    if "=" not in text and "\\" not in text and (text.isascii() or not _SIGN.search(text)):
        return False
    return any(
        _DIGIT.search(text, max(match.start() - _BEFORE, 0), match.start()) for match in _RELATION.finditer(text)
    )
