"""Jobs of deferred tasks, while triggerers are stopped, killed and lost."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from shutil import copy
from typing import TYPE_CHECKING

import pytest
from airflow_home import TESTS, Airflow
from killing import report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

RESTARTS = 100
JOBS = 30

# Longer than a triggerer may be silent before another one takes its triggers.
SILENCE = 5


class Triggerers:
    """Triggerers that start within a second."""

    def __init__(self, airflow: Airflow) -> None:
        self.airflow = airflow
        answers, pipe = os.pipe()
        with (airflow.folder / "triggerers.log").open("ab") as log:
            self._starter = subprocess.Popen(
                [sys.executable, TESTS / "airflow_triggerers.py", str(pipe)],
                env=airflow.environment,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                pass_fds=[pipe],
                text=True,
            )
        os.close(pipe)
        self._answers = os.fdopen(answers)
        self.running: list[int] = []

    def start(self) -> None:
        assert self._starter.stdin is not None
        self._starter.stdin.write("start\n")
        self._starter.stdin.flush()
        self.running.append(int(self._answers.readline()))

    def stop(self) -> None:
        """Stop the oldest triggerer as a deploy does."""
        process = self.running.pop(0)
        os.kill(process, signal.SIGTERM)
        self.airflow.wait_for("end", lambda: not _exists(process))

    def kill(self) -> None:
        os.killpg(self.running.pop(0), signal.SIGKILL)

    def end(self) -> None:
        while self.running:
            self.kill()
        self._starter.kill()
        self._starter.communicate()
        self._answers.close()


def _exists(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def airflow(tmp_path: Path) -> Iterator[Airflow]:
    airflow = Airflow(tmp_path, SMITHY_WAITERS_DURABLE_WAITS=str(JOBS))
    copy(TESTS / "airflow_dags/many.py", tmp_path / "dags")
    airflow.run("airflow", "dags", "reserialize")
    airflow.run("airflow", "dags", "trigger", "many")
    airflow.run(TESTS / "airflow_defer.py", "jobs")
    yield airflow
    airflow.stop()


@pytest.fixture
def triggerers(airflow: Airflow) -> Iterator[Triggerers]:
    triggerers = Triggerers(airflow)
    yield triggerers
    triggerers.end()


def lines(airflow: Airflow, name: str) -> list[str]:
    path = airflow.folder / name
    return path.read_text().splitlines() if path.exists() else []


def polled(airflow: Airflow, since: int, jobs: set[int]) -> bool:
    """Return `True` if all these jobs were polled."""
    return {f"job-{job}" for job in jobs} <= {line.split()[0] for line in lines(airflow, "calls")[since:]}


def change(airflow: Airflow, statement: str, *values: object) -> None:
    connection = sqlite3.connect(f"{airflow.folder}/airflow.db", timeout=60)
    with connection:
        connection.execute(statement, values)
    connection.close()


def suspend(airflow: Airflow, process: int) -> None:
    """Suspend a triggerer while it does not lock the database of SQLite, which would stop all others."""
    connection = sqlite3.connect(f"{airflow.folder}/airflow.db", timeout=0.1, isolation_level=None)
    while True:
        os.killpg(process, signal.SIGSTOP)
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            os.killpg(process, signal.SIGCONT)
            time.sleep(0.05)
        else:
            connection.execute("ROLLBACK")
            connection.close()
            return


def lose(triggerers: Triggerers, running: set[int]) -> None:
    """Stop the oldest triggerer until another one has taken over and a job has ended, and let it go on."""
    airflow, lost = triggerers.airflow, triggerers.running.pop(0)
    suspend(airflow, lost)
    time.sleep(SILENCE)
    triggerers.start()
    since = len(lines(airflow, "calls"))
    airflow.wait_for("polls of the other triggerer", lambda: polled(airflow, since, running))
    job = running.pop()
    (airflow.folder / f"job-{job}.ended").touch()
    state = "SELECT state FROM task_instance WHERE task_id = ?"
    airflow.wait_for("end", lambda: airflow.query(state, f"job-{job}") == [("scheduled",)])
    os.killpg(lost, signal.SIGCONT)
    # It notices within a second that it has lost its triggers, and ends them.
    time.sleep(SILENCE)
    os.killpg(lost, signal.SIGKILL)


def test_restarts_cancel_nothing(airflow: Airflow, triggerers: Triggerers, capsys: pytest.CaptureFixture[str]) -> None:
    running = set(range(JOBS))
    restarts: list[Callable[[], None]] = [triggerers.stop, triggerers.kill, partial(lose, triggerers, running)]
    made: Counter[str] = Counter()
    triggerers.start()
    for number in range(RESTARTS):
        since = len(lines(airflow, "calls"))
        airflow.wait_for("polls", partial(polled, airflow, since, running))
        time.sleep(random.uniform(0, 1))
        # One of ten is lost, which takes ten seconds.
        restart = restarts[2] if number % 10 == 9 else random.choice(restarts[:2])
        restart()
        made[getattr(restart, "__name__", "lose")] += 1
        if not triggerers.running:
            triggerers.start()
        assert lines(airflow, "cancelled") == []
    since = len(lines(airflow, "calls"))
    airflow.wait_for("polls", partial(polled, airflow, since, running))

    # A user marks some tasks as failed, and clears the others.
    failed = {job for job in running if job % 2}
    for job in running:
        state, try_number = ("failed", 1) if job in failed else ("queued", 2)
        values = (state, try_number, f"job-{job}")
        change(airflow, "UPDATE task_instance SET state = ?, try_number = ? WHERE task_id = ?", *values)
    airflow.wait_for("cancellations", lambda: len(lines(airflow, "cancelled")) >= len(running))
    time.sleep(SILENCE)
    assert sorted(lines(airflow, "cancelled")) == sorted(f"job-{job}" for job in running)
    figures = ", ".join(f"{number} {name}" for name, number in made.items())
    report(capsys, f"{RESTARTS} restarts ({figures}) of {JOBS} jobs: 0 cancelled; then {len(running)} tasks killed")
