"""What a retry strategy is: for those who write one, and for type checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from smithy_waiters.errors import RetryRefusal, TokenError

if TYPE_CHECKING:
    from typing import NoReturn

    from smithy_waiters._engine import FailureInfo


class RetryToken(Protocol):
    """The state of one request between its attempts."""

    @property
    def delay(self) -> float:
        """How long to wait before the next attempt, in seconds."""
        ...


class RetryStrategy(Protocol):
    """Decides which failed attempts are made again, and when. It never sleeps.

    `StandardRetryStrategy` is one; here is another, which tries everything once more, after a second:

    >>> from dataclasses import dataclass
    >>> from smithy_waiters.retry import RetryRefusal, retry
    >>> @dataclass
    ... class Token:
    ...     delay: float
    >>> class OnceMore:
    ...     def acquire_initial_token(self):
    ...         return Token(0)
    ...
    ...     def refresh_retry_token(self, token, failure):
    ...         if token.delay:
    ...             raise RetryRefusal("once more is enough", "max_retries")
    ...         return Token(1)
    ...
    ...     def record_success(self, token):
    ...         pass
    >>> retry(lambda: "content", strategy=OnceMore())
    'content'

    One that counts may have a fourth method, `release_token(token)`, which the specification has not: it takes the
    token back of an attempt that is not made: no time is left for it, or the caller has cancelled in its pause.
    """

    def acquire_initial_token(self) -> Any:
        """Give the token of a request, before its first attempt.

        Raises:
            RetryRefusal: There is none: the request is still made, once.

        """
        ...

    def refresh_retry_token(self, token: Any, failure: FailureInfo, /) -> Any:
        """Give the token of the next attempt, after one that failed.

        Raises:
            RetryRefusal: There is no other attempt: the request has failed with the error of this one.
            TokenError: The token is none of this strategy's, or it was used before.

        """
        ...

    def record_success(self, token: Any, /) -> object:
        """Take the token back after an attempt that succeeded.

        Raises:
            TokenError: The token is none of this strategy's, or it was used before.

        """
        ...


class NoRetries:
    """A strategy that allows no retries: every request is made once."""

    def acquire_initial_token(self) -> NoReturn:
        """Refuse: there is no other attempt than the first."""
        raise RetryRefusal("no retries are allowed", "max_retries")

    def refresh_retry_token(self, token: object, failure: FailureInfo, /) -> NoReturn:  # noqa: ARG002 - it has none.
        """Refuse a token: it has none."""
        raise TokenError("the retry token was handed out by another strategy", "foreign_token")

    def record_success(self, token: object, /) -> NoReturn:  # noqa: ARG002 - it has none.
        """Refuse a token: it has none."""
        raise TokenError("the retry token was handed out by another strategy", "foreign_token")
