"""One request and its attempts, without the calls and sleeps: what the two drivers share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from smithy_waiters._engine import FailureInfo, RetryInfo
from smithy_waiters.drivers.call import is_awaitable
from smithy_waiters.drivers.given import now
from smithy_waiters.errors import OptionsError, RetryCancelled, RetryError, RetryRefusal, RetryTimeout, TokenError
from smithy_waiters.outcome import Attempt

from .reading import classified
from .token import Held

if TYPE_CHECKING:
    from collections.abc import Callable

    from smithy_waiters import Waiter
    from smithy_waiters._engine import Operation
    from smithy_waiters.drivers.given import Flag

    from .reading import RetryNote
    from .strategy import RetryStrategy

T = TypeVar("T")

_OUT_OF_TIME = "no further attempt fits in the time there is"
_NOT_IDEMPOTENT = "the request is not known to be idempotent"
_FAILED = RetryRefusal("the retry policy says that it failed", "failed")

# Times are kept in whole microseconds: the noise of floating point must not make a pause that is over look as if it
# were not.
_SECOND = 1_000_000

# What all attempts have together where the caller gives no time: ten years.
_LONGEST = 315_360_000.0

# What rounds to a millisecond.
_SHORTEST = 0.0005


@dataclass(frozen=True)
class RetryProgress:
    """One attempt that failed, and what follows it."""

    attempt: int
    """Its number, from 1."""
    error: Exception | None
    """The error; `None` where a policy does not take a response for a success."""
    response: Any
    """That response; `None` where there is an error."""
    failure: FailureInfo
    """What that means for a retry."""
    delay: float | None
    """The seconds until the next attempt; `None` where there is none."""
    end: str | None
    """Why there is none, for programs: `not_retryable`, `max_retries`, `quota_exhausted`, `retry_after_too_long`,
    `out_of_time`, `failed` where a policy says so, or what the code of your own strategy's refusal is."""
    reason: str | None
    """The same for people."""
    note: RetryNote | None
    """Which header of the response was ignored, and why; or what keeps the error from being retried."""
    elapsed: float
    """The seconds since the request began."""


@dataclass(frozen=True)
class Plan:
    """What the caller says of a request."""

    strategy: RetryStrategy
    idempotent: bool
    operation: Operation | None
    policy: Waiter | None
    input: object
    max_time: float
    classify: Callable[[Exception], FailureInfo | None] | None
    on_failure: Callable[[RetryProgress], object] | None
    cancel: Flag | None
    date: Callable[[], float]


def seconds_of(max_time: float | timedelta | None) -> float:
    """Give a time in seconds.

    Raises:
        OptionsError: It is none.

    """
    if max_time is None:
        return _LONGEST
    given: Any = max_time.total_seconds() if isinstance(max_time, timedelta) else max_time
    if isinstance(given, bool) or not isinstance(given, int | float) or not _SHORTEST <= given <= _LONGEST:
        message = "`max_time` must be a number of seconds, at least 0.001 and at most 315360000 (ten years)"
        raise OptionsError(message, "invalid_option", "max_time")
    # To milliseconds, half up.
    return math.floor(given * 1000 + 0.5) / 1000


class Request(Generic[T]):
    """A request on its way: its token, the clock, and the newest error."""

    def __init__(self, plan: Plan, clock: Callable[[], float]) -> None:
        self._plan = plan
        self._clock = clock
        self._began = now(clock)
        self._attempts = 0
        self._error: Exception | None = None
        self._response: T | None = None
        self._told: object = None
        self._pause = 0
        self._held = Held(plan.strategy)
        self._until = round(self._held.acquire() * _SECOND)

    def close(self) -> None:
        """Say that there are no further attempts."""
        self._held.close()

    def pause(self) -> float:
        """Give the seconds until the next attempt, by the clock: a timer may fire early."""
        if self._plan.cancel is not None and self._plan.cancel.is_set():
            raise RetryCancelled("the request was cancelled", "cancelled", *self._last()) from self._let_go()
        return (self._until - self._elapsed()) / _SECOND

    def begin(self) -> Attempt:
        """Give what a call is told.

        Raises:
            RetryTimeout: The time that all attempts have is over: there is no other.

        """
        remaining = self.remaining()
        if remaining <= 0:
            raise self.cut()
        self._held.begin()
        self._attempts += 1
        limited = self._plan.max_time < _LONGEST
        return Attempt(number=self._attempts, remaining=remaining if limited else math.inf)

    def remaining(self) -> float:
        """Give the seconds that all attempts still have together."""
        return (round(self._plan.max_time * _SECOND) - self._elapsed()) / _SECOND

    def told(self) -> object:
        """Give what the caller's `on_failure` gave, once: the driver knows what to do with an awaitable."""
        told, self._told = self._told, None
        return told

    def respond(self, response: T) -> bool | RetryError:
        """Take a response, and say whether it is the end; a policy may make an error of it."""
        verdict = (
            None if self._plan.policy is None else self._plan.policy.evaluate(response=response, input=self._plan.input)
        )
        if verdict is None or verdict.state == "success":
            self._succeed()
            return True
        self._error, self._response = None, response
        failed = _FAILED if verdict.state == "failure" else None
        refusal = self._refresh((None, response), FailureInfo(retry=RetryInfo("yes")), None, failed)
        if refusal is None:
            return False
        return RetryError(str(refusal), refusal.code, self._attempts, response=response)

    def is_success(self, error: Exception) -> bool:
        """Say whether the policy takes an error for a success."""
        policy = self._plan.policy
        if policy is None or policy.evaluate(error=error, input=self._plan.input).state != "success":
            return False
        self._succeed()
        return True

    def again(self, error: Exception) -> bool:
        """Take an error, and say whether there is another attempt; its pause has then begun."""
        self._error, self._response = error, None
        failure, note, not_idempotent = self._classified(error)
        failed = None
        if self._plan.policy is not None:
            verdict = self._plan.policy.evaluate(error=error, input=self._plan.input)
            failed = _FAILED if verdict.state == "failure" else None
            failure = _allowed(failure)
        refusal = self._refresh((error, None), failure, note, failed, not_idempotent=not_idempotent)
        if refusal is None:
            return True
        self._error = None
        times = "once" if self._attempts == 1 else f"{self._attempts} times"
        if hasattr(error, "add_note"):
            error.add_note(f"smithy_waiters: tried {times}; {refusal}")
        return False

    def cut(self) -> RetryError:
        """Give the error of a call that was cut at the end of its time; raises one that the caller cancelled."""
        self.pause()
        problem = RetryTimeout(_OUT_OF_TIME, "out_of_time", *self._last())
        problem.__cause__ = self._let_go()
        return problem

    def _succeed(self) -> None:
        self._error = None
        self._held.succeed()

    def _classified(self, error: Exception) -> tuple[FailureInfo, RetryNote | None, bool]:
        given = None if self._plan.classify is None else self._plan.classify(error)
        if is_awaitable(given):
            raise TypeError("`classify` must answer at once, got an awaitable")
        if given is not None:
            return given, None, False
        plan = self._plan
        return classified(error, idempotent=plan.idempotent, now=plan.date(), operation=plan.operation)

    def _refresh(
        self,
        came: tuple[Exception | None, T | None],
        failure: FailureInfo,
        note: RetryNote | None,
        failed: RetryRefusal | None,
        *,
        not_idempotent: bool = False,
    ) -> RetryRefusal | None:
        refusal = failed or self._refused(failure)
        if not_idempotent and refusal is not None and refusal.code == "not_retryable":
            # A strategy is not told.
            refusal = RetryRefusal(f"{refusal.message}: {_NOT_IDEMPOTENT}", refusal.code)
        if self._plan.on_failure is not None:
            end, reason = (None, None) if refusal is None else (refusal.code, refusal.message)
            elapsed = self._elapsed() / _SECOND
            delay = None if refusal else self._pause / _SECOND
            self._told = self._plan.on_failure(
                RetryProgress(self._attempts, *came, failure, delay, end, reason, note, elapsed)
            )
        return refusal

    def _refused(self, failure: FailureInfo) -> RetryRefusal | None:
        try:
            delay = self._held.refresh(failure)
        except (RetryRefusal, TokenError) as refusal:
            return RetryRefusal(refusal.message, refusal.code)
        self._pause = round(delay * _SECOND)
        self._until = self._elapsed() + self._pause
        out_of_time = self._until >= self._plan.max_time * _SECOND
        return RetryRefusal(_OUT_OF_TIME, "out_of_time") if out_of_time else None

    def _elapsed(self) -> int:
        return max(0, round((now(self._clock) - self._began) * _SECOND))

    def _last(self) -> tuple[int, T | None, Exception | None]:
        return self._attempts, self._response, self._error

    def _let_go(self) -> Exception | None:
        """Give the newest error, and hold it no longer: errors hold the frames they passed, and those this request."""
        error, self._error = self._error, None
        return error


def _allowed(failure: FailureInfo) -> FailureInfo:
    """Give the same where a policy says that it is to be retried."""
    known = failure.retry or RetryInfo("yes")
    retry = RetryInfo("yes", throttle=known.throttle, timeout=known.timeout, retry_after=known.retry_after)
    return FailureInfo(retry=retry, fault=failure.fault)
