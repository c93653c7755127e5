"""The site: which pages of a book are rendered, which ids they have, and where links lead.

Answers come from indexes that are made when first asked for. They are the renderer's: the dialect of the book decides
what a heading's id is, at which address a page is found and what its navigation leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from posixpath import dirname, join, normpath, relpath
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lintbook.dialect import Dialect, PageIds, addresses, generated_anchors, is_replaced
from lintbook.facts import AnchorOrigin, Chapter, ChapterForm, Document, Redirect
from lintbook.text import Passage, Span, Style

if TYPE_CHECKING:
    from lintbook.parse.project import Project

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
# Filled in by the site generator before the page is made (Liquid, Jinja): where it leads is not known here.
_TEMPLATE = re.compile(r"\{[{%]|\$\{|%7B%7B", re.IGNORECASE)
# Fragments that every page has (HTML: the top of the document; text fragments search the page).
_ALWAYS = re.compile(r"|top|:~:.*", re.IGNORECASE)


class Arrival(Enum):
    """What becomes of a link."""

    PAGE = "page"  # a page of this book
    FILE = "file"  # another file or a folder that exists
    OUTSIDE = "outside"  # another site, a mail address, a template: nothing to be known here
    MISSING = "missing"
    MISSPELT = "misspelt"  # nothing there, but a file whose name differs in case or in its slashes


@dataclass(frozen=True, slots=True)
class Target:
    """Where a link leads: ``path`` of the file (of a missing one the path that was tried), ``fragment`` decoded."""

    arrival: Arrival
    path: str
    fragment: str


@dataclass(frozen=True, slots=True)
class Id:
    """An id of a rendered page and the place in the source that makes it."""

    id: str
    span: Span


class Site:
    """The documents of one book and what is rendered of them.

    ``root`` is its folder, ``source_root`` the folder that page addresses start from.

    ``exists`` tells of any path whether there is a file or folder, None where that is not known. ``summary`` and
    ``project_file`` are the paths of SUMMARY.md and of the project file, whose documents are among ``documents``.
    """

    def __init__(
        self,
        documents: Iterable[Document],
        *,
        dialect: Dialect,
        root: str = ".",
        source_root: str = ".",
        project: Project | None = None,
        project_file: str | None = None,
        summary: str | None = None,
        exists: Callable[[str], bool | None] | None = None,
        paths: Iterable[str] = (),
    ) -> None:
        self.documents = tuple(documents)
        self.dialect = dialect
        self.root = root
        self.source_root = source_root
        self.project = project
        self.project_file = project_file
        self.summary = summary
        self._paths = tuple(paths)
        self._exists = exists or (lambda path: path in self._by_path)

    # ── pages ────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def _by_path(self) -> dict[str, Document]:
        return {document.source.path: document for document in self.documents}

    def document(self, path: str) -> Document | None:
        """Return the document at ``path``, if the book has one there."""
        return self._by_path.get(path)

    @cached_property
    def pages(self) -> tuple[Document, ...]:
        """The Markdown pages: neither the navigation nor the project file nor drawings."""
        other = (self.summary, self.project_file)
        return tuple(
            document
            for document in self.documents
            if document.source.path not in other and not document.source.path.lower().endswith(".svg")
        )

    @cached_property
    def chapters(self) -> tuple[tuple[Chapter, str], ...]:
        """The entries of the navigation that name a file, each with the path of that file."""
        found = []
        for path in (self.summary, self.project_file):
            document = self._by_path.get(path or "")
            for chapter in document.facts.chapters if document else ():
                if chapter.form is ChapterForm.PART or not chapter.destination or _SCHEME.match(chapter.destination):
                    continue
                written = chapter.destination.partition("#")[0].lstrip("/")
                found.append((chapter, normpath(join(self.source_root, written))))
        return tuple(found)

    @cached_property
    def live(self) -> frozenset[str]:
        """The paths of live pages: reached by the navigation, or included by such a page.

        Only mdBook leaves out what its navigation does not name; elsewhere every page is rendered.
        """
        if self.dialect is not Dialect.MDBOOK or self.summary is None:
            return frozenset(page.source.path for page in self.pages)
        reached = {path for _, path in self.chapters if path in self._by_path}
        waiting = list(reached)
        while waiting:
            for path in self._included_by(waiting.pop()):
                if path in self._by_path and path not in reached:
                    reached.add(path)
                    waiting.append(path)
        return frozenset(reached)

    def _included_by(self, path: str) -> Iterator[str]:
        for include in self._by_path[path].facts.includes:
            if include.directive == "include":
                yield normpath(join(dirname(path), include.path))

    @cached_property
    def _includers(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for document in self.pages:
            for path in self._included_by(document.source.path):
                found[path] = (*found.get(path, ()), document.source.path)
        return found

    @cached_property
    def redirects(self) -> tuple[Redirect, ...]:
        """The redirects of the project file."""
        document = self._by_path.get(self.project_file or "")
        return document.facts.redirects if document else ()

    @cached_property
    def retired(self) -> frozenset[str]:
        """The paths of retired pages: no chapter reaches them and redirects start from them."""
        sources = {redirect.source.partition("#")[0].lstrip("/") for redirect in self.redirects}
        return frozenset(
            page.source.path
            for page in self.pages
            if page.source.path not in self.live and sources & set(self._addresses(page.source.path))
        )

    @cached_property
    def current(self) -> tuple[Document, ...]:
        """The documents that are held to what they say: all but the retired pages."""
        return tuple(document for document in self.documents if document.source.path not in self.retired)

    @cached_property
    def live_pages(self) -> tuple[Document, ...]:
        """The live pages, in the order of the navigation; those that it does not name behind, by path."""
        place = {path: number for number, (_, path) in reversed([*enumerate(self.chapters)])}
        last = len(place)
        return tuple(
            sorted(
                (page for page in self.pages if page.source.path in self.live),
                key=lambda page: (place.get(page.source.path, last), page.source.path),
            )
        )

    # ── ids and links ────────────────────────────────────────────────────────────────────────────────────

    def _addresses(self, path: str) -> tuple[str, ...]:
        directory_urls = self.project.directory_urls if self.project else True
        return addresses(relpath(path, self.source_root), self.dialect, directory_urls=directory_urls)

    @cached_property
    def _by_address(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for page in self.pages:
            for address in self._addresses(page.source.path):
                found.setdefault(address, page.source.path)
        return found

    def ids(self, path: str) -> tuple[Id, ...]:
        """Return the ids of the rendered page at ``path``, in the order of the page, those of included text too."""
        if path not in self._ids:
            self._ids[path] = ()  # a page that includes itself adds nothing
            self._ids[path] = tuple(self._page_ids(self._by_path[path]))
        return self._ids[path]

    @cached_property
    def _ids(self) -> dict[str, tuple[Id, ...]]:
        return {}

    def _page_ids(self, document: Document) -> Iterator[Id]:
        # A tree without project file may be rendered by anything: an id that some renderer makes is believed.
        for dialect in [self.dialect] if self.dialect is not Dialect.GITHUB else Dialect:
            yield from self._heading_ids(document, dialect)
        yield from self._written_ids(document)
        for made in generated_anchors(document.source.text, self._preprocessors):
            yield Id(made.id, document.source.span(made.start, made.end))
        for path in self._included_by(document.source.path):
            if path in self._by_path:
                yield from self.ids(path)

    def _heading_ids(self, document: Document, dialect: Dialect) -> Iterator[Id]:
        """Yield the ids that ``dialect`` gives headings and terms, explicit or made of their text."""
        facts, source = document.facts, document.source
        taken = [anchor.id for anchor in facts.anchors if anchor.origin is AnchorOrigin.HTML]
        headings = {heading.span: heading for heading in facts.headings}
        terms = [anchor.span for anchor in facts.anchors if anchor.origin is AnchorOrigin.TERM]
        ids = PageIds(dialect, taken)
        for span in sorted([*headings, *terms]):
            heading = headings.get(span)
            if heading is not None and heading.anchor is not None:
                yield Id(ids.explicit(heading.anchor.id), heading.anchor.span)
            elif heading is not None and not dialect.slugs_source:
                yield Id(ids.generated(self._shown(heading.passage)), span)
            else:
                yield Id(ids.generated(source.text[span.start : span.end]), span)

    def _written_ids(self, document: Document) -> Iterator[Id]:
        """Yield the ids that the text states itself: of raw HTML, attribute blocks, footnotes, drawings."""
        for anchor in document.facts.anchors:
            if anchor.origin in (AnchorOrigin.HTML, AnchorOrigin.ATTRIBUTE):
                if self.dialect.makes_anchor(anchor.origin):
                    yield Id(anchor.id, anchor.span)
            elif anchor.origin is AnchorOrigin.FOOTNOTE:
                for name in (f"footnote-{anchor.id}", f"fn:{anchor.id}", f"fn{anchor.id}"):
                    yield Id(name, anchor.span)
        if document not in self.pages:
            for figure in document.facts.figures:
                yield from (Id(definition.id, definition.span) for definition in figure.definitions)

    @property
    def _preprocessors(self) -> tuple[str, ...]:
        return self.project.preprocessors if self.project else ()

    @cached_property
    def _generated(self) -> dict[str, tuple[str, str]]:
        """The page and id for each name that a preprocessor makes an anchor of."""
        return {
            made.name: (page.source.path, made.id)
            for page in self.pages
            for made in generated_anchors(page.source.text, self._preprocessors)
        }

    def _shown(self, passage: Passage) -> str:
        """Return the text of a heading as the renderer sets it: mdBook makes dashes of hyphens, but not in code."""
        if self.dialect is not Dialect.MDBOOK or (self.project and not self.project.smart_punctuation):
            return passage.text
        ends = [*(piece.start for piece in passage.pieces[1:]), len(passage.text)]
        texts = [(passage.text[piece.start : end], piece) for piece, end in zip(passage.pieces, ends, strict=True)]
        return "".join(
            text if piece.style is Style.CODE or not piece.verbatim else re.sub("-{2,}", "–", text)
            for text, piece in texts
        )

    def ids_on_page(self, path: str) -> frozenset[str]:
        """Return the ids of every page that the text at ``path`` ends up on, as strings."""
        found = {made.id for made in self.ids(path)}
        for includer in self._includers.get(path, ()):
            found |= {made.id for made in self.ids(includer)}
        return frozenset(found)

    def resolve(self, path: str, destination: str) -> Target:
        """Return where a link from the document at ``path`` leads; ``destination`` is decoded, percent signs kept."""
        if _SCHEME.match(destination) or _TEMPLATE.search(destination):
            return Target(Arrival.OUTSIDE, "", "")
        if destination in self._generated:
            return Target(Arrival.PAGE, *self._generated[destination])
        if is_replaced(destination, self._preprocessors):
            return Target(Arrival.OUTSIDE, "", "")
        address, _, fragment = destination.partition("#")
        address = unquote(address.partition("?")[0])
        fragment = unquote(fragment)
        if not address:
            return Target(Arrival.PAGE, path, fragment)
        first = None
        for candidate in self._candidates(path, address):
            target = self._arrive(candidate, fragment)
            if target.arrival is not Arrival.MISSING:
                return target
            first = first or target
        assert first is not None
        if address.startswith("/"):
            return Target(Arrival.OUTSIDE, "", "")  # the root of the site, which may hold more than the book
        tried = first.path.replace("\\", "/")
        if tried != first.path or normpath(tried).lower() in self._lower_paths:
            return Target(Arrival.MISSPELT, first.path, fragment)
        return first

    def _candidates(self, path: str, address: str) -> Iterator[str]:
        """Yield the paths that an address in the document at ``path`` may mean."""
        if address.startswith("/"):
            yield normpath(join(self.source_root, address.lstrip("/"))) + ("/" if address.endswith("/") else "")
            return
        ending = "/" if address.endswith("/") else ""
        for base in (path, *self._includers.get(path, ())):
            yield normpath(join(dirname(base), address)) + ending
            if self.dialect in (Dialect.MKDOCS, Dialect.JEKYLL):
                # An address that is no source file counts from the rendered page, which is a folder of its own.
                for own in self._addresses(base)[:1]:
                    yield normpath(join(self.source_root, dirname(own), address)) + ending

    def _arrive(self, candidate: str, fragment: str) -> Target:
        path = candidate.rstrip("/") or "."
        if path in self._by_path and not candidate.endswith("/"):
            return Target(Arrival.PAGE, path, fragment)
        address = relpath(path, self.source_root) + ("/" if candidate.endswith("/") else "")
        page = self._by_address.get(address.removeprefix("./")) or self._by_address.get(f"{address}/")
        if page is not None:
            return Target(Arrival.PAGE, page, fragment)
        exists = self._exists(path)
        if exists is None or (not exists and self._is_beside(path)):
            return Target(Arrival.OUTSIDE, path, fragment)
        return Target(Arrival.FILE if exists else Arrival.MISSING, path, fragment)

    def file(self, path: str) -> Target:
        """Return what becomes of a path of the book that is no link: an entry of the navigation."""
        if self._exists(path):
            return Target(Arrival.FILE, path, "")
        return Target(Arrival.MISSPELT if path.lower() in self._lower_paths else Arrival.MISSING, path, "")

    def _is_beside(self, path: str) -> bool:
        """Whether a path that is not there leads out of the book, to what may be published beside it.

        Of a tree without project file the top is not known: a missing folder at the top stands beside the tree.
        """
        if self.project is not None:
            return relpath(path, self.source_root).startswith("../")
        folder, slash, _ = path.partition("/")
        return bool(slash) and not self._exists(folder)

    @cached_property
    def _lower_paths(self) -> frozenset[str]:
        return frozenset(path.lower() for path in (*self._paths, *self._by_path))

    def has_id(self, target: Target) -> bool:
        """Return whether the page of ``target`` has its fragment; other files have any."""
        if target.arrival is not Arrival.PAGE or _ALWAYS.fullmatch(target.fragment):
            return True
        page = self._by_path[target.path]
        if page.source.path.lower().endswith(".svg") or page not in self.pages:
            return True
        if self.project is not None and self.project.own_slugs:
            return True  # the author's own function makes the ids
        return target.fragment in self.ids_on_page(target.path)
