"""A worker that starts a fleet, or continues that of a killed worker, and writes how its resources ended.

Arguments: the number of resources, the URL of the database, and the number of the worker. Only worker 0 starts the
fleet; the others run until they are killed.
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
from volumes import AVAILABLE, OPTIONS, SHAPE, answer, names

from smithy_waiters import WaitersFailed
from smithy_waiters.dbos import durable_fleet

resources, database, number = int(sys.argv[1]), sys.argv[2], sys.argv[3]


def call(ids: list[str], region: str) -> dict[str, Any]:
    assert region == "eu-west-1"
    attempt = int(str(DBOS.workflow_id).rpartition("-")[2])
    with Path("calls").open("a") as calls:
        calls.write(f"{len(ids)} {attempt} {os.getpid()}\n")
    # A worker may be killed during a call.
    time.sleep(random.uniform(0, 0.05))
    return answer(ids, attempt)


available = durable_fleet(AVAILABLE, call, name="available", queue="jobs", **SHAPE)

DBOS(
    config={
        "name": "durable-fleets",
        "system_database_url": database,
        "application_version": "1",
        "executor_id": f"worker-{number}",
        "console_log_level": "CRITICAL",
    }
)
DBOS.launch()
DBOS.register_queue("jobs", worker_concurrency=10, polling_interval_sec=0.1)
Path("launched").touch()
while number != "0":
    time.sleep(60)
handle = available.start(names(resources), "eu-west-1", workflow_id="volumes", **OPTIONS)
try:
    ends: dict[str, Any] = dict.fromkeys(handle.get_result())
except WaitersFailed as failed:
    ends = {**dict.fromkeys(failed.outcomes), **{name: failure.code for name, failure in failed.failures.items()}}
Path("ended").write_text(json.dumps(ends))
# The threads of DBOS would only delay the end.
os._exit(0)
