"""Changes against a base, in real histories: every fact that changed needs its row, and no row is rewritten."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from repositories import Repository

from lintbook.checks import RULES
from lintbook.cli import run
from lintbook.engine import Report, check, gather

BOOKS = Path(__file__).parent.parent / "fixtures" / "books"
CHANGES = [rule for rule in RULES if rule.code in ("ERR005", "ERR006")]
LSTM = "LSTM 的参数量 82,944 | LSTM 的参数量 82,432 | 前者数了两个偏置，其余两个数只数了一个"
ROW = "| `sec22.md` 例 2.2.2 | 例 2.2.1 | 例 2.2.2 | 前面补了一个例 |\n"
OPEN_QUESTIONS = "\n待核实的开放条目："
LOGGED_AT = "照原式只得一半 |\n"  # the end of the table of corrections


@pytest.fixture
def lecture(tmp_path: Path) -> Repository:
    """The clean lecture book in a repository of its own, on a branch that grows from main."""
    repository = Repository(tmp_path / "book")
    shutil.copytree(BOOKS / "lecture-2", repository.folder, dirs_exist_ok=True)
    repository.commit("the book as it is")
    repository.git("checkout", "--quiet", "-b", "work")
    return repository


def said(report: Report) -> list[str]:
    assert report.troubles == ()
    return [f"{each.span.path} {each.rule}: {each.message}" for each in report.diagnostics]


def judged(repository: Repository, base: str = "main") -> list[str]:
    return said(check(["."], repository.folder, CHANGES, cached=False, base=base))


def renumber(repository: Repository) -> None:
    repository.edit(
        "src/lectures/sec22.md", ("例 2.2.1（有效记忆跨度） {#ex-2.2.1}", "例 2.2.2（有效记忆跨度） {#ex-2.2.2}")
    )


def log(repository: Repository, row: str = ROW) -> None:
    repository.edit("src/lectures/errata2.md", (LOGGED_AT, LOGGED_AT + row))


RENUMBERED = "src/lectures/sec22.md unlogged-change: `例 2.2.2` was `例 2.2.1`"


def test_nothing_changed(lecture: Repository) -> None:
    assert judged(lecture) == []


def test_a_renumbered_box_needs_its_row(lecture: Repository) -> None:
    renumber(lecture)
    assert judged(lecture) == [RENUMBERED]  # before it is committed, and after
    lecture.commit("renumber")
    assert judged(lecture) == [RENUMBERED]
    log(lecture)
    assert judged(lecture) == []


@pytest.mark.parametrize(
    ("location", "speaks"),
    [
        ("`sec22.md`", True),
        ("src/lectures/sec22.md 第 2.2.3 节", True),
        ("[2.2](sec22.md#ex-2.2.2)", True),
        ("2.2.3", True),
        ("例 2.2.1", True),
        ("`sec23.md`", False),
        ("2.3.1", False),
        ("p. 22", False),
    ],
)
def test_a_row_speaks_for_the_page_that_its_location_names(lecture: Repository, location: str, speaks: bool) -> None:
    renumber(lecture)
    log(lecture, f"| {location} | 例 2.2.1 | 例 2.2.2 | |\n")
    assert judged(lecture) == ([] if speaks else [RENUMBERED])


def test_swapped_numbers_are_two_changes(lecture: Repository) -> None:
    lecture.edit(
        "src/lectures/sec22.md",
        ("定理 2.2.2（连乘的雅可比） {#thm-2.2.2}", "定理 2.2.9（连乘的雅可比） {#thm-2.2.9}"),
        ("定理 2.2.3（谱半径判据） {#thm-2.2.3}", "定理 2.2.2（谱半径判据） {#thm-2.2.2}"),
        ("定理 2.2.9（连乘的雅可比） {#thm-2.2.9}", "定理 2.2.3（连乘的雅可比） {#thm-2.2.3}"),
    )
    path = "src/lectures/sec22.md unlogged-change:"
    assert judged(lecture) == [f"{path} `定理 2.2.3` was `定理 2.2.2`", f"{path} `定理 2.2.2` was `定理 2.2.3`"]


@pytest.mark.parametrize(
    ("path", "old", "new", "message"),
    [
        ("sec22.md", "{#thm-2.2.1}", "{#thm-params}", "the anchor `thm-params` was `thm-2.2.1`"),
        ("sec22.md", " {#thm-2.2.1}", "", "the anchor `thm-2.2.1` is gone"),
        ("sec23.md", "正是 `82,432`", "正是 `82,433`", "the claim says `82,433`, it said `82,432`"),
        (
            "sec23.md",
            "`82,432`<!--= cell d_x=32 d_h=128 g=4 -->",
            "`82,432`",
            "the claim `cell d_x=32 d_h=128 g=4` is gone",
        ),
        (
            "sec22.md",
            '<marker id="mk-green"',
            '<marker id="mk-red"',
            "the drawing gained `mk-red` and lost `mk-green`",
        ),
    ],
)
def test_each_kind_of_fact_is_told(lecture: Repository, path: str, old: str, new: str, message: str) -> None:
    lecture.edit(f"src/lectures/{path}", (old, new))
    assert judged(lecture) == [f"src/lectures/{path} unlogged-change: {message}"]
    log(lecture, f"| `{path}` | 旧 | 新 | |\n")
    assert judged(lecture) == []


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("sec22.md", "上一节的三条要求", "上一节的\n三条要求"),  # wrapped anew
        ("sec22.md", "图中三个方框是同一个函数；", "三个方框都是同一个函数；"),  # reworded
        ("sec22.md", "$4{,}096$<!--=", "$4096$<!--="),  # the same number, set otherwise
        ("sec22.md", "（参数量与长度无关）", "（参数的个数与长度无关）"),  # a title
        ("sec22.md", "| $W_{xh}$ | $d_h", "| $W_{xh}$     |  $d_h"),  # aligned
        ("sec22.md", '<rect x="40" y="55"', '<rect x="41" y="55"'),  # the drawing, not what it defines
        (
            "sec22.md",
            "## 2.2.6 练习",
            "### 定义 2.2.9（新） {#def-2.2.9}\n\n新的有 4 个<!--= (2+2) -->。\n\n## 2.2.6 练习",
        ),
        ("errata2.md", "## 三、时效补注", "## 三、时效的补注"),
    ],
)
def test_what_changes_no_fact_needs_no_row(lecture: Repository, path: str, old: str, new: str) -> None:
    lecture.edit(f"src/lectures/{path}", (old, new))
    assert judged(lecture) == []


def test_a_paragraph_moved_to_another_page_changes_nothing(lecture: Repository) -> None:
    text = (lecture.folder / "src/lectures/sec22.md").read_text(encoding="utf-8")
    box = text[text.index("### 方法 2.2.2") : text.index("### 定义 2.2.3")]
    lecture.edit("src/lectures/sec22.md", (box, ""))
    lecture.edit("src/lectures/sec23.md", ("\n## ", f"\n{box}\n## "))
    assert judged(lecture) == []


def test_one_row_tells_the_same_correction_on_every_page(lecture: Repository) -> None:
    """The claim of the KV cache stands on several pages; the row names the method that gives it."""
    for path in ("sec25.md", "sec2-summary.md"):
        text = (lecture.folder / "src/lectures" / path).read_text(encoding="utf-8")
        assert "MQA $0.125$ GiB<!--= kv_cache @llama n_kv={32,8,1} -->" in text
        lecture.edit(
            f"src/lectures/{path}", ("MQA $0.125$ GiB<!--= kv_cache @llama n", "MQA $0.25$ GiB<!--= kv_cache @llama n")
        )
    assert len(judged(lecture)) == 2
    log(lecture, "| `sec25.md` 方法 2.5.3 | `0.125` | `0.25` | |\n")
    assert judged(lecture) == []


# Rows


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "LSTM 的参数量 `82,944`",
            "LSTM 的参数量 `82,945`",
            f"this row was `sec23.md 例 2.3.1 | {LSTM}` before",
        ),
        (
            "| `sec23.md` 例 2.3.1 | LSTM 的参数量 `82,944` | LSTM 的参数量 `82,432`<!--= cell d_x=32 d_h=128 g=4 --> "
            "| 前者数了两个偏置，其余两个数只数了一个 |\n",
            "",
            f"the row `sec23.md 例 2.3.1 | {LSTM}` is gone",
        ),
    ],
)
def test_a_row_of_the_base_stays_as_it_was(lecture: Repository, old: str, new: str, message: str) -> None:
    lecture.edit("src/lectures/errata2.md", (old, new))
    assert judged(lecture) == [f"src/lectures/errata2.md rewritten-erratum: {message}"]


def test_a_rewritten_row_is_no_new_one(lecture: Repository) -> None:
    renumber(lecture)
    lecture.edit("src/lectures/errata2.md", ("`sec23.md` 例 2.3.1 | LSTM", "`sec22.md` 例 2.2.2 | LSTM"))
    rewritten, unlogged = judged(lecture)
    assert rewritten == f"src/lectures/errata2.md rewritten-erratum: this row was `sec23.md 例 2.3.1 | {LSTM}` before"
    assert unlogged == RENUMBERED


def test_rows_in_another_order_and_form_are_the_same_rows(lecture: Repository) -> None:
    path = lecture.folder / "src/lectures/errata2.md"
    text = path.read_text(encoding="utf-8")
    start, end = text.index("| `src/lectures/lec02.md`"), text.index(OPEN_QUESTIONS)
    rows = text[start:end].strip().split("\n")
    formatted = [row.strip("| ").replace(" | ", "   |  ") for row in reversed(rows)]
    path.write_text(text[:start] + "\n".join(formatted) + "\n" + text[end:], encoding="utf-8")
    assert judged(lecture) == []


def test_rows_that_the_base_gained_meanwhile_are_not_missing(lecture: Repository) -> None:
    lecture.git("checkout", "--quiet", "main")
    log(lecture, "| `sec21.md` | 序烈 | 序列 | |\n")
    lecture.commit("another correction")
    lecture.git("checkout", "--quiet", "work")
    assert judged(lecture) == []
    renumber(lecture)
    lecture.commit("renumber")
    assert judged(lecture) == [RENUMBERED]
    lecture.git("merge", "--quiet", "--no-edit", "main")
    assert judged(lecture) == [RENUMBERED]  # the row that came by the merge is not this change's
    log(lecture)
    assert judged(lecture) == []


def test_a_table_that_moves_with_its_page(lecture: Repository) -> None:
    lecture.git("mv", "src/lectures/errata2.md", "src/lectures/corrections2-errata.md")
    lecture.edit("src/SUMMARY.md", ("lectures/errata2.md", "lectures/corrections2-errata.md"))
    assert judged(lecture) == []


# Waivers


@pytest.mark.parametrize(
    ("message", "waives"),
    [
        ("renumber\n\nErratum: none (nobody has read it yet)", True),
        ("重编号\n\n正文。\n\nErratum: none （尚未发布）\nReviewed-by: B", True),
        ("renumber\n\nErratum: none", False),  # a reason is due
        ("Erratum: none (in the subject)\n\nbody", False),
    ],
)
def test_a_trailer_with_a_reason_waives_the_rows(lecture: Repository, message: str, waives: bool) -> None:
    renumber(lecture)
    lecture.commit(message)
    lecture.commit("and something else")
    report = check(["."], lecture.folder, CHANGES, cached=False, base="main")
    assert said(report) == ([] if waives else [RENUMBERED])
    assert report.summary.unchecked == ({"changes that a commit trailer waives": 1} if waives else {})


def test_a_waiver_of_the_other_branch_is_none_of_this_one(lecture: Repository) -> None:
    lecture.git("checkout", "--quiet", "main")
    lecture.commit("a\n\nErratum: none (b)")
    lecture.git("checkout", "--quiet", "work")
    renumber(lecture)
    assert judged(lecture) == [RENUMBERED]


# Pages


def test_a_renamed_page_is_the_same_page(lecture: Repository) -> None:
    lecture.git("mv", "src/lectures/sec22.md", "src/lectures/rnn.md")
    lecture.edit("src/SUMMARY.md", ("lectures/sec22.md", "lectures/rnn.md"))
    assert judged(lecture) == []
    lecture.edit(
        "src/lectures/rnn.md", ("例 2.2.1（有效记忆跨度） {#ex-2.2.1}", "例 2.2.2（有效记忆跨度） {#ex-2.2.2}")
    )
    assert judged(lecture) == ["src/lectures/rnn.md unlogged-change: `例 2.2.2` was `例 2.2.1`"]
    log(lecture, "| `sec22.md`（今 `rnn.md`） | 例 2.2.1 | 例 2.2.2 | |\n")
    assert judged(lecture) == []


def test_a_page_that_is_gone_takes_its_facts_with_it(lecture: Repository) -> None:
    (lecture.folder / "src/lectures/sec27.md").unlink()
    lecture.edit("src/SUMMARY.md", ("  - [2.7 现代序列架构](lectures/sec27.md)\n", ""))
    messages = judged(lecture)
    assert any("`定理 2.7.1` is no longer declared" in message for message in messages)
    log(lecture, "| `sec27.md` | 全节 | 删去 | |\n")
    assert judged(lecture) == []


def test_a_new_page_needs_no_row(lecture: Repository) -> None:
    lecture.write({"src/lectures/sec29.md": "# 2.9 新\n\n### 定义 2.9.1（新） {#def-2.9.1}\n\n新。\n"})
    lecture.edit("src/SUMMARY.md", ("  - [第 2 讲总结]", "  - [2.9 新](lectures/sec29.md)\n  - [第 2 讲总结]"))
    assert judged(lecture) == []


def test_pages_that_are_not_live_are_left_alone(lecture: Repository) -> None:
    lecture.edit(
        "src/lectures/lec02.md", ("### 定义 2.1（序列建模） {#def-2-1}", "### 定义 2.8（序列建模） {#def-2-8}")
    )
    assert judged(lecture) == []


# The two corrections of the lecture's own record, replayed


def test_the_split_into_three_levels_needs_its_row(tmp_path: Path) -> None:
    """Boxes of a single page get three-level numbers on eight pages; the page stays and is no longer built."""
    repository = Repository(tmp_path / "book")
    new = BOOKS / "lecture-2"
    shutil.copytree(new, repository.folder, dirs_exist_ok=True)
    for page in (repository.folder / "src/lectures").glob("sec2*.md"):
        page.unlink()
    text = (new / "src/lectures/errata2.md").read_text(encoding="utf-8")
    rows = text[text.index("| `src/lectures/lec02.md`") : text.index(OPEN_QUESTIONS)]
    (row,) = (line + "\n" for line in rows.split("\n") if line.startswith("| `src/lectures/lec02.md`"))
    errata = text.replace(rows, "")
    repository.write(
        {
            "src/SUMMARY.md": "# 目录\n\n- [第 2 讲](lectures/lec02.md)\n- [勘误](lectures/errata2.md)\n",
            "src/lectures/errata2.md": errata,
        }
    )
    repository.commit("a single page")
    repository.git("checkout", "--quiet", "-b", "work")
    shutil.copytree(new, repository.folder, dirs_exist_ok=True)
    repository.write({"src/lectures/errata2.md": errata})
    repository.commit("split the lecture into eight pages")
    without = judged(repository)
    assert without and {line.split(" ")[1] for line in without} == {"unlogged-change:"}
    repository.write({"src/lectures/errata2.md": text.replace(rows, row)})
    repository.commit("log it")
    assert judged(repository) == []


def test_filling_the_definitions_of_drawings_needs_its_row(lecture: Repository) -> None:
    lecture.git("checkout", "--quiet", "main")
    row = next(
        line + "\n"
        for line in (lecture.folder / "src/lectures/errata2.md").read_text(encoding="utf-8").split("\n")
        if "的三张图" in line
    )
    lecture.edit("src/lectures/errata2.md", (row, ""))
    right = {}
    for name in ("sec22.md", "sec23.md", "sec24.md"):
        path = f"src/lectures/{name}"
        right[path] = (lecture.folder / path).read_text(encoding="utf-8")
        start, end = right[path].index("<defs>"), right[path].index("</defs>")
        lecture.write({path: right[path][:start] + "<defs>" + right[path][end:]})
    lecture.commit("drawings without their arrowheads")
    lecture.git("checkout", "--quiet", "-B", "work")
    lecture.write(right)
    lecture.commit("declare the arrowheads")
    messages = judged(lecture)
    assert [line.split(" ")[0] for line in messages] == sorted(right)
    assert all("the drawing gained `mk-" in message for message in messages)
    log(lecture, row)
    assert judged(lecture) == []


# Places


def test_paths_with_blanks_and_chinese_letters(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "仓 库")
    old = "# 勘误\n\n| 位置 | 原表述 | 更正 |\n|---|---|---|\n"
    pages = {"书/src/第 一 讲.md": "# 1.1 距\n\n### 定义 1.1.1（步） {#def-1.1.1}\n\n步。\n", "书/src/勘误.md": old}
    pages["书/book.toml"] = "[book]\n"
    pages["书/src/SUMMARY.md"] = "# 目\n\n- [一](<第 一 讲.md>)\n- [勘误](勘误.md)\n"
    repository.write(pages)
    repository.commit("一")
    repository.edit("书/src/第 一 讲.md", ("1.1.1（步） {#def-1.1.1}", "1.1.2（步） {#def-1.1.2}"))
    found = ["src/第 一 讲.md unlogged-change: `定义 1.1.2` was `定义 1.1.1`"]
    assert said(check(["."], repository.folder / "书", CHANGES, cached=False, base="HEAD")) == found
    above = check(["书"], repository.folder, CHANGES, cached=False, base="HEAD")
    assert said(above) == [f"书/{line}" for line in found]
    below = check(["."], repository.folder / "书" / "src", CHANGES, cached=False, base="HEAD")
    assert said(below) == [line.removeprefix("src/") for line in found]
    repository.edit(
        "书/src/勘误.md", ("|---|---|---|\n", "|---|---|---|\n| `第 一 讲.md` | 定义 1.1.1 | 定义 1.1.2 |\n")
    )
    assert said(check(["."], repository.folder / "书", CHANGES, cached=False, base="HEAD")) == []


def test_a_page_of_a_book_inside_is_none_of_the_pages_round_it(tmp_path: Path) -> None:
    """The README and the errata beside a book make a loose book; what the book loses is told by the book alone."""
    repository = Repository(tmp_path / "repository")
    shutil.copytree(BOOKS / "lecture-2", repository.folder / "book")
    repository.write({"ERRATA.md": "# Errata\n\n| Page | Error | Correction |\n|---|---|---|\n", "README.md": "# It\n"})
    repository.commit("the book and its surroundings")
    (repository.folder / "book/src/lectures/sec27.md").unlink()
    repository.edit("book/src/SUMMARY.md", ("  - [2.7 现代序列架构](lectures/sec27.md)\n", ""))
    lost = judged(repository, "HEAD")
    assert lost and all(line.startswith("book/src/") for line in lost)
    repository.edit("book/src/lectures/errata2.md", (LOGGED_AT, LOGGED_AT + "| `sec27.md` | 全节 | 删去 | |\n"))
    assert judged(repository, "HEAD") == []


def test_a_worktree_and_a_detached_head(lecture: Repository, tmp_path: Path) -> None:
    lecture.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "tree"), "work")
    tree = Repository(tmp_path / "tree")
    renumber(tree)
    assert judged(tree) == [RENUMBERED]
    tree.commit("renumber")
    assert judged(tree) == [RENUMBERED]


def test_a_submodule_is_a_repository_of_its_own(lecture: Repository, tmp_path: Path) -> None:
    outer = Repository(tmp_path / "outer")
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(lecture.folder), "book")
    outer.commit("the book as a submodule")
    inner = Repository(outer.folder / "book")
    renumber(inner)
    assert judged(inner, "HEAD") == [RENUMBERED]
    report = check(["."], outer.folder, CHANGES, cached=False, base="HEAD")
    assert said(report) == [f"book/{RENUMBERED}"]


def test_a_book_that_the_base_has_not(lecture: Repository) -> None:
    lecture.git("checkout", "--quiet", "--orphan", "other")
    lecture.git("rm", "-r", "--quiet", "--cached", ".")
    root = lecture.git("commit-tree", lecture.git("mktree", given=b"").strip(), "-m", "nothing").strip()
    lecture.git("update-ref", "refs/heads/other", root)
    lecture.commit("the book")
    assert judged(lecture, root) == []


def test_neither_work_tree_nor_index_is_touched(lecture: Repository) -> None:
    renumber(lecture)
    lecture.git("add", "src/lectures/sec22.md")
    lecture.edit("src/lectures/sec22.md", ("例 2.2.2（有效", "例 2.2.3（有效"))
    before = {path: path.read_bytes() for path in lecture.folder.rglob("*") if path.is_file()}
    assert judged(lecture) == ["src/lectures/sec22.md unlogged-change: `例 2.2.3` was `例 2.2.1`"]
    assert {path: path.read_bytes() for path in lecture.folder.rglob("*") if path.is_file()} == before


# What cannot be told


def trouble(folder: Path, base: str) -> str:
    report = check(["."], folder, CHANGES, cached=False, base=base)
    (found,) = report.troubles
    return found.message


def test_an_unknown_revision(lecture: Repository) -> None:
    assert trouble(lecture.folder, "origin/main") == "no commit is called `origin/main`"
    assert trouble(lecture.folder, "--output=x") == "no commit is called `--output=x`"
    assert not (lecture.folder / "x").exists()


def test_a_shallow_clone_asks_for_more(lecture: Repository, tmp_path: Path) -> None:
    lecture.commit("two")
    lecture.git("checkout", "--quiet", "main")
    lecture.commit("three")
    clone = Repository(tmp_path)
    clone.git("clone", "--quiet", "--depth=1", "--no-single-branch", lecture.folder.as_uri(), "clone")
    shallow = tmp_path / "clone"
    Repository(shallow).git("checkout", "--quiet", "work")
    message = trouble(shallow, "origin/main")
    assert message.startswith("`origin/main` and HEAD have no commit in common; fetch more of the history")
    assert "`fetch-depth: 0`" in message
    assert "`fetch-depth: 0`" in trouble(shallow, "v1.0")


def test_outside_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    folder = tmp_path / "book"
    shutil.copytree(BOOKS / "two-books", folder)
    report = check(["."], folder, CHANGES, cached=False, base="main")
    assert {each.message for each in report.troubles} == {
        "changes cannot be told: the book stands in no git repository"
    }


def test_a_repository_without_commits(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "book")
    shutil.copytree(BOOKS / "lecture-2", repository.folder, dirs_exist_ok=True)
    assert trouble(repository.folder, "main") == "changes cannot be told: the repository has no commit yet"


def test_without_git(lecture: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(lecture.folder))
    assert trouble(lecture.folder, "main") == "changes cannot be told: the command `git` is not installed"


# The command line


def output(capsys: pytest.CaptureFixture[str], arguments: Sequence[str]) -> tuple[int, list[str]]:
    status = run(arguments)
    return status, capsys.readouterr().out.splitlines()


def test_errata_tells_a_reviewer_what_is_needed(
    lecture: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    renumber(lecture)
    lecture.edit("src/lectures/sec23.md", ("正是 `82,432`", "正是 `82,433`"))
    log(lecture)
    monkeypatch.chdir(lecture.folder)
    assert output(capsys, ["errata", "--base", "main"]) == (
        1,
        [
            "rows rewritten: 0",
            "rows added: 1",
            "  src/lectures/errata2.md:53:3: sec22.md 例 2.2.2 | 例 2.2.1 | 例 2.2.2 | 前面补了一个例",
            "facts changed, with a row: 1",
            "  src/lectures/sec22.md:96:5: `例 2.2.2` was `例 2.2.1`",
            "facts changed, without a row: 1",
            "  src/lectures/sec23.md:101:43: the claim says `82,433`, it said `82,432`",
            "waived by `Erratum: none`: 0",
        ],
    )
    status, rows = output(capsys, ["errata", "--base", "main", "--draft"])
    assert (status, rows) == (1, ["| `sec23.md` | 82,432 | 82,433 |  |"])
    log(lecture, rows[0] + "\n")
    assert output(capsys, ["errata", "--base", "main", "--draft"]) == (0, [])
    assert run(["check", "--base", "main", "--select", "ERR005,ERR006"]) == 0


def test_errata_prints_the_waiver(
    lecture: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    renumber(lecture)
    commit = lecture.commit("renumber\n\nErratum: none (not yet public)")
    monkeypatch.chdir(lecture.folder)
    status, lines = output(capsys, ["errata", "--base", "main"])
    assert (status, lines[-2:]) == (0, ["waived by `Erratum: none`: 1", f"  {commit[:7]} renumber: not yet public"])


def test_a_history_that_cannot_be_read_exits_with_2(
    lecture: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(lecture.folder)
    for command in (["errata"], ["check", "--select", "ERR"]):
        assert run([*command, "--base", "nowhere"]) == 2
        assert "no commit is called `nowhere`" in capsys.readouterr().err


def test_only_what_changed_is_parsed(lecture: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the base one page is parsed; everything else of it is what was read already."""
    renumber(lecture)
    parsed = []
    from lintbook import parse

    original = parse.parse_markdown

    def counting(source: object, *arguments: object) -> object:
        parsed.append(source)
        return original(source, *arguments)  # type: ignore[arg-type]

    gather(["."], lecture.folder, CHANGES)  # into the cache
    monkeypatch.setattr(parse, "parse_markdown", counting)
    gather(["."], lecture.folder, CHANGES, base="main")
    assert len(parsed) == 1
