"""Programs that are killed at a given moment."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def run(program: Path, *arguments: str, folder: Path, until: Callable[[], bool] = lambda: False) -> bool:
    """Run a program in a folder, and kill it when a condition is true. Return `True` if it was killed."""
    with subprocess.Popen([sys.executable, "-u", program, *arguments], cwd=folder) as process:
        while process.poll() is None:
            if until():
                process.kill()
                process.wait()
                return True
            time.sleep(0.01)
    assert process.returncode == 0
    return False


class Calls:
    """The calls that workers made: the wait, the attempt and the process of each."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "calls"
        self._path.touch()

    def read(self) -> list[tuple[int, int, int]]:
        lines = [line.split() for line in self._path.read_text().splitlines()]
        return [(int(wait), int(attempt), int(pid)) for wait, attempt, pid in lines]

    def reach(self, number: int) -> bool:
        """Return `True` at a random time after a number of calls."""
        if len(self.read()) < number:
            return False
        time.sleep(random.uniform(0, 0.1))
        return True
