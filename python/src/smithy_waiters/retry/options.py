"""The options of the standard retry strategy."""

from __future__ import annotations

from datetime import timedelta  # noqa: TC003 - for those who ask for the hints at run time.
from typing import Literal, TypedDict


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
