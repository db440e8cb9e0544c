"""What happens around a wait: changes, failures, work that is stopped, and the limit that waits share."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from libraries import ON_ASYNCIO

from smithy_waiters import (
    RateLimit,
    Waiter,
    WaiterCancelled,
    WaiterError,
    WaiterFailed,
    WaiterTimeout,
)
from smithy_waiters.testing import FakeClock

READY = Waiter.until("Status", "READY", fail=["FAILED"])


def statuses(*values: str) -> Any:
    left = list(values)
    return lambda: {"Status": left.pop(0) if len(left) > 1 else left[0]}


def test_on_failure_adds_details() -> None:
    with pytest.raises(WaiterFailed) as caught:
        READY.wait(statuses("FAILED"), max_wait=60, on_failure=lambda error: f"events of {error.code}")
    assert (caught.value.details, caught.value.details_error) == ("events of failure_state", None)
    assert not caught.value.leaves_work


def test_cancel_with_stops_the_work_that_is_left() -> None:
    stopped: list[str] = []
    options: dict[str, Any] = {"cancel_with": lambda: stopped.append("job"), "clock": FakeClock()}
    with pytest.raises(WaiterFailed):
        READY.wait(statuses("FAILED"), max_wait=60, **options)
    READY.wait(statuses("READY"), max_wait=60, **options)
    assert stopped == []
    with pytest.raises(WaiterTimeout) as caught:
        READY.wait(statuses("A"), max_wait=60, **options)
    assert caught.value.leaves_work
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(WaiterCancelled):
        READY.wait(statuses("A"), max_wait=60, cancel=cancel, **options)
    assert stopped == ["job", "job"]


def test_exceptions_do_not_hide_the_failure(caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no")

    with pytest.raises(WaiterTimeout) as caught:
        READY.wait(statuses("A"), max_wait=60, clock=FakeClock(), on_failure=fail, cancel_with=fail)
    error = caught.value
    assert [str(error.details_error), str(error.cancel_error), error.details] == ["no", "no", None]
    assert "`cancel_with` raised an exception: no" in caplog.text


@ON_ASYNCIO
async def test_asynchronous() -> None:
    stopped: list[str] = []

    async def status() -> dict[str, str]:
        return {"Status": "A"}

    async def details(error: WaiterError) -> str:
        await asyncio.sleep(0)
        return f"log of {error.attempts}"

    async def stop() -> None:
        stopped.append("job")

    with pytest.raises(WaiterTimeout) as caught:
        await READY.wait_async(status, max_wait=60, clock=FakeClock(), on_failure=details, cancel_with=stop)
    assert caught.value.details == f"log of {caught.value.attempts}"
    assert stopped == ["job"]


def test_waits_share_a_limit() -> None:
    limit, clock, times = RateLimit(0.1), FakeClock(), []

    def call() -> dict[str, str]:
        times.append(clock())
        return {"Status": "READY"}

    for _ in range(3):
        READY.wait(call, max_wait=60, clock=clock, rate_limit=limit)
    assert [round(time - times[0], 3) for time in times] == [0, 10, 20]
    with pytest.raises(WaiterTimeout):
        READY.wait(call, max_wait=5, clock=clock, rate_limit=limit)
    assert len(times) == 3


def test_a_clock_with_negative_times_can_have_a_limit() -> None:
    limit, now, times = RateLimit(0.1), [-1000.0], []

    def call() -> dict[str, str]:
        times.append(now[0])
        return {"Status": "READY"}

    def sleep(seconds: float) -> None:
        now[0] += seconds

    for pause in (0, 0, 60, 0):
        now[0] += pause
        READY.wait(call, max_wait=60, clock=lambda: now[0], sleep=sleep, rate_limit=limit)
    # The third call is not late, because time without calls passes for the limit, too.
    assert times == [-1000, -990, -930, -920]
