"""Waiters of boto3 clients, and patched clients: real clients, whose responses come from a hook before the network."""

from __future__ import annotations

import copy
import gc
import inspect
import json
import pickle
import re
import time
from datetime import datetime, timedelta, timezone
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import boto3 as sdk  # type: ignore[import-untyped]
import botocore.exceptions
import pytest
from answers import LOCAL, Answers, answering
from botocore.credentials import RefreshableCredentials
from botocore.session import Session

from smithy_waiters import (
    DefinitionError,
    OptionsError,
    Waiter,
    WaiterAttemptsExceeded,
    WaiterFailed,
    WaiterTimeout,
    WaitOptions,
)
from smithy_waiters.boto3 import ClientWaiter, PatchedWaiter, patch, waiter, waiter_config
from smithy_waiters.clients import ClientWaiterFailed
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from pathlib import Path

GONE = (404, b"")
THERE = (200, b"")
DENIED = (400, b"")
UTC = timezone.utc


def s3(*script: tuple[int, bytes] | Exception) -> tuple[Any, Answers]:
    return answering("s3", *script)


@pytest.fixture
def sleeps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    taken: list[float] = []
    monkeypatch.setattr(time, "sleep", taken.append)
    return taken


def test_a_waiter_of_a_client_waits() -> None:
    client, service = s3(GONE, GONE, THERE)
    clock = FakeClock()
    outcome = waiter(client, "bucket_exists").wait(Bucket="logs", max_wait=300, clock=clock)
    assert (outcome.attempts, clock.sleeps, len(service.requests)) == (3, [5, 5], 3)
    assert outcome.result == "response"
    assert outcome.response["ResponseMetadata"]["HTTPStatusCode"] == 200


def test_requests_have_the_feature_of_waiters() -> None:
    client, service = s3(THERE)
    waiter(client, "BucketExists").wait(Bucket="logs", max_wait=300)
    patch(client).get_waiter("bucket_exists").wait(Bucket="logs")
    client.head_bucket(Bucket="logs")
    features = [request.headers["User-Agent"].decode().split(" m/")[1].split(" ")[0] for request in service.requests]
    assert ["B" in text.split(",") for text in features] == [True, True, False]


@pytest.mark.parametrize("is_patched", [False, True])
def test_a_failure_is_an_exception_of_both(is_patched: bool, sleeps: list[float]) -> None:
    client, _ = s3(GONE, DENIED)
    one: Any = patch(client).get_waiter("bucket_exists") if is_patched else waiter(client, "bucket_exists")
    with pytest.raises(botocore.exceptions.WaiterError) as caught:
        one.wait(Bucket="logs")
    failure: Any = caught.value
    assert isinstance(caught.value, ClientWaiterFailed)
    assert (failure.code, failure.attempts) == ("unmatched_error", 2)
    totals = r"An error occurred \(400\): Bad Request \(after [0-9.]+ s and 2 attempts\)$"
    about = totals if is_patched else "BucketExists failed after"
    assert re.match(f"Waiter BucketExists failed: {about}", str(failure))
    assert failure.kwargs == {"name": "BucketExists", "reason": str(failure).partition(" failed: ")[2]}
    assert failure.last_response["Error"]["Code"] == "400"
    assert failure.__cause__ is failure.error
    assert "attempt 2" in failure.explain()
    for again in (copy.copy(failure), pickle.loads(pickle.dumps(failure))):
        assert (type(again), str(again), again.kwargs) == (type(failure), str(failure), failure.kwargs)
        assert again.last_response["Error"]["Code"] == "400"


def test_reasons_have_the_messages_of_botocore(sleeps: list[float]) -> None:
    client, service = s3(GONE)
    with pytest.raises(
        WaiterAttemptsExceeded,
        match=r"^Waiter BucketExists failed: Max attempts exceeded\. Previously accepted state: Matched",
    ):
        patch(client).get_waiter("bucket_exists").wait(Bucket="logs", WaiterConfig={"MaxAttempts": 2})
    assert len(service.requests) == 2
    with pytest.raises(WaiterTimeout, match=r"^Waiter BucketExists failed: BucketExists timed out after"):
        waiter(client, "bucket_exists").wait(Bucket="logs", max_wait=60, clock=FakeClock())
    stack = b"<Stacks><member><StackStatus>CREATE_FAILED</StackStatus></member></Stacks>"
    stack = b"<R><DescribeStacksResult>" + stack + b"</DescribeStacksResult></R>"
    failing, _ = answering("cloudformation", (200, stack))
    with pytest.raises(
        ClientWaiterFailed, match=r'terminal failure state: For expression "Stacks.*" at least once \(after 0'
    ) as failed:
        patch(failing).get_waiter("stack_create_complete").wait(StackName="web")
    assert failed.value.last_response["Stacks"][0]["StackStatus"] == "CREATE_FAILED"


def test_a_patched_waiter_keeps_the_rhythm_of_botocore(sleeps: list[float]) -> None:
    client, service = s3(GONE)
    patched = patch(client)
    assert patched is client
    assert patched.waiter_names == sdk.client("s3", **LOCAL).waiter_names
    one: Any = patched.get_waiter("bucket_exists")
    assert isinstance(one, botocore.waiter.Waiter)
    assert (type(one).__name__, one.name, vars(one)["config"].max_attempts) == (
        "S3.Waiter.BucketExists",
        "BucketExists",
        20,
    )
    assert "head_bucket" in str(one.wait.__doc__)
    with pytest.raises(botocore.exceptions.WaiterError):
        one.wait(Bucket="logs")
    assert sleeps == [5] * 19
    assert len(service.requests) == 20
    config: Any
    for config in ({"Delay": 10, "MaxWait": 60}, waiter_config(Delay=10, MaxWait=60)):
        sleeps.clear()
        with pytest.raises(WaiterTimeout):
            one.wait(Bucket="logs", WaiterConfig=config)
        # The last poll is late, and the time before it is halved.
        assert sleeps == pytest.approx([10, 10, 10, 10, 9.5, 9.5], abs=0.5)


def test_a_session_patches_its_later_clients(sleeps: list[float]) -> None:
    for session in (sdk.Session(), Session()):
        patch(patch(session))
        create: Any = getattr(session, "client", None) or session.create_client
        client: Any = create("s3", **LOCAL)
        client.meta.events.register("before-send.s3", Answers(GONE, THERE))
        assert isinstance(client.get_waiter("bucket_exists"), PatchedWaiter)
        assert client.get_waiter("BucketExists").wait(Bucket="logs").attempts == 2


def test_other_exceptions_leave_a_patched_waiter_unchanged(sleeps: list[float]) -> None:
    for problem in (ValueError("no"), botocore.exceptions.EndpointConnectionError(endpoint_url="http://x")):
        client, _ = s3(problem)
        with pytest.raises(type(problem)) as caught:
            patch(client, transient_errors="fail").get_waiter("bucket_not_exists").wait(Bucket="logs")
        assert caught.value is problem
        assert caught.value.__context__ is None or caught.value.__context__ is not problem


def test_a_patched_waiter_retries_transient_errors(sleeps: list[float]) -> None:
    lost = botocore.exceptions.ConnectionClosedError(endpoint_url="http://x")
    client, service = s3(*[lost] * 12, THERE)
    assert patch(client).get_waiter("bucket_exists").wait(Bucket="logs").attempts > 1
    assert len(service.requests) == 13
    refused: Any = "never"
    with pytest.raises(OptionsError, match="`transient_errors` must be `retry` or `fail`, got `never`"):
        patch(client, transient_errors=refused)


def test_the_wait_itself_retries_transient_errors() -> None:
    lost = botocore.exceptions.ConnectionClosedError(endpoint_url="http://x")
    client, service = s3(*[lost] * 12, THERE)
    client.meta.config.retries = {"total_max_attempts": 1}
    outcome = waiter(client, "bucket_exists").wait(Bucket="logs", max_wait=300, clock=FakeClock())
    assert outcome.result == "response"
    assert len(service.requests) == 13


def test_mistakes_name_the_culprit() -> None:
    client, _ = s3(THERE)
    with pytest.raises(
        DefinitionError, match=r"no waiter `bucket_exist`: there are `BucketExists`, .*; did you mean `BucketExists`"
    ):
        waiter(client, "bucket_exist")
    with pytest.raises(ValueError, match="no waiter `table_exists`: there are `BucketExists`"):
        patch(client).get_waiter("table_exists")
    with pytest.raises(
        OptionsError, match="`WaiterConfig` has no member `Timeout`: it has `Delay`, `MaxAttempts` and `MaxWait`"
    ):
        client.get_waiter("bucket_exists").wait(Bucket="logs", WaiterConfig={"Timeout": 5})
    with pytest.raises(OptionsError, match="`max_wiat`"):
        waiter(client, "bucket_exists").wait(request={"Bucket": "logs"}, max_wiat=5)
    with pytest.raises(TypeError, match="`client` must be a client of boto3, got 's3'"):
        waiter("s3", "bucket_exists")
    with pytest.raises(TypeError, match="`target` must be a client or a session, got 5"):
        patch(5)
    resource: Any = SimpleNamespace(meta=SimpleNamespace(client=client))
    for reject in (lambda: waiter(resource, "bucket_exists"), lambda: patch(resource)):
        with pytest.raises(TypeError, match=r": use its `meta\.client`$"):
            reject()
    with pytest.raises(OptionsError, match=r"`maxWaitTime`.*`max_wait`"):
        waiter(client, "bucket_exists").wait(Bucket="logs", maxWaitTime=5)
    with pytest.raises(
        OptionsError, match=r"^`WaiterConfig` is for patched clients: use `min_delay` .* `MaxAttempts`$"
    ):
        waiter(client, "bucket_exists").wait(Bucket="logs", WaiterConfig={"Delay": 5})
    with pytest.raises(
        OptionsError,
        match=r"^`Name` is not an option and not a parameter of HeadBucket, which has `Bucket`, `ExpectedBucketOwner`$",
    ):
        waiter(client, "bucket_exists").wait(Name="logs")
    with pytest.raises(OptionsError, match=r"^`Bucke` is not an option, did you mean `Bucket`\?$"):
        waiter(client, "bucket_exists").wait(Bucke="logs")
    with pytest.raises(TypeError, match=r"got None: call `boto3.setup_default_session\(\)` first"):
        patch(None)
    # A mistake in the program is not a failed wait.
    with pytest.raises(botocore.exceptions.ParamValidationError, match="Buket"):
        waiter(client, "bucket_exists").wait(max_wait=5, request={"Buket": "logs"})
    with pytest.raises(botocore.exceptions.ParamValidationError):
        waiter(client, "bucket_exists").wait(max_wait=5)
    # boto3 itself reports an unknown argument of the operation.
    with pytest.raises(botocore.exceptions.ParamValidationError):
        client.get_waiter("bucket_exists").wait(Bucke="logs")


def test_an_argument_with_the_name_of_an_option_needs_the_whole_request() -> None:
    client = sdk.Session().client("s3", **LOCAL)
    one = ClientWaiter(client, "bucket_exists")
    one._members = ("Bucket", "label")
    with pytest.raises(
        OptionsError, match="`label` is an option and an argument of HeadBucket: pass the arguments as `request`"
    ):
        one.wait(Bucket="logs", label="x", max_wait=5)
    assert one.split({"max_wait": 5}, {"label": "x"}) == ({"max_wait": 5}, {"label": "x"})


def test_a_waiter_is_translated_once() -> None:
    client = sdk.Session().client("s3", **LOCAL)
    one, again = waiter(client, "bucket_exists"), waiter(client, "bucket_exists")
    assert one is not again
    assert one.waiter is again.waiter
    assert waiter(sdk.Session().client("s3", **LOCAL), "bucket_exists").waiter is not one.waiter
    assert Waiter.names(client) == client.waiter_names


def test_help_lists_the_options() -> None:
    assert {*WaitOptions.__annotations__} <= {*inspect.signature(ClientWaiter.wait).parameters}
    assert "max_wait: The maximum duration of the wait." in str(ClientWaiter.wait.__doc__)


EXPIRED = (400, b"<Response><Errors><Error><Code>RequestExpired</Code></Error></Errors></Response>")
RUNNING = (200, b"<Response/>")


@pytest.mark.parametrize("is_patched", [False, True])
def test_expired_credentials_are_renewed_once(is_patched: bool, sleeps: list[float]) -> None:
    def wait(*script: tuple[int, bytes], renewable: bool = True) -> int:
        client, _ = answering("ec2", *script)
        if renewable:
            renewed = RefreshableCredentials("a", "b", "c", datetime.now(UTC) + timedelta(hours=1), dict, "test")
            client._request_signer._credentials = renewed
        one: Any = patch(client).get_waiter("vpc_exists") if is_patched else waiter(client, "vpc_exists")
        attempts: int = one.wait(VpcIds=["v"]).attempts
        return attempts

    if not is_patched:
        assert wait(EXPIRED, RUNNING) == 2
        with pytest.raises(WaiterFailed, match="the credentials have expired") as caught:
            wait(EXPIRED)
        assert caught.value.attempts == 2
    with pytest.raises(WaiterFailed, match="RequestExpired") as caught:
        wait(EXPIRED, RUNNING, renewable=False)
    assert caught.value.attempts == 1


def test_a_failure_leaves_no_garbage(sleeps: list[float]) -> None:
    client, _ = s3(DENIED)
    patched = patch(client)

    def failures() -> int:
        return sum(isinstance(one, WaiterFailed) for one in gc.get_objects())

    gc.collect()
    before = failures()
    gc.disable()
    try:
        for _ in range(3):
            with pytest.raises(botocore.exceptions.WaiterError):
                patched.get_waiter("bucket_exists").wait(Bucket="logs")
        assert failures() == before
    finally:
        gc.enable()


def test_a_project_has_waiters_beside_those_of_botocore(tmp_path: Path) -> None:
    acceptors = [{"state": "success", "matcher": "error", "expected": "404"}]
    emptied = {"operation": "HeadBucket", "delay": 1, "maxAttempts": 2, "acceptors": acceptors}
    file = tmp_path / "s3.json"
    file.write_text(json.dumps({"version": 2, "waiters": {"bucket_emptied": emptied}}))
    client, _ = s3(GONE)
    for definitions in (tmp_path, file):
        one = waiter(client, "bucket_emptied", definitions=definitions)
        assert (one.name, one.waiter.name, one.wait(Bucket="logs").attempts) == ("bucket_emptied", "BucketEmptied", 1)
        assert waiter(client, "bucket_exists", definitions=definitions).operation == "HeadBucket"
    with pytest.raises(DefinitionError, match=r"there are .*`bucket_emptied`"):
        waiter(client, "bucket_gone", definitions=tmp_path)
    file.write_text(json.dumps({"version": 2, "waiters": {"job_done": {**emptied, "operation": "HeadBuckets"}}}))
    with pytest.raises(
        DefinitionError, match="`job_done` calls `HeadBuckets`, which `s3` does not have; did you mean `HeadBucket`"
    ):
        waiter(client, "job_done", definitions=tmp_path)
    file.write_text(json.dumps({"acceptors": []}))
    with pytest.raises(DefinitionError, match="`version`: the required member is missing"):
        waiter(client, "job_done", definitions=tmp_path)


def test_a_waiter_of_a_client_has_more_acceptors() -> None:
    client, service = s3(DENIED, GONE, THERE)
    exists = waiter(client, "bucket_exists")
    patient = exists.extend(first=[{"state": "retry", "matcher": {"errorType": "400"}}])
    outcome = patient.wait(Bucket="logs", max_wait=300, clock=FakeClock())
    assert (outcome.attempts, len(service.requests)) == (3, 3)
    assert (type(patient), patient.name, patient.config) == (ClientWaiter, exists.name, exists.config)
    # The original is unchanged.
    client, _ = s3(DENIED)
    with pytest.raises(ClientWaiterFailed):
        waiter(client, "bucket_exists").wait(Bucket="logs", max_wait=300, clock=FakeClock())
    with pytest.raises(DefinitionError, match=r"`first\[0\]\.matcher\.errorType`"):
        exists.extend(first=[{"state": "retry", "matcher": {"errorType": ""}}])
