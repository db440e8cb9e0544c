"""The examples of Temporal continue after a kill."""

from __future__ import annotations

from pathlib import Path

import pytest
from killing import run, start
from temporal_server import NODE, PROGRAM, Server

pytestmark = pytest.mark.skipif(not PROGRAM, reason="the Temporal server is not built")

EXAMPLES = Path(__file__).parents[2] / "examples/durable"


@pytest.mark.parametrize(
    "program",
    [
        EXAMPLES / "temporal_wait.py",
        pytest.param(
            Path(NODE) / "temporal_wait.mjs",
            marks=pytest.mark.skipif(not NODE, reason="the packages are not installed"),
        ),
    ],
    ids=["python", "javascript"],
)
def test_a_wait_on_temporal_continues(program: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    server = Server(tmp_path)
    try:
        assert run(program, server.address, folder=tmp_path, until=(tmp_path / "orders.began").exists)
        with start(program, server.address, folder=tmp_path) as process:
            code = process.wait()
        # A signal sometimes ends the process of Temporal's SDK for Python, whose threads run until the end.
        assert code == 0 or (program.suffix == ".py" and code < 0)
    finally:
        server.kill()
    assert "available after" in capfd.readouterr().out
