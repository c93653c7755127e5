"""The kinds of boxes and the columns of records, and how books spell them: data, not code.

A kind has one canonical name, the words that name it in text, and the prefixes that name it in anchors. One prefix may
serve several kinds (``EX-`` is Example in one chapter and Exercise in another), and prefixes are compared without case.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cached_property, lru_cache
from posixpath import basename

from msgspec import Struct

from lintbook.patterns import regex


class Kind(Struct, frozen=True):
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
    Kind("example", ("Example", "例", "例题", "例子", "例題"), ("ex", "eg", "exm", "exa", "exp", "example")),
    Kind("exercise", ("Exercise", "习题", "练习", "習題", "練習"), ("ex", "exr", "exe", "exc", "exercise", "exer")),
    Kind("remark", ("Remark", "Rem.", "Rmk.", "注", "注记", "备注", "评注"), ("rem", "rmk", "remark", "note")),
    Kind("method", ("Method", "方法"), ("mth", "meth", "method", "mtd")),
    Kind("algorithm", ("Algorithm", "Alg.", "算法", "演算法"), ("alg", "algo", "algorithm")),
    Kind("assumption", ("Assumption", "假设", "假設"), ("assump", "asm", "ass", "asmp", "assumption")),
    Kind("axiom", ("Axiom", "公理"), ("ax", "axm", "axiom")),
    Kind("conjecture", ("Conjecture", "猜想"), ("conj", "conjecture")),
    Kind("claim", ("Claim", "断言"), ("clm", "claim")),
    Kind("fact", ("Fact", "事实"), ("fact",)),
    Kind("observation", ("Observation",), ("obs", "observation")),
    Kind("property", ("Property", "性质", "性質"), ("pty", "prop", "property", "ppt")),
    Kind("principle", ("Principle", "原理", "原则", "准则", "定律"), ("prin", "principle", "law")),
    Kind("criterion", ("Criterion", "判据"), ("crit", "criterion")),
    Kind("problem", ("Problem", "问题", "思考题", "問題"), ("prob", "problem", "prb", "ex")),
    Kind("lab", ("Lab", "实验", "實驗"), ("lab", "exp")),
    # Words that hold another kind's word and mean a kind of their own.
    Kind("case", ("案例",), ("case", "ex")),
    Kind("sample", ("示例", "实例", "範例", "范例"), ("ex", "eg")),
    Kind(
        "counterexample", ("Counterexample", "Counter-Example", "Counter-example", "反例"), ("cex", "counterex", "ex")
    ),
    Kind("non-example", ("Non-Example", "Non-example", "Nonexample"), ("nex", "nonex", "ex")),
    Kind("equation", (), ("eq", "eqn", "equation")),
)

# What ends in a kind's word and is no kind at all.
NO_KINDS = (
    *("比例", "举例", "惯例", "条例", "先例", "凡例", "图例", "用例", "病例", "体例", "特例"),
    *("自定义", "自定義", "重定义", "标注", "关注", "批注", "脚注", "附注", "专注"),
)

# Words that name a kind with a capital only: “in fact 2.1 % of them”.
_NAMES = frozenset({"Claim", "Fact", "Observation"})

# Kinds that share a counter in many books, and in some sections of others.
THEOREMS = frozenset({"theorem", "lemma", "proposition", "corollary", "claim", "conjecture", "fact", "criterion"})

# Kinds that are often collected apart from the text, and taken up from other books.
TASKS = frozenset({"exercise", "problem", "lab"})


class Division(Struct, frozen=True):
    """A division of a book that text refers to by its number: the words before the number, the words behind it."""

    name: str
    before: tuple[str, ...]
    behind: tuple[str, ...] = ()


DIVISIONS: tuple[Division, ...] = (
    Division("section", ("§§", "§", "Sections", "Section", "Subsections", "Subsection", "Sec."), ("小节", "节")),
    Division("chapter", ("Chapters", "Chapter", "Chap.", "Ch."), ("章",)),
    Division("lecture", ("Lectures", "Lecture", "Lec."), ("讲",)),
    Division("appendix", ("Appendices", "Appendix", "附录"), ()),
)


# What names a page or a section that lists errata.
ERRATA = regex(r"errat(?:a|um)|corrigend|勘误|勘誤|更正|正誤", re.IGNORECASE)


def is_errata_page(path: str, title: str) -> bool:
    """Return whether the name of a page or its title says that it lists errata."""
    return bool(ERRATA.search(basename(path)) or ERRATA.search(title))


class Role(StrEnum):
    """What a column of a table of records holds."""

    LOCATION = "location"
    PAGE = "page"  # no more than a page, a chapter, a line
    ORIGINAL = "original"
    CORRECTION = "correction"
    QUESTION = "question"
    TERM = "term"
    MISTAKE = "mistake"
    ADVICE = "advice"


class Column(Struct, frozen=True):
    """How books head a column of one role; ``loose`` words say it only on a page or below a heading about errata."""

    role: Role
    words: tuple[str, ...]
    loose: tuple[str, ...] = ()


COLUMNS: tuple[Column, ...] = (
    Column(
        Role.LOCATION,
        (
            *("位置", "地方", "处", "所在", "出处", "位置/文件", "文件", "文件/位置"),
            *("該当箇所", "箇所", "場所", "location", "place", "where", "position", "locus", "file"),
        ),
    ),
    Column(
        Role.PAGE,
        (
            *("页", "页码", "页数", "章", "节", "章节", "章-节", "小节", "行", "行号", "行数"),
            *("頁", "頁数", "ページ", "章-節", "章節", "節", "行番号"),
            *("page", "pages", "page no.", "p.", "pg.", "chapter", "section", "line", "lines", "paragraph", "§"),
        ),
    ),
    Column(
        Role.ORIGINAL,
        (
            *("原表述", "原文", "原文内容", "原句", "原内容", "原来", "原书", "原书内容", "印刷版", "误"),
            *("勘误前", "更正前", "修正前", "修改前", "誤", "誤植"),
            *("original", "original text", "error", "erratum", "errata", "as printed", "printed", "printed text"),
        ),
        loose=(
            *("错误", "错误内容", "错误之处", "错", "有误", "旧", "誤り"),
            *("before", "was", "wrong", "incorrect", "old", "typo", "text", "reads", "for", "currently"),
            *("current text", "mistake", "from", "instead of"),
        ),
    ),
    Column(
        Role.CORRECTION,
        (
            *("更正", "更正为", "更正后", "修正", "修正为", "修正后", "改为", "应改为", "修改为", "修改后"),
            *("修订", "修订为", "修订后", "应为", "应作", "正", "订正", "勘正", "校正", "勘误", "勘误后"),
            *("訂正", "訂正後", "correction", "corrections", "corrigendum", "corrected", "corrected text"),
            *("correct to", "should be", "should read", "read instead"),
        ),
        loose=(
            *("正确", "正确内容", "修改", "修改建议", "新", "正しい"),
            *("after", "right", "correct", "new", "fix", "fixed", "read", "to"),
        ),
    ),
    Column(
        Role.QUESTION,
        (
            *("问题", "疑问", "待核实", "待核实内容", "待核实事项", "待核实条目", "待核实问题", "开放问题", "未决问题"),
            *("要確認", "未解決", "question", "open question", "issue", "doubt", "to verify", "to be verified"),
        ),
        loose=("内容", "事项", "条目", "課題", "item", "description"),
    ),
    Column(
        Role.TERM,
        (
            *("术语", "中文", "中文名", "中文术语", "译名", "用语", "词", "词语", "名词", "概念", "用語"),
            *("term", "word", "concept", "expression"),
        ),
    ),
    Column(
        Role.MISTAKE,
        (
            *("常见误写", "误写", "错写", "误称", "旧译", "不推荐", "禁用"),
            *("常见误用", "常见误译", "误用", "误译", "常见错误", "错误用法", "错误写法", "错误说法", "不用", "不要用"),
            *(
                "不要写",
                "避免",
                "避免使用",
                "勿用",
                "弃用",
                "誤用",
                "誤訳",
                "避ける",
                "avoid",
                "avoid using",
                "do not use",
            ),
            *("don't use", "don’t use", "not", "instead of", "mistake", "common mistake", "misuse", "common misuse"),
            *("discouraged", "wrong"),
        ),
    ),
    Column(
        Role.ADVICE,
        (
            *("规范写法", "正确理解", "正确", "正确用法", "正确写法", "推荐", "推荐用法", "建议", "应作"),
            *("应写", "正しい", "推奨"),
            *("use", "use instead", "write", "prefer", "preferred", "correct", "right", "recommended", "better"),
        ),
    ),
)


class Vocabulary(Struct, frozen=True, eq=False, dict=True):
    """The kinds that a book uses, and the patterns made of their spellings; how it heads the columns of records."""

    kinds: tuple[Kind, ...] = KINDS
    columns: tuple[Column, ...] = COLUMNS

    def headings(self, role: Role, *, loose: bool) -> frozenset[str]:
        """Return what heads a column of this role, in lower case; ``loose`` if the place of the table says errata."""
        return self._loose_headings[role] if loose else self._headings[role]

    @cached_property
    def _headings(self) -> dict[Role, frozenset[str]]:
        return {column.role: frozenset(column.words) for column in self.columns}

    @cached_property
    def _loose_headings(self) -> dict[Role, frozenset[str]]:
        return {column.role: frozenset((*column.words, *column.loose)) for column in self.columns}

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
        # Where no spelling begins nothing is tried.
        spellings = (*NO_KINDS, *(word for kind in self.kinds for word in kind.words))
        initials = {letter for word in spellings for letter in (word[0].upper(), word[0].lower())}
        begin = rf"(?=[{re.escape(''.join(sorted(initials)))}])"
        return rf"{begin}(?:(?<![A-Za-z\-])(?:{'|'.join(latin)})(?![A-Za-z])|{'|'.join(other)})"

    def kind(self, word: str) -> str | None:
        """Return the canonical name of a spelling (plural or not), or None if it names no kind."""
        plain = word.rstrip(".").lower()
        for candidate in (plain, plain.removesuffix("s"), _singular(plain)):
            if candidate in self.by_word and word not in NO_KINDS:
                return self.by_word[candidate]
        return None


def _latin(word: str) -> str:
    stem = re.escape(word.rstrip("."))
    first = stem if word in _NAMES else f"[{stem[0].upper()}{stem[0].lower()}]{stem[1:]}"
    if word.endswith("."):
        return rf"{first}s?\.?"
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
