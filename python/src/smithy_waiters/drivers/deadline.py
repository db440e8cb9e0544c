"""The deadline of a call: how much time is left, and an alarm that ends with it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .clock import Clock


class Timers(Protocol):
    """The timers of an async library, which no caller replaces."""

    async def alarm(self, seconds: float, /) -> None:
        """Sleep; for 0 seconds everything else runs that is ready to."""
        ...


def remaining(deadline_ms: int | None, now_ms: int) -> float:
    """Return the seconds until a deadline, at least 0; infinity without one."""
    return math.inf if deadline_ms is None else max(0, deadline_ms - now_ms) / 1000


async def reach(deadline_ms: int, clock: Clock, sleep: Callable[[float], Awaitable[object]], timers: Timers) -> None:
    """Sleep until the deadline, by the clock: a timer may fire early.

    A sleep of the caller that takes no time would leave a call none, so the library's own timers take its place.
    """
    while (rest := clock.rest(deadline_ms)) > 0:
        before = clock.micros
        await sleep(rest)
        if clock.read() == before:
            await timers.alarm(rest)
