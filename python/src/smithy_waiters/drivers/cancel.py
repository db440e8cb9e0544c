"""Cancellation by an event of the caller."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Protocol

from smithy_waiters._engine import _must_be

if TYPE_CHECKING:
    from collections.abc import Coroutine


# A blocking caller of several waits notices its `cancel` event within this time, in seconds: no call waits for two
# events at once.
CANCEL_INTERVAL = 0.1


class Flag(Protocol):
    """A flag that is set to cancel."""

    def is_set(self) -> bool:
        """Return `True` if the caller cancelled."""
        ...


class Event(Flag, Protocol):
    """An event that cancels a blocking wait: a `threading.Event` or a similar object."""

    def wait(self, timeout: float | None = None, /) -> object:
        """Sleep until the caller cancels, or until the timeout in seconds."""
        ...


class AsyncEvent(Flag, Protocol):
    """An event that cancels an asynchronous wait: an event of asyncio, trio or anyio, or a similar object."""

    def wait(self) -> Coroutine[Any, Any, object]:
        """Sleep until the caller cancels."""
        ...


def is_cancelled(cancel: Flag | None) -> bool:
    """Return `True` if the caller cancelled."""
    return cancel is not None and cancel.is_set()


def check_event(cancel: Any, *, awaited: bool) -> None:
    """Check that `cancel` is an event, and that its `wait` blocks or is awaited as the driver requires.

    Raises:
        OptionsError: It is not such an event.

    """
    if cancel is None:
        return
    wait = getattr(cancel, "wait", None)
    if not (callable(getattr(cancel, "is_set", None)) and callable(wait)):
        raise _must_be("cancel", "an event, with `is_set` and `wait`", cancel)
    if inspect.iscoroutinefunction(wait) is not awaited:
        needed = "an event whose `wait` is awaited" if awaited else "an event whose `wait` blocks"
        raise _must_be("cancel", needed, cancel)
