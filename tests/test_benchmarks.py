from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from lintbook.engine import check

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> ModuleType:
    """A script of the benchmarks, as if it were run."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    name: str = request.param
    spec = importlib.util.spec_from_file_location(name, BENCHMARKS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("script", ["generate"], indirect=True)
def test_a_generated_book_is_sound_and_has_what_is_to_be_measured(script: ModuleType, tmp_path: Path) -> None:
    script.write_book(tmp_path, 3)
    report = check(["."], tmp_path)
    assert (report.diagnostics, report.troubles, report.summary.files) == ((), (), 5)
    (progress,) = report.summary.progress
    assert progress.done == progress.total == 3 * 10  # a claim and an equation for each two of ten boxes
    text = (tmp_path / "src" / "page2.md").read_text(encoding="utf-8")
    assert text.count("{#thm-") + text.count("{#ex-") == 10
    assert "](page3.md#thm-2" not in text and "](page3.md#thm-3.1.1)" in text


@pytest.mark.parametrize("script", ["run"], indirect=True)
def test_a_linter_that_only_fails_is_not_measured(script: ModuleType, tmp_path: Path) -> None:
    assert script.is_content((sys.executable, "-c", ""), str(tmp_path))
    assert not script.is_content((sys.executable, "-c", "raise SystemExit(1)"), str(tmp_path))


@pytest.mark.parametrize("script", ["run"], indirect=True)
def test_the_best_run_counts_and_is_put_in_relation(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs = iter([script.Cost(wall, 1.0, 2.0) for wall in (9.0, 3.0, 6.0, 2.0, 8.0, 4.0)])
    monkeypatch.setattr(script, "run", lambda *_: next(costs))
    linters = [script.Contender("lintbook, cold", ("a",)), script.Contender(script.BASE, ("b",))]
    found = script.measure(linters, tmp_path, 3)  # 9, 6, 8 and 3, 2, 4 seconds
    lines = list(script.table("A book", found))
    assert lines[-3:] == [
        "| lintbook, cold | 6.000 | 1.000 | 2 | 3.0 |",
        "| rumdl, cold | 2.000 | 1.000 | 2 | 1.0 |",
        "",
    ]
