"""aiobotocore behind a proxy that fails most requests: no wait is lost, and those that waiting cannot help end soon."""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from lost_waits import (
    BOTOCORE,
    CONCURRENT,
    OURS,
    REFUSED,
    REPORTS,
    REVOKED,
    SEED,
    TABLE_EXISTS,
    TIMEOUTS,
    WAITS,
    report,
    revoked,
    tables,
)
from services import Services, running

from smithy_waiters import WaiterFailed
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

# It needs another botocore than boto3 does, so it has an environment of its own.
aiobotocore: Any = pytest.importorskip("aiobotocore")
config_module: Any = pytest.importorskip("aiobotocore.config")
session_module: Any = pytest.importorskip("aiobotocore.session")


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with running(WAITS) as found:
        yield found


# None are aiobotocore's own.
RETRIES: dict[bool, Any] = {True: None, False: {"total_max_attempts": 1}}

# The client's own time runs out first if it retries: then a whole chain of attempts is one call.
ATTEMPTS: dict[bool, dict[str, Any]] = {True: {}, False: {"attempt_timeout": 0.5}}


@asynccontextmanager
async def connected(endpoint: str, retries: bool, **config: Any) -> AsyncIterator[Any]:
    creating = session_module.get_session().create_client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="none",
        aws_secret_access_key="none",
        config=config_module.AioConfig(retries=RETRIES[retries], proxies={}, **config),
    )
    async with creating as client:
        yield client


async def lost(
    services: Services, waiter: str, retries: bool, wait: Callable[[Any, str], Awaitable[None]]
) -> list[BaseException]:
    """Run all waits, and return the errors of those that did not end with a success."""
    services.seed(SEED)
    free = asyncio.Semaphore(CONCURRENT)
    async with connected(services.proxy, retries, max_pool_connections=CONCURRENT, **TIMEOUTS) as faulty:

        async def one(table: str) -> None:
            async with free:
                await wait(faulty, table)

        ends = await asyncio.gather(*map(one, tables(retries=retries)), return_exceptions=True)
    errors = [end for end in ends if end is not None]
    report(services, errors, client="aiobotocore", waiter=waiter, retries=retries)
    return errors


@pytest.mark.parametrize("retries", [True, False])
def test_no_wait_is_lost(services: Services, retries: bool) -> None:
    async def wait(faulty: Any, table: str) -> None:
        async def describe() -> Any:
            return await faulty.describe_table(TableName=table)

        outcome = await TABLE_EXISTS.wait_async(describe, **OURS, **ATTEMPTS[retries])
        assert outcome.response["Table"]["TableStatus"] == "ACTIVE"

    assert asyncio.run(lost(services, "smithy-waiters", retries, wait)) == []


@pytest.mark.skipif(REPORTS is None, reason="for the report")
@pytest.mark.parametrize("retries", [True, False])
def test_waits_that_aiobotocore_loses(services: Services, retries: bool) -> None:
    async def wait(faulty: Any, table: str) -> None:
        await faulty.get_waiter("table_exists").wait(TableName=table, WaiterConfig=BOTOCORE)

    asyncio.run(lost(services, "sdk", retries, wait))


def ended(endpoint: str, *, retries: bool = False, **config: Any) -> tuple[WaiterFailed, float]:
    """Return the failure of a wait, and the time on its clock."""
    clock = FakeClock()

    async def wait() -> None:
        async with connected(endpoint, retries, **config) as faulty:

            async def describe() -> Any:
                return await faulty.describe_table(TableName="orders")

            await TABLE_EXISTS.wait_async(describe, max_wait=3600, clock=clock)

    with pytest.raises(WaiterFailed) as caught:
        asyncio.run(wait())
    return caught.value, clock.now


def test_a_service_that_refuses_connections_is_given_up() -> None:
    failure, time = ended(REFUSED)
    assert failure.code == "unreachable"
    assert 120 <= time <= 130


def test_a_service_that_never_answers_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        failure, time = ended(f"http://127.0.0.1:{silent.getsockname()[1]}", read_timeout=0.1)
    assert failure.code == "unreachable"
    assert 120 <= time <= 130


@pytest.mark.parametrize("retries", [True, False])
@pytest.mark.parametrize(("status", "code"), REVOKED)
def test_a_key_that_is_revoked_ends_a_wait_at_once(services: Services, status: int, code: str, retries: bool) -> None:
    services.script(*[revoked(status, code)] * 2)
    failure, time = ended(services.proxy, retries=retries)
    assert (failure.code, failure.attempts, services.count(), time) == ("unmatched_error", 1, 1, 0)


def test_a_host_name_that_is_misspelt_ends_a_wait_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(host: Any, *_: Any, **__: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, f"cannot resolve {host}")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    failure, time = ended("http://misspelt.invalid")
    assert (failure.code, failure.attempts, time) == ("unmatched_error", 1, 0)
