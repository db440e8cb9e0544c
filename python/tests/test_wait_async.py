"""Waits that only asyncio has. `test_wait_libraries` tests the ends of a wait with each library."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from typing import TYPE_CHECKING, Any

import pytest
from libraries import ON_ASYNCIO
from samples import ACTIVE, CREATING, NOT_FOUND, script_async, table_exists
from virtual import VirtualLoop

from smithy_waiters import WaiterTimeout

if TYPE_CHECKING:
    from collections.abc import Callable


async def wait(call: Callable[..., Any], **options: Any) -> Any:
    loop = asyncio.get_running_loop()
    return await table_exists().wait_async(call, clock=loop.time, **{"max_wait": 60, "seed": 7} | options)


async def hang() -> Any:
    await asyncio.Event().wait()


@ON_ASYNCIO
async def test_cancelled_again_during_the_clean_up() -> None:
    async def call() -> Any:
        try:
            await hang()
        finally:
            await hang()

    task = asyncio.ensure_future(wait(call))
    await asyncio.sleep(61)
    assert not task.done()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@ON_ASYNCIO
async def test_a_call_that_is_cancelled_by_others() -> None:
    call = asyncio.ensure_future(hang())
    asyncio.get_running_loop().call_later(5, call.cancel)
    with pytest.raises(asyncio.CancelledError):
        await wait(lambda: call)


class Interrupt(BaseException):
    """An awaitable of another framework, which asyncio does not support."""


@ON_ASYNCIO
async def test_a_base_exception_in_a_clean_up_is_raised_unchanged() -> None:
    async def call() -> Any:
        try:
            await hang()
        finally:
            raise Interrupt

    with pytest.raises(Interrupt):
        await wait(call)


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


@ON_ASYNCIO
async def test_an_error_of_the_call_itself_is_a_result() -> None:
    def call() -> Any:
        raise NOT_FOUND

    with pytest.raises(WaiterTimeout) as caught:
        await wait(call)
    assert caught.value.__cause__ is NOT_FOUND


@ON_ASYNCIO
async def test_a_call_that_gives_no_awaitable() -> None:
    with pytest.raises(TypeError, match="must return an awaitable, got dict"):
        await wait(lambda: ACTIVE)
    with pytest.raises(TypeError, match="must return an awaitable"):
        await table_exists().check_async(lambda: ACTIVE)  # type: ignore[arg-type]


@ON_ASYNCIO
async def test_any_awaitable_will_do() -> None:
    class Lazy:
        def __await__(self) -> Any:
            yield from asyncio.sleep(1).__await__()
            return ACTIVE

    assert (await wait(Lazy)).response is ACTIVE
    assert (await wait(lambda: asyncio.ensure_future(script_async(ACTIVE)()))).response is ACTIVE


@ON_ASYNCIO
async def test_check() -> None:
    waiter = table_exists()
    assert (await waiter.check_async(script_async(CREATING))).response is CREATING
    assert (await waiter.check_async(script_async(NOT_FOUND))).acceptor == 2

    def call() -> Any:
        raise NOT_FOUND

    assert (await waiter.check_async(call)).error is NOT_FOUND
