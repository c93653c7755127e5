from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quoting import DECLARATIONS as DECLARATIONS_PATH
from quoting import bound, claims, judge, lines, namespace, place, problems

from lintbook.calculator.formula import Namespace, parse_block
from lintbook.calculator.judgement import judge_book
from lintbook.calculator.problem import Problem, Reason
from lintbook.dialect import Dialect
from lintbook.parse import parse_markdown
from lintbook.text import Source

# The declarations that QUANTITIES sections 0 and 8 give.
BOOK = r"""
kv_cache [byte] = 2*L*B*T*n_kv*d_h*s          # K and V
kv_bad [byte] = 2*L*B*T*n_kv*d_h
conv   = k*k*c_in*c_out + c_out
n_star = -7/log10(ρ)
cell = g*(d_h*(d_x+d_h)+d_h)
attn   = 4*d^2+4*d
ffn = 8*d^2+5*d
block = attn()+ffn()+4*d
share = attn()/block()
scores = B*h*T^2
growth = scores(T=(4*T))/scores()
out = floor((n+2*p-k)/st)+1
let base : B=1 T=8192 d_h=128 s=2byte
let llama : @base L=32
kv.mha := kv_cache @llama n_kv=32
kv.gqa := kv_cache @llama n_kv=8
kv.mqa := kv_cache @llama n_kv=1
ppl := quoted
"""


def test_the_book_of_the_examples_has_no_faults_of_its_own() -> None:
    assert namespace(BOOK).problems == []


# The twelve examples


@pytest.mark.parametrize(
    ("page", "numbers"),
    [
        ("一层共有 73,856<!--= conv k=3 c_in=64 c_out=128 --> 个参数", ["73,856"]),
        ("缓存从 4 / 1 / 0.125 GiB<!--= {kv.mha,kv.gqa,kv.mqa} --> 不等", ["4", "1", "0.125"]),
        (r"$\rho=0.9\to153$ 步，$0.98\to798$ 步<!--= n_star ρ={0.9,0.98} -->", ["153", "798"]),
        (r"$f\equiv0.99$ 时 100 步仍留 $37\%$<!--= (0.99^100) -->", ["37"]),
        (
            r"$d_x=32,d_h=128$：$20{,}608/61{,}824/82{,}432$<!--= cell d_x=32 d_h=128 g={1,3,4} -->",
            ["20{,}608", "61{,}824", "82{,}432"],
        ),
        (
            r"单块约 $7.09$ M<!--= block d=768 -->（709 万<!--= block d=768 -->），"
            r"注意力 $33.3\%$<!--= share d=768 -->",
            ["7.09", "709", "33.3"],
        ),
        ("$T$ 乘 4：分数矩阵乘 16<!--= growth B=1 h=1 T=1 -->", ["16"]),
        ("参数 `73,856`<!--= conv k=3 c_in=64 c_out=128 -->", ["73,856"]),
        (
            "模型不到 5 GiB<!--= kv_cache @llama n_kv=32 ; below -->，误差变化 −12.5 %<!--= (7/8-1) -->",
            ["5", "−12.5"],
        ),
        ("MHA 4 GiB / GQA 1 GiB / MQA 0.125 GiB<!--= kv_cache @llama n_kv={32,8,1} -->", ["4", "1", "0.125"]),
    ],
)
def test_examples_that_agree(page: str, numbers: list[str]) -> None:
    assert problems(page, BOOK) == []
    assert bound(page, BOOK) == numbers


def test_a_wrong_number_is_recomputed_and_its_ratio_named() -> None:  # example 8, as a cell of its own
    page = "10<!--= kv_cache @base L=80 n_kv=64 -->"
    (problem,) = judge(page, BOOK, header="显存 (GiB)").problems
    assert problem.message == "10 GiB, but kv_cache gives 20 GiB (exactly 2×)"
    assert place(problem, page) == "10"
    assert problem.advice == "kv_cache = 2*80*1*8192*64*128*2byte"


def test_claims_of_one_text_are_held_each_against_its_own_numbers() -> None:
    claim = "<!--= conv k=3 c_in=64 c_out=128 -->"
    page = f"先 73,856{claim}，后 73,857{claim}，再无{claim}，又 73,856 byte{claim}"
    found = judge(page, BOOK).problems
    assert [(str(each.kind), place(each, page)) for each in found] == [
        ("wrong", "73,857"),
        ("unbound", claim),
        ("mismatched-unit", "73,856"),
    ]
    assert bound(page, BOOK) == ["73,856", "73,857"]


def test_a_formula_of_the_wrong_dimension_is_one_problem_at_its_declaration() -> None:  # example 10
    page = "4 GiB / 1 GiB / 0.125 GiB<!--= kv_bad L=32 B=1 T=8192 d_h=128 n_kv={32,8,1} -->"
    (problem,) = judge(page, BOOK).problems
    assert problem.kind == "mismatched-unit"
    assert problem.message == (
        "declared in byte, counts elements; every quoted value is exactly 2× the formula: bytes per element?"
    )
    assert problem.span.path == DECLARATIONS_PATH
    assert BOOK[problem.span.start : problem.span.end] == "kv_bad"
    (related,) = problem.related
    assert page[related.span.start : related.span.end].startswith("kv_bad L=32")


def reasons(page: str, declarations: str = BOOK) -> list[Reason | None]:
    """Why the claims of a page were not compared; None for those that were."""
    return [checked.reason for checked in judge(page, declarations).claims]


def problems_of_page(markdown: str) -> list[tuple[str, str, str]]:
    """Kind, message and place of each problem in a Markdown page, beside the declarations of the examples."""
    verdict = judge_book(namespace(BOOK), parse_markdown(Source("page.md", markdown), Dialect.MDBOOK).claims)
    return [(str(p.kind), p.message, markdown[p.span.start : p.span.end]) for p in verdict.problems]


# Columns


COLUMN = """\
| 模型 | 层数 $L$ | KV 头数 | 显存 (GiB)<!--= each kv_cache @base L=col(层数 L) n_kv=col(KV 头数) --> |
|---|---|---|---|
"""


def test_a_column_is_held_row_by_row_against_the_columns_beside_it() -> None:  # example 8
    rows = "| 7B | 32 | 8 | 1 |\n| 70B-GQA | 80 | 8 | 2.5 |\n| 70B-MHA | 80 | 64 | 10 |\n"
    assert problems_of_page(COLUMN + rows) == [
        ("wrong", "10 GiB, but kv_cache gives 20 GiB (exactly 2×)", "10"),
    ]


def test_rows_without_numbers_are_skipped_and_counted_and_cells_with_claims_go_by_those() -> None:
    rows = "| a | 32 | 8 | OOM |\n| b | — | 8 | 7 |\n| c | 32 | 8 | 4 GiB<!--= kv.mha --> |\n| d | 32 | 8 | 1 |\n"
    facts = parse_markdown(Source("page.md", COLUMN + rows), Dialect.MDBOOK)
    verdict = judge_book(namespace(BOOK), facts.claims)
    assert verdict.problems == ()
    assert [(checked.skipped, len(checked.numbers)) for checked in verdict.claims] == [(2, 1), (0, 1)]


def test_one_ratio_on_all_rows_is_one_problem_at_the_first() -> None:
    rows = "| a | 32 | 8 | 2 |\n| b | 80 | 8 | 5.0 |\n"
    (problem,) = problems_of_page(COLUMN + rows)
    assert problem == ("wrong", "2 / 5.0 GiB, but kv_cache gives 1 / 2.5 GiB (each exactly 1/2×)", "2")


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("$d$ | 参数（K）<!--= each attn d=col(d) -->", "16 | 1.1"),
        ("宽度 | 参数<!--= each attn d=col(1) -->", "16 | 1,088"),
        ("$d_{model}$ | 参数<!--= each attn d=col(d_model) -->", "约 16 | 共 1 层，1088 个"),
        ("宽度 (token) | 参数<!--= each attn d=col(宽度) -->", "16 | 1088"),
        ("宽度 | 参数<!--= each attn d=col(宽度) ; within 1% -->", "16 | 1080"),
        ("$d$ (K) | 参数 (M)<!--= each attn d=col(d) -->", "1 | 4.00"),
    ],
)
def test_columns_are_named_as_readers_name_them(header: str, cells: str) -> None:
    assert problems_of_page(f"| {header} |\n|---|---|\n| {cells} |\n") == []


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("d | x<!--= each attn d=col(e) -->", "no column is called `e`"),
        ("d | d<!--= each attn d=col(d) -->", "2 columns are called `d`"),
        ("d | x<!--= each attn d=col(3) -->", "no column is called `3`"),
        ("d | x<!--= each attn e=col(d) -->", "`e` is no symbol of `attn`"),
    ],
)
def test_columns_that_are_not_there(header: str, message: str) -> None:
    ((kind, found, _),) = problems_of_page(f"| {header} |\n|---|---|\n| 1 | 2 |\n")
    assert (kind, found) == ("malformed", message)


def test_a_claim_on_a_column_stands_in_a_header() -> None:
    text = "a claim on a column stands in a header cell of a table"
    assert problems_of_page("8<!--= each attn d=1 -->\n")[0][:2] == ("malformed", text)
    assert problems_of_page("| x |\n|---|\n| 8<!--= each attn d=1 --> |\n")[0][:2] == ("malformed", text)


def test_a_wrong_dimension_under_all_rows_is_one_problem_at_the_declaration() -> None:
    table = COLUMN.replace("kv_cache", "kv_bad").replace("@base", "B=1 T=8192 d_h=128")
    verdict = judge_book(
        namespace(BOOK),
        parse_markdown(Source("page.md", table + "| a | 32 | 8 | 1 |\n| b | 80 | 8 | 2.5 |\n"), Dialect.MDBOOK).claims,
    )
    (problem,) = verdict.problems
    assert problem.message.startswith("declared in byte, counts elements; every quoted value is exactly 2×")
    assert len(problem.related) == 1


# Formulas in the text


@pytest.mark.parametrize(
    "page",
    [
        r"$\lfloor(n+2p-k)/s\rfloor+1$<!--= formula out st=s -->",  # example 12
        r"$N = 4d^2 + 4d$<!--= formula attn -->",
        r"$\boldsymbol{N} \approx 4\cdot d(d+1)$<!--= formula attn -->",
        r"$M = 2LBTn_{kv}d_hs$<!--= formula kv_cache -->",
        r"$2 L B\,T\,n_{\mathrm{kv}} d_{h} s$ 字节<!--= formula kv_cache -->",
        r"$n^\star=-7/\log_{10}\rho$<!--= formula n_star -->",
        r"$\frac{-7}{\lg\rho}$<!--= formula n_star -->",
        r"$k^2 c_{in} c_{out} + c_{out}$<!--= formula conv -->",
        r"$c_{\text{out}}(k^2c_{\text{in}}+1)$<!--= formula conv -->",
        r"$12d^2+13d$<!--= formula block -->",
        r"$16$<!--= formula growth -->",
        r"$\begin{aligned} N &= 4d^2+4d \\ &= 4d(d+1) \end{aligned}$<!--= formula attn -->",
    ],
)
def test_formulas_that_are_the_named_one(page: str) -> None:
    assert problems(page, BOOK) == []
    assert reasons(page) == [None]


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (r"$4d^2$<!--= formula attn -->", "the formula in the text is not `attn`: with d="),
        (r"$\lfloor(n+2p-k)/s\rfloor$<!--= formula out st=s -->", "the formula in the text is not `out`: with k="),
        (r"$\lfloor(n+2p-k)/s\rfloor+1$<!--= formula out -->", "`s` is no symbol of `out`"),
        (r"$2LBTn_{kv}d_h$<!--= formula kv_cache -->", "the formula in the text is not `kv_cache`: with B="),
        (r"$15$<!--= formula growth -->", "the formula in the text is not `growth`: "),
    ],
)
def test_formulas_that_are_not(page: str, message: str) -> None:
    (problem,) = judge(page, BOOK).problems
    assert problem.kind == "mismatched-formula"
    assert problem.message.startswith(message)


def test_a_claim_on_a_display_formula_stands_behind_its_closing_signs() -> None:
    text = "$$\nN = 4d^2 + 4d\n$$<!--= formula attn -->\n\n$$\nN = 4d^2 + 3d\n$$<!--= formula attn -->\n"
    ((kind, _, at),) = problems_of_page(text)
    assert (kind, at.strip()) == ("mismatched-formula", "N = 4d^2 + 3d")


def test_a_mismatched_formula_is_told_by_what_is_missing() -> None:
    (problem,) = judge(r"$N = 4d^2$<!--= formula attn -->", BOOK).problems
    assert problem.advice == "`attn` minus the text is 4*d"
    assert place(problem, r"$N = 4d^2$<!--= formula attn -->") == "N = 4d^2"


def test_formulas_that_cannot_be_read_say_so() -> None:
    assert reasons(r"$\sum_i d_i$<!--= formula attn -->") == [Reason.UNREAD_FORMULA]
    assert problems("4d<!--= formula attn -->", BOOK) == [("unbound", "no formula stands before the claim")]
    assert problems(r"$4d^2+4d$<!--= formula attn e=f -->", BOOK) == [("malformed", "`e` is no symbol of `attn`")]


# Measured values


def test_quotations_that_have_a_common_value() -> None:
    assert problems("困惑度 12.4<!--= ppl -->，约 12<!--= ppl -->，12.38<!--= ppl -->", BOOK) == []
    assert problems("不到 13<!--= ppl ; below -->，12.4<!--= ppl -->", BOOK) == []
    assert problems("4 GiB 与 12.4<!--= {kv.mha,ppl} -->", BOOK) == []


def test_quotations_that_have_none_are_told_at_the_later_one() -> None:  # example 12
    page = "验证困惑度 12.4<!--= ppl -->，总结里 12.8<!--= ppl -->，再 12.41<!--= ppl -->"
    (problem,) = judge(page, BOOK).problems
    assert (problem.kind, place(problem, page)) == ("inconsistent", "12.8")
    assert problem.message == "12.8, but `ppl` is quoted as 12.4 elsewhere"
    (related,) = problem.related
    assert page[related.span.start : related.span.end] == "12.4"


def test_a_measured_value_has_the_dimension_that_is_declared() -> None:
    book = "peak [GB] := quoted\nacc := quoted"
    assert problems("显存 40 GB<!--= peak -->，约 40,000 MB<!--= peak -->", book) == []
    assert problems("显存 40<!--= peak -->", book) == [
        ("mismatched-unit", "`40` has no unit, but peak is in byte"),
    ]
    assert problems("准确率 91.3%<!--= acc -->，0.913<!--= acc -->，91.5 %<!--= acc -->", book) == [
        ("inconsistent", "91.5%, but `acc` is quoted as 91.3% elsewhere"),
    ]


# The order of judgement


@pytest.mark.parametrize(
    ("page", "kind", "message", "at"),
    [
        ("3<!--= nope a=1 -->", "unknown", "no formula or value `nope` is declared", "nope a=1"),
        ("3<!--= conv @nope -->", "unknown", "no set `nope` is declared", "conv @nope"),
        ("3<!--= {kv.mha,nope} -->", "unknown", "no value `nope` is declared", "{kv.mha,nope}"),
        ("3<!--= (2*nope()) -->", "unknown", "no formula `nope` is declared", "(2*nope())"),
        ("3<!--= llama -->", "unknown", "no formula or value `llama` is declared", "llama"),
        ("3<!--= each nope -->", "unknown", "no formula `nope` is declared", "each nope"),
        ("3<!--= conv k=3 c_in=64 -->", "unbound", "`c_out` of `conv` has no value", "<!--= conv k=3 c_in=64 -->"),
        ("3<!--= conv -->", "unbound", "`c_in`, `c_out`, `k` of `conv` have no value", "<!--= conv -->"),
        ("3<!--= attn d=(2*x) -->", "unbound", "`x` of `attn` has no value", "<!--= attn d=(2*x) -->"),
        ("3<!--= attn d={1,(2*x)} -->", "unbound", "`x` of `attn` has no value", "<!--= attn d={1,(2*x)} -->"),
        ("3<!--= attn d=1 dd=2 -->", "malformed", "`dd` is no symbol of `attn`", "dd=2"),
        (
            "4 GiB<!--= kv.mha L=3 -->",
            "malformed",
            "`kv.mha` is a named value: it takes no bindings",
            "kv.mha L=3",
        ),
        (
            "4 GiB<!--= kv.mha @base -->",
            "malformed",
            "`kv.mha` is a named value: it takes no bindings",
            "kv.mha @base",
        ),
        ("3<!--= conv k = 3 -->", "malformed", "`=` expected behind `k`, without blanks", "k"),
        ("3<!--= (1/0) -->", "malformed", "division by zero", "(1/0)"),
        ("3<!--= (9^9^9^9) -->", "malformed", "a result has more than 10,000 digits", "(9^9^9^9)"),
        ("3<!--= (2byte+1) -->", "mismatched-unit", "byte and a plain number are added", "(2byte+1)"),
        (
            "3<!--= attn d=(2byte+1) -->",
            "mismatched-unit",
            "byte and a plain number are added",
            "attn d=(2byte+1)",
        ),
        ("4<!--= kv.mha -->", "mismatched-unit", "`4` has no unit, but kv.mha is in byte", "4"),
        ("4 ms<!--= kv.mha -->", "mismatched-unit", "`4 ms` is in s, but kv.mha is in byte", "4"),
        ("4 GiB<!--= (4) -->", "mismatched-unit", "`4 GiB` is in byte, but (4) is a plain number", "4"),
    ],
)
def test_the_first_step_that_fails_speaks(page: str, kind: str, message: str, at: str) -> None:
    (problem,) = judge(page, BOOK).problems
    assert (problem.kind, problem.message, place(problem, page)) == (kind, message, at)


def test_of_several_numbers_a_claim_tells_which_it_binds_where_the_unit_is_not_that_of_the_formula() -> None:
    (problem,) = judge("4 GiB with 32 heads, 1 GiB with 8<!--= kv_cache @llama n_kv={32,8} -->", BOOK).problems
    assert problem.message == "`8` has no unit, but kv_cache is in byte"
    assert problem.advice == "the claim binds 1 GiB, 8"
    (alone,) = judge("4<!--= kv.mha -->", BOOK).problems
    assert alone.advice is None


def test_a_set_may_hold_symbols_that_nothing_uses() -> None:
    assert problems("2097152<!--= scores @llama h=(1/32) -->", BOOK) == []


def test_a_written_binding_overrides_every_set_and_later_sets_earlier_ones() -> None:
    assert problems("1 GiB<!--= kv_cache n_kv=8 @llama -->", BOOK) == []
    assert problems("1 GiB<!--= kv_cache L=32 n_kv=8 @base -->", BOOK) == []
    book = BOOK + "let two : T=4096"
    assert problems("2 GiB<!--= kv_cache @llama @two n_kv=32 -->", book) == []
    assert problems("4 GiB<!--= kv_cache @two @llama n_kv=32 -->", book) == []


def test_bindings_may_be_expressions_of_one_another() -> None:
    assert problems("64<!--= (d_ff*d) d_ff=(4*d) d=4 -->") == []


def test_sweeps_go_in_step() -> None:
    assert problems("2、12<!--= (a*b) a={1,3} b={2,4} -->") == []


def test_a_call_passes_the_callers_values_on() -> None:
    assert problems("64 和 4<!--= (scores(T=(4*T))/h) B=1 h=1 T={2,(1/2)} -->", BOOK) == []


def test_claims_on_a_malformed_declaration_are_silent() -> None:
    for page, book in (("3<!--= f -->", "f = 2*("), ("3<!--= (g()) -->", "g = f()\nf = g()")):
        assert problems(page, book) == []
        assert reasons(page, book) == [Reason.FAULTY_DECLARATION]


def test_a_named_value_without_value_is_one_problem_at_its_declaration() -> None:
    book = "f = 2*a/b\nv := f a=1\nw := f a=1 b=0"
    page = "3<!--= v --> 4<!--= v --> 5<!--= w -->"
    found = [(str(p.kind), p.message, book[p.span.start : p.span.end]) for p in judge(page, book).problems[:2]]
    assert found == [("unbound", "`b` has no value", "v"), ("malformed", "division by zero", "w")]
    assert problems(page, book)[2:] == []


def test_a_named_value_in_another_unit_than_declared() -> None:
    (problem,) = judge("3", "f = 2*a\nv [byte] := f a=1").problems
    assert (problem.kind, problem.message) == (
        "mismatched-unit",
        "declared in byte, but gives a plain number",
    )


def test_a_named_value_whose_bindings_do_not_fit_is_reported_at_its_declaration() -> None:
    book = "f = 2*a\nv := f a=(1byte+1)"
    (problem,) = judge("3<!--= v -->", book).problems
    assert (problem.message, book[problem.span.start :]) == ("byte and a plain number are added", "v := f a=(1byte+1)")
    assert reasons("3<!--= v -->", book) == [Reason.FAULTY_DECLARATION]


def test_a_number_on_two_lines_is_shown_on_one() -> None:
    assert problems("1 /\n7<!--= (1/4) -->") == [("wrong", "1 / 7, but (1/4) gives 1/4")]


def test_a_formula_wrong_under_some_claims_is_reported_at_those() -> None:
    page = "4 GiB<!--= kv_cache @llama n_kv=32 --> 与 4 GiB<!--= kv_cache @llama n_kv=32 s=2 -->"
    (problem,) = judge(page, BOOK).problems
    assert (problem.kind, place(problem, page)) == ("mismatched-unit", "kv_cache @llama n_kv=32 s=2")
    assert problem.message == "`kv_cache`: declared in byte, counts elements"


def test_a_called_formula_of_the_wrong_dimension_is_reported_at_its_own_declaration() -> None:
    book = "inner [byte] = 2*n\nouter [byte] = inner()+1byte"
    (problem,) = judge("3 byte<!--= outer n=1 -->", book).problems
    assert problem.message == "declared in byte, counts elements"
    assert book[problem.span.start : problem.span.end] == "inner"


def test_the_library_is_right_so_its_formulas_are_reported_at_the_claims() -> None:
    library = parse_block("formulas/kv.md", lines("kv [byte] = n*s"))
    page = "4 byte<!--= kv n=2 s=2 -->"
    (problem,) = judge_book(Namespace.of([], library), claims(page)).problems
    assert place(problem, page) == "kv n=2 s=2"


def test_the_advice_brackets_a_unit_that_is_a_quotient() -> None:
    (problem,) = judge("16 s<!--= t n=14GB bw=900GB/s -->", "t [s] = n/bw").problems
    assert problem.advice == "t = 14GB/(900GB/s)"


# One problem for each cause


def test_one_ratio_on_all_values_is_one_problem_at_the_first_number() -> None:
    page = "2 / 0.5 / 0.0625 GiB<!--= kv_cache @llama n_kv={32,8,1} -->"
    (problem,) = judge(page, BOOK).problems
    assert place(problem, page) == "2"
    assert problem.message == ("2 / 0.5 / 0.0625 GiB, but kv_cache gives 4 / 1 / 0.125 GiB (each exactly 2×)")
    assert problem.advice is not None
    assert problem.advice.endswith("the claim binds 2 GiB, 0.5 GiB, 0.0625 GiB")


def test_otherwise_each_wrong_number_is_a_problem() -> None:
    page = "4 / 2 / 0.5 GiB<!--= kv_cache @llama n_kv={32,8,1} -->"
    found = judge(page, BOOK).problems
    assert [place(problem, page) for problem in found] == ["2", "0.5"]
    assert [problem.message for problem in found] == [
        "2 GiB, but kv_cache gives 1 GiB (exactly 1/2×)",
        "0.5 GiB, but kv_cache gives 0.125 GiB",
    ]


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("16<!--= (2) -->", "16, but (2) gives 2 (exactly 1/8×)"),
        ("20<!--= (2) -->", "20, but (2) gives 2 (exactly 1/10×)"),
        ("0.37<!--= (37) -->", "0.37, but (37) gives 37 (exactly 100×)"),
        ("3.5 M<!--= (3.5e9) -->", "3.5 M, but (3.5e9) gives 3500 M (exactly 1000×)"),
        ("5 KiB<!--= (5*1MiB) -->", "5 KiB, but (5*1MiB) gives 5120 KiB (exactly 1024×)"),
        ("153<!--= (1.526e5) -->", "153, but (1.526e5) gives 152600 (1000×)"),
        ("7<!--= (9) -->", "7, but (9) gives 9"),
        ("16 GB<!--= (16*1GiB) -->", "16 GB, but (16*1GiB) gives 17 GB: it agrees only in powers of 1024, as GiB"),
        (
            "8 GB<!--= (8*1GiB) -->",
            "8 GB, but (8*1GiB) gives 8.6 GB: it agrees only in powers of 1024, as GiB",
        ),
        (
            "8.0 KB<!--= (8192*1byte) -->",
            "8.0 KB, but (8192*1byte) gives 8.2 KB: it agrees only in powers of 1024, as KiB",
        ),
        ("7,000<!--= (73856) -->", "7,000, but (73856) gives 73,856"),
        ("5 %<!--= (0.366) -->", "5%, but (0.366) gives 36.6%"),
        (
            r"$3.1\times10^{22}$<!--= ((5*10^4)^5) -->",
            r"3.1\times10^{22}, but ((5*10^4)^5) gives 3.1×10^23 (10×)",
        ),
        ("5 GiB<!--= kv_cache @llama n_kv=64 ; below -->", "not below 5 GiB: kv_cache gives 8 GiB"),
        ("5 GiB<!--= kv_cache @llama n_kv=32 ; above -->", "not above 5 GiB: kv_cache gives 4 GiB"),
        ("3.16<!--= (3.169) -->", "3.16 is cut, not rounded: (3.169) gives 3.17"),
    ],
)
def test_messages(page: str, message: str) -> None:
    (problem,) = judge(page, BOOK).problems
    assert problem.message == message


def test_what_was_compared_is_told_for_every_claim() -> None:
    verdict = judge("4 GiB<!--= kv.mha --> 3<!--= conv --> 5<!--= ppl -->", BOOK)
    assert [checked.compared for checked in verdict.claims] == [True, False, True]


def test_the_nearest_name_is_offered() -> None:
    def advice(page: str) -> str | None:
        (problem,) = judge(page, BOOK).problems
        assert isinstance(problem, Problem)
        return problem.advice

    assert advice("3<!--= kv_cahce @llama n_kv=1 -->") == "did you mean `kv_cache`?"
    assert advice("3<!--= conv @lama -->") == "did you mean `llama`?"
    assert advice("3<!--= {kv.mhaa} -->") == "did you mean `kv.mha`?"
    assert advice("3<!--= nonsense -->") is None


# Bad input


@pytest.mark.parametrize(
    "form", ["f{0} = T", "f{0} = f{1}()", "f{0} = f{1}(T=(T))", "f{0} = f{1}(T=(2*T))+f{1}(T=(3*T))"]
)
def test_deep_and_branching_calls_end(form: str) -> None:
    book = "\n".join(["f0 = T"] + [form.format(i, i - 1) for i in range(1, 400)])
    for depth in (20, 60, 399):
        for kind, _ in problems(f"1<!--= f{depth} T=1 -->", book):
            assert kind in ("malformed", "wrong", "unbound")


_PARTS_OF_PAGES = r"""
kv.mha kv_cache @llama n_kv=32 n_kv={32,8} (0.99^100) {kv.mha,ppl} each formula ; below within 2% d=768 block 4
GiB
1/3 约 $3.1\times10^{23}$ `5` 20,608 - − → % 万 K B ( ) { } = 2byte \frac{1}{0} ^{ 9^9^9 1e9 col(2) ρ ± 1.2.3
"""
_WORDS = st.sampled_from(_PARTS_OF_PAGES.split())


@settings(max_examples=300, deadline=None)
@given(st.lists(_WORDS, max_size=8), st.lists(_WORDS, max_size=6), st.text(max_size=8))
def test_any_page_is_judged_without_a_traceback(before: list[str], claim: list[str], noise: str) -> None:
    page = " ".join(before) + noise.replace("<", "") + "<!--= " + " ".join(claim) + " --> GiB"
    verdict = judge(page, BOOK, header="显存 (GiB)")
    assert len(verdict.claims) == len(claims(page))
    for problem in verdict.problems:
        assert problem.message
        assert "\n" not in problem.message
        assert not problem.message.endswith(".")
        assert 0 <= problem.span.start <= problem.span.end


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="fglet ab=:@[]{}()*/+-^0129.,#\n\\_κ", max_size=80))
def test_any_block_is_read_without_a_traceback(text: str) -> None:
    names = namespace(text)
    assert all(0 <= problem.span.start <= problem.span.end <= len(text) for problem in names.problems)
    judge_book(names, claims("1<!--= f --> 2<!--= g a=1 -->"))


def markdown_problems(page: str) -> list[tuple[str, str]]:
    """Kind and message of each problem of a real page, its markup read by the Markdown reader."""
    facts = parse_markdown(Source("page.md", page), Dialect.MDBOOK)
    return [(each.kind, each.message) for each in judge_book(Namespace.of([]), facts.claims).problems]


@pytest.mark.parametrize(
    "page",
    [
        "153<sup>1</sup> 步<!--= (153) -->",  # the mark of a note
        "153<sup>2</sup> 步<!--= (153) -->",
        "3.1×10<sup>23</sup><!--= (3.1e23) -->",  # an exponent
        "2<sup>10</sup> 个<!--= (1024) -->",
        "H<sub>2</sub>O 有 153<!--= (153) -->",
        "占比为 $25\\%$<!--= (1/4) -->",
    ],
)
def test_raised_and_lowered_text_is_read_as_it_shows(page: str) -> None:
    assert markdown_problems(page) == []


def test_percent_sign_in_math_is_no_symbol() -> None:
    assert markdown_problems("占比为 $0.25\\%$<!--= (1/4) -->") == [
        ("wrong", "0.25%, but (1/4) gives 25% (exactly 100×)")
    ]
