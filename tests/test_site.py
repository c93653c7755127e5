"""The site: what pages are made of, and where links lead, in books of each renderer."""

from __future__ import annotations

import re
import time
from pathlib import Path

import markdown
import pypandoc
import pytest
from bounds import HANGS

from lintbook.book import Book
from lintbook.checks import RULES
from lintbook.config import Configurations
from lintbook.discovery import discover
from lintbook.reading import read_book
from lintbook.site import Arrival, Target

MDBOOK = {"book.toml": '[book]\ntitle = "B"\n'}


def book_of(folder: Path, files: dict[str, str]) -> Book:
    """Write ``files`` to ``folder`` and read the book that they make."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
    (found, *_) = discover((".",), folder).books
    return read_book(found, folder, Configurations(RULES, folder).of(found.root), [])


def names(book: Book, path: str) -> list[str]:
    """Return the ids of the page at ``path``: those made of headings and terms first."""
    return [made.id for made in book.ids(path)]


def test_a_page_is_made_of_what_it_includes_in_its_place(tmp_path: Path) -> None:
    book = book_of(
        tmp_path,
        {
            **MDBOOK,
            "src/SUMMARY.md": "- [A](a.md)\n- [B](b.md)\n",
            "src/a.md": "# One\n\n{{#include p/x.md:first}}\n\n## One\n\n`{{#include p/x.md}}`\n",
            "src/b.md": "{{#include p/x.md:7:}}\n",
            "src/p/x.md": "<!-- ANCHOR: first -->\n## One\n<!-- ANCHOR_END: first -->\n\n## Two\n\n"
            "## Three\n\n{{#include ../../y.txt}}\n",
            "y.txt": "## Four\n",
        },
    )
    assert names(book, "src/a.md") == ["one", "one-1", "one-2"]
    assert names(book, "src/b.md") == ["three", "four"]
    assert book.hosts("src/p/x.md") == ("src/a.md", "src/b.md")
    assert book.hosts("y.txt") == ("src/b.md",)
    assert book.live == {"src/a.md", "src/b.md", "src/p/x.md", "y.txt"}
    assert book.rendered == {"src/a.md", "src/b.md"}


JOINED = {
    "a.md": '# Events {#sec-events}\n\n## Odds\n\n[]{#thm-1} <a id="html"></a>\n',
    "b.md": "# More\n\n## Odds\n",
}


@pytest.mark.parametrize(
    ("settings", "elsewhere"),
    [
        ({"lintbook.toml": 'dialect = "pandoc"\n'}, {"sec-events", "thm-1", "html"}),
        ({}, {"sec-events", "thm-1"}),  # it may be GitHub that renders this, where all other ids belong to one page
        ({"mkdocs.yml": "docs_dir: .\n"}, set()),
    ],
    ids=["pandoc", "unknown", "mkdocs"],
)
def test_an_id_is_found_from_another_page_where_pages_may_be_joined(
    settings: dict[str, str], elsewhere: set[str], tmp_path: Path
) -> None:
    book = book_of(tmp_path, {**JOINED, **settings})
    targets = {
        name: book.resolve("b.md", f"#{name}") for name in ("sec-events", "thm-1", "html", "odds", "more", "gone")
    }
    assert {name for name, target in targets.items() if target.path == "a.md"} == elsewhere
    assert {name for name, target in targets.items() if not book.has_id(target)} == (
        {"sec-events", "thm-1", "html", "gone"} - elsewhere
    )


def test_links_of_included_text_are_followed_from_each_page(tmp_path: Path) -> None:
    book = book_of(
        tmp_path,
        {
            **MDBOOK,
            "src/SUMMARY.md": "- [A](a.md)\n- [B](sub/b.md)\n",
            "src/a.md": "# A\n\n{{#include p.md}}\n",
            "src/sub/b.md": "# B\n\n{{#include ../p.md}}\n",
            "src/p.md": "[a](a.md) [here](#a) [gone](gone.md)\n",
        },
    )
    # What arrives from the first page and not from the second is shown on the second.
    assert [(each.page, each.target) for each in book.links] == [
        ("src/sub/b.md", Target(Arrival.MISSING, "src/sub/a.md", "")),
        ("src/sub/b.md", Target(Arrival.PAGE, "src/sub/b.md", "a")),
        ("src/a.md", Target(Arrival.MISSING, "src/gone.md", "")),
    ]


@pytest.mark.parametrize(
    ("destination", "arrival", "path"),
    [
        ("one.md", Arrival.PAGE, "src/one.md"),
        ("one.html", Arrival.PAGE, "src/one.md"),
        ("one.mdr", Arrival.PAGE, "src/one.md"),  # mdBook drops what stands behind `.md`
        ("one.md?plain=1#x", Arrival.PAGE, "src/one.md"),
        ("one", Arrival.MISSING, "src/one"),
        ("ONE.md", Arrival.MISSPELT, "src/one.md"),
        ("part/", Arrival.PAGE, "src/part/README.md"),
        ("part", Arrival.PAGE, "src/part/README.md"),
        ("part/index.md", Arrival.PAGE, "src/part/README.md"),
        ("part/README.md", Arrival.README, "src/part/README.md"),
        ("part\\README.md", Arrival.MISSPELT, "src/part/README.md"),
        ("", Arrival.PAGE, "src/one.md"),
        ("index.html", Arrival.PAGE, "src/one.md"),  # the first chapter
        ("orphan.md", Arrival.UNBUILT, "src/orphan.md"),
        ("orphan.html", Arrival.UNBUILT, "src/orphan.md"),
        ("SUMMARY.md", Arrival.UNBUILT, "src/SUMMARY.md"),
        ("later.md", Arrival.FILE, "src/later.md"),  # mdBook makes the page; `missing-chapter` speaks of it
        ("old.md", Arrival.FILE, "src/old.md"),  # a redirect stands there
        ("data/x.csv", Arrival.FILE, "src/data/x.csv"),
        ("data", Arrival.FILE, "src/data"),
        ("print.html", Arrival.FILE, "src/print.html"),
        ("gone.md", Arrival.MISSING, "src/gone.md"),
        ("../std/index.html", Arrival.OUTSIDE, ""),
        ("/one.html", Arrival.PAGE, "src/one.md"),
        ("/elsewhere.html", Arrival.OUTSIDE, ""),
        ("https://example.org/x.md", Arrival.OUTSIDE, ""),
    ],
)
def test_links_of_mdbook(tmp_path: Path, destination: str, arrival: Arrival, path: str) -> None:
    book = book_of(
        tmp_path,
        {
            "book.toml": MDBOOK["book.toml"] + '[output.html.redirect]\n"/old.html" = "one.html"\n',
            "src/SUMMARY.md": "- [One](one.md)\n- [Part](part/README.md)\n- [Later](later.md)\n",
            "src/one.md": "# One\n",
            "src/part/README.md": "# Part\n",
            "src/orphan.md": "# Orphan\n",
            "src/data/x.csv": "",
        },
    )
    target = book.resolve("src/one.md", destination)
    assert (target.arrival, target.path) == (arrival, path)


def test_links_of_other_renderers_may_name_sources_and_pages(tmp_path: Path) -> None:
    book = book_of(
        tmp_path,
        {
            "mkdocs.yml": "site_name: B\n",
            "docs/index.md": "# B\n",
            "docs/a/README.md": "# A\n",
            "docs/a/b.md": "# C\n",
        },
    )
    arrivals = {
        link: book.resolve("docs/a/b.md", link).path for link in ("README.md", "../a/", "../index.md", "gone.md")
    }
    assert arrivals == {
        "README.md": "docs/a/README.md",
        "../a/": "docs/a/README.md",
        "../index.md": "docs/index.md",
        "gone.md": "docs/a/gone.md",
    }


JEKYLL = {
    "_chapters/one.md": "# One\n",
    "_chapters/two.md": "# Two\n",
    "index.md": "# B\n",
    "stated.md": "---\npermalink: /deep/place/\n---\n# S\n",
}


@pytest.mark.parametrize(
    ("settings", "page", "right", "wrong"),
    [
        ("    permalink: /:collection/:name/\n", "_chapters/one.md", "../two/ two.md", "../three/ three/"),
        ("    permalink: /:collection/:name/\n", "index.md", "chapters/two/ deep/place/", "chapters/three/ deep/"),
        ("", "_chapters/one.md", "two.html two.md", "../two/ three.html"),
        ("", "index.md", "chapters/two.html deep/place/", "chapters/three.html chapters/two/ deep/plan/"),
        ("", "stated.md", "../../chapters/two.html", "chapters/two.md"),
    ],
)
def test_links_of_jekyll(tmp_path: Path, settings: str, page: str, right: str, wrong: str) -> None:
    book = book_of(tmp_path, {**JEKYLL, "_config.yml": f"collections:\n  chapters:\n    output: true\n{settings}"})
    assert {link: book.resolve(page, link).arrival for link in right.split()} == dict.fromkeys(
        right.split(), Arrival.PAGE
    )
    assert {link: book.resolve(page, link).arrival for link in wrong.split()} == dict.fromkeys(
        wrong.split(), Arrival.MISSING
    )


def test_names_of_emoji_are_pictures_to_mkdocs_where_it_is_told_so(tmp_path: Path) -> None:
    page = {"a.md": "## Launch :rocket: now\n\n## At 12:30:45\n"}
    plain = book_of(tmp_path / "plain", {**page, "mkdocs.yml": "docs_dir: .\n"})
    shown = book_of(tmp_path / "shown", {**page, "mkdocs.yml": "docs_dir: .\nmarkdown_extensions: [pymdownx.emoji]\n"})
    assert names(plain, "a.md") == ["launch-rocket-now", "at-123045"]
    assert {"launch-now", "at-123045"} <= set(names(shown, "a.md"))


def test_of_a_tree_that_something_unknown_builds_pages_may_be_linked_to(tmp_path: Path) -> None:
    book = book_of(tmp_path, {"a.md": "# A\n", "b.md": "# B\n"})
    arrivals = {link: book.resolve("a.md", link).arrival for link in ("b.html", "c.html", "c.md")}
    assert arrivals == {"b.html": Arrival.PAGE, "c.html": Arrival.OUTSIDE, "c.md": Arrival.MISSING}


def test_pages_are_found_without_ending_where_a_builder_is_told_of(tmp_path: Path) -> None:
    pages = {"index.md": "[a](guide/start#go) [b](guide/)\n", "guide/start.md": "# Go\n", "guide/index.md": "# G\n"}
    for folder, told, arrival in (
        ("plain", "notes.txt", Arrival.MISSING),
        ("vite", ".vitepress/config.ts", Arrival.PAGE),
        ("wiki", "_Sidebar.md", Arrival.PAGE),
    ):
        book = book_of(tmp_path / folder, {**pages, told: ""})
        target = book.resolve("index.md", "guide/start#go")
        assert (target.arrival, book.has_id(target)) == (arrival, True)
        assert book.resolve("index.md", "guide/stop").arrival is Arrival.MISSING


def test_tags_of_components_are_told_by_the_builder(tmp_path: Path) -> None:
    plain = book_of(tmp_path / "plain", {"a.md": "# A\n"})
    vite = book_of(tmp_path / "vite", {"docs/a.md": "# A\n", "docs/.vitepress/config.ts": ""})
    assert (plain.has_components, vite.has_components) == (False, True)


@pytest.mark.parametrize(
    ("settings", "arrivals"),
    [
        # Nothing tells where the book is published: what is not found may be beside it.
        ("", {"/one.html": Arrival.PAGE, "/gone.html": Arrival.OUTSIDE, "/b/one.html": Arrival.OUTSIDE}),
        (
            'site-url = "/b/"\n',
            {"/b/one.html": Arrival.PAGE, "/b/gone.html": Arrival.MISSING, "/gone.html": Arrival.OUTSIDE},
        ),
        (
            'site-url = "https://example.org/"\n',
            {"/one.html": Arrival.PAGE, "/gone.html": Arrival.MISSING, "/api/index.html": Arrival.OUTSIDE},
        ),
        # Most redirects from the root of the site arrive, so that it is the root of the book.
        (
            '[output.html.redirect]\n"/a.html" = "/one.html"\n"/b.html" = "/two.html#two"\n"/c.html" = "/gone.html"\n',
            {"/one.html": Arrival.PAGE, "/gone.html": Arrival.MISSING, "/data/": Arrival.OUTSIDE},
        ),
    ],
)
def test_addresses_from_the_root_of_the_site(tmp_path: Path, settings: str, arrivals: dict[str, Arrival]) -> None:
    book = book_of(
        tmp_path,
        {
            "book.toml": f"[output.html]\n{settings}",
            "src/SUMMARY.md": "- [One](one.md)\n- [Two](two.md)\n",
            "src/one.md": "# One\n",
            "src/two.md": "# Two\n",
        },
    )
    assert {address: book.resolve("src/one.md", address).arrival for address in arrivals} == arrivals


NOTED = "# T\n\nA[^b] B[^b] C[^a] D[^b]\n\n[^a]: n\n\n[^b]: m\n"


def test_marks_of_one_note_are_told_apart(tmp_path: Path) -> None:
    for name, project in (
        ("plain", {}),
        ("mkdocs", {"mkdocs.yml": "docs_dir: .\n"}),
        ("jekyll", {"_config.yml": "title: B\n"}),
        ("pandoc", {"lintbook.toml": 'dialect = "pandoc"\n'}),
        ("mdbook", {"book.toml": '[book]\nsrc = "."\n', "SUMMARY.md": "- [A](a.md)\n"}),
    ):
        book = book_of(tmp_path / name, {"a.md": NOTED, **project})
        made = [each.id for each in book.written_ids("a.md")]
        assert made and len(made) == len(set(made)), name
        # What bears the id of a mark is no note, and may be written twice: that is a fault of the page.
        twice = book_of(tmp_path / name, {"a.md": NOTED + '\n<i id="x"></i><i id="x"></i>\n', **project})
        assert names(twice, "a.md").count("x") == 2


def test_notes_have_the_ids_that_python_markdown_and_pandoc_make(tmp_path: Path) -> None:
    by_renderer = {
        "mkdocs": markdown.markdown(NOTED, extensions=["footnotes"]),
        "pandoc": pypandoc.convert_text(NOTED, "html", format="markdown"),
    }
    for name, built in by_renderer.items():
        files = {"a.md": NOTED, "mkdocs.yml": "docs_dir: .\n", "lintbook.toml": f'dialect = "{name}"\n'}
        book = book_of(tmp_path / name, files)
        expected = {made for made in re.findall(r'id="([^"]+)"', built) if made not in ("footnotes", "t")}
        assert {made for made in names(book, "a.md") if made != "t"} == expected


ADMONISHED = """# T

!!! note

    ## Inner

Words before it
!!! tip "Titled"
    ## Direct

    - item

    !!! warning

        ## Nested

    words
no body of it

    ## Code

!!! empty

<div markdown="1">
## Within
</div>

<div>
## Raw
</div>
"""


def test_headings_of_admonitions_have_the_ids_that_python_markdown_makes(tmp_path: Path) -> None:
    built = markdown.markdown(ADMONISHED, extensions=["admonition", "md_in_html", "toc"])
    book = book_of(tmp_path, {"a.md": ADMONISHED, "mkdocs.yml": "docs_dir: .\n"})
    assert names(book, "a.md") == re.findall(r'<h\d id="([^"]+)"', built)
    document = book.document("a.md")
    assert document is not None
    shown = [document.source.text[heading.span.start : heading.span.end] for heading in document.facts.headings]
    assert shown == ["T", "Inner", "Direct", "Nested", "Within"]  # each at its place, however deep


def test_bodies_of_details_and_tabs_are_markdown(tmp_path: Path) -> None:
    page = (
        '??? note\n\n    ## One\n\n???+ tip "T"\n    ## Two\n\n'
        '=== "C"\n\n    ```c\n    ## no\n    ```\n\n    ## Three\n'
    )
    other = "??? note\n\n  ## One\n\n=== C\n\n    ## Two\n\n???? tip\n\n    ## Three\n"  # no body, no title, no mark
    for name, project in (("mkdocs", {"mkdocs.yml": "docs_dir: .\n"}), ("plain", {})):
        book = book_of(tmp_path / name, {"a.md": page, "b.md": other, **project})
        assert [made.id for made in book.heading_ids("a.md")] == ["one", "two", "three"]
        assert [made.id for made in book.heading_ids("b.md")] == ["one"]
    mdbook = book_of(
        tmp_path / "mdbook", {"book.toml": '[book]\nsrc = "."\n', "SUMMARY.md": "- [A](a.md)\n", "a.md": page}
    )
    assert names(mdbook, "a.md") == []


def test_what_kramdown_and_mdx_keep_to_themselves_is_no_markdown(tmp_path: Path) -> None:
    page = (
        "# A\n\n{::comment}\n[a](a.md) {#x}\n{:/comment}\n\n[b](b.md) {::comment}[c](c.md){:/} [d](d.md)\n\n"
        "{/* [e](e.md)\n\n[f](f.md) */}\n\n`{/* x */ color: red}` [g](g.md)\n"
    )
    for name, project, links in (
        ("jekyll", {"_config.yml": "title: B\n"}, ["b.md", "d.md", "e.md", "f.md", "g.md"]),
        ("plain", {}, ["a.md", "b.md", "c.md", "d.md", "g.md"]),
    ):
        document = book_of(tmp_path / name, {"p.md": page, **project}).document("p.md")
        assert document is not None
        assert [link.destination for link in document.facts.links] == links
        assert all(page[each.destination_span.start :].startswith(each.destination) for each in document.facts.links)


def test_kramdown_reads_blocks_of_html_where_the_page_asks_for_it(tmp_path: Path) -> None:
    page = '<div class="x">\n## Inside\n</div>\n\n<pre>\n## Shown\n</pre>\n'
    asked = f'{{::options parse_block_html="true" /}}\n\n{page}'
    book = book_of(tmp_path, {"_config.yml": "title: B\n", "a.md": page, "b.md": asked})
    assert (names(book, "a.md"), names(book, "b.md")) == ([], ["inside"])


LABELLED = """# Intro {-}

## Kept {x}

```{#lst .python}
x
```

~~~ {.c #code}
y
~~~

```c
{#none}
```
"""


def test_ids_of_fences_and_of_headings_without_number_are_those_that_pandoc_makes(tmp_path: Path) -> None:
    book = book_of(tmp_path, {"a.md": LABELLED, "lintbook.toml": 'dialect = "pandoc"\n'})
    html = pypandoc.convert_text(LABELLED, "html", format="markdown")
    built = re.findall(r'<(?:h\d|div|pre)\b[^>]*\sid="(?!cb\d)([^"]+)"', html)
    assert sorted(names(book, "a.md")) == sorted(built) == ["code", "intro", "kept-x", "lst"]


def test_labels_of_cells_and_lines_of_attributes_are_targets(tmp_path: Path) -> None:
    page = (
        '{id: ch-1}\n# A\n\n{class: x, id: "fig-1"}\n![a](a.png)\n\nSay {id: no} and\n{idea: none}\n\n'
        "```{python}\n#| label: fig-2\n#| echo: false\n```\n\n```python\n#| label: fig-3\n```\n"
    )
    book = book_of(tmp_path, {"a.md": page})
    assert [made.id for made in book.written_ids("a.md")] == ["ch-1", "fig-1", "fig-2"]


def test_front_matter_moves_no_place(tmp_path: Path) -> None:
    book = book_of(
        tmp_path,
        {
            "_config.yml": "title: B\n",
            "a.md": "---\ntitle: A long title\n---\n\n"
            "| [x][d] | <b id='cell'>y</b> |\n|---|---|\n| 1 | 2 |\n\n[d]: gone.md\n",
        },
    )
    document = book.document("a.md")
    assert document is not None
    text = document.source.text
    (link,) = document.facts.links
    assert text[link.destination_span.start : link.destination_span.end] == "gone.md"
    assert [text[made.span.start : made.span.end] for made in book.ids("a.md")] == ["cell"]


def test_text_that_includes_itself_or_doubles_ends(tmp_path: Path) -> None:
    doubling = {f"src/p{n}.md": f"{{{{#include p{n + 1}.md}}}}\n" * 40 for n in range(9)}
    book = book_of(
        tmp_path,
        {
            **MDBOOK,
            "src/SUMMARY.md": "- [A](a.md)\n- [P](p0.md)\n",
            "src/a.md": "# A\n\n{{#include a.md}}\n",
            **doubling,
            "src/p9.md": "# End\n",
        },
    )
    start = time.process_time()
    assert names(book, "src/a.md") == ["a"]
    assert len(book.stretches("src/p0.md")) == 10_000
    assert "end" in names(book, "src/p0.md")
    assert time.process_time() - start < HANGS
