"""Smoke test of the installed package, with no other package installed: a blocking and an asynchronous wait."""

from __future__ import annotations

import asyncio
import platform
import sysconfig
from importlib.metadata import version
from pathlib import Path

import smithy_waiters
from smithy_waiters import Waiter, WaiterTimeout

WAITER = Waiter(
    {
        "minDelay": 1,
        "acceptors": [
            {
                "state": "success",
                "matcher": {"output": {"path": "status", "comparator": "stringEquals", "expected": "ACTIVE"}},
            },
            {"state": "retry", "matcher": {"errorType": "ResourceNotFound"}},
        ],
    },
    name="ThingActive",
)


class ResourceNotFound(Exception):
    """The resource does not exist yet."""


class Service:
    """A service whose resource exists from the second call on, and is active from the third call on."""

    def __init__(self) -> None:
        self.calls = 0

    def call(self) -> dict[str, str]:
        self.calls += 1
        if self.calls == 1:
            raise ResourceNotFound
        return {"status": "ACTIVE" if self.calls == 3 else "CREATING"}

    async def call_async(self) -> dict[str, str]:
        await asyncio.sleep(0)
        return self.call()


async def no_pause(_: float) -> None:
    await asyncio.sleep(0)


def times_out() -> bool:
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    try:
        WAITER.wait(lambda: {"status": "CREATING"}, max_wait=86_400, sleep=sleep, clock=lambda: now)
    except WaiterTimeout as timeout:
        return timeout.code == "timed_out" and now > 0
    return False


def main() -> None:
    installed = Path(sysconfig.get_path("platlib"))
    assert installed in Path(smithy_waiters.__file__).parents, f"not the installed one: {smithy_waiters.__file__}"
    blocking = WAITER.wait(Service().call, max_wait=60, sleep=lambda _: None)
    awaiting = asyncio.run(WAITER.wait_async(Service().call_async, max_wait=60, sleep=no_pause))
    assert blocking.attempts == awaiting.attempts == 3
    assert blocking.response == awaiting.response == {"status": "ACTIVE"}
    assert times_out()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    print(f"smoke: smithy-waiters {version('smithy-waiters')} on {python}")


if __name__ == "__main__":
    main()
