"""The book: what its pages declare, on top of the site that they are rendered to."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from posixpath import join, normpath
from typing import TYPE_CHECKING, Any

from lintbook.facts import Box, ChapterForm, Number
from lintbook.site import Arrival, Site

if TYPE_CHECKING:
    from networkx import MultiDiGraph

    from lintbook.calculator.judgement import Verdict

# The title of a part, where numbers may begin anew.
_PART = re.compile(
    r"(?:第\s*[一二三四五六七八九十百\d]+\s*(?:部分|部|编|篇)|Part\s+(?:[IVX]+|\d+|One|Two|Three|Four|Five)\b)"
)


class Book(Site):
    """All documents of one name space, and the questions that rules ask of them.

    Answers come from indexes that are made when first asked for.
    """

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

    def part_starts(self, path: str) -> tuple[tuple[int, int], ...]:
        """Return the parts of the book that the page at ``path`` is in: (offset where it begins there, its number).

        A part is a name space of its own only where numbers begin anew in it; elsewhere all are part zero.
        """
        return self._parts.get(path, ((0, 0),))

    @cached_property
    def _parts(self) -> dict[str, tuple[tuple[int, int], ...]]:
        titles = self._part_titles()
        starts: dict[str, list[tuple[int, int]]] = {}
        chapters: dict[int, set[str]] = defaultdict(set)
        part = 0
        for page in self.live_pages:
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
        return {path: tuple((start, names[number]) for start, number in found) for path, found in starts.items()}

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

    # ── quantities ───────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def judged_claims(self) -> Verdict:
        """What became of all claims and declarations of the book's current pages, in the order of the book."""
        from lintbook.calculator.formula import Namespace, parse_block
        from lintbook.calculator.judgement import judge_book

        order = [*self.live_pages, *(page for page in self.pages if page.source.path not in self.live)]
        pages = [page for page in order if page.source.path not in self.retired]
        declarations = [
            declaration
            for page in pages
            for block in page.facts.quantity_blocks
            if block.problem is None
            for declaration in parse_block(page.source.path, block.lines)
        ]
        claims = [claim for page in pages for claim in page.facts.claims if claim.problem is None]
        names = Namespace.of(declarations)
        verdict = judge_book(names, claims)
        return replace(verdict, problems=(*names.problems, *verdict.problems))

    # ── the graph ────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def graph(self) -> MultiDiGraph[Any]:
        """The book as a graph, for paths, cycles and pictures.

        Nodes are pages (their path), boxes ((kind, number)) and ids ((path, id)); edges say what ``contains``,
        ``includes``, ``links`` or ``refers`` to what.
        """
        import networkx

        graph: MultiDiGraph[Any] = networkx.MultiDiGraph()
        for page in self.pages:
            path = page.source.path
            graph.add_node(path, type="page")
            for made in self.ids(path):
                graph.add_edge(path, (path, made.id), type="contains")
            for box in page.facts.boxes:
                graph.add_edge(path, (box.kind, str(box.number)), type="contains")
            for included in self._included_by(path):
                graph.add_edge(path, included, type="includes")
            for link in page.facts.links:
                target = self.resolve(path, link.destination)
                if target.arrival is Arrival.PAGE:
                    end = (target.path, target.fragment) if target.fragment else target.path
                    graph.add_edge(path, end, type="links")
            for reference in page.facts.references:
                graph.add_edge(path, (reference.kind, str(reference.number)), type="refers")
        return graph
