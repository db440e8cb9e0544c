"""The interface between a driver and an async library."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeAlias

Alarm: TypeAlias = Callable[[], Awaitable[object]]


class Library(NamedTuple):
    """The clock, the sleeps and the race of a library."""

    clock: Callable[[], float]
    """Return the library's time in seconds."""
    sleep: Callable[[float], Awaitable[object]]
    """Sleep by the public function of the library, which tests may mock."""
    alarm: Callable[[float], Awaitable[object]]
    """Sleep by timers that callers do not replace. With 0 seconds, all other tasks that are ready run."""
    race: Callable[[Awaitable[Any], list[Alarm]], Awaitable[Callable[[], Any] | None]]
    """Await an awaitable until an alarm ends. Then cancel the awaitable and wait for its clean-up.

    Return a function that returns or raises the result, or `None` if an alarm ended first. Errors of alarms are raised.
    Nothing is left running.
    """
