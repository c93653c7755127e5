"""Comments that silence: what each of them governs, and what is said about one that asks for nothing."""

from __future__ import annotations

import time

import pytest
from bounds import HANGS

from lintbook.dialect import Dialect
from lintbook.facts import Facts, Suppression
from lintbook.parse import parse_markdown
from lintbook.parse.summary import parse_summary
from lintbook.parse.svg import parse_svg
from lintbook.text import Source

IGNORE = "<!-- lintbook: ignore[some-rule] why -->"


def page(text: str) -> Facts:
    return parse_markdown(Source("a.md", text), Dialect.MDBOOK)


def governed(text: str, found: tuple[Suppression, ...]) -> list[str]:
    """The text that each suppression silences."""
    return [text[each.scope.start : each.scope.end] for each in found]


@pytest.mark.parametrize(
    ("before", "block", "after"),
    [
        ("# One\n\n{}\n", "text [x](y)\nand more", "\n\nother"),
        ("{}\n\n", "## Heading {#id}", "\n\ntext"),
        ("{}\n", "- one\n- two\n  - three", "\n\ntext"),
        ("{}\n\n", "| a | b |\n|---|---|\n| 1 | 2 |", "\n\ntext"),
        ("{}\n", "> quoted\n> text", "\n\ntext"),
        ("{}\n\n", "```\ncode\n```", "\n\ntext"),
        ("{}\n", "<svg><g/></svg>", "\n\ntext"),
        ("{}\n<!-- another -->\n\n", "text", "\n\nother"),
        ("- one\n- two\n\n  {}\n\n", "  three", "\n- four"),
        ("> {}\n>\n", "> text", "\n\nother"),
    ],
)
def test_on_lines_of_its_own_a_comment_governs_the_next_block(before: str, block: str, after: str) -> None:
    text = before.format(IGNORE) + block + after
    found = page(text).suppressions
    assert governed(text, found) == [block]
    assert (found[0].selector, found[0].reason, found[0].problem) == ("some-rule", "why", None)


@pytest.mark.parametrize("text", ["text\n\n{}\n", "- one\n\n  {}\n- two\n", "> {}\n\ntext"])
def test_where_no_block_follows_on_its_level_it_governs_nothing(text: str) -> None:
    text = text.format(IGNORE)
    assert governed(text, page(text).suppressions) == [""]


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("one\n\ntwo {} three\nfour\n\nfive", "two {} three\nfour"),
        ("# Heading {}\n\ntext", "Heading {}"),
        ("| a {} | b |\n|---|---|\n| 1 | 2 |", "a {}"),
        ("- one {}\n- two", "one {}"),
        ("{} one\n\ntwo", "{} one"),
        ("- {} one\n- two", "{} one"),
    ],
)
def test_inside_text_a_comment_governs_the_block_it_stands_in(text: str, block: str) -> None:
    text = text.format(IGNORE)
    assert governed(text, page(text).suppressions) == [block.format(IGNORE)]


@pytest.mark.parametrize(
    ("text", "element"),
    [
        ("<svg>\n{}\n<g><path/></g><g/></svg>", "<g><path/></g>"),
        ("<svg>\n<g>{}<path/></g><path/></svg>", "<path/>"),
        ("<div>\n{}\n<img src=x><img src=y>\n</div>", "<img src=x>"),
        ("<svg>\n<g>{}</g><path/></svg>", ""),
        ("<div>{}\n<p>never closed", "<p>never closed"),
    ],
)
def test_between_tags_a_comment_governs_the_next_element(text: str, element: str) -> None:
    text = text.format(IGNORE)
    assert governed(text, page(text).suppressions) == [element]


def test_an_svg_file_is_silenced_alike() -> None:
    text = f"<?xml version='1.0'?>\n{IGNORE}\n<svg xmlns='http://www.w3.org/2000/svg'>{IGNORE}<g/><path/></svg>\n"
    found = parse_svg(Source("a.svg", text)).suppressions
    assert governed(text, found) == [text[text.index("<svg") : -1], "<g/>"]


def test_the_navigation_is_silenced_alike() -> None:
    text = f"# Summary\n\n{IGNORE}\n\n- [a](a.md)\n- [b](b.md)\n"
    assert governed(text, parse_summary(Source("SUMMARY.md", text)).suppressions) == ["- [a](a.md)\n- [b](b.md)"]


def test_a_rule_is_off_from_disable_to_enable_or_to_the_end() -> None:
    text = (
        "one\n\n<!-- lintbook: disable[a, b] why -->\n\ntwo\n\n"
        "<!-- lintbook: enable[a] -->\n\nthree <!-- lintbook: disable[a] --> four\n\n<!-- lintbook: enable -->\n\nfive"
    )
    found = page(text).suppressions
    assert [each.selector for each in found] == ["a", "b", "a"]
    first, second, third = governed(text, found)
    assert first == "\n\ntwo\n\n"
    assert second.startswith("\n\ntwo") and second.endswith("four\n\n")
    assert third == " four\n\n"
    endless = "one <!-- lintbook: disable[a] -->"
    (only,) = page(endless).suppressions
    assert only.scope.end > len(endless)  # a finding may stand at the very end


def test_a_file_is_ignored_from_wherever_that_stands() -> None:
    text = "one\n\n<!-- lintbook: ignore-file[a] old text -->\n"
    (only,) = page(text).suppressions
    assert (only.scope.start, only.scope.end, only.reason) == (0, len(text) + 1, "old text")


def test_every_selector_has_its_place() -> None:
    text = "one <!-- lintbook: ignore[some-rule, BOX001 ] -->"
    found = page(text).suppressions
    assert [text[each.selector_span.start : each.selector_span.end] for each in found] == ["some-rule", "BOX001"]
    crlf = "\ufeff# 一\r\n\r\n> <!-- lintbook: ignore[甲] -->\r\n> 文\r\n"
    (only,) = page(crlf).suppressions
    assert crlf[only.selector_span.start : only.selector_span.end] == "甲"
    assert governed(crlf, (only,)) == ["> 文"]


@pytest.mark.parametrize(
    ("comment", "problem"),
    [
        ("lintbook: ignore", "`ignore` names no rule: write `ignore[rule-name] reason`"),
        ("lintbook: ignore[] why", "`ignore` names no rule: write `ignore[rule-name] reason`"),
        ("lintbook: ignore broken-link", "`ignore` names no rule: write `ignore[rule-name] reason`"),
        ("lintbook: disable", "`disable` names no rule: write `disable[rule-name] reason`"),
        ("lintbook: ignore-file", "`ignore-file` names no rule: write `ignore-file[rule-name] reason`"),
        ("lintbook: ignore[ALL] why", "`ignore[ALL]` would hide what nobody has looked at: name rules or families"),
        ("lintbook: ignroe[a]", "`ignroe` is nothing that lintbook does; did you mean `ignore`?"),
        ("lintbook-ignore a", "a suppression is written `lintbook: ignore[rule-name] reason`"),
        ("lintbook disable[a]", "a suppression is written `lintbook: disable[rule-name] reason`"),
        ("lintbook: enable[a]", "`enable[a]` follows no `disable[a]`"),
    ],
)
def test_what_asks_for_nothing_is_told(comment: str, problem: str) -> None:
    for text in (f"<!-- {comment} -->\n\ntext", f"text <!-- {comment} -->"):
        (only,) = page(text).suppressions
        assert only.problem == problem


@pytest.mark.parametrize(
    "text",
    [
        "<!-- lintbook is run on this book -->\n\ntext",
        "<!-- checked by lintbook: yes -->",
        "`<!-- lintbook: ignore[a] -->`",
        "```\n<!-- lintbook: ignore[a] -->\n```",
        "    <!-- lintbook: ignore[a] -->",
        "<!-- = kv @lintbook -->",
    ],
)
def test_other_comments_and_code_silence_nothing(text: str) -> None:
    assert page(text).suppressions == ()


def test_very_many_comments_take_no_more_than_their_share_of_time() -> None:
    start = time.process_time()
    page(f"{IGNORE}\n" * 5_000 + "text")
    page(f"text {IGNORE} " * 3_000)
    page("<div>\n" + f"<g>{IGNORE}\n" * 5_000)
    assert time.process_time() - start < HANGS
