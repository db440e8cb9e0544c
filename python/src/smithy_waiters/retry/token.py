"""What drivers do with a strategy and its tokens."""

from __future__ import annotations

import math
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from smithy_waiters.errors import RetryRefusal, TokenError

if TYPE_CHECKING:
    from smithy_waiters._engine import FailureInfo

    from .strategy import RetryStrategy


class Held:
    """A strategy, and the token that it handed out last. One whose attempt is never made goes back to it."""

    def __init__(self, strategy: RetryStrategy) -> None:
        self._strategy = strategy
        self._token: Any = None
        self._refusal: RetryRefusal | None = None
        self._is_due = False

    def acquire(self) -> float:
        """Give the seconds before the first attempt; one without a token is made at once, and only once."""
        try:
            return self._keep(self._strategy.acquire_initial_token())
        except RetryRefusal as refusal:
            self._refusal = refusal
            return 0

    def refresh(self, failure: FailureInfo) -> float:
        """Give the seconds before another attempt.

        Raises:
            RetryRefusal: There is none.
            TokenError: The strategy does not take its token back.

        """
        return self._keep(self._strategy.refresh_retry_token(self._take(), failure))

    def begin(self) -> None:
        """Say that the attempt begins that the token is for."""
        self._is_due = False

    def succeed(self) -> None:
        """Tell the strategy of a success, whatever it makes of it; the next attempt begins with a new token."""
        with suppress(RetryRefusal, TokenError):
            self._strategy.record_success(self._take())

    def close(self) -> None:
        """Say that there are no further attempts."""
        release = getattr(self._strategy, "release_token", None)
        if self._is_due and release is not None:
            release(self._take())

    def _keep(self, token: Any) -> float:
        self._token, self._is_due = token, True
        return delay_of(token)

    def _take(self) -> Any:
        if self._refusal is not None:
            raise self._refusal
        token, self._token, self._is_due = self._token, None, False
        return self._strategy.acquire_initial_token() if token is None else token


def delay_of(token: Any) -> float:
    """Give a token's delay in seconds.

    Raises:
        TypeError: It is none: the strategy's mistake.

    """
    delay = getattr(token, "delay", None)
    seconds = delay.total_seconds() if isinstance(delay, timedelta) else delay
    if isinstance(seconds, int | float) and not isinstance(seconds, bool) and 0 <= seconds < math.inf:
        return float(seconds)
    message = f"a retry token's delay must be a number of seconds, at least 0, got {delay!r}"
    raise TypeError(message)
