"""Support for trio: a call runs in the caller's task, inside a cancel scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import trio

from .scope import Result, library_with_scopes

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .library import Alarm, Library

T = TypeVar("T")


def library() -> Library:
    """Return the library for the trio run of the caller's task."""
    return library_with_scopes(trio, _race)


async def _race(awaitable: Awaitable[T], alarms: list[Alarm]) -> Callable[[], T] | None:
    """Await with the alarms in a nursery, whose scope is cancelled if an alarm ends first."""
    result: Result[T] = Result()
    try:
        await _race_into(result, awaitable, alarms)
    except BaseException as problem:
        # trio raises a `KeyboardInterrupt` in the running task. Unwrap it from the exception group of the nursery.
        interrupt = _interrupt_in(problem)
        if interrupt is None:
            raise
        raise interrupt from None
    return result.get()


async def _race_into(result: Result[T], awaitable: Awaitable[T], alarms: list[Alarm]) -> None:
    interruption: trio.Cancelled | None = None
    async with trio.open_nursery() as nursery:
        for alarm in alarms:
            nursery.start_soon(_watch, alarm, result, nursery.cancel_scope)
        try:
            await result.await_call(awaitable, trio.Cancelled)
        except trio.Cancelled as cancelled:
            # Raised after the nursery, which would wrap it in an exception group.
            interruption = cancelled
        nursery.cancel_scope.cancel()
    if interruption is not None and not result.is_aborted:
        raise interruption


async def _watch(alarm: Alarm, result: Result[T], scope: trio.CancelScope) -> None:
    try:
        await result.await_alarm(alarm, trio.lowlevel.checkpoint, trio.Cancelled)
    except trio.Cancelled:
        # The call is cancelled with the nursery, and raises the cancellation.
        return
    scope.cancel()


def _interrupt_in(problem: BaseException) -> KeyboardInterrupt | None:
    if isinstance(problem, KeyboardInterrupt):
        return problem
    inside: tuple[BaseException, ...] = getattr(problem, "exceptions", ())
    return next(filter(None, map(_interrupt_in, inside)), None)
