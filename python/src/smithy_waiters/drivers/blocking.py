"""The blocking driver."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar

from smithy_waiters._engine import Call, Sleep

from .call import check_functions, reject_awaitable, with_attempt
from .cancel import check_event, is_cancelled
from .clock import Clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from .run import Run

T = TypeVar("T")


def drive(
    run: Run[T],
    call: Any,
    *,
    sleep: Callable[[float], object] | None,
    clock: Callable[[], float] | None,
    instead: str,
) -> Any:
    """Perform the steps of a run. `instead` is the name of the function for asynchronous calls, for messages."""
    operation, cancel = with_attempt(call), run.cancel
    check_functions(sleep=sleep, clock=clock)
    check_event(cancel, awaited=False)
    pause = _sleeper(sleep, clock, cancel)
    timer = Clock(clock or time.monotonic)
    step = run.begin(timer)
    while True:
        if isinstance(step, Call):
            try:
                response = operation(run.attempt)
            except Exception as error:  # noqa: BLE001 - any error may be a result.
                step = run.fail(error)
            else:
                # Outside of the `try`: a coroutine function is a mistake in the program, and not an error of the
                # operation.
                reject_awaitable(response, instead)
                step = run.respond(response)
            callbacks, run.callbacks = run.callbacks, []
            for option, callback in callbacks:
                reject_awaitable(callback(), instead, f"`{option}`")
        elif isinstance(step, Sleep):
            if not is_cancelled(cancel) and (rest := timer.rest(step.until_ms)) > 0:
                pause(rest)
                # A sleep that the caller interrupted did not take its full time.
                if not is_cancelled(cancel):
                    timer.advance(rest)
            step = run.poll()
        else:
            return run.end(step)


def _sleeper(sleep: Any, clock: Any, cancel: Any) -> Callable[[float], object]:
    """Return the caller's sleep, the sleep of the clock, or a default that the caller's event interrupts."""
    # A clock of `smithy_waiters.testing` has a sleep.
    own: Callable[[float], object] | None = sleep or getattr(clock, "sleep", None)
    if own is not None:
        return own
    # A longer timeout raises an `OverflowError`. The driver sleeps again for the rest.
    return time.sleep if cancel is None else lambda seconds: cancel.wait(min(seconds, threading.TIMEOUT_MAX))
