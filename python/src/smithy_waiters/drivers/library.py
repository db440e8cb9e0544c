"""An async library, as a driver uses it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeAlias

Alarm: TypeAlias = Callable[[], Awaitable[object]]


class Library(NamedTuple):
    """The clock, the sleeps and the race of a library."""

    clock: Callable[[], float]
    """Returns the library's time in seconds, which its sleeps go by."""
    sleep: Callable[[float], Awaitable[object]]
    """Sleeps, by the library's function that programs and their tests know."""
    alarm: Callable[[float], Awaitable[object]]
    """Sleeps, by timers that no caller replaces; for 0 seconds everything else runs that is ready to."""
    race: Callable[[Awaitable[Any], list[Alarm]], Awaitable[Callable[[], Any] | None]]
    """Awaits something until an alarm ends; then cancels it and waits for its clean-up. Nothing is left running.

    Returns a function that returns or raises the result; `None` if an alarm was first. An error of an alarm is raised.
    """
