"""Numbers in names: how they are written, and what the id of an anchor or the first words of a heading say.

The forms are those that real lecture books contain, Chinese and English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from lintbook.facts import Link, Number
from lintbook.patterns import regex
from lintbook.vocabulary import DIVISIONS, Vocabulary

# A number with at least two parts: a single one ("Theorem 2") names nothing beyond its page.
DOTTED = r"(?:\d+[A-Z]?|[A-Z])(?:\.\d+)+(?:[a-z](?![A-Za-z])|['’′]{1,3}(?![A-Za-z'’′])|\+(?![\d.]))?(?!\.?\d)"
# Signs and opening brackets that adorn a title: ▶ 定理 2.1, 【例 2.1】.
ORNAMENT = r"(?:[\u2020-\u2bff\u3008-\u3011\u3014-\u301b\ufe0f\U0001f000-\U0001faff]{1,3}\s*)?"
_LETTERS = regex(r"[A-Za-z]+")
_DOTTED_PART = regex(r"[\dA-Z]\.\d")
BLANK = r"[\s~]"  # repeated a few times only: `~` may also be the sign of a range
# A letter or digit of any script but Latin and Greek. To spell out the range of ideographs would take a millisecond
# whenever a pattern is compiled.
IDEOGRAPH = r"[^\W\x00-\u03ff]"


def has_dotted(text: str) -> bool:
    """Return whether a number of several parts may stand in ``text``; most text is passed over by asking."""
    return "." in text and _DOTTED_PART.search(text) is not None


class Patterns(Struct, frozen=True):
    """The regular expressions that a vocabulary gives."""

    declaration: re.Pattern[str]
    name: re.Pattern[str]
    reference: re.Pattern[str]
    bracketed: re.Pattern[str]
    anchor: re.Pattern[str]


@lru_cache(maxsize=8)
def patterns(vocabulary: Vocabulary) -> Patterns:
    """Return the regular expressions for the spellings of ``vocabulary``."""
    words = vocabulary.words
    # Prefixes of letters are looked up: to compile the names of them all takes longer.
    others = [f"(?i:{re.escape(prefix)})" for prefix in vocabulary.by_prefix if not _LETTERS.fullmatch(prefix)]
    prefix = rf"(?P<prefix>{'|'.join([*sorted(others, key=len, reverse=True), _LETTERS.pattern])})"
    dotted = r"(?:\d+[A-Za-z]?|[A-Za-z])(?:\.\d+)+[A-Za-z]?"
    return Patterns(
        declaration=regex(
            rf"\s*{ORNAMENT}(?P<compound>(?:[A-Z][a-z]+[ -]){{0,2}}|(?:(?![\u3040-\u30ff]){IDEOGRAPH}){{0,4}}?)"
            rf"(?P<word>{words}){BLANK}{{0,4}}[.:：]?{BLANK}{{0,4}}"
            rf"(?P<number>{DOTTED})"
        ),
        name=regex(
            rf"{BLANK}{{0,4}}(?P<sign>[/／|｜(（]){BLANK}{{0,4}}(?P<word>{words}){BLANK}{{0,4}}(?P<number>{DOTTED})"
        ),
        reference=regex(rf"(?P<word>{words}){BLANK}{{0,4}}(?P<number>{DOTTED})"),
        bracketed=regex(
            rf"\[{prefix}-(?P<number>{dotted})"
            rf"(?:{BLANK}{{0,4}}(?:-{{1,3}}|[–—~～…至到]|\.\.\.){BLANK}{{0,4}}(?:(?i:(?P=prefix))-)?(?P<last>{dotted}))?"
            r"(?P<rest>(?:-[A-Za-z][\w-]*)?)(?:\([A-Za-z]+\))?\]"
        ),
        anchor=regex(
            rf"{prefix}[-_.:]"
            r"(?P<number>(?:\d+[A-Za-z]?|[A-Za-z])(?:[.-]\d+)+(?:[A-Za-z](?![A-Za-z]))?)(?P<rest>.*)"
        ),
    )


def is_prefix(prefix: str, vocabulary: Vocabulary) -> bool:
    """Return whether anchors of boxes begin so: with what names a kind, up to three letters before it or none."""
    prefix = prefix.lower()
    return any(prefix[start:] in vocabulary.by_prefix for start in range(min(4, len(prefix))))


class AnchorNumber(NamedTuple):
    """What the id of a box anchor says: its prefix, the kinds it may stand for, and the number."""

    prefix: str
    kinds: tuple[str, ...]
    number: Number
    dotted: bool
    rest: str


@lru_cache(maxsize=100_000)  # several rules ask the same of each anchor and label
def read_anchor(identifier: str, vocabulary: Vocabulary) -> AnchorNumber | None:
    """Read the id of a box anchor (``def-2.2.1``, ``THM-2.3.4-RN``, ``def-2-1``), or None if it is no such id."""
    match = patterns(vocabulary).anchor.fullmatch(identifier)
    if match is None or not is_prefix(match["prefix"], vocabulary):
        return None
    prefix = match["prefix"].lower()
    kinds = vocabulary.by_prefix.get(prefix, ())
    written = match["number"]
    suffix = written[-1] if written[-1].isalpha() and len(written) > 1 else ""
    parts = tuple(re.split(r"[.-]", written.removesuffix(suffix).upper()))
    return AnchorNumber(prefix, kinds, Number(parts, suffix.lower()), "." in written, match["rest"])


_ONE_TO_NINE = "[一二三四五六七八九]"
_NUMERAL = regex(
    rf"(?:(?P<hundreds>{_ONE_TO_NINE})百零?)?(?:(?P<tens>{_ONE_TO_NINE}?)(?P<ten>十))?(?P<ones>{_ONE_TO_NINE}?)"
)
_DIGITS = "零一二三四五六七八九"
_CHAPTER_WORDS = [word for division in DIVISIONS if division.name != "section" for word in division.before]


def any_word(words: Iterable[str]) -> str:
    """Return a regular expression for ``words`` in either case, the longest first; a letter ends none of them."""
    spelled = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return rf"(?i:{spelled})(?:(?<![A-Za-z])|(?![A-Za-z]))"


# Before the number an ornament or a bracket may stand; behind it a star says that the section may be left out.
_SECTION_NUMBER = regex(
    rf"\s*(?P<sign>{ORNAMENT}[*＊]?[(（［]?)"
    rf"(?:第\s*(?P<ordinal>\d{{1,3}}(?:\.\d{{1,3}})*|[一二三四五六七八九十百零]+)\s*(?P<unit>[章节讲])"
    rf"|(?P<word>{any_word(_CHAPTER_WORDS)})\s*(?P<named>\d{{1,3}}[A-Z]?(?:\.\d{{1,3}})*|[A-Z](?:\.\d{{1,3}})*)"
    r"|(?:§+\s*|(?:Sub)?[Ss]ection\s+|Sec\.\s*|(?:Unit|Module|Lesson)\s+(?=\d+\.\d))?"
    r"(?P<bare>(?:\d{1,3}(?:\.\d{1,3})*|(?:\d{1,3})?[A-Z](?:\.\d{1,3})+)[a-z]?))"
    r"(?=$|[\s:：、，,)）］—–-]|\.(?!\w)|(?:[*＊†‡★☆⭐]|\^\*\^){1,3}(?:\s|$)"
    rf"|[\u3000-\u303f（【《(]|{IDEOGRAPH})"
)
# Behind a number these say that it counts something, but where more follows that makes a title's word of them:
# `3 个例子`, `3 个体差异`. They are looked up, for the pattern would take milliseconds to compile.
_MEASURES = {
    "倍": ("增", "角", "频", "率"),
    "万": ("能", "有", "物", "维"),
    "亿": (),
    "%": (),
    "％": (),
}
_TIMES = {
    "年": ("龄", "齡", "度", "代", "轻", "化", "表", "鉴", "均"),
    "月": ("球", "亮"),
    "日": ("志", "期", "常", "程", "历", "语", "本", "光"),
    "天": ("气", "体", "文", "然", "线", "际"),
}
_GLUED = {**_MEASURES, **_TIMES}
_COUNTERS = {
    **dict.fromkeys("个個", ("体", "體", "性", "人", "案")),
    **dict.fromkeys("项項", ("目",)),
    **dict.fromkeys("种種", ("子", "群", "植")),
    **dict.fromkeys("条條", ("件", "款", "形", "带")),
    "次": ("梯", "序", "级", "线", "要", "模", "优策", "优解", "优性"),
    "步": ("骤", "驟", "长", "長", "进", "進", "态"),
    **dict.fromkeys("类類", ("别", "別", "型", "脑", "图", "激", "比推", "比学", "比法", "与对象", "與物件")),
    **dict.fromkeys("维維", ("数", "數", "度", "特", "护", "纳", "恩", "基")),
    **dict.fromkeys("层層", ("归", "歸", "次", "级", "析")),
    "位": ("置", "运", "移", "姿", "图", "错", "势"),
    **dict.fromkeys("点點", ("估", "积", "云", "阵", "乘", "互", "过", "击", "集", "对点", "对称")),
    **_GLUED,
}


def _counts(number: Number, behind: str) -> bool:
    """Whether what stands behind a number says that it counts something.

    A number of several parts is a section's more often: `2.1 类` is one, `1.5 倍` and `1.5年` are none.
    """
    word = behind.lstrip()
    if number.depth == 1:
        counters: Mapping[str, tuple[str, ...]] = _COUNTERS
    else:
        counters = _MEASURES if word != behind else _GLUED
    endings = counters.get(word[:1])
    return endings is not None and not word.startswith(endings, 1)


def _match_number(text: str) -> re.Match[str] | None:
    return _SECTION_NUMBER.match(text.replace("．", ".") if "．" in text else text)


def section_number(text: str) -> Number | None:
    """Return the number that a heading begins with (``2.4.7 …``, ``第三讲 …``, ``Chapter 10: …``), if any.

    ``第二节`` counts within its chapter and is no number of the book.
    """
    match = _match_number(text)
    if match is None:
        return None
    if ordinal := match["ordinal"]:
        if "." in ordinal:
            return Number.parse(ordinal)
        return None if match["unit"] == "节" else Number((str(_numeral(ordinal)),))
    number = Number.parse(match["named"] or match["bare"])
    if match["word"]:
        lettered = number.parts[0].isalpha() and number.depth == 1
        return None if lettered and match["word"][0] not in "Aa附" else number  # `Chapter I` is a Roman number
    if number.depth == 1 and (match["sign"] or number.suffix):
        return None
    return None if _counts(number, text[match.end() :]) else number


def is_chapter(text: str) -> bool:
    """Return whether a heading says by a word that its number is a chapter's: ``第三讲``, ``Appendix C``."""
    match = _match_number(text)
    return match is not None and bool(match["word"] or (match["ordinal"] and match["unit"] != "节"))


def number_end(text: str) -> int:
    """Return where the number of a heading ends in its text; zero if it has none."""
    match = _match_number(text)
    return match.end() if match else 0


def _numeral(text: str) -> int:
    """Return the value of a Chinese numeral below one thousand, or of digits; zero if it is none."""
    if text.isdigit() and text.isascii():
        return int(text)
    match = _NUMERAL.fullmatch(text)
    if match is None:
        return 0
    tens = (_DIGITS.index(match["tens"]) if match["tens"] else 1) if match["ten"] else 0
    return 100 * _DIGITS.index(match["hundreds"] or "零") + 10 * tens + _DIGITS.index(match["ones"] or "零")


_BOX_PART = regex(r"\(?[A-Za-z]{2,}-\d+[A-Z]?(?:\.\d+)+.*")


def is_box_part(link: Link) -> bool:
    """Return whether a link is meant for a part of a box: ``[DEF-2.2.7](a)``."""
    part = len(link.destination) <= 3 and link.destination.isalpha()
    return part and not link.image and _BOX_PART.fullmatch(link.label.text) is not None
