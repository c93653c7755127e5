"""The cache: facts come back as they went in, and nothing that it does not vouch for is believed."""

from __future__ import annotations

import marshal
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from lintbook import packing
from lintbook.cache import Caches, FactsCache, cache_folder, clear
from lintbook.dialect import Dialect
from lintbook.engine import check
from lintbook.facts import Facts
from lintbook.parse import parse_markdown
from lintbook.parse.project import ProjectFile, parse_project
from lintbook.text import Passage, Source, Span

FIXTURES = Path(__file__).parent.parent / "fixtures"
PAGES = sorted(FIXTURES.rglob("*.md"))


def facts_of(path: str, text: str) -> Facts:
    return parse_markdown(Source(path, text), Dialect.MDBOOK)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(FIXTURES)))
def test_facts_come_back_equal(page: Path) -> None:
    facts = facts_of("a/b.md", page.read_bytes().decode())
    packed = marshal.loads(marshal.dumps(packing.pack(facts)))
    assert packing.unpack(packed, "a/b.md", Facts) == facts


def test_facts_come_back_for_another_path() -> None:
    text = "**定义 2.1.1** 见 [定理 2.1.2](x.md#y)\n"
    assert packing.unpack(packing.pack(facts_of("one.md", text)), "two.md", Facts) == facts_of("two.md", text)


KEY = FactsCache.key("text", "mdbook")
FACTS = facts_of("p.md", "# 2.1 一\n\n[x](y.md)\n")


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A cache with one entry; returns its file."""
    cache = FactsCache(Path("/book"), tmp_path)
    cache.put(KEY, packing.pack(FACTS))
    cache.save()
    (file,) = tmp_path.iterdir()
    return file


def load(file: Path) -> Facts | None:
    return FactsCache(Path("/book"), file.parent).get(KEY, "p.md", Facts)


def test_saved_facts_are_found_again(saved: Path) -> None:
    assert load(saved) == FACTS
    assert FactsCache(Path("/other"), saved.parent).get(KEY, "p.md", Facts) is None


def test_key_depends_on_text_and_options() -> None:
    keys = {FactsCache.key("a", "b"), FactsCache.key("ab"), FactsCache.key("a", "c"), FactsCache.key("b", "b")}
    assert len(keys) == 4


@pytest.mark.parametrize("place", [0, 10, 30, 41, 60, -1], ids=lambda place: f"byte {place}")
def test_damaged_file_is_ignored(saved: Path, place: int) -> None:
    data = bytearray(saved.read_bytes())
    data[place] ^= 0xFF
    saved.write_bytes(data)
    assert load(saved) is None


@pytest.mark.parametrize("length", [0, 5, 39, 50, -1], ids=lambda length: f"{length} bytes")
def test_truncated_file_is_ignored(saved: Path, length: int) -> None:
    saved.write_bytes(saved.read_bytes()[:length])
    assert load(saved) is None


def test_foreign_file_is_ignored(saved: Path) -> None:
    saved.write_bytes(b"something else altogether" * 10)
    assert load(saved) is None
    saved.unlink()
    saved.mkdir()
    assert load(saved) is None


def test_file_that_others_may_write_is_ignored(saved: Path) -> None:
    saved.chmod(0o666)
    assert load(saved) is None


def test_entries_that_are_not_used_any_more_are_dropped(saved: Path) -> None:
    cache = FactsCache(Path("/book"), saved.parent)
    other = FactsCache.key("other")
    cache.put(other, packing.pack(FACTS))
    cache.save()
    assert load(saved) is None
    assert FactsCache(Path("/book"), saved.parent).get(other, "p.md", Facts) == FACTS


def test_folder_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    cache = FactsCache(Path("/book"), blocked)
    cache.put(KEY, packing.pack(FACTS))
    cache.save()
    assert cache.get(KEY, "p.md", Facts) is None


def test_clear_removes_every_cache(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINTBOOK_CACHE_DIR", str(saved.parent))
    assert cache_folder() == saved.parent
    assert clear() == 1
    assert clear() == 0
    assert load(saved) is None


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    write(tmp_path / "book.toml", '[book]\nsrc = "src"\n')
    write(tmp_path / "src" / "SUMMARY.md", "# Summary\n\n- [One](one.md)\n- [Two](two.md)\n")
    write(tmp_path / "src" / "one.md", "# One\n\n[two](two.md#part)\n")
    write(tmp_path / "src" / "two.md", "# Two\n\n## Part\n")
    return tmp_path


def said(book: Path) -> list[str]:
    return [f"{each.span.path} {each.rule}" for each in check(["src"], book).diagnostics]


def test_changed_target_is_seen_from_an_unchanged_page(book: Path) -> None:
    assert said(book) == []
    write(book / "src" / "two.md", "# Two\n\n## Piece\n")
    assert said(book) == ["src/one.md broken-fragment"]
    write(book / "src" / "two.md", "# Two\n\n## Part\n")
    assert said(book) == []


@pytest.mark.parametrize("name", ["lecture-2-before", "english-theorems", "claims-wrong", "figures-wrong"])
def test_report_is_the_same_with_and_without_cache(name: str) -> None:
    folder = FIXTURES / "books" / name
    cold = check(["."], folder, cached=False)
    filling, warm = (check(["."], folder) for _ in range(2))
    assert cold.diagnostics == filling.diagnostics == warm.diagnostics
    assert cold.summary == warm.summary


def test_another_vocabulary_reads_an_unchanged_page_anew(tmp_path: Path) -> None:
    write(tmp_path / "one.md", "**观察 1.1** 一。\n\n**观察 1.1** 二。\n")
    assert check(["."], tmp_path).diagnostics == ()
    write(tmp_path / "lintbook.toml", '[kinds.sight]\nwords = ["观察"]\n')
    assert [each.rule for each in check(["."], tmp_path).diagnostics] == ["duplicate-box-number"]


def kinds_of(annotation: Any) -> set[type]:
    """All structs, named tuples and enumerations that values of ``annotation`` are made of."""
    found: set[type] = set()
    waiting = [annotation]
    while waiting:
        each = waiting.pop()
        if get_args(each):
            waiting.extend(get_args(each))
        elif each not in found and hasattr(each, "__annotations__"):
            found.add(each)
            waiting.extend(get_type_hints(each).values())
    return found


def test_kinds_of_facts_are_told_apart_by_name() -> None:
    # The functions that pack and unpack them find one another by it.
    kinds = kinds_of(ProjectFile)
    assert {Facts, Span, Passage, Dialect} <= kinds
    assert len({kind.__name__ for kind in kinds}) == len(kinds)


def test_facts_of_a_project_file_come_back_equal() -> None:
    source = Source("book.toml", '[book]\nsrc = 7\n[output.html.redirect]\n"/a.html" = "b.html"\n')
    said = parse_project(source)
    assert said.facts.troubles
    assert said.facts.redirects
    packed = marshal.loads(marshal.dumps(packing.pack(said)))
    assert packing.unpack(packed, "book.toml", ProjectFile) == said


def test_books_of_a_run_share_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINTBOOK_CACHE_DIR", str(tmp_path))
    caches = Caches(Path("/books"))
    assert caches.of("one") is caches.of("../books/one/.")
    caches.of("one").put(KEY, packing.pack(FACTS))
    caches.save()
    assert Caches(Path("/books/one")).of(".").get(KEY, "p.md", Facts) == FACTS
    assert Caches(Path("/books")).of("two").get(KEY, "p.md", Facts) is None


def test_what_is_read_through_caches_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINTBOOK_CACHE_DIR", str(tmp_path))
    parsed = []

    def parse(source: Source) -> ProjectFile:
        parsed.append(source.text)
        return parse_project(source)

    said = []
    for text in ("", "", '[book]\nsrc = "text"\n'):
        caches = Caches(Path("/books"))
        said.append(caches.read("book.toml", Source("book.toml", text), "project", ProjectFile, parse))
        caches.save()
    assert parsed == ["", '[book]\nsrc = "text"\n']
    assert [each.project.source_root for each in said] == ["src", "src", "text"]
