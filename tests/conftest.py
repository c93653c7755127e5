"""What all tests share: the option that rewrites expectations."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# A slow machine is no fault of what is tested, and a change is judged by the same examples whenever it is; with
# LINTBOOK_EXPLORE set they are new ones each time.
settings.register_profile("lintbook", deadline=None, derandomize="LINTBOOK_EXPLORE" not in os.environ)
settings.load_profile("lintbook")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update",
        action="store_true",
        help="rewrite what the rulebook expects: diagnostics and contents; read the change before you keep it",
    )


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether expectations are to be rewritten instead of compared."""
    return bool(request.config.getoption("--update"))


@pytest.fixture(scope="session", autouse=True)
def cache_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the tests, and the processes they start, off the user's cache."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "LINTBOOK_CACHE_DIR", str(folder))
        yield folder
