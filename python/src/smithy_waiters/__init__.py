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
from .waiter import Waiter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .options import WaitOptions
    from .outcome import Attempt, Outcome, Progress
    from .vocabulary import AttemptResult, FailureCode, State, Step

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

# What waits give, and words for types: loaded when they are asked for, since `dataclasses` and `typing` are dear.
_MODULES = {
    "Attempt": "outcome",
    "AttemptResult": "vocabulary",
    "FailureCode": "vocabulary",
    "Outcome": "outcome",
    "Progress": "outcome",
    "State": "vocabulary",
    "Step": "vocabulary",
    "WaitOptions": "options",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    value: object = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
