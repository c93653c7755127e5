"""The differential test: pages, ids and links of books are those that the real mdBook makes of them.

``LINTBOOK_MDBOOKS`` may name more books, the folders of their project files separated by colons. They are built without
the preprocessors, themes and style sheets of their own, which are no part of mdBook.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as some
from mdbook import build, built_pages, built_ways, page_ids, the_book, ways

from lintbook.book import Book

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "fixtures" / "books"
REFUSED = FIXTURES / "pages-refused"
BOOKS = [*sorted(path.parent for path in FIXTURES.rglob("book.toml") if path.parent != REFUSED), ROOT / "rules"]
MORE = [Path(path) for path in os.environ.get("LINTBOOK_MDBOOKS", "").split(":") if path]
# What makes a build ask for programs and files that are not part of mdBook, and settings of older ones.
_EXTRAS = re.compile(
    r"^\[preprocessor\..*?(?=^\[|\Z)|^additional-(?:css|js)\s*=\s*\[.*?\]|"
    r"^(?:theme|git-repository-icon|multilingual|curly-quotes)\s*=[^\n]*",
    re.MULTILINE | re.DOTALL,
)


def compare(folder: Path, work: Path) -> None:
    """Build a copy of the book in ``folder`` below ``work``; assert that lintbook sees what mdBook made."""
    copy, out = work / "book", work / "out"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git", "target", "book"))
    project = copy / "book.toml"
    project.write_text(_EXTRAS.sub("", project.read_text(encoding="utf-8")), encoding="utf-8")
    done = build(copy, out)
    assert done.returncode == 0, done.stderr
    assert_same(the_book(copy), out)


def assert_same(book: Book, out: Path) -> None:
    """Assert that ``book`` has the pages, ids and links of what mdBook wrote to ``out``."""
    theirs, ours = built_pages(out), page_ids(book)
    # The first chapter stands there once more as the index; of a missing chapter mdBook makes an empty page.
    added = {
        address for address in theirs.keys() - ours.keys() if address == "index.html" or book.is_published(address)
    }
    # A chapter spelt in another case than its file is that file for lintbook, which reports it, and none for mdBook.
    named = {path for _, path in book.chapters}
    misspelt = {book.addresses(path)[0] for path in book.rendered - named}
    ids = {address: sorted(page.ids) for address, page in theirs.items() if address not in added}
    assert ids == {address: found for address, found in ours.items() if address not in misspelt}
    links = {way for way in built_ways(out, theirs) if way.page not in added and way.target not in misspelt}
    seen = {way for way in ways(book) if misspelt.isdisjoint((way.page, way.target))}
    assert (links - seen, seen - links) == (set(), set())


@pytest.mark.parametrize("folder", [*BOOKS, *MORE], ids=lambda folder: folder.name)
def test_books_are_what_mdbook_makes_of_them(folder: Path, tmp_path: Path) -> None:
    compare(folder, tmp_path)


def test_mdbook_refuses_what_lintbook_says_it_refuses(tmp_path: Path) -> None:
    """One reason is taken out after the other; without any the book is built."""
    book = tmp_path / "book"
    shutil.copytree(REFUSED, book)
    reasons = [
        ("src/SUMMARY.md", "  - Sums\n", "", "must only contain a hyperlink"),
        ("src/SUMMARY.md", "- [Behind the suffix](late.md)\n", "", "Suffix chapters cannot be followed by a list"),
        ("src/SUMMARY.md", "- [Limits once more](limits.md)\n", "", "Duplicate file in SUMMARY.md"),
        ("book.toml", '"/limits.html" = "sums.html"\n', "", "redirect found for existing chapter"),
        ("book.toml", '"/old.html#a"', '"/old.html"', "only has source paths with `#` fragments"),
    ]
    for path, old, new, reason in reasons:
        refused = build(book, tmp_path / "out")
        assert refused.returncode != 0
        assert reason in refused.stderr
        file = book / path
        file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert build(book, tmp_path / "out").returncode == 0


# Generated books

WORDS = some.sampled_from(
    [
        *("Limits", "limits", "of", "sums", "x1", "snake_case", "A-B", "İzmir", "Straße", "ΟΔΟΣ", "é", "e\u0301"),
        *(
            "定义",
            "第2章",
            "概率（续）",
            "一、二",
            "にほんご",
            "한국어",
            "हिन्दी",
            "தமிழ்",
            "ไทย",
            "עברית",
            "عربي",
            "٣",
            "ⅷ",
        ),
        *("✔️", "👍🏽", "👩‍👩‍👧", "𝑥𝐀", "x²", "½", "…", "!!", "a.b", "C++", "1.2.3", "no\u00a0break", "zero\u200bwidth"),
        *(
            "&amp;",
            "&copy;",
            "&#x41;",
            "&lt;b&gt;",
            "\\*",
            "\\_",
            "\\--",
            "\\[a\\]",
            "--",
            "---",
            "----",
            "a--b",
            '"q"',
        ),
        *("'s", "...", "$x_1$", "$L_2 < 3$", "$a--b$", "$_a_$", "\\\\(x\\\\)", "{", "}", "a:b", "!", "#", "x#"),
    ]
)
TAGS = some.sampled_from(
    ["<b>{}</b>", '<span id="s1">{}</span>', "<br>", "<!-- {} -->", '<a name="n">{}</a>', "<kbd>{}</kbd>"]
)
SPANS = some.sampled_from(
    ["*{}*", "**{}**", "***{}***", "~~{}~~", "`{}`", "`` {} ``", "[{}](a.md)", "[{}][r]", "![{}](p.png)", "_{}_"]
)
EXPLICIT = some.sampled_from(
    ["", "", "", "", " {#limits}", " {#def-2.2.1 .box}", " {#a #b}", " ##", " ## {#c}", " {a b}", " {#d} ##", "{1,2}"]
)
LEAVES = some.one_of(WORDS, WORDS, some.sampled_from(["<https://a.b/c--d>", "text[^n]", "[^m]"]))


def _is_read_alike(inline: str) -> bool:
    """Whether both readers agree.

    pulldown-cmark makes no image of one with a footnote mark in its description, and pairs runs of two and of one
    underscore in another order; of more than two tildes in a row it makes no strikethrough.
    """
    return not ("![" in inline and "[^" in inline) and "__" not in inline and "~~~" not in inline


INLINE = some.recursive(
    LEAVES,
    lambda inner: some.builds(
        lambda form, content, blank: form.replace("{}", blank.join(content)),
        some.one_of(SPANS, TAGS),
        some.lists(inner, min_size=1, max_size=3),
        some.sampled_from([" ", "  "]),
    ),
    max_leaves=5,
).filter(_is_read_alike)
HEADINGS = some.builds(
    lambda container, level, parts, end: f"{container}{'#' * level} {' '.join(parts)}{end}",
    some.sampled_from(["", "", "", "> ", "- ", "1. "]),
    some.integers(1, 6),
    some.lists(INLINE, min_size=1, max_size=4),
    EXPLICIT,
)
OTHERS = some.sampled_from(
    [
        *('<h2 id="raw">raw</h2>', "<h3>raw</h3>", "term *x*\n: what it is", "Set\n---", "Soft\nbreak\n====="),
        *('<a id="limits"></a>', "<div id=bare>\n\n## inside\n\n</div>", "```\n## code\n```", "<!--\n## no\n-->"),
        *(
            '<svg id="v"><g id="w"/></svg>',
            "Hard\\\nbreak\n---",
            "a {#paragraph}",
            "<details id='d'>\n\n# in\n\n</details>",
        ),
    ]
)
NOTES = "[r]: a.md\n\n[^n]: a note\n\n[^m]: another\n\n[^unused]: a third\n"


def write_book(folder: Path, pages: dict[str, str], project: str = "") -> None:
    """Write a book of chapters ``pages`` into ``folder``."""
    (folder / "src").mkdir(parents=True)
    (folder / "book.toml").write_text(f'[book]\ntitle = "B"\n{project}', encoding="utf-8")
    summary = "".join(f"- [{path}](<{path}>)\n" for path in pages if path.endswith(".md"))
    (folder / "src/SUMMARY.md").write_text(summary, encoding="utf-8")
    for path, text in pages.items():
        file = folder / "src" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")


PAGES = some.lists(some.lists(some.one_of(HEADINGS, HEADINGS, HEADINGS, OTHERS), min_size=1, max_size=4), min_size=40)


# A page is small, so that the one at fault can be read as it is: shrinking would build hundreds of books.
@given(PAGES, some.booleans())
@settings(
    max_examples=25,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_ids_of_generated_headings_are_those_of_mdbook(pages: list[list[str]], smart: bool) -> None:
    texts = {f"{number}.md": "\n\n".join([*blocks, NOTES]) for number, blocks in enumerate(pages)}
    project = "" if smart else "[output.html]\nsmart-punctuation = false\n"
    with tempfile.TemporaryDirectory() as work:
        folder, out = Path(work) / "book", Path(work) / "out"
        write_book(folder, texts, project)
        done = build(folder, out)
        assert done.returncode == 0, done.stderr
        theirs, ours = built_pages(out), page_ids(the_book(folder))
    for path, text in texts.items():
        address = path.replace(".md", ".html")
        assert ours[address] == sorted(theirs[address].ids), text


# Links, and text that is included

PART = """\
## Part one

[up](../one.md) [here](#part-one) [own](part.md)

<!-- ANCHOR: middle -->
## Part two

[deep](sub/deep.md#deep) ![p](p.png) [there](#one)
<!-- ANCHOR_END: middle -->

## Part three {#three}

{{#include nested/leaf.txt}}
"""
FILES = {
    "one.md": "# One\n\n## Notes\n\n## Notes\n",
    "my page.md": "# My page\n",
    "sub/README.md": "# Sub\n\n## Inner\n",
    "sub/deep.md": "# Deep\n",
    "other/index.md": "# Other\n",
    "a.b.md": "# A.b\n",
}
UNLISTED = {
    "orphan.md": "# Orphan\n",
    "parts/part.md": PART,
    "parts/nested/leaf.txt": "### Leaf\n\n[leaf](nested/leaf.txt) [leaf](leaf.txt)\n",
    "p.png": "p",
    "sub/q%20x.png": "q",
    "data/table.csv": "t",
}
PATHS = some.sampled_from(
    [
        *("one.md", "one.html", "one", "ONE.md", "one.mdx", "one.md.bak", "my%20page.md", "<my page.md>", "my page.md"),
        *(
            "sub/README.md",
            "sub/readme.md",
            "sub/index.md",
            "sub/",
            "sub",
            "sub/index.html",
            "sub/deep.md",
            "sub\\\\deep.md",
        ),
        *("deep.md", "other/index.md", "other", "a.b.md", "orphan.md", "orphan.html", "parts/part.md", "SUMMARY.md"),
        *("p.png", "P.png", "data/table.csv", "data", "gone.md", "gone/", "sub/q%2520x.png", "print.html", "404.html"),
        *("", ".", "./", "index.html", "index.md", "sub/../one.md", "/one.html", "https://a.b/c.md", "mailto:a@b.c"),
    ]
)
PREFIXES = some.sampled_from(["", "", "", "./", "../"])
SUFFIXES = some.sampled_from(["", "", "", "?a=b", "?a#notes"])
FRAGMENTS = some.sampled_from(
    [
        "",
        "",
        "",
        "#",
        "#top",
        "#one",
        "#notes",
        "#notes-1",
        "#Notes",
        "#deep",
        "#sub",
        "#part-two",
        "#three",
        "#leaf",
        "#x",
    ]
)
LINKS = some.builds(
    lambda form, prefix, path, suffix, fragment: form.replace(
        "{}", f"<{prefix}{path[1:-1]}{fragment}>" if path.startswith("<") else f"{prefix}{path}{suffix}{fragment}"
    ),
    some.sampled_from(["[a]({})", "[a]({})", "![a]({})", "[a][ref]\n\n[ref]: {}\n", "[a]({} 't')", "> [a]({})"]),
    PREFIXES,
    PATHS,
    SUFFIXES,
    FRAGMENTS,
)
INCLUDES = some.sampled_from(
    [
        *("{{#include parts/part.md}}", "{{#include parts/part.md:middle}}", "{{#include parts/part.md:1:3}}"),
        *("{{#include parts/part.md:13:}}", "{{#include parts/part.md::7}}", "{{ #include parts/part.md:5 }}"),
        *("{{#include sub/deep.md}}", "{{#include gone.md}}", "\\{{#include parts/part.md}}", "{{#include p.png:no}}"),
        *("```md\n{{#include parts/part.md}}\n```", "<!--\n{{#include data/table.csv}}\n-->", "{{#title A title}}"),
    ]
)


@given(
    some.lists(
        some.tuples(some.sampled_from(list(FILES)), some.one_of(LINKS, LINKS, LINKS, INCLUDES)),
        min_size=30,
        max_size=60,
    )
)
@settings(max_examples=40, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
def test_links_of_generated_books_arrive_as_in_mdbook(additions: list[tuple[str, str]]) -> None:
    texts = dict(FILES)
    for number, (path, addition) in enumerate(additions):
        texts[path] += "\n" + addition.replace("[ref]", f"[ref{number}]") + "\n"
    with tempfile.TemporaryDirectory() as work:
        folder, out = Path(work) / "book", Path(work) / "out"
        write_book(folder, texts)
        for path, text in UNLISTED.items():
            file = folder / "src" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        done = build(folder, out)
        assert done.returncode == 0, done.stderr
        assert_same(the_book(folder), out)
