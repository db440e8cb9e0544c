"""asyncio: each call is a separate task."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from .library import Library
from .scope import without

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator

    from .library import Alarm

T = TypeVar("T")


def library() -> Library:
    """Return the running loop."""
    return Library(asyncio.get_running_loop().time, asyncio.sleep, _alarm, _race)


async def _alarm(seconds: float) -> None:
    with suppress(asyncio.TimeoutError):
        await asyncio.wait_for(asyncio.Event().wait(), seconds)


async def _race(awaitable: Awaitable[T], alarms: list[Alarm]) -> Callable[[], T] | None:
    """Run the awaitable as a task, which is cancelled if an alarm ends first."""
    task = asyncio.ensure_future(awaitable)
    try:
        # A task that needs no waiting needs no alarms.
        await _Turn()
    except asyncio.CancelledError:
        await _put_away(task)
        raise
    return task.result if task.done() or await _is_first(task, alarms) else None


class _Turn:
    """Lets everything else run once. A program may have mocked `asyncio.sleep`, and count its calls."""

    def __await__(self) -> Generator[None, None, None]:
        yield


async def _is_first(task: asyncio.Future[Any], alarms: list[Alarm]) -> bool:
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
    """Cancel tasks, wait for their clean-up, and discard their results; raises what is not an `Exception`."""
    interruption: BaseException | None = None
    for task in tasks:
        task.cancel()
    while running := [task for task in tasks if not task.done()]:
        try:
            await asyncio.wait(running)
        except asyncio.CancelledError as cancelled:
            # A second cancellation is meant for the clean-up too.
            interruption = cancelled
            for task in running:
                task.cancel()
    for task in tasks:
        interruption = _beyond_errors(task) or interruption
    if interruption is not None:
        raise interruption


def _beyond_errors(task: asyncio.Future[Any]) -> BaseException | None:
    """Return the exception of a task, unless that is an `Exception`. asyncio would log an exception that nobody reads.

    asyncio itself raises `KeyboardInterrupt` and `SystemExit` out of the loop. Raised again, they would end the loop's
    shutdown before other tasks have cleaned up.
    """
    error = None if task.cancelled() else task.exception()
    if error is None or isinstance(error, KeyboardInterrupt | SystemExit):
        return None
    return without(error, (asyncio.CancelledError, Exception))
