"""Waits on DBOS whose worker is killed."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

from waits import undisturbed

WORKER = Path(__file__).with_name("worker.py")
WAITS = int(os.environ.get("SMITHY_WAITERS_DURABLE_WAITS", "50"))
KILLS = max(5, WAITS // 25)


def run(folder: Path, seconds: float | None) -> bool:
    """Run a worker, and kill it after a number of seconds. Return `True` if it ended by itself."""
    with subprocess.Popen([sys.executable, WORKER, folder, str(WAITS)]) as process:
        try:
            assert process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            process.kill()
            return False
    return True


def test_killed_waits_end_as_undisturbed_ones(tmp_path: Path) -> None:
    kills = 0
    while kills < KILLS and not run(tmp_path, random.uniform(1, 4)):
        kills += 1
    if kills == KILLS:
        assert run(tmp_path, None)
    assert kills > 0

    ended = json.loads((tmp_path / "ended").read_text())
    wrong = [wait for wait in range(WAITS) if ended[wait] != undisturbed(wait)]
    assert wrong == []

    calls = [tuple(map(int, line.split())) for line in (tmp_path / "calls").read_text().splitlines()]
    made = Counter((wait, attempt) for wait, attempt, _ in calls)
    assert set(made) == {(wait, attempt + 1) for wait in range(WAITS) for attempt in range(ended[wait]["attempts"])}
    # A call is only repeated if the worker was killed during it or before its result was stored.
    repeated = [call for call, times in made.items() if times > 1]
    for call in repeated:
        pids = [pid for wait, attempt, pid in calls if (wait, attempt) == call]
        assert len(set(pids)) == len(pids)
    print(f"{WAITS} waits, {kills} kills, {len(made)} polls, {len(calls) - len(made)} repeated")
