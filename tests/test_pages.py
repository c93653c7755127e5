"""Rules about pages: what is said of a fragment that leads nowhere, and how long hostile pages take."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from bounds import HANGS

from lintbook.checks import RULES
from lintbook.engine import Report, check

PAGES = [rule for rule in RULES if rule.family == "pages"]


def checked(folder: Path, page: str, **others: str) -> Report:
    """Check a book of mdBook with one chapter, ``page``."""
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "book.toml").write_text("[book]\n", encoding="utf-8")
    (folder / "src/SUMMARY.md").write_text("- [A](a.md)\n", encoding="utf-8")
    (folder / "src/a.md").write_text(page, encoding="utf-8")
    for name, text in others.items():
        (folder / f"src/{name}").write_text(text, encoding="utf-8")
    return check((".",), folder, PAGES, cached=False)


@pytest.mark.parametrize(
    ("heading", "fragment", "advice", "fix"),
    [
        ("Two Sums", "Two-Sums", "`two-sums` differs in case only", "write `#two-sums`"),
        ("Two --- Sums", "two-sums", "`two--sums` has the same words", "write `#two--sums`"),
        ("Lab 3.1: Sums", "lab-3.1-sums", "`lab-31-sums` has the same words", "write `#lab-31-sums`"),
        ("夹逼 定理", "夹逼定理", "`夹逼-定理` has the same words", "write `#夹逼-定理`"),
        ("夹逼 定理", "%E5%A4%B9%E9%80%BC%E5%AE%9A%E7%90%86", "`夹逼-定理` has the same words", None),
        ("Sums of limits and products", "sums-of-limits", "was it renamed to `sums-of-limits-and-products`?", None),
        ("Products", "x", None, None),
    ],
)
def test_the_heir_of_a_fragment(
    tmp_path: Path, heading: str, fragment: str, advice: str | None, fix: str | None
) -> None:
    (found,) = checked(tmp_path, f"# A\n\n## {heading}\n\n[b](#{fragment})\n").diagnostics
    assert (found.rule, found.advice) == ("broken-fragment", advice)
    if fix is not None:
        assert found.fix is not None
        assert (found.fix.title, found.fix.safe) == (fix, True)
    elif found.fix is not None:  # written as it was found, percent signs and all
        assert found.fix.edits[0].replacement == "%E5%A4%B9%E9%80%BC-%E5%AE%9A%E7%90%86"


def test_of_two_ids_that_may_be_meant_none_is_put_in_place(tmp_path: Path) -> None:
    (found,) = checked(tmp_path, "# A\n\n## b.c {#b.c}\n\n## b-c\n\n[b](#b_c)\n").diagnostics
    assert found.advice == "`b-c` has the same words"
    assert found.fix is None


@pytest.mark.parametrize(
    "unit",
    [
        "<div>\n\n",
        "## a {#x}\n\n",
        '<a id="x"></a>\n',
        "## t[^a]\n\n[^a]: n\n\n",
        "{{#include a.md}}\n\n## h\n\n",
        "{{#include gone.md}}\n",
        "[a](#b%)\n\n## h%\n\n",
        "[a](b%.md)\n\n",
        "[a]: b%\n",
        "{% <div>\n",
        "[a](b c.md)\n\n",
    ],
)
def test_hostile_page_does_not_hang(tmp_path: Path, unit: str) -> None:
    page = "".join(unit.replace("%", str(number)) for number in range(4_000))
    start = time.process_time()
    checked(tmp_path, page)
    assert time.process_time() - start < HANGS
