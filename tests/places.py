"""The independent witness of places: pulldown-cmark's own offsets, by way of pyromark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pyromark

from lintbook.dialect import Dialect
from lintbook.parse.blocks import BlockKind, Reading
from lintbook.parse.markdown import read
from lintbook.text import Source, Style

OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_DEFINITION_LIST
    | pyromark.Options.ENABLE_HEADING_ATTRIBUTES
)


class Place(NamedTuple):
    """One thing that both readers name: what it is and where it stands, in code points."""

    what: str
    start: int
    end: int


def places_by_pulldown(text: str) -> Counter[Place]:
    """Read links, images, code spans, headings and raw HTML with pulldown-cmark."""
    bom = text.startswith("\ufeff")
    raw = text.removeprefix("\ufeff").encode()
    code_points = _code_points(raw)
    found: Counter[Place] = Counter()
    within_image = 0  # a description's code is no text of the page
    for event, place in pyromark.events_with_range(raw.decode(), options=OPTIONS):
        if not isinstance(event, dict):
            continue
        within_image += ("Image" in event.get("Start", ())) - (event.get("End") == "Image")
        start, end = code_points[place["start"]] + bom, code_points[place["end"]] + bom
        match event:
            case {"Start": {"Link": {"link_type": kind}}} | {"Start": {"Image": {"link_type": kind}}}:
                what = next(iter(event["Start"])).lower()
                # pulldown leaves the empty brackets of `[x][]` out.
                if kind.startswith("Collapsed") and text[end : end + 2] == "[]":
                    end += 2
                found[Place(what, start, end)] += 1
            case {"Start": {"Heading": {"level": level}}}:
                found[Place(level.lower(), text.count("\n", 0, start), 0)] += 1
            case {"Code": _} if not within_image:
                ticks = len(text[start:end]) - len(text[start:end].lstrip("`"))
                inner_start, inner_end = _stripped(text, start + ticks, end - ticks)
                found[Place("code", inner_start, inner_end)] += 1
            case {"InlineHtml": tag} if not tag.startswith("<!--"):
                found.update(_html_lines(text, start, end))
            case {"Html": _}:
                found.update(_html_lines(text, start, end))
            case _:
                pass
    return found


def _html_lines(text: str, start: int, end: int) -> Iterator[Place]:
    """The lines of a range of raw HTML, container marks left out."""
    for line in text[start:end].splitlines(keepends=True):
        inner = line.lstrip(" \t>") if not start or text[start - 1] in "\r\n" else line.lstrip()
        if inner.strip():
            yield Place("html", start + len(line) - len(inner), start + len(line.rstrip()))
        start += len(line)


def places_by_lintbook(source: Source) -> Counter[Place]:
    """Read the same with lintbook."""
    return places_of(source, read(source, Dialect.MDBOOK))


def places_of(source: Source, reading: Reading) -> Counter[Place]:
    """The places of a reading that pulldown-cmark names too."""
    text = source.text
    found: Counter[Place] = Counter()
    for block in reading.blocks:
        if block.kind is BlockKind.HEADING:
            found[Place(f"h{block.level}", text.count("\n", 0, block.span[0]), 0)] += 1
        for link in block.links:
            found[Place("image" if link.image else "link", *link.span)] += 1
        spans: list[list[int]] = []
        for piece in block.passage.pieces:
            if piece.style is Style.CODE:
                between = text[spans[-1][1] : piece.offset] if spans else "`"
                if "`" in between or "|" in between:
                    spans.append([piece.offset, piece.source_end])
                else:
                    spans[-1][1] = piece.source_end
        for start, end in spans:
            found[Place("code", *_stripped(text, start, end))] += 1
    for piece in reading.html.pieces:
        if piece.verbatim:
            found.update(_html_lines(text, piece.offset, piece.source_end))
    return found


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and (text[start] in " \n\r" or text[start : start + 2] == "\\|"):
        start += 1
    while end > start and text[end - 1] in " \n\r":
        end -= 1
    return start, end


def _code_points(raw: bytes) -> list[int]:
    """For each byte offset, how many code points stand before it."""
    counts, count = [], 0
    for byte in raw:
        counts.append(count)
        count += byte & 0xC0 != 0x80
    counts.append(count)
    return counts
