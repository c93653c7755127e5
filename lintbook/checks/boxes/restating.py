"""What says that a box is repeated on purpose: its title, its text, or the place where it stands.

Only a box that is declared elsewhere too is asked for it, so words that may mean something else do little harm.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from lintbook.facts import Box, BoxForm, Document
from lintbook.parse.numbers import number_end
from lintbook.patterns import regex
from lintbook.vocabulary import TASKS

_TASK = r"(?:exercises?|problems?|questions?|quiz(?:zes)?|homeworks?|assignments?|exams?)"
_WHICH = r"(?:(?:the|this|all|some|selected|odd|even|main|key|important|[\dA-Z]?[\d.]+)[\s-]+){0,4}"
_DIVISION = r"(?:chapters?|sections?|lectures?|parts?|book)"
# Pages that repeat boxes of other pages in order to solve, answer or sum them up. “Solutions of linear systems”, “weak
# solutions”, “question answering” and 解析几何 are subjects.
_COMPANION = regex(
    r"answer(?!ing|\s+sets?\b)|summary(?!\s+statistic)|recap(?!tur)|cheat.?sheet|glossary|解答|答案|题解"
    r"|解析(?!几何|函数|数论|延拓|性|解|式|信号)|总结|小结|汇总|一览|速查|复习|回顾|索引|术语表|公式表",
    re.IGNORECASE,
)
_SOLUTIONS = regex(
    r"(?<!weak\s)(?<!strong\s)(?<!viscosity\s)(?<!numerical\s)(?<!approximate\s)(?<!exact\s)solutions?(?![a-z])"
    r"(?!\s+(?:spaces?|sets?|methods?|techniques?|concepts?|curves?|paths?|operators?)\b)"
    rf"(?!\s+(?:of|to|for)\s+(?!{_WHICH}(?:{_TASK}|{_DIVISION})\b)(?-i:[a-z]))",
    re.IGNORECASE,
)


def is_companion(document: Document) -> bool:
    """Return whether a page takes up boxes of other pages, by its name or title."""
    title = next((heading.text for heading in document.facts.headings), "")
    return any(
        _COMPANION.search(text) or ("solution" in text.lower() and _SOLUTIONS.search(text))
        for text in (_name(document), title)
    )


def _name(document: Document) -> str:
    """Return what the file of a page is called, in words."""
    return re.sub(r"[-_]+", " ", document.source.path.rpartition("/")[2].rpartition(".")[0])


def is_translation(box: Box, other: Box) -> bool:
    """Return whether two boxes of one kind and number are named in different scripts: 定义 2.1 and Definition 2.1."""
    return box.label.isascii() != other.label.isascii()


def restates(page: Document, box: Box, again: tuple[Document, Box]) -> bool:
    """Return whether ``again`` is the same box on purpose, stated once more or in another part.

    ``box`` on its ``page`` and the other have one kind and number. One of them says so in its title, they bear the
    same title or the same text, or the other stands where boxes are taken up.
    """
    if box.form is BoxForm.EQUATION:
        return _same_formula(box.title, again[1].title) or _is_led_in(*again)
    parts = [_PART.fullmatch(each.title) is not None for each in (box, again[1])]
    if any(parts):
        return not all(parts) or _bare(box.title) != _bare(again[1].title) or _same_text((page, box), again)
    return (
        _says_so(box)
        or _says_so(again[1])
        or _same_title(box, again[1], apart=page is not again[0])
        or _same_text((page, box), again)
        or is_taken_up(*again)
        or _is_led_in(*again)
    )


# ── titles ───────────────────────────────────────────────────────────────────────────────────────────────

# A title or anchor that says that the box stands elsewhere and is repeated here. “Precision and recall”, “repeated
# games” and 连续 are subjects.
_RESTATED = regex(
    r"restat|revisit|\bagain\b|\bre-?called\b|^\W*recall\b(?!\s*(?:@|rate|and|curve))|\brepeat(?:ed)?(?:\W*$|\s+from)"
    r"|\bcont(?:inued|'d|\.|$)|\b(?:in)?formal(?:ly|\s+(?:version|statement))?\W*$|\bpreview\b"
    r"|重述|复述|再述|回顾|非正式|(?<![连持陆继后延接手存])续",
    re.IGNORECASE,
)
# A title that is only the part of the box that stands here: (i), (b), part 2.
_PART = regex(r"(?:parts?\s*)?\(?(?:[ivx]{1,4}|[a-h]|\d{1,2}|[一二三四五六七八九十])\)?", re.IGNORECASE)
_LITTLE_WORDS = frozenset({"a", "an", "and", "for", "from", "in", "min", "of", "on", "the", "to", "vs", "via", "with"})


def _says_so(box: Box) -> bool:
    return any(_RESTATED.search(text) for text in (box.title, box.anchor.id if box.anchor else ""))


def _bare(title: str) -> str:
    return re.sub(r"\W+", "", title).lower()


def _same_title(box: Box, other: Box, *, apart: bool) -> bool:
    titles = {_bare(box.title), _bare(other.title)}
    if len(titles) == 1:
        return titles != {""}
    # A page of exercises takes up those of its chapter and words their titles anew.
    return apart and box.kind in TASKS and _are_alike(box.title, other.title)


def _are_alike(title: str, other: str) -> bool:
    """Whether at least half of the shorter title's words stand, inflected perhaps, in the other."""
    stems, others = _stems(title), _stems(other)
    return bool(stems and others) and len(stems & others) * 2 >= min(len(stems), len(others))


def _stems(title: str) -> set[str]:
    words = {word[:5] for word in re.findall(r"[a-z\d]{2,}", title.lower())} - _LITTLE_WORDS
    characters = "".join([character for character in title if "\u3040" <= character <= "\u9fff"])
    return words | {characters[index : index + 2] for index in range(len(characters) - 1)}


# ── texts ────────────────────────────────────────────────────────────────────────────────────────────────

_LONGEST_STATEMENT = 2000  # characters that are looked at
# What is shorter says nothing that would tell one box from another: “To do.”, 略.
_SHORTEST_STATEMENT = 12
_NO_TEXT = regex(r"\{[:#][^{}]*\}|<[^<>]*>|\[\^[^\]\s]*\]|^[ \t]*(?:>[ \t]*)+", re.MULTILINE)
_MARKS = regex(r"[\s*_`]+")
_BLANK_LINES = regex(r"\n\s*\n")


def _same_text(one: tuple[Document, Box], other: tuple[Document, Box]) -> bool:
    """Whether two boxes state the same, in a paragraph that is long enough, and no two titles tell them apart."""
    titles = one[1].title, other[1].title
    if all(titles) and not _are_alike(*titles):
        return False
    shorter, longer = sorted((_statement(*one), _statement(*other)), key=len)
    return len(shorter) >= _SHORTEST_STATEMENT and longer.startswith(shorter)


def _statement(page: Document, box: Box) -> str:
    """Return the first paragraph behind the name of a box without what only sets it, its title left out."""
    start = box.number_span.end
    text = _NO_TEXT.sub("", page.source.text[start : start + _LONGEST_STATEMENT])
    for paragraph in _BLANK_LINES.split(text):
        plain = _MARKS.sub("", paragraph).lower()
        title = _MARKS.sub("", box.title).lower()
        head, found, rest = plain.partition(title) if title else ("", "", plain)
        statement = (rest if not head.strip("(（[【:：.。—–-") and (found or not title) else plain).strip(
            ".。:：()（）[]【】—–-"
        )
        if statement:
            return statement
    return ""


_SETS_FORMULA = regex(
    r"\\(?:boxed|displaystyle|left|right|nonumber|label\{[^{}]*\}|(?:begin|end)\{[^{}]*\}|[,;!:>])|[&{}]"
)
_QUAD = regex(r"\\q?quad")


def _same_formula(formula: str, other: str) -> bool:
    """Whether two formulas are one, a frame or a condition behind it (``, y > 0``) aside."""
    shorter, longer = sorted(map(_plain_formula, (formula, other)), key=len)
    return bool(shorter) and longer.startswith(shorter) and longer[len(shorter) : len(shorter) + 1] in ("", ",", ";")


def _plain_formula(formula: str) -> str:
    return _SETS_FORMULA.sub("", _QUAD.sub(",", formula)).strip(".,;")


# ── places ───────────────────────────────────────────────────────────────────────────────────────────────

# Headings below which boxes of elsewhere are summed up, solved, proved or listed, in small letters; “proof techniques”
# are a subject. Most headings have none of the words, and no pattern is compiled for them.
_BOXES = (
    r"(?:theorems?|lemmas?|lemmata|propositions?|corollar(?:y|ies)|definitions?|results?|statements?|formula[es]?"
    r"|equations?)"
)
_OF_TASKS = rf"{_WHICH}(?:{_TASK}|{_DIVISION})\b"
_OF_BOOK = rf"(?:{_WHICH}{_BOXES}\b|{_OF_TASKS})"
_QUALIFIERS = (
    r"\W*(?:(?:an?|the|chapter|lecture|section|brief|short|quick|final|full|complete|detailed|worked|selected|sample|model"
    r"|deferred|omitted|missing|remaining|technical|longer|hints\s+and|answers\s+and|solutions\s+and"
    rf"|{_TASK}(?:\s+and)?)\s+){{0,3}}"
)
_TAKES_UP = {
    ("summary", "recap", "review", "remind", "away", "key", "hint", "nutshell", "cards", "sheet", "glance"): regex(
        rf"{_QUALIFIERS}(?:summary|recap(?:itulation)?|review|reminders?|take-?aways?|hints?|in\s+a\s+nutshell"
        r"|key\s+(?:points|facts|results|take-?aways)|flash[-\s]?cards?|(?:cheat|work|exercise|problem|question)[-\s]?sheets?"
        rf"|(?:.*\s)?at\s+a\s+glance)(?:\W*(?:$|[:：—–(（\d])|\s+(?:for|to|from|of)\s+(?:the\b|this\b|{_OF_BOOK})|\s+(?:and|&)\s)"
    ),
    ("homework", "assignment", "worked", "set", "class"): regex(
        rf"{_QUALIFIERS}(?:homework|assignments?|worked\s+(?:{_TASK}|examples?)|(?:problem|exercise|question)[-\s]?(?:set|class))"
        rf"(?:e?s)?(?:\W*(?:$|[:：—–(（\d])|\s+(?:for|to|from|of)\s+(?:the\b|this\b|{_OF_BOOK})|\s+(?:and|&)\s)"
    ),
    ("solution", "answer"): regex(
        rf"{_QUALIFIERS}(?:solutions?|answers?)(?:\W*(?:$|[(（\d])|\W*[:：—–]\s*{_OF_TASKS}|\s+(?:to|for|of|from)\s+{_OF_TASKS}"
        r"|\s+keys?\b|\s+(?:and|&)\s+(?:hints|answers|solutions|comments|remarks)\b)"
    ),
    ("proof",): regex(
        rf"{_QUALIFIERS}proofs?(?:\s+(?:sketch(?:es)?|ideas?|outlines?|details))?"
        r"(?:\W*(?:$|[:：—–(（\d])|\s+(?:of|for)\s+(?!concept|work\b|stake\b))"
    ),
    ("list", "index", "table", "collection", "catalog", "overview"): regex(
        r"\W*(?:(?:the|an?|short|complete)\s+)?(?:lists?|index|table|collection|catalog(?:ue)?|overview)\s+of\s+"
        rf"(?:(?:the|all|main|key|important)\s+){{0,3}}{_BOXES}"
    ),
    (
        *("小结", "总结", "回顾", "复习", "要点", "速查", "列表", "清单", "一览", "汇总", "汇编", "索引", "表"),
        *("解答", "答案", "题解", "提示", "习题", "作业", "测验", "卡片", "证明"),
    ): regex(
        r".*(?:小结|总结|回顾|复习题?|要点|速查表?|(?:定理|定义|命题|公式|结论|性质)(?:列表|清单|一览表?|汇总表?|汇编|索引|表)|解答|答案"
        r"|题解|提示|习题[集课]|作业|测验|卡片|证明)"
        r"(?:[与和及](?:习题|练习|展望|思考|延伸|解答|答案|提示|小结).*)?\s*(?:[（(].*)?$"
    ),
}
_SUMMARY = regex(r"<summary\b[^<>]*>(?P<title>.{0,400}?)</summary>", re.IGNORECASE | re.DOTALL)
_TAG = regex(r"<[^<>]*>")


_BELOW_ALL = 7  # a level that no heading has


def is_taken_up(page: Document, box: Box) -> bool:
    """Return whether the page, a heading above the box or what it is folded into says that boxes are taken up there."""
    titles = (_name(page), *_headings_above(page, box), *_folded_into(page, box))
    return any(map(_says_taken_up, titles))


def _says_taken_up(title: str) -> bool:
    title = title.lower()
    return any(pattern.match(title) for words, pattern in _TAKES_UP.items() if any(word in title for word in words))


def _headings_above(page: Document, box: Box) -> Iterator[str]:
    """Yield the titles of the sections that a box stands in, the innermost first; its own heading opens none."""
    headings, start = page.facts.headings, box.span.start
    end = bisect_left(headings, start, key=lambda heading: heading.span.end)
    own = headings[end].level if end < len(headings) and headings[end].span.start <= start else _BELOW_ALL
    for heading in reversed(headings[:end]):
        if heading.level < own:
            own = heading.level
            yield heading.text[number_end(heading.text) :]


def _folded_into(page: Document, box: Box) -> Iterator[str]:
    """Yield what stands for the folded text round a box: the title of the ``<details>`` that is open there."""
    text, end = page.source.text, box.span.start
    start = text.rfind("<summary", 0, end)
    if start >= 0 and "</details" not in text[start:end]:
        match = _SUMMARY.match(text, start)
        if match and match.end() <= end:
            yield _TAG.sub("", match["title"]).strip()


# What leads in a box that stands elsewhere too; some words must come right before it, for they may recall anything.
_LEADS_IN = regex(
    rf"\brestat|\b(?:repeat|reproduce)\s+(?:it|this|here|(?:the|its)\s+{_BOXES})\b"
    r"|for (?:convenience|ease of reference)|重述|复述|再述"
    r"|(?:\brecall|\bremember|\bagain\b|回顾|回忆)(?:[^.。!?！？]*[:：,，]|[^.。!?！？]{0,40})\s*$"
)
_LEADING = ("restat", "repeat", "reproduce", "convenience", "reference", "recall", "remember", "again", "述", "回")
_LEAD = 200  # characters before a box
_OPENS_FORMULA = ("$$", "\\[", "\\begin{")


def _is_led_in(page: Document, box: Box) -> bool:
    """Whether the sentence right before a box says that it is stated again."""
    text, end = page.source.text, box.span.start
    if box.form is BoxForm.EQUATION:
        opened = max(text.rfind(mark, max(end - _LONGEST_STATEMENT, 0), end) for mark in _OPENS_FORMULA)
        end = opened if opened >= 0 else end
    lead = text[max(end - _LEAD, 0) : end].rstrip(" \t\n>#*_【")
    paragraph = _BLANK_LINES.split(lead)[-1].lower()
    return any(word in paragraph for word in _LEADING) and _LEADS_IN.search(paragraph) is not None
