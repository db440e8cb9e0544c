"""The cost of a poll on Temporal, for `cargo xtask deep`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from killing import report
from temporal_server import NODE, PROGRAM, Server

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(not PROGRAM, reason="the Temporal server is not built")

# The greatest ratios. In JavaScript, the bare activity costs less, and the state of a wait the same.
LIMITS = {".py": 1.1, ".mjs": 1.5}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    yield server
    server.kill()


@pytest.mark.parametrize(
    ("runtime", "path"),
    [
        (sys.executable, Path(__file__).with_name("temporal_overhead.py")),
        ("node", Path(NODE, "temporal-overhead.mjs")),
    ],
    ids=["python", "javascript"],
)
def test_a_poll_costs_about_as_much_as_an_attempt_of_a_bare_activity(
    server: Server, runtime: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = subprocess.run([runtime, path, server.address], check=True, stdout=subprocess.PIPE, text=True)
    figures = json.loads(output.stdout.splitlines()[-1])
    report(capsys, f"{path.name}: {figures['durable_ms']} ms, {figures['ratio']} of a bare activity")
    assert figures["ratio"] <= LIMITS[path.suffix]
