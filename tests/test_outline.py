"""The outline of a page."""

from __future__ import annotations

from lintbook.dialect import Dialect
from lintbook.outline import Outline
from lintbook.parse import parse_markdown
from lintbook.text import Source

PAGE = """\
# 第 2 讲 循环

开头。

## 2.1 递推

### 定义 2.1.1（隐状态）

正文。

#### 2.1.2 细节

#### 1. 步骤

##### 1.1 第一步

## 练习

题目。
"""


def outline(text: str, *, named: bool = False) -> Outline:
    return Outline(parse_markdown(Source("page.md", text), Dialect.MDBOOK), named)


def test_numbered_headings_are_sections_and_titles_of_boxes_and_items_are_none() -> None:
    sections = outline(PAGE).sections
    assert [str(section.number) for section in sections] == ["2", "2.1", "2.1.2", "1.1"]
    assert [str(section.parent.number) if section.parent else None for section in sections] == [None, "2", "2.1", "2.1"]
    assert [section.item.text if section.item else None for section in sections] == [None, None, None, "1. 步骤"]
    assert [section.rooted for section in sections] == [True, True, True, False]


def test_a_place_stands_in_the_innermost_section_that_is_open() -> None:
    found = outline(PAGE)

    def at(words: str) -> str | None:
        section = found.at(PAGE.index(words))
        return str(section.number) if section else None

    assert (at("# 第"), at("开头"), at("正文"), at("题目")) == (None, "2", "2.1", "2")


def test_numbers_below_an_unnumbered_title_are_the_book_s_if_the_navigation_names_the_page() -> None:
    text = "# Attention\n\n## 2.4.1 Motivation\n\n## 2.4.2 Scores\n"
    assert [section.rooted for section in outline(text).sections] == [False, False]
    assert [section.rooted for section in outline(text, named=True).sections] == [True, True]


def test_a_page_without_numbers_has_no_sections() -> None:
    found = outline("# Notes\n\n## 七、注意力\n\ntext\n")
    assert found.sections == ()
    assert found.at(10) is None
