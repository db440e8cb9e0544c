"""Support for unknown async libraries, by the caller's sleep."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from .library import Library
from .scope import Result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .library import Alarm

T = TypeVar("T")


def library() -> Library:
    """Return an unknown library, whose calls cannot be cancelled."""
    # The driver uses the caller's sleep, which also lets other tasks run.
    return Library(time.monotonic, _nothing, _nothing, _race)


async def _nothing(_: float) -> None:
    pass


async def _race(awaitable: Awaitable[T], _: list[Alarm]) -> Callable[[], T] | None:
    """Await to the end. The driver then checks the clock and the caller's event."""
    result: Result[T] = Result()
    await result.await_call(awaitable, GeneratorExit)
    return result.get()
