"""Deadlines: the remaining time, and sleeping until a deadline."""

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


# The longest wait, in seconds: ten years.
_LONGEST_WAIT = 315_360_000

_A_TIME = "a time on the clock of the wait, such as `time.monotonic() + 60`, or an aware `datetime`"


def remaining(deadline_ms: int | None, now_ms: int) -> float:
    """Return the seconds until a deadline, at least 0; infinity without a deadline."""
    return math.inf if deadline_ms is None else max(0, deadline_ms - now_ms) / 1000


def seconds_until(deadline: Any, now: float) -> float | None:
    """Return the seconds until the caller's deadline: 0 after it, and `None` without a deadline.

    The deadline is a time on the clock that currently reads `now`, or a `datetime`, which is compared with the wall
    clock.

    Raises:
        OptionsError: The deadline is not a time, or is a naive `datetime`.

    """
    # In trio, a deadline of infinity is unlimited, and one of minus infinity has passed.
    if deadline is None or deadline == math.inf:
        return None
    if isinstance(deadline, datetime):
        deadline, now = seconds_since_epoch(deadline), time.time()
    elif not (is_finite(deadline) or deadline == -math.inf):
        raise _refusal(f"{_A_TIME}, got {deadline!r:.100}")
    elif abs(float(deadline) - time.time()) < _LONGEST_WAIT < float(deadline) - now:
        raise _refusal(f"{_A_TIME}, got {deadline!r}, which is a time of `time.time()`")
    # Rounded like the readings of a `Clock`. The engine checks the range.
    return round(max(0.0, float(deadline) - now), 6)


def seconds_since_epoch(deadline: datetime) -> float:
    """Return the wall-clock time of a deadline.

    Raises:
        OptionsError: The deadline is a naive `datetime`.

    """
    if deadline.utcoffset() is None:
        raise _refusal("an aware `datetime`, got a naive one")
    return deadline.timestamp()


def _refusal(rule: str) -> OptionsError:
    return OptionsError(f"`deadline` must be {rule}", "invalid_option", "deadline")


async def sleep_until(
    deadline_ms: int, clock: Clock, sleep: Callable[[float], Awaitable[object]], library: Library
) -> None:
    """Sleep until a deadline on the clock. The sleep is repeated if a timer fires early.

    If the caller's sleep takes no time, the library's sleep replaces it, because a call would otherwise get no time.
    """
    while (rest := clock.rest(deadline_ms)) > 0:
        before = clock.micros
        await sleep(rest)
        if clock.read() == before:
            await library.alarm(rest)
            # A clock that stands still would otherwise never reach the deadline.
            clock.advance(rest)
