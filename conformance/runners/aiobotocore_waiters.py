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
from botocore.exceptions import ClientError, WaiterError

SESSION = get_session()


async def play(task: dict[str, Any]) -> dict[str, Any]:
    """Play a task."""
    if not task["service"].get("botocore"):
        return {"end": "unsupported", "message": "no client"}
    options = lines.client_options(task["endpoint"], AioConfig)
    async with SESSION.create_client(task["service"]["botocore"], **options) as client:
        if lines.name_of(task["waiter"]) not in client.waiter_names:
            return {"end": "unsupported", "message": "no such waiter"}
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
    options = task["options"]
    # The contract has a number of attempts, and no time: as many as fit.
    attempts = 1 + int(options["maxWait"] / options["minDelay"])
    config = {"Delay": options["minDelay"], "MaxAttempts": attempts}
    try:
        await client.get_waiter(lines.name_of(task["waiter"])).wait(**task["params"], WaiterConfig=config)
    except WaiterError as error:
        return lines.failure(error)
    except ClientError as error:
        return {"end": "failure", "message": str(error)}
    except Exception as error:  # noqa: BLE001
        return {"end": "error", "message": f"{type(error).__name__}: {error}"}
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
