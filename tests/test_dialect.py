"""The ids and page names of each dialect; mdBook's are compared with books that mdBook built."""

import html
import re
import shutil
import subprocess
import sys
from pathlib import Path
from unicodedata import category

import pytest

from lintbook.dialect import (
    Dialect,
    PageIds,
    addresses,
    generated_anchors,
    is_index,
    slug,
    stated_address,
    without_emoji,
)
from lintbook.facts import AnchorOrigin

MDBOOK = shutil.which("mdbook", path=str(Path(sys.executable).parent)) or shutil.which("mdbook")

# Headings without markup, so that the text of the heading is its source.
HEADINGS = [
    "Notes", "Notes", "Notes-1", "Notes", "x-1", "x", "x", "x-1",
    "é and e\u0301", "tick ✔️ mark", "第2章：条件概率（续）", "一、二　三", "tab\tinside",
    "two  blanks", "İzmir", "Straße", "x² and ½, ª, º", "ⅷ Ⅷ Ⓐ", "ΟΔΟΣ", "zero\u200bwidth",
    "soft\u00adhyphen", "no\u00a0break", "em\u2003quad", "हिन्दी", "தமிழ்", "ไทย", "한국어", "٣ ৪", "𝑥𝐀",
    "👍", "!!", "?", "section", "snake_case",
    "A-B", "- x", "ǅ", "line\u2028separator", "C++ & D", "1.2.3 Title",
]  # fmt: skip


def built_ids(folder: Path, page: str) -> list[str]:
    """Build a book of one page with mdBook; return the ids of its headings and terms."""
    assert MDBOOK is not None
    (folder / "src").mkdir()
    (folder / "book.toml").write_text('[book]\ntitle = "Ids"\n', encoding="utf-8")
    (folder / "src/SUMMARY.md").write_text("- [One](one.md)\n", encoding="utf-8")
    (folder / "src/one.md").write_text(page, encoding="utf-8")
    subprocess.run([MDBOOK, "build", "-d", folder / "out", folder], check=True, capture_output=True)
    built = (folder / "out/one.html").read_text(encoding="utf-8")
    main = built[built.index("<main>") : built.index("</main>")]
    return [html.unescape(found) for found in re.findall(r'<(?:h\d|dt) id="([^"]*)"', main)]


@pytest.mark.skipif(MDBOOK is None, reason="mdBook is not installed")
def test_ids_are_those_that_mdbook_builds(tmp_path: Path) -> None:
    ids = PageIds(Dialect.MDBOOK)
    expected = [ids.generated(heading) for heading in HEADINGS]
    assert built_ids(tmp_path, "\n\n".join(f"## {heading}" for heading in HEADINGS)) == expected


@pytest.mark.skipif(MDBOOK is None, reason="mdBook is not installed")
def test_mdbook_takes_the_same_characters_for_letters(tmp_path: Path) -> None:
    """Marks, symbols and other numbers, where Unicode's properties and Python's methods part."""
    doubtful = [
        chr(code)
        for code in range(0xA0, 0x20000)
        if category(chr(code)) in ("Mn", "Mc", "Me", "So", "Sk", "Lm", "No", "Nl", "Zs")
    ]
    texts = [f"x{ord(character):x}x{character}x" for character in doubtful]
    ids = built_ids(tmp_path, "\n\n".join(f"## {text}" for text in texts))
    differing = [text for text, made in zip(texts, ids, strict=True) if slug(text, Dialect.MDBOOK) != made]
    assert differing == []


@pytest.mark.skipif(MDBOOK is None, reason="mdBook is not installed")
def test_mdbook_does_not_count_explicit_ids(tmp_path: Path) -> None:
    page = "## b {#a}\n\n## a\n\n## a\n\n## c {#a-1}\n\nterm a\n: is defined\n\n## term a\n"
    ids = PageIds(Dialect.MDBOOK)
    expected = [
        ids.explicit("a"), ids.generated("a"), ids.generated("a"), ids.explicit("a-1"),
        ids.generated("term a"), ids.generated("term a"),
    ]  # fmt: skip
    assert expected == ["a", "a", "a-1", "a-1", "term-a", "term-a-1"]
    assert built_ids(tmp_path, page) == expected


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        (Dialect.MDBOOK, "Méthode 2.4: A_b — c", "méthode-24-a_b--c"),
        (Dialect.MDBOOK, "…", ""),
        (Dialect.GITHUB, "Méthode 2.4: A_b — c", "méthode-24-a_b--c"),
        (Dialect.GITHUB, "✔️ done", "\ufe0f-done"),  # the variation selector is a mark, and stays
        (Dialect.GITHUB, "a\tb", "ab"),
        (Dialect.GITHUB, "x² ①", "x-"),
        (Dialect.GITHUB, "हिन्दी", "हिन्दी"),
        (Dialect.JEKYLL, "a\tb `c` [d](e.md)", "a-b-c-demd"),
        (Dialect.JEKYLL, "概率：上", "概率上"),
        (Dialect.MKDOCS, "Méthode 2.4: A_b — c", "methode-24-a_b-c"),
        (Dialect.MKDOCS, "ﬁne - tuned --- now", "fine-tuned-now"),
        (Dialect.MKDOCS, "概率", ""),
        (Dialect.PANDOC, "2.4 Méthode:  A_b", "méthode-a_b"),
        (Dialect.PANDOC, "Version 1.2 of x", "version-1.2-of-x"),
        (Dialect.PANDOC, "3.14", "section"),
        (Dialect.PANDOC, "概率 2", "概率-2"),
    ],
)
def test_slug(dialect: Dialect, text: str, expected: str) -> None:
    assert slug(text, dialect) == expected


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        (Dialect.MDBOOK, ["a", "a-1", "a-1-1", "a-2"]),
        (Dialect.PANDOC, ["a", "a-1", "a-1-1", "a-2"]),
        (Dialect.GITHUB, ["a", "a-1", "a-1", "a-2"]),
        (Dialect.JEKYLL, ["a", "a-1", "a-1", "a-2"]),
        (Dialect.MKDOCS, ["a", "a_1", "a-1", "a_2"]),
    ],
)
def test_repeats(dialect: Dialect, expected: list[str]) -> None:
    ids = PageIds(dialect)
    assert [ids.generated(text) for text in ("a", "a", "a-1", "a")] == expected


def test_python_markdown_numbers_headings_without_ascii() -> None:
    ids = PageIds(Dialect.MKDOCS)
    made = [ids.generated(text) for text in ("概率", "统计", "part_1", "part_1")]
    assert made == ["_1", "_2", "part_1", "part_2"]


def test_python_markdown_keeps_clear_of_ids_written_on_the_page() -> None:
    assert PageIds(Dialect.MKDOCS, taken=["a"]).generated("a") == "a_1"
    assert PageIds(Dialect.MDBOOK, taken=["a"]).generated("a") == "a"


def test_pandoc_keeps_later_slugs_apart_from_explicit_ids() -> None:
    ids = PageIds(Dialect.PANDOC)
    assert [ids.explicit("a"), ids.generated("a")] == ["a", "a-1"]


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        (Dialect.MDBOOK, False),
        (Dialect.JEKYLL, False),
        (Dialect.MKDOCS, True),
        (Dialect.PANDOC, True),
        (Dialect.GITHUB, True),
    ],
)
def test_anchors_outside_headings(dialect: Dialect, expected: bool) -> None:
    assert dialect.makes_anchor(AnchorOrigin.ATTRIBUTE) is expected
    assert dialect.makes_anchor(AnchorOrigin.LIST) is (dialect is not Dialect.MDBOOK)
    assert dialect.makes_anchor(AnchorOrigin.HEADING)
    assert dialect.makes_anchor(AnchorOrigin.HTML)


@pytest.mark.parametrize(
    ("page", "dialect", "expected"),
    [
        ("a/x.md", Dialect.MDBOOK, ("a/x.html",)),
        ("a/README.md", Dialect.MDBOOK, ("a/index.html", "a/")),
        ("readme.md", Dialect.MDBOOK, ("index.html", "")),
        ("a/index.md", Dialect.MDBOOK, ("a/index.html", "a/")),
        ("a/x.md", Dialect.MKDOCS, ("a/x/", "a/x/index.html", "a/x")),
        ("a/index.md", Dialect.MKDOCS, ("a/index.html", "a/")),
        ("x.md", Dialect.JEKYLL, ("x/", "x/index.html", "x.html", "x")),  # pages of a collection alone may be folders
        ("x.md", Dialect.PANDOC, ("x.html",)),
        ("a/x.md", Dialect.GITHUB, ("a/x.md",)),
        ("a/Readme.md", Dialect.GITHUB, ("a/Readme.md", "a/")),
    ],
)
def test_addresses(page: str, dialect: Dialect, expected: tuple[str, ...]) -> None:
    assert addresses(page, dialect) == expected


def test_a_collection_of_jekyll_is_published_without_its_underscore() -> None:
    found = addresses("_parts/x.md", Dialect.JEKYLL, directory_urls=False)
    assert found == ("_parts/x.html", "_parts/x", "parts/x.html", "parts/x")


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("---\ntitle: A\npermalink: /parts/x/\n---\n", "parts/x/"),
        ('---\npermalink: "x.html"\n---\n', "x.html"),
        ("---\ntitle: A\n---\npermalink: /x/\n", None),
        ("---\npermalink: /:collection/:name/\n---\n", None),
        ("# A\n\npermalink: /x/\n", None),
    ],
)
def test_front_matter_may_state_an_address(text: str, address: str | None) -> None:
    assert stated_address(text, Dialect.JEKYLL) == address
    assert stated_address(text, Dialect.MKDOCS) is None


def test_short_names_of_emoji() -> None:
    assert without_emoji("Go :rocket: now :+1:") == "Go  now "
    assert without_emoji("At 12:30:45, a::b, C::D, x : y :") == "At 12:30:45, a::b, C::D, x : y :"


def test_addresses_without_directory_urls() -> None:
    assert addresses("a/x.md", Dialect.MKDOCS, directory_urls=False) == ("a/x.html",)
    assert addresses("a/x.md", Dialect.JEKYLL, directory_urls=False) == ("a/x.html", "a/x")


def test_only_mdbook_takes_a_readme_in_any_case() -> None:
    assert is_index("ReadMe.md", Dialect.MDBOOK)
    assert not is_index("readme.md", Dialect.MKDOCS)


def test_anchors_of_rules_and_grammars() -> None:
    text = (
        "r[fn.intro]\nA function.\n\n```grammar,items\n@root Fn ->\n    `fn` Name\n\nName -> Word\n```\n\n"
        "see r[x] here -> y\n"
    )
    found = list(generated_anchors(text, ["mermaid", "spec"]))
    assert [anchor.id for anchor in found] == [
        "r-fn.intro", "grammar-Fn", "railroad-Fn", "grammar-Name", "railroad-Name",
    ]  # fmt: skip
    assert [text[anchor.start : anchor.end] for anchor in found] == ["fn.intro", "Fn", "Fn", "Name", "Name"]
    assert list(generated_anchors(text, ["mermaid"])) == []
