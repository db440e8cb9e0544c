"""Cancellation by an event of the caller."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Protocol

from smithy_waiters.errors import OptionsError

if TYPE_CHECKING:
    from collections.abc import Coroutine


class Flag(Protocol):
    """Whether the caller cancelled."""

    def is_set(self) -> bool:
        """Return whether the caller cancelled."""
        ...


class Event(Flag, Protocol):
    """Cancels a blocking call: a `threading.Event`, or the like."""

    def wait(self, timeout: float | None = None, /) -> object:
        """Sleep until the caller cancels, at most for some seconds."""
        ...


class AsyncEvent(Flag, Protocol):
    """Cancels an awaited call: an `asyncio.Event`, `trio.Event` or `anyio.Event`, or the like."""

    def wait(self) -> Coroutine[Any, Any, object]:
        """Sleep until the caller cancels."""
        ...


def is_cancelled(cancel: Flag | None) -> bool:
    """Return whether the caller cancelled."""
    return cancel is not None and cancel.is_set()


def check_event(cancel: Any, *, awaited: bool) -> None:
    """Refuse an object that is not an event, or one that a driver of this kind cannot wait for.

    Raises:
        OptionsError: It is not an event of this kind.

    """
    if cancel is None:
        return
    wait = getattr(cancel, "wait", None)
    if not (callable(getattr(cancel, "is_set", None)) and callable(wait)):
        raise OptionsError("`cancel` must be an event, with `is_set` and `wait`", "invalid_option", "cancel")
    if inspect.iscoroutinefunction(wait) is not awaited:
        needed = "an event whose `wait` is awaited" if awaited else "an event whose `wait` blocks"
        raise OptionsError(f"`cancel` must be {needed}", "invalid_option", "cancel")
