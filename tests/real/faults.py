"""Run hundreds of waits at once behind a proxy with faults, for a time (`faults.json`), with boto3 or aiobotocore.

Each must end as its table does, and in time. Prints a line with the latest end and with what is left: sockets, tasks
and memory. Exits with 1 if something is wrong. Reads `/proc`, as Linux has it.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lost_waits import RETRIES, connecting, describing
from services import client, running

from smithy_waiters import Waiter, WaiterError

PLAN: dict[str, Any] = json.loads(Path(__file__).with_name("faults.json").read_text(encoding="utf-8"))
ENDS: list[str] = PLAN["faults"]["ends"]
SECONDS = float(os.environ.get("SMITHY_WAITERS_FAULTS_SECONDS", PLAN["seconds"]))
WAITER = Waiter(PLAN["definition"])

# The most by which an end may exceed its deadline beyond a plain timeout of the same process, in seconds.
OVERRUN = 0.05

# The most by which the memory may grow in the second half, in KiB.
GROWTH = 4_096


@dataclass
class Run:
    """What the waits of a client came to."""

    began: float = 0
    waits: int = 0
    wrong: list[str] = field(default_factory=list)
    overruns: list[float] = field(default_factory=list)
    timer: float = 0
    # The memory in KiB after half of the time.
    middle: int | None = None

    def goes_on(self) -> bool:
        """Return whether another wait begins."""
        passed = time.monotonic() - self.began
        if self.middle is None and passed > SECONDS / 2:
            self.middle = memory()
        return passed < SECONDS

    def note(self, number: int, code: str | None, seconds: float) -> None:
        """Count a wait that has ended."""
        end = ENDS[number % len(ENDS)]
        self.waits += 1
        if code != PLAN["codes"][end]:
            self.wrong.append(f"table-{number}: {code}")
        if code == "timed_out":
            self.overruns.append(seconds - PLAN["maxWait"][end])


def options(number: int) -> dict[str, Any]:
    """Return the options of a wait, without the timeout of attempts."""
    end = ENDS[number % len(ENDS)]
    return {"max_wait": PLAN["maxWait"][end], "min_delay": PLAN["minDelay"], "max_delay": PLAN["maxDelay"]}


def wait_with_boto3(endpoint: str, run: Run, *, retries: bool) -> None:
    """Wait in threads. A blocking call ends by the client's timeouts."""
    waits = PLAN["waits"]
    timeouts = {"connect_timeout": 1, "read_timeout": 1}
    faulty = client("dynamodb", endpoint, retries=RETRIES[retries], max_pool_connections=waits, **timeouts)

    def work(number: int) -> None:
        while run.goes_on():
            started, code = time.monotonic(), None
            try:
                WAITER.wait(lambda: faulty.describe_table(TableName=f"table-{number}"), **options(number))
            except WaiterError as error:
                code = error.code
            run.note(number, code, time.monotonic() - started)

    run.began = time.monotonic()
    with ThreadPoolExecutor(waits) as pool:
        list(pool.map(work, range(waits)))
    faulty.close()


async def wait_with_aiobotocore(endpoint: str, run: Run, *, retries: bool) -> None:
    """Wait in tasks. A call of a wait that ends at its deadline has no timeout of its own."""

    async def work(faulty: Any, number: int) -> None:
        call = describing(faulty, f"table-{number}")
        limit = {} if ENDS[number % len(ENDS)] == "CREATING" else {"attempt_timeout": PLAN["attemptTimeout"]}
        while run.goes_on():
            started, code = time.monotonic(), None
            try:
                await WAITER.wait_async(call, **options(number), **limit)
            except WaiterError as error:
                code = error.code
            run.note(number, code, time.monotonic() - started)

    async def measure() -> None:
        while True:
            started = time.monotonic()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.Event().wait(), 0.02)
            run.timer = max(run.timer, time.monotonic() - started - 0.02)

    timer = asyncio.create_task(measure())
    async with connecting(endpoint, retries=retries, max_pool_connections=PLAN["waits"]) as faulty:
        run.began = time.monotonic()
        await asyncio.gather(*(work(faulty, number) for number in range(PLAN["waits"])))
    timer.cancel()
    await asyncio.sleep(0.1)
    left = asyncio.all_tasks() - {asyncio.current_task()}
    if left:
        run.wrong.append(f"{len(left)} tasks are left")


def sockets() -> int:
    """Return the number of open sockets."""
    found = 0
    for entry in Path("/proc/self/fd").iterdir():
        # The descriptor of the folder itself is gone.
        with suppress(FileNotFoundError):
            found += str(entry.readlink()).startswith("socket:")
    return found


def memory() -> int:
    """Return the memory of the process in KiB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1_024


def measure(endpoint: str, *, retries: bool) -> tuple[str, bool]:
    """Run the waits, and return a line and whether all is right."""
    is_async, before, run = find_spec("aiobotocore") is not None, sockets(), Run()
    if is_async:
        asyncio.run(wait_with_aiobotocore(endpoint, run, retries=retries))
    else:
        wait_with_boto3(endpoint, run, retries=retries)
    growth, left = memory() - (run.middle or 0), sockets() - before
    latest = max(run.overruns)
    timer = f", a plain timeout {run.timer * 1_000:.0f} ms" if is_async else ""
    text = (
        f"its retries {'on' if retries else 'off'}: {run.waits} waits, {len(run.wrong)} wrong, "
        f"{len(run.overruns)} timeouts at most {latest * 1_000:.0f} ms late{timer}; "
        f"sockets left: {left}, memory: {growth:+} KiB"
    )
    for wrong in run.wrong[:10]:
        print(wrong)
    # A blocking call of boto3 cannot be cut.
    in_time = not is_async or latest <= OVERRUN + run.timer
    return text, not run.wrong and in_time and left <= 0 and growth <= GROWTH


if __name__ == "__main__":
    with running(PLAN["waits"]) as services:
        lines = []
        for with_retries in (True, False):
            services.seed(PLAN["seed"], PLAN["faults"])
            lines.append(measure(services.proxy, retries=with_retries))
    name = "aiobotocore" if find_spec("aiobotocore") else "boto3"
    print(f"{name}: {'; '.join(line for line, _ in lines)}")
    sys.exit(not all(is_right for _, is_right in lines))
