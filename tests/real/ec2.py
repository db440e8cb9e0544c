"""The fake of EC2 (`ec2.mjs`)."""

from __future__ import annotations

import json
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from services import PLACE, ask, client

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# An identifier, and the times in seconds from which the resource exists and is in the desired state.
Resource = tuple[str, float, float]


class Ec2:
    """A running fake."""

    def __init__(self, address: str) -> None:
        self._address = address

    def begin(self, resources: Iterable[Resource], **options: Any) -> None:
        """Set the resources and start their clock. The options are `limit`, `names` and `isManual`."""
        ask(f"{self._address}/-/begin", json.dumps({"resources": list(resources), **options}).encode())

    def set_now(self, seconds: float) -> None:
        """Set the time of a manual clock."""
        ask(f"{self._address}/-/now", json.dumps(seconds).encode())

    def report(self) -> dict[str, float]:
        """Return the numbers of `requests` and of `refused` ones, and the times of answers, `medianMs`."""
        found: dict[str, float] = ask(f"{self._address}/-/report")
        return found

    def client(self, **config: Any) -> Any:
        """Return a client with boto3's default settings."""
        return client("ec2", self._address, retries=None, **config)


@contextmanager
def running_ec2() -> Iterator[Ec2]:
    """Run the fake. It exits when its standard input ends."""
    with subprocess.Popen(
        ["node", "--no-warnings", "ec2.mjs"], cwd=PLACE, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        assert program.stdout is not None
        yield Ec2(program.stdout.readline().decode().strip())
