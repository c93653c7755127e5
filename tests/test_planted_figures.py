"""Faults planted into clean drawings: those that change what is shown are found at their line, no others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from drawn import drawings_of
from mdbook import build

from lintbook.checks import RULES
from lintbook.dialect import Dialect
from lintbook.engine import check
from lintbook.facts import Definition, Figure
from lintbook.parse import parse_markdown
from lintbook.text import Source

FIXTURES = Path(__file__).parent.parent / "fixtures" / "books"
CLEAN = [
    *sorted((FIXTURES / "lecture-2" / "src" / "lectures").glob("sec2[234].md")),
    FIXTURES / "figures-cut" / "src" / "whole.md",
]
FIGURES = [rule for rule in RULES if rule.family == "figures"]


class Planted(NamedTuple):
    """A page with a fault: its text, and the findings that are expected, as lines and rules."""

    text: str
    expected: set[tuple[int, str]]


def clean_pages() -> Iterator[tuple[Source, tuple[Figure, ...]]]:
    for path in CLEAN:
        source = Source(path.name, path.read_bytes().decode("utf-8"))
        yield source, parse_markdown(source, Dialect.MDBOOK).figures


def pairs() -> Iterator[tuple[Source, Figure, Definition]]:
    """Every definition that its drawing uses."""
    for source, figures in clean_pages():
        for figure in figures:
            for definition in figure.definitions:
                if any(use.id == definition.id for use in figure.uses):
                    yield source, figure, definition


def replaced(source: Source, start: int, end: int, text: str) -> str:
    return source.text[:start] + text + source.text[end:]


def lines_of_uses(source: Source, figure: Figure, id_: str) -> set[int]:
    return {source.position(use.span.start).line for use in figure.uses if use.id == id_}


def unused(figure: Figure, id_: str, line: int) -> set[tuple[int, str]]:
    """What a definition is called whose only use has been taken away."""
    only = sum(use.id == id_ for use in figure.uses) == 1
    return {(line, "unused-svg-definition")} if only else set()


def removed_definitions() -> Iterator[Planted]:
    for source, figure, definition in pairs():
        extent = definition.extent
        blanks = "\n" * source.text.count("\n", extent.start, extent.end)
        text = replaced(source, extent.start, extent.end, f"<g/>{blanks and ' '}")
        gone = source.text.count("\n", extent.start, extent.end)
        lines = {line - gone for line in lines_of_uses(source, figure, definition.id)}
        yield Planted(text, {(line, "dangling-svg-reference") for line in lines})


def misspelt_uses() -> Iterator[Planted]:
    for source, figures in clean_pages():
        for figure in figures:
            for use in figure.uses:
                line = source.position(use.span.start).line
                (definition,) = (each for each in figure.definitions if each.id == use.id)
                left = unused(figure, use.id, source.position(definition.span.start).line)
                for wrong in (use.id[:-1], f"{use.id}x", use.id.upper(), use.id.swapcase(), "nowhere"):
                    text = replaced(source, use.span.start, use.span.end, wrong)
                    yield Planted(text, {(line, "dangling-svg-reference"), *left})


def misspelt_definitions() -> Iterator[Planted]:
    for source, figure, definition in pairs():
        line = source.position(definition.span.start).line
        for wrong in (f"{definition.id}x", definition.id.upper()):
            text = replaced(source, definition.span.start, definition.span.end, wrong)
            uses = {(each, "dangling-svg-reference") for each in lines_of_uses(source, figure, definition.id)}
            yield Planted(text, {*uses, (line, "unused-svg-definition")})


def swapped_kinds() -> Iterator[Planted]:
    for source, figure, definition in pairs():
        start, end = definition.extent.start, definition.extent.end
        other = re.sub(r"(?<=<)(/?)marker\b", r"\1linearGradient", source.text[start:end])
        if other != source.text[start:end]:
            lines = lines_of_uses(source, figure, definition.id)
            yield Planted(replaced(source, start, end, other), {(line, "mistyped-svg-reference") for line in lines})


PLANTERS = [removed_definitions, misspelt_uses, misspelt_definitions, swapped_kinds]


def found_in(folder: Path, texts: list[str]) -> list[set[tuple[int, str]]]:
    """Make a book of pages and return what the rules about figures find in each."""
    (folder / "src").mkdir()
    (folder / "book.toml").write_text(
        '[book]\ntitle = "Planted"\n[output.html.search]\nenable = false\n[output.html.print]\nenable = false\n'
    )
    names = [f"p{number}" for number in range(len(texts))]
    (folder / "src" / "SUMMARY.md").write_text("".join(f"- [{name}]({name}.md)\n" for name in names))
    for name, text in zip(names, texts, strict=True):
        (folder / "src" / f"{name}.md").write_text(text, encoding="utf-8", newline="")
    report = check((".",), folder, FIGURES, cached=False)
    assert report.troubles == ()
    found: dict[str, set[tuple[int, str]]] = {f"src/{name}.md": set() for name in names}
    for each in report.diagnostics:
        line = report.sources[each.span.path].position(each.span.start).line
        found[each.span.path].add((line, each.rule))
    return list(found.values())


def test_the_pages_are_clean_before(tmp_path: Path) -> None:
    assert found_in(tmp_path, [source.text for source, _ in clean_pages()]) == [set()] * len(CLEAN)


@pytest.mark.parametrize("planter", PLANTERS)
def test_a_planted_fault_is_found_at_its_line_and_nothing_else(planter: object, tmp_path: Path) -> None:
    assert callable(planter)
    planted: list[Planted] = list(planter())
    assert len(planted) >= 10
    assert found_in(tmp_path, [each.text for each in planted]) == [each.expected for each in planted]


def with_line(source: Source, figure: Figure, line: str) -> Iterator[tuple[str, int]]:
    """The page with ``line`` before each line of a drawing behind its first, and the number of the new line."""
    first = source.position(figure.span.start).line
    last = source.position(figure.span.end).line
    marks = re.match(r"[ \t>]*", source.line_text(first))
    for number in range(first + 1, last + 1):
        start = source.line_starts[number - 1]
        indent = marks[0] if marks and ">" in marks[0] else ""
        yield source.text[:start] + f"{indent}{line}\n" + source.text[start:], number


@pytest.mark.parametrize("line", ["", "  ", "<!-- a comment -->", "\n<!-- a comment -->"], ids=repr)
def test_a_line_that_cuts_is_found_and_one_that_does_not_is_left_alone(line: str, tmp_path: Path) -> None:
    """Whether it cuts is asked of the real mdBook: does the page still show the same drawings?"""
    planted = []
    for source, figures in clean_pages():
        for figure in figures:
            planted += [(source, *each) for each in with_line(source, figure, line)]
    found = found_in(tmp_path, [text for _, text, _ in planted])
    sources = list({source.path: source for source, _, _ in planted}.values())
    before = {source.path: shown(source.text, tmp_path / f"before-{source.path}") for source in sources}
    done = build(tmp_path, tmp_path / "out")
    assert done.returncode == 0, done.stderr
    cuts = 0
    for number, (source, text, place) in enumerate(planted):
        page = (tmp_path / "out" / f"p{number}.html").read_text(encoding="utf-8")
        cut = drawings_of(page) != before[source.path]
        cut_at = [each for each, rule in found[number] if rule == "broken-inline-svg"]
        where = (source.path, place, found[number], text.split("\n")[place - 3 : place + 3])
        assert len(cut_at) == cut, where
        assert set(cut_at) <= {place, place + line.count("\n")}, where
        assert len(found[number]) == cut, where  # and nothing else
        cuts += cut
    assert len(planted) > 60
    assert (cuts > 20) == (line.strip() == "" or line.startswith("\n"))


def shown(text: str, folder: Path) -> list[list[str]]:
    """The drawings that the real mdBook makes of a page."""
    (folder / "src").mkdir(parents=True)
    (folder / "book.toml").write_text('[book]\ntitle = "Before"\n')
    (folder / "src" / "SUMMARY.md").write_text("- [Page](page.md)\n")
    (folder / "src" / "page.md").write_text(text, encoding="utf-8", newline="")
    done = build(folder, folder / "out")
    assert done.returncode == 0, done.stderr
    return drawings_of((folder / "out" / "page.html").read_text(encoding="utf-8"))
