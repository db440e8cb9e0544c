"""Programs that are killed at a given moment, and the figures of such tests."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest


def run(program: Path, *arguments: str, folder: Path, until: Callable[[], bool] = lambda: False) -> bool:
    """Run a program in a folder, and kill it when a condition is true. Return `True` if it was killed."""
    with start(program, *arguments, folder=folder) as process:
        while process.poll() is None:
            if until():
                process.kill()
                process.wait()
                return True
            time.sleep(0.01)
    assert process.returncode == 0
    return False


def start(program: Path, *arguments: str, folder: Path) -> subprocess.Popen[bytes]:
    """Start a program of Python or of Node in a folder."""
    command = ["node"] if program.suffix == ".mjs" else [sys.executable, "-u"]
    return subprocess.Popen([*command, program, *arguments], cwd=folder)


def report(capsys: pytest.CaptureFixture[str], figures: str) -> None:
    """Print the figures of a test, even if it passes. They are in the table of `cargo xtask`."""
    with capsys.disabled():
        print(f"\nfigures: {figures}")
