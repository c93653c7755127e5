"""What all tests share: the option that rewrites expectations."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update",
        action="store_true",
        help="rewrite the diagnostics that the rulebook expects; read the change before you keep it",
    )


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether expectations are to be rewritten instead of compared."""
    return bool(request.config.getoption("--update"))
