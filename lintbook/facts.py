"""Facts: what a file says, never what it should say.

Parsers of Markdown, SVG and project files yield these types and nothing else; book and rules read them. Facts are
frozen, hold no parser object and no reference to the text, so that another parser may stand behind them and a cache
may keep them.
"""

from __future__ import annotations

import re
from enum import StrEnum
from unicodedata import normalize

from msgspec import Struct, field

from lintbook.diagnostic import Trouble
from lintbook.patterns import regex
from lintbook.text import Passage, Source, Span

_PART = regex(r"\d+|[A-Za-z]+")


def _run_key(run: str) -> tuple[int, int, str]:
    """Digits sort by length, then as text: that is by value, and without making an integer of thousands of digits."""
    if not run.isdigit():
        return 1, 0, run.upper()
    digits = run.lstrip("0")
    return 0, len(digits), digits


class Number(Struct, frozen=True, gc=False):
    """A number of a box or section: ``2.2.1``, ``2.6.1a``, ``6A.1``, ``C.1.1``, ``1.1.1'``, ``2+``.

    ``parts`` are the dotted parts, ``suffix`` what follows the last one (a letter, primes, a plus sign).
    """

    parts: tuple[str, ...]
    suffix: str = ""

    def __str__(self) -> str:
        return ".".join(self.parts) + self.suffix

    @property
    def depth(self) -> int:
        """How many dotted parts the number has."""
        return len(self.parts)

    @property
    def sort_key(self) -> tuple[tuple[tuple[int, int, str], ...], ...]:
        """A key that orders numbers as readers do: 2.9 before 2.10, 6 before 6A before 7, digits before letters."""
        return tuple(tuple(_run_key(run) for run in _PART.findall(part)) for part in (*self.parts, self.suffix))

    @classmethod
    def parse(cls, text: str) -> Number:
        """Read a number as written (``2.6.1a``), its digits of any width; raise ValueError if ``text`` is none."""
        match = NUMBER.fullmatch(text)
        if match is None:
            raise ValueError(f"`{text}` is no number of a box or section")
        *parts, last = (text if text.isascii() else normalize("NFKC", text)).split(".")
        digits = re.match(r"\d+[A-Z]?|[A-Z]", last)
        cut = digits.end() if digits else len(last)
        return cls((*parts, last[:cut]), last[cut:].replace("’", "'").replace("′", "'"))


# A part is digits, digits and capitals (6A), or one capital (an appendix); only the last has a suffix.
NUMBER = regex(r"(?:\d+[A-Z]?|[A-Z])(?:\.\d+)*(?:[a-z](?![A-Za-z])|['’′]{1,3}|\+)?")


class Anchor(Struct, frozen=True, gc=False):
    """A place that says it can be linked to. ``span`` is the id's own characters.

    ``origin`` is how it is written; whether the renderer makes an anchor of it is the dialect's to say.
    """

    span: Span
    id: str
    origin: AnchorOrigin


class AnchorOrigin(StrEnum):
    """How an anchor is written."""

    HEADING = "heading"  # `{#id}` at the end of a heading
    ATTRIBUTE = "attribute"  # `{#id}` anywhere else
    LIST = "list"  # `{: #id}`, an attribute list, anywhere else
    TARGET = "target"  # `(id)=` above what it names, `:label: id` in it: MyST's
    HTML = "html"  # id="…" on an element, or name="…" on <a>
    FOOTNOTE = "footnote"  # `[^1]: …`, the note itself
    MARK = "mark"  # `[^1]` in the text: the renderer shows a number and makes the way back lead there
    TAG = "tag"  # `\tag{2.1}` and `\label{…}` in math


class Heading(Struct, frozen=True, gc=False):
    """A heading.

    ``passage`` is what the renderer shows, markup, tags and attribute block left out; ``span`` covers the heading's
    inline content. ``plain`` is the passage of a renderer that knows no math: between dollar signs it reads Markdown.
    ``number`` is the section number that the text begins with.
    """

    span: Span
    level: int
    passage: Passage
    plain: Passage
    anchor: Anchor | None
    number: Number | None

    @property
    def text(self) -> str:
        """The characters of the heading."""
        return self.passage.text


class Term(Struct, frozen=True, gc=False):
    """A term of a definition list; ``plain`` is its text for a renderer that knows no math."""

    span: Span
    plain: Passage


class BoxForm(StrEnum):
    """How a box is declared."""

    HEADING = "heading"
    STRONG = "strong"  # a strong span that begins a paragraph
    QUOTATION = "quotation"  # … that begins a block quotation
    CITED = "cited"  # … that begins a quotation which names its source: another work's
    EQUATION = "equation"
    LINE = "line"  # a line of text that carries a box anchor
    HTML = "html"  # `<h3>` or the like in raw HTML
    ANCHOR = "anchor"  # a box anchor beside no visible number


class BoxName(Struct, frozen=True, gc=False):
    """A second name of a box, in another language: ``定义 1.1 / Definition 1.1``."""

    span: Span
    kind: str
    label: str
    number: Number


class Box(Struct, frozen=True, gc=False):
    """The declaration of a numbered box.

    ``span`` covers the kind and number as written (``定义 2.2.1``), ``number_span`` the number alone. ``kind`` is the
    canonical name of the kind, ``label`` the words as written. ``anchor`` is the box's own anchor, if it has one;
    ``names`` are further names beside the first.
    """

    span: Span
    number_span: Span
    kind: str
    label: str
    number: Number
    title: str
    form: BoxForm
    anchor: Anchor | None
    names: tuple[BoxName, ...] = ()

    @property
    def shown(self) -> bool:
        """Whether the reader sees the number; of an anchor alone only links know it."""
        return self.form is not BoxForm.ANCHOR


class TitleForm(StrEnum):
    """Where a loose title stands."""

    HEADING = "heading"
    STRONG = "strong"  # a strong span that begins a paragraph, or the title of an admonition
    ITEM = "item"  # a strong span that begins a list item
    TEXT = "text"  # plain text that begins a paragraph, the description of a picture
    HTML = "html"
    CODE = "code"  # the title of a fence, or its first line


class LooseTitle(Struct, frozen=True, gc=False):
    """What a line names as the title of a box does, though it may as well speak of one; a section has no ``kind``."""

    kind: str
    number: Number
    form: TitleForm


class LinkForm(StrEnum):
    """How a link is written."""

    INLINE = "inline"
    REFERENCE = "reference"
    AUTOLINK = "autolink"
    HTML = "html"


class Link(Struct, frozen=True, gc=False):
    """A link or image. ``destination`` is decoded (entities, escapes), percent-encoding kept.

    ``span`` covers the whole link, ``destination_span`` the destination as written; of a reference link it stands in
    the definition. ``label`` is the visible text, ``label_span`` its place.
    """

    span: Span
    form: LinkForm
    destination: str
    destination_span: Span
    label: Passage
    label_span: Span
    image: bool
    in_math: bool


class UnparsedLink(Struct, frozen=True, gc=False):
    """What is meant for a link and is none because of a blank: ``[a](b c.md)``, ``[a] (b.md)``.

    ``span`` covers all of it, ``blank_span`` the first blank that is in the way. ``detached`` says that it stands
    between the label and the destination.
    """

    span: Span
    destination: str
    destination_span: Span
    blank_span: Span
    detached: bool


class LinkDefinition(Struct, frozen=True, gc=False):
    """``[label]: destination``; ``label`` is normalized, as labels are compared, and ``span`` covers it as written."""

    span: Span
    label: str
    destination: str


class StrayTag(Struct, frozen=True, gc=False):
    """A tag of raw HTML that has no counterpart in its file: a start tag, or an end tag (``closing``)."""

    span: Span
    name: str
    closing: bool


class ReferenceForm(StrEnum):
    """How a cross-reference is written."""

    TEXTUAL = "textual"  # 定理 2.4.1, Theorem 2.4.1
    BRACKETED = "bracketed"  # [DEF-2.2.7]
    SECTION = "section"  # §7.1.4, Section 2.4, 2.4 节


class Reference(Struct, frozen=True, gc=False):
    """A cross-reference: it claims that a box or section of this book exists.

    ``last`` is the end of a range (``2.6.1–2.6.5``), both ends included. ``kind`` is the canonical name, also where it
    is carried over (``定理 2.6.2、2.6.3``); ``label`` the word as written, of a bare number (``（2.4.7）``) empty.
    ``foreign`` says that something beside or above it names another work, or another state of this one.
    """

    span: Span
    form: ReferenceForm
    kind: str
    label: str
    number: Number
    last: Number | None
    foreign: bool


class Swallowed(Struct, frozen=True, gc=False):
    """A line in a fence that would be a numbered heading or a box outside it; ``kind`` and ``label`` are the box's."""

    span: Span
    kind: str
    label: str
    number: Number


class Fence(Struct, frozen=True, gc=False):
    """A fenced code block that is never closed, or in which numbered text or another fence stands.

    ``span`` is the line that opens it, ``closing`` the one that ends it, ``info`` the language that it names.
    ``swallowed`` are the numbered lines in it, ``opener`` a line in it that would open a fence and so cannot close one.
    ``following`` is the language that the next fence names, None if there is no other.
    """

    span: Span
    info: str
    closing: Span | None
    swallowed: tuple[Swallowed, ...]
    opener: Span | None
    following: str | None


class Definition(Struct, frozen=True, gc=False):
    """An element of a drawing with an id; ``span`` is the id's own characters, ``element`` its name.

    Names of elements are spelt as SVG spells them, whatever the case in HTML. ``extent`` reaches from the start tag to
    the end of the element. ``resource`` says that the element is drawn only where it is used: it is a marker, a
    gradient or the like, or stands in ``<defs>``.
    """

    span: Span
    id: str
    element: str
    extent: Span
    resource: bool


# Attributes that only name elements, wherever these stand, and draw nothing; they hold ids without `#`.
NAMING_ATTRIBUTES = frozenset({"aria-describedby", "aria-labelledby"})


class Use(Struct, frozen=True, gc=False):
    """A ``url(#id)`` or ``href="#id"`` of a drawing; ``span`` is the id's own characters."""

    span: Span
    id: str
    element: str
    attribute: str  # the attribute or CSS property that takes the reference


class Cut(Struct, frozen=True, gc=False):
    """Where the renderer ends a drawing too early.

    ``span`` is the blank line that ends it, or else the line or tag. ``element`` is the HTML element that breaks out of
    the drawing, empty where a tag is shown as text; ``written`` says that it stands in the source. ``lost`` is how many
    elements of the drawing stand behind, ``first`` the name of the first of them. ``blanks`` are the blank lines of the
    drawing, line endings included, if it would be whole without them.
    """

    span: Span
    element: str
    lost: int
    first: str
    written: bool
    blanks: tuple[Span, ...] = ()


class Figure(Struct, frozen=True, gc=False):
    """An SVG drawing, inline or a file of its own, as it is written.

    ``head`` is its start tag, ``defs`` the start tag of its first ``<defs>`` that holds something. ``draws`` says that
    it shows something by itself, as a sheet of definitions does not; ``cut`` where the renderer ends it too early.
    """

    span: Span
    definitions: tuple[Definition, ...]
    uses: tuple[Use, ...]
    head: Span
    defs: Span | None
    draws: bool
    cut: Cut | None = None


class Malformation(Struct, frozen=True, gc=False):
    """A place at which a drawing is not well formed; ``problem`` says why."""

    span: Span
    problem: str


class ChapterForm(StrEnum):
    """Where in the navigation a chapter stands."""

    PREFIX = "prefix"
    NUMBERED = "numbered"
    SUFFIX = "suffix"
    PART = "part"  # a part title: it has no page


class Chapter(Struct, frozen=True, gc=False):
    """An entry of SUMMARY.md or of a navigation table; ``destination`` is decoded, empty for a draft.

    ``span`` is the destination as written (of a draft or part the title).
    """

    span: Span
    title: str
    destination: str
    depth: int
    form: ChapterForm


class Refusal(Struct, frozen=True, gc=False):
    """A place of SUMMARY.md for which mdBook refuses the book; ``reason`` says why in its terms."""

    span: Span
    reason: str


class Redirect(Struct, frozen=True, gc=False):
    """An old address that leads to a new one, as written; each span is the address without its quotes."""

    span: Span
    source: str
    target_span: Span
    target: str


class Include(Struct, frozen=True, gc=False):
    """``{{#include path:range}}``; ``span`` covers the directive, ``path_span`` the path alone.

    What is included ``in_code`` is shown as it is; elsewhere it becomes Markdown of the page.
    """

    span: Span
    directive: str
    path_span: Span
    path: str
    selection_span: Span
    selection: str
    in_code: bool


class QuantityBlock(Struct, frozen=True, gc=False):
    """A block of declarations. ``lines`` are (text, offset of its first character) for each line between the marks."""

    span: Span
    lines: tuple[tuple[str, int], ...]
    problem: str | None = None  # why this only resembles a block


class NumberCell(Struct, frozen=True, gc=False):
    """A cell of a table with numbers that are of interest.

    ``references`` are ranges that belong to cross-references; ``claimed`` says that the cell has a claim of its own.
    """

    passage: Passage
    references: tuple[tuple[int, int], ...]
    claimed: bool


class ClaimedTable(Struct, frozen=True, gc=False):
    """A table with a claim in the header of its ``column``; ``rows`` are those below the header."""

    column: int
    headers: tuple[Passage, ...]
    rows: tuple[tuple[NumberCell, ...], ...]


class Claim(Struct, frozen=True, gc=False):
    """``<!--= … -->`` behind the numbers that it vouches for.

    ``text`` stands between the marks, its first character at ``offset``. ``stretch`` is the text since the previous
    claim or the start of the block; ``references`` are ranges of it that belong to cross-references, footnote marks
    and tags. ``follows`` is the text directly behind the claim, where a unit may stand. ``header`` is the header of
    the table column. ``problem`` says why this only resembles a claim. ``table`` is given where the claim stands in
    a header and speaks of its column.
    """

    span: Span
    text: str
    offset: int
    stretch: Passage
    references: tuple[tuple[int, int], ...]
    follows: Passage
    header: Passage | None
    problem: str | None = None
    table: ClaimedTable | None = None


class SourcedRow(Struct, frozen=True, gc=False):
    """A table row that says where its numbers come from.

    ``span`` covers the row from its first cell to its last, ``source`` the cell that names the source; ``cells`` are
    the others.
    """

    span: Span
    source: Span
    cells: tuple[NumberCell, ...]


class Quantity(Struct, frozen=True, gc=False):
    """A number with a unit in the text; ``span`` covers the number without its ``unit``."""

    span: Span
    unit: str


class Chain(Struct, frozen=True, gc=False):
    """An equation whose sides are numbers or made of numbers only: ``128·(3/4)^2 = 72``.

    ``span`` reaches from its first side to its last. Of one that nowhere disagrees, which nothing but the text decides,
    no more is kept than the reasons why sides were not compared (``unchecked``). Of any other ``context`` is all that
    stands in its block, words and units beside its sides included, and ``place`` where it begins and ends in that.
    """

    span: Span
    unchecked: tuple[str, ...] = ()
    context: Passage | None = None
    place: tuple[int, int] = (0, 0)


class Cell(Struct, frozen=True, gc=False):
    """A cell of a record: what the reader sees, and the cross-references and links in it.

    ``span`` covers the cell's content as written; it is empty where the row has no such cell.
    """

    span: Span
    passage: Passage
    references: tuple[Reference, ...] = ()
    links: tuple[Link, ...] = ()

    @property
    def text(self) -> str:
        """What the reader sees, blanks at the ends left out."""
        return self.passage.text.strip()


class Erratum(Struct, frozen=True, gc=False):
    """A row of an errata table, or a list item of the same form.

    ``location`` is the cell that says where; ``pages`` are cells beside it that name no more than a page, a chapter or
    a line. ``texts`` is what all cells show, blanks evened out, and ``columns`` says which of them are location,
    original and correction; ``others`` are positions in columns whose header is not known. ``table`` tells the tables
    of a page apart. ``lacking`` names the columns for which the row has no cell, ``excess`` covers text behind the last
    column, which the renderer leaves out.
    """

    span: Span
    location: Cell
    pages: tuple[Cell, ...]
    original: Cell
    correction: Cell
    texts: tuple[str, ...]
    columns: tuple[int, int, int]
    others: tuple[str, ...] = ()
    table: int = 0
    lacking: tuple[str, ...] = ()
    excess: Span | None = None


class OpenQuestion(Struct, frozen=True, gc=False):
    """A row of a table of open questions."""

    span: Span
    location: Cell
    question: Cell


class LooseForm(StrEnum):
    """Why something that looks like a record is not read as one."""

    PROSE = "prose"  # an erratum told in a list item or heading, not plainly as `place: old → new`
    COLUMNS = "columns"  # a table of an errata page whose columns are not known


class LooseRecord(Struct, frozen=True, gc=False):
    """What looks like a record and is not plain enough to be read as one."""

    span: Span
    form: LooseForm


class Doubt(Struct, frozen=True, gc=False):
    """A place of the text that is marked as unverified; ``span`` covers the mark."""

    span: Span
    mark: str


class DiscouragedTerm(Struct, frozen=True, gc=False):
    """A code span in the *mistake* column of a term table: words not to be used, and what the row sets against them.

    ``table`` covers the whole table.
    """

    span: Span
    text: str
    instead: str
    table: Span


class DatedStatement(Struct, frozen=True, gc=False):
    """A statement that says as of when it holds; ``month`` is zero where only the year is given."""

    span: Span
    text: str
    year: int
    month: int


class Waiver(Struct, frozen=True, gc=False):
    """A commit that says, by a trailer ``Erratum: none (reason)``, that its changes need no row."""

    commit: str
    subject: str
    reason: str


class Suppression(Struct, frozen=True, gc=False):
    """What a comment silences: the rules that ``selector`` fits, for findings that begin inside ``scope``.

    ``span`` is the whole comment, which may name several selectors and is then as many suppressions. ``problem`` says
    why it silences nothing, whatever is found.
    """

    span: Span
    selector: str
    selector_span: Span
    scope: Span
    reason: str
    problem: str | None = None


class Facts(Struct, frozen=True, gc=False):
    """All that one file says, each kind in the order of the text."""

    headings: tuple[Heading, ...] = ()
    terms: tuple[Term, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    boxes: tuple[Box, ...] = ()
    unknown_boxes: tuple[Number, ...] = ()  # the numbers of titles that name a kind which is not known: 记号 1.2.3
    loose_titles: tuple[LooseTitle, ...] = ()
    links: tuple[Link, ...] = ()
    unparsed_links: tuple[UnparsedLink, ...] = ()
    link_definitions: tuple[LinkDefinition, ...] = ()
    stray_tags: tuple[StrayTag, ...] = ()
    references: tuple[Reference, ...] = ()
    fences: tuple[Fence, ...] = ()
    figures: tuple[Figure, ...] = ()
    malformations: tuple[Malformation, ...] = ()
    chapters: tuple[Chapter, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    includes: tuple[Include, ...] = ()
    quantity_blocks: tuple[QuantityBlock, ...] = ()
    claims: tuple[Claim, ...] = ()
    chains: tuple[Chain, ...] = ()
    sourced_rows: tuple[SourcedRow, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    errata: tuple[Erratum, ...] = ()
    open_questions: tuple[OpenQuestion, ...] = ()
    loose_records: tuple[LooseRecord, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    discouraged_terms: tuple[DiscouragedTerm, ...] = ()
    dated_statements: tuple[DatedStatement, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    troubles: tuple[Trouble, ...] = field(default=())


class Document(Struct, frozen=True):
    """One file of a book: its text and what it says."""

    source: Source
    facts: Facts
