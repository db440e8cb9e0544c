"""The examples: they continue after a kill, and the documentation has their code."""

from __future__ import annotations

import os
import shutil
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from killing import run
from postgres import Server

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples/durable"


def printed(text: str, capfd: pytest.CaptureFixture[str]) -> Callable[[], bool]:
    """Return a function that returns `True` when a program has printed a text."""
    output = StringIO()

    def is_printed() -> bool:
        output.write(capfd.readouterr().out)
        return text in output.getvalue()

    return is_printed


def test_a_wait_in_a_table_continues(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = EXAMPLES / "sqlite_wait.py"
    assert run(program, "a.csv", "b.csv", folder=tmp_path, until=printed("b.csv: attempt 1 after", capfd))
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).touch()
    assert not run(program, folder=tmp_path)
    output = capfd.readouterr().out
    assert "attempt 1 " not in output
    assert output.count("exists after") == 2


def test_a_wait_of_another_definition_does_not_stop_the_others(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = EXAMPLES / "sqlite_wait.py"
    assert run(program, "a.csv", folder=tmp_path, until=printed("a.csv: attempt 1 after", capfd))
    changed = tmp_path / "changed.py"
    changed.write_text(program.read_text().replace('"DONE"', '"READY"'))
    (tmp_path / "b.csv").touch()
    assert not run(changed, "b.csv", folder=tmp_path)
    output = capfd.readouterr().out
    assert "a.csv the saved wait belongs to another definition" in output
    assert "exists after" in output


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
