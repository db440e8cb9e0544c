"""Benchmark of complete polls: `wait` and botocore's waiter on the same calls, and the engine's share of a poll.

Prints a line of JSON for each case, in nanoseconds. Run it in an environment with the package and botocore:

    python bench/polls.py
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import chain, repeat
from time import perf_counter
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from botocore.waiter import SingleWaiterConfig
from botocore.waiter import Waiter as BotocoreWaiter
from cases import read, reservations, table
from timing import figure, runs_of

from smithy_waiters import Waiter
from smithy_waiters.boto3 import PatchedWaiter
from smithy_waiters.events import Response
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from timing import Contestant

# The number of attempts in one wait. The last one succeeds.
POLLS = 200
# More than the sum of the maximum delays, in seconds. Beyond a day, each wait would also log a hint.
MAX_WAIT = 24 * 3600
# The maximum delay between two attempts, in milliseconds.
LONGEST_PAUSE = 120_000
# The number of waits that are measured together, so that the time of reading the clock is negligible.
WAITS = 64


@dataclass(frozen=True)
class Case:
    """A waiter with the responses that it polls."""

    size: str
    path: str
    comparator: str
    botocore: str
    pending: Any
    ready: Any
    expected: str

    def operation(self) -> Callable[[], Any]:
        """Return an operation that returns immediately. The resource is ready in the last poll."""
        responses = chain(repeat(self.pending, POLLS - 1), [self.ready])

        def call() -> Any:
            return next(responses)

        return call

    def waiter(self) -> Waiter:
        """Return the waiter."""
        output: Any = {"path": self.path, "comparator": self.comparator, "expected": self.expected}
        acceptors: Any = [
            {"state": "success", "matcher": {"output": output}},
            {"state": "retry", "matcher": {"errorType": "NotFound"}},
        ]
        return Waiter({"acceptors": acceptors}, name="Ready")

    def config(self) -> Any:
        """Return the equivalent configuration for botocore."""
        acceptors = [
            {"state": "success", "matcher": self.botocore, "argument": self.path, "expected": self.expected},
            {"state": "retry", "matcher": "error", "expected": "NotFound"},
        ]
        config: Any = SingleWaiterConfig
        return config({"operation": "Describe", "delay": 20, "maxAttempts": POLLS, "acceptors": acceptors})


def tables() -> Case:
    """Return the case of `TableExists` of DynamoDB."""

    def described(status: str) -> Any:
        response = read(table(2), {})
        response["Table"]["TableStatus"] = status
        return response

    return Case(
        size="small",
        path="Table.TableStatus",
        comparator="stringEquals",
        botocore="path",
        pending=described("CREATING"),
        ready=described("ACTIVE"),
        expected="ACTIVE",
    )


def instances() -> Case:
    """Return the case of `InstanceRunning` of EC2 with 1,000 instances, of which the last one is pending."""
    pending = read(reservations(500), {})
    pending["Reservations"][-1]["Instances"][-1]["State"]["Name"] = "pending"
    return Case(
        size="1,000 elements",
        path="Reservations[].Instances[].State.Name",
        comparator="allStringEquals",
        botocore="pathAll",
        pending=pending,
        ready=read(reservations(500), {}),
        expected="running",
    )


def main() -> None:
    """Measure both cases."""
    for case in (tables(), instances()):
        measure(case, case.waiter())


def measure(case: Case, waiter: Waiter) -> None:
    """Measure each kind of wait, then the engine's share."""
    ways: dict[str, Callable[[], dict[str, Any]]] = {
        "poll, default clock": dict,
        "poll, FakeClock": lambda: {"clock": FakeClock()},
        "poll, injected clock and sleep": instantly,
    }
    # botocore accepts neither a clock nor a sleep, so the sleep is mocked.
    with patch("time.sleep", lambda _: None):
        for name, options in ways.items():
            contestants = {
                "bare": partial(bare, case),
                "engine": partial(ours, case, waiter, options),
                "botocore": partial(botocore, case, BotocoreWaiter),
            }
            figure(name, case.size, {name: runs_of("run()", run=run) for name, run in contestants.items()}, POLLS)
        contestants = {
            "engine": partial(botocore, case, PatchedWaiter),
            "botocore": partial(botocore, case, BotocoreWaiter),
        }
        patched = {name: runs_of("run()", run=run) for name, run in contestants.items()}
        figure("poll, patched client", case.size, patched, POLLS)
    response = case.pending
    evaluate = runs_of("evaluate(response=response)", evaluate=waiter.evaluate, response=response)
    figure("handle", case.size, {"engine": handles(waiter, response), "evaluate": evaluate})


def bare(case: Case) -> None:
    """Make the calls without a waiter."""
    call = case.operation()
    for _ in range(POLLS):
        call()


def ours(case: Case, waiter: Waiter, options: Callable[[], dict[str, Any]]) -> None:
    """Wait with the engine."""
    outcome = waiter.wait(case.operation(), max_wait=MAX_WAIT, **options())
    if outcome.attempts != POLLS:
        raise SystemExit(f"{outcome.attempts} attempts")


def botocore(case: Case, waiter: Any) -> None:
    """Wait with a waiter that has botocore's interface."""
    waiter("Ready", case.config(), case.operation()).wait()


def instantly() -> dict[str, Any]:
    """Return a clock that only advances by sleeping, and a sleep that returns immediately."""
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    return {"clock": lambda: now, "sleep": sleep}


def handles(waiter: Waiter, response: Any) -> Contestant:
    """Return the contestant that handles a response, without a history."""
    waits = [waiter.start(max_wait=300_000_000, history_limit=0, seed=1) for _ in range(WAITS)]
    now = 0

    def timed(runs: int) -> float:
        nonlocal now
        rounds = -(-runs // WAITS)
        spent = 0.0
        for _ in range(rounds):
            now += LONGEST_PAUSE
            for wait in waits:
                wait.poll(now)
            begun = perf_counter()
            for wait in waits:
                wait.handle(Response(response), now)
            spent += perf_counter() - begun
        return spent * runs / (rounds * WAITS)

    return timed


if __name__ == "__main__":
    main()
