"""The processor time of each poll of a durable wait, compared with the same calls on DBOS alone.

python postgres.py python overhead.py [POLLS]

On DBOS alone, a call is a step of a workflow that sleeps in its worker (`sleeping`), or of a queued workflow that
enqueues the next one (`queued`). The rounds alternate.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from statistics import median
from typing import TYPE_CHECKING, Any

from dbos import DBOS
from postgres import VARIABLE

from smithy_waiters import Waiter, WaiterAttemptsExceeded
from smithy_waiters.dbos import durable_wait

if TYPE_CHECKING:
    from collections.abc import Callable

    from dbos import EnqueueOptions

CHAINS = 10
ROUNDS = 5


def call(job: str) -> dict[str, str]:
    """Return the state of a job that never ends."""
    return {"Status": "RUNNING", "Job": job}


waits = durable_wait(Waiter.until("Status", "DONE"), call, name="durable", queue="polls")


@DBOS.workflow(name="bare.poll")
def bare_poll(chain: str, job: str, attempt: int, attempts: int) -> str:
    """Make a call, and enqueue the next poll."""
    response = DBOS.run_step({"name": "poll"}, call, job)
    if attempt < attempts:
        enqueue(chain, job, attempt + 1, attempts)
    return response["Status"]


@DBOS.workflow(name="sleeping")
def sleep_and_call(job: str, attempts: int) -> None:
    """Make calls, and sleep between them."""
    for _ in range(attempts):
        DBOS.run_step({"name": "poll"}, call, job)
        DBOS.sleep(0.001)


def sleeping(chains: list[str], attempts: int) -> None:
    """Run workflows that sleep in their worker."""
    options: EnqueueOptions = {"workflow_name": "sleeping", "queue_name": "polls"}
    for handle in [DBOS.enqueue_workflow_with_options(options, chain, attempts) for chain in chains]:
        handle.get_result()


def enqueue(chain: str, job: str, attempt: int, attempts: int) -> None:
    """Enqueue a poll."""
    options: EnqueueOptions = {
        "workflow_name": "bare.poll",
        "queue_name": "polls",
        "workflow_id": f"{chain}.poll-{attempt}",
    }
    DBOS.enqueue_workflow_with_options(options, chain, job, attempt, attempts)


def queued(chains: list[str], attempts: int) -> None:
    """Run chains of queued workflows."""
    for chain in chains:
        enqueue(chain, chain, 1, attempts)
    for chain in chains:
        DBOS.retrieve_workflow(f"{chain}.poll-{attempts}", existing_workflow=False).get_result()


def durable(chains: list[str], attempts: int) -> None:
    """Run chains of polls as durable waits."""
    options: Any = {"max_attempts": attempts, "min_delay": 0, "max_delay": 0}
    for handle in [waits.start(chain, workflow_id=chain, **options) for chain in chains]:
        with suppress(WaiterAttemptsExceeded):
            handle.get_result()


def measure(run: Callable[[list[str], int], None], round_: int, attempts: int) -> float:
    """Return the processor time of each poll, in milliseconds, without that of an idle worker."""
    chains = [f"{run.__name__}-{round_}-{chain}" for chain in range(CHAINS)]
    begun, cpu = time.monotonic(), time.process_time()
    run(chains, attempts)
    seconds, cpu = time.monotonic() - begun, time.process_time() - cpu
    return (cpu - IDLE * seconds) / (CHAINS * attempts) * 1000


def idle(seconds: float = 3) -> float:
    """Return the processor time of an idle worker, in seconds per second."""
    before = time.process_time()
    time.sleep(seconds)
    return (time.process_time() - before) / seconds


if __name__ == "__main__":
    attempts = int(sys.argv[1]) // CHAINS if len(sys.argv) > 1 else 20
    DBOS(config={"name": "overhead", "system_database_url": os.environ[VARIABLE], "console_log_level": "CRITICAL"})
    DBOS.launch()
    DBOS.register_queue("polls", polling_interval_sec=0.05)
    queued(["warm"], 2)
    IDLE = idle()
    rounds = [[measure(run, number, attempts) for run in (sleeping, queued, durable)] for number in range(ROUNDS)]
    for times in rounds:
        print("sleeping {:.2f} ms, queued {:.2f} ms, durable {:.2f} ms".format(*times))
    to_sleeping, to_queued = (median(times[2] / times[other] - 1 for times in rounds) for other in (0, 1))
    own = median(times[2] for times in rounds)
    print(f"each poll: {own:.2f} ms, {to_sleeping:+.0%} over sleep and step, {to_queued:+.0%} over a queued step")
    os._exit(0)
