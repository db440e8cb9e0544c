"""Defers the tasks of the DAG `many` to the triggerer, as workers would, but within a second.

A worker takes a second for each task.
"""

from airflow.models.taskinstance import TaskInstance
from airflow.models.trigger import Trigger
from airflow.utils.session import create_session
from airflow.utils.state import TaskInstanceState
from sqlalchemy import select
from waits import JOB_DONE, OPTIONS

from smithy_waiters.airflow import WaitTrigger

with create_session() as session:
    for task in session.scalars(select(TaskInstance)):
        wait = int(task.task_id.removeprefix("job-"))
        trigger = Trigger.from_object(
            WaitTrigger(
                waiter=JOB_DONE,
                poll="airflow_polls.poll",
                arguments={"wait": wait},
                options=OPTIONS,
                wait_id=task.task_id,
                store_interval=0,
            )
        )
        session.add(trigger)
        session.flush()
        task.trigger_id, task.try_number = trigger.id, 1
        task.state, task.next_method, task.next_kwargs = TaskInstanceState.DEFERRED, "execute_complete", {}
