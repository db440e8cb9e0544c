"""What callers cancel waits by, as types."""

from __future__ import annotations

from typing import Protocol


class Flag(Protocol):
    """What can be asked whether the caller cancelled."""

    def is_set(self) -> bool:
        """Say whether the caller cancelled."""


class Event(Flag, Protocol):
    """What cancels a blocking wait: a `threading.Event`, or the like."""

    def wait(self, timeout: float | None = None, /) -> bool:
        """Sleep until the caller cancels, at most for some seconds."""
