"""Which async library runs. None is imported that the program has not imported itself."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from smithy_waiters.errors import OptionsError

if TYPE_CHECKING:
    from typing import Literal

Alarm: TypeAlias = Callable[[], Awaitable[object]]


class Library(NamedTuple):
    """An async library, as a driver uses it."""

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


def running() -> Literal["anyio", "asyncio", "trio"] | None:
    """Name the library that runs the caller.

    Trio comes first: its guest mode runs inside of asyncio. A task of asyncio that anyio has a record of is anyio's,
    since it may be inside of one of its cancel scopes; on trio, anyio's scopes are trio's.
    """
    if _runs_trio():
        return "trio"
    if not _runs_asyncio():
        return None
    return "anyio" if _is_known_to_anyio() else "asyncio"


def library(*, sleeps: bool) -> Library:
    """Return the library that runs the caller.

    Raises:
        OptionsError: It is not a known one, and the caller gave no sleep.

    """
    name = running()
    if name is None and not sleeps:
        raise OptionsError("`sleep` is missing: neither asyncio nor trio is running", "missing_option", "sleep")
    found: Library = import_module(f".on_{name or 'any'}", __package__).library()
    return found


def _runs_trio() -> bool:
    trio = sys.modules.get("trio")
    return trio is not None and _succeeds(trio.lowlevel.current_task)


def _runs_asyncio() -> bool:
    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and _succeeds(asyncio.get_running_loop)


def _is_known_to_anyio() -> bool:
    # Not public, but there is no public function for it. Other tasks are asyncio's own.
    states = getattr(sys.modules.get("anyio._backends._asyncio"), "_task_states", None)
    return states is not None and sys.modules["asyncio"].current_task() in states


def _succeeds(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except RuntimeError:
        return False
    return True
