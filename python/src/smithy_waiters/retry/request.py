"""One request, as the drivers run it: the engine's machine, its clock, and the newest results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar

from smithy_waiters import _engine
from smithy_waiters._engine import Call, RequestReport, Sleep, StandardRetryStrategy
from smithy_waiters.drivers.call import is_awaitable
from smithy_waiters.drivers.cancel import is_cancelled
from smithy_waiters.drivers.deadline import remaining
from smithy_waiters.errors import RetryCancelled, RetryError, RetryTimeout
from smithy_waiters.outcome import Attempt

from .reading import RetryNote, facts
from .token import TokenLease

if TYPE_CHECKING:
    from collections.abc import Callable

    from smithy_waiters import Waiter
    from smithy_waiters._engine import FailureInfo, Operation
    from smithy_waiters.drivers.cancel import Flag
    from smithy_waiters.drivers.clock import Clock
    from smithy_waiters.vocabulary import State

    from .strategy import RetryStrategy

T = TypeVar("T")

RequestStep: TypeAlias = Call | Sleep | RequestReport


@dataclass(frozen=True)
class RetryProgress:
    """One attempt that failed, and what follows it."""

    attempt: int
    """Its number, from 1."""
    error: Exception | None
    """The error; `None` if a policy did not take a response for a success."""
    response: Any
    """That response; `None` if there is an error."""
    failure: FailureInfo
    """What that means for a retry."""
    delay: float | None
    """The seconds until the next attempt; `None` if there is none."""
    end: str | None
    """Why there is none, for programs: `not_retryable`, `max_retries`, `quota_exhausted`, `retry_after_too_long`,
    `out_of_time`, `failed` if a policy says so, or the code of a custom strategy's refusal."""
    reason: str | None
    """Why there is none, for people."""
    note: RetryNote | None
    """A header of the response that was ignored, and why; or what keeps the error from being retried."""
    elapsed: float
    """The seconds since the request started."""


@dataclass(frozen=True)
class Plan:
    """What the caller says of a request."""

    strategy: RetryStrategy
    idempotent: bool | None
    operation: Operation | None
    policy: Waiter | None
    input: object
    max_time: Any
    classify: Callable[[Exception], FailureInfo | None] | None
    on_failure: Callable[[RetryProgress], object] | None
    cancel: Flag | None
    date: Callable[[], float]


class RequestRun(Generic[T]):
    """The engine's request, its clock, and the newest results."""

    callback = "`on_failure`"

    def __init__(self, plan: Plan, clock: Clock) -> None:
        self.clock: Clock = clock
        self.cancel: Flag | None = plan.cancel
        self.callback_result: object = None
        self.deadline_ms: int | None = None
        self._plan = plan
        # The engine drives its own strategy, but not what a subclass may have made of it.
        is_own = type(plan.strategy) is StandardRetryStrategy
        self._lease = None if is_own else TokenLease(plan.strategy)
        strategy: Any = plan.strategy
        self._request = _engine.Request(
            strategy if self._lease is None else self._lease.delay,
            operation=plan.operation,
            input=plan.input,
            has_policy=plan.policy is not None,
            idempotent=plan.idempotent,
            max_time=plan.max_time,
        )
        self._call = Call(0, None)
        self._response: T | None = None
        self._error: Exception | None = None
        # Whether the newest result ended the request, and not the time or the caller.
        self._is_result_last = False

    def poll(self) -> RequestStep:
        """Return the step that is due by the newest reading of the clock."""
        self._is_result_last = False
        if is_cancelled(self.cancel):
            return self._handle("cancelled")
        step = self._request.poll(self.clock.micros // 1000)
        if isinstance(step, Call):
            self._call, self.deadline_ms = step, step.deadline_ms
            if self._lease is not None:
                self._lease.begin_attempt()
        return step

    def attempt(self) -> Attempt:
        """Return the attempt of the call that is due."""
        call = self._call
        return Attempt(number=call.attempt, remaining=remaining(call.deadline_ms, self.clock.micros // 1000))

    def respond(self, response: T) -> RequestStep:
        """Take the call's response."""
        self._response, self._error = response, None
        policy = self._plan.policy
        state = "success" if policy is None else policy.evaluate(response=response, input=self._plan.input).state
        return self._conclude(state)

    def fail(self, error: Exception) -> RequestStep:
        """Take the call's error."""
        self._response, self._error = None, error
        policy = self._plan.policy
        state = "retry" if policy is None else policy.evaluate(error=error, input=self._plan.input).state
        return self._conclude(state)

    def cut(self) -> RequestStep:
        """Take the end of a call that was cancelled: by the caller, else at its deadline."""
        return self._handle("cancelled" if is_cancelled(self.cancel) else "deadlineReached")

    def end(self, report: RequestReport) -> T | None:
        """Return the response, or `None` if a policy takes an error for a success.

        Raises:
            Exception: The error of the last attempt.
            RetryError: The request failed without one.

        """
        response, error = self._response, self._error
        # Errors hold the frames they passed, and those this run: let them go.
        self._response = self._error = None
        try:
            if report.code is None:
                return response
            if error is not None and self._is_result_last:
                if hasattr(error, "add_note"):
                    error.add_note(f"smithy_waiters: {report}")
                raise error
            kinds = {"cancelled": RetryCancelled, "out_of_time": RetryTimeout}
            kind = RetryError if self._is_result_last else kinds.get(report.code, RetryError)
            raise kind(report.message or "", report.code, report.attempts, response, error) from error
        finally:
            # So does this frame, by the traceback of the failure.
            del response, error

    def close(self) -> None:
        """Return the token of an attempt that will not be made."""
        self._request.handle("cancelled", self.clock.micros // 1000)
        if self._lease is not None:
            self._lease.close()

    def _handle(self, event: Literal["success", "deadlineReached", "cancelled"]) -> RequestStep:
        return self._request.handle(event, self.clock.now_ms())

    def _conclude(self, state: State) -> RequestStep:
        """Take a result by what it is: a success, a failure, or one to be retried."""
        self._is_result_last = True
        if state == "success":
            if self._lease is not None:
                self._lease.record_success()
            return self._handle("success")
        failure = self._request.classify(self._facts())
        now_ms = self.clock.now_ms()
        if state == "failure":
            step = self._request.handle("failure", now_ms)
        elif self._lease is None:
            step = self._request.handle("retry", now_ms, failure)
        else:
            step = self._request.handle("decided", now_ms, failure, self._lease.refresh(failure.failure))
        if self._plan.on_failure is not None:
            report = step if isinstance(step, RequestReport) else None
            self.callback_result = self._plan.on_failure(
                RetryProgress(
                    attempt=self._request.attempts,
                    error=self._error,
                    response=self._response,
                    failure=failure.failure,
                    delay=(step.until_ms - now_ms) / 1000 if isinstance(step, Sleep) else None,
                    end=None if report is None else report.code,
                    reason=None if report is None else report.message,
                    note=None if failure.note is None else RetryNote(*failure.note),
                    elapsed=self.clock.seconds,
                )
            )
        return step

    def _facts(self) -> Any:
        """Return what is known of the newest result: facts or a classification of an error, nothing of a response."""
        error, classify = self._error, self._plan.classify
        if error is None:
            return None
        given = None if classify is None else classify(error)
        if is_awaitable(given):
            raise TypeError("`classify` must not return an awaitable")
        return facts(error, now=self._plan.date()) if given is None else given
