"""Waits in durable functions of AWS Lambda, which outlive their invocations.

>>> from aws_durable_execution_sdk_python import durable_execution
>>> from smithy_waiters.aws_lambda import durable_wait
>>> @durable_execution
... def handler(event, context):
...     outcome = durable_wait(context, available, lambda: describe(event["database"]), max_wait=6 * 3600)
...     return outcome.response["Endpoint"]

A wait is one `wait_for_condition` of the function's context, and each poll is one of its checks. The checkpoint after a
check contains the compressed state, and the function does not run between two polls. Install with
`pip install "smithy-waiters[aws-lambda]"`.
"""

from __future__ import annotations

import json
import time
from functools import partial
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, TypeVar, cast
from uuid import uuid4

from aws_durable_execution_sdk_python.config import Duration, StepConfig
from aws_durable_execution_sdk_python.serdes import PassThroughSerDes
from aws_durable_execution_sdk_python.waits import WaitForConditionConfig, WaitForConditionDecision

from .drivers.call import require_callable
from .durable.packing import packed, unpacked
from .durable.stored import StoredWait, due_at, ended, pause_seconds, plain, require_text
from .errors import StateError, WaiterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from aws_durable_execution_sdk_python import DurableContext
    from aws_durable_execution_sdk_python.types import WaitForConditionCheckContext
    from typing_extensions import Unpack

    from .literals import StateErrorCode
    from .options import WaitOptions
    from .outcome import Outcome
    from .waiter import Waiter

__all__ = ["durable_wait"]

_T = TypeVar("_T")

# Lambda stores at most 256 KiB for each operation. A failure also has its explanation, which takes about half as much
# as its history.
_REPORT_LIMIT = 160 * 1024

# The number of attempts that a wait keeps, so that a checkpoint takes about 1 KB.
_HISTORY_LIMIT = 5

# The payloads of the checkpoints are texts of this module: a compressed state, or the report of a wait that has ended.
_TEXTS: PassThroughSerDes[str] = PassThroughSerDes()


def durable_wait(
    context: DurableContext,
    waiter: Waiter,
    call: Callable[[], _T],
    *,
    name: str | None = None,
    input: object = None,
    report_limit: int | None = None,
    **options: Unpack[WaitOptions],
) -> Outcome[_T]:
    """Wait in a durable function of AWS Lambda, and return the outcome.

    >>> outcome = durable_wait(context, available, lambda: describe("orders"), max_wait=6 * 3600)

    The wait is two operations of the context: the step `{name}.start`, which stores the start, and the condition
    `{name}`. The options do not change while the wait is running, even if the program does.

    Args:
        context: The context of the durable function or of a child context.
        waiter: The waiter. Its definition cannot contain a function.
        call: A blocking function that makes the call. After a crash, the interrupted call is repeated.
        name: The name of the operations; the name of the waiter by default, or else `wait`.
        input: The operation's input as plain data, which `inputOutput` matchers read.
        report_limit: The maximum size of the outcome or the failure in bytes, as JSON; 160 KiB by default. A text
            replaces a response or an error that is too large, and then the oldest attempts are removed from the
            history. They are also removed from a larger state of a running wait.
        **options: The options of `Waiter.wait`. A `deadline` must be an aware `datetime`. The `history_limit` is 5 by
            default, so that a checkpoint takes about 1 KB. The seed of the delays is random by default.

    Returns:
        The outcome. Its `response` is plain data, and its `error` is an `ErrorStandIn`.

    Raises:
        WaiterError: The wait failed.
        OptionsError: An option is missing, unknown or invalid.
        StateError: The waiter has a function instead of an expression (`predicate`), or the stored state is damaged,
            belongs to another definition or was stored by a later release.
        TypeError: `call` is not a blocking function.

    """
    require_callable(call)
    if iscoroutinefunction(call):
        raise TypeError("the call must be a blocking function, got a coroutine function")
    if name is not None:
        require_text("name", name)
    name = name or waiter.name or "wait"
    stored = StoredWait(waiter, _REPORT_LIMIT if report_limit is None else report_limit, plain)
    begun = stored.begin(str(uuid4()), input, {"history_limit": _HISTORY_LIMIT, **options})
    # A step, so that the time of a first check that was interrupted counts, too.
    start = context.step(lambda _: packed(begun.state), f"{name}.start", StepConfig(serdes=_TEXTS))
    config = WaitForConditionConfig(_decision, start, _TEXTS)
    outcome: Outcome[_T] = _result(context.wait_for_condition(partial(_check, stored, call), config, name))
    return outcome


def _check(stored: StoredWait, call: Callable[[], object], payload: str, check: WaitForConditionCheckContext) -> str:
    """Make one attempt, and return the payload of the checkpoint.

    A failure of the wait is a report, too. The SDK for JavaScript stores an error of a check twice, which Lambda
    refuses, if the check before was in the same invocation.
    """
    try:
        state = unpacked(payload)
        # Only the initial delay is before the first check. Later ones are due, whatever the clock of this worker shows.
        if check.attempt == 1 and due_at(state) > time.time():
            return payload
        following, _, report, latest = stored.attempt(state, call)
    except StateError as error:
        return json.dumps({"name": StateError.__name__, "code": error.code, "message": error.message})
    if latest is not None:
        check.logger.info(latest["summary"])
    if following is not None:
        return packed(following)
    end = ended(str(report))
    if not isinstance(end, WaiterError):
        return str(report)
    # Other characters than ASCII would exceed the limit of the report if they were escaped.
    explained = {**json.loads(str(report)), "explanation": end.explain()}
    return json.dumps(explained, ensure_ascii=False, separators=(",", ":"))


def _result(report: str) -> Any:
    try:
        end = _end_of(json.loads(report))
    except (AttributeError, LookupError, StateError, TypeError, ValueError) as error:
        raise StateError("the checkpoint must be the report of a wait", "damaged_state") from error
    if isinstance(end, Exception):
        raise end
    return end


def _end_of(facts: dict[str, Any]) -> Any:
    if facts.get("name") == StateError.__name__:
        return _state_error(facts["message"], facts["code"])
    return ended(facts)


def _state_error(message: object, code: object) -> StateError:
    if not (isinstance(message, str) and isinstance(code, str)):
        raise TypeError("must be texts")
    return StateError(message, cast("StateErrorCode", code))


def _decision(payload: str, _attempts: int) -> WaitForConditionDecision:
    if _is_report(payload):
        return WaitForConditionDecision.stop_polling()
    return WaitForConditionDecision.continue_waiting(Duration(seconds=pause_seconds(unpacked(payload))))


def _is_report(payload: str) -> bool:
    # Base64 has no braces.
    return payload.startswith("{")
