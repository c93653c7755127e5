"""Discovery: which books stand round the paths that the user names, and which files they are made of.

A folder with a project file is the root of a book; so is each such folder inside it, with pages and a name
space of its own. Pages beside a book's sources (a README beside book.toml) make a loose book, as does a
tree without any project file. The whole of a book is found, whatever part of it was named; what was named
limits what is reported.

All paths are relative to the working directory, with ``/`` as separator, and begin with ``../`` only to
leave it.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from posixpath import basename, dirname
from typing import NamedTuple, Protocol, TypeVar

from msgspec import Struct, field

from lintbook.diagnostic import Trouble
from lintbook.dialect import Dialect
from lintbook.facts import Document, Facts
from lintbook.files import NOTHING_PENDING, Pending, meant, problem_of, read, reason
from lintbook.globs import Globs
from lintbook.parse.project import PROJECT_FILES, Project, ProjectFile, parse_project
from lintbook.text import Source
from lintbook.vocabulary import ERRATA

SUMMARY = "summary"  # what the navigation is in a book
_SUMMARY = "SUMMARY.md"
_TOC = {"_toc.yml", "_toc.yaml"}
_MARKS = {*PROJECT_FILES, *_TOC, _SUMMARY}  # the files by which the root of a book is known
_PAGE_ENDINGS = (".md", ".markdown")
_DRAWING_ENDING = ".svg"
# Folders of tools and builders, never entered: they can be huge, and some builders copy pages into them.
_FOREIGN = {
    *(".git", ".hg", ".svn", ".venv", ".tox", ".nox", "node_modules", "__pycache__"),
    *("_site", "_build", "_book"),
}


class BookFiles(Struct, frozen=True):
    """The files of one book; what is None the book does not have.

    ``root`` is the folder of its project file, or the top of a loose book. The project file has been read,
    since it tells where the sources stand; its facts and troubles are in ``project_document``. ``pages``
    (Markdown) and ``drawings`` (SVG) stand below ``source_root`` and are sorted. ``files`` and ``folders``
    are all that is known to exist below ``root``; what lies below a folder of ``unread`` is not known, nor is
    whether what .gitignore names (``ignores``) is there for everybody.
    """

    root: str
    dialect: Dialect
    project: Project | None
    project_document: Document | None
    project_file: str | None
    summary: str | None
    source_root: str
    pages: tuple[str, ...]
    drawings: tuple[str, ...]
    files: frozenset[str]
    folders: frozenset[str]
    unread: frozenset[str]
    ignores: Callable[[str], bool]

    def exists(self, path: str) -> bool | None:
        """Return whether there is a file or folder at ``path``; None if it is not known."""
        if path in self.files or path in self.folders:
            return True
        if not _is_below(path, self.root) or any(_is_below(path, folder) for folder in self.unread):
            return None
        return None if self.ignores(path) else False


class Discovery(Struct, frozen=True):
    """The books found, what could not be read on the way, and what of the books is to be reported."""

    books: tuple[BookFiles, ...]
    troubles: tuple[Trouble, ...]
    named: tuple[str, ...]  # the paths that the user named
    vacant: tuple[str, ...] = ()  # the folders among them that hold nothing of a book

    def reported(self, path: str) -> bool:
        """Return whether findings in the file at ``path`` are to be reported.

        They are below the named paths; and always in the navigation, the project file and the errata pages of
        the books, since a fault of any page may come to light there.
        """
        if any(_is_below(path, named) for named in self.named):
            return True
        return any(
            path in (book.summary, book.project_file) or (_is_errata(path) and path in book.pages)
            for book in self.books
        )


class Choice(Protocol):
    """What an author wants left out of a book."""

    @property
    def gitignore(self) -> bool:
        """Whether what .gitignore names is left out."""

    def excludes(self, path: str, *, is_folder: bool) -> bool:
        """Return whether the file or folder at ``path`` itself is left out."""


_Said = TypeVar("_Said")


class Reader(Protocol):
    """What gives the facts of the files that make a book, by parsing them or from memory."""

    def __call__(
        self, home: str, source: Source, part: str, kind: type[_Said], parse: Callable[[Source], _Said]
    ) -> _Said:
        """Return what ``parse`` makes of ``source``, a ``kind`` of facts.

        ``home`` is the path of the project file of its book, or of the root of one without; ``part`` is what
        the file is in it.
        """


def _anew(home: str, source: Source, part: str, kind: type[_Said], parse: Callable[[Source], _Said]) -> _Said:
    return parse(source)


def discover(
    paths: Sequence[str],
    working_directory: Path,
    choices: Callable[[str], Choice] | None = None,
    pending: Pending = NOTHING_PENDING,
    reader: Reader = _anew,
) -> Discovery:
    """Find the books round ``paths``, which are absolute or relative to ``working_directory``.

    ``choices`` gives for each folder what is left out in it, by default what .gitignore names; ``pending`` are texts
    that are read in the place of what stands in the files; ``reader`` gives their facts.

    What cannot be read becomes a trouble, and the rest is still found. The result depends on nothing but
    the files: folders are walked in order, symbolic links to folders are followed once, and what is
    neither a regular file nor a folder is left alone.
    """
    top = Path(os.path.normpath(working_directory.absolute()))
    walked: dict[str, _Tree] = {}
    trees: dict[str, tuple[BookFiles, ...]] = {}
    chosen: dict[tuple[str, Dialect, str | None], BookFiles] = {}
    named: list[str] = []
    vacant: list[str] = []
    troubles: list[Trouble] = []
    for path in paths:
        target = under(".", path, top)
        problem = problem_of(top / target)
        if problem is not None:
            troubles.append(Trouble(target, problem + meant(target, top)))
            continue
        target = _led_to(target, top)
        named.append(target)
        base = _base(top / target, top)
        if base not in trees:
            tree = walked[base] = _walk(_Tree(base, top, choices, pending, reader))
            trees[base] = tuple(_books(tree))
            troubles.extend(tree.troubles)
        inside = [book for book in trees[base] if any(_is_below(path, target) for path in _own_files(book))]
        if any(_is_below(target, path) for path in walked[base].left_out):
            troubles.append(Trouble(target, "is left out: `.gitignore` or `exclude` of the configuration names it"))
        elif not inside and (top / target).is_file():
            troubles.append(Trouble(target, "is no page, drawing or project file of a book"))
        elif not inside:
            vacant.append(target)
        found = inside or _books_round(target, trees[base])
        chosen.update({(book.root, book.dialect, book.project_file): book for book in found})
    books = [chosen[key] for key in sorted(chosen, key=lambda key: (key[0], key[2] is None, key[1]))]
    return Discovery(
        tuple(books), tuple(dict.fromkeys(troubles)), tuple(dict.fromkeys(named)), tuple(dict.fromkeys(vacant))
    )


# Paths


def _relative(path: str, top: Path) -> str:
    return os.path.relpath(path, top).replace(os.sep, "/")


def _led_to(target: str, top: Path) -> str:
    """Return what ``target`` is: a path that goes through symbolic links is found under the names that they lead to."""
    real = os.path.realpath(top / target)
    return target if real == os.path.normpath(top / target) else _relative(real, Path(os.path.realpath(top)))


def _join(folder: str, name: str) -> str:
    return name if folder == "." else f"{folder}/{name}"


@cache
def _steps(path: str) -> tuple[int, int]:
    """Return how many steps ``path`` goes up from the working directory, and then how many down."""
    parts = [part for part in path.split("/") if part != "."]
    up = parts.count("..")
    return up, len(parts) - up


def _depth(path: str) -> int:
    """Return how much deeper than the working directory ``path`` stands; less than zero above it."""
    up, down = _steps(path)
    return down - up


def _is_below(path: str, folder: str) -> bool:
    """Whether ``path`` is ``folder`` or stands in it."""
    up, down = _steps(folder)
    if down == 0:
        return _steps(path)[0] <= up
    return path == folder or path.startswith(f"{folder}/")


def is_page(path: str) -> bool:
    """Return whether the file at ``path`` is a Markdown page by its name."""
    return path.lower().endswith(_PAGE_ENDINGS)


def is_drawing(path: str) -> bool:
    """Return whether the file at ``path`` is an SVG drawing by its name."""
    return path.lower().endswith(_DRAWING_ENDING)


def decides(path: str) -> bool:
    """Return whether it may depend on what stands in the file at ``path`` which books there are, and of which files."""
    return basename(path) in _MARKS or basename(path) == _IGNORE_FILE


def _is_errata(path: str) -> bool:
    return is_page(path) and ERRATA.search(basename(path)) is not None


# Where a book begins


def _project_file(names: Iterable[str]) -> str | None:
    """Return the project file among the ``names`` of a folder."""
    present = set(names)
    if present & _TOC:  # then _config.yml is Jupyter Book's
        present -= {"_config.yml", "_config.yaml"}
    return next((name for name in PROJECT_FILES if name in present), None)


def _base(target: Path, top: Path) -> str:
    """Return the folder to walk for ``target``: that of the nearest project file, else of the repository.

    Without either it is the working directory if that contains the target, else the target's own folder. The
    search does not leave the repository.
    """
    start = target if target.is_dir() else target.parent
    base = top if start.is_relative_to(top) else start
    for folder in (start, *start.parents):
        names = _names(folder)
        if _project_file(names) is not None or ".git" in names:
            base = folder
            break
    # A folder that the walk would pass by (a hidden one) was named on purpose, so the walk begins there.
    passed = any(_is_passed_by(part) for part in start.relative_to(base).parts)
    return _relative(str(start if passed else base), top)


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208  # the names are all that is wanted
    except OSError:  # of the target itself the walk will say so; a folder above it need not be read
        return []


def _is_passed_by(name: str) -> bool:
    """Whether pages below a folder of this name are no pages of a book."""
    return name.startswith(".") or name in _FOREIGN


# Walking


class _Tree(Struct):
    """All files and folders below ``base``; ``links`` tells where symbolic links to files lead.

    ``left_out`` are files and folders that exist and are no part of a book; ``ignoring`` is what the .gitignore files
    say, each with the absolute path of its folder, the outermost first.
    """

    base: str
    top: Path
    choices: Callable[[str], Choice] | None
    pending: Pending
    reader: Reader
    left_out: set[str] = field(default_factory=set)
    ignoring: list[tuple[str, Globs]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)
    troubles: list[Trouble] = field(default_factory=list)


def _walk(tree: _Tree) -> _Tree:
    """Walk the tree below its base; symbolic links come last, so that a folder is found by its own name."""
    base, top = tree.base, tree.top
    tree.ignoring.extend(_ignoring_above(base, top))
    seen: set[str] = set()
    waiting, linked = [(base, os.path.realpath(top / base))], deque[str]()
    while waiting or linked:
        # To ask for the real path of each would ask for all folders above it anew.
        path, real = waiting.pop() if waiting else (linked[0], os.path.realpath(top / linked.popleft()))
        folder = under(path, ".", top)
        tree.folders.append(folder)
        if real in seen:
            tree.unread.append(folder)
            continue
        seen.add(real)
        entries = _entries(folder, tree)
        leaves_out = _leaves_out(folder, entries, tree)
        for entry in entries:
            path = _join(folder, entry.name)
            if not _note(entry, path, tree, leaves_out):
                continue
            if entry.is_symlink():
                linked.append(path)
            else:
                waiting.append((path, f"{real.rstrip(os.sep)}{os.sep}{entry.name}"))
    tree.files.sort()
    tree.troubles.sort(key=lambda trouble: trouble.path)
    return tree


# Leaving out

_IGNORE_FILE = ".gitignore"


def _ignoring_above(base: str, top: Path) -> list[tuple[str, Globs]]:
    """Return what the .gitignore files above ``base`` say, as far as the top of its repository.

    Nothing counts if they name ``base`` itself, which the user named then on purpose.
    """
    start = Path(os.path.normpath(top / base))
    found: list[tuple[str, Globs]] = []
    for folder in start.parents if not (start / ".git").exists() else ():
        found.append((str(folder), _patterns(_relative(str(folder), top), top)))
        if (folder / ".git").exists():
            break
    else:
        return []  # it stands in no repository, so that nothing above belongs to it
    named = any(globs.covers(_inner(str(start), folder) + "/.") for folder, globs in found)
    return [] if named else [each for each in reversed(found) if each[1]]


def _patterns(folder: str, top: Path) -> Globs:
    source, _ = read(_join(folder, _IGNORE_FILE), top)
    return Globs(source.text.splitlines() if source is not None else ())


def _inner(path: str, folder: str) -> str:
    """Return the absolute ``path`` as it is seen from the absolute ``folder`` above it."""
    return os.path.relpath(path, folder).replace(os.sep, "/")


def _leaves_out(folder: str, entries: Sequence[os.DirEntry[str]], tree: _Tree) -> Callable[[str, bool], bool]:
    """Return what tells of a name in ``folder``, and of whether a folder bears it, that it is left out."""
    absolute = os.path.normpath(tree.top / folder)
    if any(entry.name == _IGNORE_FILE for entry in entries):
        tree.ignoring.append((absolute, _patterns(folder, tree.top)))
    choice = tree.choices(folder) if tree.choices is not None else None
    prefixes = [
        ("" if above == absolute else f"{_inner(absolute, above)}/", globs)
        for above, globs in reversed(tree.ignoring if choice is None or choice.gitignore else ())
        if absolute == above or absolute.startswith(above.rstrip(os.sep) + os.sep)
    ]

    def leaves_out(name: str, is_folder: bool) -> bool:
        if choice is not None and choice.excludes(_join(folder, name), is_folder=is_folder):
            return True
        decisions = (globs.decides(prefix + name, is_folder=is_folder) for prefix, globs in prefixes)
        return next((decision for decision in decisions if decision is not None), False)

    return leaves_out


def _entries(folder: str, tree: _Tree) -> list[os.DirEntry[str]]:
    """Return the entries of ``folder`` in order; none of a virtual environment or of what cannot be read."""
    try:
        with os.scandir(tree.top / folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        tree.unread.append(folder)
        tree.troubles.append(Trouble(folder, reason(error)))
        return []
    if any(entry.name == "pyvenv.cfg" for entry in entries):
        tree.unread.append(folder)
        return []
    return [entry for entry in entries if _has_readable_name(entry, folder, tree)]


def _has_readable_name(entry: os.DirEntry[str], folder: str, tree: _Tree) -> bool:
    try:
        entry.name.encode("utf-8")
    except UnicodeEncodeError:  # the system's bytes are no UTF-8, so the name could not be printed
        shown = entry.name.encode("utf-8", "backslashreplace").decode("utf-8")
        tree.troubles.append(Trouble(_join(folder, shown), "is left out: its name is not UTF-8"))
        return False
    return True


def _note(entry: os.DirEntry[str], path: str, tree: _Tree, leaves_out: Callable[[str, bool], bool]) -> bool:
    """Note ``entry`` in ``tree``; return whether it is a folder to walk."""
    try:
        is_folder = entry.is_dir()
        is_left_out = leaves_out(entry.name, is_folder)
        if is_left_out:
            tree.left_out.add(path)
        if is_folder:
            if not is_left_out and entry.name not in _FOREIGN:
                return True
            tree.folders.append(path)
            tree.unread.append(path)
            return False
        if entry.is_file():
            tree.files.append(path)
            if entry.is_symlink():
                tree.links[path] = os.path.realpath(entry.path)
            return False
        problem = "leads nowhere" if entry.is_symlink() else "is neither a file nor a folder"
    except OSError as error:  # a symbolic link that leads to itself
        problem = reason(error)
    if path not in tree.left_out and (is_page(path) or is_drawing(path) or entry.name in PROJECT_FILES):
        tree.troubles.append(Trouble(path, problem))
    return False


# Sharing the files out


class _Place(NamedTuple):
    """Where a book begins; what is None the book does not have."""

    root: str
    source_root: str
    dialect: Dialect
    project: Project | None = None
    project_document: Document | None = None
    project_file: str | None = None
    summary: str | None = None
    output: str | None = None


def _books(tree: _Tree) -> Iterator[BookFiles]:
    """Share the files of ``tree`` out: each goes to the innermost root that it stands below.

    There it belongs to the book if it stands below its sources, else to the loose book round it.
    """
    places = _places(tree)
    for place in places.values():
        _take_back_chapters(place, tree)
    roots = sorted({tree.base, *places}, key=lambda root: (-_depth(root), root))
    inside: dict[str, list[str]] = {root: [] for root in places}
    around: dict[str, list[str]] = {}
    for path in tree.files:
        if not (is_page(path) or is_drawing(path)) or _is_aside(path, tree.base) or path in tree.left_out:
            continue
        root = next(root for root in roots if _is_below(path, root))
        if root in places and _is_below(path, places[root].source_root):
            inside[root].append(path)
        else:
            around.setdefault(root, []).append(path)
    for root, files in inside.items():
        yield _book(tree, places[root], files)
    for root, files in around.items():
        output = places[root].output if root in places else None
        loose = _Place(root, root, Dialect.GITHUB, output=output)
        book = _book(tree, loose, files)
        if book.pages or book.drawings:
            yield book


def _take_back_chapters(place: _Place, tree: _Tree) -> None:
    """Take back what .gitignore leaves out of a book and its navigation names: a page that a script makes.

    Were it not read, all that is declared in it would be dangling.
    """
    if not any(_is_below(path, place.source_root) for path in tree.left_out):
        return
    for destination in _destinations(place, tree):
        path = under(place.source_root, destination, tree.top)
        excluded = tree.choices is not None and tree.choices(dirname(path) or ".").excludes(path, is_folder=False)
        if excluded or not any(_is_below(path, left_out) for left_out in tree.left_out):
            continue
        if path in tree.files:
            tree.left_out.remove(path)
        elif (tree.top / path).is_file():
            tree.files.append(path)
    tree.files.sort()


def _destinations(place: _Place, tree: _Tree) -> list[str]:
    """Return the files that the navigation of a book names, as it names them."""
    facts = place.project_document.facts if place.project_document else Facts()
    if place.summary is not None:
        source, _ = read(place.summary, tree.top, tree.pending)
        facts = _summary_facts(place.project_file or place.root, source, tree) if source is not None else facts
    written = (chapter.destination.partition("#")[0] for chapter in facts.chapters)
    return [destination for destination in written if destination]


def _is_aside(path: str, base: str) -> bool:
    """Whether ``path`` stands in a hidden folder below ``base``."""
    inner = path.removeprefix(f"{base}/").split("/")[:-1]
    return any(_is_passed_by(part) for part in inner if part != "..")


def _places(tree: _Tree) -> dict[str, _Place]:
    """Return the places in ``tree`` where books begin, by their roots."""
    names: dict[str, list[str]] = {}
    for path in tree.files:
        name = basename(path)
        if name in _MARKS and not _is_aside(path, tree.base) and path not in tree.left_out:
            names.setdefault(dirname(path) or ".", []).append(name)
    places = {}
    for folder, present in names.items():
        project_file = _project_file(present)
        if project_file is not None:
            places[folder] = _project_place(folder, project_file, tree)
    lone = [folder for folder, present in names.items() if _SUMMARY in present]
    for folder in lone:
        if not any(_is_below(folder, root) for root in places) and _navigates(folder, tree):
            summary = _join(folder, _SUMMARY)
            places[folder] = _Place(folder, folder, Dialect.MDBOOK, summary=summary)
    return places


def _project_place(root: str, name: str, tree: _Tree) -> _Place:
    """Read the project file ``name`` of ``root``; one that cannot be read counts as an empty one."""
    path = _join(root, name)
    source, trouble = read(path, tree.top, tree.pending)
    if trouble is not None:
        tree.troubles.append(trouble)
    project, facts = tree.reader(path, source or Source(path, ""), "project", ProjectFile, parse_project)
    source_root = under(root, project.source_root, tree.top)
    if not _is_below(source_root, root):
        tree.troubles.append(Trouble(path, "the sources stand outside its folder and are not read"))
    elif source is not None and not any(is_page(file) and _is_below(file, source_root) for file in tree.files):
        tree.troubles.append(Trouble(path, f"the book is empty: there is no page in `{source_root}`"))
    summary = _join(source_root, _SUMMARY)
    return _Place(
        root=root,
        source_root=source_root,
        dialect=project.dialect,
        project=project,
        project_document=None if source is None else Document(source, facts),
        project_file=path,
        summary=summary if project.dialect is Dialect.MDBOOK and summary in tree.files else None,
        output=under(root, project.output, tree.top),
    )


def _navigates(folder: str, tree: _Tree) -> bool:
    """Whether the SUMMARY.md of ``folder`` is the navigation of a book that has lost its project file.

    It is if most of the chapters that it names are there: many a SUMMARY.md is just a summary.
    """
    source, _ = read(_join(folder, _SUMMARY), tree.top, tree.pending)
    if source is None:
        return False
    chapters = _summary_facts(folder, source, tree).chapters
    destinations = [chapter.destination for chapter in chapters if chapter.destination]
    present = [under(folder, destination, tree.top) in tree.files for destination in destinations]
    return len(present) >= 2 and sum(present) * 2 > len(present)


def _summary_facts(home: str, source: Source, tree: _Tree) -> Facts:
    return tree.reader(home, source, SUMMARY, Facts, _parse_summary)


def _parse_summary(source: Source) -> Facts:
    from lintbook.parse.summary import parse_summary  # and with it the Markdown parser, seldom needed here

    return parse_summary(source)


def under(folder: str, path: str, top: Path) -> str:
    """Return ``path``, relative to ``folder``, relative to the working directory ``top``."""
    return _relative(os.path.normpath(top / folder / path), top)


def _book(tree: _Tree, place: _Place, files: list[str]) -> BookFiles:
    kept = _without_output(_without_links(files, tree), place.output)
    return BookFiles(
        root=place.root,
        dialect=place.dialect,
        project=place.project,
        project_document=place.project_document,
        project_file=place.project_file,
        summary=place.summary,
        source_root=place.source_root,
        pages=tuple(path for path in kept if is_page(path) and path != place.summary),
        drawings=tuple(path for path in kept if is_drawing(path)),
        files=frozenset(path for path in tree.files if _is_below(path, place.root)),
        folders=frozenset(path for path in tree.folders if _is_below(path, place.root)),
        unread=frozenset(path for path in tree.unread if _is_below(path, place.root)),
        ignores=lambda path: _is_ignored(path, tree),
    )


def _is_ignored(path: str, tree: _Tree) -> bool:
    """Whether a .gitignore file names ``path``, which need not be there."""
    absolute = os.path.normpath(tree.top / path)
    return any(
        globs.covers(_inner(absolute, folder))
        for folder, globs in tree.ignoring
        if absolute.startswith(folder.rstrip(os.sep) + os.sep)
    )


def _without_links(files: list[str], tree: _Tree) -> list[str]:
    """Leave out symbolic links to files of the same book: they are the same text once more."""
    if not any(path in tree.links for path in files):
        return files
    present = {os.path.realpath(tree.top / path) for path in files if path not in tree.links}
    return [path for path in files if tree.links.get(path) not in present]


def _without_output(files: list[str], output: str | None) -> list[str]:
    """Leave out what the renderer wrote; a folder with pages in it is none that a renderer wrote."""
    if output is None:
        return files
    written = {path for path in files if _is_below(path, output)}
    return files if any(map(is_page, written)) else [path for path in files if path not in written]


def _books_round(target: str, books: Sequence[BookFiles]) -> list[BookFiles]:
    """Return the innermost of ``books`` whose sources the folder ``target`` stands among, if there is one."""
    round_it = [book for book in books if target in book.folders and _is_below(target, book.source_root)]
    return [max(round_it, key=lambda book: _depth(book.root))] if round_it else []


def _own_files(book: BookFiles) -> Iterator[str]:
    yield from book.pages
    yield from book.drawings
    yield from (path for path in (book.project_file, book.summary) if path is not None)
