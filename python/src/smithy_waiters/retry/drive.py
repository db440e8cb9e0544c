"""The functions that run a request with retries, and their options."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, overload

from smithy_waiters import _engine
from smithy_waiters._engine import StandardRetryStrategy, _check_no_options, _must_be
from smithy_waiters.drivers import asynchronous, blocking
from smithy_waiters.drivers.call import check_functions
from smithy_waiters.option_names import check_names
from smithy_waiters.waiter import Waiter

from .request import RequestRun
from .strategy import check_strategy

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import timedelta

    from typing_extensions import Unpack

    from smithy_waiters._engine import FailureInfo
    from smithy_waiters.drivers.cancel import AsyncEvent, Event
    from smithy_waiters.operation import Operation
    from smithy_waiters.outcome import AnyCall

    from .request import RetryProgress
    from .strategy import RetryStrategy

T = TypeVar("T")


class _Options(TypedDict, total=False):
    strategy: RetryStrategy | None
    """The strategy that decides on retries; a new `StandardRetryStrategy` by default."""
    max_retries: int | None
    """The maximum number of retries, for the default strategy."""
    max_attempts: int | None
    """The maximum number of attempts, for the default strategy."""
    seed: int | None
    """The seed of the delays' jitter, for the default strategy."""
    idempotent: bool | None
    """`True` if the request can be repeated safely, `False` otherwise. By default the `operation` determines it."""
    operation: Operation | None
    """The operation of a model, which determines idempotency and the retryable errors."""
    input: object
    """The operation's input, which the operation and `inputOutput` matchers of the policy read."""
    max_time: float | timedelta | None
    """The total duration of all attempts, in seconds or as a `timedelta`."""
    classify: Callable[[Exception], FailureInfo | None] | None
    """A function that returns the classification of an exception, or `None` for the default one."""
    on_failure: Callable[[RetryProgress], object] | None
    """A function that is called after each failed attempt."""
    clock: Callable[[], float] | None
    """A monotonic clock in seconds."""
    date: Callable[[], float] | None
    """A function that returns the time in seconds since 1970, for a date in `Retry-After`."""


class BlockingOptions(_Options, total=False):
    """The options of `retry`. Its docstring describes them."""

    cancel: Event | None
    """An event that ends the request before its next attempt."""
    sleep: Callable[[float], object] | None
    """A function that sleeps for a number of seconds."""


class AwaitingOptions(_Options, total=False):
    """The options of `retry_async`."""

    cancel: AsyncEvent | None
    """An event that cancels the request, including a running attempt."""
    sleep: Callable[[float], Awaitable[object]] | None
    """A function that returns an awaitable that sleeps for a number of seconds."""


@overload
def retry(call: AnyCall[T], *, policy: None = None, **options: Unpack[BlockingOptions]) -> T: ...


@overload
def retry(call: AnyCall[T], *, policy: Waiter, **options: Unpack[BlockingOptions]) -> T | None: ...


def retry(call: AnyCall[T], *, policy: Waiter | None = None, **options: Unpack[BlockingOptions]) -> T | None:
    """Make a request, and repeat it while it fails and the strategy allows a retry.

    >>> retry(lambda: client.get_item(TableName="orders", Key=key), strategy=strategy, idempotent=True)

    If there is no further attempt, the error of the last one is raised unchanged, with a note on the reason in Python
    3.11 and later. Exceptions that are not an `Exception`, such as `KeyboardInterrupt`, are propagated.

    See the `specification <https://smithy.io/2.0/guides/client-guidance/retries.html#using-retry-strategies>`_.

    Args:
        call: The function that makes the request. If it has one required positional parameter, it receives the
            `Attempt`.
        policy: A waiter whose acceptors classify responses and errors as success, failure or retry. If an error is a
            success, the function returns `None`.
        **options: Further options:
            strategy: The strategy that decides on retries. Share one among all requests of a client, so that they share
                its quota. By default the request gets a new `StandardRetryStrategy`.
            max_retries, max_attempts, seed: Options of the default strategy. They conflict with `strategy`.
            idempotent: `True` if the request can be repeated safely, `False` otherwise. It takes precedence over the
                `operation`. Without either, a request is only retried if the service invites a retry: by `Retry-After`,
                the status 429 or 503, a throttling code, or an error that the model declares retryable.
            operation: The operation of a model. It determines whether the request is idempotent with this input, and
                which errors are retryable.
            input: The operation's input, which the operation and `inputOutput` matchers of the policy read.
            max_time: The total duration of all attempts, in seconds or as a `timedelta`. No attempt starts after it. An
                attempt that is running is not interrupted.
            classify: A function that returns the `FailureInfo` of an exception, or `None` for the default
                classification.
            on_failure: A function that is called after each failed attempt with its `RetryProgress`. An exception in it
                ends the request and is propagated. It must not return an awaitable.
            cancel: A `threading.Event` or a similar object. After it is set, no further attempt starts.
            sleep: A function that sleeps for a number of seconds, instead of `time.sleep`.
            clock: A monotonic clock in seconds, instead of `time.monotonic`. A `smithy_waiters.testing.FakeClock` also
                provides the sleep.
            date: A function that returns the time in seconds since 1970, instead of `time.time`, for a date in
                `Retry-After`.

    Raises:
        RetryCancelled: The `cancel` event was set.
        RetryTimeout: `max_time` ended before the next attempt, during `on_failure` or a sleep.
        RetryError: The policy classifies a response as failure, or still as retry when there is no further attempt.
        OptionsError: An option is unknown or invalid, or conflicts with another one.
        TypeError: `call` cannot be called or returns an awaitable, or a function returns an invalid value.

    """
    with closing(_run(policy, options, BlockingOptions)) as run:
        result: T | None = blocking.drive(
            run, call, sleep=options.get("sleep"), clock=options.get("clock"), instead="retry_async"
        )
        return result


@overload
async def retry_async(call: AnyCall[Awaitable[T]], *, policy: None = None, **options: Unpack[AwaitingOptions]) -> T: ...


@overload
async def retry_async(
    call: AnyCall[Awaitable[T]], *, policy: Waiter, **options: Unpack[AwaitingOptions]
) -> T | None: ...


async def retry_async(
    call: AnyCall[Awaitable[T]], *, policy: Waiter | None = None, **options: Unpack[AwaitingOptions]
) -> T | None:
    """Make an asynchronous request, and repeat it while it fails and the strategy allows a retry.

    The function runs on asyncio, trio and anyio. An attempt is cancelled when `max_time` ends and when `cancel` is set,
    and its clean-up is awaited. If the task of the request is cancelled, the cancellation is propagated. On any other
    library `sleep` is required, and attempts are not cancelled.

    See the `specification <https://smithy.io/2.0/guides/client-guidance/retries.html#using-retry-strategies>`_.

    Args:
        call: A function that returns an awaitable. If it has one required positional parameter, it receives the
            `Attempt`.
        policy: A waiter whose acceptors classify responses and errors. See `retry`.
        **options: The options of `retry`, with these differences:
            max_time: An attempt that is running at its end is cancelled.
            on_failure: If it returns an awaitable, that is awaited until the end of `max_time`.
            cancel: An event of the library. An attempt that is running when it is set is cancelled.
            sleep: A function that returns an awaitable that sleeps for a number of seconds, instead of the library's.
            clock: A monotonic clock in seconds, instead of the library's.

    Raises:
        RetryCancelled: The `cancel` event was set.
        RetryTimeout: `max_time` ended during the last attempt or before the next one.
        RetryError: The policy classifies a response as failure, or still as retry when there is no further attempt.
        OptionsError: An option is unknown or invalid, or conflicts with another one.
        TypeError: `call` cannot be called or does not return an awaitable, or a function returns an invalid value.

    """
    with closing(_run(policy, options, AwaitingOptions)) as run:
        result: T | None = await asynchronous.drive(
            run, call, sleep=options.get("sleep"), clock=options.get("clock"), instead="retry"
        )
        return result


def _run(policy: Any, options: Any, option_types: type) -> RequestRun[Any]:
    names = (*option_types.__annotations__, "policy")
    check_names(options, names)
    check_functions(**{name: options.get(name) for name in ("on_failure", "classify", "date")})
    if policy is not None and not isinstance(policy, Waiter):
        raise _must_be("policy", "waiter", policy)
    operation = options.get("operation")
    if not isinstance(operation, _engine.Operation | None):
        raise _must_be("operation", "operation", operation)
    return RequestRun(_strategy(options), policy, options)


def _strategy(options: Any) -> RetryStrategy:
    strategy: RetryStrategy | None = options.get("strategy")
    check_strategy(strategy)
    limits = {name: options.get(name) for name in ("max_retries", "max_attempts", "seed")}
    if strategy is None:
        return StandardRetryStrategy(**limits)
    _check_no_options(**limits)
    return strategy
