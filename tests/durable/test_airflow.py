"""Waits on a local Airflow: its scheduler, its workers and its triggerer."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import count
from shutil import copy
from typing import TYPE_CHECKING, Any

import boto3  # type: ignore[import-untyped]
import pytest
from airflow_home import TESTS, Airflow
from moto.server import ThreadedMotoServer

from smithy_waiters import Waiter
from smithy_waiters.airflow.versions import CALLS_ON_KILL
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Iterator


AWS = {"region_name": "eu-central-1", "aws_access_key_id": "key", "aws_secret_access_key": "secret"}


@pytest.fixture(scope="module")
def rds() -> Iterator[Any]:
    """Return a client of a local service, which has a stopped database."""
    server = ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    _, port = server.get_host_and_port()
    client = boto3.client("rds", endpoint_url=f"http://127.0.0.1:{port}", **AWS)
    client.create_db_instance(
        DBInstanceIdentifier="orders",
        DBInstanceClass="db.t3.micro",
        Engine="postgres",
        MasterUsername="user",
        MasterUserPassword="password",
    )
    client.stop_db_instance(DBInstanceIdentifier="orders")
    yield client
    server.stop()


@pytest.fixture(scope="module")
def airflow(tmp_path_factory: pytest.TempPathFactory, rds: Any) -> Iterator[Airflow]:
    extra = {"endpoint_url": rds.meta.endpoint_url, **AWS}
    connection = json.dumps({"conn_type": "aws", "extra": extra})
    airflow = Airflow(tmp_path_factory.mktemp("airflow"), AIRFLOW_CONN_AWS_DEFAULT=connection)
    examples = TESTS.parents[1] / "examples/durable"
    for dags in (TESTS / "airflow_dags/ends.py", examples / "airflow_aws.py", examples / "airflow_job.py"):
        copy(dags, airflow.folder / "dags")
    try:
        airflow.start("api-server")
        # A worker that cannot report to the API fails its task.
        airflow.wait_for("API", lambda: "Application startup complete" in airflow.output("api-server"))
        airflow.start("scheduler", "dag-processor", "triggerer")
        yield airflow
    finally:
        airflow.stop()


def end(airflow: Airflow, dag: str, state: str) -> str:
    """End the job of a DAG, wait for the state of its task, and return its log."""
    settle(airflow, dag)
    (airflow.folder / f"{dag}.ended").touch()
    airflow.wait_for(f"{state} of {dag}", lambda: airflow.state(dag) in ("failed", "skipped", "success"))
    log = airflow.log(dag)
    assert airflow.state(dag) == state, log
    return log


def settle(airflow: Airflow, dag: str, try_number: int = 1) -> None:
    """Wait until the task is deferred and the scheduler has noticed: Airflow loses a task that resumes before that."""
    task = rf"TaskInstanceKey\(dag_id='{dag}', .*, try_number={try_number},"
    noticed = f"Received executor event with state success for task instance {task}"
    airflow.wait_for(f"start of {dag}", lambda: re.search(noticed, airflow.output("scheduler")) is not None)


def calls(airflow: Airflow, name: str) -> list[int]:
    """Return the attempts that called for a name."""
    path = airflow.folder / "calls"
    lines = path.read_text().splitlines() if path.exists() else []
    return [int(line.rpartition(" ")[2]) for line in lines if line.startswith(f"{name} ")]


def cancelled(airflow: Airflow) -> list[str]:
    """Return the names of the cancelled jobs."""
    path = airflow.folder / "cancelled"
    return sorted(path.read_text().splitlines()) if path.exists() else []


def test_the_examples_start(airflow: Airflow) -> None:
    for dag in ("restore", "report"):
        airflow.wait_for("DAG", lambda dag=dag: airflow.query("SELECT * FROM dag WHERE dag_id = ?", dag) != [])  # type: ignore[misc]
        airflow.request("POST", f"/dags/{dag}/dagRuns", logical_date=None)


JOBS = ("job_cleared-1", "job_failed-1", "job_success-1")


def test_a_stopped_triggerer_continues(airflow: Airflow) -> None:
    for name in ("stopped", *JOBS):
        airflow.wait_for("attempt", lambda name=name: len(calls(airflow, name)) > 5)  # type: ignore[misc]
    airflow.terminate("triggerer")
    before = {name: len(calls(airflow, name)) for name in ("stopped", *JOBS)}
    airflow.start("triggerer")
    for name, number in before.items():
        airflow.wait_for("attempt", lambda name=name, number=number: len(calls(airflow, name)) > number + 5)  # type: ignore[misc]
    assert not {*JOBS} & {*cancelled(airflow)}
    log = end(airflow, "stopped", "success")
    assert "Continuing the wait stopped/" in log
    outcome, made = airflow.result("stopped"), Counter(calls(airflow, "stopped"))
    # Only the interrupted call may be repeated.
    assert sorted(made) == list(range(1, outcome["attempts"] + 1))
    assert sum(made.values()) - len(made) <= 1

    attempts = count(1)
    undisturbed = Waiter.until("Status", "DONE", pending=["RUNNING"]).wait(
        lambda: {"Status": "RUNNING" if next(attempts) < len(made) else "DONE"},
        max_wait=3600,
        min_delay=0.1,
        max_delay=0.5,
        seed=7,
        clock=FakeClock(),
    )
    assert outcome["attempts"] == undisturbed.attempts
    assert [one["delay_ms"] for one in outcome["history"]] == [one.delay_ms for one in undisturbed.history]


def test_a_success_is_plain_data(airflow: Airflow) -> None:
    log = end(airflow, "success", "success")
    outcome = airflow.result("success")
    assert outcome["response"] == {"Status": "DONE", "Name": "success"}
    assert (outcome["acceptor"], outcome["error"]) == (1, None)
    assert "JobDone: attempt 1 after" in log
    assert 'retry: Status gave "RUNNING", expected "DONE"; next in 0.1 s' in log


def test_a_failure_has_its_report_in_the_log(airflow: Airflow) -> None:
    log = end(airflow, "failure", "failed")
    assert "JobDone failed after" in log
    assert 'acceptor 0: matched: Status gave "BROKEN"' in log
    end(airflow, "skipped", "skipped")


def test_a_wait_in_the_worker(airflow: Airflow) -> None:
    (airflow.folder / "worker.ended").touch()
    end(airflow, "worker", "success")
    assert airflow.result("worker")["response"]["Name"] == "worker"


def test_a_timeout_is_not_retried(airflow: Airflow) -> None:
    airflow.wait_for("timeout", lambda: airflow.state("timeout") == "failed")
    assert "JobDone timed out" in airflow.log("timeout")
    assert airflow.query("SELECT try_number FROM task_instance WHERE dag_id = 'timeout'") == [(1,)]


def kill(airflow: Airflow, dag: str) -> None:
    """Clear the task of a DAG, or mark it as failed."""
    ((run, task),) = airflow.query("SELECT run_id, task_id FROM task_instance WHERE dag_id = ?", dag)
    if dag.endswith("cleared"):
        tasks = {"dag_run_id": run, "task_ids": [task], "only_failed": False}
        airflow.request("POST", f"/dags/{dag}/clearTaskInstances", dry_run=False, **tasks)
    else:
        airflow.request("PATCH", f"/dags/{dag}/dagRuns/{run}/taskInstances/{task}", new_state="failed")


@pytest.mark.parametrize("dag", ["failed", "cleared"])
def test_a_user_cancels(airflow: Airflow, dag: str) -> None:
    settle(airflow, dag)
    airflow.wait_for("attempt", lambda: "JobDone: attempt 2" in airflow.log(dag))
    kill(airflow, dag)
    # Before Airflow 3.3, only a trigger with a job learns that its task was killed.
    report = "JobDone was cancelled after" if CALLS_ON_KILL else "trigger completed"
    airflow.wait_for("report", lambda: report in airflow.log(dag))
    assert "response → retry" in airflow.log(dag) or not CALLS_ON_KILL


def test_a_cleared_task_waits_again(airflow: Airflow) -> None:
    cancelled = len(calls(airflow, "cleared"))
    airflow.wait_for("attempt", lambda: len(calls(airflow, "cleared")) > cancelled + 2)
    end(airflow, "cleared", "success")
    assert airflow.result("cleared")["attempts"] <= len(calls(airflow, "cleared")) - cancelled + 1


def test_a_job_is_cancelled_with_its_task(airflow: Airflow) -> None:
    killed = ["job_cleared", "job_failed", "job_worker"]
    airflow.request("POST", "/dags/job_worker/dagRuns", logical_date=None)
    airflow.wait_for("attempt", lambda: len(calls(airflow, "job_worker-1")) > 0)
    for dag in killed:
        kill(airflow, dag)
    airflow.wait_for("cancellations", lambda: {f"{dag}-1" for dag in killed} <= {*cancelled(airflow)})
    for dag in killed:
        answer = f"airflow_polls.cancel_slowly returned 'stopped {dag}-1'"
        airflow.wait_for("log", lambda dag=dag, answer=answer: answer in airflow.log(dag))  # type: ignore[misc]
        assert "JobDone was cancelled after" in airflow.log(dag) or dag == "job_worker"


def test_a_cleared_task_starts_another_job(airflow: Airflow) -> None:
    settle(airflow, "job_cleared", try_number=2)
    (airflow.folder / "job_cleared-2.ended").touch()
    airflow.wait_for("success", lambda: airflow.state("job_cleared") == "success")
    assert airflow.result("job_cleared")["response"]["Name"] == "job_cleared-2"
    assert "job_cleared-2" not in cancelled(airflow)


def test_a_job_ends(airflow: Airflow) -> None:
    settle(airflow, "job_success")
    (airflow.folder / "job_success-1.ended").touch()
    airflow.wait_for("success", lambda: airflow.state("job_success") == "success")
    assert airflow.result("job_success", "started") == {"Job": {"Name": "job_success-1", "End": "DONE", "Lock": {}}}


def test_a_job_is_cancelled_after_a_timeout(airflow: Airflow) -> None:
    airflow.wait_for("timeout", lambda: airflow.state("job_timeout") == "failed")
    assert "JobDone timed out" in airflow.log("job_timeout")
    assert "job_timeout-1" in cancelled(airflow)
    # All others were killed.
    assert cancelled(airflow) == [f"job_{name}-1" for name in ("cleared", "failed", "timeout", "worker")]


def test_another_definition_is_refused(airflow: Airflow) -> None:
    settle(airflow, "deployed")
    (airflow.folder / "deployed").touch()
    log = end(airflow, "deployed", "failed")
    assert "the wait of the task `wait` belongs to another definition: it was started with the fingerprint" in log


def test_the_example_waits_with_a_hook(airflow: Airflow, rds: Any) -> None:
    airflow.wait_for("attempt", lambda: "DBInstanceAvailable: attempt 1" in airflow.log("restore"))
    rds.start_db_instance(DBInstanceIdentifier="orders")
    log = end(airflow, "restore", "success")
    assert airflow.result("restore")["response"]["DBInstances"][0]["DBInstanceIdentifier"] == "orders"
    assert 'DBInstances[].DBInstanceStatus gave ["available"]' in log


def test_the_example_cancels_its_query(airflow: Airflow) -> None:
    attempt = '"STARTED", expected "FINISHED"'
    airflow.wait_for("attempt", lambda: attempt in airflow.log("report"))
    kill(airflow, "report")
    answer = "The job was cancelled. RedshiftDataHook.cancel_statement returned {'Status': True"
    airflow.wait_for("cancellation", lambda: answer in airflow.log("report"))
