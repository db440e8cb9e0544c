"""Measure waits for 1,000 instances of the fake of EC2 (`fleets.json`): by boto3's waiter, by ours, and by a fleet.

The program prints a line of JSON for each kind of waits. See docs/many-resources.md.
"""

from __future__ import annotations

import faulthandler
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ec2 import Ec2, running_ec2

from smithy_waiters import proportional
from smithy_waiters.boto3 import waiter

if TYPE_CHECKING:
    from collections.abc import Callable

SCENARIO: dict[str, Any] = json.loads(Path(__file__).with_name("fleets.json").read_text(encoding="utf-8"))["load"]

COUNT: int = SCENARIO["instances"]


def changes() -> dict[str, float]:
    """Return the time at which each instance runs. The times are spread evenly."""
    step = (SCENARIO["to"] - SCENARIO["from"]) / COUNT
    return {f"i-{number:017x}": SCENARIO["from"] + number * 37 % COUNT * step for number in range(COUNT)}


class Run(NamedTuple):
    """The ends of waits that succeeded, in seconds since the start, and the number of the others."""

    ends: dict[str, float]
    failed: int


def of_callers(ids: list[str], start: float, wait: Callable[[str], object]) -> Run:
    """Run each wait in a thread of its own."""
    ends: dict[str, float] = {}

    def one(name: str) -> None:
        wait(name)
        ends[name] = time.monotonic() - start

    # Otherwise, the stacks of 1,000 threads take 8 GB of address space.
    threading.stack_size(512 * 1024)
    with ThreadPoolExecutor(COUNT) as pool:
        futures = [pool.submit(one, name) for name in ids]
        failures = [future.exception() for future in futures]
    return Run(ends, sum(failure is not None for failure in failures))


def own(client: Any, ids: list[str], start: float) -> Run:
    """Wait with boto3's waiters, with their own settings."""
    return of_callers(ids, start, lambda name: client.get_waiter("instance_running").wait(InstanceIds=[name]))


def ours(client: Any, ids: list[str], start: float) -> Run:
    """Wait with our waiters, one for each instance."""
    running = waiter(client, "instance_running")
    return of_callers(ids, start, lambda name: running.wait(InstanceIds=[name], max_wait=SCENARIO["maxWait"]))


def fleet(client: Any, ids: list[str], start: float, **options: Any) -> Run:
    """Wait with a fleet."""
    shared = waiter(client, "instance_running").fleet(rate=SCENARIO["rate"], batch=SCENARIO["batch"])
    begun = time.monotonic() - start
    outcomes = shared.wait_each(ids, max_wait=SCENARIO["maxWait"], **options)
    return Run({name: begun + outcome.elapsed for name, outcome in outcomes.items()}, COUNT - len(outcomes))


def fleet_in_proportion(client: Any, ids: list[str], start: float) -> Run:
    """Wait with a fleet whose delay is a part of the time waited."""
    return fleet(client, ids, start, pace=proportional(SCENARIO["proportional"]), min_delay=SCENARIO["minDelay"])


def measure(ec2: Ec2, case: str, run: Callable[[Any, list[str], float], Run]) -> dict[str, Any]:
    """Run the waits of a case, and return their ends beside the changes of their instances."""
    times = changes()
    client = ec2.client()
    # Before the start of the fake's clock, so that no end can seem early.
    start, processor = time.monotonic(), time.process_time()
    ec2.begin([(name, 0, at) for name, at in times.items()], limit=SCENARIO["limit"])
    ends, failed = run(client, list(times), start)
    return {
        "case": case,
        "client": "boto3",
        "ends": [(times[name], end) for name, end in ends.items()],
        "failed": failed,
        "report": ec2.report(),
        "processor": time.process_time() - processor,
        "duration": time.monotonic() - start,
    }


CASES: dict[str, Callable[[Any, list[str], float], Run]] = {
    "the SDK's waiter": own,
    "our waiter": ours,
    "a fleet": fleet,
    "a fleet, in proportion": fleet_in_proportion,
}


def main() -> None:
    # A wait that hangs must not block `cargo xtask deep`.
    faulthandler.dump_traceback_later(SCENARIO["timeLimit"], exit=True)
    with running_ec2() as ec2:
        for case, run in CASES.items():
            print(json.dumps(measure(ec2, case, run)), flush=True)


if __name__ == "__main__":
    main()
