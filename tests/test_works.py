"""Whose a reference is: this book's, or another work's that is named beside it or above it."""

from __future__ import annotations

import time

import pytest
from bounds import HANGS
from test_citing import facts, named


@pytest.mark.parametrize(
    "text",
    [
        # the key of a work, then the reference
        *("By Massart [BLM13], Theorem 4.99,", "This is [12], Theorem 4.99.", "as in [Rud76] (Theorem 4.99)"),
        *("@folland Theorem 4.99", "see [@folland], Theorem 4.99", "@folland (Theorem 4.99)"),
        # an author, or the name of a work
        *("Rudin Theorem 4.99 says the same.", "Rudin's Theorem 4.99", "Compare Durrett, Theorem 4.99."),
        *("Hartshorne, Theorem 4.99", "Vershynin [Theorem 4.99]", "Wainwright 2019, Theorem 4.99"),
        *("see Lattimore and Szepesvári, Theorem 4.99", "Śniady's Theorem 4.99", "CLRS Theorem 4.99 covers it."),
        *("SLT, Theorem 4.99, has the same.", "Stacks project, Theorem 4.99", "In Rudin it is Theorem 4.99."),
        *("In *Understanding Machine Learning*, Theorem 4.99 is sharper.", "the GAN paper has it as Theorem 4.99"),
        *("Bartlett and Mendelson, who prove it in their Theorem 4.99", "Vapnik states this as his Theorem 4.99."),
        *("op. cit., Theorem 4.99", "ibid., Theorem 4.99", "Theorem 4.99 of loc. cit.", "This is Theorem 4.99 there."),
        *("We quote Theorem 4.99 from Ledoux and Talagrand.", "(This is Thm. 4.99, Rudin.)"),
        *("the textbook by Rudin has it as Theorem 4.99", "In the CS229 notes it is Theorem 4.99."),
        "See [Rudin](https://example.org/rudin) for Theorem 4.99.",
        *("Durrett 定理 4.99", "Durrett 书中的定理 4.99", "周志华书中的定理 4.99", "周志华（2016）的定理 4.99"),
        *("西瓜书定理 4.99", "CS229 讲义的定理 4.99", "他的教材里有定理 4.99"),
        # an earlier edition, or the number that it had
        *("In the first edition this was Theorem 4.99.", "This was Theorem 4.99 in earlier versions of these notes."),
        *("In the printed version this is Theorem 4.99.", "In version 1 it was numbered Theorem 4.99."),
        *("旧版中这是定理 4.99。", "第一版的定理 4.99 有误。", "在 v1 中编号为定理 4.99。"),
        *("formerly Theorem 4.99", "the old Theorem 4.99", "Theorem 4.99 (1st ed.)", "Theorem 4.99 was renumbered."),
        # what is not written yet
        *("Theorem 4.99 (forthcoming)", "- [ ] Theorem 4.99: the bound", "- Theorem 4.99: Dudley's bound (planned)"),
    ],
)
def test_another_work_or_edition_is_named_beside(text: str) -> None:
    assert named(text)[0] == "theorem 4.99*"


@pytest.mark.parametrize(
    "text",
    [
        *("By [12] and Theorem 4.99,", "By Theorem 4.99 the variance is small [12].", "see Theorem 4.99 and [12]"),
        *("By the Bellman Theorem 4.99", "by the Central Limit Theorem 4.99", "our Main Theorem 4.99"),
        *("We derive Theorem 4.99 from Jensen's inequality.", "Obtain Theorem 4.99 from Bayes’ rule."),
        *("Can Theorem 4.99 be improved?", "Should Theorem 4.99 hold,", "Will Theorem 4.99 do?"),
        *("Recall Theorem 4.99.", "Applying Theorem 4.99,", "However, Theorem 4.99", "Similarly, Theorem 4.99"),
        *("## Why Theorem 4.99 Matters", "Prove Theorem 4.99 again.", "In Section 4, Theorem 4.99 was used."),
        *("For MDPs, Theorem 4.99 gives more.", "Under SGD, Theorem 4.99 fails.", "For all A, Theorem 4.99 holds."),
        *("By Theorem 4.99 there is an x.", "By Theorem 4.99, Markov chains converge.", "Theorem 4.99 (Hoeffding)"),
        *("Theorem 4.99 from Section 3.2", "Theorem 4.99 in Appendix A", "Theorem 4.99 of Part II"),
        *("Hoeffding's inequality (Theorem 4.99)", "Following Mohri et al. (2018), our Theorem 4.99"),
        *("Theorem 4.99 is now proved.", "Theorem 4.99 (planar case)", "The key was Theorem 4.99."),
        *("Read [the notes](https://example.org/n) before you go on to Theorem 4.99.", "- [x] Theorem 4.99: proved"),
        *("[Hoeffding's Theorem 4.99](bounds.md#thm-4.99)", "- [ ] Read Theorem 4.99"),
        *("本书定理 4.99", "在这本书的定理 4.99 中", "本讲义的定理 4.99", "标准的定理 4.99", "因此定理 4.99 成立"),
        *("当前版中定理 4.99", "将定理 4.99 改为强凸情形", "出版后定理 4.99", "原因见定理 4.99", "上述定理 4.99"),
    ],
)
def test_these_words_name_no_other_work(text: str) -> None:
    assert "theorem 4.99" in named(text)


@pytest.mark.parametrize(
    "text",
    [
        *("Sutton & Barto §4.9", "Boyd & Vandenberghe (Section 4.9)", "PRML 4.9 节", "见 PRML 第 4.9 节"),
        *("Section 4.9 of RFC 7231", "RFC 7231, Section 4.9", "RFC 7231 的 4.9 节", "IEEE 754 第 4.9 节"),
        *("C++ 标准 4.9 节", "官方文档 4.9 节", "花书第 4.9 节", "the Rust reference, Section 4.9"),
        *("Section 4.9 (to appear)", "4.9 节（待写）", "Section 4.9 was merged into the next."),
    ],
)
def test_sections_of_books_standards_and_plans(text: str) -> None:
    assert named(text) == ["section 4.9*"]


def test_references_of_one_list_are_of_one_work() -> None:
    assert named("Theorems 4.1 and 4.2 of [Nes]") == ["theorem 4.1*", "theorem 4.2*"]
    assert named("Sections 4.1, 4.2 and 4.3 of Knuth") == ["section 4.1*", "section 4.2*", "section 4.3*"]
    assert named("Rudin, Chapter 4, Theorem 4.2 and Lemma 4.3") == ["chapter 4*", "theorem 4.2*", "lemma 4.3*"]


def test_a_list_ends_where_another_sentence_or_work_begins() -> None:
    assert named("[Nes, Theorem 4.1] and Theorem 4.2") == ["theorem 4.1*", "theorem 4.2"]
    assert named("Theorem 4.1 and Rudin's Theorem 4.2") == ["theorem 4.1", "theorem 4.2*"]
    assert named("our Theorem 4.1 and Theorem 4.2 of Rudin") == ["theorem 4.1", "theorem 4.2*"]
    assert named("Theorem 4.1 of Rudin is our Theorem 4.2.") == ["theorem 4.1*", "theorem 4.2"]


@pytest.mark.parametrize(
    "heading",
    ["Changelog", "Changes in version 2", "Revision history", "更新日志", "Errata", "勘误", "References"],
)
def test_below_these_headings_the_book_as_it_is_is_not_spoken_of(heading: str) -> None:
    text = f"## {heading}\n\n### 2024\n\n- Theorem 4.1 is gone.\n\n## Sums\n\nTheorem 4.2"
    assert named(text) == ["theorem 4.1*", "theorem 4.2"]


@pytest.mark.parametrize("heading", ["Changes of variables", "Roadmap", "The history of sums", "本章小结"])
def test_below_these_it_is(heading: str) -> None:
    assert named(f"## {heading}\n\nTheorem 4.1") == ["theorem 4.1"]


@pytest.mark.parametrize(
    ("headers", "foreign"),
    [
        (("Rudin", "These notes"), (True, False)),
        (("First edition", "This edition"), (True, False)),
        (("本书", "周志华《机器学习》"), (False, True)),
        (("第一版", "第二版"), (True, True)),
        (("v1", "v2"), (True, True)),
        (("Here", "Wainwright"), (False, True)),
        (("Topic", "Where"), (False, False)),
        (("Rudin", "Topic"), (False, False)),
    ],
)
def test_columns_of_other_works_and_editions(headers: tuple[str, str], foreign: tuple[bool, bool]) -> None:
    table = f"| {headers[0]} | {headers[1]} |\n|---|---|\n| Theorem 4.1 | Theorem 4.2 |\n"
    assert [each.foreign for each in facts(table).references] == list(foreign)
    # The next table has headers of its own.
    after = facts(f"{table}\n| Topic | Where |\n|---|---|\n| Theorem 4.3 | Theorem 4.4 |\n").references[-2:]
    assert not any(each.foreign for each in after)


def test_many_names_before_references_are_read_in_linear_time() -> None:
    for text in ("Rudin " * 20_000 + "Theorem 4.1", "Rudin & Theorem 4.1 " * 5_000, "A-" * 20_000 + "Theorem 4.1"):
        start = time.process_time()
        facts(text)
        assert time.process_time() - start < HANGS
