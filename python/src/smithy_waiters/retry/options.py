"""The options of the standard retry strategy."""

from __future__ import annotations

from datetime import timedelta  # noqa: TC003 - `typing.get_type_hints` needs it at run time.
from typing import Literal, TypedDict


class RetryOptions(TypedDict, total=False):
    """The options of a `StandardRetryStrategy`.

    Times are numbers of seconds or `timedelta`. `None` is the same as an absent option. An invalid option raises an
    `OptionsError`. Defaults are those of the preset `"specification"`; those of `"aws"` follow if they differ.
    """

    preset: Literal["specification", "aws"] | None
    """The default values: those of the specification's example (the default), or those of the AWS SDKs."""
    max_retries: int | None
    """The maximum number of retries; 5, or 2 with `"aws"`. It conflicts with `max_attempts`."""
    max_attempts: int | None
    """The maximum number of attempts, including the first one; 6, or 3 with `"aws"`. It conflicts with
    `max_retries`.
    """
    base_delay: float | timedelta | None
    """The maximum delay before the first retry, which doubles with each retry; 1 second, or 0.05 with `"aws"`."""
    throttling_base_delay: float | timedelta | None
    """The maximum delay before the first retry after throttling, which doubles with each retry; 1 second."""
    max_backoff: float | timedelta | None
    """The upper limit of all computed delays; 20 seconds."""
    fixed_delay: float | timedelta | None
    """A fixed delay before each retry, instead of `base_delay`, `throttling_base_delay` and `max_backoff`."""
    max_retry_after: float | timedelta | None
    """The maximum delay that a service can request. An error that requests more is not retried. Unlimited by
    default.
    """
    retry_after_excess: float | timedelta | None
    """The maximum excess of a requested delay over the computed one; unlimited, or 5 seconds with `"aws"`.

    A longer request is shortened. See docs/rules.md#retry-after.
    """
    capacity: int | None
    """The number of tokens in the full quota; 500."""
    unlimited: bool | None
    """`True` to retry without a quota."""
    retry_cost: int | None
    """The cost of a retry, in tokens of the quota; 5, or 14 with `"aws"`."""
    throttling_cost: int | None
    """The cost of a retry after throttling; 5."""
    timeout_cost: int | None
    """The cost of a retry after a timeout; 10, or 14 with `"aws"`."""
    success_refund: int | None
    """The number of tokens that a success returns to the quota; 1."""
    refund_cost: bool | None
    """`True` if a success after a retry returns the cost of that retry instead; the default with `"aws"`."""
    seed: int | None
    """The seed of the delays' jitter, at most 2^53 - 1; random by default."""
