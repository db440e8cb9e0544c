"""Run waits with boto3 and aiobotocore behind a proxy with the faults of a scenario."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from services import client

from smithy_waiters import Outcome, Waiter

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

SCENARIOS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("scenarios.json").read_text(encoding="utf-8"))

MAX_WAIT = 300

TABLE_EXISTS = Waiter(
    {
        "acceptors": [
            {
                "state": "success",
                "matcher": {
                    "output": {"path": "Table.TableStatus", "comparator": "stringEquals", "expected": "ACTIVE"}
                },
            },
            {"state": "retry", "matcher": {"errorType": "ResourceNotFoundException"}},
        ]
    },
    name="TableExists",
)


def options(scenario: dict[str, Any]) -> Any:
    """Return the options of our waiter. The means of the delays are about equal to those of `botocore_options`."""
    return {"max_wait": MAX_WAIT, "min_delay": scenario["minDelay"], "max_delay": scenario["maxDelay"]}


def botocore_options(scenario: dict[str, Any]) -> dict[str, Any]:
    """Return the options of botocore's waiter."""
    return {"Delay": scenario["delay"], "MaxAttempts": int(MAX_WAIT / scenario["delay"])}


def client_options(scenario: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a client: enough connections, and timeouts if requests get no response."""
    timeouts = {"connect_timeout": 1, "read_timeout": 1} if "silent" in scenario["faults"] else {}
    return {"max_pool_connections": scenario["concurrent"], **timeouts}


# `None` is the client's default.
RETRIES: dict[bool, Any] = {True: None, False: {"total_max_attempts": 1}}


def tables(scenario: dict[str, Any]) -> list[str]:
    """Return the names of the tables to wait for."""
    return [f"table-{number}" for number in range(scenario["waits"])]


class Client(Protocol):
    """A client, with or without its own retries."""

    name: str

    def lost(self, endpoint: str, scenario: dict[str, Any], *, retries: bool, own: bool) -> list[BaseException]:
        """Wait for the tables with the client's own waiter or with ours, and return the errors of failed waits."""

    def wait(self, endpoint: str, options: dict[str, Any], *, retries: bool, **config: Any) -> Outcome[Any]:
        """Wait for a table."""


class Boto3:
    name = "boto3"

    def lost(self, endpoint: str, scenario: dict[str, Any], *, retries: bool, own: bool) -> list[BaseException]:
        faulty = client("dynamodb", endpoint, retries=RETRIES[retries], **client_options(scenario))

        def error(table: str) -> BaseException | None:
            try:
                if own:
                    faulty.get_waiter("table_exists").wait(TableName=table, WaiterConfig=botocore_options(scenario))
                else:
                    outcome = TABLE_EXISTS.wait(lambda: faulty.describe_table(TableName=table), **options(scenario))
                    assert outcome.acceptor == 0
            except Exception as error:  # noqa: BLE001 - any error means that the wait is lost.
                return error
            return None

        with ThreadPoolExecutor(scenario["concurrent"]) as pool:
            return [found for found in pool.map(error, tables(scenario)) if found is not None]

    def wait(self, endpoint: str, options: dict[str, Any], *, retries: bool, **config: Any) -> Outcome[Any]:
        one = client("dynamodb", endpoint, retries=RETRIES[retries], **config)
        return TABLE_EXISTS.wait(lambda: one.describe_table(TableName="orders"), **options)


class Aiobotocore:
    name = "aiobotocore"

    def lost(self, endpoint: str, scenario: dict[str, Any], *, retries: bool, own: bool) -> list[BaseException]:
        # With retries, a call consists of several requests and takes up to a minute.
        timeout: Any = {"attempt_timeout": 5 if retries else 0.5} if "silent" in scenario["faults"] else {}
        free = asyncio.Semaphore(scenario["concurrent"])

        async def one(faulty: Any, table: str) -> None:
            async with free:
                if own:
                    await faulty.get_waiter("table_exists").wait(
                        TableName=table, WaiterConfig=botocore_options(scenario)
                    )
                else:
                    outcome = await TABLE_EXISTS.wait_async(describing(faulty, table), **options(scenario), **timeout)
                    assert outcome.acceptor == 0

        async def wait() -> list[BaseException | None]:
            async with connecting(endpoint, retries=retries, **client_options(scenario)) as faulty:
                return await asyncio.gather(*(one(faulty, table) for table in tables(scenario)), return_exceptions=True)

        return [error for error in asyncio.run(wait()) if error is not None]

    def wait(self, endpoint: str, options: dict[str, Any], *, retries: bool, **config: Any) -> Outcome[Any]:
        async def wait() -> Outcome[Any]:
            async with connecting(endpoint, retries=retries, **config) as one:
                return await TABLE_EXISTS.wait_async(describing(one, "orders"), **options)

        return asyncio.run(wait())


def connecting(endpoint: str, *, retries: bool, **config: Any) -> AbstractAsyncContextManager[Any]:
    session: Any = import_module("aiobotocore.session")
    settings: Any = import_module("aiobotocore.config")
    client: AbstractAsyncContextManager[Any] = session.get_session().create_client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="none",
        aws_secret_access_key="none",
        config=settings.AioConfig(retries=RETRIES[retries], proxies={}, **config),
    )
    return client


def describing(client: Any, table: str) -> Any:
    async def describe() -> Any:
        return await client.describe_table(TableName=table)

    return describe
