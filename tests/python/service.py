"""A scripted service on virtual time, and whole waits and requests that use it."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import results
from failures import raised_by
from libraries import LIBRARIES
from values import resolve
from virtual_time import BlockingTime

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from libraries import Library

    from smithy_waiters import Attempt

JsonObject = dict[str, Any]


class Service:
    """A scripted service that records the calls and the delays between them."""

    def __init__(self, script: list[JsonObject], now_ms: Callable[[], int]) -> None:
        self.calls: list[JsonObject] = []
        self.sleeps: list[int] = []
        self._script = script
        self._now_ms = now_ms
        self._idle_since = 0

    def begin(self, attempt: Attempt) -> JsonObject:
        self.end_pause()
        remaining = None if math.isinf(attempt.remaining) else results.millis(attempt.remaining)
        self.calls.append({"attempt": attempt.number, "atMs": self._now_ms(), "remainingMs": remaining})
        return self._script[min(attempt.number, len(self._script)) - 1]

    def end(self) -> None:
        self._idle_since = self._now_ms()

    def end_pause(self) -> None:
        pause = self._now_ms() - self._idle_since
        if pause > 0:
            self.sleeps.append(pause)

    def answer(self, entry: JsonObject) -> Any:
        error = raised_by(entry)
        if error is not None:
            raise error
        return resolve(entry["response"])

    def seen(self) -> JsonObject:
        self.end_pause()
        return {"calls": self.calls, "sleeps": self.sleeps}


def asynchronous(
    vector: JsonObject, start: Callable[[Callable[[], int]], tuple[Service, Callable[..., Awaitable[JsonObject]]]]
) -> JsonObject:
    """Return the result of a wait or a request with each async library, and what its service has seen.

    `start` returns a service, and a function that waits for a call with the options of the host.
    """
    result, *others = [_with_library(library, vector, start) for library in LIBRARIES]
    for library, other in zip(LIBRARIES[1:], others, strict=True):
        assert results.text(other) == results.text(result), library.name
    return result


def _with_library(library: Library, vector: JsonObject, start: Any) -> JsonObject:
    async def main() -> JsonObject:
        cancel, cancel_at = library.event(), vector.get("cancelAt")
        service, wait = start(lambda: results.millis(library.now()))

        async def call(attempt: Attempt) -> Any:
            entry = service.begin(attempt)
            try:
                await (library.event().wait() if "hangs" in entry else library.sleep(entry["takes"] / 1000))
            finally:
                service.end()
            if "cancels" in entry:
                cancel.set()
            return service.answer(entry)

        if cancel_at == 0:
            cancel.set()
        run = partial(wait, call, cancel=cancel)
        return {**await (library.later(cancel_at / 1000, cancel.set, run) if cancel_at else run()), **service.seen()}

    result: JsonObject = library.run(main)
    return result


def blocking(
    vector: JsonObject, start: Callable[[Callable[[], int]], tuple[Service, Callable[..., JsonObject]]]
) -> JsonObject:
    """Return the result of a blocking wait or request, and what its service has seen."""
    time = BlockingTime(vector.get("cancelAt"))
    service, wait = start(lambda: time.now_ms)

    def call(attempt: Attempt) -> Any:
        entry = service.begin(attempt)
        time.now_ms += entry["takes"]
        service.end()
        if "cancels" in entry:
            time.set()
        return service.answer(entry)

    # With an event, the package sleeps with its `wait`.
    by_event = "cancelAt" in vector or any("cancels" in entry for entry in vector["script"])
    host: Any = {"cancel": time} if by_event else {"sleep": time.sleep}
    return {**wait(call, clock=time.clock, **host), **service.seen()}
