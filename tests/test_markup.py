from __future__ import annotations

import time

import pytest
from bounds import HANGS
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from lintbook.facts import AnchorOrigin, LinkForm
from lintbook.parse.markup import (
    Comment,
    Doctype,
    EndTag,
    Event,
    Grammar,
    StartTag,
    Text,
    decode,
    html_anchors,
    html_links,
    live_events,
    scan,
)
from lintbook.text import Passage, Piece, Span, Style


def outline(text: str, grammar: Grammar = Grammar.HTML) -> list[str]:
    """What the events are, each by its own characters, so that kind and place are compared together."""
    return [f"{type(event).__name__} {text[event.start : event.end]}" for event in scan(text, grammar)]


def values(text: str, grammar: Grammar = Grammar.HTML) -> dict[str, tuple[str, str]]:
    """The attributes of the first tag: the value, and its characters as written."""
    tag = next(event for event in scan(text, grammar) if isinstance(event, StartTag))
    return {each.name: (each.value, text[each.value_start : each.value_end]) for each in tag.attributes}


def page(*parts: tuple[str, int]) -> Passage:
    """The raw HTML of a page: each part stands at an offset of the source, Markdown between them."""
    pieces, text = [], ""
    for part, offset in parts:
        if text:
            pieces.append(Piece(len(text), pieces[-1].source_end, pieces[-1].source_end, Style.PROSE, False))
            text += "\n"
        pieces.append(Piece(len(text), offset, offset + len(part), Style.PROSE, True))
        text += part
    return Passage(text, tuple(pieces))


def test_tags_text_and_comments_follow_one_another() -> None:
    assert outline('a<b class="x">c</b ><!-- d --><br/>e') == [
        "Text a",
        'StartTag <b class="x">',
        "Text c",
        "EndTag </b >",
        "Comment <!-- d -->",
        "StartTag <br/>",
        "Text e",
    ]


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("<a href='x y'>", {"href": ("x y", "x y")}),
        ("<a href=x/y/>", {"href": ("x/y/", "x/y/")}),
        ("<a\n href\n=\n'x'\n>", {"href": ("x", "x")}),
        ("<a hidden id=b>", {"hidden": ("", ""), "id": ("b", "b")}),
        ("<a id=>", {"id": ("", "")}),
        ("<a/id=b>", {"id": ("b", "b")}),
        ('<a ID="b" id="c">', {"ID": ("b", "b")}),
        ('<a id="b"class="c">', {"id": ("b", "b"), "class": ("c", "c")}),
        ('<a title="a > b">', {"title": ("a > b", "a > b")}),
        ("<a =b=c>", {"=b": ("c", "c")}),
        ('<a b"c=d>', {'b"c': ("d", "d")}),
        ('<a id="">', {"id": ("", "")}),
        ("<a id='&quot;&#x4e;&#110;&copy;&copy'>", {"id": ('"Nn©©', "&quot;&#x4e;&#110;&copy;&copy")}),
        ("<a href='?a=1&copy=2&notit;'>", {"href": ("?a=1&copy=2&notit;", "?a=1&copy=2&notit;")}),
    ],
)
def test_attributes_are_read_as_browsers_do(tag: str, expected: dict[str, tuple[str, str]]) -> None:
    assert values(tag) == expected


def test_xml_names_differ_by_case_and_know_five_entities() -> None:
    text = "<a b='&lt;&amp;&apos;&#65;&copy;&own;' B='2'/>"
    assert values(text, Grammar.XML) == {
        "b": ("<&'A&copy;&own;", "&lt;&amp;&apos;&#65;&copy;&own;"),
        "B": ("2", "2"),
    }


@pytest.mark.parametrize("number", ["9" * 5000, "x" + "f" * 5000, "0", "x110000", "xd800"])
@pytest.mark.parametrize("grammar", Grammar)
def test_numbers_of_no_character_are_replaced(number: str, grammar: Grammar) -> None:
    text = f"&#{number};"
    assert decode(text, [(0, len(text), False)], grammar).text == "\ufffd"


@pytest.mark.parametrize(
    ("tag", "self_closing"),
    [
        ("<g/>", True),
        ("<g />", True),
        ("<g a=b/>", False),
        ("<g a='b'/>", True),
        ("<g / >", False),
        ("<g>", False),
    ],
)
def test_a_tag_closes_itself_by_a_slash_before_its_end(tag: str, self_closing: bool) -> None:
    (event,) = scan(tag, Grammar.XML)
    assert isinstance(event, StartTag)
    assert event.self_closing is self_closing


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- a > b -->",
        "<!-->",
        "<!--->",
        "<!-- a --!>",
        "<!---->",
        "<!-- a -- b -->",
        "<!doctype html>",
        "<?php?>",
    ],
)
def test_comments_of_html(comment: str) -> None:
    assert outline(comment + "<b>") == [f"Comment {comment}", "StartTag <b>"]


def test_xml_closes_a_comment_by_nothing_else() -> None:
    assert outline("<!--> <b> --!> -->", Grammar.XML) == ["Comment <!--> <b> --!> -->"]


def test_what_only_resembles_markup() -> None:
    assert outline("1 < 2 <3 a<") == ["Text 1 < 2 <3 a<"]
    assert outline("</> </3> <b>") == ["Comment </>", "Text  ", "Comment </3>", "Text  ", "StartTag <b>"]


def test_what_is_not_closed() -> None:
    assert outline("a<!-- b <i>") == ["Text a", "Comment <!-- b <i>"]
    assert outline('a<b c="d> <i>') == ["Text a"]
    assert outline("a<b") == ["Text a"]


def test_a_script_is_text_up_to_its_own_end() -> None:
    assert outline("<script>a<b></style></scripts></SCRIPT ><b>") == [
        "StartTag <script>",
        "Text a<b></style></scripts>",
        "EndTag </SCRIPT >",
        "StartTag <b>",
    ]


def test_in_a_drawing_titles_and_styles_hold_markup_and_cdata() -> None:
    assert outline("<svg><style>a<![CDATA[<b>]]></style><title>c<i>") == [
        "StartTag <svg>",
        "StartTag <style>",
        "Text a",
        "Comment <![CDATA[",
        "Text <b>",
        "Comment ]]>",
        "EndTag </style>",
        "StartTag <title>",
        "Text c",
        "StartTag <i>",
    ]
    # Outside of drawings HTML knows no CDATA, and the text of a foreign object is HTML again.
    assert outline("<![CDATA[<b>]]>") == ["Comment <![CDATA[<b>", "Text ]]>"]
    assert outline("<svg><foreignObject><style><b></style>")[2:] == [
        "StartTag <style>",
        "Text <b>",
        "EndTag </style>",
    ]


def test_html_ends_a_drawing_that_is_not_closed() -> None:
    assert outline("<svg><g><p>a</svg>") == [
        "StartTag <svg>",
        "StartTag <g>",
        "EndTag ",
        "StartTag <p>",
        "Text a",
        "EndTag </svg>",
    ]
    assert "EndTag " not in outline("<svg><foreignObject><p>a</p></foreignObject></svg>")
    assert outline("<svg><desc><svg></desc>")[-2:] == ["EndTag ", "EndTag </desc>"]


def test_xml_declarations() -> None:
    subset = """<!DOCTYPE svg [ <!ENTITY a "]>"> <!-- ]> ' --> <?x ]> ?> ]>"""
    text = f"<?xml version='1.0'?>{subset}<a:b><![CDATA[<c>&d;]]></a:b>"
    assert outline(text, Grammar.XML) == [
        "Comment <?xml version='1.0'?>",
        f"Doctype {subset}",
        "StartTag <a:b>",
        "Comment <![CDATA[",
        "Text <c>&d;",
        "Comment ]]>",
        "EndTag </a:b>",
    ]
    assert [event.literal for event in scan(text, Grammar.XML) if isinstance(event, Text)] == [True]


def test_decoding_keeps_places() -> None:
    text = "..a&amp;b&lt;..|c&d|"
    passage = decode(text, [(2, 13, False), (16, 19, True)], Grammar.XML)
    assert passage.text == "a&b<c&d"
    assert passage.range(1, 2) == (3, 8)
    assert passage.range(2, 4) == (8, 13)
    assert passage.range(5, 7) == (17, 19)


def test_anchors_of_any_element_stand_at_their_ids() -> None:
    text = '<a name="n&amp;1"></a><DIV ID=d><svg><g id="Ü"/></svg></DIV><input name="no"><b id="">'
    anchors = html_anchors(page((text, 1000)), "src/a.md")
    assert [(each.id, text[each.span.start - 1000 : each.span.end - 1000]) for each in anchors] == [
        ("n&1", "n&amp;1"),
        ("d", "d"),
        ("Ü", "Ü"),
    ]
    assert {(each.origin, each.span.path) for each in anchors} == {(AnchorOrigin.HTML, "src/a.md")}


def test_an_anchor_named_twice_is_one() -> None:
    assert [each.id for each in html_anchors(page(('<a id="x" name="x"><a id="y" name="z">', 0)), "a.md")] == [
        "x",
        "z",
        "y",
    ]


def test_no_anchor_where_nothing_is_shown() -> None:
    text = '<!-- <i id="a"> --><template><i id="b"><template></template><i id="c"></template><i id="d">'
    assert [each.id for each in html_anchors(page((text, 0)), "a.md")] == ["d"]


def test_places_in_a_quotation_skip_what_marks_it() -> None:
    # > <p
    # >   id="in"
    # > >
    html = Passage(
        '<p\n  id="in"\n>',
        (
            Piece(0, 2, 5, Style.PROSE, True),
            Piece(3, 7, 17, Style.PROSE, True),
            Piece(13, 19, 20, Style.PROSE, True),
        ),
    )
    source = '> <p\n>   id="in"\n> >'
    (anchor,) = html_anchors(html, "a.md")
    assert source[anchor.span.start : anchor.span.end] == "in"


def test_links_reach_from_tag_to_tag() -> None:
    source = 'See <a href=" b.md?x&amp;y ">*that*</a> and <img src=c.png>.'
    html = page(('<a href=" b.md?x&amp;y ">', 4), ("</a>", 35), ("<img src=c.png>", 44))
    link, image = html_links(html, "a.md")

    def characters(span: Span) -> str:
        return source[span.start : span.end]

    assert link.destination == "b.md?x&y"
    assert characters(link.destination_span) == "b.md?x&amp;y"
    assert characters(link.span) == source[4:39]
    assert characters(link.label_span) == "*that*"
    assert (link.form, link.image, link.in_math) == (LinkForm.HTML, False, False)
    assert (image.destination, image.image, characters(image.span)) == ("c.png", True, "<img src=c.png>")


@pytest.mark.parametrize(
    ("html", "destinations"),
    [
        (
            "<svg><a xlink:href='#m'/><a href='#n' xlink:href='#o'/><use href='#u'/><image href=p.png></svg>",
            "#m #n p.png",
        ),
        ("<video src=a><source src=b><track src=c></video><iframe src=d></iframe><area href=e>", "a b c d e"),
        ("<a href=''>x</a><a>y</a><a href>z</a><link href=s.css><script src=s.js></script>", ""),
        ("<a href=a>x<a href=b>y</a>", "a b"),
        ("<a data-href=a>x</a><img data-srcset='a 1x'><template><a href=b></a></template>", ""),
        ("<img src=a srcset='b 1x, c.png 2x,d 300w'><source srcset=e><source srcset='f, g 1.5x'>", "a b c.png d e f g"),
        (
            "<img srcset='https://e.org/a,b.png 1x, data:image/png;base64,QQ== 2x'>",
            "https://e.org/a,b.png data:image/png;base64,QQ==",
        ),
        ("<video src=a poster=' b.png '></video><img poster=c><a srcset='d 1x'>e</a><img srcset=' , '>", "a b.png"),
    ],
)
def test_which_attributes_are_links(html: str, destinations: str) -> None:
    assert [link.destination for link in html_links(page((html, 0)), "a.md")] == destinations.split()


def test_live_events_leave_templates_out_and_keep_the_rest() -> None:
    text = "a<template>b<i></template>c</template>d"
    kept = "".join(text[event.start : event.end] for event in live_events(text))
    assert kept == "a<template></template>c</template>d"


# ── whatever the text ────────────────────────────────────────────────────────────────────────────────────

SHARDS = [
    "<",
    ">",
    "</",
    "/>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "<!DOCTYPE",
    "[",
    "]",
    "'",
    '"',
    "=",
]
SHARDS += [
    "svg",
    "<svg>",
    "</svg>",
    "<style>",
    "</style>",
    "title",
    "p",
    " ",
    "\n",
    "&#x41;",
    "&amp",
    "&",
    "id",
    "é",
    "\0",
]
fragments = st.lists(st.one_of(st.sampled_from(SHARDS), st.text(max_size=3)), max_size=40).map("".join)


@given(fragments, st.sampled_from(Grammar))
def test_events_cover_any_text_in_order(text: str, grammar: Grammar) -> None:
    position = 0
    for event in scan(text, grammar):
        assert event.start == position <= event.end
        position = event.end
        if isinstance(event, StartTag):
            place = event.start + 1 + len(event.name)
            assert text[event.start + 1 : place] == event.name
            for each in event.attributes:
                assert place <= each.start < each.start + len(each.name) <= each.value_start <= each.value_end
                assert text.startswith(each.name, each.start)
                place = each.value_end
            assert place < event.end
    if position < len(text):  # the rest is a tag that is not closed
        assert text[position] == "<"


@given(fragments)
def test_facts_of_any_text_stand_in_it(text: str) -> None:
    html = page((text, 7)) if text else page()
    for anchor in html_anchors(html, "a.md"):
        assert 7 <= anchor.span.start < anchor.span.end <= 7 + len(text)
    for link in html_links(html, "a.md"):
        assert 7 <= link.span.start < link.destination_span.start <= link.destination_span.end < link.span.end
        assert link.span.start < link.label_span.start <= link.label_span.end <= link.span.end


names = st.from_regex(r"[A-Za-z_é][A-Za-z0-9._-]{0,5}", fullmatch=True)
# What XML allows, without the white space that it would replace in values.
characters = st.characters(codec="utf-8", exclude_characters="\r\n\t", exclude_categories=["Cc", "Cs"]).filter(
    lambda each: each not in "\ufffe\uffff"
)
texts = st.text(characters, max_size=8)
trees = st.recursive(
    texts,
    lambda children: st.tuples(names, st.dictionaries(names, texts, max_size=3), st.lists(children, max_size=4)),
    max_leaves=12,
)


def build(tree: object) -> etree._Element:
    name, attributes, children = tree  # type: ignore[misc]
    element = etree.Element(name, attributes)
    for child in children:
        if not isinstance(child, str):
            element.append(build(child))
        elif len(element):
            element[-1].tail = (element[-1].tail or "") + child
        else:
            element.text = (element.text or "") + child
    return element


@given(st.tuples(names, st.dictionaries(names, texts, max_size=3), st.lists(trees, max_size=4)))
def test_well_formed_xml_is_read_as_lxml_wrote_it(tree: object) -> None:
    element = build(tree)
    text = etree.tostring(element, encoding="unicode")
    events = list(scan(text, Grammar.XML))
    assert [
        (event.name, {each.name: each.value for each in event.attributes})
        for event in events
        if isinstance(event, StartTag)
    ] == [(each.tag, dict(each.attrib)) for each in element.iter()]
    runs = [event for event in events if isinstance(event, Text)]
    assert decode(text, runs, Grammar.XML).text == "".join(element.itertext())
    assert not any(isinstance(event, Comment | Doctype) for event in events)
    opened = sum(isinstance(event, StartTag) and not event.self_closing for event in events)
    assert opened == sum(isinstance(event, EndTag) for event in events)


# ── bounded time ─────────────────────────────────────────────────────────────────────────────────────────

BOMBS = {
    "tags that never end": "<a ",
    "quotes that never end": '<a b="',
    "comments that never end": "<!-- ",
    "subsets that never end": "<!DOCTYPE a [<!ENTITY b '",
    "nesting": "<g>",
    "drawings in drawings": "<svg><desc>",
    "ends of nothing": "<svg></desc>",
    "references": "&#1",
    "styles that never end": "<style>",
    "end tags that are none": "</ ",
    "blanks": " ",
}


@pytest.mark.parametrize("grammar", Grammar)
@pytest.mark.parametrize("unit", BOMBS.values(), ids=BOMBS)
def test_hostile_text_does_not_hang(unit: str, grammar: Grammar) -> None:
    for prefix in ("", "<a b='", "<a b "):
        start = time.process_time()
        for _event in scan(prefix + unit * 50_000, grammar):
            pass
        assert time.process_time() - start < HANGS


def test_many_attributes_and_elements_are_read() -> None:
    attributes = " ".join(f"a{number}='{number}'" for number in range(10_000))
    (tag,) = scan(f"<g {attributes}>", Grammar.HTML)
    assert isinstance(tag, StartTag)
    assert len(tag.attributes) == 10_000
    nested: list[Event] = list(scan("<g>" * 10_000 + "</g>" * 10_000, Grammar.XML))
    assert len(nested) == 20_000
