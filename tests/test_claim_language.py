"""The language of claims, sentence by sentence, from Markdown to diagnostics.

Each case quotes what the language promises, shows it on a page, and names the rules that must speak there.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from lintbook.engine import check

BLOCK = """\
<!-- quantities
kv_cache [byte] = 2*L*B*T*n_kv*d_h*s          # keys and values
conv = k*k*c_in*c_out + c_out
attn = 4*d^2 + 4*d
four = 4*n
growth = four(n=(2*n))/four()
time [s] = C/f
share [%] = a/b
n_star = -7/log10(ρ)
let base : B=1 T=8192 d_h=128 s=2byte
let llama : @base L=32
kv.mha := kv_cache @llama n_kv=32
kv.gqa := kv_cache @llama n_kv=8
ppl := quoted
-->
"""


class Case(NamedTuple):
    """What is promised, a page below the block of declarations, and the rules that speak, in order."""

    promise: str
    page: str
    rules: tuple[str, ...] = ()
    block: str = BLOCK


def case(promise: str, page: str, *rules: str, block: str = BLOCK) -> Case:
    return Case(promise, page, rules, block)


def own(*lines: str) -> str:
    return "<!-- quantities\n" + "\n".join(lines) + "\n-->\n"


MALFORMED, WRONG, UNIT, UNBOUND, UNKNOWN = (
    "malformed-claim",
    "wrong-quantity",
    "mismatched-unit",
    "unbound-claim",
    "unknown-formula",
)

BLOCKS = [
    case("one declaration a line", "3<!--= f --> 4<!--= g -->", block=own("f = 3", "g = 4")),
    case("a line that begins with a blank continues the one before", "7<!--= f -->", block=own("f = 3", "  + 4")),
    case(
        "indentation common to the block is removed first", "3<!--= f --> 4<!--= g -->", block=own("  f = 3", "  g = 4")
    ),
    case("# to the end of the line is a comment", "3<!--= f -->", block=own("f = 3   # not 4", "# nothing")),
    case("order and page do not matter", "3<!--= f -->\n\n" + own("f = g()", "g = 3"), block=""),
    case("a second, different declaration is malformed", "x", MALFORMED, block=own("f = 3", "f = 4")),
    case("the same declaration twice is none", "3<!--= f -->", block=own("f = 3", "f = 3")),
    case("library formulas are visible everywhere", "82,944<!--= lstm_parameters d_x=32 d_h=128 -->", block=""),
    case("a book's own declaration wins", "5<!--= lstm_parameters -->", block=own("lstm_parameters = 5")),
    case("symbols belong to their formula alone", "6<!--= g n=3 -->", block=own("f = n", "g = 2*n")),
    case("only a call passes values on, by name", "6<!--= g n=3 -->", block=own("f = n", "g = 2*f()")),
    case("names are compared after NFC", "3<!--= é -->", block=own("e\u0301 = 3")),
    case("\\rho, ρ and rho are one", "153<!--= n_star rho=0.9 --> 153<!--= n_star \\rho=0.9 -->"),
    case("n_{kv} is n_kv", "1 GiB<!--= kv_cache @llama n_{kv}=8 -->"),
    case("a named value may contain a dot", "4 GiB<!--= kv.mha -->"),
    case("a formula may not", "x", MALFORMED, block=own("f.g = 3")),
    case("reserved names", "x", MALFORMED, block=own("pi = 3")),
    case("the unit is the dimension that the units must yield", "8 byte<!--= f n=4 -->", block=own("f [GB] = 2byte*n")),
    case(
        "without it a formula is plain, and a counting word may follow",
        "12 个<!--= four n=3 --> 12 层<!--= four n=3 -->",
    ),
    case("but no physical unit", "12 byte<!--= four n=3 -->", UNIT),
    case("[%] is a plain number: 0.37, not 37", "37 %<!--= share a=37 b=100 --> 0.37<!--= share a=37 b=100 -->"),
    case("… so 37 is wrong", "37<!--= share a=37 b=100 -->", WRONG),
    case(
        "FLOP, token and step are plain",
        "12 FLOP<!--= four n=3 --> 12 tokens<!--= four n=3 --> 12 steps<!--= four n=3 -->",
    ),
    case("FLOPS is FLOP/s", "2 s<!--= time C=6 f=3FLOPS -->"),
    case("units in Chinese", "2 秒<!--= time C=6 f=3Hz --> 2000 毫秒<!--= time C=6 f=3Hz --> 8 字节<!--= (8byte) -->"),
    case("units of time", "2 min<!--= (120s) --> 2 h<!--= (7200s) --> 2 days<!--= (48h) -->"),
    case("binary prefixes on byte and bit", "2 KiB<!--= (2048byte) --> 2 Kibit<!--= (2048bit) -->"),
    case("B and b behind a prefix", "2 MB<!--= (2000000byte) --> 2 Mb<!--= (2000000bit) -->"),
]

CLAIMS = [
    case("unit and words may stand between number and claim", "缓存 4 GiB（半精度）<!--= kv.mha -->"),
    case("a target is a formula", "73,856<!--= conv k=3 c_in=64 c_out=128 -->"),
    case("… a named value", "4 GiB<!--= kv.mha -->"),
    case("… an expression", "37 %<!--= (0.99^100) -->"),
    case("… a bound expression", "6<!--= (2*x) x=3 -->"),
    case("… a list of named values", "4 / 1 GiB<!--= {kv.mha,kv.gqa} -->"),
    case(
        "later sets override earlier ones",
        "64 GiB<!--= kv_cache @llama @big n_kv=32 -->",
        block=BLOCK + own("let big : L=512"),
    ),
    case("a written binding overrides every set", "2 GiB<!--= kv_cache @llama L=64 n_kv=8 -->"),
    case("a set may hold symbols that nothing uses", "12<!--= four @wide n=3 -->", block=BLOCK + own("let wide : z=5")),
    case("a written binding must serve", "12<!--= four n=3 z=5 -->", MALFORMED),
    case("… or another value", "12<!--= four n=(z-2) z=5 -->"),
    case("named values take no bindings", "4 GiB<!--= kv.mha L=3 -->", MALFORMED),
    case("neither they nor sets hold sweeps", "x", MALFORMED, block=own("let s : a={1,2}")),
    case("a symbol left without value", "12<!--= four -->", UNBOUND),
    case("blanks only inside brackets", "8<!--= four n = 2 -->", MALFORMED),
    case(
        "values with units, percent, scales",
        "2 s<!--= time C=6 f=3Hz --> 99 %<!--= (x) x=99% --> 5<!--= (x/10000) x=5万 -->",
    ),
    case("an expression over symbols of the same claim", "64<!--= four n=(4*m) m=4 -->"),
    case("no grouping signs inside numbers", "4000<!--= four n=1,000 -->", MALFORMED),
    case("K M B T in a binding", "4000<!--= four n=1K --> 4e12<!--= four n=1T -->"),
    case("byte is never bare B", "4 byte<!--= (x) x=4B -->", UNIT),
    case("a claim has as many values as its sweep", "4、8、12<!--= four n={1,2,3} -->"),
    case("several sweeps go in step", "3 和 5<!--= (a+b) a={1,2} b={2,3} -->"),
    case("… and must be equally long", "3 和 5<!--= (a+b) a={1,2} b={2,3,4} -->", MALFORMED),
    case("a formula is called, never picked up by name", "8<!--= (four+4) -->", UNBOUND),
    case("a call with some values changed, read with the caller's", "2<!--= growth n=5 -->"),
    case("a circle is malformed", "x", MALFORMED, block=own("f = g()", "g = f()")),
    case("within", "9<!--= (10) ; within 10% -->"),
    case("floor and ceil", "3<!--= (3.9) ; floor --> 4<!--= (3.1) ; ceil -->"),
    case("below and above are strict", "不到 5<!--= (4) ; below -->，超过 4<!--= (4) ; above -->", WRONG),
    case("only one option", "5<!--= (4) ; below ; above -->", MALFORMED),
    case("a claim at the start of a line", "5\n\n<!--= (5) -->", MALFORMED),
    case("inside a formula", "$5<!--= (5) -->$", MALFORMED),
    case("with a pipe in a table row", "| a |\n|---|\n| 5<!--= (5|6) --> |", MALFORMED),
    case("with two hyphens", "5<!--= (6--1) -->", MALFORMED),
    case("what only resembles a claim", "5<!-- = (5) -->", MALFORMED),
    case("… or a block", "x\n\n<!--quantities\nf = 3\n-->", MALFORMED),
    case("one never closed", "5<!--= (5)", MALFORMED),
    case("in code it is text", "`5<!--= (6) -->`\n\n```\n5<!--= (6) -->\n```"),
]

BINDING = [
    case("the last k candidates, in order", "先 9，再 4、8<!--= four n={1,2} -->"),
    case("the stretch begins at the previous claim", "4<!--= four n=1 --> 与<!--= four n=2 -->", UNBOUND),
    case("one table cell", "| a | b |\n|---|---|\n| 4 | <!--= four n=1 --> |", UNBOUND),
    case("a display formula belongs to its paragraph", "总共\n$$\nN = 4{,}000\n$$<!--= four n=1000 -->"),
    case(
        "a heading, a footnote, a list, a quotation",
        "## 共 4<!--= four n=1 -->\n\n- 4<!--= four n=1 -->\n\n> 4<!--= four n=1 -->",
    ),
    case(
        "emphasis, links and signs of math are transparent",
        "**4**<!--= four n=1 --> [8](https://x.org)<!--= four n=2 -->",
    ),
    case("glued to a letter it is no candidate", "4 个 FP16<!--= four n=1 -->"),
    case("… but glued to an ideograph it is", "共4<!--= four n=1 -->"),
    case("part of 3.9.9 it is none", "4，见 3.9.9<!--= four n=1 -->"),
    case("a subscript is none", "$4 x_2$<!--= four n=1 -->"),
    case("a cross-reference is none", "4（定理 2.4.1，§2.3，第 3 讲）<!--= four n=1 -->"),
    case(
        "a footnote mark and a tag are none",
        "4[^1]<!--= four n=1 -->\n\n$$4 \\tag{7}$$<!--= four n=1 -->\n\n[^1]: note",
    ),
    case("in a code span only a number and its unit", "4 `x = 5`<!--= four n=1 --> `8`<!--= four n=2 -->"),
    case("a number before an arrow is an input", "$2\\to 8$<!--= four n=2 -->"),
    case("… unless too few would remain", "4 GiB → 1 GiB<!--= {kv.mha,kv.gqa} -->"),
    case("a number behind a bound symbol is an input", "16 个（$n=4$）<!--= four n=4 -->"),
    case("$4d=16$ is none", "$4n=16$<!--= four n=4 -->"),
    case("behind ± it is an input", "16 ± 2<!--= four n=4 -->"),
    case(
        "written numbers",
        "$3.1\\times10^{23}$<!--= (3.1e23) --> 3.1e23<!--= (3.1e23) --> $2^{32}$<!--= (4294967296) -->",
    ),
    case("fractions", "$\\tfrac12$<!--= (1/2) --> $\\frac{1}{3}$<!--= (1/3) --> 1/4<!--= (0.25) -->"),
    case(
        "full-width digits and scales",
        "５８１<!--= (581) --> 1.2 亿<!--= (1.2e8) --> 3 百万<!--= (3e6) --> 2 thousand<!--= (2000) -->",
    ),
    case("a/b is two numbers for two values", "4/8<!--= four n={1,2} -->"),
    case("a second reading counts only if all agree", "128,256,512<!--= (x) x={128,256,512} -->"),
    case("a shared scale left off", "4096 到 8 K<!--= (x) x={4096,8000} -->"),
    case("a hyphen between numbers is no sign", "3-5<!--= (x) x={3,5} -->"),
    case("a minus glued to its digits is one", "变化−12.5 %<!--= (7/8-1) -->"),
    case("a unit directly behind the claim", "4<!--= kv.mha --> GiB"),
    case("a scale behind the claim is the number's", "0.25<!--= (1/4) --> 万", WRONG),
    case("a unit written once goes for those before", "4 / 1 GiB<!--= {kv.mha,kv.gqa} -->"),
    case("a cell takes the unit of its header", "| 显存 (GiB) |\n|---|\n| 4<!--= kv.mha --> |"),
    case("70 B is billions for a plain formula", "70 B<!--= (70e9) -->"),
    case("… and byte for one in bytes", "70 B<!--= (70byte) -->"),
    case("powers of 1000; those of 1024 are told apart", "4.0 GB<!--= kv.mha -->", WRONG),
    case("a number without unit for a formula with one", "4<!--= kv.mha -->", UNIT),
    case("two dimensions that differ", "4 s<!--= kv.mha -->", UNIT),
]

AGREEING = [
    case("half a unit of the last digit", "3.1<!--= (3.149) --> 3.2<!--= (3.15) -->"),
    case("zeros count", "20<!--= (19.5) --> 20.0<!--= (19.5) -->", WRONG),
    case("cut is advice", "3.14<!--= (3.1459) -->", WRONG),
    case("behind 约 trailing zeros do not count", "约 3000<!--= (2950) -->"),
    case("… but two digits always do", "约 20<!--= (15) -->", WRONG),
    case("before 左右 too", "3000 左右<!--= (2960) -->"),
    case("percent is a scale", "37 %<!--= (0.366) -->"),
    case("a fraction is exact", "1/3<!--= (0.333) -->", WRONG),
    case("nothing else is excused", "16<!--= (8) -->", WRONG),
    case("undeclared names are unknown", "3<!--= nothing --> 3<!--= four @nothing n=1 -->", UNKNOWN, UNKNOWN),
    case("claims on a malformed declaration are silent", "3<!--= f -->", MALFORMED, block=own("f = 3*(")),
    case("names before symbols", "3<!--= nothing z=1 -->", UNKNOWN),
    case("symbols before dimensions", "3<!--= kv_cache @llama -->", UNBOUND),
    case("dimensions before values", "3 s<!--= kv_cache @llama n_kv=1 -->", UNIT),
    case(
        "one finding for a wrong dimension under all claims",
        "8 byte<!--= f n=4 --> 16 byte<!--= f n=8 -->",
        UNIT,
        block=own("f [byte] = 2*n"),
    ),
    case("one ratio is one finding", "8 / 16<!--= four n={1,2} -->", WRONG),
    case("otherwise each wrong number", "8 / 17<!--= four n={1,2} -->", WRONG, WRONG),
    case("quotations must have a common value", "12.4<!--= ppl -->，12.8<!--= ppl -->", "inconsistent-quantity"),
    case("a quoted value without unit is plain", "12.4 GB<!--= ppl -->", UNIT),
]

GRAMMAR = [
    case("-2^2 is -4", "−4<!--= (-2^2) -->"),
    case("powers go from right to left", "512<!--= (2^3^2) -->"),
    case("functions", "2<!--= (sqrt(4)) --> 3<!--= (log2(8)) --> 7<!--= (max(3,7,5)) --> 3<!--= (floor(3.9)) -->"),
    case("no bare log", "2<!--= (log(100)) -->", MALFORMED),
    case("units are glued", "4 byte<!--= (4 byte) -->", MALFORMED),
    case("1/0 and ln 0", "1<!--= (1/0) --> 1<!--= (ln(0)) -->", MALFORMED, MALFORMED),
    case("500 characters", "1<!--= (" + "1+" * 260 + "1) -->", MALFORMED),
    case("depth 50", "1<!--= (" + "(" * 60 + "1" + ")" * 60 + ") -->", MALFORMED),
    case("10,000 digits", "1<!--= (10^20000) -->", MALFORMED),
    case("round takes halves away from zero", "3<!--= (round(2.5)) --> −3<!--= (round(-2.5)) -->"),
    case("no implied products", "6<!--= (2x) x=3 -->", MALFORMED),
    case("a number with exponent may have a unit", "2 s<!--= time C=6e12 f=3e12FLOP/s -->"),
]


@pytest.mark.parametrize(
    "promised",
    [*BLOCKS, *CLAIMS, *BINDING, *AGREEING, *GRAMMAR],
    ids=lambda promised: re.sub(r"\W+", "-", promised.promise),
)
def test_what_the_language_promises(promised: Case, tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(f"# Page\n\n{promised.block}\n{promised.page}\n", encoding="utf-8")
    report = check(["."], tmp_path, cached=False)
    told = [each.rule for each in report.diagnostics if each.code.startswith("QTY") and each.code != "QTY002"]
    assert told == list(promised.rules)
    assert report.troubles == ()
