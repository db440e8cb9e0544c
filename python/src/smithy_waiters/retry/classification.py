"""What an exception means for a retry."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from smithy_waiters._engine import Request
from smithy_waiters.failed_request import facts

if TYPE_CHECKING:
    from smithy_waiters._engine import FailureInfo, Operation


class RetryNote(NamedTuple):
    """A header of a response that was ignored, and why; or what keeps an error from being retried."""

    code: str
    """For programs: `invalid_retry_after`, `no_clock`; `not_idempotent` if only that keeps it from being retried."""
    message: str
    """For people."""


def classify(
    error: BaseException, *, idempotent: bool = False, operation: Operation | None = None, now: float | None = None
) -> FailureInfo:
    """Return what an exception means for a retry.

    An error that describes itself by the specification's interface, as those of clients made by smithy-python do, is
    taken at its word: one with `is_retry_safe=False` is not retried, one with `is_retry_safe=True` is.

    >>> classify(TimeoutError(), idempotent=True).retry
    RetryInfo('yes', throttle=False, timeout=True, retry_after=None)

    Args:
        error: The exception that a call raised: of botocore, smithy-python, httpx, requests, aiohttp, urllib or Python
            itself.
        idempotent: Whether the call may be repeated without harm.
        operation: The operation of a model, which says which of its errors are retryable.
        now: The time in seconds since 1970, by which a date in `Retry-After` is read; the system's by default.

    """
    request = Request(0, idempotent=idempotent, operation=operation)
    return request.classify(facts(error, now=time.time() if now is None else now)).failure
