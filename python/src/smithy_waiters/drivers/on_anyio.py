"""Waiting in a task of anyio on asyncio: a call runs in the caller's own task, inside of a cancel scope."""

from __future__ import annotations

from asyncio import CancelledError
from typing import TYPE_CHECKING, TypeVar

import anyio
from anyio.lowlevel import checkpoint

from .scope import Ended

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")


class Anyio:
    """The event loop, by anyio's rules: who is cancelled stays so until the scope is left."""

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
        """Await, with the alarms beside it in a task group; the scope of that is cancelled when one is over first."""
        ended: Ended[T] = Ended()
        async with anyio.create_task_group() as group:
            for alarm in alarms:
                group.start_soon(_watch, alarm, ended, group.cancel_scope)
            await ended.by(awaitable, CancelledError)
            group.cancel_scope.cancel()
        return ended.result()


async def _watch(alarm: Callable[[], Awaitable[object]], ended: Ended[T], scope: anyio.CancelScope) -> None:
    await ended.cut_by(alarm, checkpoint, CancelledError)
    scope.cancel()
