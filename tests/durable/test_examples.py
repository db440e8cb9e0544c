"""The examples: they continue after a kill, and the documentation has their code."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples/durable"


def run(program: Path, folder: Path, *arguments: str, seconds: float | None = None) -> str:
    """Run a program, kill it after a number of seconds, and return its output."""
    command = [sys.executable, "-u", program, *arguments]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.communicate()[0]
        assert process.returncode == 0
        return output


def test_a_wait_in_a_table_continues(tmp_path: Path) -> None:
    program = EXAMPLES / "sqlite_wait.py"
    assert "b.csv: attempt 1 after" in run(program, tmp_path, "a.csv", "b.csv", seconds=2)
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).touch()
    output = run(program, tmp_path)
    assert "attempt 1 " not in output
    assert output.count("reached its state after") == 2


def test_a_wait_on_dbos_continues(tmp_path: Path) -> None:
    # The example stores its files in its own folder.
    program = Path(shutil.copy(EXAMPLES / "dbos_wait.py", tmp_path))
    run(program, tmp_path, seconds=6)
    assert (tmp_path / "orders.began").exists()
    output = run(program, tmp_path)
    assert "available after" in output


@pytest.mark.parametrize("name", ["sqlite_wait.py"])
def test_the_documentation_has_the_code(name: str) -> None:
    page = (ROOT / "docs/durable.md").read_text()
    assert (EXAMPLES / name).read_text() in page
