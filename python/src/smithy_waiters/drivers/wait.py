"""Waits: the engine's machine with the caller's results, and the drivers that run it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from smithy_waiters._engine import Call, Sleep
from smithy_waiters.errors import StateError, failure
from smithy_waiters.events import Cancelled, DeadlineReached, Error, Response, Verdict
from smithy_waiters.outcome import Attempt, ErrorOutcome, Progress, ResponseOutcome

from . import awaiting, blocking
from .call import is_awaitable, taking_attempt
from .cancel import check_event, is_cancelled
from .clock import Clock
from .deadline import remaining
from .library import library
from .options import check_functions

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from smithy_waiters._engine import Done, Wait
    from smithy_waiters.events import Event
    from smithy_waiters.outcome import Outcome
    from smithy_waiters.vocabulary import Step

    from . import cancel as cancelling

T = TypeVar("T")


def wait(
    wait: Wait,
    call: Callable[[], T] | Callable[[Attempt], T],
    *,
    on_attempt: Callable[[Progress[T]], object] | None,
    cancel: cancelling.Event | None,
    matcher: Callable[[T], int | None] | None,
    sleep: Callable[[float], object] | None,
    clock: Callable[[], float] | None,
) -> Outcome[T]:
    """Drive a wait, blocking the thread; `Waiter.wait` documents the options."""
    taking = taking_attempt(call)
    check_functions(on_attempt=on_attempt, matcher=matcher, sleep=sleep, clock=clock)
    check_event(cancel, awaited=False)
    run: WaitRun[T] = WaitRun(
        wait, Clock(clock or time.monotonic), cancel=cancel, on_attempt=on_attempt, matcher=matcher
    )
    return blocking.drive(run, taking, blocking.sleeper(sleep, clock, cancel), instead="wait_async")


async def wait_async(
    wait: Wait,
    call: Callable[[], Awaitable[T]] | Callable[[Attempt], Awaitable[T]],
    *,
    on_attempt: Callable[[Progress[T]], object] | None,
    cancel: cancelling.AsyncEvent | None,
    matcher: Callable[[T], int | None] | None,
    sleep: Callable[[float], Awaitable[object]] | None,
    clock: Callable[[], float] | None,
) -> Outcome[T]:
    """Drive a wait on the async library that runs; `Waiter.wait_async` documents the options."""
    taking = taking_attempt(call)
    check_functions(on_attempt=on_attempt, matcher=matcher, sleep=sleep, clock=clock)
    check_event(cancel, awaited=True)
    sleeps = sleep is not None or hasattr(clock, "sleep_async")
    host = awaiting.Host(library(sleeps=sleeps), sleep=sleep, clock=clock, cancel=cancel)
    run: WaitRun[T] = WaitRun(wait, host.clock, cancel=cancel, on_attempt=on_attempt, matcher=matcher)
    return await awaiting.drive(run, taking, host, instead="wait")


class WaitRun(Generic[T]):
    """The engine's wait, its clock, and the newest results."""

    callback = "`on_attempt`"

    def __init__(
        self,
        wait: Wait,
        clock: Clock,
        *,
        cancel: cancelling.Flag | None,
        on_attempt: Callable[[Progress[T]], object] | None,
        matcher: Callable[[T], int | None] | None,
    ) -> None:
        self.clock: Clock = clock
        self.cancel: cancelling.Flag | None = cancel
        self.callback_result: object = None
        self.deadline_ms: int | None = None
        self._wait = wait
        self._on_attempt = on_attempt
        self._matcher = matcher
        self._call = Call(0, None)
        self._response: T | None = None
        self._error: Exception | None = None
        self._failed = False
        # The newest response that was in time: late ones are not in the history.
        self._matched: tuple[T] | None = None

    def poll(self) -> Step:
        """Return the step that is due by the newest reading of the clock."""
        if is_cancelled(self.cancel):
            return self._handle(Cancelled())
        step = self._wait.poll(self.clock.micros // 1000)
        if isinstance(step, Call):
            self._call = step
            if self._on_attempt is not None:
                self.deadline_ms = self._wait.deadline_ms
        return step

    def attempt(self) -> Attempt:
        """Return the attempt of the call that is due."""
        call = self._call
        return Attempt(number=call.attempt, remaining=remaining(call.deadline_ms, self._wait.now_ms))

    def respond(self, response: T) -> Step:
        """Take the call's response."""
        self._response, self._failed = response, False
        if is_cancelled(self.cancel):
            return self._handle(Cancelled())
        if self._matcher is None:
            step = self._handle(Response(response))
        else:
            step = self._handle(_verdict(self._matcher(response)))
            if isinstance(step, Sleep) or (step.type == "done" and step.last_result == "response"):
                self._matched = (response,)
        if self._on_attempt is not None:
            self._report(self._on_attempt, response, None)
        return step

    def fail(self, error: Exception) -> Step:
        """Take the call's error."""
        self._error, self._failed = error, True
        if is_cancelled(self.cancel):
            return self._handle(Cancelled())
        step = self._handle(Error(error))
        if self._on_attempt is not None:
            self._report(self._on_attempt, None, error)
        return step

    def cut(self) -> Step:
        """Take the end of a call that was cancelled: by the caller, else at its deadline."""
        if is_cancelled(self.cancel):
            return self._handle(Cancelled())
        step = self._handle(DeadlineReached())
        if self._on_attempt is not None:
            self._report(self._on_attempt, None, None)
        return step

    def end(self, report: Done) -> Outcome[T]:
        """Return the outcome of a successful wait.

        Raises:
            WaiterError: The wait failed.

        """
        response, error, failed = self._response, self._error, self._failed
        if report.state != "success" and self._matched is not None:
            report = self._wait.explain_response(*self._matched) or report
        # Errors hold the frames they passed, and those this run: let them go.
        self._response = self._error = self._matched = None
        try:
            if report.state != "success":
                cause = error if report.last_result == "error" else None
                raise failure(report, response=response, error=error) from cause
            success: dict[str, Any] = {
                "attempts": report.attempts,
                "elapsed": report.elapsed_ms / 1000,
                "acceptor": report.acceptor,
                "acceptor_text": report.acceptor_text,
                "history": report.history,
            }
            if failed:
                return ErrorOutcome(error=cast("Exception", error), **success)
            return ResponseOutcome(response=cast("T", response), **success)
        finally:
            # So does this frame, by the traceback of the failure.
            del response, error

    def _handle(self, event: Event) -> Step:
        return self._wait.handle(event, self.clock.now_ms())

    def _report(self, on_attempt: Callable[[Progress[T]], object], response: T | None, error: Exception | None) -> None:
        latest = self._wait.latest
        if latest is None:
            return
        self.callback_result = on_attempt(
            Progress(
                attempt=latest.attempt,
                result=latest.result,
                state=latest.state,
                acceptor=latest.acceptor,
                delay=None if latest.delay_ms is None else latest.delay_ms / 1000,
                next_is_last=latest.next_is_last,
                remaining=remaining(self._wait.deadline_ms, self._wait.now_ms),
                elapsed=latest.ended_ms / 1000,
                response=response,
                error=error,
                reasons=latest.reasons,
            )
        )


def _verdict(acceptor: Any) -> Verdict:
    """Return the event of what a matcher found.

    Raises:
        TypeError: It found neither an index nor `None`.

    """
    try:
        return Verdict(acceptor)
    except StateError:
        message = f"`matcher` must return the index of an acceptor or `None`, got {acceptor!r}"
    # Nobody will await it, and nobody is to be warned of that.
    is_awaitable(acceptor)
    raise TypeError(message)
