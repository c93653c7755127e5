from __future__ import annotations

import time
from pathlib import Path

import pytest
from bounds import HANGS

from lintbook.book import Book
from lintbook.checks.figures.cuts import broken_inline_svg
from lintbook.checks.figures.dangling import INCLUDED, dangling_svg_reference
from lintbook.checks.figures.definitions import duplicate_svg_id, unused_svg_definition
from lintbook.checks.figures.targets import borrowed_svg_reference, mistyped_svg_reference
from lintbook.checks.figures.wellformed import malformed_svg
from lintbook.cli import run
from lintbook.diagnostic import Finding, Severity, Unchecked
from lintbook.dialect import Dialect
from lintbook.facts import Document
from lintbook.parse import parse_markdown
from lintbook.parse.project import parse_project
from lintbook.parse.summary import parse_summary
from lintbook.parse.svg import parse_svg
from lintbook.rule import Rule
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
    assert time.process_time() - start < HANGS


# ── the other rules ──────────────────────────────────────────────────────────────────────────────────────


def book_of(*documents: Document) -> Book:
    return Book(documents, dialect=Dialect.MDBOOK)


def said(rule: Rule, *documents: Document, **options: object) -> list[tuple[str, str]]:
    """Each finding of a rule: the words at its place, and the message."""
    texts = {document.source.path: document.source.text for document in documents}
    found = []
    for each in rule.run(book_of(*documents), **options):
        assert isinstance(each, Finding)
        found.append((texts[each.span.path][each.span.start : each.span.end], each.message))
    return found


def fixed(rule: Rule, *documents: Document, **options: object) -> str:
    """The first document after all fixes of a rule; its text must be changed inside drawings only."""
    (text, edits) = (documents[0].source.text, [])
    for each in rule.run(book_of(*documents), **options):
        assert isinstance(each, Finding)
        edits += each.fix.edits if each.fix else ()
    figures = documents[0].facts.figures
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        assert any(each.span.start < edit.span.start <= edit.span.end < each.span.end for each in figures)
        text = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    return text


KINDS = {
    "marker": '<marker id="x"/>',
    "gradient": '<radialGradient id="x"/>',
    "pattern": '<pattern id="x"/>',
    "clip": '<clipPath id="x"/>',
    "mask": '<mask id="x"/>',
    "filter": '<filter id="x"/>',
    "path": '<path id="x"/>',
    "group": '<g id="x"/>',
    "symbol": '<symbol id="x"/>',
}


@pytest.mark.parametrize(
    ("use", "kinds"),
    [
        ('<path marker-mid="url(#x)"/>', {"marker"}),
        ('<path style="marker: url(#x)"/>', {"marker"}),
        ('<path fill="url(#x)"/>', {"gradient", "pattern"}),
        ("<style>.a { stroke: url(#x) }</style>", {"gradient", "pattern"}),
        ('<g clip-path="url(#x)"/>', {"clip"}),
        ('<g mask="url(#x)"/>', {"mask"}),
        ('<g filter="url(#x)"/>', {"filter"}),
        ('<linearGradient href="#x"/>', {"gradient"}),
        ('<pattern xlink:href="#x"/>', {"pattern"}),
        ('<textPath href="#x"/>', {"path"}),
        ('<use href="#x"/>', {"path", "group", "symbol"}),
        ('<animate href="#x"/>', set(KINDS)),
        ('<g aria-labelledby="x"/>', set(KINDS)),
    ],
)
def test_what_each_use_takes(use: str, kinds: set[str]) -> None:
    right = {
        name
        for name, definition in KINDS.items()
        if not said(mistyped_svg_reference, read("a.md", f"<svg>{definition}{use}</svg>"))
    }
    assert right == kinds


@pytest.mark.parametrize(
    ("content", "closing"),
    [
        ('<g id="a"><use href="#a"/></g>', ["a"]),
        ('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>', ["a"]),
        ('<g id="a"><g id="b"><use href="#c"/></g></g><symbol id="c"><use href="#a"/></symbol>', ["a"]),
        ('<pattern id="p"><rect fill="url(#p)"/></pattern>', ["p"]),
        ('<filter id="a" href="#b"/><filter id="b" href="#c"/><filter id="c" href="#a"/>', ["a"]),
        # no circles: shared targets, names, animations, definitions that stand in what they are used by
        ('<g id="a"><use href="#b"/><use href="#b"/></g><g id="b"/><g id="c"><use href="#a"/><use href="#b"/></g>', []),
        ('<g id="a" aria-labelledby="t"><title id="t"/><animate href="#a"/></g>', []),
        ('<g id="a"><defs><marker id="m"/></defs><path marker-end="url(#m)"/></g>', []),
        ('<g id="a"><defs><g id="b"><use href="#c"/></g></defs></g><g id="c"><use href="#a"/></g>', []),
    ],
)  # fmt: skip
def test_circles(content: str, closing: list[str]) -> None:
    assert [place for place, _ in said(mistyped_svg_reference, read("a.svg", f"<svg>{content}</svg>"))] == closing


def test_many_uses_among_many_are_walked_quickly() -> None:
    chain = "".join(f'<g id="n{number}"><use href="#n{number + 1}"/></g>' for number in range(3000))
    nested = '<g id="a">' * 3000 + '<use href="#b"/>' * 3000 + "</g>" * 3000 + '<g id="b"/>'
    start = time.process_time()
    assert said(mistyped_svg_reference, read("a.svg", f"<svg>{chain}</svg>")) == []
    assert said(mistyped_svg_reference, read("a.svg", f"<svg>{nested}</svg>")) == []
    assert time.process_time() - start < HANGS


def test_an_id_belongs_to_what_stands_first_on_the_page() -> None:
    drawing = '<svg><marker id="tip"/><path marker-end="url(#tip)"/></svg>'
    message = "`marker-end` takes a `<marker>`, and the first `tip` of the page is none"
    for before in ("# Tip", "# Heading {#tip}", '<a id="tip"></a>'):
        assert said(mistyped_svg_reference, read("a.md", f"{before}\n\n{drawing}\n")) == [("tip", message)]
        assert said(mistyped_svg_reference, read("a.md", f"{drawing}\n\n{before}\n")) == []
    included = read("a.md", f"{{{{#include b.md}}}}\n\n{drawing}\n"), read("b.md", "# Tip\n")
    assert said(mistyped_svg_reference, *included) == [("tip", message)]


def test_what_is_borrowed() -> None:
    sheet = '<svg><defs><marker id="tip"/></defs></svg>'
    drawn = '<svg><defs><marker id="tip"/></defs><path/></svg>'
    use = '<svg><path marker-end="url(#tip)"/></svg>'
    message = "`tip` is defined in another drawing, on line 1, and gone when that drawing is"
    assert said(borrowed_svg_reference, read("a.md", f"{drawn}\n\n{use}\n")) == [("tip", message)]
    assert said(borrowed_svg_reference, read("a.md", f"{sheet}\n\n{use}\n")) == []
    assert said(borrowed_svg_reference, read("a.md", f"{drawn}\n\n{drawn.replace('/></svg>', ' /></svg>')}\n")) == []
    # A sheet that comes first wins, whatever follows; and nothing is borrowed across files.
    assert said(borrowed_svg_reference, read("a.md", f"{sheet}\n\n{drawn}\n\n{use}\n")) == []
    assert said(borrowed_svg_reference, read("a.md", drawn), read("b.md", use), read("c.svg", use)) == []


def test_which_duplicates_do_harm() -> None:
    def results_of(*drawings: str) -> list[bool]:
        documents = [read("a.md", "\n\n".join(f"<svg>{each}</svg>" for each in drawings))]
        return [each.mild for each in duplicate_svg_id.run(book_of(*documents)) if isinstance(each, Finding)]

    red, blue = '<marker id="a" fill="red"/>', '<marker id="a" fill="blue"/>'
    use = '<path marker-end="url(#a)"/>'
    assert results_of(red + use, blue + use) == [False]
    assert results_of(red + use, red + use) == [True]
    assert results_of(red + use, red.replace(" fill", "\n  fill") + use) == [True]
    assert results_of(red + use, blue) == [True]
    assert results_of(red + blue + use) == [False]
    assert results_of(red + use, blue + use, red + use) == [False, True]
    assert results_of(red + use, blue.replace('"a"', '"b"')) == []


def test_a_clashing_id_is_renamed_with_all_its_uses_or_not_at_all() -> None:
    first = '<svg><marker id="a"/></svg>'
    second = '<svg><marker id="a" x="1"/><path marker-end="url(#a)" style="marker-start: url( \'#a\' )"/></svg>'
    taken = '<svg><g id="a-2"/></svg>'
    page = f"{first} and #a\n\n{second}\n\n{taken}\n"
    assert fixed(duplicate_svg_id, read("a.md", page)) == page.replace(
        second, second.replace('"a"', '"a-3"').replace("#a", "#a-3")
    )
    for mention in ("<style>#a { fill: red }</style>", '<set begin="a.click"/>', '<path fill="url(#%61)"/>'):
        page = f"{first}\n\n{second.replace('</svg>', f'{mention}</svg>')}\n"
        assert fixed(duplicate_svg_id, read("a.md", page)) == page


def test_blank_lines_are_removed_from_the_drawing_alone() -> None:
    page = "One\r\n\r\n\r\n> <svg>\r\n> <path/>\r\n>\r\n>\r\n> <text>a</text>\r\n>\r\n> </svg>\r\n>\r\n> b\r\n\r\n\r\nc"
    want = "One\r\n\r\n\r\n> <svg>\r\n> <path/>\r\n> <text>a</text>\r\n> </svg>\r\n>\r\n> b\r\n\r\n\r\nc"
    assert fixed(broken_inline_svg, read("a.md", page)) == want
    assert said(broken_inline_svg, read("a.md", want)) == []


@pytest.mark.parametrize(
    "page",
    [
        "<!-- c --><svg>\n<text>a</text>\n</svg>\n",  # no blank line is to blame
        "- <svg>\n  <path/>\n\n<text>a</text>\n  </svg>\n",  # without the blank line the list still ends
        "<svg><path/>\n<!-- c -->\n\n<text>a</text>\n</svg>\n",
        "<svg>\n<text>a\n\nb</text><foreignObject>\n\n*c*\n\n</foreignObject></svg>\n",  # where Markdown is wanted
    ],
)
def test_no_repair_is_offered_that_does_not_make_the_drawing_whole(page: str) -> None:
    (finding,) = broken_inline_svg.run(book_of(read("a.md", page)))
    assert isinstance(finding, Finding)
    assert finding.fix is None
    assert finding.advice is not None


def test_missing_definitions_are_copied_from_the_book_or_the_palette() -> None:
    def fix_of(*documents: Document, **options: object) -> tuple[str, bool] | None:
        first, *_ = dangling_svg_reference.run(book_of(*documents), **options)
        assert isinstance(first, Finding)
        return (first.fix.edits[0].replacement, first.fix.safe) if first.fix else None

    use, other = read("a.md", line("tip")), '<svg><defs>{}</defs><path marker-end="url(#tip)"/></svg>'
    marker, wide = '<marker id="tip"/>', '<marker id="tip" refX="9"/>'
    assert fix_of(use) is None
    assert fix_of(use, read("b.md", other.format(marker))) == (f"\n  <defs>{marker}</defs>", True)
    # Of two texts the commoner is taken, and asked for.
    others = [read(f"{name}.md", other.format(text)) for name, text in zip("bcd", (wide, marker, wide), strict=True)]
    assert fix_of(use, *others) == (f"\n  <defs>{wide}</defs>", False)
    assert fix_of(use, *others, palette={"tip": marker}) == (f"\n  <defs>{marker}</defs>", True)
    # Another id of the page may be meant; a gradient is no marker; what uses others would have to bring them.
    near = read("a.md", f"{line('tip')}\n\n<svg><g id='tap'/></svg>")
    assert fix_of(near, *others, palette={"tip": marker}) == (f"\n  <defs>{marker}</defs>", False)
    assert fix_of(use, read("b.md", '<svg><linearGradient id="tip"/></svg>')) is None
    assert fix_of(use, read("b.md", '<svg><marker id="tip"><path fill="url(#x)"/></marker></svg>')) is None


def test_a_definition_that_is_cut_off_counts_as_defined() -> None:
    page = '<svg>\n<path marker-end="url(#tip)"/>\n\n<defs><marker id="tip"/></defs>\n</svg>\n'
    assert findings(one=page) == []
    assert len(said(broken_inline_svg, read("a.md", page))) == 1


def test_included_text_is_not_called_malformed() -> None:
    page, part = read("a.md", "<svg>\n\n{{#include b.svg}}\n"), read("b.svg", "<path/></svg>")
    assert [type(each) for each in malformed_svg.run(book_of(page, part))] == [Unchecked, Unchecked]
    assert [place for place, _ in said(malformed_svg, read("a.md", "<svg>\n"))] == ["<svg"]


def test_definitions_that_something_may_mean_are_not_unused() -> None:
    definition = '<svg><defs><g id="a"/><marker id="b"/></defs><path/><g id="c"/></svg>'
    assert [place for place, _ in said(unused_svg_definition, read("a.md", definition))] == ["a", "b"]
    assert [place for place, _ in said(unused_svg_definition, read("a.md", f"{definition}\n\n[it](#a)"))] == ["b"]
    assert said(unused_svg_definition, read("a.md", f"{definition}\n\n<script>x()</script>\n")) == []
    assert (
        said(unused_svg_definition, read("a.svg", definition.replace("<path/>", "").replace("<g id='c'/>", ""))) == []
    )


@pytest.mark.parametrize(
    ("definitions", "unused"),
    [
        ('<inkscape:perspective id="p"/><style id="s">.a{}</style><g id="q"/>', ["q"]),
        ('<font id="cmr10"><font-face font-family="cmr10"/></font><linearGradient id="l"/>', ["l"]),
        ('<metadata id="m"/><title id="t">T</title>', []),
    ],
)
def test_what_stands_in_defs_for_its_own_sake_is_not_unused(definitions: str, unused: list[str]) -> None:
    drawing = f'<svg xmlns:inkscape="i"><defs>{definitions}</defs><path/></svg>'
    for name in ("a.md", "a.svg"):
        assert [place for place, _ in said(unused_svg_definition, read(name, drawing))] == unused


def test_what_mermaid_and_excalidraw_define_is_none_of_the_authors() -> None:
    marker = '<marker id="point"><path/></marker><path/></svg>'
    for head, count in (
        ('<svg id="mermaid-17" aria-roledescription="flowchart-v2">', 0),
        ("<svg><!-- svg-source:excalidraw -->", 0),
        ('<svg id="flow" role="img">', 1),
    ):
        assert len(said(unused_svg_definition, read("a.svg", head + marker))) == count


def test_the_command_shows_every_drawing_with_its_ids(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(Path(__file__).parent.parent / "fixtures" / "books" / "figures-cut")
    assert run(["figures", "src/references.md"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "src/references.md:5:1: 3 definitions, 4 uses",
        "  tip   <marker>          defined 7  used 11",
        "  fade  <linearGradient>  defined 8  used 12     mistyped-svg-reference",
        "  edge  <clipPath>        defined 9  used 12,13  mistyped-svg-reference",
        "src/references.md:16:1: 1 definition, 2 uses",
        "  tip   <marker>  defined 17  used 18  duplicate-svg-id",
        "  edge  -         defined -   used 19  borrowed-svg-reference",
        "src/references.md:22:1: 1 definition, 0 uses",
        "  sheet  <marker>  defined 22  used -",
        "src/references.md:24:1: 1 definition, 3 uses",
        "  cell   <g>  defined 27  used 27  mistyped-svg-reference",
        "  sheet  -    defined -   used 25",
        "  Sheet  -    defined -   used 26  dangling-svg-reference",
    ]
    assert run(["figures", "src/cut.md"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == ("src/cut.md:5:1: 0 definitions, 0 uses, broken-inline-svg")
    assert run(["figures", "nowhere.md"]) == 2
