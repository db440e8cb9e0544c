"""Durable functions of AWS Lambda whose workers are killed, in Python and JavaScript."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from killing import report
from lambda_service import Service, python
from waits import seed, undisturbed, workflow_id

WAITS = int(os.environ.get("SMITHY_WAITERS_DURABLE_WAITS", "50"))
KILLS = max(5, WAITS // 25)

# The waits that run at the same time.
CONCURRENCY = 10

# The folder of the packages of `lambda-worker.mjs`, with a copy of it.
NODE = os.environ.get("SMITHY_WAITERS_LAMBDA_NODE")


def command(language: str) -> list[str]:
    if language == "node" and NODE:
        return [
            str(Path(NODE) / "node_modules/.bin/node"),
            str(Path(NODE) / "lambda-worker.mjs"),
        ]
    return python(Path(__file__).with_name("lambda_worker.py"))


@pytest.mark.parametrize(
    "language",
    [
        "python",
        pytest.param("node", marks=pytest.mark.skipif(NODE is None, reason="a step of its own")),
    ],
)
def test_killed_waits_end_as_undisturbed_ones(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "calls"
    file.touch()

    def calls() -> list[tuple[int, int, int]]:
        """Return the wait, the attempt and the process of each call."""
        lines = [line.split() for line in file.read_text().splitlines()]
        return [(int(wait), int(attempt), int(pid)) for wait, attempt, pid in lines]

    service = Service(command(language), tmp_path)
    try:
        with ThreadPoolExecutor(CONCURRENCY) as pool:
            ends = [
                pool.submit(
                    service.run,
                    {"wait": wait, "seed": seed(workflow_id(wait))},
                    workflow_id(wait),
                )
                for wait in range(WAITS)
            ]
            polls = sum(undisturbed(wait)["attempts"] for wait in range(WAITS))
            for kill in range(1, KILLS + 1):
                while len(calls()) < polls * kill // (KILLS + 1):
                    assert not all(end.done() for end in ends)
                    time.sleep(0.01)
                time.sleep(random.uniform(0, 0.05))
                service.kill()
        ended: list[Any] = [end.exception() or end.result() for end in ends]
    finally:
        service.close()

    wrong = {wait: end for wait, end in enumerate(ended) if end != undisturbed(wait)}
    assert wrong == {}
    made = Counter((wait, attempt) for wait, attempt, _ in calls())
    assert set(made) == {(wait, attempt + 1) for wait, end in enumerate(ended) for attempt in range(end["attempts"])}
    # A call is only repeated if its worker was killed before the result was stored.
    assert max(Counter(calls()).values()) == 1
    repeated = sum(made.values()) - len(made)
    assert repeated <= service.kills * CONCURRENCY
    figures = f"{WAITS} waits, {service.kills} kills, {len(made)} polls, {repeated} repeated"
    report(capsys, f"{language}: {figures}, {service.reminders} reminders")
