"""Waiters of aiobotocore clients with moto; aioboto3's clients are of the same classes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import botocore.exceptions
import pytest
from aiobotocore.session import get_session

from smithy_waiters import DefinitionError, Waiter, WaiterAttemptsExceeded, WaitersFailed, WaiterTimeout
from smithy_waiters.aiobotocore import PatchedWaiter, patch, waiter
from smithy_waiters.boto3 import waiter as sync_waiter

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from running import Service

FAST = {"min_delay": 0.01, "max_delay": 0.01}


def run(
    service: Service, test: Callable[[Any], Coroutine[Any, Any, None]], session: Any = None, name: str = "s3"
) -> None:
    """Run a test with a client."""

    async def main() -> None:
        settings: Any = service.settings
        async with (session or get_session()).create_client(name, **settings) as client:
            await test(client)

    asyncio.run(main())


def test_a_waiter_of_a_client(service: Service) -> None:
    async def test(client: Any) -> None:
        assert (await waiter(client, "bucket_not_exists").wait(Bucket="new", max_wait=60)).result == "error"
        await client.create_bucket(Bucket="new")
        service.change({"status": 404}, {"status": 404})
        outcome = await waiter(client, "BucketExists").wait(Bucket="new", max_wait=60, **FAST)
        assert (outcome.attempts, outcome.result) == (3, "response")
        with pytest.raises(WaiterTimeout) as caught:
            await waiter(client, "bucket_exists").wait(Bucket="none", max_wait=0.2, **FAST)
        assert isinstance(caught.value, botocore.exceptions.WaiterError)
        assert "bucket_exists" in Waiter.names(client)

    run(service, test)


def test_a_patched_client(service: Service) -> None:
    async def test(client: Any) -> None:
        one = patch(client).get_waiter("bucket_exists")
        assert isinstance(one, PatchedWaiter)
        with pytest.raises(WaiterAttemptsExceeded, match="Max attempts exceeded"):
            await one.wait(Bucket="none", WaiterConfig={"Delay": 0.01, "MaxAttempts": 3})
        with pytest.raises(botocore.exceptions.ParamValidationError):
            await one.wait(Bucke="none")
        task = asyncio.create_task(one.wait(Bucket="none"))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(service, test)


def test_a_patched_session(service: Service) -> None:
    async def test(client: Any) -> None:
        assert isinstance(client.get_waiter("bucket_exists"), PatchedWaiter)
        assert (await client.get_waiter("bucket_not_exists").wait(Bucket="none")).attempts == 1

    run(service, test, patch(get_session()))


def test_requests_have_the_feature_of_waiters(service: Service) -> None:
    async def test(client: Any) -> None:
        agents: list[str] = []
        client.meta.events.register(
            "before-send.s3", lambda request, **_: agents.append(request.headers["User-Agent"].decode())
        )
        await waiter(client, "bucket_not_exists").wait(Bucket="none", max_wait=60)
        await patch(client).get_waiter("bucket_not_exists").wait(Bucket="none")
        await client.list_buckets()
        features = [agent.split(" m/")[1].split(" ")[0].split(",") for agent in agents]
        assert ["B" in one for one in features] == [True, True, False]

    run(service, test)


def test_mistakes_name_the_culprit(service: Service) -> None:
    async def test(client: Any) -> None:
        with pytest.raises(DefinitionError, match=r"no waiter `bucket_exist`: there are `BucketExists`"):
            waiter(client, "bucket_exist")
        with pytest.raises(
            TypeError, match=r"must be a client of boto3: use `smithy_waiters\.aiobotocore` for this one"
        ):
            sync_waiter(client, "bucket_exists")

    run(service, test)


def test_a_fleet(service: Service) -> None:
    async def test(client: Any) -> None:
        volume = {"Size": 1, "AvailabilityZone": "us-east-1a"}
        ids = [(await client.create_volume(**volume))["VolumeId"] for _ in range(20)]
        agents: list[str] = []
        client.meta.events.register(
            "before-send.ec2", lambda request, **_: agents.append(request.headers["User-Agent"].decode())
        )
        fleet = waiter(client, "volume_available").fleet(rate=100)
        service.change({"replace": [[">available<", ">creating<"]]})
        outcomes = await fleet.wait_each_async(ids, max_wait=60, **FAST)
        assert {outcome.attempts for outcome in outcomes.values()} == {2}
        assert len(agents) == 2
        assert all("B" in agent.split(" m/")[1].split(" ")[0].split(",") for agent in agents)
        with pytest.raises(WaitersFailed) as caught:
            await fleet.wait_each_async([*ids, "vol-00000000000000000"], max_wait=2, **FAST)
        assert len(caught.value.outcomes) == 20

    run(service, test, name="ec2")


def test_a_fleet_without_pages(service: Service) -> None:
    async def test(client: Any) -> None:
        await client.create_key_pair(KeyName="fleet")
        fleet = waiter(client, "key_pair_exists").fleet(rate=100)
        assert (await fleet.wait_async("fleet", max_wait=60)).attempts == 1

    run(service, test, name="ec2")
