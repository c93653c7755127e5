"""The calculator's commands: `calc`, `quantities`, `quantities suggest`, and the fix of a wrong quantity."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lintbook.calculator.calculation import CalculationError, calculate, knows
from lintbook.calculator.problem import Reason
from lintbook.calculator.torch_models import is_installed
from lintbook.cli import run
from lintbook.engine import check


def computed(words: str, unit: str | None = None, solve: str | None = None) -> list[str]:
    """The lines of a calculation, what torch says left out."""
    return [line for line in calculate(words.split(), unit=unit, solve_for=solve) if "torch" not in line]


# calc


def test_a_formula_is_shown_in_fitting_units_with_its_numbers() -> None:
    assert computed("kv_cache L=32 B=1 T=8192 n_kv=8 d_h=128 s=2byte") == [
        "kv_cache = 1 GiB = 1.07374 GB",
        "  = 2*L*B*T*n_kv*d_h*s",
        "  = 2*32*1*8192*8*128*2byte",
    ]


@pytest.mark.parametrize(
    ("words", "unit", "first"),
    [
        ("2*32*8192*2byte", "MiB", "2*32*8192*2byte = 1 MiB"),
        ("block_parameters d=768", None, "block_parameters = 7,087,872"),
        ("attention_share d=768", "%", "attention_share = 33.3297 %"),
        ("memory_span rho=0.9", None, "memory_span = 152.980"),
        ("compute_time C=3e23 n=1000 f=140TFLOP/s u=0.4", "h", "compute_time = 1,488.10 h"),
        ("1/4", None, "1/4 = 0.25"),
        ("0byte", None, "0byte = 0 byte"),
        ("(d^2) d=7", None, "d^2 = 49"),
    ],
)
def test_results_in_the_unit_that_is_asked_for(words: str, unit: str | None, first: str) -> None:
    assert computed(words, unit)[0] == first


def test_a_sweep_has_several_results() -> None:
    assert [line for line in computed("conv_output n=224 p=3 k=7 st={1,2}") if " = " in line and line[0] != " "] == [
        "conv_output = 224",
        "conv_output = 112",
    ]


@pytest.mark.parametrize(
    ("words", "symbol", "result"),
    [
        ("kv_cache=4GiB L=32 B=1 T=8192 d_h=128 s=2byte", "n_kv", ["n_kv = 32"]),
        ("kv_cache=4GiB L=32 B=1 T=8192 d_h=128 n_kv=32", "s", ["s = 2 byte"]),
        ("attention_parameters=2362368", "d", ["d = -769", "d = 768"]),  # of real numbers, all are told
        ("compute_time=1day n=1000 f=140TFLOP/s u=0.4", "C", ["C = 4.8384×10^21"]),
        ("memory_span=153", "rho", ["rho = 0.900012"]),
    ],
)
def test_a_formula_is_solved_for_a_symbol(words: str, symbol: str, result: list[str]) -> None:
    assert computed(words, solve=symbol) == result


@pytest.mark.parametrize(
    ("words", "unit", "symbol", "message"),
    [
        ("kv_cahce L=1", None, None, "no formula `kv_cahce` is declared; did you mean `kv_cache`?"),
        ("kv_cache L=1", None, None, "no value for `B`, `T`, `d_h`, `n_kv`, `s`"),
        ("block_parameters d=1 e=2", None, None, "`e` is no symbol of `block_parameters`"),
        ("1/0", None, None, "division by zero"),
        ("2byte", "s", None, "the result is in byte, not in s"),
        ("2byte", "furlong", None, "`furlong` is no unit"),
        ("2*(", None, None, "a number, a name or `(` expected, `)` found"),
        ("kv_cache L=1", None, "B", "to solve, the formula is written with its result: `kv_cache=4GiB`"),
        ("block_parameters=7 ", None, "x", "`x` is no symbol of `block_parameters` that has no value yet"),
        ("{a,b}", None, None, "a formula with values or an expression is expected"),
        ("block_parameters @gpt2", None, None, "no set `gpt2` is declared"),
        ("9^9^9^9", None, None, "a result has more than 10,000 digits"),
    ],
)
def test_what_cannot_be_computed_says_why(words: str, unit: str | None, symbol: str | None, message: str) -> None:
    with pytest.raises(CalculationError) as caught:
        computed(words, unit, symbol)
    assert str(caught.value) == message


@pytest.mark.skipif(not is_installed(), reason="torch, an extra, is not installed")
def test_torch_confirms_what_it_has_a_module_for() -> None:
    assert list(calculate(["lstm_parameters", "d_x=32", "d_h=128"]))[-1] == "  torch counts the same"


def test_a_calculation_that_needs_only_the_library_reads_no_book() -> None:
    assert knows(["kv_cache", "L=1"])
    assert knows(["2*3"])
    assert not knows(["own_formula"])
    assert not knows(["kv_cache", "@llama"])


BOOK = """\
# 门控

<!-- quantities
let base : d_x=32
own = 3*n
-->

取 $d_x=32,d_h=128$，LSTM 共 $82{,}944$ 个参数，缓存 3 GiB，三倍是 12<!--= own n=4 -->。

With L=32, B=1, T=8192, n_kv=8, d_h=128 in FP16 the cache takes **1 GiB**, and 3*4 = 13.

A `d=768` block has 7,087,873 parameters, [a link of 7,087,872](https://example.com) with d=768.
"""


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").write_text(BOOK, encoding="utf-8")
    return tmp_path / "page.md"


def test_the_formulas_of_the_book_are_known(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calc", "own", "n=5"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "own = 15"
    assert run(["calc", "lstm_parameters", "@base", "d_h=128"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "lstm_parameters = 82,944"
    assert run(["calc", "nothing"]) == 2
    assert "no formula `nothing` is declared" in capsys.readouterr().err


# quantities


def test_every_quantity_is_listed_with_what_came_of_it(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["quantities"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "page.md:8:45: 3 GiB: not checked: quantities that no claim or chain vouches for",
        "page.md:8:55: 12: claim agrees",
        "page.md:10:67: 1 GiB: not checked: quantities that no claim or chain vouches for",
        "page.md:10:80: 3*4 = 13: chain differs",
        "2 of 4 quantities recomputed",
    ]
    assert run(["quantities", "list", "page.md"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5


def test_the_reasons_are_those_of_the_json(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", "--format", "json"])
    summary = json.loads(capsys.readouterr().out)["summary"]
    reasons = {str(reason) for reason in Reason}
    assert summary["progress"] == {"quantities recomputed": {"done": 2, "total": 4}}
    assert {reason: count for reason, count in summary["unchecked"].items() if reason in reasons} == {
        Reason.UNCLAIMED: 2
    }
    run(["check", "--format", "concise"])
    assert "2 of 4 quantities recomputed" in capsys.readouterr().err


# suggest


def test_claims_are_suggested_where_all_values_stand_and_one_formula_agrees(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["quantities", "suggest"]) == 0
    added = [line for line in capsys.readouterr().out.splitlines() if line.startswith("+") and "<!--=" in line]
    assert [re.findall(r"<!--=.*?-->", line)[0] for line in added] == [
        "<!--= kv_cache L=32 B=1 T=8192 n_kv=8 d_h=128 s=2byte -->",
    ]
    assert page.read_text(encoding="utf-8") == BOOK


def test_what_is_applied_checks_clean(page: Path) -> None:
    text = BOOK.replace("，三倍是 12<!--= own n=4 -->", "").replace("3*4 = 13", "3*4 = 12")
    text = text.replace("7,087,873 parameters, [a link of 7,087,872](https://example.com) with d=768", "7,087,872")
    page.write_text(text, encoding="utf-8")
    assert run(["quantities", "suggest", "--apply"]) == 0
    written = page.read_text(encoding="utf-8")
    assert "$82{,}944$<!--= lstm_parameters d_x=32 d_h=128 --> 个参数" in written
    assert "**1<!--= kv_cache L=32 B=1 T=8192 n_kv=8 d_h=128 s=2byte --> GiB**" in written
    assert "7,087,872<!--= block_parameters d=768 -->." in written
    assert check(["."], page.parent).diagnostics == ()
    assert run(["quantities", "suggest", "--apply"]) == 0
    assert page.read_text(encoding="utf-8") == written


# The fix


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("$d$: $73{,}728$<!--= (73856) -->", "$d$: $73{,}856$<!--= (73856) -->"),
        ("3.2 and 4.1<!--= (a) a={3.14159,2.7183} -->", "3.1 and 2.7<!--= (a) a={3.14159,2.7183} -->"),
        ("−12.4 %<!--= (7/8-1) -->", "−12.5 %<!--= (7/8-1) -->"),
        ("2 / 4<!--= (a) a={4,8} -->", "4 / 8<!--= (a) a={4,8} -->"),
    ],
)
def test_a_wrong_number_is_written_anew_if_asked_for(page: Path, text: str, fixed: str) -> None:
    page.write_text(text + "\n", encoding="utf-8")
    run(["check", "--fix"])
    assert page.read_text(encoding="utf-8") == text + "\n"
    run(["check", "--fix", "--unsafe-fixes"])
    assert page.read_text(encoding="utf-8") == fixed + "\n"


@pytest.mark.parametrize("text", ["3×10^23<!--= (2e23) -->", "16 GB<!--= (16*1024^3*1byte) -->", "1/3<!--= (1/4) -->"])
def test_what_has_several_repairs_is_left_alone(page: Path, text: str) -> None:
    page.write_text(text + "\n", encoding="utf-8")
    run(["check", "--fix", "--unsafe-fixes"])
    assert page.read_text(encoding="utf-8") == text + "\n"


# What a run costs


def test_a_book_without_formula_claims_imports_neither_sympy_nor_torch(page: Path) -> None:
    program = (
        "import sys; from lintbook.cli import run; run(['check', '--no-cache']);"
        "print({'sympy', 'torch', 'mpmath'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=page.parent, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "set()"
