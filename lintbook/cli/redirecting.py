"""The command ``lintbook redirects``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lintbook.cli.configuring import configuring, paths_argument
from lintbook.cli.troubles import tell
from lintbook.cli.watching import gather_books
from lintbook.diagnostic import Trouble

if TYPE_CHECKING:
    from lintbook.book import Book
    from lintbook.redirection import Redirection


@click.command()
@paths_argument
@click.option("--write", is_flag=True, help="Carry what SUMMARY.md records and book.toml lacks into book.toml.")
@configuring
def redirects(paths: tuple[str, ...], write: bool, **configured: Any) -> int:
    """Show redirects, or carry them into book.toml.

    They are those of book.toml and those that SUMMARY.md records, in the books round PATHS. mdBook acts on
    book.toml only. The exit status is 0, or 2 if something could not be read or written.
    """
    gathered = gather_books(paths, configured)
    troubles = list(gathered.troubles)
    for subject in gathered.subjects:
        _show(subject.book)
        if write and (trouble := _carry(subject.book)) is not None:
            troubles.append(trouble)
    return tell(troubles)


def _show(book: Book) -> None:
    from lintbook.carrying import standing
    from lintbook.redirection import redirections

    found = redirections(book)
    for each in found.acted_on:
        print(_line(book, each))
    for each in found.recorded:
        print(f"{_line(book, each)} ({standing(found, each).value})")


def _line(book: Book, redirection: Redirection) -> str:
    redirect = redirection.redirect
    document = book.document(redirect.span.path)
    line = document.source.position(redirect.span.start).line if document else 1
    return f"{redirect.span.path}:{line}: {redirect.source} → {redirect.target}"


def _carry(book: Book) -> Trouble | None:
    """Write what the record has and the table lacks; say what was done, or return what went wrong."""
    from lintbook.carrying import to_carry, with_redirects
    from lintbook.files import write
    from lintbook.redirection import redirections

    lacking = to_carry(redirections(book))
    document = book.document(book.project_file or "")
    if not lacking or document is None:
        return None
    path = document.source.path
    try:
        text = with_redirects(document.source.text, lacking)
    except ValueError as error:
        return Trouble(path, f"is left as it was: {error}")
    trouble = write(path, text, Path.cwd())
    if trouble is None:
        print(f"{path}: {len(lacking)} redirect{'s' if len(lacking) != 1 else ''} added")
    return trouble
