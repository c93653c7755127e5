"""Memory: what files held and what they said, kept in this process from one check of their books to the next."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from lintbook.book import Book
from lintbook.dialect import Dialect
from lintbook.facts import Document
from lintbook.files import Pending, Reading, Stamp, read, stamp
from lintbook.text import Source


class Way(NamedTuple):
    """All that the facts of a text depend on besides the text itself.

    ``part`` is what the file is in the book, ``spellings`` what the book's vocabulary amounts to, ``expands_includes``
    whether the book expands them.
    """

    part: str
    dialect: Dialect
    spellings: str
    expands_includes: bool


class Memory:
    """Files as they were last read, and their facts.

    A text that stands at one path is parsed once for as long as it is asked for in each check. Files whose changes are
    told (``rely_on``) are not even read again before one is; of others it is noted how they were (``untold``).
    """

    def __init__(self) -> None:
        self.untold: dict[str, Stamp | None] = {}  # what this check read and may change without a word, as it was
        self._told: Collection[str] | None = None  # None: there is no next check that changes could matter to
        self._readings: dict[str, Reading] = {}
        self._documents: dict[tuple[str, Way], Document] = {}
        self._before: dict[tuple[str, Way], Document] = {}
        self._books: dict[tuple[str, str | None], Book] = {}

    def begin(self) -> None:
        """Begin a check: what the last one did not ask for is dropped."""
        self._before, self._documents = self._documents, {}
        self.untold.clear()

    def rely_on(self, paths: Collection[str]) -> None:
        """Read anew what will be asked for, and from now on once, if it is one of ``paths``: its changes are told."""
        self._told = paths
        self._readings.clear()

    def relies_on(self, path: str) -> bool:
        """Return whether changes of the file at ``path`` are told."""
        return self._told is not None and path in self._told

    def has_read(self, path: str) -> bool:
        """Return whether what stands in the file at ``path`` is known."""
        return path in self._readings

    def forget(self, path: str) -> None:
        """Take note that the file at ``path`` has changed."""
        self._readings.pop(path, None)

    def read(self, path: str, working_directory: Path, pending: Pending) -> Reading:
        """Return what stands in the file at ``path``, or the text of it that is pending, as ``files.read`` does."""
        if path in pending or self._told is None:
            return read(path, working_directory, pending)
        if path not in self._told:
            self.untold[path] = stamp(path, working_directory)
            return read(path, working_directory)
        if path not in self._readings:
            self._readings[path] = read(path, working_directory)
        return self._readings[path]

    def recall(self, source: Source, way: Way) -> Document | None:
        """Return the document that was made of this text at this path, read in this way."""
        key = source.path, way
        known = self._documents.get(key) or self._before.get(key)
        if known is None or known.source.text != source.text:
            return None
        self._documents[key] = known
        return known

    def keep(self, document: Document, way: Way) -> None:
        """Keep a document that was read in this ``way``."""
        self._documents[document.source.path, way] = document

    def keep_book(self, book: Book) -> None:
        """Keep a book, which takes over what was found out about its pages when it was read before."""
        key = book.root, book.project_file
        if key in self._books:
            book.take_over(self._books[key])
        self._books[key] = book
