"""The tokens of a custom strategy."""

from __future__ import annotations

import math
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from smithy_waiters._engine import _display_input
from smithy_waiters.errors import OptionsError, RetryRefusal, TokenError

if TYPE_CHECKING:
    from smithy_waiters._engine import FailureInfo

    from .strategy import RetryStrategy

_METHODS = ("acquire_initial_token", "refresh_retry_token", "record_success")


class TokenLease:
    """A strategy and its latest token, which is released if its attempt never starts."""

    def __init__(self, strategy: RetryStrategy) -> None:
        self._strategy = strategy
        # The latest token, or the refusal to issue one.
        self._token: Any = None
        self._is_due = False
        self.delay: float = 0
        """The seconds before the first attempt. If the strategy refuses a token, the request is still made, once."""
        try:
            self.delay = self._store(strategy.acquire_initial_token())
        except RetryRefusal as refusal:
            self._token = refusal
        except BaseException:
            self.close()
            raise

    def refresh(self, failure: FailureInfo) -> float | RetryRefusal | TokenError:
        """Return the seconds before another attempt, or the refusal of the strategy."""
        try:
            return self._store(self._strategy.refresh_retry_token(self._take(), failure))
        except (RetryRefusal, TokenError) as refusal:
            return refusal

    def begin_attempt(self) -> None:
        """Record that the attempt of the token has started."""
        self._is_due = False

    def record_success(self) -> None:
        """Return the token of a successful attempt, and ignore a refusal of the strategy."""
        with suppress(RetryRefusal, TokenError):
            self._strategy.record_success(self._take())

    def close(self) -> None:
        """Release the token of an attempt that is not made."""
        release = getattr(self._strategy, "release_token", None)
        if self._is_due and release is not None:
            release(self._take())

    def _store(self, token: Any) -> float:
        self._token, self._is_due = token, True
        return delay_of(token)

    def _take(self) -> Any:
        token, self._token, self._is_due = self._token, None, False
        if isinstance(token, RetryRefusal):
            raise token
        return self._strategy.acquire_initial_token() if token is None else token


def delay_of(token: Any) -> float:
    """Return the delay of a token in seconds.

    Raises:
        TypeError: The delay is invalid, which is a bug in the strategy.

    """
    delay = getattr(token, "delay", None)
    seconds = delay.total_seconds() if isinstance(delay, timedelta) else delay
    if isinstance(seconds, int | float) and not isinstance(seconds, bool) and 0 <= seconds < math.inf:
        return float(seconds)
    message = f"a retry token's delay must be a number of seconds, at least 0, got {delay!r}"
    raise TypeError(message)


def check_strategy(strategy: Any) -> None:
    """Check that an object is a retry strategy.

    Raises:
        OptionsError: It lacks a method of a strategy, or is a class.

    """
    if strategy is None:
        return
    has_methods = all(callable(getattr(strategy, method, None)) for method in _METHODS)
    if has_methods and not isinstance(strategy, type):
        return
    instance = f"`{strategy.__name__}()`" if has_methods else "such as `smithy_waiters.retry.StandardRetryStrategy()`"
    message = f"`strategy` must be a retry strategy, got {_display_input(strategy)}: pass an instance, {instance}"
    raise OptionsError(message, "invalid_option", "strategy")
