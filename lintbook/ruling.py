"""Ruling: what the rules say of books, held to their configurations, signed, and less what comments silence."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from lintbook.diagnostic import Diagnostic, Finding, Progress, Severity, Unchecked
from lintbook.rule import Outcome, Result, Rule
from lintbook.suppression import silence
from lintbook.text import Source
from lintbook.watch import UNWATCHED, Watch

if TYPE_CHECKING:
    from lintbook.book import Book
    from lintbook.config import Configuration, Treatment
    from lintbook.facts import Suppression

# Books of fewer characters are ruled on by one process, since a copy of it costs more than it saves; so are those of
# more, which would not fit into memory twice.
_WORTH_SHARING = 1_000_000
_MOST_TO_COPY = 10_000_000

_FINGERPRINT_LENGTH = 16  # 64 bits: a clash among a million diagnostics has a chance of 1 in 40 million


class Subject(NamedTuple):
    """A book and the configuration that it is held to."""

    book: Book
    configuration: Configuration


class Ruling(Struct, frozen=True):
    """The diagnostics of some books in the order in which they are shown, and those that a comment silences.

    ``unchecked`` counts by reason what could not be checked, ``progress`` says how much was done of how much.
    """

    diagnostics: tuple[Diagnostic, ...]
    silenced: tuple[Diagnostic, ...]
    unchecked: Mapping[str, int]
    progress: tuple[Progress, ...] = ()


def rule_on(
    subjects: Sequence[Subject], known_rules: Sequence[Rule], *, jobs: int | None = 1, watch: Watch = UNWATCHED
) -> Ruling:
    """Hold books to their configurations. ``known_rules`` are all there are, on or off, for comments to name.

    ``jobs`` says how many processes may run rules (None: as many as there are cores), as far as that pays; ``watch`` is
    told which rule runs. Rules that look back run last, on the suppressions that silenced nothing.
    """
    by_name = {
        rule.name: rule for rule in (*known_rules, *(rule for each in subjects for rule in each.configuration.rules))
    }
    heard: list[Diagnostic] = []
    silenced: list[Diagnostic] = []
    unchecked: Counter[str] = Counter()
    progress: dict[str, Progress] = {}
    sources = {document.source.path: document.source for each in subjects for document in each.book.documents}
    suppressions = {
        document.source.path: document.facts.suppressions for each in subjects for document in each.book.documents
    }
    homes = {document.source.path: each for each in subjects for document in each.book.documents}
    used: set[Suppression] = set()
    for looks_back in (False, True):
        # A file of one book may be included in another: what both say of it is said once.
        found: dict[tuple[str, Finding], tuple[Rule, Finding]] = {}
        said = _look_back(subjects, used, by_name, watch) if looks_back else _look(subjects, jobs, watch)
        for rule, result in said:
            if isinstance(result, Unchecked):
                unchecked[result.reason] += 1
            elif isinstance(result, Progress):
                before = progress.get(result.what, Progress(result.what, 0, 0))
                progress[result.what] = _added(before, result)
            else:
                found.setdefault((rule.code, result), (rule, result))
        with watch.phase("signing"):
            paths = {finding.span.path for _, finding in found.values()}
            inner = {path: _inner_path(path, homes[path]) for path in paths}
            sifted = silence(sign(found.values(), sources, inner), suppressions, by_name)
        heard.extend(sifted.heard)
        silenced.extend(sifted.silenced)
        used |= sifted.used
    heard.sort(key=lambda each: (each.span.path, each.span.start, each.code))
    return Ruling(tuple(heard), tuple(silenced), dict(sorted(unchecked.items())), tuple(progress.values()))


def _added(one: Progress, other: Progress) -> Progress:
    return Progress(one.what, one.done + other.done, one.total + other.total)


def _outcome(subject: Subject, used: set[Suppression], known_rules: Mapping[str, Rule]) -> Outcome:
    """Tell which suppressions silenced nothing, of those whose rules were on where they stand."""
    unused: list[Suppression] = []
    for document in subject.book.documents:
        rules = subject.configuration.treatment(document.source.path).rules.values()
        judged = [rule for rule in rules if not rule.looks_back]
        unused.extend(
            suppression
            for suppression in document.facts.suppressions
            if suppression not in used
            and suppression.problem is None
            and any(rule.width(suppression.selector) is not None for rule in judged)
        )
    return Outcome(subject.book, tuple(unused), tuple(known_rules.values()))


class _Task(NamedTuple):
    """Rules to run on one book, of which parts are treated differently."""

    number: int
    subject: Subject
    rules: Sequence[Rule]
    treatments: Sequence[Treatment]


_Ran = tuple[_Task, Sequence[tuple[int, Result]]]  # what the rules of a task said, each by its position


def _look(subjects: Sequence[Subject], jobs: int | None, watch: Watch) -> Iterator[tuple[Rule, Result]]:
    """Yield what all rules say that do not look back, run by several processes if that pays."""
    tasks = list(_tasks(subjects, looks_back=False))
    for task, said in sorted(_runs(tasks, jobs, watch), key=lambda ran: ran[0].number):
        for position, result in said:
            yield _as_there(task.subject, task.rules[position], result), result


def _look_back(
    subjects: Sequence[Subject], used: set[Suppression], known_rules: Mapping[str, Rule], watch: Watch
) -> Iterator[tuple[Rule, Result]]:
    """Yield what the rules that look back say of what came of all others."""
    for task in _tasks(subjects, looks_back=True):
        for position, result in _results(task, _outcome(task.subject, used, known_rules), watch):
            yield _as_there(task.subject, task.rules[position], result), result


def _tasks(subjects: Sequence[Subject], *, looks_back: bool) -> Iterator[_Task]:
    """Yield the rules to run, those together that ask for the same indexes of a book."""
    number = 0
    for subject in subjects:
        paths = {document.source.path for document in subject.book.documents}
        treatments = {id(each): each for each in map(subject.configuration.treatment, sorted(paths))}
        groups: dict[str, list[Rule]] = {}
        for rule in subject.configuration.rules:
            if rule.looks_back == looks_back:
                groups.setdefault("pages" if rule.family == "references" else rule.family, []).append(rule)
        for rules in groups.values():
            yield _Task(number, subject, rules, list(treatments.values()))
            number += 1


def _runs(tasks: Sequence[_Task], jobs: int | None, watch: Watch) -> Iterator[_Ran]:
    """Run ``tasks`` on books, in several processes if that pays, and yield what came of each, in no order."""

    def run(task: _Task) -> _Ran:
        return task, list(_results(task, task.subject.book, watch))

    books = {id(task.subject.book): task.subject.book for task in tasks}
    size = sum(len(document.source.text) for book in books.values() for document in book.documents)
    if watch.measures or not _WORTH_SHARING <= size <= _MOST_TO_COPY:
        return map(run, tasks)
    import pickle

    from lintbook.sharing import Work, allowed, share_out

    def pack(ran: _Ran) -> bytes:
        return pickle.dumps(ran[1])

    def unpack(task: _Task, packed: Any) -> _Ran:
        return task, pickle.loads(packed)

    return share_out(tasks, Work(run, pack, unpack), allowed(jobs))


def _results(task: _Task, seen: Book | Outcome, watch: Watch) -> Iterator[tuple[int, Result]]:
    """Yield what rules say of what they see, each by its position among the rules of ``task``.

    A rule that has other options on some paths is run once for each set of options, and of each run those findings
    count that stand where these options are in force.
    """
    for position, rule in enumerate(task.rules):
        watch.tell(f"checking: {rule.name}")
        ways: list[Mapping[str, Any]] = []
        for treatment in task.treatments:
            if rule.name in treatment.rules and treatment.options_of(rule) not in ways:
                ways.append(treatment.options_of(rule))
        for options in ways:
            for result in watch.through(rule.name, rule.run(seen, **options)):
                if not isinstance(result, Finding):
                    if options is ways[0]:
                        yield position, result
                    continue
                there = task.subject.configuration.treatment(result.span.path)
                if rule.name in there.rules and there.options_of(rule) == options:
                    yield position, result


def _as_there(subject: Subject, rule: Rule, result: Result) -> Rule:
    """Return ``rule`` as severe as it is where its finding stands."""
    if not isinstance(result, Finding):
        return rule
    return subject.configuration.treatment(result.span.path).rules[rule.name]


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


def _inner_path(path: str, subject: Subject) -> str:
    """Return the path in its book of the file at ``path``: it is the same from wherever lintbook is run."""
    top = subject.configuration.working_directory
    return os.path.relpath(top / path, os.path.normpath(top / subject.book.root)).replace(os.sep, "/")
