"""Plays conformance tests with aiobotocore and its own waiters."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import aiobotocore
import lines
from aiobotocore.config import AioConfig
from aiobotocore.session import get_session

SESSION = get_session()


async def play(task: dict[str, Any]) -> dict[str, Any]:
    """Play a task."""
    if not task["service"].get("botocore"):
        return lines.unsupported("no client")
    options = lines.client_options(task["endpoint"], AioConfig)
    async with SESSION.create_client(task["service"]["botocore"], **options) as client:
        if lines.name_of(task["waiter"]) not in client.waiter_names:
            return lines.unsupported("no such waiter")
        waiting = asyncio.create_task(wait(client, task))
        at = task["options"].get("cancelAt")
        if at is not None:
            asyncio.get_running_loop().call_later(at, waiting.cancel)
        try:
            return await waiting
        except asyncio.CancelledError:
            return {"end": "cancelled"}


async def wait(client: Any, task: dict[str, Any]) -> dict[str, Any]:
    """Wait with the client's own waiter."""
    config = lines.waiter_config(task["options"])
    try:
        await client.get_waiter(lines.name_of(task["waiter"])).wait(**task["params"], WaiterConfig=config)
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
