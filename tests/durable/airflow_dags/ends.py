"""DAGs of one task each: one for each end of a wait."""

import os
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from airflow.sdk import DAG

from smithy_waiters import Waiter
from smithy_waiters.airflow import WaitOperator, WaitSensor

JOB_DONE = Waiter.until("Status", "DONE", fail=["BROKEN"], pending=["RUNNING"], name="JobDone")
OPTIONS: dict[str, Any] = {"max_wait": 3600, "min_delay": 0.1, "max_delay": 0.5}
# Airflow 3.0 does not run a DAG `@once` without it.
START = datetime(2026, 1, 1, tzinfo=timezone.utc)
HOME = Path(os.environ["AIRFLOW_HOME"])


def sensor(name: str, end: str = "DONE", *, poll: str = "status", **arguments: Any) -> None:
    defaults = {"waiter": JOB_DONE, "options": OPTIONS, "deferrable": True, "store_interval": 0}
    with DAG(name, schedule="@once", start_date=START):
        WaitSensor(
            task_id="wait",
            poll=f"airflow_polls.{poll}",
            arguments={"name": "{{ dag.dag_id }}", "end": end},
            **{**defaults, **arguments},
        )


def job(name: str, schedule: str | None = "@once", **arguments: Any) -> None:
    """Define a DAG that starts a job, whose name has the number of the try."""
    defaults = {"waiter": JOB_DONE, "options": OPTIONS, "deferrable": True, "store_interval": 0}
    with DAG(name, schedule=schedule, start_date=START):
        WaitOperator(
            task_id="wait",
            start="airflow_polls.start",
            start_arguments={"name": "{{ dag.dag_id }}-{{ ti.try_number }}"},
            from_start={"name": "Job.Name"},
            poll="airflow_polls.status",
            cancel_with="airflow_polls.cancel_slowly",
            arguments={"end": "DONE"},
            **{**defaults, **arguments},
        )


sensor("success")
sensor("failure", "BROKEN")
sensor("skipped", "BROKEN", soft_fail=True)
sensor("timeout", options={**OPTIONS, "max_wait": timedelta(seconds=20)}, retries=2)
sensor("worker", poll="status_async", deferrable=False)
sensor("stopped", options={**OPTIONS, "seed": 7, "history_limit": 10})
sensor("failed")
sensor("cleared")
# A deploy changes the definition.
sensor("deployed", waiter=JOB_DONE.extend(fail=["LOST"]) if (HOME / "deployed").exists() else JOB_DONE)
job("job_success")
job("job_failed")
job("job_cleared")
# There are two workers only.
job("job_worker", schedule=None, deferrable=False)
job("job_timeout", options={**OPTIONS, "max_wait": 20}, cancel_on_failure=True)
