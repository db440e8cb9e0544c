"""Waits on DBOS whose worker is killed."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from functools import partial
from pathlib import Path

from killing import Calls, run
from waits import undisturbed

WORKER = Path(__file__).with_name("worker.py")
WAITS = int(os.environ.get("SMITHY_WAITERS_DURABLE_WAITS", "50"))
KILLS = max(5, WAITS // 25)


def test_killed_waits_end_as_undisturbed_ones(tmp_path: Path) -> None:
    calls = Calls(tmp_path)
    polls = sum(undisturbed(wait)["attempts"] for wait in range(WAITS))
    for _ in range(KILLS):
        number = len(calls.read()) + random.randint(1, polls // (KILLS + 1))
        assert run(WORKER, str(WAITS), folder=tmp_path, until=partial(calls.reach, number))
    assert not run(WORKER, str(WAITS), folder=tmp_path)

    ended = json.loads((tmp_path / "ended").read_text())
    wrong = {wait: end for wait, end in enumerate(ended) if end != undisturbed(wait)}
    assert wrong == {}

    made = Counter((wait, attempt) for wait, attempt, _ in calls.read())
    assert set(made) == {(wait, attempt + 1) for wait, end in enumerate(ended) for attempt in range(end["attempts"])}
    # A call is only repeated if its worker was killed before the result was stored.
    assert max(Counter(calls.read()).values()) == 1
    repeated = sum(made.values()) - len(made)
    assert repeated > 0
    print(f"{WAITS} waits, {KILLS} kills, {len(made)} polls, {repeated} repeated")
