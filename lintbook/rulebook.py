"""The rulebook: where the pages about the rules are, and what a page holds.

A page is ``<family>/<rule-name>.md``: a title, the sections of ``SECTIONS``, and under *Examples* one test
for each heading. There a code span and a colon name the file that the next fence holds, with ``(fixed)`` before
the colon its text after fixing, with ``(before)`` its text at the commit to compare with; a ``toml`` fence without
a name is the configuration; a ``diagnostics`` fence is what the concise format prints for these files; an example
without one is clean.

Pages are read line by line. Of CommonMark only fenced code blocks (0.31.2, section 4.5) and ATX headings
matter here, for the pages are our own, and a page that holds anything else where it counts is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec import Struct

from lintbook.files import rulebook_folder
from lintbook.patterns import regex

SECTIONS = ("Why", "Repair", "Options", "Limits", "Examples")
"""The sections of every page, in their order."""

_OPENING = regex(r"(?P<indent> {0,3})(?P<mark>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)")
_HEADING = regex(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<text>.*?))?(?:[ \t]+#+)?[ \t]*")
_FILE = regex(r"`(?P<path>[^`]+)`(?: \((?P<state>before|fixed)\))?:")


class RulebookError(Exception):
    """A page of the rulebook is missing or is not written as one; the message names page and line."""


class Fence(Struct, frozen=True):
    """A fenced code block: its info string, its text, and the lines of its two fences, counted from one."""

    info: str
    text: str
    first_line: int
    last_line: int


class Example(Struct, frozen=True):
    """One test: files by their path, and the fence with the diagnostics expected, if any are.

    ``fixed`` holds the texts of files after all fixes, safe or not, ``before`` what files were at the commit that the
    example is compared with, if it is compared with any; ``configuration`` is what lintbook.toml says.
    ``last_line`` is the last line of the example's own, where a fence may be added.
    """

    title: str
    files: dict[str, str]
    fixed: dict[str, str]
    before: dict[str, str]
    configuration: str
    expected: Fence | None
    last_line: int

    @property
    def diagnostics(self) -> list[str]:
        """The lines that the concise format must print."""
        return self.expected.text.splitlines() if self.expected else []


class Page(Struct, frozen=True):
    """A page of the rulebook: its title, the prose of its sections, its examples."""

    title: str
    sections: dict[str, str]
    examples: tuple[Example, ...]


def page_names() -> Iterator[tuple[str, str]]:
    """Yield family and rule name of every page about a rule, in order."""
    for family in sorted(rulebook_folder().iterdir(), key=lambda entry: entry.name):
        if family.is_dir() and family.name != "formulas":
            for page in sorted(entry.name for entry in family.iterdir()):
                yield family.name, page.removesuffix(".md")


def page_text(family: str, name: str) -> str:
    """Return the text of the page about the rule ``name``; raise RulebookError if there is none."""
    page = rulebook_folder() / family / f"{name}.md"
    if not page.is_file():
        raise RulebookError(f"the rulebook has no page `{family}/{name}.md`")
    return page.read_text(encoding="utf-8")


def formula_text(name: str) -> str | None:
    """Return what the formula library says of the formula ``name``: its section, below what begins the page.

    That is where the symbols and the sources are. None if the library has no such formula.
    """
    from lintbook.calculator.library import library

    entry = library().get(name)
    if entry is None:
        return None
    text = (rulebook_folder().parent / entry.path).read_text(encoding="utf-8")
    start = text.rindex("\n## ", 0, entry.offset)
    end = text.find("\n## ", entry.offset)
    return text[: text.index("\n## ")] + text[start : end if end > 0 else None]


def read_page(name: str, text: str) -> Page:
    """Read the page about the rule ``name``; raise RulebookError where it is not written as one."""
    lines = text.split("\n")
    parts = list(_parts(name, lines))
    titles = [part for part in parts if isinstance(part, _Heading) and part.level == 1]
    if len(titles) != 1 or titles[0].line != 1:
        raise RulebookError(f"{name}.md:1: a page begins with its one title")
    headings = [part for part in parts if isinstance(part, _Heading) and part.level == 2]
    if tuple(heading.text for heading in headings) != SECTIONS:
        raise RulebookError(f"{name}.md:1: the sections of a page are {', '.join(SECTIONS)}, in this order")
    ends = [heading.line - 1 for heading in headings[1:]] + [len(lines)]
    sections = {
        heading.text: "\n".join(lines[heading.line : end]).strip() for heading, end in zip(headings, ends, strict=True)
    }
    of_examples = [part for part in parts if part.line > headings[-1].line]
    return Page(titles[0].text, sections, tuple(_examples(name, of_examples, lines)))


class _Heading(Struct, frozen=True):
    line: int
    level: int
    text: str


class _FileName(Struct, frozen=True):
    line: int
    path: str
    state: str  # "fixed", "before", or empty for the file as it is


class _Block(Struct, frozen=True):
    line: int
    fence: Fence


_Part = _Heading | _FileName | _Block


def _parts(name: str, lines: list[str]) -> Iterator[_Part]:
    """Yield headings, names of files and fences in the order of the page."""
    position = 0
    while position < len(lines):
        text = lines[position]
        line = position + 1
        position += 1
        if opening := _OPENING.fullmatch(text):
            end = _closing(lines, position, opening["mark"])
            if end is None:
                raise RulebookError(f"{name}.md:{line}: the fence is never closed")
            indent = re.compile(f" {{0,{len(opening['indent'])}}}")
            content = "".join(indent.sub("", inner, count=1) + "\n" for inner in lines[position:end])
            yield _Block(line, Fence(opening["info"].strip(), content, line, end + 1))
            position = end + 1
        elif heading := _HEADING.fullmatch(text):
            yield _Heading(line, len(heading["marks"]), heading["text"] or "")
        elif file := _FILE.fullmatch(text):
            yield _FileName(line, file["path"], file["state"] or "")


def _closing(lines: list[str], start: int, mark: str) -> int | None:
    """Return the index of the line that closes the fence ``mark``: as long, and without info string."""
    closing = re.compile(rf" {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}[ \t]*")
    return next((index for index in range(start, len(lines)) if closing.fullmatch(lines[index])), None)


def _examples(name: str, parts: list[_Part], lines: list[str]) -> Iterator[Example]:
    """Yield one example for each heading of the third level, with the parts up to the next."""
    groups: list[tuple[_Heading, list[_FileName | _Block]]] = []
    for part in parts:
        if isinstance(part, _Heading):
            if part.level != 3 or any(part.text == heading.text for heading, _ in groups):
                raise RulebookError(f"{name}.md:{part.line}: an example has a heading `###` of its own")
            groups.append((part, []))
        elif groups:
            groups[-1][1].append(part)
        else:
            raise RulebookError(f"{name}.md:{part.line}: an example begins with a heading `###`")
    ends = [heading.line - 1 for heading, _ in groups[1:]] + [len(lines)]
    for (heading, inner), end in zip(groups, ends, strict=False):
        last_line = max(line for line in range(heading.line, end + 1) if lines[line - 1].strip())
        yield _example(name, heading, inner, last_line)


def _example(name: str, heading: _Heading, parts: list[_FileName | _Block], last_line: int) -> Example:
    contents: dict[str, str] = {}
    fixed: dict[str, str] = {}
    before: dict[str, str] = {}
    states = {"": contents, "fixed": fixed, "before": before}
    configuration: str | None = None
    expected: Fence | None = None
    file: _FileName | None = None
    for part in parts:
        where = f"{name}.md:{part.line}"
        if isinstance(part, _FileName):
            if part.path in states[part.state] or not _inside(part.path):
                raise RulebookError(f"{where}: `{part.path}` is no path of a new file inside the example")
            if part.state == "fixed" and part.path not in contents:
                raise RulebookError(f"{where}: `{part.path}` is fixed and was not shown before")
            file = part
        elif file is not None:
            states[file.state][file.path] = part.fence.text
            file = None
        elif part.fence.info == "diagnostics" and expected is None:
            expected = part.fence
        elif part.fence.info == "toml" and configuration is None:
            configuration = part.fence.text
        else:
            raise RulebookError(f"{where}: no code span and colon above say which file the fence holds")
    if file is not None or not contents:
        raise RulebookError(f"{name}.md:{heading.line}: the example has no file, or names one without a fence")
    return Example(heading.text, contents, fixed, before, configuration or "", expected, last_line)


def _inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return not path.startswith("/") and ".." not in parts and "\\" not in path
