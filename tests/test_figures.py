from __future__ import annotations

import time

import pytest

from lintbook.book import Book
from lintbook.checks.figures.dangling import INCLUDED, dangling_svg_reference
from lintbook.diagnostic import Finding, Severity, Unchecked
from lintbook.dialect import Dialect
from lintbook.facts import Document
from lintbook.parse import parse_markdown
from lintbook.parse.project import parse_project
from lintbook.parse.summary import parse_summary
from lintbook.parse.svg import parse_svg
from lintbook.text import Source

DEFINED = '<svg><defs><marker id="mk-blue"/></defs></svg>'


def read(path: str, text: str) -> Document:
    source = Source(path, text)
    return Document(source, parse_svg(source) if path.endswith(".svg") else parse_markdown(source, Dialect.MDBOOK))


def results(**texts: str) -> list[Finding | Unchecked]:
    """What the rule says of a book; a page is named without its suffix, a drawing with `_svg`."""
    documents = [
        read(name.removesuffix("_svg") + ".svg" if name.endswith("_svg") else f"{name}.md", text)
        for name, text in texts.items()
    ]
    return list(dangling_svg_reference.run(Book(documents, dialect=Dialect.MDBOOK)))


def findings(**texts: str) -> list[Finding]:
    found = results(**texts)
    assert all(isinstance(each, Finding) for each in found)
    return [each for each in found if isinstance(each, Finding)]


def messages(**texts: str) -> list[str]:
    return [finding.message for finding in findings(**texts)]


def line(marker: str) -> str:
    return f'<svg>\n  <path marker-end="url(#{marker})"/>\n</svg>'


def test_what_the_rule_is_called() -> None:
    rule = dangling_svg_reference
    assert (rule.name, rule.code, rule.family) == ("dangling-svg-reference", "FIG001", "figures")
    assert rule.severity is Severity.ERROR


def test_a_use_without_a_definition_stands_at_its_id() -> None:
    page = f"# 图\n\n> 1. {line('mk-blue').replace(chr(10), chr(10) + '>    ')}\n"
    (finding,) = findings(one=page)
    assert page[finding.span.start : finding.span.end] == "mk-blue"
    assert finding.message == "`mk-blue` is defined nowhere on this page"
    assert finding.advice == 'add <marker id="mk-blue"> to the <defs> of this drawing'
    assert finding.fix is None


@pytest.mark.parametrize(
    "definition",
    [
        DEFINED,
        '<svg><g id="mk-blue"/></svg>',
        '<a id="mk-blue"></a>',
        "# Heading {#mk-blue}",
        "# mk-blue",
    ],
)
def test_any_element_of_the_page_may_define_it(definition: str) -> None:
    assert messages(one=f"{line('mk-blue')}\n\n{definition}\n") == []


def test_ids_of_what_is_not_rendered_or_not_there_do_not_count() -> None:
    for hidden in (
        f"<!-- {DEFINED} -->",
        f"```\n{DEFINED}\n```",
        f"`{DEFINED}`",
        f"<template>{DEFINED}</template>",
    ):
        assert len(messages(one=f"{line('mk-blue')}\n\n{hidden}\n")) == 1, hidden
    assert len(messages(one=line("mk-blue"), two=DEFINED, three_svg=DEFINED)) == 1


def test_a_file_sees_itself_alone() -> None:
    assert messages(one=DEFINED, two_svg=line("mk-blue")) == ["`mk-blue` is defined nowhere in this file"]
    assert messages(two_svg=f'<svg>{DEFINED}<path marker-end="url(#mk-blue)"/></svg>') == []


def test_included_text_shares_the_ids_of_the_page() -> None:
    assert messages(one=f"{{{{#include defs.md}}}}\n\n{line('mk-blue')}", defs=DEFINED) == []
    assert messages(one=f"{DEFINED}\n\n{{{{#include arrow.md}}}}", arrow=line("mk-blue")) == []
    assert messages(one=f"{{{{#include defs.svg}}}}\n\n{line('mk-blue')}", defs_svg=DEFINED) == []


def test_a_retired_page_stays_as_it_is() -> None:
    summary = Source("SUMMARY.md", "- [New](new.md)\n")
    project = Source("book.toml", '[output.html.redirect]\n"/old.html" = "new.html"\n')
    documents = [
        read("old.md", line("mk-blue")),
        read("new.md", line("mk-red")),
        Document(summary, parse_summary(summary)),
        Document(project, parse_project(project)[1]),
    ]
    book = Book(documents, dialect=Dialect.MDBOOK, summary="SUMMARY.md", project_file="book.toml")
    assert [each.span.path for each in dangling_svg_reference.run(book) if isinstance(each, Finding)] == ["new.md"]


def test_what_an_unread_file_may_define_is_said_to_be_unchecked() -> None:
    page = f"{{{{#include ../shared/defs.html}}}}\n\n{line('mk-blue')}\n\n{line('mk-red')}"
    assert results(one=page) == [Unchecked(INCLUDED)] * 2
    through = f"{{{{#include two.md}}}}\n\n{line('mk-blue')}"
    assert results(one=through, two="{{#include one.md}} {{#include defs.html}}") == [Unchecked(INCLUDED)]
    # Code defines no ids, whatever it is.
    assert len(findings(one=f"```rust\n{{{{#include main.rs}}}}\n```\n\n{line('mk-blue')}")) == 1


@pytest.mark.parametrize(
    ("used", "defined", "difference"),
    [
        ("mk-Blue", "mk-blue", "; `mk-blue` differs in case"),
        ("mk-blu", "mk-blue", "; `mk-blue` is the nearest id"),
        ("mk-bluee", "mk-blue", "; `mk-blue` is the nearest id"),
        ("mk-bleu", "mk-blue", "; `mk-blue` is the nearest id"),
        ("mk_blue", "mk-blue", "; `mk-blue` is the nearest id"),
        ("mk-red", "mk-blue", ""),
        ("b", "a", ""),
    ],
)
def test_the_id_that_is_meant_is_named(used: str, defined: str, difference: str) -> None:
    page = f'{line(used)}\n\n<svg><marker id="{defined}"/></svg>'
    (finding,) = findings(one=page)
    assert finding.message == f"`{used}` is defined nowhere on this page{difference}"
    if difference:
        (related,) = finding.related
        assert page[related.span.start : related.span.end] == defined
        assert finding.advice is not None
        assert finding.advice.startswith(f"write `{defined}`, or add <marker")
    else:
        assert finding.related == ()


@pytest.mark.parametrize(
    ("use", "advice"),
    [
        ('mask="url(#x)"', 'add <mask id="x"> to the <defs> of this drawing'),
        ('clip-path="url(#x)"', 'add <clipPath id="x"> to the <defs> of this drawing'),
        ('style="fill:url(#x)"', 'add a gradient or pattern with id="x" to the <defs> of this drawing'),
        ('aria-labelledby="x"', 'give the element that is meant id="x"'),
    ],
)
def test_the_advice_fits_the_use(use: str, advice: str) -> None:
    (finding,) = findings(one=f"<svg><g {use}/></svg>")
    assert finding.advice == advice


def test_uses_of_one_missing_id_in_one_drawing_have_one_cause() -> None:
    drawing = '<svg><g mask="url(#a)"/><g mask="url(#a)"/><g mask="url(#b)"/></svg>'
    causes = [finding.cause for finding in findings(one=f"{drawing}\n\n{drawing}", two=drawing)]
    assert [causes.count(cause) for cause in causes] == [2, 2, 1] * 3
    assert len(set(causes)) == 6


def test_many_missing_ids_among_many_are_told_apart_quickly() -> None:
    uses = "".join(f'<use href="#use-{number}"/>' for number in range(3000))
    definitions = "".join(f'<g id="node-{number}"/>' for number in range(3000))
    start = time.process_time()
    assert len(messages(one_svg=f"<svg>{uses}{definitions}</svg>")) == 3000
    assert time.process_time() - start < 5
