"""The cost of a poll, compared with an activity of Temporal that only sends a heartbeat and fails until it has ended.

Argument: the address of the server. Prints the processor time of the worker per poll, as one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from datetime import timedelta
from statistics import median
from typing import Any
from uuid import uuid4

from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.common import RetryPolicy
from temporalio.exceptions import ApplicationError, ApplicationErrorCategory
from temporalio.worker import Worker

with workflow.unsafe.imports_passed_through():
    from temporal_waits import attempt, wait

POLLS = 25
WAITS = 20
ROUNDS = 5
DELAY = 0.05


async def answer() -> dict[str, str]:
    return {"Status": "DONE" if attempt() == POLLS else "RUNNING"}


async def bare_answer(number: int) -> dict[str, str]:
    return {"Status": "DONE" if number == POLLS else "RUNNING"}


durable = wait(answer, "durable")


@activity.defn
async def bare() -> dict[str, str]:
    number = activity.info().attempt
    response = await bare_answer(number)
    if response["Status"] == "DONE":
        return response
    activity.heartbeat({"attempt": number})
    delay = timedelta(seconds=DELAY)
    raise ApplicationError("running", next_retry_delay=delay, category=ApplicationErrorCategory.BENIGN)


@workflow.defn
class Durable:
    @workflow.run
    async def run(self) -> None:
        await durable.execute(max_wait=3600, min_delay=DELAY, max_delay=DELAY)


@workflow.defn
class Bare:
    @workflow.run
    async def run(self) -> None:
        await workflow.execute_activity(
            bare,
            start_to_close_timeout=timedelta(hours=1),
            heartbeat_timeout=timedelta(seconds=30),
            retry_policy=RetryPolicy(initial_interval=timedelta(seconds=1)),
        )


async def round_of(client: Client, kind: Any) -> float:
    """Return the processor time of this process per poll, in milliseconds."""
    began = time.process_time()
    runs = [client.execute_workflow(kind.run, id=str(uuid4()), task_queue="overhead") for _ in range(WAITS)]
    await asyncio.gather(*runs)
    return (time.process_time() - began) * 1000 / (POLLS * WAITS)


async def main() -> dict[str, float]:
    client = await Client.connect(sys.argv[1])
    async with Worker(client, task_queue="overhead", workflows=[Bare, Durable], activities=[bare, durable.activity]):
        for kind in (Bare, Durable):
            await round_of(client, kind)
        rounds = [(await round_of(client, Bare), await round_of(client, Durable)) for _ in range(ROUNDS)]
    own, theirs = median(one[1] for one in rounds), median(one[0] for one in rounds)
    ratio = median(durable / bare for bare, durable in rounds)
    return {"bare_ms": round(theirs, 3), "durable_ms": round(own, 3), "ratio": round(ratio, 3)}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main())), flush=True)
    # The threads of the SDK may abort the end of the process.
    os._exit(0)
