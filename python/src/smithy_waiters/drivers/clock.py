"""The clock of a driver: whole milliseconds since the start of its machine."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from smithy_waiters._engine import _has_slept
from smithy_waiters.errors import OptionsError

if TYPE_CHECKING:
    from collections.abc import Callable

_MICROS_PER_SECOND = 1_000_000


class Clock:
    """The time since the start, on a clock in seconds.

    Readings are rounded to microseconds, because floating-point noise could otherwise make elapsed time appear shorter.
    Readings never decrease.

    A sleep that did not sleep counts as complete: the rest of its time is added to the clock. A test with a mocked
    `time.sleep` therefore runs in virtual time, with one sleep for each pause. A sleep that only returns early is
    repeated. Rule: docs/rules.md#mocked-sleeps.
    """

    __slots__ = ("_offset", "_read", "micros", "start")

    def __init__(self, read: Callable[[], float]) -> None:
        self._read: Callable[[], float] = read
        self._offset: int = 0
        self.micros: int = 0
        """The latest reading, in microseconds."""
        self.start: float = read()
        """The start, in seconds on the caller's clock."""
        if not is_finite(self.start):
            raise _refusal(self.start)

    def read(self) -> int:
        """Read the clock and return microseconds.

        Raises:
            OptionsError: The caller's clock did not return a finite number.

        """
        seconds = self._read()
        if isinstance(seconds, bool):
            raise _refusal(seconds)
        try:
            micros = round((seconds - self.start) * _MICROS_PER_SECOND) + self._offset
        except (TypeError, ValueError, OverflowError):
            raise _refusal(seconds) from None
        if micros > self.micros:  # noqa: PLR1730 - `max` would be a function call in every poll.
            self.micros = micros
        return self.micros

    def now_ms(self) -> int:
        """Read the clock and return milliseconds, rounded down."""
        return self.read() // 1000

    @property
    def seconds(self) -> float:
        """The latest reading in seconds, rounded down to milliseconds."""
        return self.micros // 1000 / 1000

    def rest(self, until_ms: int) -> float:
        """Return the seconds until a time, which are negative after it."""
        return (until_ms * 1000 - self.read()) / _MICROS_PER_SECOND

    def advance(self, seconds: float, since: int | None = None) -> bool:
        """Account for a sleep that began at the latest reading, or at an earlier one, in microseconds.

        Return `True` if the sleep took time. Otherwise, add the rest of it to the clock and return `False`.
        """
        before, whole = self.micros if since is None else since, round(seconds * _MICROS_PER_SECOND)
        passed = self.read() - before
        if _has_slept(passed / 1000, whole / 1000):
            return True
        self._offset += whole - passed
        self.micros = max(self.micros, before + whole)
        return False


def is_finite(seconds: Any) -> bool:
    """Return `True` if an object is a finite number. A boolean is not a time."""
    try:
        return not isinstance(seconds, bool) and math.isfinite(seconds)
    except (TypeError, ValueError, OverflowError):
        return False


def _refusal(seconds: object) -> OptionsError:
    message = f"`clock` must return a finite number of seconds, got {seconds!r}"
    return OptionsError(message, "invalid_option", "clock")
