from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import ClassVar

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from lintbook import reading
from lintbook.baseline import write_baseline
from lintbook.config import Configurations, Overrides
from lintbook.discovery import discover
from lintbook.engine import Report, baselines, check
from lintbook.memory import Memory
from lintbook.reading import read_book
from lintbook.reporters import FORMATS, PLAIN, reporter
from lintbook.workspace import Workspace

PAGES = [
    "# 1 序 {#one}\n\n### 定理 1.1.1（界） {#thm-1.1.1}\n\n见[二](b.md#two)与定理 2.1.1。\n",
    "# 2 中 {#two}\n\n### 定理 2.1.1 {#thm-2.1.1}\n\n见 [一](a.md#thm-1.1.1)；$2\\cdot 3 = 7$。\n",
    "# 2 中\n\n### 定理 1.1.1 {#def-1-1}\n\n见定理 3.1.1、[无](gone.md)。\n\n{{#include part.txt}}\n",
    "# 图\n\n![](fig.svg)\n\n<svg><path marker-end='url(#m)'/></svg>\n\n[x](deep/c.md#two)\n",
    "<!-- lintbook: ignore[broken-link] 无 -->\n\n[x](gone.md)\n\n<!-- quantities\nf = 2*x\n-->\n\n7<!--= f x=3 -->\n",
    "{{#include ../outside.txt}}\n\n观察 1.1.1。\n\n**观察 1.1.1** 甲。\n\n**观察 1.1.1** 乙。\n",
    "",
]
DRAWINGS = [
    '<svg><defs><marker id="m"/></defs><path marker-end="url(#m)"/></svg>\n',
    '<svg><path marker-end="url(#n)"/></svg>\n',
    "<svg><path></svg>\n",
]
SUMMARIES = [
    "# Summary\n\n- [一](a.md)\n- [二](b.md)\n- [三](deep/c.md)\n",
    "# Summary\n\n- [一](a.md)\n- [一](a.md)\n",
    "# Summary\n\n- [无](nowhere.md)\n",
]
PROJECTS = [
    '[book]\nsrc = "src"\n',
    '[book]\nsrc = "."\n',
    '[output.html.redirect]\n"/old.html" = "/a.html"\n"/a.html" = "gone.html"\n',
    "[book\n",
]
CONFIGURATIONS = [
    'exclude = ["deep/"]\n',
    '[kinds.sight]\nwords = ["观察"]\n',
    'ignore = ["boxes"]\n[per-path."src/a.md"]\nselect = ["BOX001"]\n',
    "ignore = [\n",
    'dialect = "pandoc"\nretired = ["src/b.md"]\n',
]
TEXTS = {
    "src/a.md": PAGES,
    "src/b.md": PAGES,
    "src/deep/c.md": PAGES,
    "src/deep/new.md": PAGES,
    "README.md": PAGES,
    "src/errata.md": ["| 位置 | 原文 | 更正 | 说明 |\n|---|---|---|---|\n| 定理 9.9.9 | `甲` | `乙` | |\n", ""],
    "src/part.txt": ["[x](gone.md)\n", "## 3 尾\n"],
    "outside.txt": ["定理 8.8.8\n", "好\n"],
    "src/fig.svg": DRAWINGS,
    "src/SUMMARY.md": SUMMARIES,
    "book.toml": PROJECTS,
    "src/deep/book.toml": PROJECTS,
    "lintbook.toml": CONFIGURATIONS,
    ".gitignore": ["deep/\n", "b.md\n", "*.svg\n"],
}
PATHS = st.sampled_from(sorted(TEXTS))


# A failing example is shown as it was found: making it smaller takes minutes.
EXAMPLES = settings(max_examples=30, stateful_step_count=20, phases=[Phase.generate])


def told(report: Report) -> object:
    """All that a report says, in all formats."""
    return (
        [list(reporter(name)(report, PLAIN)) for name in FORMATS],
        (report.diagnostics, report.troubles, report.summary, report.fail_on, report.roots, report.known),
        {path: source.text for path, source in report.sources.items()},
    )


class Writing(RuleBasedStateMachine):
    """An author changes files, one or several at a time, and the workspace is told which."""

    FIRST: ClassVar = ["src/a.md", "src/b.md", "src/SUMMARY.md", "book.toml"]

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp())
        for path in self.FIRST:
            self.save(path, TEXTS[path][0].encode())
        self.pending: dict[str, str] = {}
        self.changed: set[str] = set()
        self.workspace = Workspace(["."], self.folder, cached=False)
        self.compare()

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def save(self, path: str, data: bytes) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.write_bytes(data)

    def compare(self) -> None:
        fresh = check(["."], self.folder, cached=False, pending=self.pending)
        assert told(self.workspace.check(self.changed, self.pending)) == told(fresh)
        self.changed = set()

    @rule(path=PATHS, number=st.integers(0, 6), goes_on=st.booleans())
    def write(self, path: str, number: int, goes_on: bool) -> None:
        self.save(path, TEXTS[path][number % len(TEXTS[path])].encode())
        self.changed.add(path)
        if not goes_on:  # else more changes before the next check
            self.compare()

    @rule(path=PATHS, damage=st.sampled_from([b"# \xff\n", b"a\0b\n"]))
    def damage(self, path: str, damage: bytes) -> None:
        self.save(path, damage)
        self.changed.add(path)
        self.compare()

    @rule(path=PATHS)
    def remove(self, path: str) -> None:
        (self.folder / path).unlink(missing_ok=True)
        self.changed.add(path)
        self.compare()

    @rule(old=PATHS, new=PATHS)
    def rename(self, old: str, new: str) -> None:
        if (self.folder / old).is_file():
            data = (self.folder / old).read_bytes()
            (self.folder / old).unlink()
            self.save(new, data)
            self.changed |= {old, new}
            self.compare()

    @rule(path=PATHS, old=PATHS)
    def link(self, path: str, old: str) -> None:
        if path != old:
            self.save(path, b"")
            (self.folder / path).unlink()
            (self.folder / path).symlink_to(self.folder / old)
            self.changed.add(path)
            self.compare()

    @rule(number=st.integers(0, 6))
    def change_behind_a_link(self, number: int) -> None:
        """Only of the linked file is told that it changed, as a watcher does."""
        for name in ("src/a.md", "src/deep/c.md"):
            file = self.folder / name
            if file.is_symlink() and file.resolve().is_file():
                file.write_text(PAGES[number], encoding="utf-8")
                self.changed.add(str(file.resolve()))
        self.compare()

    @rule()
    def exchange_folders(self) -> None:
        """Only of the folders is told that they changed, not of what is in them."""
        deep, other = self.folder / "src" / "deep", self.folder / "src" / "other"
        spare = self.folder / "spare"
        for old, new in ((deep, spare), (other, deep), (spare, other)):
            if old.exists():
                old.rename(new)
        self.changed |= {"src/deep", str(other)}
        self.compare()

    @rule(path=PATHS, number=st.integers(0, 6))
    def type_in_editor(self, path: str, number: int) -> None:
        self.pending[path] = TEXTS[path][number % len(TEXTS[path])] + "\n[typed](gone.md)\n"
        self.compare()

    @rule(path=PATHS)
    def close_editor(self, path: str) -> None:
        self.pending.pop(path, None)
        self.compare()

    @rule()
    def change_without_word(self) -> None:
        """Whoever does not know what changed says so."""
        self.save("src/b.md", PAGES[1].encode() + b"\n[x](gone.md)\n")
        fresh = check(["."], self.folder, cached=False, pending=self.pending)
        assert told(self.workspace.check(None, self.pending)) == told(fresh)
        self.changed = set()


class WritingNoBook(Writing):
    """As above, in a tree without project file, where links lead as all renderers may have them."""

    FIRST: ClassVar = ["src/a.md", "src/b.md", "README.md", "src/fig.svg"]


@pytest.mark.parametrize("machine", [Writing, WritingNoBook])
def test_a_check_says_what_a_fresh_one_would_whatever_was_changed(machine: type[Writing]) -> None:
    run_state_machine_as_test(machine, settings=EXAMPLES)


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    folder = tmp_path / "book"  # what a test writes beside it must not be above the books of other tests
    for path in ("book.toml", "src/SUMMARY.md", "src/a.md", "src/b.md"):
        write(folder / path, TEXTS[path][0])
    return folder


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the files that are parsed, as they are."""
    found: list[str] = []
    parse = reading._parse

    def noting(source, files, vocabulary):  # type: ignore[no-untyped-def]
        found.append(source.path)
        return parse(source, files, vocabulary)

    monkeypatch.setattr(reading, "_parse", noting)
    return found


def test_only_what_changed_is_read_again(book: Path, parsed: list[str]) -> None:
    workspace = Workspace(["."], book, cached=False)
    workspace.check()
    assert sorted(parsed) == ["src/SUMMARY.md", "src/a.md", "src/b.md"]
    parsed.clear()
    write(book / "src" / "a.md", PAGES[4])
    write(book / "src" / "b.md", PAGES[5])  # of which nobody tells
    report = workspace.check([str(book / "src" / "a.md")])
    assert parsed == ["src/a.md"]
    assert report.sources["src/a.md"].text == PAGES[4]
    assert report.sources["src/b.md"].text == TEXTS["src/b.md"][0]


def test_a_text_that_came_back_is_not_parsed_again(book: Path, parsed: list[str]) -> None:
    workspace = Workspace(["."], book, cached=False)
    workspace.check()
    parsed.clear()
    (book / "src" / "a.md").touch()
    workspace.check(["src/a.md"])
    workspace.check()
    assert parsed == []


def test_pages_are_read_anew_where_the_configuration_reads_them_otherwise(book: Path, parsed: list[str]) -> None:
    workspace = Workspace(["."], book, cached=False)
    workspace.check()
    parsed.clear()
    write(book / "lintbook.toml", CONFIGURATIONS[1])
    workspace.check(["lintbook.toml"])
    assert {"src/a.md", "src/b.md"} <= set(parsed)


def test_what_an_editor_leaves_for_a_moment_costs_no_survey(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace(["."], book, cached=False)
    workspace.check()
    monkeypatch.setattr("lintbook.workspace.survey", lambda *_, **__: pytest.fail("the books were sought again"))
    report = workspace.check(["src/a.md", "src/.a.md.swp", "src/a.md~", "src/4913"])
    assert report.summary.files == 4


def test_files_whose_changes_are_not_told_are_looked_at(book: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    write(elsewhere / "page.md", PAGES[1])
    (book / "src" / "linked.md").symlink_to(elsewhere / "page.md")
    write(book / "src" / "a.md", "{{#include ../../elsewhere.txt}}\n")
    workspace = Workspace(["."], book, cached=False)
    workspace.check()
    assert workspace.roots == [str(book)]
    assert workspace.changed_elsewhere() == set()
    included, configuration = book.parent / "elsewhere.txt", book.parent / "lintbook.toml"
    write(elsewhere / "page.md", PAGES[0])
    write(included, "[x](gone.md)\n")
    write(configuration, "")
    write(book / "src" / "b.md", PAGES[2])  # of which somebody else tells
    changed = workspace.changed_elsewhere()
    assert changed == {str(included), str(configuration), str(book / "src" / "linked.md")}
    assert workspace.check(changed).summary.files == 6
    assert workspace.changed_elsewhere() == set()


def test_what_no_page_needs_is_not_checked(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(book / "src" / "photo.png", "one")
    workspace = Workspace(["."], book, cached=False)
    last = workspace.check()
    write(book / "src" / "photo.png", "two")
    assert workspace.check(["src/photo.png"]) is last
    (book / "src" / "photo.png").unlink()
    assert workspace.check(["src/photo.png"]) is not last


def test_a_baseline_and_a_configuration_of_another_name_are_noticed(book: Path) -> None:
    write(book / "src" / "SUMMARY.md", "# Summary\n\n- [A](a.md)\n")
    write(book / "src" / "a.md", "[x](gone.md)\n")
    (book / "src" / "b.md").unlink()
    write(book / "mine.toml", 'baseline = "known.json"\n')
    given = Overrides(file="./mine.toml")
    workspace = Workspace(["."], book, cached=False, overrides=given)
    assert len(workspace.check().diagnostics) == 1
    written = baselines(["."], book, overrides=given, cached=False).after["known.json"]
    assert write_baseline(written, book) is None
    assert workspace.check(["known.json"]).summary.known == 1
    write(book / "mine.toml", 'ignore = ["ALL"]\n')
    report = workspace.check(["mine.toml"])
    assert (report.summary.known, report.diagnostics) == (0, ())


def test_links_of_a_tree_lead_elsewhere_once_a_file_is_there(tmp_path: Path) -> None:
    """Where links lead is kept as long as the files are the same; a page that comes makes them anew."""
    for path, text in {"a.md": "# A\n\n[b](b.md) [up](../up.md)\n", "c.md": "# C\n"}.items():
        write(tmp_path / "tree" / path, text)
    workspace = Workspace(["."], tmp_path / "tree", cached=False)
    assert [each.message for each in workspace.check().diagnostics] == ["`b.md` does not exist"]
    write(tmp_path / "tree" / "c.md", "# C\n\n[b](b.md#x)\n")
    assert [each.span.path for each in workspace.check(["c.md"]).diagnostics] == ["a.md", "c.md"]
    write(tmp_path / "tree" / "b.md", "# X\n")
    assert workspace.check(["b.md"]).diagnostics == ()


def test_what_was_found_out_about_other_pages_is_kept(book: Path) -> None:
    files = discover(["."], book).books[0]
    configuration, memory = Configurations((), book).of("."), Memory()
    before = read_book(files, book, configuration, [], memory=memory)
    ids, sections = before.ids("src/b.md"), before.sections("src/b.md")
    assert before.ids("src/a.md")
    write(book / "src" / "a.md", "# 1 另 {#other}\n")
    memory.begin()
    after = read_book(files, book, configuration, [], memory=memory)
    assert [made.id for made in after.ids("src/a.md")] == ["other"]
    assert after.ids("src/b.md") is ids and after.sections("src/b.md") is sections
    write(book / "src" / "SUMMARY.md", "# Summary\n\n- [A](a.md)\n")
    memory.begin()
    renamed = read_book(files, book, configuration, [], memory=memory)
    assert renamed.ids("src/b.md") is not ids
