"""A worker of Temporal that starts waits, or continues those that a killed worker left, and writes how they ended.

Arguments: the number of waits, and the address of the server.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
import sys
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

from temporal_waits import WAITS, WaitFor, attempt, wait
from temporalio.client import Client, WorkflowFailureError
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.worker import Worker
from waits import OPTIONS, answer, facts, workflow_id

from smithy_waiters.temporal import waiter_error

STARTED = Path("started")

waits, address = int(sys.argv[1]), sys.argv[2]


def poll(wait: int) -> dict[str, str]:
    number = attempt()
    with Path("calls").open("a") as calls:
        calls.write(f"{wait} {number} {os.getpid()}\n")
    # A worker may be killed during a call.
    time.sleep(random.uniform(0, 0.05))
    return answer(wait, number)


WAITS["job"] = wait(poll, "job", heartbeat_timeout=3)


async def ended(client: Client, wait: int) -> dict[str, Any]:
    try:
        outcome: dict[str, Any] = await client.get_workflow_handle(workflow_id(wait)).result()
    except WorkflowFailureError as error:
        failure = waiter_error(error)
        if failure is None:
            raise
        return facts(failure)
    end: dict[str, Any] = outcome["facts"]
    return end


async def start(client: Client, wait: int) -> None:
    # A worker that was killed in this loop has started some of the waits.
    with suppress(WorkflowAlreadyStartedError):
        await client.start_workflow(
            WaitFor.run,
            args=["job", [wait], OPTIONS],
            id=workflow_id(wait),
            task_queue="jobs",
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
            # The time after which Temporal repeats the task of a lost worker.
            task_timeout=timedelta(seconds=2),
        )


async def ends() -> list[dict[str, Any]]:
    client = await Client.connect(address)
    async with Worker(
        client,
        task_queue="jobs",
        workflows=[WaitFor],
        activities=[WAITS["job"].activity],
        sticky_queue_schedule_to_start_timeout=timedelta(seconds=1),
    ):
        if not STARTED.exists():
            for wait in range(waits):
                await start(client, wait)
            STARTED.touch()
        return [await ended(client, wait) for wait in range(waits)]


logging.basicConfig(filename="log", level=logging.WARNING)
Path("ended").write_text(json.dumps(asyncio.run(ends())))
# The threads of the SDK may abort the end of the process.
os._exit(0)
