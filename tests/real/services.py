"""The services of the tests with real SDKs, the configuration of the proxy, and clients."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import ProxyHandler, Request, build_opener

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# The folder of the services' program and its packages.
PLACE = Path(os.environ["SMITHY_WAITERS_REAL"])

_open = build_opener(ProxyHandler({})).open


class Services:
    """The addresses of the services, and the requests that they received."""

    def __init__(self, addresses: dict[str, str]) -> None:
        self.proxy = addresses["proxy"]
        self._service = addresses["service"]
        self._decoder = addresses["decoder"]

    def script(self, *faults: Any) -> None:
        """Set the faults of the next requests; a number is a status."""
        wanted = [{"status": fault} if isinstance(fault, int) else fault for fault in faults]
        ask(f"{self.proxy}/-/script", json.dumps(wanted).encode())

    def seed(self, seed: int, faults: dict[str, Any]) -> None:
        """Set a seed and the faults of all further requests (`seeded-faults.mjs`)."""
        ask(f"{self.proxy}/-/seed", json.dumps({"seed": seed, "faults": faults}).encode())

    def count(self) -> int:
        """Return the number of requests that the proxy received since the last script or seed."""
        found: int = ask(f"{self.proxy}/-/count")
        return found

    def arrived(self) -> list[dict[str, Any]]:
        """Return the requests that the proxy received since the last script, in order."""
        found: list[dict[str, Any]] = ask(f"{self.proxy}/-/arrived")
        return found

    def decoded(self) -> list[dict[str, Any]]:
        """Return the requests that the server for compressed bodies received since the last call."""
        found: list[dict[str, Any]] = ask(f"{self._decoder}/-/arrived")
        return found

    def direct(self) -> Any:
        """Return a client for the service, without the proxy."""
        return client("dynamodb", self._service)

    def faulty(self, **config: Any) -> Any:
        """Return a client for the service behind the proxy."""
        return client("dynamodb", self.proxy, **config)

    def metrics(self, **config: Any) -> Any:
        """Return a client for the server that accepts compressed bodies."""
        return client("cloudwatch", self._decoder, **config)

    def post(self, body: bytes | Iterable[bytes], headers: dict[str, str]) -> None:
        """Send a body to the server that accepts compressed bodies."""
        with _open(Request(self._decoder, body, headers), timeout=60):
            pass


@contextmanager
def running(tables: int = 0) -> Iterator[Services]:
    """Run the services with a number of tables to wait for. They exit when their standard input ends."""
    with subprocess.Popen(
        ["node", "--no-warnings", "services.mjs", str(tables)],
        cwd=PLACE,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as program:
        assert program.stdout is not None
        yield Services(json.loads(program.stdout.readline()))


def client(service: str, endpoint: str, **config: Any) -> Any:
    """Return a client, without retries unless the configuration enables them."""
    # boto3 is not installed in the environment of aiobotocore.
    import boto3  # type: ignore[import-untyped] # noqa: PLC0415
    from botocore.config import Config  # noqa: PLC0415

    return boto3.client(
        service,
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="none",
        aws_secret_access_key="none",
        config=Config(**{"retries": {"total_max_attempts": 1}, "proxies": {}, **config}),
    )


def ask(address: str, body: bytes | None = None) -> Any:
    """Send a control request to a service, and return the answer."""
    with _open(Request(address, body)) as answer:
        return json.load(answer)
