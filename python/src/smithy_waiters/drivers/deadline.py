"""Deadlines: how much time is left, and an alarm that ends with it."""

from __future__ import annotations

import math
import time
from datetime import datetime
from typing import TYPE_CHECKING, Any

from smithy_waiters.errors import OptionsError

from .clock import is_finite

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .clock import Clock
    from .library import Library


_TEN_YEARS = 315_360_000


def remaining(deadline_ms: int | None, now_ms: int) -> float:
    """Return the seconds until a deadline, at least 0; infinity without one."""
    return math.inf if deadline_ms is None else max(0, deadline_ms - now_ms) / 1000


def seconds_until(deadline: Any, now: float) -> float | None:
    """Return the seconds until the caller's deadline: 0 after it, `None` without one.

    It is a time on the clock whose time it is now, or a `datetime`, which counts by the wall clock.

    Raises:
        OptionsError: It is not a time, or it has no time zone.

    """
    # To trio infinity means that nothing limits a scope, and minus infinity that it is over.
    if deadline is None or deadline == math.inf:
        return None
    if isinstance(deadline, datetime):
        if deadline.utcoffset() is None:
            raise _refusal("an aware `datetime`, got a naive one")
        deadline, now = deadline.timestamp(), time.time()
    elif isinstance(deadline, bool) or not (is_finite(deadline) or deadline == -math.inf):
        raise _refusal(f"a time on the clock of the wait in seconds, or an aware `datetime`, got {deadline!r}")
    # Rounded as readings of a clock are.
    left = round(max(0.0, float(deadline) - now), 6)
    if left > _TEN_YEARS:
        raise _refusal(
            "a time on the clock of the wait, such as `time.monotonic() + 60`, or an aware `datetime`, "
            f"at most ten years from now, got {deadline!r}"
        )
    return left


def _refusal(rule: str) -> OptionsError:
    return OptionsError(f"`deadline` must be {rule}", "invalid_option", "deadline")


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
