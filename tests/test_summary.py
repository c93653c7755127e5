"""SUMMARY.md as mdBook reads it; the chapters are compared with those that mdBook itself finds."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from posixpath import normpath
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from lintbook.facts import Chapter, ChapterForm
from lintbook.parse.summary import parse_summary
from lintbook.text import Source

MDBOOK = shutil.which("mdbook", path=str(Path(sys.executable).parent)) or shutil.which("mdbook")

Row = tuple[str, str, str, int]  # form, title, destination, depth

ALL_FORMS = """\
# Contents

[Preface](preface.md)
[Thanks](thanks.md)

---

# Part *one*

- [Sets](sets.md)
    - [**Maps** and `images`](./sets/maps.md)
        - [Not yet]()
    - [Orders](sets/orders.md)

---

* [Groups](<my groups.md>)
* [Rings](my%20rings.md "a title")

# 第二部分

1. [环](环&amp;域.md)
   1. [Fields][fields]

[Index](index%2Ea.md) [Names](names\\_of.md)

[fields]: fields.md
"""

ACCEPTED = {
    "all forms": ALL_FORMS,
    "CRLF": ALL_FORMS.replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + ALL_FORMS,
    "no title": "[A](a.md)\n\n- [B](b.md)\n",
    "comments": "<!-- 1 -->\n# T\n\n- [A](a.md)\n<!-- 2 -->\n- [B](b.md)\n  - [C](c.md)\n"
    "<!-- 3 -->\n  - [D](d.md)\n",
    "a rule ends a list": "- [A](a.md)\n---\n  - [B](b.md)\n",
    "tabs": "- [A](a.md)\n\t- [B](b.md)\n\t\t- [C](c.md)\n\t- [D](d.md)\n",
    "creeping indents": "- [A](a.md)\n - [B](b.md)\n  - [C](c.md)\n   - [D](d.md)\n    - [E](e.md)\n",
    "text behind a link": "- [A](a.md) and [B](b.md)\n\n  or [C](c.md)\n  - [D](d.md)\n",
    "lazy lines": "- [A](a.md)\n[B](b.md)\n\n[C](c.md)\n",
    "lower headings": "## [A](a.md)\n\n- [B](b.md)\n\n## [C](c.md)\n\n- [D](d.md)\n",
    "underlined": "Title\n=====\n\n[A](a.md)\n\n- [B](b.md)\n\n[C](c.md)\n---\n\n[D](d.md)\n",
    "a paragraph under a part title": "# T\n\n# Part\n\n[A](a.md)\n\n- [B](b.md)\n",
    "emphasis and images before the lists": "**[A](a.md)** ![B](b.png)\n\n- [C](c.md)\n",
    "code and quotations": "- [A](a.md)\n\n```\n[B](b.md)\n```\n\n> [C](c.md)\n\n- [D](d.md)\n",
    "a marker alone": "-\n  [A](a.md)\n- [B](b.md)\n",
    "a line break in a title": "- [A\n  b](a.md)\n",
    "a fragment": "- [A](a.md#part)\n",
    "nothing": "",
}  # fmt: skip


def ours(text: str) -> list[Row]:
    return [
        (
            chapter.form.value,
            chapter.title,
            normpath(chapter.destination) if chapter.destination else "",
            chapter.depth,
        )
        for chapter in parse_summary(Source("SUMMARY.md", text)).chapters
    ]


def theirs(folder: Path, text: str) -> list[Row]:
    """Return the chapters that mdBook hands to a renderer; those without number have their form by place."""
    assert MDBOOK is not None
    (folder / "src").mkdir()
    (folder / "src/SUMMARY.md").write_text(text, encoding="utf-8", newline="")
    command = f'{sys.executable} -c \'import sys; open("list.json", "wb").write(sys.stdin.buffer.read())\''
    (folder / "book.toml").write_text(f"[output.list]\ncommand = '''{command}'''\n", encoding="utf-8")
    subprocess.run([MDBOOK, "build", "-d", folder / "out", folder], check=True, capture_output=True)
    (listed,) = folder.glob("out/**/list.json")
    rows: list[Row] = []
    numbered = [False]

    def walk(items: list[Any], depth: int) -> None:
        for item in items:
            if item == "Separator":
                continue
            if "PartTitle" in item:
                numbered[0] = True
                rows.append(("part", item["PartTitle"], "", 0))
                continue
            chapter = item["Chapter"]
            numbered[0] = numbered[0] or bool(chapter["number"])
            form = "numbered" if chapter["number"] else "suffix" if numbered[0] else "prefix"
            rows.append((form, chapter["name"], chapter["source_path"] or "", depth))
            walk(chapter["sub_items"], depth + 1)

    walk(json.loads(listed.read_text(encoding="utf-8"))["book"]["items"], 0)
    return rows


@pytest.mark.skipif(MDBOOK is None, reason="mdBook is not installed")
@pytest.mark.parametrize("name", ACCEPTED)
def test_chapters_are_those_that_mdbook_finds(tmp_path: Path, name: str) -> None:
    assert ours(ACCEPTED[name]) == theirs(tmp_path, ACCEPTED[name])


def test_all_forms() -> None:
    assert ours(ALL_FORMS) == [
        ("prefix", "Preface", "preface.md", 0),
        ("prefix", "Thanks", "thanks.md", 0),
        ("part", "Part one", "", 0),
        ("numbered", "Sets", "sets.md", 0),
        ("numbered", "Maps and images", "sets/maps.md", 1),
        ("numbered", "Not yet", "", 2),
        ("numbered", "Orders", "sets/orders.md", 1),
        ("numbered", "Groups", "my groups.md", 0),
        ("numbered", "Rings", "my rings.md", 0),
        ("part", "第二部分", "", 0),
        ("numbered", "环", "环&域.md", 0),
        ("numbered", "Fields", "fields.md", 1),
        ("suffix", "Index", "index%2Ea.md", 0),
        ("suffix", "Names", "names_of.md", 0),
    ]


@pytest.mark.parametrize("name", ["all forms", "CRLF", "byte order mark"])
def test_places_are_those_of_the_destinations_as_written(name: str) -> None:
    text = ACCEPTED[name]
    written = [text[chapter.span.start : chapter.span.end] for chapter in parse_summary(Source("s", text)).chapters]
    assert written == [
        "preface.md", "thanks.md", "Part *one*", "sets.md", "./sets/maps.md", "Not yet", "sets/orders.md",
        "my groups.md", "my%20rings.md", "第二部分", "环&amp;域.md",
        "fields.md", "index%2Ea.md", "names\\_of.md",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("- A title\n- [B](b.md)\n", ["B"]),
        ("- **[A](a.md)**\n- [B](b.md)\n", ["B"]),
        ("- - [A](a.md)\n", []),
        ("- [A](a.md)\n\n[B](b.md)\n\n- [C](c.md)\n", ["A", "B", "C"]),
        ("- [A](a.md)\n- [A](a.md)\n", ["A", "A"]),
        ("[A](/a.md", []),
        ("- [A]\n- [](b.md)\n", [""]),
    ],
)
def test_what_mdbook_refuses_is_read_as_far_as_it_goes(text: str, titles: list[str]) -> None:
    assert [chapter.title for chapter in parse_summary(Source("SUMMARY.md", text)).chapters] == titles


def test_a_comment_records_redirects() -> None:
    text = "- [A](a.md)\n\n<!-- redirects\nold.md#def-2-1 -> a.md#def-2.1\n\n  my old.md ->  a.md\nno redirect\n-->\n"
    facts = parse_summary(Source("src/SUMMARY.md", text))
    assert facts.chapters == (Chapter(facts.chapters[0].span, "A", "a.md", 0, ChapterForm.NUMBERED),)
    assert [(redirect.source, redirect.target) for redirect in facts.redirects] == [
        ("old.md#def-2-1", "a.md#def-2.1"),
        ("my old.md", "a.md"),
    ]
    for redirect in facts.redirects:
        assert text[redirect.span.start : redirect.span.end] == redirect.source
        assert text[redirect.target_span.start : redirect.target_span.end] == redirect.target


def test_other_comments_record_nothing() -> None:
    assert parse_summary(Source("s", "<!-- a.md -> b.md\n-->\n")).redirects == ()


NO_LINK = "the link items for nested chapters must only contain a hyperlink"
BEHIND_SUFFIX = "suffix chapters cannot be followed by a list"

REFUSED = {
    "text": ("- A title\n- [B](b.md)\n", [("A title", NO_LINK)]),
    "a strong link": ("- **[A](a.md)**\n", [("**[A](a.md)**", NO_LINK)]),
    "an image": ("- ![A](a.png)\n", [("![A](a.png)", NO_LINK)]),
    "a list in a list": ("- - [A](a.md)\n", [("- - [A](a.md)", NO_LINK)]),
    "nothing": ("- [A](a.md)\n-\n", [("-", NO_LINK)]),
    "code": ("-     [A](a.md)\n", [("-     [A](a.md)", NO_LINK)]),
    "a heading": ("- # [A](a.md)\n", [("- # [A](a.md)", NO_LINK)]),
    "a list behind suffix chapters": ("- [A](a.md)\n\n[B](b.md)\n\n- [C](c.md)\n", [("[C](c.md)", BEHIND_SUFFIX)]),
    "a part behind suffix chapters": ("- [A](a.md)\n\n[B](b.md)\n\n# Part\n", [("Part", BEHIND_SUFFIX)]),
}


def refusals(text: str) -> list[tuple[str, str]]:
    """Return what of ``text`` is refused, first line of each place, and why."""
    found = parse_summary(Source("SUMMARY.md", text)).refusals
    return [(text[each.span.start : each.span.end].split("\n", maxsplit=1)[0], each.reason) for each in found]


@pytest.mark.skipif(MDBOOK is None, reason="mdBook is not installed")
@pytest.mark.parametrize("name", REFUSED)
def test_what_mdbook_refuses_is_told_in_its_words(tmp_path: Path, name: str) -> None:
    text, expected = REFUSED[name]
    assert refusals(text) == expected
    with pytest.raises(subprocess.CalledProcessError) as refused:
        theirs(tmp_path, text)
    assert expected[0][1] in refused.value.stderr.decode().lower()


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_mdbook_accepts_is_not_refused(name: str) -> None:
    assert refusals(ACCEPTED[name]) == []


LINE = some.sampled_from(
    [
        *("- [A](@)", "- [A](@)", "  - [B](@)", "    - [C](@)", "- [D]()", "  - text", "- text [A](@)", "- **[A](@)**"),
        *("- [A](@) tail", "-", "- `c`", "[E](@)", "\n[E](@)\n", "# Part", "\n# Part\n", "## Sub", "---", "\n---\n"),
        *("<!-- c -->", "\n<!-- c -->\n", "text", "```\n- code\n```", "- [A](@)\n\n> - [Q](@@)\n", "", "![i](i.png)"),
    ]
)


@pytest.mark.skipif(MDBOOK is None, reason="mdBook is not installed")
@given(some.lists(LINE, min_size=2, max_size=9))
@settings(max_examples=100, deadline=None)
def test_any_summary_is_accepted_or_refused_as_mdbook_does_it(lines: list[str]) -> None:
    named = [line.replace("@@", f"q{n}.md").replace("@", f"p{n}.md") for n, line in enumerate(lines)]
    text = "".join(f"{line}\n" for line in named)
    with tempfile.TemporaryDirectory() as folder:
        try:
            accepted = theirs(Path(folder), text)
        except subprocess.CalledProcessError:
            assert refusals(text), text
            return
    assert refusals(text) == [], text
    assert ours(text) == accepted, text


@given(
    some.lists(
        some.sampled_from(["- ", "* ", "1. ", "  ", "\t", "[a](b.md)", "[c]()", "# ", "> ", "\n", "\n\n", "---", "x"])
    )
)
def test_any_text_gives_chapters_in_its_order(parts: list[str]) -> None:
    text = "".join(parts)
    chapters = parse_summary(Source("SUMMARY.md", text)).chapters
    assert len([chapter for chapter in chapters if chapter.destination]) <= text.count("[a](b.md)")
    starts = [chapter.span.start for chapter in chapters]
    assert starts == sorted(starts)
    depth = -1
    for chapter in chapters:
        assert chapter.depth <= max(depth, -1) + 1
        depth = chapter.depth
