"""The fixture books themselves: the places they name exist, and the real mdBook agrees with them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sysconfig
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pytest

from lintbook.text import Source

FIXTURES = Path(__file__).parent.parent / "fixtures"
BOOKS = sorted(path for path in (FIXTURES / "books").iterdir() if path.is_dir())
EXPECTED = re.compile(r"(?P<path>[^:]+):(?P<line>[1-9]\d*):(?P<column>[1-9]\d*) (?P<rule>[a-z]+(?:-[a-z]+)+)")


class Expectation(NamedTuple):
    """One line of an expected.txt."""

    path: str
    line: int
    column: int
    rule: str


def expectations(book: Path) -> list[Expectation]:
    """Read the findings that a book says it holds; none for a clean one."""
    comment, *lines = (book / "expected.txt").read_text(encoding="utf-8").splitlines()
    assert comment.startswith("# ")
    if lines == ["clean"]:
        return []
    assert lines, "a book without findings says `clean`"
    found = []
    for line in lines:
        match = EXPECTED.fullmatch(line)
        assert match, f"not `path:line:column rule-name`: {line}"
        found.append(Expectation(match["path"], int(match["line"]), int(match["column"]), match["rule"]))
    return found


@pytest.fixture(params=BOOKS, ids=lambda book: book.name)
def book(request: pytest.FixtureRequest) -> Path:
    path = request.param
    assert isinstance(path, Path)
    return path


def test_expected_places_exist(book: Path) -> None:
    for expected in expectations(book):
        source = Source(expected.path, (book / expected.path).read_bytes().decode("utf-8"))
        assert expected.line <= len(source.line_starts), expected
        assert expected.column <= max(len(source.line_text(expected.line)), 1), expected  # a blank line has its place


def test_expected_places_are_ordered_and_told_once(book: Path) -> None:
    found = expectations(book)
    assert found == sorted(set(found))


@pytest.mark.parametrize(
    ("path", "bom", "endings"),
    [
        ("parse/crlf.md", False, {"\r\n"}),
        ("parse/bom.md", True, {"\n"}),
        ("parse/bom-mixed-endings.md", True, {"\n", "\r\n", "\r"}),
        ("books/english-theorems/src/continuity.md", False, {"\r\n"}),
        ("books/english-theorems/src/compactness.md", True, {"\n"}),
    ],
)
def test_line_endings_and_byte_order_marks_survive_git(path: str, bom: bool, endings: set[str]) -> None:
    text = (FIXTURES / path).read_bytes().decode("utf-8")
    assert text.startswith("\ufeff") == bom
    assert set(re.findall(r"\r\n|\r|\n", text)) == endings


class Page(HTMLParser):
    """The ids of a built page, and the links of its content (the navigation round it left out)."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self._in_content = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if (identifier := attributes.get("id")) is not None:
            self.ids.add(identifier)
        if tag == "main":
            self._in_content = True
        if self._in_content and tag == "a" and (link := attributes.get("href")):
            self.links.append(link)

    def handle_endtag(self, tag: str) -> None:
        if tag == "main":
            self._in_content = False


def files(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def lecture_2(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A copy of lecture-2 with its pages in ``out``, and how the real mdBook ended.

    mdBook belongs to the development dependencies, so a test without it fails instead of being skipped.
    """
    copy = tmp_path_factory.mktemp("mdbook") / "book"
    shutil.copytree(FIXTURES / "books" / "lecture-2", copy)
    mdbook = Path(sysconfig.get_path("scripts")) / "mdbook"
    built = subprocess.run(
        [mdbook, "build", "--dest-dir", copy.parent / "out", copy],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return copy, built


def test_mdbook_builds_the_lecture_book_without_a_warning(
    lecture_2: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    copy, built = lecture_2
    assert built.returncode == 0, built.stderr
    said = [line for line in (built.stdout + built.stderr).splitlines() if line.strip()]
    assert said and all(line.split()[0] == "INFO" for line in said), said
    assert files(copy) == files(FIXTURES / "books" / "lecture-2"), "mdBook created a missing chapter"


def test_links_and_redirects_of_the_lecture_book_arrive_in_mdbook(
    lecture_2: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    copy, _ = lecture_2
    out = (copy.parent / "out").resolve()
    pages = {path: Page(path) for path in out.rglob("*.html") if path.name not in ("404.html", "print.html")}

    def arrives(base: Path, address: str) -> bool:
        path, _, fragment = address.partition("#")
        page = pages.get((base.parent / unquote(path)).resolve() if path else base)
        return page is not None and (not fragment or unquote(fragment) in page.ids)

    links = [(path, link) for path, page in pages.items() for link in page.links if not re.match(r"\w+:", link)]
    redirects = tomllib.loads((copy / "book.toml").read_text(encoding="utf-8"))["output"]["html"]["redirect"]
    addresses = links + [(out / old.partition("#")[0].lstrip("/"), new) for old, new in redirects.items()]
    assert len(links) > len(redirects) > 0
    assert [(base.name, address) for base, address in addresses if not arrives(base, address)] == []
