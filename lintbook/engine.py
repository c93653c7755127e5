"""The engine: reads books, runs the rules on them, and makes of what they find what users see."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lintbook.diagnostic import Diagnostic, Finding, Severity, Trouble, Unchecked
from lintbook.files import NOTHING_PENDING, Pending
from lintbook.text import Source

if TYPE_CHECKING:
    from lintbook.book import Book
    from lintbook.config import Configuration, Overrides
    from lintbook.rule import Rule

_FINGERPRINT_LENGTH = 16  # 64 bits: a clash among a million diagnostics has a chance of 1 in 40 million
_MOST_PASSES = 20  # of fixing; each makes all fixes that exclude one another not


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run amounts to: diagnostics by severity, files read, and by reason what was not checked.

    A reason is a plural phrase that names what was left out: ``links out of the book``. ``fixed`` counts the
    diagnostics that are no more since they were fixed.
    """

    severities: Mapping[Severity, int]
    files: int
    unchecked: Mapping[str, int]
    fixed: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """All that a run has to say; ``sources`` holds the text of every file read, by its path.

    ``fail_on`` is the least severity that the configuration of one of the books calls a failure; ``roots`` tells for
    the path of each file where the book begins that it belongs to.
    """

    diagnostics: tuple[Diagnostic, ...]
    troubles: tuple[Trouble, ...]
    summary: Summary
    sources: Mapping[str, Source]
    fail_on: Severity = Severity.WARNING
    roots: Mapping[str, str] = field(default_factory=dict)

    def reaches(self, severity: Severity) -> bool:
        """Return whether some diagnostic is at least as severe as ``severity``."""
        return any(diagnostic.severity.weight >= severity.weight for diagnostic in self.diagnostics)


def check(
    paths: Sequence[str],
    working_directory: Path,
    rules: Sequence[Rule] | None = None,
    *,
    overrides: Overrides | None = None,
    cached: bool = True,
    pending: Pending = NOTHING_PENDING,
) -> Report:
    """Check the books round ``paths``, relative to ``working_directory``, with ``rules``, by default all.

    The whole of each book is read; ``paths`` limit what is reported. What cannot be read becomes a trouble
    of the report, and the rest is still checked. ``overrides`` is what the command line says over the
    configuration. ``cached`` says whether unchanged files are taken from the user's cache; what is said does
    not depend on it. ``pending`` are texts that are read in the place of what stands in the files.
    """
    from lintbook.checks import RULES
    from lintbook.config import Configurations
    from lintbook.discovery import discover
    from lintbook.reading import read_book

    configurations = Configurations(RULES if rules is None else rules, working_directory, overrides)
    discovery = discover(paths, working_directory, configurations.of, pending)
    troubles = list(discovery.troubles)
    books = []
    for files in discovery.books:
        configuration = configurations.of(files.root)
        books.append(
            Subject(
                read_book(files, working_directory, configuration, troubles, cached=cached, pending=pending),
                configuration,
            )
        )
    return judge(books, discovery.reported, [*troubles, *configurations.troubles])


@dataclass(frozen=True, slots=True)
class Repair:
    """What came of fixing: the report on the fixed texts, and of the files that changed the old and the new text."""

    report: Report
    old: Mapping[str, str]
    new: Mapping[str, str]


def fix(
    paths: Sequence[str],
    working_directory: Path,
    rules: Sequence[Rule] | None = None,
    *,
    unsafe: bool = False,
    overrides: Overrides | None = None,
    cached: bool = True,
) -> Repair:
    """Check as ``check`` does and make the fixes of what is found, again and again until there is nothing to fix.

    Nothing is written. Only files inside the book that was checked are changed. ``unsafe`` says whether fixes that are
    not safe are made too.
    """
    from lintbook.fixing import is_inside, plan

    old: dict[str, str] = {}
    new: dict[str, str] = {}
    seen: list[dict[str, str]] = []
    fixed = 0
    while True:
        report = check(paths, working_directory, rules, overrides=overrides, cached=cached and not new, pending=new)
        editable = {
            path: source
            for path, source in report.sources.items()
            if is_inside(path, report.roots[path], working_directory)
        }
        step = plan(report.diagnostics, editable, unsafe=unsafe)
        seen.append(dict(new))
        following = {**new, **step.texts}
        if not step.texts or following in seen or len(seen) > _MOST_PASSES:
            break
        old.update({path: report.sources[path].text for path in step.texts if path not in old})
        new = following
        fixed += len(step.repaired)
    changed = {path: text for path, text in new.items() if text != old[path]}
    return Repair(replace(report, summary=replace(report.summary, fixed=fixed)), old, changed)


def fix_files(
    paths: Sequence[str],
    working_directory: Path,
    rules: Sequence[Rule] | None = None,
    *,
    unsafe: bool = False,
    overrides: Overrides | None = None,
    cached: bool = True,
) -> Report:
    """Fix as ``fix`` does and write the files that changed: all of them or, if one cannot be written, none."""
    from lintbook.fixing import save

    repair = fix(paths, working_directory, rules, unsafe=unsafe, overrides=overrides, cached=cached)
    troubles = save(repair.old, repair.new, working_directory)
    if not troubles:
        return repair.report
    unfixed = check(paths, working_directory, rules, overrides=overrides, cached=cached)
    return replace(unfixed, troubles=_in_order([*unfixed.troubles, *troubles]))


class Subject(NamedTuple):
    """A book and the configuration that it is held to."""

    book: Book
    configuration: Configuration


def judge(subjects: Sequence[Subject], reported: Callable[[str], bool], troubles: Iterable[Trouble] = ()) -> Report:
    """Hold books to their configurations and report on the files whose paths are to be ``reported``."""
    documents = [document for subject in subjects for document in subject.book.documents]
    sources = {document.source.path: document.source for document in documents}
    # A file of one book may be included in another: what both say of it is said once.
    found: dict[tuple[str, Finding], tuple[Rule, Finding]] = {}
    unchecked: Counter[str] = Counter()
    for subject in subjects:
        for rule, result in _results(subject):
            if isinstance(result, Unchecked):
                unchecked[result.reason] += 1
            else:
                found.setdefault((rule.code, result), (rule, result))
    signed = sign(found.values(), sources, _inner_paths(subjects))
    diagnostics = tuple(diagnostic for diagnostic in signed if reported(diagnostic.span.path))
    return Report(
        diagnostics=diagnostics,
        troubles=_in_order([*troubles, *(trouble for each in documents for trouble in each.facts.troubles)]),
        summary=Summary(
            severities=Counter(diagnostic.severity for diagnostic in diagnostics),
            files=len(sources),
            unchecked=dict(sorted(unchecked.items())),
        ),
        sources=sources,
        roots={document.source.path: subject.book.root for subject in subjects for document in subject.book.documents},
        fail_on=min(
            (each.configuration.settings.fail_on for each in subjects),
            key=attrgetter("weight"),
            default=Severity.WARNING,
        ),
    )


def _inner_paths(subjects: Sequence[Subject]) -> dict[str, str]:
    """Return for the path of each file its path in the book, which is the same from wherever lintbook is run."""
    found = {}
    for book, configuration in subjects:
        root = os.path.normpath(configuration.working_directory / book.root)
        for document in book.documents:
            path = document.source.path
            inner = os.path.relpath(configuration.working_directory / path, root)
            found[path] = inner.replace(os.sep, "/")
    return found


def _results(subject: Subject) -> Iterator[tuple[Rule, Finding | Unchecked]]:
    """Yield what the rules say of a book, each rule as severe as it is where its finding stands.

    A rule that has other options on some paths is run once for each set of options, and of each run those findings
    count that stand where these options are in force.
    """
    book, configuration = subject
    paths = {document.source.path for document in book.documents}
    treatments = list({id(each): each for each in map(configuration.treatment, sorted(paths))}.values())
    for rule in configuration.rules:
        ways: list[Mapping[str, Any]] = []
        for treatment in treatments:
            if rule.name in treatment.rules and treatment.options_of(rule) not in ways:
                ways.append(treatment.options_of(rule))
        for options in ways:
            for result in rule.run(book, **options):
                if isinstance(result, Unchecked):
                    if options is ways[0]:
                        yield rule, result
                    continue
                there = configuration.treatment(result.span.path)
                if rule.name in there.rules and there.options_of(rule) == options:
                    yield there.rules[rule.name], result


def sign(
    found: Iterable[tuple[Rule, Finding]], sources: Mapping[str, Source], inner_paths: Mapping[str, str]
) -> list[Diagnostic]:
    """Make diagnostics of what rules found, in the order in which they are shown: path, offset, code.

    ``inner_paths`` gives for each path the one that the fingerprint is made of. Everything found in a run is signed
    at once, whatever is then reported: the fingerprint of a place must not depend on what else the user asked to see.
    """
    occurrences: Counter[tuple[str, ...]] = Counter()
    diagnostics = []
    for rule, finding in sorted(found, key=_order):
        content = _content(rule, finding, sources, inner_paths)
        place = (finding.span.path, *content)
        occurrences[place] += 1
        diagnostics.append(
            Diagnostic(
                code=rule.code,
                rule=rule.name,
                severity=Severity.INFO if finding.mild else rule.severity,
                span=finding.span,
                message=finding.message,
                related=finding.related,
                fix=finding.fix,
                cause=finding.cause,
                advice=finding.advice,
                fingerprint=_fingerprint(content, occurrences[place]),
            )
        )
    return diagnostics


def fold(diagnostics: Iterable[Diagnostic]) -> list[list[Diagnostic]]:
    """Put diagnostics of one rule and one cause together, each group where its first diagnostic stood."""
    groups: dict[object, list[Diagnostic]] = {}
    for position, diagnostic in enumerate(diagnostics):
        key = position if diagnostic.cause is None else (diagnostic.rule, diagnostic.cause)
        groups.setdefault(key, []).append(diagnostic)
    return list(groups.values())


def _order(signed: tuple[Rule, Finding]) -> tuple[str, int, str, int, str, str]:
    """Path, offset, code; what follows makes the order total: the same input gives the same bytes."""
    rule, finding = signed
    span = finding.span
    return span.path, span.start, rule.code, span.end, finding.message, finding.cause or ""


def _content(
    rule: Rule, finding: Finding, sources: Mapping[str, Source], inner_paths: Mapping[str, str]
) -> tuple[str, ...]:
    """Return what stays the same while the book moves on: rule, file and the text complained of.

    The message is left out because its wording and the values in it may change, the place because lines
    move, the cause because it may speak of both; line endings and re-wrapping change nothing.
    """
    span = finding.span
    text = sources[span.path].text[span.start : span.end]
    return rule.name, inner_paths[span.path], " ".join(text.split())


def _fingerprint(content: tuple[str, ...], occurrence: int) -> str:
    """Hash ``content``; equal contents of one page are told apart by counting them from the top."""
    hashed = "\0".join((*content, str(occurrence))).encode("utf-8", "surrogatepass")
    return hashlib.sha256(hashed).hexdigest()[:_FINGERPRINT_LENGTH]


def _in_order(troubles: Iterable[Trouble]) -> tuple[Trouble, ...]:
    def key(trouble: Trouble) -> tuple[str, int, int, str]:
        return trouble.path, trouble.line or 0, trouble.column or 0, trouble.message

    return tuple(sorted(set(troubles), key=key))
