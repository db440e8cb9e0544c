"""Wait for a table with boto3."""

from collections.abc import Callable
from typing import Any

import boto3
from botocore.config import Config
from journal import Journal

from smithy_waiters import Waiter


def wait(job: dict[str, Any], wait_for_start: Callable[[], None]) -> None:
    """Run the job's wait after `wait_for_start` returns."""
    client = connect(job["endpoint"], job["readTimeout"])
    request = {"TableName": job["table"]}
    options = job["options"]
    table_waiter = Waiter(job["definition"], name=job["waiter"])
    wait_for_start()

    journal = Journal(options["maxWait"])
    journal.end(
        lambda: table_waiter.wait(
            journal.watch(lambda: client.describe_table(**request)),
            max_wait=options["maxWait"],
            min_delay=options.get("minDelay"),
            max_delay=options.get("maxDelay"),
            input=request,
            on_attempt=journal.attempt,
        )
    )


def connect(endpoint: str, read_timeout: float) -> Any:
    """Return a client without retries, so that each attempt of a wait is one request."""
    return boto3.client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="demo",
        aws_secret_access_key="demo",
        config=Config(retries={"total_max_attempts": 1}, read_timeout=read_timeout),
    )
