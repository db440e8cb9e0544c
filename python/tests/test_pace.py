"""The pace of a wait, its final poll, and the delay until a success is detected."""

from __future__ import annotations

import copy
import pickle
from datetime import timedelta
from typing import Any

import pytest
from samples import ACTIVE, CREATING, NOT_FOUND, RESET, TABLE_NOT_EXISTS, script, table_exists

from smithy_waiters import Call, Done, OptionsError, Sleep, Waiter, WaiterTimeout, every, proportional
from smithy_waiters.events import Response
from smithy_waiters.testing import FakeClock


@pytest.mark.parametrize("pace", [every(15), every(timedelta(seconds=15)), {"every": 15.0}])
def test_a_fixed_pace(pace: Any) -> None:
    clock = FakeClock()
    table_exists().wait(script(CREATING, CREATING, CREATING, ACTIVE), max_wait=3_600, pace=pace, clock=clock)
    assert clock.sleeps == [15, 15, 15]


def test_a_proportional_pace() -> None:
    clock = FakeClock()

    def call() -> Any:
        return ACTIVE if clock.now > 6_000 else CREATING

    outcome = table_exists().wait(call, max_wait=7_200, max_delay=1_000, pace=proportional(0.1), seed=7, clock=clock)
    assert clock.sleeps[0] == 2
    assert outcome.noticed_within is not None
    assert 2 < outcome.noticed_within <= outcome.elapsed / 10


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pace": every(0)}, "`pace` must be "),
        ({"pace": proportional(0)}, "`pace` must be "),
        ({"pace": proportional(1.5)}, "`pace` must be "),
        ({"pace": "slow"}, "`pace` must be "),
        ({"pace": 15}, "`pace` must be "),
        ({"pace": {"every": 15, "proportional": 0.1}}, "`pace` must be "),
        ({"pace": every(15), "min_delay": 5}, "`pace` with a fixed delay cannot be combined with `min_delay`"),
        ({"transient_errors": "ignore"}, "`transient_errors` must be `retry` or `fail`, got `ignore`"),
        ({"transient_window": 0}, "`transient_window` must be more than 0 "),
    ],
)
def test_options_that_do_not_hold(options: Any, message: str) -> None:
    with pytest.raises(OptionsError) as caught:
        table_exists().start(max_wait=60, **options)
    assert str(caught.value).startswith(message)


def test_the_specifications_pace_is_the_default() -> None:
    def delays(**options: Any) -> list[float]:
        clock = FakeClock()
        with pytest.raises(WaiterTimeout):
            table_exists().wait(lambda: CREATING, max_wait=600, seed=7, clock=clock, **options)
        return clock.sleeps

    assert delays() == delays(pace="specification", final_poll="specification", transient_errors="retry")
    assert delays() == delays(pace=None, final_poll=None, transient_errors=None, transient_window=timedelta(minutes=2))


def test_a_late_final_poll() -> None:
    clock = FakeClock()

    def call() -> Any:
        now = clock.now
        clock.advance(0.25)
        return ACTIVE if now >= 58.5 else CREATING

    with pytest.raises(WaiterTimeout):
        table_exists().wait(call, max_wait=60, seed=7, clock=clock)
    clock = FakeClock()
    outcome = table_exists().wait(call, max_wait=60, final_poll="late", seed=7, clock=clock)
    assert outcome.elapsed == 59.25
    assert outcome.history[-2].next_is_last


def test_how_late_a_success_may_be_noticed() -> None:
    clock = FakeClock()
    first = table_exists().wait(script(ACTIVE), max_wait=60, clock=clock)
    assert first.noticed_within is None
    # A call without a response does not count as an observation.
    outcome = table_exists().wait(script(CREATING, RESET, ACTIVE), max_wait=60, pace=every(5), clock=clock)
    assert (outcome.noticed_within, outcome.elapsed) == (10, 10)
    assert outcome.to_dict()["noticed_within"] == 10
    for again in (copy.copy(outcome), pickle.loads(pickle.dumps(outcome))):  # noqa: S301
        assert again == outcome
    gone = Waiter(TABLE_NOT_EXISTS).wait(script(CREATING, NOT_FOUND), max_wait=60, pace=every(5), clock=clock)
    assert pickle.loads(pickle.dumps(gone)).noticed_within == gone.noticed_within == 5  # noqa: S301


def test_the_report_of_a_resumed_wait() -> None:
    wait = table_exists().start(max_wait=60, pace=every(5))
    wait.poll(0)
    assert wait.handle(Response(CREATING), 0) == Sleep(5_000, last=False)
    resumed = table_exists().resume(wait.to_json(), elapsed_ms=7_000)
    assert isinstance(resumed.poll(7_000), Call)
    done = resumed.handle(Response(ACTIVE), 7_000)
    assert isinstance(done, Done)
    assert (done.noticed_within_ms, "noticed_within_ms=7000" in repr(done)) == (7_000, True)
    again = table_exists().resume(resumed.to_json()).poll(9_000)
    assert isinstance(again, Done)
    assert again.noticed_within_ms == 7_000
