"""The rows of errata tables by themselves: are they whole, does their location exist."""

from __future__ import annotations

from collections.abc import Iterator

from lintbook.book import Book
from lintbook.checks.errata.locations import errata_of, locations_in
from lintbook.diagnostic import Finding, Related, Severity, Unchecked
from lintbook.facts import Cell, Erratum, LooseForm
from lintbook.rule import book_rule

PROSE = "errata that are told in prose"
COLUMNS = "tables of errata whose columns are not known"
ELSEWHERE = "locations that name nothing of the book"


@book_rule("ERR001", Severity.WARNING)
def malformed_erratum(book: Book) -> Iterator[Finding | Unchecked]:
    """A row of an errata table lacks cells, says no location, or stands there twice."""
    seen: dict[tuple[str, ...], Erratum] = {}
    for _, erratum in errata_of(book):
        if (problem := _problem(erratum)) is not None:
            yield problem
            continue
        # A table for each printing may well say again what another says.
        content = (erratum.span.path, str(erratum.table), *_content_of(erratum))
        first = seen.setdefault(content, erratum)
        if first is not erratum:
            yield Finding(
                erratum.span,
                f"this row says again what the row of `{_shown(first.location)}` says",
                related=(Related(first.span, "the first such row"),),
                advice="remove one of the two",
            )
    for document in book.current:
        for record in document.facts.loose_records:
            yield Unchecked(PROSE if record.form is LooseForm.PROSE else COLUMNS)


def _content_of(erratum: Erratum) -> tuple[str, ...]:
    """Return what a row says, remarks on it left out, whatever blanks and line breaks it says it with."""
    cells = (erratum.location, *erratum.pages, erratum.original, erratum.correction)
    return *(" ".join(cell.text.split()) for cell in cells), *erratum.others


def _problem(erratum: Erratum) -> Finding | None:
    if erratum.lacking:
        columns = ", ".join(f"`{name}`" for name in erratum.lacking)
        count = len(erratum.lacking)
        return Finding(
            erratum.span,
            f"the row has no cell for {columns}",
            advice="add the missing cell" if count == 1 else f"add the {count} missing cells",
        )
    if erratum.excess is not None:
        return Finding(
            erratum.excess,
            "this stands behind the last column and is not shown",
            advice=r"write `\|` for a `|` that belongs to a cell",
        )
    if not erratum.location.text and not erratum.location.links:
        return Finding(erratum.span, "the location is empty", advice="name the file, and the box or section in it")
    if not erratum.original.text and not erratum.correction.text:
        return Finding(erratum.span, "the row says neither what stood there nor what is right")
    return None


def _shown(cell: Cell) -> str:
    text = " ".join(cell.text.split())
    return text if len(text) <= 40 else f"{text[:39]}…"


@book_rule("ERR002", Severity.WARNING)
def dangling_erratum(book: Book) -> Iterator[Finding | Unchecked]:
    """The location of an erratum or open question names what does not exist."""
    locations = locations_in(book)
    places = [(erratum.location, erratum.pages) for _, erratum in errata_of(book)]
    places.extend((row.location, ()) for page in book.current for row in page.facts.open_questions)
    for location, pages in places:
        located = locations.of(location, *pages)
        for missing in located.missing:
            yield Finding(missing.span, missing.message, cause=f"{location.span.path}: {missing.cause}")
        if not located.names_something:
            yield Unchecked(ELSEWHERE)
