"""The driver that awaits, on any async library."""

from __future__ import annotations

from functools import partial
from inspect import isawaitable
from typing import TYPE_CHECKING, Protocol, TypeVar

from smithy_waiters._engine import Call, Sleep

from .call import require_awaitable
from .cancel import is_cancelled
from .clock import Clock
from .deadline import Timers, reach

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from smithy_waiters.outcome import Attempt

    from .cancel import AsyncEvent
    from .run import Run

    _Sleep = Callable[[float], Awaitable[object]]

T = TypeVar("T")
R = TypeVar("R")


class Library(Timers, Protocol):
    """What a driver needs of an async library."""

    def clock(self) -> float:
        """Return the library's time in seconds, which its sleeps go by."""
        ...

    async def sleep(self, seconds: float, /) -> None:
        """Sleep, by the library's function that programs and their tests know."""
        ...

    async def race(
        self, awaitable: Awaitable[T], alarms: list[Callable[[], Awaitable[object]]]
    ) -> Callable[[], T] | None:
        """Await something until an alarm ends; then cancel it and wait for its clean-up. Nothing is left running.

        Returns a function that returns or raises the result; `None` if an alarm was first. An error of an alarm is
        raised.
        """
        ...


class Host:
    """An async library, with what the caller gives in the place of its parts."""

    def __init__(
        self,
        library: Library,
        *,
        sleep: _Sleep | None,
        clock: Callable[[], float] | None,
        cancel: AsyncEvent | None,
    ) -> None:
        self.clock: Clock = Clock(clock or library.clock)
        self._library = library
        self._cancel = cancel
        # A clock of `smithy_waiters.testing` has a sleep, and alarms that do not let its time pass.
        own_sleep: _Sleep | None = getattr(clock, "sleep_async", None)
        own_alarm: _Sleep | None = getattr(clock, "alarm", None)
        self._sleep: _Sleep = sleep or own_sleep or library.sleep
        self._call_alarm: _Sleep = own_alarm or sleep or library.alarm
        # Not by a sleep of the caller's: one that only moves a clock would leave a callback no time.
        self._callback_alarm: _Sleep = own_alarm or library.alarm

    async def sleep(self, until_ms: int) -> None:
        """Sleep until a time, or until the caller cancels."""
        rest = self.clock.rest(until_ms)
        if rest <= 0:
            return
        if self._cancel is None:
            await self._sleep(rest)
        else:
            ended = await self._library.race(self._sleep(rest), [self._cancel.wait])
            if ended is None:
                return
            ended()
        if not self.clock.advance(rest):
            # A sleep that takes no time must not keep everything else from running.
            await self._library.alarm(0)

    async def within(self, awaitable: Awaitable[T], deadline_ms: int | None) -> Callable[[], T] | None:
        """Await a call until it ends, its deadline is reached, or the caller cancels."""
        return await self._until(awaitable, deadline_ms, self._call_alarm)

    async def finish(self, result: object, deadline_ms: int | None) -> None:
        """Await the result of a callback, if it can be awaited, until the deadline."""
        if not isawaitable(result):
            return
        ended = await self._until(result, deadline_ms, self._callback_alarm)
        if ended is not None:
            ended()

    async def _until(
        self,
        awaitable: Awaitable[T],
        deadline_ms: int | None,
        sleep: _Sleep,
    ) -> Callable[[], T] | None:
        alarms: list[Callable[[], Awaitable[object]]] = []
        if deadline_ms is not None:
            alarms.append(partial(reach, deadline_ms, self.clock, sleep, self._library))
        if self._cancel is not None:
            alarms.append(self._cancel.wait)
        return await self._library.race(awaitable, alarms)


async def drive(
    run: Run[T, R], call: Callable[[Callable[[], Attempt]], Awaitable[T]], host: Host, *, instead: str
) -> R:
    """Take step after step; `instead` names the function for calls that are not to be awaited."""
    step = run.poll()
    while True:
        if isinstance(step, Call):
            step = await _attempt(run, call, step, host, instead)
            if (result := run.callback_result) is not None:
                run.callback_result = None
                await host.finish(result, run.deadline_ms)
        elif isinstance(step, Sleep):
            if not is_cancelled(run.cancel):
                await host.sleep(step.until_ms)
            step = run.poll()
        else:
            return run.end(step)


async def _attempt(
    run: Run[T, R], call: Callable[[Callable[[], Attempt]], Awaitable[T]], step: Call, host: Host, instead: str
) -> object:
    try:
        awaitable = call(run.attempt)
    except Exception as error:  # noqa: BLE001 - every error is looked at.
        return run.fail(error)
    ended = await host.within(require_awaitable(awaitable, instead), step.deadline_ms)
    if ended is None:
        return run.cut()
    try:
        response = ended()
    except Exception as error:  # noqa: BLE001 - every error is looked at.
        return run.fail(error)
    return run.respond(response)
