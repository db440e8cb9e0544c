"""Run the waits of `stale.json` right after a change: the numbers of wrong ends must be those of every language."""

from __future__ import annotations

import json
import os
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from waiters import snake_case

from smithy_waiters import Call, Done, Sleep, Waiter
from smithy_waiters.events import Response

FILE: dict[str, Any] = json.loads(Path(__file__).parent.with_name("stale.json").read_text(encoding="utf-8"))

RUNS = os.environ.get("SMITHY_WAITERS_STALE_RUNS", "1000")

WAITER = Waiter.until("status", "stable", fail=["failed"])

# The status before the change, and whether some deployments are rolled back.
SCENARIOS = [("stable", False), ("stable", True), ("failed", False)]

MASK = 2**64 - 1


class Random:
    """The generator of random numbers of `core/tests/stale.rs`."""

    def __init__(self, seed: int) -> None:
        self._state = seed * 0x9E3779B97F4A7C15 & MASK

    def below(self, limit: int) -> int:
        state = self._state
        state ^= state << 13 & MASK
        state ^= state >> 7
        state ^= state << 17 & MASK
        self._state = state
        return state % limit


class Deployment:
    """A deployment on a service with two replicas, each of which is late by its lag."""

    def __init__(self, random: Random, before: str, *, rolls_back: bool) -> None:
        self.before = before
        self.starts = random.below(5_000)
        self.ends = self.starts + 5_000 + random.below(60_000)
        self.is_rolled_back = rolls_back and random.below(3) == 0
        self.lags = [random.below(20_000), random.below(20_000)]

    def answer(self, now: int, random: Random) -> dict[str, Any]:
        seen = now - self.lags[random.below(2)]
        if seen >= self.ends and self.is_rolled_back:
            return {"status": "stable", "id": "old", "generation": 8}
        if seen >= self.ends:
            return {"status": "stable", "id": "new", "generation": 7}
        if seen >= self.starts:
            return {"status": "busy", "id": "new", "generation": 6}
        return {"status": self.before, "id": "old", "generation": 6}


def end_of(options: Any, seed: int, deployment: Deployment, random: Random) -> Done:
    wait, now = WAITER.start(seed=seed, **options), 0
    step = wait.poll(now)
    while not isinstance(step, Done):
        if isinstance(step, Sleep):
            now = step.until_ms
            step = wait.poll(now)
        else:
            assert isinstance(step, Call)
            step = wait.handle(Response(deployment.answer(now, random)), now)
    return step


def wrong_ends(options: Any, before: str, *, rolls_back: bool) -> list[int]:
    """Return the numbers of wrong successes and of wrong failures."""
    successes = failures = 0
    for seed in range(1, int(RUNS) + 1):
        random = Random(seed)
        deployment = Deployment(random, before, rolls_back=rolls_back)
        done = end_of(options, seed, deployment, random)
        if done.code is None:
            successes += done.elapsed_ms < deployment.ends or deployment.is_rolled_back
        else:
            failures += not deployment.is_rolled_back
    return [successes, failures]


@pytest.mark.parametrize("row", FILE["rows"], ids=itemgetter("name"))
def test_the_numbers_of_wrong_ends(row: dict[str, Any]) -> None:
    options = {snake_case(name): value for name, value in {**FILE["options"], **row["options"]}.items()}
    assert [wrong_ends(options, before, rolls_back=back) for before, back in SCENARIOS] == row["wrong"][RUNS]
