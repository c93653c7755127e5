"""Cross-references: where the text names boxes and sections, read from blocks.

A reference is read as the reader takes it: in prose, with the kind carried over to the numbers that follow (``定理
2.6.2、2.6.3``) and ranges as one. Whether it names another work is told by what stands beside it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from heapq import merge
from typing import NamedTuple

from msgspec.structs import replace

from lintbook.facts import Box, Number, Reference, ReferenceForm
from lintbook.parse.blocks import BlockKind, TextBlock
from lintbook.parse.numbering import read_number
from lintbook.parse.numbers import BLANK, DOTTED, any_word, has_dotted, is_prefix, number_end, patterns
from lintbook.parse.prose import html_blocks
from lintbook.parse.works import Setting, is_ours, names_work, told_by_link
from lintbook.patterns import regex
from lintbook.text import Passage, Span, Style
from lintbook.vocabulary import DIVISIONS, Vocabulary


class _Found(NamedTuple):
    """A reference and the range of the passage that it covers."""

    reference: Reference
    start: int
    end: int


class CitedRanges:
    """What of each block belongs to references and is no quantity; the few blocks that have any are asked for."""

    def __init__(
        self, blocks: Sequence[TextBlock], found: Mapping[int, Sequence[_Found]], quoting: Container[int]
    ) -> None:
        self._blocks = blocks
        self._found = found
        self._quoting = quoting

    def __getitem__(self, number: int) -> tuple[tuple[int, int], ...]:
        """Return the ranges of the block of that number in its passage, in order; they may overlap."""
        if number in self._quoting:
            return ()
        references = ((each.start, each.end) for each in self._found.get(number, ()))
        return tuple(sorted({*references, *_unjudged_ranges(self._blocks[number].passage)}))


class Citing(NamedTuple):
    """The references of one page; ``ranges`` gives for each block what of it belongs to a reference."""

    references: tuple[Reference, ...]
    ranges: CitedRanges


# The column of an errata table that quotes what stood in the book before.
_ORIGINAL = regex(
    r".{0,10}(?:原表述|原文|误|誤|错误|原来|(?:改|勘误|更正|修改|修订)前)(?:[（(].{0,20}[)）])?|[原旧](?![因理则])\w{0,4}"
    r"|(?:It said|As printed|Printed|Original|Error|Was|Erratum|Before|Wrong|Old)\b.{0,20}",
    re.IGNORECASE,
)


def read_citing(
    blocks: Sequence[TextBlock],
    html: Passage,
    boxes: Sequence[Box],
    path: str,
    vocabulary: Vocabulary,
    records: Container[int] = (),
) -> Citing:
    """Return the cross-references of a page, in its blocks and in the text of its raw ``html``.

    The names with which its ``boxes`` are declared are none. Nor are those in ``records``, the numbers of blocks that
    belong to records: they are judged with the record.
    """
    references: list[Reference] = []
    found: dict[int, list[_Found]] = {}
    quoting: set[int] = set()
    declared = sorted((span.start, span.end) for box in boxes for span in (box.span, *(n.span for n in box.names)))
    setting = Setting(path)
    for number, block in _in_order(blocks, html):
        apart = setting.is_apart(block)
        if block.kind is BlockKind.CELL and block.header is not None and _ORIGINAL.fullmatch(block.header.text.strip()):
            quoting.add(number)
        elif named := _read(block, path, vocabulary):
            if apart:
                named = [each._replace(reference=replace(each.reference, foreign=True)) for each in named]
            if number == _UNNUMBERED:
                named = [each for each in named if not _may_declare(block.passage.text, each)]
            else:
                found[number] = named
            if number not in records:
                references.extend(each.reference for each in named if not _covers(declared, each.reference.span.start))
    references.sort(key=lambda reference: reference.span)
    return Citing(tuple(references), CitedRanges(blocks, found, quoting))


_UNNUMBERED = -1


def _in_order(blocks: Sequence[TextBlock], html: Passage) -> Iterable[tuple[int, TextBlock]]:
    """Return the blocks of a page with their numbers, and between them those of its raw HTML, which have none."""
    shown = [(_UNNUMBERED, block) for block in html_blocks(html)] if html.text else []
    return merge(enumerate(blocks), shown, key=lambda each: each[1].span[0]) if shown else enumerate(blocks)


# In raw HTML boxes are declared in more shapes than are read: what begins a line is taken for a reference only if it
# is plainly one.
_OF_IT = regex(r"\s*(?:的|之|与|和|及|['’]s\b)")


def _may_declare(text: str, each: _Found) -> bool:
    begins = not text[text.rfind("\n", 0, each.start) + 1 : each.start].strip(" \t*_#>|([（【“-")
    return begins and _OF_IT.match(text, each.end) is None


def read_references(block: TextBlock, path: str, vocabulary: Vocabulary) -> tuple[Reference, ...]:
    """Return what a block refers to, the names of boxes that it may declare included."""
    return tuple(each.reference for each in _read(block, path, vocabulary))


def _covers(ranges: Sequence[tuple[int, int]], position: int) -> bool:
    found = bisect_right(ranges, (position, position + 1)) - 1
    return any(start <= position < end for start, end in ranges[max(found, 0) : found + 2])


_DIGIT = regex(r"\d")


def _may_cite(text: str) -> bool:
    """Whether a text holds a digit, or the word of an appendix: all else is numbered with one at least."""
    return _DIGIT.search(text) is not None or "附录" in text or "append" in text.lower()


def _read(block: TextBlock, path: str, vocabulary: Vocabulary) -> list[_Found]:
    """Return the references of a block in its order; none stands in another."""
    if not _may_cite(block.passage.text):
        return []
    boxes = sorted(_boxes_named(block, path, vocabulary), key=lambda each: each.start)
    covered = [(each.start, each.end) for each in boxes]
    sections = [each for each in _sections_named(block, path) if not _overlaps(covered, each.start, each.end)]
    return _attributed(_joined(sorted([*boxes, *sections], key=lambda each: each.start), block, path), block)


def _overlaps(ranges: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether some of ``ranges``, which are sorted and apart, meets ``start`` up to ``end``."""
    following = bisect_left(ranges, (end,))
    return following > 0 and ranges[following - 1][1] > start


def _joined(found: list[_Found], block: TextBlock, path: str) -> list[_Found]:
    """Join the ends of ranges of which each names its kind: ``[EQ-2.4]–[EQ-2.8]``, ``定义 2.1…定义 2.7``."""
    joined: list[_Found] = []
    for each in found:
        before = joined[-1] if joined else None
        if before and _is_range(before, each, block.passage.text):
            first = replace(
                before.reference,
                span=Span(path, before.reference.span.start, each.reference.span.end),
                last=each.reference.number,
            )
            joined[-1] = _Found(first, before.start, each.end)
        else:
            joined.append(each)
    return joined


def _is_range(first: _Found, last: _Found, text: str) -> bool:
    one, other = first.reference, last.reference
    if (one.kind, one.form, one.last) != (other.kind, other.form, None) or last.start - first.end > 9:
        return False
    sign = text[first.end : last.start]
    return _RANGE_SIGN.fullmatch(sign) is not None and _goes_on(one.number, other.number)


# What holds together references to one work: “Theorems 2.1 and 2.3 of [Nes]”, “Rudin, Chapter 2, Theorem 2.4”.
_JOINT = regex(rf"{BLANK}{{0,4}}(?:, ?and\b|, ?or\b|and\b|or\b|[,，、;；&/和与及或]){BLANK}{{0,4}}")


def _attributed(found: list[_Found], block: TextBlock) -> list[_Found]:
    """Say of each reference whether it is another work's; what is joined is one work's, but for what is called ours."""
    lists: list[list[_Found]] = []
    text = block.passage.text
    for each in found:
        before = lists[-1][-1] if lists else None
        if before and _JOINT.fullmatch(text, before.end, each.start) and not is_ours(text, before.start, before.end):
            lists[-1].append(each)
        else:
            lists.append([each])
    return [each for one in lists for each in _of_one_work(one, block)]


def _of_one_work(found: list[_Found], block: TextBlock) -> Iterator[_Found]:
    named = names_work(block.passage.text, found[0].start, found[-1].end)
    for each in found:
        linked = told_by_link(block, each.start, each.end)
        foreign = named if linked is None else linked
        if foreign and each.reference.form is not ReferenceForm.BRACKETED:
            yield each._replace(reference=replace(each.reference, foreign=True))
        else:
            yield each


# ── boxes ────────────────────────────────────────────────────────────────────────────────────────────────

_RANGE_SIGN = regex(rf"{BLANK}{{0,4}}(?:-{{1,3}}|[–—~～]|至|到|…{{1,2}}|\.\.\.|to\b|through\b){BLANK}{{0,4}}")
_RANGE = regex(rf"{_RANGE_SIGN.pattern}(?P<number>{DOTTED})")
_SIGN = r"、|/|和|与|及|或|, ?and\b|, ?or\b|and\b|or\b|,|&"
_LIST = regex(rf"{BLANK}{{0,4}}(?P<sign>{_SIGN}){BLANK}{{0,4}}(?P<number>{DOTTED})")
# Behind a number these say that it counts something or names a section; in some words they begin they do not.
_COUNTED = regex(
    rf"{BLANK}{{0,4}}(?:节(?![点奏])|章(?!程)|讲(?![述解义])|条(?!件)|个(?!体)|倍|次(?![序可])|步(?!骤|长)|层(?!次)|维(?![数度])|[秒万亿%％‰]"
    r"|[美欧日]?元(?![素组胞])|块钱|公?斤|千克|[毫厘微纳千]米|公里|分钟|小时|岁|字节|版(?![面权式画图])"
    r"|(?:[nmck]m|[mk]g|ms|[kKMGT]i?B|[kMG]?Hz)(?![A-Za-z]))"
    r"|[A-Za-z]"
)
# So do these, where the word before the number is in small letters and so may be any: “the problem 3.5 times as hard”.
_COUNTED_AT_LARGE = regex(
    r"\s+(?:times|percent|thousand|million|billion|(?:second|minute|hour|day|week|month|year|point|meter|metre|mile)s)\b"
)
# What is pointed at or counted before it has no number of its own: “in this example 3.5 of the mass”, 这一例 3.5 mm.
_POINTED = regex(
    r"\b(?:[Tt]h(?:is|at)|[Ee](?:ach|very)|[Aa]n?|[Aa]nother|[Aa]ny|[Oo]ne|[Ff]or)\s+$"
    r"|(?:[这那][一个条道种]?|该|[每某][一个条道]?|一[个条道])$"
)


def _is_quantity(text: str, match: re.Match[str], end: int) -> bool:
    """Whether the number behind a kind's word, which ends at ``end``, is none of its numbers but counts something."""
    if _COUNTED.match(text, end):
        return True
    if match["word"][0].isupper():
        return False
    return _POINTED.search(text, max(0, match.start() - 8), match.start()) is not None or (
        match["word"].isascii() and _COUNTED_AT_LARGE.match(text, end) is not None
    )


def _boxes_named(block: TextBlock, path: str, vocabulary: Vocabulary) -> Iterator[_Found]:
    passage, text = block.passage, block.passage.text
    if not has_dotted(text):
        return
    for match in patterns(vocabulary).reference.finditer(text):
        kind, word = vocabulary.kind(match["word"]), match["word"]
        if kind is None or (word[-1].isascii() and match.end("word") == match.start("number")):
            continue
        end = match.end("number")
        counted = read_number(passage, *match.span("number"))[1] == end and _is_quantity(text, match, end)
        if counted or not _is_prose(passage, match.start(), match.start("number")):
            continue
        yield from _enumeration(block, path, kind, match)
    if "[" in text:
        for match in patterns(vocabulary).bracketed.finditer(text):
            if is_prefix(match["prefix"], vocabulary) and _is_prose(passage, match.start()):
                yield _bracketed(block, path, vocabulary, match)


def _is_prose(passage: Passage, *places: int) -> bool:
    return all(passage.style(place) is Style.PROSE for place in places)


def _enumeration(block: TextBlock, path: str, kind: str, match: re.Match[str]) -> Iterator[_Found]:
    """Yield a reference and those behind it to which its kind carries over, ranges included."""
    passage, text, word = block.passage, block.passage.text, match["word"]
    start = match.start()
    number, end = read_number(passage, *match.span("number"))
    while True:
        last = None
        if to := _RANGE.match(text, end):
            goal, behind = read_number(passage, *to.span("number"))
            if _goes_on(number, goal):
                last, end = goal, behind
        span = Span(path, *passage.range(start, end))
        yield _Found(Reference(span, ReferenceForm.TEXTUAL, kind, word, number, last, False), start, end)
        following = _LIST.match(text, end)
        if following is None or not _carries_over(text, following, word, number):
            return
        start = following.start("number")
        number, end = read_number(passage, *following.span("number"))


def _goes_on(first: Number, last: Number) -> bool:
    return first.depth == last.depth and first.parts[:-1] == last.parts[:-1] and first.sort_key < last.sort_key


def _carries_over(text: str, following: re.Match[str], word: str, number: Number) -> bool:
    if Number.parse(following["number"]).depth != number.depth or _COUNTED.match(text, following.end()):
        return False
    sign = following["sign"].strip()
    if word[-1].isascii():
        return word.rstrip(".").endswith(("s", "ta")) or sign == "/"
    return sign != ","


def _bracketed(block: TextBlock, path: str, vocabulary: Vocabulary, match: re.Match[str]) -> _Found:
    kinds = vocabulary.by_prefix.get(match["prefix"].lower(), ())
    span = Span(path, *block.passage.range(match.start(), match.end()))
    label, number = match["prefix"], Number.parse(match["number"])
    last = Number.parse(match["last"]) if match["last"] else None
    if last is not None and not _goes_on(number, last):
        last = None
    kind = kinds[0] if kinds else label.lower()
    reference = Reference(span, ReferenceForm.BRACKETED, kind, label, number, last, False)
    return _Found(reference, match.start(), match.end())


# ── sections ─────────────────────────────────────────────────────────────────────────────────────────────

# Possessive: a number is taken whole or not at all, whatever follows.
_PART = r"(?:\d{1,3}+[A-Z]?+|[A-Z])"
_END = r"(?!\.?[\dA-Za-z])"
_SECTION = rf"{_PART}(?:\.\d{{1,3}}+)*+{_END}"
_DOTTED_SECTION = rf"{_PART}(?:\.\d{{1,3}}+)++{_END}"
_DEEP_SECTION = rf"{_PART}(?:\.\d{{1,3}}+){{2,4}}+{_END}"
_BETWEEN = (
    rf"{BLANK}{{0,3}}(?:[–—~～、,，/和与及至到&]|-{{1,3}}|…|\.\.\.|(?:, ?)?and\b|or\b|to\b|through\b)"
    rf"{BLANK}{{0,3}}"
)


def _list(number: str) -> str:
    return rf"{number}(?:{_BETWEEN}{number}){{0,12}}"


# What none of the forms begins with is passed over at once: `ſ` is an `S`, where case does not matter.
_LESSON = r"课(?![后前程堂本件文])"  # 3.5 节课 are lessons; 3.5 节课后习题 are the exercises of a section
_WORDS = [word for division in DIVISIONS for word in division.before]
_FIRST = "".join(sorted({word[0].lower() for word in _WORDS}))
_SECTION_REFERENCE = regex(
    rf"(?=[A-Z\d第（({_FIRST}ſ])(?:(?<![A-Za-z])(?P<before>{any_word(_WORDS)}){BLANK}{{0,3}}(?P<named>{_list(_SECTION)})"
    rf"|第{BLANK}?(?P<ordinal>{_list(_SECTION)}){BLANK}?(?P<unit>小节|[节章讲])(?![点奏程述解义]|{_LESSON})"
    rf"|(?<![\dA-Za-z.])(?P<plain>{_list(_DOTTED_SECTION)}){BLANK}?(?P<behind>小节|节)(?![点奏省能约]|{_LESSON})"
    rf"|[（(]{BLANK}?(?:见|参见|详见|参考|[Ss]ee|cf\.)?{BLANK}?(?P<bare>{_list(_DEEP_SECTION)})"
    r"(?=[^（()）\d]{0,8}[)）]|[、，,；;]))"
)
_SIGNS = ("第", "节", *(word.casefold() for word in _WORDS))
_DEEP = regex(r"[\dA-Z]\.\d{1,3}\.\d")


def _may_name_section(text: str) -> bool:
    """Whether a sign of a division stands in ``text``, or a bracket and a deep number; most text has neither."""
    folded = text.casefold()
    if any(sign in folded for sign in _SIGNS):
        return True
    return ("(" in text or "（" in text) and _DEEP.search(text) is not None


_DIVISION = {word.lower(): division.name for division in DIVISIONS for word in (*division.before, *division.behind)}
_APART = regex(r"[,，&和与及]|(?:, ?)?and|or")
_NUMBERS = regex(rf"(?P<between>{_BETWEEN})?(?P<number>{_SECTION})")


def _sections_named(block: TextBlock, path: str) -> Iterator[_Found]:
    """Yield the references to sections, chapters, lectures and appendices; a heading's own number is none."""
    passage, text = block.passage, block.passage.text
    if not _may_name_section(text):
        return
    own = number_end(text) if block.kind is BlockKind.HEADING else 0
    for match in _SECTION_REFERENCE.finditer(text):
        group = next(name for name in ("named", "ordinal", "plain", "bare") if match[name])
        word = match["before"] or match["unit"] or match["behind"] or ""
        if match.start() < own or not _is_prose(passage, match.start(), match.start(group)):
            continue
        kind = _DIVISION[word.lower()] if word else "section"
        start = match.start(group) if group == "bare" else match.start()
        end = match.end(group) if group in ("named", "bare") else match.end()
        yield from _numbers(block, path, (kind, word), match.span(group), (start, end))


def _numbers(
    block: TextBlock, path: str, name: tuple[str, str], inner: tuple[int, int], outer: tuple[int, int]
) -> Iterator[_Found]:
    """Yield a reference for each number or range of a list at ``inner``; the words round it reach over ``outer``."""
    text = block.passage.text
    start = outer[0]
    numbers = _listed(text, inner, name[1])
    if numbers and numbers[-1].end() < inner[1]:
        outer = (outer[0], numbers[-1].end())
    index = 0
    while index < len(numbers):
        number, last = Number.parse(numbers[index]["number"]), None
        lettered = number.depth == 1 and number.parts[0].isalpha()
        following = numbers[index + 1] if index + 1 < len(numbers) else None
        if following and _RANGE_SIGN.fullmatch(following["between"] or ""):
            last = Number.parse(following["number"])
            if _goes_on(number, last):
                index += 1
            else:
                last = None
        index += 1
        end = numbers[index - 1].end() if index < len(numbers) else outer[1]
        if not (lettered and name[0] != "appendix"):
            span = Span(path, *block.passage.range(start, end))
            yield _Found(Reference(span, ReferenceForm.SECTION, name[0], name[1], number, last, False), start, end)
        start = numbers[index].start("number") if index < len(numbers) else end


def _listed(text: str, inner: tuple[int, int], word: str) -> list[re.Match[str]]:
    """Return the numbers of a list; behind a comma or `and` stand more only where the word is a plural or Chinese."""
    numbers: list[re.Match[str]] = []
    for match in _NUMBERS.finditer(text, *inner):
        joint = (match["between"] or "").strip()
        if numbers and word.isascii() and not word.endswith("s") and _APART.fullmatch(joint):
            break
        numbers.append(match)
    return numbers


# ── numbers that are no quantities ─────────────────────────────────────────────────────────────────────

_UNJUDGED = regex(
    r"\\(?:tag|label|eqref|ref|cite)\*?\s*\{[^{}]{0,200}\}"
    r"|(?<![\d.])\d+\.\d+\.\d+(?:\s*[–—、-]\s*\d+\.\d+\.\d+)*"
    r"|\b(?:Eqs?\.|Figs?\.|Figures?|Tables?|Equations?|Lab|Step|Part)\s*[\dA-Z][\d.]*(?:\s*[–—-]\s*[\d.]+)?"
    r"|第\s*(?:[A-Z]|\d)[\d.]*\s*[篇部讲章节]"
    r"|(?:图|表|式|公式)\s*[（(]?\d+(?:[.-]\d+)*[)）]?"
    r"|\[@[^\]]{0,300}\]"
    r"|\[\^[^\]\s]+\]"
)


def _unjudged_ranges(passage: Passage) -> Iterator[tuple[int, int]]:
    """Ranges of a passage that belong to references to figures, bare numbers, citations and tags: no quantities."""
    for match in _UNJUDGED.finditer(passage.text):
        yield match.start(), match.end()
