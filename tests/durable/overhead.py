"""The time that a worker computes for each poll of a durable wait, compared with a poll on DBOS alone.

python postgres.py python overhead.py [POLLS]

Both are chains of queued workflows with one step that makes the same call. The rounds alternate.
"""

from __future__ import annotations

import os
import sys
import time
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


def enqueue(chain: str, job: str, attempt: int, attempts: int) -> None:
    """Enqueue a poll."""
    options: EnqueueOptions = {"workflow_name": "bare.poll", "queue_name": "polls", "workflow_id": f"{chain}.poll-{attempt}"}
    DBOS.enqueue_workflow_with_options(options, chain, job, attempt, attempts)


def bare(chains: list[str], attempts: int) -> None:
    """Run chains of polls on DBOS alone."""
    for chain in chains:
        enqueue(chain, chain, 1, attempts)
    for chain in chains:
        DBOS.retrieve_workflow(f"{chain}.poll-{attempts}", existing_workflow=False).get_result()


def durable(chains: list[str], attempts: int) -> None:
    """Run chains of polls as durable waits."""
    options: Any = {"max_attempts": attempts, "min_delay": 0, "max_delay": 0}
    for handle in [waits.start(chain, workflow_id=chain, **options) for chain in chains]:
        try:
            handle.get_result()
        except WaiterAttemptsExceeded as failure:
            assert failure.attempts == attempts


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
    bare(["warm"], 2)
    IDLE = idle()
    rounds = [(measure(bare, number, attempts), measure(durable, number, attempts)) for number in range(ROUNDS)]
    for one, other in rounds:
        print(f"{one:.2f} ms alone, {other:.2f} ms with the engine: {other / one - 1:+.0%}")
    alone, own = median(one for one, _ in rounds), median(other for _, other in rounds)
    ratio = median(other / one for one, other in rounds)
    print(f"each poll: {alone:.2f} ms on DBOS alone, {own:.2f} ms as a durable wait ({ratio - 1:+.0%}, {IDLE:.1%} idle)")
    os._exit(0)
