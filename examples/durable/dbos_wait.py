"""A wait on DBOS that survives the process. Stop it with Ctrl-C or kill it, and run it again: the wait continues.

pip install "smithy-waiters[dbos]" && python dbos_wait.py
"""

import time
from pathlib import Path

from dbos import DBOS

from smithy_waiters import Waiter
from smithy_waiters.dbos import durable_wait

FOLDER = Path(__file__).parent
SECONDS = 20

db_available = Waiter.until("Status", "available", pending=["restoring"], name="DatabaseAvailable")


def describe(database: str) -> dict[str, str]:
    """Return the status of a database, whose restore takes 20 seconds. Replace this with a call of your client."""
    began = FOLDER / f"{database}.began"
    if not began.exists():
        began.touch()
    is_restored = time.time() > began.stat().st_mtime + SECONDS
    return {"Status": "available" if is_restored else "restoring"}


restored = durable_wait(db_available, describe, name="restored", queue="waits")

if __name__ == "__main__":
    database = f"sqlite:///{FOLDER}/waits.sqlite"  # PostgreSQL, if several workers share the load
    version = "restores-1"  # constant, so that a deploy continues the waits
    config = {"name": "restores", "system_database_url": database, "application_version": version}
    DBOS(config={**config, "console_log_level": "WARNING"})
    DBOS.launch()
    # At most 20 polls a second, for all waits of all workers.
    DBOS.register_queue("waits", limiter={"limit": 20, "period": 1})
    wait = restored.start("orders", workflow_id="restore-orders", max_wait=6 * 3600)
    outcome = wait.get_result()
    print("available after", outcome.elapsed, "s and", outcome.attempts, "attempts")
    DBOS.destroy()
