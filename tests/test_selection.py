"""What an include takes of a file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from lintbook.selection import anchors_of, selected

TEXT = "1\n2 ANCHOR: a\n3\n4 ANCHOR: b\n5\n6 ANCHOR_END: a\n7\n8 ANCHOR_END: b\n9\n"


def taken(selection: str, text: str = TEXT) -> str | None:
    """Return the text that ``selection`` takes."""
    ranges = selected(text, selection)
    return None if ranges is None else "".join(text[start:end] for start, end in ranges)


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        ("", TEXT),
        ("::", TEXT),
        (":x", TEXT),  # no number behind the colon
        ("3", "3\n"),
        ("+3", "3\n"),
        ("0", "1\n2 ANCHOR: a\n"[:2]),  # counted from one, and none is taken for the first
        ("7:8", "7\n8 ANCHOR_END: b\n"),
        ("9:", "9\n"),
        ("9:x", "9\n"),
        (":1", "1\n"),
        ("9:99", "9\n"),
        ("5:3", ""),
        ("10", ""),
        ("99999999999999999999", None),  # too long for a number, so an anchor, and none of that name
        ("a", "3\n5\n"),  # lines with anchors are left out, the other's too
        ("b", "5\n7\n"),
        ("c", None),
    ],
)
def test_lines_and_anchors(selection: str, expected: str | None) -> None:
    assert taken(selection) == expected


def test_an_anchor_that_does_not_end_takes_all_that_follows() -> None:
    assert taken("a", "// ANCHOR: a\nx\ny") == "x\ny"
    assert taken("a", "ANCHOR_END: a\nx\n") is None


def test_lines_keep_their_endings() -> None:
    assert taken("2", "a\r\nb\r\nc") == "b\r\n"
    assert taken("1:2", "a\rb\nc\n") == "a\rb\nc\n"  # mdBook does not end lines at a lone carriage return


def test_names_of_anchors() -> None:
    assert anchors_of(TEXT) == {"a", "b"}


@given(some.text("ab:1-\n", max_size=8), some.text("AN\nCHOR_END: ab-1", max_size=60))
def test_ranges_stand_in_the_text_in_order(selection: str, text: str) -> None:
    ranges = selected(text, selection) or ()
    flat = [place for pair in ranges for place in pair]
    assert flat == sorted(flat)
    assert all(0 <= start < end <= len(text) + 1 for start, end in ranges)
