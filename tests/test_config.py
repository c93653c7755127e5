"""What a configuration file says, where it is found, and what is said about one that is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from msgspec import Struct

from lintbook.book import Book
from lintbook.config import Configuration, Configurations, Overrides, Section
from lintbook.diagnostic import Finding, Severity, Trouble
from lintbook.dialect import Dialect
from lintbook.rule import Rule, Status, book_rule


class Shape(Struct, frozen=True):
    """What the test's rule takes for each entry of its table."""

    pattern: re.Pattern[str]
    pages: tuple[str, ...] = ()


def made(
    function: str, code: str, family: str, severity: Severity = Severity.ERROR, status: Status = Status.STABLE
) -> Rule:
    """A rule as it comes out of the decorator; all of them have the same two options."""

    def run(book: Book, *, most: int = 3, words: tuple[str, ...] = ()) -> Iterator[Finding]:
        yield from ()

    run.__name__, run.__module__, run.__doc__ = function, f"lintbook.checks.{family}.some", "A rule."
    return book_rule(code, severity, status)(run)


def shaped(book: Book, *, shapes: Mapping[str, Shape] | None = None) -> Iterator[Finding]:
    """A rule that takes the whole table of its family."""
    yield from ()


shaped.__module__ = "lintbook.checks.shapes.some"

ALPHA = made("alpha_box", "BOX001", "boxes")
BETA = made("beta_box", "BOX002", "boxes", Severity.WARNING)
GAMMA = made("gamma_link", "PAG001", "pages")
FRESH = made("fresh_link", "PAG009", "pages", status=Status.PREVIEW)
SHAPED = book_rule("SHP001", Severity.ERROR)(shaped)
RULES = (ALPHA, BETA, GAMMA, FRESH, SHAPED)


def load(folder: Path, text: str, overrides: Overrides | None = None) -> tuple[Configuration, list[Trouble]]:
    (folder / "lintbook.toml").write_text(text, encoding="utf-8")
    configurations = Configurations(RULES, folder, overrides)
    found = configurations.of(".")
    return found, configurations.troubles


def on(folder: Path, text: str, path: str = "src/a.md", **overrides: tuple[str, ...]) -> list[str]:
    """The codes of the rules that a file switches on at ``path``."""
    found, troubles = load(folder, text, Overrides(section=Section(**overrides)))
    assert troubles == []
    return [rule.code for rule in found.treatment(path).rules.values()]


# selecting rules


def test_without_a_file_all_stable_rules_are_on(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    found = Configurations(RULES, tmp_path).of(".")
    assert found.file is None
    assert list(found.treatment("a.md").rules) == ["alpha-box", "beta-box", "gamma-link", "shaped"]
    assert found.treatment("a.md").rules["beta-box"].severity is Severity.WARNING


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ('select = ["boxes"]', ["BOX001", "BOX002"]),
        ('select = ["PAG"]', ["PAG001"]),
        ('select = ["gamma-link", "BOX002"]', ["BOX002", "PAG001"]),
        ("select = []", []),
        ('ignore = ["BOX"]', ["PAG001", "SHP001"]),
        ('ignore = ["BOX"]\nextend-select = ["alpha-box"]', ["BOX001", "PAG001", "SHP001"]),
        ('select = ["BOX"]\nignore = ["BOX001"]', ["BOX002"]),
        ('select = ["BOX001"]\nignore = ["BOX001"]', []),
        ('select = ["BOX001"]\nignore = ["ALL"]', ["BOX001"]),
        ('extend-select = ["PAG"]', ["BOX001", "BOX002", "PAG001", "SHP001"]),
        ('extend-select = ["fresh-link"]', ["BOX001", "BOX002", "PAG001", "PAG009", "SHP001"]),
    ],
)
def test_the_narrowest_selector_decides(tmp_path: Path, text: str, codes: list[str]) -> None:
    assert on(tmp_path, text) == codes


def test_the_command_line_has_the_last_word(tmp_path: Path) -> None:
    text = 'select = ["BOX"]\nignore = ["BOX001"]\n[per-path."src/"]\nignore = ["BOX002"]'
    assert on(tmp_path, text) == []
    assert on(tmp_path, text, select=("BOX001",)) == ["BOX001"]
    assert on(tmp_path, text, extend_select=("PAG001",)) == ["PAG001"]
    assert on(tmp_path, text, path="b.md", ignore=("BOX",)) == []


def test_paths_are_held_as_the_last_section_that_fits_says(tmp_path: Path) -> None:
    text = """
        [per-path."*.svg"]
        ignore = ["PAG"]
        [per-path."src/old/**"]
        select = ["BOX"]
        severity = { BOX = "info", alpha-box = "warning" }
        [per-path."src/old/kept.md"]
        extend-select = ["PAG001"]
    """
    assert on(tmp_path, text, "a.svg") == ["BOX001", "BOX002", "SHP001"]
    assert on(tmp_path, text, "src/old/a.md") == ["BOX001", "BOX002"]
    assert on(tmp_path, text, "src/old/kept.md") == ["BOX001", "BOX002", "PAG001"]
    found, _ = load(tmp_path, text)
    held = found.treatment("src/old/a.md").rules
    assert [held[name].severity for name in ("alpha-box", "beta-box")] == [Severity.WARNING, Severity.INFO]
    assert found.treatment("b.md").rules["alpha-box"].severity is Severity.ERROR


# options


def test_options_go_to_one_rule_or_to_all_of_a_family_that_have_them(tmp_path: Path) -> None:
    text = """
        [boxes]
        most = 5
        [rules.alpha-box]
        most = 7
        words = ["例"]
        [per-path."x.md".rules.alpha-box]
        words = []
    """
    found, troubles = load(tmp_path, text)
    assert troubles == []
    assert found.treatment("a.md").options_of(ALPHA) == {"most": 7, "words": ("例",)}
    assert found.treatment("x.md").options_of(ALPHA) == {"most": 7, "words": ()}
    assert found.treatment("a.md").options_of(BETA) == {"most": 5}
    assert found.treatment("a.md").options_of(GAMMA) == {}


def test_an_option_called_like_its_family_takes_the_whole_table() -> None:
    assert SHAPED.options == {"shapes": None}


def test_the_table_of_a_family_is_read_into_what_its_rule_declares(tmp_path: Path) -> None:
    """`[shapes.K]` of the family `shapes`, whose rule has the option `shapes`."""
    found, troubles = load(tmp_path, '[shapes.K]\npattern = "K\\\\d"\npages = ["a.md"]\n[shapes.S]\npattern = "S"')
    assert troubles == []
    given = found.treatment("a.md").options_of(SHAPED)
    assert given == {"shapes": {"K": Shape(re.compile("K\\d"), ("a.md",)), "S": Shape(re.compile("S"))}}


# what is for the whole book


def test_settings_of_the_book_are_read(tmp_path: Path) -> None:
    text = """
        dialect = "pandoc"
        retired = ["src/lec0?.md"]
        exclude = ["drafts/"]
        fail-on = "error"
        [kinds.observation]
        words = ["观察"]
        prefixes = ["Obs2"]
        [kinds.example]
        words = ["算例"]
    """
    found, troubles = load(tmp_path, text)
    assert troubles == []
    assert (found.settings.dialect, found.settings.fail_on) == (Dialect.PANDOC, Severity.ERROR)
    assert [found.is_retired(path) for path in ("src/lec02.md", "lec02.md")] == [True, False]
    assert found.excludes("src/drafts", is_folder=True)
    assert not found.excludes("src/drafts", is_folder=False)
    kinds = found.vocabulary
    assert [kinds.kind(word) for word in ("观察", "算例", "例", "定理")] == [
        "observation",
        "example",
        "example",
        "theorem",
    ]
    assert "observation" in kinds.by_prefix["obs2"]


# where the file is found


def test_the_nearest_file_above_counts_as_far_as_the_repository_goes(tmp_path: Path) -> None:
    (tmp_path / "lintbook.toml").write_text('select = ["BOX"]')
    repository = tmp_path / "repo"
    (repository / "books" / "one" / "src").mkdir(parents=True)
    (repository / "books" / "lintbook.toml").write_text('select = ["PAG"]\n[per-path."one/src/"]\nselect = []')
    (repository / ".git").mkdir()
    configurations = Configurations(RULES, repository)
    book = configurations.of("books/one")
    assert book.file == "books/lintbook.toml"
    assert [list(book.treatment(path).rules) for path in ("books/one/a.md", "books/one/src/a.md")] == [
        ["gamma-link"],
        [],
    ]
    assert configurations.of(".").file is None
    inside = Configurations(RULES, repository / "books" / "one").of(".")
    assert inside.file == "../lintbook.toml"
    assert [list(inside.treatment(path).rules) for path in ("a.md", "src/a.md")] == [["gamma-link"], []]


def test_pyproject_counts_only_where_it_speaks_of_lintbook(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.lintbook]\nselect = ["BOX001"]\n')
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "pyproject.toml").write_text('[project]\nname = "notes-on-lintbook"\n')
    found = Configurations(RULES, tmp_path).of("src")
    assert (found.file, list(found.treatment("src/a.md").rules)) == ("pyproject.toml", ["alpha-box"])
    (tmp_path / "lintbook.toml").write_text('select = ["PAG"]')
    assert Configurations(RULES, tmp_path).of("src").file == "lintbook.toml"


def test_the_command_line_names_another_file_or_none(tmp_path: Path) -> None:
    (tmp_path / "lintbook.toml").write_text('select = ["BOX"]')
    (tmp_path / "ci").mkdir()
    (tmp_path / "ci" / "strict.toml").write_text('select = ["PAG"]\n[per-path."src/"]\nselect = []')
    named = Configurations(RULES, tmp_path, Overrides(file="ci/strict.toml")).of("anywhere")
    assert [list(named.treatment(path).rules) for path in ("a.md", "src/a.md")] == [["gamma-link"], []]
    assert Configurations(RULES, tmp_path, Overrides(isolated=True)).of(".").file is None
    missing = Configurations(RULES, tmp_path, Overrides(file="no.toml"))
    missing.of(".")
    assert missing.troubles == [Trouble("no.toml", "does not exist")]


# mistakes


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ('selct = ["BOX"]', 1, 1, "`selct` is no key; did you mean `select`?"),
        ('extend_select = []', 1, 1, "`extend_select` is no key; did you mean `extend-select`?"),
        ('\nselect = ["BOX", "alpha-bx"]', 2, 19,
         "no rule, code or family is called `alpha-bx`; did you mean "
         "`alpha-box`?"),
        ('ignore = ["box001"]', 1, 12, "no rule, code or family is called `box001`; did you mean `BOX001`?"),
        ('ignore = ["ZZZZZ"]', 1, 12, "no rule, code or family is called `ZZZZZ`; `lintbook rules` lists them all"),
        ('select = "BOX"', 1, 11, '`select` is not a list: write `["BOX"]`'),
        ('select = [1]', 1, 11, "`select` is not a string"),
        ('gitignore = 1', 1, 13, "`gitignore` is not true or false"),
        ('dialect = "mdbok"', 1, 12,
         "`dialect` is none of `mdbook`, `mkdocs`, `jekyll`, `pandoc`, `github`; did you mean "
         "`mdbook`?"),
        ('[severity]\nalpha-box = "warn"', 2, 14,
         "`severity.alpha-box` is none of `error`, `warning`, `info`; did you mean "
         "`warning`?"),
        ('[severity]\nalhpa-box = "info"', 2, 1,
         "no rule, code or family is called `alhpa-box`; did you mean "
         "`alpha-box`?"),
        ('[rules.alpha-bx]\nmost = 1', 1, 8, "`alpha-bx` is no rule; did you mean `alpha-box`?"),
        ('[rules.alpha-box]\nmsot = 1', 2, 1, "`msot` is no option of `alpha-box`; did you mean `most`?"),
        ('[rules]\nalpha-box = 1', 2, 1, "`alpha-box` is not a table: write `[rules.alpha-box]`"),
        ('[rules.alpha-box]\nmost = 1.5', 2, 8, "`rules.alpha-box.most` is not a whole number"),
        ('[boxes]\nmsot = 1', 2, 1, "`msot` is no option of the boxes rules; did you mean `most`?"),
        ('[shapes.K]\npatern = "K"', 2, 1, "`shapes.K.patern` is no key; did you mean `pattern`?"),
        ('[shapes.K]\npattern = "("', 2, 12,
         "`shapes.K.pattern` is no regular expression: missing ), unterminated subpattern at position "
         "0"),
        ('[shapes.K]\npages = []', 1, 9, "`shapes.K` has no `pattern`"),
        ('[per-path]\n"src" = 3', 2, 2, '`src` is not a table: write `[per-path."src"]`'),
        ('[per-path."src"]\nexclude = []', 2, 1,
         "`exclude` is no key; known are `boxes`, `extend-select`, `ignore`, `pages`, `rules`, `select`, "
         "`severity`, `shapes`"),
        ('per-path = 3', 1, 1, "`per-path` is not a table"),
        ('[kinds.observation]\nword = ["观察"]', 2, 1, "`kinds.observation.word` is no key; did you mean `words`?"),
        ('select = [', 1, 11, "is no valid TOML: invalid value at the end of the file"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place_and_the_nearest_right_word(
    tmp_path: Path, text: str, line: int, column: int, message: str
) -> None:
    found, troubles = load(tmp_path, text)
    assert troubles == [Trouble("lintbook.toml", message, line, column)]
    assert found.treatment("a.md").rules is not None


def test_mistakes_in_pyproject_have_their_places_too(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "x"\n\n[tool.lintbook]\nselct = []\n[tool.lintbook.rules.alpha-box]\nmost = "3"\n'
    )
    configurations = Configurations(RULES, tmp_path)
    configurations.of(".")
    assert configurations.troubles == [
        Trouble("pyproject.toml", "`selct` is no key; did you mean `select`?", 5, 1),
        Trouble("pyproject.toml", "`tool.lintbook.rules.alpha-box.most` is not a whole number", 7, 9),
    ]


def test_all_mistakes_of_a_file_are_told_and_the_rest_is_in_force(tmp_path: Path) -> None:
    found, troubles = load(tmp_path, 'select = ["BOX"]\nfail-on = "never"\nselect2 = 1\n[boxes]\nmost = 4\nmoist = 5')
    assert [(trouble.line, trouble.column) for trouble in troubles] == [(3, 1), (2, 12), (6, 1)]
    assert [rule.code for rule in found.treatment("a.md").rules.values()] == ["BOX001", "BOX002"]
    assert found.treatment("a.md").options_of(ALPHA) == {"most": 4}
