from __future__ import annotations

import time

import pytest
from bounds import HANGS
from hypothesis import given
from hypothesis import strategies as st

from lintbook.dialect import Dialect
from lintbook.facts import Figure
from lintbook.parse.blocks import Reading
from lintbook.parse.css import LocalReference, declaration_references, sheet_references, value_references
from lintbook.parse.svg import inline_drawings, parse_svg
from lintbook.text import EMPTY_PASSAGE, Passage, Piece, Source, Style


def whole(text: str) -> Passage:
    return Passage(text, (Piece(0, 0, len(text), Style.PROSE, True),))


def figures_of(html: Passage, text: str) -> tuple[Figure, ...]:
    """The drawings of a page with the source ``text`` whose raw HTML is ``html``."""
    return inline_drawings(Source("a.md", text), Reading(html=html), Dialect.MDBOOK).figures


def figures(text: str) -> tuple[Figure, ...]:
    return figures_of(whole(text), text)


def inline_uses(content: str) -> list[tuple[str, str, str]]:
    """Each use of one drawing: (id, element, attribute); its place is the id's, unless that is encoded."""
    text = f"<svg>{content}</svg>"
    (figure,) = figures(text)
    for use in figure.uses:
        written = text[use.span.start : use.span.end]
        assert written == use.id or set(written) & set("%&\\"), written
    return [(use.id, use.element, use.attribute) for use in figure.uses]


def file_uses(content: str) -> list[str]:
    facts = parse_svg(Source("a.svg", f'<svg xmlns="http://www.w3.org/2000/svg">{content}</svg>'))
    return [use.id for use in facts.figures[0].uses]


@pytest.mark.parametrize(
    "name",
    [
        "clip-path",
        "cursor",
        "fill",
        "filter",
        "marker",
        "marker-end",
        "marker-mid",
        "marker-start",
        "mask",
        "stroke",
    ],
)
def test_every_property_that_takes_a_reference(name: str) -> None:
    assert inline_uses(f'<path {name}="url(#a)"/>') == [("a", "path", name)]
    assert inline_uses(f'<path style="{name}:url(#a)"/>') == [("a", "path", name)]
    assert inline_uses(f"<style>.b {{ {name}: url(#a) }}</style>") == [("a", "style", name)]


@pytest.mark.parametrize(
    "value",
    [
        "url(#mk-blue)",
        "url( #mk-blue )",
        "url('#mk-blue')",
        "url( &quot;#mk-blue&quot; )",
        "URL(#mk-blue)",
        "url(#mk-blue) none",
        "url(#mk-blue) rgb(1, 2, 3)",
        "&#x20;url(#mk-blue)",
        "/* url(#not) */ url(#mk-blue)",
        "light-dark(url(#mk-blue), red)",
    ],
)
def test_every_way_to_write_a_reference(value: str) -> None:
    assert inline_uses(f'<path fill="{value}"/>') == [("mk-blue", "path", "fill")]


@pytest.mark.parametrize(
    "value",
    [
        "none",
        "#abc",
        "url(b.svg#a)",
        "url(https://example.org/#a)",
        "url(data:image/svg+xml,%3Csvg/%3E#a)",
        "url()",
        "url(#)",
        "url('')",
        "'url(#a)'",
        "curl(#a)",
        "/* url(#a) */",
        "url(#svgView(viewBox(0,0,1,1)))",
        "",
    ],
)
def test_what_is_no_reference(value: str) -> None:
    assert inline_uses(f'<path fill="{value}" style="stroke: {value}"/>') == []


def test_only_references_that_a_drawing_resolves_count() -> None:
    assert inline_uses("<path d='url(#a)' class='url(#b)' data-fill='url(#c)'/>") == []
    assert inline_uses("<path style='behavior: url(#default); --own: url(#a); fill: url(#b)'/>") == [
        ("b", "path", "fill")
    ]


def test_ids_may_be_encoded() -> None:
    assert inline_uses("<path fill='url(#%E7%AE%AD)'/><use href='#&#x7bad;'/><path style='fill:url(#a\\.b)'/>") == [
        ("箭", "path", "fill"),
        ("箭", "use", "href"),
        ("a.b", "path", "fill"),
    ]


@pytest.mark.parametrize(
    "element",
    [
        *["use", "textPath", "mpath", "linearGradient", "radialGradient", "pattern", "filter", "feImage"],
        *["animate", "animateMotion", "animateTransform", "discard", "set"],
    ],
)
def test_every_element_that_refers_by_address(element: str) -> None:
    assert file_uses(f'<{element} href=" #a "/>') == ["a"]
    assert [use[0] for use in inline_uses(f'<{element.upper()} xlink:href="#a"/>')] == ["a"]


def test_addresses_that_refer_to_no_element_of_the_drawing() -> None:
    assert file_uses('<a href="#a"/><image href="#b"/><use href="c.svg#d"/><use href="#"/><use href=""/>') == []
    assert file_uses('<use href="#xpointer(id(a))"/>') == []
    assert file_uses('<use href="#new" xlink:href="#old"/>') == ["new"]


def test_lists_of_ids() -> None:
    assert inline_uses('<g aria-labelledby="t1 d&#49;" aria-describedby="x"><title id="t1"/></g>') == [
        ("t1", "g", "aria-labelledby"),
        ("d1", "g", "aria-labelledby"),
        ("x", "g", "aria-describedby"),
    ]


def test_names_of_html_have_no_case_and_ids_have() -> None:
    (figure,) = figures('<SVG><PATH MARKER-END="url(#Tip)" ID="Path"/></SVG>')
    assert [(use.id, use.attribute) for use in figure.uses] == [("Tip", "marker-end")]
    assert [(each.id, each.element) for each in figure.definitions] == [("Path", "path")]
    assert file_uses('<Use href="#a"/><use HREF="#b"/><path FILL="url(#c)"/>') == []


def test_style_sheets_with_places() -> None:
    text = (
        "<svg><style>\r\n"
        "  @import url(#no); /* .a { fill: url(#no) } */\r\n"
        "  .a:hover, .b[c='url(#no)'] { stroke: red; marker-end : url('#one') }\r\n"
        "  @media (min-width: 1px) { .d { FILL: url(#two); &:e { mask: url( #three ) } } }\r\n"
        "  .f { background: url(#no); fill: url(#four)</style></svg>"
    )
    (figure,) = figures(text)
    assert [(use.id, use.attribute, text[use.span.start - 1 : use.span.end]) for use in figure.uses] == [
        ("one", "marker-end", "#one"),
        ("two", "fill", "#two"),
        ("three", "mask", "#three"),
        ("four", "fill", "#four"),
    ]


def test_a_style_sheet_of_a_file_is_decoded() -> None:
    sheet = "g &gt; a {}<![CDATA[ b > c { fill: url(#x) } ]]> d { mask: url(&quot;#y&quot;) }"
    text = f"<svg><style>{sheet}</style></svg>"
    (figure,) = parse_svg(Source("a.svg", text)).figures
    assert [(use.id, text[use.span.start : use.span.end]) for use in figure.uses] == [("x", "x"), ("y", "y")]


def test_definitions_are_all_elements_with_an_id() -> None:
    content = '<defs><marker id="m&amp;1"/></defs><foreignObject><p id="p">x</p></foreignObject>'
    text = f'<svg id="top">{content}</svg><i id="i">'
    (figure,) = figures(text)
    assert [(each.id, each.element, text[each.span.start : each.span.end]) for each in figure.definitions] == [
        ("top", "svg", "top"),
        ("m&1", "marker", "m&amp;1"),
        ("p", "p", "p"),
    ]
    assert text[figure.span.start : figure.span.end] == text.removesuffix('<i id="i">')


def test_what_is_not_rendered_says_nothing() -> None:
    text = '<svg><!-- <g id="a" fill="url(#b)"/> --><template><g id="c" fill="url(#d)"/></template></svg>'
    (figure,) = figures(text)
    assert (figure.definitions, figure.uses) == ((), ())
    assert figures("<!-- <svg></svg> --><template><svg></svg></template><textarea><svg></svg></textarea>") == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<svg><svg></svg></svg> <svg/>", ["<svg><svg></svg></svg>", "<svg/>"]),
        ("<p><svg><g> text", ["<svg><g>"]),
        ("<svg><g><p>x</p> <svg></svg>", ["<svg><g>", "<svg></svg>"]),
        ("</svg><svg></svg>", ["<svg></svg>"]),
        ("<svg><svg/></svg>", ["<svg><svg/></svg>"]),
        ("<svg", []),
    ],
)
def test_where_drawings_begin_and_end(text: str, expected: list[str]) -> None:
    assert [text[each.span.start : each.span.end] for each in figures(text)] == expected


def test_places_in_a_list_in_a_quotation() -> None:
    source = '> - <svg>\r\n>     <path marker-end="url(\r\n>       #tip)"/>\r\n>   </svg>'
    lines = [("<svg>\n", 4), ('  <path marker-end="url(\n', 15), ('    #tip)"/>\n', 45), ("</svg>", 63)]
    pieces, text = [], ""
    for line, offset in lines:
        assert source.startswith(line.rstrip("\n"), offset)
        pieces.append(Piece(len(text), offset, offset + len(line), Style.PROSE, True))
        text += line
    (figure,) = figures_of(Passage(text, tuple(pieces)), source)
    (use,) = figure.uses
    assert source[use.span.start : use.span.end] == "tip"
    assert (figure.span.start, figure.span.end) == (4, len(source))


def test_a_page_without_html_has_no_figures() -> None:
    assert figures_of(EMPTY_PASSAGE, "") == ()


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_file_with_everything_before_its_root() -> None:
    text = (
        "\ufeff<?xml version='1.0'?>\r\n<!-- by hand -->\r\n"
        '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\r\n'
        '<svg xmlns="http://www.w3.org/2000/svg">\r\n<g id="g" mask="url(#m)"/></svg>\r\n'
    )
    facts = parse_svg(Source("img/a.svg", text))
    (figure,) = facts.figures
    assert text[figure.span.start : figure.span.end] == text[text.index("<svg") : -2]
    assert [(use.id, text[use.span.start : use.span.end]) for use in figure.uses] == [("m", "m")]
    assert [(each.id, each.span.path) for each in figure.definitions] == [("g", "img/a.svg")]
    assert facts.troubles == ()


def test_a_file_whose_elements_bear_a_prefix() -> None:
    text = '<s:svg><s:use href="#a"/><use href="#b"/><x:use href="#c" id="d"/></s:svg>'
    (figure,) = parse_svg(Source("a.svg", text)).figures
    assert [use.id for use in figure.uses] == ["a"]
    assert [each.id for each in figure.definitions] == ["d"]


@pytest.mark.parametrize("text", ["", "not a drawing", "<html><svg/></html>", "<svg", "<!-- <svg/> -->", "\0\ufeff"])
def test_a_file_that_is_no_drawing(text: str) -> None:
    facts = parse_svg(Source("a.svg", text))
    assert (facts.figures, facts.troubles) == ((), ())


def test_a_malformed_file_is_read_as_far_as_it_goes() -> None:
    (figure,) = parse_svg(Source("a.svg", '<svg><g fill="url(#a)"><b></g> 1 < 2 <g id="c"/>')).figures
    assert ([use.id for use in figure.uses], [each.id for each in figure.definitions]) == (["a"], ["c"])


LAUGHS = '<!ENTITY l0 "ha">' + "".join(f'<!ENTITY l{number} "{f"&l{number - 1};" * 10}">' for number in range(1, 31))


@pytest.mark.parametrize(
    ("subset", "content", "entity", "column"),
    [
        (LAUGHS, "&l30;", "&l30;", 1),
        ('<!ENTITY x SYSTEM "file:///etc/hostname">', "<text>&x;</text>", "&x;", 7),
        ('<!ENTITY x PUBLIC "p" "http://localhost/x">', '<g id="&x;"/>', "&x;", 8),
        ("<!ENTITY x '<marker id=\"a\"/>'>", "&x;", "&x;", 1),
    ],
)
def test_entities_are_never_resolved_and_said_to_be(subset: str, content: str, entity: str, column: int) -> None:
    text = f"<!DOCTYPE svg [{subset}]>\n<svg><g fill='url(#a)'/>\n{content}</svg>"
    start = time.process_time()
    facts = parse_svg(Source("a.svg", text))
    assert time.process_time() - start < HANGS
    assert facts.figures == ()
    (trouble,) = facts.troubles
    assert trouble.message == f"the entity `{entity}` is not resolved, so this drawing is not checked"
    assert (trouble.path, trouble.line, trouble.column) == ("a.svg", 3, column)


def test_a_parameter_entity_from_outside_is_not_fetched() -> None:
    text = '<!DOCTYPE svg [<!ENTITY % x SYSTEM "http://localhost/x"> %x;]><svg/>'
    (trouble,) = parse_svg(Source("a.svg", text)).troubles
    assert trouble.message == "the entity `%x;` is not resolved, so this drawing is not checked"
    assert (trouble.line, trouble.column) == (1, text.index("%x;") + 1)


def test_entities_that_hide_nothing_are_no_trouble() -> None:
    subset = """<!ENTITY ns "http://example.org/"><!-- <!ENTITY b SYSTEM "b"> --><!ENTITY c SYSTEM "c">"""
    content = '&b; <!-- &c; --><![CDATA[&c;]]><g mask="url(#m)"/>'
    text = f'<!DOCTYPE svg [{subset}]><svg xmlns:x="&ns;">{content}</svg>'
    facts = parse_svg(Source("a.svg", text))
    assert facts.troubles == ()
    assert [use.id for use in facts.figures[0].uses] == ["m"]


# ── CSS ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_references_name_the_property_that_takes_them() -> None:
    assert value_references("url(#a)", "fill") == [LocalReference("fill", "a", 5, 6)]
    assert declaration_references("x:y;Fill:url(#a)") == [LocalReference("fill", "a", 14, 15)]
    assert sheet_references("fill:url(#a)") == [LocalReference("", "a", 10, 11)]


def test_lines_of_css_end_in_four_ways() -> None:
    css = "a:b;\r\nc:d;\re:f;\fg:h;\n\0:i; fill: url(#j)"
    assert declaration_references(css) == [LocalReference("fill", "j", css.index("#j") + 1, css.index("#j") + 2)]


def test_numbers_of_any_length() -> None:
    digits = "9" * 5000
    (reference,) = declaration_references(f"width:{digits};fill:url(#a{digits})")
    assert reference.fragment == f"a{digits}"


SHARDS = [
    "url(",
    "#a",
    ")",
    "(",
    "{",
    "}",
    "[",
    "]",
    ":",
    ";",
    "fill",
    '"',
    "'",
    "\\",
    "/*",
    "*/",
    "\n",
    "\r\n",
    "\f",
]
SHARDS += [
    "<style>",
    "</style>",
    "<svg>",
    "</svg>",
    "<g style='",
    "<use href='#b",
    ">",
    "&quot;",
    "&#35;",
    "@x",
    "\0",
]
fragments = st.lists(st.one_of(st.sampled_from(SHARDS), st.text(max_size=2)), max_size=40).map("".join)


@given(fragments)
def test_css_of_any_kind_is_read_in_order(css: str) -> None:
    for references in (sheet_references(css), declaration_references(css), value_references(css, "fill")):
        end = 0
        for each in references:
            assert end <= each.start <= each.end <= len(css)
            assert css[each.start - 1] == "#"
            end = each.end


@given(fragments)
def test_facts_of_any_drawing_stand_in_it(content: str) -> None:
    text = f"<svg>{content}</svg>"
    inline = figures(text)
    for figure in (*inline, *parse_svg(Source("a.svg", text)).figures):
        for each in (*figure.definitions, *figure.uses):
            assert figure.span.start < each.span.start < each.span.end < figure.span.end <= len(text)


@pytest.mark.parametrize("unit", ["(", "{", "url(#a", "url('#a", "/*", "\\", ";", "a:url(#b);", "<!--", '"'])
def test_hostile_style_sheet_does_not_hang(unit: str) -> None:
    start = time.process_time()
    parse_svg(Source("a.svg", f"<svg><style>{unit * 40_000} url(#a)</style></svg>"))
    assert time.process_time() - start < HANGS


# ── well-formedness ──────────────────────────────────────────────────────────────────────────────────────


def malformed(text: str) -> list[tuple[str, str, int]]:
    """What is malformed in a file: the words at the place, the problem, the line."""
    source = Source("a.svg", text)
    return [
        (text[each.span.start : each.span.end], each.problem, source.position(each.span.start).line)
        for each in parse_svg(source).malformations
    ]


XMLNS = 'xmlns="http://www.w3.org/2000/svg"'


@pytest.mark.parametrize(
    ("text", "place", "problem", "line"),
    [
        (f"<svg {XMLNS}>\n<text>从 < 到</text></svg>", "<", "`<` begins no tag: in text it is `&lt;`", 2),
        (f"<svg {XMLNS}>\r\n<text>问 & 答</text></svg>", "&", "`&` begins no entity: in text it is `&amp;`", 2),
        (f"<svg {XMLNS}>\r<text>问&答</text></svg>", "&", "`&` begins no entity: in text it is `&amp;`", 2),
        (f"\ufeff<svg {XMLNS}>\n<text>a&nbsp;b</text></svg>", "&", "the entity `&nbsp;` is not known in SVG", 2),
        (f"<svg {XMLNS}>\n<g><text>字</g></svg>", "</g>", "`</g>` stands where `<text>` is open", 2),
        (f"<svg {XMLNS}>\n<g>\n<rect/>\n", "<g", "`<g>` is never closed", 2),
        (f'<svg {XMLNS}><g 甲="1" 甲="2"/></svg>', "甲", "the attribute `甲` stands twice", 1),
        ("words", "", "this is no XML: it does not begin with a tag", 1),
        (f'<svg {XMLNS}>\n<use x:href="#a"/></svg>', "x", 'the prefix `x` is not declared by `xmlns:x="…"`', 2),
    ],
)
def test_what_is_malformed_is_named_at_its_place(text: str, place: str, problem: str, line: int) -> None:
    ((found, *rest),) = malformed(text)
    assert rest == [problem, line]
    assert found == place


@pytest.mark.parametrize(
    "text",
    [
        f"<svg {XMLNS}/>",
        f'\ufeff<?xml version="1.0" encoding="gb2312"?>\n<svg {XMLNS}>汉字 &lt; &#38; <![CDATA[ < & ]]></svg>',
        f'<svg {XMLNS} xmlns:xlink="http://www.w3.org/1999/xlink"><g><use xlink:href="#a" xml:lang="zh"/></g></svg>',
        f'<svg {XMLNS}><g xmlns:x="urn:x"><x:a x:b="1"/></g></svg>',
        '<!DOCTYPE svg [<!ENTITY tip "M0 0L4 2L0 4z">]><svg><path d="&tip;"/></svg>',
        '<!DOCTYPE svg [<!ENTITY ns "urn:x">]><svg xmlns:i="&ns;"><i:pgf id="a"/><g i:layer="yes"/></svg>',
    ],
)
def test_what_is_well_formed(text: str) -> None:
    assert malformed(text) == []


def test_a_pointer_of_git_lfs_is_no_drawing_and_no_fault() -> None:
    text = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
    facts = parse_svg(Source("a.svg", text))
    assert (facts.malformations, facts.figures) == ((), ())
    assert [trouble.message for trouble in facts.troubles] == [
        "is not checked: Git LFS has only left a pointer to the drawing"
    ]


def test_a_prefix_is_declared_for_what_stands_inside_alone() -> None:
    text = f'<svg {XMLNS}><g xmlns:x="urn:x"/><x:a/><x:b/></svg>'
    assert [problem for _, problem, _ in malformed(text)] == ['the prefix `x` is not declared by `xmlns:x="…"`']


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (f"<svg {XMLNS}><path d='{'M0 0' * 3_000_000}'/></svg>", "a text in it is too long"),
        (f"<svg {XMLNS}>{'a' * 11_000_000}</svg>", None),
        (f"<svg {XMLNS}>{'<a>b</a>' * 1_000_000}</svg>", "it has more than 400,000 tags"),
        (f"<!DOCTYPE svg [{LAUGHS}]><svg>&l30;</svg>", "the entity `&l30;` is not resolved"),
        ('<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>', "the entity `&x;` is not resolved"),
        (f'<!DOCTYPE svg [<!ENTITY a "{"a" * 100_000}">]><svg>{"&a;" * 10_000}</svg>', "a text in it is too long"),
        (f'<!DOCTYPE svg SYSTEM "http://127.0.0.1:9/a.dtd"><svg {XMLNS}/>', None),
        (f"<svg {XMLNS}>{'<g>' * 20_000}{'</g>' * 20_000}</svg>", None),
        (f"<svg {XMLNS}>" + '<g id="a"/>' * 20_000 + "</svg>", None),
    ],
    ids=[
        "long attribute",
        "long text",
        "many tags",
        "laughs",
        "external entity",
        "quadratic",
        "external subset",
        "deep",
        "wide",
    ],
)
def test_what_is_huge_or_hostile_takes_bounded_time_and_is_said_to_be(text: str, word: str | None) -> None:
    start = time.process_time()
    facts = parse_svg(Source("a.svg", text))
    assert time.process_time() - start < HANGS
    assert facts.malformations == ()
    if word is None:
        assert facts.troubles == ()
        assert len(facts.figures) == 1
    else:
        assert [word in trouble.message for trouble in facts.troubles] == [True]


# ── what a drawing is made of ────────────────────────────────────────────────────────────────────────────


def test_definitions_reach_from_tag_to_end_and_know_whether_they_are_drawn() -> None:
    text = (
        '<svg><defs><g id="a"><path id="b"/></g></defs><marker id="c"></marker>'
        '<G ID="d"><lineargradient id="e"/></G></svg>'
    )
    (figure,) = figures(text)
    assert [
        (each.id, each.element, text[each.extent.start : each.extent.end], each.resource) for each in figure.definitions
    ] == [
        ("a", "g", '<g id="a"><path id="b"/></g>', True),
        ("b", "path", '<path id="b"/>', False),
        ("c", "marker", '<marker id="c"></marker>', True),
        ("d", "g", '<G ID="d"><lineargradient id="e"/></G>', False),
        ("e", "linearGradient", '<lineargradient id="e"/>', True),
    ]
    assert figure.defs is not None
    assert text[figure.defs.start : figure.defs.end] == "<defs>"
    assert text[figure.head.start : figure.head.end] == "<svg>"


@pytest.mark.parametrize(
    ("drawing", "draws"),
    [
        ("<svg><path/></svg>", True),
        ("<svg><g><text>a</text></g></svg>", True),
        ("<svg><use href='#a'/></svg>", True),
        ("<svg><defs><path/></defs><marker><path/></marker><title>a</title></svg>", False),
        ("<svg><symbol><g><rect/></g></symbol></svg>", False),
        ("<svg width='0' height='0'><path/></svg>", False),
        ("<svg width='0px'><path/></svg>", False),
        ("<svg style='position:absolute; display: none'><path/></svg>", False),
        ("<svg hidden><path/></svg>", False),
        ("<svg width='10'><path/></svg>", True),
    ],
)
def test_whether_a_drawing_draws(drawing: str, draws: bool) -> None:
    assert figures(drawing)[0].draws == draws


@pytest.mark.parametrize(
    ("drawing", "unclosed"),
    [
        ("<svg><rect><circle/></svg>", ["`<rect>` is never closed"]),
        ("<svg><g><path/><g></g></svg>", ["`<g>` is never closed"]),
        ("<svg><g><path/>", ["`<g>` is never closed", "`<svg>` is never closed"]),
        ("<svg><g><rect></g><path></path></rect></svg>", []),
        ("<svg><text>a < b</TEXT><TSPAN/></svg>", []),
        ("<svg><foreignObject><p>a<br><img><li></foreignObject></svg>", []),
    ],
)
def test_elements_that_swallow_what_follows(drawing: str, unclosed: list[str]) -> None:
    drawings = inline_drawings(Source("a.md", drawing), Reading(html=whole(drawing)), Dialect.MDBOOK)
    assert [each.problem for each in drawings.malformations] == unclosed
