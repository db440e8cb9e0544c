"""Defers the tasks of the DAG `many` to the triggerer, as workers would, but within a second.

A worker takes a second for each task. With the argument `jobs`, the waits have jobs to cancel.
"""

import sys

from airflow.models.taskinstance import TaskInstance
from airflow.models.trigger import Trigger
from airflow.utils.session import create_session
from airflow.utils.state import TaskInstanceState
from sqlalchemy import select
from waits import JOB_DONE, OPTIONS

from smithy_waiters.airflow import WaitTrigger


def wait(task_id: str) -> WaitTrigger:
    number = int(task_id.removeprefix("job-"))
    return WaitTrigger(
        waiter=JOB_DONE,
        poll="airflow_polls.poll",
        arguments={"wait": number},
        options={**OPTIONS, "history_limit": 10},
        wait_id=task_id,
        store_interval=0,
    )


def job(task_id: str) -> WaitTrigger:
    return WaitTrigger(
        waiter=JOB_DONE,
        poll="airflow_polls.status_async",
        arguments={"name": task_id, "end": "DONE"},
        options={"max_wait": 36_000, "min_delay": 0.2, "max_delay": 0.5},
        cancel_with="airflow_polls.cancel",
    )


trigger_of = job if "jobs" in sys.argv else wait
with create_session() as session:
    for task in session.scalars(select(TaskInstance)):
        trigger = Trigger.from_object(trigger_of(task.task_id))
        session.add(trigger)
        session.flush()
        task.trigger_id, task.try_number = trigger.id, 1
        task.state, task.next_method, task.next_kwargs = TaskInstanceState.DEFERRED, "execute_complete", {}
