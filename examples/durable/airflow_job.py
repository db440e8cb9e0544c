"""A DAG that runs a query of Amazon Redshift, and cancels it if its task is killed. Copy it into the folder of DAGs.

pip install "smithy-waiters[airflow]" "apache-airflow-providers-amazon[aiobotocore]"
"""

from airflow.sdk import DAG

from smithy_waiters import Waiter
from smithy_waiters.airflow import HookCall, WaitOperator

HOOK = "airflow.providers.amazon.aws.hooks.redshift_data.RedshiftDataHook"

with DAG("report", schedule=None):
    WaitOperator(
        task_id="query",
        start=HookCall(HOOK, "execute_statement"),
        start_arguments={"WorkgroupName": "reports", "Database": "dev", "Sql": "CALL report('{{ params.day }}')"},
        from_start={"Id": "Id"},
        poll=HookCall(HOOK, "describe_statement"),
        cancel_with=HookCall(HOOK, "cancel_statement"),
        waiter=Waiter.until("Status", "FINISHED", fail=["ABORTED", "FAILED"]),
        options={"max_wait": 3600, "show": ["Error"]},
        deferrable=True,
        params={"day": "2026-11-28"},
    )
