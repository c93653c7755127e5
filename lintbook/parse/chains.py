"""Chains of arithmetic: equations in running text both sides of which are numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintbook.facts import Chain
from lintbook.parse.blocks import TextBlock
from lintbook.parse.doubts import Surroundings
from lintbook.patterns import regex
from lintbook.text import Span
from lintbook.vocabulary import Role, Vocabulary

# A relation, and what a number or a formula of numbers begins with behind it.
_RELATION = regex(
    r"(?:[=≈≃≅≒＝]|\\(?:approx|thickapprox|simeq|cong|doteq)(?![a-z]))"
    r"[\s$&~∼{}(（\[\-−≈]{0,12}"
    r"(?:[0-9０-９.πe⌈⌊√]|约|大约|近|about|roughly|approx|circa"
    r"|\\(?:[dtc]?frac|sqrt|[dt]?binom|log|ln|lg|exp|max|min|left|[bB]ig|l(?:ceil|floor)|text|math|sim|pi|underbrace"
    r"|boxed|quad|(?:text)?color|underline|bm|boldsymbol|displaystyle|qty|SI|num|,|;|:|!))"
)
_SIGN = regex(r"[≈≃≅≒＝]")
_DIGIT = regex(r"[0-9０-９]")
_BEFORE = 80  # how far before a relation a digit of its left side may stand, behind it the brackets of a formula


def read_chains(path: str, blocks: Iterable[TextBlock], vocabulary: Vocabulary) -> Iterator[Chain]:
    """Yield the chains of a page's text that say something of arithmetic.

    Those that an errata table quotes as errors are left out.
    """
    from lintbook.calculator.arithmetic import read_chains as chains_of
    from lintbook.calculator.chain import judge

    quoted = vocabulary.headings(Role.ORIGINAL, loose=True)
    surroundings = Surroundings()
    for block in blocks:
        surroundings.enter(block)
        passage = block.passage
        if not _may_compute(passage.text) or (block.header and block.header.text.strip().lower() in quoted):
            continue
        for chain in chains_of(passage):
            comparisons = judge(chain)
            if not all(comparison.agrees for comparison in comparisons) and surroundings.raise_doubts(
                chain, comparisons
            ):
                comparisons = judge(chain, doubted=True)
            span = Span(path, *passage.range(chain.start, chain.end))
            if not all(comparison.agrees for comparison in comparisons):
                yield Chain(span, context=passage, place=chain.place)
            elif comparisons:
                yield Chain(span, tuple(each.reason.value for each in comparisons if each.reason is not None))


def _may_compute(text: str) -> bool:
    """Say whether numbers may stand on both sides of some relation; most text is passed over here."""
    if "=" not in text and "\\" not in text and (text.isascii() or not _SIGN.search(text)):
        return False
    return any(
        _DIGIT.search(text, max(match.start() - _BEFORE, 0), match.start()) for match in _RELATION.finditer(text)
    )
