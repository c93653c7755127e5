"""References in the text of raw HTML."""

from __future__ import annotations

import pytest
from test_boxes import said
from test_citing import covered, named

BOXES = "**Theorem 2.1** (T). A.\n\n**Theorem 2.2** (T). B.\n\n"


@pytest.mark.parametrize(
    "text",
    [
        "<figure>\n<img src=a.png>\n<figcaption>Figure 2.1: Theorem 2.8 drawn.</figcaption>\n</figure>",
        "<p>By Theorem 2.8.</p>",
        "<p>See <b>Theorem</b> <i>2.8</i>.</p>",
        '<p align="center">by Theorem\n2.8</p>',
        "<!-- note --> By Theorem 2.8.",
        "- <!-- note --> By Theorem 2.8.",
        "> <center>see Theorem 2.8</center>",
        "<details>\n<summary>Proof of Theorem 2.8</summary>\n\nClear.\n\n</details>",
        "<details>\n<summary>Theorem 2.8's proof</summary>\n\nClear.\n\n</details>",
    ],
)
def test_captions_summaries_and_paragraphs_of_html_are_read(text: str) -> None:
    assert named(text) == ["theorem 2.8"]


@pytest.mark.parametrize(
    "text",
    [
        "<p>By <code>Theorem 2.8</code></p>",
        "<pre>\nBy Theorem 2.8\n</pre>",
        '<svg viewBox="0 0 1 1">\n<text>by Theorem 2.8</text>\n</svg>',
        "<table>\n<tr><td>by Theorem 2.8</td></tr>\n</table>",
        "<!-- By Theorem 2.8 -->\n",
        '<p title="By Theorem 2.8">x</p>',
        "<script>\nlet s = 'by Theorem 2.8';\n</script>",
        "<p>$x$ by $\\text{Theorem 2.8}$</p>",
        # Boxes may be declared so.
        "<p>Theorem 2.8. Let it be.</p>",
        '<div class="theorem">\n<p class="title">Theorem 2.8</p>\n</div>',
        "<dl>\n<dt>Theorem 2.8</dt>\n</dl>",
        "![by Theorem 2.8](a.png)",
    ],
)
def test_what_is_no_prose_or_may_declare_a_box_is_not(text: str) -> None:
    assert named(text) == []


def test_a_run_of_html_ends_where_markdown_stands() -> None:
    assert named("<div>by Theorem\n\nMarkdown\n\n<p>2.8</p></div>") == []


def test_the_places_in_html_are_exact() -> None:
    text = "> <p>By <b>Theorem</b>\r\n> 2.8 and §2.1</p>\r\n"
    assert covered(text) == ["Theorem</b>\r\n> 2.8", "§2.1"]


def test_other_works_are_told_in_html_too() -> None:
    assert named("<p>Rudin, Theorem 2.8</p>") == ["theorem 2.8*"]
    assert named("<h2>References</h2>\n<p>By Theorem 2.8.</p>\n\n## Sums\n\n<p>By Theorem 2.9.</p>") == [
        "theorem 2.8*",
        "theorem 2.9",
    ]
    assert said("dangling-box-reference", f'{BOXES}<p>by <a href="https://example.org">Theorem 2.8</a></p>') == []


@pytest.mark.parametrize(
    ("label", "told"),
    [("Theorem 2.2", ["`Theorem 2.2`"]), ("Theorem 2.1", []), ("the proof of Theorem 2.2", []), ("here", [])],
)
def test_the_label_of_a_link_in_html_is_what_stands_between_its_tags(label: str, told: list[str]) -> None:
    text = f'### Theorem 2.1 (T) {{#t}}\n\n### Theorem 2.2 (U)\n\nSee <a href="#t">{label}</a>.'
    messages = [f"the label says {each}, the link arrives at `Theorem 2.1`" for each in told]
    assert said("mismatched-link-label", text) == messages
