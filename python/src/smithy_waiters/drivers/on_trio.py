"""Waiting on trio: a call runs in the caller's own task, inside of a cancel scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import trio

from .scope import Ended

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")


class Trio:
    """The run that the caller's task belongs to."""

    def clock(self) -> float:
        """Return the time that sleeps go by."""
        return trio.current_time()

    async def sleep(self, seconds: float, /) -> None:
        """Sleep by the run's clock."""
        await trio.sleep(seconds)

    async def alarm(self, seconds: float, /) -> None:
        """Sleep by a deadline of the run."""
        await trio.sleep_until(trio.current_time() + seconds)

    async def race(
        self, awaitable: Awaitable[T], alarms: list[Callable[[], Awaitable[object]]]
    ) -> Callable[[], T] | None:
        """Await, with the alarms beside it in a nursery; the scope of that is cancelled when one is over first."""
        ended: Ended[T] = Ended()
        try:
            await self._race(awaitable, alarms, ended)
        except BaseException as problem:
            # An interrupt comes to whichever task is running: it leaves as it is, and not in a nursery's group.
            interrupt = _interrupt_in(problem)
            if interrupt is None:
                raise
            raise interrupt from None
        return ended.result()

    async def _race(
        self, awaitable: Awaitable[T], alarms: list[Callable[[], Awaitable[object]]], ended: Ended[T]
    ) -> None:
        interruption: trio.Cancelled | None = None
        async with trio.open_nursery() as nursery:
            for alarm in alarms:
                nursery.start_soon(_watch, alarm, ended, nursery.cancel_scope)
            try:
                await ended.by(awaitable, trio.Cancelled)
            except trio.Cancelled as cancelled:
                # Raised as it is, and not in the group that a nursery would make of it.
                interruption = cancelled
            nursery.cancel_scope.cancel()
        if interruption is not None and not ended.is_cut:
            raise interruption


async def _watch(alarm: Callable[[], Awaitable[object]], ended: Ended[T], scope: trio.CancelScope) -> None:
    try:
        await ended.cut_by(alarm, trio.lowlevel.checkpoint, trio.Cancelled)
    except trio.Cancelled:
        # What cancels the alarm cancels the call, too, and that one tells.
        return
    scope.cancel()


def _interrupt_in(problem: BaseException) -> KeyboardInterrupt | None:
    if isinstance(problem, KeyboardInterrupt):
        return problem
    inside: tuple[BaseException, ...] = getattr(problem, "exceptions", ())
    return next(filter(None, map(_interrupt_in, inside)), None)
