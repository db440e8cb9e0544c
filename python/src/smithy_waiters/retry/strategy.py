"""What a retry strategy is: for those who write one, and for type checkers."""

from __future__ import annotations

from datetime import timedelta  # noqa: TC003 - for those who ask for the hints at run time.
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict

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


class RetryOptions(TypedDict, total=False):
    """The options of a `StandardRetryStrategy`. Times are numbers of seconds or `timedelta`; `None` is not given."""

    preset: Literal["specification", "aws"] | None
    """What the others count over: the values of the specification's example, or those of the AWS SDKs."""
    max_retries: int | None
    """How often a request is made again, at most; 5, or 2 with `aws`."""
    max_attempts: int | None
    """The same with the first attempt counted: 6, or 3. Give one of the two."""
    base_delay: float | timedelta | None
    """The greatest delay before the first retry; it doubles with each. 1 s, or 0.05 s."""
    throttling_base_delay: float | timedelta | None
    """The same where the service throttles; 1 s."""
    max_backoff: float | timedelta | None
    """The greatest delay of all; 20 s."""
    fixed_delay: float | timedelta | None
    """The same delay each time, instead of these three."""
    max_retry_after: float | timedelta | None
    """The longest pause that a service may ask for; where it asks for more, the error is not retried. No limit."""
    retry_after_excess: float | timedelta | None
    """How much longer than computed a pause may get that the service asks for; no limit, or 5 s with `aws`."""
    capacity: int | None
    """What the quota holds when it is full; 500."""
    unlimited: bool | None
    """Whether there is no quota: retries are free."""
    retry_cost: int | None
    """What a retry takes from the quota; 5, or 14."""
    throttling_cost: int | None
    """The same where the service throttles; 5."""
    timeout_cost: int | None
    """The same after a timeout; 10, or 14."""
    success_refund: int | None
    """What a success returns to the quota; 1."""
    refund_cost: bool | None
    """Whether a success after a retry returns what that retry took, instead; so with `aws`."""
    seed: int | None
    """The seed of the delays' jitter, at most 2^53 - 1; drawn where there is none."""
