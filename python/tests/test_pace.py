"""The pace of a wait, its final poll, and the delay until a success is detected."""

from __future__ import annotations

import copy
import pickle
from datetime import timedelta
from typing import Any

import pytest
from samples import ACTIVE, CREATING, NOT_FOUND, RESET, TABLE_NOT_EXISTS, script, table_exists

from smithy_waiters import Waiter, WaiterTimeout, every
from smithy_waiters.testing import FakeClock


@pytest.mark.parametrize("pace", [every(15), every(timedelta(seconds=15)), {"every": 15.0}])
def test_a_fixed_pace(pace: Any) -> None:
    clock = FakeClock()
    table_exists().wait(script(CREATING, CREATING, CREATING, ACTIVE), max_wait=3_600, pace=pace, clock=clock)
    assert clock.sleeps == [15, 15, 15]


def test_the_specifications_pace_is_the_default() -> None:
    def delays(**options: Any) -> list[float]:
        clock = FakeClock()
        with pytest.raises(WaiterTimeout):
            table_exists().wait(lambda: CREATING, max_wait=600, seed=7, clock=clock, **options)
        return clock.sleeps

    assert delays() == delays(pace="specification", final_poll="specification", transient_errors="retry")
    assert delays() == delays(pace=None, final_poll=None, transient_errors=None, transient_window=timedelta(minutes=2))


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
