"""The engine: reads books, runs the rules on them, and makes of what they find what users see."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict, Unpack

from msgspec import Struct, field
from msgspec.structs import replace

from lintbook.diagnostic import Diagnostic, Progress, Severity, Trouble
from lintbook.files import NOTHING_PENDING, Pending
from lintbook.text import Source
from lintbook.watch import UNWATCHED, Watch

if TYPE_CHECKING:
    from lintbook.baseline import Baseline, Entry, Sifted
    from lintbook.book import Book, Revision
    from lintbook.cache import Caches
    from lintbook.config import Configuration, Configurations, Overrides
    from lintbook.discovery import BookFiles, Discovery
    from lintbook.memory import Memory
    from lintbook.rule import Rule
    from lintbook.ruling import Subject

_MOST_PASSES = 20  # of fixing; each makes all fixes that exclude one another not


class Summary(Struct, frozen=True):
    """What a run amounts to: diagnostics by severity, files read, and by reason what was not checked.

    A reason is a plural phrase that names what was left out: ``links out of the book``. ``fixed`` counts the
    diagnostics that are no more since they were fixed, ``suppressed`` those that a comment silences, ``known`` those
    that the baseline knows, ``stale`` the entries of the baseline that nothing matches. ``progress`` says how much of
    something was done, of how much.
    """

    severities: Mapping[Severity, int]
    files: int
    unchecked: Mapping[str, int]
    fixed: int = 0
    suppressed: int = 0
    known: int = 0
    stale: int = 0
    progress: tuple[Progress, ...] = ()


class Report(Struct, frozen=True):
    """All that a run has to say; ``sources`` holds the text of every file read, by its path.

    ``fail_on`` is the least severity that the configuration of one of the books calls a failure; ``roots`` tells for
    the path of each file where the book begins that it belongs to. ``known`` are the diagnostics that are not told
    because the baseline knows them. ``vacant`` are the folders that were named and hold nothing of a book.
    """

    diagnostics: tuple[Diagnostic, ...]
    troubles: tuple[Trouble, ...]
    summary: Summary
    sources: Mapping[str, Source]
    fail_on: Severity = Severity.WARNING
    roots: Mapping[str, str] = field(default_factory=dict)
    known: tuple[Diagnostic, ...] = ()
    vacant: tuple[str, ...] = ()

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
    jobs: int | None = None,
    pending: Pending = NOTHING_PENDING,
    base: str | None = None,
    with_baseline: bool = True,
    watch: Watch = UNWATCHED,
) -> Report:
    """Check the books round ``paths``, relative to ``working_directory``, with ``rules``, by default all.

    The whole of each book is read; ``paths`` limit what is reported. What cannot be read becomes a trouble
    of the report, and the rest is still checked. ``overrides`` is what the command line says over the
    configuration. ``cached`` says whether unchanged files are taken from the user's cache, ``jobs`` how many
    processes may work at once (None: as many as pay); what is said does not depend on either. ``pending`` are
    texts that are read in the place of what stands in the files; ``base`` is a revision to compare with, for the
    rules about changes; ``with_baseline`` says whether what a baseline knows is left out. ``watch`` is told how far
    the run has come.
    """
    with watch.phase("loading the rules"):
        from lintbook.checks import RULES

    known = RULES if rules is None else rules
    gathered = gather(
        paths,
        working_directory,
        known,
        overrides=overrides,
        cached=cached,
        jobs=jobs,
        pending=pending,
        base=base,
        watch=watch,
    )
    return judge(*gathered, jobs=jobs, with_baseline=with_baseline, watch=watch)


class Manner(TypedDict, total=False):
    """How a check is made, beside what it is made on; what each says, ``check`` tells."""

    overrides: Overrides | None
    jobs: int | None
    with_baseline: bool
    watch: Watch


class Gathered(NamedTuple):
    """The books round some paths: each with its configuration, of which files to report, what could not be read.

    ``vacant`` are the folders that were named and hold nothing of a book.
    """

    subjects: Sequence[Subject]
    reported: Callable[[str], bool]
    troubles: Sequence[Trouble]
    vacant: Sequence[str] = ()


def gather(
    paths: Sequence[str],
    working_directory: Path,
    rules: Sequence[Rule],
    *,
    overrides: Overrides | None = None,
    cached: bool = True,
    jobs: int | None = None,
    pending: Pending = NOTHING_PENDING,
    base: str | None = None,
    watch: Watch = UNWATCHED,
) -> Gathered:
    """Read the books round ``paths``; what all parameters say, ``check`` says."""
    caches = open_caches(working_directory, watch) if cached else None
    surveyed = survey(paths, working_directory, rules, overrides=overrides, caches=caches, pending=pending, watch=watch)
    return collect(surveyed, working_directory, caches=caches, jobs=jobs, pending=pending, base=base, watch=watch)


def open_caches(working_directory: Path, watch: Watch = UNWATCHED) -> Caches:
    """Return the user's caches of the books that are met from ``working_directory``."""
    with watch.phase("unpacking the cache"):
        from lintbook.cache import Caches

        return Caches(working_directory)


class Survey(NamedTuple):
    """Which books stand round some paths, of which files, and how they are configured: all but what is in the files."""

    discovery: Discovery
    configurations: Configurations


def survey(
    paths: Sequence[str],
    working_directory: Path,
    rules: Sequence[Rule],
    *,
    overrides: Overrides | None = None,
    caches: Caches | None = None,
    pending: Pending = NOTHING_PENDING,
    watch: Watch = UNWATCHED,
) -> Survey:
    """Find the books round ``paths`` and their configurations; what all other parameters say, ``check`` says.

    ``caches`` are those of ``open_caches``, None if nothing is to be taken from the cache.
    """
    with watch.phase("discovery"):
        from lintbook.config import Configurations
        from lintbook.discovery import discover

        configurations = Configurations(rules, working_directory, overrides)
        reader = {} if caches is None else {"reader": caches.read}
        return Survey(discover(paths, working_directory, configurations.of, pending, **reader), configurations)


def collect(
    surveyed: Survey,
    working_directory: Path,
    *,
    caches: Caches | None = None,
    jobs: int | None = None,
    pending: Pending = NOTHING_PENDING,
    base: str | None = None,
    memory: Memory | None = None,
    watch: Watch = UNWATCHED,
) -> Gathered:
    """Read the books of a survey; ``memory`` is what is known of their files, all other parameters ``check`` tells.

    ``caches`` are those of the survey, to which is left what is read.
    """
    with watch.phase("reading"):
        from lintbook.reading import read_book
        from lintbook.ruling import Subject

    discovery, configurations = surveyed
    troubles = list(discovery.troubles)
    subjects = []
    for files in discovery.books:
        configuration = configurations.of(files.root)
        book = read_book(
            files,
            working_directory,
            configuration,
            troubles,
            caches=caches,
            jobs=jobs,
            pending=pending,
            memory=memory,
            watch=watch,
        )
        if base is not None:
            with watch.phase("reading the history"):
                book.earlier = _earlier(files, working_directory, configuration, book, base, troubles)
        subjects.append(Subject(book, configuration))
    if caches is not None:
        with watch.phase("saving the cache"):
            caches.save()
    return Gathered(subjects, discovery.reported, [*troubles, *configurations.troubles], discovery.vacant)


def _earlier(
    files: BookFiles,
    working_directory: Path,
    configuration: Configuration,
    book: Book,
    base: str,
    troubles: list[Trouble],
) -> Revision | None:
    """Return what a book was at ``base``; None, and a trouble, if its history does not tell."""
    from lintbook.history import HistoryError, compare
    from lintbook.reading import read_revision

    try:
        comparison = compare(working_directory / files.root, base)
    except HistoryError as error:
        troubles.append(Trouble(files.root, str(error)))
        return None
    return read_revision(files, working_directory, configuration, book, comparison)


class Repair(Struct, frozen=True):
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
    cached: bool = True,
    **manner: Unpack[Manner],
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
        report = check(paths, working_directory, rules, cached=cached and not new, pending=new, **manner)
        editable = {
            path: source
            for path, source in report.sources.items()
            if is_inside(path, report.roots[path], working_directory)
        }
        step = plan((*report.diagnostics, *report.known), editable, unsafe=unsafe)
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
    cached: bool = True,
    **manner: Unpack[Manner],
) -> Report:
    """Fix as ``fix`` does and write the files that changed: all of them or, if one cannot be written, none."""
    from lintbook.fixing import save

    repair = fix(paths, working_directory, rules, unsafe=unsafe, cached=cached, **manner)
    troubles = save(repair.old, repair.new, working_directory)
    if not troubles:
        return repair.report
    unfixed = check(paths, working_directory, rules, cached=cached, **manner)
    return replace(unfixed, troubles=_in_order([*unfixed.troubles, *troubles]))


def judge(
    subjects: Sequence[Subject],
    reported: Callable[[str], bool],
    troubles: Iterable[Trouble] = (),
    vacant: Sequence[str] = (),
    *,
    jobs: int | None = 1,
    with_baseline: bool = True,
    watch: Watch = UNWATCHED,
) -> Report:
    """Hold books to their configurations and report on the files whose paths are to be ``reported``.

    ``troubles`` and ``vacant`` go into the report as they are; ``jobs`` says how many processes may run rules (None: as
    many as pay), ``with_baseline`` whether what a baseline knows is told apart from what is new.
    """
    with watch.phase("loading the rules"):
        from lintbook.baseline import Sifted
        from lintbook.checks import RULES
        from lintbook.ruling import rule_on

    documents = [document for subject in subjects for document in subject.book.documents]
    ruling = rule_on(subjects, RULES, jobs=jobs, watch=watch)
    with watch.phase("comparing with the baseline"):
        sifted = _sifted(subjects, ruling.diagnostics) if with_baseline else Sifted(ruling.diagnostics)
    diagnostics = tuple(diagnostic for diagnostic in sifted.new if reported(diagnostic.span.path))
    known = tuple(diagnostic for diagnostic in sifted.known if reported(diagnostic.span.path))
    of_parsing = (trouble for document in documents for trouble in document.facts.troubles)
    return Report(
        diagnostics=diagnostics,
        troubles=_in_order([*troubles, *of_parsing, *sifted.troubles]),
        summary=Summary(
            severities=Counter(diagnostic.severity for diagnostic in diagnostics),
            files=len({document.source.path for document in documents}),
            unchecked=ruling.unchecked,
            progress=ruling.progress,
            suppressed=sum(reported(diagnostic.span.path) for diagnostic in ruling.silenced),
            known=len(known),
            stale=sum(entry.count for entry in sifted.stale),
        ),
        sources={document.source.path: document.source for document in documents},
        fail_on=min(
            (each.configuration.settings.fail_on for each in subjects),
            key=attrgetter("weight"),
            default=Severity.WARNING,
        ),
        roots={document.source.path: subject.book.root for subject in subjects for document in subject.book.documents},
        known=known,
        vacant=tuple(vacant),
    )


def baseline_path(subject: Subject) -> str | None:
    """Return the path of the baseline of a book, if it has one: the one its configuration names, or the nearest."""
    from lintbook.baseline import locate

    top = subject.configuration.working_directory
    return subject.configuration.baseline or locate(Path(os.path.normpath(top / subject.book.root)), top)


def _seen_from_baseline(path: str, subject: Subject) -> str:
    """Return the folder of a book's sources as its baseline at ``path`` calls it.

    The root would not tell the book from the pages beside its sources (a README), which are a book of the same root.
    """
    top = subject.configuration.working_directory
    return os.path.relpath(top / subject.book.source_root, (top / path).parent).replace(os.sep, "/")


def _inside(subject: Subject, path: str) -> str:
    """Return ``path`` as seen from the folder of the book's sources."""
    top = subject.configuration.working_directory
    return os.path.relpath(top / path, top / subject.book.source_root).replace(os.sep, "/")


def _sifted(subjects: Sequence[Subject], diagnostics: Sequence[Diagnostic]) -> Sifted:
    """Tell what the baselines of books know from what is new."""
    from lintbook.baseline import Sifted

    before, troubles = _known_before(subjects)
    parts = [part for _, part in _parts(subjects, diagnostics, before)]
    known = [diagnostic for part in parts for diagnostic in part.known]
    known_ones = set(map(id, known))
    return Sifted(
        tuple(diagnostic for diagnostic in diagnostics if id(diagnostic) not in known_ones),
        tuple(known),
        tuple(entry for part in parts for entry in part.stale),
        troubles,
    )


def _known_before(subjects: Iterable[Subject]) -> tuple[dict[str, Baseline], tuple[Trouble, ...]]:
    """Read the baselines of books, each once; return them by their paths, and why one could not be read."""
    from lintbook.baseline import Baseline, read_baseline

    tops = {
        path: each.configuration.working_directory for each in subjects if (path := baseline_path(each)) is not None
    }
    read = {path: read_baseline(path, top) for path, top in tops.items()}
    found = {path: baseline for path, baseline in read.items() if isinstance(baseline, Baseline)}
    return found, tuple(each for each in read.values() if isinstance(each, Trouble))


def _has_baseline(subject: Subject) -> bool:
    """Whether the baseline of a book is there; one that is named and missing will be when it is written."""
    path = baseline_path(subject)
    return path is not None and (subject.configuration.working_directory / path).exists()


def _parts(
    subjects: Sequence[Subject], diagnostics: Iterable[Diagnostic], before: Mapping[str, Baseline]
) -> Iterator[tuple[str, Sifted]]:
    """Yield for each book that has a baseline the path of that, and what it knows of the book's diagnostics."""
    from lintbook.baseline import sift

    for subject, share in zip(subjects, _shares(subjects, diagnostics), strict=True):
        path = baseline_path(subject)
        if path is not None and path in before:
            rules = subject.configuration.treatment_of_all.rules
            yield path, sift(before[path], _seen_from_baseline(path, subject), share, rules)


def _shares(subjects: Sequence[Subject], diagnostics: Iterable[Diagnostic]) -> list[list[Diagnostic]]:
    """Return for each book the diagnostics of its files."""
    owners = {document.source.path: number for number, each in enumerate(subjects) for document in each.book.documents}
    shares: list[list[Diagnostic]] = [[] for _ in subjects]
    for diagnostic in diagnostics:
        shares[owners[diagnostic.span.path]].append(diagnostic)
    return shares


class Baselines(Struct, frozen=True):
    """The baselines of some books by their paths: as they are, as they would be written now, and what is stale."""

    before: Mapping[str, Baseline]
    after: Mapping[str, Baseline]
    stale: Mapping[str, Sequence[Entry]]
    troubles: Sequence[Trouble]


def baselines(
    paths: Sequence[str],
    working_directory: Path,
    *,
    overrides: Overrides | None = None,
    cached: bool = True,
    watch: Watch = UNWATCHED,
) -> Baselines:
    """Check the books round ``paths`` and compare what is found with their baselines. Nothing is written."""
    from lintbook.baseline import FILE_NAME, of_others, record
    from lintbook.checks import RULES
    from lintbook.ruling import rule_on

    gathered = gather(paths, working_directory, RULES, overrides=overrides, cached=cached, watch=watch)
    subjects = gathered.subjects
    diagnostics = rule_on(subjects, RULES, watch=watch).diagnostics
    before, troubles = _known_before(subject for subject in subjects if _has_baseline(subject))
    stale: dict[str, list[Entry]] = {path: [] for path in before}
    for path, part in _parts(subjects, diagnostics, before):
        stale[path].extend(part.stale)
    found: dict[str, list[tuple[str, str, Diagnostic]]] = {}
    judged: dict[str, dict[str, Container[str]]] = {}
    for subject, share in zip(subjects, _shares(subjects, diagnostics), strict=True):
        path = baseline_path(subject) or FILE_NAME
        book = _seen_from_baseline(path, subject)
        judged.setdefault(path, {})[book] = subject.configuration.treatment_of_all.rules
        found.setdefault(path, []).extend((book, _inside(subject, each.span.path), each) for each in share)
    after = {path: record(path, entries, of_others(before.get(path), judged[path])) for path, entries in found.items()}
    return Baselines(before, after, stale, (*gathered.troubles, *troubles))


def fold(diagnostics: Iterable[Diagnostic]) -> list[list[Diagnostic]]:
    """Put diagnostics of one rule and one cause together, each group where its first diagnostic stood."""
    groups: dict[object, list[Diagnostic]] = {}
    for position, diagnostic in enumerate(diagnostics):
        key = position if diagnostic.cause is None else (diagnostic.rule, diagnostic.cause)
        groups.setdefault(key, []).append(diagnostic)
    return list(groups.values())


def _in_order(troubles: Iterable[Trouble]) -> tuple[Trouble, ...]:
    def key(trouble: Trouble) -> tuple[str, int, int, str]:
        return trouble.path, trouble.line or 0, trouble.column or 0, trouble.message

    return tuple(sorted(set(troubles), key=key))
