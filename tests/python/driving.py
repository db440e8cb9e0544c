"""Run the vectors for the caller's functions and for sleeps, with the package's own drivers."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, Any

import results
from values import resolve
from waiters import host_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from smithy_waiters import Waiter

JsonObject = dict[str, Any]


class Host:
    """A service, a clock, and sleeps that take a set time, at most their whole time."""

    def __init__(self, vector: JsonObject, take: list[float]) -> None:
        self.attempts = 0
        self.now_ms = 0.0
        self.sleeps: list[int] = []
        self._responses = resolve(vector["responses"])
        self._take = take

    def call(self) -> Any:
        self.attempts += 1
        return self._responses[min(self.attempts, len(self._responses)) - 1]

    async def call_async(self) -> Any:
        return self.call()

    def clock(self) -> float:
        return self.now_ms / 1000

    def sleep(self, seconds: float) -> None:
        self.sleeps.append(results.millis(seconds))
        self.now_ms += min(seconds * 1000, self._take[min(len(self.sleeps), len(self._take)) - 1])

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)


def sleeps(waiter: Waiter, vector: JsonObject) -> JsonObject:
    """Wait with a sleep that takes less time than it should."""
    options, ends = host_options(vector), []
    host = Host(vector, vector["sleepsTake"])
    ends.append((host, waiter.wait(host.call, clock=host.clock, sleep=host.sleep, **options)))
    host = Host(vector, vector["sleepsTake"])
    awaitable = waiter.wait_async(host.call_async, clock=host.clock, sleep=host.sleep_async, **options)
    ends.append((host, asyncio.run(awaitable)))
    found, other = (
        {"sleeps": host.sleeps, "attempts": host.attempts, "elapsedMs": results.millis(outcome.elapsed)}
        for host, outcome in ends
    )
    assert found == other
    return found


class Failed(Exception):
    """The error of a callback."""


def callbacks(waiter: Waiter, vector: JsonObject) -> JsonObject:
    """Wait with functions that record their calls."""
    given = vector["functions"]
    found = _awaiting(waiter, vector)
    if not any(one["isAsync"] for one in given.values()):
        assert _blocking(waiter, vector) == found
    return found


def _blocking(waiter: Waiter, vector: JsonObject) -> JsonObject:
    host, called = Host(vector, [math.inf]), list[str]()
    error = None
    try:
        waiter.wait(host.call, clock=host.clock, sleep=host.sleep, **_functions(vector, called), **host_options(vector))
    except Failed as failed:
        error = str(failed)
    return {"called": called, "error": error, "attempts": host.attempts}


def _awaiting(waiter: Waiter, vector: JsonObject) -> JsonObject:
    host, called = Host(vector, [math.inf]), list[str]()
    options = {**_functions(vector, called), **host_options(vector)}
    error = None
    try:
        asyncio.run(waiter.wait_async(host.call_async, clock=host.clock, sleep=host.sleep_async, **options))
    except Failed as failed:
        error = str(failed)
    return {"called": called, "error": error, "attempts": host.attempts}


def _functions(vector: JsonObject, called: list[str]) -> Any:
    names = {"onAttempt": "on_attempt", "onChange": "on_change"}
    return {names[name]: _callback(name, given, called) for name, given in vector["functions"].items()}


def _callback(name: str, given: JsonObject, called: list[str]) -> Callable[[Any], object]:
    def begin(progress: Any) -> str:
        called.append(f"{name} {progress.attempt}")
        return called[-1]

    def end(progress: Any, text: str) -> None:
        if progress.attempt == given.get("failsAt"):
            raise Failed(text)

    async def of_async(progress: Any) -> None:
        text = begin(progress)
        await asyncio.sleep(0)
        called.append(f"end of {text}")
        end(progress, text)

    return of_async if given["isAsync"] else lambda progress: end(progress, begin(progress))
