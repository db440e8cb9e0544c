"""Virtual time: a day takes no real time, and tests do not depend on the speed of the machine."""

from __future__ import annotations

import asyncio
import gc
import selectors
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping

T = TypeVar("T")


class Clock:
    """A clock that advances only when it sleeps or a test advances it."""

    def __init__(self) -> None:
        self.ms = 0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.ms / 1000

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.pass_by(seconds)

    def pass_by(self, seconds: float) -> None:
        self.ms += round(seconds * 1000)


class _Selector(selectors.SelectSelector):
    """A selector that sleeps by advancing the loop's time."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("nothing will ever happen: the test hangs")
        self.now += max(timeout, 0.0)
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop on virtual time, which counts asyncio's error reports."""

    def __init__(self) -> None:
        self._virtual = _Selector()
        self.complaints: list[str] = []
        super().__init__(self._virtual)
        # After ten years, the resolution of the monotonic clock is less than that of a float.
        self._clock_resolution = 1e-6
        self.set_exception_handler(self._complain)

    def time(self) -> float:
        return self._virtual.now

    def _complain(self, _: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
        self.complaints.append(str(context["message"]))


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run on virtual time. Fail if tasks are left running or asyncio reports errors."""
    loop = VirtualLoop()
    try:
        result = loop.run_until_complete(main)
        left = asyncio.all_tasks(loop)
        assert not left, f"left running: {left}"
        gc.collect()
        assert loop.complaints == []
        return result
    finally:
        loop.close()


def now() -> float:
    """Return the running loop's time, for `clock`."""
    return asyncio.get_running_loop().time()
