"""Wait for a DynamoDB table with boto3: `python wait.py http://127.0.0.1:8000`.

Prints each attempt to standard error, and the end of each wait as JSON to standard output.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Timer
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from smithy_waiters import Outcome, Progress, Waiter, WaiterError
from smithy_waiters.testing import FakeClock

TABLE = "orders-python"

SCHEMA = {
    "TableName": TABLE,
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}

# AWS's waiters, as in its Smithy model.
DEFINITIONS = json.loads(Path(__file__).with_name("waiters.json").read_text())
TABLE_EXISTS = Waiter(DEFINITIONS["TableExists"], name="TableExists")
TABLE_NOT_EXISTS = Waiter(DEFINITIONS["TableNotExists"], name="TableNotExists")


def main(endpoint: str) -> None:
    client = connect(endpoint)

    # Normally, another program creates and deletes the table.
    Timer(1.5, client.create_table, kwargs=SCHEMA).start()
    wait("created", TABLE_EXISTS, client, max_wait=20)
    Timer(0.5, client.delete_table, kwargs={"TableName": TABLE}).start()
    wait("deleted", TABLE_NOT_EXISTS, client, max_wait=20)

    # Two waits that cannot succeed.
    wait("hanging", TABLE_EXISTS, connect(f"{endpoint}/hang"), max_wait=3)
    wait("denied", TABLE_EXISTS, connect(f"{endpoint}/deny"), max_wait=3)

    # The same waiters in a test: AWS's delays of 20 to 120 seconds, without waiting.
    replay("created, replayed", TABLE_EXISTS, [None, "CREATING", "CREATING", "ACTIVE"])
    replay("deleted, replayed", TABLE_NOT_EXISTS, ["ACTIVE", "DELETING", None])


def connect(endpoint: str) -> Any:
    config = Config(
        retries={"total_max_attempts": 1},  # each attempt of a wait is one request
        read_timeout=3.5,  # a blocking call cannot be interrupted at the deadline
    )
    return boto3.client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="demo",
        aws_secret_access_key="demo",
        config=config,
    )


def wait(name: str, waiter: Waiter, client: Any, *, max_wait: float) -> None:
    report(
        name,
        lambda: waiter.wait(
            lambda: client.describe_table(TableName=TABLE),
            max_wait=max_wait,
            min_delay=0.3,
            max_delay=1,
            show=["Table.TableStatus"],
            history_limit=100,
            on_attempt=print_summary,
        ),
    )


def replay(name: str, waiter: Waiter, statuses: list[str | None]) -> None:
    """Wait on a fake clock. A status of `None` is a table that does not exist."""
    clock, answers = FakeClock(), iter(statuses)

    def describe() -> dict[str, Any]:
        clock.advance(0.04)
        status = next(answers)
        if status is None:
            error = {"Code": "ResourceNotFoundException", "Message": "the table does not exist"}
            raise ClientError({"Error": error}, "DescribeTable")
        return {"Table": {"TableStatus": status}}

    report(
        name,
        lambda: waiter.wait(
            describe,
            max_wait=3600,
            seed=2026,
            clock=clock,
            show=["Table.TableStatus"],
            history_limit=100,
            on_attempt=print_summary,
        ),
    )


def print_summary(progress: Progress[Any]) -> None:
    print(progress.summary, file=sys.stderr)


def report(name: str, run: Callable[[], Outcome[Any]]) -> None:
    end: Outcome[Any] | WaiterError
    try:
        end, code, text = run(), "success", None
    except WaiterError as failure:
        end, code, text = failure, failure.code, failure.explain()
    history = [
        {
            "startedMs": attempt.started_ms,
            "endedMs": attempt.ended_ms,
            "saw": attempt.values[0].text if attempt.values else attempt.error,
            "state": attempt.state,
            "acceptor": attempt.acceptor,
            "delayMs": attempt.delay_ms,
            "nextIsLast": attempt.next_is_last,
        }
        for attempt in end.history
    ]
    elapsed_ms = round(end.elapsed * 1000)
    line = {"wait": name, "code": code, "acceptor": end.acceptor, "attempts": end.attempts, "elapsedMs": elapsed_ms}
    print(json.dumps({**line, "history": history, "text": text}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
