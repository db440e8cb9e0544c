"""Waiting on asyncio: a call is a task of its own."""

from __future__ import annotations

import asyncio
from types import coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from .scope import without

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator

T = TypeVar("T")


class Asyncio:
    """The running loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def clock(self) -> float:
        """Return the loop's time, which sleeps go by."""
        return self._loop.time()

    async def sleep(self, seconds: float, /) -> None:
        """Sleep by `asyncio.sleep`."""
        await asyncio.sleep(seconds)

    async def alarm(self, seconds: float, /) -> None:
        """Sleep by a timer of the loop."""
        if seconds <= 0:
            await _turn()
            return
        over = self._loop.create_future()
        timer = self._loop.call_later(seconds, _end, over)
        try:
            await over
        finally:
            timer.cancel()

    async def race(
        self, awaitable: Awaitable[T], alarms: list[Callable[[], Awaitable[object]]]
    ) -> Callable[[], T] | None:
        """Run the awaitable as a task, which is cancelled when an alarm is over first."""
        task = asyncio.ensure_future(awaitable)
        try:
            # A task that needs no waiting needs no alarms.
            await _turn()
        except asyncio.CancelledError:
            await _put_away(task)
            raise
        return task.result if task.done() or await _is_first(task, alarms) else None


@coroutine
def _turn() -> Generator[None, None, None]:
    """Let everything else run that is ready to, also where `asyncio.sleep` is mocked."""
    yield


def _end(over: asyncio.Future[None]) -> None:
    if not over.done():
        over.set_result(None)


async def _is_first(task: asyncio.Future[Any], alarms: list[Callable[[], Awaitable[object]]]) -> bool:
    watching = [asyncio.ensure_future(alarm()) for alarm in alarms]
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
    """Give what a task ended with, where it is no `Exception`; asyncio then knows that somebody looked.

    What asyncio itself raises out of the loop as well is not given: raised again, it would end the loop's shutdown, and
    other tasks would not clean up.
    """
    error = None if task.cancelled() else task.exception()
    if error is None or isinstance(error, KeyboardInterrupt | SystemExit):
        return None
    return without(error, (asyncio.CancelledError, Exception))
