"""The examples: they continue after a kill, and the documentation has their code."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from killing import run
from postgres import Server

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples/durable"


def test_a_wait_in_a_table_continues(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program, seen = EXAMPLES / "sqlite_wait.py", ""

    def polled() -> bool:
        nonlocal seen
        seen += capfd.readouterr().out
        return "b.csv: attempt 1 after" in seen

    assert run(program, "a.csv", "b.csv", folder=tmp_path, until=polled)
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).touch()
    assert not run(program, folder=tmp_path)
    output = capfd.readouterr().out
    assert "attempt 1 " not in output
    assert output.count("reached its state after") == 2


def test_a_wait_on_dbos_continues(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    # The example stores its files in its own folder.
    program = Path(shutil.copy(EXAMPLES / "dbos_wait.py", tmp_path))
    assert run(program, folder=tmp_path, until=(tmp_path / "orders.began").exists)
    assert not run(program, folder=tmp_path)
    assert "available after" in capfd.readouterr().out


@pytest.mark.skipif("SMITHY_WAITERS_DURABLE_NODE" not in os.environ, reason="a step of its own")
def test_a_wait_on_dbos_in_javascript_continues(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Node finds the packages from the folder of the program.
    program = Path(shutil.copy(EXAMPLES / "dbos_wait.mjs", os.environ["SMITHY_WAITERS_DURABLE_NODE"]))
    server = Server()
    try:
        monkeypatch.setenv("DBOS_SYSTEM_DATABASE_URL", server.tcp_url)
        assert run(program, folder=tmp_path, until=(tmp_path / "orders.began").exists)
        assert not run(program, folder=tmp_path)
    finally:
        server.remove()
    assert "available after" in capfd.readouterr().out


@pytest.mark.parametrize("name", ["sqlite_wait.py"])
def test_the_documentation_has_the_code(name: str) -> None:
    page = (ROOT / "docs/durable.md").read_text()
    assert (EXAMPLES / name).read_text() in page
