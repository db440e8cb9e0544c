"""A DAG that waits for a database of Amazon RDS. Copy it into the folder of your DAGs.

pip install "smithy-waiters[airflow]" "apache-airflow-providers-amazon[aiobotocore]"
"""

from airflow.sdk import DAG

from smithy_waiters import Waiter
from smithy_waiters.airflow import HookCall, WaitSensor

with DAG("restore", schedule=None):
    WaitSensor(
        task_id="available",
        waiter=Waiter.from_botocore("rds", "db_instance_available"),
        poll=HookCall("airflow.providers.amazon.aws.hooks.rds.RdsHook", "describe_db_instances"),
        arguments={"DBInstanceIdentifier": "{{ params.database }}"},
        options={"max_wait": 6 * 3600, "show": ["DBInstances[].DBInstanceStatus"]},
        deferrable=True,
        params={"database": "orders"},
    )
