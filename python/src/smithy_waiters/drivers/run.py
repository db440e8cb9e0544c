"""The common part of waits and requests, as drivers run them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from smithy_waiters._engine import Call
from smithy_waiters.events import Cancelled, DeadlineReached
from smithy_waiters.outcome import Attempt

from .cancel import is_cancelled
from .deadline import remaining

if TYPE_CHECKING:
    from collections.abc import Callable

    from .cancel import Flag
    from .clock import Clock

T = TypeVar("T")


class Run(Generic[T]):
    """A wait or a request: the engine's machine, its clock, and the latest result, which only the host stores.

    The methods that handle the end of a call return the next step: a `Call`, a `Sleep`, or the final report.
    """

    clock: Clock
    """The clock of the machine."""

    def __init__(self, machine: Any, cancel: Flag | None) -> None:
        self.cancel: Flag | None = cancel
        self.callbacks: list[tuple[str, Callable[[], object]]] = []
        """The options to call after the latest attempt, with their names. The driver calls them in turn and resets this
        attribute. Rule: docs/rules.md#around-a-wait.
        """
        self.deadline_ms: int | None = None
        """The deadline for awaiting the result of a callback."""
        self._machine: Any = machine
        self._call = Call(0, None)
        self._response: T | None = None
        self._error: Exception | None = None

    def begin(self, clock: Clock) -> Any:
        """Set the clock and return the first step."""
        self.clock = clock
        return self.poll()

    def poll(self) -> Any:
        """Return the current step at the latest reading of the clock."""
        if is_cancelled(self.cancel):
            return self._handle(Cancelled())
        step = self._next(self.clock.micros // 1000)
        if isinstance(step, Call):
            self._call = step
        return step

    def _next(self, now_ms: int) -> Any:
        return self._machine.poll(now_ms)

    def attempt(self) -> Attempt:
        """Return the attempt of the next call."""
        return Attempt(
            number=self._call.attempt, remaining=remaining(self._call.deadline_ms, self.clock.micros // 1000)
        )

    def respond(self, response: T) -> Any:
        """Handle the call's response."""
        raise NotImplementedError

    def fail(self, error: Exception) -> Any:
        """Handle the call's error."""
        raise NotImplementedError

    def abort(self) -> Any:
        """Handle the end of an aborted call. The caller cancelled it, or its deadline has passed."""
        return self._handle(Cancelled() if is_cancelled(self.cancel) else DeadlineReached())

    def end(self, report: Any) -> Any:
        """Return the final result, or raise its error."""
        raise NotImplementedError

    def _handle(self, event: Any) -> Any:
        return self._machine.handle(event, self.clock.now_ms())
