"""Plays conformance tests with aiobotocore and its own waiters."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import aiobotocore
import core
import lines
from aiobotocore.config import AioConfig
from aiobotocore.session import get_session
from aiobotocore.waiter import create_waiter_with_client

# A few services, because the clients are slow to create. The rest of the code is botocore's, which has a runner.
SUITES = ["core", "acm", "cloudformation", "cloudfront", "cloudwatch", "dynamodb", "ecs", "eks", "lambda", "rds", "s3"]

SESSION = core.add_to(get_session())


async def play(task: dict[str, Any]) -> dict[str, Any]:
    """Play a task."""
    service = core.service_of(task)
    if not service:
        return lines.unsupported("no client")
    options = lines.client_options(task["endpoint"], AioConfig)
    async with SESSION.create_client(service, **options) as client:
        waiter = core.waiter_of(client, task, create_waiter_with_client)
        if waiter is None:
            return lines.unsupported("no such waiter")
        waiting = asyncio.create_task(wait(waiter, task))
        at = task["options"].get("cancelAt")
        if at is not None:
            asyncio.get_running_loop().call_later(at, waiting.cancel)
        try:
            return await waiting
        except asyncio.CancelledError:
            return {"end": "cancelled"}


async def wait(waiter: Any, task: dict[str, Any]) -> dict[str, Any]:
    """Wait with a waiter."""
    try:
        await waiter.wait(**task["params"], WaiterConfig=lines.waiter_config(task["options"]))
    except Exception as error:  # noqa: BLE001
        return lines.error_end(error)
    return {"end": "success", "carries": ["lastOutput"]}


async def main() -> None:
    """Play the tasks on standard input."""
    lines.write(
        {
            "sdk": "aiobotocore",
            "version": aiobotocore.__version__,
            "contract": "botocore",
            "suites": SUITES,
            "behaviours": "acm.CertificateValidated",
            "parallel": lines.PARALLEL,
        }
    )
    running = set()

    async def run(task: dict[str, Any]) -> None:
        lines.write({"id": task["id"], **await play(task)})

    while line := await asyncio.to_thread(sys.stdin.readline):
        running.add(asyncio.create_task(run(json.loads(line))))
    await asyncio.gather(*running)


asyncio.run(main())
