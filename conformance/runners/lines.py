"""Shared by the runners in Python: the lines of JSON, and clients for an endpoint."""

from __future__ import annotations

import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from botocore import xform_name
from botocore.config import Config

if TYPE_CHECKING:
    from collections.abc import Callable

    from botocore.exceptions import WaiterError

PARALLEL = 16

_LOCK = threading.Lock()


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


def failure(error: WaiterError) -> dict[str, Any]:
    """Return the end of a wait that botocore's waiter ends with an error."""
    end = "timeout" if "Max attempts exceeded" in str(error) else "failure"
    last = error.last_response or {}
    carries = ["lastError"] if "Error" in last else ["lastOutput"] if last else []
    return {"end": end, "message": str(error), "carries": carries}


def write(line: dict[str, Any]) -> None:
    """Write a line."""
    with _LOCK:
        print(json.dumps(line), flush=True)


def serve(announcement: dict[str, Any], play: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Play the tasks on standard input in threads."""
    write({"parallel": PARALLEL, **announcement})
    with ThreadPoolExecutor(PARALLEL) as threads:
        for line in sys.stdin:
            task = json.loads(line)
            threads.submit(lambda task=task: write({"id": task["id"], **play(task)}))
