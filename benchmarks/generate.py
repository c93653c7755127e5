"""Write a sound lecture book of a given size, to measure on: boxes, references, links, figures, claims, tables."""

from __future__ import annotations

from pathlib import Path

SECTIONS = 6  # sections of a page
BOXES = 4  # boxes of a section

_QUANTITIES = """\
<!-- quantities
cell = g*(d_h*(d_x+d_h)+d_h)
-->
"""
_FIGURE = """\
<svg viewBox="0 0 120 40" role="img">
  <defs><marker id="mk-{name}"><path d="M0 0L4 2L0 4z"/></marker></defs>
  <path d="M4 20H100" marker-end="url(#mk-{name})"/>
</svg>
"""


def _box(lecture: int, section: int, number: int, pages: int) -> str:
    here = f"{lecture}.{section}.{number}"
    other = f"{(lecture % pages) + 1}.{section}.{number}"
    return (
        f"### 定理 {here}（递推的上界 {number}） {{#thm-{here}}}\n\n"
        f"若 $\\rho<1$，则误差按 $\\rho^n$ 衰减；见[定理 {other}](page{(lecture % pages) + 1}.md#thm-{other})，"
        f"也见定理 {lecture}.{section}.1 与 **关键**的 `hidden_state`。When the *state* is read out, "
        f"its [gate](#thm-{here}) scales each entry; compare Theorem {here} with what stands above.\n\n"
        "参数共 20,608<!--= cell d_x=32 d_h=128 g=1 --> 个。\n\n"
        "- 第一条：递推省内存，代价是不能并行；\n- 第二条：注意力省路径，代价是平方开销。\n\n"
        f"| 量 | 数值 | 出处 |\n|---|---|---|\n| 步数 | 153 | 定理 {here} |\n| 比例 | `1/3` | [同上](#thm-{here}) |\n\n"
    )


def _page(lecture: int, pages: int) -> str:
    parts = [f"# {lecture} 序列建模 {{#lecture-{lecture}}}\n\n"]
    for section in range(1, SECTIONS + 1):
        parts.append(f"## {lecture}.{section} 小节 {{#sec-{lecture}.{section}}}\n\n")
        parts.append(_FIGURE.format(name=f"{lecture}-{section}") + "\n")
        parts.extend(_box(lecture, section, number, pages) for number in range(1, BOXES + 1))
    return "".join(parts)


def write_book(folder: Path, pages: int) -> int:
    """Write a book of so many pages into ``folder``; return how many bytes its pages have."""
    source = folder / "src"
    source.mkdir(parents=True, exist_ok=True)
    (folder / "book.toml").write_text('[book]\ntitle = "Measured"\nlanguage = "zh"\n', encoding="utf-8")
    summary = "# Summary\n\n" + "".join(f"- [第 {n} 讲](page{n}.md)\n" for n in range(1, pages + 1))
    (source / "SUMMARY.md").write_text(summary, encoding="utf-8")
    size = 0
    for lecture in range(1, pages + 1):
        text = _page(lecture, pages) + (_QUANTITIES if lecture == 1 else "")
        (source / f"page{lecture}.md").write_text(text, encoding="utf-8")
        size += len(text.encode())
    return size
