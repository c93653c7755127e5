from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from lintbook import __version__
from lintbook.cli import run
from lintbook.config import Overrides, Section
from lintbook.diagnostic import Diagnostic, Edit, Finding, Fix, Severity, Trouble
from lintbook.engine import Report, Summary
from lintbook.facts import Document
from lintbook.reporters.page import render
from lintbook.reporters.terminal import PLAIN
from lintbook.rule import document_rule
from lintbook.text import Source, Span

ROOT = Path(__file__).parent.parent


def report(*severities: Severity, troubles: tuple[Trouble, ...] = ()) -> Report:
    source = Source("a.md", "bad")
    found = tuple(
        Diagnostic("BOX001", "some-rule", each, Span("a.md", 0, 3), "seen", (), None, None, None, "0" * 16)
        for each in severities
    )
    counts = {severity: severities.count(severity) for severity in severities}
    return Report(found, troubles, Summary(counts, 1, {}), {"a.md": source})


TROUBLE = Trouble("b.md", "not UTF-8")


class Engine:
    """Stands in for the engine: gives a report made by hand and remembers what it was asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.report = report()
        self.paths: tuple[str, ...] = ()
        self.how: dict[str, object] = {}
        monkeypatch.setattr("lintbook.engine.check", self.check)

    def check(self, paths: tuple[str, ...], working_directory: Path, **how: object) -> Report:
        assert working_directory == Path.cwd()
        self.paths, self.how = paths, how
        return self.report


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    return Engine(monkeypatch)


# check


@pytest.mark.parametrize(
    ("what", "options", "status"),
    [
        (report(), [], 0),
        (report(Severity.INFO), [], 0),
        (report(Severity.WARNING), [], 1),
        (report(Severity.ERROR), [], 1),
        (report(Severity.INFO), ["--fail-on", "info"], 1),
        (report(Severity.WARNING), ["--fail-on", "error"], 0),
        (report(Severity.ERROR), ["--fail-on", "error"], 1),
        (report(troubles=(TROUBLE,)), [], 2),
        (report(Severity.ERROR, troubles=(TROUBLE,)), [], 2),
    ],
)
def test_the_exit_status_says_what_came_of_it(engine: Engine, what: Report, options: list[str], status: int) -> None:
    engine.report = what
    assert run(["check", *options]) == status


def test_the_configuration_says_what_fails_unless_the_command_line_does(engine: Engine) -> None:
    engine.report = replace(report(Severity.WARNING), fail_on=Severity.ERROR)
    assert run(["check"]) == 0
    assert run(["check", "--fail-on", "info"]) == 1


def test_rules_are_switched_on_and_off_from_the_command_line(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("strict.toml").touch()
    run(["check", "--select", "BOX,broken-link", "--select", "figures", "--ignore", "BOX001"])
    section = Section(select=("BOX", "broken-link", "figures"), ignore=("BOX001",))
    assert engine.how["overrides"] == Overrides(section=section)
    run(["check", "--isolated", "--extend-select", "PAG001"])
    assert engine.how["overrides"] == Overrides(isolated=True, section=Section(extend_select=("PAG001",)))
    run(["check", "--config", "strict.toml"])
    assert engine.how["overrides"] == Overrides(file="strict.toml")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--select", "broken-lnk"], "--select: no rule, code or family is called `broken-lnk`; did you mean"),
        (["--ignore", "pag001"], "--ignore: no rule, code or family is called `pag001`; did you mean `PAG001`?"),
        (["--isolated", "--config", "a.toml"], "`--isolated` takes no configuration file, `--config` names one"),
    ],
)  # fmt: skip
def test_wrong_selectors_are_told_before_anything_is_read(
    engine: Engine, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    assert run(["check", *options]) == 2
    assert said in capsys.readouterr().err
    assert engine.paths == ()


def test_the_current_folder_is_checked_unless_paths_are_given(engine: Engine) -> None:
    run(["check"])
    assert engine.paths == (".",)
    run(["check", "src", "../other"])
    assert engine.paths == ("src", "../other")


def test_diagnostics_go_to_standard_output_and_troubles_to_standard_error(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.report = report(Severity.ERROR, troubles=(TROUBLE,))
    run(["check"])
    shown = capsys.readouterr()
    assert shown.out.startswith("a.md:1:1: error BOX001 some-rule: seen\n")
    assert shown.out.endswith("checked 1 file: 1 error\n")
    assert shown.err == "lintbook: b.md: not UTF-8\n"


def test_concise_keeps_the_summary_out_of_its_lines(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    engine.report = report(Severity.ERROR)
    run(["check", "--format", "concise"])
    shown = capsys.readouterr()
    assert shown.out == "a.md:1:1: error BOX001 some-rule: seen\n"
    assert shown.err == "checked 1 file: 1 error\n"


def test_wrong_usage_is_status_two_and_says_what_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--format", "xml"]) == 2
    assert "`xml` is none of `full`, `concise`, `json`, `sarif`, `github`\n" in capsys.readouterr().err
    assert run(["check", "--format", "Jsn"]) == 2
    assert "did you mean `json`?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chek"], "`chek` is no command; did you mean `check`?"),
        (["zzz"], "`zzz` is no command\n"),
        (["tests"], "`tests` is no command; `lintbook check tests` checks it"),
        (["baseline", "wriet"], "`wriet` is no command; did you mean `write`?"),
        (["cache", "tests"], "`tests` is no command\n"),
        (["check", "-"], "a page is checked in its book: name its file, not standard input"),
        (
            ["check", "--config", "pyproject.tml"],
            "`pyproject.tml` does not exist; did you mean `pyproject.toml`?",
        ),
    ],
)
def test_what_is_misspelt_is_answered_with_what_was_meant(
    arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert run(arguments) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["check", ""], ["check", "a.md", ""], ["quantities", ""], ["baseline", "show", ""], ["check", "-o", ""]],
)
def test_an_empty_path_is_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert "an empty path names nothing" in capsys.readouterr().err


def test_an_empty_path_of_a_configuration_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--config", ""]) == 2
    assert "an empty path names nothing" in capsys.readouterr().err


def test_a_file_that_looks_like_an_option_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-x.md").write_text("[x](gone.md)\n")
    assert run(["check", "-x.md"]) == 2
    assert "write `./-x.md`" in capsys.readouterr().err
    for arguments in (["./-x.md"], ["--", "-x.md"]):
        assert run(["check", "--format", "concise", *arguments]) == 1
        assert capsys.readouterr().out == "-x.md:1:5: error PAG001 broken-link: `gone.md` does not exist\n"


def test_folders_without_pages_are_named_unless_all_is_to_be_quiet(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.report = replace(report(), vacant=("img", "新\n"))
    assert run(["check", "--format", "json"]) == 0
    told = "lintbook: img: holds no page of a book\nlintbook: 新\\x0a: holds no page of a book\n"
    assert capsys.readouterr().err == told
    run(["check", "--quiet"])
    assert capsys.readouterr().err == ""


def test_an_interrupt_is_status_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: object, **options: object) -> Report:
        raise KeyboardInterrupt

    monkeypatch.setattr("lintbook.engine.check", interrupt)
    assert run(["check"]) == 130


# fixing and showing


@pytest.fixture
def fixable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book whose pages say `bad` where they should say `good`, and a rule that repairs it."""

    def worded(document: Document) -> Iterator[Finding]:
        """A page says what is bad."""
        source = document.source
        for match in re.finditer("bad|worse", source.text):
            edit = Edit(source.span(*match.span()), "good")
            yield Finding(edit.span, "say `good`", fix=Fix("say `good`", (edit,), safe=match[0] == "bad"))

    worded.__module__ = "lintbook.checks.boxes.some"
    monkeypatch.setattr("lintbook.checks.RULES", (document_rule("BOX001", Severity.ERROR)(worded),))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_bytes(b"bad\r\nworse\r\n")
    return tmp_path


def test_fixing_writes_what_is_safe_and_reports_what_is_left(fixable: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--fix", "--format", "concise"]) == 1
    shown = capsys.readouterr()
    assert shown.out == "a.md:2:1: error BOX001 worded: say `good`\n"
    assert shown.err == "checked 1 file: 1 error; 1 fixed; 1 to be fixed by `--fix --unsafe-fixes`\n"
    assert (fixable / "a.md").read_bytes() == b"good\r\nworse\r\n"
    assert run(["check", "--fix", "--unsafe-fixes"]) == 0
    assert (fixable / "a.md").read_bytes() == b"good\r\ngood\r\n"


def test_a_difference_changes_nothing(fixable: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--diff", "--unsafe-fixes"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "--- a.md", "+++ a.md", "@@ -1,2 +1,2 @@", "-bad", "-worse", "+good", "+good",
    ]  # fmt: skip
    assert (fixable / "a.md").read_bytes() == b"bad\r\nworse\r\n"
    (fixable / "a.md").write_text("good")
    assert run(["check", "--diff"]) == 0


def test_what_cannot_be_written_is_said_and_nothing_is_called_fixed(
    fixable: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert run(["check", "--fix"]) == 2
    shown = capsys.readouterr()
    assert shown.err == "lintbook: a.md: cannot be written: no space left on device\n"
    assert shown.out.endswith("checked 1 file: 2 errors; 1 to be fixed by `--fix`; 1 by `--fix --unsafe-fixes`\n")


def test_what_is_write_protected_is_said_and_left_alone(
    fixable: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # to the superuser nothing is
    assert run(["check", "--fix"]) == 2
    assert capsys.readouterr().err == "lintbook: a.md: cannot be written: it is write-protected\n"
    assert (fixable / "a.md").read_bytes() == b"bad\r\nworse\r\n"


def test_unsafe_fixes_alone_are_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--unsafe-fixes"]) == 2
    assert "`--unsafe-fixes` goes with `--fix` or `--diff`" in capsys.readouterr().err


def test_output_goes_into_a_file_without_colours(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORCE_COLOR", "1")
    engine.report = report(Severity.ERROR)
    assert run(["check", "--output-file", "报告.txt", "--format", "concise"]) == 1
    assert Path("报告.txt").read_text(encoding="utf-8") == "a.md:1:1: error BOX001 some-rule: seen\n"
    assert capsys.readouterr().out == ""
    assert run(["check", "-o", "out/of/it.txt"]) == 1
    assert Path("out/of/it.txt").read_text(encoding="utf-8").startswith("a.md:1:1: error BOX001 some-rule: seen\n")
    assert run(["check", "-o", "报告.txt/it.txt"]) == 2
    assert "报告.txt/it.txt: cannot be written: " in capsys.readouterr().err


def test_quiet_leaves_out_the_summary_and_exit_zero_the_status(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.report = report(Severity.ERROR)
    assert run(["check", "--quiet", "--exit-zero", "--format", "concise"]) == 0
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("a.md:1:1: error BOX001 some-rule: seen\n", "")
    engine.report = report(troubles=(TROUBLE,))
    assert run(["check", "--exit-zero"]) == 2


def test_statistics_are_for_people(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    engine.report = report(Severity.ERROR)
    assert run(["check", "--statistics"]) == 1
    assert capsys.readouterr().out.splitlines()[0] == "1 error   BOX001 some-rule"
    assert run(["check", "--statistics", "--format", "json"]) == 2


# explain and rules


@pytest.mark.parametrize("name", ["broken-link", "PAG001", "pag001", "Broken-Link"])
def test_a_rule_is_explained_by_name_or_code(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", name]) == 0
    head, _, page = capsys.readouterr().out.partition("\n\n")
    assert head.startswith("PAG001 broken-link (error, stable): ")
    assert page == (ROOT / "rules/pages/broken-link.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("broken-lnik", "no rule, family or formula is called `broken-lnik`; did you mean `broken-link`?"),
        ("pag0001", "did you mean `PAG001`?"),
        ("boks", "did you mean `boxes`?"),
        ("kv_cash", "did you mean `kv_cache`?"),
        ("zzzz", "`lintbook rules` lists the rules"),
    ],
)
def test_of_what_cannot_be_explained_the_nearest_is_offered(
    name: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", name]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("name", ["terms", "TRM", "trm", "TRM00"])
def test_of_a_family_the_rules_are_listed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", name]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[:-2]] == [
        ["TRM001", "discouraged-term"],
        ["TRM002", "stale-statement"],
    ]
    assert lines[-1] == "`lintbook explain NAME` shows the page about one of them."


def test_a_formula_is_explained_with_its_symbols_and_none_of_its_neighbours(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "kv_share"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("# The cache of keys and values\n")
    assert "heads of keys and values" in shown
    assert "kv_share = n_kv/n_h" in shown
    assert "kv_cache" not in shown


def test_the_help_tells_of_every_command_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    for group in ([], ["baseline"], ["cache"], ["quantities"]):
        assert run([*group, "--help"]) == 0
        assert "..." not in capsys.readouterr().out.partition("Commands:")[2]


def test_rules_are_listed_by_code_with_what_they_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()
    codes = [line.split()[0] for line in lines]
    assert codes == sorted(codes)
    assert "PAG001" in codes
    assert [line.split()[1:3] for line in lines if line.startswith("PAG001")] == [["broken-link", "error"]]


def test_rules_are_described_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "--format", "json"]) == 0
    rules = {rule["name"]: rule for rule in json.loads(capsys.readouterr().out)}
    assert rules["broken-link"] == {
        "code": "PAG001",
        "name": "broken-link",
        "family": "pages",
        "severity": "error",
        "status": "stable",
        "summary": "The page or file that a link leads to does not exist.",
        "options": {},
    }
    assert rules["stale-statement"]["options"] == {"years": "2", "today": None}


MARKED = replace(PLAIN, place="<", info="{", aside="(")


def on_terminal(page: str, width: int = 80) -> list[str]:
    """The lines of a page for a terminal, with a bar for each end of a colour."""
    return [line.replace("\x1b[0m", "|") for line in render(page, MARKED, width)]


def test_without_colours_a_page_is_its_source() -> None:
    page = "# a-rule\n\nSee `code` and **strong** [text](x.md).\n\n```toml\n# [x] `y`\n```\n"
    assert list(render(page, PLAIN, 10)) == page.splitlines()


def test_a_page_is_rendered_for_a_terminal() -> None:
    page = "# a-rule\n\nSee `code` and **strong** [text](x.md).\n\n`a.toml`:\n\n```toml\n# [x] `y`\n\n```\n\n- `one`\n"
    assert on_terminal(page) == [
        "<a-rule|", "", "See {code| and strong text.", "", "{a.toml|:", "", "    (# [x] `y`|", "", "", "- {one|",
    ]  # fmt: skip


def test_what_examples_mean_is_said_on_a_terminal() -> None:
    page = "```toml\na = 1\n```\n\n````diagnostics\na.md:1:1: ```\n````\n"
    assert on_terminal(page) == [
        "{lintbook.toml|:", "", "    (a = 1|", "", "reported:", "", "    a.md:1:1: ```",
    ]  # fmt: skip


def test_paragraphs_and_items_are_fitted_to_the_terminal() -> None:
    page = "one two\nthree `four\nfive` 六七 eight\n- nine ten eleven\n  twelve\n  - deep down\n- end\n"
    assert on_terminal(page, 15) == [
        "one two three", "{four five| 六七", "eight", "- nine ten", "  eleven twelve", "  - deep down", "- end",
    ]  # fmt: skip


def test_formulas_and_tables_keep_their_lines() -> None:
    page = "| a | `b` |\n|---|---|\n\n<!-- quantities\nx = 1\n-->\n\n$$\nx\n$$<!--= formula x -->\n\n$$y$$\nend\n"
    assert on_terminal(page, 4) == [
        "| a | {b| |", "|---|---|", "", "(<!-- quantities|", "(x = 1|", "(-->|", "",
        "($$|", "(x|", "($$<!--= formula x -->|", "", "($$y$$|", "end",
    ]  # fmt: skip


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_learn_to_complete(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    assert "_LINTBOOK_COMPLETE" in capsys.readouterr().out


def test_rules_are_completed() -> None:
    words = {"COMP_WORDS": "lintbook explain broken-", "COMP_CWORD": "2", "_LINTBOOK_COMPLETE": "bash_complete"}
    done = lintbook(stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT), **words})
    assert "plain,broken-link" in done.stdout.decode().splitlines()


# the process


def lintbook(*arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    options.setdefault("env", {**os.environ, "PYTHONPATH": str(ROOT)})
    return subprocess.run([sys.executable, "-m", "lintbook", *arguments], check=False, timeout=60, **options)


def test_the_version_is_printed() -> None:
    done = lintbook("--version", capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"lintbook {__version__}\n".encode(), b"")


def with_engine(body: str, **options: object) -> subprocess.Popen[bytes]:
    """Run lintbook's entry point in a process whose engine is ``body``, the text of a function body."""
    program = "\n".join(
        [
            "import sys, time, lintbook.engine",
            "from lintbook.__main__ import main",
            "from tests.test_cli import report, Severity, TROUBLE",
            "def check(paths, working_directory, **how):",
            f"    {body}",
            "lintbook.engine.check = check",
            "sys.argv = ['lintbook', 'check']",
            "main()",
        ]
    )
    return subprocess.Popen(
        [sys.executable, "-c", program],
        **{"cwd": ROOT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
    )


def test_a_closed_pipe_is_no_traceback() -> None:
    process = with_engine("return report(*[Severity.ERROR] * 20_000)")
    assert process.stdout is not None
    assert process.stdout.readline() == b"a.md:1:1: error BOX001 some-rule: seen\n"
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    # Not all was told; 1 would say that all was, and that the book has faults.
    assert process.wait(timeout=60) == 2


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="needs a device that is always full")
class TestAFullDisk:
    def test_is_said_and_is_status_two(self) -> None:
        with Path("/dev/full").open("wb") as full:
            done = lintbook("--version", stdout=full, stderr=subprocess.PIPE)
        assert (done.returncode, done.stderr) == (2, b"lintbook: output is lost: No space left on device\n")

    @pytest.mark.parametrize("body", ["return report(Severity.ERROR, troubles=(TROUBLE,))", "return 1 / 0"])
    def test_under_standard_error_is_status_two_and_takes_nothing_from_standard_output(self, body: str) -> None:
        with Path("/dev/full").open("wb") as full:
            process = with_engine(body, stderr=full)
            output, _ = process.communicate(timeout=60)
        assert process.returncode == 2
        assert output.startswith(b"a.md:1:1: error BOX001 some-rule: seen\n" if "report" in body else b"")

    def test_under_both_is_status_two(self) -> None:
        with Path("/dev/full").open("wb") as full:
            assert lintbook("rules", stdout=full, stderr=full).returncode == 2
            assert lintbook("chek", stdout=full, stderr=full).returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="a folder in use cannot be removed")
def test_a_current_folder_that_is_gone_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    done = lintbook("check", cwd=folder, preexec_fn=folder.rmdir, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (2, b"lintbook: the current folder is gone\n")


@pytest.mark.skipif(os.name == "nt", reason="closes a file descriptor")
def test_a_closed_standard_output_changes_no_status() -> None:
    done = lintbook("--version", stderr=subprocess.PIPE, preexec_fn=lambda: os.close(1))
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
def test_an_interrupted_process_leaves_with_130_and_no_traceback() -> None:
    process = with_engine("print('ready', flush=True); time.sleep(60)")
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in errors


def test_a_fault_of_lintbook_is_not_taken_for_one_of_the_book() -> None:
    process = with_engine("return 1 / 0")
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (2, b"")
    assert b"ZeroDivisionError" in errors
    assert errors.endswith(b"please report what is above\n")


def test_a_library_that_is_missing_is_named() -> None:
    process = with_engine("raise ModuleNotFoundError('No module named lxml', name='lxml.etree')")
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (2, b"")
    assert errors == (b"lintbook: the library `lxml.etree` is missing; install lintbook anew, with all that it needs\n")


def test_output_is_utf_8_whatever_the_machine_says() -> None:
    process = with_engine(
        "return report(troubles=(type(TROUBLE)('课\\udcff.md', '坏'),))",
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    output, errors = process.communicate(timeout=60)
    assert output == b"checked 1 file: nothing found\n"
    assert errors == "lintbook: 课\\udcff.md: 坏\n".encode()
