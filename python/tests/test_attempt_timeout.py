"""The attempt timeout: a call that takes longer is cancelled, and the wait continues."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from libraries import EACH, ON_ASYNCIO, Library
from samples import ACTIVE, CREATING, script_async, table_exists
from virtual import Clock

from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from smithy_waiters import Attempt, Progress


@EACH
async def test_a_call_cleans_up_before_the_next(library: Library) -> None:
    ends: list[float] = []

    async def call(attempt: Attempt) -> Any:
        if attempt.number == 2:
            return ACTIVE
        try:
            await library.event().wait()
        finally:
            with library.shielded():
                await library.sleep(1)
            ends.append(library.now())

    outcome = await table_exists().wait_async(call, max_wait=60, attempt_timeout=5, seed=7)
    # The clean-up takes a second, and the delay starts after it.
    assert outcome.elapsed == pytest.approx(8)

    assert ends == pytest.approx([6])


@EACH
async def test_on_a_fake_clock(library: Library) -> None:
    clock = FakeClock()

    async def call(attempt: Attempt) -> Any:
        if attempt.number == 1:
            clock.advance(5)
            await library.event().wait()
        return ACTIVE

    outcome = await table_exists().wait_async(call, max_wait=60, attempt_timeout=5, seed=7, clock=clock)
    assert (outcome.attempts, outcome.elapsed, clock.now) == (2, 7, 7)


@ON_ASYNCIO
async def test_a_callback_has_the_time_of_the_wait() -> None:
    ended: list[bool] = []

    async def callback(_: Progress[Any]) -> None:
        await asyncio.sleep(20)
        ended.append(True)

    call = script_async(CREATING, ACTIVE)
    await table_exists().wait_async(call, max_wait=60, attempt_timeout=5, seed=7, on_attempt=callback)
    assert ended == [True, True]


def test_a_blocking_call_reads_the_time_and_is_not_interrupted() -> None:
    clock = Clock()
    remaining: list[float] = []

    def call(attempt: Attempt) -> Any:
        remaining.append(attempt.remaining)
        clock.pass_by(8)
        return CREATING if attempt.number == 1 else ACTIVE

    outcome = table_exists().wait(call, max_wait=60, attempt_timeout=5, seed=7, clock=clock, sleep=clock.sleep)
    # The call exceeded the timeout, but a result before the deadline of the wait counts.
    assert [record.result for record in outcome.history] == ["response", "response"]
    assert (remaining, outcome.elapsed) == ([5, 5], 18)
