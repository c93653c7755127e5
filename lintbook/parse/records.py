"""Tables read as records: errata, open questions, terms; and marks in the text that belong to them.

What a table is, its header says; where the words of the header are common ones (*before*, *after*), the page or a
heading must speak of errata as well. Nothing is half-read: what looks like an erratum and is not plain is a loose
record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from lintbook.facts import (
    Cell,
    DatedStatement,
    DiscouragedTerm,
    Doubt,
    Erratum,
    LooseForm,
    LooseRecord,
    OpenQuestion,
    Reference,
)
from lintbook.parse.blocks import BlockKind, TextBlock, links_of
from lintbook.parse.citing import read_references
from lintbook.patterns import regex
from lintbook.text import Passage, Source, Span, Style
from lintbook.vocabulary import ERRATA, Role, Vocabulary, is_errata_page

# A table of questions stands on an errata page, or something above it says so.
_QUESTIONS = regex(
    r"待核实|需核实|待查|存疑|未决|开放(?:问题|条目)|要確認|未解決|open (?:question|issue)|to (?:be )?verif|unverified",
    re.IGNORECASE,
)
# What introduces rows that only show the form.
_SAMPLE = regex(
    r"样例|示例|范例|样板|格式如下|例如|记入例|記入例|\bsample|\bexample|\btemplate|\bfor instance|\be\.g\.",
    re.IGNORECASE,
)
_SAMPLE_ROWS = 2  # a longer table is no sample, whatever stands above it
_SAMPLE_ROW = regex(r"(?P<open>[(（])?(?:样例|示例|范例|sample|example)(?(open)[)）])", re.IGNORECASE)
# A cell that says that there is nothing.
_NOTHING = regex(r"[-–—―－/.…\s]*|n/?a|none|nil|tbd|暂无|无|無|なし|[(（](?:なし|无|無|none)[)）]", re.IGNORECASE)
# What heads a column that remarks on an erratum, or counts errata, and does not tell where one stands.
_REMARKS = frozenset(
    (
        *("note", "notes", "remark", "remarks", "comment", "comments", "reason", "explanation", "credit", "credits"),
        *("by", "reported by", "found by", "reporter", "finder", "reader", "author", "thanks", "date", "reported"),
        *(
            "status",
            "state",
            "type",
            "kind",
            "severity",
            "version",
            "commit",
            "issue",
            "pr",
            "id",
            "no.",
            "no",
            "nr.",
            "#",
        ),
        *(
            "说明",
            "备注",
            "注",
            "注释",
            "原因",
            "理由",
            "报告人",
            "提出者",
            "发现者",
            "反馈者",
            "读者",
            "作者",
            "致谢",
            "日期",
            "时间",
        ),
        *("状态", "类型", "类别", "版本", "追踪", "序号", "编号", "号", "備考", "理由", "報告者", "日付"),
    )
)
_POSITION = regex(r"[^\W\d]{0,6}\.?\s?-?\d{1,4}")
# A row of one such cell stands above the errata of a chapter, a day or a printing.
_DIVIDES = regex(
    r"(?:chapter|chap\.|ch\.|part|lecture|appendix)\s+[\dA-Z]+\b.{0,80}|第\s*[\d一二三四五六七八九十百]+\s*[章讲講部编篇版次].{0,40}"
    r"|附录\s*[\dA-Z]*.{0,40}|(?:19|20)\d\d(?:\s*[-/.年]\s*\d{1,2}){0,2}\s*[月日]?|[\w.]{1,12}\s+(?:printing|edition)",
    re.IGNORECASE,
)


class Records(NamedTuple):
    """The records of one page; ``cells`` are the numbers of the blocks whose references the records judge."""

    errata: tuple[Erratum, ...]
    open_questions: tuple[OpenQuestion, ...]
    loose_records: tuple[LooseRecord, ...]
    discouraged_terms: tuple[DiscouragedTerm, ...]
    cells: frozenset[int]


def read_records(source: Source, blocks: Sequence[TextBlock], vocabulary: Vocabulary) -> Records:
    """Read the records of a page from its blocks."""
    return _Reader(source, blocks, vocabulary).read()


class _Table(Struct):
    """A table: its blocks by number, row by row, the text right above it and whether errata are spoken of there."""

    header: list[int] = field(default_factory=list)
    rows: list[list[int]] = field(default_factory=list)
    above: str = ""
    of_errata: bool = False


class _Reader:
    def __init__(self, source: Source, blocks: Sequence[TextBlock], vocabulary: Vocabulary) -> None:
        self._source = source
        self._blocks = blocks
        self._vocabulary = vocabulary
        self._errata: list[Erratum] = []
        self._questions: list[OpenQuestion] = []
        self._loose: list[LooseRecord] = []
        self._discouraged: list[DiscouragedTerm] = []
        self._cells: set[int] = set()

    def read(self) -> Records:
        title = next((block.passage.text for block in self._blocks if block.kind is BlockKind.HEADING), "")
        on_page = is_errata_page(self._source.path, title)
        tables: dict[int, _Table] = {}
        open_headings: list[TextBlock] = []
        above, of_errata = "", on_page
        for number, block in enumerate(self._blocks):
            if block.kind is BlockKind.HEADING:
                open_headings = [each for each in open_headings if each.level < block.level]
                open_headings.append(block)
                of_errata = on_page or any(ERRATA.search(each.passage.text) for each in open_headings)
            if block.kind is BlockKind.CELL:
                table = tables.setdefault(block.table, _Table(above=above, of_errata=of_errata))
                self._add_cell(table, number, block)
                continue
            above = block.passage.text
            if of_errata and (block.listed or block.kind is BlockKind.HEADING):
                self._read_item(number, block)
        for table in tables.values():
            self._read_table(table)
        return Records(
            tuple(sorted(self._errata, key=lambda erratum: erratum.span)),
            tuple(self._questions),
            tuple(sorted(self._loose, key=lambda record: record.span)),
            tuple(self._discouraged),
            frozenset(self._cells),
        )

    @staticmethod
    def _add_cell(table: _Table, number: int, block: TextBlock) -> None:
        if block.row == 0:
            table.header.append(number)
        elif len(table.rows) < block.row:
            table.rows.append([number])
        else:
            table.rows[-1].append(number)

    def _read_table(self, table: _Table) -> None:
        if not table.rows:
            return
        sample = len(table.rows) <= _SAMPLE_ROWS and bool(_SAMPLE.search(table.above))
        if columns := self._errata_columns(table):
            for row in table.rows:
                self._read_erratum(_Row(self, table, row), columns, sample)
        elif columns := self._question_columns(table):
            for row in table.rows:
                self._read_question(_Row(self, table, row), columns, sample)
        elif columns := self._columns(table, {Role.TERM, Role.MISTAKE, Role.ADVICE}, loose=False):
            if Role.MISTAKE in columns and (Role.TERM in columns or Role.ADVICE in columns) and not sample:
                self._read_terms(table, columns)
        elif table.of_errata and self._columns(table, {Role.ORIGINAL, Role.CORRECTION}, loose=True):
            first, last = self._blocks[table.header[0]], self._blocks[table.rows[-1][-1]]
            self._loose.append(LooseRecord(self._span(first.span[0], last.span[1]), LooseForm.COLUMNS))

    # ── what a table is ──────────────────────────────────────────────────────────────────────────────────

    def _columns(self, table: _Table, roles: set[Role], *, loose: bool) -> dict[Role, list[int]]:
        """Return for each of ``roles`` the columns of the table that its header gives it."""
        found: dict[Role, list[int]] = {}
        for column, number in enumerate(table.header):
            names = _names(self._blocks[number].passage.text)
            for role in Role:
                if role in roles and names & self._vocabulary.headings(role, loose=loose):
                    found.setdefault(role, []).append(column)
                    break
        return found

    def _errata_columns(self, table: _Table) -> dict[Role, list[int]] | None:
        roles = {Role.LOCATION, Role.PAGE, Role.ORIGINAL, Role.CORRECTION}
        columns = self._columns(table, roles, loose=table.of_errata)
        placed = Role.LOCATION in columns or Role.PAGE in columns
        if placed and Role.ORIGINAL in columns and Role.CORRECTION in columns:
            return columns
        return None

    def _question_columns(self, table: _Table) -> dict[Role, list[int]] | None:
        asked = table.of_errata or bool(_QUESTIONS.search(table.above))
        columns = self._columns(table, {Role.LOCATION, Role.PAGE, Role.CORRECTION, Role.QUESTION}, loose=asked)
        placed = Role.LOCATION in columns or Role.PAGE in columns
        # What has its correction is no open question.
        return columns if asked and placed and Role.QUESTION in columns and Role.CORRECTION not in columns else None

    # ── rows ─────────────────────────────────────────────────────────────────────────────────────────────

    def _read_erratum(self, row: _Row, columns: dict[Role, list[int]], sample: bool) -> None:
        places = columns.get(Role.LOCATION) or columns[Role.PAGE]
        original, correction = columns[Role.ORIGINAL][0], columns[Role.CORRECTION][0]
        judged = [*columns.get(Role.LOCATION, ()), *columns.get(Role.PAGE, ()), original, correction]
        self._cells.update(row.numbers(judged))
        location = row.cell(places[0])
        pages = [row.cell(column) for column in judged[:-2] if column != places[0]]
        cells = (location, row.cell(original), row.cell(correction))
        if sample or _SAMPLE_ROW.fullmatch(location.text) or all(_NOTHING.fullmatch(cell.text) for cell in cells):
            return
        if row.is_divider():
            return
        self._errata.append(
            Erratum(
                row.span,
                location,
                tuple(pages),
                *cells[1:],
                texts=row.texts,
                columns=(places[0], original, correction),
                others=tuple(row.others(judged)),
                table=row.table,
                lacking=row.lacking,
                excess=row.excess,
            )
        )

    def _read_question(self, row: _Row, columns: dict[Role, list[int]], sample: bool) -> None:
        places = columns.get(Role.LOCATION) or columns[Role.PAGE]
        self._cells.update(row.numbers(places))
        location, question = row.cell(places[0]), row.cell(columns[Role.QUESTION][0])
        if sample or all(_NOTHING.fullmatch(cell.text) for cell in (location, question)):
            return
        self._questions.append(OpenQuestion(row.span, location, question))

    def _read_terms(self, table: _Table, columns: dict[Role, list[int]]) -> None:
        first, last = self._blocks[table.header[0]], self._blocks[table.rows[-1][-1]]
        span = self._span(first.span[0], last.span[1])
        for numbers in table.rows:
            row = _Row(self, table, numbers)
            instead = _instead(row, columns)
            for column in columns[Role.MISTAKE]:
                for start, end, text in row.cell(column).passage.code_spans():
                    place = row.cell(column).passage.range(start, end)
                    self._discouraged.append(DiscouragedTerm(self._span(*place), text, instead, span))

    # ── items ────────────────────────────────────────────────────────────────────────────────────────────

    def _read_item(self, number: int, block: TextBlock) -> None:
        """Read a list item or heading: a record if it is plainly ``place: old → new``, loose if it looks like one."""
        text = block.passage.text
        if not _TOLD.search(text):
            return
        plain = _PLAIN_ITEM.fullmatch(text) if block.listed else None
        if plain is None or len(_ARROW.findall(text)) != 1:
            self._loose.append(LooseRecord(self._span(*block.span), LooseForm.PROSE))
            return
        self._cells.add(number)
        cells = [self.part(block, *plain.span(name)) for name in ("location", "original", "correction")]
        texts = tuple(_even(cell.text) for cell in cells)
        self._errata.append(Erratum(self._span(*block.span), cells[0], (), cells[1], cells[2], texts, (0, 1, 2)))

    # ── cells ────────────────────────────────────────────────────────────────────────────────────────────

    def part(self, block: TextBlock, start: int, end: int) -> Cell:
        """Return the characters ``start`` up to ``end`` of a block as a cell."""
        whole = (start, end) == (0, len(block.passage.text))
        place = self._span(*(block.span if whole else block.passage.range(start, end)))
        links = links_of(block, self._source.path, start, end)
        return Cell(place, block.passage.slice(start, end), self._references(block, place), links)

    def _references(self, block: TextBlock, place: Span) -> tuple[Reference, ...]:
        found = read_references(block, self._source.path, self._vocabulary)
        return tuple(each for each in found if place.start <= each.span.start and each.span.end <= place.end)

    def block(self, number: int) -> TextBlock:
        """Return the block of that number."""
        return self._blocks[number]

    def _span(self, start: int, end: int) -> Span:
        return Span(self._source.path, start, end)

    @property
    def source(self) -> Source:
        """The page that is read."""
        return self._source


class _Row:
    """A row of a table, with the blocks of its cells by column."""

    def __init__(self, reader: _Reader, table: _Table, numbers: list[int]) -> None:
        self._reader = reader
        self._header = table.header
        self._numbers = {reader.block(number).column: number for number in numbers}
        self.table = reader.block(numbers[0]).table
        present = self._present(numbers)
        self.span = reader.source.span(reader.block(numbers[0]).span[0], reader.block(present[-1]).span[1])
        self.texts = tuple(_even(reader.block(number).passage.text) for number in numbers)
        self.lacking = self._lacking(table, present)
        self.excess = None if len(present) < len(table.header) else self._excess()

    def _present(self, numbers: list[int]) -> list[int]:
        """The cells that the row has: one that the parser adds stands where the last one does."""
        spans = [self._reader.block(number).span for number in numbers]
        count = next((n for n in range(1, len(spans)) if spans[n][0] <= spans[n - 1][0]), len(spans))
        return numbers[:count]

    def _lacking(self, table: _Table, present: list[int]) -> tuple[str, ...]:
        names = [self._reader.block(number).passage.text.strip() for number in table.header]
        return tuple(names[len(present) + self._has_bare_end() :])

    def _has_bare_end(self) -> bool:
        """Whether a row without a pipe in front ends with one: then an empty cell is meant behind it."""
        source, start = self._reader.source, self.span.start
        before = source.text[source.text.rfind("\n", 0, start) + 1 : start]
        return "|" not in before and self._rest().strip().startswith("|")

    def _rest(self) -> str:
        """The text behind the last cell on its line."""
        source, end = self._reader.source, self.span.end
        return source.text[end : source.line_end(source.position(end).line)]

    def _excess(self) -> Span | None:
        rest = self._rest()
        text = rest.strip().removeprefix("|").removesuffix("|").strip()
        if not text.strip("| "):
            return None
        start = self.span.end + rest.index(text)
        return self._reader.source.span(start, start + len(text))

    def is_divider(self) -> bool:
        """Whether the row only says what the rows below are about: its first cell, in bold, a chapter or a date."""
        shown = [number for number in self._numbers.values() if self._reader.block(number).passage.text.strip()]
        block = self._reader.block(shown[0]) if len(shown) == 1 else None
        if block is None or block.column:
            return False
        text = block.passage.text
        bold = len(block.strong) == 1 and not (text[: block.strong[0].start] + text[block.strong[0].end :]).strip()
        return bold or _DIVIDES.fullmatch(text.strip()) is not None

    def others(self, judged: Sequence[int]) -> Iterator[str]:
        """Yield the positions (``3``, ``l. 3``, 倒 3) in columns that are neither ``judged`` nor headed as remarks."""
        for column, number in enumerate(self._header):
            text = _even(self.cell(column).text)
            if column in judged or not _POSITION.fullmatch(text):
                continue
            if not _names(self._reader.block(number).passage.text) & _REMARKS:
                yield text

    def numbers(self, columns: Iterable[int]) -> Iterator[int]:
        """Yield the numbers of the blocks in ``columns``."""
        return (self._numbers[column] for column in columns if column in self._numbers)

    def cell(self, column: int) -> Cell:
        """Return the cell in ``column``; an empty one at the end of the row where it has none."""
        number = self._numbers.get(column)
        if number is None:
            end = self.span.end
            return Cell(self._reader.source.span(end, end), Passage("", ()))
        block = self._reader.block(number)
        return self._reader.part(block, 0, len(block.passage.text))


def _even(text: str) -> str:
    return " ".join(text.split())


_BRACKETS = regex(r"[(（\[【][^()（）\[\]【】]*[)）\]】]")
_SEPARATORS = regex(r"[/／、·,，;；|&+]|\s(?:and|or|und)\s|[与和及或]")


def _names(header: str) -> set[str]:
    """Return what a header may be called: all of it and each of several names, brackets and blanks left out."""
    text = _BRACKETS.sub("", header).strip(" *:：\t\n").lower()
    text = re.sub(r"\s+", " ", text)
    parts = [part.strip() for part in _SEPARATORS.split(text)]
    return {text, text.replace(" ", ""), *parts} - {""}


def _instead(row: _Row, columns: dict[Role, list[int]]) -> str:
    """Return what a term table sets against its mistakes: a code span of the advice, else the term, else the advice."""
    advice = [row.cell(column) for column in columns.get(Role.ADVICE, ())]
    for cell in advice:
        for _, _, text in cell.passage.code_spans():
            return text
    terms = [row.cell(column) for column in columns.get(Role.TERM, ())]
    return next((cell.text for cell in (*terms, *advice)), "")


_ARROW = regex(r"→|⇒|->|=>|⟶")
# What tells an erratum in a list item or a heading.
_TOLD = regex(
    r"→|⇒|->|=>|⟶|应为|应作|应改|改为|改成|更正为|误作|误写|漏了|多了|正しくは|should (?:be|read|have)|instead of"
    r"|\breplace\b.{1,200}?\b(?:with|by)\b|\bread\b.{1,200}?\bfor\b|\btypo\b|is missing",
    re.IGNORECASE,
)
_PLAIN_ITEM = regex(
    r"\s*(?P<location>[^:：\n→]{1,200}?)\s*[:：]\s*(?P<original>[^\n]{1,500}?)\s*(?:→|⇒|->|=>|⟶)\s*"
    r"(?P<correction>[^\n]{1,500}?)\s*"
)


# ── marks in the text ────────────────────────────────────────────────────────────────────────────────────

# Chinese and Japanese marks stand by themselves; English words are a mark only in brackets of their own.
_DOUBT = regex(
    r"待核实|需核实|待核对|待查证|要確認"
    r"|(?<=[(（\[【])(?:to be verified|needs verification|unverified|verify)(?=[)）\]】:：;,])",
    re.IGNORECASE,
)
_OPENING = regex(r"[(（\[【]")
# What makes it a mention of the mark, or a word of a sentence.
_MENTIONED_BEFORE = regex(r"[“「『\"‘`]$|(?:标|标注|标记|标明|标为|注明|记为|写|不|无|无需|不必|凡|叫|称)$")
_MENTIONED_BEHIND = regex(r"[”」』\"’]|[的者时]|标[记注]|清单|列表|条目|字样")


_MARKS = ("待核", "需核", "待查", "要確")  # what those of Chinese and Japanese begin with


def _may_doubt(text: str) -> bool:
    """Whether some mark may stand in ``text``: one of Chinese or Japanese, or the bracket of an English one."""
    if not text.isascii() and any(mark in text for mark in _MARKS):
        return True
    return "verif" in text.lower() and _OPENING.search(text) is not None


def read_doubts(blocks: Iterable[TextBlock], path: str) -> Iterator[Doubt]:
    """Yield the places of a page that are marked as unverified."""
    for block in blocks:
        text = block.passage.text
        if not _may_doubt(text):
            continue
        for match in _DOUBT.finditer(text):
            start, end = match.span()
            if block.passage.style(start) is not Style.PROSE:
                continue
            if block.kind is BlockKind.HEADING and match.group() == text.strip():
                continue  # the section collects such places
            if _MENTIONED_BEFORE.search(text[max(start - 4, 0) : start]) or _MENTIONED_BEHIND.match(text, end):
                continue
            yield Doubt(Span(path, *block.passage.range(start, end)), match.group())


_QUOTATION_OPENS = ("“", "「", "『", "‘", '"')
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DATED = regex(
    r"(?:截至|截止到?|截止至)\s*(?P<year>(?:19|20)\d\d)(?!\d)(?:\s*年)?"
    r"(?:\s*[-/.]?\s*(?P<month>1[0-2]|0?[1-9])(?!\d)\s*月?)?"
    r"|\bas of (?:(?:early|late|mid|the (?:end|beginning|start) of)[ -])?"
    r"(?:(?:\d{1,2} )?(?P<name>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?,? "
    r"(?:\d{1,2}(?:st|nd|rd|th)?,? )?)?"
    r"(?P<year_en>(?:19|20)\d\d)(?!\d)(?:-(?P<month_en>0[1-9]|1[0-2])(?!\d))?",
    re.IGNORECASE,
)


def read_dated_statements(blocks: Iterable[TextBlock], path: str) -> Iterator[DatedStatement]:
    """Yield the statements of a page that say as of when they hold; what begins a quotation is somebody else's."""
    for block in blocks:
        text = block.passage.text
        # A year of this century or the last, behind 截 or `as of`.
        if not ("20" in text or "19" in text) or not ("截" in text or "as of " in text.lower()):
            continue
        for match in _DATED.finditer(text):
            if block.passage.style(match.start()) is not Style.PROSE:
                continue
            if text.endswith(_QUOTATION_OPENS, 0, match.start()):
                continue
            named = match["name"]
            month = _MONTHS.index(named[:3].lower()) + 1 if named else int(match["month"] or match["month_en"] or 0)
            span = Span(path, *block.passage.range(*match.span()))
            yield DatedStatement(span, match.group(), int(match["year"] or match["year_en"]), month)
