"""The real mdBook, the judge of pages, ids and links: what a book becomes, and the same as lintbook sees it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from lintbook.book import Book
from lintbook.checks import RULES
from lintbook.config import Configurations
from lintbook.dialect import published
from lintbook.discovery import discover
from lintbook.facts import Link
from lintbook.reading import read_book
from lintbook.site import Arrival

# mdBook belongs to the development dependencies, so a test without it fails instead of being skipped.
MDBOOK = Path(sysconfig.get_path("scripts")) / "mdbook"
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
NOTE = re.compile(r"#(?:footnote|fr)-")  # the ways between a footnote and its mark
# Attributes of tags that hold where they lead or what they show, as the parser of raw HTML reads them.
SHOWN = {"img": "src", "a": "href"}


@dataclass(frozen=True)
class Way:
    """A link of a page as mdBook writes it, and whether it arrives; links out of the book are left out."""

    page: str
    address: str
    arrives: bool

    @property
    def target(self) -> str:
        """Where the link leads, seen from the root of the site."""
        return normpath(join(dirname(self.page), unquote(re.split(r"[?#]", self.address, maxsplit=1)[0])))


@dataclass
class BuiltPage:
    """A page that mdBook wrote: its ids and the addresses of its links, without what stands round the text."""

    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)


class _Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.page = BuiltPage()
        self._in_content = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "main":
            self._in_content = True
        elif self._in_content:
            names = [attributes.get("id"), attributes.get("name") if tag == "a" else None]
            self.page.ids.extend(name for name in names if name)
            link = attributes.get(SHOWN.get(tag, ""))
            if link is not None and attributes.get("class") != "header":
                self.page.links.append(link)

    def handle_endtag(self, tag: str) -> None:
        if tag == "main":
            self._in_content = False


def build(folder: Path, out: Path) -> subprocess.CompletedProcess[str]:
    """Build a copy of the book in ``folder`` into ``out``: mdBook writes the chapters that are missing."""
    with tempfile.TemporaryDirectory() as work:
        copy = Path(work) / "book"
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git", "target", "book"))
        return subprocess.run(
            [MDBOOK, "build", "--dest-dir", out.absolute(), copy],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


def built_pages(out: Path) -> dict[str, BuiltPage]:
    """Return the pages of a built book by their addresses; those that mdBook adds, redirects too, are left out."""
    found = {}
    for file in sorted(out.rglob("*.html")):
        address = file.relative_to(out).as_posix()
        text = file.read_text(encoding="utf-8")
        if address not in ("404.html", "print.html", "toc.html") and "<main>" in text:
            found[address] = _Page(text).page
    return found


def built_ways(out: Path, pages: dict[str, BuiltPage]) -> set[Way]:
    """Return the links of the built pages and whether they arrive."""
    return {
        Way(address, link, _arrives(out, pages, address, link))
        for address, page in pages.items()
        for link in page.links
        if not SCHEME.match(link) and not _leaves(address, link) and not NOTE.match(link)
    }


def _leaves(page: str, link: str) -> bool:
    path = unquote(re.split(r"[?#]", link, maxsplit=1)[0])
    return path.startswith("/") or normpath(join(dirname(page), path)).startswith("..")


def _arrives(out: Path, pages: dict[str, BuiltPage], page: str, link: str) -> bool:
    address, _, fragment = link.partition("#")
    address, fragment = unquote(address.partition("?")[0]), unquote(fragment)
    path = normpath(join(dirname(page), address)) if address else page
    if (out / path).is_dir():
        path = normpath(join(path, "index.html"))
        if not (out / path).exists():
            return True  # a folder of files
    elif not (out / path).is_file():
        return False
    target = pages.get(path)
    return target is None or fragment.lower() in ("", "top") or fragment in target.ids


def the_book(folder: Path) -> Book:
    """Read the book whose project file stands in ``folder``, as a run there does."""
    configurations = Configurations(RULES, folder)
    files = next(files for files in discover((".",), folder).books if files.project is not None and files.root == ".")
    return read_book(files, folder, configurations.of(files.root), [])


def page_ids(book: Book) -> dict[str, list[str]]:
    """Return the ids that lintbook finds on the pages of ``book``, by address; empty ones are none."""
    return {book.addresses(path)[0]: sorted(made.id for made in book.ids(path) if made.id) for path in book.rendered}


def ways(book: Book) -> set[Way]:
    """Return the links that lintbook finds on the pages of ``book``, and whether they arrive."""
    return {way for path in book.rendered for way in _page_ways(book, path)}


def _page_ways(book: Book, path: str) -> Iterator[Way]:
    page = book.addresses(path)[0]
    for link in _links(book, path):
        address = published(link.destination, book.dialect)
        target = book.resolve(path, link.destination)
        if target.arrival is Arrival.OUTSIDE or SCHEME.match(address) or _leaves(page, address):
            continue
        found = target.arrival in (Arrival.PAGE, Arrival.FILE)
        yield Way(page, address, found and book.has_id(target))


def _links(book: Book, path: str) -> Iterator[Link]:
    for stretch in book.stretches(path):
        for link in stretch.document.facts.links:
            if stretch.holds(link.span):
                yield link
