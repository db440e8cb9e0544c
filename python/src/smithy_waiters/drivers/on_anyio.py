"""Tasks of anyio on asyncio: a call runs in the caller's task, inside of a cancel scope."""

from __future__ import annotations

from asyncio import CancelledError
from typing import TYPE_CHECKING, TypeVar

import anyio
from anyio.lowlevel import checkpoint

from .scope import Result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")


class Anyio:
    """The event loop, by anyio's rules: a cancelled task stays cancelled until it leaves the scope."""

    def clock(self) -> float:
        """Return the time that sleeps go by."""
        return anyio.current_time()

    async def sleep(self, seconds: float, /) -> None:
        """Sleep by the loop's timers."""
        await anyio.sleep(seconds)

    async def alarm(self, seconds: float, /) -> None:
        """Sleep by a deadline of the run."""
        await anyio.sleep_until(anyio.current_time() + seconds)

    async def race(
        self, awaitable: Awaitable[T], alarms: list[Callable[[], Awaitable[object]]]
    ) -> Callable[[], T] | None:
        """Await, with the alarms in a task group, whose scope is cancelled if one of them ends first."""
        ended: Result[T] = Result()
        async with anyio.create_task_group() as group:
            for alarm in alarms:
                group.start_soon(_watch, alarm, ended, group.cancel_scope)
            await ended.by(awaitable, CancelledError)
            group.cancel_scope.cancel()
        return ended.result()


async def _watch(alarm: Callable[[], Awaitable[object]], ended: Result[T], scope: anyio.CancelScope) -> None:
    await ended.cut_by(alarm, checkpoint, CancelledError)
    scope.cancel()
