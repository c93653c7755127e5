"""Fixing: which fixes go together, the texts that they make, and how these get into the files.

A fix is made of edits that apply together or not at all. Of two fixes that change one place differently the first is
made; the other is tried again on the text that came of it.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from difflib import unified_diff
from pathlib import Path

from msgspec import Struct

from lintbook.diagnostic import Diagnostic, Edit, Fix, Trouble
from lintbook.files import read, write
from lintbook.text import Source


class Plan(Struct, frozen=True):
    """What one pass of fixing makes: the new text of each file that changes, and the diagnostics that it repairs."""

    texts: Mapping[str, str]
    repaired: tuple[Diagnostic, ...]


class _Edits:
    """The edits of one file, in order and without overlap."""

    def __init__(self) -> None:
        self.edits: list[Edit] = []

    def has(self, edit: Edit) -> bool:
        place = self._place(edit)
        return place < len(self.edits) and self.edits[place] == edit

    def has_room(self, edit: Edit) -> bool:
        """Return whether ``edit`` touches nothing that another edit changes.

        Two insertions at one place, or an insertion at the edge of what is replaced, would depend on their order.
        """
        place = self._place(edit)
        before = place == 0 or _apart(self.edits[place - 1], edit)
        return before and (place == len(self.edits) or _apart(edit, self.edits[place]))

    def add(self, edit: Edit) -> None:
        if not self.has(edit):
            self.edits.insert(self._place(edit), edit)

    def _place(self, edit: Edit) -> int:
        return bisect_left(self.edits, edit.span, key=lambda each: each.span)


def _apart(first: Edit, second: Edit) -> bool:
    """Whether ``first`` ends before ``second`` begins; where they touch, both must replace something."""
    if first.span.end != second.span.start:
        return first.span.end < second.span.start
    return first.span.start < first.span.end and second.span.start < second.span.end


def plan(diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source], *, unsafe: bool) -> Plan:
    """Choose the fixes that can be made together, the first of those that exclude one another, and make them.

    Only files in ``sources`` are changed; a fix that reaches beyond them is left out. An edit that several fixes share
    is made once. ``unsafe`` says whether fixes that are not safe are made too.
    """
    chosen: dict[str, _Edits] = {}
    repaired = []
    for diagnostic in diagnostics:
        fix = diagnostic.fix
        if fix is None or not fix.edits or not (fix.safe or unsafe):
            continue
        if all(edit.span.path in sources for edit in fix.edits) and _fits(fix, chosen):
            for edit in fix.edits:
                chosen.setdefault(edit.span.path, _Edits()).add(edit)
            repaired.append(diagnostic)
    texts = {path: edited(sources[path], edits.edits) for path, edits in chosen.items()}
    changed = {path: text for path, text in texts.items() if text != sources[path].text}
    return Plan(changed, tuple(repaired))


def _fits(fix: Fix, chosen: Mapping[str, _Edits]) -> bool:
    """Whether the edits of ``fix`` go with those chosen and with one another."""
    own: dict[str, _Edits] = {}
    for edit in fix.edits:
        others = chosen.get(edit.span.path)
        if others is not None and not (others.has(edit) or others.has_room(edit)):
            return False
        mine = own.setdefault(edit.span.path, _Edits())
        if not (mine.has(edit) or mine.has_room(edit)):
            return False
        mine.add(edit)
    return True


def edited(source: Source, edits: Iterable[Edit]) -> str:
    """Return the text of ``source`` after ``edits``, which are in order and do not overlap.

    Line ends of what is inserted are made those of the line where it goes.
    """
    parts: list[str] = []
    position = 0
    for edit in edits:
        parts.append(source.text[position : edit.span.start])
        parts.append(edit.replacement.replace("\r\n", "\n").replace("\n", _line_end(source, edit.span.start)))
        position = edit.span.end
    return "".join([*parts, source.text[position:]])


def _line_end(source: Source, offset: int) -> str:
    """Return how the line at ``offset`` ends; the last line, which may end in nothing, is like the first."""
    line = source.position(offset).line
    for number in (line, 1):
        end = source.line_end(number)
        if end < len(source.text):
            return "\r\n" if source.text.startswith("\r\n", end) else source.text[end]
    return "\n"


def difference(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a unified diff between the texts of files, without their ends."""
    for path in sorted(new):
        before, after = old[path].splitlines(keepends=True), new[path].splitlines(keepends=True)
        for line in unified_diff(before, after, path, path):
            yield line.rstrip("\r\n")
            if not line.endswith(("\n", "\r")) and line[:1] in "+- ":
                yield "\\ No newline at end of file"


def is_inside(path: str, root: str, working_directory: Path) -> bool:
    """Return whether the file at ``path`` really stands below ``root``, wherever symbolic links lead."""
    real_root = os.path.realpath(working_directory / root)
    return os.path.commonpath([real_root, os.path.realpath(working_directory / path)]) == real_root


def save(old: Mapping[str, str], new: Mapping[str, str], working_directory: Path) -> list[Trouble]:
    """Write the new texts of files, all of them or, if a trouble is returned, none.

    ``old`` are their texts as they were read. A file that has changed since is not overwritten.
    """
    written: list[str] = []
    for path in sorted(new):
        source, trouble = read(path, working_directory)
        if trouble is None and source is not None and source.text != old[path]:
            trouble = Trouble(path, "is not fixed: it has changed while it was checked")
        trouble = trouble or write(path, new[path], working_directory)
        if trouble is not None:
            undone = (write(each, old[each], working_directory) for each in written)
            return [trouble, *(each for each in undone if each is not None)]
        written.append(path)
    return []
