"""Links that do not arrive, or only by chance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import basename, dirname, relpath
from urllib.parse import quote, unquote

from lintbook.book import Book
from lintbook.checks.pages.heirs import Heir, Heirs
from lintbook.checks.pages.navigation import meant_pages
from lintbook.diagnostic import Edit, Finding, Fix, Related, Severity, Unchecked
from lintbook.facts import Link, LinkForm
from lintbook.likeness import most_like
from lintbook.parse.numbers import is_box_part
from lintbook.rule import book_rule
from lintbook.site import Arrival, FollowedLink
from lintbook.text import Span

OUTSIDE = "links out of the book"
GENERATED = "fragments that a preprocessor may make"

# Preprocessors of mdBook that make no ids of their own.
_SILENT_PREPROCESSORS = frozenset(
    {
        *("admonish", "alerts", "bib", "d2", "emojicodes", "embedify", "footnote", "gettext", "graphviz", "i18n"),
        *("index", "katex", "kroki-preprocessor", "linkcheck", "linkcheck2", "links", "lintbook", "mermaid"),
        *("open-on-gh", "pagetoc", "plantuml", "quiz", "spec", "svgbob", "template", "toc", "variables", "yapp"),
    }
)


def _is_accidental(link: Link) -> bool:
    """Whether the author wrote no link here although the renderer makes one."""
    return link.in_math or is_box_part(link)


def _links(book: Book, arrival: Arrival) -> Iterator[FollowedLink]:
    """Yield the links of which ``arrival`` becomes, accidental ones left out."""
    for followed in book.links_with(arrival):
        if not _is_accidental(followed.link):
            yield followed


def _address(link: Link) -> str:
    """Return what of a destination names a file."""
    return link.destination.partition("#")[0].partition("?")[0]


def _related(followed: FollowedLink) -> tuple[Related, ...]:
    """Of a link definition: the links that use it."""
    if followed.link.form is not LinkForm.REFERENCE:
        return ()
    return tuple(Related(use.span, "used here") for use in (followed.link, *followed.others))


def _where(followed: FollowedLink) -> str:
    """Name the page on which the link was followed, where that is not the file that it stands in."""
    if followed.page == followed.link.span.path:
        return ""
    return f", seen from `{followed.page}`, which includes this"


def _fix(book: Book, span: Span, old: str, new: str) -> Fix | None:
    """Put ``new`` for ``old`` at the start of the destination at ``span``; None if that is written otherwise."""
    document = book.document(span.path)
    if document is None or not document.source.text.startswith(old, span.start, span.end):
        return None
    return Fix(f"write `{new}`", (Edit(Span(span.path, span.start, span.start + len(old)), new),), safe=True)


@book_rule("PAG001", Severity.ERROR)
def broken_link(book: Book) -> Iterator[Finding | Unchecked]:
    """The page or file that a link leads to does not exist."""
    for _ in _links(book, Arrival.OUTSIDE):
        yield Unchecked(OUTSIDE)
    for followed in _links(book, Arrival.MISSING):
        target = followed.target
        nearest = _nearest_file(book, followed.link, target.path)
        written = followed.link.destination.partition("#")[0] or followed.link.destination
        yield Finding(
            followed.link.destination_span,
            f"`{written}` does not exist{_where(followed)}",
            related=_related(followed),
            cause=f"missing {target.path}",
            advice=f"did you mean `{nearest}`?" if nearest else None,
        )


def _nearest_file(book: Book, link: Link, path: str) -> str | None:
    """Return, relative to the link, the file of the book whose name is the missing one's or most like it."""
    names: dict[str, str] = {}
    for page in book.pages:
        names.setdefault(basename(page.source.path), page.source.path)
    wanted = re.sub(r"\.html$", ".md", basename(path))
    found = most_like(wanted, tuple(sorted(names)), 1, 0.75)
    return relpath(names[found[0]], dirname(link.span.path) or ".") if found else None


@book_rule("PAG004", Severity.ERROR)
def mismatched_path_case(book: Book) -> Iterator[Finding]:
    """A path is right but for upper and lower case."""
    for followed in _links(book, Arrival.MISSPELT):
        address = _address(followed.link)
        if "\\" in address:
            continue
        right = _respelt(address, followed.target.path)
        yield Finding(
            followed.link.destination_span,
            f"`{address}` differs in case from `{followed.target.path}`{_where(followed)}",
            related=_related(followed),
            fix=_fix(book, followed.link.destination_span, address, right),
            cause=f"case of {followed.target.path}",
        )
    for chapter, path in book.chapters:
        target = book.file(path)
        if target.arrival is Arrival.MISSPELT and "\\" not in chapter.destination:
            right = _respelt(chapter.destination, target.path)
            yield Finding(
                chapter.span,
                f"`{chapter.destination}` differs in case from `{target.path}`",
                fix=_fix(book, chapter.span, chapter.destination, right),
                cause=f"case of {target.path}",
            )


def _respelt(written: str, path: str) -> str:
    """Spell the names in ``written`` as ``path`` does, which is the same but for case and the ending of a page."""
    names, right = written.split("/"), path.split("/")
    for place in range(1, min(len(names), len(right)) + 1):
        name = right[-place]
        if names[-place].lower().endswith(".html") and name.endswith(".md"):
            name = f"{name.removesuffix('.md')}.html"
        if unquote(names[-place]).lower() == name.lower() and unquote(names[-place]) != name:
            names[-place] = quote(name) if "%" in names[-place] else name
    return "/".join(names)


@book_rule("PAG005", Severity.ERROR)
def backslash_path(book: Book) -> Iterator[Finding]:
    """A backslash separates the folders of a path."""
    for followed in _links(book, Arrival.MISSPELT):
        address = _address(followed.link)
        if "\\" not in address:
            continue
        right = _respelt(address.replace("\\", "/"), followed.target.path)
        yield Finding(
            followed.link.destination_span,
            f"`{address}` separates folders by a backslash",
            related=_related(followed),
            fix=_fix(book, followed.link.destination_span, address, right),
            cause=f"backslashes in {followed.link.span.path}",
        )


@book_rule("PAG006", Severity.WARNING)
def readme_link(book: Book) -> Iterator[Finding]:
    """A link names a README.md, which mdBook publishes as index.html."""
    for followed in _links(book, Arrival.README):
        address = _address(followed.link)
        right = f"{address.rpartition('/')[0]}/index.html".removeprefix("/")
        yield Finding(
            followed.link.destination_span,
            f"`{address}` is published as `{right}`",
            related=_related(followed),
            fix=_fix(book, followed.link.destination_span, address, right),
            cause=f"readme {followed.target.path}",
        )


@book_rule("PAG013", Severity.WARNING)
def link_to_orphan(book: Book) -> Iterator[Finding]:
    """A link leads to a page that is not built."""
    meant = meant_pages(book)
    for followed in _links(book, Arrival.UNBUILT):
        path = followed.target.path
        if path in meant:
            continue
        why = "mdBook makes no page of it" if path == book.summary else "no chapter names it"
        yield Finding(
            followed.link.destination_span,
            f"`{path}` is not built: {why}",
            related=_related(followed),
            cause=f"unbuilt {path}",
            advice=None if path == book.summary else "add it to SUMMARY.md",
        )


@book_rule("PAG002", Severity.ERROR)
def broken_fragment(book: Book) -> Iterator[Finding | Unchecked]:
    """The page that a link leads to has no such id."""
    heirs = Heirs(book)
    unknown = set(book.project.preprocessors) - _SILENT_PREPROCESSORS if book.project else set[str]()
    for followed in _links(book, Arrival.PAGE):
        if followed.arrives:
            continue
        target = followed.target
        heir = heirs.of(target)
        if unknown and not (heir and heir.certain):
            yield Unchecked(GENERATED)
            continue
        page = followed.link.span.path
        where = "this page" if target.path == page else f"`{target.path}`"
        yield Finding(
            _fragment_span(book, followed.link),
            f"{where} has no id `{target.fragment}`{_where(followed)}",
            related=(*_related(followed), *_heading(heir)),
            fix=_fragment_fix(book, followed.link, heir),
            cause=f"{page}: case of fragments" if heir and heir.case else f"{target.path}#{target.fragment}",
            advice=heir.advice if heir else None,
        )


def _heading(heir: Heir | None) -> tuple[Related, ...]:
    return (Related(heir.span, f"`{heir.id}` is the id of this"),) if heir and heir.span else ()


def _fragment_span(book: Book, link: Link) -> Span:
    """Return where the fragment of a link stands."""
    span = link.destination_span
    document = book.document(span.path)
    assert document is not None  # the link is a fact of it
    place = document.source.text.find("#", span.start, span.end)
    return Span(span.path, place + 1, span.end)


def _fragment_fix(book: Book, link: Link, heir: Heir | None) -> Fix | None:
    """Put the id of the heir in the place of the fragment; that is safe if it is certain."""
    if heir is None or not heir.certain or not book.knows_slugs:
        return None
    span = _fragment_span(book, link)
    encoded = "%" in link.destination.partition("#")[2] or re.search(r"[\s()<>\\]", heir.id)
    written = quote(heir.id) if encoded else heir.id
    return Fix(f"write `#{written}`", (Edit(span, written),), safe=True)
