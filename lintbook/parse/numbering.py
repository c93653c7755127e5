"""Boxes, cross-references and section numbers: what numbered text says, read from blocks.

The forms are those that real lecture books contain, Chinese and English. What counts as a declaration is told by the
shape of the line, never by whether the number is used elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from lintbook.facts import (
    NUMBER,
    Anchor,
    AnchorOrigin,
    Box,
    BoxForm,
    Heading,
    Number,
    Reference,
    ReferenceForm,
)
from lintbook.parse.blocks import BlockKind, TextBlock
from lintbook.text import Passage, Span, Style
from lintbook.vocabulary import Vocabulary

# A number with at least two parts: a single one ("Theorem 2") names nothing beyond its page.
_DOTTED = r"(?:\d+[A-Z]?|[A-Z])(?:\.\d+)+(?:[a-z](?![A-Za-z])|['’′]{1,3}|\+(?![\d.]))?(?!\.?\d)"
_BLANK = r"[ \t\u00a0\u3000~\n]"


class Numbering(NamedTuple):
    """The numbered facts of one page; ``ranges`` gives for each block what of it belongs to a cross-reference."""

    boxes: tuple[Box, ...]
    references: tuple[Reference, ...]
    ranges: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True)
class _Patterns:
    """The regular expressions that a vocabulary gives."""

    declaration: re.Pattern[str]
    reference: re.Pattern[str]
    bracketed: re.Pattern[str]
    anchor: re.Pattern[str]


@lru_cache(maxsize=8)
def _patterns(vocabulary: Vocabulary) -> _Patterns:
    prefixes = "|".join(sorted(map(re.escape, vocabulary.by_prefix), key=len, reverse=True))
    words = vocabulary.words
    return _Patterns(
        declaration=re.compile(
            rf"\s*(?P<compound>(?:[A-Z][a-z]+[ -]){{0,2}}|[\u4e00-\u9fff]{{0,4}}?)"
            rf"(?P<word>{words}){_BLANK}*[.:：]?{_BLANK}*"
            rf"(?P<number>{_DOTTED})"
        ),
        reference=re.compile(rf"(?P<word>{words}){_BLANK}*(?P<number>{_DOTTED})"),
        bracketed=re.compile(
            rf"\[(?P<prefix>{prefixes}|[A-Z]{{1,3}}(?:{prefixes.upper()}))-"
            r"(?P<number>\d+[A-Z]?(?:\.\d+)+[a-z]?|[A-Z](?:\.\d+)+[a-z]?)"
            r"(?P<rest>(?:-[A-Za-z][\w-]*)?)(?:\([a-z]+\))?\]",
            re.IGNORECASE,
        ),
        anchor=re.compile(
            rf"(?P<prefix>{prefixes}|[a-z]{{1,3}}(?:{prefixes}))[-_.:]"
            r"(?P<number>(?:\d+[a-z]?|[a-z])(?:[.-]\d+)+)(?P<rest>.*)",
            re.IGNORECASE,
        ),
    )


class AnchorNumber(NamedTuple):
    """What the id of a box anchor says: its prefix, the kinds it may stand for, and the number."""

    prefix: str
    kinds: tuple[str, ...]
    number: Number
    dotted: bool
    rest: str


def read_anchor(identifier: str, vocabulary: Vocabulary) -> AnchorNumber | None:
    """Read the id of a box anchor (``def-2.2.1``, ``THM-2.3.4-RN``, ``def-2-1``), or None if it is no such id."""
    match = _patterns(vocabulary).anchor.fullmatch(identifier)
    if match is None:
        return None
    prefix = match["prefix"].lower()
    kinds = vocabulary.by_prefix.get(prefix, ())
    number = match["number"]
    return AnchorNumber(prefix, kinds, Number(tuple(re.split(r"[.-]", number.upper()))), "." in number, match["rest"])


# ``{#id}`` anywhere in text; a place holder such as {#EQ-X.Y} is an anchor like any other for the renderer.
_ATTRIBUTE = re.compile(r"(?<!\{)\{:?\s*#(?P<id>[^\s{}]+)[^{}\n]*\}")


def attribute_anchors(block: TextBlock, path: str) -> list[tuple[int, Anchor]]:
    """Return the ``{#id}`` of a block with the index in its passage where each begins."""
    found = []
    if block.attributes is not None:
        text, offset = block.attributes
        # Of several ids the last counts, for mdBook, kramdown and Python-Markdown alike.
        for match in [*re.finditer(r"(?<![^\s:])#(?P<id>[^\s{}]+)", text)][-1:]:
            span = Span(path, offset + match.start("id"), offset + match.end("id"))
            found.append((len(block.passage.text), Anchor(span, match["id"], AnchorOrigin.HEADING)))
    text = block.passage.text
    if "{" not in text:
        return found
    for match in _ATTRIBUTE.finditer(text):
        if block.passage.style(match.start()) is not Style.PROSE:
            continue
        start, end = block.passage.range(match.start("id"), match.end("id"))
        found.append((match.start(), Anchor(Span(path, start, end), match["id"], AnchorOrigin.ATTRIBUTE)))
    return found


_SECTION_NUMBER = re.compile(
    r"\s*(?:(?:第|Chapter|Section|Appendix|Lecture|附录|§)\s*)?"
    r"(?P<number>\d+[A-Z]?(?:\.\d+)*|[A-Z](?:\.\d+)+|(?<=Appendix )[A-Z]|(?<=附录)[A-Z])"
    r"(?:\s*[章节讲篇])?(?=$|[\s.:：、，—–-]|[\u3000-\u9fff（【《])"
)


def section_number(text: str) -> Number | None:
    """Return the number that a heading begins with (``2.4.7 …``, ``第 3 讲 …``, ``Chapter 10: …``), if any."""
    match = _SECTION_NUMBER.match(text)
    return Number.parse(match["number"]) if match and NUMBER.fullmatch(match["number"]) else None


class _Declaration(NamedTuple):
    start: int  # in the passage: the kind's first character
    end: int  # behind the number
    number_start: int
    kind: str
    label: str
    number: Number
    title: str
    form: BoxForm


# What may not follow the number of a declaration: then the line speaks about a box.
_PROSE = re.compile(
    r"\s*(?:的|与|和|及|或|、|，|,|；|;|给出|说明|表明|指出|告诉|证明|是|中|可|将|讨论|补充|主要|保证|要求|则|即|也|至|到|[~～–—-]\s*\d|/\s*\d|…|"
    r"\.\.\.|&|(?:[a-z]|I[fst]\b))"
)
_TITLE = re.compile(r"\s*[(（\[【:：.。—–\-/{]|\s*$|\s+[A-Z\u00c0-\u024f]|\s*[\u3040-\u9fff“「‘\"$\\]|\s+\d")
# The title of an admonition, Python-Markdown's `!!! note "Theorem 2.1"` and `??? …`.
_ADMONITION = re.compile(r"(?:!!!|\?\?\?\+?)[ \t]+[\w-]+(?:[ \t]+[\w-]+)*[ \t]+\"(?P<title>[^\"\n]*)\"")
_BRACKETED_TITLE = re.compile(r"\s*[(（【](?P<title>[^()（）【】]*)[)）】]")


def _declaration(block: TextBlock, vocabulary: Vocabulary) -> _Declaration | None:
    """Return the box that a block declares by its first words."""
    passage, text = block.passage, block.passage.text
    start = 0
    if block.kind is BlockKind.HEADING:
        end, form = len(text), BoxForm.HEADING
    elif admonition := _ADMONITION.match(text):
        start, end, form = admonition.start("title"), admonition.end("title"), BoxForm.STRONG
    else:
        first = len(text) - len(text.lstrip())
        strong = next((span for span in block.strong if span.start == first), None)
        if strong is None or block.kind is not BlockKind.PARAGRAPH or block.listed:
            return None
        end, form = strong.end, BoxForm.QUOTATION if block.quoted else BoxForm.STRONG
    match = _patterns(vocabulary).declaration.match(text, start, end)
    if match is None or passage.style(match.start("number")) is not Style.PROSE:
        return None
    kind = vocabulary.kind(match["word"])
    if kind is None or (match["word"].lower().endswith("s") and vocabulary.kind(match["word"][:-1]) == kind):
        return None
    rest = text[match.end("number") : end]
    if _PROSE.match(rest) or not _TITLE.match(rest):
        return None
    behind = text[end:].split("\n")[0]
    if form is not BoxForm.HEADING and not start and not rest.strip(" \t.:：。") and _PROSE.match(behind):
        return None
    title = _BRACKETED_TITLE.match(text, match.end("number"))
    compound = match["compound"].strip(" -")
    if compound and compound.isascii():
        kind = f"{compound.lower()} {kind}"
    start = match.start("compound") if compound.isascii() else match.start("word")
    return _Declaration(
        start if compound else match.start("word"),
        match.end("number"),
        match.start("number"),
        kind,
        text[match.start("compound") if compound else match.start("word") : match.end("word")].strip(),
        Number.parse(match["number"]),
        (title["title"] if title else rest.strip(" \t.:：。—–-")).strip(),
        form,
    )


_TAG = re.compile(r"\\tag\*?\s*\{(?P<number>[^{}]*)\}")


def read_numbering(blocks: list[TextBlock], path: str, vocabulary: Vocabulary) -> Numbering:
    """Read the boxes and cross-references of a page from its blocks."""
    boxes: list[Box] = []
    references: list[Reference] = []
    ranges: list[tuple[tuple[int, int], ...]] = []
    for block in blocks:
        anchors = attribute_anchors(block, path)
        declared = _block_boxes(block, anchors, path, vocabulary)
        boxes.extend(declared)
        if block.kind is BlockKind.CELL and block.header is not None and _ORIGINAL.fullmatch(block.header.text.strip()):
            ranges.append(())
            continue
        found = list(_references(block, path, vocabulary))
        covered = [(box.span.start, box.span.end) for box in declared]
        references.extend(
            reference
            for reference, _ in found
            if not any(start <= reference.span.start < end for start, end in covered)
        )
        ranges.append(tuple(sorted({*(inside for _, inside in found), *_unjudged_ranges(block.passage)})))
    return Numbering(tuple(boxes), tuple(references), tuple(ranges))


# The column of an errata table that quotes what stood in the book before.
_ORIGINAL = re.compile(r"原表述|原文|误|誤|错误|原来|Original|Error|Was|Erratum|Before|Wrong", re.IGNORECASE)


def _block_boxes(block: TextBlock, anchors: list[tuple[int, Anchor]], path: str, vocabulary: Vocabulary) -> list[Box]:
    boxes = []
    declaration = _declaration(block, vocabulary)
    used = None
    if declaration is not None:
        line_end = block.passage.text.find("\n", declaration.end)
        line_end = len(block.passage.text) if line_end < 0 else line_end
        used = _own_anchor(declaration, anchors, line_end, vocabulary)
        boxes.append(_box(block.passage, declaration, used, path))
    for _, anchor in anchors:
        if anchor is used:
            continue
        named = read_anchor(anchor.id, vocabulary)
        if named is None or not named.kinds:
            continue
        start, end = anchor.span.start, anchor.span.end
        form = BoxForm.EQUATION if named.kinds == ("equation",) else BoxForm.ANCHOR
        span = Span(path, start, end)
        boxes.append(Box(span, span, named.kinds[0], named.prefix, named.number, "", form, anchor))
    boxes.extend(_tags(block.passage, path))
    return boxes


def _own_anchor(
    declaration: _Declaration, anchors: list[tuple[int, Anchor]], line_end: int, vocabulary: Vocabulary
) -> Anchor | None:
    """The anchor of a declaration: the one on its line, a box anchor before any other."""
    here = [anchor for index, anchor in anchors if index <= line_end or anchor.origin is AnchorOrigin.HEADING]
    for anchor in here:
        if read_anchor(anchor.id, vocabulary):
            return anchor
    return here[0] if here else None


def _box(passage: Passage, declaration: _Declaration, anchor: Anchor | None, path: str) -> Box:
    return Box(
        Span(path, *passage.range(declaration.start, declaration.end)),
        Span(path, *passage.range(declaration.number_start, declaration.end)),
        declaration.kind,
        declaration.label,
        declaration.number,
        declaration.title,
        declaration.form,
        anchor,
    )


def _tags(passage: Passage, path: str) -> Iterator[Box]:
    r"""Equations that say their number: ``\tag{2.1}``."""
    if "\\tag" not in passage.text:
        return
    for match in _TAG.finditer(passage.text):
        text = match["number"].strip()
        if not re.fullmatch(_DOTTED, text) or passage.style(match.start()) is not Style.MATH:
            continue
        start, end = passage.range(match.start("number"), match.end("number"))
        span = Span(path, start, end)
        formula = _formula(passage.text, match.start(), match.end())
        yield Box(span, span, "equation", "\\tag", Number.parse(text), formula, BoxForm.EQUATION, None)


def _formula(text: str, start: int, end: int) -> str:
    """Return the LaTeX of the row that a tag numbers, without blanks: what tells a restatement from another formula."""
    row = text[text.rfind("\\\\", 0, start) + 1 : start] + text[end:].split("\\\\", maxsplit=1)[0]
    return re.sub(r"\s+|[.,;]\s*$", "", row[:2000])


_RANGE = re.compile(rf"{_BLANK}*(?:[–—~～-]|至|到|…|\.\.\.|to\b|through\b){_BLANK}*(?P<number>{_DOTTED})")
_LIST = re.compile(
    rf"{_BLANK}*(?P<sign>、|/|和|与|及|或|,? ?and\b|,? ?or\b|,|&){_BLANK}*(?P<number>{_DOTTED})(?P<next>.?)",
    re.DOTALL,
)
# Behind a number in a list these say that it counts something or names a section.
_COUNTED = re.compile(r"[节章讲条个倍次步层维秒%％‰]|[A-Za-z]")


def _references(block: TextBlock, path: str, vocabulary: Vocabulary) -> Iterator[tuple[Reference, tuple[int, int]]]:
    """Yield the cross-references of a block, each with its range in the passage."""
    text = block.passage.text
    patterns = _patterns(vocabulary)
    for match in patterns.reference.finditer(text):
        kind = vocabulary.kind(match["word"])
        word = match["word"]
        if kind is None or (
            word[-1].isascii() and not text[match.end("word")].isspace() and text[match.end("word")] != "~"
        ):
            continue
        if (
            block.passage.style(match.start()) is not Style.PROSE
            or block.passage.style(match.start("number")) is not Style.PROSE
        ):
            continue
        yield from _enumeration(block, path, kind, match)
    if "[" in text:
        for match in patterns.bracketed.finditer(text):
            yield from _bracketed(block, path, vocabulary, match)


def _enumeration(
    block: TextBlock, path: str, kind: str, match: re.Match[str]
) -> Iterator[tuple[Reference, tuple[int, int]]]:
    """Yield a reference and those behind it to which its kind carries over, ranges included."""
    passage, text, word = block.passage, block.passage.text, match["word"]
    start, number_start, end = match.start(), match.start("number"), match.end("number")
    foreign = is_foreign(block, match.start(), end)
    while True:
        number = Number.parse(text[number_start:end])
        last = None
        if (to := _RANGE.match(text, end)) and _goes_on(number, Number.parse(to["number"])):
            last, end = Number.parse(to["number"]), to.end("number")
        span = Span(path, *passage.range(start, end))
        yield Reference(span, ReferenceForm.TEXTUAL, kind, word, number, last, foreign), (start, end)
        following = _LIST.match(text, end)
        if following is None or not _carries_over(following, word, number):
            return
        start = number_start = following.start("number")
        end = following.end("number")


def _goes_on(first: Number, last: Number) -> bool:
    return first.depth == last.depth and first.parts[:-1] == last.parts[:-1] and first.sort_key < last.sort_key


def _carries_over(following: re.Match[str], word: str, number: Number) -> bool:
    if Number.parse(following["number"]).depth != number.depth:
        return False
    if _COUNTED.match(following["next"].strip()):
        return False
    sign = following["sign"].strip()
    if word[-1].isascii():
        plural = word.endswith(("s", "ta"))
        return plural or sign == "/"
    return sign != ","


def _bracketed(
    block: TextBlock, path: str, vocabulary: Vocabulary, match: re.Match[str]
) -> Iterator[tuple[Reference, tuple[int, int]]]:
    if block.passage.style(match.start()) is not Style.PROSE:
        return
    kinds = vocabulary.by_prefix.get(match["prefix"].lower(), ())
    span = Span(path, *block.passage.range(match.start(), match.end()))
    label = match["prefix"]
    number = Number.parse(match["number"])
    yield (
        Reference(span, ReferenceForm.BRACKETED, kinds[0] if kinds else label.lower(), label, number, None, False),
        (match.start(), match.end()),
    )


_UNJUDGED = re.compile(
    r"\\(?:tag|label|eqref|ref|cite)\*?\s*\{[^{}]*\}"
    r"|§§?\s*[\dA-Z][\d.]*(?:\s*[–—-]\s*[\dA-Z][\d.]*)?"
    r"|(?:第|附录)\s*(?:[A-Z]|\d)[\d.]*(?:\s*[–—-]\s*[\dA-Z][\d.]*)?\s*[讲章节篇部]?"
    r"|(?<![\d.])\d+(?:\.\d+)+(?:[a-z]\b)?\s*[节讲章]"
    r"|[（(]\s*\d+(?:\.\d+){2,}[^（()）\d]{0,8}[)）]"
    r"|(?<![\d.])\d+\.\d+\.\d+(?:\s*[–—、-]\s*\d+\.\d+\.\d+)*"
    r"|\b(?:[Ss]ections?|[Cc]hapters?|[Aa]ppendi(?:x|ces)|[Ll]ectures?|Eqs?\.|Figs?\.|Figures?|Tables?|Equations?|Lab|Step|Part)"
    r"\s*[\dA-Z][\d.]*(?:\s*[–—-]\s*[\d.]+)?"
    r"|(?:图|表|式|公式)\s*[（(]?\d+(?:[.-]\d+)*[)）]?"
    r"|\[@[^\]]*\]"
    r"|\[\^[^\]\s]+\]"
)


def _unjudged_ranges(passage: Passage) -> Iterator[tuple[int, int]]:
    """Ranges of a passage that belong to references to sections, figures, citations and tags: no quantities."""
    for match in _UNJUDGED.finditer(passage.text):
        yield match.start(), match.end()


# What says, in the same sentence before a reference, that it is another work's.
_OTHER_WORK_BEFORE = re.compile(
    r"\[@[^\]]*$"  # inside a citation
    r"|\\cite\w*\{[^}]*\}[^.。；;]*$"
    r"|《[^》]*》[^。；;]*$"
    r"|\d+\s*页[^。]*$|\bp+\.\s*\d+[^.。]*$"
    r"|(?:et al\.?|and [A-Z][\w-]+|[A-Z][\w-]+)\s*[\[(（](?:19|20)\d\d[a-z]?[\])）][^.。；;]*$"
    r"|[(（\[][A-Z][\w-]+(?: et al\.?|(?:,? (?:and|&) [A-Z][\w-]+)*),? (?:19|20)\d\d[a-z]?[,;][^)\]）]*$"
    r"|(?:他书|原书|原文|该书|该文|论文|母本|教材|the paper|the original)[^。，,；;]{0,12}$"
)
# … or behind it.
_OTHER_WORK_BEHIND = re.compile(
    r"[\s,，]*(?:of|in|from)\s+(?:\[|\\cite|the (?:paper|book|original|text)|that (?:paper|book)"
    r"|[A-Z][\w-]+(?:,? (?:and|&) [A-Z][\w-]+|'s| et al)*\.?\s*[\[(（])"
    r"|\s*[\[(（](?:@|[A-Z][\w-]+(?: et al\.?|(?:,? (?:and|&) [A-Z][\w-]+)*),? (?:19|20)\d\d)"
    r"|\s*(?:of|in)\s+\*?[A-Z][\w-]+\*?(?:'s)?\b(?!\s*\d)"
)


def is_foreign(block: TextBlock, start: int, end: int) -> bool:
    """Say whether something beside a reference names another work: a citation, a title, a page, an outside link."""
    text = block.passage.text
    if _OTHER_WORK_BEFORE.search(text[max(0, start - 160) : start]) or _OTHER_WORK_BEHIND.match(text, end):
        return True
    for link in block.links:
        inside = link.start <= start and end <= link.end
        beside = 0 <= link.start - end <= 12 or 0 <= start - link.end <= 3
        if (inside or beside) and re.match(r"(?:[a-z][a-z0-9+.-]*:)?//", link.destination, re.IGNORECASE):
            return True
    return False


def headings_of(blocks: Iterable[TextBlock], path: str) -> tuple[Heading, ...]:
    """Return the headings of a page."""
    found = []
    for block in blocks:
        if block.kind is not BlockKind.HEADING:
            continue
        anchor = next((a for _, a in attribute_anchors(block, path) if a.origin is AnchorOrigin.HEADING), None)
        number = section_number(block.passage.text)
        found.append(Heading(Span(path, *block.span), block.level, block.passage, block.plain, anchor, number))
    return tuple(found)
