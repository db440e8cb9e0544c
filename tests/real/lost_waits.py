"""Run waits with boto3 and aiobotocore behind a proxy with random faults from a seed."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from services import client

from smithy_waiters import Outcome, Waiter

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

WAITS = int(os.environ.get("SMITHY_WAITERS_LOST_WAITS", "30"))

CONCURRENT = 32

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

# The delays in seconds. Their means are about equal.
OPTIONS: Any = {"max_wait": 300, "min_delay": 0.02, "max_delay": 0.2}
BOTOCORE = {"Delay": 0.1, "MaxAttempts": 1200}

# The proxy does not respond to some requests.
FAULTY = {"connect_timeout": 1, "read_timeout": 1, "max_pool_connections": CONCURRENT}

# `None` is the client's default.
RETRIES: dict[bool, Any] = {True: None, False: {"total_max_attempts": 1}}


class Client(Protocol):
    """A client, with or without its own retries."""

    name: str

    def lost(self, endpoint: str, tables: list[str], *, retries: bool, own: bool) -> list[BaseException]:
        """Wait for all tables with the client's own waiter or with ours, and return the errors of failed waits."""

    def wait(self, endpoint: str, options: dict[str, Any], *, retries: bool, **config: Any) -> Outcome[Any]:
        """Wait for a table."""


class Boto3:
    name = "boto3"

    def lost(self, endpoint: str, tables: list[str], *, retries: bool, own: bool) -> list[BaseException]:
        faulty = client("dynamodb", endpoint, retries=RETRIES[retries], **FAULTY)

        def error(table: str) -> BaseException | None:
            try:
                if own:
                    faulty.get_waiter("table_exists").wait(TableName=table, WaiterConfig=BOTOCORE)
                else:
                    outcome = TABLE_EXISTS.wait(lambda: faulty.describe_table(TableName=table), **OPTIONS)
                    assert outcome.acceptor == 0
            except Exception as error:  # noqa: BLE001 - any error means that the wait is lost.
                return error
            return None

        with ThreadPoolExecutor(CONCURRENT) as pool:
            return [found for found in pool.map(error, tables) if found is not None]

    def wait(self, endpoint: str, options: dict[str, Any], *, retries: bool, **config: Any) -> Outcome[Any]:
        one = client("dynamodb", endpoint, retries=RETRIES[retries], **config)
        return TABLE_EXISTS.wait(lambda: one.describe_table(TableName="orders"), **options)


class Aiobotocore:
    name = "aiobotocore"

    def lost(self, endpoint: str, tables: list[str], *, retries: bool, own: bool) -> list[BaseException]:
        # With retries, a call consists of several requests and takes up to a minute.
        options = {**OPTIONS, "attempt_timeout": 5 if retries else 0.5}
        free = asyncio.Semaphore(CONCURRENT)

        async def one(faulty: Any, table: str) -> None:
            async with free:
                if own:
                    await faulty.get_waiter("table_exists").wait(TableName=table, WaiterConfig=BOTOCORE)
                else:
                    outcome = await TABLE_EXISTS.wait_async(describing(faulty, table), **options)
                    assert outcome.acceptor == 0

        async def wait() -> list[BaseException | None]:
            async with connecting(endpoint, retries=retries, **FAULTY) as faulty:
                return await asyncio.gather(*(one(faulty, table) for table in tables), return_exceptions=True)

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
