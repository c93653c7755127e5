"""Trees of builders that are no dialect: links that are right for the builder arrive, and those beside them do not.

Ids and addresses were compared with what VitePress 1.6, Hugo 0.168 and docsify 5 make of such pages.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lintbook.checks import RULES
from lintbook.engine import Report, check

PAGES = [rule for rule in RULES if rule.family == "pages"]


def checked(folder: Path, files: dict[str, str]) -> Report:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return check((".",), folder, PAGES, cached=False)


VITEPRESS = {
    ".vitepress/config.ts": "",
    "index.md": "# X\n\n## 1. One\n\n## Don't stop\n\n## v1.2.3\n\n## Launch :rocket: now\n\n"
    "## É `a_b` 中文！\n\n## One\n\n## One\n",
    "guide/start.md": "# Start\n",
}
DOCSIFY = {
    "index.html": '<script src="https://example.org/docsify.min.js"></script>\n',
    "_sidebar.md": "* [Any page](#anything)\n* [Guide](guide.md)\n",
    "_coverpage.md": "# Cover\n\n[Get started](#quick-start)\n",
    "README.md": "# R\n\n## Quick start\n\n## Options :id=options\n\n## Hidden {docsify-ignore}\n\n## 2 Two\n",
    "guide.md": "# Guide\n\n## Sorting\n",
    "sub/README.md": "# Sub\n",
    "sub/page.md": "# Page\n",
}
HUGO = {
    "hugo.toml": 'title = "B"\n',
    "content/docs/one.md": "# One\n",
    "content/docs/two.md": "# Two\n",
    "content/docs/moved.md": "---\nslug: named\naliases:\n  - /docs/older/\n---\n# Moved\n",
    "content/docs/plot.png": "",
    "content/docs/_index.md": "# Docs\n",
}
DOCUSAURUS = {
    "docusaurus.config.js": "",
    "docs/a/one.md": "# One\n",
    "docs/a/two.mdx": "",
    "docs/b/three.mdx": "",
    "docs/01-intro.md": "# Intro\n",
}
ASTRO = {"astro.config.mjs": "", "src/content/docs/a.md": "# A\n", "src/content/docs/b.md": "# B\n"}
ZOLA = {"config.toml": 'base_url = "/"\n', "content/x/a.md": "+++\ntitle = 'A'\n+++\n# A\n", "content/x/b.md": "# B\n"}
OBSIDIAN = {".obsidian/app.json": "", "a.md": "# A\n", "notes/b.md": "# B\n\n## Head One\n\nWords ^block\n"}


@pytest.mark.parametrize(
    ("tree", "page", "right", "wrong"),
    [
        (
            VITEPRESS,
            "index.md",
            "#_1-one #don-t-stop #v1-2-3 #launch-now #e-a-b-中文 #one-1 guide/start guide/start.html",
            "#_1-two #don-t-halt #v1-2-4 #one-9 guide/stop",
        ),
        (
            DOCSIFY,
            "README.md",
            "#options #hidden #_2-two #/guide #/guide?id=sorting #/sub/ #/sub/page #/ guide.md",
            "#option #_3-two #/gone #/guide?id=searching gone.md",
        ),
        (DOCSIFY, "_coverpage.md", "#quick-start", "#slow-start"),
        (
            DOCSIFY,
            "sub/page.md",
            "guide.md page.md",
            "gone.md",
        ),  # as seen from the top, which docsify does, or from here
        (
            HUGO,
            "content/docs/one.md",
            "../two/ ../two/#two two.md ../plot.png ../named/ ../older/",
            "../three/ ../two/#three ../plan.png ../unnamed/",
        ),
        (HUGO, "content/docs/_index.md", "two/ plot.png", "../two/"),  # its page is the folder that it stands in
        (
            {**HUGO, "hugo.toml": "", "config.toml": 'baseURL = "/"\n'},
            "content/docs/one.md",
            "../two/",
            "../three/",
        ),
        (
            DOCUSAURUS,
            "docs/a/one.md",
            "two two.mdx ../b/three ../intro @site/docs/b/three.mdx",
            "four four.mdx ../outro @site/docs/b/four.mdx",
        ),
        (ASTRO, "src/content/docs/a.md", "../b/", "../c/"),
        (ZOLA, "content/x/a.md", "@/x/b.md @/x/b.md#b", "@/x/c.md @/x/b.md#c"),
        (
            OBSIDIAN,
            "a.md",
            "b.md b.md#Head%20One b#B#Head%20One b.md#^block",
            "c.md b.md#Head%20Two b.md#^stone",
        ),
    ],
)
def test_links_of_builders(tmp_path: Path, tree: dict[str, str], page: str, right: str, wrong: str) -> None:
    links = "".join(f"\n[x]({destination})\n" for destination in f"{right} {wrong}".split())
    report = checked(tmp_path, {**tree, page: tree[page] + links})
    source = report.sources[page]
    lines = [source.line_text(source.position(found.span.start).line) for found in report.diagnostics]
    assert lines == [f"[x]({destination})" for destination in wrong.split()]
    assert {found.rule for found in report.diagnostics} <= {"broken-link", "broken-fragment"}


def test_ids_are_put_right_only_where_the_rules_of_the_builder_are_known(tmp_path: Path) -> None:
    for name, mark, fixed in (
        ("plain", "notes.txt", True),
        ("vite", ".vitepress/config.ts", False),
        *((mark, mark, True) for mark in ("hugo.toml", "docusaurus.config.js", "astro.config.mjs")),
    ):
        (found,) = checked(tmp_path / name, {mark: "", "a.md": "# A\n\n## Two sums\n\n[x](#Two-sums)\n"}).diagnostics
        assert (found.rule, found.fix is not None) == ("broken-fragment", fixed), name


def test_a_file_tells_of_a_builder_by_what_it_holds(tmp_path: Path) -> None:
    for name, mark, text, count in (
        ("hugo", "config.toml", 'baseURL = "/"\n', 0),
        ("any", "config.toml", "[tool]\n", 1),
        ("page", "index.html", "<p>Docs</p>\n", 1),
    ):
        files = {mark: text, "content/a.md": "# A\n\n[x](../b/)\n", "content/b.md": "# B\n"}
        assert len(checked(tmp_path / name, files).diagnostics) == count, name


def test_what_a_sidebar_links_to_on_its_page_is_not_checked(tmp_path: Path) -> None:
    report = checked(tmp_path, DOCSIFY)
    assert (report.diagnostics, report.summary.unchecked) == ((), {"links out of the book": 1})


def test_links_to_lines_of_sources_shown_on_github_arrive(tmp_path: Path) -> None:
    page = "# A\n\n[a](b.md?plain=1#L3) [b](b.md?plain=1#L3-L9) [c](b.md#L3) [d](b.md?plain=1#gone)\n"
    report = checked(tmp_path, {"a.md": page, "b.md": "# B\n"})
    assert [found.span.start for found in report.diagnostics] == [page.index("L3) [d]"), page.index("gone")]


def test_a_picture_leaves_its_blank_to_the_slug_of_github(tmp_path: Path) -> None:
    page = (
        '# A\n\n## <img src="a.png"/> Head\n\n## Named <a name="n"></a>\n\n'
        "[a](#-head) [b](#named-) [c](#-named) [d](#head-)\n"
    )
    report = checked(tmp_path, {"a.md": page, "a.png": ""})
    assert [found.message for found in report.diagnostics] == [
        "this page has no id `-named`",
        "this page has no id `head-`",
    ]
