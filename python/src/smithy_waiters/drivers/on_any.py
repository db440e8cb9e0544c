"""Unknown async libraries: the caller's sleep is all there is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from .scope import raising

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")


class Unknown:
    """An unknown library: calls cannot be cancelled."""

    def clock(self) -> float:
        """Return the time that sleeps go by."""
        return time.monotonic()

    async def sleep(self, _: float, /) -> None:
        """Do nothing: such a driver has a sleep of the caller."""

    async def alarm(self, _: float, /) -> None:
        """Do nothing: the caller's own sleep is taken to let others run."""

    async def race(
        self,
        awaitable: Awaitable[T],
        alarms: list[Callable[[], Awaitable[object]]],  # noqa: ARG002 - they cannot interrupt it.
    ) -> Callable[[], T] | None:
        """Await to the end. The driver reads the clock and the caller's event afterwards."""
        try:
            value = await awaitable
        except Exception as error:  # noqa: BLE001 - any error may be a result.
            return raising(error)
        return lambda: value
