"""Print summaries at the end, even if pytest hides the tests' output."""

from __future__ import annotations

import pytest

CLOSING: list[str] = []


@pytest.fixture(scope="session")
def closing() -> list[str]:
    """Return the list of the summary lines."""
    return CLOSING


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in CLOSING:
        terminalreporter.write_line(line)
