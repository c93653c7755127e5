"""Reading a book: from files to facts, out of the cache where a file is unchanged, on several cores where it pays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from posixpath import basename, dirname, relpath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from lintbook import packing
from lintbook.book import Book, Revision
from lintbook.cache import Caches, FactsCache
from lintbook.diagnostic import Trouble
from lintbook.dialect import Dialect
from lintbook.discovery import SUMMARY, is_drawing, is_page, under
from lintbook.facts import Document, Facts
from lintbook.files import NOTHING_PENDING, Pending
from lintbook.memory import Memory, Way
from lintbook.parse.project import PROJECT_FILES, parse_project
from lintbook.site import Site
from lintbook.text import Source
from lintbook.watch import UNWATCHED, Watch

if TYPE_CHECKING:
    from lintbook.config import Configuration
    from lintbook.discovery import BookFiles
    from lintbook.history import Comparison
    from lintbook.vocabulary import Vocabulary

_DRAWING = "drawing"


def read_book(
    files: BookFiles,
    working_directory: Path,
    configuration: Configuration,
    troubles: list[Trouble],
    *,
    caches: Caches | None = None,
    jobs: int | None = None,
    pending: Pending = NOTHING_PENDING,
    memory: Memory | None = None,
    watch: Watch = UNWATCHED,
) -> Book:
    """Read all files of a book as ``configuration`` says; what cannot be read is added to ``troubles``.

    ``caches`` give the facts of unchanged files, and take those of others to be saved; ``jobs`` says how many
    processes may parse (None: as many as pay); ``pending`` are texts that are read in the place of what stands in the
    files; ``memory`` is what is known from earlier checks; ``watch`` is told how many files have been read.
    """
    dialect = configuration.settings.dialect or files.dialect
    if dialect is not files.dialect:  # else these are the same files for all that is known of them
        files = replace(files, dialect=dialect)
    memory = memory or Memory()
    # A loose book may have the root of one with a project file: each has a cache of its own.
    cache = caches.of(files.project_file or files.root) if caches is not None else None
    reader = _Reader(files, configuration.vocabulary, memory, cache, jobs, watch)
    sources = []
    with watch.phase("reading"):
        for path in (*files.pages, *files.drawings, *filter(None, [files.summary])):
            source, trouble = memory.read(path, working_directory, pending)
            if trouble is not None:
                troubles.append(trouble)
            if source is not None:
                sources.append(source)
    documents = [files.project_document] if files.project_document else []
    documents.extend(reader.documents(sources))
    documents.extend(_included(documents, reader, working_directory, pending))
    book = Book(
        documents,
        dialect=files.dialect,
        root=files.root,
        source_root=files.source_root,
        project=files.project,
        project_file=files.project_file,
        summary=files.summary,
        exists=files.exists,
        text=lambda path: memory.read(path, working_directory, pending).source,
        paths=files.files,
        folders=files.folders,
        retired=filter(configuration.is_retired, files.pages),
        vocabulary=configuration.vocabulary,
    )
    memory.keep_book(book)
    return book


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
    return Document(source, facts if _expands_includes(files) else replace(facts, includes=()))


def _expands_includes(files: BookFiles) -> bool:
    return files.project is None or files.project.expands_includes


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
    documents: Sequence[Document], reader: _Reader, working_directory: Path, pending: Pending
) -> Iterator[Document]:
    """Yield what pages of mdBook include as text and is no page: files of other kinds, and of other folders."""
    known = {document.source.path for document in documents}
    waiting = list(documents) if reader.files.dialect is Dialect.MDBOOK else []
    while waiting:
        for include in waiting.pop().facts.includes:
            path = Site.included_path(include)
            if not Site.becomes_text(include) or path in known:
                continue
            known.add(path)
            source = reader.memory.read(path, working_directory, pending).source
            if source is not None:
                waiting.extend(reader.documents([source]))
                yield waiting[-1]


class _Reader:
    """Makes documents of the files of one book: from memory, out of the cache, or by parsing what neither knows."""

    def __init__(
        self,
        files: BookFiles,
        vocabulary: Vocabulary,
        memory: Memory,
        cache: FactsCache | None,
        jobs: int | None,
        watch: Watch,
    ) -> None:
        self.files = files
        self.memory = memory
        self._vocabulary = vocabulary
        self._spellings = repr((vocabulary.kinds, vocabulary.columns))
        self._cache = cache
        self._jobs = jobs
        self._watch = watch

    def documents(self, sources: Sequence[Source]) -> list[Document]:
        """Return a document for each of ``sources``."""
        found = {}
        unread = []
        for source in sources:
            known = self.memory.recall(source, self._way(source)) or self._unpacked(source)
            if known is not None:
                found[source.path] = known
            else:
                unread.append(source)
        for document in self._parsed(unread, len(found)):
            found[document.source.path] = document
        for document in found.values():
            self.memory.keep(document, self._way(document.source))
        return [found[source.path] for source in sources]

    def _way(self, source: Source) -> Way:
        return Way(_part(source.path, self.files), self.files.dialect, self._spellings, _expands_includes(self.files))

    def _key(self, source: Source) -> bytes:
        part = _part(source.path, self.files)
        options = () if part == SUMMARY else (self.files.dialect, self._spellings)
        return FactsCache.key(source.text, part, *options)

    def _unpacked(self, source: Source) -> Document | None:
        """Return the document of a text that the cache knows."""
        if self._cache is None:
            return None
        with self._watch.phase("unpacking the cache"):
            facts = self._cache.get(self._key(source), source.path, Facts)
        return None if facts is None else _document(source, facts, self.files)

    def _parsed(self, unread: Sequence[Source], known: int) -> Iterator[Document]:
        """Parse sources, of which the cache learns; so many more are ``known`` already."""
        if not unread:
            return

        from lintbook.sharing import parse_all

        def parsed(share: float) -> None:
            count = known + len(unread)
            self._watch.tell(f"reading: {count - round((1 - share) * len(unread))} of {count} files")

        found = parse_all(unread, self._parse, jobs=self._jobs, done=parsed)
        for source, facts, packed in self._watch.through("parsing", found):
            if self._cache is not None:
                with self._watch.phase("saving the cache"):
                    self._cache.put(self._key(source), packing.pack(facts) if packed is None else packed)
            yield _document(source, facts, self.files)

    def _parse(self, source: Source) -> Facts:
        return _parse(source, self.files, self._vocabulary)


def _part(path: str, files: BookFiles) -> str:
    """Return which part a file has in the book: it decides what reads it."""
    if path == files.summary:
        return SUMMARY
    return _DRAWING if is_drawing(path) else "page"


def _parse(source: Source, files: BookFiles, vocabulary: Vocabulary) -> Facts:
    part = _part(source.path, files)
    if part == SUMMARY:
        from lintbook.parse.summary import parse_summary

        return parse_summary(source)
    if part == _DRAWING:
        from lintbook.parse.svg import parse_svg

        return parse_svg(source)
    from lintbook.parse import parse_markdown

    return parse_markdown(source, files.dialect, vocabulary)
