"""A durable function of AWS Lambda that restores a database and waits for it. It does not run between two polls.

pip install "smithy-waiters[aws-lambda]"
"""

import boto3
from aws_durable_execution_sdk_python import DurableContext, durable_execution

from smithy_waiters import Waiter
from smithy_waiters.aws_lambda import durable_wait

client = boto3.client("rds")
db_available = Waiter.from_botocore("rds", "db_instance_available")


@durable_execution
def handler(event: dict[str, str], context: DurableContext) -> str:
    database, snapshot = event["database"], event["snapshot"]
    request = {"DBInstanceIdentifier": database, "DBSnapshotIdentifier": snapshot}
    context.step(
        lambda _: client.restore_db_instance_from_db_snapshot(**request)["DBInstance"]["DBInstanceArn"],
        "restore",
    )
    outcome = durable_wait(
        context,
        db_available,
        lambda: client.describe_db_instances(DBInstanceIdentifier=database),
        max_wait=6 * 3600,
        attempt_timeout=60,
        label=database,
    )
    return outcome.response["DBInstances"][0]["Endpoint"]["Address"]
