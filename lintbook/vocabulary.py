"""The kinds of boxes and how books spell them: data, not code.

A kind has one canonical name, the words that name it in text, and the prefixes that name it in anchors. One prefix may
serve several kinds (``EX-`` is Example in one chapter and Exercise in another), and prefixes are compared without case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of box: its spellings in text (an abbreviation with its full stop), and its prefixes in anchors."""

    name: str
    words: tuple[str, ...]
    prefixes: tuple[str, ...]


KINDS: tuple[Kind, ...] = (
    Kind("definition", ("Definition", "Def.", "定义", "定義"), ("def", "defn", "definition")),
    Kind("theorem", ("Theorem", "Thm.", "定理"), ("thm", "theorem", "theo")),
    Kind("lemma", ("Lemma", "Lem.", "引理", "補題"), ("lem", "lemma")),
    Kind("proposition", ("Proposition", "Prop.", "命题", "命題"), ("prop", "proposition", "prp")),
    Kind("corollary", ("Corollary", "Cor.", "推论", "推論"), ("cor", "corollary", "coro")),
    Kind("example", ("Example", "例", "例题", "例子", "例題"), ("ex", "eg", "exm", "exa", "example")),
    Kind("exercise", ("Exercise", "习题", "练习", "習題", "練習"), ("ex", "exr", "exe", "exercise", "exer")),
    Kind("remark", ("Remark", "Rem.", "注", "注记", "备注", "评注"), ("rem", "rmk", "remark", "note")),
    Kind("method", ("Method", "方法"), ("mth", "meth", "method", "mtd")),
    Kind("algorithm", ("Algorithm", "Alg.", "算法", "演算法"), ("alg", "algo", "algorithm")),
    Kind("assumption", ("Assumption", "假设", "假設"), ("assump", "asm", "ass", "asmp", "assumption")),
    Kind("axiom", ("Axiom", "公理"), ("ax", "axm", "axiom")),
    Kind("conjecture", ("Conjecture", "猜想"), ("conj", "conjecture")),
    Kind("property", ("Property", "性质", "性質"), ("pty", "property", "ppt")),
    Kind("principle", ("Principle", "原理", "原则", "准则", "定律"), ("prin", "principle", "law")),
    Kind("problem", ("Problem", "问题", "思考题", "問題"), ("prob", "problem", "prb")),
    Kind("lab", ("Lab", "实验", "實驗"), ("lab", "exp")),
    # Words that hold another kind's word and mean a kind of their own.
    Kind("case", ("案例",), ("case",)),
    Kind("sample", ("示例", "实例", "範例", "范例"), ()),
    Kind(
        "counterexample",
        ("Counterexample", "Counter-Example", "Counter-example", "反例"),
        ("cex", "counterex"),
    ),
    Kind("non-example", ("Non-Example", "Non-example", "Nonexample"), ("nex", "nonex")),
    Kind("equation", (), ("eq", "eqn", "equation")),
)

# What ends in a kind's word and is no kind at all.
NO_KINDS = (
    *("比例", "举例", "惯例", "条例", "先例", "凡例", "图例", "用例", "病例", "体例", "特例"),
    *("自定义", "自定義", "标注", "关注", "批注", "脚注", "附注"),
)


@dataclass(frozen=True)
class Vocabulary:
    """The kinds that a book uses, and the patterns made of their spellings."""

    kinds: tuple[Kind, ...] = KINDS

    @cached_property
    def by_word(self) -> dict[str, str]:
        """The canonical name for each spelling, in lower case and without full stop."""
        return {word.rstrip(".").lower(): kind.name for kind in self.kinds for word in kind.words}

    @cached_property
    def by_prefix(self) -> dict[str, tuple[str, ...]]:
        """The kinds that an anchor prefix, in lower case, may stand for."""
        found: dict[str, tuple[str, ...]] = {}
        for kind in self.kinds:
            for prefix in kind.prefixes:
                found[prefix] = (*found.get(prefix, ()), kind.name)
        return found

    @cached_property
    def words(self) -> str:
        """A regular expression for every spelling, the longest first.

        A Latin word begins at a word boundary, in either case, and may be a plural; a Chinese one may follow anything
        but what makes another word of it (``比例`` is no ``例``).
        """
        latin, other = [], [re.escape(word) for word in NO_KINDS]
        for kind in self.kinds:
            for word in kind.words:
                if word.isascii():
                    latin.append(_latin(word))
                else:
                    other.append(re.escape(word))
        latin.sort(key=len, reverse=True)
        other.sort(key=len, reverse=True)
        return rf"(?<![A-Za-z\-])(?:{'|'.join(latin)})(?![A-Za-z])|{'|'.join(other)}"

    def kind(self, word: str) -> str | None:
        """Return the canonical name of a spelling (plural or not), or None if it names no kind."""
        plain = word.rstrip(".").lower()
        for candidate in (plain, plain.removesuffix("s"), _singular(plain)):
            if candidate in self.by_word and word not in NO_KINDS:
                return self.by_word[candidate]
        return None


def _latin(word: str) -> str:
    stem = re.escape(word.rstrip("."))
    first = f"[{stem[0].upper()}{stem[0].lower()}]{stem[1:]}"
    if word.endswith("."):
        return rf"{first}s?\."
    if word.endswith("y"):
        return rf"{first[:-1]}(?:y|ies)"
    return rf"{first}(?:ta|s)?" if word.endswith("ma") else rf"{first}s?"


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word.removesuffix("ta") if word.endswith("mata") else word


@lru_cache(maxsize=1)
def standard_vocabulary() -> Vocabulary:
    """Return the kinds that lintbook knows without configuration."""
    return Vocabulary()
