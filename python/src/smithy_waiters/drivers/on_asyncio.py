"""Support for asyncio: each call is a separate task."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from .library import Library
from .scope import without

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator

    from .library import Alarm

T = TypeVar("T")


def library() -> Library:
    """Return the library for the running event loop."""
    return Library(asyncio.get_running_loop().time, asyncio.sleep, _alarm, _race)


async def _alarm(seconds: float) -> None:
    # Tests mock `asyncio.sleep`, and the timeouts of asyncio need more turns of a loop that may be busy.
    loop = asyncio.get_running_loop()
    rung = loop.create_future()
    timer = loop.call_later(seconds, _ring, rung)
    try:
        await rung
    finally:
        timer.cancel()


def _ring(rung: asyncio.Future[None]) -> None:
    if not rung.done():
        rung.set_result(None)


async def _race(awaitable: Awaitable[T], alarms: list[Alarm]) -> Callable[[], T] | None:
    """Run the awaitable as a task, which is cancelled if an alarm ends first."""
    # A task, because only a task can be cancelled without cancelling the caller.
    task = asyncio.ensure_future(awaitable)
    try:
        # If the task completes immediately, no alarms are needed.
        await Turn()
    except asyncio.CancelledError:
        await cancel_all(task)
        raise
    return task.result if task.done() or await _is_first(task, alarms) else None


class Turn:
    """An awaitable that lets all other tasks run once.

    It is not `asyncio.sleep(0)`, because tests mock that function and count its calls.
    """

    def __await__(self) -> Generator[None, None, None]:
        yield


async def _is_first(task: asyncio.Future[Any], alarms: list[Alarm]) -> bool:
    watching = [asyncio.ensure_future(alarm()) for alarm in alarms]
    try:
        done, _ = await asyncio.wait([task, *watching], return_when=asyncio.FIRST_COMPLETED)
    finally:
        await cancel_all(task, *watching)
    for alarm in watching:
        if alarm in done:
            # Raises the error of the caller's own sleep, which would otherwise look like a deadline.
            alarm.result()
    return task in done


async def cancel_all(*tasks: asyncio.Future[Any]) -> None:
    """Cancel tasks, wait for their clean-up, and discard their results.

    Exceptions that are not an `Exception` are raised.
    """
    interruption: BaseException | None = None
    for task in tasks:
        task.cancel()
    while running := [task for task in tasks if not task.done()]:
        try:
            await asyncio.wait(running)
        except asyncio.CancelledError as cancelled:
            # A second cancellation also cancels the clean-up.
            interruption = cancelled
            for task in running:
                task.cancel()
    for task in tasks:
        interruption = _base_exception(task) or interruption
    if interruption is not None:
        raise interruption


def _base_exception(task: asyncio.Future[Any]) -> BaseException | None:
    """Return the exception of a task unless it is an `Exception`. Reading it keeps asyncio from logging it.

    asyncio already raises `KeyboardInterrupt` and `SystemExit` out of the loop. Raising them here would abort the
    shutdown of the loop before other tasks have cleaned up.
    """
    error = None if task.cancelled() else task.exception()
    if error is None or isinstance(error, KeyboardInterrupt | SystemExit):
        return None
    return without(error, (asyncio.CancelledError, Exception))
