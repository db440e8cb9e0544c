"""The time of a driver: whole milliseconds since its machine started."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from smithy_waiters.errors import OptionsError

if TYPE_CHECKING:
    from collections.abc import Callable

_SECOND = 1_000_000

# A sleep that returns before a tenth of its time, 5 ms at most, has passed did not sleep: the rule of all languages.
_PART = 10
_SHORTEST_SLEEP = 5_000


class Clock:
    """The time since the start, by a clock in seconds.

    Readings are rounded to microseconds, so that the noise of floating point does not make time that is over look
    otherwise, and never go backwards.

    A sleep that returns at once (before a tenth of its time, 5 ms at most, has passed) counts as slept: the rest of it
    is added to the clock. So a test that mocks `time.sleep` runs in virtual time, with one sleep for each pause. A
    sleep that wakes up later than that, but too early, is slept again.
    """

    __slots__ = ("_offset", "_read", "micros", "start")

    def __init__(self, read: Callable[[], float]) -> None:
        self._read: Callable[[], float] = read
        self._offset: int = 0
        self.micros: int = 0
        """The newest reading, in microseconds."""
        self.start: float = read()
        """The start, in seconds as the clock counts them."""
        if not is_finite(self.start):
            raise _refusal(self.start)

    def read(self) -> int:
        """Read the clock; returns microseconds.

        Raises:
            OptionsError: The caller's clock did not return a finite number.

        """
        seconds = self._read()
        try:
            micros = round((seconds - self.start) * _SECOND) + self._offset
        except (TypeError, ValueError, OverflowError):
            raise _refusal(seconds) from None
        if micros > self.micros:  # noqa: PLR1730 - `max` is a call, and this is read in every poll.
            self.micros = micros
        return self.micros

    def now_ms(self) -> int:
        """Read the clock; returns milliseconds, rounded down: a millisecond that is not over has not passed."""
        return self.read() // 1000

    @property
    def seconds(self) -> float:
        """The newest reading in seconds, in whole milliseconds."""
        return self.micros // 1000 / 1000

    def rest(self, until_ms: int) -> float:
        """Return the seconds from now until a time; 0 or less after it."""
        return (until_ms * 1000 - self.read()) / _SECOND

    def advance(self, seconds: float) -> bool:
        """Count a sleep that began at the newest reading.

        Returns whether the sleep took any time; if it did not, the clock has been advanced by the rest of it.
        """
        before, whole = self.micros, round(seconds * _SECOND)
        passed = self.read() - before
        if passed >= min(whole / _PART, _SHORTEST_SLEEP):
            return True
        self._offset += whole - passed
        self.micros = before + whole
        return False


def is_finite(seconds: Any) -> bool:
    """Return whether an object is a finite number."""
    try:
        return math.isfinite(seconds)
    except (TypeError, ValueError, OverflowError):
        return False


def _refusal(seconds: object) -> OptionsError:
    message = f"`clock` must return a finite number of seconds, got {seconds!r}"
    return OptionsError(message, "invalid_option", "clock")
