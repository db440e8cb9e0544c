"""Waits on Temporal without a server, which `temporal_attempts.py` stands in for."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
import volumes
from temporal_attempts import Attempts
from temporal_waits import WAITS, check_broken, running, wait
from temporalio import activity, workflow
from temporalio.activity import ActivityCancellationDetails
from temporalio.exceptions import ActivityError, ApplicationError, CancelledError, RetryState
from temporalio.service import RPCError, RPCStatusCode
from waits import JOB_DONE, OPTIONS, facts, undisturbed

from smithy_waiters import (
    ErrorStandIn,
    OptionsError,
    StateError,
    Waiter,
    WaiterAttemptsExceeded,
    WaiterError,
    WaiterTimeout,
)
from smithy_waiters.durable.stored import ended
from smithy_waiters.temporal import durable_fleet, durable_wait, waiter_error, waiters_failed

# Longer than any test, so that the time that a test takes does not change what is expected.
SLOW: dict[str, Any] = {"max_wait": 3600, "min_delay": 600, "max_delay": 600}
SECONDS = timedelta(seconds=5)


def end(name: str, *arguments: Any, **options: Any) -> Any:
    """Return the outcome of a wait as its workflow receives it."""
    return asyncio.run(Attempts(WAITS[name], *arguments, **options).end())


def failure(name: str, *arguments: Any, **options: Any) -> tuple[Any, ApplicationError]:
    """Return the failure of a wait, and the error of Temporal that has it."""
    with pytest.raises(ApplicationError) as caught:
        end(name, *arguments, **options)
    return waiter_error(caught.value), caught.value


@pytest.mark.parametrize("name", ["job", "asynchronous"])
@pytest.mark.parametrize("number", range(12))
def test_a_wait_ends_as_in_one_process(name: str, number: int) -> None:
    async def last() -> Any:
        try:
            return ended(await Attempts(WAITS[name], number, **OPTIONS).end())
        except ApplicationError as error:
            return waiter_error(error)

    assert facts(asyncio.run(last())) == undisturbed(number, "job.1")


def test_an_outcome_is_plain_data() -> None:
    outcome = end("job", 5, **OPTIONS)
    assert (outcome["result"], outcome["response"]) == ("response", {"Status": "DONE"})
    assert [record["attempt"] for record in outcome["history"]] == [1, 2]


def test_a_failure_has_the_report_of_all_attempts() -> None:
    failed, error = failure("job", 2, **SLOW)
    check_broken(failed, error)


def test_a_failure_has_the_error_of_its_call() -> None:
    failed, error = failure("job", 8, **SLOW)
    assert failed.code == "unmatched_error"
    assert isinstance(failed.error, ErrorStandIn)
    assert (failed.error.name, str(failed.error)) == ("PermissionError", "not allowed")
    assert isinstance(error.cause, ApplicationError)
    assert (error.cause.type, error.cause.message) == ("PermissionError", "not allowed")


def test_the_delay_is_the_one_before_the_next_retry() -> None:
    async def body() -> None:
        attempts = Attempts(WAITS["running"], max_wait=36_000, min_delay=100, max_delay=1000)
        due = timedelta(0)
        for number in (1, 2, 3):
            assert await attempts.next() is None
            left = attempts.left[-1]
            assert (left.type, left.non_retryable) == ("WaitPending", False)
            assert left.message.startswith(f"JobDone: attempt {number} after ")
            # No attempt has waited for its turn, so the next one is after all delays.
            delay_ms = attempts.progress()["delay_ms"]
            due += timedelta(milliseconds=delay_ms)
            assert due - SECONDS < attempts.delay() <= due
            assert (attempts.details["turn"], attempts.details["repeated"]) == (number, 0)

    asyncio.run(body())


def test_an_attempt_that_is_due_follows_at_once() -> None:
    async def body() -> None:
        attempts = Attempts(WAITS["running"], max_wait=60, min_delay=0.0005, max_delay=0.0005)
        await attempts.next()
        # The due time has milliseconds.
        assert timedelta(milliseconds=1) <= attempts.delay() <= timedelta(milliseconds=2)

    asyncio.run(body())


def test_a_wait_times_out() -> None:
    failed, error = failure("running", max_wait=1500, min_delay=600, max_delay=600)
    assert isinstance(failed, WaiterTimeout)
    assert "RUNNING" in failed.explain()
    assert error.type == "WaiterTimeout"


def test_a_wait_whose_workers_were_away_times_out() -> None:
    async def body() -> None:
        attempts = Attempts(WAITS["running"], **SLOW)
        # The first attempt starts after the deadline.
        attempts.info = replace(attempts.info, started_time=attempts.info.scheduled_time + timedelta(seconds=3700))
        with pytest.raises(ApplicationError) as caught:
            await attempts.end()
        assert caught.value.type == "WaiterTimeout"

    asyncio.run(body())


def test_attempts_are_limited() -> None:
    failed, _ = failure("running", max_attempts=3, min_delay=600, max_delay=600)
    assert isinstance(failed, WaiterAttemptsExceeded)
    assert failed.attempts == 3


def test_a_deadline() -> None:
    deadline = datetime.now(timezone.utc) + timedelta(seconds=1500)
    failed, _ = failure("running", deadline=deadline, min_delay=600, max_delay=600)
    assert isinstance(failed, WaiterTimeout)


def test_an_initial_delay() -> None:
    async def body() -> None:
        attempts = Attempts(WAITS["job"], 0, initial_delay=300, **SLOW)
        assert await attempts.next() is None
        assert attempts.left[-1].message == "the wait has not started"
        assert timedelta(seconds=300) - SECONDS < attempts.delay() <= timedelta(seconds=300)
        assert (attempts.details["turn"], (await attempts.next())["attempts"]) == (1, 1)

    asyncio.run(body())


@pytest.mark.parametrize("name", ["hang", "hang-async"])
def test_a_call_that_never_returns_is_cut(name: str) -> None:
    failed, _ = failure(name, max_wait=1500, attempt_timeout=0.05, min_delay=600, max_delay=600)
    assert isinstance(failed, WaiterTimeout)
    assert {record.result for record in failed.history} == {"cut"}


@pytest.mark.parametrize(
    ("name", "error"),
    [("cancelled", "CancelledError('by its client')"), ("cancelled-in-thread", ""), ("exiting", "SystemExit(3)")],
)
def test_a_call_cannot_cancel_its_attempt(name: str, error: str) -> None:
    failed, _ = failure(name, **SLOW)
    assert (failed.code, failed.attempts) == ("unmatched_error", 1)
    assert str(failed.error).startswith("`poll` raised ")
    assert error in str(failed.error)


async def during_poll(attempts: Attempts) -> asyncio.Task[Any]:
    """Start an attempt, and return it after its first heartbeat."""
    attempts.info = replace(attempts.info, heartbeat_timeout=timedelta(seconds=0.06))
    before = attempts.info
    task = asyncio.create_task(attempts.next())
    while attempts.info is before:
        assert not task.done()
        await asyncio.sleep(0.01)
    return task


@pytest.mark.parametrize("name", ["hang", "hang-async"])
def test_the_poll_of_a_lost_worker_is_repeated(name: str, caplog: pytest.LogCaptureFixture) -> None:
    async def body() -> None:
        attempts = Attempts(WAITS[name], attempt_timeout=5, **SLOW)
        poll = await during_poll(attempts)
        state = attempts.details["state"]
        poll.cancel()
        with pytest.raises(asyncio.CancelledError):
            await poll
        # The heartbeats during the poll keep the state.
        assert (attempts.details["turn"], attempts.left, attempts.cancelled) == (0, [], None)
        attempts.lose()
        other = Attempts(wait(running, name))
        other.info = attempts.info
        with caplog.at_level(logging.WARNING):
            assert await other.next() is None
        assert "the poll may be repeated: Temporal lost 1 of its workers" in caplog.text
        assert (other.details["turn"], other.details["repeated"], other.details["state"] != state) == (2, 1, True)
        assert other.progress()["attempt"] == 1

    asyncio.run(body())


@pytest.mark.parametrize("name", ["hang", "hang-async"])
def test_a_cancellation_during_a_poll_has_a_report(name: str) -> None:
    async def body() -> None:
        attempts = Attempts(WAITS[name], **SLOW)
        poll = await during_poll(attempts)
        attempts.environment.cancel()
        assert await poll is None
        report = attempts.cancelled
        assert (report["name"], report["code"], report["history"]) == ("WaiterCancelled", "cancelled", [])
        assert attempts.left == []

    asyncio.run(body())


def test_a_poll_that_its_worker_interrupts_has_no_report() -> None:
    async def body() -> None:
        attempts = Attempts(WAITS["hang-async"], **SLOW)
        poll = await during_poll(attempts)
        attempts.environment.cancel(ActivityCancellationDetails(worker_shutdown=True))
        with pytest.raises(asyncio.CancelledError):
            await poll
        assert (attempts.cancelled, attempts.left) == (None, [])

    asyncio.run(body())


def test_a_wait_of_another_definition_is_refused() -> None:
    async def body() -> ApplicationError:
        attempts = Attempts(WAITS["running"], **SLOW)
        await attempts.next()
        changed = Attempts(other)
        changed.info = attempts.info
        with pytest.raises(ApplicationError) as caught:
            await changed.next()
        return caught.value

    other = wait(running, "running", Waiter.until("Status", "READY"))
    error = asyncio.run(body())
    assert (error.type, error.non_retryable) == ("StateError", True)
    assert WAITS["running"].fingerprint in error.message
    assert other.fingerprint in error.message


def own(**members: Any) -> dict[str, Any]:
    """Return the details of a wait, with other members."""
    return {"wait": "job.1", "turn": 1, "repeated": 0, "state": "", **members}


@pytest.mark.parametrize(
    ("details", "message"),
    [
        ("5 of 10 files", "the heartbeat details of the activity `1` must be the state of a wait"),
        (own(wait="other.1"), "must be the state of the wait `job.1`, got that of `other.1`"),
        (own(turn="1"), "must be the state of a wait"),
        (own(state=None), "must be the state of a wait"),
        (own(), "the text is not a saved wait"),
        (own(state='{"version":3}'), "is of version 3"),
    ],
)
def test_a_state_that_cannot_be_read_is_refused(details: Any, message: str) -> None:
    async def body() -> None:
        attempts = Attempts(WAITS["running"], **SLOW)
        attempts.details = details
        await attempts.next()

    with pytest.raises(ApplicationError) as caught:
        asyncio.run(body())
    assert (caught.value.type, caught.value.non_retryable) == ("StateError", True)
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "max_wait"),
        ({"max_wait": -1}, "max_wait"),
        ({"max_wait": timedelta.max}, "`max_wait` must be more than 0 and at most 315360000 seconds (ten years)"),
        ({"deadline": 5.0}, "`deadline` must be an aware `datetime`, got 5.0"),
        ({"deadline": datetime(2026, 1, 1)}, "`deadline` must be an aware `datetime`"),  # noqa: DTZ001 - a naive one.
        ({"max_wait": 5, "unknown": 1}, "unknown"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, Any], message: str) -> None:
    _, error = failure("running", **options)
    assert (error.type, error.non_retryable) == ("OptionsError", True)
    assert message in error.message


def test_a_local_activity_is_refused() -> None:
    async def body() -> None:
        attempts = Attempts(WAITS["running"], **SLOW)
        attempts.info = replace(attempts.info, is_local=True)
        await attempts.next()

    with pytest.raises(ApplicationError, match="`running` cannot be a local activity") as caught:
        asyncio.run(body())
    assert (caught.value.type, caught.value.non_retryable) == ("StateError", True)


def test_a_large_response_is_omitted() -> None:
    outcome = end("large", **SLOW)
    assert outcome["response"].startswith("<omitted: the report has 1")
    assert outcome["response"].endswith("and the limit is 2000>")


def test_only_a_workflow_that_has_ended_does_not_need_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(*_: object, **__: object) -> None:
        raise RPCError("no", statuses.pop(0), b"")

    statuses = [RPCStatusCode.NOT_FOUND, RPCStatusCode.UNAVAILABLE]
    monkeypatch.setattr(Attempts, "_failed", refused)
    assert asyncio.run(Attempts(WAITS["running"], **SLOW).next()) is None
    with pytest.raises(RPCError):
        asyncio.run(Attempts(WAITS["running"], **SLOW).next())


@pytest.mark.parametrize(
    ("options", "limit"),
    [
        ({"max_attempts": 9}, None),
        ({"max_wait": 600}, timedelta(seconds=660)),
        ({"max_wait": timedelta(seconds=600)}, timedelta(seconds=660)),
        ({"max_wait": -5}, timedelta(seconds=60)),
        ({"max_wait": timedelta.max}, timedelta(days=3660, seconds=60)),
        ({"max_wait": "5"}, None),
        ({"deadline": datetime(2026, 1, 1, 0, 1, tzinfo=timezone.utc)}, timedelta(seconds=120)),
        ({"max_wait": 600, "deadline": datetime.max.replace(tzinfo=timezone.utc)}, timedelta(seconds=660)),
    ],
)
def test_the_activity_ends_after_the_deadline(
    monkeypatch: pytest.MonkeyPatch, options: Any, limit: timedelta | None
) -> None:
    monkeypatch.setattr(workflow, "now", lambda: datetime(2026, 1, 1, tzinfo=timezone.utc))
    config = wait(running, "running", heartbeat_timeout=7).config(**options)
    assert config["schedule_to_close_timeout"] == limit
    assert config["heartbeat_timeout"] == timedelta(seconds=7)


def execution(monkeypatch: pytest.MonkeyPatch, name: str, end: Any, **options: Any) -> Any:
    """Return the end of a wait in a workflow whose activity ends in this way."""

    async def execute_activity(activity: str, request: Any, **config: Any) -> Any:
        assert (activity, request["arguments"], config["start_to_close_timeout"].days) == (name, [1], 3660)
        assert config["task_queue"] == "others"
        if isinstance(end, BaseException):
            raise end
        return end

    monkeypatch.setattr(workflow, "execute_activity", execute_activity)
    return asyncio.run(WAITS[name].execute(1, config={"task_queue": "others"}, **options))


def test_a_workflow_receives_the_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = execution(monkeypatch, "job", end("job", 5, **OPTIONS), **OPTIONS)
    assert facts(outcome) == undisturbed(5, "job.1")


@pytest.mark.parametrize(
    ("cause", "state", "raised"),
    [
        (ApplicationError("no", type="WaitPending"), RetryState.CANCEL_REQUESTED, CancelledError),
        (ApplicationError("no", type="WaitPending"), RetryState.TIMEOUT, ActivityError),
        (ApplicationError("no", type="WaiterFailed"), RetryState.CANCEL_REQUESTED, ActivityError),
    ],
)
def test_a_cancellation_that_a_poll_did_not_notice(
    monkeypatch: pytest.MonkeyPatch, cause: ApplicationError, state: RetryState, raised: type[Exception]
) -> None:
    names: Any = {"identity": "", "activity_type": "job", "activity_id": "1"}
    error = ActivityError("no", scheduled_event_id=1, started_event_id=2, retry_state=state, **names)
    error.__cause__ = cause
    with pytest.raises(raised):
        execution(monkeypatch, "job", error, **OPTIONS)


@pytest.mark.parametrize(
    ("arguments", "raised", "message"),
    [
        ({"name": ""}, OptionsError, "`name` must be a text, got ''"),
        ({"heartbeat_timeout": 0}, OptionsError, "`heartbeat_timeout` must be more than 0, got 0"),
        ({"heartbeat_timeout": "5"}, OptionsError, "`heartbeat_timeout` must be more than 0, got '5'"),
        ({"report_limit": 0}, OptionsError, "`report_limit` must be from 1 to 4294967295 bytes, got 0"),
        ({"poll": {}}, TypeError, "the call must be callable, got dict"),
        ({"waiter": Waiter.until(bool)}, StateError, "predicate"),
    ],
)
def test_invalid_registrations(arguments: dict[str, Any], raised: type[Exception], message: str) -> None:
    valid: dict[str, Any] = {"waiter": JOB_DONE, "poll": running, "name": "invalid"}
    with pytest.raises(raised, match=message):
        durable_wait(**{**valid, **arguments})


def test_other_errors_are_not_failures_of_a_wait() -> None:
    assert waiter_error(ApplicationError("no", {"report": 1})) is None
    assert waiter_error(ValueError("no")) is None
    assert not isinstance(ValueError("no"), WaiterError)


CALLS: list[int] = []


def scripted_volumes(ids: list[str], *arguments: Any) -> dict[str, Any]:
    assert arguments in {(), ("eu-west-1",)}
    CALLS.append(len(ids))
    return volumes.answer(ids, activity.info().attempt - 1)


async def in_pages(ids: list[str]) -> Any:
    for page in (ids[:1], ids[1:]):
        # JSON cannot hold it.
        yield {"Volumes": [{"VolumeId": name, "State": "available", "at": object()} for name in page]}


def paginator(ids: list[str]) -> Any:
    yield volumes.answer(ids, 99)


async def awaited(ids: list[str]) -> Any:
    return volumes.answer(ids, 99)


async def without_end(ids: list[str]) -> Any:
    await asyncio.sleep(3600)
    return volumes.answer(ids, 99)


def without_keys(ids: list[str]) -> dict[str, Any]:
    return {"Volumes": [{"State": "available"} for _ in ids]}


def fleet(call: Any = scripted_volumes, name: str = "volumes", **options: Any) -> Any:
    return durable_fleet(volumes.AVAILABLE, call, name=name, **{**volumes.SHAPE, **options})


def test_a_fleet_ends_with_the_end_of_each_resource() -> None:
    names = volumes.names(1000)

    async def body() -> None:
        attempts = Attempts(fleet(), names, "eu-west-1", **volumes.OPTIONS)
        CALLS.clear()
        rounds = 0
        while await attempts.next() is None:
            rounds += 1
            assert len(CALLS) <= 10
            CALLS.clear()
            if rounds % 3 == 0:
                attempts.lose()
            # 20 to 30 bytes for each resource, beside its identifier, and the ends of those that failed.
            assert len(attempts.details["state"]) < 60_000

    with pytest.raises(ApplicationError) as caught:
        asyncio.run(body())
    failed = waiters_failed(caught.value)
    assert failed is not None
    assert caught.value.type == "WaitersFailed"
    assert {**dict.fromkeys(failed.outcomes), **{name: end.code for name, end in failed.failures.items()}} == (
        volumes.codes(1000)
    )


@pytest.mark.parametrize("call", [in_pages, paginator, awaited])
def test_a_fleet_reads_pages_in_whichever_way_they_come(call: Any) -> None:
    result = asyncio.run(Attempts(fleet(call), ["vol-1", "vol-2"], **SLOW).end())
    outcomes = ended(result)
    assert isinstance(outcomes, dict)
    assert list(outcomes) == ["vol-1", "vol-2"]


def test_a_workflow_receives_the_outcomes(monkeypatch: pytest.MonkeyPatch) -> None:
    result = asyncio.run(Attempts(fleet(awaited), ["vol-2", "vol-1"], **SLOW).end())

    async def execute_activity(*_: Any, **config: Any) -> Any:
        assert config["task_queue"] == "others"
        return result

    monkeypatch.setattr(workflow, "execute_activity", execute_activity)
    outcomes = asyncio.run(fleet().execute(["vol-2", "vol-1"], config={"task_queue": "others"}, **SLOW))
    assert [(name, outcome.attempts) for name, outcome in outcomes.items()] == [("vol-2", 1), ("vol-1", 1)]


def test_the_message_of_a_pause_has_the_counts() -> None:
    async def body() -> None:
        attempts = Attempts(fleet(), ["vol-0", "vol-11"], **SLOW)
        assert await attempts.next() is None
        # The identifiers are gathered for a moment.
        assert await attempts.next() is None
        assert attempts.left[-1].message == "waits for 1 of 2 resources; 1 succeeded, 0 failed"
        assert timedelta(minutes=9) < attempts.delay() < timedelta(minutes=11)

    asyncio.run(body())


def test_a_cancellation_during_a_round_has_a_report() -> None:
    async def body() -> None:
        attempts = Attempts(fleet(without_end), ["vol-0", "vol-1"], **SLOW)
        assert await attempts.next() is None
        poll = await during_poll(attempts)
        attempts.environment.cancel()
        assert await poll is None
        assert [end["code"] for end in attempts.cancelled["ends"]] == ["cancelled", "cancelled"]

    asyncio.run(body())


@pytest.mark.parametrize(
    ("ids", "options", "kind", "message"),
    [
        (["vol-1", "vol-1"], SLOW, "OptionsError", "must not repeat an identifier"),
        ([], SLOW, "OptionsError", "`ids` must not be empty"),
        ("vol-1", SLOW, "OptionsError", "`ids` must be an iterable of identifiers"),
        (["vol-1"], {}, "OptionsError", "`max_wait` is missing"),
        (["vol-1"], {**SLOW, "quorum": 2}, "OptionsError", "`quorum`"),
    ],
)
def test_invalid_options_of_a_fleet_are_refused(ids: Any, options: dict[str, Any], kind: str, message: str) -> None:
    with pytest.raises(ApplicationError, match=message) as caught:
        asyncio.run(Attempts(fleet(), ids, **options).end())
    assert (caught.value.type, caught.value.non_retryable) == (kind, True)


def test_states_that_are_not_those_of_a_fleet_are_refused() -> None:
    async def refusal(changed: Any, change: tuple[str, str] = ("", "")) -> str:
        attempts = Attempts(fleet(), ["vol-1"], **SLOW)
        assert await attempts.next() is None
        other = Attempts(changed, ["vol-1"], **SLOW)
        other.info = attempts.info
        other.details = {**attempts.details, "turn": 0, "state": attempts.details["state"].replace(*change)}
        with pytest.raises(ApplicationError) as caught:
            await other.next()
        assert (caught.value.type, caught.value.non_retryable) == ("StateError", True)
        return caught.value.message

    other_shape = asyncio.run(refusal(fleet(items="Items[]")))
    assert other_shape.count("fingerprint is") == 1
    assert "that of this waiter" in other_shape
    assert "is of version 3" in asyncio.run(refusal(fleet(), ('"version":2', '"version":3')))
    assert "not a saved wait" in asyncio.run(refusal(fleet(), ("vol-1", "vol-2")))
    assert "has no text `VolumeId`" in asyncio.run(refusal(fleet(without_keys)))


@pytest.mark.parametrize(
    ("arguments", "raised", "message"),
    [
        ({"name": ""}, OptionsError, "`name` must be a text, got ''"),
        ({"batch": 0}, OptionsError, "`batch` must be an integer"),
        ({"heartbeat_timeout": 0}, OptionsError, "`heartbeat_timeout` must be more than 0, got 0"),
        ({"call": {}}, TypeError, "the call must be callable, got dict"),
        ({"waiter": Waiter.until(bool)}, StateError, "predicate"),
    ],
)
def test_invalid_registrations_of_a_fleet(arguments: dict[str, Any], raised: type[Exception], message: str) -> None:
    valid: Any = {"waiter": volumes.AVAILABLE, "call": awaited, "name": "invalid", **volumes.SHAPE}
    with pytest.raises(raised, match=message):
        durable_fleet(**{**valid, **arguments})


def test_other_errors_are_not_failures_of_a_fleet() -> None:
    assert waiters_failed(ApplicationError("no", {"report": 1})) is None
    assert waiters_failed(ValueError("no")) is None
