"""The driver that awaits, on any async library."""

from __future__ import annotations

from inspect import isawaitable
from typing import TYPE_CHECKING, Protocol, TypeVar

from smithy_waiters._engine import Call, Sleep

from .call import require_awaitable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from smithy_waiters.outcome import Attempt, Outcome
    from smithy_waiters.vocabulary import Step

    from .given import AsyncEvent
    from .run import Run

T = TypeVar("T")


class Library(Protocol):
    """What a driver needs of an async library."""

    def clock(self) -> float:
        """Give the library's time in seconds, as its sleeps know it."""
        ...

    async def sleep(self, seconds: float, /) -> None:
        """Sleep; for 0 seconds it lets everything else run that is ready to."""
        ...

    async def race(
        self, awaitable: Awaitable[T], alarms: list[Callable[[], Awaitable[object]]]
    ) -> Callable[[], T] | None:
        """Await something, until an alarm is over: then cut it and wait for its clean-up; nothing is left running.

        What comes of it is given as a function that returns or raises it; `None` where it was cut. What an alarm
        raises is raised.
        """
        ...


class Host:
    """An async library, with what the caller gives instead of its own."""

    def __init__(
        self,
        library: Library,
        sleep: Callable[[float], Awaitable[object]] | None,
        clock: Callable[[], float] | None,
        cancel: AsyncEvent | None,
    ) -> None:
        self._library = library
        self._cancel = cancel
        self.clock: Callable[[], float] = clock or library.clock
        # A clock of `smithy_waiters.testing` sleeps by itself; its time does not pass while a call is cut at its end.
        own: Callable[[float], Awaitable[object]] = getattr(clock, "sleep_async", library.sleep)
        self._sleep = sleep or own
        self._alarm: Callable[[float], Awaitable[object]] = getattr(clock, "alarm", self._sleep)

    async def sleep(self, seconds: float) -> None:
        """Sleep, less long when the caller cancels."""
        if self._cancel is None:
            await self._pass(self._sleep, seconds)
            return
        ended = await self._library.race(self._pass(self._sleep, seconds), [self._cancel.wait])
        if ended is not None:
            ended()

    async def within(self, awaitable: Awaitable[T], countdown: Callable[[], float]) -> Callable[[], T] | None:
        """Await a call, until it is over, its deadline is there, or the caller cancels."""
        return await self._until(awaitable, countdown, self._alarm)

    async def hear(self, told: object, countdown: Callable[[], float]) -> None:
        """Await what a function that is told of attempts gave, if it can be, for as long as a call may take."""
        if not isawaitable(told):
            return
        # Not by a sleep of the caller's: one that only moves a clock on would leave it no time.
        alarm: Callable[[float], Awaitable[object]] = getattr(self.clock, "alarm", self._library.sleep)
        ended = await self._until(told, countdown, alarm)
        if ended is not None:
            ended()

    async def _until(
        self,
        awaitable: Awaitable[T],
        countdown: Callable[[], float],
        alarm: Callable[[float], Awaitable[object]],
    ) -> Callable[[], T] | None:
        async def deadline() -> None:
            # By the clock: a timer may fire early.
            while (rest := countdown()) > 0:
                await self._pass(alarm, rest)

        alarms: list[Callable[[], Awaitable[object]]] = [deadline]
        if self._cancel is not None:
            alarms.append(self._cancel.wait)
        return await self._library.race(awaitable, alarms)

    async def _pass(self, sleep: Callable[[float], Awaitable[object]], seconds: float) -> None:
        before = self.clock()
        await sleep(seconds)
        if self.clock() == before:
            # A sleep that takes no time must not keep everything else from running.
            await self._library.sleep(0)


async def drive(run: Run[T], call: Callable[[Attempt], Awaitable[T]], host: Host) -> Outcome[T]:
    """Take step after step until the wait is over."""
    try:
        return await _drive(run, call, host)
    finally:
        run.close()


async def _drive(run: Run[T], call: Callable[[Attempt], Awaitable[T]], host: Host) -> Outcome[T]:
    step = run.next()
    while True:
        if isinstance(step, Call):
            countdown = run.countdown(step)
            step = await _attempt(run, call, step, countdown, host)
            await host.hear(run.told(), countdown)
            step = run.after_report(step)
        elif isinstance(step, Sleep):
            await host.sleep(step.delay_ms / 1000)
            step = run.next()
        else:
            return run.end(step)


async def _attempt(
    run: Run[T], call: Callable[[Attempt], Awaitable[T]], step: Call, countdown: Callable[[], float], host: Host
) -> Step:
    try:
        awaitable = call(run.attempt(step))
    except Exception as error:  # noqa: BLE001 - every error is looked at.
        return run.fail(error)
    ended = await host.within(require_awaitable(awaitable, "wait"), countdown)
    if ended is None:
        return run.cut()
    try:
        response = ended()
    except Exception as error:  # noqa: BLE001 - every error is looked at.
        return run.fail(error)
    return run.respond(response)
