"""Benchmark of a fleet with 5,000 members: our time for each poll of each of them.

Prints a line of JSON for each case, in nanoseconds. Run it in an environment with the package:

    python bench/fleet_polls.py
"""

from __future__ import annotations

from typing import Any

from timing import figure, runs_of

from smithy_waiters import Waiter, every
from smithy_waiters.testing import FakeClock

MEMBERS = 5_000
BATCH = 500
# The number of polls of each member. The last one succeeds.
POLLS = 20
DELAY = 60

IDS = [f"vol-{number:017x}" for number in range(MEMBERS)]

VOLUMES = {
    state: {name: {"VolumeId": name, "Size": 8, "State": state} for name in IDS} for state in ("creating", "available")
}

WAITER = Waiter.until("Volumes[].State", "available", fail=["error"])


def describe(ids: list[str], state: str) -> dict[str, Any]:
    """Return an answer."""
    volumes = VOLUMES[state]
    return {"Volumes": [volumes[name] for name in ids]}


def bare() -> None:
    """Make the calls without a fleet."""
    for poll in range(POLLS):
        for start in range(0, MEMBERS, BATCH):
            describe(IDS[start : start + BATCH], "available" if poll == POLLS - 1 else "creating")


def engine() -> None:
    """Wait with a fleet."""
    clock = FakeClock()

    def call(ids: list[str]) -> dict[str, Any]:
        return describe(ids, "creating" if clock.now < (POLLS - 1.5) * DELAY else "available")

    fleet = WAITER.fleet(call, items="Volumes[]", key="VolumeId", batch=BATCH, rate=1000, clock=clock)
    outcomes = fleet.wait_each(IDS, max_wait=7200, pace=every(DELAY))
    if {outcome.attempts for outcome in outcomes.values()} != {POLLS}:
        raise SystemExit("another number of attempts")


if __name__ == "__main__":
    contestants = {"bare": runs_of("run()", run=bare), "engine": runs_of("run()", run=engine)}
    figure("poll of a member of a fleet", "5,000 members", contestants, POLLS * MEMBERS, turns=5)
