"""Dialects: what each renderer makes of headings, anchors and page names.

A dialect is found from the project file of a book. It decides which id a heading gets, how repeated ids are
told apart, which written anchors become real ones and at which addresses a page is found. Each rule here
follows the renderer's own behaviour; the one of mdBook (0.5.4) was read off books built with it, code point
by code point.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from posixpath import basename, dirname, splitext
from unicodedata import category, normalize

from msgspec import Struct

from lintbook.facts import AnchorOrigin
from lintbook.patterns import regex

# The Unicode property White_Space; str.isspace also takes the separators U+001C to U+001F.
_WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)

# The Unicode property Other_Alphabetic: marks (vowel signs) and symbols (circled letters) that count as
# letters. Only code points of the categories Mn, Mc and So are looked up here, so that ranges run on across
# code points of other categories.
_OTHER_ALPHABETIC = """
345 363-36F 5B0-5C7 610-657 659-6DC 6E1-6E8 6ED 711-73F 7A6-7B0 816-817 81B-82C 8D4-8DF 8E3-8E9 8F0-93B
93E-94C 94E-94F 955-983 9BE-9CC 9D7-9E3 A01-A03 A3E-A4C A51-A83 ABE-ACC AE2-AFC B01-B03 B3E-B4C B56-B63
B82-BCC BD7 C00-C04 C3E-C4C C55-C63 C81-C83 CBE-CCC CD5-D03 D3E-D4C D57-D63 D81-D83 DCF-E3A E4D EB1-EB9 EBB-
EBC ECD F71-F83 F8D-FBC 102B-1036 1038 103B-109D 1712-1713 1732-1733 1752-1773 17B6-17C8 1885-1938 1A17-1A5E
1A61-1A74 1ABF-1AC0 1ACC-1B04 1B35-1B43 1B80-1BA9 1BAC-1BAD 1BE7-1BF1 1C24-1C36 1DD3-1DF4 24B6-24E9
2DE0-2DFF A674-A67B A69E-A69F A802 A80B-A827 A880-A8C3 A8C5 A8FF-A92A A947-A952 A980-A983 A9B4-A9BF
A9E5-AA4D AA7B-AABE AAEB-AAF5 ABE3-ABEA FB1E 10376-1037A 10A01-10A0F 10D24-10EAC 11000-11045 11073-11074
11080-110B8 110C2-11132 11145-11146 11180-111BF 111CE-11234 11237-112E8 11300-11303 1133E-1134C 11357-11363
11435-11441 11443-11445 114B0-114C1 115AF-115BE 115DC-1163E 11640-116B5 1171D-1172A 1182C-11838 11930-1193C
11940-11942 119D1-119DF 119E4-11A0A 11A35-11A3E 11A51-11A97 11C2F-11C3E 11C92-11D41 11D43 11D47-11D96
11EF3-11EF6 16F4F-16F92 16FF0-16FF1 1BC9E 1E000-1E02A 1E947 1F130-1F149 1F150-1F169 1F170-1F189
"""
_RANGES = [
    (int(first, 16), int(last or first, 16))
    for first, _, last in (entry.partition("-") for entry in _OTHER_ALPHABETIC.split())
]


class Dialect(StrEnum):
    """The renderer that a book is written for; ``GITHUB`` also where no project file tells which."""

    MDBOOK = "mdbook"
    MKDOCS = "mkdocs"
    JEKYLL = "jekyll"
    PANDOC = "pandoc"
    GITHUB = "github"

    @property
    def slugs_source(self) -> bool:
        """Whether slugs are made of the source of a heading, markup and link targets included (kramdown)."""
        return self is Dialect.JEKYLL

    def makes_anchor(self, origin: AnchorOrigin) -> bool:
        """Return whether the renderer makes a linkable place of an anchor written as ``origin``.

        mdBook and kramdown take ``{#id}`` at the end of headings only; kramdown ``{: #id}`` beside blocks and spans.
        Python-Markdown's attr_list takes both behind blocks and spans, pandoc the first behind brackets, code and
        fences. GitHub itself prints every ``{#id}``, and ``(id)=`` too; but what builds a tree without project file is
        unknown, and the author's word that it makes ids is believed.
        """
        if origin is AnchorOrigin.ATTRIBUTE:
            return self not in (Dialect.MDBOOK, Dialect.JEKYLL)
        if origin is AnchorOrigin.LIST:
            return self is not Dialect.MDBOOK
        if origin is AnchorOrigin.TARGET:
            return self is Dialect.GITHUB
        return True


def _is_alphabetic(character: str) -> bool:
    """Whether ``character`` has the Unicode property Alphabetic."""
    if character.isalpha():
        return True
    kind = category(character)
    if kind not in ("Mn", "Mc", "So"):
        return kind == "Nl"
    found = bisect_right(_RANGES, (ord(character), 0x10FFFF)) - 1
    return found >= 0 and ord(character) <= _RANGES[found][1]


def _is_word(character: str) -> bool:
    r"""Whether ``\p{Word}`` of Ruby takes ``character``: letters, marks, decimal digits, connectors."""
    return _is_alphabetic(character) or category(character) in ("Mn", "Mc", "Me", "Nd", "Pc")


class _Characters(dict[int, str | None]):
    """What becomes of each character of a slug, for ``str.translate``; None if it goes. Found out once for each."""

    def __init__(self, become: Callable[[str], str]) -> None:
        super().__init__()
        self._become = become

    def __missing__(self, code: int) -> str | None:
        self[code] = found = self._become(chr(code)) or None
        return found


def _in_mdbook(character: str) -> str:
    if character.isalnum() or character in "_-" or _is_alphabetic(character):
        return character
    return "-" if character in _WHITE_SPACE else ""


def _on_github(character: str) -> str:
    if character == " ":
        return "-"
    return character if character == "-" or _is_word(character) else ""


def _in_pandoc(character: str) -> str:
    return character if character.isspace() or character.isalnum() or character in "_-." else ""


_MDBOOK, _GITHUB, _PANDOC = _Characters(_in_mdbook), _Characters(_on_github), _Characters(_in_pandoc)


def _mdbook_slug(text: str) -> str:
    return text.strip(_WHITE_SPACE).lower().translate(_MDBOOK)


def _github_slug(text: str) -> str:
    """Slug as GitHub does: punctuation goes, each space (no other blank) becomes a hyphen, beside a picture too."""
    return text.lower().translate(_GITHUB)


def _kramdown_slug(text: str) -> str:
    """Slug as kramdown does with ``input: GFM``, Jekyll's default: as GitHub, and tabs become hyphens."""
    return _github_slug(text.strip().replace("\t", " "))


_ASCII_DROPPED = regex(r"[^\w\s-]", re.ASCII)
_ASCII_JOINED = regex(r"[-\s]+", re.ASCII)


def _python_markdown_slug(text: str) -> str:
    """Slug as Python-Markdown's toc does by default: in ASCII, so that nothing is left of Chinese."""
    ascii_text = text if text.isascii() else normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    kept = _ASCII_DROPPED.sub("", ascii_text).strip().lower()
    return _ASCII_JOINED.sub("-", kept)


def _pandoc_slug(text: str) -> str:
    """Slug as pandoc's auto_identifiers does: from the first letter on, blanks collapsed."""
    joined = "-".join(text.lower().translate(_PANDOC).split())
    first = next((index for index, character in enumerate(joined) if character.isalpha()), len(joined))
    return joined[first:] or "section"


# The short name of an emoji: `:rocket:`, `:+1:`. Of digits alone few are one, and most are of a clock.
_EMOJI = regex(r":(?:[a-z][a-z0-9_+-]*|\+1|-1|100|1234):")


def without_emoji(text: str) -> str:
    """Return ``text`` without the short names of emoji, for renderers that put a picture in their place."""
    return _EMOJI.sub("", text) if ":" in text else text


_SLUGS = {
    Dialect.MDBOOK: _mdbook_slug,
    Dialect.MKDOCS: _python_markdown_slug,
    Dialect.JEKYLL: _kramdown_slug,
    Dialect.PANDOC: _pandoc_slug,
    Dialect.GITHUB: _github_slug,
}


def slug(text: str, dialect: Dialect) -> str:
    """Return the id that ``dialect`` makes of a heading or term before repeats are told apart; may be empty.

    ``text`` is what the renderer shows: markup gone, entities decoded, ``--`` outside code already a dash
    where the renderer sets dashes. For a dialect that ``slugs_source`` it is the source of the heading.
    """
    return _SLUGS[dialect](text)


class PageIds:
    """The ids of one page, given out in the order of the page.

    ``taken`` are ids written elsewhere on the page (``id="…"``, ``{#id}``); only Python-Markdown
    looks at them.
    """

    def __init__(self, dialect: Dialect, taken: Iterable[str] = ()) -> None:
        self._dialect = dialect
        self._used = set(taken) if dialect is Dialect.MKDOCS else set()
        self._repeats: dict[str, int] = {}

    def explicit(self, identifier: str) -> str:
        """Return the id of a heading that states it: it replaces the slug and is never changed.

        pandoc and Python-Markdown keep later slugs apart from it; mdBook, kramdown and GitHub do not.
        """
        if self._dialect in (Dialect.PANDOC, Dialect.MKDOCS):
            self._used.add(identifier)
        return identifier

    def generated(self, text: str) -> str:
        """Return the id of the next heading or term, whose text is ``text`` (as for ``slug``)."""
        base = slug(text, self._dialect)
        if self._dialect in (Dialect.JEKYLL, Dialect.GITHUB):
            return self._counted(base)
        candidate = base
        repeat = self._repeats.get(base, 0)
        while candidate in self._used or self._must_not_be(candidate):
            repeat += 1
            candidate = self._repeated(base, repeat)
        self._repeats[base] = repeat
        self._used.add(candidate)
        return candidate

    def _counted(self, base: str) -> str:
        """Tell repeats of ``base`` apart by their number alone: `a`, `a`, `a-1` gives one id twice."""
        repeat = self._repeats.get(base, -1) + 1
        self._repeats[base] = repeat
        return f"{base}-{repeat}" if repeat else base

    def _must_not_be(self, candidate: str) -> bool:
        return self._dialect is Dialect.MKDOCS and not candidate

    def _repeated(self, base: str, repeat: int) -> str:
        if self._dialect is not Dialect.MKDOCS:
            return f"{base}-{repeat}"
        # Python-Markdown counts on from a number that the slug ends in: `part_1` is followed by `part_2`.
        counted = re.fullmatch(r"(.*)_([0-9]+)", base)
        return f"{counted[1]}_{int(counted[2]) + repeat}" if counted else f"{base}_{repeat}"


def note_ids(name: str, dialect: Dialect) -> tuple[str, ...]:
    """Return the ids of the footnote ``name``; pandoc gives those with the marks, which it counts."""
    match dialect:
        case Dialect.MDBOOK:
            return (f"footnote-{name}",)
        case Dialect.MKDOCS | Dialect.JEKYLL:
            return (f"fn:{name}",)
        case Dialect.PANDOC:
            return ()
        case Dialect.GITHUB:
            return f"footnote-{name}", f"fn:{name}", f"fn{name}"


def mark_ids(name: str, repeat: int, place: int, dialect: Dialect) -> tuple[str, ...]:
    """Return the ids of a mark: the ``repeat``-th of the footnote ``name``, and the ``place``-th of the page."""
    match dialect:
        case Dialect.MDBOOK:
            return (f"fr-{name}-{repeat}",)
        case Dialect.MKDOCS:
            return (f"fnref{repeat if repeat > 1 else ''}:{name}",)
        case Dialect.JEKYLL:
            return (f"fnref:{name}{f':{repeat - 1}' if repeat > 1 else ''}",)
        case Dialect.PANDOC:
            return f"fnref{place}", f"fn{place}"
        case Dialect.GITHUB:
            if repeat == 1:
                return f"fnref:{name}", f"fnref{name}"
            return f"fnref{repeat}:{name}", f"fnref:{name}:{repeat - 1}", f"fnref{name}:{repeat - 1}"


_MD_LINK = regex(r"(.*)\.md(#[^?]*)?")


_LINE_OF_SOURCE = regex(r"L\d+(?:C\d+)?(?:-L\d+(?:C\d+)?)?")


def without_line(destination: str) -> str:
    """Return a destination without the lines that it names of a page whose source GitHub shows: ``a.md?plain=1#L3``."""
    if "plain=1" not in destination:
        return destination
    address, _, fragment = destination.partition("#")
    shows_source = "plain=1" in address.partition("?")[2].split("&")
    return address if shows_source and _LINE_OF_SOURCE.fullmatch(fragment) else destination


_SCHEME = regex(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


def leads_out(destination: str) -> bool:
    """Return whether a destination names a scheme or a host, and so no place of this site."""
    return _SCHEME.match(destination) is not None


def published(destination: str, dialect: Dialect) -> str:
    """Return the address that ``dialect`` writes into the page for a link to ``destination`` without scheme.

    mdBook puts ``.html`` in the place of ``.md`` wherever that stands, and drops all behind it but a fragment:
    ``one.md?plain=1`` and ``one.mdx`` lead to ``one.html``. To others ``.md`` is the address of the page.
    """
    is_rewritten = dialect is Dialect.MDBOOK and ".md" in destination and not destination.startswith("#")
    found = _MD_LINK.match(destination) if is_rewritten else None
    return destination if found is None else f"{found[1]}.html{found[2] or ''}"


def is_index(page: str, dialect: Dialect) -> bool:
    """Return whether ``page`` (a Markdown file) is rendered as the index of its folder."""
    stem = splitext(basename(page))[0]
    if dialect is Dialect.MDBOOK:
        return stem == "index" or stem.lower() == "readme"
    if dialect is Dialect.GITHUB:
        return stem.lower() == "readme"
    return stem in ("index", "README")


_COLLECTION = regex(r"(?:(?<=/)|^)_(?=[^/]*/)")  # the folder `_chapters` of Jekyll is published as `chapters`
_PERMALINK = regex(r"^permalink[ \t]*:[ \t]*[\"']?/?(?P<address>[^\s\"':]+)[\"']?[ \t]*$", re.MULTILINE)


def stated_address(text: str, dialect: Dialect) -> str | None:
    """Return the address that the front matter of a page states for it, as ``addresses`` gives them."""
    if dialect is not Dialect.JEKYLL or not text.startswith("---"):
        return None
    found = _PERMALINK.search(text, 3, max(text.find("\n---", 3), 0))
    return found["address"] if found else None


def addresses(
    page: str, dialect: Dialect, *, directory_urls: bool = True, readme_is_index: bool = True
) -> tuple[str, ...]:
    """Return the addresses at which the Markdown file ``page`` is found once rendered, the proper one first.

    Paths go in and out relative to the root of the book's sources. The address of the root folder is the
    empty string, that of any other folder ends with ``/``. ``directory_urls`` is MkDocs'
    ``use_directory_urls``, and whether some pages of Jekyll are found so; ``readme_is_index`` is whether mdBook's
    preprocessor ``index`` is at work. That a link may name the source file itself is not said here.
    """
    stem = splitext(page)[0]
    folder = dirname(page)
    prefix = f"{folder}/" if folder else ""
    if dialect is Dialect.GITHUB:
        return (page, prefix) if is_index(page, dialect) else (page,)
    if is_index(page, dialect) and (readme_is_index or basename(stem) == "index"):
        return f"{prefix}index.html", prefix
    if dialect is Dialect.MKDOCS and directory_urls:
        return f"{stem}/", f"{stem}/index.html", stem
    if dialect is Dialect.JEKYLL:
        stems = tuple(dict.fromkeys((stem, _COLLECTION.sub("", stem, count=1))))
        folders = tuple(address for each in stems for address in (f"{each}/", f"{each}/index.html"))
        return (
            *(folders if directory_urls else ()),
            *(address for each in stems for address in (f"{each}.html", each)),
        )
    return (f"{stem}.html",)


class GeneratedAnchor(Struct, frozen=True):
    """An anchor that a preprocessor makes; ``start`` and ``end`` are where its ``name`` stands in the text.

    The name alone is a link destination too: the preprocessor puts the address of the anchor in its place.
    """

    id: str
    name: str
    start: int
    end: int


class _Convention(Struct, frozen=True):
    """How a preprocessor writes anchors: ``name`` finds what names the ids, in what ``block`` finds or anywhere.

    ``prefixes`` stand before the name in the ids that are made.
    """

    name: re.Pattern[str]
    prefixes: tuple[str, ...]
    block: re.Pattern[str] | None = None


# What preprocessors of mdBook are known to make, by the name in the project file. Patterns begin with what they look
# for, not with the line, for the search is then several times as fast.
_CONVENTIONS = {
    # mdbook-spec: a line `r[items.fn.intro]` names a rule, `Name ->` in a fence of grammar a production
    "spec": (
        _Convention(regex(r"r\[(?<=^r\[)(?P<name>[\w.-]+)\](?:.*\])?[ \t]*$", re.MULTILINE), ("r-",)),
        _Convention(
            regex(r"(?:(?<=^)|(?<=^@root ))(?P<name>[A-Za-z_]\w*)(?=[ \t]*->)", re.MULTILINE),
            ("grammar-", "railroad-"),
            block=regex(r"```(?<=^```)`*grammar\b[^\n]*\n.*?^`{3,}[ \t]*$", re.MULTILINE | re.DOTALL),
        ),
    ),
}


def generated_anchors(text: str, preprocessors: Iterable[str]) -> Iterator[GeneratedAnchor]:
    """Yield the anchors that ``preprocessors``, as far as they are known, make of the source of a page."""
    conventions = [convention for name in preprocessors for convention in _CONVENTIONS.get(name, ())]
    for convention in conventions:
        blocks = [(0, text)] if convention.block is None else _found(convention.block, text)
        for offset, block in blocks:
            for found in convention.name.finditer(block):
                name, (start, end) = found["name"], found.span("name")
                for prefix in convention.prefixes:
                    yield GeneratedAnchor(prefix + name, name, offset + start, offset + end)


def _found(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    """Yield what ``pattern`` finds in ``text``, each with where it begins."""
    yield from ((found.start(), found[0]) for found in pattern.finditer(text))


# Destinations that a preprocessor replaces by addresses out of the book, by its name in the project file.
_REPLACED = {
    # mdbook-spec asks rustdoc for paths of the standard library: `bool`, `std::ops::Add`, `mod@test`, `f32#method.abs`
    "spec": regex(r"(?:\w+@)?\w+(?:::\w+)*[!()]*(?:#[\w.-]+)?"),
}


def is_replaced(destination: str, preprocessors: Iterable[str]) -> bool:
    """Return whether one of ``preprocessors`` is known to replace ``destination`` by an address out of the book."""
    patterns = [_REPLACED[name] for name in preprocessors if name in _REPLACED]
    return any(pattern.fullmatch(destination) for pattern in patterns)
