"""Smithy waiters: poll an operation until a resource is in the wanted state, can never reach it, or the time is up.

>>> from smithy_waiters import Waiter
>>> table_exists = Waiter(
...     {
...         "acceptors": [
...             {
...                 "state": "success",
...                 "matcher": {
...                     "output": {"path": "Table.TableStatus", "comparator": "stringEquals", "expected": "ACTIVE"}
...                 },
...             }
...         ]
...     },
...     name="TableExists",
... )
>>> outcome = table_exists.wait(lambda: {"Table": {"TableStatus": "ACTIVE"}}, max_wait=300)
>>> outcome.attempts
1

Everything is decided by one engine, which the packages of the same name for JavaScript and Rust share.
"""

from ._engine import AttemptRecord, Call, Delay, Done, Reason, Sleep, Verdict, Wait, delay, search
from .errors import (
    DefinitionError,
    ExpressionError,
    OptionsError,
    StateError,
    WaiterAttemptsExceeded,
    WaiterCancelled,
    WaiterError,
    WaiterFailed,
    WaiterTimeout,
)
from .options import WaitOptions
from .outcome import Attempt, Outcome, Progress
from .vocabulary import AttemptResult, FailureCode, State, Step
from .waiter import Waiter

__all__ = [
    "Attempt",
    "AttemptRecord",
    "AttemptResult",
    "Call",
    "DefinitionError",
    "Delay",
    "Done",
    "ExpressionError",
    "FailureCode",
    "OptionsError",
    "Outcome",
    "Progress",
    "Reason",
    "Sleep",
    "State",
    "StateError",
    "Step",
    "Verdict",
    "Wait",
    "WaitOptions",
    "Waiter",
    "WaiterAttemptsExceeded",
    "WaiterCancelled",
    "WaiterError",
    "WaiterFailed",
    "WaiterTimeout",
    "delay",
    "search",
]
