"""The fake clock for tests: waits of days take no real time."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from libraries import EACH, Library
from samples import ACTIVE, CREATING, table_exists

from smithy_waiters import WaiterCancelled, WaiterTimeout, testing
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable


def test_a_clock_that_stands_still() -> None:
    clock = FakeClock()
    assert (clock.now, clock(), clock.sleeps) == (0, 0, [])
    clock.advance(0.1)
    clock.advance(0.2)
    clock.sleep(1.5)
    assert (clock.now, clock(), clock.sleeps) == (1.8, 1.8, [1.5])
    assert repr(clock) == "FakeClock(now=1.8, sleeps=[1.5])"


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf")])
def test_time_does_not_go_back(seconds: float) -> None:
    clock = FakeClock()
    with pytest.raises(ValueError, match="at least 0, got"):
        clock.advance(seconds)
    with pytest.raises(ValueError, match="at least 0, got"):
        clock.sleep(seconds)
    assert (clock.now, clock.sleeps) == (0, [])


def test_it_is_advanced_by_durations_too() -> None:
    clock = FakeClock()
    clock.advance(timedelta(minutes=1, milliseconds=500))
    assert (clock.now, clock.sleeps) == (60.5, [])
    with pytest.raises(ValueError, match="at least 0, got datetime"):
        clock.advance(timedelta(seconds=-1))


@pytest.mark.parametrize("given", ["1", None, [], True])
def test_invalid_types_of_times(given: Any) -> None:
    clock = FakeClock()
    for take in (clock.advance, clock.sleep):
        with pytest.raises(TypeError, match=r"^a time must be a number of seconds, at least 0, got "):
            take(given)
    assert (clock.now, clock.sleeps) == (0, [])


def test_a_blocking_wait() -> None:
    clock = FakeClock()
    results = iter([CREATING, CREATING, ACTIVE])
    outcome = table_exists().wait(lambda: next(results), max_wait=86_400, seed=7, clock=clock)
    assert (outcome.attempts, len(clock.sleeps)) == (3, 2)
    assert outcome.elapsed == clock.now == pytest.approx(sum(clock.sleeps))


def test_a_blocking_wait_that_is_cancelled() -> None:
    clock = FakeClock()

    class Event:
        def is_set(self) -> bool:
            return clock.now > 100

        def wait(self, timeout: float | None = None, /) -> bool:
            raise AssertionError

    with pytest.raises(WaiterCancelled):
        table_exists().wait(lambda: CREATING, max_wait=600, clock=clock, cancel=Event())


def test_threads_may_share_it() -> None:
    clock = FakeClock()

    def sleep(_: int) -> None:
        for _ in range(1_000):
            clock.sleep(0.001)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(sleep, range(8)))
    assert (clock.now, len(clock.sleeps)) == (8, 8_000)


def awaiting(library: Library, clock: FakeClock, *results: Any) -> Callable[[], Any]:
    """Return a call that depends on other tasks."""
    left = iter(results)

    async def call() -> Any:
        for _ in range(20):
            await library.sleep(0)
        result = next(left)
        if callable(result):
            return await result()
        return result

    return call


@EACH
async def test_a_wait_that_is_awaited(library: Library) -> None:
    clock = FakeClock()

    call = awaiting(library, clock, CREATING, CREATING, ACTIVE)
    outcome = await table_exists().wait_async(call, max_wait=86_400, seed=7, clock=clock)
    assert (outcome.attempts, len(clock.sleeps)) == (3, 2)
    assert outcome.elapsed == clock.now == pytest.approx(sum(clock.sleeps))


@EACH
@pytest.mark.parametrize("cancel", [False, True])
async def test_the_same_pauses_however_it_waits(library: Library, cancel: bool) -> None:
    clock, other = FakeClock(), FakeClock()

    options = {"cancel": library.event()} if cancel else {}
    call = awaiting(library, clock, *[CREATING] * 99)
    with pytest.raises(WaiterTimeout):
        await table_exists().wait_async(call, max_wait=600, seed=7, clock=clock, sleep=clock.sleep_async, **options)

    with pytest.raises(WaiterTimeout):
        table_exists().wait(lambda: CREATING, max_wait=600, seed=7, clock=other)
    assert clock.sleeps == other.sleeps


@EACH
async def test_a_call_that_advances_past_the_deadline_is_late(library: Library) -> None:
    clock = FakeClock()

    async def call() -> Any:
        await library.sleep(0)
        clock.advance(61)
        return ACTIVE

    with pytest.raises(WaiterTimeout) as caught:
        await table_exists().wait_async(call, max_wait=60, clock=clock)
    assert caught.value.history[0].result in ("late", "cut")


@EACH
async def test_a_call_that_sleeps_past_the_deadline_is_cut(library: Library) -> None:
    clock = FakeClock()
    ends: list[float] = []

    async def call() -> Any:
        try:
            await clock.sleep_async(100)
        except library.cancelled:
            ends.append(clock.now)
            raise

    with pytest.raises(WaiterTimeout) as caught:
        await table_exists().wait_async(call, max_wait=60, clock=clock)
    assert caught.value.history[0].result == "cut"

    assert ends == [60]


@EACH
async def test_a_call_that_never_answers_is_cut_once_time_is_advanced(library: Library) -> None:
    clock = FakeClock()

    async def call() -> Any:
        await library.event().wait()

    with pytest.raises(WaiterTimeout) as caught:
        await library.later(
            1, lambda: clock.advance(60), lambda: table_exists().wait_async(call, max_wait=60, clock=clock)
        )
    assert caught.value.elapsed == 60


@EACH
async def test_sleepers_wake_in_order(library: Library) -> None:
    clock = FakeClock()
    woken: list[tuple[str, float]] = []

    async def sleeper(name: str, *naps: float) -> None:
        for nap in naps:
            await clock.sleep_async(nap)
            woken.append((name, clock.now))

    await library.together([lambda: sleeper("a", 3, 3), lambda: sleeper("b", 2, 2, 5), lambda: sleeper("c", 0)])

    assert woken == [("c", 0), ("b", 2), ("a", 3), ("b", 4), ("a", 6), ("b", 9)]
    assert clock.now == 9


@EACH
async def test_only_one_of_many_sleepers_checks_whether_others_are_idle(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, checks, check = FakeClock(), [], testing._wait_until_idle

    async def counted(name: str | None) -> None:
        checks.append(name)
        await check(name)

    monkeypatch.setattr(testing, "_wait_until_idle", counted)

    await library.together([partial(clock.sleep_async, 1 + number) for number in range(50)])

    assert clock.now == 50
    # If each sleeper checked, there would be more than a thousand.
    assert len(checks) <= 2 * 50


@EACH
async def test_a_sleeper_that_is_cancelled_is_forgotten(library: Library) -> None:
    clock = FakeClock()

    async def sleep() -> None:
        await clock.alarm(5)

    error = await library.cancel_after(0, sleep)
    assert error is None or type(error) is library.cancelled
    await clock.sleep_async(9)
    assert clock.now == 9


def test_without_any_library() -> None:
    clock = FakeClock()

    async def call() -> Any:
        return next(results)

    results = iter([CREATING, ACTIVE])
    main = table_exists().wait_async(call, max_wait=60, seed=7, clock=clock)
    with pytest.raises(StopIteration) as caught:
        main.send(None)
    assert caught.value.value.elapsed == clock.now == 2


def test_one_wait_after_the_other() -> None:
    clock = FakeClock()

    async def call() -> Any:
        return ACTIVE if clock.now >= 10 else CREATING

    async def main() -> None:
        await table_exists().wait_async(call, max_wait=60, seed=7, clock=clock)

    asyncio.run(main())
    first = clock.now
    assert first >= 10
    asyncio.run(main())
    assert clock.now == first
