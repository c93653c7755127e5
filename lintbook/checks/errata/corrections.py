"""Originals and corrections of errata against the text that they speak of."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cached_property

from lintbook.book import Book
from lintbook.checks.errata.locations import Located, Locations, errata_of, locations_in
from lintbook.diagnostic import Finding, Related, Severity, Unchecked
from lintbook.facts import Cell, Document, Erratum, ReferenceForm
from lintbook.patterns import regex
from lintbook.rule import book_rule
from lintbook.text import Source, Span

UNPLACED = "originals and corrections whose location names nothing of the book"

_WILDCARD = regex(r"\*|…|\.\.\.")
_COMMENT = regex(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_ANCHOR = regex(r"\{?#(?P<id>[^\s{}#]+)(?:\s[^{}]*)?\}?")
# Words before or behind a quotation that say that it is not what the text is to hold.
_NOT_THIS = regex(
    r"(?:(?:删去?|删除|去掉|移除|去除|替换)了?|不再|不用|不写|而非|而不是|不是|没有|勿|将|把|由|从|原[为作]?|旧|误作"
    r"|\b(?:deleted?|removed?|drop(?:ped)?|omit(?:ted)?|strike|struck|not|instead of|rather than|replaced?"
    r"|from|no longer|was|formerly|there (?:is|was) no))[\s“\"'（(的]*$",
    re.IGNORECASE,
)
_NOT_THAT = regex(
    r"[\s”\"'`)）]*(?:→|⇒|[-=]>|应[为作改]|改[为成作]|更正为|[替改]?换[为成]|[已被]{0,2}(?:删|移除|去掉)|不存在"
    r"|(?:should|must|ought to) (?:be|read|have been)\b"
    r"|(?:is|was|has been|were)?\s*(?:removed|deleted|dropped|omitted|replaced|gone)\b"
    r"|(?:does|did) not exist|no longer\b)",
    re.IGNORECASE,
)
# A name of a commit and what leads to it.
_COMMIT = regex(r"(?=.*\d)(?=.*[a-f])[\da-f]{7,40}", re.IGNORECASE)
_COMMITTED = regex(r"(?:\bcommits?|\brevisions?|\bfixed (?:in|by)|\bsee|提交|修订)[\s“\"'（(:：]*$", re.IGNORECASE)
_BESIDE = 24  # characters before a quotation
# A shorter original, be there a unit behind it, stands in any text for other reasons too.
_DISTINCTIVE = 4
_UNIT = regex(r"(?<=\d)[\s\\,]*[A-Za-z%°/]{1,9}$")


@book_rule("ERR003", Severity.WARNING)
def stale_original(book: Book) -> Iterator[Finding | Unchecked]:
    """The original of an erratum still stands where the row says that it was corrected."""
    locations = locations_in(book)
    for _, erratum in errata_of(book):
        original, correction = _only_code(erratum.original), _only_code(erratum.correction)
        if original is None or correction is None or original == correction or _WILDCARD.search(original):
            continue
        located = _placed(locations, erratum)
        if located is None:
            yield Unchecked(UNPLACED)
            continue
        regions = [region for region in located.regions if region.path in book.live]
        found = _standing(book, regions, original, correction)
        if found is not None:
            place = _source(book, found.path).position(found.start)
            yield Finding(
                erratum.original.span,
                f"`{original}` still stands in line {place.line} of `{found.path}`",
                related=(Related(found, "the original"),),
                advice=f"correct it to `{correction}` there, or the row",
            )


def _only_code(cell: Cell) -> str | None:
    """Return the text of the only code span of a cell."""
    found = [text.strip() for _, _, text in cell.passage.code_spans()]
    return found[0] if len(found) == 1 and found[0] else None


def _placed(locations: Locations, erratum: Erratum) -> Located | None:
    """Return what the location of an erratum names, None if that is nothing of the book."""
    located = locations.of(erratum.location, *erratum.pages)
    return located if located.names_something else None


def _standing(book: Book, regions: list[Span], original: str, correction: str) -> Span | None:
    """Return the first place in ``regions`` where the original stands by itself, and not within the correction."""
    old, new = _pattern(original), _pattern(correction)
    corrected = False
    found: Span | None = None
    for region in regions:
        text = _blanked(_source(book, region.path).text[region.start : region.end])
        places = [match.span() for match in new.finditer(text)]
        corrected = corrected or bool(places)
        for match in old.finditer(text):
            if not any(low <= match.start() and match.end() <= high for low, high in places):
                found = found or Span(region.path, region.start + match.start(), region.start + match.end())
                break
    plain = len(_UNIT.sub("", original)) < _DISTINCTIVE or original in correction
    return None if corrected and plain else found


def _source(book: Book, path: str) -> Source:
    document = book.document(path)
    assert document is not None
    return document.source


def _blanked(text: str) -> str:
    """Return ``text`` with blanks for its comments, which no reader sees."""
    return _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def _pattern(text: str) -> re.Pattern[str]:
    """Return an expression for ``text`` as a word by itself, however blanks and thousands are set in it."""
    parts = [re.escape(part) for part in text.split()]
    inner = r"\s+".join(parts)
    inner = re.sub(r"(?<=\d),(?=\d)", r"(?:,|\\{,\\})", inner)
    before = r"(?<![A-Za-z\d_])(?<!\d[.,])(?<!\d\{,\})" if _is_word(text[0]) else ""
    behind = r"(?![A-Za-z\d_])(?![.,]\d)(?!\{,\}\d)" if _is_word(text[-1]) else ""
    return re.compile(before + inner + behind)


def _is_word(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character == "_")


@book_rule("ERR004", Severity.WARNING)
def missing_correction(book: Book) -> Iterator[Finding | Unchecked]:
    """What a correction quotes stands on no live page."""
    locations = locations_in(book)
    text = _Text(book, locations)
    for _, erratum in errata_of(book):
        if erratum.lacking:
            continue
        if not erratum.correction.references and not any(True for _ in erratum.correction.passage.code_spans()):
            continue
        located = _placed(locations, erratum)
        if located is None:
            yield Unchecked(UNPLACED)
            continue
        yield from text.missing(erratum.correction, {region.path for region in located.regions})


def _is_not_meant(text: str, start: int, end: int) -> bool:
    """Whether the words beside a quotation say that it is what was wrong, or what is gone."""
    return bool(_NOT_THIS.search(text[max(start - _BESIDE, 0) : start]) or _NOT_THAT.match(text, end))


class _Text:
    """What stands on the live pages of a book, errata pages left out."""

    def __init__(self, book: Book, locations: Locations) -> None:
        self._book = book
        self._locations = locations
        self._lenient: dict[str, str] = {}

    def missing(self, correction: Cell, likely: Collection[str]) -> Iterator[Finding]:
        """Yield a finding for each quotation of a correction that stands nowhere; ``likely`` pages come first."""
        passage = correction.passage
        for start, end, text in passage.code_spans():
            quoted = text.strip()
            if not quoted or _WILDCARD.search(quoted) or _is_not_meant(passage.text, start, end):
                continue
            if _COMMIT.fullmatch(quoted) and _COMMITTED.search(passage.text[max(start - _BESIDE, 0) : start]):
                continue
            if not self._has(correction.span.path, quoted, likely):
                span = Span(correction.span.path, *passage.range(start, end))
                yield Finding(span, f"`{quoted}` stands on no live page", advice="correct the page, or the row")
        yield from self._missing_boxes(correction)

    def _missing_boxes(self, correction: Cell) -> Iterator[Finding]:
        source = _source(self._book, correction.span.path).text
        for reference in correction.references:
            if reference.foreign or reference.form is ReferenceForm.SECTION:
                continue
            if _is_not_meant(source, reference.span.start, reference.span.end):
                continue
            for number in filter(None, (reference.number, reference.last)):
                boxes = self._locations.boxes(reference, number)
                live = [box for box in boxes if box.span.path in self._book.live]
                if not live and (boxes or self._locations.declares(reference, number)):
                    yield Finding(
                        reference.span,
                        f"`{reference.label} {number}` is declared on no live page",
                        advice="correct the page, or the row",
                    )

    def _has(self, path: str, quoted: str, likely: Collection[str]) -> bool:
        """Whether a quotation is an anchor, a file or some text of the live pages."""
        pages = sorted(self._pages, key=lambda page: page.source.path not in likely)
        if anchor := _ANCHOR.fullmatch(quoted):
            return any(anchor["id"] in self._book.ids_on_page(page.source.path) for page in pages)
        pattern = _pattern(quoted)
        if any(pattern.search(page.source.text) for page in pages):
            return True
        bare = _lenient(quoted).strip()
        if bare and any(_pattern(bare).search(self._lenient_text(page)) for page in pages):
            return True
        return bool(re.fullmatch(r"[\w./-]+\.\w+", quoted) and self._locations.paths_named(path, quoted))

    def _lenient_text(self, document: Document) -> str:
        path = document.source.path
        if path not in self._lenient:
            self._lenient[path] = _lenient(document.source.text)
        return self._lenient[path]

    @cached_property
    def _pages(self) -> list[Document]:
        """The documents that readers see, but for the pages of errata; drawings and the navigation among them."""
        pages = {page.source.path for page in self._book.pages}
        return [
            document
            for document in self._book.current
            if (document.source.path in self._book.live or document.source.path not in pages)
            and not document.facts.errata
        ]


_MARKUP = regex(r"[*_`$\\{}]|(?<=\d),(?=\d)")


def _lenient(text: str) -> str:
    """Return text without what only sets it: emphasis, delimiters, the commas of thousands."""
    return _MARKUP.sub("", text)
