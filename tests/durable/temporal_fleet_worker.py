"""A worker of Temporal that starts a fleet, or continues that of a killed worker, and writes how its resources ended.

Arguments: the number of resources, and the address of the server.
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

from temporal_waits import WaitForEach, fleet
from temporalio import activity
from temporalio.client import Client, WorkflowFailureError
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.worker import Worker
from volumes import OPTIONS, answer, names

from smithy_waiters.temporal import waiters_failed

resources, address = int(sys.argv[1]), sys.argv[2]


def call(ids: list[str], region: str) -> dict[str, Any]:
    assert region == "eu-west-1"
    # Temporal also counts attempts whose worker was lost. The first attempt only waits.
    number = activity.info().attempt - 1
    with Path("calls").open("a") as calls:
        calls.write(f"{len(ids)} {number} {os.getpid()}\n")
    # A worker may be killed during a call.
    time.sleep(random.uniform(0, 0.05))
    return answer(ids, number)


async def ends() -> dict[str, Any]:
    client = await Client.connect(address)
    async with Worker(
        client,
        task_queue="jobs",
        workflows=[WaitForEach],
        activities=[fleet(call).activity],
        sticky_queue_schedule_to_start_timeout=timedelta(seconds=1),
    ):
        # A worker that was killed may have started the fleet.
        with suppress(WorkflowAlreadyStartedError):
            await client.start_workflow(
                WaitForEach.run,
                args=[names(resources), ["eu-west-1"], OPTIONS],
                id="volumes",
                task_queue="jobs",
                id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                # The time after which Temporal repeats the task of a lost worker.
                task_timeout=timedelta(seconds=2),
            )
        try:
            outcomes: dict[str, int] = await client.get_workflow_handle("volumes").result()
        except WorkflowFailureError as error:
            failed = waiters_failed(error)
            if failed is None:
                raise
            return {**dict.fromkeys(failed.outcomes), **{name: end.code for name, end in failed.failures.items()}}
        return dict.fromkeys(outcomes)


logging.basicConfig(filename="log", level=logging.WARNING)
Path("ended").write_text(json.dumps(asyncio.run(ends())))
# The threads of the SDK may abort the end of the process.
os._exit(0)
