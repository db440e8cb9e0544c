"""The options of a wait."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence  # noqa: TC003 - `typing.get_type_hints` needs it at run time.
from datetime import datetime, timedelta  # noqa: TC003 - `typing.get_type_hints` needs it at run time.
from typing import Any, Literal, TypedDict

from ._engine import RateLimit  # noqa: TC001 - `typing.get_type_hints` needs it at run time.
from .errors import WaiterError  # noqa: TC001 - `typing.get_type_hints` needs it at run time.
from .outcome import Progress  # noqa: TC001 - `typing.get_type_hints` needs it at run time.
from .pace import Pace  # noqa: TC001 - `typing.get_type_hints` needs it at run time.


class WaiterDefaults(TypedDict, total=False):
    """The defaults of a waiter for options that a wait does not set. See docs/rules.md#defaults."""

    final_poll: Literal["specification", "late"]
    """The time of the last poll. It has no effect on a wait that only `max_attempts` limits."""
    pace: Pace
    """The rule for the delays, if the definition has none."""
    min_delay: float | timedelta
    """The minimum delay between two attempts, if the definition has none."""
    max_delay: float | timedelta
    """The maximum delay between two attempts, if the definition has none."""
    max_attempts: int
    """The maximum number of attempts of a wait without any limit."""
    show: Sequence[str]
    """The paths of a response whose values messages contain."""
    same: SamePath
    """The path of `same`. Each wait must have `same`, which can be a value then."""


class SamePath(TypedDict):
    """The path of a value that names a resource or a change."""

    path: str


# `is` is a keyword of Python.
_SameValue = TypedDict("_SameValue", {"is": str | float, "text": bool}, total=False)


class Same(SamePath, _SameValue):
    """Whose success counts: the value `is` of `path`. Without `is`, for a deletion: the first value.

    With `text`, a text equals the text of a number or boolean.
    """


class _LeftText(TypedDict, total=False):
    text: bool


class Left(_LeftText):
    """The state before a change: `value` of `path`. With `text`, a text equals the text of a number or boolean."""

    path: str
    value: str | float


class WaitOptions(TypedDict, total=False):
    """The options of `Waiter.wait`, `Waiter.wait_async` and `Waiter.start`.

    One of `max_wait`, `deadline` and `max_attempts` is required. Durations are numbers of seconds or `timedelta`.
    `None` is the same as an absent option. An invalid option raises an `OptionsError`.
    """

    max_wait: float | timedelta | None
    """The maximum duration of the wait: more than 0, at most ten years.

    Required without `deadline` and `max_attempts`.
    """
    deadline: float | datetime | None
    """The time at which the wait ends at the latest. Several waits can share a deadline.

    It is an aware `datetime`, or a number of seconds on the clock of the wait: its `clock`, `time.monotonic`, or the
    time of the event loop. After the deadline, a wait times out without a call.
    """
    attempt_timeout: float | timedelta | None
    """The maximum duration of one attempt. `wait_async` cancels a call that takes longer, and the wait continues."""
    min_delay: float | timedelta | None
    """The minimum delay between two attempts, instead of the definition's; 0 is only valid with `max_attempts`."""
    max_delay: float | timedelta | None
    """The maximum delay between two attempts, instead of the definition's; 0 is only valid with `max_attempts`."""
    max_attempts: int | None
    """The maximum number of attempts; unlimited by default."""
    initial_delay: float | timedelta | None
    """A pause before the first attempt; it counts towards `max_wait`."""
    seed: int | None
    """The seed of the delays' jitter, at most 2^53 - 1; random by default.

    The same seed results in the same delays in every language.
    """
    hints: bool | None
    """Whether probable mistakes are reported as hints and logged as warnings; `True` by default."""
    history_limit: int | None
    """The maximum number of attempts in the history; 10 by default."""
    final_poll: Literal["specification", "late"] | None
    """The time of the last attempt: `"specification"` is one `min_delay` before the deadline, `"late"` is as close to
    the deadline as an answer can arrive in time.

    `"late"` is an extension of the specification. See docs/rules.md#final-poll.
    """
    pace: Pace | None
    """The rule for the delays: `every(15)`, `proportional(0.1)`, or the specification's exponential backoff (the
    default).

    Other rules than the default are extensions of the specification. See docs/rules.md#pace.
    """
    transient_errors: Literal["retry", "fail"] | None
    """The reaction to transient errors that no acceptor matches: `"retry"` (the default) or `"fail"`.

    In the specification, every error that no acceptor matches fails the wait. See docs/rules.md#transient-errors.
    """
    transient_window: float | timedelta | None
    """The time without any answer from the service after which the wait fails; 120 seconds by default."""
    not_found_for: float | timedelta | None
    """The time for which the resource may not exist yet. By default an error that says so ends the wait, unless an
    acceptor matches it. See docs/rules.md#not-found.
    """
    same: Same | str | float | None
    """Whose success counts: `{"path": "deployments[?status=='PRIMARY'].id | [0]", "is": deployment_id}`, the value from
    the response of the change. Without `is`, for a deletion: the first value. A value alone is that of the path in the
    waiter's defaults. The codes are `never_seen` and `replaced`. See docs/rules.md#conditions-on-a-success.
    """
    left: str | float | Left | None
    """The state before a change, such as `"available"` or `{"path": …, "value": …}`: a success counts only after the
    resource has left it. The code is `never_left`.
    """
    left_else: Literal["fail", "accept"] | None
    """`"accept"`: the verdicts count if the value of `left` is not left in time."""
    left_within: float | timedelta | None
    """The time in which the value of `same` must be seen or that of `left` be left; 60 seconds by default."""
    at_least: Mapping[str, float] | None
    """The least numbers of paths for a success: `{"status.observedGeneration": 7}`."""
    successes: int | None
    """The number of successes in a row, with the minimum delay between them; 1 by default."""
    stable_for: float | timedelta | None
    """The time for which every response must be a success."""
    label: str | None
    """A text of 1 to 200 characters that follows the waiter's name in messages, such as the name of a resource."""
    show: Sequence[str] | None
    """Paths of a response whose values are included in progress, history and messages, such as
    `Stacks[0].StackStatusReason`.
    """
    redact: Sequence[str] | None
    """Paths of members whose values are hidden in messages, reasons and reports, such as `Users[].Password`.

    A path applies to the response and to the input. The path `message` also hides the messages of errors.
    """


class DriverOptions(WaitOptions, total=False):
    """The options of `Waiter.wait` and `Waiter.wait_async`: those of `WaitOptions`, and what happens around the wait.

    See docs/rules.md#around-a-wait.
    """

    rate_limit: RateLimit | None
    """A limit of the calls per second that several waits and fleets share."""
    on_change: Callable[[Progress[Any]], object] | None
    """A function that is called with its `Progress` after each attempt whose result differs from the one before it.

    An exception in it ends the wait and is propagated.
    """
    on_failure: Callable[[WaiterError], object] | None
    """A function that is called once if the wait fails, to find out more: the events of a stack, the log of a pod.

    Its result is the attribute `details` of the error, and an exception in it the attribute `details_error`.
    """
    cancel_with: Callable[[], object] | None
    """A function that stops the work that was waited for. It is called if the wait gives up on it: it was cancelled, or
    its time or its attempts are over.

    An exception in it is the attribute `cancel_error` of the error.
    """
