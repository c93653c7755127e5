"""The kinds of boxes and their spellings."""

from __future__ import annotations

import re

import pytest

from lintbook.vocabulary import KINDS, NO_KINDS, Kind, Vocabulary, standard_vocabulary

VOCABULARY = standard_vocabulary()


def words_in(text: str) -> list[str]:
    return [match.group() for match in re.finditer(VOCABULARY.words, text)]


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("Definition", "definition"),
        ("definitions", "definition"),
        ("Def.", "definition"),
        ("Thm", "theorem"),
        ("Lemmata", "lemma"),
        ("Corollaries", "corollary"),
        ("Non-Example", "non-example"),
        ("定义", "definition"),
        ("引理", "lemma"),
        ("案例", "case"),
        ("例", "example"),
        ("思考题", "problem"),
    ],
)
def test_a_spelling_names_its_kind(word: str, kind: str) -> None:
    assert VOCABULARY.kind(word) == kind


@pytest.mark.parametrize("word", ["比例", "自定义", "Chapter", "Figure", "节", ""])
def test_other_words_name_none(word: str) -> None:
    assert VOCABULARY.kind(word) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("by Theorem 2.1 and Lemmas 2.2", ["Theorem", "Lemmas"]),
        ("a Non-Example 2.4.1", ["Non-Example"]),
        ("案例 3.1 与例 3.1", ["案例", "例"]),
        ("counterexample, Metatheorem, sub-lemma", ["counterexample"]),
        ("in fact 2.1 % of them, Fact 2.1", ["Fact"]),
        ("按比例 2.1 缩放，见标注 3.1", ["比例", "标注"]),
    ],
)
def test_words_stand_at_a_left_boundary(text: str, words: list[str]) -> None:
    assert words_in(text) == words


def test_what_only_ends_in_a_kind_is_found_first_and_names_none() -> None:
    for word in NO_KINDS:
        assert words_in(f"{word} 2.1") == [word]
        assert VOCABULARY.kind(word) is None


def test_a_prefix_may_stand_for_several_kinds() -> None:
    assert {"example", "exercise", "case", "sample"} <= set(VOCABULARY.by_prefix["ex"])
    assert VOCABULARY.by_prefix["thm"] == ("theorem",)


def test_every_kind_can_be_named_or_anchored() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    for kind in KINDS:
        assert kind.words or kind.prefixes
        assert all(VOCABULARY.kind(word) == kind.name for word in kind.words)


def test_a_book_may_have_kinds_of_its_own() -> None:
    own = Vocabulary((*KINDS, Kind("puzzle", ("Puzzle", "谜题"), ("puz",))))
    assert own.kind("Puzzles") == own.kind("谜题") == "puzzle"
    assert own.by_prefix["puz"] == ("puzzle",)
