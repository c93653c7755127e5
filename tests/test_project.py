"""Project files: their settings, and the exact places of redirects and chapters."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as some

from lintbook.diagnostic import Trouble
from lintbook.dialect import Dialect
from lintbook.facts import ChapterForm, Facts
from lintbook.parse.project import Project, parse_book_toml, parse_jekyll, parse_mkdocs
from lintbook.text import Source, Span

REDIRECTS = r'''
# "/no.html" = "comment.html"
title = """
[output.html.redirect]
"/no.html" = "in-a-string.html" """
lists = [ "a", ["]", '[output.html.redirect]'], { x = "}" }, # "]
  1979-05-27 07:32:00, ]

[[output.html.list]]
"/no.html" = "another-table.html"

[ output . html . "redirect" ]   # the table, spelt strangely
"/one.html" = "two.html"
'/lit\eral.html' = 'C:\two.html'
"/\u4e00.html"="二.html#\u4e8c"
bare-key = """\
   long.html"""
"/#.html" = "a#b" # "x" = "y"
"/empty.html" = ""
number = 3

[other]
output.html.redirect."/no.html" = "other-table.html"
[output]
html.redirectx."/no.html" = "x.html"
html.x = { redirect."/no.html" = "x.html" }
'''


def redirects(text: str) -> list[tuple[str, str, str, str]]:
    """Return the redirects of a book.toml: as written and decoded, source and target."""
    facts = parse_book_toml(Source("book.toml", text))[1]
    assert facts.troubles == ()
    return [
        (
            text[redirect.span.start : redirect.span.end],
            redirect.source,
            text[redirect.target_span.start : redirect.target_span.end],
            redirect.target,
        )
        for redirect in facts.redirects
    ]


EXPECTED = [
    ("/one.html", "/one.html", "two.html", "two.html"),
    (r"/lit\eral.html", r"/lit\eral.html", r"C:\two.html", r"C:\two.html"),
    (r"/\u4e00.html", "/一.html", r"二.html#\u4e8c", "二.html#二"),
    ("bare-key", "bare-key", "\\\n   long.html", "long.html"),
    ("/#.html", "/#.html", "a#b", "a#b"),
    ("/empty.html", "/empty.html", "", ""),
]


def test_redirects_stand_where_they_are_written() -> None:
    assert redirects(REDIRECTS) == EXPECTED


def test_tomllib_reads_the_same_redirects() -> None:
    table = tomllib.loads(REDIRECTS)["output"]["html"]["redirect"]
    found = {source: target for _, source, _, target in redirects(REDIRECTS)}
    assert found == {key: value for key, value in table.items() if isinstance(value, str)}


def test_byte_order_mark_and_crlf_shift_nothing() -> None:
    text = "\ufeff" + REDIRECTS.replace("\n", "\r\n")
    assert redirects(text) == [(a, b, c.replace("\n", "\r\n"), d) for a, b, c, d in EXPECTED]


@pytest.mark.parametrize(
    "text",
    [
        'output.html.redirect."/a.html" = "b.html"',
        '[output]\nhtml.redirect."/a.html" = "b.html"\n',
        '[output.html]\nredirect = { x.y = 1, "/a.html" = "b.html" }\n',
        'output = { html = { redirect = {"/a.html"="b.html"} } }',
        '[output.html.redirect]\n"/a.html" = "b.html"',
        '"output".\'html\'.redirect . "/a.html"   =\t"b.html"  # x',
    ],
)
def test_every_spelling_of_the_table(text: str) -> None:
    assert redirects(text) == [("/a.html", "/a.html", "b.html", "b.html")]


def test_settings_of_book_toml() -> None:
    text = """
[book]
title = "T"
src = "text"
language = "zh"
[build]
build-dir = "public"
create-missing = false
[preprocessor.mermaid]
command = "mdbook-mermaid"
[preprocessor.spec]
[output.html]
smart-punctuation = false
"""
    assert parse_book_toml(Source("book.toml", text)) == (
        Project(
            Dialect.MDBOOK,
            "text",
            "public",
            title="T",
            language="zh",
            create_missing=False,
            smart_punctuation=False,
            preprocessors=("mermaid", "spec"),
        ),
        Facts(),
    )


@pytest.mark.parametrize(
    ("text", "expands_includes", "readme_is_index"),
    [
        ("use-default-preprocessors = true", True, True),
        ("use-default-preprocessors = false", False, False),
        ("use-default-preprocessors = false\n[preprocessor.links]", True, False),
        ("use-default-preprocessors = false\n[preprocessor.index]", False, True),
    ],
)
def test_a_book_may_do_without_the_preprocessors_of_mdbook(
    text: str, expands_includes: bool, readme_is_index: bool
) -> None:
    project, _ = parse_book_toml(Source("book.toml", f"[build]\n{text}\n"))
    assert (project.expands_includes, project.readme_is_index) == (expands_includes, readme_is_index)


def test_an_empty_book_toml_has_the_defaults() -> None:
    assert parse_book_toml(Source("book.toml", "")) == (Project(Dialect.MDBOOK, "src", "book"), Facts())


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('[book]\ntitle = "x\n', 2, 11),  # the string does not end on its line
        ("a = 1\n\na = 2\n", 3, 6),  # one key twice
        ("a = ", 1, 5),
        ("\ufeffa = 1\nb", 2, 2),
        ("a = [1,\n", 2, 1),
    ],
)
def test_a_broken_book_toml_names_the_place(text: str, line: int, column: int) -> None:
    project, facts = parse_book_toml(Source("book.toml", text))
    assert project == Project(Dialect.MDBOOK, "src", "book")
    (trouble,) = facts.troubles
    assert trouble.message.startswith("is no valid TOML: ")
    assert (trouble.path, trouble.line, trouble.column) == ("book.toml", line, column)
    assert "(at" not in trouble.message


@pytest.mark.parametrize("text", ["a = " + "[" * 5000 + "]" * 5000, "a = " + "9" * 5000])
def test_an_unreasonable_book_toml_is_refused(text: str) -> None:
    assert len(parse_book_toml(Source("book.toml", text))[1].troubles) == 1


def test_a_setting_of_a_wrong_type_is_named() -> None:
    text = '[book]\nsrc = 5\n[build]\n"create-missing" = "no"\n[output]\nhtml = 1\n'
    project, facts = parse_book_toml(Source("book.toml", text))
    assert (project.source_root, project.create_missing) == ("src", True)
    assert facts.troubles == (
        Trouble("book.toml", "`book.src` is not a string", 2, 7),
        Trouble("book.toml", "`build.create-missing` is not true or false", 4, 21),
    )


MKDOCS = """\
site_name: !ENV [NAME, 'a: b']
docs_dir: text
use_directory_urls: false
markdown_extensions:
  - admonition
  - toc:
      permalink: true
      slugify: !!python/object/apply:os.system ["exit 1"]
  - pymdownx.emoji: {emoji_index: !!python/name:material.emoji 'x'}
nav:
  - index.md
  - Home: "start here.md"
  - 第一章:
      - 集合: 'a/集合.md'
      - a/map.md
      - Deeper:
          - Leaf: a/b/leaf.md
  - Site: https://example.com/x.md
  - Empty:
"""


def test_settings_of_mkdocs() -> None:
    project, facts = parse_mkdocs(Source("mkdocs.yml", MKDOCS))
    assert facts.troubles == ()
    assert project == Project(
        Dialect.MKDOCS,
        "text",
        "site",
        directory_urls=False,
        extensions=("admonition", "toc", "pymdownx.emoji"),
        own_slugs=True,
    )
    assert parse_mkdocs(Source("mkdocs.yml", "")) == (Project(Dialect.MKDOCS, "docs", "site"), Facts())


@pytest.mark.parametrize("text", [MKDOCS, "\ufeff" + MKDOCS, MKDOCS.replace("\n", "\r\n")])
def test_chapters_of_mkdocs(text: str) -> None:
    chapters = parse_mkdocs(Source("mkdocs.yml", text))[1].chapters
    assert [(chapter.title, chapter.destination, chapter.depth, chapter.form) for chapter in chapters] == [
        ("", "index.md", 0, ChapterForm.NUMBERED),
        ("Home", "start here.md", 0, ChapterForm.NUMBERED),
        ("第一章", "", 0, ChapterForm.PART),
        ("集合", "a/集合.md", 1, ChapterForm.NUMBERED),
        ("", "a/map.md", 1, ChapterForm.NUMBERED),
        ("Deeper", "", 1, ChapterForm.PART),
        ("Leaf", "a/b/leaf.md", 2, ChapterForm.NUMBERED),
    ]
    for chapter in chapters:
        written = text[chapter.span.start : chapter.span.end]
        assert written == (chapter.title if chapter.form is ChapterForm.PART else chapter.destination)


@pytest.mark.parametrize("parse", [parse_mkdocs, parse_jekyll])
@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a: b\nc: [d\n", 3, 1),
        ("a: b\n\tc: d\n", 2, 1),
        ("a: \x01\n", 1, 4),
        ("a: *nothing\n", 1, 4),
        ("[" * 5000, None, None),
    ],
)
def test_broken_yaml_is_named(parse: object, text: str, line: int | None, column: int | None) -> None:
    assert callable(parse)
    _, facts = parse(Source("x.yml", text))
    (trouble,) = facts.troubles
    assert (trouble.line, trouble.column) == (line, column)


def test_what_only_plugins_or_other_sites_have_is_no_chapter() -> None:
    nav = (
        "nav:\n- a.md\n- Other: /other/\n- Api: reference/\n- All: 'b/*.md'\n- Sub: '!include ./c/mkdocs.yml'\n- d.md\n"
    )
    _, facts = parse_mkdocs(Source("mkdocs.yml", nav))
    assert [chapter.destination for chapter in facts.chapters] == ["a.md", "d.md"]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("permalink: pretty", True),
        ("permalink: /:title/", True),
        ("permalink: /:title.html", False),
        ("collections:\n  a:\n    permalink: /:collection/:name/", True),
        ("collections:\n  a:\n    output: true", False),
        ("defaults:\n- scope: {path: ''}\n  values:\n    permalink: /:title/", True),
        ("defaults:\n- scope: {path: ''}\n  values:\n    layout: a/", False),
    ],
)
def test_pages_of_jekyll_may_be_found_at_folders(settings: str, expected: bool) -> None:
    assert parse_jekyll(Source("_config.yml", f"{settings}\n")).project.directory_urls is expected


def test_a_nav_that_contains_itself_ends() -> None:
    _, facts = parse_mkdocs(Source("mkdocs.yml", "nav: &nav\n  - a.md\n  - Again: *nav\n"))
    assert [chapter.destination for chapter in facts.chapters] == ["a.md", ""]


def test_what_is_no_mapping_has_no_settings() -> None:
    assert parse_mkdocs(Source("mkdocs.yml", "- a\n")) == (Project(Dialect.MKDOCS, "docs", "site"), Facts())


def test_settings_of_jekyll() -> None:
    text = "title: x\nsource: text\ndestination: out\npermalink: pretty\n"
    assert parse_jekyll(Source("_config.yml", text)) == (Project(Dialect.JEKYLL, "text", "out", title="x"), Facts())
    assert parse_jekyll(Source("_config.yml", ""))[0] == Project(Dialect.JEKYLL, ".", "_site", directory_urls=False)


def test_the_path_of_a_place_is_the_file() -> None:
    facts = parse_book_toml(Source("en/book.toml", '[output.html.redirect]\nab = "c"\n'))[1]
    assert facts.redirects[0].span == Span("en/book.toml", 23, 25)


@given(some.text(alphabet="ab.=\"'[]{}#,\n\r \\\t1-é\0"))
def test_any_text_is_read_or_named_as_toml(text: str) -> None:
    """The scanner is trusted only with what tomllib accepts, and comes to an end there."""
    facts = parse_book_toml(Source("book.toml", text))[1]
    try:
        tomllib.loads(text)
    except ValueError:
        assert len(facts.troubles) == 1
    else:
        assert facts.troubles == ()


@given(some.dictionaries(some.text(max_size=8), some.text(max_size=8), max_size=5))
def test_any_redirects_keep_their_places(table: dict[str, str]) -> None:
    def quoted(text: str) -> str:
        return (
            '"' + "".join(f"\\U{ord(c):08x}" if c in '"\\' or ord(c) < 32 or ord(c) == 127 else c for c in text) + '"'
        )

    lines = [f"{quoted(source)} = {quoted(target)} # {index}" for index, (source, target) in enumerate(table.items())]
    found = redirects("\n".join(["[output.html.redirect]", *lines]))
    assert [(source, target) for _, source, _, target in found] == list(table.items())
    assert [(written, to) for written, _, to, _ in found] == [
        (quoted(source)[1:-1], quoted(target)[1:-1]) for source, target in table.items()
    ]


@given(some.text(alphabet="ab:-?&*!|>%@#{}[],'\"\n \t1~é\0"))
def test_any_text_is_read_or_named_as_yaml(text: str) -> None:
    facts = parse_mkdocs(Source("mkdocs.yml", "nav:\n" + text))[1]
    assert len(facts.troubles) <= 1
    assert all(0 <= chapter.span.start <= chapter.span.end <= len(text) + 5 for chapter in facts.chapters)
