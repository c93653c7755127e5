"""The site: which pages of a book are rendered, which ids they have, and where links lead.

Answers come from indexes that are made when first asked for. They are the renderer's: the dialect of the book decides
what a heading's id is, at which address a page is found and what its navigation leaves out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import islice
from posixpath import basename, dirname, join, normpath, relpath, splitext
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from lintbook.builder import Build, build_of, pages_at, stated_addresses, unordered
from lintbook.dialect import (
    Dialect,
    GeneratedAnchor,
    addresses,
    generated_anchors,
    is_index,
    is_replaced,
    leads_out,
    published,
    stated_address,
    without_line,
)
from lintbook.facts import (
    AnchorOrigin,
    Chapter,
    ChapterForm,
    Document,
    Include,
    Link,
    Redirect,
)
from lintbook.ids import Id, Stretch, built_ids, heading_ids, written_ids
from lintbook.patterns import regex
from lintbook.selection import selected
from lintbook.text import Source, Span
from lintbook.vocabulary import Vocabulary, standard_vocabulary

if TYPE_CHECKING:
    from lintbook.parse.project import Project

# Filled in by the site generator before the page is made (Liquid, Jinja): where it leads is not known here.
_TEMPLATE = regex(r"\{[{%]|\$\{|%7B%7B", re.IGNORECASE)
# Fragments that every page has (HTML: the top of the document; text fragments search the page).
_ALWAYS = regex(r"top|:~:.*", re.IGNORECASE)
# mdBook includes at most ten deep; pages of more parts than this are made to exhaust whoever reads them.
_DEEPEST = 10
_MOST_STRETCHES = 10_000
# Pages that mdBook makes itself.
_MADE_BY_MDBOOK = frozenset({"print.html", "toc.html", "404.html"})


class Arrival(StrEnum):
    """What becomes of a link."""

    PAGE = "page"  # a page of this book
    FILE = "file"  # another file or a folder that exists
    OUTSIDE = "outside"  # another site, a mail address, a template: nothing to be known here
    MISSING = "missing"
    MISSPELT = "misspelt"  # nothing there, but a file whose name differs in case or in its slashes
    UNBUILT = "unbuilt"  # a page that the renderer leaves out, since the navigation does not name it
    README = "readme"  # a README.md by its own name, which the renderer publishes as the index of its folder


# Those in which an address that is no source file counts from the rendered page, which is a folder of its own.
_SEEN_FROM_PAGES = frozenset({Dialect.MKDOCS, Dialect.JEKYLL})
_ASTRAY = frozenset({Arrival.MISSING, Arrival.MISSPELT, Arrival.UNBUILT, Arrival.README})


class Target(Struct, frozen=True):
    """Where a link leads: ``path`` of the file, ``fragment`` decoded.

    Of a missing file it is the path that was tried, of a misspelt one the right path.
    """

    arrival: Arrival
    path: str
    fragment: str


class _Address(NamedTuple):
    """What a destination says, decoded: an address in the rendered page, the same as ``written``, and a fragment."""

    address: str
    written: str
    fragment: str


class FollowedLink(Struct, frozen=True):
    """A link and where it leads from ``page``, the path of the page that it was followed on.

    Of the links that share one definition ``link`` is the first, and ``others`` are the rest. A link of text that
    stands on several pages is followed on the first on which it does not arrive. What is outside of the book counts as
    having arrived.
    """

    link: Link
    others: tuple[Link, ...]
    page: str
    target: Target
    arrives: bool


class Site:
    """The documents of one book and what is rendered of them.

    ``root`` is its folder, ``source_root`` the folder that page addresses start from.

    ``exists`` tells of any path whether there is a file or folder, None where that is not known; ``text`` reads a file
    of any kind, None if it cannot be read. ``paths`` and ``folders`` are the files, of any kind, and the folders that
    are known to be there. ``summary`` and ``project_file`` are the paths of SUMMARY.md and of the project file, whose
    documents are among ``documents``.
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
        text: Callable[[str], Source | None] | None = None,
        paths: Iterable[str] = (),
        folders: Iterable[str] = (),
        retired: Iterable[str] = (),
        vocabulary: Vocabulary | None = None,
    ) -> None:
        self.documents = tuple(documents)
        self.dialect = dialect
        self.root = root
        self.source_root = source_root
        self.project = project
        self.project_file = project_file
        self.summary = summary
        self.vocabulary = vocabulary or standard_vocabulary()
        self._paths = tuple(paths)
        self._folders = frozenset(folders)
        self._named_retired = frozenset(retired)
        self.exists = exists or (lambda path: path in self._by_path)
        self._text = text or (lambda path: None)

    def take_over(self, before: Site) -> None:
        """Take over what ``before``, the same book as it was read earlier, found out about pages that did not change.

        They are the same documents, made of no other. All else that an answer about one page depends on is the same
        too, or nothing is taken over: which documents there are, the project and its navigation.
        """
        if not self._is_framed_as(before):
            return
        same = [
            path
            for path, document in self._by_path.items()
            if before.document(path) is document and not any(map(self.becomes_text, document.facts.includes))
        ]
        for mine, earlier in zip(self._by_page, before._by_page, strict=True):
            mine.update((path, earlier[path]) for path in same if path in earlier)
        has_same_files = self.exists == before.exists
        if (has_same_files or self.dialect is Dialect.MDBOOK) and self._leads_as(before):
            unchanged = frozenset(same)
            # Which other files there are is nothing to links of mdBook that lead to pages, and may be to all others.
            self._resolved.update(
                (link, target)
                for link, target in before._resolved.items()
                if link[0] in unchanged and (has_same_files or target.arrival is Arrival.PAGE)
            )

    def _leads_as(self, other: Site) -> bool:
        """Whether links lead where they did, among the same files and framed alike as two sites are.

        Text that is included may be moved. Names and ids may lead to other pages than that which has them.
        """
        includes = (include for site in (self, other) for page in site.pages for include in page.facts.includes)
        return (
            not any(map(self.becomes_text, includes))
            and self._generated == other._generated
            and self._id_places == other._id_places
        )

    def _is_framed_as(self, other: Site) -> bool:
        framing = [self.summary or "", self.project_file or ""]
        return (
            (self.dialect, self.root, self.source_root) == (other.dialect, other.root, other.source_root)
            and (self.summary, self.project_file, self.project) == (other.summary, other.project_file, other.project)
            and self._build == other._build
            and self._by_path.keys() == other._by_path.keys()
            and all(self.document(path) is other.document(path) for path in framing)
        )

    @property
    def _by_page(self) -> tuple[dict[str, Any], ...]:
        """All that is found out about one page when first asked for, each by the page's path."""
        return (
            self._stretches,
            self._heading_ids,
            self._written_ids,
            self._ids,
            self._made,
            self._names,
            self._named_ids,
        )

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
                if chapter.form is ChapterForm.PART or not chapter.destination or leads_out(chapter.destination):
                    continue
                written = chapter.destination.partition("#")[0].lstrip("/")
                found.append((chapter, normpath(join(self.source_root, written))))
        return tuple(found)

    @cached_property
    def rendered(self) -> frozenset[str]:
        """The paths of the pages that become pages of the site.

        Only mdBook leaves out what its navigation does not name. A chapter whose name differs from the file's in case
        only is that file: that it is not found everywhere is one fault, told of the chapter.
        """
        if self.dialect is not Dialect.MDBOOK or self.summary is None:
            return frozenset(page.source.path for page in self.pages)
        named = (self.spelling(path) or path for _, path in self.chapters)
        return frozenset(path for path in named if path in self._by_path)

    @cached_property
    def live(self) -> frozenset[str]:
        """The paths of live pages: rendered, or included by such a page."""
        reached = set(self.rendered)
        waiting = list(reached)
        while waiting:
            for path in self._included_by(waiting.pop()):
                if path in self._by_path and path not in reached:
                    reached.add(path)
                    waiting.append(path)
        return frozenset(reached)

    # ── included text ────────────────────────────────────────────────────────────────────────────────────

    @staticmethod
    def included_path(include: Include) -> str:
        """Return the path of the file that ``include`` names."""
        return normpath(join(dirname(include.span.path), include.path))

    @staticmethod
    def becomes_text(include: Include) -> bool:
        """Return whether what ``include`` takes becomes Markdown of the page; in code it is shown as it is."""
        return include.directive == "include" and not include.in_code

    def _included_by(self, path: str) -> Iterator[str]:
        for include in self._by_path[path].facts.includes:
            if self.becomes_text(include):
                yield self.included_path(include)

    def source(self, path: str) -> Source | None:
        """Return the text of any file, whether it is one of the book's documents or not; None if it cannot be read."""
        document = self._by_path.get(path)
        return document.source if document is not None else self._text(path)

    def stretches(self, path: str) -> tuple[Stretch, ...]:
        """Return what the page at ``path`` is made of, in order: its text, and where it includes text, that text."""
        if path not in self._stretches:
            document = self._by_path[path]
            whole = ((0, len(document.source.text) + 1),)
            parts = self._expanded(document, whole, (path,))
            self._stretches[path] = tuple(islice(parts, _MOST_STRETCHES))
        return self._stretches[path]

    @cached_property
    def _stretches(self) -> dict[str, tuple[Stretch, ...]]:
        return {}

    def _expanded(
        self, document: Document, ranges: Sequence[tuple[int, int]], chain: tuple[str, ...]
    ) -> Iterator[Stretch]:
        """Yield the parts of ``ranges`` of a document; ``chain`` are the paths that include one another down to it."""
        includes = [include for include in document.facts.includes if self.becomes_text(include)]
        starts = [include.span.start for include in includes]
        for start, end in ranges:
            position = start
            for include in includes[bisect_left(starts, start) : bisect_left(starts, end)]:
                path = self.included_path(include)
                included = self._by_path.get(path)
                if included is None:
                    continue
                yield Stretch(document, position, include.span.start)
                position = include.span.end
                taken = selected(included.source.text, include.selection)
                if taken and path not in chain and len(chain) <= _DEEPEST:
                    yield from self._expanded(included, taken, (*chain, path))
            yield Stretch(document, position, end)

    @cached_property
    def _hosts(self) -> Mapping[str, tuple[str, ...]]:
        """For the path of each included text those of the pages on which it, or some of it, stands."""
        found: dict[str, dict[str, None]] = {}
        for page in self.pages:
            path = page.source.path
            if self._stands_alone(path) and any(map(self.becomes_text, page.facts.includes)):
                for stretch in self.stretches(path):
                    if stretch.document is not page:
                        found.setdefault(stretch.document.source.path, {})[path] = None
        return {path: tuple(hosts) for path, hosts in found.items()}

    def _stands_alone(self, path: str) -> bool:
        """Whether the page at ``path`` is looked at by itself: it is rendered, or would be if it were a chapter."""
        return path in self.rendered or path not in self.live

    def hosts(self, path: str) -> tuple[str, ...]:
        """Return the paths of the pages on which the text at ``path`` stands: its own, and those that include it."""
        others = self._hosts.get(path, ())
        return (path, *others) if self._stands_alone(path) else others

    def hosts_of(self, span: Span) -> Iterator[str]:
        """Yield the paths of the pages on which the place at ``span`` stands."""
        for host in self.hosts(span.path):
            if host == span.path or any(stretch.holds(span) for stretch in self.stretches(host)):
                yield host

    # ── redirects ────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def redirects(self) -> tuple[Redirect, ...]:
        """The redirects of the project file, on which the renderer acts."""
        document = self._by_path.get(self.project_file or "")
        return document.facts.redirects if document else ()

    @cached_property
    def recorded_redirects(self) -> tuple[Redirect, ...]:
        """The redirects that a comment of SUMMARY.md records, on which the renderer does not act."""
        document = self._by_path.get(self.summary or "")
        return document.facts.redirects if document else ()

    @cached_property
    def _redirected(self) -> frozenset[str]:
        """The addresses at which the renderer puts redirects."""
        return frozenset(redirect.source.partition("#")[0].lstrip("/") for redirect in self.redirects)

    @cached_property
    def retired(self) -> frozenset[str]:
        """The paths of retired pages: called so by the author, or reached by no chapter while redirects start there."""
        recorded = {redirect.source.partition("#")[0].lstrip("/") for redirect in self.recorded_redirects}
        return self._named_retired | {
            page.source.path
            for page in self.pages
            if page.source.path not in self.live
            and (
                not self._redirected.isdisjoint(self.addresses(page.source.path))
                or self.from_sources(page.source.path) in recorded
            )
        }

    @cached_property
    def current(self) -> tuple[Document, ...]:
        """The documents that are held to what they say: all but the retired pages."""
        return tuple(document for document in self.documents if document.source.path not in self.retired)

    @cached_property
    def live_pages(self) -> tuple[Document, ...]:
        """The live pages but the retired, in the order of the navigation; behind them, by path, those it names not."""
        place = {path: number for number, (_, path) in reversed([*enumerate(self.chapters)])}
        last = len(place)
        held = self.live - self._named_retired
        return tuple(
            sorted(
                (page for page in self.pages if page.source.path in held),
                key=lambda page: (place.get(page.source.path, last), page.source.path),
            )
        )

    # ── addresses ────────────────────────────────────────────────────────────────────────────────────────

    def addresses(self, path: str) -> tuple[str, ...]:
        """Return the addresses of the page at ``path``, the proper one first, relative to the root of the site."""
        inner = self.from_sources(path)
        if self.project is None:
            return addresses(inner, self.dialect)
        made = addresses(
            inner,
            self.dialect,
            directory_urls=self.project.directory_urls,
            readme_is_index=self.project.readme_is_index,
        )
        page = self._by_path.get(path)
        stated = stated_address(page.source.text, self.dialect) if page else None
        return made if stated is None else (stated, stated.rstrip("/"), *made)

    def from_sources(self, path: str) -> str:
        """Return ``path`` seen from the sources, ``.`` for their root."""
        return _seen_from(self.source_root, path)

    @cached_property
    def _by_address(self) -> dict[str, str]:
        """The path of the page for each address of the site."""
        found: dict[str, str] = {}
        for page in self.pages:
            if page.source.path in self.rendered:
                for address in self.addresses(page.source.path):
                    found.setdefault(address, page.source.path)
        if self.dialect is Dialect.MDBOOK and (first := self._first_chapter()):
            for address in ("index.html", ""):
                found.setdefault(address, first)
        return found

    def _first_chapter(self) -> str | None:
        """Return the path of the first chapter, which mdBook publishes as the index of the book too."""
        return next((path for _, path in self.chapters if path in self.rendered), None)

    def page_at(self, address: str) -> str | None:
        """Return the path of the page at ``address``, relative to the root of the site."""
        return self._by_address.get(address)

    @cached_property
    def _promised(self) -> frozenset[str]:
        """The addresses of chapters whose files are missing: mdBook makes a page of each, the others say so."""
        missing = (path for _, path in self.chapters if path not in self._by_path)
        return frozenset(address for path in missing for address in self.addresses(path))

    def is_published(self, address: str) -> bool | None:
        """Return whether something other than a page is found at ``address``, relative to the root of the site."""
        if self.dialect is Dialect.MDBOOK and address in _MADE_BY_MDBOOK:
            return True
        if address in self._promised or address in self._redirected:
            return True
        exists = self.exists(normpath(join(self.source_root, address)))
        return False if exists and self.dialect is Dialect.MDBOOK and address.endswith(".md") else exists

    @property
    def page_addresses(self) -> frozenset[str]:
        """The addresses of the pages of the site."""
        return frozenset(self._by_address)

    def is_folder(self, path: str) -> bool:
        """Return whether there is a folder at ``path``."""
        return bool(self.exists(path)) and path not in self._all_files

    @cached_property
    def _all_files(self) -> frozenset[str]:
        return frozenset((*self._paths, *self._by_path))

    def spelling(self, path: str) -> str | None:
        """Return the path of the file or folder that ``path`` names but for case; None if there is none or several."""
        found = self._by_lower.get(path.lower(), ())
        return found[0] if len(found) == 1 else None

    @cached_property
    def _by_lower(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, dict[str, None]] = {}
        for path in (*self._paths, *self._by_path):
            name = path
            while name and name not in found.setdefault(name.lower(), {}):
                found[name.lower()][name] = None
                name = dirname(name)
        return {lower: tuple(names) for lower, names in found.items()}

    def files_named(self, name: str) -> tuple[str, ...]:
        """Return the files of the book whose paths end with ``name``, which is a file's name or some last steps."""
        found = self._by_name.get(basename(name), ())
        return tuple(path for path in found if f"/{path}".endswith(f"/{name}"))

    @cached_property
    def _by_name(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for path in sorted({*self._paths, *self._by_path}):
            found.setdefault(basename(path), []).append(path)
        return {name: tuple(paths) for name, paths in found.items()}

    # ── ids ──────────────────────────────────────────────────────────────────────────────────────────────

    def ids(self, path: str) -> tuple[Id, ...]:
        """Return the ids of the rendered page at ``path``, those of included text too; made ones come first."""
        if path not in self._ids:
            self._ids[path] = tuple(self._page_ids(path))
        return self._ids[path]

    @cached_property
    def _ids(self) -> dict[str, tuple[Id, ...]]:
        return {}

    def _page_ids(self, path: str) -> Iterator[Id]:
        stretches = self.stretches(path)
        yield from self.heading_ids(path)
        if self.dialect is Dialect.GITHUB:
            # A tree without project file may be rendered by anything: an id that some renderer makes is believed.
            for dialect in Dialect:
                if dialect is not self.dialect:
                    yield from heading_ids(stretches, dialect, self.project)
            yield from built_ids(stretches, self._build)
        yield from self.written_ids(path)
        for stretch in stretches:
            for made in self._made_anchors(stretch.document):
                span = stretch.document.source.span(made.start, made.end)
                if stretch.holds(span):
                    yield Id(made.id, span)

    def _made_anchors(self, document: Document) -> tuple[GeneratedAnchor, ...]:
        """Return the anchors that preprocessors make of the text of ``document``."""
        path = document.source.path
        if path not in self._made:
            self._made[path] = tuple(generated_anchors(document.source.text, self._preprocessors))
        return self._made[path]

    @cached_property
    def _made(self) -> dict[str, tuple[GeneratedAnchor, ...]]:
        return {}

    def heading_ids(self, path: str) -> tuple[Id, ...]:
        """Return the ids of the headings and terms of the page at ``path``, explicit or made of their text."""
        if path not in self._heading_ids:
            self._heading_ids[path] = tuple(heading_ids(self.stretches(path), self.dialect, self.project))
        return self._heading_ids[path]

    @cached_property
    def _heading_ids(self) -> dict[str, tuple[Id, ...]]:
        return {}

    def written_ids(self, path: str) -> tuple[Id, ...]:
        """Return the ids that the page at ``path`` states itself: of raw HTML, attributes, footnotes, drawings."""
        if path not in self._written_ids:
            self._written_ids[path] = tuple(written_ids(self.stretches(path), self.dialect, self._page_paths))
        return self._written_ids[path]

    @cached_property
    def _written_ids(self) -> dict[str, tuple[Id, ...]]:
        return {}

    @cached_property
    def _page_paths(self) -> frozenset[str]:
        return frozenset(page.source.path for page in self.pages)

    @property
    def _preprocessors(self) -> tuple[str, ...]:
        return self.project.preprocessors if self.project else ()

    @cached_property
    def _generated(self) -> dict[str, tuple[str, str]]:
        """The page and id for each name that a preprocessor makes an anchor of."""
        return {made.name: (page.source.path, made.id) for page in self.pages for made in self._made_anchors(page)}

    def ids_on_page(self, path: str) -> frozenset[str]:
        """Return the ids of every page that the text at ``path`` ends up on, as strings."""
        return frozenset(made.id for host in self.hosts(path) for made in self.ids(host))

    # ── links ────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def links(self) -> tuple[FollowedLink, ...]:
        """The links of the current documents; in order, those that share a definition where the first stands."""
        return tuple(followed for document in self.current for followed in self._followed(document))

    @cached_property
    def _links_by_arrival(self) -> Mapping[Arrival, Sequence[FollowedLink]]:
        found: dict[Arrival, list[FollowedLink]] = {}
        for followed in self.links:
            found.setdefault(followed.target.arrival, []).append(followed)
        return found

    def links_with(self, arrival: Arrival) -> Sequence[FollowedLink]:
        """Return those of ``links`` of which this becomes, in their order."""
        return self._links_by_arrival.get(arrival, ())

    def _followed(self, document: Document) -> Iterator[FollowedLink]:
        path = document.source.path
        is_alone = self.hosts(path) == (path,)
        shared: dict[int, list[Link]] = {}
        for link in document.facts.links:
            shared.setdefault(link.destination_span.start, []).append(link)
        for first, *others in shared.values():
            found = None
            for page in (path,) if is_alone else self.hosts_of(first.span):
                target = self.resolve(page, first.destination)
                arrives = target.arrival not in _ASTRAY and self.has_id(target)
                if found is None or not arrives:
                    found = FollowedLink(first, tuple(others), page, target, arrives)
                if not arrives:
                    break
            if found is not None:
                yield found

    def resolve(self, path: str, destination: str) -> Target:
        """Return where a link from the page at ``path`` leads; ``destination`` is decoded, percent signs kept.

        From a text that is only included the link leads where it does on the first page that includes it.
        """
        known = self._resolved.get((path, destination))
        if known is None:
            known = self._resolved[path, destination] = self._resolve(path, destination)
        return known

    @cached_property
    def _resolved(self) -> dict[tuple[str, str], Target]:
        return {}

    def _resolve(self, path: str, destination: str) -> Target:
        meant = self._meanings.get(destination)
        if meant is None:
            meant = self._meanings[destination] = self._meaning(destination)
        if isinstance(meant, Target):
            return meant
        if not self._stands_alone(path) and (hosts := self.hosts(path)):
            path = hosts[0]
        address, written, fragment = meant
        if not address:
            companion = self._build.companion(path, self._page_paths) if self._build else None
            if companion == "":
                return Target(Arrival.OUTSIDE, "", "")
            return Target(Arrival.PAGE, self._page_with(companion or path, fragment), fragment)
        # Many links of one folder lead to one page, and to many places of it.
        base = path if self.dialect in _SEEN_FROM_PAGES else path.rpartition("/")[0]
        known = self._located.get((base, address, written))
        if known is None:
            known = self._located[base, address, written] = self._locate(path, address, written)
        return Target(known.arrival, known.path, known.fragment or fragment)

    @cached_property
    def _meanings(self) -> dict[str, Target | _Address]:
        return {}

    def _meaning(self, destination: str) -> Target | _Address:
        """Return where a destination leads from wherever it stands; or its address, if that is seen from a page."""
        if leads_out(destination) or _is_template(destination):
            return Target(Arrival.OUTSIDE, "", "")
        if destination in self._generated:
            return Target(Arrival.PAGE, *self._generated[destination])
        if is_replaced(destination, self._preprocessors):
            return Target(Arrival.OUTSIDE, "", "")
        if self.dialect is Dialect.GITHUB:
            destination = without_line(self._build.means(destination) if self._build else destination)
        rendered = published(destination, self.dialect)
        address, fragment = _parts(rendered)
        return _Address(address, address if rendered == destination else _parts(destination)[0], fragment)

    @cached_property
    def _located(self) -> dict[tuple[str, str, str], Target]:
        return {}

    def _locate(self, path: str, address: str, written: str) -> Target:
        """Return where ``address``, written so, leads from the page at ``path``: its fragment is yet to be added."""
        if self.dialect is Dialect.MDBOOK:
            return self._in_mdbook(path, address, written, "")
        return self._elsewhere(path, address)

    def _page_with(self, path: str, fragment: str) -> str:
        """Return the page that a link to ``#fragment`` on the page at ``path`` leads to, which may be another one."""
        other = self._id_places.get(fragment, path) if fragment else path
        if other == path or path not in self._page_paths or fragment in self._ids_by_name(path):
            return path
        return other

    @cached_property
    def _id_places(self) -> dict[str, str]:
        """The first page with each id that is found from every page.

        pandoc makes one document of the files that it is given. So may what builds a tree without project file, which
        is not known: there only ids that an author wrote as ``{#id}`` or ``(id)=``, which GitHub would print, are taken
        for such.
        """
        if self.dialect is Dialect.PANDOC:
            ids = ((made.id, path) for path in sorted(self._page_paths) for made in self.ids(path))
        elif self.dialect is Dialect.GITHUB:
            origins = (AnchorOrigin.HEADING, AnchorOrigin.ATTRIBUTE, AnchorOrigin.LIST, AnchorOrigin.TARGET)
            ids = ((a.id, page.source.path) for page in self.pages for a in page.facts.anchors if a.origin in origins)
        else:
            return {}
        places: dict[str, str] = {}
        for identifier, path in ids:
            places.setdefault(identifier, path)
        return places

    def follow(self, path: str, address: str) -> Target:
        """Return where an address leads that the site itself holds, seen from a page whose source is at ``path``."""
        if leads_out(address):
            return Target(Arrival.OUTSIDE, "", "")
        written, fragment = _parts(address)
        return self._in_mdbook(path, written or basename(path), written, fragment)

    def _in_mdbook(self, path: str, address: str, written: str, fragment: str) -> Target:
        """Follow a link of mdBook to ``address``, for which the author wrote the path ``written``."""
        if address.startswith("/"):
            return self._from_root(address, fragment)
        tried = _joined(dirname(self.from_sources(path)), address)
        page = self._by_address.get(tried) or self._by_address.get(f"{tried}/")
        if page is not None:
            return Target(Arrival.PAGE, page, fragment)
        if tried.startswith("../"):
            return Target(Arrival.OUTSIDE, "", "")
        return self._unpublished(tried, normpath(join(dirname(path), written)), fragment)

    def _from_root(self, address: str, fragment: str) -> Target:
        """Follow an address from the root of the site, which may hold more than the book."""
        inner = self.inner_address(address)
        page = self._by_address.get(inner) or self._by_address.get(f"{inner}/")
        if page is not None:
            return Target(Arrival.PAGE, page, fragment)
        folder, slash, _ = inner.partition("/")
        known = self._site_root is not None and address.startswith(self._site_root)
        if not known or not inner.endswith(".html") or (slash and not self.exists(join(self.source_root, folder))):
            return Target(Arrival.OUTSIDE, "", "")
        return self._unpublished(inner, normpath(join(self.source_root, inner)), fragment)

    def inner_address(self, address: str) -> str:
        """Return an address from the root of the site (``/x.html``) as seen from the root of the book."""
        return address.removeprefix(self._site_root or "/").lstrip("/")

    @cached_property
    def _site_root(self) -> str | None:
        """The path at which the book is published, with a slash at both ends; None if it is not known.

        Where the project file does not tell, it is taken for the root of the site if most redirects there arrive.
        """
        if self.project is not None and self.project.site_url:
            path = urlsplit(self.project.site_url).path.strip("/")
            return f"/{path}/" if path else "/"
        targets = [redirect.target.partition("#")[0] for redirect in self.redirects]
        rooted = [target for target in targets if target.startswith("/") and not target.startswith("//")]
        arriving = sum(target.lstrip("/") in self._by_address for target in rooted)
        return "/" if arriving > 1 and arriving * 2 > len(rooted) else None

    def _unpublished(self, address: str, path: str, fragment: str) -> Target:
        """Say what is at ``address`` of a site of mdBook, or at ``path`` among its sources, if it is no page."""
        published = self.is_published(address)
        if published:
            return Target(Arrival.FILE, path, fragment)
        stem, ending = splitext(path)
        source = f"{stem}.md" if ending == ".html" else path
        if source in self._page_paths or source == self.summary:
            is_readme = source in self.rendered and is_index(source, self.dialect)
            if is_readme and self.project is None:
                return Target(Arrival.PAGE, source, fragment)  # GitBook, say, finds it by its own name
            return Target(Arrival.README if is_readme else Arrival.UNBUILT, source, fragment)
        if published is None or self._is_beside(path):
            return Target(Arrival.OUTSIDE, path, fragment)
        return self._missing(path, fragment)

    def _missing(self, path: str, fragment: str) -> Target:
        """Return the target of a link to ``path``, where there is nothing."""
        tried = normpath(path.replace("\\", "/"))
        if tried != path and self.exists(tried):
            return Target(Arrival.MISSPELT, tried, fragment)
        found = self.spelling(tried) or self.spelling(re.sub(r"\.html$", ".md", tried))
        return Target(Arrival.MISSPELT, found, fragment) if found else Target(Arrival.MISSING, path, fragment)

    def _elsewhere(self, path: str, address: str) -> Target:
        """Follow a link as other renderers do: to a source file, or to where that is found once rendered."""
        doubtful = missing = None
        for candidate in self._candidates(path, address):
            target = self._arrive(candidate)
            if target.arrival is Arrival.OUTSIDE:
                doubtful = doubtful or target
            elif target.arrival is Arrival.MISSING:
                missing = missing or target
            else:
                return target
        if address.startswith("/"):
            return Target(Arrival.OUTSIDE, "", "")  # the root of the site, which may hold more than the book
        if doubtful is not None or missing is None:
            return doubtful or Target(Arrival.OUTSIDE, "", "")
        return self._missing(missing.path, "")

    def _candidates(self, path: str, address: str) -> Iterator[str]:
        """Yield the paths that an address in the document at ``path`` may mean."""
        ending = "/" if address.endswith("/") else ""
        if address.startswith("/"):
            yield normpath(join(self.source_root, address.lstrip("/"))) + ending
            return
        if self._build is not None:
            for place in self._build.places(path, address, self.files_named):
                yield place + ending
            return
        yield normpath(join(dirname(path), address)) + ending
        if self.dialect in _SEEN_FROM_PAGES:
            for own in self.addresses(path)[:1]:
                yield normpath(join(self.source_root, dirname(own), address)) + ending

    def _arrive(self, candidate: str) -> Target:
        path = candidate.rstrip("/") or "."
        if path in self._by_path and not candidate.endswith("/"):
            return Target(Arrival.PAGE, path, "")
        address = self.from_sources(path) + ("/" if candidate.endswith("/") else "")
        page = self._by_address.get(address.removeprefix("./")) or self._by_address.get(f"{address}/")
        if page is not None:
            return Target(Arrival.PAGE, page, "")
        exists = self.exists(path)
        if self.dialect is Dialect.GITHUB and not exists and path.endswith(".html"):
            # Something builds this tree, and it is not known what; that it makes `x.html` of `x.md` is likely.
            source = f"{path.removesuffix('.html')}.md"
            return Target(Arrival.PAGE if source in self._by_path else Arrival.OUTSIDE, source, "")
        if self.dialect is Dialect.GITHUB and not exists and (built := self._built_page(path)):
            return built
        if exists is None or (not exists and self._is_beside(path)):
            return Target(Arrival.OUTSIDE, path, "")
        return Target(Arrival.FILE if exists else Arrival.MISSING, path, "")

    def _built_page(self, path: str) -> Target | None:
        """Return what a builder finds at ``path`` of a tree: a page without its ending, or what bears that label."""
        if self._build is None:
            return None
        page = next((each for each in pages_at(path) if each in self._by_path), None)
        page = page or self._stated.get(basename(path)) or self._unordered.get(unordered(path))
        if page is not None:
            return Target(Arrival.PAGE, page, "")
        if any(map(self.exists, pages_at(path))):
            return Target(Arrival.FILE, path, "")
        label = basename(path)
        return Target(Arrival.PAGE, self._id_places[label], label) if label in self._id_places else None

    @cached_property
    def _stated(self) -> Mapping[str, str]:
        """The paths of pages whose front matter states an address, by the last step of that."""
        stated = (
            (basename(each.strip("/")), page) for page in self.pages for each in stated_addresses(page.source.text)
        )
        return {name: page.source.path for name, page in stated if name}

    @cached_property
    def _unordered(self) -> Mapping[str, str]:
        return {unordered(page.source.path): page.source.path for page in self.pages}

    @cached_property
    def _build(self) -> Build | None:
        """What else builds a tree without project file, told by a file at the top of the tree or one folder below."""
        if self.dialect is not Dialect.GITHUB:
            return None
        inner = (_seen_from(self.root, page) for page in self._by_path)
        tops = sorted({"", *(path.partition("/")[0] for path in inner if "/" in path)})
        folders = (relpath(join(self.root, top)) for top in tops)  # the working directory itself is called `.`
        return build_of(folders, self._all_files | self._folders, self._text)

    @property
    def has_components(self) -> bool:
        """Whether what builds the tree reads tags of its own making, whose attributes need not be those of HTML."""
        return self._build is not None and self._build.builder.has_components

    @property
    def knows_slugs(self) -> bool:
        """Whether it is known how ids of headings are made: a builder may have rules of its own, or be given others."""
        return self._build is None or self._build.builder.has_github_slugs

    def file(self, path: str) -> Target:
        """Return what becomes of a path of the book that is no link: an entry of the navigation."""
        if self.exists(path):
            return Target(Arrival.FILE, path, "")
        found = self.spelling(path)
        return Target(Arrival.MISSPELT, found, "") if found else Target(Arrival.MISSING, path, "")

    def _is_beside(self, path: str) -> bool:
        """Whether a path that is not there leads out of the book, to what may be published beside it.

        Of a tree without project file the top is not known: a missing folder at the top stands beside the tree.
        """
        if self.project is not None:
            return self.from_sources(path).startswith("../")
        inside = _seen_from(self.root, path)  # and back, for the working directory itself is called `.`
        folder, slash, _ = inside.partition("/")
        return folder == ".." or (bool(slash) and not self.exists(relpath(join(self.root, folder))))

    def has_id(self, target: Target) -> bool:
        """Return whether the page of ``target`` has its fragment; other files have any."""
        if target.arrival is not Arrival.PAGE or not target.fragment or target.path not in self._page_paths:
            return True
        if self.project is not None and self.project.own_slugs:
            return True  # the author's own function makes the ids
        if self.dialect is Dialect.GITHUB and target.fragment in self._plain_names(target.path):
            return True  # what other renderers make of all headings of the page need not be known
        if target.fragment in self._ids_by_name(target.path) or _ALWAYS.fullmatch(target.fragment) is not None:
            return True
        page = self._by_path[target.path]
        texts = (heading.text for heading in page.facts.headings)
        return self._build is not None and self._build.has_place(target.fragment, texts, page.source)

    def _plain_names(self, path: str) -> frozenset[str]:
        """Return the ids that a page states or GitHub makes of its headings: most links lead to one of these."""
        if path not in self._names:
            plain = (*self.heading_ids(path), *self.written_ids(path))
            self._names[path] = frozenset([made.id for made in plain])
        return self._names[path]

    @cached_property
    def _names(self) -> dict[str, frozenset[str]]:
        return {}

    def ids_named(self, path: str, name: str) -> Sequence[Id]:
        """Return those of the ids of the rendered page at ``path`` that are ``name``."""
        return self._ids_by_name(path).get(name, ())

    def _ids_by_name(self, path: str) -> Mapping[str, Sequence[Id]]:
        if path not in self._named_ids:
            found: dict[str, list[Id]] = {}
            for made in self.ids(path):
                found.setdefault(made.id, []).append(made)
            self._named_ids[path] = found
        return self._named_ids[path]

    @cached_property
    def _named_ids(self) -> dict[str, Mapping[str, Sequence[Id]]]:
        return {}


def _seen_from(folder: str, path: str) -> str:
    """Return ``path`` seen from ``folder``, ``.`` for the folder itself; most paths lie below it."""
    inner = path.removeprefix(f"{folder}/")
    if inner != path:
        return inner
    return path if folder == "." else relpath(path, folder)


def _is_template(destination: str) -> bool:
    return ("{" in destination or "%" in destination) and _TEMPLATE.search(destination) is not None


def _parts(destination: str) -> tuple[str, str]:
    """Return path and fragment of a destination, decoded; the query is left out."""
    path, _, fragment = destination.partition("#")
    return unquote(path.partition("?")[0]), unquote(fragment)


def _joined(folder: str, address: str) -> str:
    """Return ``address`` seen from the root of the site, empty for the root; a slash at the end is kept."""
    path = normpath(join(folder, address))
    if path == ".":
        return ""
    return f"{path}/" if address.endswith("/") else path
