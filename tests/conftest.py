"""Options of the whole test suite; examples of hypothesis are the same in every run, and new ones in ``make soak``."""

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))  # for ``machine``

SLOW_IS_NO_FAULT = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
settings.register_profile("new", database=None, deadline=None, suppress_health_check=SLOW_IS_NO_FAULT)
settings.register_profile("same", settings.get_profile("new"), derandomize=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the long tests in tests/soak")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("new" if config.getoption("--soak") else "same")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--soak"):
        return
    skip = pytest.mark.skip(reason="long: run with --soak")
    for item in items:
        if "soak" in item.path.parts:
            item.add_marker(skip)
