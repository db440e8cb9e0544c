"""Plays conformance tests with the waiters of this project and boto3's clients."""

from __future__ import annotations

import threading
from importlib.metadata import version
from typing import Any

import botocore.session
import core
import lines

from smithy_waiters import Waiter, WaiterCancelled, WaiterError, WaiterFailed
from smithy_waiters.boto3 import waiter

SESSION = core.add_to(botocore.session.get_session())


def play(task: dict[str, Any]) -> dict[str, Any]:
    """Play a task."""
    client = lines.client_of(SESSION, core.service_of(task), task)
    if client is None:
        return lines.unsupported("no client")
    options, cancel = task["options"], threading.Event()
    at = options.get("cancelAt")
    if at == 0:
        cancel.set()
    elif at:
        threading.Timer(at, cancel.set).start()
    durations = {"max_wait": options["maxWait"], "min_delay": options["minDelay"], "max_delay": options["maxDelay"]}
    params = task["params"]
    try:
        if task["suite"] == "core":
            call = getattr(client, lines.name_of(task["operation"]))
            waiting = Waiter(task["definition"], name=task["waiter"])
            # Two requests are enough for a verdict.
            outcome = waiting.wait(lambda: call(**params), input=params, cancel=cancel, max_attempts=2, **durations)
        else:
            waiting = waiter(client, lines.name_of(task["waiter"]))
            outcome = waiting.wait(request=params, cancel=cancel, **durations)
    except WaiterError as error:
        is_failure, is_cancelled = isinstance(error, WaiterFailed), isinstance(error, WaiterCancelled)
        end = "failure" if is_failure else "cancelled" if is_cancelled else "timeout"
        kinds = {"lastOutput": error.response, "lastError": error.error}
        carries = [kind for kind, value in kinds.items() if value is not None]
        return {"end": end, "message": str(error), "carries": carries}
    except Exception as error:  # noqa: BLE001
        return lines.crash(error)
    return {"end": "success", "carries": ["lastOutput" if outcome.result == "response" else "lastError"]}


lines.serve(
    {
        "sdk": "smithy-waiters for Python",
        "version": version("smithy-waiters"),
        "contract": "smithy",
        "behaviours": "acm.CertificateValidated",
    },
    play,
)
