"""Requests with retries: their options, and the drivers that run them."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, overload

from smithy_waiters import _engine
from smithy_waiters._engine import StandardRetryStrategy
from smithy_waiters.drivers import asynchronous, blocking
from smithy_waiters.drivers.call import check_functions
from smithy_waiters.errors import OptionsError
from smithy_waiters.option_names import check_names
from smithy_waiters.waiter import Waiter

from .request import RequestRun
from .token_lease import check_strategy

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
    max_retries: int | None
    max_attempts: int | None
    seed: int | None
    idempotent: bool | None
    operation: Operation | None
    input: object
    max_time: float | timedelta | None
    classify: Callable[[Exception], FailureInfo | None] | None
    on_failure: Callable[[RetryProgress], object] | None
    clock: Callable[[], float] | None
    date: Callable[[], float] | None


class BlockingOptions(_Options, total=False):
    """Those of `retry`; its documentation tells of each."""

    cancel: Event | None
    sleep: Callable[[float], object] | None


class AwaitingOptions(_Options, total=False):
    """Those of `retry_async`."""

    cancel: AsyncEvent | None
    sleep: Callable[[float], Awaitable[object]] | None


@overload
def retry(call: AnyCall[T], *, policy: None = None, **options: Unpack[BlockingOptions]) -> T: ...


@overload
def retry(call: AnyCall[T], *, policy: Waiter, **options: Unpack[BlockingOptions]) -> T | None: ...


def retry(call: AnyCall[T], *, policy: Waiter | None = None, **options: Unpack[BlockingOptions]) -> T | None:
    """Make a request, and make it again while it fails and the strategy says so.

    >>> retry(lambda: client.get_item(TableName="orders", Key=key), strategy=strategy, idempotent=True)

    Where there is no other attempt, the error of the last one is raised as it is; from Python 3.11 on with a note why.
    What is no `Exception`, such as `KeyboardInterrupt`, leaves unchanged.

    Args:
        call: Makes the request. One that has one required positional parameter is given the `Attempt`.
        policy: A waiter whose acceptors say of responses and errors whether they are a success, a failure or to be
            retried. A success by an error gives `None`.
        **options: What there is to say beside:
            strategy: Decides whether to try again, and when. Give one to all the requests of a client: they share its
                quota. Without one, the request has a `StandardRetryStrategy` of its own.
            max_retries, max_attempts, seed: Those of that strategy; not beside one that is given.
            idempotent: Whether the request may be repeated without harm: this counts, whatever the `operation` says.
                Where neither says so, only what the service itself invites to retry is: by `Retry-After`, the status
                429 or 503, a code that says that it throttles, or an error that its model calls retryable.
            operation: The operation of a model: it says whether the request is idempotent with this input, where
                `idempotent` does not, and which errors are retryable.
            input: The operation's input, which the operation and the policy's `inputOutput` matchers look at.
            max_time: The seconds that all attempts have together, or a `timedelta`: none begins after it. One that
                runs then is not cut.
            classify: Says what an exception means for a retry, or `None` where the usual reading is as well.
            on_failure: Called after each attempt that failed, with the `RetryProgress`; what it raises ends the
                request. An awaitable is refused.
            cancel: A `threading.Event`, or the like: once it is set, there is no other attempt.
            sleep: Sleeps some seconds, instead of `time.sleep`.
            clock: A monotonic clock in seconds, instead of `time.monotonic`. A `smithy_waiters.testing.FakeClock`
                sleeps, too.
            date: The time in seconds since 1970, instead of `time.time`, for a `Retry-After` that is a date.

    Raises:
        RetryCancelled: The `cancel` event was set.
        RetryTimeout: `max_time` was over when the next attempt was due: `on_failure` or a sleep took it all.
        RetryError: The policy says failure of a response, or still to retry it when there is no other attempt.
        OptionsError: An option does not hold.

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
    """Do the same with a call that gives an awaitable, on asyncio, trio or anyio, whichever runs.

    A call is cancelled when `max_time` is over, and when `cancel` is set; its clean-up is awaited. A cancellation from
    outside leaves unchanged. On any other library `sleep` is required, and a call is not cut.

    Args:
        call: Gives an awaitable. One that has one required positional parameter is given the `Attempt`.
        policy: As for `retry`.
        **options: As for `retry`, with these differences:
            max_time: An attempt that runs when it is over is cut.
            on_failure: Awaited where it gives an awaitable, until `max_time` is over at most.
            cancel: An event of the library; an attempt that runs when it is set is cut.
            sleep: Gives an awaitable that sleeps some seconds, instead of the library's.
            clock: A monotonic clock in seconds, instead of the library's.

    Raises:
        RetryCancelled: The `cancel` event was set.
        RetryTimeout: The last attempt was cut when `max_time` was over, or it was over before the next could begin.
        RetryError: The policy says failure of a response, or still to retry it when there is no other attempt.
        OptionsError: An option does not hold.

    """
    with closing(_run(policy, options, AwaitingOptions)) as run:
        result: T | None = await asynchronous.drive(
            run, call, sleep=options.get("sleep"), clock=options.get("clock"), instead="retry"
        )
        return result


def _run(policy: Any, options: Any, known: type) -> RequestRun[Any]:
    names = (*known.__annotations__, "policy")
    check_names(options, names)
    check_functions(**{name: options.get(name) for name in ("on_failure", "classify", "date")})
    if policy is not None and not isinstance(policy, Waiter):
        raise OptionsError("`policy` must be a `Waiter`", "invalid_option", "policy")
    if not isinstance(options.get("operation"), _engine.Operation | None):
        raise OptionsError("`operation` must be an `Operation`", "invalid_option", "operation")
    return RequestRun(_strategy(options), policy, options)


def _strategy(options: Any) -> RetryStrategy:
    strategy: RetryStrategy | None = options.get("strategy")
    check_strategy(strategy)
    limits = {name: options.get(name) for name in ("max_retries", "max_attempts", "seed")}
    if strategy is None:
        return StandardRetryStrategy(**limits)
    for name, limit in limits.items():
        if limit is not None:
            message = f"a `strategy` has its own limits: `{name}` is not for it"
            raise OptionsError(message, "conflicting_options", name)
    return strategy
