"""What a name is most like."""

from __future__ import annotations

import time

from bounds import HANGS

from lintbook.likeness import most_like

KNOWN = ("attention", "attention-only", "backpropagation", "隐状态", "隐状态的更新", "a")


def test_the_most_like_comes_first() -> None:
    assert most_like("atention", KNOWN, 2) == ["attention", "attention-only"]
    assert most_like("隐状太", KNOWN) == ["隐状态"]
    assert most_like("a", KNOWN) == ["a"]


def test_what_is_like_nothing_finds_nothing() -> None:
    assert most_like("zzzz", KNOWN) == []
    assert most_like("", KNOWN) == []
    assert most_like("anything", ()) == []


def test_many_questions_about_many_names_take_bounded_time() -> None:
    """difflib alone takes a minute for this."""
    known = tuple(f"section-{number}-of-the-book" for number in range(2_000))
    start = time.process_time()
    for number in range(2_000):
        most_like(f"sektion-{number}", known)
    assert time.process_time() - start < HANGS
