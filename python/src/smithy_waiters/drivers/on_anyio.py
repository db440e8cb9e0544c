"""Support for tasks of anyio on asyncio: a call runs in the caller's task, inside a cancel scope."""

from __future__ import annotations

from asyncio import CancelledError
from typing import TYPE_CHECKING, TypeVar

import anyio
from anyio.lowlevel import checkpoint

from .scope import Result, library_with_scopes

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .library import Alarm, Library

T = TypeVar("T")


def library() -> Library:
    """Return the library for the running event loop.

    By the rules of anyio, a cancelled task stays cancelled until it leaves the scope.
    """
    return library_with_scopes(anyio, _race)


async def _race(awaitable: Awaitable[T], alarms: list[Alarm]) -> Callable[[], T] | None:
    """Await with the alarms in a task group, whose scope is cancelled if an alarm ends first."""
    result: Result[T] = Result()
    async with anyio.create_task_group() as group:
        for alarm in alarms:
            group.start_soon(_watch, alarm, result, group.cancel_scope)
        await result.await_call(awaitable, CancelledError)
        group.cancel_scope.cancel()
    return result.get()


async def _watch(alarm: Alarm, result: Result[T], scope: anyio.CancelScope) -> None:
    await result.await_alarm(alarm, checkpoint, CancelledError)
    scope.cancel()
