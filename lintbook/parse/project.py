"""Project files: what book.toml, mkdocs.yml and _config.yml say about a book, with exact places.

Neither TOML nor YAML readers give what is needed here: tomllib knows no places, and a YAML loader builds
the objects that a file names. So book.toml is judged by tomllib and then walked over again by a small
scanner, and YAML is only composed into its nodes, which have places; nothing is ever constructed from
them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from lintbook.diagnostic import Trouble
from lintbook.dialect import Dialect
from lintbook.facts import Chapter, ChapterForm, Facts, Redirect
from lintbook.text import BYTE_ORDER_MARK, Source, Span

if TYPE_CHECKING:
    from yaml import Node

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_REDIRECTS = ("output", "html", "redirect")


@dataclass(frozen=True, slots=True)
class Project:
    """What a project file says about the book as a whole.

    ``source_root`` and ``output`` (the folder that the renderer writes) are relative to the folder of the
    project file.
    """

    dialect: Dialect
    source_root: str
    output: str
    language: str | None = None
    create_missing: bool = True  # mdBook: whether a chapter without file is created
    smart_punctuation: bool = True  # mdBook: whether `--` outside code is shown as a dash
    preprocessors: tuple[str, ...] = ()
    directory_urls: bool = True  # MkDocs and Jekyll: whether x.md is found at x/
    extensions: tuple[str, ...] = ()  # MkDocs: the names of the Markdown extensions switched on
    own_slugs: bool = False  # MkDocs: whether a function of the author's choice makes the ids of headings


def parse_book_toml(source: Source) -> tuple[Project, Facts]:
    """Read a book.toml as mdBook 0.5 does; the facts are its redirects.

    A file that is no TOML gives a trouble and the defaults; so does a setting of a wrong type.
    """
    text = source.text.removeprefix(BYTE_ORDER_MARK)
    offset = len(source.text) - len(text)
    try:
        table = tomllib.loads(text)
        values = list(_TomlScanner(text).values())
    except (ValueError, RecursionError) as error:  # int() refuses thousands of digits with a plain ValueError
        return _mdbook_project(_Settings({}, {})), Facts(troubles=(_toml_trouble(source, error),))
    places = {value.path: source.position(offset + value.start) for value in values}
    settings = _Settings(table, {path: (place.line, place.column) for path, place in places.items()})
    project = _mdbook_project(settings)
    redirects = tuple(_redirect(source, offset, value) for value in values if _is_redirect(value))
    return project, Facts(redirects=redirects, troubles=settings.troubles(source.path))


def _mdbook_project(settings: _Settings) -> Project:
    return Project(
        dialect=Dialect.MDBOOK,
        source_root=settings.text("book", "src", default="src"),
        output=settings.text("build", "build-dir", default="book"),
        language=settings.text("book", "language", default="") or None,
        create_missing=settings.flag("build", "create-missing", default=True),
        smart_punctuation=settings.flag("output", "html", "smart-punctuation", default=True),
        preprocessors=settings.names("preprocessor"),
    )


def _toml_trouble(source: Source, error: Exception) -> Trouble:
    """Name the place that tomllib puts into its message, in the words of lintbook."""
    if isinstance(error, RecursionError):
        return Trouble(source.path, "is not read: values are nested too deeply")
    message = str(error)
    found = _PLACE.search(message)
    said = _PLACE.sub("", message)
    said = said[:1].lower() + said[1:]
    if found is None:
        return Trouble(source.path, f"is no valid TOML: {said}")
    if found[1] is None:
        line, column = source.position(len(source.text))
    else:
        line, column = int(found[1]), int(found[2])
    return Trouble(source.path, f"is no valid TOML: {said}", line, column)


class _Settings:
    """Typed access to a TOML document; a value of a wrong type is noted, and the default taken."""

    def __init__(self, table: Mapping[str, Any], places: Mapping[tuple[str, ...], tuple[int, int]]) -> None:
        self._table = table
        self._places = places
        self._wrong: list[tuple[tuple[str, ...], str]] = []

    def _find(self, path: tuple[str, ...]) -> Any:
        value: Any = self._table
        for key in path:
            if not isinstance(value, dict):
                return None
            value = value.get(key)
        return value

    def text(self, *path: str, default: str) -> str:
        """Return the string at ``path``."""
        value = self._find(path)
        if isinstance(value, str):
            return value
        if value is not None:
            self._wrong.append((path, "a string"))
        return default

    def flag(self, *path: str, default: bool) -> bool:
        """Return the boolean at ``path``."""
        value = self._find(path)
        if isinstance(value, bool):
            return value
        if value is not None:
            self._wrong.append((path, "true or false"))
        return default

    def names(self, *path: str) -> tuple[str, ...]:
        """Return the keys of the table at ``path``."""
        value = self._find(path)
        return tuple(value) if isinstance(value, dict) else ()

    def troubles(self, file: str) -> tuple[Trouble, ...]:
        """Return a trouble for each value of a wrong type that was asked for."""
        return tuple(
            Trouble(file, f"`{'.'.join(path)}` is not {wanted}", *self._places.get(path, (None, None)))
            for path, wanted in self._wrong
        )


class _TomlValue(NamedTuple):
    """A key and its value: the keys that lead to it, where the last key stands, where the value stands."""

    path: tuple[str, ...]
    key_start: int
    key_end: int
    start: int
    end: int
    text: str | None  # a string's decoded text


class _TomlScanner:
    """Walks over a TOML document that tomllib has accepted and tells where keys and values stand.

    Offsets of quoted keys and strings leave the quotes out. Since the document is known to be sound, only
    what separates its parts is looked at; the parts themselves are decoded by tomllib.
    """

    _BLANKS = re.compile(r"[ \t]*")
    _SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
    _HEADER_END = re.compile(r"[ \t]*\]+")
    _BARE = re.compile(r"[A-Za-z0-9_-]+")
    _SHORT = re.compile(r'"(?:[^"\\]|\\.)*"|' r"'[^']*'")
    _LONG = re.compile(r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}|' r"'''(?:[^']|'{1,2}(?!'))*'{3,5}", re.DOTALL)
    _PLAIN = re.compile(r"[^,\]}#\r\n]*[^,\]}#\s]")

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0

    def values(self) -> Iterator[_TomlValue]:
        """Yield each value that a key leads to, inline tables opened, in the order of the text."""
        table: tuple[str, ...] = ()
        while self._skip(self._SPACE) < len(self._text):
            if self._text[self._position] == "[":
                self._position += 2 if self._text.startswith("[[", self._position) else 1
                table = self._key()[0]
                self._skip(self._HEADER_END)
            else:
                yield from self._pair(table)

    def _skip(self, pattern: re.Pattern[str]) -> int:
        found = pattern.match(self._text, self._position)
        if found is not None:
            self._position = found.end()
        return self._position

    def _key(self) -> tuple[tuple[str, ...], int, int]:
        """Read a dotted key; return its parts and where the last one stands."""
        parts: list[str] = []
        while True:
            self._skip(self._BLANKS)
            start = self._position
            if self._skip(self._BARE) > start:
                parts.append(self._text[start : self._position])
                end = self._position
            else:
                self._skip(self._SHORT)
                parts.append(self._decoded(start))
                start, end = start + 1, self._position - 1
            if not self._text.startswith(".", self._skip(self._BLANKS)):
                return tuple(parts), start, end
            self._position += 1

    def _decoded(self, start: int) -> str:
        """Return the text of the string literal that begins at ``start`` and ends here."""
        literal = self._text[start : self._position]
        if "\\" not in literal and "\n" not in literal and literal[:3] not in ("'''", '"""'):
            return literal[1:-1]  # nothing to decode, as in nearly all of them
        return str(tomllib.loads(f"value = {literal}")["value"])

    def _pair(self, table: tuple[str, ...]) -> Iterator[_TomlValue]:
        keys, key_start, key_end = self._key()
        self._position += 1  # the equals sign
        self._skip(self._BLANKS)
        path = (*table, *keys)
        start = self._position
        opening = self._text[start]
        if opening == "{":
            yield from self._inline_table(path)
        elif opening == "[":
            self._array()
        elif opening in "\"'":
            quotes = 1 if self._skip(self._LONG) == start else 3
            if quotes == 1:
                self._skip(self._SHORT)
            text = self._decoded(start)
            yield _TomlValue(path, key_start, key_end, start + quotes, self._position - quotes, text)
            return
        else:
            self._skip(self._PLAIN)
        yield _TomlValue(path, key_start, key_end, start, self._position, None)

    def _inline_table(self, path: tuple[str, ...]) -> Iterator[_TomlValue]:
        self._position += 1
        while self._text[self._skip(self._SPACE)] != "}":
            if self._text[self._position] == ",":
                self._position += 1
            else:
                yield from self._pair(path)
        self._position += 1

    def _array(self) -> None:
        """Step over an array; what stands in it has no key of its own."""
        depth = 0
        while True:
            character = self._text[self._skip(self._SPACE)]
            if character in "\"'":
                start = self._position
                if self._skip(self._LONG) == start:
                    self._skip(self._SHORT)
                continue
            self._position += 1
            depth += (character in "[{") - (character in "]}")
            if depth == 0:
                return


def _is_redirect(value: _TomlValue) -> bool:
    return value.path[:-1] == _REDIRECTS and value.text is not None


def _redirect(source: Source, offset: int, value: _TomlValue) -> Redirect:
    assert value.text is not None
    return Redirect(
        span=source.span(offset + value.key_start, offset + value.key_end),
        source=value.path[-1],
        target_span=source.span(offset + value.start, offset + value.end),
        target=value.text,
    )


def parse_mkdocs(source: Source) -> tuple[Project, Facts]:
    """Read a mkdocs.yml; the facts are the chapters of its ``nav``.

    Tags (``!ENV``, ``!!python/name:``) are not followed. A chapter's ``span`` is the path as written,
    without its quotes; links to other sites are no chapters. A section is a chapter of the form PART.
    """
    settings, troubles = _yaml_settings(source)
    extensions = dict(_named(settings.get("markdown_extensions")))
    project = Project(
        dialect=Dialect.MKDOCS,
        source_root=_scalar(settings.get("docs_dir")) or "docs",
        output=_scalar(settings.get("site_dir")) or "site",
        directory_urls=_scalar(settings.get("use_directory_urls")).lower() not in ("false", "no", "off"),
        extensions=tuple(extensions),
        own_slugs="slugify" in dict(_named(extensions.get("toc"))),
    )
    chapters = tuple(_nav(source, settings.get("nav"), 0, set()))
    return project, Facts(chapters=chapters, troubles=troubles)


def parse_jekyll(source: Source) -> tuple[Project, Facts]:
    """Read a _config.yml of Jekyll; it yields no facts but troubles."""
    settings, troubles = _yaml_settings(source)
    project = Project(
        dialect=Dialect.JEKYLL,
        source_root=_scalar(settings.get("source")) or ".",
        output=_scalar(settings.get("destination")) or "_site",
        directory_urls=_scalar(settings.get("permalink")) == "pretty",
    )
    return project, Facts(troubles=troubles)


def _yaml_settings(source: Source) -> tuple[dict[str, Node], tuple[Trouble, ...]]:
    """Return the top-level settings of a YAML file by name, as nodes; none if it is no YAML or no mapping."""
    import yaml

    try:
        root = yaml.compose(source.text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = source.position(mark.index) if mark is not None else (None, None)
        return {}, (Trouble(source.path, f"is no valid YAML: {error.problem or error.context}", *place),)
    except yaml.reader.ReaderError as error:
        place = source.position(error.position)
        return {}, (Trouble(source.path, f"is no valid YAML: {error.reason}", *place),)
    except RecursionError:
        return {}, (Trouble(source.path, "is not read: values are nested too deeply"),)
    return dict(_named(root)), ()


def _scalar(node: Node | None) -> str:
    """Return the text of a scalar, empty for anything else."""
    from yaml import ScalarNode

    return str(node.value) if isinstance(node, ScalarNode) else ""


def _named(node: Node | None) -> Iterator[tuple[str, Node]]:
    """Yield name and value of each entry: of a mapping, or of a sequence of names and mappings."""
    from yaml import MappingNode, SequenceNode

    if isinstance(node, MappingNode):
        yield from ((_scalar(key), value) for key, value in node.value if _scalar(key))
    elif isinstance(node, SequenceNode):
        for entry in node.value:
            if isinstance(entry, MappingNode):
                yield from _named(entry)
            elif _scalar(entry):
                yield _scalar(entry), entry


def _nav(source: Source, node: Node | None, depth: int, seen: set[int]) -> Iterator[Chapter]:
    """Yield the chapters below a node of ``nav``; an alias is followed once, since it may lead to itself."""
    from yaml import MappingNode, ScalarNode, SequenceNode

    if node is None or id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, SequenceNode):
        for entry in node.value:
            yield from _nav(source, entry, depth, seen)
    elif isinstance(node, MappingNode):
        for key, value in node.value:
            if isinstance(value, ScalarNode):
                yield from _nav_page(source, value, depth, title=_scalar(key))
            else:
                yield Chapter(_scalar_span(source, key), _scalar(key), "", depth, ChapterForm.PART)
                yield from _nav(source, value, depth + 1, seen)
    else:
        yield from _nav_page(source, node, depth, title="")


def _nav_page(source: Source, node: Node, depth: int, title: str) -> Iterator[Chapter]:
    destination = _scalar(node)
    if destination and not _URL.match(destination):
        yield Chapter(_scalar_span(source, node), title, destination, depth, ChapterForm.NUMBERED)


def _scalar_span(source: Source, node: Node) -> Span:
    """Return where a node stands, a scalar without its quotes."""
    start, end = node.start_mark.index, node.end_mark.index
    quoted = source.text[start : start + 1] in ("'", '"')
    return source.span(start + quoted, end - quoted)


# The names of project files, the one that counts first where a folder has several.
PROJECT_FILES: dict[str, Callable[[Source], tuple[Project, Facts]]] = {
    "book.toml": parse_book_toml,
    "mkdocs.yml": parse_mkdocs,
    "mkdocs.yaml": parse_mkdocs,
    "_config.yml": parse_jekyll,
    "_config.yaml": parse_jekyll,
}


def parse_project(source: Source) -> tuple[Project, Facts]:
    """Read a project file by its name; raise KeyError if it is none of ``PROJECT_FILES``."""
    return PROJECT_FILES[source.path.rpartition("/")[2]](source)
