"""Reading a book: from files to facts, out of the cache where a file is unchanged, on several cores where it pays."""

from __future__ import annotations

import gc
import marshal
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from posixpath import basename, dirname, relpath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from lintbook import packing
from lintbook.book import Book, Revision
from lintbook.cache import FactsCache
from lintbook.diagnostic import Trouble
from lintbook.dialect import Dialect
from lintbook.discovery import is_drawing, is_page, under
from lintbook.facts import Document, Facts
from lintbook.files import NOTHING_PENDING, Pending, read
from lintbook.parse.project import PROJECT_FILES, parse_project
from lintbook.site import Site
from lintbook.text import Source
from lintbook.watch import Watch, unwatched

if TYPE_CHECKING:
    from lintbook.config import Configuration
    from lintbook.discovery import BookFiles
    from lintbook.history import Comparison
    from lintbook.vocabulary import Vocabulary

# Below this many characters to parse a second process costs more than it saves.
WORTH_A_PROCESS = 100_000


def read_book(
    files: BookFiles,
    working_directory: Path,
    configuration: Configuration,
    troubles: list[Trouble],
    *,
    cached: bool = True,
    pending: Pending = NOTHING_PENDING,
    watch: Watch = unwatched,
) -> Book:
    """Read all files of a book as ``configuration`` says; what cannot be read is added to ``troubles``.

    ``cached`` says whether facts of unchanged files are taken from the user's cache, and kept there; ``pending`` are
    texts that are read in the place of what stands in the files; ``watch`` is told how many files have been read.
    """
    files = replace(files, dialect=configuration.settings.dialect or files.dialect)
    sources = []
    for path in (*files.pages, *files.drawings, *filter(None, [files.summary])):
        source, trouble = read(path, working_directory, pending)
        if trouble is not None:
            troubles.append(trouble)
        if source is not None:
            sources.append(source)
    documents = [files.project_document] if files.project_document else []
    with _collector_out_of_the_way():
        # A loose book may have the root of one with a project file: each has a cache of its own.
        home = working_directory / (files.project_file or files.root)
        facts = _facts(sources, files, configuration.vocabulary, FactsCache(home) if cached else None, watch)
        documents.extend(_document(source, each, files) for source, each in zip(sources, facts, strict=True))
        documents.extend(_included(documents, files, configuration.vocabulary, working_directory, pending))
    return Book(
        documents,
        dialect=files.dialect,
        root=files.root,
        source_root=files.source_root,
        project=files.project,
        project_file=files.project_file,
        summary=files.summary,
        exists=files.exists,
        text=lambda path: read(path, working_directory, pending).source,
        paths=files.files,
        retired=filter(configuration.is_retired, files.pages),
        vocabulary=configuration.vocabulary,
    )


def read_revision(
    files: BookFiles, working_directory: Path, configuration: Configuration, book: Book, comparison: Comparison
) -> Revision:
    """Return the book as it was at the base of ``comparison``, which was made in the folder of its root.

    Only what differs is parsed; the facts of all else are those of ``book``.
    """
    files = replace(files, dialect=configuration.settings.dialect or files.dialect)
    unchanged = {under(book.root, path, working_directory) for path in comparison.unchanged}
    documents = [document for document in book.documents if document.source.path in unchanged]
    project = book.project
    others = _inner_roots((*comparison.unchanged, *comparison.texts))
    for inner, text in comparison.texts.items():
        if any(inner.startswith(root) for root in others):
            continue
        source = Source(under(book.root, inner, working_directory), text)
        if source.path == book.project_file:
            project, facts = parse_project(source)
            documents.append(Document(source, facts))
        elif _belonged(source.path, configuration, book):
            documents.append(_document(source, _parse(source, files, configuration.vocabulary), files))
    paths = {document.source.path for document in documents}
    earlier = Book(
        documents,
        dialect=files.dialect,
        root=files.root,
        source_root=files.source_root,
        project=project,
        project_file=book.project_file if book.project_file in paths else None,
        summary=book.summary if book.summary in paths else None,
        exists=lambda path: path in unchanged or path in paths or None,
        paths=paths,
        retired=filter(configuration.is_retired, paths),
        vocabulary=configuration.vocabulary,
    )
    renamed = {
        under(book.root, old, working_directory): under(book.root, new, working_directory)
        for old, new in comparison.renamed.items()
    }
    return Revision(earlier, renamed, comparison.waivers)


def _document(source: Source, facts: Facts, files: BookFiles) -> Document:
    """Return a file of the book; where the book expands no includes their directives are text like any other."""
    expands = files.project is None or files.project.expands_includes
    return Document(source, facts if expands else replace(facts, includes=()))


def _inner_roots(paths: Iterable[str]) -> set[str]:
    """Return the folders below a root, with a slash behind, where books of their own begin."""
    return {f"{dirname(path)}/" for path in paths if basename(path) in PROJECT_FILES and dirname(path)}


def _belonged(path: str, configuration: Configuration, book: Book) -> bool:
    """Whether a file that has changed since, or is gone, was one of the book."""
    if path == book.summary or book.document(path) is not None:
        return True
    inner = relpath(path, book.source_root)
    is_kind = is_page(path) or is_drawing(path)
    gone = book.exists(path) is not True  # else it is there and belongs to another book
    hidden = any(part.startswith(".") for part in inner.split("/"))
    return is_kind and gone and not hidden and not configuration.excludes(path, is_folder=False)


def _included(
    documents: Sequence[Document], files: BookFiles, vocabulary: Vocabulary, working_directory: Path, pending: Pending
) -> Iterator[Document]:
    """Yield what pages of mdBook include as text and is no page: files of other kinds, and of other folders."""
    known = {document.source.path for document in documents}
    waiting = list(documents) if files.dialect is Dialect.MDBOOK else []
    while waiting:
        for include in waiting.pop().facts.includes:
            path = Site.included_path(include)
            if not Site.becomes_text(include) or path in known:
                continue
            known.add(path)
            source = read(path, working_directory, pending).source
            if source is not None:
                waiting.append(Document(source, _parse(source, files, vocabulary)))
                yield waiting[-1]


@contextmanager
def _collector_out_of_the_way() -> Iterator[None]:
    """Parsing makes many objects and no cycles worth looking for while it runs."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _facts(
    sources: Sequence[Source], files: BookFiles, vocabulary: Vocabulary, cache: FactsCache | None, watch: Watch
) -> list[Facts]:
    found: dict[str, Facts] = {}
    keys = {}
    spellings = repr((vocabulary.kinds, vocabulary.columns))
    for source in sources:
        if cache is not None:
            key = keys[source.path] = cache.key(source.text, _part(source.path, files), files.dialect, spellings)
            known = cache.get(key, source.path)
            if known is not None:
                found[source.path] = known
    unread = [source for source in sources if source.path not in found]

    def parsed(share: float) -> None:
        watch(f"reading: {len(sources) - round((1 - share) * len(unread))} of {len(sources)} files")

    for path, facts in _parsed(unread, files, vocabulary, parsed):
        found[path] = facts
        if cache is not None:
            cache.put(keys[path], packing.pack(facts))
    if cache is not None:
        cache.save()
    return [found[source.path] for source in sources]


def _part(path: str, files: BookFiles) -> str:
    """Return which part a file has in the book: it decides what reads it."""
    if path == files.summary:
        return "summary"
    return "drawing" if is_drawing(path) else "page"


def _parse(source: Source, files: BookFiles, vocabulary: Vocabulary) -> Facts:
    match _part(source.path, files):
        case "summary":
            from lintbook.parse.summary import parse_summary

            return parse_summary(source)
        case "drawing":
            from lintbook.parse.svg import parse_svg

            return parse_svg(source)
        case _:
            from lintbook.parse import parse_markdown

            return parse_markdown(source, files.dialect, vocabulary)


def _parsed(
    sources: Sequence[Source], files: BookFiles, vocabulary: Vocabulary, done: Callable[[float], None]
) -> Iterator[tuple[str, Facts]]:
    """Parse sources, half of the text in another process where that pays and the system can fork.

    ``done`` is told which share of them is parsed.
    """
    mine, other = _halves(sources)
    if not other or not _may_fork():
        yield from _parsed_here(sources, files, vocabulary, done)
        return
    child, pipe = _fork(other, files, vocabulary)
    # The other process has as much to do and is about as far.
    parsed = list(_parsed_here(mine, files, vocabulary, done))
    with os.fdopen(pipe, "rb") as results:
        packed = results.read()
    _, status = os.waitpid(child, 0)
    yield from parsed
    if status == 0:
        for source, facts in zip(other, marshal.loads(packed), strict=True):
            yield source.path, packing.unpack(facts, source.path)
        return
    # Whatever went wrong there goes wrong here again, where it can be seen.
    yield from _parsed_here(other, files, vocabulary, done)


def _parsed_here(
    sources: Sequence[Source], files: BookFiles, vocabulary: Vocabulary, done: Callable[[float], None]
) -> Iterator[tuple[str, Facts]]:
    for number, source in enumerate(sources):
        done(number / len(sources))
        yield source.path, _parse(source, files, vocabulary)


def _halves(sources: Sequence[Source]) -> tuple[list[Source], list[Source]]:
    """Share sources out so that both shares have about as many characters; the second is empty if it does not pay."""
    shares: tuple[list[Source], list[Source]] = ([], [])
    sizes = [0, 0]
    for source in sorted(sources, key=lambda source: len(source.text), reverse=True):
        smaller = sizes.index(min(sizes))
        shares[smaller].append(source)
        sizes[smaller] += len(source.text)
    if min(sizes) < WORTH_A_PROCESS:
        return list(sources), []
    return shares


def _may_fork() -> bool:
    """Whether a copy of this process is safe (no other thread holds a lock) and has a core to run on."""
    return hasattr(os, "fork") and threading.active_count() == 1 and (os.cpu_count() or 1) > 1


def _fork(sources: Sequence[Source], files: BookFiles, vocabulary: Vocabulary) -> tuple[int, int]:
    """Parse ``sources`` in a copy of this process; return its number and the pipe on which it answers."""
    answer, question = os.pipe()
    child = os.fork()
    if child:
        os.close(question)
        return child, answer
    status = 1
    try:
        os.close(answer)
        packed = marshal.dumps([packing.pack(_parse(source, files, vocabulary)) for source in sources])
        with os.fdopen(question, "wb") as results:
            results.write(packed)
        status = 0
    finally:
        os._exit(status)  # nothing of the copied process may be flushed or cleaned up a second time
