"""The formula library: its pages are clean lecture pages, and torch counts what its formulas give."""

from __future__ import annotations

import os
import re
import warnings
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quoting import judge, problems

from lintbook.calculator.claim import Form, parse_claim
from lintbook.calculator.evaluation import Environment, Quantity
from lintbook.calculator.expression import Call, Number
from lintbook.calculator.formula import Declaration, FaultyDeclaration, Formula, Namespace, meaning, parse_block
from lintbook.calculator.judgement import judge_book
from lintbook.calculator.library import formulas_named, library
from lintbook.calculator.torch_models import COUNTS, confirmed, is_installed
from lintbook.calculator.unit import BYTE, INFORMATION, PLAIN
from lintbook.dialect import Dialect
from lintbook.engine import check
from lintbook.facts import Facts
from lintbook.parse import parse_markdown
from lintbook.text import Source

FOLDER = Path(__file__).parent.parent / "rules" / "formulas"
NAMES = sorted(library())

needs_torch = pytest.mark.skipif(
    not is_installed() and "LINTBOOK_REQUIRE_TORCH" not in os.environ, reason="torch, an extra, is not installed"
)


@cache
def pages() -> dict[str, Facts]:
    """What each page of the library says."""
    return {
        page.name: parse_markdown(Source(page.name, page.read_text(encoding="utf-8")), Dialect.GITHUB)
        for page in sorted(FOLDER.glob("*.md"))
    }


def declared() -> list[Declaration | FaultyDeclaration]:
    return [
        each for name, facts in pages().items() for b in facts.quantity_blocks for each in parse_block(name, b.lines)
    ]


def whole_library() -> Namespace:
    return Namespace.of([], formulas_named(NAMES))


def test_every_formula_of_the_pages_is_in_the_library_as_it_stands_there() -> None:
    formulas = [each for each in declared() if isinstance(each, Formula)]
    assert list(map(meaning, formulas_named(NAMES))) == list(map(meaning, formulas))
    assert len(formulas) >= 30
    assert whole_library().problems == []
    assert whole_library().faulty == set()


def test_the_pages_are_clean_and_all_their_claims_are_compared() -> None:
    verdict = judge_book(Namespace.of(declared()), [claim for facts in pages().values() for claim in facts.claims])
    assert [problem.message for problem in verdict.problems] == []
    assert all(checked.compared for checked in verdict.claims)
    report = check([str(FOLDER)], FOLDER.parent.parent)
    assert [each.message for each in report.diagnostics if each.span.path.startswith("rules/formulas")] == []


def test_every_formula_has_its_latex_its_source_and_a_worked_number() -> None:
    claims = [parse_claim(claim.text) for facts in pages().values() for claim in facts.claims]
    with_latex = {claim.names[0] for claim in claims if claim.form is Form.FORMULA}
    assert set(NAMES) - with_latex == set()
    names = whole_library()
    worked = set[str]()
    for claim in claims:
        if claim.form is Form.NAME:
            worked |= names.reach(Call(claim.names[0], ()))
        elif claim.expression:
            worked |= names.reach(claim.expression)
    # A mixture's block is part of the model whose number is published.
    assert set(NAMES) - worked == set()
    for page in FOLDER.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        assert page.name == "README.md" or "*Source:*" in text


def test_every_symbol_of_a_formula_is_explained_on_its_page() -> None:
    names = whole_library()
    for page in pages():
        text = (FOLDER / page).read_text(encoding="utf-8")
        explained = set(re.findall(r"\$([^$]+)\$", "\n".join(re.findall(r"^- .*$", text, re.MULTILINE))))
        explained = {
            name.replace("{", "").replace("}", "").lstrip("\\") for each in explained for name in each.split(", ")
        }
        for declaration in parse_page(page):
            if isinstance(declaration, Formula):
                assert names.symbols(declaration.expression) <= explained, (declaration.name, explained)


def parse_page(name: str) -> list[Declaration | FaultyDeclaration]:
    return [each for block in pages()[name].quantity_blocks for each in parse_block(name, block.lines)]


def test_the_index_lists_every_page() -> None:
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert {page.name for page in FOLDER.glob("*.md")} - {"README.md"} == set(re.findall(r"\((\w+\.md)\)", index))


# In a book


def test_books_use_the_library_and_their_own_formulas_win(tmp_path: Path) -> None:
    text = (
        "# Page\n\nOne layer has 82,944<!--= lstm_parameters d_x=32 d_h=128 --> parameters.\n\n"
        "<!-- quantities\nkv_cache = 3*n\nv := conv_parameters k=3 c_in=64 c_out=128\n-->\n\n"
        "Here 12<!--= kv_cache n=4 -->, there 73,856<!--= v -->, and 9<!--= conv_paramters k=3 -->.\n"
    )
    (tmp_path / "page.md").write_text(text, encoding="utf-8")
    report = check(["."], tmp_path)
    assert [(each.rule, each.message, each.advice) for each in report.diagnostics] == [
        ("unknown-formula", "no formula or value `conv_paramters` is declared", "did you mean `conv_parameters`?")
    ]


def test_a_library_formula_that_a_book_breaks_is_silent() -> None:
    own = parse_block("page.md", [("block_parameters = x*(", 0), ("rnn_parameters = 2*width", 40)])
    names = Namespace.of(own, formulas_named(["gpt_parameters", "lstm_parameters"]))
    assert [problem.span.path for problem in names.problems] == ["page.md"]


def test_only_what_is_asked_for_is_parsed() -> None:
    assert [formula.name for formula in formulas_named(["kv_growth", "nothing"])] == ["kv_cache", "kv_growth"]
    assert formulas_named([]) == []
    assert problems("3") == []
    assert judge("3").claims == ()


# torch


def bound_to(sizes: dict[str, int]) -> Environment:
    bytes_each = {name: Number(f"{value}byte", value * BYTE.factor, INFORMATION) for name, value in sizes.items()}
    plain = {name: Number(str(value), value, PLAIN) for name, value in sizes.items()}
    return Environment({name: bytes_each[name] if name == "s" else plain[name] for name in sizes})


def value(name: str, sizes: dict[str, int]) -> Fraction:
    """What the library gives, in bytes where it is an amount of data."""
    names = whole_library()
    result: Quantity = names.evaluator().evaluate(Call(name, ()), bound_to(sizes))
    return Fraction(result.value) / (BYTE.factor if result.dimension == INFORMATION else 1)


SMALL = {"g": [1, 3, 4], "s": [1, 2, 4, 8], "k": [1, 2, 3, 5], "st": [1, 2, 3], "p": [0, 1, 2], "L": [1, 2, 3]}


@needs_torch
@pytest.mark.parametrize("name", sorted(COUNTS))
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_torch_counts_what_the_formula_gives(name: str, data: Any) -> None:
    symbols = sorted(whole_library().symbols(Call(name, ())))
    sizes = {symbol: data.draw(st.sampled_from(SMALL.get(symbol, [*range(4, 65, 4)])), symbol) for symbol in symbols}
    if name == "conv_output":
        sizes["n"] += sizes["k"]
    assert confirmed(name, sizes) == value(name, sizes)


@needs_torch
def test_torch_confirms_the_worked_numbers() -> None:
    assert confirmed("lstm_parameters", {"d_x": 32, "d_h": 128}) == 82_944
    assert confirmed("recurrent_parameters", {"d_x": 32, "d_h": 128, "g": 4}) == 82_432
    assert confirmed("block_parameters", {"d": 768}) == 7_087_872
    assert confirmed("gpt_parameters", {"V": 50257, "P": 1024, "d": 768, "L": 12}) == 124_439_808
    assert confirmed("adam_state", {"N": 590_592}) == 1_181_184
    assert confirmed("perplexity", {"H": 1}) is None


@needs_torch
def test_torch_confirms_what_is_computed_and_not_counted() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch
    scores = torch.tensor([2.0, 1.0, 0.0], dtype=torch.float64)
    assert round(float(torch.softmax(scores, 0)[0]), 4) == 0.6652
    assert round(float(torch.softmax(scores / 0.5, 0)[0]), 4) == 0.8668
    factors = torch.full((1000,), 0.9, dtype=torch.float64).cumprod(0)
    assert int((factors > 1e-7).sum()) == 152  # the 153rd product is the first below
    assert round(float(torch.full((100,), 0.99, dtype=torch.float64).prod()), 3) == 0.366
    half = torch.full((1000,), 0.99, dtype=torch.float64).cumprod(0)
    assert int((half > 0.5).sum()) == 68


def test_every_formula_is_confirmed_by_torch_or_by_its_source() -> None:
    """What torch cannot count is taken from the work that the page names; there is no third kind."""
    assert set(COUNTS) <= set(NAMES)
    assert len(COUNTS) >= 25
