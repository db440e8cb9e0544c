"""What `retry` and `retry_async` take beside the call and the policy, for type checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from smithy_waiters.errors import OptionsError
from smithy_waiters.hint import hinted

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from datetime import timedelta

    from smithy_waiters._engine import FailureInfo
    from smithy_waiters.drivers.cancel import AsyncEvent, Event
    from smithy_waiters.operation import Operation

    from .request import RetryProgress
    from .strategy import RetryStrategy


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


def check_known(options: Iterable[str], known: Iterable[str]) -> None:
    """Refuse an option that there is not.

    Raises:
        OptionsError: It is none of those that are known.

    """
    names = (*known, "policy")
    for option in options:
        if option not in names:
            raise hinted(OptionsError(f"`{option}` is not an option", "unknown_option", option), names)
