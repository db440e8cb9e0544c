"""Plays conformance tests with botocore and its own waiters."""

from __future__ import annotations

from typing import Any

import botocore
import botocore.session
import core
import lines
from botocore.waiter import create_waiter_with_client

SESSION = core.add_to(botocore.session.get_session())


def play(task: dict[str, Any]) -> dict[str, Any]:
    """Play a task."""
    if "cancelAt" in task["options"]:
        return lines.unsupported("a wait cannot be cancelled")
    client = lines.client_of(SESSION, core.service_of(task), task)
    if client is None:
        return lines.unsupported("no client")
    waiter = core.waiter_of(client, task, create_waiter_with_client)
    if waiter is None:
        return lines.unsupported("no such waiter")
    try:
        waiter.wait(**task["params"], WaiterConfig=lines.waiter_config(task["options"]))
    except Exception as error:  # noqa: BLE001
        return lines.error_end(error)
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
