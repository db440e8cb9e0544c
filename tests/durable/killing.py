"""Programs that are killed at a given moment."""

from __future__ import annotations

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
