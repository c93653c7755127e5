"""Chains of arithmetic: equations in running text both sides of which are numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintbook.facts import Chain
from lintbook.parse.blocks import BlockKind, TextBlock
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
    from lintbook.calculator.chain import judge

    quoted = vocabulary.headings(Role.ORIGINAL, loose=True)
    surroundings = _Surroundings()
    for block in blocks:
        surroundings.enter(block)
        passage = block.passage
        if not _may_compute(passage.text) or (block.header and block.header.text.strip().lower() in quoted):
            continue
        for chain in chains_of(passage):
            comparisons = judge(chain)
            if not all(comparison.agrees for comparison in comparisons) and surroundings.raise_doubts():
                comparisons = judge(chain, doubted=True)
            span = Span(path, *passage.range(chain.start, chain.end))
            if not all(comparison.agrees for comparison in comparisons):
                yield Chain(span, context=passage, place=chain.place)
            elif comparisons:
                yield Chain(span, tuple(each.reason.value for each in comparisons if each.reason is not None))


# Arithmetics that are not that of numbers, by their names and signs: of residues, finite fields, truth values, sets of
# bits, permutations.
_OTHER_ARITHMETIC = regex(
    r"\\[bp]?mod(?![a-z])|[0-9)}]\s*(?:\\equiv(?![a-z])|≡)|\b[Mm]od(?:ulo|ulus)?\b|\b[Mm]odular\s(?:arith|add|mult|inver|exp)"
    r"|[Cc]ongruen|[Rr]esidue\sclass"
    r"|模\s*[$(（]?\s*[0-9a-zA-Z]\b|模[乘加逆运]|取[模余]|同余|同餘|剩余类|剩餘類|合同式|を法と"
    r"|\\math(?:bb|bf|rm)\s*\{?\s*[FZ]\s*\}?\s*(?:_|/|\^\s*[{*×])|[ℤ𝔽](?:_|/|[₀-₉])|\bGF\s?\(|\b[FZ]_\{?[2357pn]\b"
    r"|[Ff]inite\s[Ff]ield|有限[域体體]|[Cc]haracteristic\s\$?[2357p]\b|特征(?:数)?[为是]?\s*\$?[2357p]\b"
    r"|\bon\s(?:a|the)\sclock|\b[Cc]lock\s(?:arith|face)|钟面|鐘面|\b[Bb]oole(?:an)?\b|布尔|布林"
    r"|\b(?:XOR|xor)\b|异或|異或|\\oplus(?![a-z])|⊕|[Bb]itwise|按位"
    r"|[Tt]ropical|热带|熱帶|[Ss]emiring|半环|\b(?:min|max)-plus\b|[Pp]ermutation|置换|置換|轮换"
)
# What makes another result right where it stands: a base of numerals, a machine's few bits, or that the text itself
# calls it wrong.
_EXCUSE = regex(
    r"\b[Ii]n\sbase\s\$?[0-9]|\b[Bb]ase[\s-]\$?(?:[3-9]|1[1-9])\b|\b[Oo]ctal|[Hh]exadecimal|进制|進位|進制|進数"
    r"|[0-9]\s?(?:>>|<<|[&|])\s?[0-9]|[Oo]verflow|溢出|溢位|[Uu]nderflow|[Ww]raps?\s?-?around|\b[Ww]raps\b|回绕|\buint[0-9]|\bin\su?int[0-9]|[Uu]nsigned|无符号"
    r"|[Ff]loating[\s-]point|浮点|浮點|[Rr]ound(?:ing|-)\s?(?:off|error)|舍入误差|精度(?:丢失|损失)|\bin\s(?:fp|bf|float)[0-9]"
    r"|[✗✘❌☒❎]|\\xmark|\b[Ww]rong\b|\b[Ii]ncorrect|\b[Mm]istake|\b[Mm]isconception|\b[Ff]allac|\b[Ee]rroneous|\b[Aa]bsurd"
    r"|\b[Cc]ontradict|\b[Nn]onsens|\b[Ff]alse\b(?!\s(?:positive|negative|alarm|discover))|\b[Cc]ommon\serror|\bOrwell"
    r"|错误(?!率)|錯誤(?!率)|错解|錯解|误(?:以为|认为|算|写|作)|誤(?:以為|認為|算|寫|作)|算错|算錯|不[对對](?![称稱等])|不成立"
    r"|荒谬|荒謬|矛盾|悖论|悖論|間違い|誤り|\b[Ff]alsch\b|\b[Ff]aux\b"
)
_COLONS = (":", "：")


class _Surroundings:
    """What stands round a block: the headings above it, and the text that introduces it."""

    def __init__(self) -> None:
        self._headings: list[tuple[int, str]] = []
        self._paragraph = ""  # the last that is neither an item of a list nor a cell
        self._introduction = ""
        self._own = ""

    def enter(self, block: TextBlock) -> None:
        """Go on to the next block of the page."""
        text = block.passage.text
        self._own = f"{text}\n{block.header.text}" if block.header else text
        self._introduction = self._paragraph
        if block.kind is BlockKind.HEADING:
            while self._headings and self._headings[-1][0] >= block.level:
                self._headings.pop()
            self._headings.append((block.level, text))
            self._paragraph = ""
        elif block.kind is BlockKind.PARAGRAPH and not block.listed:
            self._paragraph = text

    def raise_doubts(self) -> bool:
        """Say whether sides of the last block that disagree are perhaps no fault."""
        above = (self._introduction, *(text for _, text in self._headings))
        if any(_OTHER_ARITHMETIC.search(text) for text in (self._own, *above)):
            return True
        announced = self._introduction.rstrip().endswith(_COLONS)
        return any(_EXCUSE.search(text) for text in (self._own, self._introduction if announced else ""))


def _may_compute(text: str) -> bool:
    """Say whether numbers may stand on both sides of some relation; most text is passed over here."""
    if "=" not in text and "\\" not in text and (text.isascii() or not _SIGN.search(text)):
        return False
    return any(
        _DIGIT.search(text, max(match.start() - _BEFORE, 0), match.start()) for match in _RELATION.finditer(text)
    )
