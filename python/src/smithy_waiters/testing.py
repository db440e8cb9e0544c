"""Test support: a fake clock, on which a wait of an hour takes no time.

>>> from smithy_waiters import Waiter
>>> from smithy_waiters.testing import FakeClock
>>> waiter = Waiter(
...     {
...         "acceptors": [
...             {
...                 "state": "success",
...                 "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "ACTIVE"}},
...             }
...         ]
...     }
... )
>>> answers = iter([{"Status": "CREATING"}, {"Status": "CREATING"}, {"Status": "ACTIVE"}])
>>> clock = FakeClock()
>>> outcome = waiter.wait(lambda: next(answers), max_wait=3600, seed=7, clock=clock)
>>> outcome.elapsed == clock.now
True
>>> clock.sleeps
[2.0, 2.033]
"""

from __future__ import annotations

import math
import sys
import threading
from datetime import timedelta
from heapq import heappop, heappush
from itertools import count
from numbers import Real
from typing import TYPE_CHECKING

from .drivers.detection import running

if TYPE_CHECKING:
    from typing import Any

__all__ = ["FakeClock"]


class FakeClock:
    """A clock that only advances by sleeps and by `advance`.

    Pass it as `clock` to `Waiter.wait` or `Waiter.wait_async`; the wait then also sleeps on it. Calls take no time
    unless they advance the clock or sleep on it. Times are in seconds.

    `sleep` advances the clock immediately. `sleep_async` first lets all other tasks run that are ready; then the clock
    jumps to the end of the earliest sleep. It works on asyncio, trio and anyio.

    Attributes:
        now: The seconds since the clock was created.
        sleeps: The seconds of every sleep, in order: the pauses of waits and all other sleeps on the clock.

    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._micros = 0
        self._sleeps: list[float] = []
        # A heap by time. The number makes equal times comparable.
        self._timers: list[tuple[int, int, _Timer]] = []
        self._numbers = count()
        # The sleeps in order. The first one advances the clock for all, because each check for idleness is expensive.
        self._sleepers: dict[_Timer, None] = {}
        self._leader: _Timer | None = None
        self._jumps = 0

    @property
    def now(self) -> float:
        """The seconds since the clock was created."""
        return self._micros / _MICROS_PER_SECOND

    @property
    def sleeps(self) -> list[float]:
        """The seconds of every sleep on the clock, in order."""
        return list(self._sleeps)

    def __call__(self) -> float:
        """Return `now`, because waits call their clock."""
        return self.now

    def __repr__(self) -> str:
        return f"{type(self).__name__}(now={self.now!r}, sleeps={self._sleeps!r})"

    def advance(self, time: float | timedelta) -> None:
        """Advance the clock by a number of seconds or a `timedelta`, and wake up all sleeps that end by then.

        Use it in a call to simulate its duration, or to reach the deadline of a call that never returns.

        Raises:
            TypeError: `time` is not a number or a `timedelta`.
            ValueError: `time` is negative, infinite or NaN.

        """
        with self._lock:
            self._pass(self._micros + _micros(time))

    def sleep(self, seconds: float) -> None:
        """Advance the clock by a number of seconds, and record the sleep.

        Raises:
            TypeError: `seconds` is not a number.
            ValueError: `seconds` is negative, infinite or NaN.

        """
        self.advance(seconds)
        self._sleeps.append(seconds)

    async def sleep_async(self, seconds: float) -> None:
        """Sleep a number of seconds on this clock, which advances as soon as no other task is ready to run.

        Raises:
            TypeError: `seconds` is not a number.
            ValueError: `seconds` is negative, infinite or NaN.

        """
        timer = self._timer(seconds)
        self._sleeps.append(seconds)
        library = running()
        self._sleepers[timer] = None
        try:
            while not timer.is_over:
                if self._leader is None:
                    self._leader = timer
                if self._leader is not timer:
                    await timer.wait(library)
                    continue
                jumps = self._jumps
                await _wait_until_idle(library)
                # If another task advanced the clock, let the tasks that it woke run first.
                if jumps == self._jumps and not timer.is_over:
                    self._jump()
        finally:
            del self._sleepers[timer]
            timer.is_over = True
            if self._leader is timer:
                self._leader = next((sleeper for sleeper in self._sleepers if not sleeper.is_over), None)
                if self._leader is not None:
                    self._leader.wake()

    async def alarm(self, seconds: float) -> None:
        """Sleep a number of seconds without advancing this clock. Waits use it for deadlines.

        Raises:
            TypeError: `seconds` is not a number.
            ValueError: `seconds` is negative, infinite or NaN.

        """
        timer = self._timer(seconds)
        try:
            await timer.wait(running())
        finally:
            timer.is_over = True

    def _timer(self, seconds: float) -> _Timer:
        timer = _Timer(self._micros + _micros(seconds))
        if timer.at <= self._micros:
            timer.ring()
        else:
            heappush(self._timers, (timer.at, next(self._numbers), timer))
        return timer

    def _jump(self) -> None:
        with self._lock:
            # A sleep that was cancelled does not advance the clock.
            while self._timers[0][2].is_over:
                heappop(self._timers)
            self._pass(self._timers[0][0])

    def _pass(self, until: int) -> None:
        self._micros = max(self._micros, until)
        self._jumps += 1
        while self._timers and self._timers[0][0] <= self._micros:
            heappop(self._timers)[2].ring()


# The clock counts whole microseconds, because sums of floating-point seconds are inexact.
_MICROS_PER_SECOND = 1_000_000

# The number of turns of the event loop after which other tasks count as idle, because asyncio cannot report idleness.
# A chain of tasks that wait for each other may need one turn each.
_TURNS = 100


class _Timer:
    """A sleep until a time of the clock."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.is_over = False
        self._bell: Any = None

    def ring(self) -> None:
        self.is_over = True
        self.wake()

    def wake(self) -> None:
        if self._bell is not None:
            self._bell.set()

    async def wait(self, library: str | None) -> None:
        if self.is_over:
            return
        self._bell = sys.modules["trio" if library == "trio" else "asyncio"].Event()
        await self._bell.wait()


def _micros(time: float | timedelta) -> int:
    return round(_seconds(time) * _MICROS_PER_SECOND)


def _seconds(time: float | timedelta) -> float:
    seconds: Any = time.total_seconds() if isinstance(time, timedelta) else time
    message = f"a time must be a number of seconds, at least 0, got {time!r}"
    if not _is_number(seconds):
        raise TypeError(message)
    if 0 <= seconds < math.inf:
        return float(seconds)
    raise ValueError(message)


def _is_number(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real)


async def _wait_until_idle(library: str | None) -> None:
    """Wait until no other task is ready to run."""
    if library == "trio":
        from trio.testing import wait_all_tasks_blocked  # noqa: PLC0415

        await wait_all_tasks_blocked()
    elif library is not None:
        from asyncio import sleep  # noqa: PLC0415

        for _ in range(_TURNS):
            await sleep(0)
