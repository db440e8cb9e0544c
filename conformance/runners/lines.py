"""Shared by the runners in Python: the lines of JSON, and clients for an endpoint."""

from __future__ import annotations

import json
import math
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from botocore import xform_name
from botocore.config import Config
from botocore.exceptions import ClientError, WaiterError

if TYPE_CHECKING:
    from collections.abc import Callable

PARALLEL = 16

# Locks standard output.
_OUTPUT = threading.Lock()
# botocore's sessions are not thread-safe.
_SESSION = threading.Lock()


def client_options(endpoint: str, config: Any = Config) -> dict[str, Any]:
    """Return the arguments of a client without retries, for a service at an endpoint."""
    config = config(retries={"total_max_attempts": 1}, inject_host_prefix=False, s3={"addressing_style": "path"})
    return {
        "region_name": "us-east-1",
        "endpoint_url": endpoint,
        "aws_access_key_id": "key",
        "aws_secret_access_key": "secret",
        "config": config,
    }


def name_of(waiter: str) -> str:
    """Return botocore's name of a waiter."""
    return xform_name(waiter)


def client_of(session: Any, service: str | None, task: dict[str, Any]) -> Any:
    """Return a client for the endpoint of a task, or `None` if botocore has none for the service."""
    with _SESSION:
        return session.create_client(service, **client_options(task["endpoint"])) if service else None


def waiter_config(options: dict[str, float]) -> dict[str, float]:
    """Return the options in botocore's contract, which has no time: the attempts that start before it is over."""
    return {"Delay": options["minDelay"], "MaxAttempts": math.ceil(options["maxWait"] / options["minDelay"])}


def unsupported(message: str) -> dict[str, Any]:
    """Return the end of a task that cannot be played."""
    return {"end": "unsupported", "message": message}


def error_end(error: Exception) -> dict[str, Any]:
    """Return the end of a wait of botocore's waiter that raises an error."""
    if isinstance(error, WaiterError):
        end = "timeout" if "Max attempts exceeded" in str(error) else "failure"
        last = error.last_response or {}
        carries = ["lastError"] if "Error" in last else ["lastOutput"] if last else []
        return {"end": end, "message": str(error), "carries": carries}
    if isinstance(error, ClientError):
        return {"end": "failure", "message": str(error)}
    return crash(error)


def crash(error: Exception) -> dict[str, Any]:
    """Return the end of a wait with an error that is neither the waiter's nor the service's."""
    return {"end": "error", "message": f"{type(error).__name__}: {error}"}


def write(line: dict[str, Any]) -> None:
    """Write a line."""
    with _OUTPUT:
        print(json.dumps(line), flush=True)


def serve(announcement: dict[str, Any], play: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Play the tasks on standard input in threads."""
    write({"parallel": PARALLEL, **announcement})
    with ThreadPoolExecutor(PARALLEL) as threads:
        for line in sys.stdin:
            task = json.loads(line)
            threads.submit(lambda task=task: write({"id": task["id"], **play(task)}))
