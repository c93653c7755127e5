"""The rulebook is executed: every example of every page, with only the rule of the page on."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
from mdbook import build, built_pages
from repositories import Repository

from lintbook.checks import RULES
from lintbook.engine import check, fix
from lintbook.files import rulebook_folder
from lintbook.reporters import reporter
from lintbook.reporters.terminal import PLAIN
from lintbook.rule import Rule
from lintbook.rulebook import (
    SECTIONS,
    Example,
    Page,
    RulebookError,
    page_names,
    page_text,
    read_page,
)
from lintbook.typed import name_of

ROOT = Path(__file__).parent.parent
BY_NAME = {rule.name: rule for rule in RULES}


def page_of(rule: Rule) -> Page:
    return read_page(rule.name, page_text(rule.family, rule.name))


EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.name}: {example.title}")
    for rule in RULES
    if (rule.family, rule.name) in set(page_names())
    for example in page_of(rule).examples
]


def lay_out(example: Example, rule: Rule, folder: Path) -> None:
    """Write the files of an example, with a configuration that switches on only ``rule`` unless it selects itself."""
    only = "" if "select" in tomllib.loads(example.configuration) else f'select = ["{rule.name}"]\n'
    for path, text in {**example.files, "lintbook.toml": only + example.configuration}.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")


def commit(files: dict[str, str], folder: Path) -> None:
    """Make a repository in ``folder`` whose only commit holds ``files``, and leave none of them in the folder."""
    repository = Repository(folder)
    repository.write(files)
    repository.commit("before")
    for path in files:
        (folder / path).unlink()


def found_in(example: Example, rule: Rule, folder: Path) -> list[str]:
    """Lay out the files of an example in ``folder`` and return what the concise format prints for them."""
    lay_out(example, rule, folder)
    if example.before:
        commit({**example.files, **example.before}, folder)
        lay_out(example, rule, folder)
    report = check((".",), folder, cached=False, base="HEAD" if example.before else None)
    assert report.troubles == ()
    return list(reporter("concise")(report, PLAIN))


def with_diagnostics(text: str, example: Example, found: list[str]) -> str:
    """The text of a page in which ``example`` expects what was ``found``."""
    lines = text.split("\n")
    fence = ["```diagnostics", *found, "```"] if found else []
    if example.expected is not None:
        lines[example.expected.first_line - 1 : example.expected.last_line] = fence
    else:
        lines[example.last_line : example.last_line] = ["", *fence]
    return "\n".join(lines).rstrip("\n") + "\n"


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_an_example_shows_what_the_rule_finds(rule: Rule, example: Example, tmp_path: Path, update: bool) -> None:
    found = found_in(example, rule, tmp_path)
    if update and found != example.diagnostics:
        page = ROOT / "rules" / rule.family / f"{rule.name}.md"
        text = page.read_text(encoding="utf-8")
        (now,) = (each for each in read_page(rule.name, text).examples if each.title == example.title)
        page.write_text(with_diagnostics(text, now, found), encoding="utf-8", newline="")
    else:
        assert found == example.diagnostics


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_fixes_make_of_an_example_what_it_shows_and_leave_nothing_to_fix(
    rule: Rule, example: Example, tmp_path: Path
) -> None:
    lay_out(example, rule, tmp_path)
    repair = fix((".",), tmp_path, unsafe=True, cached=False)
    assert repair.new == example.fixed
    assert [each.message for each in repair.report.diagnostics if each.fix is not None and each.fix.edits] == []


# rules and pages belong together


def test_every_rule_has_its_page_and_every_page_its_rule() -> None:
    assert sorted(page_names()) == sorted((rule.family, rule.name) for rule in RULES)


def test_the_index_lists_every_rule_with_its_code_and_severity() -> None:
    index = (rulebook_folder() / "README.md").read_text(encoding="utf-8")
    for rule in RULES:
        row = f"| {rule.code} | [{rule.name}]({rule.family}/{rule.name}.md) | {rule.severity.value} |"
        assert row in index


def table_of_contents() -> Iterator[str]:
    """The lines of SUMMARY.md: families in the order of the rules, a page for each rule, the formulas behind."""
    folder = ROOT / "rules"
    yield from ("# Summary", "", "[The rulebook](README.md)")
    for family, rules in groupby(RULES, key=lambda rule: rule.family):
        yield from ("", f"# {family.capitalize()}", "")
        yield from (f"- [{rule.name}]({family}/{rule.name}.md)" for rule in rules)
    yield from ("", "# Formulas", "", "- [The formula library](formulas/README.md)")
    library = (folder / "formulas/README.md").read_text(encoding="utf-8")
    for name in re.findall(r"^\| \[[^\]]+\]\(([a-z]+\.md)\)", library, re.MULTILINE):
        title = (folder / "formulas" / name).read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        yield f"    - [{title}](formulas/{name})"


def test_the_table_of_contents_names_every_page_in_order(update: bool) -> None:
    file = ROOT / "rules/SUMMARY.md"
    expected = "".join(f"{line}\n" for line in table_of_contents())
    if update:
        file.write_text(expected, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == expected


def test_the_rulebook_builds_as_a_book_with_all_its_pages_and_examples_as_they_are_written(tmp_path: Path) -> None:
    folder = ROOT / "rules"
    done = build(folder, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "WARN" not in done.stderr
    pages = {path.relative_to(folder).with_suffix(".html").as_posix() for path in folder.rglob("*.md")}
    assert built_pages(tmp_path).keys() - {"index.html"} == pages - {"SUMMARY.html"}
    assert "{{#include proofs/gone.md}}" in (tmp_path / "pages/missing-include.html").read_text(encoding="utf-8")


def test_lintbook_finds_nothing_in_the_rulebook() -> None:
    report = check(("rules",), ROOT, cached=False)
    assert (report.diagnostics, report.troubles) == ((), ())


def test_codes_and_names_are_unique() -> None:
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
class TestEachRule:
    def test_has_a_page_titled_with_its_name_and_prose_in_every_section(self, rule: Rule) -> None:
        page = page_of(rule)
        assert page.title == rule.name
        assert all(page.sections[section] for section in SECTIONS)

    def test_has_a_clean_and_a_failing_example(self, rule: Rule) -> None:
        failing = [bool(example.diagnostics) for example in page_of(rule).examples]
        assert set(failing) == {True, False}

    def test_documents_its_options(self, rule: Rule) -> None:
        documented = re.findall(r"^- `([a-z-]+)`", page_of(rule).sections["Options"], re.MULTILINE)
        assert sorted(documented) == sorted(name_of(option) for option in rule.options)

    def test_declares_types_that_values_can_be_held_to(self, rule: Rule) -> None:
        assert rule.option_types().keys() == rule.options.keys()

    def test_has_code_name_and_summary_in_their_grammar(self, rule: Rule) -> None:
        assert re.fullmatch(r"[A-Z]{3}\d{3}", rule.code)
        assert re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.name)
        assert re.fullmatch(r"[A-Z][^\n]*\.", rule.summary)

    def test_says_its_messages_in_their_grammar(self, rule: Rule) -> None:
        for example in page_of(rule).examples:
            for line in example.diagnostics:
                # What is mild of a rule is info, whatever its severity.
                said = re.search(rf"(?:{rule.severity.value}|info) {rule.code} {rule.name}: (.*)", line)
                assert said, line
                message = said[1]
                assert not message[0].isupper(), line
                assert not re.search(r"[.。]$", message), line


# reading pages

PAGE = """\
# some-rule

## Why

Because.

## Repair

Mend it.

## Options

None.

## Limits

None.

## Examples

### A fault

`src/one.md`:

````markdown
```
## no heading
```
````

```diagnostics
src/one.md:1:1: error XXX001 some-rule: seen
```

### Fine

Two files.

`book.toml`:

```toml
[book]
```

`src/SUMMARY.md`:

~~~markdown
# Summary
~~~
"""


def test_a_page_is_read_into_sections_and_examples() -> None:
    page = read_page("some-rule", PAGE)
    assert page.title == "some-rule"
    assert page.sections["Why"] == "Because."
    fault, fine = page.examples
    assert (fault.title, fault.files) == ("A fault", {"src/one.md": "```\n## no heading\n```\n"})
    assert fault.diagnostics == ["src/one.md:1:1: error XXX001 some-rule: seen"]
    assert (fine.title, fine.diagnostics) == ("Fine", [])
    assert fine.files == {"book.toml": "[book]\n", "src/SUMMARY.md": "# Summary\n"}


@pytest.mark.parametrize(
    ("seen", "instead", "message"),
    [
        ("# some-rule\n\n", "", "a page begins with its one title"),
        ("## Limits", "## Limit", "the sections of a page are Why, Repair, Options, Limits, Examples"),
        ("### A fault", "", "some-rule.md:23: an example begins with a heading `###`"),
        ("### Fine", "### A fault", "some-rule.md:35: an example has a heading `###` of its own"),
        ("`src/one.md`:", "", "some-rule.md:25: no code span and colon above say which file the fence holds"),
        ("`src/one.md`:", "`../one.md`:", "`../one.md` is no path of a new file inside the example"),
        ("`src/SUMMARY.md`:", "`book.toml`:", "`book.toml` is no path of a new file inside the example"),
        ("`src/one.md`:", "`src/one.md` (fixed):", "some-rule.md:23: `src/one.md` is fixed and was not shown before"),
        ("~~~\n", "", "the fence is never closed"),
        (PAGE[PAGE.index("Two files.") :], "", "some-rule.md:35: the example has no file"),
    ],
)
def test_a_page_that_is_not_written_as_one_is_refused(seen: str, instead: str, message: str) -> None:
    assert seen in PAGE
    start, _, end = PAGE.rpartition(seen)
    with pytest.raises(RulebookError, match=re.escape(message)):
        read_page("some-rule", start + instead + end)


def test_a_page_may_show_configuration_and_what_fixing_makes() -> None:
    shown = "`src/one.md` (fixed):\n\n```markdown\nfine\n```\n\n```toml\nselect = []\n```\n\n### Fine"
    fault, fine = read_page("some-rule", PAGE.replace("### Fine", shown)).examples
    assert fault.files == {"src/one.md": "```\n## no heading\n```\n"}
    assert (fault.fixed, fault.configuration) == ({"src/one.md": "fine\n"}, "select = []\n")
    assert (fine.fixed, fine.configuration) == ({}, "")


def test_a_rule_without_a_page_is_named() -> None:
    with pytest.raises(RulebookError, match=r"the rulebook has no page `boxes/no-such-rule\.md`"):
        page_text("boxes", "no-such-rule")


def test_updating_replaces_adds_and_removes_what_is_expected() -> None:
    fault, fine = read_page("some-rule", PAGE).examples
    line = "src/one.md:1:1: error XXX001 some-rule: seen"
    assert with_diagnostics(PAGE, fault, [line]) == PAGE
    assert with_diagnostics(PAGE, fault, [line, line]) == PAGE.replace(line, f"{line}\n{line}")
    assert with_diagnostics(PAGE, fine, [line]) == f"{PAGE}\n```diagnostics\n{line}\n```\n"
    mended = with_diagnostics(PAGE, fault, [])
    assert [each.diagnostics for each in read_page("some-rule", mended).examples] == [[], []]
