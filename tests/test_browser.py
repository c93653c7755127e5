"""What a real browser makes of the drawings in the fixture books, built by the real mdBook, is what lintbook says.

All pages are loaded into one page of a headless Chromium, each into a frame of its own without scripts; a script of the
outer page asks them what is there and writes the answer into its own document, which Chromium prints.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from html import escape, unescape
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from drawn import built, written

from lintbook.checks import RULES
from lintbook.dialect import Dialect
from lintbook.engine import check
from lintbook.facts import Facts, Figure, Use
from lintbook.parse import parse_markdown
from lintbook.text import Source

FIXTURES = Path(__file__).parent.parent / "fixtures" / "books"
BOOKS = sorted(path.parent for path in FIXTURES.rglob("book.toml"))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]

# What an attribute can use, told here anew and more simply than the rule tells it.
KINDS = {
    "marker-start": {"marker"},
    "marker-mid": {"marker"},
    "marker-end": {"marker"},
    "fill": {"linearGradient", "radialGradient", "pattern"},
    "stroke": {"linearGradient", "radialGradient", "pattern"},
    "clip-path": {"clipPath"},
    "mask": {"mask"},
    "filter": {"filter"},
}

HARNESS = """<!DOCTYPE html>
<meta charset="utf-8">
<body>%s<pre id="answer"></pre>
<script>
const questions = %s;
const svg = "http://www.w3.org/2000/svg";
const foreign = new Set(["desc", "foreignObject", "title"]);
function words(text) { return text.split(/\\s+/).filter(word => word); }
function inside(element, found) {
  found.push("<" + element.localName.toLowerCase());
  if (foreign.has(element.localName)) return found;
  for (const node of element.childNodes) {
    if (node.nodeType == Node.TEXT_NODE || node.nodeType == Node.CDATA_SECTION_NODE) found.push(...words(node.data));
    else if (node.namespaceURI == svg) inside(node, found);
  }
  return found;
}
function answer(frame, ids) {
  const main = frame.contentDocument.querySelector("main");
  const drawings = [...main.querySelectorAll("svg")].filter(each => !each.parentElement.closest("svg"));
  const targets = {};
  for (const id of ids) {
    const element = frame.contentDocument.getElementById(id);
    targets[id] = element && (element.namespaceURI == svg ? element.localName : "html:" + element.localName);
  }
  return {drawings: drawings.map(each => inside(each, []).sort()), targets};
}
window.onload = () => {
  const frames = [...document.querySelectorAll("iframe")];
  const answers = frames.map((frame, number) => answer(frame, questions[number]));
  document.getElementById("answer").textContent = JSON.stringify(answers);
};
</script>
"""


class Page(NamedTuple):
    """A page of a fixture book: what it says, and what mdBook makes of it."""

    book: Path
    source: Source
    facts: Facts
    html: str

    @property
    def uses(self) -> list[tuple[Figure, Use]]:
        return [(figure, use) for figure in self.facts.figures for use in figure.uses]


def pages(out: Path) -> list[Page]:
    """All pages with drawings that chapters of the fixture books show."""
    found = []
    for number, book in enumerate(BOOKS):
        target = built(book, out / str(number))
        if target is None:
            continue
        for path in sorted((book / "src").rglob("*.md")):
            page = target / path.relative_to(book / "src").with_suffix(".html")
            source = Source(path.relative_to(book).as_posix(), path.read_bytes().decode("utf-8"))
            facts = parse_markdown(source, Dialect.MDBOOK)
            if facts.figures and page.exists() and "<main>" in (html := page.read_text(encoding="utf-8")):
                found.append(Page(book, source, facts, html))
    return found


def asked(found: list[Page], folder: Path) -> list[dict[str, Any]]:
    """What Chromium answers for each page: its drawings, and which element each used id names."""
    assert CHROMIUM is not None
    frames = "".join(f'<iframe sandbox="allow-same-origin" srcdoc="{escape(page.html)}"></iframe>' for page in found)
    questions = json.dumps([sorted({use.id for _, use in page.uses}) for page in found])
    harness = folder / "harness.html"
    harness.write_text(HARNESS % (frames, questions), encoding="utf-8")
    profile = folder / "profile"
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "--dump-dom", harness.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    match = re.search(r'<pre id="answer">(.+?)</pre>', done.stdout, re.DOTALL)
    assert match, done.stderr
    answers: list[dict[str, Any]] = json.loads(unescape(match[1]))
    return answers


@pytest.mark.browser
def test_lintbook_and_the_browser_agree_on_every_fixture(tmp_path: Path) -> None:
    if CHROMIUM is None:
        if os.environ.get("LINTBOOK_REQUIRE_BROWSER"):
            pytest.fail("there is no Chromium")
        pytest.skip("there is no Chromium")
    found = pages(tmp_path / "out")
    answers = asked(found, tmp_path)
    assert len(found) == len(answers) >= 5
    said = {book: findings(book) for book in {page.book for page in found}}
    cuts = problems = 0
    for page, answer in zip(found, answers, strict=True):
        assert len(answer["drawings"]) == len(page.facts.figures), page.source.path
        for figure, kept in zip(page.facts.figures, answer["drawings"], strict=True):
            whole = kept == written(page.source, figure)
            assert whole == (figure.cut is None), (page.source.path, figure.cut, kept)
            cuts += not whole
        for figure, use in page.uses:
            if figure.cut is None:
                problems += compared(page, use, answer["targets"][use.id], said[page.book])
    # Both have seen both: what is right, and what is not.
    assert cuts >= 15
    assert problems >= 6


def findings(book: Path) -> dict[tuple[str, int], str]:
    """What the rules about figures find in a book, by path and offset."""
    rules = [rule for rule in RULES if rule.family == "figures"]
    report = check((".",), book, rules)
    return {(each.span.path, each.span.start): each.rule for each in report.diagnostics}


def compared(page: Page, use: Use, target: str | None, said: dict[tuple[str, int], str]) -> bool:
    """Compare what becomes of a use with what is said of it; return whether anything is wrong."""
    rule = said.get((page.source.path, use.span.start))
    where = (page.source.path, page.source.position(use.span.start), use.id, target, rule)
    assert (target is None) == (rule == "dangling-svg-reference"), where
    fits = target in KINDS.get(use.attribute, {target})
    if target is not None and use.attribute in KINDS:
        assert fits == (rule != "mistyped-svg-reference"), where
    return target is None or not fits
