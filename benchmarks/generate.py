"""Write a sound lecture book of a given size, to measure on: boxes, references, links, figures, claims, tables.

    python benchmarks/generate.py FOLDER [--pages N]

A page has ten boxes, so that the largest book that lintbook is measured on, of 10,000 pages, has 100,000.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

SECTIONS = 5  # sections of a page
BOXES = 2  # boxes of a section

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


def _theorem(here: str, other: str, page: int) -> str:
    return (
        f"### 定理 {here}（递推的上界） {{#thm-{here}}}\n\n"
        f"若 $\\rho<1$，则 153 步之后误差按 $\\rho^n$ 衰减；见[定理 {other}](page{page}.md#thm-{other})与 `state`。"
        f"When the *state* is read out, its [gate](#thm-{here}) scales each entry; compare Theorem {other}.\n\n"
        "- 第一条：递推省内存，代价是不能并行；\n- 第二条：注意力省路径，代价是平方开销。\n\n"
    )


def _example(here: str, theorem: str, with_table: bool) -> str:
    table = (
        "| 量 | 数值 | 出处 |\n|---|---|---|\n"
        f"| 步数 | 153 | 定理 {theorem} |\n| 比例 | `1/3` | [同上](#ex-{here}) |\n\n"
    )
    return (
        f"### 例 {here}（一个单元的参数） {{#ex-{here}}}\n\n"
        f"由定理 {theorem}，参数共 20,608<!--= cell d_x=32 d_h=128 g=1 --> 个，即 $128\\cdot 161 = 20608$。\n\n"
    ) + (table if with_table else "")


def _page(lecture: int, pages: int) -> Iterator[str]:
    following = lecture % pages + 1
    yield f"# {lecture} 序列建模 {{#lecture-{lecture}}}\n\n"
    for section in range(1, SECTIONS + 1):
        yield f"## {lecture}.{section} 小节 {{#sec-{lecture}.{section}}}\n\n"
        if section == 1:
            yield _FIGURE.format(name=lecture)
        for number in range(1, BOXES + 1, 2):
            theorem = f"{lecture}.{section}.{number}"
            yield _theorem(theorem, f"{following}.{section}.{number}", following)
            yield _example(f"{lecture}.{section}.{number + 1}", theorem, with_table=section == 1)


def write_book(folder: Path, pages: int) -> int:
    """Write a book of so many pages into ``folder``; return how many bytes its pages have."""
    source = folder / "src"
    source.mkdir(parents=True, exist_ok=True)
    (folder / "book.toml").write_text('[book]\ntitle = "Measured"\nlanguage = "zh"\n', encoding="utf-8")
    summary = "# Summary\n\n" + "".join(f"- [第 {n} 讲](page{n}.md)\n" for n in range(1, pages + 1))
    (source / "SUMMARY.md").write_text(summary, encoding="utf-8")
    size = 0
    for lecture in range(1, pages + 1):
        text = "".join(_page(lecture, pages)) + (_QUANTITIES if lecture == 1 else "")
        (source / f"page{lecture}.md").write_text(text, encoding="utf-8")
        size += len(text.encode())
    return size


def main() -> None:
    """Write what the command line names."""
    parser = argparse.ArgumentParser(description="Write a sound lecture book of a given size.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=10_000)
    arguments = parser.parse_args()
    size = write_book(arguments.folder, arguments.pages)
    print(f"{arguments.pages} pages, {arguments.pages * SECTIONS * BOXES} boxes, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
