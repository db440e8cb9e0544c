"""The deadline that waits share, on the clock or on the wall clock."""

from __future__ import annotations

import math
import time
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest
import trio
import trio.testing
from libraries import EACH, Library
from samples import ACTIVE, CREATING, script, script_async, table_exists
from virtual import run

from smithy_waiters import Call, OptionsError, WaiterTimeout
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from smithy_waiters import Attempt

THIS_YEAR = datetime(2026, 1, 1, tzinfo=timezone.utc)


def test_waits_share_a_budget() -> None:
    clock = FakeClock()
    clock.advance(1.8)
    deadline = clock.now + 5
    first = table_exists().wait(script(CREATING, ACTIVE), deadline=deadline, clock=clock, seed=7)
    assert first.elapsed == 2
    with pytest.raises(WaiterTimeout) as caught:
        table_exists().wait(lambda: CREATING, deadline=deadline, clock=clock, seed=7)
    assert caught.value.elapsed <= 3
    clock.advance(10)
    with pytest.raises(WaiterTimeout, match="after 0 s and 0 attempts: the deadline has passed") as caught:
        table_exists().wait(lambda: ACTIVE, deadline=deadline, clock=clock)
    assert (caught.value.attempts, caught.value.code) == (0, "timed_out")


@EACH
async def test_it_is_on_the_clock_of_the_library(library: Library) -> None:
    left: list[float] = []

    async def call(attempt: Attempt) -> Any:
        left.append(attempt.remaining)
        return ACTIVE

    await table_exists().wait_async(call, deadline=library.now() + 2)
    assert left == [2]


def test_a_scope_of_trio_has_a_deadline() -> None:
    async def within_a_scope() -> float:
        with trio.fail_after(5):
            outcome = await table_exists().wait_async(
                script_async(ACTIVE), max_wait=60, deadline=trio.current_effective_deadline()
            )
        unlimited = await table_exists().wait_async(
            script_async(ACTIVE), max_wait=60, deadline=trio.current_effective_deadline()
        )
        return outcome.elapsed + unlimited.elapsed

    assert trio.run(within_a_scope, clock=trio.testing.MockClock()) == 0


def test_a_datetime_counts_by_the_wall_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", THIS_YEAR.timestamp)
    in_a_minute = (THIS_YEAR + timedelta(minutes=1)).astimezone(timezone(timedelta(hours=-5)))
    clock = FakeClock()
    clock.advance(1_000)
    seen: list[float] = []

    def call(attempt: Attempt) -> Any:
        seen.append(attempt.remaining)
        return ACTIVE

    table_exists().wait(call, deadline=in_a_minute, clock=clock)
    assert seen == [60]
    assert table_exists().start(deadline=in_a_minute).deadline_ms == 60_000
    assert table_exists().start(deadline=THIS_YEAR).poll(0).type == "done"


def test_a_wait_by_hand_takes_the_monotonic_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 1_000.25)
    wait = table_exists().start(deadline=1_002.5)
    assert wait.poll(0) == Call(1, deadline_ms=2_250)
    resumed = table_exists().resume(wait.to_json(), elapsed_ms=100)
    assert resumed.deadline_ms == 2_250


@pytest.mark.parametrize("deadline", [None, math.inf])
def test_no_deadline(deadline: Any) -> None:
    assert table_exists().start(deadline=deadline, max_wait=60).deadline_ms == 60_000
    with pytest.raises(OptionsError, match="unless `deadline` or `max_attempts` is set"):
        table_exists().start(deadline=deadline)


def test_a_deadline_that_has_always_passed() -> None:
    assert table_exists().start(deadline=-math.inf, max_wait=60).poll(0).type == "done"


A_TIME = "must be a time on the clock of the wait, such as `time.monotonic() + 60`, or an aware `datetime`, got "


def test_a_deadline_of_the_wall_clock() -> None:
    with pytest.raises(OptionsError, match=r"`time\.monotonic\(\) \+ 60`.*, which is a time of `time\.time\(\)`"):
        table_exists().start(deadline=time.time() + 60)


@pytest.mark.parametrize(
    ("deadline", "message"),
    [
        (math.nan, A_TIME + "nan"),
        (True, A_TIME + "True"),
        ("soon", A_TIME + "'soon'"),
        (timedelta(seconds=5), A_TIME + "datetime.timedelta(seconds=5)"),
        (10**400, A_TIME + "1000"),
        (datetime(2026, 1, 1), "must be an aware `datetime`, got a naive one"),  # noqa: DTZ001
        (1e12, "must be at most 315360000 seconds (ten years) away on the clock of the wait, got "),
    ],
)
def test_invalid_deadlines(deadline: Any, message: str) -> None:
    clock = FakeClock()
    for wait in (
        lambda: table_exists().start(deadline=deadline),
        lambda: table_exists().wait(script(ACTIVE), deadline=deadline, clock=clock),
        lambda: run(table_exists().wait_async(script_async(ACTIVE), deadline=deadline)),
    ):
        with pytest.raises(OptionsError) as caught:
            wait()
        assert str(caught.value).startswith(f"`deadline` {message}")
        assert (caught.value.code, caught.value.option) == ("invalid_option", "deadline")
