"""The options of a wait."""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003 - for those who ask for the hints at run time.
from datetime import datetime, timedelta  # noqa: TC003 - for those who ask for the hints at run time.
from typing import Literal, TypedDict

from .pace import Pace  # noqa: TC001 - for those who ask for the hints at run time.


class WaitOptions(TypedDict, total=False):
    """The options of a wait, as `Waiter.wait`, `wait_async` and `start` take them.

    One of `max_wait`, `deadline` and `max_attempts` is required. Durations are numbers of seconds or `timedelta`;
    `None` counts as not given.
    """

    max_wait: float | timedelta | None
    """How long the wait may take: more than 0, at most ten years. Required without `deadline` and `max_attempts`."""
    deadline: float | datetime | None
    """A time at which the wait ends at the latest, which several waits may share.

    Seconds on the wait's clock (`time.monotonic`, the loop's time, or the `clock` of the wait), or an aware `datetime`.
    Once it has passed, a wait times out without a call.
    """
    attempt_timeout: float | timedelta | None
    """How long one attempt may take: `wait_async` cancels a call that takes longer, and the wait goes on."""
    min_delay: float | timedelta | None
    """The least delay between two attempts, instead of the definition's; 0 only together with `max_attempts`."""
    max_delay: float | timedelta | None
    """The greatest delay between two attempts, instead of the definition's; 0 only together with `max_attempts`."""
    max_attempts: int | None
    """The number of attempts after which the wait gives up; unlimited without it."""
    initial_delay: float | timedelta | None
    """A pause before the first attempt; it counts towards `max_wait`."""
    seed: int | None
    """The seed of the delays' jitter, at most 2^53 - 1: the same seed gives the same delays, in every language."""
    history_limit: int | None
    """How many of the newest attempts the outcome tells of; 10 without it."""
    final_poll: Literal["specification", "late"] | None
    """The time of the last poll: one `min_delay` before the deadline, or as late as it can be answered."""
    pace: Pace | None
    """The rule for the delays: `every(15)`, `proportional(0.1)`, or the specification's exponential backoff."""
    transient_errors: Literal["retry", "fail"] | None
    """The effect of transient errors that no acceptor matches: the call is made again, or the wait fails."""
    transient_window: float | timedelta | None
    """How long the service may leave calls without any answer, before the wait fails; 120 seconds by default."""
    label: str | None
    """A text of 1 to 200 characters that follows the waiter's name in every message, such as a resource's name."""
    show: Sequence[str] | None
    """Paths of a response whose values progress, history and messages show, such as `Stacks[0].StackStatusReason`."""
    redact: Sequence[str] | None
    """Paths of members whose values messages, reasons and reports do not show, such as `Users[].Password`.

    A path applies to the response and to the input; `message` also hides the messages of errors.
    """
