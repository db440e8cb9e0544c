"""The asynchronous driver, which runs on any async library."""

from __future__ import annotations

from functools import partial
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, TypeVar

from smithy_waiters._engine import Call, Sleep

from .call import check_functions, require_awaitable, with_attempt
from .cancel import check_event, is_cancelled
from .clock import Clock
from .deadline import sleep_until
from .detection import library

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from smithy_waiters.outcome import Attempt

    from .library import Alarm, Library
    from .run import Run

    _Sleep = Callable[[float], Awaitable[object]]

T = TypeVar("T")


async def drive(
    run: Run[T],
    call: Any,
    *,
    sleep: _Sleep | None,
    clock: Callable[[], float] | None,
    instead: str,
) -> Any:
    """Perform the steps of a run. `instead` is the name of the function for blocking calls, for messages."""
    operation = with_attempt(call)
    check_functions(sleep=sleep, clock=clock)
    check_event(run.cancel, awaited=True)
    host = _Host(library(sleeps=sleep is not None or hasattr(clock, "sleep_async")), sleep, clock, run.cancel)
    step = run.begin(host.clock)
    while True:
        if isinstance(step, Call):
            step = await _attempt(run, operation, step, host, instead)
            callbacks, run.callbacks = run.callbacks, []
            for _, callback in callbacks:
                result = callback()
                if isawaitable(result):
                    result_of = await host.within(result, run.deadline_ms, host.callback_alarm)
                    if result_of is not None:
                        result_of()
        elif isinstance(step, Sleep):
            if not is_cancelled(run.cancel):
                await host.sleep(step.until_ms)
            step = run.poll()
        else:
            return run.end(step)


async def _attempt(
    run: Run[T], operation: Callable[[Callable[[], Attempt]], Any], step: Call, host: _Host, instead: str
) -> object:
    try:
        awaitable = operation(run.attempt)
    except Exception as error:  # noqa: BLE001 - any error may be a result.
        return run.fail(error)
    result_of = await host.within(require_awaitable(awaitable, instead), step.deadline_ms, host.call_alarm)
    if result_of is None:
        # Cut at its deadline or cancelled: the run asks the event which one, because both look the same here.
        return run.abort()
    try:
        response = result_of()
    except Exception as error:  # noqa: BLE001 - any error may be a result.
        return run.fail(error)
    return run.respond(response)


class _Host:
    """An async library, with the caller's clock, sleep and event."""

    def __init__(self, library: Library, sleep: _Sleep | None, clock: Any, cancel: Any) -> None:
        self.clock = Clock(clock or library.clock)
        self._library = library
        self._cancel = cancel
        # A clock of `smithy_waiters.testing` has a sleep, and an alarm that does not advance it.
        alarm: _Sleep | None = getattr(clock, "alarm", None)
        own_sleep: _Sleep | None = getattr(clock, "sleep_async", None)
        self._sleep: _Sleep = sleep or own_sleep or library.sleep
        self.call_alarm: _Sleep = alarm or sleep or library.alarm
        # Not the caller's sleep: if it only advances a clock, a callback would time out immediately.
        self.callback_alarm: _Sleep = alarm or library.alarm

    async def sleep(self, until_ms: int) -> None:
        """Sleep until a time, or until the caller cancels."""
        rest = self.clock.rest(until_ms)
        if rest <= 0:
            return
        if self._cancel is None:
            await self._sleep(rest)
        else:
            result_of = await self._library.race(self._sleep(rest), [self._cancel.wait])
            if result_of is None:
                return
            result_of()
        if not self.clock.advance(rest):
            # A sleep that returns immediately must still let other tasks run.
            await self._library.alarm(0)

    async def within(self, awaitable: Awaitable[T], deadline_ms: int | None, alarm: _Sleep) -> Callable[[], T] | None:
        """Await an awaitable until it ends, its deadline passes on the alarm, or the caller cancels.

        Return a function that returns or raises the result; `None` if the awaitable was cancelled.
        """
        alarms: list[Alarm] = []
        if deadline_ms is not None:
            alarms.append(partial(sleep_until, deadline_ms, self.clock, alarm, self._library))
        if self._cancel is not None:
            alarms.append(self._cancel.wait)
        return await self._library.race(awaitable, alarms)
