"""Waiting by the caller's own sleep alone: on libraries that are not known."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from .scope import raising

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")


class Unknown:
    """A library that nothing is known of: it cannot be asked to cancel a call."""

    def clock(self) -> float:
        """Give the time that sleeps go by."""
        return time.monotonic()

    async def sleep(self, _: float, /) -> None:
        """Do nothing: such a driver has a sleep of the caller."""

    async def alarm(self, _: float, /) -> None:
        """Do nothing: the caller's own sleep is taken to let others run."""

    async def race(
        self,
        awaitable: Awaitable[T],
        alarms: list[Callable[[], Awaitable[object]]],  # noqa: ARG002 - nothing watches them.
    ) -> Callable[[], T] | None:
        """Await to the end: the wait looks at the time and the caller's event afterwards."""
        try:
            value = await awaitable
        except Exception as error:  # noqa: BLE001 - every error is looked at.
            return raising(error)
        return lambda: value
