from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parent.parent

# One owner for each library: a module, or a package with all that is in it.
OWNERS = {
    "click": {"lintbook.cli"},
    "lxml": {"lintbook.parse.svg"},
    "markdown_it": {"lintbook.parse.grammar"},
    "mdit_py_plugins": {"lintbook.parse.grammar"},
    "networkx": {"lintbook.graph", "lintbook.reporters.graph"},
    "subprocess": {"lintbook.history"},
    "sympy": {"lintbook.calculator"},
    "tinycss2": {"lintbook.parse.css"},
    "torch": {"lintbook.calculator"},
    "watchfiles": {"lintbook.following"},
    "yaml": {"lintbook.parse.project"},
}

# What types are made of belongs to nobody.
EVERYWHERE = {"msgspec"}

HEAVY = {"lxml", "mpmath", "networkx", "sympy", "tinycss2", "torch", "watchfiles", "yaml"}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_name(path): path for path in sorted((ROOT / "lintbook").rglob("*.py"))}


def is_for_types_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports(node: ast.AST, *, inside_functions: bool) -> Iterator[str]:
    """The top-level package of every import below ``node`` that is carried out when the program runs."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            yield (child.module or "").partition(".")[0]
        elif is_for_types_only(child):
            continue
        elif inside_functions or not isinstance(child, ast.FunctionDef):
            yield from imports(child, inside_functions=inside_functions)


def owns(owner: str, module: str) -> bool:
    return module == owner or module.startswith(owner + ".")


@pytest.mark.parametrize("module", MODULES)
def test_each_library_is_imported_by_its_owner_only(module: str) -> None:
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    strangers = {
        library
        for library in imports(tree, inside_functions=True)
        if library in OWNERS and not any(owns(owner, module) for owner in OWNERS[library])
    }
    assert strangers == set()


@pytest.mark.parametrize("module", MODULES)
def test_heavy_libraries_are_imported_when_first_needed(module: str) -> None:
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    assert HEAVY & set(imports(tree, inside_functions=False)) == set()


def test_every_dependency_has_an_owner() -> None:
    """A library without an owner in the list above would be anyone's."""
    used = {
        library
        for path in MODULES.values()
        for library in imports(ast.parse(path.read_text(encoding="utf-8")), inside_functions=True)
    }
    assert used - sys.stdlib_module_names - {"lintbook"} - EVERYWHERE <= set(OWNERS)


def test_the_layers_hold(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    status = lint_imports(config_filename="pyproject.toml", no_cache=True, no_logo=True)
    assert status == 0, capsys.readouterr().out


def test_the_map_names_every_module_below_those_that_import_it() -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"^\| module \| is for \|\n(.*?)\n\n", contributing, re.MULTILINE | re.DOTALL)
    rows = [re.findall(r"`(\w+)/?`", line.split("|")[1]) for line in table.splitlines()[1:]]
    named = [name for row in rows for name in row]
    modules = {name.split(".")[1] for name in MODULES if name != "lintbook"}
    assert sorted(named) == sorted(modules)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    depth = {name: number for number, layer in enumerate(layers) for name in layer.split(" | ")}
    depths = [depth[name] for name in named]
    assert depths == sorted(depths)


def test_asking_for_the_version_imports_no_parser() -> None:
    program = (
        "import sys; from lintbook.cli import run; status = run(['--version']);"
        "print(status, *sorted(name for name in sys.modules if '.' not in name))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    version, loaded = done.stdout.splitlines()
    status, *modules = loaded.split()
    assert (version, status) == ("lintbook 0.1.0", "0")
    assert {"click", "lintbook"} <= set(modules)
    assert (HEAVY | {"markdown_it", "mdit_py_plugins"}) & set(modules) == set()


# What only parsing, troubles, fixes and commands other than `check` need, and what is slow to import.
NOT_WHEN_WARM = {
    *HEAVY,
    "markdown_it",
    "mdit_py_plugins",
    "difflib",
    "importlib.resources",
    "json",
    "subprocess",
    "tempfile",
    "tomllib",
    "lintbook.calculator.chain",
    "lintbook.calculator.evaluation",
    "lintbook.calculator.number",
    "lintbook.fixing",
    "lintbook.graph",
    "lintbook.history",
    "lintbook.parse.blocks",
    "lintbook.parse.grammar",
    "lintbook.parse.markdown",
    "lintbook.parse.markup",
    "lintbook.parse.numbering",
    "lintbook.parse.svg",
    "lintbook.rulebook",
}
HEALTHY = """\
# 2 集合

## 2.1 定义

**定义 2.1.1** {#def-2.1.1} 一个集合。见 [定义 2.1.1](#def-2.1.1)。

<svg viewBox="0 0 9 9"><defs><marker id="mk-blue"/></defs><path d="M0 0h9" marker-end="url(#mk-blue)"/></svg>

The cache is 4 GiB, and $2^{10} = 1024$. In base 2, 1 + 1 = 10.
"""


def loaded(folder: Path, cache: Path) -> set[str]:
    """The modules that a run on the books in ``folder`` leaves loaded; the run finds nothing."""
    program = (
        "import sys; from lintbook.cli import run; status = run(['check', '--quiet']);"
        "print(status, *sorted(sys.modules))"
    )
    environment = {**os.environ, "LINTBOOK_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True, env=environment
    )
    status, *modules = done.stdout.split()
    assert (status, done.stderr) == ("0", "")
    return set(modules)


def test_a_warm_run_of_a_healthy_book_imports_what_it_needs(tmp_path: Path) -> None:
    book, cache = tmp_path / "book", tmp_path / "cache"
    (book / ".git").mkdir(parents=True)  # so that no configuration is looked for above it
    (book / "page.md").write_text(HEALTHY, encoding="utf-8")
    cold = loaded(book, cache)
    assert {"markdown_it", "lintbook.parse.markdown", "lintbook.calculator.chain"} <= cold
    warm = loaded(book, cache)
    assert NOT_WHEN_WARM & warm == set()
    assert {"click", "msgspec", "lintbook.checks"} <= warm


def test_a_warm_run_of_an_mdbook_with_claims_imports_no_parser_of_pages(tmp_path: Path) -> None:
    book, cache = tmp_path / "book", tmp_path / "cache"
    shutil.copytree(ROOT / "fixtures" / "books" / "lecture-2", book)
    assert "markdown_it" in loaded(book, cache)
    warm = loaded(book, cache)
    assert "lintbook.calculator.judgement" in warm
    parsers = {module for module in MODULES if module.startswith("lintbook.parse.")}
    assert warm & parsers <= {"lintbook.parse.numbers", "lintbook.parse.project", "lintbook.parse.toml"}
    assert (HEAVY | {"markdown_it", "mdit_py_plugins", "tomllib"}) & warm == set()


@pytest.mark.parametrize(
    ("name", "text", "parser"),
    [
        ("mkdocs.yml", "site_name: Sets\ndocs_dir: .\n", "yaml"),
        ("_config.yml", "title: Sets\n", "yaml"),
        ("SUMMARY.md", "- [One](page.md)\n- [Two](other.md)\n", "markdown_it"),
    ],
)
def test_a_warm_run_parses_no_file_that_makes_the_book(tmp_path: Path, name: str, text: str, parser: str) -> None:
    book, cache = tmp_path / "book", tmp_path / "cache"
    (book / ".git").mkdir(parents=True)
    (book / name).write_text(text, encoding="utf-8")
    for page in ("page.md", "other.md"):
        (book / page).write_text("# Sets\n", encoding="utf-8")
    assert parser in loaded(book, cache)
    assert parser not in loaded(book, cache)
