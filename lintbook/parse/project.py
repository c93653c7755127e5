"""Project files: what book.toml, mkdocs.yml and _config.yml say about a book, with exact places.

A YAML loader builds the objects that a file names. So YAML is only composed into its nodes, which have places; nothing
is ever constructed from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from lintbook.diagnostic import Trouble
from lintbook.dialect import Dialect, leads_out
from lintbook.facts import Chapter, ChapterForm, Facts, Redirect
from lintbook.patterns import regex
from lintbook.text import Source, Span

if TYPE_CHECKING:
    from yaml import Node

    from lintbook.parse.toml import Keys, TomlDocument, TomlEntry

REDIRECTS = ("output", "html", "redirect")


class Project(Struct, frozen=True):
    """What a project file says about the book as a whole.

    ``source_root`` and ``output`` (the folder that the renderer writes) are relative to the folder of the
    project file.
    """

    dialect: Dialect
    source_root: str
    output: str
    title: str = ""
    language: str | None = None
    create_missing: bool = True  # mdBook: whether a chapter without file is created
    smart_punctuation: bool = True  # mdBook: whether `--` outside code is shown as a dash
    site_url: str = ""  # mdBook: the path at which the book is published, where it is told
    definition_lists: bool = True  # mdBook: whether it reads definition lists, and makes ids of their terms
    preprocessors: tuple[str, ...] = ()
    expands_includes: bool = True  # mdBook: whether `{{#include}}` is a directive and no text
    not_found: str = "404.md"  # mdBook: what its page for missing addresses is made of, below the sources
    readme_is_index: bool = True  # mdBook: whether a README.md is the index of its folder
    directory_urls: bool = True  # MkDocs and Jekyll: whether x.md is, or may be, found at x/
    extensions: tuple[str, ...] = ()  # MkDocs: the names of the Markdown extensions switched on
    own_slugs: bool = False  # MkDocs: whether a function of the author's choice makes the ids of headings


class ProjectFile(NamedTuple):
    """What a project file says: of the book as a whole, and facts like those of any other file."""

    project: Project
    facts: Facts


def parse_book_toml(source: Source) -> ProjectFile:
    """Read a book.toml as mdBook 0.5 does; the facts are its redirects.

    A file that is no TOML gives a trouble and the defaults; so does a setting of a wrong type.
    """
    from lintbook.parse.toml import TomlDocument, read_toml

    document = read_toml(source)
    if isinstance(document, Trouble):
        return ProjectFile(_mdbook_project(_Settings(TomlDocument(source, {}, ()))), Facts(troubles=(document,)))
    settings = _Settings(document)
    project = _mdbook_project(settings)
    redirects = tuple(_redirect(source, entry) for entry in document.entries if _is_redirect(entry))
    return ProjectFile(project, Facts(redirects=redirects, troubles=settings.troubles(source.path)))


def _mdbook_project(settings: _Settings) -> Project:
    preprocessors = settings.names("preprocessor")
    by_default = settings.flag("build", "use-default-preprocessors", default=True)
    return Project(
        dialect=Dialect.MDBOOK,
        source_root=settings.text("book", "src", default="src"),
        output=settings.text("build", "build-dir", default="book"),
        title=settings.text("book", "title", default=""),
        language=settings.text("book", "language", default="") or None,
        create_missing=settings.flag("build", "create-missing", default=True),
        smart_punctuation=settings.flag("output", "html", "smart-punctuation", default=True),
        site_url=settings.text("output", "html", "site-url", default=""),
        definition_lists=settings.flag("output", "html", "definition-lists", default=True),
        preprocessors=preprocessors,
        expands_includes=by_default or "links" in preprocessors,
        not_found=settings.text("output", "html", "input-404", default="404.md"),
        readme_is_index=by_default or "index" in preprocessors,
    )


class _Settings:
    """Typed access to a TOML document; a value of a wrong type is noted, and the default taken."""

    def __init__(self, document: TomlDocument) -> None:
        self._document = document
        self._wrong: list[tuple[Keys, str]] = []

    def _find(self, path: Keys) -> Any:
        value: Any = self._document.table
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
            Trouble(file, f"`{'.'.join(path)}` is not {wanted}", *self._document.value_place(path))
            for path, wanted in self._wrong
        )


def _is_redirect(entry: TomlEntry) -> bool:
    return entry.keys[:-1] == REDIRECTS and entry.text is not None


def _redirect(source: Source, entry: TomlEntry) -> Redirect:
    assert entry.text is not None
    return Redirect(
        span=source.span(entry.key_start, entry.key_end),
        source=entry.keys[-1],
        target_span=source.span(entry.start, entry.end),
        target=entry.text,
    )


def parse_mkdocs(source: Source) -> ProjectFile:
    """Read a mkdocs.yml; the facts are the chapters of its ``nav``.

    Tags (``!ENV``, ``!!python/name:``) are not followed. A chapter's ``span`` is the path as written,
    without its quotes; links to other sites and places are no chapters. A section is a chapter of the form PART.
    """
    settings, troubles = _yaml_settings(source)
    extensions = dict(_named(settings.get("markdown_extensions")))
    project = Project(
        dialect=Dialect.MKDOCS,
        source_root=_scalar(settings.get("docs_dir")) or "docs",
        output=_scalar(settings.get("site_dir")) or "site",
        title=_scalar(settings.get("site_name")),
        directory_urls=_scalar(settings.get("use_directory_urls")).lower() not in ("false", "no", "off"),
        extensions=tuple(extensions),
        own_slugs="slugify" in dict(_named(extensions.get("toc"))),
    )
    chapters = tuple(_nav(source, settings.get("nav"), 0, set()))
    return ProjectFile(project, Facts(chapters=chapters, troubles=troubles))


def parse_jekyll(source: Source) -> ProjectFile:
    """Read a _config.yml of Jekyll; it yields no facts but troubles."""
    settings, troubles = _yaml_settings(source)
    project = Project(
        dialect=Dialect.JEKYLL,
        source_root=_scalar(settings.get("source")) or ".",
        output=_scalar(settings.get("destination")) or "_site",
        title=_scalar(settings.get("title")),
        directory_urls=any(each == "pretty" or each.endswith("/") for each in _permalinks(settings)),
    )
    return ProjectFile(project, Facts(troubles=troubles))


def _permalinks(settings: dict[str, Node]) -> Iterator[str]:
    """Yield the patterns of addresses that a _config.yml gives: to all pages, a collection, or some as a default."""
    yield _scalar(settings.get("permalink"))
    for _, collection in _named(settings.get("collections")):
        yield _scalar(dict(_named(collection)).get("permalink"))
    for name, values in _named(settings.get("defaults")):
        if name == "values":
            yield _scalar(dict(_named(values)).get("permalink"))


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
    if destination and not leads_out(destination) and not _NO_FILE.search(destination):
        yield Chapter(_scalar_span(source, node), title, destination, depth, ChapterForm.NUMBERED)


# What MkDocs takes for a place of the site (`/other/`), and what only plugins read: folders, patterns, `!include x`.
_NO_FILE = regex(r"^[/!]|/$|\*")


def _scalar_span(source: Source, node: Node) -> Span:
    """Return where a node stands, a scalar without its quotes."""
    start, end = node.start_mark.index, node.end_mark.index
    quoted = source.text[start : start + 1] in ("'", '"')
    return source.span(start + quoted, end - quoted)


# The names of project files, the one that counts first where a folder has several.
PROJECT_FILES: dict[str, Callable[[Source], ProjectFile]] = {
    "book.toml": parse_book_toml,
    "mkdocs.yml": parse_mkdocs,
    "mkdocs.yaml": parse_mkdocs,
    "_config.yml": parse_jekyll,
    "_config.yaml": parse_jekyll,
}


def parse_project(source: Source) -> ProjectFile:
    """Read a project file by its name; raise KeyError if it is none of ``PROJECT_FILES``."""
    return PROJECT_FILES[source.path.rpartition("/")[2]](source)
