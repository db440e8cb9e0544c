"""For the tests of programs that wait: a clock on which a wait of an hour takes no time.

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
from numbers import Real
from typing import TYPE_CHECKING

from .drivers.detection import running

if TYPE_CHECKING:
    from typing import Any

__all__ = ["FakeClock"]


class FakeClock:
    """A clock that stands still but for its sleeps.

    Give it to `Waiter.wait` or `wait_async` as `clock`: the wait then sleeps on it, too. Calls take no time on it,
    unless they `advance` it, or sleep on it. Times are in seconds.

    `sleep` lets the time pass at once. `sleep_async` lets everything else run first that is ready to; then the clock
    jumps to the end of the sleep that is over first. It works on asyncio, trio and anyio.

    Attributes:
        now: The seconds that have passed since the clock was made.
        sleeps: Every sleep that was asked for, in order: the pauses of a wait, and whatever else slept on it.

    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._micros = 0
        self._sleeps: list[float] = []
        self._timers: list[_Timer] = []
        self._jumps = 0

    @property
    def now(self) -> float:
        """The seconds that have passed since the clock was made."""
        return self._micros / _SECOND

    @property
    def sleeps(self) -> list[float]:
        """Every sleep that was asked for, in seconds and in order."""
        return list(self._sleeps)

    def __call__(self) -> float:
        """Give the same as `now`: a clock is a function to a wait."""
        return self.now

    def __repr__(self) -> str:
        return f"{type(self).__name__}(now={self.now!r}, sleeps={self._sleeps!r})"

    def advance(self, time: float | timedelta) -> None:
        """Let so much time pass at once, and wake up those whose sleep is over by then: seconds, or a `timedelta`.

        So a call takes its time, and so a call that never answers reaches its deadline.
        """
        with self._lock:
            self._pass(self._micros + _micros(time))

    def sleep(self, seconds: float) -> None:
        """Let so many seconds pass, and remember that somebody slept."""
        self.advance(seconds)
        self._sleeps.append(seconds)

    async def sleep_async(self, seconds: float) -> None:
        """Sleep so many seconds of this clock; it goes on as soon as nothing else is ready to run."""
        timer = self._timer(seconds)
        self._sleeps.append(seconds)
        library = running()
        try:
            while not timer.is_over:
                jumps = self._jumps
                await _wait_until_idle(library)
                # Where another sleeper was first, those whom it woke go first, too.
                if jumps == self._jumps and not timer.is_over:
                    self._jump()
        finally:
            self._forget(timer)

    async def alarm(self, seconds: float) -> None:
        """Sleep likewise, but without letting time pass: for deadlines."""
        timer = self._timer(seconds)
        try:
            await timer.wait(running())
        finally:
            self._forget(timer)

    def _timer(self, seconds: float) -> _Timer:
        timer = _Timer(self._micros + _micros(seconds))
        if timer.at <= self._micros:
            timer.ring()
        else:
            self._timers.append(timer)
        return timer

    def _forget(self, timer: _Timer) -> None:
        if timer in self._timers:
            self._timers.remove(timer)

    def _jump(self) -> None:
        with self._lock:
            self._pass(min(timer.at for timer in self._timers))

    def _pass(self, until: int) -> None:
        self._micros = max(self._micros, until)
        self._jumps += 1
        for timer in [timer for timer in self._timers if timer.at <= self._micros]:
            self._timers.remove(timer)
            timer.ring()


# The clock counts whole microseconds: sums of seconds would be a little off.
_SECOND = 1_000_000

# How many things may wait for each other, one after the other, before nothing else counts as ready to run: asyncio does
# not tell.
_TURNS = 100


class _Timer:
    """Somebody who sleeps until a time."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.is_over = False
        self._bell: Any = None

    def ring(self) -> None:
        self.is_over = True
        if self._bell is not None:
            self._bell.set()

    async def wait(self, library: str | None) -> None:
        if self.is_over:
            return
        self._bell = sys.modules["trio" if library == "trio" else "asyncio"].Event()
        await self._bell.wait()


def _micros(time: float | timedelta) -> int:
    return round(_seconds(time) * _SECOND)


def _seconds(time: float | timedelta) -> float:
    seconds: Any = time.total_seconds() if isinstance(time, timedelta) else time
    mistake = f"a time must be a number of seconds, at least 0, got {time!r}"
    if not _is_number(seconds):
        raise TypeError(mistake)
    if 0 <= seconds < math.inf:
        return float(seconds)
    raise ValueError(mistake)


def _is_number(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real)


async def _wait_until_idle(library: str | None) -> None:
    """Wait until nothing else is ready to run."""
    if library == "trio":
        from trio.testing import wait_all_tasks_blocked  # noqa: PLC0415

        await wait_all_tasks_blocked()
    elif library is not None:
        from asyncio import sleep  # noqa: PLC0415

        for _ in range(_TURNS):
            await sleep(0)
