"""Detection of the running async library. It imports no library that the program has not imported."""

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
    """Return the name of the library that runs the caller.

    Trio is checked first, because its guest mode runs inside asyncio. A task of asyncio that anyio has a state for is
    anyio's, because it may be inside an anyio cancel scope. On trio, the scopes of anyio are trio's.
    """
    if _runs_trio():
        return "trio"
    if not _runs_asyncio():
        return None
    return "anyio" if _runs_anyio() else "asyncio"


def library(*, sleeps: bool) -> Library:
    """Return the library that runs the caller. `sleeps` is `True` if the caller provides a sleep.

    Raises:
        OptionsError: The library is unknown, and the caller provides no sleep.

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
    # This attribute is private, but anyio has no public equivalent.
    states = getattr(sys.modules.get("anyio._backends._asyncio"), "_task_states", None)
    return states is not None and sys.modules["asyncio"].current_task() in states


def _succeeds(function: Callable[[], object]) -> bool:
    try:
        function()
    except RuntimeError:
        return False
    return True
