"""Labels against each other: each is declared once, and taken up wherever it must be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintbook.book import Book
from lintbook.checks.labels.families import NO_FAMILIES, Families, Label, Reconciliation
from lintbook.diagnostic import Finding, Related, Severity
from lintbook.rule import book_rule


@book_rule("LBL001", Severity.WARNING)
def dangling_label(book: Book, *, families: Families = NO_FAMILIES) -> Iterator[Finding]:
    """A label is taken up that is declared nowhere, or under the title of another."""
    for name, family in families.items():
        reconciliation = Reconciliation(book, name, family)
        declared = {label.text: label for label in reconciliation.declared}
        if not declared:
            continue
        for label in dict.fromkeys(label for labels in reconciliation.taken_up.values() for label in labels):
            if label.text not in declared:
                yield Finding(label.span, f"`{label.text}` is declared nowhere", cause=f"label {name} {label.text}")
            elif family.sections and not _same_title(label, declared[label.text]):
                right = declared[label.text]
                yield Finding(
                    label.span,
                    f"`{label.text}` is called `{_first(label.title)}` here and `{right.title}` where it stands",
                    related=(Related(right.span, "the section"),),
                )


def _same_title(label: Label, right: Label) -> bool:
    """Whether what stands behind a number is the title of its section, or the beginning of it, or nothing."""
    seen, title = _plain(_first(label.title)), _plain(right.title)
    return not seen or seen in title or title in seen


def _first(title: str) -> str:
    return title.partition("\n")[0].strip()


def _plain(text: str) -> str:
    return re.sub(r"\W+", "", text).casefold()


@book_rule("LBL002", Severity.WARNING)
def uncovered_label(book: Book, *, families: Families = NO_FAMILIES) -> Iterator[Finding]:
    """A label is declared and not taken up in every place where it must be."""
    for name, family in families.items():
        reconciliation = Reconciliation(book, name, family)
        for place, labels in reconciliation.taken_up.items():
            present = {label.text for label in labels}
            for label in reconciliation.declared:
                if label.text not in present:
                    yield Finding(
                        label.span,
                        f"`{label.text}` is taken up nowhere in `{place}`",
                        cause=f"label {name} {label.text}",
                    )


@book_rule("LBL003", Severity.WARNING)
def duplicate_label(book: Book, *, families: Families = NO_FAMILIES) -> Iterator[Finding]:
    """A label is declared twice, or a section has two rows where each has one."""
    for name, family in families.items():
        reconciliation = Reconciliation(book, name, family)
        yield from _twice(reconciliation.declared, "is declared a second time")
        for labels in reconciliation.taken_up.values() if family.sections else ():
            yield from _twice(labels, "has a row already")


def _twice(labels: tuple[Label, ...], problem: str) -> Iterator[Finding]:
    first: dict[str, Label] = {}
    for label in labels:
        other = first.setdefault(label.text, label)
        if other is not label:
            yield Finding(label.span, f"`{label.text}` {problem}", related=(Related(other.span, "the first"),))
