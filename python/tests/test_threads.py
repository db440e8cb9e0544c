"""A waiter and a wait in several threads."""

from __future__ import annotations

import contextlib
import itertools
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from samples import ACTIVE, BROKEN, CREATING, table_exists
from virtual import Clock

from smithy_waiters import StateError, WaiterTimeout
from smithy_waiters.events import Cancelled, Response
from smithy_waiters.testing import FakeClock

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


def test_everything_is_frozen() -> None:
    waiter = table_exists()
    wait = waiter.start(max_wait=60, seed=7)
    call = wait.poll(0)
    sleep = wait.handle(Response(CREATING), 1)
    done = wait.handle(Cancelled(), 2)
    verdict = waiter.evaluate(response=BROKEN)
    things: list[Any] = [waiter, wait, call, sleep, done, verdict, verdict.reasons[0], wait.latest]
    for thing in things:
        for name in [name for name in dir(thing) if not name.startswith("_")]:
            with pytest.raises(AttributeError):
                setattr(thing, name, None)
        with pytest.raises(AttributeError):
            thing.anything = None


def test_all_that_a_verdict_has_is_shared() -> None:
    waiter = table_exists()
    verdict = waiter.evaluate(response={"Table": {"TableStatus": "CREATING", "more": list(range(100))}})
    expected = (verdict.state, verdict.reasons, repr(verdict))

    def read(_: int) -> bool:
        found = [(verdict.state, verdict.reasons, repr(pickle.loads(pickle.dumps(verdict)))) for _ in range(100)]  # noqa: S301
        return found == [expected] * 100

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(read, range(8)))


def test_failures_of_many_threads_stay_apart() -> None:
    waiter = table_exists()

    def fail(number: int) -> bool:
        clock = FakeClock()
        response = {"Table": {"TableStatus": "CREATING"}, "number": number}
        with pytest.raises(WaiterTimeout) as caught:
            waiter.wait(lambda: response, max_wait=600, seed=number, clock=clock)
        return caught.value.response is response and caught.value.elapsed == clock.now

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(fail, range(200)))


def test_a_wait_that_threads_drive_together_counts_each_attempt_once() -> None:
    wait = table_exists().start(max_wait=86_400, min_delay=1, max_delay=1)
    clock = itertools.count(1)

    def drive(_: int) -> set[int]:
        calls: set[int] = set()
        for _ in range(200):
            # A step may belong to another thread. An event that is out of order is rejected without an effect.
            with contextlib.suppress(StateError):
                step = wait.poll(next(clock) * 10_000)
                calls.update([step.attempt] if step.type == "call" else [])
            with contextlib.suppress(StateError):
                wait.handle(Response(CREATING), 0)
        return calls

    with ThreadPoolExecutor(8) as pool:
        calls = set().union(*pool.map(drive, range(8)))
    assert calls == set(range(1, wait.attempts + 1)) != set()


def test_a_wait_takes_one_step_at_a_time() -> None:
    wait = table_exists().start(max_wait=60)
    wait.poll(0)

    def tried(_: int) -> str:
        try:
            return wait.handle(Response(CREATING), 0).type
        except StateError as error:
            return error.code

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(tried, range(400)))
    assert found.count("sleep") == 1
    assert set(found) <= {"sleep", "not_in_flight", "busy"}
