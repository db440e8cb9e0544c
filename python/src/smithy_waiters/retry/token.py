"""What drivers do with the tokens of any strategy."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .strategy import RetryStrategy


def delay_of(token: Any) -> float:
    """Give a token's delay in seconds.

    Raises:
        TypeError: It is none: the strategy's mistake.

    """
    delay = getattr(token, "delay", None)
    if isinstance(delay, int | float) and not isinstance(delay, bool) and 0 <= delay < math.inf:
        return float(delay)
    message = f"a retry token's delay must be a number of seconds, at least 0, got {delay!r}"
    raise TypeError(message)


def released(strategy: RetryStrategy, token: Any) -> None:
    """Give a token back of an attempt that is not made, where the strategy counts."""
    release = getattr(strategy, "release_token", None)
    if release is not None:
        release(token)
