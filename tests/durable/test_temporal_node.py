"""The tests of JavaScript on a Temporal server."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from temporal_server import NODE, PROGRAM, Server

pytestmark = pytest.mark.skipif(not PROGRAM or not NODE, reason="the Temporal server or its packages are not built")


def test_javascript(tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        test = Path(NODE) / "temporal.test.mjs"
        environment = {**os.environ, "SMITHY_WAITERS_TEMPORAL": server.address}
        subprocess.run(["node", "--test", test], env=environment, check=True)  # noqa: S607
    finally:
        server.kill()
