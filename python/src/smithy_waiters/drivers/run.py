"""A wait on its way, without its calls and sleeps: what all drivers share."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from smithy_waiters.errors import failure
from smithy_waiters.outcome import Attempt, ErrorOutcome, Progress, ResponseOutcome

from .given import now

if TYPE_CHECKING:
    from collections.abc import Callable

    from smithy_waiters._engine import Call, Done, Wait
    from smithy_waiters.outcome import Outcome
    from smithy_waiters.retry.strategy import RetryStrategy
    from smithy_waiters.vocabulary import Step

    from .given import Flag
    from .transient import Transients

T = TypeVar("T")


class Run(Generic[T]):
    """The engine's wait, the clock it is told, and the newest results, which only the host knows."""

    def __init__(
        self,
        wait: Wait,
        clock: Callable[[], float],
        cancel: Flag | None,
        on_attempt: Callable[[Progress[T]], object] | None,
        retry_strategy: RetryStrategy | None = None,
        *,
        matcher: Callable[[T], int | None] | None = None,
    ) -> None:
        self._wait = wait
        self._matcher = matcher
        self._clock = clock
        self._cancel = cancel
        self._on_attempt = on_attempt
        self._told: object = None
        self._transients = None if retry_strategy is None else _transients(retry_strategy)
        self._response: T | None = None
        self._error: Exception | None = None
        self._failed = False
        self._asked_ms = 0
        self._started = now(clock)

    def elapsed_ms(self) -> int:
        """Give the milliseconds since the wait began.

        Rounded to microseconds first: the noise of floating point must not make time that is over look as if it were
        not.
        """
        return max(0, round((now(self._clock) - self._started) * 1_000_000)) // 1000

    def is_cancelled(self) -> bool:
        """Say whether the caller cancelled."""
        return self._cancel is not None and self._cancel.is_set()

    def next(self) -> Step:
        """Give the step that is due."""
        if self.is_cancelled():
            return self.cancel()
        self._asked_ms = self.elapsed_ms()
        step = self._wait.next(self._asked_ms)
        if self._transients is not None and step.type == "call":
            self._transients.begin()
        return step

    def attempt(self, step: Call) -> Attempt:
        """Give what a call is told."""
        return Attempt(number=step.attempt, remaining=step.remaining_ms / 1000)

    def countdown(self, step: Call) -> Callable[[], float]:
        """Give what tells the seconds until the deadline of a call."""
        deadline_ms = self._asked_ms + step.remaining_ms
        return lambda: (deadline_ms - self.elapsed_ms()) / 1000

    def respond(self, response: T) -> Step:
        """Take the call's response."""
        self._response, self._failed = response, False
        if self.is_cancelled():
            return self.cancel()
        step = self._wait.observe_response(response, self.elapsed_ms(), matcher=self._matcher)
        if self._transients is not None:
            self._transients.succeed()
        self._report(response, None)
        return step

    def fail(self, error: Exception) -> Step:
        """Take the call's error."""
        self._error, self._failed = error, True
        if self.is_cancelled():
            return self.cancel()
        transients = self._transients
        pause = None if transients is None else partial(transients.pause, error)
        step = self._wait.observe_error(error, self.elapsed_ms(), retry=pause)
        if transients is not None and (latest := self._wait.latest) is not None and latest.acceptor is not None:
            transients.succeed()
        self._report(None, error)
        return step

    def cut(self) -> Step:
        """Say that the call was cut: by the caller, else at the deadline."""
        if self.is_cancelled():
            return self.cancel()
        step = self._wait.expire(self.elapsed_ms())
        self._report(None, None)
        return step

    def cancel(self) -> Step:
        """Say that the caller cancelled."""
        return self._wait.cancel(self.elapsed_ms())

    def told(self) -> object:
        """Give what the caller's `on_attempt` gave, once: the driver knows what to do with an awaitable."""
        told, self._told = self._told, None
        return told

    def after_report(self, step: Step) -> Step:
        """Give the step that is due now: what the caller's `on_attempt` does takes time, too."""
        return step if self._on_attempt is None else self.next()

    def close(self) -> None:
        """Say that nothing follows: an attempt that was granted is not made."""
        if self._transients is not None:
            self._transients.close()

    def end(self, ending: Done) -> Outcome[T]:
        """Give the outcome of a wait that is over, or raise its failure."""
        response, error, failed = self._response, self._error, self._failed
        # Errors hold the frames they passed, and those this run: let them go.
        self._response = self._error = None
        if ending.state != "success":
            raise failure(ending, response=response, error=error) from error
        success: dict[str, Any] = {
            "attempts": ending.attempts,
            "elapsed": ending.elapsed_ms / 1000,
            "acceptor": ending.acceptor,
            "acceptor_text": ending.acceptor_text,
            "history": ending.history,
        }
        if failed:
            return ErrorOutcome(error=cast("Exception", error), **success)
        return ResponseOutcome(response=cast("T", response), **success)

    def _report(self, response: T | None, error: Exception | None) -> None:
        latest = self._wait.latest
        if self._on_attempt is None or latest is None:
            return
        self._told = self._on_attempt(
            Progress(
                attempt=latest.attempt,
                result=latest.result,
                state=latest.state,
                acceptor=latest.acceptor,
                delay=None if latest.delay_ms is None else latest.delay_ms / 1000,
                next_is_last=latest.next_is_last,
                remaining=self._wait.remaining_ms / 1000,
                elapsed=latest.ended_ms / 1000,
                response=response,
                error=error,
                reasons=latest.reasons,
            )
        )


def _transients(strategy: RetryStrategy) -> Transients:
    """Give the wait's part of a strategy, loaded only where there is one."""
    from .transient import Transients  # noqa: PLC0415

    return Transients(strategy)
