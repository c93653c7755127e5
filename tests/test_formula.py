from __future__ import annotations

import pytest
from quoting import DECLARATIONS, lines, namespace

from lintbook.calculator.formula import (
    FaultyDeclaration,
    Formula,
    NamedValue,
    Namespace,
    ValueSet,
    meaning,
    parse_block,
)
from lintbook.calculator.unit import INFORMATION, PLAIN


def faults(declarations: str) -> list[tuple[str, str, str]]:
    """Kind, message and the characters that each problem of a name space stands at."""
    found = namespace(declarations).problems
    return [(str(p.kind), p.message, declarations[p.span.start : p.span.end]) for p in found]


def declared(text: str):
    (declaration,) = parse_block(DECLARATIONS, lines(text))
    return declaration


def test_one_declaration_a_line_with_comments_and_continuations() -> None:
    block = """
  # the indentation that is common to the block is no continuation
  kv [byte] = 2*L*B   # K and V
    *T
  let llama : L=32 B=1

    T=8192
  kv.mha := kv @llama
"""
    kv, llama, mha = parse_block(DECLARATIONS, lines(block))
    assert meaning(kv) == meaning(declared("kv [byte] = 2*L*B*T"))
    assert meaning(llama) == meaning(declared("let llama : L=32 B=1 T=8192"))
    assert meaning(mha) == meaning(declared("kv.mha := kv @llama"))


def test_the_place_of_a_declaration_is_what_it_declares() -> None:
    block = "  kv [byte] = 2*L\n  let llama : L=32\n  kv.mha := kv @llama"
    places = [block[d.span.start : d.span.end] for d in parse_block(DECLARATIONS, lines(block))]
    assert places == ["kv", "let llama", "kv.mha"]


def test_a_fault_in_a_continued_line_stands_in_that_line() -> None:
    block = "kv = 2*L\n   *3 4"
    assert faults(block) == [("malformed", "an operator expected, `4` found", "4")]


def test_forms_of_declarations() -> None:
    assert isinstance(declared("conv = k*k*c_in*c_out + c_out"), Formula)
    assert isinstance(declared("letter = 3"), Formula)
    assert isinstance(declared("let base : B=1 s=2byte @other"), ValueSet)
    assert isinstance(declared("kv.mha := kv @llama n_kv=32"), NamedValue)
    quoted = declared("ppl := quoted")
    assert isinstance(quoted, NamedValue)
    assert quoted.formula is None


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("f = 2", PLAIN),
        ("f [%] = 2/3", PLAIN),  # a plain number too: 0.37, not 37
        ("f [byte] = 2byte", INFORMATION),
        ("f [GB] = 2byte", INFORMATION),  # a unit names its dimension only
        ("f[ GB ]=2byte", INFORMATION),
        ("f [token] = 2", PLAIN),
    ],
)
def test_a_unit_declares_a_dimension(text: str, dimension) -> None:
    assert declared(text).dimension == dimension


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f = ", "the end found"),
        ("f 2", "`=` expected"),
        ("f [B] = 2", "`B` is no unit"),
        ("f [byte = 2", "`[` is never closed"),
        ("sqrt = 2", "`sqrt` is reserved"),
        ("pi = 3", "`pi` is reserved"),
        ("let each : a=1", "`each` is reserved"),
        ("let a b=1", "`:` expected"),
        ("let a : b={1,2}", "a sweep: only a claim may"),
        ("let a : b=col(2)", "a column: only a claim may"),
        ("let a : b=1 b=2", "`b` is bound twice"),
        ("let a : b = 1", "`=` expected behind `b`, without blanks"),
        ("let a : b=1,000", "a blank expected behind the value of `b`"),
        ("v := f n={1,2}", "a sweep: only a claim may"),
        ("a.b = 2", "a formula has no dots"),
        ("let a.b : c=1", "a set has no dots"),
        ("2x = 3", "a declaration expected"),
        ("f = " + "1+" * 250 + "1", "longer than 500 characters"),
    ],
)
def test_malformed_declarations(text: str, message: str) -> None:
    declaration = declared(text)
    assert isinstance(declaration, FaultyDeclaration)
    assert message in declaration.message


def test_names_are_one_whatever_their_spelling() -> None:
    names = namespace(r"n_star = -7/log10(\rho)" + "\nσ_{x} = 2")
    assert names.formula("n_star").expression == declared("x = -7/log10(ρ)").expression
    assert names.formula("sigma_x") is not None


def test_a_second_different_declaration_is_malformed_and_the_first_related() -> None:
    text = "f = 2*a\nlet s : a=1\nf = 3*a"
    (problem,) = namespace(text).problems
    assert problem.message == "`f` is declared before, differently"
    assert (text[problem.span.start :], problem.related[0].span.start) == ("f = 3*a", 0)
    assert "f" in namespace(text).faulty


def test_one_name_space_for_formulas_sets_and_values() -> None:
    assert faults("f = 2\nlet f : a=1") == [("malformed", "`f` is declared before, differently", "let f")]


def test_the_same_declaration_twice_is_fine() -> None:
    assert faults("f = 2 * a\nf = 2*a   # again") == []


def test_order_does_not_matter() -> None:
    assert faults("block = attn() + 1\nv := block @s\nlet s : d=2\nattn = 4*d") == []


def test_what_is_not_declared() -> None:
    assert faults("f = g()+1") == [("unknown", "no formula `g` is declared", "f")]
    assert faults("let a : @b c=1") == [("unknown", "no set `b` is declared", "let a")]
    assert faults("v := f n=1") == [("unknown", "no formula `f` is declared", "v")]
    assert faults("let s : a=1\nf = s()") == [("unknown", "no formula `s` is declared", "f")]


def test_what_relies_on_a_fault_is_silent() -> None:
    names = namespace("f = 2*(\ng = f()\nv := g @s\nlet s : @t\nlet t : a=1,2")
    assert len(names.problems) == 2  # f and t
    assert names.faulty == {"f", "g", "v", "s", "t"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f = f()+1", "`f` relies on itself"),
        ("f = g()\ng = h()\nh = f()", "`f` relies on itself through `g`, `h`"),
        ("let a : @b\nlet b : @a", "`a` relies on itself through `b`"),
    ],
)
def test_circles(text: str, message: str) -> None:
    (problem,) = namespace(text).problems
    assert (problem.kind, problem.message) == ("malformed", message)


def test_two_circles_are_two_problems() -> None:
    assert len(namespace("a = b()\nb = a()\nc = d()\nd = c()").problems) == 2


def test_a_symbol_belongs_to_its_formula_alone() -> None:
    # `attn` is a formula, but only a call reaches it: by its bare name it is a symbol.
    names = namespace("attn = 4*d\nblock = attn + 1")
    assert names.symbols(names.formula("block").expression) == {"attn"}


def test_symbols_are_needed_through_calls_unless_the_call_binds_them() -> None:
    names = namespace("scores = B*h*T^2\ngrowth = scores(T=(4*T))/scores()\nat_two = scores(T=2)")
    assert names.symbols(names.formula("growth").expression) == {"B", "h", "T"}
    assert names.symbols(names.formula("at_two").expression) == {"B", "h"}


def test_a_binding_that_serves_nothing_is_a_misspelling() -> None:
    assert faults("f = 2*a\nv := f aa=3 a=1") == [("malformed", "nothing uses the binding of `aa`", "v")]
    assert faults("f = 2*a\ng = f(b=3)") == [("malformed", "nothing uses the binding of `b`", "g")]
    assert faults("f = 2*a\nv := f a=(3*b) b=2") == []  # it serves another value
    assert faults("f = 2*a\nlet s : a=1 b=2\nv := f @s") == []  # a set may hold what nothing uses


def test_later_sets_override_earlier_ones_and_bindings_every_set() -> None:
    names = namespace("let a : x=1 y=1 z=1\nlet b : y=2 z=2\nlet c : @a @b z=3")
    bound = names.bound_by(["c"])
    assert {name: node.value for name, node in bound.items()} == {"x": 1, "y": 2, "z": 3}
    assert names.bound_by(["b", "a"])["y"].value == 1


def test_a_books_own_declaration_replaces_the_librarys() -> None:
    library = parse_block("formulas/attention.md", lines("attn = 3*d\nffn = attn()"))
    names = Namespace.of(parse_block(DECLARATIONS, lines("attn = 4*d")), library)
    assert names.problems == []
    assert names.formula("attn") == declared("attn = 4*d")
    assert names.is_own("attn")
    assert names.formula("ffn") is not None
    assert not names.is_own("ffn")


def test_long_chains_and_nested_sets_are_read_in_linear_time() -> None:
    chain = ["f0 = T"] + [f"f{i} = f{i - 1}()" for i in range(1, 1500)]
    sets = ["let s0 : T=1"] + [f"let s{i} : @s{i - 1} @s{i - 1}" for i in range(1, 1500)]
    names = namespace("\n".join(chain + sets))
    assert names.problems == []
    assert names.bound_by(["s1499"])["T"].value == 1
