"""Sleeps that are mocked, return immediately, or end early."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any
from unittest.mock import AsyncMock, patch

import pytest
from libraries import EACH, Library
from samples import ACTIVE, CREATING, RESET, script, script_async, slow, table_exists
from virtual import Clock

from smithy_waiters import WaiterCancelled, WaiterTimeout
from smithy_waiters.drivers.clock import Clock as DriverClock
from smithy_waiters.retry import RetryTimeout, StandardRetryStrategy, retry, retry_async

if TYPE_CHECKING:
    from collections.abc import Callable


def still() -> float:
    """Return the time of a clock that stands still, without a sleep."""
    return 0


def pauses(clock: Clock) -> list[float]:
    with pytest.raises(WaiterTimeout):
        table_exists().wait(lambda: CREATING, max_wait=60, seed=7, clock=clock, sleep=clock.sleep)
    return clock.slept


def test_a_wait_with_a_mocked_sleep_runs_in_virtual_time() -> None:
    with patch("time.sleep") as sleep, pytest.raises(WaiterTimeout) as caught:
        table_exists().wait(lambda: CREATING, max_wait=60, seed=7, clock=still)
    # One sleep per delay, with the full duration.
    expected = pauses(Clock())
    assert [call.args[0] for call in sleep.call_args_list] == expected
    assert (caught.value.elapsed, caught.value.attempts) == (58, len(expected) + 1)


def test_a_request_with_a_mocked_sleep_too() -> None:
    with patch("time.sleep") as sleep:
        assert retry(script(RESET, RESET, "content"), idempotent=True, seed=1, clock=still) == "content"
    assert sleep.call_count == 2
    strategy = StandardRetryStrategy(fixed_delay=4)
    with patch("time.sleep") as sleep, pytest.raises(ConnectionResetError):
        retry(script(*[RESET] * 9), idempotent=True, strategy=strategy, max_time=10, clock=still)
    assert sleep.call_count == 2


def test_calls_take_their_time_between_mocked_sleeps() -> None:
    clock = Clock()
    call = slow(clock.pass_by, 1, CREATING)
    with pytest.raises(WaiterTimeout) as caught:
        table_exists().wait(call, max_wait=60, seed=7, sleep=lambda _: None, clock=clock)
    history = caught.value.history
    assert [record.ended_ms - record.started_ms for record in history] == [1_000] * len(history)
    assert clock() == caught.value.attempts


def test_a_sleep_that_the_caller_ends_is_not_slept() -> None:
    cancel = threading.Event()

    def call() -> Any:
        threading.Timer(0.01, cancel.set).start()
        return CREATING

    with pytest.raises(WaiterCancelled) as caught:
        table_exists().wait(call, max_wait=600, min_delay=100, max_delay=100, cancel=cancel)
    assert caught.value.elapsed < 50
    with pytest.raises(WaiterCancelled) as caught:
        table_exists().wait(lambda: CREATING, max_wait=600, min_delay=100, max_delay=100, cancel=cancel, clock=Clock())
    assert caught.value.elapsed == 0


@EACH
async def test_an_awaited_wait_with_a_mocked_sleep(library: Library) -> None:
    sleep = AsyncMock()
    mocks = [patch(f"{name}.sleep", sleep) for name in ("asyncio", "trio", "anyio")]
    with mocks[0], mocks[1], mocks[2], pytest.raises(WaiterTimeout) as caught:
        await table_exists().wait_async(script_async(*[CREATING] * 99), max_wait=60, seed=7)
    assert sleep.call_count == len(pauses(Clock()))
    assert caught.value.elapsed == pytest.approx(58)
    assert library.now() == 0


@EACH
async def test_an_awaited_request_with_a_mocked_sleep(library: Library) -> None:
    sleep = AsyncMock()
    assert await retry_async(script_async(RESET, "content"), idempotent=True, seed=1, sleep=sleep) == "content"
    assert sleep.await_count == 1


@EACH
async def test_a_call_has_its_time_though_a_sleep_takes_none(library: Library) -> None:
    async def call() -> Any:
        await library.sleep(5)
        return ACTIVE

    async def hang() -> Any:
        await library.event().wait()

    sleep = AsyncMock()
    outcome = await table_exists().wait_async(call, max_wait=60, sleep=sleep)
    assert outcome.attempts == 1
    assert outcome.elapsed == pytest.approx(5)
    with pytest.raises(WaiterTimeout) as caught:
        await table_exists().wait_async(hang, max_wait=60, sleep=sleep)
    assert (caught.value.attempts, caught.value.history[0].result) == (1, "cut")
    assert library.now() == pytest.approx(65)
    with pytest.raises(RetryTimeout):
        await retry_async(hang, max_time=60, sleep=sleep)
    assert library.now() == pytest.approx(125)


@EACH
async def test_everything_else_runs_during_a_mocked_sleep(library: Library) -> None:
    turns: list[int] = []

    async def count() -> None:
        for turn in range(5):
            turns.append(turn)
            await library.sleep(0)

    async def wait() -> None:
        with pytest.raises(WaiterTimeout):
            await table_exists().wait_async(script_async(*[CREATING] * 99), max_wait=60, sleep=AsyncMock())
        assert turns == [0, 1, 2, 3, 4]

    await library.together([wait, count])


class Times:
    """A clock that returns a list of times."""

    def __init__(self, *times: Any) -> None:
        self.times = iter(times)

    def __call__(self) -> Any:
        return next(self.times)


def test_the_last_microseconds_of_a_pause_are_slept_too() -> None:
    clock = DriverClock(Times(0, 0, 0))
    assert not clock.advance(0.000_005)
    assert clock.micros == 5


def test_a_clock_counts_whole_milliseconds_and_never_goes_back() -> None:
    clock = DriverClock(Times(0.1, 0.1 + 2.03, 0.1 + 1, 0.1 + 2.0309, 0.1 + 2.031))
    assert [clock.now_ms() for _ in range(4)] == [2_030, 2_030, 2_030, 2_031]


@pytest.mark.parametrize("kind", ["float", "decimal", "fraction"])
def test_clocks_of_other_numbers(kind: str) -> None:
    from decimal import Decimal  # noqa: PLC0415
    from fractions import Fraction  # noqa: PLC0415

    number: Callable[[str], Any] = {"float": float, "decimal": Decimal, "fraction": Fraction}[kind]
    clock = DriverClock(Times(*map(number, ("1.5", "2.5", "3.75"))))
    assert [clock.now_ms(), clock.now_ms()] == [1_000, 2_250]
