"""A common interface to the async libraries on virtual time."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import sys
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import pytest
import trio
import virtual
from trio.testing import MockClock

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

T = TypeVar("T")


class Asyncio:
    """asyncio on the loop of `virtual`, without anyio."""

    name = "asyncio"
    too_slow: type[Exception] = asyncio.TimeoutError
    cancelled: type[BaseException] = asyncio.CancelledError
    sleep = staticmethod(asyncio.sleep)
    event: Callable[[], Any] = asyncio.Event

    def run(self, main: Callable[[], Any]) -> Any:
        return virtual.run(main())

    def now(self) -> float:
        return virtual.now()

    def shielded(self) -> contextlib.AbstractContextManager[object]:
        """Clean up: a cancellation is raised once."""
        return contextlib.nullcontext()

    async def within(self, seconds: float, awaitable: Awaitable[T]) -> T:
        return await asyncio.wait_for(awaitable, seconds)

    async def cancel_after(self, seconds: float, call: Callable[[], Awaitable[object]]) -> BaseException | None:
        """Cancel a task, and return its end."""

        task = asyncio.ensure_future(call())
        if seconds:
            await asyncio.sleep(seconds)
        task.cancel()

        async def ended() -> object:
            return await task

        return await caught(ended, asyncio.CancelledError)

    async def together(self, calls: list[Callable[[], Coroutine[Any, Any, object]]]) -> None:
        """Run several calls concurrently in a group of the library."""
        if sys.version_info < (3, 11):
            await asyncio.gather(*(call() for call in calls))
            return
        async with asyncio.TaskGroup() as group:
            for call in calls:
                group.create_task(call())

    async def later(self, seconds: float, act: Callable[[], object], call: Callable[[], Awaitable[T]]) -> T:
        """Run an action during a call."""
        timer = asyncio.get_running_loop().call_later(seconds, act)
        try:
            return await call()
        finally:
            timer.cancel()


class Trio:
    """trio on its virtual clock."""

    name = "trio"
    too_slow: type[Exception] = trio.TooSlowError
    cancelled: type[BaseException] = trio.Cancelled
    sleep = staticmethod(trio.sleep)
    event: Callable[[], Any] = trio.Event

    def run(self, main: Callable[[], Any]) -> Any:
        return trio.run(main, clock=MockClock(autojump_threshold=0))

    def now(self) -> float:
        return trio.current_time()

    def shielded(self) -> contextlib.AbstractContextManager[object]:
        """Clean up: a cancelled scope stays cancelled."""
        return trio.CancelScope(shield=True)

    async def within(self, seconds: float, awaitable: Awaitable[T]) -> T:
        with trio.fail_after(seconds):
            return await awaitable

    async def cancel_after(self, seconds: float, call: Callable[[], Awaitable[object]]) -> BaseException | None:
        with trio.CancelScope(deadline=trio.current_time() + seconds):
            return await caught(call, trio.Cancelled)
        return None

    async def together(self, calls: list[Callable[[], Coroutine[Any, Any, object]]]) -> None:
        async with trio.open_nursery() as nursery:
            for call in calls:
                nursery.start_soon(call)

    async def later(self, seconds: float, act: Callable[[], object], call: Callable[[], Awaitable[T]]) -> T:
        async def acting() -> None:
            await trio.sleep(seconds)
            act()

        found: list[T] = []
        problem: list[BaseException] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(acting)
            try:
                found.append(await call())
            except Exception as error:  # noqa: BLE001
                problem.append(error)
            nursery.cancel_scope.cancel()
        if problem:
            raise problem[0]
        return found[0]


class Anyio:
    """anyio on the loop of `virtual`."""

    name = "anyio"
    too_slow: type[Exception] = TimeoutError
    cancelled: type[BaseException] = asyncio.CancelledError
    sleep = staticmethod(anyio.sleep)
    event: Callable[[], Any] = anyio.Event

    def run(self, main: Callable[[], Any]) -> Any:
        async def known() -> Any:
            with anyio.CancelScope():
                return await main()

        return virtual.run(known())

    def now(self) -> float:
        return anyio.current_time()

    def shielded(self) -> contextlib.AbstractContextManager[object]:
        return anyio.CancelScope(shield=True)

    async def within(self, seconds: float, awaitable: Awaitable[T]) -> T:
        with anyio.fail_after(seconds):
            return await awaitable

    async def cancel_after(self, seconds: float, call: Callable[[], Awaitable[object]]) -> BaseException | None:
        with anyio.CancelScope(deadline=anyio.current_time() + seconds):
            return await caught(call, asyncio.CancelledError)
        return None

    async def together(self, calls: list[Callable[[], Coroutine[Any, Any, object]]]) -> None:
        async with anyio.create_task_group() as group:
            for call in calls:
                group.start_soon(call)

    async def later(self, seconds: float, act: Callable[[], object], call: Callable[[], Awaitable[T]]) -> T:
        async def acting() -> None:
            await anyio.sleep(seconds)
            act()

        found: list[T] = []
        problem: list[BaseException] = []
        async with anyio.create_task_group() as group:
            group.start_soon(acting)
            try:
                found.append(await call())
            except Exception as error:  # noqa: BLE001
                problem.append(error)
            group.cancel_scope.cancel()
        if problem:
            raise problem[0]
        return found[0]


class AnyioOnTrio(Anyio):
    """anyio on trio's virtual clock."""

    name = "anyio on trio"
    cancelled = trio.Cancelled

    def run(self, main: Callable[[], Any]) -> Any:
        clock = MockClock(autojump_threshold=0)
        return anyio.run(main, backend="trio", backend_options={"clock": clock})

    async def cancel_after(self, seconds: float, call: Callable[[], Awaitable[object]]) -> BaseException | None:
        with anyio.CancelScope(deadline=anyio.current_time() + seconds):
            return await caught(call, trio.Cancelled)
        return None


Library = Asyncio | Trio | Anyio

LIBRARIES: list[Library] = [Asyncio(), Trio(), Anyio(), AnyioOnTrio()]


def EACH(test: Callable[..., Any]) -> Any:  # noqa: N802 - a decorator like a mark.
    """Run a test with each library. A coroutine function runs in the library."""
    mark = pytest.mark.parametrize("library", LIBRARIES, ids=[library.name for library in LIBRARIES])
    return mark(_in_library(test, None) if inspect.iscoroutinefunction(test) else test)


def ON_ASYNCIO(test: Callable[..., Any]) -> Any:  # noqa: N802 - a decorator like a mark.
    """Run a coroutine function as a test on asyncio."""
    return _in_library(test, LIBRARIES[0])


def _in_library(test: Callable[..., Any], default: Library | None) -> Callable[..., None]:
    @functools.wraps(test)
    def run(**arguments: Any) -> None:
        library: Library = default or arguments["library"]
        library.run(functools.partial(test, **arguments))

    return run


async def caught(call: Callable[[], Awaitable[object]], cancelled: type[BaseException]) -> BaseException | None:
    """Return the exception with which a call is cancelled."""
    try:
        await call()
    except cancelled as error:
        return error
    return None
