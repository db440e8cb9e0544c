"""Smithy waiters: poll an operation until a resource reaches a desired state, can no longer reach it, or time runs out.

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

One engine makes all decisions. The npm package and the Rust crate `smithy-waiters` use the same engine.

Other modules, which are imported by name:

- `smithy_waiters.retry`: retries of requests
- `smithy_waiters.pagination`: walks over the pages of a result
- `smithy_waiters.several`: several waits of different kinds under one deadline
- `smithy_waiters.fleet`: waits for many resources that share their calls
- `smithy_waiters.operation`: idempotency tokens and other behavior traits of a model
- `smithy_waiters.compression`: compression of request bodies
- `smithy_waiters.testing`: a fake clock for tests, on which a wait of an hour takes no time

See the `specification <https://smithy.io/2.0/additional-specs/waiters.html>`_.
"""

from ._engine import (
    AttemptRecord,
    Call,
    Delay,
    Done,
    Hint,
    PathValue,
    RateLimit,
    Reason,
    Sleep,
    Verdict,
    Wait,
    __version__,
    delay,
    search,
)
from .errors import (
    DefinitionError,
    ExpressionError,
    OptionsError,
    StateError,
    WaiterAttemptsExceeded,
    WaiterCancelled,
    WaiterError,
    WaiterFailed,
    WaitersFailed,
    WaiterTimeout,
)
from .pickling import ErrorStandIn
from .waiter import Waiter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .definition import (
        AcceptorDefinition,
        ErrorTypeMatcher,
        Goal,
        InputOutputMatcher,
        MatcherDefinition,
        OutputMatcher,
        PathMatcherDefinition,
        SuccessMatcher,
        WaiterDefinition,
    )
    from .fleet import Fleet, FleetProgress
    from .literals import (
        AttemptResult,
        DefinitionErrorCode,
        ExpressionErrorCode,
        FailureCode,
        OptionsErrorCode,
        State,
        StateErrorCode,
    )
    from .options import Left, Same, WaitOptions
    from .outcome import Attempt, ErrorOutcome, Outcome, Progress, ResponseOutcome
    from .pace import FixedPace, Pace, ProportionalPace, every, proportional
    from .several import wait_all, wait_all_async, wait_any, wait_any_async
    from .steps import Step

__all__ = [
    "AcceptorDefinition",
    "Attempt",
    "AttemptRecord",
    "AttemptResult",
    "Call",
    "DefinitionError",
    "DefinitionErrorCode",
    "Delay",
    "Done",
    "ErrorOutcome",
    "ErrorStandIn",
    "ErrorTypeMatcher",
    "ExpressionError",
    "ExpressionErrorCode",
    "FailureCode",
    "FixedPace",
    "Fleet",
    "FleetProgress",
    "Goal",
    "Hint",
    "InputOutputMatcher",
    "Left",
    "MatcherDefinition",
    "OptionsError",
    "OptionsErrorCode",
    "Outcome",
    "OutputMatcher",
    "Pace",
    "PathMatcherDefinition",
    "PathValue",
    "Progress",
    "ProportionalPace",
    "RateLimit",
    "Reason",
    "ResponseOutcome",
    "Same",
    "Sleep",
    "State",
    "StateError",
    "StateErrorCode",
    "Step",
    "SuccessMatcher",
    "Verdict",
    "Wait",
    "WaitOptions",
    "Waiter",
    "WaiterAttemptsExceeded",
    "WaiterCancelled",
    "WaiterDefinition",
    "WaiterError",
    "WaiterFailed",
    "WaiterTimeout",
    "WaitersFailed",
    "__version__",
    "delay",
    "every",
    "proportional",
    "search",
    "wait_all",
    "wait_all_async",
    "wait_any",
    "wait_any_async",
]

# Results and types are loaded on first use, because importing `dataclasses` and `typing` is slow.
_MODULES = {
    "AcceptorDefinition": "definition",
    "Attempt": "outcome",
    "AttemptResult": "literals",
    "DefinitionErrorCode": "literals",
    "ErrorOutcome": "outcome",
    "ErrorTypeMatcher": "definition",
    "ExpressionErrorCode": "literals",
    "FailureCode": "literals",
    "FixedPace": "pace",
    "Fleet": "fleet",
    "FleetProgress": "fleet",
    "Goal": "definition",
    "InputOutputMatcher": "definition",
    "Left": "options",
    "MatcherDefinition": "definition",
    "OptionsErrorCode": "literals",
    "Outcome": "outcome",
    "OutputMatcher": "definition",
    "Pace": "pace",
    "PathMatcherDefinition": "definition",
    "Progress": "outcome",
    "ProportionalPace": "pace",
    "ResponseOutcome": "outcome",
    "Same": "options",
    "State": "literals",
    "StateErrorCode": "literals",
    "Step": "steps",
    "SuccessMatcher": "definition",
    "WaitOptions": "options",
    "WaiterDefinition": "definition",
    "every": "pace",
    "proportional": "pace",
    "wait_all": "several",
    "wait_all_async": "several",
    "wait_any": "several",
    "wait_any_async": "several",
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
