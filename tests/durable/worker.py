"""A worker that starts waits, or continues those that a killed worker left, and writes how they ended.

Arguments: the number of waits, the URL of the database, and the number of the worker. Only worker 0 starts waits; the others run until
they are killed.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

from dbos import DBOS
from waits import JOB_DONE, OPTIONS, answer, facts, workflow_id

from smithy_waiters import WaiterError
from smithy_waiters.dbos import WaitHandle, durable_wait

waits, database, number = int(sys.argv[1]), sys.argv[2], sys.argv[3]


def poll(wait: int) -> dict[str, str]:
    attempt = int(str(DBOS.workflow_id).rpartition("-")[2])
    with Path("calls").open("a") as calls:
        calls.write(f"{wait} {attempt} {os.getpid()}\n")
    # A worker may be killed during a call.
    time.sleep(random.uniform(0, 0.05))
    return answer(wait, attempt)


job_done = durable_wait(JOB_DONE, poll, name="job-done", queue="jobs")


def ended(handle: WaitHandle[Any]) -> dict[str, Any]:
    try:
        return facts(handle.get_result())
    except WaiterError as failure:
        return facts(failure)


DBOS(
    config={
        "name": "durable-waits",
        "system_database_url": database,
        "application_version": "1",
        "executor_id": f"worker-{number}",
        "console_log_level": "CRITICAL",
    }
)
DBOS.launch()
DBOS.register_queue("jobs", worker_concurrency=10, polling_interval_sec=0.1)
while number != "0":
    time.sleep(60)
ids = [workflow_id(wait) for wait in range(waits)]
started = Path("started")
if not started.exists():
    # A worker that was killed in this loop has started some of the waits.
    for wait in range(waits):
        job_done.start(wait, workflow_id=ids[wait], **OPTIONS)
    started.touch()
handles = [job_done.handle(wait_id) for wait_id in ids]
Path("ended").write_text(json.dumps([ended(handle) for handle in handles]))
# The threads of DBOS would only delay the end.
os._exit(0)
