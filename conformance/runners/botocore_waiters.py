"""Plays conformance tests with botocore and its own waiters."""

from __future__ import annotations

import threading
from typing import Any

import botocore
import botocore.session
import lines
from botocore.exceptions import ClientError, WaiterError

SESSION = botocore.session.get_session()
LOCK = threading.Lock()


def play(task: dict[str, Any]) -> dict[str, Any]:
    """Play a task."""
    options = task["options"]
    if "cancelAt" in options:
        return {"end": "unsupported", "message": "a wait cannot be cancelled"}
    if not task["service"].get("botocore"):
        return {"end": "unsupported", "message": "no client"}
    with LOCK:  # sessions are not thread-safe
        client = SESSION.create_client(task["service"]["botocore"], **lines.client_options(task["endpoint"]))
    if lines.name_of(task["waiter"]) not in client.waiter_names:
        return {"end": "unsupported", "message": "no such waiter"}
    # The contract has a number of attempts, and no time: as many as fit.
    attempts = 1 + int(options["maxWait"] / options["minDelay"])
    config = {"Delay": options["minDelay"], "MaxAttempts": attempts}
    try:
        client.get_waiter(lines.name_of(task["waiter"])).wait(**task["params"], WaiterConfig=config)
    except WaiterError as error:
        return lines.failure(error)
    except ClientError as error:
        return {"end": "failure", "message": str(error)}
    except Exception as error:  # noqa: BLE001
        return {"end": "error", "message": f"{type(error).__name__}: {error}"}
    return {"end": "success"}


lines.serve(
    {
        "sdk": "botocore",
        "version": botocore.__version__,
        "contract": "botocore",
        "behaviours": "acm.CertificateValidated",
    },
    play,
)
