"""Waits on Airflow whose triggerer is killed."""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from functools import partial
from shutil import copy
from typing import TYPE_CHECKING, Any

import pytest
from airflow_home import TESTS, Airflow
from killing import report
from waits import facts, undisturbed

from smithy_waiters.durable.stored import ended

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WAITS = int(os.environ.get("SMITHY_WAITERS_DURABLE_WAITS", "50"))
# The start of a triggerer takes about ten seconds.
KILLS = max(5, WAITS // 100)


@pytest.fixture
def airflow(tmp_path: Path) -> Iterator[Airflow]:
    airflow = Airflow(tmp_path, SMITHY_WAITERS_DURABLE_WAITS=str(WAITS))
    copy(TESTS / "airflow_dags/many.py", tmp_path / "dags")
    airflow.run("airflow", "dags", "reserialize")
    airflow.run("airflow", "dags", "trigger", "many")
    airflow.run(TESTS / "airflow_defer.py")
    try:
        yield airflow
    finally:
        airflow.stop()


def calls(airflow: Airflow) -> list[str]:
    """Return the calls that triggerers made: the wait, the attempt and the process of each."""
    path = airflow.folder / "calls"
    return path.read_text().splitlines() if path.exists() else []


def reached(airflow: Airflow, number: int) -> bool:
    return len(calls(airflow)) >= number


def waiting(airflow: Airflow) -> int:
    return int(airflow.query("SELECT count(*) FROM task_instance WHERE state = 'deferred'")[0][0])


def untagged(value: Any) -> Any:
    """Return plain data. Airflow 3.0 stores an object with its type."""
    if isinstance(value, list):
        return [untagged(one) for one in value]
    if not isinstance(value, dict):
        return value
    return untagged(value["__var"]) if "__var" in value else {name: untagged(one) for name, one in value.items()}


def ends(airflow: Airflow) -> list[dict[str, Any]]:
    """Return how the waits ended, in the order of their numbers."""
    rows = airflow.query("SELECT task_id, next_kwargs FROM task_instance")
    by_number = {int(task.removeprefix("job-")): untagged(json.loads(kwargs))["event"] for task, kwargs in rows}
    finished: list[Any] = [ended(by_number[wait]) for wait in range(WAITS)]
    return [facts(end) for end in finished]


def test_killed_waits_end_as_undisturbed_ones(airflow: Airflow, capsys: pytest.CaptureFixture[str]) -> None:
    polls = sum(undisturbed(wait)["attempts"] for wait in range(WAITS))
    for _ in range(KILLS):
        airflow.start("triggerer")
        number = len(calls(airflow)) + random.randint(1, polls // (KILLS + 1))
        airflow.wait_for("calls", partial(reached, airflow, number))
        time.sleep(random.uniform(0, 0.1))
        airflow.kill("triggerer")
        assert waiting(airflow) > 0
    airflow.start("triggerer")
    airflow.wait_for("ends", lambda: waiting(airflow) == 0)

    all_ends = ends(airflow)
    wrong = {wait: end for wait, end in enumerate(all_ends) if end != undisturbed(wait)}
    assert wrong == {}

    made = Counter(tuple(map(int, call.split()[:2])) for call in calls(airflow))
    assert set(made) == {(wait, attempt + 1) for wait, end in enumerate(all_ends) for attempt in range(end["attempts"])}
    # A call is only repeated if its triggerer was killed before the state was stored.
    assert max(Counter(calls(airflow)).values()) == 1
    repeated = sum(made.values()) - len(made)
    assert repeated > 0
    report(capsys, f"{WAITS} waits, {KILLS} kills, {len(made)} polls, {repeated} repeated")
