"""Loose titles: lines that begin as the title of a box or section does, in a shape that declares none for sure.

Books name what they number in more ways than can be told from speaking of it: in HTML, at the head of an algorithm,
with the number first, several in one title. Where they do, their silence about a number is no proof that it is missing.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from lintbook.facts import Box, LooseTitle, Number, TitleForm
from lintbook.parse.blocks import BlockKind, CodeFence, TextBlock
from lintbook.parse.markup import StartTag, Text, live_events
from lintbook.parse.numbering import speaks_of_box
from lintbook.parse.numbers import DOTTED, IDEOGRAPH, has_dotted, section_number
from lintbook.patterns import regex
from lintbook.text import Passage, Source
from lintbook.vocabulary import Vocabulary

_FAR = 80  # characters; no title has its number behind so many
_MOST = 100  # members of a range

_NUMBER = regex(DOTTED)
_BESIDE_NUMBER = " \t\n~*＊†★☆.:：([（【「『)）]】」』"  # what may stand between the beginning, the kind and the number
_WORDS_BEHIND = regex(r"[^\d\n.:：(（]{0,40}")
_JOINT = regex(r"\s*(?:[/&与和及或]|\band\b|\bor\b)\s*")
_SIGN = regex(r"\s{0,4}(?:(?P<range>[–—~～-]{1,3}|(?:to|through)\b|[至到])|,? ?(?:and|or)\b|[,、&和与及])\s{0,4}")


class _Named(NamedTuple):
    """What a title names: kinds, numbers, where the first number stands, and where all of it ends."""

    kinds: tuple[str, ...]
    numbers: tuple[Number, ...]
    place: int
    end: int


def _named(text: str, start: int, end: int, vocabulary: Vocabulary) -> _Named | None:
    """Return what the text from ``start`` names by its first words, the kind before the number or behind it."""
    number = _NUMBER.search(text, start, min(end, start + _FAR))
    if number is None:
        return None
    before, behind = text[start : number.start()].strip(_BESIDE_NUMBER), number.end()
    words = before or text[behind : _words_end(text, behind, end)]
    kinds = _kinds(words.strip(_BESIDE_NUMBER), vocabulary)
    if not kinds:
        return None
    numbers = [Number.parse(number.group())]
    if not before:
        return _Named(kinds, tuple(numbers), number.start(), _words_end(text, behind, end))
    while (sign := _SIGN.match(text, behind, end)) and (more := _NUMBER.match(text, sign.end(), end)):
        last = Number.parse(more.group())
        numbers.extend(_between(numbers[-1], last) if sign["range"] else ())
        numbers.append(last)
        behind = more.end()
    while behind < end and text[behind] in ")）]】":
        behind += 1
    return _Named(kinds, tuple(numbers), number.start(), behind)


def _words_end(text: str, behind: int, end: int) -> int:
    """Return where the words end that stand behind a number that comes first, and behind its full stop."""
    begin = behind + text.startswith(".", behind)
    words = _WORDS_BEHIND.match(text, begin, end)
    return words.end() if words else begin


def _kinds(words: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the kinds that words name: one, or several that are joined; a Latin title begins with a capital."""
    if "a" <= words[:1] <= "z":
        return ()
    if kind := vocabulary.kind(words):
        return (kind,)
    kinds = [kind for word in _JOINT.split(words) if (kind := vocabulary.kind(word))]
    return tuple(kinds) if len(kinds) > 1 and len(kinds) == len(_JOINT.split(words)) else ()


def _between(first: Number, last: Number) -> Iterator[Number]:
    low, high = first.parts[-1], last.parts[-1]
    if first.parts[:-1] == last.parts[:-1] and low.isdigit() and high.isdigit():
        for index in range(int(low) + 1, min(int(high), int(low) + _MOST)):
            yield Number((*first.parts[:-1], str(index)))


# ── what follows a name ──────────────────────────────────────────────────────────────────────────────────

_COMMA = regex(rf"\s*[,，]\s*(?:(?:part|cont|version)\w*|(?={IDEOGRAPH}|[A-Z]))")
_SIGNS = regex(r"[\W_]*")
# Text that is not set off states something behind a full stop, a colon, a title in parentheses, or with these words.
_STATED = regex(
    r"\s*(?:[(（【\[][^()（）【】\n]{0,200}[)）】\]]\s*)?"
    rf"(?:[.。:：](?=[\s“\"\\$]|\Z|{IDEOGRAPH})|\Z|\s(?:设|若|令|假设|给定|任取|(?:Let|Suppose|Assume|If|Given|Every|Prove|Show)\b))"
)


def _is_title(text: str, named: _Named, end: int, behind: str, vocabulary: Vocabulary) -> bool:
    """Whether what is set off, up to ``end``, and else the text ``behind`` it goes on as no sentence about the box."""
    rest = text[named.end : end]
    if comma := _COMMA.match(rest):
        rest = rest[comma.end() :]
    elif not _has_words(rest):
        rest += behind
    signs = _SIGNS.match(rest)
    cited = _named(rest, signs.end() if signs else 0, len(rest), vocabulary)
    return cited is None and not any(speaks_of_box(rest, kind) for kind in named.kinds)


# ── where titles stand ───────────────────────────────────────────────────────────────────────────────────


def read_loose_titles(
    source: Source,
    blocks: Iterable[TextBlock],
    html: Passage,
    fences: Iterable[CodeFence],
    boxes: Sequence[Box],
    vocabulary: Vocabulary,
) -> Iterator[LooseTitle]:
    """Yield the loose titles of a page, whose ``boxes`` are known."""
    declared = {box.number_span.start for box in boxes}
    for block in blocks:
        yield from _in_block(block, source, declared, vocabulary)
    yield from _in_html(html, declared, vocabulary)
    for fence in fences:
        yield from _in_fence(fence, vocabulary)


def _titles(named: _Named, form: TitleForm) -> Iterator[LooseTitle]:
    yield from (LooseTitle(kind, number, form) for kind in named.kinds for number in named.numbers)


_LINK = regex(r"<a\s[^<>]*href", re.IGNORECASE)
_ADMONITION = regex(r"\s*(?:\[![A-Za-z]+\]|(?:/{3}|:{3,}|!{3}|\?{3}\+?)\s*[\w-]*)\s*[|\[\"]?\s*")


def _in_block(
    block: TextBlock, source: Source, declared: Container[int], vocabulary: Vocabulary
) -> Iterator[LooseTitle]:
    if block.links and block.links[0].start == 0:
        if block.links[0].image:
            start, end = block.links[0].label_span
            yield from _in_text(source.text[start:end], TitleForm.TEXT, vocabulary)
        return  # a link leads to the box, which stands elsewhere
    text = block.passage.text.replace("．", ".")
    if block.kind is BlockKind.CELL or not has_dotted(text[:_FAR]):
        return
    form, start, end = _set_off(block, text)
    named = _named(text, start, end, vocabulary)
    if named is None:
        whole = form is TitleForm.STRONG and not start and not _has_words(text[end:])
        yield from _section(text, form) if whole else ()
        return
    place = block.passage.place(named.place)
    if (len(named.kinds) == 1 and place in declared) or _LINK.search(source.text, block.span[0], place):
        return
    if form is TitleForm.TEXT:
        is_title = not block.listed and _STATED.match(text, named.end) is not None
    else:
        is_title = _is_title(text, named, end, text[end:].partition("\n")[0], vocabulary)
    yield from _titles(named, form) if is_title else ()


def _set_off(block: TextBlock, text: str) -> tuple[TitleForm, int, int]:
    """Return the form of what a block begins with, and where what is set off in that form begins and ends."""
    if block.kind is not BlockKind.PARAGRAPH:
        return TitleForm.HEADING, 0, len(text)
    admonition = _ADMONITION.match(text)
    start = admonition.end() if admonition else 0
    if block.strong and not _has_words(text[start : block.strong[0].start]):
        return TitleForm.ITEM if block.listed else TitleForm.STRONG, start, block.strong[0].end
    if admonition:
        return TitleForm.STRONG, start, len(text.partition("\n")[0])
    return TitleForm.TEXT, 0, len(text)


def _has_words(text: str) -> bool:
    signs = _SIGNS.match(text)
    return signs is not None and signs.end() < len(text)


def _section(text: str, form: TitleForm) -> Iterator[LooseTitle]:
    number = section_number(text)
    if number is not None and number.depth > 1:
        yield LooseTitle("", number, form)


def _in_text(text: str, form: TitleForm, vocabulary: Vocabulary) -> Iterator[LooseTitle]:
    """Yield what a text names that stands alone: the description of a picture, the title of a fence, its first line."""
    named = _named(text, 0, len(text), vocabulary) if has_dotted(text) else None
    if named is not None and _STATED.match(text, named.end):
        yield from _titles(named, form)


_TITLE_OPTION = regex(r"title\s*=\s*[\"'](?P<title>[^\"']{1,200})[\"']")
_COMMENT = regex(r"[\s#/%;*]*")


def _in_fence(fence: CodeFence, vocabulary: Vocabulary) -> Iterator[LooseTitle]:
    option = _TITLE_OPTION.search(fence.info) if "title" in fence.info else None
    if option is not None:
        yield from _in_text(option["title"], TitleForm.CODE, vocabulary)
    first = next((text for text, _ in fence.lines if text.strip()), "")
    if has_dotted(first[:_FAR]):
        yield from _in_text(_COMMENT.sub("", first, count=1), TitleForm.CODE, vocabulary)


_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SET_OFF = frozenset({"b", "strong", "em", "i", "summary", "dt", "span", *_HEADINGS})
_RUNNING = frozenset({"p", "div", "figcaption", "caption", "center"})
_TAGS = regex(r"<[^<>]*>")


def _in_html(html: Passage, declared: Container[int], vocabulary: Vocabulary) -> Iterator[LooseTitle]:
    """Yield what begins an element of raw HTML."""
    tag = ""
    for event in live_events(html.text):
        if not isinstance(event, Text):
            tag = event.name.lower() if isinstance(event, StartTag) else ""
            continue
        if not html.text[event.start : event.end].strip():
            continue
        if tag in _SET_OFF or tag in _RUNNING:
            yield from _in_element(html, event, tag, declared, vocabulary)
        tag = ""


def _in_element(
    html: Passage, event: Text, tag: str, declared: Container[int], vocabulary: Vocabulary
) -> Iterator[LooseTitle]:
    text = html.text
    if not has_dotted(text[event.start : min(event.end, event.start + _FAR)]):
        return
    named = _named(text, event.start, event.end, vocabulary)
    if named is None:
        yield from _section(text[event.start : event.end].strip(), TitleForm.HTML) if tag in _HEADINGS else ()
    elif len(named.kinds) == 1 and html.place(named.place) in declared:
        return
    elif tag in _RUNNING:
        yield from _titles(named, TitleForm.HTML) if _STATED.match(text, named.end, event.end) else ()
    elif _is_title(text, named, event.end, _TAGS.sub("", text[event.end : event.end + 200]), vocabulary):
        yield from _titles(named, TitleForm.HTML)
