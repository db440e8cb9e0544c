"""A wait on Temporal that survives the process. Stop it with Ctrl-C or kill it, and run it again: the wait continues.

pip install "smithy-waiters[temporal]" && python temporal_wait.py localhost:7233
"""

import asyncio
import sys
import time
from pathlib import Path

from temporalio import workflow
from temporalio.client import Client, WorkflowFailureError
from temporalio.common import WorkflowIDConflictPolicy
from temporalio.worker import Worker

with workflow.unsafe.imports_passed_through():
    from smithy_waiters import Waiter
    from smithy_waiters.temporal import durable_wait, waiter_error

SECONDS = 20

db_available = Waiter.until("Status", "available", pending=["restoring"], name="DatabaseAvailable")


def describe(database: str) -> dict[str, str]:
    """Return the status of a database, whose restore takes 20 seconds. Replace this with a call of your client."""
    began = Path(f"{database}.began")
    if not began.exists():
        began.touch()
    is_restored = time.time() > began.stat().st_mtime + SECONDS
    return {"Status": "available" if is_restored else "restoring"}


restored = durable_wait(db_available, describe, name="restored")


@workflow.defn
class Restore:
    """Waits until a database is restored, and returns the number of polls."""

    @workflow.run
    async def run(self, database: str) -> int:
        outcome = await restored.execute(database, max_wait=6 * 3600)
        return outcome.attempts


async def main() -> None:
    client = await Client.connect(sys.argv[1])
    async with Worker(client, task_queue="waits", workflows=[Restore], activities=[restored.activity]):
        restore = await client.start_workflow(
            Restore.run,
            "orders",
            id="restore-orders",
            task_queue="waits",
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
        )
        try:
            print("available after", await restore.result(), "polls")
        except WorkflowFailureError as error:
            failure = waiter_error(error)
            print(failure.explain() if failure else error)


if __name__ == "__main__":
    asyncio.run(main())
