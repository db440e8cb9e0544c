"""Closing lines: what ran is said whatever pytest shows of the tests' output."""

from __future__ import annotations

import pytest

CLOSING: list[str] = []


@pytest.fixture(scope="session")
def closing() -> list[str]:
    """Give the list of the lines that are written in the end."""
    return CLOSING


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in CLOSING:
        terminalreporter.write_line(line)
