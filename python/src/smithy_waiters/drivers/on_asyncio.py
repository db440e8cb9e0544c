"""The driver for asyncio."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from smithy_waiters._engine import Call, Sleep
from smithy_waiters.outcome import Attempt

from .call import require_awaitable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from smithy_waiters.outcome import Outcome
    from smithy_waiters.vocabulary import Step

    from .run import Run

T = TypeVar("T")


class Pauses:
    """What a wait sleeps by, and what wakes it."""

    def __init__(self, sleep: Callable[[float], Awaitable[object]] | None, cancel: asyncio.Event | None) -> None:
        self._sleep = sleep or asyncio.sleep
        self._cancel = cancel

    async def sleep(self, seconds: float) -> None:
        """Sleep, less long when the caller cancels."""
        if self._cancel is None:
            await self._sleep(seconds)
            return
        sleeping = asyncio.ensure_future(self._sleep(seconds))
        if await _race(sleeping, *self.alarms()):
            sleeping.result()

    async def until(self, deadline_ms: int, run: Run[Any]) -> None:
        """Sleep until the deadline, by the clock: a timer may fire early."""
        while (rest := deadline_ms - run.elapsed_ms()) > 0:
            await self._sleep(rest / 1000)

    def alarms(self) -> list[Awaitable[object]]:
        """Give what wakes a wait before its time."""
        return [] if self._cancel is None else [self._cancel.wait()]


async def drive(run: Run[T], call: Callable[[Attempt], Awaitable[T]], pauses: Pauses) -> Outcome[T]:
    """Take step after step until the wait is over."""
    step = run.next()
    while True:
        if isinstance(step, Call):
            step = await _attempt(run, call, step, pauses)
        elif isinstance(step, Sleep):
            await pauses.sleep(step.delay_ms / 1000)
            step = run.next()
        else:
            return run.end(step)


async def _attempt(run: Run[T], call: Callable[[Attempt], Awaitable[T]], step: Call, pauses: Pauses) -> Step:
    deadline_ms = run.elapsed_ms() + step.remaining_ms
    try:
        awaitable = call(Attempt(number=step.attempt, remaining=step.remaining_ms / 1000))
    except Exception as error:  # noqa: BLE001 - every error is looked at.
        return run.fail(error)
    task = asyncio.ensure_future(require_awaitable(awaitable, "wait"))
    if not await _finishes(task, run, deadline_ms, pauses):
        return run.cancel() if run.is_cancelled() else run.expire()
    try:
        response = task.result()
    except Exception as error:  # noqa: BLE001 - every error is looked at.
        return run.fail(error)
    return run.respond(response)


async def _finishes(task: asyncio.Future[T], run: Run[Any], deadline_ms: int, pauses: Pauses) -> bool:
    """Wait for the call; where the deadline or the caller's event comes first, cut it."""
    try:
        # A call that needs no waiting needs no timer.
        await asyncio.sleep(0)
    except asyncio.CancelledError:
        await _put_away(task)
        raise
    return task.done() or await _race(task, pauses.until(deadline_ms, run), *pauses.alarms())


async def _race(task: asyncio.Future[Any], *alarms: Awaitable[object]) -> bool:
    """Wait until the task or an alarm is over, and say whether the task is; nothing is left running.

    Raises what an alarm raised: the caller's `sleep` is the caller's.
    """
    watching = [asyncio.ensure_future(alarm) for alarm in alarms]
    try:
        done, _ = await asyncio.wait([task, *watching], return_when=asyncio.FIRST_COMPLETED)
    finally:
        await _put_away(task, *watching)
    for alarm in watching:
        if alarm in done:
            alarm.result()
    return task in done


async def _put_away(*tasks: asyncio.Future[Any]) -> None:
    """Cancel tasks and wait for their clean-up; what they give is discarded, unless it is no `Exception`."""
    interruption: BaseException | None = None
    for task in tasks:
        task.cancel()
    while running := [task for task in tasks if not task.done()]:
        try:
            await asyncio.wait(running)
        except asyncio.CancelledError as cancelled:
            # Whoever cancels again means the clean-up too.
            interruption = cancelled
            for task in running:
                task.cancel()
    for task in tasks:
        interruption = _beyond_errors(task) or interruption
    if interruption is not None:
        raise interruption


def _beyond_errors(task: asyncio.Future[Any]) -> BaseException | None:
    """Give what a task ended with, where it is no `Exception`; asyncio then knows that somebody looked."""
    error = None if task.cancelled() else task.exception()
    return None if isinstance(error, Exception) else error
