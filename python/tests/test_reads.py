"""A path is evaluated once per attempt, even if several acceptors share it, and its reasons do not cause more reads."""

from __future__ import annotations

from collections import Counter
from typing import Any

from smithy_waiters import Waiter
from smithy_waiters.testing import FakeClock


def output(comparator: str, expected: str) -> Any:
    return {"output": {"path": "list[].status", "comparator": comparator, "expected": expected}}


WAITER = Waiter(
    {
        "acceptors": [
            {"state": "failure", "matcher": output("allStringEquals", "x")},
            {"state": "failure", "matcher": output("anyStringEquals", "y")},
            {"state": "success", "matcher": output("anyStringEquals", "z")},
        ],
    },
)


class Item:
    def __init__(self, status: str, reads: Counter[str]) -> None:
        self._status = status
        self._reads = reads

    @property
    def status(self) -> str:
        self._reads["status"] += 1
        return self._status


class Response:
    """A response that counts the reads of its members by name."""

    def __init__(self, *statuses: str) -> None:
        self.reads: Counter[str] = Counter()
        self._items = [Item(status, self.reads) for status in statuses]

    @property
    def list(self) -> list[Item]:
        self.reads["list"] += 1
        return self._items


def test_an_attempt_reads_a_shared_path_once_reasons_included() -> None:
    responses = [Response("x", "w", "v"), Response("x", "w", "z")]
    given = iter(responses)
    # Hints look for names near those of a path.
    outcome = WAITER.wait(lambda: next(given), max_wait=60, clock=FakeClock(), hints=False)
    assert [len(attempt.reasons) for attempt in outcome.history] == [3, 3]
    assert [response.reads for response in responses] == [{"list": 1, "status": 3}] * 2


def test_a_verdict_reads_a_shared_path_once() -> None:
    response = Response("x", "w", "v")
    assert WAITER.evaluate(response=response).state == "retry"
    assert response.reads == {"list": 1, "status": 3}
    response = Response("x", "w", "z")
    assert WAITER.check(lambda: response).state == "success"
    assert response.reads == {"list": 1, "status": 3}
