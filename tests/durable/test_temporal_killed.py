"""Waits on Temporal whose workers and whose server are killed."""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from killing import report, run
from temporal_server import NODE, PROGRAM, Server
from volumes import ROUNDS, codes
from waits import undisturbed, workflow_id

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(not PROGRAM, reason="the Temporal server is not built")

PYTHON = Path(__file__).with_name("temporal_worker.py")
JAVASCRIPT = Path(NODE) / "temporal-worker.mjs"
WAITS = int(os.environ.get("SMITHY_WAITERS_DURABLE_WAITS", "50"))
KILLS = max(5, WAITS // 50)
RESOURCES = 1000


class Calls:
    """The calls that workers made: the wait, the attempt and the process of each."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "calls"
        self._path.touch()

    def read(self) -> list[tuple[int, int, int]]:
        lines = [line.split() for line in self._path.read_text().splitlines()]
        return [(int(wait), int(attempt), int(pid)) for wait, attempt, pid in lines]

    def reach(self, number: int) -> bool:
        """Return `True` at a random time after a number of calls."""
        if len(self.read()) < number:
            return False
        time.sleep(random.uniform(0, 0.1))
        return True


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    yield server
    server.kill()


def workers(python: Path, javascript: Path) -> pytest.MarkDecorator:
    needs_node = pytest.mark.skipif(not NODE, reason="the packages are not installed")
    programs = [python, pytest.param(javascript, marks=needs_node)]
    return pytest.mark.parametrize("worker", programs, ids=["python", "javascript"])


@workers(PYTHON, JAVASCRIPT)
def test_killed_waits_end_as_undisturbed_ones(
    worker: Path, server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = Calls(tmp_path)
    expected = [undisturbed(wait, f"{workflow_id(wait)}.1") for wait in range(WAITS)]
    polls = sum(end["attempts"] for end in expected)
    arguments = (str(WAITS), server.address)

    restarts = 0

    def restarted(number: int) -> bool:
        """Restart the server while its worker is running, and kill that worker later."""
        nonlocal restarts
        if not calls.reach(number):
            return False
        if restarts == 0:
            restarts += 1
            server.kill()
            server.start()
            return False
        return calls.reach(number + 1)

    for kill in range(KILLS):
        number = len(calls.read()) + random.randint(1, polls // (KILLS + 1))
        until = partial(restarted if kill == KILLS // 2 else calls.reach, number)
        assert run(worker, *arguments, folder=tmp_path, until=until)
    assert not run(worker, *arguments, folder=tmp_path)
    assert restarts == 1

    ended = json.loads((tmp_path / "ended").read_text())
    wrong = {wait: (end, expected[wait]) for wait, end in enumerate(ended) if end != expected[wait]}
    assert wrong == {}

    made = Counter((wait, attempt) for wait, attempt, _ in calls.read())
    assert set(made) == {(wait, attempt + 1) for wait, end in enumerate(ended) for attempt in range(end["attempts"])}
    # Each repetition was counted, and so were workers that were lost before their call. The SDK of JavaScript writes
    # logs with a delay, so a killed worker loses some of them.
    repeated = sum(made.values()) - len(made)
    counted = (tmp_path / "log").read_text().count("the poll may be repeated")
    assert repeated <= counted or worker is JAVASCRIPT
    figures = f"{WAITS} waits, {KILLS} kills, {len(made)} polls, {repeated} repeated, {counted} counted"
    report(capsys, f"{worker.name}: {figures}")


@workers(PYTHON.with_name("temporal_fleet_worker.py"), JAVASCRIPT.with_name("temporal-fleet-worker.mjs"))
def test_a_killed_fleet_ends_as_an_undisturbed_one(
    worker: Path, server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = Calls(tmp_path)
    arguments = (str(RESOURCES), server.address)
    for kill in range(5):
        if kill == 2:
            server.kill()
            server.start()
        until = partial(calls.reach, len(calls.read()) + random.randint(1, 15))
        assert run(worker, *arguments, folder=tmp_path, until=until)
    assert not run(worker, *arguments, folder=tmp_path)

    assert json.loads((tmp_path / "ended").read_text()) == codes(RESOURCES)

    by_round = Counter((number, process) for _, number, process in calls.read())
    assert max(by_round.values()) <= RESOURCES // 100 + 1
    last = max(number for _, number, _ in calls.read())
    assert last <= 3 * ROUNDS, f"{last} rounds"
    most = f"at most {max(by_round.values())} in a round"
    report(capsys, f"{worker.name}: a fleet of {RESOURCES} resources, 5 kills, {len(calls.read())} calls, {most}")
