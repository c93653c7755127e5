"""Terms that a book has agreed not to use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from lintbook.book import Book
from lintbook.diagnostic import Finding, Related, Severity
from lintbook.facts import Document
from lintbook.patterns import regex
from lintbook.rule import book_rule
from lintbook.text import Passage, Span, Style

_NONE: Mapping[str, str] = MappingProxyType({})
_LONGEST_ADVICE = 40

# A Chinese term is a word by itself behind these, or behind what is no Chinese character.
_WORDS_BEFORE = (
    "的了是在把将为成和与或及从到用叫称作译以对按由其这那该此每各个种些有无不也就都而则即若当使让被给指含取看做说写"
    "、，。：；？！（）“”「」《》"
)
# Addresses are what they are, shown as links or not.
_ADDRESS = regex(
    r"(?<![A-Za-z\d+.-])(?:[A-Za-z][A-Za-z\d+.-]*://|www\.)[^\s<>()（），。；、“”]+"
    r"|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
)
_QUOTES = {"“": "”", "「": "」", "『": "』", "‘": "’", '"': '"', "'": "'"}


class _Term(NamedTuple):
    """A discouraged term: what to write instead, if that is known, and where it is discouraged, if in the book."""

    text: str
    instead: str
    place: Span | None
    pattern: re.Pattern[str]


@book_rule("TRM001", Severity.WARNING)
def discouraged_term(book: Book, *, terms: Mapping[str, str] = _NONE) -> Iterator[Finding]:
    """A term is used that the configuration or the book's own table of terms discourages."""
    found = [*_configured(terms), *_listed(book)]
    if not found:
        return
    right = [re.compile(re.escape(term.instead)) for term in found if term.instead]
    for document in book.live_pages:
        apart = [*(term.table for term in document.facts.discouraged_terms), *(e.span for e in document.facts.errata)]
        wanted = [term for term in found if _stands(term, document, apart)]
        if wanted:
            yield from _uses(book, document, wanted, right, apart)


def _stands(term: _Term, document: Document, apart: Sequence[Span]) -> bool:
    """Whether a term may stand in the text of a page; to be sure takes parsing it."""
    source = document.source
    return any(not _within(source.span(*match.span()), apart) for match in term.pattern.finditer(source.text))


def _configured(terms: Mapping[str, str]) -> Iterator[_Term]:
    for text, instead in terms.items():
        if text.strip():
            yield _Term(text, instead, None, _pattern(text, instead))


def _listed(book: Book) -> Iterator[_Term]:
    for document in book.current:
        for term in document.facts.discouraged_terms:
            text = term.text.strip()
            if text:
                yield _Term(text, term.instead, term.span, _pattern(text, term.instead))


def _pattern(text: str, instead: str) -> re.Pattern[str]:
    """Return an expression for a term; case counts if the term has capitals or the right one differs in case only."""
    inner = r"\s+".join(map(re.escape, text.split()))
    before, behind = "", ""
    if text[0].isascii() and text[0].isalnum():
        before = r"(?<![A-Za-z\d_-])"
    elif "\u3040" <= text[0] <= "\u9fff":
        before = rf"(?<![\u3040-\u9fff])|(?<=[{re.escape(_WORDS_BEFORE)}])"
        before = rf"(?:{before})"
    if text[-1].isascii() and text[-1].isalnum():
        behind = r"(?![A-Za-z\d_-])"
    exact = text != text.lower() or text.lower() == instead.lower()
    return re.compile(before + inner + behind, 0 if exact else re.IGNORECASE)


def _uses(
    book: Book, document: Document, terms: Sequence[_Term], right: Sequence[re.Pattern[str]], apart: Sequence[Span]
) -> Iterator[Finding]:
    path = document.source.path
    for block in book.blocks(path):
        passage = block.passage
        covered = [match.span() for pattern in (_ADDRESS, *right) for match in pattern.finditer(passage.text)]
        for term in terms:
            for match in term.pattern.finditer(passage.text):
                start, end = match.span()
                if passage.style(start) is not Style.PROSE or _is_mentioned(passage, start, end):
                    continue
                span = Span(path, *passage.range(start, end))
                if any(low <= start and end <= high for low, high in covered) or _within(span, apart):
                    continue
                yield _finding(span, match.group(), term)


def _is_mentioned(passage: Passage, start: int, end: int) -> bool:
    """Whether quotation marks round it say that the text speaks about the term."""
    before, behind = passage.text[start - 1 : start], passage.text[end : end + 1]
    return before in _QUOTES and _QUOTES[before] == behind


def _within(span: Span, regions: Sequence[Span]) -> bool:
    return any(region.start <= span.start and span.end <= region.end for region in regions)


def _finding(span: Span, seen: str, term: _Term) -> Finding:
    known = 0 < len(term.instead) <= _LONGEST_ADVICE
    return Finding(
        span,
        f"`{' '.join(seen.split())}` is a discouraged term",
        related=(Related(term.place, "discouraged here"),) if term.place else (),
        cause=f"term {term.text}",
        advice=f"write `{term.instead}`" if known else None,
    )
