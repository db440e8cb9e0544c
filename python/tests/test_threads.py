"""One waiter, one wait, many threads."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from samples import ACTIVE, BROKEN, CREATING, table_exists
from virtual import Clock

from smithy_waiters import StateError

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _eager_switches() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def test_a_waiter_is_shared() -> None:
    waiter = table_exists()

    def states(_: int) -> set[str]:
        found: set[str] = set()
        for _ in range(200):
            found.add(waiter.evaluate(response=ACTIVE).state)
            found.add(waiter.evaluate(response=BROKEN).reasons[1].code)
            clock = Clock()
            results = iter([CREATING, ACTIVE])
            found.add(
                str(waiter.wait(lambda it=results: next(it), max_wait=9, clock=clock, sleep=clock.sleep).attempts)
            )
        return found

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(states, range(8))) == [{"success", "matched", "2"}] * 8


def test_a_wait_takes_one_step_at_a_time() -> None:
    wait = table_exists().start(max_wait=60)

    def tried(_: int) -> str:
        try:
            return wait.next(0).type
        except StateError as error:
            return error.code

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(tried, range(400)))
    assert found.count("call") == 1
    assert set(found) <= {"call", "in_flight", "busy"}
