"""Builders: programs that make sites of Markdown and are none of the dialects.

What one of them builds is read as GitHub shows it. But builders find pages by other addresses than those of the files,
and some make other ids of headings; so far as that is known here, links that are right for them arrive. A builder is
told by the names of its files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from posixpath import basename, dirname, join, normpath, splitext
from unicodedata import normalize

from msgspec import Struct

from lintbook.dialect import without_emoji
from lintbook.patterns import regex
from lintbook.text import Source


class Builder(Struct, frozen=True):
    """What is known of a builder.

    ``marks`` are the names of files and folders that tell of it; of ``name:word`` the file must hold the word. With
    ``has_components`` pages hold tags of its own making. Relative links are seen from the file's folder, and too, if it
    ``serves_folders``, from the page as a folder of its own; if ``from_top`` from the top; ``by_name`` finds a file
    wherever it stands. ``aliases`` are folders, by the beginnings of destinations that mean them. ``slug`` makes ids of
    headings; without one GitHub's rules hold if ``has_github_slugs``, or else nothing is known.
    """

    marks: tuple[str, ...]
    has_components: bool = False
    serves_folders: bool = False
    from_top: bool = False
    by_name: bool = False
    aliases: tuple[tuple[str, str], ...] = ()
    slug: Callable[[str], str] | None = None
    has_github_slugs: bool = False


_SPECIAL = regex(r"[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:\"'“”‘’<>,.?/]+")
_COMBINING = regex(r"[\u0300-\u036f\x00-\x1f]")


def _vue_slug(text: str) -> str:
    """Slug as VitePress and VuePress do: without accents, a hyphen for each run of punctuation."""
    plain = _COMBINING.sub("", normalize("NFKD", without_emoji(text)))
    joined = _SPECIAL.sub("-", plain).strip("-")
    return (f"_{joined}" if joined[:1].isdigit() and joined[:1].isascii() else joined).lower()


# What docsify reads in a heading: `:id=x`, `{docsify-ignore}`.
_SETTING = regex(r"(?:^|\s):(?P<key>[\w-]+)(?:=(?P<value>[\w%-]+))?(?![\w:])")
_IGNORED = regex(r"\{docsify-ignore(?:-all)?\}")
_DROPPED = regex(r"[\u2000-\u206f\u2e00-\u2e7f\\'!\"#$%&()*+,./:;<=>?@\[\]^`{|}~]")


def _docsify_slug(text: str) -> str:
    stated = next((found["value"] for found in _SETTING.finditer(text) if found["key"] == "id"), None)
    plain = stated or _SETTING.sub("", _IGNORED.sub("", text)).strip().lower()
    slug = re.sub(r"\s", "-", _DROPPED.sub("", plain))
    return f"_{slug}" if slug[:1].isdigit() and slug[:1].isascii() else slug


_DOCSIFY = Builder(("_coverpage.md", "_navbar.md", "index.html:docsify"), from_top=True, slug=_docsify_slug)
_OBSIDIAN = Builder((".obsidian",), by_name=True)
_WIKI = Builder(("_sidebar.md", "_Sidebar.md"))  # or docsify, of which nothing else tells
BUILDERS = (
    Builder((".vitepress", ".vuepress"), has_components=True, slug=_vue_slug),
    Builder(
        ("docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs", "sidebars.js", "sidebars.ts"),
        has_components=True,
        serves_folders=True,
        aliases=(("@site/", ""),),
        has_github_slugs=True,
    ),
    Builder(
        ("astro.config.mjs", "astro.config.ts", "astro.config.js"),
        has_components=True,
        serves_folders=True,
        has_github_slugs=True,
    ),
    Builder(("next.config.mjs", "next.config.js"), has_components=True, has_github_slugs=True),
    Builder(("_toc.yml", "_toc.yaml", "myst.yml", "conf.py", "_quarto.yml", "antora.yml")),
    Builder(
        ("hugo.toml", "hugo.yaml", "hugo.json", "config.toml:baseurl", "config.yaml:baseurl", "config.yml:baseurl"),
        serves_folders=True,
        has_github_slugs=True,
    ),
    Builder(("config.toml:base_url", "zola.toml"), serves_folders=True, aliases=(("@/", "content"),)),
    Builder(("gatsby-config.js", "gatsby-config.ts"), serves_folders=True, has_github_slugs=True),
    _DOCSIFY,
    _OBSIDIAN,
    _WIKI,
)
_BY_MARK = {mark: builder for builder in BUILDERS for mark in builder.marks}

# A page by its address without ending.
_PAGES = (".md", "/index.md", "/_index.md", "/README.md", ".mdx", "/index.mdx", ".markdown")
# Front matter up to its end, and what it states of the address of its page.
_FRONT_MATTER = regex(r"(?P<fence>---|\+\+\+)[ \t]*\n(?P<data>(?:.*\n)*?)(?P=fence)[ \t]*(?:\n|\Z)")
_STATED = regex(r"^(?:slug|url|permalink|path|id|aliases)\b[ \t]*[:=](?P<value>.*(?:\n[ \t]*-[ \t].*)*)", re.MULTILINE)
_ADDRESS = regex(r"[^\s\"'\[\],]+")
_ORDER = regex(r"(?:(?<=/)|^)\d+[ .-]+(?=[^/\d])")  # what puts the pages of a folder in order: `01-intro.md`


class Build(Struct, frozen=True):
    """A builder at work: ``folder`` is where what tells of it stands."""

    builder: Builder
    folder: str

    def means(self, destination: str) -> str:
        """Return the address, with fragment, that a destination means to the builder; most mean themselves."""
        if self.builder is _DOCSIFY and destination.startswith("#/"):
            route, _, query = destination[2:].partition("?")
            fragment = re.search(r"(?:^|&)id=([^&]*)", query)
            return f"{_TOP}{route}{f'#{fragment[1]}' if fragment else ''}"
        return destination

    def places(self, path: str, address: str, named: Callable[[str], Iterable[str]]) -> Iterator[str]:
        """Yield the paths that a relative address in the page at ``path`` may mean, the likeliest first.

        ``named`` gives the files whose paths end with a name.
        """
        for beginning, folder in (*self.builder.aliases, (_TOP, "")):
            if address.startswith(beginning):
                yield normpath(join(self.folder, folder, address.removeprefix(beginning)))
                return
        yield normpath(join(dirname(path), address))
        if self.builder.serves_folders and not _is_index(path):
            yield normpath(join(splitext(path)[0], address))
        if self.builder.from_top:
            yield normpath(join(self.folder, address))
        if self.builder.by_name:
            for name in (address, f"{address}.md"):
                yield from named(normpath(name))

    def companion(self, path: str, present: Container[str]) -> str | None:
        """Return the page that the one at ``path`` is shown together with; empty if that may be any page."""
        name = basename(path)
        if not name.startswith("_") or self.builder not in (_DOCSIFY, _WIKI):
            return None
        home = join(dirname(path), "README.md")
        return home if name == "_coverpage.md" and home in present else ""

    def heading_ids(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield the ids that the builder makes of the headings of a page, none if nothing of its own is known."""
        repeats: Counter[str] = Counter()
        for text in texts if self.builder.slug else ():
            base = self.builder.slug(text) if self.builder.slug else ""
            yield f"{base}-{repeats[base]}" if repeats[base] else base
            repeats[base] += 1

    def has_place(self, fragment: str, texts: Iterable[str], source: Source) -> bool:
        """Return whether a page has a place that is named without an id: Obsidian's headings and blocks."""
        if self.builder is not _OBSIDIAN:
            return False
        name = fragment.rpartition("#")[2]
        if name.startswith("^"):
            return re.search(rf"\^{re.escape(name[1:])}[ \t]*$", source.text, re.MULTILINE) is not None
        return bool(name) and _letters(name) in map(_letters, texts)


_TOP = "@/"  # how an address from the top of the site is handed on


def build_of(folders: Iterable[str], present: Container[str], text: Callable[[str], Source | None]) -> Build | None:
    """Return the builder that is told of in the first of ``folders`` in which one is; ``text`` reads a file."""
    for folder in folders:
        for mark, builder in _BY_MARK.items():
            name, _, word = mark.partition(":")
            path = normpath(join(folder, name))
            if path in present and (not word or _holds(text(path), word)):
                return Build(builder, folder)
    return None


def _holds(source: Source | None, word: str) -> bool:
    return source is not None and word in source.text.lower()


def _is_index(path: str) -> bool:
    return splitext(basename(path))[0].lower() in ("index", "_index", "readme")


def _letters(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def pages_at(path: str) -> Iterator[str]:
    """Yield the files that may be published at ``path``, an address without the ending of a page."""
    yield from (f"{path}{ending}" for ending in _PAGES)


def unordered(path: str) -> str:
    """Return the address of a page without its ending, and without the numbers that only put pages in order."""
    return _ORDER.sub("", splitext(path)[0])


def stated_addresses(text: str) -> Iterator[str]:
    """Yield the addresses that the front matter of a page states for it."""
    data = _FRONT_MATTER.match(text) if text.startswith(("---", "+++")) else None
    for entry in _STATED.finditer(data["data"]) if data else ():
        yield from (found for found in _ADDRESS.findall(entry["value"]) if found != "-")
