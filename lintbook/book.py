"""The book: what its pages declare, on top of the site that they are rendered to."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, wraps
from posixpath import basename, commonpath, dirname, join, normpath, relpath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, TypeVarTuple

from msgspec import Struct
from msgspec.structs import replace

from lintbook.facts import Box, BoxForm, Chain, ChapterForm, Document, Facts, Link, Number, Reference, TitleForm, Waiver
from lintbook.outline import Outline, Section
from lintbook.patterns import regex
from lintbook.site import Site
from lintbook.text import Span
from lintbook.vocabulary import is_errata_page

if TYPE_CHECKING:
    from lintbook.calculator.chain import Comparison
    from lintbook.calculator.formula import Namespace
    from lintbook.calculator.problem import Verdict
    from lintbook.parse.blocks import TextBlock

# The title of a part, where numbers may begin anew.
_PART = regex(
    r"(?:第\s*[一二三四五六七八九十百\d]+\s*(?:部分|部|编|篇)|Part\s+(?:[IVX]+|\d+|One|Two|Three|Four|Five)\b)"
)

# A language that books are translated into or from, as folders and files name it: `fr/`, `zh-CN/`, `sets.de.md`.
_LANGUAGE = regex(
    r"(?:ar|bg|bn|ca|cs|da|de|el|en|es|et|fa|fi|fr|he|hi|hr|hu|id|it|ja|jp|ko|lt|lv|ms|nl|no|pl|pt|ro|ru|sk|sl|sr|sv|th|tr|uk"
    r"|vi|zh|cn)(?:[-_](?:[A-Za-z]{2}|Han[st]|\d{3}))?"
)

# The title of a book that solves the exercises of another.
_SOLVES = regex(
    r"\bsolutions?\s*(?:$|manual\b|(?:to|for)\s|of\s+(?:the\s+)?(?:exercises|problems)|[:：—–(-])"
    r"|\banswers?\s*(?:$|(?:to|for)\s|keys?\b)|\b(?:worked|solved)\s+(?:exercises|problems)|习题解|解答|答案|题解",
    re.IGNORECASE,
)
_INDEX = regex(r"(?:index|readme)\.(?:md|markdown)", re.IGNORECASE)

# A longer number counts nothing.
_LONGEST_INDEX = 6

_ONE_PART = ((0, 0),)


def _child(path: str, top: str) -> str:
    """Return the folder directly below ``top`` that ``path`` stands in; empty if it stands in ``top`` itself."""
    inner = relpath(dirname(path) or ".", top)
    return "" if inner == "." else inner.partition("/")[0]


def _language(path: str) -> tuple[str, str] | None:
    """Return the language that a path names, of a folder or at the end of the stem, and the path without it, if any."""
    *folders, name = path.split("/")
    stem, _, ending = name.rpartition(".")
    bare, _, last = stem.rpartition(".")
    if bare and _is_language(last):
        return last, "/".join((*folders, f"{bare}.{ending}"))
    place = next((place for place, folder in enumerate(folders) if _is_language(folder)), None)
    return None if place is None else (folders[place], "/".join((*folders[:place], *folders[place + 1 :], name)))


def _is_language(name: str) -> bool:
    return name[2:3] in ("", "-", "_") and _LANGUAGE.fullmatch(name) is not None


def _repeats(folder: str, folders: Mapping[str, set[str]]) -> bool:
    """Whether a folder counts chapters of its own: at least two that another counts too, and half of its own."""
    own = folders[folder]
    shared = (own & numbers for other, numbers in folders.items() if other not in ("", folder))
    return any(len(common) >= 2 and len(common) * 2 >= min(len(own), 4) for common in shared)


def _first_heading(page: Document) -> str:
    return next((heading.text for heading in page.facts.headings), "")


class Revision(Struct, frozen=True):
    """A book as it was at an earlier commit.

    ``renamed`` gives the new path of a page for its old one, ``waivers`` the commits since that waive their rows.
    """

    book: Book
    renamed: Mapping[str, str]
    waivers: tuple[Waiver, ...]


class Successor(NamedTuple):
    """Where a redirect leads: the address as written, the page found there, and the id on it."""

    address: str
    page: str | None
    fragment: str


_WORD = regex(r"\w+")


def _words(pages: Iterable[Document]) -> set[str]:
    """Return the words of all claims and declarations, among which the formulas of the library may be."""
    found: set[str] = set()
    for page in pages:
        for claim in page.facts.claims:
            found.update(_WORD.findall(claim.text))
        for block in page.facts.quantity_blocks:
            found.update(word for text, _ in block.lines for word in _WORD.findall(text))
    return found


_Derived = TypeVar("_Derived")
_Options = TypeVarTuple("_Options")


def derived(make: Callable[[Book, *_Options], _Derived]) -> Callable[[Book, *_Options], _Derived]:
    """Let a function of a book make its answer once for each book and options: an index that several rules share."""

    @wraps(make)
    def remembered(book: Book, *options: *_Options) -> _Derived:
        key = make, options
        if key not in book.derivations:
            book.derivations[key] = make(book, *options)
        found: _Derived = book.derivations[key]
        return found

    return remembered


class Book(Site):
    """All documents of one name space, and the questions that rules ask of them.

    Answers come from indexes that are made when first asked for. ``earlier`` is what the book is compared with, if it
    is compared with anything.
    """

    earlier: Revision | None = None

    @property
    def _by_page(self) -> tuple[dict[str, Any], ...]:
        return *super()._by_page, self._outlines, self._blocks

    @cached_property
    def derivations(self) -> dict[object, Any]:
        """What functions that are ``derived`` made of this book."""
        return {}

    # ── boxes ────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The boxes declared on live pages, in the order of the book."""
        return tuple(box for page in self.live_pages for box in page.facts.boxes)

    @cached_property
    def _numbered(self) -> dict[tuple[str, Number], list[Box]]:
        found: dict[tuple[str, Number], list[Box]] = defaultdict(list)
        for page in self.pages:
            for box in page.facts.boxes:
                found[box.kind, box.number].append(box)
        return dict(found)

    def declarations(self, kind: str, number: Number) -> tuple[Box, ...]:
        """Return the boxes of exactly this kind and number, on whatever page."""
        return tuple(self._numbered.get((kind, number), ()))

    @cached_property
    def swallowed(self) -> frozenset[tuple[str, Number]]:
        """The kinds and numbers of boxes that fences swallow, and of sections, without kind: they are there, unseen."""
        return frozenset(
            (each.kind, each.number) for page in self.pages for fence in page.facts.fences for each in fence.swallowed
        )

    @cached_property
    def loosely_titled(self) -> frozenset[tuple[str, Number]]:
        """The kinds and numbers of loose titles that are boxes and sections of their own, as far as one can tell.

        Lines of one form on a page whose numbers are mostly declared elsewhere speak of those: a summary, a list. A
        page of errata speaks of what was.
        """
        found: set[tuple[str, Number]] = set()
        for page in self.pages:
            groups: dict[tuple[TitleForm, str], set[Number]] = defaultdict(set)
            for title in page.facts.loose_titles:
                groups[title.form, title.kind].add(title.number)
            if groups and is_errata_page(page.source.path, _first_heading(page)):
                continue
            for (_, kind), numbers in groups.items():
                own = {number for number in numbers if not self.declarations(kind, number)}
                if 2 * len(own) > len(numbers):
                    found.update((kind, number) for number in own)
        return frozenset(found)

    def loose_kinds(self, prefix: tuple[str, ...]) -> frozenset[str]:
        """Return the kinds of the boxes with loose titles whose numbers begin with ``prefix``."""
        return self._loose_kinds.get(prefix, frozenset())

    @cached_property
    def _loose_kinds(self) -> dict[tuple[str, ...], frozenset[str]]:
        found: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for kind, number in self.loosely_titled:
            if kind:
                found[number.parts[:-1]].add(kind)
        return {prefix: frozenset(kinds) for prefix, kinds in found.items()}

    def indices(self, kind: str, prefix: tuple[str, ...]) -> frozenset[int]:
        """Return the last parts of the numbers of a kind that begin with ``prefix``, on whatever page."""
        return self._indices.get((kind, prefix), frozenset())

    @cached_property
    def _indices(self) -> dict[tuple[str, tuple[str, ...]], frozenset[int]]:
        found: dict[tuple[str, tuple[str, ...]], set[int]] = defaultdict(set)
        own = (key for key, boxes in self._numbered.items() if any(box.form is not BoxForm.CITED for box in boxes))
        for kind, number in (*own, *self.swallowed, *self.loosely_titled):
            last = number.parts[-1]
            if last.isdigit() and len(last) <= _LONGEST_INDEX:
                found[kind, number.parts[:-1]].add(int(last))
        return {key: frozenset(indices) for key, indices in found.items()}

    def unknown_indices(self, prefix: tuple[str, ...]) -> frozenset[int]:
        """Return the last parts of the numbers that begin with ``prefix``, of boxes whose kind is not known."""
        return self._unknown_indices.get(prefix, frozenset())

    @cached_property
    def _unknown_indices(self) -> dict[tuple[str, ...], frozenset[int]]:
        found: dict[tuple[str, ...], set[int]] = defaultdict(set)
        for page in self.pages:
            for number in page.facts.unknown_boxes:
                last = number.parts[-1]
                if last.isdigit() and len(last) <= _LONGEST_INDEX:
                    found[number.parts[:-1]].add(int(last))
        return {prefix: frozenset(indices) for prefix, indices in found.items()}

    @cached_property
    def copies(self) -> frozenset[str]:
        """The paths of generated copies: pages outside the navigation most of whose boxes stand elsewhere too.

        Two boxes are the same if kind, number and title are. Where no navigation tells the copy from the original,
        the page whose path comes later is taken for the copy.
        """
        named = {path for _, path in self.chapters}
        homes: dict[tuple[str, Number, str], list[str]] = defaultdict(list)
        for page in self.pages:
            for box in page.facts.boxes:
                homes[box.kind, box.number, box.title].append(page.source.path)
        found = set()
        for page in self.pages:
            path = page.source.path
            titled = [box for box in page.facts.boxes if box.title]
            again = sum(
                any(home != path and (home < path or home in named) for home in homes[box.kind, box.number, box.title])
                for box in titled
            )
            if path not in named and again * 2 > len(titled):
                found.add(path)
        return frozenset(found)

    # ── sections ─────────────────────────────────────────────────────────────────────────────────────────

    def sections(self, path: str) -> tuple[Section, ...]:
        """Return the numbered sections of the page at ``path``, in its order."""
        return self._outline(path).sections

    def section_of(self, span: Span) -> Section | None:
        """Return the innermost numbered section that the place at ``span`` stands in, if any.

        The heading of a box opens no section, and a numbered item (``#### 1.``) is none.
        """
        return self._outline(span.path).at(span.start)

    def _outline(self, path: str) -> Outline:
        if path not in self._outlines:
            document = self.document(path)
            self._outlines[path] = Outline(document.facts if document else Facts(), path in self._named)
        return self._outlines[path]

    @cached_property
    def _outlines(self) -> dict[str, Outline]:
        return {}

    @cached_property
    def _named(self) -> Mapping[str, int]:
        """The paths that the navigation names, with how deep it does."""
        return {path: chapter.depth for chapter, path in reversed(self.chapters)}

    def depth_in_navigation(self, path: str) -> int | None:
        """Return how deep in the navigation the page at ``path`` stands; None if it does not name the page."""
        return self._named.get(path)

    # ── the whole ──────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def is_solutions(self) -> bool:
        """Whether the book solves exercises of another, by the title that its project or its index page gives it."""
        titles = [self.project.title] if self.project else []
        for page in self.live_pages:
            if dirname(page.source.path) in (self.source_root, "") and _INDEX.fullmatch(basename(page.source.path)):
                titles.extend(heading.text for heading in page.facts.headings[:1])
        return any(_SOLVES.search(title) for title in titles)

    # ── name spaces ──────────────────────────────────────────────────────────────────────────────────────

    def volume(self, path: str) -> int:
        """Return the number of the volume that the page at ``path`` is in; zero is no volume of its own.

        A translation is one. In a tree without navigation, folders side by side that each count their own chapters are
        volumes: a number means another thing in each.
        """
        return self._volumes.get(path, 0)

    @cached_property
    def _translations(self) -> dict[str, int]:
        """The number of the language that a page is in, where a book has pages of several that correspond by name."""
        named = {page.source.path: told for page in self.pages if (told := _language(page.source.path))}
        if not named:
            return {}
        languages: dict[str, set[str]] = defaultdict(set)
        for language, origin in named.values():
            languages[language].add(origin)
        paths = {page.source.path for page in self.pages}  # of which some may be in the language that no name says
        translated = [
            language
            for language, own in sorted(languages.items())
            if any(
                len(own & others) * 2 >= len(own)
                for others in (paths, *(others for other, others in languages.items() if other != language))
            )
        ]
        numbers = {language: number for number, language in enumerate(translated, 1)}
        return {path: numbers[language] for path, (language, _) in named.items() if language in numbers}

    @cached_property
    def _volumes(self) -> dict[str, int]:
        if self._translations:
            return self._translations
        pages = {page.source.path: self._chapter_numbers(page) for page in self.live_pages}
        pages = {path: numbers for path, numbers in pages.items() if numbers}
        if self._named or len(pages) < 2:
            return {}
        top = commonpath([dirname(path) or "." for path in pages])
        folders: dict[str, set[str]] = defaultdict(set)
        for path, numbers in pages.items():
            folders[_child(path, top)] |= numbers
        own = sorted(folder for folder in folders if folder and _repeats(folder, folders))
        if len(own) < 2:
            return {}
        numbered = {folder: number for number, folder in enumerate(own, 1)}
        return {page.source.path: numbered.get(_child(page.source.path, top), 0) for page in self.pages}

    def _chapter_numbers(self, page: Document) -> set[str]:
        """Return the first parts of the numbers that a page bears."""
        numbers = {section.number.parts[0] for section in self.sections(page.source.path) if section.rooted}
        return numbers | {box.number.parts[0] for box in page.facts.boxes}

    def part(self, span: Span) -> int:
        """Return the number of the part of the book, a name space of its own, that the place at ``span`` is in.

        A part is one only where numbers begin anew in it. Different volumes have different parts.
        """
        starts = self._parts.get(span.path, _ONE_PART)
        if len(starts) == 1:
            return starts[0][1]
        return max((number for start, number in starts if start <= span.start), default=starts[0][1])

    @cached_property
    def _parts(self) -> dict[str, tuple[tuple[int, int], ...]]:
        volumes: dict[int, list[Document]] = defaultdict(list)
        for page in self.live_pages:
            volumes[self.volume(page.source.path)].append(page)
        found: dict[str, tuple[tuple[int, int], ...]] = {}
        for pages in volumes.values():
            found |= self._parts_of(
                pages, 1 + max((part for starts in found.values() for _, part in starts), default=-1)
            )
        return found

    def _parts_of(self, pages: Iterable[Document], first: int) -> dict[str, tuple[tuple[int, int], ...]]:
        """Number the parts of one volume, ``first`` on; give for each page where on it they begin."""
        titles = self._part_titles()
        starts: dict[str, list[tuple[int, int]]] = {}
        chapters: dict[int, set[str]] = defaultdict(set)
        part = 0
        for page in pages:
            path = page.source.path
            part += path in titles
            starts[path] = [(0, part)]
            for heading in page.facts.headings:
                if _PART.match(heading.text):
                    part += 1
                    starts[path].append((heading.span.start, part))
            for box in page.facts.boxes:
                here = max(number for start, number in starts[path] if start <= box.span.start)
                chapters[here].add(box.number.parts[0])
        names = self._name_spaces(chapters, part)
        return {
            path: tuple((start, first + names[number]) for start, number in found) for path, found in starts.items()
        }

    def _part_titles(self) -> set[str]:
        """Return the paths of the pages that begin a part of the navigation."""
        found: set[str] = set()
        begins = False
        document = self._by_path.get(self.summary or "")
        for chapter in document.facts.chapters if document else ():
            if chapter.form is ChapterForm.PART:
                begins = True
            elif begins and chapter.destination:
                found.add(normpath(join(self.source_root, chapter.destination)))
                begins = False
        return found

    @staticmethod
    def _name_spaces(chapters: Mapping[int, set[str]], last: int) -> list[int]:
        """Number the name spaces: a new one begins with a part most of whose chapter numbers were used before."""
        names, used = [], set[str]()
        space = 0
        for part in range(last + 1):
            here = chapters.get(part, set())
            if used and here and len(here & used) * 2 >= len(here):
                space, used = space + 1, set()
            used |= here
            names.append(space)
        return names

    # ── what links arrive at ─────────────────────────────────────────────────────────────────────────────

    def boxes_at(self, path: str, identifier: str) -> tuple[Box, ...]:
        """Return the boxes to which the id of a page leads: those that bear it, or whose heading does."""
        places = [made.span for made in self.ids_named(path, identifier)]
        outline = self._boxes_by_place
        return tuple(box for place in places for box in outline.get((place.path, place.start), ()))

    @cached_property
    def _boxes_by_place(self) -> dict[tuple[str, int], list[Box]]:
        """The boxes of all pages by where their ids stand, and their headings, which may be made ids."""
        found: dict[tuple[str, int], list[Box]] = defaultdict(list)
        for page in self.pages:
            path = page.source.path
            headings = {heading.span.start: heading for heading in page.facts.headings}
            starts = sorted(headings)
            for box in page.facts.boxes:
                if box.anchor is not None:
                    found[path, box.anchor.span.start].append(box)
                if box.form is BoxForm.HEADING:
                    heading = headings[starts[bisect_right(starts, box.span.start) - 1]]
                    found[path, heading.span.start].append(box)
        return dict(found)

    def links_to(self, path: str, identifier: str) -> tuple[Link, ...]:
        """Return the links of the book's pages that lead to the id of a page."""
        return tuple(self._links_by_target.get((path, identifier), ()))

    @cached_property
    def _links_by_target(self) -> dict[tuple[str, str], list[Link]]:
        found: dict[tuple[str, str], list[Link]] = defaultdict(list)
        for page in self.pages:
            for link in page.facts.links:
                if "#" in link.destination:
                    target = self.resolve(page.source.path, link.destination)
                    found[target.path, target.fragment].append(link)
        return dict(found)

    def references_to(self, kind: str, number: Number) -> tuple[Reference, ...]:
        """Return the references of the book's pages that name exactly this box, ranges left out."""
        return tuple(self._references_by_name.get((kind, number), ()))

    @cached_property
    def _references_by_name(self) -> dict[tuple[str, Number], list[Reference]]:
        found: dict[tuple[str, Number], list[Reference]] = defaultdict(list)
        for page in self.pages:
            for reference in page.facts.references:
                if reference.last is None:
                    found[reference.kind, reference.number].append(reference)
        return dict(found)

    def section_at(self, path: str, identifier: str) -> Section | None:
        """Return the numbered section whose heading has the id; for no id that of the page's first heading."""
        document = self.document(path)
        if document is None:
            return None
        if not identifier:
            first = document.facts.headings[:1]
            return next((each for each in self.sections(path) if first and each.heading is first[0]), None)
        places = [made.span.start for made in self.ids_named(path, identifier) if made.span.path == path]
        return self._outline(path).with_id_at(places)

    def successor(self, path: str, fragment: str) -> Successor | None:
        """Return where a redirect leads from an old address, ``path`` among the sources; None if none does.

        A redirect of the whole page counts where the fragment has none of its own.
        """
        inner = self.from_sources(path)
        addresses = sorted({*self.addresses(path), inner})
        target = next((found for found in self._successors(addresses, fragment) if found is not None), None)
        if target is None:
            return None
        address, _, identifier = target.partition("#")
        beside = normpath(join(dirname(inner), address))
        pages = (
            self.page_at(re.sub(r"\.md$", ".html", candidate)) or self.page_at(candidate)
            for candidate in (address.lstrip("/"), beside)
        )
        return Successor(target, next((page for page in pages if page), None), identifier)

    def _successors(self, addresses: Iterable[str], fragment: str) -> Iterator[str | None]:
        if fragment:
            yield from (self._redirect_targets.get(f"{address}#{fragment}") for address in addresses)
        yield from (self._redirect_targets.get(address) for address in addresses)

    @cached_property
    def _redirect_targets(self) -> dict[str, str]:
        redirects = (*self.redirects, *self.recorded_redirects)
        return {redirect.source.lstrip("/"): redirect.target for redirect in reversed(redirects)}

    # ── text ─────────────────────────────────────────────────────────────────────────────────────────────

    def blocks(self, path: str) -> list[TextBlock]:
        """Return the blocks of the page at ``path``, for rules that look for words that no parser knows."""
        if path not in self._blocks:
            from lintbook.parse import read_blocks

            self._blocks[path] = read_blocks(self._by_path[path].source, self.dialect)
        return self._blocks[path]

    @cached_property
    def _blocks(self) -> dict[str, list[TextBlock]]:
        return {}

    # ── quantities ───────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def judged_claims(self) -> Verdict:
        """What became of all claims and declarations of the book's current pages, in the order of the book."""
        from lintbook.calculator.problem import Verdict

        if not any(page.facts.claims or page.facts.quantity_blocks for page in self._in_order):
            return Verdict((), ())
        from lintbook.calculator.judgement import judge_book  # most books have no claims and need none of it

        claims = [claim for page in self._in_order for claim in page.facts.claims if claim.problem is None]
        names = self.names_for(_words(self._in_order))
        verdict = judge_book(names, claims)
        return replace(verdict, problems=(*names.problems, *verdict.problems))

    def claimed_numbers(self, path: str) -> Sequence[Span]:
        """Return where the numbers stand on the page at ``path`` that claims vouch for."""
        return self._claimed_numbers.get(path, ())

    @cached_property
    def _claimed_numbers(self) -> dict[str, list[Span]]:
        found: dict[str, list[Span]] = defaultdict(list)
        for checked in self.judged_claims.claims:
            for number in checked.numbers:
                found[number.path].append(number)
        return dict(found)

    @cached_property
    def disagreeing_chains(self) -> tuple[tuple[Chain, tuple[Comparison, ...]], ...]:
        """The chains of the book's current pages in which sides disagree, with what came of comparing them."""
        disagreeing = [
            (chain, chain.context) for page in self.current for chain in page.facts.chains if chain.context is not None
        ]
        if not disagreeing:
            return ()
        from lintbook.calculator.chain import judge_chains  # as above

        return tuple((chain, judge_chains(context, chain.place)) for chain, context in disagreeing)

    def names_for(self, words: Iterable[str]) -> Namespace:
        """Return what the book declares, and the formulas of the library that ``words`` name."""
        from lintbook.calculator.formula import Namespace, parse_block
        from lintbook.calculator.library import formulas_named

        declarations = [
            declaration
            for page in self._in_order
            for block in page.facts.quantity_blocks
            if block.problem is None
            for declaration in parse_block(page.source.path, block.lines)
        ]
        return Namespace.of(declarations, formulas_named(words))

    @cached_property
    def _in_order(self) -> tuple[Document, ...]:
        """The current pages, in the order of the book; those that the navigation does not reach behind."""
        order = [*self.live_pages, *(page for page in self.pages if page.source.path not in self.live)]
        return tuple(page for page in order if page.source.path not in self.retired)
