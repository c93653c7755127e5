from __future__ import annotations

import io
import json
from collections import Counter

import pytest
from msgspec.structs import replace

from lintbook.diagnostic import Diagnostic, Edit, Fix, Related, Severity, Trouble
from lintbook.engine import Report, Summary
from lintbook.reporters import palette_for, reporter, summary_line, trouble_line
from lintbook.reporters.terminal import COLOURED, PLAIN, Palette
from lintbook.text import Source, Span


def diagnostic(where: Source, part: str, message: str = "seen", **more: object) -> Diagnostic:
    start = where.text.index(part)
    given: dict[str, object] = {
        "code": "BOX001",
        "rule": "some-rule",
        "severity": Severity.ERROR,
        "span": where.span(start, start + len(part)),
        "message": message,
        "related": (),
        "fix": None,
        "cause": None,
        "advice": None,
        "fingerprint": "0123456789abcdef",
    }
    return Diagnostic(**{**given, **more})


def report(where: Source, *diagnostics: Diagnostic) -> Report:
    counts = Counter(each.severity for each in diagnostics)
    return Report(diagnostics, (), Summary(counts, 1, {}), {where.path: where})


def shown(format_name: str, what: Report, palette: Palette = PLAIN) -> list[str]:
    return list(reporter(format_name)(what, palette))


def excerpt(text: str, part: str) -> tuple[str, str]:
    """The two lines under the header, without what stands left of the text."""
    where = Source("a.md", text)
    _, line, carets, *_ = shown("full", report(where, diagnostic(where, part)))
    return line.partition("| ")[2], carets.partition("| ")[2]


# the line and what is under it


def test_carets_stand_under_wide_characters_and_take_two_columns_for_each() -> None:
    # 第 二 讲 and a blank take 3 * 2 + 1 columns, 定理 and 2.4.9 take 2 * 2 + 1 + 5.
    assert excerpt("第二讲 定理 2.4.9 说", "定理 2.4.9") == ("第二讲 定理 2.4.9 说", " " * 7 + "^" * 10)


def test_combining_marks_take_no_column() -> None:
    assert excerpt("e\u0301e\u0301 bad", "bad") == ("e\u0301e\u0301 bad", "   ^^^")


def test_tabs_are_shown_as_blanks_up_to_the_next_multiple_of_four() -> None:
    assert excerpt("\t- a\tbad", "bad") == ("    - a bad", " " * 8 + "^^^")


def test_the_byte_order_mark_and_the_line_ending_are_not_shown() -> None:
    assert excerpt("\ufeffbad\r\nnext", "bad") == ("bad", "^^^")


def test_an_empty_place_has_one_caret() -> None:
    where = Source("a.md", "ab")
    empty = diagnostic(where, "a", span=Span("a.md", 2, 2))
    assert shown("full", report(where, empty))[2] == "    |   ^"


def test_a_place_of_several_lines_is_underlined_on_the_first_and_its_end_is_named() -> None:
    assert excerpt("x <svg>\n<g/>\n</svg>\n", "<svg>\n<g/>\n</svg>") == (
        "x <svg>",
        "  ^^^^^ … as far as line 3",
    )


def test_a_place_that_takes_in_the_line_ending_is_of_one_line() -> None:
    assert excerpt("abc\ndef\n", "abc\n") == ("abc", "^^^")


def test_a_long_line_is_shown_round_the_place_only() -> None:
    text, carets = excerpt("长" * 5_000_000 + "错" + "x" * 5_000_000, "错")
    # Up to 32 columns before the place: an ellipsis and 15 characters of two. The other 65 of the 96 columns
    # are for the place, 62 of what follows, and an ellipsis.
    assert text == "…" + "长" * 15 + "错" + "x" * 62 + "…"
    assert carets == " " * 31 + "^^"


def test_a_long_place_is_cut() -> None:
    text, carets = excerpt("x" * 1000, "x" * 1000)
    assert text == "x" * 95 + "…"
    assert carets == "^" * 96


def test_the_end_of_a_long_line_keeps_more_of_what_stands_before() -> None:
    text, carets = excerpt("x" * 1000 + "bad", "bad")
    assert text == "…" + "x" * 92 + "bad"
    assert carets == " " * 93 + "^^^"


def test_control_characters_of_the_text_are_shown_escaped_and_counted_as_shown() -> None:
    # \x1b, \x9b and \u202e take 4, 4 and 6 columns.
    text, carets = excerpt("\x1b[31m \x9b \u202e bad", "bad")
    assert text == "\\x1b[31m \\x9b \\u202e bad"
    assert carets == " " * (8 + 1 + 4 + 1 + 6 + 1) + "^^^"


# entries


def test_a_full_entry_says_what_helps() -> None:
    where = Source("a.md", "# 定义 2.2.1 {#def-2-1}\n\n定义 2.2.1\n")
    second = where.text.rindex("定义")
    found = diagnostic(
        where,
        "def-2-1",
        "`def-2-1` is not dotted",
        related=(Related(where.span(second, second + 8), "used here"),),
        fix=Fix("write `def-2.2.1`", (Edit(where.span(13, 20), "def-2.2.1"),), safe=True),
        advice="mind the redirects",
    )
    assert shown("full", report(where, found)) == [
        "a.md:1:14: error BOX001 some-rule: `def-2-1` is not dotted",
        "  1 | # 定义 2.2.1 {#def-2-1}",
        # "# 定义 2.2.1 {#" takes 2 + 4 + 1 + 5 + 1 + 2 columns.
        "    |                ^^^^^^^",
        "    = a.md:3:1: used here",
        "    = fix: write `def-2.2.1`",
        "    = advice: mind the redirects",
        "",
    ]


def test_a_fix_that_may_be_wrong_is_called_unsafe() -> None:
    where = Source("a.md", "bad")
    assert "    = unsafe fix: drop it" in shown("full", report(where, diagnostic(where, "bad", fix=Fix("drop it"))))


def test_places_of_one_cause_are_one_entry() -> None:
    where = Source("a.md", "one\ntwo\nthree\n")
    found = report(
        where,
        diagnostic(where, "one", "`x.md` is gone", cause="x.md"),
        diagnostic(where, "two", "`x.md` is gone", cause="x.md"),
        diagnostic(where, "three", "`x.md#a` is gone", cause="x.md"),
    )
    assert shown("full", found) == [
        "a.md:1:1: error BOX001 some-rule: `x.md` is gone",
        "  1 | one",
        "    | ^^^",
        "    = and 2 more places of one cause:",
        "    = a.md:2:1",
        "    = a.md:3:1: `x.md#a` is gone",
        "",
    ]
    assert shown("concise", found) == [
        "a.md:1:1: error BOX001 some-rule: `x.md` is gone (and 2 more places: a.md:2:1, a.md:3:1)"
    ]


def test_of_a_cause_with_very_many_places_ten_more_are_named() -> None:
    where = Source("a.md", "".join(f"line {number:03}\n" for number in range(1, 101)))
    found = [diagnostic(where, f"line {number:03}", cause="c") for number in range(1, 101)]
    full = shown("full", report(where, *found))
    assert full[3:5] == ["    = and 99 more places of one cause:", "    = a.md:2:1"]
    assert full[13:15] == ["    = a.md:11:1", "    = … and 89 more places"]
    (concise,) = shown("concise", report(where, *found))
    assert concise.endswith("(and 99 more places: " + ", ".join(f"a.md:{n}:1" for n in range(2, 12)) + ", …)")


def test_concise_is_one_line_even_for_a_hostile_name() -> None:
    where = Source("a\nb\udcff.md", "bad")
    assert shown("concise", report(where, diagnostic(where, "bad", "saw `\x1b[2J`"))) == [
        "a\\x0ab\\udcff.md:1:1: error BOX001 some-rule: saw `\\x1b[2J`"
    ]


@pytest.mark.parametrize("format_name", ["full", "concise"])
def test_without_diagnostics_nothing_is_shown(format_name: str) -> None:
    assert shown(format_name, report(Source("a.md", "fine"))) == []


# the summary and troubles


def test_the_summary_counts_by_severity_and_says_what_was_not_checked() -> None:
    counts = {Severity.INFO: 1, Severity.ERROR: 3, Severity.WARNING: 2}
    unchecked = {"quantities without a claim": 41, "links out of the book": 12, "rows without a number": 0}
    assert summary_line(Report((), (), Summary(counts, 12, unchecked), {})) == (
        "checked 12 files: 3 errors, 2 warnings, 1 info; "
        "not checked: links out of the book (12), quantities without a claim (41)"
    )


def test_the_summary_says_what_was_fixed_and_what_can_be() -> None:
    where = Source("a.md", "bad worse advised")
    edits = (Edit(where.span(0, 3), "good"),)
    found = report(
        where,
        diagnostic(where, "bad", fix=Fix("mend", edits, safe=True)),
        diagnostic(where, "worse", fix=Fix("mend", edits)),
        diagnostic(where, "advised", fix=Fix("think")),
    )
    assert summary_line(found) == "checked 1 file: 3 errors; 1 to be fixed by `--fix`; 1 by `--fix --unsafe-fixes`"
    mended = replace(report(where), summary=Summary({}, 1, {}, fixed=3))
    assert summary_line(mended) == "checked 1 file: nothing found; 3 fixed"


def test_statistics_count_each_rule_the_most_frequent_first() -> None:
    where = Source("a.md", "bad worse")
    mended = Fix("mend", (Edit(where.span(0, 3), "good"),), safe=True)
    found = report(
        where,
        *[diagnostic(where, "bad", code="PAG001", rule="other-rule", severity=Severity.WARNING)] * 11,
        diagnostic(where, "worse"),
        diagnostic(where, "worse", fix=mended),
    )
    assert list(reporter("statistics")(found, PLAIN)) == [
        "11 warning PAG001 other-rule",
        " 2 error   BOX001 some-rule (1 fixable)",
    ]
    assert list(reporter("statistics")(report(where), PLAIN)) == []


def test_a_trouble_names_its_place_as_far_as_it_is_known() -> None:
    assert trouble_line(Trouble("a.md", "not UTF-8")) == "lintbook: a.md: not UTF-8"
    assert trouble_line(Trouble("b\x1b.toml", "no value", 3, 5)) == "lintbook: b\\x1b.toml:3:5: no value"


# json


def test_json_is_the_object_of_the_contract() -> None:
    where = Source("src/a.md", "# 定义 2.2.1 {#def-2-1}\n\n定义 2.2.1\n")
    second = where.text.rindex("定义")
    found = diagnostic(
        where,
        "def-2-1",
        "`def-2-1` is not dotted",
        cause="renumbered",
        severity=Severity.WARNING,
        related=(Related(where.span(second, second + 8), "used here"),),
        fix=Fix("write `def-2.2.1`", (Edit(where.span(13, 20), "def-2.2.1"),), safe=True),
    )
    what = Report((found,), (), Summary({Severity.WARNING: 1}, 1, {"links out of the book": 2}), {where.path: where})
    (line,) = shown("json", what)
    assert json.loads(line) == {
        "version": 1,
        "diagnostics": [
            {
                "code": "BOX001",
                "rule": "some-rule",
                "severity": "warning",
                "path": "src/a.md",
                "line": 1,
                "column": 14,
                "end_line": 1,
                "end_column": 21,
                "message": "`def-2-1` is not dotted",
                "cause": "renumbered",
                "fingerprint": "0123456789abcdef",
                "related": [{"path": "src/a.md", "line": 3, "column": 1, "message": "used here"}],
                "fix": {
                    "title": "write `def-2.2.1`",
                    "safe": True,
                    "edits": [
                        {
                            "path": "src/a.md",
                            "start": {"line": 1, "column": 14},
                            "end": {"line": 1, "column": 21},
                            "replacement": "def-2.2.1",
                        }
                    ],
                },
            }
        ],
        "summary": {
            "error": 0,
            "warning": 1,
            "info": 0,
            "files": 1,
            "fixed": 0,
            "suppressed": 0,
            "known": 0,
            "stale": 0,
            "unchecked": {"links out of the book": 2},
            "progress": {},
        },
    }


def test_json_keeps_chinese_readable_and_controls_harmless() -> None:
    where = Source("课\udcff.md", "bad")
    (line,) = shown("json", report(where, diagnostic(where, "bad", "见 \x9b \x1b")))
    assert "见" in line
    assert line.isprintable()
    assert json.loads(line)["diagnostics"][0]["message"] == "见 \x9b \x1b"
    assert json.loads(line)["diagnostics"][0]["path"] == "课\udcff.md"


# colours


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "palette"),
    [
        (Terminal(), {"TERM": "xterm"}, COLOURED),
        (Terminal(), {"TERM": "dumb"}, PLAIN),
        (Terminal(), {"NO_COLOR": "1"}, PLAIN),
        (Terminal(), {"NO_COLOR": ""}, COLOURED),
        (io.StringIO(), {"TERM": "xterm"}, PLAIN),
        (io.StringIO(), {"FORCE_COLOR": "1"}, COLOURED),
        (io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, PLAIN),
        (Terminal(), {"FORCE_COLOR": "1", "TERM": "dumb"}, COLOURED),
    ],
)
def test_colours_are_for_terminals_unless_the_environment_says_otherwise(
    stream: io.StringIO, environment: dict[str, str], palette: Palette
) -> None:
    assert palette_for(stream, environment) == palette


def test_colours_change_nothing_but_the_colour() -> None:
    where = Source("a.md", "第二讲 bad")
    found = report(where, diagnostic(where, "bad"))
    coloured = "\n".join(shown("full", found, COLOURED))
    assert "\x1b[1;31merror\x1b[0m" in coloured
    for code in (COLOURED.error, COLOURED.place, COLOURED.aside, "\x1b[0m"):
        coloured = coloured.replace(code, "")
    assert coloured == "\n".join(shown("full", found))
