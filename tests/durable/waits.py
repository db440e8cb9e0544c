"""Waits with scripted answers, on DBOS and on a simulated clock."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any

from smithy_waiters import Waiter, WaiterError
from smithy_waiters.durable import StoredWait
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from smithy_waiters import Outcome
    from smithy_waiters.options import WaitOptions

JOB_DONE = Waiter.until(
    "Status", "DONE", fail=["BROKEN"], pending=["RUNNING"], retry_errors=["ThrottledError"], name="JobDone"
)

# The deadline is out of reach, so that the delays of a killed worker do not change the outcome.
OPTIONS: WaitOptions = {"max_wait": 3600, "min_delay": 0.1, "max_delay": 0.5, "max_attempts": 6}


class ThrottledError(Exception):
    """An error that the wait repeats."""


def answer(wait: int, attempt: int) -> dict[str, str]:
    """Return the answer of a job, which only depends on the numbers of the wait and the attempt."""
    if attempt <= wait % 4:
        if wait % 3 == 0:
            raise ThrottledError("slow down")
        return {"Status": "RUNNING"}
    if wait % 7 == 1:
        raise PermissionError("not allowed")
    return {"Status": ("DONE", "DONE", "BROKEN", "RUNNING", "MISSPELLED")[wait % 5]}


def workflow_id(wait: int) -> str:
    return f"job-{wait}"


def undisturbed(wait: int, wait_id: str | None = None) -> dict[str, Any]:
    """Return the end of a wait in one process."""
    attempts = count(1)
    options: Any = {**OPTIONS, "seed": seed(wait_id or workflow_id(wait)), "clock": FakeClock()}
    try:
        return facts(JOB_DONE.wait(lambda: answer(wait, next(attempts)), **options))
    except WaiterError as failure:
        return facts(failure)


def seed(wait_id: str) -> int:
    """Return the seed that is derived from the ID of a wait."""
    state = json.loads(StoredWait(JOB_DONE).begin(wait_id, None, OPTIONS).state)
    number: int = state["options"]["seed"]
    return number


def facts(ended: Outcome | WaiterError) -> dict[str, Any]:
    """Return the facts about the end of a wait that do not depend on the time of day."""
    return {
        "code": getattr(ended, "code", None),
        "attempts": ended.attempts,
        "acceptor": ended.acceptor,
        "delays": [record.delay_ms for record in ended.history],
        "reasons": [[reason.text for reason in record.reasons] for record in ended.history],
        "errors": [record.error for record in ended.history],
    }
