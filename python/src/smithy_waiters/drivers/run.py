"""What the drivers run: a machine of the engine, with the results that only the host has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from smithy_waiters.outcome import Attempt

    from .cancel import Flag
    from .clock import Clock

T_contra = TypeVar("T_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)


class Run(Protocol[T_contra, R_co]):
    """A wait or a request, as the loops drive it.

    Each method returns the next step: a `Call`, a `Sleep`, or the report of the end.
    """

    clock: Clock
    cancel: Flag | None
    callback: str
    """The option that is called after attempts."""
    callback_result: object
    """The result of its newest call; the driver awaits or refuses an awaitable, and takes it away."""
    deadline_ms: int | None
    """When an awaitable of that callback is cancelled."""

    def poll(self) -> Any:
        """Return the step that is due by the newest reading of the clock."""
        ...

    def attempt(self) -> Attempt:
        """Return the attempt of the call that is due."""
        ...

    def respond(self, response: T_contra) -> Any:
        """Take the call's response."""
        ...

    def fail(self, error: Exception) -> Any:
        """Take the call's error."""
        ...

    def cut(self) -> Any:
        """Take the end of a call that was cancelled: by the caller, else at its deadline."""
        ...

    def end(self, report: Any) -> R_co:
        """Return or raise the result."""
        ...
