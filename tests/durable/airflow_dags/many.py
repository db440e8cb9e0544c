"""A DAG of many tasks with scripted answers. `airflow_defer.py` starts their triggers."""

import os

from airflow.sdk import DAG
from waits import JOB_DONE, OPTIONS, workflow_id

from smithy_waiters.airflow import WaitSensor

with DAG("many", schedule=None):
    for wait in range(int(os.environ["SMITHY_WAITERS_DURABLE_WAITS"])):
        WaitSensor(
            task_id=workflow_id(wait),
            waiter=JOB_DONE,
            poll="airflow_polls.poll",
            arguments={"wait": wait},
            options=OPTIONS,
        )
