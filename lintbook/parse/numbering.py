"""Boxes and section numbers: what numbered text declares, read from blocks.

The forms are those that real lecture books contain, Chinese and English. What counts as a declaration is told by the
shape of the line, never by whether the number is used elsewhere.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from msgspec.structs import replace

from lintbook.facts import (
    Anchor,
    AnchorOrigin,
    Box,
    BoxForm,
    BoxName,
    Fence,
    Heading,
    Number,
    Swallowed,
)
from lintbook.parse.blocks import BlockKind, CodeFence, TextBlock
from lintbook.parse.markup import EndTag, Event, StartTag, Text, live_events
from lintbook.parse.numbers import (
    DOTTED,
    IDEOGRAPH,
    ORNAMENT,
    AnchorNumber,
    has_dotted,
    patterns,
    read_anchor,
    section_number,
)
from lintbook.patterns import regex
from lintbook.text import Passage, Piece, Source, Span, Style
from lintbook.vocabulary import TASKS, Vocabulary

# ``{#id}`` anywhere in text, classes and values before it too; a place holder such as {#EQ-X.Y} is an anchor like any
# other for the renderer.
_ATTRIBUTE = regex(
    r"(?<!\{)\{(?P<list>:?)\s*(?:(?:\.[\w-]+|[\w-]+=(?:\"[^\"{}\n]*\"|'[^'{}\n]*'|[^\s{}\"']+))\s+){0,9}"
    r"#(?P<id>[^\s{}]+)[^{}\n]*\}"
)


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
        origin = AnchorOrigin.LIST if match["list"] else AnchorOrigin.ATTRIBUTE
        found.append((match.start(), Anchor(Span(path, start, end), match["id"], origin)))
    return found


_TARGET = regex(
    r"^[ \t]*(?:\((?P<target>[^\s()]+)\)=|:(?:label|name):[ \t]*(?P<label>\S+)"
    r"|\{(?:[^{}\n]*,)?[ \t]*id:[ \t]*[\"“]?(?P<id>[^\s{}\"“”,]++)[^{}\n]*+\})[ \t]*$",
    re.MULTILINE,
)
_OPTION = regex(r"[ \t]*(?::(?:label|name):|(?:#|//|%%)\|[ \t]*label:)[ \t]*[\"']?(?P<label>[^\s\"']+)[\"']?[ \t]*")


def target_anchors(blocks: Iterable[TextBlock], fences: Iterable[CodeFence], path: str) -> Iterator[Anchor]:
    """Yield targets: MyST's ``(id)=`` in text, Markua's ``{id: x}``, and the labels among the options of a fence.

    Those are MyST's ``:label: id`` of a directive, Quarto's ``#| label: id`` of a cell.
    """
    for block in blocks:
        text = block.passage.text
        for match in _TARGET.finditer(text) if ")=" in text or ":::" in text or "id:" in text else ():
            group = match.lastgroup or "target"
            if block.passage.style(match.start(group)) is Style.PROSE:
                yield Anchor(Span(path, *block.passage.range(*match.span(group))), match[group], AnchorOrigin.TARGET)
    for fence in fences:
        for text, offset in fence.lines if fence.info.startswith("{") else ():
            if option := _OPTION.fullmatch(text):
                span = Span(path, offset + option.start("label"), offset + option.end("label"))
                yield Anchor(span, option["label"], AnchorOrigin.TARGET)


def fence_anchors(fences: Iterable[CodeFence], source: Source) -> Iterator[Anchor]:
    """Yield the ``{#id}`` behind the marks that open a fence."""
    for fence in fences:
        start, end = fence.opening
        for match in _ATTRIBUTE.finditer(source.text, start, end) if "#" in fence.info else ():
            yield Anchor(source.span(*match.span("id")), match["id"], AnchorOrigin.ATTRIBUTE)


def html_attribute_anchors(html: Passage, path: str) -> Iterator[Anchor]:
    """Yield the ``{#id}`` in raw HTML: Python-Markdown reads the content of some elements (``markdown="1"``)."""
    for match in _ATTRIBUTE.finditer(html.text) if "markdown" in html.text else ():
        yield Anchor(Span(path, *html.range(*match.span("id"))), match["id"], AnchorOrigin.ATTRIBUTE)


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


# ── boxes ────────────────────────────────────────────────────────────────────────────────────────────────


class _Declaration(NamedTuple):
    start: int  # in the passage: the kind's first character
    end: int  # behind the number
    number_start: int
    kind: str
    label: str
    number: Number
    title: str
    form: BoxForm


# A sentence goes on in small letters behind a number; but so do names of things: “k-nearest neighbours”, “n步回报”.
_SMALL_NAME = (
    r"(?!(?:and|by|for|in|is|of|or|to|vs|with)\b)"
    rf"[a-z](?:\d?-[A-Za-z]|[a-z]{{0,2}}[A-Z]|[A-Za-z-]{{0,20}}\s?{IDEOGRAPH})"
)
_SMALL = rf"(?!{_SMALL_NAME})[a-z]"
# What may not follow the number of a declaration: then the line speaks about a box. An exercise may begin with a verb.
_VERBS = regex(r"\s*(?:给出|说明|表明|指出|告诉|证明|讨论|补充|保证|要求)")
_INSTRUCTION_OR_VERB = regex(rf"{_VERBS.pattern}|\s*将")
_PROSE = regex(
    r"\s*(?:的|与|和|及|或|、|，|,|；|;|是|中|可|将|主要|则|即|也|至|到|"
    rf"[~～–—-]\s*\d|/\s*\d|…|\.\.\.|&|{_SMALL})"
)
# The same behind a strong span that is nothing but a name. A statement may well begin with 可测 or 与; what begins with
# an instruction is the text of a method or a task.
_SPEAKS = regex(
    rf"\s*(?:的|、|，|,|；|;|是|主要|则|即(?![时使将])|也|中[，,的、]|可(?:以|知|得|见|用|被)|[与和及或]\s*(?=第|\d|(?:\*|{IDEOGRAPH}){{0,4}}"
    r"(?:定义|定理|引理|命题|推论|例|算法|方法|性质|公理|假设))|[至到]\s*\d|[~～–—-]\s*\d|/\s*\d|(?:…{1,2}|\.\.\.)\s?[^\W\d]{0,2}\s?\d|&"
    rf"|{_SMALL})"
)
_INSTRUCTED = frozenset({"method", "algorithm", "example", *TASKS})
# How hard an exercise is, that a section may be left out: Exercise 1.2*, ★★; or a dot before a title.
_MARK = r"*＊†‡·•・\u25a0-\u2775\u2b50-\u2b5b\U0001f300-\U0001faff"
_TITLE = regex(
    r"\s*[(（\[【】〕」:：.。—–\-/／|｜{]|\s*$|\s+[A-Z\u00c0-\u024f]|\s+\d"
    rf"|\s*(?:[“「『《〈［‘\"$\\\u0370-\u03ff{_MARK}]|{IDEOGRAPH})|\s+{_SMALL_NAME}"
)
# A title that says that the box is solved or proved here: “习题 2.3 解答”, “Exercise 2.3 (Solution)”.
_ANSWER = regex(
    r"\s*[:：.。—–(（-]*\s*的?(?:参考)?(?:解答|解法|解析|解|答案|答|证明|证|提示|分析|思路|[Ss]olutions?|[Aa]nswers?|[Hh]ints?|[Pp]roof)"
    r"\s*(?:$|[:：.。)）（(—–-])"
)
# The title of an admonition, Python-Markdown's `!!! note "Theorem 2.1"` and `??? …`.
_ADMONITION = regex(r"(?:!!!|\?\?\?\+?)[ \t]+[\w-]+(?:[ \t]+[\w-]+)*[ \t]+\"(?P<title>[^\"\n]*)\"")
# The first line of an admonition or alert, whose text goes on in the lines below.
_ALERT = regex(r"\s*(?:!!!|\?\?\?|:::|\[!\w+\])")
_BRACKETED_TITLE = regex(rf"[】〕」]?(?:\s*[{_MARK}\ufe0f]{{1,5}})?\s*[(（【](?P<title>[^()（）【】]{{0,300}})[)）】]")

# Adjectives before a Chinese kind that leave the kind what it is.
_PLAIN = regex(
    r"(?:形式化|形式|正式|非正式|严格|严谨|直观|数学|基本|核心|重要|主要|主|一般|经典|推广的?|补充|附加|操作性?|工作)?"
)
# What before a kind says that the line is about a box declared elsewhere.
_ABOUT = regex(
    r"(?:.*(?:回顾|复习|重温|证明|证|应用|运用|利用|使用|用|关于|根据|依据|按照|按|依|由|从|对|对于|对比|比较|参见|参考|参阅|详见|见|"
    r"理解|解读|解释|说明|讨论|分析|验证|推导|解析|推广|引用|满足|违反|结合|通过|上述|前述|续|解答?|答))"
    r"|(?:(?!Working)[A-Z][a-z]+ing|Proof|Recall|See|From|Via|By|Why|How|When|What|The|Of|On|About|For|With|To|And|Or|In|"
    r"Prove|Apply|Review|Solution|Answer|Hint|Compare|Use|Read|Verify|Check|Understand|Beyond|After|Before|Toward|Towards|"
    r"Remember|Consider|Let|Let's|More|Both|Each|Every|This|That|Our|Their)[ -].*",
)

_TITLE_EDGES = regex(rf"^[\s.:：。—–\-】〕」\ufe0f{_MARK}]+|[\s.:：。—–\-】〕」\ufe0f{_MARK}]+$")


def read_number(passage: Passage, start: int, end: int) -> tuple[Number, int]:
    """Return the number at ``start`` up to ``end`` of a passage and where it ends: before markup, such as a note."""
    seam = passage.seam(start, end)
    if seam < end and re.fullmatch(DOTTED, passage.text[start:seam]):
        end = seam
    return Number.parse(passage.text[start:end]), end


def _declaration(passage: Passage, start: int, end: int, form: BoxForm, vocabulary: Vocabulary) -> _Declaration | None:
    """Return the box that the characters ``start`` up to ``end`` of a passage declare by their first words."""
    text = passage.text
    match = patterns(vocabulary).declaration.match(text, start, end)
    if match is None or passage.style(match.start("number")) is not Style.PROSE:
        return None
    word, compound = match["word"], match["compound"].strip(" -")
    number, number_end = read_number(passage, *match.span("number"))
    kind = vocabulary.kind(word)
    if kind is None or (word.lower().endswith("s") and vocabulary.kind(word[:-1]) == kind):
        return None
    if word[-1].isascii() and match.end("word") == match.start("number"):
        return None
    rest = text[number_end:end]
    if compound and _ABOUT.fullmatch(match["compound"]):
        return None
    if not _is_name(passage, number_end, end, word) and (speaks_of_box(rest, kind) or not _TITLE.match(rest)):
        return None
    if compound and not (not compound.isascii() and _PLAIN.fullmatch(compound)):
        kind = f"{compound.lower()} {kind}"
    title = _BRACKETED_TITLE.match(text, number_end)
    begin = match.start("compound") if compound else match.start("word")
    return _Declaration(
        begin,
        number_end,
        match.start("number"),
        kind,
        text[begin : match.end("word")].strip(),
        number,
        title["title"].strip() if title else _TITLE_EDGES.sub("", rest.split("\n")[0]),
        form,
    )


_LATIN_NAME = regex(r"\s+[A-Za-z][\w-]*\s*(?:[(（]|$)")


def _is_name(passage: Passage, start: int, end: int, word: str) -> bool:
    """Whether a title is plainly the name of a thing, though in small letters: code, a Latin word behind Chinese."""
    title = passage.text[start:end]
    if not word.isascii() and _LATIN_NAME.match(title):
        return True
    first = start + len(title) - len(title.lstrip())
    return first < end and passage.style(first) is Style.CODE


_ATTRIBUTE_LIST = regex(r"\s*(?:\{:[^{}\n]*\}\s*)?")  # what kramdown gives to the block below


# What may stand before the strong span that begins a paragraph: a list of attributes, an ornament.
_BEFORE = regex(rf"{_ATTRIBUTE_LIST.pattern}{ORNAMENT}")
_LENTICULAR = regex(r"\s*【(?P<title>[^【】\n]{1,200})】")  # the brackets of titles, where no strong span is


def _declarations(block: TextBlock, vocabulary: Vocabulary) -> Iterator[_Declaration]:
    """Yield the boxes that a block declares as its title, or by strong spans that begin it."""
    passage, text = block.passage, block.passage.text
    if block.kind is BlockKind.HEADING:
        found = _declaration(passage, 0, len(text), BoxForm.HEADING, vocabulary)
        if found:
            yield found
        return
    if block.kind is not BlockKind.PARAGRAPH or block.listed:
        return
    if admonition := _ADMONITION.match(text):
        found = _declaration(passage, *admonition.span("title"), BoxForm.STRONG, vocabulary)
        if found:
            yield found
    titled = _LENTICULAR.match(text)
    if titled and not any(strong.start < titled.end() for strong in block.strong[:1]):
        found = _declaration(passage, *titled.span("title"), BoxForm.STRONG, vocabulary)
        if found:
            yield found
    goes_on = _ALERT.match(text) is not None
    form = BoxForm.QUOTATION if block.quoted else BoxForm.STRONG
    for strong in block.strong:
        # Behind a declaration, or the first line of an admonition, each line may declare one.
        begins = _BEFORE.fullmatch(text, 0, strong.start)
        if not begins and not (goes_on and _begins_line(text, strong.start)):
            continue
        found = _declaration(passage, strong.start, strong.end, form, vocabulary)
        if found is None or any(link.start <= found.start and found.end <= link.end for link in block.links[:1]):
            continue  # a link leads to the box, which stands elsewhere
        if not _speaks_on(passage, found, strong.end):
            yield found
            goes_on = True


def _begins_line(text: str, position: int) -> bool:
    while position and text[position - 1] in " \t":
        position -= 1
    return position == 0 or text[position - 1] == "\n"


def _speaks_on(passage: Passage, found: _Declaration, end: int) -> bool:
    """Whether the text behind a strong span that names a box and nothing else goes on as a sentence."""
    text = passage.text
    if text[found.end : end].strip():
        return False
    line = text.find("\n", end)
    behind = text[end : line if line >= 0 else len(text)]
    first = end + len(behind) - len(behind.lstrip())
    if not behind.strip() or passage.style(first) is not Style.PROSE:
        return False  # a formula begins a statement, whatever its letters are
    if _SPEAKS.match(behind) or _ANSWER.match(behind):
        return True
    return found.kind not in _INSTRUCTED and _INSTRUCTION_OR_VERB.match(behind) is not None


def speaks_of_box(text: str, kind: str) -> bool:
    """Return whether the text behind a number goes on as a sentence about the box, or says that it is solved here."""
    if _PROSE.match(text) or _ANSWER.match(text):
        return True
    return kind not in TASKS and _VERBS.match(text) is not None


# One to three words before a number that ends a title, or the beginning of one.
_UNKNOWN_KIND = regex(
    rf"\s*{ORNAMENT}(?P<word>[A-Z\u00c0-\u00de][\w'’-]{{1,20}}(?:[ -][\w'’-]{{1,20}}){{0,2}}?[ \u00a0]"
    r"|[^\W\d_\u0000-\u02ff]{1,12}\s?)"
    rf"(?P<number>{DOTTED})"
)
# What is numbered in its own way beside the boxes.
_NO_BOX = regex(
    r"(?:Fig(?:ure|\.)?|Tab(?:le|\.)?|Listing|Code|Plate|Part|Step|Phase|Stage|Task|Version|Week|Day|Page|Eq(?:uation|s?\.)?"
    r"|Abbildung|Tabelle|Tableau|Équation|Gleichung)\b|.*(?:[图圖図表式版步天周页頁章节節讲講课課]|代码|清单|阶段|任务|步骤)$",
    re.IGNORECASE,
)


def unknown_boxes(blocks: Iterable[TextBlock], vocabulary: Vocabulary) -> Iterator[Number]:
    """Yield the numbers of titles that look like those of boxes, of a kind that ``vocabulary`` does not know."""
    for block in blocks:
        passage, text = block.passage, block.passage.text
        if block.kind is BlockKind.HEADING:
            end = len(text)
        elif block.kind is BlockKind.PARAGRAPH and not block.listed and block.strong and not block.strong[0].start:
            end = block.strong[0].end
        else:
            continue
        match = _UNKNOWN_KIND.match(text, 0, end) if has_dotted(text) else None
        if match is None or _NO_BOX.match(match["word"].strip()) or not _TITLE.match(text[match.end() : end]):
            continue
        if not patterns(vocabulary).declaration.match(text, 0, end):
            yield read_number(passage, *match.span("number"))[0]


_LONGEST_ROW = 400  # characters of a formula on each side of its tag: enough to tell it from another
_TAG = regex(r"\\tag\*?\s*\{(?P<number>[^{}]*)\}")


def read_boxes(
    blocks: Sequence[TextBlock], html: Passage, anchors: Iterable[Anchor], source: Source, vocabulary: Vocabulary
) -> tuple[Box, ...]:
    """Return the boxes that a page declares: in its blocks, in its raw HTML, and by ids alone.

    ``anchors`` are those of the page; one of raw HTML belongs to the box that it stands beside.
    """
    boxes = [box for block in blocks for box in _block_boxes(block, source.path, vocabulary)]
    boxes.extend(_html_boxes(html, source.path, vocabulary))
    boxes = [replace(box, form=BoxForm.CITED) if _is_cited(box, source) else box for box in boxes]
    boxes.sort(key=lambda box: box.span)
    return _with_html_anchors(boxes, anchors, source, vocabulary)


def _block_boxes(block: TextBlock, path: str, vocabulary: Vocabulary) -> Iterator[Box]:
    text = block.passage.text
    anchors = attribute_anchors(block, path)
    if not anchors and not has_dotted(text):
        return  # every declaration has a number of several parts, those of equations too
    found = list(_declarations(block, vocabulary))
    starts = {declaration.start for declaration in found}
    for index, anchor in anchors:
        if read_anchor(anchor.id, vocabulary) and block.kind is not BlockKind.HEADING:
            line = text.rfind("\n", 0, index) + 1
            declared = _declaration(block.passage, line, index, BoxForm.LINE, vocabulary)
            if declared and declared.start not in starts:
                found.append(declared)
    used = set()
    for declaration in found:
        own = _own_anchor(declaration, anchors, text, vocabulary)
        used.add(own)
        yield _box(block.passage, declaration, own, path, vocabulary)
    left = [(index, anchor) for index, anchor in anchors if anchor not in used]
    yield from _equations(block.passage, left, path, vocabulary)


# The last line of a quotation that names its source: “— Rudin, p. 159”, ——周志华《机器学习》. A remark may begin with a
# dash, too.
_DASH = r"(?:[—―]{1,2}|–|-{2,3})"
_PAGE = r"(?:\bpp?\.\s*\d+|第\s*\d+\s*页)"
_PRINTED = rf"(?:{_PAGE}|\b(?:19|20)\d\d\b|《[^《》]+》|\*[^*]+\*|\b_[^_]+_\b)"
_NO_NAME = r"(?!(?:Proof|Note|Remark|Th[aeiou]\w{1,3}|It|We|If|In|Here|So|Hence|Thus|For|See|End|Example|Exercise)\b)"
_SOURCE = regex(
    rf"\W*{_DASH}\s*{_NO_NAME}(?:[A-Z\u00c0-\u00de*_“\"\[<@(][^。；：:;!?！？]{{1,160}}|\w{{2,4}})"
    rf"|\W*{_DASH}[^。]{{0,80}}(?:{_PAGE}|《[^《》]+》)[^。；：]{{0,40}}"
    rf"|.*[.。!?”\"*$)]\s*{_DASH}\s*{_NO_NAME}[A-Z*_\[《“][^—–]{{1,120}}?{_PRINTED}[^—–]{{0,40}}"
    rf"|\W*[(（\[][^()（）\[\]]{{2,120}}{_PAGE}[^()（）\[\]]{{0,40}}[)）\]]\W*|\W*\[@?[A-Za-z]+\d{{2,4}}[a-z]?\b[^\]]*\]\W*"
    r"|\W*(?:(?i:source|quoted from)|来源|出处)\s*[:：].*|\W*(?:引自|摘自|出自).*|.*<cite\b.*"
)
_LONGEST_SOURCE = 300  # characters
_SOURCE_MARKS = (
    "—",
    "―",
    "–",
    "--",
    "源",
    "出处",
    "自",
    "ource",
    "uoted",
    "<cite",
)  # or a bracket ends it
_QUOTATION = regex(r"[^\n]*(?:\n[ \t]*>[^\n]*)*")
_BELOW = regex(rf"\s*(?P<line>{_DASH}[^\n]*)")


def _is_cited(box: Box, source: Source) -> bool:
    """Whether a box begins a quotation whose last line, or one with a dash right below, names its source."""
    if box.form is not BoxForm.QUOTATION:
        return False
    quotation = _QUOTATION.match(source.text, box.span.start)
    assert quotation is not None  # which may be empty
    below = _BELOW.match(source.text, quotation.end())
    last = below["line"] if below else quotation.group().rstrip("> \t\r\n").rpartition("\n")[2]
    last = last.strip("> \t\r")[-_LONGEST_SOURCE:]
    may_name = last.endswith((")", "）", "]")) or any(mark in last for mark in _SOURCE_MARKS)
    return may_name and _SOURCE.fullmatch(last) is not None


def _own_anchor(
    declaration: _Declaration, anchors: list[tuple[int, Anchor]], text: str, vocabulary: Vocabulary
) -> Anchor | None:
    """The anchor of a declaration: on its line, or in a list above or below its text; a box anchor before any other."""
    line_end = text.find("\n", declaration.end)
    line_end = len(text) if line_end < 0 else line_end
    here = [
        anchor
        for index, anchor in anchors
        if declaration.start <= index <= line_end
        or (anchor.origin is AnchorOrigin.LIST and _ATTRIBUTE_LIST.fullmatch(text, index, declaration.start))
        or (anchor.origin is AnchorOrigin.LIST and _ATTRIBUTE_LIST.fullmatch(text, index))
    ]
    for anchor in here:
        if read_anchor(anchor.id, vocabulary):
            return anchor
    return here[0] if here else None


def _box(passage: Passage, declaration: _Declaration, anchor: Anchor | None, path: str, vocabulary: Vocabulary) -> Box:
    return Box(
        Span(path, *passage.range(declaration.start, declaration.end)),
        Span(path, *passage.range(declaration.number_start, declaration.end)),
        declaration.kind,
        declaration.label,
        declaration.number,
        declaration.title,
        declaration.form,
        anchor,
        tuple(_names(passage, declaration, path, vocabulary)),
    )


def _names(passage: Passage, declaration: _Declaration, path: str, vocabulary: Vocabulary) -> Iterator[BoxName]:
    """Yield the further names of a box, which stand behind its number or its title."""
    text, end = passage.text, declaration.end
    title = _BRACKETED_TITLE.match(text, end)
    for start in (end, title.end() if title else end):
        match = patterns(vocabulary).name.match(text, start)
        kind = vocabulary.kind(match["word"]) if match else None
        if match and kind and _names_the_same(declaration, match):
            span = Span(path, *passage.range(match.start("word"), match.end("number")))
            yield BoxName(span, kind, match["word"], Number.parse(match["number"]))
            return


_WHOLE = regex(r"\s*[)）]")
_WHOLE_OR_TITLED = regex(r"\s*[)）:：.]")


def _names_the_same(declaration: _Declaration, name: re.Match[str]) -> bool:
    """Whether what looks like a second name is one, and cites no other box: “Example 1.2 (Example 1.1 continued)”.

    In parentheses it is all that they hold, before a title perhaps, in another script or with the same number.
    """
    if name["sign"] not in "(（":
        return True
    if declaration.label.isascii() != name["word"].isascii():
        return _WHOLE_OR_TITLED.match(name.string, name.end()) is not None
    return Number.parse(name["number"]) == declaration.number and _WHOLE.match(name.string, name.end()) is not None


def _equations(passage: Passage, anchors: list[tuple[int, Anchor]], path: str, vocabulary: Vocabulary) -> Iterator[Box]:
    r"""Yield the equations that say their number, ``\tag{2.1}``, and the boxes that only an id names.

    An id stands behind the equation that it is meant for, and behind all that were numbered since the last one.
    """
    tags = deque(_tags(passage) if "\\tag" in passage.text else ())
    for index, anchor in anchors:
        named = read_anchor(anchor.id, vocabulary)
        if named is None or not named.kinds:
            continue
        alone = True
        while "equation" in named.kinds and tags and tags[0].start() < index:
            alone = False
            yield _equation(passage, tags.popleft(), anchor, path)
        if alone:
            yield _anchor_box(anchor, named)
    for tag in tags:
        yield _equation(passage, tag, None, path)


def _anchor_box(anchor: Anchor, named: AnchorNumber) -> Box:
    return Box(anchor.span, anchor.span, named.kinds[0], named.prefix, named.number, "", BoxForm.ANCHOR, anchor)


def _tags(passage: Passage) -> Iterator[re.Match[str]]:
    for match in _TAG.finditer(passage.text):
        if re.fullmatch(DOTTED, match["number"].strip()) and passage.style(match.start()) is Style.MATH:
            yield match


def _equation(passage: Passage, tag: re.Match[str], anchor: Anchor | None, path: str) -> Box:
    span = Span(path, *passage.range(*tag.span("number")))
    formula = _formula(passage.text, tag.start(), tag.end())
    number = Number.parse(tag["number"].strip())
    return Box(span, span, "equation", "\\tag", number, formula, BoxForm.EQUATION, anchor)


def _formula(text: str, start: int, end: int) -> str:
    """Return the LaTeX of the row that a tag numbers, without blanks: what tells a restatement from another formula."""
    first = max(start - _LONGEST_ROW, 0)
    begin = max(text.rfind("\\\\", first, start) + 2, first)
    row = text[begin:start] + text[end : end + _LONGEST_ROW].split("\\\\", maxsplit=1)[0]
    return re.sub(r"\s+|[.,;]\s*$", "", _ATTRIBUTE.sub("", row))


# ── boxes in raw HTML ────────────────────────────────────────────────────────────────────────────────────

_TITLES = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS = frozenset({"article", "aside", "blockquote", "div", "p", "section"})
_TAGS = regex(r"<[^<>]*>")
# What may stand between the id of an element and the title of a box: the rest of tags, marks of Markdown.
_NEAR = 1000  # characters
_BETWEEN = regex(r"[\"']?[^<>]{0,200}>(?:\s|</?[A-Za-z][^<>]{0,200}>|[#>*_【「]){0,100}")


def _html_boxes(html: Passage, path: str, vocabulary: Vocabulary) -> Iterator[Box]:
    """Yield the boxes that raw HTML declares: by headings, and by strong text that begins an element."""
    before: list[Event] = []
    for event in live_events(html.text):
        if isinstance(event, Text):
            if not html.text[event.start : event.end].strip():
                continue
            if _begins_title(before):
                found = _declaration(html, event.start, event.end, BoxForm.HTML, vocabulary)
                behind = _TAGS.sub("", html.text[event.end : event.end + 200])
                if found and not (found.end == event.end and speaks_of_box(behind, found.kind)):
                    yield _box(html, found, None, path, vocabulary)
        before = [*before[-1:], event]


def _begins_title(before: list[Event]) -> bool:
    """Whether text behind these events begins a heading, or is strong and begins a block."""
    names = [event.name.lower() for event in before if isinstance(event, StartTag)]
    if not names or isinstance(before[-1], EndTag):
        return False
    return names[-1] in _TITLES or (len(names) == 2 and names[0] in _BLOCKS and names[1] in ("strong", "b"))


def _with_html_anchors(
    boxes: list[Box], anchors: Iterable[Anchor], source: Source, vocabulary: Vocabulary
) -> tuple[Box, ...]:
    """Give boxes the ids of raw HTML that stand right before them or on their line; other box ids are boxes alone."""
    starts = [box.span.start for box in boxes]
    alone = []
    for anchor in anchors:
        named = read_anchor(anchor.id, vocabulary) if anchor.origin is AnchorOrigin.HTML else None
        if named is None or not named.kinds:
            continue
        place = _beside(boxes, starts, anchor.span, named.number, source.text)
        if place is not None and boxes[place].anchor is None:
            boxes[place] = replace(boxes[place], anchor=anchor)
        else:
            alone.append(_anchor_box(anchor, named))
    return tuple(sorted([*boxes, *alone], key=lambda box: box.span))


def _beside(boxes: list[Box], starts: list[int], span: Span, number: Number, text: str) -> int | None:
    """Return the box that an id at ``span`` belongs to: it stands right before the id's, on its line, or right below.

    Between two boxes the one on the same line counts, and the one whose number the id says.
    """
    following = bisect_left(starts, span.end)
    if following == len(boxes) or starts[following] - span.end >= _NEAR:
        next_box = None
    else:
        next_box = following if _BETWEEN.fullmatch(text, span.end, starts[following]) else None
    before = bisect_right(starts, span.start) - 1
    if before < 0 or not boxes[before].shown or span.start - boxes[before].span.end >= _NEAR:
        return next_box
    lines = text.count("\n", boxes[before].span.end, span.start)
    if lines == 0:
        on_line = next_box is not None and "\n" not in text[span.end : starts[following]]
        return next_box if on_line and boxes[before].number.parts != number.parts else before
    if lines == 1 and boxes[before].number.parts == number.parts:
        return before
    return next_box


# ── fences ───────────────────────────────────────────────────────────────────────────────────────────────

_OPENER = regex(r"\s{0,3}(?P<marks>`{3,}|~{3,})\s*(?P<info>[^\s`]+)")
_PROSE_PIECES = (Piece(0, 0, 0, Style.PROSE, True),)
_ATX = regex(r"\s{0,3}(?P<marks>#{1,6})\s+(?P<title>.*)")
_STRONG_LINE = regex(r"(?:\s|>){0,9}\*\*(?P<title>[^*]+)\*\*")


def read_fences(fences: Sequence[CodeFence], path: str, vocabulary: Vocabulary) -> Iterator[Fence]:
    """Yield the fences that are never closed, hold numbered text, or hold a line that would open a fence."""
    for fence, following in zip_longest(fences, fences[1:]):
        swallowed = []
        opener = None
        for text, offset in fence.lines:
            found = _numbered(text, vocabulary) if "." in text else None
            if found:
                begin = offset + len(text) - len(text.lstrip())
                swallowed.append(Swallowed(Span(path, begin, offset + len(text.rstrip())), *found))
            mark = _OPENER.match(text) if opener is None and fence.marks[0] in text else None
            if mark and mark["marks"][0] == fence.marks[0] and len(mark["marks"]) >= len(fence.marks):
                opener = Span(path, offset, offset + len(text))
        if swallowed or opener is not None or fence.closing is None:
            closing = Span(path, *fence.closing) if fence.closing else None
            language = following.info if following else None
            yield Fence(Span(path, *fence.opening), fence.info, closing, tuple(swallowed), opener, language)


def _numbered(text: str, vocabulary: Vocabulary) -> tuple[str, str, Number] | None:
    """Return kind, label and number of the box that a line in a fence declares, or the bare number of a section."""
    heading = _ATX.match(text)
    match = heading or _STRONG_LINE.match(text)
    if match is None:
        return None
    title = Passage(match["title"], _PROSE_PIECES)
    declared = _declaration(title, 0, len(title.text), BoxForm.HEADING, vocabulary)
    if declared:
        return declared.kind, declared.label, declared.number
    number = section_number(title.text)
    # One `#` begins a comment in many languages.
    if heading and number and number.depth > 1 and len(heading["marks"]) > 1:
        return "", "", number
    return None
