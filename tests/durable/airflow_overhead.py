"""Compares the CPU time of a poll with that of a trigger that sleeps, makes the same call and writes one line.

python airflow_overhead.py
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog
from aiobotocore.session import get_session
from airflow.triggers.base import BaseTrigger, TriggerEvent
from moto.server import ThreadedMotoServer

from smithy_waiters import Waiter
from smithy_waiters.airflow import WaitTrigger

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

AWS = {"region_name": "eu-central-1", "aws_access_key_id": "key", "aws_secret_access_key": "secret"}
ROUNDS, TRIGGERS, POLLS, DELAY = 8, 20, 100, 0.05

clients: list[Any] = []


async def describe() -> Any:
    return await clients[0].describe_db_instances(DBInstanceIdentifier="orders")


class BareTrigger(BaseTrigger):  # type: ignore[misc]
    def serialize(self) -> tuple[str, dict[str, Any]]:
        return "BareTrigger", {}

    async def run(self) -> AsyncIterator[TriggerEvent]:
        for _ in range(POLLS):
            await asyncio.sleep(DELAY)
            await describe()
            self.log.info("waiting")
        yield TriggerEvent(None)


def wait_trigger() -> WaitTrigger:
    waiter = Waiter.until("DBInstances[].DBInstanceStatus", "ready")
    pauses: Any = {"max_attempts": POLLS, "min_delay": DELAY, "max_delay": DELAY, "initial_delay": DELAY}
    return WaitTrigger(waiter=waiter, poll="airflow_overhead.describe", options=pauses)


async def milliseconds(triggers: list[BaseTrigger]) -> float:
    async def run(trigger: BaseTrigger) -> None:
        async for _ in trigger.run():
            pass

    began = time.thread_time()
    await asyncio.gather(*map(run, triggers))
    return (time.thread_time() - began) * 1000 / TRIGGERS / POLLS


async def main(url: str) -> None:
    async with get_session().create_client("rds", endpoint_url=url, **AWS) as client:
        clients.append(client)
        instance = {"DBInstanceIdentifier": "orders", "DBInstanceClass": "db.t3.micro", "Engine": "postgres"}
        await client.create_db_instance(**instance, MasterUsername="user", MasterUserPassword="password")
        await describe()
        pairs: list[tuple[float, float]] = []
        for _ in range(ROUNDS):
            bare_triggers: list[BaseTrigger] = [BareTrigger() for _ in range(TRIGGERS)]
            bare = await milliseconds(bare_triggers)
            pairs.append((bare, await milliseconds([wait_trigger() for _ in range(TRIGGERS)])))
    bare, ours = (sum(times) / ROUNDS for times in zip(*pairs, strict=True))
    print(f"{bare:.2f} ms for a bare trigger, {ours:.2f} ms for a wait: {ours / bare - 1:.0%} more")


if __name__ == "__main__":
    sys.modules["airflow_overhead"] = sys.modules["__main__"]
    with Path(os.devnull).open("w") as nowhere:
        structlog.configure(logger_factory=structlog.WriteLoggerFactory(file=nowhere))
        server = ThreadedMotoServer("127.0.0.1", 0)
        server.start()
        host, port = server.get_host_and_port()
        asyncio.run(main(f"http://{host}:{port}"))
        server.stop()
