"""Waits on DBOS whose workers are killed, and whose server is restarted."""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from killing import start
from postgres import Server
from waits import undisturbed

if TYPE_CHECKING:
    from subprocess import Popen

WAITS = int(os.environ.get("SMITHY_WAITERS_DURABLE_WAITS", "50"))
KILLS = max(5, WAITS // 25)

# The folder of a copy of `worker.mjs` from which Node finds the packages.
NODE = os.environ.get("SMITHY_WAITERS_DURABLE_NODE")


class Fleet:
    """Workers that share a database, and the calls that they made."""

    def __init__(self, program: Path, database: str, size: int, folder: Path) -> None:
        self._program, self._database, self._folder = program, database, folder
        (folder / "calls").touch()
        self._workers = [self._start(number) for number in range(size)]

    def calls(self) -> list[tuple[int, int, int]]:
        """Return the wait, the attempt and the process of each call."""
        lines = [line.split() for line in (self._folder / "calls").read_text().splitlines()]
        return [(int(wait), int(attempt), int(pid)) for wait, attempt, pid in lines]

    def reach(self, number: int) -> None:
        """Wait until a number of calls have been made, and a random time."""
        while len(self.calls()) < number:
            self._check()
            time.sleep(0.01)
        time.sleep(random.uniform(0, 0.1))

    def kill(self) -> None:
        """Kill a worker and start it again."""
        number = random.randrange(len(self._workers))
        self._kill(self._workers[number])
        self._workers[number] = self._start(number)

    def end(self) -> None:
        """Wait until the first worker has ended, and kill the others."""
        while self._workers[0].poll() is None:
            self._check()
            time.sleep(0.1)
        for worker in self._workers:
            self._kill(worker)

    def _start(self, number: int) -> Popen[bytes]:
        return start(self._program, str(WAITS), self._database, str(number), folder=self._folder)

    def _kill(self, worker: Popen[bytes]) -> None:
        worker.kill()
        worker.wait()

    def _check(self) -> None:
        assert not any(worker.poll() for worker in self._workers), "a worker has failed"


@pytest.mark.parametrize(
    ("language", "database"),
    [
        ("python", "sqlite"),
        ("python", "postgres"),
        pytest.param("node", "postgres", marks=pytest.mark.skipif(NODE is None, reason="a step of its own")),
    ],
)
def test_killed_waits_end_as_undisturbed_ones(language: str, database: str, tmp_path: Path) -> None:
    worker = Path(NODE) / "worker.mjs" if language == "node" and NODE else Path(__file__).with_name("worker.py")
    server = Server() if database == "postgres" else None
    # SQLite has one writer.
    fleet = Fleet(worker, server.url, 2, tmp_path) if server else Fleet(worker, "sqlite:///dbos.sqlite", 1, tmp_path)
    try:
        polls = sum(undisturbed(wait)["attempts"] for wait in range(WAITS))
        for kill in range(KILLS):
            fleet.reach(len(fleet.calls()) + random.randint(1, polls // (KILLS + 1)))
            if server and kill % 5 == 2:
                server.restart()
            fleet.kill()
        fleet.end()
    finally:
        if server:
            server.remove()

    ended = json.loads((tmp_path / "ended").read_text())
    wrong = {wait: end for wait, end in enumerate(ended) if end != undisturbed(wait)}
    assert wrong == {}

    made = Counter((wait, attempt) for wait, attempt, _ in fleet.calls())
    assert set(made) == {(wait, attempt + 1) for wait, end in enumerate(ended) for attempt in range(end["attempts"])}
    # A call is only repeated if its worker was killed before the result was stored.
    assert max(Counter(fleet.calls()).values()) == 1
    repeated = sum(made.values()) - len(made)
    restarts = len(range(2, KILLS, 5)) if server else 0
    print(
        f"{language}, {database}: {WAITS} waits, {KILLS} kills, {restarts} restarts of the server, "
        f"{len(made)} polls, {repeated} repeated"
    )
