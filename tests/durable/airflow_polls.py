"""Polls of the tests on Airflow, which its processes import."""

from __future__ import annotations

import asyncio
import os
import random
import threading
import time
from pathlib import Path
from typing import Any

from waits import answer


def _called(*facts: object) -> None:
    with Path(os.environ["AIRFLOW_HOME"], "calls").open("a") as calls:
        calls.write(f"{' '.join(map(str, facts))}\n")


async def poll(wait: int, attempt: int) -> dict[str, str]:
    """Return the answer of a job. The triggerer may be killed during the call."""
    _called(wait, attempt, os.getpid())
    await asyncio.sleep(random.uniform(0, 0.05))
    return answer(wait, attempt)


def status(name: str, end: str, attempt: int) -> dict[str, Any]:
    """Return the status of a job that runs until a file exists."""
    _called(name, attempt)
    return {"Status": end if Path(os.environ["AIRFLOW_HOME"], f"{name}.ended").exists() else "RUNNING", "Name": name}


async def status_async(name: str, end: str, attempt: int) -> dict[str, Any]:
    return status(name, end, attempt)


def locked(name: str, end: str, attempt: int) -> dict[str, Any]:
    """Return what JSON cannot hold."""
    return {**status(name, end, attempt), "Lock": threading.Lock()}


def hang() -> None:
    """Take longer than any test."""
    threading.Event().wait()


def forgotten(name: str, end: str) -> Any:
    """Return a coroutine, as a function that lacks `await` does."""
    return status_async(name, end, 1)


def start(name: str, end: str) -> dict[str, Any]:
    """Start a job, which returns what JSON cannot hold."""
    return {"Job": {"Name": name, "End": end, "Lock": threading.Lock()}}


def cancel(name: str, end: str) -> str:  # noqa: ARG001 - as the poll.
    """Cancel a job, and note it."""
    with Path(os.environ["AIRFLOW_HOME"], "cancelled").open("a") as cancelled:
        cancelled.write(f"{name}\n")
    return f"stopped {name}"


def cancel_slowly(name: str, end: str) -> str:
    """Cancel a job. Airflow repeats the cancellation of a trigger once a second."""
    time.sleep(2)
    return cancel(name, end)


def cancel_badly(name: str, end: str) -> None:  # noqa: ARG001 - as the poll.
    raise PermissionError("not allowed")


def status_of(end: str, **_: Any) -> dict[str, Any]:
    """Return a status, or raise an error of the service or of the client."""
    if end == "CLIENT":
        raise AttributeError("no such method")
    if end == "GONE":
        raise type("JobGone", (Exception,), {})("gone")
    return {"Status": end}
