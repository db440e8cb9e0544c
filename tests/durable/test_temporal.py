"""Waits on a Temporal server."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from temporal_server import PROGRAM, Server
from temporal_waits import FLEET, WAITS, ReportOf, WaitFor, WaitForEach, check_broken, released, running, wait
from temporalio import activity
from temporalio.api.enums.v1 import PendingActivityState
from temporalio.client import Client, WorkflowFailureError
from temporalio.exceptions import ActivityError, ApplicationError, CancelledError
from temporalio.worker import Worker
from waits import OPTIONS, undisturbed

from smithy_waiters import (
    ErrorStandIn,
    Waiter,
    WaiterAttemptsExceeded,
    WaiterTimeout,
)
from smithy_waiters.fleet import FleetProgress
from smithy_waiters.temporal import waiter_error, waiters_failed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from contextlib import AbstractAsyncContextManager

    from temporalio.client import WorkflowHandle

pytestmark = pytest.mark.skipif(not PROGRAM, reason="the Temporal server is not built")

FAST: dict[str, Any] = {"max_wait": 60, "min_delay": 0.01, "max_delay": 0.05}
SLOW: dict[str, Any] = {"max_wait": 3600, "min_delay": 600, "max_delay": 600}

numbers = count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("temporal"))
    yield server
    server.kill()


def worker(client: Client, *activities: Callable[..., Any]) -> AbstractAsyncContextManager[Any]:
    own = activities or (FLEET.activity, *(one.activity for one in WAITS.values()))
    return Worker(
        client,
        task_queue="waits",
        workflows=[WaitFor, WaitForEach, ReportOf],
        activities=own,
        max_heartbeat_throttle_interval=timedelta(seconds=1),
    )


async def start(
    client: Client, name: str, *arguments: Any, workflow_id: str | None = None, **options: Any
) -> WorkflowHandle[Any, Any]:
    workflow_id = workflow_id or f"{name}-{next(numbers)}"
    return await client.start_workflow(
        WaitFor.run, args=[name, list(arguments), options], id=workflow_id, task_queue="waits"
    )


async def failure_of(handle: WorkflowHandle[Any, Any]) -> tuple[Any, Any]:
    """Return the failure of a wait, and the error of Temporal that has it."""
    with pytest.raises(WorkflowFailureError) as caught:
        await handle.result()
    cause: Any = caught.value
    while isinstance(cause, WorkflowFailureError | ActivityError):
        cause = cause.cause
    return waiter_error(caught.value), cause


async def wait_for_heartbeat(handle: WorkflowHandle[Any, Any]) -> None:
    for _ in range(600):
        pending = (await handle.describe()).raw_description.pending_activities
        if any(one.HasField("heartbeat_details") for one in pending):
            return
        await asyncio.sleep(0.05)
    raise AssertionError("no heartbeat")


async def wait_for_state(handle: WorkflowHandle[Any, Any], state: PendingActivityState.ValueType) -> None:
    for _ in range(600):
        pending = (await handle.describe()).raw_description.pending_activities
        if [one.state for one in pending] == [state]:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("no such state")


async def wait_for_progress(client: Client, handle: WorkflowHandle[Any, Any], name: str) -> dict[str, Any]:
    for _ in range(600):
        progress = await WAITS[name].progress(client, handle.id)
        if progress is not None:
            return progress
        await asyncio.sleep(0.05)
    raise AssertionError("no progress")


def on_server(server: Server, body: Callable[[Client], Awaitable[None]]) -> None:
    async def connected() -> None:
        await body(await Client.connect(server.address))

    asyncio.run(connected())


def result(server: Server, name: str, *arguments: Any, **options: Any) -> dict[str, Any]:
    """Return the outcome of a wait."""
    results: list[Any] = []

    async def body(client: Client) -> None:
        async with worker(client):
            results.append(await (await start(client, name, *arguments, **options)).result())

    on_server(server, body)
    outcome: dict[str, Any] = results[0]
    return outcome


def failure(server: Server, name: str, *arguments: Any, **options: Any) -> tuple[Any, Any]:
    """Return the failure of a wait, and the error of Temporal that has it."""
    failures: list[Any] = []

    async def body(client: Client) -> None:
        async with worker(client):
            failures.append(await failure_of(await start(client, name, *arguments, **options)))

    on_server(server, body)
    failed: tuple[Any, Any] = failures[0]
    return failed


@pytest.mark.parametrize("name", ["job", "asynchronous"])
def test_a_wait_ends_as_in_one_process(server: Server, name: str) -> None:
    workflow_id = f"same-{name}"
    outcome = result(server, name, 5, workflow_id=workflow_id, **OPTIONS)
    assert outcome["facts"] == undisturbed(5, f"{workflow_id}.1")
    assert (outcome["result"], outcome["response"]) == ("response", {"Status": "DONE"})
    assert [record["attempt"] for record in outcome["history"]] == [1, 2]


def test_a_failure_has_the_report_of_all_attempts(server: Server) -> None:
    failed, error = failure(server, "job", 2, **FAST)
    check_broken(failed, error)


@pytest.mark.parametrize(("limit", "attempts"), [(0, []), (2, [2, 3])])
def test_the_history_is_limited(server: Server, limit: int, attempts: list[int]) -> None:
    failed, _ = failure(server, "job", 2, history_limit=limit, **FAST)
    assert [record.attempt for record in failed.history] == attempts


def test_a_failure_has_the_error_of_its_call(server: Server) -> None:
    failed, error = failure(server, "job", 8, **FAST)
    assert failed.code == "unmatched_error"
    assert isinstance(failed.error, ErrorStandIn)
    assert (failed.error.name, str(failed.error)) == ("PermissionError", "not allowed")
    assert failed.__cause__ is failed.error
    assert isinstance(error.__cause__, ApplicationError)
    assert (error.__cause__.type, error.__cause__.message) == ("PermissionError", "not allowed")


@pytest.mark.parametrize(
    ("name", "error"),
    [("cancelled", "CancelledError('by its client')"), ("cancelled-in-thread", ""), ("exiting", "SystemExit(3)")],
)
def test_a_call_cannot_cancel_its_attempt(server: Server, name: str, error: str) -> None:
    failed, _ = failure(server, name, **FAST)
    assert (failed.code, failed.attempts) == ("unmatched_error", 1)
    assert str(failed.error).startswith("`poll` raised ")
    assert error in str(failed.error)


def test_a_wait_times_out(server: Server) -> None:
    failed, error = failure(server, "running", max_wait=1, min_delay=0.2, max_delay=0.2)
    assert isinstance(failed, WaiterTimeout)
    assert "RUNNING" in failed.explain()
    assert error.type == "WaiterTimeout"


def test_attempts_are_limited(server: Server) -> None:
    failed, _ = failure(server, "running", max_attempts=3, min_delay=0.01, max_delay=0.02)
    assert isinstance(failed, WaiterAttemptsExceeded)
    assert failed.attempts == 3


def test_a_deadline(server: Server) -> None:
    assert result(server, "job", 0, deadline="soon", min_delay=0.1)["attempts"] == 1


def test_an_initial_delay(server: Server) -> None:
    outcome = result(server, "job", 0, initial_delay=1, **FAST)
    assert (outcome["attempts"], outcome["elapsed"] >= 1) == (1, True)


@pytest.mark.parametrize("name", ["hang", "hang-async"])
def test_a_call_that_never_returns_is_cut(server: Server, name: str) -> None:
    failed, _ = failure(server, name, max_wait=3, attempt_timeout=0.2, min_delay=0.5)
    assert isinstance(failed, WaiterTimeout)
    assert {record.result for record in failed.history} == {"cut"}


def test_a_call_may_take_longer_than_the_heartbeat_timeout(server: Server) -> None:
    assert result(server, "slow", max_wait=3600)["attempts"] == 1


def test_the_history_of_the_workflow_does_not_grow(server: Server) -> None:
    async def body(client: Client) -> None:
        async with worker(client):
            handles = [await start(client, "fifty", **FAST), await start(client, "job", 0, **FAST)]
            outcomes = [await handle.result() for handle in handles]
            histories = [await handle.fetch_history() for handle in handles]
        assert [outcome["attempts"] for outcome in outcomes] == [50, 1]
        lengths = [len(history.events) for history in histories]
        assert lengths[0] == lengths[1] <= 12

    on_server(server, body)


@pytest.mark.parametrize("name", ["hang", "hang-async"])
def test_a_wait_that_is_cancelled_during_a_call_has_a_report(server: Server, name: str) -> None:
    async def body(client: Client) -> None:
        async with worker(client):
            handle = await client.start_workflow(
                ReportOf.run, args=[name, SLOW], id=f"report-of-{name}", task_queue="waits"
            )
            await wait_for_heartbeat(handle)
            await handle.cancel()
            failed: Any = await handle.result()
        assert (failed["name"], failed["code"], failed["history"]) == ("WaiterCancelled", "cancelled", [])

    on_server(server, body)


def test_a_call_that_ends_after_a_cancellation_is_the_last_one(server: Server) -> None:
    async def body(client: Client) -> None:
        async with worker(client):
            handle = await start(client, "waiting", **FAST)
            await wait_for_state(handle, PendingActivityState.PENDING_ACTIVITY_STATE_STARTED)
            await handle.cancel()
            await wait_for_state(handle, PendingActivityState.PENDING_ACTIVITY_STATE_CANCEL_REQUESTED)
            released.set()
            _, error = await failure_of(handle)
            assert isinstance(error, CancelledError)

    on_server(server, body)


def test_a_wait_that_is_cancelled_between_two_calls_ends(server: Server) -> None:
    async def body(client: Client) -> None:
        async with worker(client):
            handle = await start(client, "running", **SLOW)
            await wait_for_heartbeat(handle)
            await handle.cancel()
            failed, error = await failure_of(handle)
            assert failed is None
            assert isinstance(error, CancelledError)

    on_server(server, body)


def test_progress(server: Server) -> None:
    async def body(client: Client) -> None:
        async with worker(client):
            handle = await start(client, "running", label="orders", **SLOW)
            progress = await wait_for_progress(client, handle, "running")
            assert progress["summary"].startswith("JobDone orders: attempt 1 after ")
            assert (progress["state"], progress["label"], progress["repeated"]) == ("retry", "orders", 0)
            (pending,) = (await handle.describe()).raw_description.pending_activities
            assert pending.last_failure.message == progress["summary"]
            await handle.terminate()

    on_server(server, body)


def test_a_wait_of_another_definition_is_refused(server: Server) -> None:
    other = wait(running, "running", Waiter.until("Status", "READY"))

    async def body(client: Client) -> None:
        async with worker(client):
            handle = await start(client, "running", max_wait=3600, min_delay=1, max_delay=1)
            await wait_for_progress(client, handle, "running")
        async with worker(client, other.activity):
            _, error = await failure_of(handle)
        assert error.type == "StateError"
        assert WAITS["running"].fingerprint in error.message
        assert other.fingerprint in error.message

    on_server(server, body)


def test_a_state_of_a_later_release_is_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async def body(client: Client) -> None:
        async with worker(client):
            handle = await start(client, "running", max_wait=3600, min_delay=1, max_delay=1)
            await wait_for_progress(client, handle, "running")
            resume = Waiter._resume_due  # noqa: SLF001

            def newer(waiter: Waiter, state: str) -> object:
                return resume(waiter, state.replace('"version":2', '"version":3'))

            monkeypatch.setattr(Waiter, "_resume_due", newer)
            _, error = await failure_of(handle)
        assert (error.type, "is of version 3" in error.message) == ("StateError", True)

    on_server(server, body)


def own(**members: Any) -> dict[str, Any]:
    """Return the details of a wait, with other members."""
    return {"turn": 1, "repeated": 0, "state": "", **members}


@pytest.mark.parametrize(
    ("details", "message"),
    [
        ("5 of 10 files", "the heartbeat details of the activity `1` must be the state of a wait"),
        (
            {"wait": "other.1", "turn": 1, "repeated": 0, "state": ""},
            "must be the state of the wait `{id}.1`, got that of `other.1`",
        ),
        (own(turn="1"), "must be the state of a wait"),
        (own(state=None), "must be the state of a wait"),
        (own(), "the text is not a saved wait"),
        (own(state='{"version":3}'), "is of version 3"),
    ],
)
def test_a_state_that_cannot_be_read_is_refused(server: Server, details: Any, message: str) -> None:
    async def body(client: Client) -> None:
        failed = asyncio.Event()

        @activity.defn(name="running")
        async def foreign(_: Any) -> None:
            info = activity.info()
            wait = {"wait": f"{info.workflow_id}.{info.activity_id}"}
            activity.heartbeat({**wait, **details} if isinstance(details, dict) else details)
            failed.set()
            raise ApplicationError("again", next_retry_delay=timedelta(seconds=1))

        async with worker(client, foreign):
            handle = await start(client, "running", **FAST)
            await failed.wait()
        async with worker(client):
            _, error = await failure_of(handle)
        assert (error.type, message.replace("{id}", handle.id) in error.message) == ("StateError", True)

    on_server(server, body)


def test_a_large_response_is_omitted(server: Server) -> None:
    outcome = result(server, "large", **FAST)
    assert outcome["response"].startswith("<omitted: the report has 1")
    assert outcome["response"].endswith("and the limit is 2000>")
    assert outcome["attempts"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "max_wait"),
        ({"max_wait": -1}, "max_wait"),
        ({"max_wait": "longest"}, "`max_wait` must be more than 0 and at most 315360000 seconds (ten years)"),
        ({"deadline": "last"}, "deadline"),
        ({"deadline": 5.0}, "`deadline` must be an aware `datetime`, got 5.0"),
        ({"max_wait": 5, "unknown": 1}, "unknown"),
    ],
)
def test_invalid_options_fail_the_workflow(server: Server, options: dict[str, Any], message: str) -> None:
    _, error = failure(server, "running", **options)
    assert (error.type, error.non_retryable) == ("OptionsError", True)
    assert message in error.message


def test_a_fleet_ends_in_a_workflow(server: Server) -> None:
    async def body(client: Client) -> None:
        async with worker(client):
            ids = ["vol-2", "vol-0", "vol-12"]
            args: list[Any] = [ids, ["eu-west-1"], FAST]
            handle = await client.start_workflow(WaitForEach.run, args=args, id="fleet", task_queue="waits")
            attempts = await handle.result()
            assert set(attempts) == set(ids)
            assert attempts["vol-0"] == attempts["vol-12"] == attempts["vol-2"] - 2 == 1

    on_server(server, body)


def test_a_fleet_that_fails_has_the_end_of_each_resource(server: Server) -> None:
    async def body(client: Client) -> None:
        async with worker(client):
            args: list[Any] = [["vol-0", "vol-7"], [], FAST]
            handle = await client.start_workflow(WaitForEach.run, args=args, id="failing-fleet", task_queue="waits")
            with pytest.raises(WorkflowFailureError) as caught:
                await handle.result()
            failed = waiters_failed(caught.value)
            assert failed is not None
            assert {name: end.code for name, end in failed.failures.items()} == {"vol-7": "failure_state"}
            assert list(failed.outcomes) == ["vol-0"]
            assert waiter_error(caught.value) is None

    on_server(server, body)


def test_the_progress_of_a_fleet(server: Server) -> None:
    async def body(client: Client) -> None:
        async with worker(client):
            args: list[Any] = [["vol-0", "vol-11"], [], {**SLOW, "initial_delay": 0.2}]
            handle = await client.start_workflow(WaitForEach.run, args=args, id="slow-fleet", task_queue="waits")
            for _ in range(200):
                progress = await FLEET.progress(client, handle.id)
                if progress == FleetProgress(1, 1, 0):
                    break
                await asyncio.sleep(0.05)
            else:
                raise AssertionError(progress)
            # Between two rounds, nothing has a report.
            await handle.cancel()
            with pytest.raises(WorkflowFailureError) as caught:
                await handle.result()
            assert waiters_failed(caught.value) is None
            assert await FLEET.progress(client, handle.id) is None

    on_server(server, body)
