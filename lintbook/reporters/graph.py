"""Pictures of the graph of a book: for Graphviz, for Mermaid, and for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from lintbook.reporters.terminal import UNPRINTABLE

if TYPE_CHECKING:
    from networkx import MultiDiGraph

_SHAPES = {"page": "note", "section": "folder", "box": "box", "formula": "ellipse", "missing": "diamond"}
_BRACKETS = {"page": ("[/", "/]"), "section": ("[[", "]]"), "formula": ("([", "])"), "missing": ("{{", "}}")}


def dot(graph: MultiDiGraph[Any]) -> Iterator[str]:
    """Yield the lines of a digraph for Graphviz."""
    yield "digraph book {"
    yield "  rankdir=LR;"
    for node, data in sorted(graph.nodes(data=True)):
        colour = ", color=red" if data["type"] == "missing" else ""
        yield f"  {_quoted(node)} [label={_quoted(data['label'])}, shape={_SHAPES[data['type']]}{colour}];"
    for start, end, kind, count in _edges(graph):
        label = kind if count == 1 else f"{kind} ({count})"
        yield f"  {_quoted(start)} -> {_quoted(end)} [label={_quoted(label)}];"
    yield "}"


def mermaid(graph: MultiDiGraph[Any]) -> Iterator[str]:
    """Yield the lines of a flowchart for Mermaid."""
    yield "flowchart LR"
    names = {node: f"n{number}" for number, node in enumerate(sorted(graph.nodes))}
    for node, name in names.items():
        data = graph.nodes[node]
        opening, closing = _BRACKETS.get(data["type"], ("[", "]"))
        yield f'  {name}{opening}"{_entities(data["label"])}"{closing}'
    for start, end, kind, count in _edges(graph):
        label = kind if count == 1 else f"{kind} ({count})"
        yield f"  {names[start]} -->|{label}| {names[end]}"


def graphml(graph: MultiDiGraph[Any]) -> Iterator[str]:
    """Yield the lines of a GraphML document."""
    import networkx

    clean = graph.copy()
    for data in clean.nodes.values():
        data["label"] = UNPRINTABLE.sub("\ufffd", data["label"])  # XML has no place for controls
    yield from networkx.generate_graphml(clean)


def as_json(graph: MultiDiGraph[Any]) -> Iterator[str]:
    """Yield one object: ``nodes`` with their ``id``, and ``edges`` with ``source``, ``target`` and ``type``."""
    nodes = [{"id": node, **data} for node, data in sorted(graph.nodes(data=True))]
    edges = [
        {"source": start, "target": end, **data}
        for start, end, data in sorted(graph.edges(data=True), key=lambda edge: (edge[0], edge[1], str(edge[2])))
    ]
    text = json.dumps({"nodes": nodes, "edges": edges}, ensure_ascii=False)
    yield UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _edges(graph: MultiDiGraph[Any]) -> Iterator[tuple[str, str, str, int]]:
    """Yield edges of one type between two nodes as one, with how many they are."""
    counts: dict[tuple[str, str, str], int] = {}
    for start, end, data in graph.edges(data=True):
        key = (start, end, data["type"])
        counts[key] = counts.get(key, 0) + 1
    for (start, end, kind), count in sorted(counts.items()):
        yield start, end, kind, count


def _quoted(text: str) -> str:
    plain = UNPRINTABLE.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'


def _entities(text: str) -> str:
    """Write what Mermaid would take for its own signs as entities."""
    return re.sub(r"[\"#&<>\[\]{}()|`\\]", lambda match: f"#{ord(match[0])};", UNPRINTABLE.sub(" ", text))


PICTURES: Mapping[str, Callable[[MultiDiGraph[Any]], Iterator[str]]] = {
    "dot": dot,
    "mermaid": mermaid,
    "graphml": graphml,
    "json": as_json,
}
"""How a graph is drawn, by the name of the format."""
