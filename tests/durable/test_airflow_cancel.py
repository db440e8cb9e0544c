"""The decision to cancel the job of a task, without the processes of Airflow."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from smithy_waiters import ExpressionError, OptionsError, Waiter
from smithy_waiters.airflow import WaitOperator, WaitTrigger, job
from smithy_waiters.airflow.job import Claim, Job, decide
from smithy_waiters.airflow.versions import CALLS_ON_KILL

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from smithy_waiters.options import WaitOptions

DONE = Waiter.until("Status", "DONE", fail=["BROKEN"], pending=["RUNNING"], name="Done")
MINE = Claim(2, "here", "job")
ENDED = ["failed", "success", "skipped", "up_for_retry", "scheduled", "queued", "restarting", "removed", None]
OPTIONS: WaitOptions = {"max_wait": 60, "min_delay": 0.001, "max_delay": 0.002}


@pytest.mark.parametrize("state", ENDED)
@pytest.mark.parametrize("latest", [MINE, Claim(2, None, "job"), None])
def test_a_job_is_cancelled_if_its_try_is_over(latest: Claim | None, state: str | None) -> None:
    assert decide(MINE, latest, state).verdict == "cancel"


@pytest.mark.parametrize("state", [*ENDED, "running", "deferred"])
@pytest.mark.parametrize(
    ("latest", "reason"),
    [
        (Claim(2, "elsewhere", "job"), "another triggerer has taken over the wait"),
        (Claim(3, "elsewhere", "job"), "try 3 of the task waits for the same job"),
        (Claim(1, "elsewhere", "old"), "try 1 of the task claims the wait of try 2"),
    ],
)
def test_a_job_with_another_owner_is_never_cancelled(latest: Claim, reason: str, state: str | None) -> None:
    decision = decide(MINE, latest, state)
    assert decision == ("keep", reason)


@pytest.mark.parametrize("state", ["scheduled", "queued"])
def test_a_task_that_its_scheduler_may_have_ended_is_asked_again(state: str) -> None:
    assert decide(MINE, MINE, state, may_be_late=True).verdict == "unknown"
    assert decide(MINE, MINE, None, may_be_late=True).verdict == "cancel"


@pytest.mark.parametrize("state", [*ENDED, "running"])
def test_a_job_whose_task_has_resumed_is_not_cancelled(state: str | None) -> None:
    decision = decide(MINE, MINE._replace(holder="resumed"), state, may_be_late=True)
    assert decision == ("keep", "the task has resumed with the end of the wait")


@pytest.mark.parametrize("state", ["running", "deferred"])
@pytest.mark.parametrize("latest", [MINE, Claim(2, None, "job"), None])
def test_a_job_of_a_task_that_goes_on_is_not_cancelled(latest: Claim | None, state: str) -> None:
    assert decide(MINE, latest, state).verdict == {"running": "unknown", "deferred": "keep"}[state]


@pytest.mark.parametrize("state", ["running", "deferred", "success"])
def test_another_try_with_another_job_ends_this_one(state: str) -> None:
    decision = decide(MINE, Claim(3, None, "another"), state)
    assert decision == ("cancel", "try 3 of the task has started")


class Database:
    """A database of Airflow with one task, which replaces the requests of a job."""

    def __init__(self) -> None:
        self.state: str | None = "deferred"
        self.claim: dict[str, Any] | None = None
        self.error: Exception | None = None
        self.requests = 0

    async def request(self, function: Callable[..., Any], **arguments: Any) -> Any:
        self.requests += 1
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        if function.__name__ == "get_task_states":
            return {arguments["run_ids"][0]: {f"{arguments['task_ids'][0]}_3": self.state}}
        if function.__name__ == "set":
            assert arguments["key"] == "smithy_waiters.claim"
            self.claim = arguments["value"]
        return self.claim


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> Database:
    database = Database()
    monkeypatch.setattr(job, "request", database.request)
    return database


@pytest.fixture
def cancelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Return the names of the cancelled jobs."""
    monkeypatch.setenv("AIRFLOW_HOME", str(tmp_path))

    def read() -> list[str]:
        path = tmp_path / "cancelled"
        return path.read_text().splitlines() if path.exists() else []

    return read


def task(try_number: int = 1) -> Any:
    return SimpleNamespace(dag_id="dag", run_id="run", task_id="task", map_index=3, try_number=try_number)


def a_job(cancel_with: str = "airflow_polls.cancel") -> Job:
    log = logging.getLogger("airflow.task")
    return Job(cancel_with, {"name": "job", "end": "DONE"}, task(), log, holder="here")


def settle(job: Job) -> bool:
    async def run() -> bool:
        await job.store_claim()
        is_over = await job.is_over()
        if is_over:
            await job.cancel()
        return is_over

    return asyncio.run(run())


def test_a_cancellation_is_in_the_log(
    database: Database, cancelled: Callable[[], list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    database.state = "failed"
    assert settle(a_job())
    assert cancelled() == ["job"]
    assert "The job was cancelled. airflow_polls.cancel returned 'stopped job'" in caplog.text


def test_an_error_of_the_cancellation_is_in_the_log(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    database.state = "failed"
    assert settle(a_job("airflow_polls.cancel_badly"))
    assert "PermissionError: not allowed" in caplog.text
    assert "may NOT be cancelled. To cancel it, call `airflow_polls.cancel_badly` with {'name': 'job'" in caplog.text


def test_a_state_that_cannot_be_read_cancels_nothing(
    database: Database, cancelled: Callable[[], list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        one = a_job()
        await one.store_claim()
        database.error = ConnectionError("no API")
        assert not await one.is_over()

    asyncio.run(run())
    assert cancelled() == []
    assert "The job was NOT cancelled: the state of the task cannot be read (ConnectionError('no API'))." in caplog.text
    assert "To cancel it, call `airflow_polls.cancel` with {'name': 'job', 'end': 'DONE'}" in caplog.text


def test_a_claim_that_cannot_be_stored_cancels_nothing(
    database: Database, cancelled: Callable[[], list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    database.error = ConnectionError("no API")
    assert not settle(a_job())
    assert "If the task is killed, its job will NOT be cancelled: the claim cannot be stored" in caplog.text
    assert cancelled() == []


def test_a_task_without_a_row_cancels_nothing(
    database: Database, cancelled: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_rows(function: Callable[..., Any], **arguments: Any) -> Any:
        return {} if function.__name__ == "get_task_states" else await database.request(function, **arguments)

    monkeypatch.setattr(job, "request", no_rows)
    assert not settle(a_job())
    assert cancelled() == []


@pytest.mark.parametrize("another", ["another", None])
def test_a_running_task_is_asked_again(
    database: Database, monkeypatch: pytest.MonkeyPatch, another: str | None
) -> None:
    async def sleep(_: float) -> None:
        if another is not None and database.requests > 10:
            database.claim = Claim(2, None, another)._asdict()

    monkeypatch.setattr(job, "_pause", sleep)
    database.state = "running"
    assert settle(a_job()) is (another is not None)
    assert database.requests > 10


def trigger() -> WaitTrigger:
    waits = WaitTrigger(
        waiter=DONE,
        poll="airflow_polls.status_async",
        arguments={"name": "job", "end": "DONE"},
        options=OPTIONS,
        cancel_with="airflow_polls.cancel",
    )
    waits.task_instance = task()
    return waits


async def ended_by_airflow(waits: WaitTrigger, seconds: float, *, user: bool = False) -> None:
    """Run a trigger, and end it as a triggerer does, which repeats the cancellation."""

    async def run() -> None:
        try:
            async for _ in waits.run():
                raise AssertionError("the wait ended")
        except asyncio.CancelledError:
            if CALLS_ON_KILL and user:
                await waits.on_kill()
            raise

    running = asyncio.create_task(run())
    await asyncio.sleep(seconds)
    while not running.done():
        running.cancel()
        await asyncio.sleep(0.001)
    assert running.cancelled()


def test_100_restarts_cancel_nothing(database: Database, cancelled: Callable[[], list[str]]) -> None:
    path, arguments = trigger().serialize()
    assert path == "smithy_waiters.airflow.trigger.WaitTrigger"
    for number in range(100):
        waits = WaitTrigger(**arguments)
        waits.task_instance = task()
        # Airflow 3.3 also calls `on_kill` of a trigger that it has moved.
        asyncio.run(ended_by_airflow(waits, random.uniform(0, 0.02), user=number % 2 == 0))
    assert cancelled() == []
    assert database.state == "deferred"


def test_100_rebalancings_cancel_nothing(database: Database, cancelled: Callable[[], list[str]]) -> None:
    async def take_over() -> None:
        """Take the wait over in another triggerer, and end it there before the first triggerer notices."""
        await asyncio.sleep(0.005)
        database.claim = Claim(1, "elsewhere", "job")._asdict()
        database.state = random.choice(["success", "failed", "running", "deferred", "scheduled"])

    async def rebalance() -> None:
        await asyncio.gather(ended_by_airflow(trigger(), 0.01, user=True), take_over())

    for _ in range(100):
        database.state = "deferred"
        asyncio.run(rebalance())
    assert cancelled() == []


@pytest.mark.parametrize("state", ["failed", None])
def test_a_killed_task_cancels_its_job_once(
    database: Database, cancelled: Callable[[], list[str]], state: str | None
) -> None:
    async def kill() -> None:
        waits = trigger()
        running = asyncio.create_task(ended_by_airflow(waits, 0.02, user=True))
        await asyncio.sleep(0.01)
        database.state = state
        await running

    asyncio.run(kill())
    assert cancelled() == ["job"]


@pytest.mark.parametrize("behind", [0, 120])
def test_a_late_trigger_cancels_nothing(
    database: Database, cancelled: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch, behind: float
) -> None:
    monkeypatch.setattr(job, "_pause", lambda _: asyncio.sleep(0))
    waits, now = trigger(), time.time
    monkeypatch.setattr(time, "time", lambda: now() - behind)

    async def resume() -> None:
        await asyncio.sleep(0.01)
        database.state = "scheduled"
        while database.requests < 8:  # noqa: ASYNC110 - the decision asks again and again.
            await asyncio.sleep(0.001)
        await job.store_resumption(task(), logging.getLogger("airflow.task"))
        database.state = "failed"

    async def run() -> None:
        await asyncio.gather(ended_by_airflow(waits, 0.02, user=True), resume())

    asyncio.run(run())
    assert cancelled() == []


def operator(**arguments: Any) -> WaitOperator:
    defaults = {
        "waiter": DONE,
        "start": "airflow_polls.start",
        "start_arguments": {"name": "job"},
        "poll": "airflow_polls.status",
        "cancel_with": "airflow_polls.cancel",
        "arguments": {"end": "DONE"},
        "from_start": {"name": "Job.Name"},
        "options": {"max_wait": 60},
    }
    return WaitOperator(task_id="job", **{**defaults, **arguments})


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"start": "airflow_polls.begin"}, OptionsError, "`start` must be a dotted path that can be imported"),
        ({"cancel_with": "airflow_polls.stop"}, OptionsError, "`cancel_with` must be a dotted path that can be"),
        ({"cancel_with": "airflow_polls.hang"}, OptionsError, "keyword arguments of `airflow_polls.hang`"),
        ({"cancel_with": None, "cancel_on_failure": True}, OptionsError, "`cancel_on_failure` needs `cancel_with`"),
        ({"from_start": {"name": "Job."}}, ExpressionError, "Job"),
        ({"from_start": {"title": "Job.Name"}}, OptionsError, "missing a required argument: 'name'"),
        ({"start_arguments": {"name": "job", "speed": 3}}, OptionsError, "unexpected keyword argument 'speed'"),
        ({"timeout": 60}, OptionsError, "`timeout` is not an argument of a `WaitOperator`"),
        ({"cancel_on_failure": "no"}, OptionsError, "`cancel_on_failure` must be True or False, got 'no'"),
        ({"deferrable": "no"}, OptionsError, "`deferrable` must be True or False, got 'no'"),
    ],
)
def test_bad_input_of_an_operator_is_refused(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        operator(**arguments)


class Broken(WaitTrigger):
    """A trigger that fails by a mistake of its program."""

    async def wait(self, *, deferred: bool = False) -> dict[str, Any]:  # noqa: ARG002
        raise AttributeError("no such client")


GONE = Waiter(
    {
        "acceptors": [
            {
                "state": "success",
                "matcher": {"output": {"path": "Status", "comparator": "stringEquals", "expected": "DONE"}},
            },
            {"state": "failure", "matcher": {"errorType": "JobGone"}},
        ]
    }
)


@pytest.mark.parametrize("cancels", [True, False])
@pytest.mark.parametrize(
    ("waiter", "end", "leaves_job"),
    [
        (DONE, "BROKEN", False),
        (DONE, "PAUSED", True),
        (DONE, "RUNNING", True),
        (DONE, "CLIENT", True),
        (GONE, "GONE", True),
        (None, "DONE", True),
    ],
)
def test_a_wait_that_fails_in_a_worker_leaves_no_job(
    database: Database,
    cancelled: Callable[[], list[str]],
    waiter: Waiter | None,
    end: str,
    *,
    leaves_job: bool,
    cancels: bool,
) -> None:
    one = operator(
        waiter=waiter or DONE,
        poll="airflow_polls.status_of",
        arguments={"end": end},
        options={**OPTIONS, "max_wait": 0.02},
        cancel_on_failure=cancels,
        deferrable=False,
    )
    if waiter is None:
        one.trigger_class = Broken
    a_task = task()
    a_task.xcom_push = lambda **_: None
    execute: Any = WaitOperator.execute
    with pytest.raises(Exception, match=r"Done|no such client|GONE|JobGone"):
        execute.__wrapped__(one, {"ti": a_task})
    assert cancelled() == ["job"] * (leaves_job and cancels)
    assert database.requests > 0
