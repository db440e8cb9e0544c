"""The service of `service.py`, as a fixture."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from running import Service

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM = Path(__file__).with_name("service.py")


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    # moto may be installed in another environment than the client.
    python = os.environ.get("SMITHY_WAITERS_MOTO_PYTHON", sys.executable)
    with subprocess.Popen([python, PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield Service(process.stdout.readline().strip())
        process.communicate("")
