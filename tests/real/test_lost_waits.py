"""boto3 behind a proxy that fails most requests: no wait is lost, and those that waiting cannot help end soon."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
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
from services import Services, client, running

from smithy_waiters import WaiterFailed
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with running(WAITS) as found:
        yield found


# None are boto3's own.
RETRIES: dict[bool, Any] = {True: None, False: {"total_max_attempts": 1}}


def lost(services: Services, waiter: str, retries: bool, wait: Callable[[Any, str], None]) -> list[BaseException]:
    """Run all waits, and return the errors of those that did not end with a success."""
    services.seed(SEED)
    config = {"retries": RETRIES[retries], "max_pool_connections": CONCURRENT, **TIMEOUTS}
    faulty = services.faulty(**config)

    def error(table: str) -> BaseException | None:
        try:
            wait(faulty, table)
        except Exception as error:  # noqa: BLE001 - whatever it is, the wait is lost.
            return error
        return None

    with ThreadPoolExecutor(CONCURRENT) as pool:
        errors = [found for found in pool.map(error, tables(retries=retries)) if found is not None]
    report(services, errors, client="boto3", waiter=waiter, retries=retries)
    return errors


@pytest.mark.parametrize("retries", [True, False])
def test_no_wait_is_lost(services: Services, retries: bool) -> None:
    def wait(faulty: Any, table: str) -> None:
        outcome = TABLE_EXISTS.wait(lambda: faulty.describe_table(TableName=table), **OURS)
        assert outcome.response["Table"]["TableStatus"] == "ACTIVE"

    assert lost(services, "smithy-waiters", retries, wait) == []


@pytest.mark.skipif(REPORTS is None, reason="for the report")
@pytest.mark.parametrize("retries", [True, False])
def test_waits_that_botocore_loses(services: Services, retries: bool) -> None:
    def wait(faulty: Any, table: str) -> None:
        faulty.get_waiter("table_exists").wait(TableName=table, WaiterConfig=BOTOCORE)

    lost(services, "sdk", retries, wait)


def ended(endpoint: str, **config: Any) -> tuple[WaiterFailed, float]:
    """Return the failure of a wait, and the time on its clock."""
    clock, faulty = FakeClock(), client("dynamodb", endpoint, **config)
    with pytest.raises(WaiterFailed) as caught:
        TABLE_EXISTS.wait(lambda: faulty.describe_table(TableName="orders"), max_wait=3600, clock=clock)
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
    failure, time = ended(services.proxy, retries=RETRIES[retries])
    assert (failure.code, failure.attempts, services.count(), time) == ("unmatched_error", 1, 1, 0)


def test_a_host_name_that_is_misspelt_ends_a_wait_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(host: Any, *_: Any, **__: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, f"cannot resolve {host}")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    failure, time = ended("http://misspelt.invalid")
    assert (failure.code, failure.attempts, time) == ("unmatched_error", 1, 0)
