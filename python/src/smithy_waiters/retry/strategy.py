"""The interface of retry strategies, for custom strategies and type checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from smithy_waiters._engine import _must_be, _retry_error

if TYPE_CHECKING:
    from typing import NoReturn

    from smithy_waiters._engine import FailureInfo


class RetryToken(Protocol):
    """The state of a request between two attempts."""

    @property
    def delay(self) -> float:
        """The delay before the next attempt, in seconds."""
        ...


class RetryStrategy(Protocol):
    """A strategy that decides which failed attempts are retried, and after which delay. It never sleeps.

    `StandardRetryStrategy` implements this interface. A custom strategy that retries every failure once, after a
    second:

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
    ...             raise RetryRefusal("no second retry", "max_retries")
    ...         return Token(1)
    ...
    ...     def record_success(self, token):
    ...         pass
    >>> retry(lambda: "content", strategy=OnceMore())
    'content'

    A strategy can have a fourth method, `release_token(token)`, which the specification does not have. It receives the
    token of an attempt that is not made, because time ran out or the caller cancelled during the pause.

    See the `specification <https://smithy.io/2.0/guides/client-guidance/retries.html#retry-strategy>`_.
    """

    def acquire_initial_token(self) -> Any:
        """Return the token for the first attempt of a request.

        Raises:
            RetryRefusal: No token is available. The request is still made, once.

        """
        ...

    def refresh_retry_token(self, token: Any, failure: FailureInfo, /) -> Any:
        """Return the token for the next attempt after a failed one.

        Raises:
            RetryRefusal: The request is not retried, and fails with the error of this attempt.
            TokenError: The token was already used or belongs to another strategy.

        """
        ...

    def record_success(self, token: Any, /) -> object:
        """Accept the token of a successful attempt.

        Raises:
            TokenError: The token was already used or belongs to another strategy.

        """
        ...


class NoRetries:
    """A strategy that allows no retries."""

    def acquire_initial_token(self) -> NoReturn:
        """Allow no retries: the request is made once.

        Raises:
            RetryRefusal: Always.

        """
        raise _retry_error("max_retries")

    def refresh_retry_token(self, token: object, failure: FailureInfo, /) -> NoReturn:  # noqa: ARG002 - part of the interface.
        """Reject the token, because this strategy issues none.

        Raises:
            TokenError: Always.

        """
        raise _retry_error("foreign_token")

    def record_success(self, token: object, /) -> NoReturn:  # noqa: ARG002 - part of the interface.
        """Reject the token, because this strategy issues none.

        Raises:
            TokenError: Always.

        """
        raise _retry_error("foreign_token")


_METHODS = ("acquire_initial_token", "refresh_retry_token", "record_success")


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
    raise _must_be("strategy", "strategy", strategy, f": pass an instance, {instance}")
