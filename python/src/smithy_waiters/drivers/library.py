"""Which async library runs. None is imported that the program has not imported itself."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from smithy_waiters.errors import OptionsError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

    from .awaiting import Library


def running() -> Literal["anyio", "asyncio", "trio"] | None:
    """Name the library that runs the caller.

    Trio comes first: its guest mode runs inside of asyncio. A task of asyncio that anyio knows of is anyio's, since it
    may be inside of one of its cancel scopes; on trio, anyio's are trio's own.
    """
    if _runs_trio():
        return "trio"
    if not _runs_asyncio():
        return None
    return "anyio" if _is_known_to_anyio() else "asyncio"


def library(*, sleeps: bool) -> Library:
    """Give the library that runs the caller.

    Raises:
        OptionsError: None is known, and there is no other way to sleep.

    """
    name = running()
    if name == "asyncio":
        from .on_asyncio import Asyncio  # noqa: PLC0415

        return Asyncio()
    if name == "trio":
        from .on_trio import Trio  # noqa: PLC0415

        return Trio()
    if name == "anyio":
        from .on_anyio import Anyio  # noqa: PLC0415

        return Anyio()
    if not sleeps:
        raise OptionsError("`sleep` is missing: neither asyncio nor trio is running", "missing_option", "sleep")
    from .on_any import Unknown  # noqa: PLC0415

    return Unknown()


def _runs_trio() -> bool:
    trio = sys.modules.get("trio")
    return trio is not None and _succeeds(trio.lowlevel.current_task)


def _runs_asyncio() -> bool:
    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and _succeeds(asyncio.get_running_loop)


def _is_known_to_anyio() -> bool:
    # Not public, but nothing that is says it; a task that is not known here is asyncio's own.
    states = getattr(sys.modules.get("anyio._backends._asyncio"), "_task_states", None)
    return states is not None and sys.modules["asyncio"].current_task() in states


def _succeeds(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except RuntimeError:
        return False
    return True
