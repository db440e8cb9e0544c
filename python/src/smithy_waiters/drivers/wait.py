"""Waits, as drivers run them."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from smithy_waiters import _engine
from smithy_waiters._engine import Call, _must_be
from smithy_waiters.errors import WaiterError, failure
from smithy_waiters.events import Cancelled, DeadlineReached, Error, Response
from smithy_waiters.outcome import ErrorOutcome, Progress, ResponseOutcome

from .call import check_functions
from .cancel import is_cancelled
from .deadline import remaining, seconds_until
from .frames import without_own_frames
from .run import Run

if TYPE_CHECKING:
    from collections.abc import Callable

    from smithy_waiters._engine import Done, Wait
    from smithy_waiters.events import Event
    from smithy_waiters.options import DriverOptions
    from smithy_waiters.outcome import Outcome
    from smithy_waiters.steps import Step

    from .cancel import Flag
    from .clock import Clock

T = TypeVar("T")

LOGGER = logging.getLogger("smithy_waiters")
LEVELS = {"debug": logging.DEBUG, "info": logging.INFO}


class WaitRun(Run[T]):
    """A wait of the engine, its clock, and the latest results."""

    _machine: Wait

    def __init__(
        self,
        waiter: _engine.Waiter,
        input: object,
        options: DriverOptions,
        *,
        cancel: Flag | None,
        on_attempt: Callable[[Progress[T]], object] | None,
    ) -> None:
        super().__init__(None, cancel)
        rest: Any = dict(options)
        self.on_failure: Callable[[WaiterError], object] | None = rest.pop("on_failure", None)
        self.cancel_with: Callable[[], object] | None = rest.pop("cancel_with", None)
        on_change: Callable[[Progress[T]], object] | None = rest.pop("on_change", None)
        limit: Any = rest.pop("rate_limit", None)
        check_functions(on_change=on_change, on_failure=self.on_failure, cancel_with=self.cancel_with)
        if limit is not None and not isinstance(limit, _engine.RateLimit):
            raise _must_be("rate_limit", "a `RateLimit`", limit)
        self._limit: _engine.RateLimit | None = limit
        self._waiter, self._input, self._options = waiter, input, rest
        self._on_attempt, self._on_change = on_attempt, on_change

    def begin(self, clock: Clock) -> Step:
        """Start the wait on a clock, which is also the clock of its deadline, and return the first step."""
        options: Any = {**self._options, "deadline": seconds_until(self._options.get("deadline"), clock.start)}
        self._machine = _engine.Waiter.start(self._waiter, input=self._input, **options)
        step: Step = super().begin(clock)
        return step

    def poll(self) -> Step:
        """Return the current step at the latest reading of the clock."""
        step: Step = super().poll()
        # Only callbacks need it, and each read crosses into the extension.
        if (self._on_attempt or self._on_change) and isinstance(step, Call):
            self.deadline_ms: int | None = self._machine.deadline_ms
        return step

    def _next(self, now_ms: int) -> Step:
        if self._limit is None:
            return self._machine.poll(now_ms)
        # The limit is shared, so that its times are those of the clock and not of this wait.
        return self._machine._poll_within(now_ms, self._limit, self.clock.start * 1000)  # noqa: SLF001

    def respond(self, response: T) -> Step:
        """Handle the call's response."""
        self._response = response
        return self._conclude(Response(response), response, None)

    def fail(self, error: Exception) -> Step:
        """Handle the call's error."""
        self._error = error
        return self._conclude(Error(error), None, error)

    def abort(self) -> Step:
        """Handle the end of an aborted call. The caller cancelled it, or its deadline has passed."""
        return self._conclude(DeadlineReached(), None, None)

    def end(self, report: Done) -> Outcome[T] | WaiterError:
        """Return the outcome or the failure.

        The failure is returned instead of raised, to keep frames of the package out of its traceback.
        """
        response, error = self._response, self._error
        # Tracebacks of errors reference frames that reference this run: break the cycle.
        self._response = self._error = None
        return conclude(report, response, error)

    def _conclude(self, event: Event, response: T | None, error: Exception | None) -> Step:
        # The cancellation comes first, and the result stays in the report. Rule: docs/rules.md#order-of-endings
        is_over = is_cancelled(self.cancel)
        step = self._machine.handle(Cancelled() if is_over else event, self.clock.now_ms())
        if not is_over:
            self._log()
            if self._on_attempt is not None or self._on_change is not None:
                self._call_back(response, error)
        # With a limit, a poll lowers the rate after a throttled call, which must not wait for the end of the pause.
        return step if self._limit is None else self.poll()

    def _log(self) -> None:
        machine = self._machine
        for hint in machine.hints:
            LOGGER.warning("%s", hint.text)
        # Most programs log neither level, and each read crosses into the extension.
        if LOGGER.isEnabledFor(logging.INFO):
            level = LEVELS[machine.level or "debug"]
            if LOGGER.isEnabledFor(level):
                LOGGER.log(level, "%s", machine.summary)

    def _call_back(self, response: T | None, error: Exception | None) -> None:
        latest = self._machine.latest
        if latest is None:
            return
        progress = Progress(
            attempt=latest.attempt,
            result=latest.result,
            state=latest.state,
            acceptor=latest.acceptor,
            delay=None if latest.delay_ms is None else latest.delay_ms / 1000,
            next_is_last=latest.next_is_last,
            remaining=remaining(self._machine.deadline_ms, self._machine.now_ms),
            elapsed=latest.ended_ms / 1000,
            response=response,
            error=error,
            reasons=latest.reasons,
            values=latest.values,
            label=self._machine.label,
            summary=self._machine.summary or "",
            level=self._machine.level or "debug",
            hints=self._machine.hints,
        )
        if self._on_attempt is not None:
            self.callbacks.append(("on_attempt", partial(self._on_attempt, progress)))
        if self._on_change is not None and self._machine.changed:
            self.callbacks.append(("on_change", partial(self._on_change, progress)))


def conclude(report: Done, response: T | None, error: Exception | None) -> Outcome[T] | WaiterError:
    """Return the outcome or the failure of a report, with the latest response and the latest error."""
    if report.state != "success":
        cause = without_own_frames(report._cause(error))  # noqa: SLF001
        return failure(report, response=response, error=error, cause=cause)
    names = ("attempts", "acceptor", "acceptor_text", "history")
    success: dict[str, Any] = {**{name: getattr(report, name) for name in names}, "_report": report}
    success["elapsed"] = report.elapsed_ms / 1000
    within_ms = report.noticed_within_ms
    success["noticed_within"] = None if within_ms is None else within_ms / 1000
    if report.last_result == "error":
        return ErrorOutcome(error=cast("Exception", error), **success)
    return ResponseOutcome(response=cast("T", response), **success)
