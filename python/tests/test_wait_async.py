"""The driver for asyncio, on virtual time."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from typing import TYPE_CHECKING, Any

import pytest
from samples import ACTIVE, BROKEN, CREATING, NOT_FOUND, ClientError, script, script_async, table_exists
from virtual import Clock, VirtualLoop, now, run

from smithy_waiters import Attempt, Progress, WaiterCancelled, WaiterFailed, WaiterTimeout

if TYPE_CHECKING:
    from collections.abc import Callable


async def wait(call: Callable[..., Any], **options: Any) -> Any:
    loop = asyncio.get_running_loop()
    return await table_exists().wait_async(call, clock=loop.time, **{"max_wait": 60, "seed": 7} | options)


async def hang() -> Any:
    await asyncio.Event().wait()


@pytest.mark.parametrize("takes", [0, 1.5])
def test_success(takes: float) -> None:
    async def main() -> None:
        outcome = await wait(script_async(NOT_FOUND, CREATING, ACTIVE, takes=takes))
        assert outcome.response is ACTIVE
        assert (outcome.attempts, outcome.acceptor) == (3, 0)
        assert outcome.elapsed == pytest.approx(now())

    run(main())


def test_failures() -> None:
    async def main() -> None:
        with pytest.raises(WaiterFailed) as caught:
            await wait(script_async(NOT_FOUND, BROKEN))
        assert (caught.value.code, caught.value.__cause__) == ("failure_state", None)
        denied = ClientError("AccessDenied")
        with pytest.raises(WaiterFailed) as caught:
            await wait(script_async(denied))
        assert (caught.value.code, caught.value.error) == ("unmatched_error", denied)

    run(main())


def test_timeout() -> None:
    async def main() -> None:
        with pytest.raises(WaiterTimeout) as caught:
            await wait(script_async(*[CREATING] * 100))
        assert caught.value.elapsed == pytest.approx(58)

    run(main())


def test_a_call_is_cut_at_the_deadline_and_cleans_up() -> None:
    events: list[tuple[str, float]] = []
    seen: list[Progress] = []

    async def call() -> Any:
        try:
            await hang()
        except asyncio.CancelledError:
            events.append(("cut", now()))
            await asyncio.sleep(3)
            events.append(("clean", now()))
            raise

    async def main() -> None:
        with pytest.raises(WaiterTimeout) as caught:
            await wait(call, on_attempt=seen.append)
        assert events == [("cut", 60.0), ("clean", 63.0)]
        assert (caught.value.attempts, caught.value.history[0].result) == (1, "cut")
        assert caught.value.response is None
        assert caught.value.error is None

    run(main())
    assert [(one.state, one.remaining) for one in seen] == [(None, 0)]


@pytest.mark.parametrize("end", [ACTIVE, ValueError("in the clean-up")])
def test_what_a_cut_call_gives_is_discarded(end: Any) -> None:
    async def call() -> Any:
        with contextlib.suppress(asyncio.CancelledError):
            await hang()
        return await script_async(end)()

    async def main() -> None:
        with pytest.raises(WaiterTimeout) as caught:
            await wait(call)
        assert caught.value.response is None
        assert caught.value.__cause__ is None

    run(main())


def test_a_response_at_the_deadline_counts() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        answer = loop.create_future()
        loop.call_at(60, answer.set_result, ACTIVE)
        outcome = await wait(lambda: answer)
        assert outcome.elapsed == 60

    run(main())


def test_a_timer_that_fires_early_decides_nothing() -> None:
    async def early(seconds: float) -> None:
        await asyncio.sleep(seconds / 2 if seconds > 0.01 else seconds)

    async def main() -> None:
        with pytest.raises(WaiterTimeout) as caught:
            await wait(hang, sleep=early)
        assert now() == pytest.approx(60, abs=0.1)
        assert caught.value.history[0].result == "cut"

    run(main())


def test_cancelled_from_outside() -> None:
    events: list[str] = []

    async def call() -> Any:
        try:
            await hang()
        finally:
            await asyncio.sleep(1)
            events.append("clean")

    async def main() -> None:
        task = asyncio.ensure_future(wait(call))
        await asyncio.sleep(5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert events == ["clean"]
        assert now() == 6

    run(main())


@pytest.mark.parametrize("after", [0, 1])
def test_cancelled_from_outside_at_once_or_in_a_sleep(after: float) -> None:
    async def main() -> None:
        task = asyncio.ensure_future(wait(script_async(*[CREATING] * 9)))
        for _ in range(3):
            await asyncio.sleep(after)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(main())


def test_cancelled_again_during_the_clean_up() -> None:
    async def call() -> Any:
        try:
            await hang()
        finally:
            await hang()

    async def main() -> None:
        task = asyncio.ensure_future(wait(call))
        await asyncio.sleep(61)
        assert not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(main())


def test_a_timeout_around_the_wait() -> None:
    async def main() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(wait(hang), 5)
        assert now() == 5

    run(main())


def test_a_call_that_is_cancelled_by_others() -> None:
    async def main() -> None:
        call = asyncio.ensure_future(hang())
        asyncio.get_running_loop().call_later(5, call.cancel)
        with pytest.raises(asyncio.CancelledError):
            await wait(lambda: call)

    run(main())


def test_cancelled_by_event_before_the_first_call() -> None:
    async def main() -> None:
        cancel = asyncio.Event()
        cancel.set()
        with pytest.raises(WaiterCancelled) as caught:
            await wait(script_async(), cancel=cancel)
        assert caught.value.attempts == 0

    run(main())


@pytest.mark.parametrize(
    ("call", "attempts", "result"),
    [(hang, 1, "cancelled"), (script_async(CREATING), 1, "response")],
    ids=["in a call", "in a sleep"],
)
def test_cancelled_by_event(call: Callable[[], Any], attempts: int, result: str) -> None:
    async def main() -> None:
        cancel = asyncio.Event()
        asyncio.get_running_loop().call_later(1, cancel.set)
        with pytest.raises(WaiterCancelled) as caught:
            await wait(call, cancel=cancel)
        assert now() == 1
        assert (caught.value.attempts, caught.value.history[0].result) == (attempts, result)

    run(main())


def test_cancelled_by_event_while_the_call_answers() -> None:
    async def main() -> None:
        cancel = asyncio.Event()

        async def call() -> Any:
            await asyncio.sleep(1)
            cancel.set()
            return ACTIVE

        with pytest.raises(WaiterCancelled) as caught:
            await wait(call, cancel=cancel)
        assert caught.value.code == "cancelled"

    run(main())


class Interrupt(BaseException):
    """An awaitable of another framework, which asyncio does not support."""


@pytest.mark.parametrize("takes", [0, 1])
def test_what_is_no_exception_leaves_unchanged(takes: float) -> None:
    interrupt = Interrupt()

    async def main() -> None:
        with pytest.raises(Interrupt) as caught:
            await wait(script_async(interrupt, takes=takes))
        assert caught.value is interrupt

    run(main())


def test_what_is_no_exception_leaves_a_clean_up_unchanged() -> None:
    async def call() -> Any:
        try:
            await hang()
        finally:
            raise Interrupt

    async def main() -> None:
        with pytest.raises(Interrupt):
            await wait(call)

    run(main())


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt(), SystemExit(3)], ids=["KeyboardInterrupt", "SystemExit"])
@pytest.mark.parametrize("at", ["once", "a later step", "the deadline"])
def test_an_interrupt_leaves_the_loop_once(interrupt: BaseException, at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    loop = VirtualLoop()
    # `asyncio.run` requires a coroutine. The test is about its shutdown.
    monkeypatch.setattr("asyncio.events.new_event_loop", lambda: loop)

    async def other() -> None:
        try:
            await hang()
        finally:
            # This returns only if the loop is still running.
            await asyncio.sleep(1)
            events.append("cleaned")

    async def call() -> Any:
        if at == "the deadline":
            with contextlib.suppress(asyncio.CancelledError):
                await hang()
        elif at == "a later step":
            await asyncio.sleep(1)
        raise interrupt

    async def main() -> None:
        beside = asyncio.create_task(other())
        await asyncio.sleep(0)
        try:
            await wait(call)
        except asyncio.CancelledError:
            events.append("cancelled")
            raise
        await beside

    with pytest.raises(type(interrupt)) as caught:
        asyncio.run(main())
    assert caught.value is interrupt
    # Equivalent to `await asyncio.create_task(call())`.
    assert events == ["cancelled", "cleaned"]
    gc.collect()
    assert loop.complaints == []


def test_an_error_of_the_call_itself_is_a_result() -> None:
    def call() -> Any:
        raise NOT_FOUND

    async def main() -> None:
        with pytest.raises(WaiterTimeout) as caught:
            await wait(call)
        assert caught.value.__cause__ is NOT_FOUND

    run(main())


def test_a_call_that_gives_no_awaitable() -> None:
    async def main() -> None:
        with pytest.raises(TypeError, match="must return an awaitable, got dict"):
            await wait(lambda: ACTIVE)
        with pytest.raises(TypeError, match="must return an awaitable"):
            await table_exists().check_async(lambda: ACTIVE)  # type: ignore[arg-type]

    run(main())


def test_any_awaitable_will_do() -> None:
    class Lazy:
        def __await__(self) -> Any:
            yield from asyncio.sleep(1).__await__()
            return ACTIVE

    async def main() -> None:
        assert (await wait(Lazy)).response is ACTIVE
        assert (await wait(lambda: asyncio.ensure_future(script_async(ACTIVE)()))).response is ACTIVE

    run(main())


def test_the_attempt_is_given_to_a_call_that_wants_it() -> None:
    seen: list[Attempt] = []

    async def call(attempt: Attempt) -> Any:
        seen.append(attempt)
        return CREATING if attempt.number == 1 else ACTIVE

    async def main() -> None:
        await wait(call)

    run(main())
    assert seen == [Attempt(number=1, remaining=60.0), Attempt(number=2, remaining=58.0)]


def test_what_callbacks_raise_is_the_callers() -> None:
    def bug(_: object) -> None:
        raise ValueError("a bug in the callback")

    async def bad_sleep(_: float) -> None:
        raise ValueError("a bug in the sleep")

    async def main() -> None:
        with pytest.raises(ValueError, match="in the callback"):
            await wait(script_async(CREATING), on_attempt=bug)
        with pytest.raises(ValueError, match="in the sleep"):
            await wait(script_async(CREATING), sleep=bad_sleep)
        with pytest.raises(ValueError, match="in the sleep"):
            await wait(script_async(CREATING), sleep=bad_sleep, cancel=asyncio.Event())
        with pytest.raises(ValueError, match="in the sleep"):
            await wait(hang, sleep=bad_sleep)

    run(main())


def test_a_clock_and_a_sleep_that_only_pretend() -> None:
    clock = Clock()

    async def sleep(seconds: float) -> None:
        clock.sleep(seconds)

    async def main() -> None:
        call = script_async(CREATING, CREATING, ACTIVE)
        outcome = await table_exists().wait_async(call, max_wait=86_400, seed=7, clock=clock, sleep=sleep)
        assert outcome.attempts == 3
        assert outcome.elapsed == clock()
        assert now() == 0

    run(main())


def test_both_drivers_take_the_same_steps() -> None:
    results = [NOT_FOUND, *[CREATING] * 10, ACTIVE]
    clock = Clock()

    async def main() -> Any:
        return await wait(script_async(*results), max_wait=600)

    blocking = table_exists().wait(script(*results), max_wait=600, seed=7, clock=clock, sleep=clock.sleep)
    assert run(main()).history == blocking.history


def test_check() -> None:
    async def main() -> None:
        waiter = table_exists()
        assert (await waiter.check_async(script_async(CREATING))).response is CREATING
        assert (await waiter.check_async(script_async(NOT_FOUND))).acceptor == 2

        def call() -> Any:
            raise NOT_FOUND

        assert (await waiter.check_async(call)).error is NOT_FOUND

    run(main())
