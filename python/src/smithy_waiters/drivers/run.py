"""The machines of the engine, as the drivers run them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from smithy_waiters._engine import Call
from smithy_waiters.events import Cancelled, DeadlineReached
from smithy_waiters.outcome import Attempt

from .cancel import is_cancelled
from .deadline import remaining

if TYPE_CHECKING:
    from .cancel import Flag
    from .clock import Clock

T = TypeVar("T")


class Run(Generic[T]):
    """A wait or a request: the engine's machine, its clock, and the newest results, which only the host has.

    Each method that takes the end of a call returns the next step: a `Call`, a `Sleep`, or the report of the end.
    """

    callback: str
    """The option that is called after attempts."""

    clock: Clock
    """The clock of the machine."""

    def __init__(self, machine: Any, cancel: Flag | None) -> None:
        self.cancel: Flag | None = cancel
        self.callback_result: object = None
        """The result of the newest callback; the driver awaits or refuses an awaitable, and takes it away."""
        self.deadline_ms: int | None = None
        """The deadline of such an awaitable."""
        self._machine: Any = machine
        self._call = Call(0, None)
        self._response: T | None = None
        self._error: Exception | None = None

    def begin(self, clock: Clock) -> Any:
        """Return the first step, at the start of a clock."""
        self.clock = clock
        return self.poll()

    def poll(self) -> Any:
        """Return the step that is due by the newest reading of the clock."""
        if is_cancelled(self.cancel):
            return self._handle(Cancelled())
        step = self._machine.poll(self.clock.micros // 1000)
        if isinstance(step, Call):
            self._call = step
        return step

    def attempt(self) -> Attempt:
        """Return the attempt of the call that is due."""
        return Attempt(
            number=self._call.attempt, remaining=remaining(self._call.deadline_ms, self.clock.micros // 1000)
        )

    def respond(self, response: T) -> Any:
        """Take the call's response."""
        raise NotImplementedError

    def fail(self, error: Exception) -> Any:
        """Take the call's error."""
        raise NotImplementedError

    def cut(self) -> Any:
        """Take the end of a call that was cancelled: by the caller, else at its deadline."""
        return self._handle(Cancelled() if is_cancelled(self.cancel) else DeadlineReached())

    def end(self, report: Any) -> Any:
        """Return or raise the result."""
        raise NotImplementedError

    def _handle(self, event: Any) -> Any:
        return self._machine.handle(event, self.clock.now_ms())
