"""A retry strategy inside of a wait: it is asked about errors that no acceptor matches."""

from __future__ import annotations

import math
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from smithy_waiters.errors import RetryRefusal, TokenError
from smithy_waiters.retry.reading import classify
from smithy_waiters.retry.token import delay_of, released

if TYPE_CHECKING:
    from smithy_waiters.retry.strategy import RetryStrategy


class Transients:
    """A strategy, and the token of the calls since the newest response."""

    def __init__(self, strategy: RetryStrategy) -> None:
        self._strategy = strategy
        self._token: Any = None

    def pause(self, error: Exception) -> float | str:
        """Give the least pause in milliseconds, where the strategy allows another attempt; else why it does not.

        A wait only looks: its calls may be repeated without harm.
        """
        failure = classify(error, idempotent=True, now=time.time())
        try:
            self._token = self._strategy.refresh_retry_token(self._take_token(), failure)
        except (RetryRefusal, TokenError) as refusal:
            return refusal.message
        # Rounded up, but for the noise of floating point.
        return math.ceil(round(delay_of(self._token) * 1000, 6))

    def release(self) -> None:
        """Give a token back whose attempt is not made."""
        token, self._token = self._token, None
        if token is not None:
            released(self._strategy, token)

    def succeed(self) -> None:
        """Tell the strategy of a response."""
        # The call has succeeded, whatever the strategy makes of it.
        with suppress(RetryRefusal, TokenError):
            self._strategy.record_success(self._take_token())

    def _take_token(self) -> Any:
        token, self._token = self._token, None
        return self._strategy.acquire_initial_token() if token is None else token
