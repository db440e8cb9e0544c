"""A request, as drivers run it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from smithy_waiters import _engine
from smithy_waiters._engine import Call, RequestReport, Sleep, _must_be
from smithy_waiters.drivers.call import is_awaitable
from smithy_waiters.drivers.clock import is_finite
from smithy_waiters.drivers.run import Run
from smithy_waiters.errors import RetryCancelled, RetryError, RetryRefusal, RetryTimeout, TokenError
from smithy_waiters.events import Cancelled
from smithy_waiters.failed_request import facts

from .classification import RetryNote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from smithy_waiters._engine import Classified, FailureInfo
    from smithy_waiters.literals import State
    from smithy_waiters.waiter import Waiter

    from .strategy import RetryStrategy

T = TypeVar("T")

RequestStep: TypeAlias = Call | Sleep | RequestReport


@dataclass(frozen=True)
class RetryProgress:
    """A failed attempt, and the retry or the end of the request after it."""

    attempt: int
    """The number of the attempt, starting at 1."""
    error: Exception | None
    """The error; `None` if a policy rejected a response."""
    response: Any
    """The response that a policy rejected; `None` for an error."""
    failure: FailureInfo
    """The classification of the failure."""
    delay: float | None
    """The seconds until the next attempt; `None` if there is no further attempt."""
    end: str | None
    """The machine-readable reason why there is no further attempt: `not_retryable`, `max_retries`, `quota_exhausted`,
    `retry_after_too_long`, `out_of_time`, `failed` (by the policy), or the code of a custom strategy's refusal.
    """
    reason: str | None
    """The reason why there is no further attempt, as text."""
    note: RetryNote | None
    """A note on the classification: a header was ignored, or another reason prevents a retry."""
    elapsed: float
    """The seconds since the start of the request."""


class RequestRun(Run[T]):
    """A request of the engine, its clock, the token of its strategy, and the latest result."""

    _machine: _engine.Request
    _failure: Classified

    def __init__(self, strategy: RetryStrategy, policy: Waiter | None, options: Mapping[str, Any]) -> None:
        request = _engine.Request(
            has_policy=policy is not None,
            **{name: options.get(name) for name in ("operation", "input", "idempotent", "max_time")},
        )
        super().__init__(request, options.get("cancel"))
        self._strategy, self._policy, self._options = strategy, policy, options
        self._token: Any = None
        # `True` if the latest result ended the request, and not the deadline or the caller.
        self._is_result_last = False

    def poll(self) -> RequestStep:
        """Return the current step at the latest reading of the clock."""
        self._is_result_last = False
        step = self._take(super().poll())
        if isinstance(step, Call):
            self._call = step
            self.deadline_ms: int | None = step.deadline_ms
        return step

    def respond(self, response: T) -> RequestStep:
        """Handle the call's response."""
        self._response, self._error = response, None
        return self._conclude(self._state(response=response) or "success")

    def fail(self, error: Exception) -> RequestStep:
        """Handle the call's error."""
        self._response, self._error = None, error
        return self._conclude(self._state(error=error) or "retry")

    def end(self, report: RequestReport) -> T | None:
        """Return the response, or `None` if a policy classifies an error as success.

        Raises:
            Exception: The error of the last attempt.
            RetryError: The request failed without an error of its call.

        """
        response, error = self._response, self._error
        # Tracebacks of errors reference frames that reference this run: break the cycle.
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
            # The traceback of the failure references this frame, too.
            del response, error

    def close(self) -> None:
        """Release the token of an attempt that is not made."""
        # The time does not matter here: the machine does not go back.
        self._take(self._machine.handle(Cancelled(), 0))

    def _state(self, **result: Any) -> State | None:
        """Return the state by the policy, or `None` without a policy."""
        if self._policy is None:
            return None
        state: State = self._policy.evaluate(**result, input=self._options.get("input")).state
        return state

    def _conclude(self, state: State) -> RequestStep:
        """Handle a result, which is a success, a failure, or to be retried."""
        self._is_result_last = True
        if state == "success":
            return self._handle("success")
        self._failure = failure = self._machine.classify(self._facts())
        now_ms = self.clock.now_ms()
        step = self._take(self._machine.handle(state, now_ms, failure))
        if (on_failure := self._options.get("on_failure")) is not None:
            report = step if isinstance(step, RequestReport) else None
            progress = RetryProgress(
                attempt=self._machine.attempts,
                error=self._error,
                response=self._response,
                failure=failure.failure,
                delay=(step.until_ms - now_ms) / 1000 if isinstance(step, Sleep) else None,
                end=None if report is None else report.code,
                reason=None if report is None else report.message,
                note=None if failure.note is None else RetryNote(*failure.note),
                elapsed=self.clock.seconds,
            )
            self.callbacks.append(("on_failure", partial(on_failure, progress)))
        return step

    def _handle(self, event: Any) -> RequestStep:
        return self._take(super()._handle(event))

    def _take(self, step: Any) -> RequestStep:
        """Take the steps of the strategy, and return the step after them."""
        while isinstance(step, str):
            step = self._call_strategy(step)
        next_step: RequestStep = step
        return next_step

    def _call_strategy(self, step: str) -> Any:
        # The strategy takes no time.
        now_ms = self.clock.micros // 1000
        # Each token is used once, even if the strategy raises.
        strategy, token, self._token = self._strategy, self._token, None
        try:
            if step in ("acquire", "refresh"):
                self._token = (
                    strategy.acquire_initial_token()
                    if step == "acquire"
                    else strategy.refresh_retry_token(token, self._failure.failure)
                )
                return self._machine.handle_token(self._token, now_ms)
            if step == "record":
                strategy.record_success(token)
            elif (release := getattr(strategy, "release_token", None)) is not None:
                release(token)
        except (RetryRefusal, TokenError) as refusal:
            return self._machine.handle_refusal(refusal, now_ms)
        return self._machine.handle("returned", now_ms)

    def _facts(self) -> Any:
        """Return the facts or the classification of the latest error; `None` for a response."""
        error, classify, date = self._error, *map(self._options.get, ("classify", "date"))
        if error is None:
            return None
        info = None if classify is None else classify(error)
        if is_awaitable(info):
            raise TypeError("`classify` must not return an awaitable")
        if info is not None:
            if not isinstance(info, _engine.FailureInfo):
                raise _must_be("classify", "a function that returns a `FailureInfo` or `None`", info)
            return info
        now = (date or time.time)()
        if not is_finite(now):
            raise _must_be("date", "a function that returns seconds since 1970", now)
        return facts(error, now=now)
