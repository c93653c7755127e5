"""The graph of a book: what contains, includes, links to, refers to and claims what. For paths and pictures."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from lintbook.book import Book
from lintbook.facts import Document, Number, Reference
from lintbook.parse.numbers import read_anchor
from lintbook.patterns import regex
from lintbook.site import Arrival
from lintbook.text import Span

if TYPE_CHECKING:
    from networkx import MultiDiGraph

_FORMULA = regex(r"\s*([A-Za-z_]\w*)")
_NAMED = regex(r"(?P<word>.*?)\s*(?P<number>[\dA-Z][\dA-Za-z.'+]*)")


def _numbered(kind: str, number: Number) -> str:
    """Return the node of a box or section, whether the book declares it or not: ``definition 2.2.1``."""
    return f"{kind} {number}"


class _Holder(NamedTuple):
    """From where on the text of a page belongs to which node."""

    start: int
    node: str


class Use(NamedTuple):
    """A place of the book that has to do with a node; ``what`` is the type of its edge."""

    span: Span
    what: str
    node: str  # where it comes from
    target: str


class BookGraph:
    """All nodes and uses of a book.

    Nodes are pages (their path), sections (``section 2.4``), boxes (``definition 2.2.1``) and formulas (``formula
    kv_cache``). What stands behind a box and before the next heading or box goes out from that box.
    """

    def __init__(self, book: Book) -> None:
        self._book = book
        self.nodes: dict[str, dict[str, Any]] = {}
        self._by_anchor: dict[tuple[str, str], str] = {}
        self._holders: dict[str, list[_Holder]] = {}
        self.uses: list[Use] = []
        for page in book.pages:
            self._declare(page)
        for page in book.pages:
            self.uses.extend(self._uses(page))
        self.uses.sort()
        for use in self.uses:
            self.nodes.setdefault(use.target, {"type": "missing", "label": use.target})

    def _declare(self, page: Document) -> None:
        """Note the nodes of a page, which of its text belongs to which, and that the page contains them."""
        path = page.source.path
        title = next((heading.text.strip() for heading in page.facts.headings), path)
        self.nodes[path] = {"type": "page", "label": title or path, "path": path, "line": 1}
        holders = [_Holder(0, path)]
        for heading in page.facts.headings:
            node = path
            if heading.number is not None:
                node = _numbered("section", heading.number)
                self._note(node, "section", heading.text.strip(), page, heading.span.start)
                self.uses.append(Use(heading.span, "contains", path, node))
            holders.append(_Holder(heading.span.start, node))
        for box in page.facts.boxes:
            node = _numbered(box.kind, box.number)
            self._note(node, "box", f"{box.label} {box.number} {box.title}".strip(), page, box.span.start)
            self.uses.append(Use(box.span, "contains", path, node))
            holders.append(_Holder(box.span.start, node))
            if box.anchor is not None:
                self._by_anchor[path, box.anchor.id] = node
        holders.sort(key=lambda holder: holder.start)  # stable: of a heading that is a box the box comes last
        self._holders[path] = holders

    def _note(self, node: str, kind: str, label: str, page: Document, offset: int) -> None:
        """Note a node where it is declared first."""
        line = page.source.position(offset).line
        self.nodes.setdefault(node, {"type": kind, "label": label, "path": page.source.path, "line": line})

    def _holder(self, span: Span) -> str:
        holders = self._holders[span.path]
        return holders[max(bisect_right(holders, span.start, key=lambda holder: holder.start) - 1, 0)].node

    def _uses(self, page: Document) -> Iterator[Use]:
        path = page.source.path
        for include in page.facts.includes:
            target = self._book.included_path(include)
            if target in self.nodes:
                yield Use(include.span, "includes", path, target)
        for link in page.facts.links:
            arrived = self._book.resolve(path, link.destination)
            if arrived.arrival is Arrival.PAGE and arrived.path in self._holders:
                node = self._by_anchor.get((arrived.path, arrived.fragment), arrived.path)
                yield Use(link.span, "links", self._holder(link.span), node)
        for reference in page.facts.references:
            for node in self._referred(reference):
                yield Use(reference.span, "refers", self._holder(reference.span), node)
        for claim in page.facts.claims:
            named = _FORMULA.match(claim.text)
            if named is not None:
                node = f"formula {named[1]}"
                self.nodes.setdefault(node, {"type": "formula", "label": named[1]})
                yield Use(claim.span, "claims", self._holder(claim.span), node)

    def _referred(self, reference: Reference) -> Iterator[str]:
        """Yield the nodes that a reference names, of a range both ends."""
        if reference.kind and not reference.foreign:
            for number in filter(None, (reference.number, reference.last)):
                yield _numbered(reference.kind, number)

    def find(self, name: str) -> str | None:
        """Return the node that people call ``name``: by its anchor, its kind and number, its path or its formula."""
        vocabulary = self._book.vocabulary
        if name in self.nodes:
            return name
        if f"formula {name}" in self.nodes:
            return f"formula {name}"
        candidates = [node for (_, identifier), node in self._by_anchor.items() if identifier.lower() == name.lower()]
        anchor = read_anchor(name, vocabulary)
        if anchor is not None:
            candidates.extend(_numbered(kind, anchor.number) for kind in anchor.kinds)
        named = _NAMED.fullmatch(name)
        if named is not None:
            candidates.append(f"{vocabulary.kind(named['word']) or named['word'].lower()} {named['number']}")
            candidates.extend(node for node in self.nodes if not named["word"] and node.endswith(f" {named['number']}"))
        return next((node for node in candidates if node in self.nodes), None)

    def network(self) -> MultiDiGraph[Any]:
        """Return nodes and uses as a graph with one edge for each use, its ``type`` and ``line`` beside it."""
        import networkx

        graph: MultiDiGraph[Any] = networkx.MultiDiGraph()
        graph.add_nodes_from(self.nodes.items())
        for use in self.uses:
            document = self._book.document(use.span.path)
            line = document.source.position(use.span.start).line if document is not None else 1
            graph.add_edge(use.node, use.target, type=use.what, path=use.span.path, line=line)
        return graph

    def around(self, node: str, depth: int) -> MultiDiGraph[Any]:
        """Return what is at most ``depth`` steps from ``node``, in either direction."""
        import networkx

        graph = self.network()
        found: MultiDiGraph[Any] = networkx.ego_graph(graph, node, radius=depth, undirected=True)
        return found
