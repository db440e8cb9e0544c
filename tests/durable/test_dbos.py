"""Waits on DBOS with SQLite and PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from datetime import datetime, timedelta, timezone
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

import pytest
import volumes
from dbos import DBOS, DBOSPortableJSONSerializer, error
from postgres import Server
from sqlalchemy import MetaData, Table, create_engine, make_url
from waits import JOB_DONE, OPTIONS, answer, facts, undisturbed, workflow_id

from smithy_waiters import OptionsError, StateError, Waiter, WaiterCancelled, WaiterFailed, WaitersFailed, WaiterTimeout
from smithy_waiters import dbos as adapter
from smithy_waiters.dbos import DurableWait, FleetHandle, WaitHandle, durable_fleet, durable_wait
from smithy_waiters.durable import StoredFleet, StoredWait
from smithy_waiters.fleet import FleetProgress

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FAST: dict[str, Any] = {"max_wait": 60, "min_delay": 0.1, "max_delay": 0.2}
SLOW: dict[str, Any] = {"max_wait": 3600, "min_delay": 600, "max_delay": 600}


def attempt() -> int:
    return int(str(DBOS.workflow_id).rpartition("-")[2])


def scripted(wait: int) -> dict[str, str]:
    return answer(wait, attempt())


def running() -> dict[str, str]:
    return {"Status": "RUNNING"}


def done(*arguments: Any) -> dict[str, str]:
    del arguments
    return {"Status": "DONE"}


class Private:
    def __init__(self, value: int) -> None:
        self._value = value


def hang() -> dict[str, str]:
    Event().wait()
    return running()


RELEASED = Event()


def occupy() -> dict[str, str]:
    RELEASED.wait()
    return running()


def large() -> dict[str, str]:
    return {"Status": "DONE", "Text": "x" * 100_000}


class Unpicklable:
    def __init__(self) -> None:
        self.Status = "DONE"
        self.event = Event()


def crash(*_: Any) -> None:
    raise KeyboardInterrupt


async def asynchronous() -> None:
    """A call that `durable_wait` does not accept."""


JOB = durable_wait(JOB_DONE, scripted, name="job", queue="waits")
RUNNING = durable_wait(JOB_DONE, running, name="running", queue="waits")
HANGING = durable_wait(JOB_DONE, hang, name="hanging", queue="waits")
LARGE = durable_wait(JOB_DONE, large, name="large", queue="waits", report_limit=2000)
LIMITED = durable_wait(JOB_DONE, scripted, name="limited", queue="limited")
STRANGE = durable_wait(JOB_DONE, Unpicklable, name="strange", queue="waits")
SINGLE = durable_wait(JOB_DONE, occupy, name="single", queue="single")
STRAY = durable_wait(JOB_DONE, running, name="stray", queue="missing")
ANY = durable_wait(JOB_DONE, done, name="any", queue="waits")


CALLS: list[list[str]] = []


def scripted_volumes(ids: list[str], *arguments: Any) -> dict[str, Any]:
    del arguments
    CALLS.append(ids)
    return volumes.answer(ids, attempt())


def creating(ids: list[str]) -> Any:
    # JSON cannot hold it, and it has two pages.
    pages = [ids[:1], ids[1:]]
    return iter(
        [{"Volumes": [{"VolumeId": name, "State": "creating", "at": Event()} for name in page]} for page in pages]
    )


def without_keys(ids: list[str]) -> dict[str, Any]:
    return {"Volumes": [{"State": "available"} for _ in ids]}


def coroutines(ids: list[str]) -> Any:
    del ids
    return asynchronous()


VOLUMES = durable_fleet(volumes.AVAILABLE, scripted_volumes, name="volumes", queue="waits", **volumes.SHAPE)
CREATING = durable_fleet(volumes.AVAILABLE, creating, name="creating", queue="waits", **volumes.SHAPE)
KEYLESS = durable_fleet(volumes.AVAILABLE, without_keys, name="keyless", queue="waits", **volumes.SHAPE)
AWAITED = durable_fleet(volumes.AVAILABLE, coroutines, name="awaited", queue="waits", **volumes.SHAPE)
FLEET_LOST = durable_fleet(volumes.AVAILABLE, creating, name="fleet-lost", queue="waits", **volumes.SHAPE)
FLEET_CHANGED = durable_fleet(volumes.AVAILABLE, creating, name="fleet-changed", queue="waits", **volumes.SHAPE)


@DBOS.workflow()
def start_and_await(wait: int) -> int:
    return JOB.start(wait, **FAST).get_result().attempts


def sqlite(folder: Path) -> str:
    return f"sqlite:///{folder}/dbos.sqlite"


def launch(database: str, version: str = "1", **config: Any) -> None:
    own: Any = {
        "name": "durable-waits",
        "system_database_url": database,
        "application_version": version,
        "console_log_level": "CRITICAL",
    }
    own.update(config)
    DBOS(config=own)
    DBOS.launch()
    DBOS.register_queue("waits", polling_interval_sec=0.05, limiter={"limit": 100, "period": 1})


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def dbos(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = Server() if request.param == "postgres" else None
    database = server.url if server else sqlite(tmp_path_factory.mktemp("dbos"))
    launch(database)
    yield database
    DBOS.destroy()
    if server:
        server.remove()


def polls(handle: WaitHandle[Any]) -> list[Any]:
    return DBOS.list_workflows(workflow_id_prefix=f"{handle.workflow_id}.poll-")


def wait_for_progress(handle: WaitHandle[Any], number: int = 1) -> dict[str, Any]:
    for _ in range(200):
        progress = handle.progress()
        if progress is not None and progress["attempt"] >= number:
            return progress
        time.sleep(0.05)
    raise AssertionError("no progress")


@pytest.mark.usefixtures("dbos")
def test_a_wait_ends_as_in_one_process() -> None:
    handle = JOB.start(5, workflow_id=workflow_id(5), **OPTIONS)
    outcome: Any = handle.get_result()
    assert facts(outcome) == undisturbed(5)
    assert outcome.response == {"Status": "DONE"}
    # Each poll is one workflow, and each has ended.
    assert [poll.status for poll in polls(handle)] == ["SUCCESS"] * outcome.attempts
    # DBOS returns the same outcome.
    assert DBOS.retrieve_workflow(handle.workflow_id).get_result() == outcome
    assert JOB.handle(handle.workflow_id).get_result() == outcome


@pytest.mark.usefixtures("dbos")
def test_a_failure_has_the_report_of_all_attempts() -> None:
    with pytest.raises(WaiterFailed) as caught:
        JOB.start(2, **FAST).get_result()
    failure = caught.value
    assert (failure.code, failure.attempts, failure.response) == ("failure_state", 3, {"Status": "BROKEN"})
    assert [record.attempt for record in failure.history] == [1, 2, 3]
    assert "attempts 1 to 2" in failure.explain()
    assert 'Status gave "BROKEN"' in failure.explain()


@pytest.mark.usefixtures("dbos")
@pytest.mark.parametrize(("limit", "attempts"), [(0, []), (2, [2, 3])])
def test_the_history_is_limited(limit: int, attempts: list[int]) -> None:
    with pytest.raises(WaiterFailed) as caught:
        JOB.start(2, history_limit=limit, **FAST).get_result()
    assert [record.attempt for record in caught.value.history] == attempts


@pytest.mark.usefixtures("dbos")
def test_an_id_of_another_workflow_is_refused() -> None:
    JOB.start(0, workflow_id="taken", **FAST)
    with pytest.raises(error.DBOSConflictingWorkflowError, match="taken"):
        RUNNING.start(workflow_id="taken", **FAST)


@pytest.mark.usefixtures("dbos")
def test_a_failure_has_the_error_of_its_call() -> None:
    with pytest.raises(WaiterFailed) as caught:
        JOB.start(8, **FAST).get_result()
    assert caught.value.code == "unmatched_error"
    assert isinstance(caught.value.error, PermissionError)
    assert isinstance(caught.value.__cause__, PermissionError)


@pytest.mark.usefixtures("dbos")
def test_a_wait_times_out() -> None:
    with pytest.raises(WaiterTimeout) as caught:
        RUNNING.start(max_wait=2, min_delay=0.5, max_delay=0.5).get_result()
    assert 1 <= caught.value.attempts <= 4
    assert "RUNNING" in caught.value.explain()


@pytest.mark.usefixtures("dbos")
def test_a_call_that_never_returns_is_cut() -> None:
    with pytest.raises(WaiterTimeout) as caught:
        HANGING.start(max_wait=4, attempt_timeout=0.2, min_delay=0.5).get_result()
    assert {record.result for record in caught.value.history} == {"cut"}


@pytest.mark.usefixtures("dbos")
def test_a_cancelled_wait_reports_its_attempts() -> None:
    handle = RUNNING.start(**SLOW)
    wait_for_progress(handle)
    handle.cancel()
    with pytest.raises(WaiterCancelled) as caught:
        handle.get_result()
    assert (caught.value.attempts, caught.value.history[0].attempt) == (1, 1)
    # Not the time of the next poll.
    assert caught.value.elapsed < 60
    assert [poll.status for poll in polls(handle)] == ["SUCCESS", "CANCELLED"]
    # A wait that has ended does not change.
    handle.cancel()
    with pytest.raises(WaiterCancelled):
        handle.get_result()


@pytest.mark.usefixtures("dbos")
def test_the_polls_of_a_workflow_that_dbos_cancelled_end() -> None:
    handle = RUNNING.start(**FAST)
    wait_for_progress(handle)
    DBOS.cancel_workflow(handle.workflow_id)
    time.sleep(3)
    made = len(polls(handle))
    time.sleep(2)
    assert len(polls(handle)) == made
    assert all(poll.status == "SUCCESS" for poll in polls(handle))


@pytest.mark.usefixtures("dbos")
def test_a_wait_whose_poll_is_lost_ends_at_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "_GRACE", 0)
    handle = RUNNING.start(max_wait=3, min_delay=1.5)
    wait_for_progress(handle)
    DBOS.cancel_workflow(f"{handle.workflow_id}.poll-2")
    with pytest.raises(WaiterTimeout) as caught:
        handle.get_result()
    assert [record.attempt for record in caught.value.history] == [1]


@pytest.mark.usefixtures("dbos")
def test_progress_is_plain_data() -> None:
    handle = RUNNING.start(label="orders", **SLOW)
    progress = wait_for_progress(handle)
    assert progress["summary"].startswith("JobDone orders: attempt 1 after ")
    assert (progress["state"], progress["label"], progress["repeated"]) == ("retry", "orders", 0)
    handle.cancel()
    ended = JOB.start(0, **FAST)
    ended.get_result()
    assert wait_for_progress(ended)["state"] == "success"
    assert DBOS.get_event(f"{ended.workflow_id}.poll-1", "progress", 0) == ended.progress()


@pytest.mark.usefixtures("dbos")
def test_a_start_is_idempotent() -> None:
    soon = datetime.now(timezone.utc) + timedelta(hours=1)
    first, second = (RUNNING.start(workflow_id="once", deadline=soon) for _ in range(2))
    assert first == second
    with pytest.raises(StateError, match=r"started with the fingerprint [0-9a-f]{16}, got [0-9a-f]{16}") as caught:
        RUNNING.start(workflow_id="once", **SLOW)
    assert caught.value.code == "other_definition"
    first.cancel()
    handles = [JOB.start(5, workflow_id="twice", **FAST) for _ in range(2)]
    assert [handle.get_result().attempts for handle in handles] == [2, 2]
    assert len(polls(handles[0])) == 2


@pytest.mark.usefixtures("dbos")
@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 1, "b": 3}),
        ({"orders", "parts"}, {"parts", "orders"}, {"orders"}),
        (Private(1), Private(1), Private(2)),
        (b"a", b"a", b"b"),
        (1, 1, True),
        (timedelta(1), timedelta(hours=24), timedelta(2)),
        (done, done, running),
    ],
)
def test_equal_arguments_start_the_same_wait(one: object, same: object, other: object) -> None:
    name = f"equal-{one!r:.8}"
    assert ANY.start(one, workflow_id=name, **FAST) == ANY.start(same, workflow_id=name, **FAST)
    with pytest.raises(StateError) as caught:
        ANY.start(other, workflow_id=name, **FAST)
    assert caught.value.code == "other_definition"


@pytest.mark.usefixtures("dbos")
def test_equal_options_start_the_same_wait() -> None:
    soon = datetime.now(timezone.utc) + timedelta(hours=1)
    east = soon.astimezone(timezone(timedelta(hours=2)))
    notations: dict[str, list[dict[str, Any]]] = {
        "duration": [{"max_wait": 60}, {"max_wait": 60.0}, {"max_wait": timedelta(minutes=1), "label": None}],
        "deadline": [{"max_wait": 60, "deadline": soon}, {"max_wait": 60.0, "deadline": east}],
    }
    for name, equal in notations.items():
        for options in equal:
            ANY.start(workflow_id=name, **options)
    with pytest.raises(StateError, match="same definition"):
        ANY.start(workflow_id="deadline", max_wait=60, deadline=soon + timedelta(seconds=1))


@pytest.mark.usefixtures("dbos")
@pytest.mark.parametrize("argument", [Lock(), lambda: 1])
def test_an_argument_that_cannot_be_stored_is_refused(argument: object) -> None:
    with pytest.raises(TypeError, match="the arguments and the input must be values that can be pickled, got "):
        ANY.start(argument, **FAST)


def test_the_fingerprint_is_the_same_in_every_process() -> None:
    program = "from smithy_waiters.durable.fingerprint import fingerprint; print(fingerprint([{*'abcdef'}]))"
    own = [{**os.environ, "PYTHONHASHSEED": seed} for seed in "123"]
    printed = {subprocess.run([sys.executable, "-c", program], env=env, stdout=-1, check=True).stdout for env in own}
    assert len(printed) == 1


@pytest.mark.usefixtures("dbos")
@pytest.mark.parametrize("broken", ["_enqueue_wait", "_existing"])
def test_a_start_that_is_interrupted_continues(monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(DurableWait, broken, crash)
        with pytest.raises(KeyboardInterrupt):
            JOB.start(5, workflow_id=f"interrupted{broken}", max_wait=60, initial_delay=1)
    # Nobody starts it again: its first poll creates the wait.
    DBOS.retrieve_workflow(f"interrupted{broken}.poll-1").get_result()
    outcome: Any = JOB.handle(f"interrupted{broken}").get_result()
    assert outcome.attempts == 2
    # A later start returns the same wait.
    assert JOB.start(5, workflow_id=f"interrupted{broken}", max_wait=60, initial_delay=1).get_result() == outcome


def set_creation(database: str, ids: str, created_at: int) -> None:
    """Give workflows the same time of creation, so that the database may return them in any order."""
    is_server = database.startswith("postgres")
    engine = create_engine(make_url(database).set(drivername="postgresql+psycopg" if is_server else "sqlite"))
    table = Table("workflow_status", MetaData(schema="dbos" if is_server else None), autoload_with=engine)
    with engine.begin() as connection:
        connection.execute(table.update().where(table.c.workflow_uuid.like(ids)).values(created_at=created_at))
    engine.dispose()


def test_waits_whose_ids_are_similar(dbos: str) -> None:
    first, second = (RUNNING.start(workflow_id=name, **SLOW) for name in ("x_1", "x-1"))
    others = [RUNNING.start(workflow_id=f"x_1.poll-{letter}", **SLOW) for letter in "abcd"]
    for handle in (first, second, *others):
        wait_for_progress(handle)
    for number in (1, 2):
        set_creation(dbos, f"x%.poll-{number}", number)
    DBOS.cancel_workflow("x_1.poll-2")
    first.cancel()
    with pytest.raises(WaiterCancelled) as caught:
        first.get_result()
    assert caught.value.attempts == 1
    statuses = {poll.workflow_id: poll.status for poll in polls(second)}
    assert statuses == {"x-1.poll-1": "SUCCESS", "x-1.poll-2": "DELAYED"}
    for handle in (second, *others):
        handle.cancel()


@pytest.mark.usefixtures("dbos")
def test_a_wait_ends_while_its_poll_occupies_the_queue() -> None:
    DBOS.register_queue("single", polling_interval_sec=0.05, global_concurrency=1)
    RELEASED.clear()
    handle = SINGLE.start(max_attempts=3)
    while polls(handle)[0].status != "PENDING":
        time.sleep(0.05)
    handle.cancel()
    with pytest.raises(WaiterCancelled):
        handle.get_result()
    assert polls(handle)[0].status == "PENDING"
    RELEASED.set()


@pytest.mark.usefixtures("dbos")
def test_an_unknown_wait() -> None:
    unknown = JOB.handle("unknown")
    assert unknown.progress() is None
    for call in (unknown.cancel, unknown.get_result):
        with pytest.raises(error.DBOSNonExistentWorkflowError, match="unknown"):
            call()


@pytest.mark.usefixtures("dbos")
@pytest.mark.parametrize(
    ("damage", "code"),
    [(('"version":2', '"version":3'), "newer_version"), (("{", ""), "damaged_state")],
)
def test_a_poll_with_a_damaged_state_ends_the_wait(
    monkeypatch: pytest.MonkeyPatch, damage: tuple[str, str], code: str
) -> None:
    attempt = StoredWait.attempt

    def damaged(waits: StoredWait, state: str, *arguments: Any) -> Any:
        return attempt(waits, state.replace(*damage, 1), *arguments)

    monkeypatch.setattr(StoredWait, "attempt", damaged)
    with pytest.raises(StateError) as caught:
        RUNNING.start(**SLOW).get_result()
    assert caught.value.code == code


@pytest.mark.usefixtures("dbos")
def test_a_workflow_starts_and_awaits_a_wait() -> None:
    assert start_and_await(5) == 2


@pytest.mark.usefixtures("dbos")
def test_a_wait_of_another_definition_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # As in two processes.
    monkeypatch.setattr(adapter, "_names", set())
    before = durable_wait(JOB_DONE, running, name="changed", queue="waits")
    handle = before.start(max_wait=60, initial_delay=2)
    monkeypatch.setattr(adapter, "_names", set())
    after = durable_wait(Waiter.until("Status", "READY"), running, name="changed", queue="waits")
    with pytest.raises(StateError) as caught:
        handle.get_result()
    assert caught.value.code == "other_definition"
    assert before.fingerprint in caught.value.message
    assert after.fingerprint in caught.value.message


@pytest.mark.usefixtures("dbos")
def test_a_state_of_a_later_release_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    handle = RUNNING.start(max_wait=60, initial_delay=2)
    resume = Waiter._resume_due  # noqa: SLF001

    def newer(waiter: Waiter, state: str) -> object:
        return resume(waiter, state.replace('"version":2', '"version":3'))

    monkeypatch.setattr(Waiter, "_resume_due", newer)
    with pytest.raises(StateError, match="is of version 3") as caught:
        handle.get_result()
    assert caught.value.code == "newer_version"


@pytest.mark.usefixtures("dbos")
def test_the_limiter_of_the_queue_limits_the_polls_of_all_waits() -> None:
    DBOS.register_queue("limited", polling_interval_sec=0.05, limiter={"limit": 5, "period": 1})
    for handle in [LIMITED.start(5, **FAST) for _ in range(15)]:
        handle.get_result()
    workflows = DBOS.list_workflows(queue_name="limited")
    starts = sorted(workflow.dequeued_at or 0 for workflow in workflows)
    # Two polls of each wait. The waits themselves do not count.
    assert len(starts) == 30
    assert all(later - first >= 1000 for first, later in zip(starts, starts[5:], strict=False))


@pytest.mark.usefixtures("dbos")
def test_a_large_response_is_omitted() -> None:
    outcome = LARGE.start(**FAST).get_result()
    text: Any = outcome.response
    assert text.startswith("<omitted: the report has 1")
    assert text.endswith("and the limit is 2000>")
    assert outcome.attempts == 1


@pytest.mark.usefixtures("dbos")
def test_a_response_that_cannot_be_pickled_becomes_plain_data() -> None:
    outcome = STRANGE.start(**FAST).get_result()
    response: Any = outcome.response
    assert response["Status"] == "DONE"


@pytest.mark.usefixtures("dbos")
@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({}, "max_wait"),
        ({"max_wait": -1}, "max_wait"),
        ({"deadline": 5.0}, "deadline"),
        ({"max_wait": 5, "unknown": 1}, "unknown"),
        ({"max_wait": 5, "workflow_id": ""}, "workflow_id"),
        ({"max_wait": 5, "workflow_id": 5}, "workflow_id"),
        ({"max_wait": 5, "workflow_id": "orders.poll-3"}, "workflow_id"),
    ],
)
def test_invalid_options(options: dict[str, Any], option: str) -> None:
    with pytest.raises(OptionsError) as caught:
        RUNNING.start(**options)
    assert caught.value.option == option


@pytest.mark.usefixtures("dbos")
def test_a_queue_that_is_not_registered() -> None:
    with pytest.raises(OptionsError, match="`queue` must be the name of a registered queue, got 'missing'"):
        STRAY.start(max_wait=5)


@pytest.mark.parametrize(
    ("arguments", "raised", "message"),
    [
        ({"name": ""}, OptionsError, "`name` must be a text, got ''"),
        ({"name": "job"}, OptionsError, "`name` must be unique, got 'job', which another durable wait has"),
        ({"name": "job.poll"}, OptionsError, "`name` must be unique, got 'job.poll', which another durable wait has"),
        ({"queue": None}, OptionsError, "`queue` must be a text, got None"),
        ({"report_limit": 0}, OptionsError, "`report_limit` must be from 1 to 4294967295 bytes, got 0"),
        ({"poll": asynchronous}, TypeError, "`poll` must be a blocking function, got a coroutine function"),
        ({"poll": {}}, TypeError, "the call must be callable, got dict"),
        ({"waiter": Waiter.until(bool)}, StateError, "predicate"),
    ],
)
def test_invalid_registrations(arguments: dict[str, Any], raised: type[Exception], message: str) -> None:
    valid: dict[str, Any] = {"waiter": JOB_DONE, "poll": running, "name": "invalid", "queue": "waits"}
    with pytest.raises(raised, match=message):
        durable_wait(**{**valid, **arguments})


def test_a_wait_survives_a_deploy(tmp_path: Path) -> None:
    DBOS.destroy()
    launch(sqlite(tmp_path), "1")
    handle = JOB.start(2, workflow_id="deployed", max_wait=60, min_delay=2)
    wait_for_progress(handle)
    DBOS.destroy()
    launch(sqlite(tmp_path), "2")
    with pytest.raises(WaiterFailed) as caught:
        JOB.handle("deployed").get_result()
    assert caught.value.attempts == 3
    DBOS.destroy()


def test_a_serializer_for_json(tmp_path: Path) -> None:
    launch(sqlite(tmp_path), serializer=DBOSPortableJSONSerializer())
    with pytest.raises(WaiterFailed) as caught:
        JOB.start(2, **FAST).get_result()
    assert len(caught.value.history) == 3
    DBOS.destroy()


def wait_for_counts(handle: FleetHandle, counts: FleetProgress) -> None:
    for _ in range(200):
        if handle.progress() == counts:
            return
        time.sleep(0.05)
    raise AssertionError(handle.progress())


@pytest.mark.usefixtures("dbos")
def test_a_fleet_ends_with_the_outcome_of_each_resource() -> None:
    CALLS.clear()
    ids = ["vol-0", "vol-12", "vol-2", "vol-1"]
    handle = VOLUMES.start(ids, "eu-west-1", {"page": 7}, **FAST)
    outcomes = handle.get_result()
    assert list(outcomes) == ids
    assert [outcome.attempts for outcome in outcomes.values()] == [1, 1, 3, 2]
    assert {(outcome.response, len(outcome.history)) for outcome in outcomes.values()} == {(None, 0)}
    assert [set(call) for call in CALLS] == [set(ids), {"vol-2", "vol-1"}, {"vol-2"}]
    assert handle.progress() == FleetProgress(0, 4, 0)
    again: Any = DBOS.retrieve_workflow(handle.workflow_id).get_result()
    assert again == outcomes
    assert VOLUMES.handle(handle.workflow_id).get_result() == outcomes


@pytest.mark.usefixtures("dbos")
def test_a_fleet_that_fails_lists_all_ends() -> None:
    with pytest.raises(WaitersFailed) as caught:
        VOLUMES.start(["vol-157", "vol-0", "vol-1"], **FAST).get_result()
    assert {name: end.code for name, end in caught.value.failures.items()} == {"vol-157": "failure_state"}
    assert set(caught.value.outcomes) == {"vol-0", "vol-1"}
    assert "1 of 3 waits failed" in str(caught.value)


@pytest.mark.usefixtures("dbos")
def test_a_quorum_ends_a_fleet() -> None:
    outcomes = VOLUMES.start(["vol-0", "vol-11", "vol-12"], quorum=2, **FAST).get_result()
    assert set(outcomes) == {"vol-0", "vol-12"}
    with pytest.raises(WaitersFailed) as caught:
        VOLUMES.start(
            ["vol-11", "vol-157"], fail_fast=True, quorum=None, **SLOW | {"min_delay": 0.1, "max_delay": 0.1}
        ).get_result()
    assert {end.code for end in caught.value.failures.values()} <= {"failure_state", "cancelled"}


@pytest.mark.usefixtures("dbos")
def test_a_cancelled_fleet_keeps_its_ends() -> None:
    handle = VOLUMES.start(["vol-0", "vol-11"], **SLOW)
    wait_for_counts(handle, FleetProgress(1, 1, 0))
    handle.cancel()
    with pytest.raises(WaitersFailed) as caught:
        handle.get_result()
    assert {name: end.code for name, end in caught.value.failures.items()} == {"vol-11": "cancelled"}
    assert set(caught.value.outcomes) == {"vol-0"}
    with pytest.raises(error.DBOSNonExistentWorkflowError):
        VOLUMES.handle("missing").cancel()
    assert VOLUMES.handle("missing").progress() is None


@pytest.mark.usefixtures("dbos")
def test_a_fleet_times_out_whatever_its_answers_contain() -> None:
    with pytest.raises(WaitersFailed) as caught:
        CREATING.start(["vol-1", "vol-2"], **{**FAST, "max_wait": 0.5}).get_result()
    assert {end.code for end in caught.value.failures.values()} == {"timed_out"}


@pytest.mark.usefixtures("dbos")
def test_the_start_of_a_fleet_is_idempotent() -> None:
    first = CREATING.start(["vol-1", "vol-2"], workflow_id="volumes", **SLOW)
    again = CREATING.start(iter(["vol-1", "vol-2"]), workflow_id="volumes", **SLOW)
    assert first.workflow_id == again.workflow_id
    for ids, options in ((["vol-2", "vol-1"], SLOW), (["vol-1"], SLOW), (["vol-1", "vol-2"], {**SLOW, "quorum": 1})):
        with pytest.raises(StateError, match="was started with the fingerprint") as caught:
            CREATING.start(ids, workflow_id="volumes", **options)
        assert caught.value.code == "other_definition"
    first.cancel()


@pytest.mark.usefixtures("dbos")
@pytest.mark.parametrize(
    ("fleet", "raised", "message"),
    [(KEYLESS, StateError, "has no text `VolumeId`"), (AWAITED, TypeError, "returned an awaitable")],
)
def test_a_mistake_of_the_program_ends_a_fleet(fleet: Any, raised: type[Exception], message: str) -> None:
    with pytest.raises(raised, match=message):
        fleet.start(["vol-1"], **FAST).get_result()


@pytest.mark.usefixtures("dbos")
def test_a_fleet_of_another_definition_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    other = StoredFleet(Waiter.until("Volumes[].State", "available"), **volumes.SHAPE)
    handle = FLEET_CHANGED.start(["vol-1"], **FAST)
    wait_for_counts(handle, FleetProgress(1, 0, 0))
    monkeypatch.setattr(FLEET_CHANGED, "_stored", other)
    with pytest.raises(StateError, match=r"fingerprint is [0-9a-f]{16}, that of this waiter [0-9a-f]{16}") as caught:
        handle.get_result()
    assert caught.value.code == "other_definition"


@pytest.mark.usefixtures("dbos")
@pytest.mark.parametrize(
    ("change", "code"), [(('"version":2', '"version":3'), "newer_version"), (("vol-1", "vol-2"), "damaged_state")]
)
def test_a_changed_state_of_a_fleet_is_refused(
    monkeypatch: pytest.MonkeyPatch, change: tuple[str, str], code: str
) -> None:
    attempt_of = StoredFleet.attempt

    def changed(self: StoredFleet, state: str, *arguments: Any) -> Any:
        return attempt_of(self, state.replace(*change), *arguments)

    monkeypatch.setattr(StoredFleet, "attempt", changed)
    with pytest.raises(StateError) as caught:
        FLEET_LOST.start(["vol-1"], **FAST).get_result()
    assert caught.value.code == code


@pytest.mark.usefixtures("dbos")
@pytest.mark.parametrize(
    ("ids", "options", "option"),
    [
        ([], FAST, "ids"),
        (["vol-1", "vol-1"], FAST, "ids"),
        ("vol-1", FAST, "ids"),
        ([""], FAST, "ids"),
        (["vol-1"], {}, "max_wait"),
        (["vol-1"], {**FAST, "quorum": 2}, "quorum"),
        (["vol-1"], {**FAST, "workflow_id": "fleet.poll-1"}, "workflow_id"),
        (["vol-1"], {**FAST, "deadline": 1.0}, "deadline"),
        (["vol-1"], {**FAST, "on_state": print}, "on_state"),
    ],
)
def test_invalid_options_of_a_fleet(ids: Any, options: dict[str, Any], option: str) -> None:
    with pytest.raises(OptionsError) as caught:
        VOLUMES.start(ids, **options)
    assert caught.value.option == option


@pytest.mark.parametrize(
    ("arguments", "raised", "message"),
    [
        ({"name": "volumes"}, OptionsError, "another durable wait has"),
        ({"queue": ""}, OptionsError, "`queue` must be a text"),
        ({"batch": 0}, OptionsError, "`batch` must be an integer"),
        ({"items": "Volumes["}, OptionsError, "`items`"),
        ({"call": asynchronous}, TypeError, "`call` must be a blocking function"),
        ({"waiter": Waiter.until(lambda _: True)}, StateError, "function"),
    ],
)
def test_invalid_registrations_of_a_fleet(arguments: dict[str, Any], raised: type[Exception], message: str) -> None:
    valid: Any = {"waiter": volumes.AVAILABLE, "call": creating, "name": "new-fleet", "queue": "waits", **volumes.SHAPE}
    with pytest.raises(raised, match=message):
        durable_fleet(**{**valid, **arguments})
