"""A clock for blocking calls."""

from __future__ import annotations


class BlockingTime:
    """Virtual milliseconds for a thread, and the event that its caller sets at a given time."""

    def __init__(self, cancel_at: int | None) -> None:
        self.now_ms = 0
        self._cancel_at = cancel_at

    def clock(self) -> float:
        return self.now_ms / 1000

    def sleep(self, seconds: float) -> None:
        self.now_ms += round(seconds * 1000)

    def set(self) -> None:
        self._cancel_at = self.now_ms

    def is_set(self) -> bool:
        return self._cancel_at is not None and self.now_ms >= self._cancel_at

    def wait(self, timeout: float | None = None) -> bool:
        """Sleep like `threading.Event.wait`, until the event is set at the latest."""
        assert timeout is not None
        end = self.now_ms + round(timeout * 1000)
        self.now_ms = max(self.now_ms, end if self._cancel_at is None else min(end, self._cancel_at))
        return self.is_set()
