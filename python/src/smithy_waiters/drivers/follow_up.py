"""What follows a failure: stopping the work, and finding out more. Rule: docs/rules.md#around-a-wait."""

from __future__ import annotations

from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from .call import reject_awaitable
from .wait import LOGGER

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from smithy_waiters.errors import WaiterError

    from .wait import WaitRun


def follow_up(error: WaiterError, run: WaitRun[Any]) -> None:
    """Call the functions of the options. Their results and exceptions become attributes of the error."""
    for option, call in _calls(error, run):
        try:
            result = call()
            reject_awaitable(result, "wait_async", f"`{option}`")
        except Exception as problem:  # noqa: BLE001 - it must not hide the failure of the wait.
            _note(error, option, None, problem)
        else:
            _note(error, option, result, None)


async def follow_up_async(error: WaiterError, run: WaitRun[Any]) -> None:
    """Call the functions of the options, and await what they return."""
    for option, call in _calls(error, run):
        try:
            result = call()
            if isawaitable(result):
                result = await result
        except Exception as problem:  # noqa: BLE001 - it must not hide the failure of the wait.
            _note(error, option, None, problem)
        else:
            _note(error, option, result, None)


def _calls(error: WaiterError, run: WaitRun[Any]) -> Generator[tuple[str, Callable[[], object]]]:
    # The work is stopped first, because finding out more may take time.
    if run.cancel_with is not None and error.leaves_work:
        yield "cancel_with", run.cancel_with
    if run.on_failure is not None:
        on_failure = run.on_failure
        yield "on_failure", lambda: on_failure(error)


def _note(error: WaiterError, option: str, result: object, problem: Exception | None) -> None:
    if problem is not None:
        LOGGER.warning("`%s` raised an exception: %s", option, problem)
    if option == "on_failure":
        error.details, error.details_error = result, problem
    else:
        error.cancel_error = problem
