"""Callbacks for attempts: awaitable results are awaited until the deadline, or rejected."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from libraries import EACH, ON_ASYNCIO, Library
from samples import ACTIVE, CREATING, RESET, output, script, script_async, table_exists
from virtual import Clock

from smithy_waiters import WaiterCancelled, WaiterTimeout
from smithy_waiters.retry import (
    RetryCancelled,
    RetryError,
    RetryProgress,
    RetryTimeout,
    StandardRetryStrategy,
    retry,
    retry_async,
)
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from smithy_waiters import Progress
READY = output("S", "OK")


async def wait(call: Callable[..., Any], **options: Any) -> Any:
    return await table_exists().wait_async(call, **{"max_wait": 60, "seed": 7} | options)


async def again(call: Callable[..., Any], **options: Any) -> Any:
    usual: dict[str, Any] = {"idempotent": True, "clock": FakeClock(), "strategy": StandardRetryStrategy(max_retries=2)}
    return await retry_async(call, **usual | options)


async def bug(_: object) -> None:
    raise ValueError("a bug in the callback")


def endless(library: Library) -> Callable[[object], Awaitable[None]]:
    """Return a callback that never ends."""

    async def told(_: object) -> None:
        await library.event().wait()

    return told


@EACH
async def test_an_awaitable_of_on_attempt_is_awaited(library: Library) -> None:
    seen: list[Any] = []

    async def told(progress: Progress[Any]) -> None:
        await library.sleep(1)
        seen.append((progress.attempt, library.now()))

    await wait(script_async(CREATING, ACTIVE), on_attempt=told)
    # Its time is part of the delay.
    assert seen == [(1, pytest.approx(1)), (2, pytest.approx(3))]
    for answer in (CREATING, ACTIVE):
        with pytest.raises(ValueError, match="in the callback"):
            await wait(script_async(answer), on_attempt=bug)


def test_the_time_of_on_attempt_is_part_of_the_pause() -> None:
    clock = FakeClock()
    call = script(CREATING, ACTIVE)
    table_exists().wait(call, max_wait=60, clock=clock, on_attempt=lambda _: clock.advance(0.5))
    assert clock.sleeps == [1.5]
    call = script(CREATING)
    with pytest.raises(WaiterTimeout):
        table_exists().wait(call, max_wait=60, clock=clock, on_attempt=lambda _: clock.advance(60))
    assert clock.sleeps == [1.5]


@EACH
async def test_on_attempt_does_not_outlast_the_deadline(library: Library) -> None:
    async def hang() -> Any:
        await library.event().wait()

    for call in (script_async(CREATING), hang):
        before = library.now()
        with pytest.raises(WaiterTimeout) as caught:
            await wait(call, on_attempt=endless(library))
        assert caught.value.attempts == 1
        assert library.now() - before == pytest.approx(60)
    # The failure contains the earlier results.
    assert (await wait(script_async(ACTIVE), on_attempt=endless(library))).response == ACTIVE


@ON_ASYNCIO
async def test_a_sleep_that_only_moves_a_clock_on_leaves_on_attempt_its_time() -> None:
    seen: list[int] = []
    clock = Clock()

    async def sleep(seconds: float) -> None:
        clock.sleep(seconds)

    async def told(progress: Progress[Any]) -> None:
        await asyncio.sleep(1)
        seen.append(progress.attempt)

    await wait(script_async(CREATING, ACTIVE), clock=clock, sleep=sleep, on_attempt=told)
    assert seen == [1, 2]


@EACH
async def test_on_attempt_is_cut_when_the_caller_cancels(library: Library) -> None:
    cancel = library.event()
    with pytest.raises(WaiterCancelled):
        await library.later(
            1, cancel.set, lambda: wait(script_async(CREATING), on_attempt=endless(library), cancel=cancel)
        )
    assert library.now() == pytest.approx(1)


@EACH
async def test_an_awaitable_of_on_failure_is_awaited(library: Library) -> None:
    seen: list[int] = []

    async def told(progress: RetryProgress) -> None:
        await library.sleep(1)
        seen.append(progress.attempt)

    assert await again(script_async(RESET, "content"), on_failure=told) == "content"
    with pytest.raises(ConnectionResetError):
        await again(script_async(*[RESET] * 3), on_failure=told)
    with pytest.raises(RetryError, match="no more are allowed"):
        await again(script_async(*[{"S": "NO"}] * 3), policy=READY, on_failure=told)
    with pytest.raises(ValueError, match="in the callback"):
        await again(script_async(RESET), on_failure=bug)

    assert seen == [1, 1, 2, 3, 1, 2, 3]


@EACH
async def test_on_failure_is_cut_when_the_time_is_over_or_the_caller_cancels(library: Library) -> None:
    with pytest.raises(RetryTimeout):
        await again(script_async(RESET), max_time=60, clock=None, on_failure=endless(library))
    assert library.now() == pytest.approx(60)
    cancel = library.event()
    with pytest.raises(RetryCancelled):
        await library.later(
            1, cancel.set, lambda: again(script_async(RESET), on_failure=endless(library), cancel=cancel)
        )


@pytest.mark.filterwarnings("error")
def test_a_blocking_wait_rejects_asynchronous_callbacks() -> None:
    async def told(_: object) -> None:
        pytest.fail("nobody can await it")

    with pytest.raises(TypeError, match=r"^`on_attempt` returned an awaitable: use `wait_async`$"):
        table_exists().wait(script(ACTIVE), max_wait=60, on_attempt=told)
    with pytest.raises(TypeError, match=r"^`on_change` returned an awaitable: use `wait_async`$"):
        table_exists().wait(script(ACTIVE), max_wait=60, on_attempt=lambda _: None, on_change=told)
    for call, policy in ((script(RESET), None), (script({"S": "NO"}), READY)):
        with pytest.raises(TypeError, match=r"^`on_failure` returned an awaitable: use `retry_async`$"):
            retry(call, policy=policy, on_failure=told)


def test_no_attempt_begins_when_on_failure_took_all_the_time() -> None:
    clock = FakeClock()
    with pytest.raises(RetryTimeout) as caught:
        retry(
            script(RESET),
            clock=clock,
            idempotent=True,
            max_time=timedelta(minutes=1),
            on_failure=lambda _: clock.advance(60),
        )
    assert (caught.value.attempts, caught.value.__cause__) == (1, RESET)


@pytest.mark.filterwarnings("error")
def test_classify_must_not_return_an_awaitable() -> None:
    classify: Any = bug
    with pytest.raises(TypeError, match=r"^`classify` must not return an awaitable$"):
        retry(script(RESET), classify=classify)
