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
from killing import report, start
from postgres import Server
from volumes import ROUNDS, codes
from waits import undisturbed

if TYPE_CHECKING:
    from subprocess import Popen

WAITS = int(os.environ.get("SMITHY_WAITERS_DURABLE_WAITS", "50"))
KILLS = max(5, WAITS // 25)

RESOURCES = 1000
FLEET_KILLS = 5

# The limit of a worker, in `worker.py` and `worker.mjs`.
CONCURRENCY = 10

# The folder of a copy of `worker.mjs` from which Node finds the packages.
NODE = os.environ.get("SMITHY_WAITERS_DURABLE_NODE")


def program(name: str, language: str) -> Path:
    """Return the path of a worker."""
    if language == "node" and NODE:
        return Path(NODE) / f"{name.replace('_', '-')}.mjs"
    return Path(__file__).with_name(f"{name}.py")


class Fleet:
    """Workers that share a database, and the calls that they made."""

    def __init__(self, program: Path, database: str, size: int, folder: Path, count: int = WAITS) -> None:
        self._program, self._database, self._folder, self._count = program, database, folder, count
        (folder / "calls").touch()
        self._failures = 0
        self.kills = 0
        self._workers = [self._start(0)]
        # The migrations of two workers that start at the same time may deadlock.
        while not (folder / "launched").exists():
            self._check()
            time.sleep(0.1)
        self._workers += [self._start(number) for number in range(1, size)]

    def calls(self) -> list[tuple[int, int, int]]:
        """Return the wait, the attempt and the process of each call; for a fleet, the number of resources first."""
        lines = [line.split() for line in (self._folder / "calls").read_text().splitlines()]
        return [(int(wait), int(attempt), int(pid)) for wait, attempt, pid in lines]

    def reach(self, number: int) -> None:
        """Wait until a number of calls have been made, and a random time."""
        while len(self.calls()) < number:
            self._check()
            time.sleep(0.01)
        time.sleep(random.uniform(0, 0.1))

    def kill(self) -> None:
        """Kill a random worker and start it again."""
        self._restart(random.randrange(len(self._workers)))

    def restart(self) -> None:
        """Kill all workers and start them again.

        DBOS recommends it after a restart of the server: a worker that took a poll from the queue without receiving the
        reply of the server never runs the poll, but recovers it when it starts.
        """
        for number in range(len(self._workers)):
            self._restart(number)

    def _restart(self, number: int) -> None:
        self._kill(self._workers[number])
        self.kills += 1
        self._workers[number] = self._start(number)

    def end(self) -> None:
        """Wait until the first worker has ended, and kill the others."""
        while self._workers[0].poll() is None:
            self._check()
            time.sleep(0.1)
        for worker in self._workers:
            self._kill(worker)

    def _start(self, number: int) -> Popen[bytes]:
        return start(self._program, str(self._count), self._database, str(number), folder=self._folder)

    def _kill(self, worker: Popen[bytes]) -> None:
        worker.kill()
        worker.wait()

    def restart_server(self, server: Server) -> None:
        """Restart the server. A worker that starts at the same time may fail."""
        self._failures += len(self._workers)
        server.restart()

    def _check(self) -> None:
        """Start workers again that failed because they could not connect."""
        for number, worker in enumerate(self._workers):
            if worker.poll():
                assert self._failures > 0, "a worker has failed"
                self._failures -= 1
                self._restart(number)


programs = pytest.mark.parametrize(
    ("language", "database"),
    [
        ("python", "sqlite"),
        ("python", "postgres"),
        pytest.param("node", "postgres", marks=pytest.mark.skipif(NODE is None, reason="a step of its own")),
    ],
)


@programs
def test_killed_waits_end_as_undisturbed_ones(
    language: str, database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    worker = program("worker", language)
    server = Server() if database == "postgres" else None
    # DBOS for JavaScript retries the errors of TCP connections, but not those of local sockets.
    url = (server.tcp_url if language == "node" else server.url) if server else "sqlite:///dbos.sqlite"
    # SQLite has one writer.
    fleet = Fleet(worker, url, 2 if server else 1, tmp_path)
    try:
        polls = sum(undisturbed(wait)["attempts"] for wait in range(WAITS))
        for kill in range(KILLS):
            fleet.reach(len(fleet.calls()) + random.randint(1, polls // (KILLS + 1)))
            if server and kill % 5 == 2:
                fleet.restart_server(server)
            fleet.kill()
        fleet.restart()
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
    # A kill interrupts at most the calls of one worker.
    assert repeated <= fleet.kills * CONCURRENCY
    restarts = len(range(2, KILLS, 5)) if server else 0
    report(
        capsys,
        f"{language}, {database}: {WAITS} waits, {KILLS} kills, {restarts} restarts of the server, "
        f"{len(made)} polls, {repeated} repeated",
    )


@programs
def test_a_killed_fleet_ends_as_an_undisturbed_one(
    language: str, database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if database == "sqlite" and WAITS < 1000:
        pytest.skip("a fleet on SQLite is killed in `cargo xtask deep --only dbos-killed`")
    server = Server() if database == "postgres" else None
    url = (server.tcp_url if language == "node" else server.url) if server else "sqlite:///dbos.sqlite"
    workers = Fleet(program("fleet_worker", language), url, 2 if server else 1, tmp_path, RESOURCES)
    try:
        for kill in range(FLEET_KILLS):
            workers.reach(len(workers.calls()) + random.randint(1, 10))
            if server and kill == 2:
                workers.restart_server(server)
            # One fleet has one round at a time, and only one of the workers makes it.
            workers.restart()
        workers.end()
    finally:
        if server:
            server.remove()

    assert json.loads((tmp_path / "ended").read_text()) == codes(RESOURCES)

    calls = workers.calls()
    by_round = Counter((number, process) for _, number, process in calls)
    # A process makes one call for each hundred resources, and at most one more for those that are due a little later.
    assert max(by_round.values()) <= RESOURCES // 100 + 1
    last = max(number for _, number, _ in calls)
    assert last <= 3 * ROUNDS, f"{last} rounds"
    report(
        capsys,
        f"{language}, {database}: a fleet of {RESOURCES} resources, {workers.kills} kills, "
        f"{last} rounds, {len(calls)} calls, at most {max(by_round.values())} in a round",
    )
