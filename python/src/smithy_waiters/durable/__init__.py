"""Waits that survive the process, for engines and stores of your own.

`smithy_waiters.dbos`, `smithy_waiters.temporal` and `smithy_waiters.airflow` are built on this module. A stored wait is
JSON text, which every language can resume. Store it after each attempt, and make the next attempt when it is due, on
any computer::

    waits = StoredWait(waiter)
    begun = waits.begin("job-17", None, {"max_wait": 6 * 3600})
    state, due = begun.state, begun.due_at
    # Each time that `due` has come, in any process:
    state, due, report, progress = waits.attempt(state, lambda: describe("job-17"))
    if report is not None:
        outcome = result(report)

A `StoredFleet` is the same for many resources that share their calls.
"""

from .stored import Attempted, Begun, StoredWait, attempts, due_at, plain, progress, result
from .stored_fleet import StoredFleet

__all__ = ["Attempted", "Begun", "StoredFleet", "StoredWait", "attempts", "due_at", "plain", "progress", "result"]
