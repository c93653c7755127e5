"""The commands ``lintbook graph`` and ``lintbook refs``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from lintbook.cli.nearest import Choice
from lintbook.cli.troubles import tell
from lintbook.cli.watching import gather_books
from lintbook.likeness import nearest
from lintbook.reporters import printable
from lintbook.reporters.graph import PICTURES

if TYPE_CHECKING:
    from lintbook.book import Book
    from lintbook.diagnostic import Trouble
    from lintbook.graph import BookGraph


@click.command()
@click.argument("folder", default=".", type=click.Path(exists=True))
@click.option("--format", "picture", type=Choice(list(PICTURES)), default="dot", show_default=True)
@click.option("--around", metavar="NAME", help="Draw only what is near this box, page or formula (def-2.2.1).")
@click.option("--depth", default=1, show_default=True, type=click.IntRange(min=0), help="How near, in steps.")
def graph(folder: str, picture: str, around: str | None, depth: int) -> int:
    """Draw the graph of the book in FOLDER.

    It has pages, sections, boxes and formulas, and how they use one another.
    """
    _, found, troubles = _graph_of(folder)
    network = found.network() if around is None else found.around(_node(found, around), depth)
    for line in PICTURES[picture](network):
        print(line)
    sys.stdout.flush()
    return tell(troubles)


@click.command()
@click.argument("name")
@click.argument("folder", default=".", type=click.Path(exists=True))
def refs(name: str, folder: str) -> int:
    """Tell where NAME is declared, and who uses it.

    NAME is a box (def-2.2.1, 定理 2.4.1), a formula (kv_cache) or a page, of which is told, too, what stands in it.
    """
    book, found, troubles = _graph_of(folder)
    node = _node(found, name)
    data = found.nodes[node]
    print(printable(f"{node}: {data['label']}" if data["label"] != node else node))
    for line in _lines(book, found, node):
        print(printable(f"  {line}"))
    if data["type"] == "missing":
        print("  is declared nowhere")
    return tell(troubles)


def _graph_of(folder: str) -> tuple[Book, BookGraph, list[Trouble]]:
    """Read the one book round ``folder``; raise UsageError where there are none or several."""
    from lintbook.graph import BookGraph

    gathered = gather_books((folder,), {})
    books = [subject.book for subject in gathered.subjects]
    with_project = [book for book in books if book.project_file is not None] or books
    if len(with_project) != 1:
        listed = ", ".join(f"`{book.root}`" for book in with_project) or "none"
        raise click.UsageError(f"a graph is of one book; round `{folder}` there are: {listed}")
    return with_project[0], BookGraph(with_project[0]), list(gathered.troubles)


def _node(found: BookGraph, name: str) -> str:
    node = found.find(name)
    if node is None:
        meant = nearest(name, found.nodes, cutoff=0.5)
        hint = f"; did you mean `{meant}`?" if meant else ""
        raise click.UsageError(f"the book has nothing called `{name}`{hint}")
    return node


def _lines(book: Book, found: BookGraph, node: str) -> Iterator[str]:
    """Yield the places that use ``node``, then those that stand in it."""
    for use in found.uses:
        if node in (use.target, use.node):
            document = book.document(use.span.path)
            assert document is not None
            line, column = document.source.position(use.span.start)
            text = " ".join(document.source.text[use.span.start : use.span.end].split())
            what = f"{use.what} {use.target}" if use.node == node else use.what
            where = "declared" if use.what == "contains" and use.target == node else what
            yield f"{use.span.path}:{line}:{column}: {where}: {text}"
