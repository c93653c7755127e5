"""Redirects followed: those of the project file and those that SUMMARY.md records, and where they lead."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from posixpath import dirname, join, normpath

from msgspec import Struct

from lintbook.book import Book, derived
from lintbook.dialect import published
from lintbook.facts import Redirect
from lintbook.site import Arrival, Target

Place = tuple[str, str]
"""An address of the site and a fragment, empty for the whole page."""


class Redirection(Struct, frozen=True):
    """A redirect and what its ends are: ``address`` and ``fragment`` of the source, the target and its address.

    ``recorded`` says that it stands in a comment of SUMMARY.md, on which the renderer does not act; ``source_page`` is
    the path of the page that the source was.
    """

    redirect: Redirect
    recorded: bool
    address: str
    fragment: str
    source_page: str | None
    target: Target
    target_address: str

    @property
    def start(self) -> Place:
        """Where it starts from."""
        return self.address, self.fragment

    @property
    def end(self) -> Place:
        """Where it leads to, if that is a place of this site."""
        return self.target_address, self.target.fragment


class Redirections:
    """All redirects of a book and the ways that they make."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self.acted_on = tuple(self._of_project(redirect) for redirect in book.redirects)
        self.recorded = tuple(self._of_record(redirect) for redirect in book.recorded_redirects)
        self.all = (*self.acted_on, *self.recorded)

    def _of_project(self, redirect: Redirect) -> Redirection:
        """Read a redirect of book.toml: both ends are addresses, the target seen from the source."""
        source, _, fragment = redirect.source.partition("#")
        address = source.lstrip("/")
        path = join(self._book.source_root, address)
        target = self._book.follow(path, redirect.target)
        return self._made(redirect, False, address, fragment, target, self._address(address, redirect.target))

    def _of_record(self, redirect: Redirect) -> Redirection:
        """Read a line of the record: both ends are files seen from SUMMARY.md."""
        source, _, fragment = redirect.source.partition("#")
        address = self._published(source)
        summary = join(self._book.source_root, "SUMMARY.md")
        target = self._book.resolve(summary, redirect.target)
        return self._made(redirect, True, address, fragment, target, self._published(redirect.target))

    def _made(
        self, redirect: Redirect, recorded: bool, address: str, fragment: str, target: Target, target_address: str
    ) -> Redirection:
        return Redirection(redirect, recorded, address, fragment, self._pages.get(address), target, target_address)

    @cached_property
    def _pages(self) -> dict[str, str]:
        """The paths of all pages, rendered or not, by address."""
        pages = [page.source.path for page in self._book.pages]
        return {address: path for path in reversed(pages) for address in self._book.addresses(path) if address}

    def _address(self, source: str, target: str) -> str:
        path = target.partition("#")[0]
        if path.startswith("/"):
            return self._book.inner_address(path)
        return normpath(join(dirname(source), path)) if path else source

    def _published(self, path: str) -> str:
        """Return the address of the source file at ``path``, seen from the sources."""
        file = path.partition("#")[0].lstrip("/")
        if file.endswith(".md"):
            return self._book.addresses(normpath(join(self._book.source_root, file)))[0]
        return published(file, self._book.dialect)

    @cached_property
    def _by_start(self) -> dict[Place, Redirection]:
        return {each.start: each for each in reversed(self.acted_on)}

    @cached_property
    def _by_recorded_start(self) -> dict[Place, Redirection]:
        return {each.start: each for each in reversed(self.all)}

    def _next(self, redirection: Redirection) -> Redirection | None:
        """Return the redirect that goes on where ``redirection`` ends; that of the fragment goes before."""
        address, fragment = redirection.end
        if redirection.target.arrival is Arrival.OUTSIDE:
            return None
        known = self._by_recorded_start if redirection.recorded else self._by_start
        found = known.get((address, fragment))
        return found if found or self._book.page_at(address) else known.get((address, ""))

    def leads_on(self, redirection: Redirection) -> bool:
        """Return whether another redirect goes on where ``redirection`` ends."""
        return self._next(redirection) is not None

    @property
    def without_page(self) -> Iterator[Redirection]:
        """The first redirect of each address that has such of fragments only and is no page: mdBook refuses that."""
        whole = {each.address for each in self.acted_on if not each.fragment}
        for each in self.acted_on:
            if each.address not in whole and self._book.page_at(each.address) is None:
                whole.add(each.address)
                yield each

    def cycles(self) -> Iterator[list[Redirection]]:
        """Yield the cycles, each once, in the order of the way."""
        settled: set[Place] = set()
        for first in self.all:
            way: list[Redirection] = []
            places: dict[Place, int] = {}
            current: Redirection | None = first
            while current is not None and current.start not in settled and current.start not in places:
                places[current.start] = len(way)
                way.append(current)
                current = self._next(current)
            if current is not None and current.start in places:
                yield way[places[current.start] :]
            settled |= places.keys()


@derived
def redirections(book: Book) -> Redirections:
    """Return the redirects of ``book``, followed."""
    return Redirections(book)
