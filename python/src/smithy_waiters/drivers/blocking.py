"""The driver that blocks its thread."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, TypeVar

from smithy_waiters._engine import Call, Sleep

from .call import reject_awaitable
from .cancel import is_cancelled

if TYPE_CHECKING:
    from collections.abc import Callable

    from smithy_waiters.outcome import Attempt

    from .cancel import Event
    from .run import Run

T = TypeVar("T")
R = TypeVar("R")


def drive(
    run: Run[T, R], call: Callable[[Callable[[], Attempt]], T], sleep: Callable[[float], object], *, instead: str
) -> R:
    """Take step after step; `instead` names the function for calls that are to be awaited."""
    clock, cancel = run.clock, run.cancel
    step = run.poll()
    while True:
        if isinstance(step, Call):
            try:
                response = call(run.attempt)
            except Exception as error:  # noqa: BLE001 - every error is looked at.
                step = run.fail(error)
            else:
                reject_awaitable(response, instead)
                step = run.respond(response)
            if (result := run.callback_result) is not None:
                run.callback_result = None
                reject_awaitable(result, instead, run.callback)
        elif isinstance(step, Sleep):
            if not is_cancelled(cancel) and (rest := clock.rest(step.until_ms)) > 0:
                sleep(rest)
                # A sleep that the caller ended was not slept.
                if not is_cancelled(cancel):
                    clock.advance(rest)
            step = run.poll()
        else:
            return run.end(step)


def sleeper(
    sleep: Callable[[float], object] | None, clock: Callable[[], float] | None, cancel: Event | None
) -> Callable[[float], object]:
    """Return the caller's sleep, else the clock's own, else one that the caller's event ends."""
    if sleep is not None:
        return sleep
    # A clock of `smithy_waiters.testing` has a sleep.
    own: Callable[[float], object] | None = getattr(clock, "sleep", None)
    if own is not None:
        return own
    if cancel is None:
        return time.sleep
    return lambda seconds: cancel.wait(min(seconds, threading.TIMEOUT_MAX))
