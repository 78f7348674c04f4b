"""Options of the whole test suite; examples of hypothesis are the same in every run, and new ones in ``make soak``."""

import re
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))  # for ``machine``

SLOW_IS_NO_FAULT = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
settings.register_profile("new", database=None, deadline=None, suppress_health_check=SLOW_IS_NO_FAULT)
settings.register_profile("same", settings.get_profile("new"), derandomize=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the long tests in tests/soak")
    parser.addoption("--complete", action="store_true", help="what can be installed must be: a skip for want of it fails")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("new" if config.getoption("--soak") else "same")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--soak"):
        return
    skip = pytest.mark.skip(reason="long: run with --soak")
    for item in items:
        if "soak" in item.path.parts:
            item.add_marker(skip)


_MAY_BE_WANTING = re.compile(r"\.\./shared|--soak|this (?:system|machine)")
"""Reasons of skips that no installation mends."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and item.config.getoption("--complete") and isinstance(report.longrepr, tuple):
        reason = str(report.longrepr[2])
        if not _MAY_BE_WANTING.search(reason):
            report.outcome, report.longrepr = "failed", f"skipped in a complete run: {reason}"
    return report
