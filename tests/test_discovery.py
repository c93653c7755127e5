"""Which books are found round the paths that were named, and what is read of them."""

import os
import socket
from pathlib import Path

import pytest

from lintbook.diagnostic import Trouble
from lintbook.dialect import Dialect
from lintbook.discovery import BookFiles, Discovery, discover
from lintbook.files import read


def write(top: Path, name: str, text: str) -> None:
    (top / name).parent.mkdir(parents=True, exist_ok=True)
    (top / name).write_text(text, encoding="utf-8")


def plant(top: Path, *files: str) -> None:
    """Make empty files."""
    for name in files:
        write(top, name, "")


def only(discovery: Discovery) -> BookFiles:
    assert discovery.troubles == ()
    (book,) = discovery.books
    return book


def test_a_part_of_a_book_brings_the_whole_book(tmp_path: Path) -> None:
    plant(tmp_path, "book.toml", "src/SUMMARY.md", "src/lectures/one.md", "src/other.md", "src/figures/a.svg")
    discovery = discover(["src/lectures"], tmp_path)
    book = only(discovery)
    assert (book.root, book.dialect, book.source_root) == (".", Dialect.MDBOOK, "src")
    assert (book.project_file, book.summary) == ("book.toml", "src/SUMMARY.md")
    assert book.pages == ("src/lectures/one.md", "src/other.md")
    assert book.drawings == ("src/figures/a.svg",)


def test_only_what_was_named_is_reported_and_what_speaks_for_all_pages(tmp_path: Path) -> None:
    plant(
        tmp_path,
        "book.toml",
        "src/SUMMARY.md",
        "src/lectures/one.md",
        "src/other.md",
        "src/errata.md",
        "src/勘误表.md",
    )
    discovery = discover(["src/lectures"], tmp_path)
    asked = [
        "src/lectures/one.md",
        "src/other.md",
        "src/SUMMARY.md",
        "book.toml",
        "src/errata.md",
        "src/勘误表.md",
    ]
    assert [discovery.reported(path) for path in asked] == [True, False, True, True, True, True]
    assert not discovery.reported("src/lectures2/one.md")
    assert not discovery.reported("elsewhere/errata.md")


def test_paths_are_relative_to_the_working_directory(tmp_path: Path) -> None:
    plant(tmp_path, "book.toml", "src/SUMMARY.md", "src/a/one.md", "src/two.md")
    discovery = discover(["."], tmp_path / "src/a")
    book = only(discovery)
    assert (book.root, book.project_file, book.source_root) == ("../..", "../../book.toml", "..")
    assert book.pages == ("../two.md", "one.md")
    assert [discovery.reported(path) for path in ("one.md", "../two.md", "../SUMMARY.md")] == [
        True,
        False,
        True,
    ]
    absolute = discover([str(tmp_path / "src/a")], tmp_path / "src/a")
    assert (only(absolute).pages, absolute.named) == (book.pages, discovery.named)


def test_books_in_one_repository_are_apart(tmp_path: Path) -> None:
    plant(tmp_path, "en/book.toml", "en/src/one.md", "zh/book.toml", "zh/src/one.md", "README.md")
    found = discover(["."], tmp_path).books
    assert [(book.root, book.dialect) for book in found] == [
        (".", Dialect.GITHUB), ("en", Dialect.MDBOOK), ("zh", Dialect.MDBOOK),
    ]  # fmt: skip
    assert [book.pages for book in found] == [("README.md",), ("en/src/one.md",), ("zh/src/one.md",)]
    assert [book.root for book in discover(["en"], tmp_path).books] == ["en"]


def test_a_book_inside_a_book_is_its_own(tmp_path: Path) -> None:
    plant(tmp_path, "book.toml", "src/one.md", "guide/book.toml", "guide/src/two.md")
    assert [book.pages for book in discover(["."], tmp_path).books] == [
        ("src/one.md",),
        ("guide/src/two.md",),
    ]
    assert [book.root for book in discover(["src"], tmp_path).books] == ["."]
    assert [book.root for book in discover(["guide/src"], tmp_path).books] == ["guide"]


def test_pages_beside_the_sources_are_a_loose_book(tmp_path: Path) -> None:
    plant(tmp_path, "book.toml", "src/one.md", "README.md")
    rendered, loose = discover(["."], tmp_path).books
    assert rendered.pages == ("src/one.md",)
    assert (loose.dialect, loose.project_file, loose.pages) == (Dialect.GITHUB, None, ("README.md",))
    assert only(discover(["README.md"], tmp_path)).pages == ("README.md",)


def test_sources_and_output_are_where_the_project_file_says(tmp_path: Path) -> None:
    write(tmp_path, "book.toml", '[book]\nsrc = "."\n[build]\nbuild-dir = "public"\n')
    plant(tmp_path, "SUMMARY.md", "one.md", "a.svg", "public/a.svg", "public/one.html", "public/book/b.svg")
    book = only(discover(["."], tmp_path))
    assert (book.source_root, book.summary, book.pages, book.drawings) == (
        ".",
        "SUMMARY.md",
        ("one.md",),
        ("a.svg",),
    )
    assert book.exists("public/one.html")


def test_copies_that_a_builder_makes_of_pages_are_no_pages(tmp_path: Path) -> None:
    plant(tmp_path, "_config.yml", "one.md", "_site/one.md", "_build/html/_sources/one.md")
    assert only(discover(["."], tmp_path)).pages == ("one.md",)


def test_a_folder_with_pages_is_no_output(tmp_path: Path) -> None:
    plant(tmp_path, "book.toml", "src/one.md", "book/chapter.md", "book/a.svg")
    loose = discover(["."], tmp_path).books[1]
    assert (loose.pages, loose.drawings) == (("book/chapter.md",), ("book/a.svg",))


@pytest.mark.parametrize(
    ("name", "text", "dialect", "pages"),
    [
        ("mkdocs.yml", "docs_dir: text\n", Dialect.MKDOCS, ("text/one.md",)),
        ("_config.yml", "title: x\n", Dialect.JEKYLL, ("text/one.md",)),
    ],
)
def test_other_project_files(tmp_path: Path, name: str, text: str, dialect: Dialect, pages: tuple[str, ...]) -> None:
    write(tmp_path, name, text)
    plant(tmp_path, "text/one.md")
    book = only(discover(["."], tmp_path))
    assert (book.dialect, book.pages) == (dialect, pages)


def test_the_config_of_jupyter_book_is_not_jekyll(tmp_path: Path) -> None:
    plant(tmp_path, "_config.yml", "_toc.yml", "one.md")
    assert only(discover(["."], tmp_path)).dialect is Dialect.GITHUB


def test_a_tree_without_project_file_is_one_loose_book(tmp_path: Path) -> None:
    plant(tmp_path, "a/one.md", "b/two.md")
    book = only(discover(["a"], tmp_path))
    assert (book.root, book.dialect, book.project_file) == (".", Dialect.GITHUB, None)
    assert book.pages == ("a/one.md", "b/two.md")


def test_without_project_file_a_book_is_the_repository(tmp_path: Path) -> None:
    plant(tmp_path, "book.toml", "repository/.git/config", "repository/a/one.md", "repository/two.md")
    book = only(discover(["."], tmp_path / "repository/a"))
    assert (book.root, book.pages) == ("..", ("../two.md", "one.md"))


def test_a_path_out_of_the_working_directory(tmp_path: Path) -> None:
    plant(tmp_path, "here/x.md", "there/one.md", "there/deeper/two.md")
    book = only(discover(["../there"], tmp_path / "here"))
    assert (book.root, book.pages) == ("../there", ("../there/deeper/two.md", "../there/one.md"))


def test_a_summary_with_chapters_makes_a_book_and_any_other_does_not(tmp_path: Path) -> None:
    write(
        tmp_path,
        "lectures/SUMMARY.md",
        "# Summary\n\n- [One](one.md)\n- [Two](two.md)\n- [Three](three.md)\n",
    )
    plant(tmp_path, "lectures/one.md", "lectures/two.md")
    write(tmp_path, "notes/SUMMARY.md", "# Summary\n\nSee [the paper](paper.pdf) and [one](../one.md).\n")
    found = discover(["."], tmp_path).books
    assert [(book.root, book.dialect, book.summary) for book in found] == [
        (".", Dialect.GITHUB, None), ("lectures", Dialect.MDBOOK, "lectures/SUMMARY.md"),
    ]  # fmt: skip
    assert found[0].pages == ("notes/SUMMARY.md",)


def test_folders_of_tools_and_hidden_folders_hold_no_pages(tmp_path: Path) -> None:
    plant(
        tmp_path,
        "one.md",
        ".github/guide.md",
        "node_modules/x/README.md",
        "env/pyvenv.cfg",
        "env/lib/a.md",
        ".git/x.md",
    )
    book = only(discover(["."], tmp_path))
    assert book.pages == ("one.md",)
    assert book.exists(".github/guide.md")
    assert book.exists("node_modules/x/nothing.md") is None
    assert book.exists("nothing.md") is False
    assert book.exists("../elsewhere.md") is None


def test_a_hidden_folder_is_read_when_it_is_named(tmp_path: Path) -> None:
    plant(tmp_path, "one.md", ".notes/two.md")
    assert only(discover([".notes"], tmp_path)).pages == (".notes/two.md",)


def test_what_cannot_be_found_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    plant(tmp_path, "one.md", "data.bin")
    discovery = discover(["nothing.md", "one.md", "data.bin", "a\0b"], tmp_path)
    assert [book.pages for book in discovery.books] == [("one.md",)]
    assert discovery.troubles == (
        Trouble("nothing.md", "does not exist"),
        Trouble("data.bin", "is no page, drawing or project file of a book"),
        Trouble("a\0b", "is no path"),
    )


def test_an_empty_folder_has_no_books(tmp_path: Path) -> None:
    assert discover(["."], tmp_path) == Discovery((), (), named=(".",), vacant=(".",))


def test_a_broken_project_file_leaves_the_usual_book(tmp_path: Path) -> None:
    write(tmp_path, "book.toml", '[book]\ntitle = "x\n')
    plant(tmp_path, "src/one.md")
    book = only(discover(["."], tmp_path))
    assert book.pages == ("src/one.md",)
    assert book.project_document is not None
    assert [trouble.line for trouble in book.project_document.facts.troubles] == [2]


def test_sources_outside_the_folder_are_said_not_to_be_read(tmp_path: Path) -> None:
    write(tmp_path, "book/book.toml", '[book]\nsrc = "../text"\n')
    plant(tmp_path, "text/one.md")
    discovery = discover(["book"], tmp_path)
    assert discovery.troubles == (Trouble("book/book.toml", "the sources stand outside its folder and are not read"),)


def test_links_to_folders_are_followed_once(tmp_path: Path) -> None:
    plant(tmp_path, "b/one.md")
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b/round").symlink_to(tmp_path)
    book = only(discover(["."], tmp_path))
    assert book.pages == ("b/one.md",)
    assert book.exists("a")
    assert book.exists("a/one.md") is None


def test_a_folder_elsewhere_is_reached_through_its_link(tmp_path: Path) -> None:
    plant(tmp_path, "elsewhere/one.md", "book/two.md")
    (tmp_path / "book/more").symlink_to("../elsewhere")
    assert only(discover(["."], tmp_path / "book")).pages == ("more/one.md", "two.md")


def test_a_link_to_a_page_of_the_book_is_no_second_page(tmp_path: Path) -> None:
    plant(tmp_path, "two.md")
    (tmp_path / "one.md").symlink_to("two.md")
    book = only(discover(["."], tmp_path))
    assert (book.pages, book.exists("one.md")) == (("two.md",), True)


def test_what_is_no_file_is_never_opened(tmp_path: Path) -> None:
    plant(tmp_path, "one.md")
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "gone.md").symlink_to("nowhere.md")
    (tmp_path / "self.md").symlink_to("self.md")
    with socket.socket(socket.AF_UNIX) as listener:
        os.chdir(tmp_path)  # a socket's path must be short
        listener.bind("socket.svg")
        discovery = discover(["."], tmp_path)
    assert [book.pages for book in discovery.books] == [("one.md",)]
    assert [trouble.path for trouble in discovery.troubles] == ["gone.md", "pipe.md", "self.md", "socket.svg"]
    assert discover(["pipe.md"], tmp_path).troubles == (Trouble("pipe.md", "is neither a file nor a folder"),)
    assert read("pipe.md", tmp_path).source is None


def test_a_folder_without_permission_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, "one.md", "closed/two.md")
    scandir = os.scandir

    def refuse(path: Path) -> object:  # permission bits do not stop root, who may run the tests
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    discovery = discover(["."], tmp_path)
    assert discovery.troubles == (Trouble("closed", "cannot be read: permission denied"),)
    assert discovery.books[0].pages == ("one.md",)
    assert discovery.books[0].exists("closed/two.md") is None


def test_a_name_that_is_not_utf8_is_left_out(tmp_path: Path) -> None:
    plant(tmp_path, "one.md")
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/b\xff.md")).touch()
    except OSError:
        pytest.skip("the file system takes only UTF-8")
    discovery = discover(["."], tmp_path)
    assert discovery.troubles == (Trouble("b\\udcff.md", "is left out: its name is not UTF-8"),)
    assert discovery.books[0].pages == ("one.md",)


def test_the_order_of_paths_and_files_does_not_matter(tmp_path: Path) -> None:
    plant(tmp_path, "z/book.toml", "z/src/b.md", "z/src/a.md", "y/mkdocs.yml", "y/docs/c.md")
    forwards, backwards = discover(["y", "z"], tmp_path), discover(["z", "y"], tmp_path)
    for discovery in (forwards, backwards):
        assert [book.pages for book in discovery.books] == [("y/docs/c.md",), ("z/src/a.md", "z/src/b.md")]


# leaving out


class Choice:
    """What an author wants left out: the paths that end so."""

    def __init__(self, *endings: str, gitignore: bool = True) -> None:
        self.endings = endings
        self.gitignore = gitignore

    def excludes(self, path: str, *, is_folder: bool) -> bool:
        return path.endswith(self.endings) if self.endings else False


def test_what_gitignore_names_is_no_part_of_a_book_and_may_be_there(tmp_path: Path) -> None:
    plant(tmp_path, "src/one.md", "src/draft.md", "src/kept.md", "out/two.md", "src/sub/three.md")
    write(tmp_path, ".gitignore", "/out/\ndraft.*\n*.pdf\n")
    write(tmp_path, "src/.gitignore", "kept.md\nsub/\n!draft.md\n")
    book = only(discover(["."], tmp_path))
    assert book.pages == ("src/draft.md", "src/one.md")
    assert book.exists("src/kept.md")
    assert [book.exists(path) for path in ("out/two.md", "src/notes.pdf", "src/sub/x.md")] == [None, None, None]
    assert book.exists("src/gone.md") is False


def test_gitignore_may_be_passed_over(tmp_path: Path) -> None:
    plant(tmp_path, "one.md", "draft.md")
    write(tmp_path, ".gitignore", "draft.md\n")
    assert only(discover(["."], tmp_path, lambda folder: Choice(gitignore=False))).pages == ("draft.md", "one.md")


def test_gitignore_of_the_repository_counts_for_a_book_inside(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write(tmp_path, ".gitignore", "draft.md\n/books/one/src/gen/\n")
    plant(tmp_path, "books/one/book.toml", "books/one/src/a.md", "books/one/src/draft.md", "books/one/src/gen/b.md")
    assert only(discover(["."], tmp_path / "books" / "one")).pages == ("src/a.md",)
    assert only(discover(["books/one/src"], tmp_path)).pages == ("books/one/src/a.md",)


def test_gitignore_above_says_nothing_where_no_repository_begins_there(tmp_path: Path) -> None:
    write(tmp_path, ".gitignore", "*\n")
    plant(tmp_path, "book/book.toml", "book/src/a.md")
    assert only(discover(["."], tmp_path / "book")).pages == ("src/a.md",)


def test_a_book_that_is_ignored_is_read_where_it_is_named(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write(tmp_path, ".gitignore", "/vendor/\n")
    plant(tmp_path, "vendor/book.toml", "vendor/src/a.md", "one.md")
    assert [book.pages for book in discover(["."], tmp_path).books] == [("one.md",)]
    assert [book.pages for book in discover(["vendor"], tmp_path).books] == [("vendor/src/a.md",)]


def test_what_is_excluded_is_no_part_of_a_book(tmp_path: Path) -> None:
    plant(tmp_path, "book.toml", "src/one.md", "src/old/two.md", "src/old/book.toml", "src/copy.svg", "src/pic.svg")
    book = only(discover(["."], tmp_path, lambda folder: Choice("src/old", "copy.svg")))
    assert (book.pages, book.drawings) == (("src/one.md",), ("src/pic.svg",))
    assert [book.exists(path) for path in ("src/copy.svg", "src/old/two.md")] == [True, None]


def test_a_page_that_the_navigation_names_is_read_though_it_is_ignored(tmp_path: Path) -> None:
    plant(tmp_path, "book.toml", "src/gen/table.md", "src/gen/other.md", "src/made.md", "src/one.md", "src/old.md")
    write(tmp_path, "src/SUMMARY.md", "# S\n\n- [a](one.md)\n- [b](gen/table.md)\n- [c](made.md)\n- [d](old.md)\n")
    write(tmp_path, ".gitignore", "gen/\nmade.md\n")
    book = only(discover(["."], tmp_path, lambda folder: Choice("old.md")))
    assert book.pages == ("src/gen/table.md", "src/made.md", "src/one.md")


def test_a_path_that_is_left_out_and_named_is_told(tmp_path: Path) -> None:
    plant(tmp_path, "one.md", "draft.md", "old/two.md")
    write(tmp_path, ".gitignore", "draft.md\n")
    said = "is left out: `.gitignore` or `exclude` of the configuration names it"
    discovery = discover(["draft.md", "old/two.md", "old"], tmp_path, lambda folder: Choice("old"))
    assert discovery.troubles == (Trouble("draft.md", said), Trouble("old/two.md", said), Trouble("old", said))


def test_texts_that_are_pending_are_read_in_the_place_of_files(tmp_path: Path) -> None:
    plant(tmp_path, "book.toml", "text/a.md")
    book = only(discover(["."], tmp_path, pending={"book.toml": '[book]\nsrc = "text"\n'}))
    assert book.pages == ("text/a.md",)
