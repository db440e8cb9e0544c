"""A scripted service with a virtual clock, and whole waits that use it."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, Any

import results
from failures import raised_by
from values import resolve
from virtual_time import ANSWER, BlockingTime, VirtualTime

from smithy_waiters import WaiterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from smithy_waiters import Attempt, Waiter


class Service:
    """A scripted service that records the calls and the delays between them."""

    def __init__(self, script: list[dict[str, Any]], time: VirtualTime | BlockingTime) -> None:
        self.calls: list[dict[str, int | None]] = []
        self.sleeps: list[int] = []
        self._script = script
        self._time = time
        self._idle_since = 0

    def begin(self, attempt: Attempt) -> dict[str, Any]:
        self.end_pause()
        remaining = None if math.isinf(attempt.remaining) else results.millis(attempt.remaining)
        self.calls.append({"attempt": attempt.number, "atMs": self._time.now_ms, "remainingMs": remaining})
        return self._script[min(attempt.number, len(self._script)) - 1]

    def end(self) -> None:
        self._idle_since = self._time.now_ms

    def end_pause(self) -> None:
        pause = self._time.now_ms - self._idle_since
        if pause > 0:
            self.sleeps.append(pause)

    def seen(self) -> dict[str, Any]:
        self.end_pause()
        return {"calls": self.calls, "sleeps": self.sleeps}


def answer(entry: dict[str, Any]) -> Any:
    error = raised_by(entry)
    if error is not None:
        raise error
    return resolve(entry["response"])


async def on_asyncio(
    waiter: Waiter,
    vector: dict[str, Any],
    options: dict[str, Any],
    end: Callable[[Any], dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return the end of the wait, as `end` or else `results` converts it, and the calls."""
    time = VirtualTime()
    service = Service(vector["script"], time)
    cancel = asyncio.Event()

    async def call(attempt: Attempt) -> Any:
        entry = service.begin(attempt)
        try:
            if "hangs" in entry:
                await asyncio.get_running_loop().create_future()
            await time.until(time.now_ms + entry["takes"], ANSWER)
        finally:
            service.end()
        if "cancels" in entry:
            cancel.set()
        return answer(entry)

    async def wait() -> dict[str, Any]:
        host: dict[str, Any] = {"cancel": cancel, "sleep": time.sleep, "clock": time.clock}
        try:
            ended = await waiter.wait_async(call, input=resolve(vector.get("input")), **host, **options)
        except WaiterError as error:
            return results.failure(error, explained="explain" in vector) if end is None else end(error)
        return results.outcome(ended) if end is None else end(ended)

    cancelling = asyncio.ensure_future(time.set_at(cancel, vector.get("cancelAt")))
    result = await time.run(wait())
    cancelling.cancel()
    return {**result, **service.seen()} if end is None else result


def blocking(waiter: Waiter, vector: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    time = BlockingTime(vector.get("cancelAt"))
    service = Service(vector["script"], time)

    def call(attempt: Attempt) -> Any:
        entry = service.begin(attempt)
        time.now_ms += entry["takes"]
        service.end()
        if "cancels" in entry:
            time.set()
        return answer(entry)

    # With an event, the package sleeps with its `wait`.
    by_event = "cancelAt" in vector or any("cancels" in entry for entry in vector["script"])
    try:
        ended = results.outcome(
            waiter.wait(
                call,
                input=resolve(vector.get("input")),
                cancel=time if by_event else None,
                sleep=None if by_event else time.sleep,
                clock=time.clock,
                **options,
            ),
        )
    except WaiterError as error:
        ended = results.failure(error, explained="explain" in vector)
    return {**ended, **service.seen()}
