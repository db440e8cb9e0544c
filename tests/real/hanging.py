"""End 500 waits whose service accepts connections and never answers, and then 100,000 short ones.

Prints the time by which the last ends exceed the deadline, and what is left.
"""

from __future__ import annotations

import asyncio
import gc
import resource
import sys
import time
from typing import Any

from smithy_waiters import Waiter, WaiterTimeout

WAITS, MAX_WAIT, SHORT_WAITS = 500, 2.0, 100_000
READY = Waiter.until("Status", "READY")


async def overruns() -> list[float]:
    """Return the seconds by which each wait exceeds its deadline."""
    connections: list[asyncio.StreamWriter] = []
    server = await asyncio.start_server(lambda _, writer: connections.append(writer), "127.0.0.1", 0, backlog=WAITS)
    port = server.sockets[0].getsockname()[1]

    async def call() -> Any:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            return await reader.readexactly(1)
        finally:
            writer.close()

    async def one() -> float:
        start = time.monotonic()
        try:
            await READY.wait_async(call, max_wait=MAX_WAIT)
        except WaiterTimeout:
            return time.monotonic() - start - MAX_WAIT
        sys.exit("a wait ended without its timeout")

    seconds = await asyncio.gather(*(one() for _ in range(WAITS)))
    for writer in connections:
        writer.close()
    server.close()
    left = asyncio.all_tasks() - {asyncio.current_task()}
    if left:
        sys.exit(f"{len(left)} tasks are left")
    return sorted(seconds)


def grown() -> int:
    """Return the KiB by which the process grows in the second half of many short waits."""
    peaks = []
    for count in (SHORT_WAITS // 2, SHORT_WAITS // 2):
        for _ in range(count):
            READY.wait(lambda: {"Status": "READY"}, max_wait=1)
        gc.collect()
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    return peaks[1] - peaks[0]


if __name__ == "__main__":
    latest, growth = asyncio.run(overruns())[-1] * 1_000, grown()
    print(f"python: {WAITS} waits end at most {latest:.0f} ms late; {SHORT_WAITS:,} more leave {growth} KiB")
    sys.exit(latest > 50 or growth > 1_024)
