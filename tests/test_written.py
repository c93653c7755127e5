"""Where lintbook says that a drawing is cut, real renderers cut it, and nowhere else."""

from __future__ import annotations

import subprocess
import time
from itertools import product
from pathlib import Path
from typing import NamedTuple

import markdown
import pypandoc
import pytest
from bounds import HANGS
from drawn import built, drawings_of, written
from mdbook import build

from lintbook.dialect import Dialect
from lintbook.parse import parse_markdown
from lintbook.text import Source

FIXTURES = Path(__file__).parent.parent / "fixtures" / "books"
BOOKS = sorted(path.parent for path in FIXTURES.rglob("book.toml"))

STARTS = [
    "<svg>\n<path/>",
    '<svg width="9"\n     height="9">\n<path/>',
    "<svg><path/>",
    "Words <svg>\n<path/>",
    "<!-- c --><svg>\n<path/>",
    "<div>\n<svg>\n<path/>",
    "<svg>\n    <path/>",
    "<svg>\n<g>\n<path/>",
]
SEPARATORS = [
    "\n",
    "\n\n",
    "\n\n\n",
    "\n \t\n",
    "\n<!-- c -->\n",
    "\n\n<!-- c -->\n",
    "\n\n<!-- c -->\n\n",
    "\n<style>.a{}</style>\n",
    "\n\n<style>\n.a{}\n\n.b{}\n</style>\n",
]
CHUNKS = [
    "<circle/>",
    "<text>word</text>",
    "   <circle/>",
    "    <circle/>",
    "\t<circle/>",
    "<g>\n<circle/>\n</g>",
    "<circle/><rect/>",
    "<text>\nword\n</text>",
    "<text>a *b* c</text>",
    "<text>`b`</text>",
    "<title>t</title>",
    "<text>a<br>b</text>",
    "",
]


class Case(NamedTuple):
    """A page with one drawing, and what the author wants to see in it."""

    page: str
    intended: list[str]


def case(start: str, separator: str, chunk: str) -> Case:
    end = ("\n</g>" if "<g>" in start else "") + "\n</svg>" + ("\n</div>" if "<div>" in start else "")
    page = f"{start}{separator}{chunk}{end}\n" if chunk else f"{start}{separator.rstrip()}\n{end}\n"
    sheet = separator if "<style>" in separator else ""
    return Case(page, drawings_of(f"<main>{start}{sheet}{chunk.replace('<br>', ' ')}</main>")[0])


def in_list(page: str) -> str:
    return "- " + "\n  ".join(page.rstrip("\n").split("\n")) + "\n"


def in_quotation(page: str) -> str:
    return "".join(f"> {line}\n" for line in page.rstrip("\n").split("\n"))


PLAIN = [case(*parts) for parts in product(STARTS, SEPARATORS, CHUNKS)]
FRAMED = [
    each._replace(page=frame(each.page))
    for frame in (in_list, in_quotation)
    for each in PLAIN[: len(SEPARATORS) * len(CHUNKS)]
]


def disagreement(each: Case, html: str, dialect: Dialect) -> str | None:
    """What lintbook says and the renderer denies, if anything, with all that is needed to see why."""
    (figure,) = parse_markdown(Source("a.md", each.page), dialect).figures
    kept = drawings_of(f"<main>{html}</main>")[0]
    if (figure.cut is None) == (kept == each.intended):
        return None
    return f"{each.page!r}\n  lintbook: {figure.cut}\n  renderer: {html!r}\n  kept {kept} of {each.intended}"


def main_of(page: str) -> str:
    return page[page.index("<main>") + len("<main>") : page.rindex("</main>")]


CASES = PLAIN + FRAMED
# What pandoc and Python-Markdown make of the words in a drawing lintbook does not look for.
WITHOUT_MARKDOWN = [each for each in CASES if not set("*`") & set(each.page)]


def test_the_table_holds_drawings_of_both_kinds() -> None:
    cut = sum(parse_markdown(Source("a.md", each.page), Dialect.MDBOOK).figures[0].cut is not None for each in CASES)
    assert len(CASES) / 4 < cut < len(CASES) * 3 / 4


def test_mdbook_cuts_where_lintbook_says(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "book.toml").write_text(
        '[book]\ntitle = "Cuts"\n[output.html.search]\nenable = false\n[output.html.print]\nenable = false\n'
    )
    names = [f"p{number}" for number in range(len(CASES))]
    (tmp_path / "src" / "SUMMARY.md").write_text("".join(f"- [{name}]({name}.md)\n" for name in names))
    for name, each in zip(names, CASES, strict=True):
        (tmp_path / "src" / f"{name}.md").write_text(each.page, newline="")
    done = build(tmp_path, tmp_path / "out")
    assert done.returncode == 0, done.stderr
    found = [
        disagreement(each, main_of((tmp_path / "out" / f"{name}.html").read_text()), Dialect.MDBOOK)
        for name, each in zip(names, CASES, strict=True)
    ]
    assert list(filter(None, found)) == []


def by_pandoc(page: str) -> str:
    command = [pypandoc.get_pandoc_path(), "--from", "markdown", "--to", "html"]
    return subprocess.run(command, input=page, capture_output=True, text=True, timeout=60, check=True).stdout


def test_pandoc_cuts_where_lintbook_says() -> None:
    cases = WITHOUT_MARKDOWN[::3]  # it takes its time to start
    found = [disagreement(each, by_pandoc(each.page), Dialect.PANDOC) for each in cases]
    assert list(filter(None, found)) == []


def test_python_markdown_cuts_where_lintbook_says() -> None:
    found = [disagreement(each, markdown.markdown(each.page), Dialect.MKDOCS) for each in WITHOUT_MARKDOWN]
    assert list(filter(None, found)) == []


def test_python_markdown_reads_what_is_marked_as_markdown() -> None:
    drawing = "<svg>\n<path/>\n\n<circle/>\n</svg>"
    for wrapper, cut in (("<div>", False), ('<div markdown="1">', True), ("<div>\n</div>\n<span>", True)):
        page = f"{wrapper}\n{drawing}\n</div>\n"
        html = markdown.markdown(page, extensions=["md_in_html"])
        (figure,) = parse_markdown(Source("a.md", page), Dialect.MKDOCS).figures
        assert (figure.cut is not None) == cut
        assert (drawings_of(html)[0] != ["<circle", "<path", "<svg"]) == cut, html


def test_kramdown_hands_on_a_drawing_that_begins_a_line() -> None:
    drawing = "<svg>\n<path/>\n\n<circle/>\n</svg>"
    for before, cut in (("", False), ("   ", False), ("Words ", True)):
        (figure,) = parse_markdown(Source("a.md", f"{before}{drawing}\n"), Dialect.JEKYLL).figures
        assert (figure.cut is not None) == cut


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_mdbook_and_pandoc_leave_whole_what_lintbook_calls_whole(book: Path, tmp_path: Path) -> None:
    """On every page of the fixture books: the same drawings, and each keeps all that was written unless it is cut."""
    out = built(book, tmp_path)
    for path in sorted((book / "src").rglob("*.md")):
        text = path.read_bytes().decode("utf-8")
        page = (out or tmp_path) / path.relative_to(book / "src").with_suffix(".html")
        htmls = {Dialect.PANDOC: by_pandoc(text)}
        # What no chapter names is not built, and an old address only leads on.
        if page.exists() and "<main>" in page.read_text(encoding="utf-8"):
            htmls[Dialect.MDBOOK] = main_of(page.read_text(encoding="utf-8"))
        for dialect, html in htmls.items():
            source = Source(path.name, text)
            facts = parse_markdown(source, dialect)
            drawings = drawings_of(f"<main>{html}</main>")
            if any(figure.cut for figure in facts.figures) and dialect is Dialect.PANDOC:
                continue  # pieces of a drawing run on into others
            assert len(drawings) == len(facts.figures)
            for figure, kept in zip(facts.figures, drawings, strict=True):
                whole = kept == written(source, figure)
                assert whole == (figure.cut is None), (path, dialect, figure.cut, kept)


# places


@pytest.mark.parametrize(
    ("page", "place"),
    [
        ("<svg>\n<path/>\n\n\n<text>a</text>\n</svg>\n", (4, "")),
        ("<svg>\r\n<path/>\r\n\t \r\n<text>a</text>\r\n</svg>\r\n", (3, "\t ")),
        ("\ufeff<svg>\n<path/>\n\n<!-- a\nb -->\n<text>a</text>\n</svg>\n", (3, "")),
        ("> - <svg>\n>   <path/>\n>\n>   <text>a</text>\n>   </svg>\n", (3, ">")),
        ("<svg><path/>\n</g>\n\n<circle/></svg>\n", (3, "")),
        ("<!-- a --><svg>\n<text>a</text>\n</svg>\n", (1, "<!-- a --><svg>")),
        ("<svg>\n<path/>\n<p>words</p>\n<circle/>\n</svg>\n", (3, "<p")),
        ("a <svg><path d=''x=''/></svg> b\n", (1, "<path")),
    ],
)
def test_a_cut_stands_at_its_reason(page: str, place: tuple[int, str]) -> None:
    source = Source("a.md", page)
    (figure,) = parse_markdown(source, Dialect.MDBOOK).figures
    assert figure.cut is not None
    span = figure.cut.span
    assert (source.position(span.start).line, source.text[span.start : span.end]) == place


@pytest.mark.parametrize("dialect", Dialect)
def test_a_drawing_whose_end_tag_a_comment_takes_is_not_cut(dialect: Dialect) -> None:
    facts = parse_markdown(Source("p.md", "<svg><g><!</svg>\n"), dialect)
    assert [figure.cut for figure in facts.figures] == [None]


def test_prose_about_tags_is_no_cut_drawing() -> None:
    page = "A drawing begins with <svg>.\n\nIt ends with </svg>.\n"
    (figure,) = parse_markdown(Source("a.md", page), Dialect.MDBOOK).figures
    assert figure.cut is None


@pytest.mark.parametrize(
    "unit",
    [
        "<svg>\n\n",
        "<svg>\n\nwords\n\n",
        "<svg>\n<path/>\n\n<text>a</text>\n</svg>\n\n",
        "<svg><g>\n",
        "<svg><style>",
        "<svg><!-- ",
        "- <svg>\n\n",
    ],
)
@pytest.mark.parametrize("dialect", [Dialect.MDBOOK, Dialect.PANDOC, Dialect.MKDOCS])
def test_page_of_many_drawings_does_not_hang(unit: str, dialect: Dialect) -> None:
    start = time.process_time()
    parse_markdown(Source("a.md", unit * 4_000 + "</svg>\n"), dialect)
    assert time.process_time() - start < HANGS
