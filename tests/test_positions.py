"""Places are exact: against pulldown-cmark's offsets, and under transforms that move every place by a known amount."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import Place, places_by_lintbook, places_by_pulldown, places_of

from lintbook.dialect import Dialect
from lintbook.facts import Facts
from lintbook.parse import grammar, markdown, parse_markdown
from lintbook.parse.blocks import TextBlock
from lintbook.parse.grammar import MAX_CONTENT, MAX_NESTING
from lintbook.parse.markdown import read
from lintbook.text import Source, Span

FIXTURES = Path(__file__).parent.parent / "fixtures"
TREES = [FIXTURES, *map(Path, filter(None, os.environ.get("LINTBOOK_TREES", "").split(os.pathsep)))]


def pages() -> Iterator[Path]:
    for tree in TREES:
        yield from sorted(tree.rglob("*.md"))


def text_of(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None


@pytest.mark.parametrize("path", list(pages()), ids=lambda path: str(path)[-60:])
def test_places_agree_with_pulldown(path: Path) -> None:
    text = text_of(path)
    if text is None:
        pytest.skip("not UTF-8")
    theirs, ours = places_by_pulldown(text), places_by_lintbook(Source(path.name, text))
    lines = text.split("\n")
    only_theirs = [place for place in theirs - ours if not _is_underlined_formula(place, lines)]
    assert only_theirs == []
    assert list(ours - theirs) == []


def _is_underlined_formula(place: Place, lines: list[str]) -> bool:
    """The one difference that is wanted: a line `=` inside `$$ … $$` makes no heading of the formula."""
    if not re.fullmatch("h[12]", place.what):
        return False
    paragraph = []
    for line in lines[place.start :]:
        if not line.strip():
            break
        paragraph.append(line)
    return "$$" in "\n".join(paragraph) and any(re.fullmatch(r"\s*(=+|-+)\s*", line) for line in paragraph)


def spans_of(facts: object, found: dict[str, list[Span]], name: str = "") -> dict[str, list[Span]]:
    """All spans of facts, however deep, by the way that leads to them."""
    if isinstance(facts, Span):
        found.setdefault(name, []).append(facts)
    elif isinstance(facts, tuple):
        for item in facts:
            spans_of(item, found, name)
    else:
        for field in getattr(type(facts), "__struct_fields__", ()):
            spans_of(getattr(facts, field), found, f"{name}.{field}")
    return found


def shown(text: str) -> dict[str, list[str]]:
    """What stands at every span of the facts of a page."""
    facts = parse_markdown(Source("page.md", text), Dialect.MDBOOK)
    return {name: [text[span.start : span.end] for span in spans] for name, spans in spans_of(facts, {}).items()}


def places(text: str) -> dict[str, list[tuple[int, int]]]:
    facts: Facts = parse_markdown(Source("page.md", text), Dialect.MDBOOK)
    return {name: [(span.start, span.end) for span in spans] for name, spans in spans_of(facts, {}).items()}


def move(text: str, offsets: Callable[[int], int]) -> dict[str, list[tuple[int, int]]]:
    """Where every fact of ``text`` must stand after its characters were moved; an end moves with its last character."""
    return {
        name: [(offsets(start), offsets(end - 1) + 1 if end > start else offsets(start)) for start, end in spans]
        for name, spans in places(text).items()
    }


def prefixed(text: str, first: str, other: str) -> tuple[str, Callable[[int], int]]:
    """Put ``first`` before the first line and ``other`` before the rest; empty lines get it without its blanks."""
    result, starts, moved = "", [], []
    offset = 0
    for number, line in enumerate(text.splitlines(keepends=True)):
        mark = first if number == 0 else other
        if not line.strip():
            mark = mark.rstrip()
        result += mark
        starts.append(offset)
        moved.append(len(result))
        result += line
        offset += len(line)

    def offsets(place: int) -> int:
        line = max(index for index, start in enumerate(starts) if start <= place)
        return moved[line] + place - starts[line]

    return result, offsets


PAGE = """\
# 2.2 循环网络 {#sec-2.2}

**定义 2.2.1（隐状态）** 见 [定理 2.2.2](other.md#thm-2.2.2)，*强调* 与 `码`，定理 2.2.3、2.2.4。

一段 `代码 x` 之后 4 GiB<!--= kv n=1 --> 与 **定理 2.4.1** 及 ![图](a.png "题")。

| 名称 | 数值 |
|---|---|
| [一](1.md) `a\\|b` \\| 后 | 定义 2.2.1 与 $x$ 5 MB<!--= f --> |

- 项 [三](3.md#x)

  > 引 [四](<4 5.md>) <span id="s">文</span>

### 例 2.2.9（名） {#ex-2.2.9}

<div id="here">
<svg><path marker-end="url(#mk)"/></svg>
</div>

[一]: two.md#y "题"
见 [一] 与 {{#include part.md:2}}。
"""


def test_page_has_facts_of_every_kind_that_is_moved() -> None:
    found = shown(PAGE)
    assert found[".boxes.span"] == ["定义 2.2.1", "例 2.2.9"]
    assert found[".boxes.anchor.span"] == ["ex-2.2.9"]
    assert found[".links.destination_span"][:3] == ["other.md#thm-2.2.2", "a.png", "1.md"]
    assert found[".links.destination_span"][-1] == "two.md#y"
    assert found[".references.span"] == ["定理 2.2.2", "定理 2.2.3", "2.2.4", "定理 2.4.1", "定义 2.2.1"]
    assert found[".claims.span"] == ["<!--= kv n=1 -->", "<!--= f -->"]
    assert found[".anchors.span"] == ["sec-2.2", "s", "ex-2.2.9", "here"]
    assert found[".figures.uses.span"] == ["mk"]
    assert found[".includes.path_span"] == ["part.md"]


@pytest.mark.parametrize(
    ("first", "other"),
    [("> ", "> "), ("- ", "  "), ("12. ", "    "), ("> - ", ">   "), ("- > ", "  > ")],
    ids=["quotation", "list", "ordered list", "list in quotation", "quotation in list"],
)
def test_containers_move_every_place(first: str, other: str) -> None:
    moved, offsets = prefixed(PAGE, first, other)
    assert places(moved) == move(PAGE, offsets)


def test_tab_behind_a_list_marker_moves_every_place() -> None:
    moved, offsets = prefixed(PAGE, "-\t", "    ")
    assert places(moved) == move(PAGE, offsets)


def test_line_endings_move_every_place_by_the_lines_before_it() -> None:
    moved = PAGE.replace("\n", "\r\n")
    assert places(moved) == move(PAGE, lambda place: place + PAGE.count("\n", 0, place))
    assert places(PAGE.replace("\n", "\r")) == places(PAGE)


def test_byte_order_mark_moves_every_place_by_one() -> None:
    assert places("\ufeff" + PAGE) == move(PAGE, lambda place: place + 1)


def test_columns_do_not_count_the_byte_order_mark() -> None:
    plain, marked = Source("a", "见 [x](y)"), Source("a", "\ufeff见 [x](y)")
    assert plain.position(2) == marked.position(3) == (1, 3)


CELL = "[一](1.md) 与 定理 2.2.3、2.2.4，`码` 4 GiB<!--= kv --> <b id='i'>粗</b> &amp; \\* **定义 2.4.1**"


def test_table_cell_moves_every_place() -> None:
    before = "| 甲 `a\\|b` |  "
    table = f"| 一 | 二 | 三 |\n|---|---|---|\n{before}{CELL} | \\| |\n"
    start = table.index(CELL)
    found = {name: spans for name, spans in places(table).items() if name != ".headings.span"}
    expected = move(CELL, lambda place: place + start)
    # A strong span that begins a paragraph declares a box; a cell declares none.
    assert found[".references.span"] == expected[".references.span"]
    assert found[".links.destination_span"] == expected[".links.destination_span"]
    assert found[".claims.span"] == expected[".claims.span"]
    assert found[".anchors.span"] == expected[".anchors.span"]


def test_escaped_pipe_shifts_what_follows_it_in_its_cell() -> None:
    table = "| a | b |\n|---|---|\n| x \\| `p\\|q` [l](m.md) | 定理 2.4.1 |\n"
    assert shown(table)[".links.destination_span"] == ["m.md"]
    assert shown(table)[".references.span"] == ["定理 2.4.1"]


def test_too_deep_nesting_is_said() -> None:
    deep = "> " * (MAX_NESTING + 5) + "[x](y.md)\n\n[z](w.md)\n"
    reading = read(Source("deep.md", deep))
    assert [(trouble.line, trouble.message) for trouble in reading.troubles] == [
        (1, f"nested deeper than {MAX_NESTING} levels: the text there is not checked")
    ]
    assert [link.destination for block in reading.blocks for link in block.links] == ["w.md"]


def _list(depth: int) -> str:
    """Lists in one another, the innermost with a link, and a link in each of the two outermost behind them."""
    inner = "".join("  " * level + f"- {level}\n" for level in range(depth - 1))
    return inner + "  " * (depth - 1) + "- [in](deep.md)\n  - [beside](b.md)\n- [behind](c.md)\n\n[below](d.md)\n"


def _notes(depth: int) -> str:
    """Footnote definitions in one another; a link as in lists, in the outermost two."""
    inner = "".join("    " * level + f"[^{level}]: {level}\n\n" for level in range(depth - 1))
    innermost = "    " * (depth - 1) + f"[^{depth}]: [in](deep.md)\n\n"
    return inner + innermost + "    [^x]: [beside](b.md)\n\n[^y]: [behind](c.md)\n\n[below](d.md)\n"


# A list has two levels, for itself and its item; a definition has one, and what stands in them must be on one more.
@pytest.mark.parametrize(("write", "levels"), [(_list, 2), (_notes, 1)])
def test_what_is_too_deep_is_passed_over_and_nothing_beside_it(write: Callable[[int], str], levels: int) -> None:
    beside = ["b.md", "c.md", "d.md"]
    deepest = read(Source("deep.md", write((MAX_NESTING - 1) // levels)))
    assert deepest.troubles == []
    assert [link.destination for block in deepest.blocks for link in block.links] == ["deep.md", *beside]
    cut = read(Source("deep.md", write(MAX_NESTING // levels + 20)))
    assert len(cut.troubles) == 1
    assert [link.destination for block in cut.blocks for link in block.links] == beside


@pytest.mark.parametrize("control", ["\x1c", "\x1f", "\x85", "\u2028"])
def test_term_that_ends_in_a_control_sign(control: str) -> None:
    text = f"ab\n: c\n\n定理 2.1{control}{control}\n: d\n"
    assert [text[slice(*block.span)] for block in read(Source("t.md", text)).blocks] == ["ab", "c", "定理 2.1", "d"]


def test_too_long_paragraph_is_said() -> None:
    long = "x" * (MAX_CONTENT + 1) + "\n\n[z](w.md)\n"
    reading = read(Source("long.md", long))
    assert len(reading.troubles) == 1
    assert reading.troubles[0].line == 1
    assert [link.destination for block in reading.blocks for link in block.links] == ["w.md"]


def test_passage_ties_every_character_to_its_place() -> None:
    source = Source("p.md", "> 甲 *乙* `丙丁` &amp; $x_1$ [戊](f.md)\n> 己\n")
    passage = read(source).blocks[0].passage
    assert passage.text == "甲 乙 丙丁 & x_1 戊\n己"
    for character in "甲乙丙丁戊己_1":
        assert source.text[passage.place(passage.text.index(character))] == character
    assert source.text[slice(*passage.range(passage.text.index("&"), passage.text.index("&") + 1))] == "&amp;"


def test_places_of_counts_what_it_is_asked_for() -> None:
    """The comparison can fail: a reading of another text has other places."""
    source = Source("p.md", "a `b` [c](d)\n")
    other = Source("p.md", "a  `b` [c](d)\n")
    assert places_of(source, read(source)) == places_by_pulldown(source.text)
    assert places_of(other, read(other)) != places_by_pulldown(source.text)


@pytest.mark.parametrize("marker", ["-\t", "1.\t", "> -\t"])
def test_raw_html_behind_a_tab_keeps_its_places(marker: str) -> None:
    """A list uses a part of the tab; the parser hands on the rest of it as blanks."""
    inner = "> \t" if marker.startswith(">") else "\t"
    empty = ">\n" if marker.startswith(">") else "\n"
    text = (
        f'{marker}Figure:\n{empty}{inner}<svg>\n{inner}<path marker-end="url(#mk)"/>\n{inner}</svg>\n{empty}'
        f'{inner}<img src="w.png">\n\nEnd.\n'
    )
    found = shown(text)
    assert found[".figures.uses.span"] == ["mk"]
    assert found[".links.destination_span"] == ["w.png"]


def test_a_line_break_in_a_code_span_is_a_blank_for_the_reader() -> None:
    (block,) = read(Source("page.md", "> a `the\r\n> commit` b\n"), Dialect.MDBOOK).blocks
    assert block.passage.text == "a the commit b"
    assert [block.passage.place(index) for index in (2, 5, 6)] == [5, 8, 12]
    assert [text for _, _, text in block.passage.code_spans()] == ["the commit"]


_PARTS = st.sampled_from(
    [
        *(
            "\\",
            "\\(",
            "\\alpha",
            "\\$",
            "\\*",
            "a",
            "3",
            "é",
            "中",
            "b ",
            " ",
            "\n",
            "$",
            "{",
            "}",
            "(",
            ")",
            ".",
            "--",
        ),
        *(
            "_",
            "__",
            "_{i}",
            "*",
            "**",
            "~",
            "~~",
            "`",
            "!",
            "[",
            "]",
            "](u)",
            "![i](p)",
            "[^n]",
            "&",
            "&amp;",
            "&#35;",
        ),
        *("<", "<b>", "</b>", "<http://a.b>", "<1@x.y>", "<!-- c -->", "|", "/"),
    ]
)


@given(st.lists(_PARTS, max_size=20).map("".join))
def test_what_is_passed_over_as_text_begins_no_markup(text: str) -> None:
    """Backslashes before letters, underscores in words and the like are not tried: all of them yield the same."""
    seen = [_shown(block) for block in read(Source("page.md", text)).blocks]
    every, label = re.compile(r"[\n\\`~*_\[!<&]"), re.compile(r"[\n\\`~*_\[!<&\]]")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grammar, "MARKUP", every)
        patch.setattr(markdown, "MARKUP", every)
        patch.setattr(grammar, "_LABEL_MARKUP", label)
        assert [_shown(block) for block in read(Source("page.md", text)).blocks] == seen


def _shown(block: TextBlock) -> object:
    return (block.span, block.passage.text, block.strong, block.links, block.comments, block.footnotes)


def test_a_backslash_before_a_letter_stands_in_the_text_where_it_is() -> None:
    (block,) = read(Source("page.md", "*a* \\beta **c**")).blocks
    assert block.passage.text == "a \\beta c"
    assert [block.passage.place(index) for index in range(2, 7)] == [4, 5, 6, 7, 8]
