"""The synthetic service of `core` for botocore: a model and definitions of waiters in its format.

A folder of models is botocore's documented way to add a service, and `WaiterModel` reads its own waiters, too.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import lines
from botocore.waiter import WaiterModel

if TYPE_CHECKING:
    from collections.abc import Callable

# Smithy's comparators. `path` compares with `==`.
MATCHERS = {
    "stringEquals": "path",
    "booleanEquals": "path",
    "allStringEquals": "pathAll",
    "anyStringEquals": "pathAny",
}


def add_to(session: Any) -> Any:
    """Add the service to a session, and return the session."""
    session.get_component("data_loader").search_paths.append(str(Path(__file__).parent / "core"))
    return session


def service_of(task: dict[str, Any]) -> str | None:
    """Return botocore's name of the service of a task."""
    return "jobs" if task["suite"] == "core" else task["service"].get("botocore")


def waiter_of(client: Any, task: dict[str, Any], create: Callable[[str, WaiterModel, Any], Any]) -> Any:
    """Return the waiter of a task, or `None` if there isn't one. `create` is the function that `get_waiter` calls."""
    if task["suite"] == "core":
        model = waiter_model(task)
        return model and create(task["waiter"], model, client)
    name = lines.name_of(task["waiter"])
    return client.get_waiter(name) if name in client.waiter_names else None


def waiter_model(task: dict[str, Any]) -> WaiterModel | None:
    """Return the definition of a task, or `None` if botocore's format cannot express it."""
    matchers = [acceptor["matcher"] for acceptor in task["definition"]["acceptors"]]
    if any("inputOutput" in matcher for matcher in matchers):
        return None
    acceptors = [
        {"state": acceptor["state"], **matcher_of(acceptor["matcher"])} for acceptor in task["definition"]["acceptors"]
    ]
    waiter = {"operation": task["operation"], "delay": 1, "maxAttempts": 1, "acceptors": acceptors}
    return WaiterModel({"version": 2, "waiters": {task["waiter"]: waiter}})


def matcher_of(matcher: dict[str, Any]) -> dict[str, Any]:
    """Return a matcher in botocore's format."""
    if "success" in matcher:
        # `true` stands for any error, and `false` for none.
        return {"matcher": "error", "expected": not matcher["success"]}
    if "errorType" in matcher:
        # botocore's format has names of errors without a namespace.
        return {"matcher": "error", "expected": matcher["errorType"].rpartition("#")[2]}
    output = matcher["output"]
    comparator, expected = output["comparator"], output["expected"]
    expected = expected == "true" if comparator == "booleanEquals" else expected
    return {"matcher": MATCHERS[comparator], "argument": output["path"], "expected": expected}
