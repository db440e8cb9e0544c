"""The deadline of a call: how much time is left, and an alarm that ends with it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .clock import Clock
    from .library import Library


def remaining(deadline_ms: int | None, now_ms: int) -> float:
    """Return the seconds until a deadline, at least 0; infinity without one."""
    return math.inf if deadline_ms is None else max(0, deadline_ms - now_ms) / 1000


async def sleep_until(
    deadline_ms: int, clock: Clock, sleep: Callable[[float], Awaitable[object]], library: Library
) -> None:
    """Sleep until the deadline, by the clock: a timer may fire early.

    A sleep of the caller that takes no time would leave a call none, so those of the library take its place.
    """
    while (rest := clock.rest(deadline_ms)) > 0:
        before = clock.micros
        await sleep(rest)
        if clock.read() == before:
            await library.alarm(rest)
            # A clock that stands still would never reach the deadline.
            clock.advance(rest)
