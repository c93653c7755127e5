"""Doubts: what in the text round an equation makes its sides differ without a fault."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lintbook.parse.blocks import BlockKind, TextBlock
from lintbook.patterns import regex

if TYPE_CHECKING:
    from lintbook.calculator.arithmetic import Chain
    from lintbook.calculator.chain import Comparison

# Arithmetics that are not that of numbers, by their names and signs: of residues, finite fields, truth values, sets of
# bits, permutations.
_OTHER_ARITHMETIC = regex(
    r"\\[bp]?mod(?![a-z])|[0-9)}]\s*(?:\\equiv(?![a-z])|≡)|\b[Mm]od(?:ulo|ulus)?\b|\b[Mm]odular\s(?:arith|add|mult|inver|exp)"
    r"|[Cc]ongruen|[Rr]esidue\sclass"
    r"|模\s*[$(（]?\s*[0-9a-zA-Z]\b|模[乘加逆运]|取[模余]|同余|同餘|剩余类|剩餘類|合同式|を法と"
    r"|\\math(?:bb|bf|rm)\s*\{?\s*[FZ]\s*\}?\s*(?:_|/|\^\s*[{*×])|[ℤ𝔽](?:_|/|[₀-₉])|\bGF\s?\(|\b[FZ]_\{?[2357pn]\b"
    r"|[Ff]inite\s[Ff]ield|有限[域体體]|[Cc]haracteristic\s\$?[2357p]\b|特征(?:数)?[为是]?\s*\$?[2357p]\b"
    r"|\b[Nn]im(?:bers?\b|-?sums?\b|-?add)"
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
    r"|[Tt]wo['’]s\scomplement|补码|補碼|反码|[Ss]aturat(?:ed|ing)\s(?:add|sub|mul|arith|int)|饱和(?:加|减|运算|算术)"
    r"|\b[Ff]ixed[\s-]point\s(?:add|arith|form|mult|num|Q|rep|val)|\bQ[0-9]{1,2}\.[0-9]{1,2}\b|定点(?:数|运算|格式)"
    r"|\b[Ii]n\s(?:binary|ternary|quaternary|duodecimal)[\s,:]+[0-9]|[Ff]reshman['’]?s\s[Dd]ream|\b[Tt]ypos?\b|改错|找错|纠错"
    r"|[Ss]tring\sconcat|字符串(?:拼接|连接|相加)"
    r"|[Ee]valuat\w*\s(?:\w+ly\s)?(?:from\s)?left[\s-]to[\s-]right|从左[到往向]右(?:依次)?(?:计算|求值|运算)"
    r"|[Ww]hich\sof\s(?:these|the\sfollowing)|判断(?:题|正误|对错|下列|以下|[:：])|[下以][列下].{0,12}(?:正确|成立)"
    r"|荒谬|荒謬|矛盾|悖论|悖論|間違い|誤り|\b[Ff]alsch\b|\b[Ff]aux\b"
)
# What is only asked, supposed, denied or quoted, by the words right before the equation …
_NOT_SAID = regex(
    r"(?:\b(?:[Aa]ssum(?:e|ing)|[Ii]f|[Ii]magine|[Nn]ot|[Pp]retend|[Ss]uppos(?:e|ing)|[Uu]nless|[Ww]hether"
    r"|[Nn]ot\s(?:the\scase|true))(?:\sthat)?|如果|假如|假设|假若|倘若|要是|若|并非|不是|是否)[\s\"“‘'「(（]*$"
    r"|(?:^|[\s,;(（，；、])[pqrPQR]\s?[:：]\s*[\"“]?$|(?:¬|\\(?:lnot|neg)(?![a-z]))\s*[(（]$"
)
# … by those of the sentence before it, and by those behind it.
_QUOTED = regex(
    r"\b(?:[Ss]tudent|[Pp]upil|[Bb]eginner|[Nn]ovice)s?\s(?:\w+\s)?"
    r"(?:answer|calculat|claim|comput|got\b|sa[iy]|th(?:in|ough)|wr[io]t)"
    r"|[Nn]ot\s(?:the\scase|true)\sthat|[Pp]roposition\s[\"“]|(?:学生|同学|新手|初学者)[^，。]{0,6}(?:写|算|答)"
)
_DENIED = regex(
    r"\b(?:not|never|n[o’']t|cannot)\s(?:be\s)?(?:correct|equal|hold|right|the\scase|true|valid)"
    r"|(?:\bimpossible|不可能)\W*$"
    r"|\btruth\svalue|^\W{0,3}(?:should|ought\sto)\s(?:be|have\sbeen|read)|\bshould\s(?:read|have\sbeen)\b"
    r"|[\[(（]\s?sic\s?[\])）]|为假|為假|是假|真值|^\W{0,3}应(?:为|是|改|该)"
)
# … and what is joined to other statements: `(2 + 2 = 5) → (1 + 1 = 3)`, but not `conv (3 × 4 = 12) → pooling`.
_CONNECTIVE = r"(?:[→⇒↔⇔∧∨]|\\(?:to|land|lor|wedge|vee|implies|iff|[Ll]?(?:eft)?[Rr]ightarrow)(?![a-z]))"
_STATEMENT = regex(rf"(?:^|[^\w\s]\s*)[(（]\0[)）]\s*{_CONNECTIVE}|[)）]\s*{_CONNECTIVE}\s*[(（]\0[)）]")
_ASKED = regex(r"[?？]|吗(?=$|[。，])|[(（]\s*[)）]\s*$")
_SENTENCE_END = regex(r"[.!](?=\s|$)|[?？。！；;]")
_CHOICE = regex(r"(?:^|[\s(（])[A-E][.．)）、]\s*$")
_OTHER_CHOICE = regex(r"[\s(（][B-E][.．)）、]")
# Arithmetic of a machine's few digits: what the text says of their number, of that of places in a ring, of a format.
_BITS = regex(r"\b(?P<bits>[0-9]{1,2})[\s-]?(?:bits?\b|位)|\b[ui](?:nt)?(?P<type>8|16|32|64)(?:_t)?\b")
_RING = regex(
    r"\b(?:[Rr]ing|[Cc]ircular|[Cc]yclic)\s(?:buffer|queue|list|array)|\bclock\b|环形|循环(?:队列|缓冲)|时钟|钟表"
)
_SIZE = regex(r"\b[0-9]{1,6}(?![0-9.])")
_FORMAT = regex(
    r"\b(?P<brain>bf16|bfloat16|BF16)\b|\b(?:[Ff]loat|fp|FP)(?P<size>8|16|32|64)\b"
    r"|(?P<half>\b[Hh]alf[\s-]precision|半精度)|(?P<single>\b[Ss]ingle[\s-]precision|[单單]精度)"
    r"|(?P<double>\b[Dd]ouble[\s-]precision|[双雙]精度)"
)
_DIGITS_KEPT = {"8": 3, "16": 10, "32": 23, "64": 52, "brain": 7, "half": 10, "single": 23, "double": 52}  # binary ones
_LONGEST_CHOICE = 12  # characters from the blank before its letter to the equation
_NEAR = 400  # characters before and behind an equation that are looked at
_INTRODUCING = (":", "：", "?", "？")


class Surroundings:
    """What stands round a block: the headings above it, and the text that introduces it."""

    def __init__(self) -> None:
        self._headings: list[tuple[int, str]] = []
        self._paragraph = ""  # the last that is neither an item of a list nor a cell
        self._introduction = ""
        self._own = ""
        self._sentences: list[int] | None = None  # where those of the last block begin, once it was asked
        self._excused: bool | None = None  # whether the last block says so of all equations in it, once it was asked

    def enter(self, block: TextBlock) -> None:
        """Go on to the next block of the page."""
        text = block.passage.text
        self._own = f"{text}\n{block.header.text}" if block.header else text
        self._introduction = self._paragraph
        self._sentences = self._excused = None
        if block.kind is BlockKind.HEADING:
            while self._headings and self._headings[-1][0] >= block.level:
                self._headings.pop()
            self._headings.append((block.level, text))
            self._paragraph = ""
        elif block.kind is BlockKind.PARAGRAPH and not block.listed:
            self._paragraph = text

    def raise_doubts(self, chain: Chain, comparisons: Iterable[Comparison]) -> bool:
        """Say whether sides of an equation in the last block that disagree are perhaps no fault."""
        if self._excused is None:
            self._excused = self._excuses_all()
        if self._excused or self._is_not_asserted(chain):
            return True
        # A paragraph may hold any number of equations: each is held to what stands near it.
        near = self._own[max(chain.start - _NEAR, 0) : chain.start], self._own[chain.end : chain.end + _NEAR]
        beside = "\n".join((*near, self._announcement))
        return any(_is_of_machine(each, beside) for each in comparisons if each.disagrees)

    @property
    def _announcement(self) -> str:
        """The paragraph before the last block, if it introduces that."""
        return self._introduction if self._introduction.rstrip().endswith(_INTRODUCING) else ""

    def _excuses_all(self) -> bool:
        above = (self._introduction, *(text for _, text in self._headings))
        if any(_OTHER_ARITHMETIC.search(text) for text in (self._own, *above)):
            return True
        return any(_EXCUSE.search(text) for text in (self._own, self._announcement))

    def _is_not_asserted(self, chain: Chain) -> bool:
        """Say whether the sentence in which an equation stands asks, supposes, denies, quotes or only names it."""
        text = self._own
        if self._sentences is None:
            self._sentences = [0, *(end.end() for end in _SENTENCE_END.finditer(text)), len(text) + 1]
        start = self._sentences[bisect_right(self._sentences, chain.start) - 1]
        end = self._sentences[bisect_left(self._sentences, chain.end + 1)]
        before = text[max(start, chain.start - _NEAR) : chain.start]
        behind = text[chain.end : min(end, chain.end + _NEAR)]
        return _is_said_otherwise(before, behind) or _is_choice(text, chain)


def _is_said_otherwise(before: str, behind: str) -> bool:
    """Say whether what stands in its sentence round an equation asks, supposes, denies or quotes it."""
    if any(pattern.search(before) for pattern in (_NOT_SAID, _QUOTED)):
        return True
    if any(pattern.search(behind) for pattern in (_DENIED, _ASKED)):
        return True
    return _STATEMENT.search(f"{before}\0{behind}") is not None


def _is_choice(text: str, chain: Chain) -> bool:
    """Say whether an equation is one of several answers that are offered: ``A. 2 + 2 = 5 B. 2 + 2 = 4``."""
    choice = _CHOICE.search(text, max(chain.start - _LONGEST_CHOICE, 0), chain.start)
    if choice is None:
        return False
    return not choice.start() or _OTHER_CHOICE.search(text, max(chain.start - _NEAR, 0), chain.end + _NEAR) is not None


def _is_of_machine(comparison: Comparison, text: str) -> bool:
    """Say whether two sides differ as those of a machine do: by a multiple of what its bits hold, or by a rounding."""
    difference = abs(comparison.value - comparison.opposite)
    least = min(abs(comparison.value), abs(comparison.opposite))
    wraps = any(difference % modulus == 0 and least <= modulus for modulus in _moduli(text))
    if wraps and not comparison.computed.measures:
        return True
    kept = (_DIGITS_KEPT[match["size"] or match.lastgroup or "size"] for match in _FORMAT.finditer(text))
    return any(difference * 2**digits <= abs(comparison.value) for digits in kept)


def _moduli(text: str) -> Iterator[int]:
    """Yield what numbers are counted modulo in machines that a text speaks of."""
    for match in _BITS.finditer(text):
        yield 2 ** int(match["bits"] or match["type"])
    if _RING.search(text):
        yield from (int(size[0]) for size in _SIZE.finditer(text) if int(size[0]) > 1)
