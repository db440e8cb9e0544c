"""Detects the async library that runs. None is imported that the program has not imported itself."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from smithy_waiters.errors import OptionsError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

    from .library import Library


def running() -> Literal["anyio", "asyncio", "trio"] | None:
    """Name the library that runs the caller.

    Trio comes first: its guest mode runs inside of asyncio. A task of asyncio that anyio has a record of is anyio's,
    since it may be inside of one of its cancel scopes; on trio, anyio's scopes are trio's.
    """
    if _runs_trio():
        return "trio"
    if not _runs_asyncio():
        return None
    return "anyio" if _runs_anyio() else "asyncio"


def library(*, sleeps: bool) -> Library:
    """Return the library that runs the caller.

    Raises:
        OptionsError: It is not a known one, and the caller gave no sleep.

    """
    name = running()
    if name is None and not sleeps:
        raise OptionsError("`sleep` is missing: neither asyncio nor trio is running", "missing_option", "sleep")
    current: Library = import_module(f".on_{name or 'any'}", __package__).library()
    return current


def _runs_trio() -> bool:
    trio = sys.modules.get("trio")
    return trio is not None and _succeeds(trio.lowlevel.current_task)


def _runs_asyncio() -> bool:
    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and _succeeds(asyncio.get_running_loop)


def _runs_anyio() -> bool:
    # Not public, but there is no public function for it. Other tasks are asyncio's own.
    states = getattr(sys.modules.get("anyio._backends._asyncio"), "_task_states", None)
    return states is not None and sys.modules["asyncio"].current_task() in states


def _succeeds(function: Callable[[], object]) -> bool:
    try:
        function()
    except RuntimeError:
        return False
    return True
