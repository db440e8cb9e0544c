"""The driver that blocks its thread."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, TypeVar

from smithy_waiters._engine import Call, Sleep

from .call import reject_awaitable

if TYPE_CHECKING:
    from collections.abc import Callable

    from smithy_waiters.outcome import Attempt, Outcome
    from smithy_waiters.vocabulary import Step

    from .given import Event
    from .run import Run

T = TypeVar("T")


def drive(run: Run[T], call: Callable[[Attempt], T], sleep: Callable[[float], object]) -> Outcome[T]:
    """Take step after step until the wait is over."""
    try:
        return _drive(run, call, sleep)
    finally:
        run.close()


def sleeper(
    sleep: Callable[[float], object] | None, clock: Callable[[], float] | None, cancel: Event | None
) -> Callable[[float], object]:
    """Give the caller's way to sleep, else the clock's own, else one that the caller's event wakes."""
    if sleep is not None:
        return sleep
    # A clock of `smithy_waiters.testing` sleeps by itself.
    own: Callable[[float], object] | None = getattr(clock, "sleep", None)
    if own is not None:
        return own
    if cancel is None:
        return time.sleep
    # A sleep that is too short is asked for again.
    return lambda seconds: cancel.wait(min(seconds, threading.TIMEOUT_MAX))


def _drive(run: Run[T], call: Callable[[Attempt], T], sleep: Callable[[float], object]) -> Outcome[T]:
    step = run.next()
    while True:
        if isinstance(step, Call):
            step = _attempt(run, call, step)
            reject_awaitable(run.told(), "wait_async", "`on_attempt`")
            step = run.after_report(step)
        elif isinstance(step, Sleep):
            sleep(step.delay_ms / 1000)
            step = run.next()
        else:
            return run.end(step)


def _attempt(run: Run[T], call: Callable[[Attempt], T], step: Call) -> Step:
    try:
        response = call(run.attempt(step))
    except Exception as error:  # noqa: BLE001 - every error is looked at.
        return run.fail(error)
    reject_awaitable(response, "wait_async")
    return run.respond(response)
