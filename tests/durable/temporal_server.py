"""A Temporal server that keeps its data in a file of SQLite."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
from typing import TYPE_CHECKING

from temporalio.client import Client

if TYPE_CHECKING:
    from pathlib import Path

# `cargo xtask deep` builds it from `temporal/main.go`.
PROGRAM = os.environ.get("SMITHY_WAITERS_TEMPORAL_SERVER", "")
# The folder of a copy of the tests in JavaScript, from which Node finds the packages.
NODE = os.environ.get("SMITHY_WAITERS_TEMPORAL_NODE", "")
_SECONDS = 60


class Server:
    """A server in a folder, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "temporal.sqlite"
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port: int = free.getsockname()[1]
        self.address = f"127.0.0.1:{self._port}"
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen([PROGRAM, str(self._port), self._file])
        asyncio.run(_ready(self.address))

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


async def _ready(address: str) -> None:
    """Wait until a server answers requests for a workflow."""
    for _ in range(_SECONDS * 10):
        try:
            client = await Client.connect(address)
            _ = [one async for one in client.list_workflows(limit=1)]
        except Exception:  # noqa: BLE001 - the errors of a server that is starting.
            await asyncio.sleep(0.1)
        else:
            return
    raise AssertionError(f"the server does not answer on {address}")
