"""Clocks that advance only when the program is idle."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")

# The order of events at the same time.
ANSWER, CANCEL, TIMER = range(3)

# The number of rounds of the event loop after which the program is idle.
SETTLED = 50


class VirtualTime:
    """Virtual milliseconds for asyncio."""

    def __init__(self) -> None:
        self.now_ms = 0
        self._order = itertools.count()
        self._timers: list[tuple[int, int, int, asyncio.Future[None]]] = []

    def clock(self) -> float:
        return self.now_ms / 1000

    async def sleep(self, seconds: float) -> None:
        await self.until(self.now_ms + round(seconds * 1000), TIMER)

    async def until(self, moment_ms: int, order: int) -> None:
        over = asyncio.get_running_loop().create_future()
        heapq.heappush(self._timers, (moment_ms, order, next(self._order), over))
        await over

    async def set_at(self, event: asyncio.Event, moment_ms: int | None) -> None:
        """Set an event at a time, if given. At 0, it is set before any other event."""
        if moment_ms is None:
            return
        if moment_ms > 0:
            await self.until(moment_ms, CANCEL)
        event.set()

    async def run(self, main: Coroutine[Any, Any, T]) -> T:
        """Advance the clock until a coroutine ends, and return its result."""
        task = asyncio.ensure_future(main)
        while not await _settled(task):
            moment_ms, _, _, over = heapq.heappop(self._timers)
            if not over.done():
                self.now_ms = max(self.now_ms, moment_ms)
                over.set_result(None)
        return task.result()


async def _settled(task: asyncio.Task[Any]) -> bool:
    for _ in range(SETTLED):
        await asyncio.sleep(0)
    return task.done()


class BlockingTime:
    """Virtual milliseconds for a thread, and the event that its caller sets at a given time."""

    def __init__(self, cancel_at: int | None) -> None:
        self.now_ms = 0
        self._cancel_at = cancel_at

    def clock(self) -> float:
        return self.now_ms / 1000

    def sleep(self, seconds: float) -> None:
        self.now_ms += round(seconds * 1000)

    def set(self) -> None:
        self._cancel_at = self.now_ms

    def is_set(self) -> bool:
        return self._cancel_at is not None and self.now_ms >= self._cancel_at

    def wait(self, timeout: float | None = None) -> bool:
        """Sleep like `threading.Event.wait`, until the event is set at the latest."""
        assert timeout is not None
        end = self.now_ms + round(timeout * 1000)
        self.now_ms = max(self.now_ms, end if self._cancel_at is None else min(end, self._cancel_at))
        return self.is_set()
