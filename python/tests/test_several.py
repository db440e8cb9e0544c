"""Several waits of different kinds under one deadline."""

from __future__ import annotations

import asyncio
import queue
import threading
from typing import TYPE_CHECKING, Any

import pytest
from libraries import ON_ASYNCIO
from virtual import now

from smithy_waiters import (
    OptionsError,
    Waiter,
    WaiterCancelled,
    WaiterFailed,
    WaitersFailed,
    wait_all,
    wait_all_async,
    wait_any,
    wait_any_async,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

READY = Waiter.until("Status", "READY", fail=["FAILED"])


def wait(status: str) -> Any:
    return lambda **options: READY.wait(lambda: {"Status": status}, **options)


def wait_async(status: str) -> Any:
    async def call() -> dict[str, str]:
        await asyncio.sleep(0)
        return {"Status": status}

    return lambda **options: READY.wait_async(call, **options)


def test_all() -> None:
    outcomes = wait_all({"a": wait("READY"), "b": wait("READY")}, max_wait=60)
    assert sorted(outcomes) == ["a", "b"]
    assert wait_all({}, max_wait=60) == {}


def test_the_first_failure_cancels_the_others() -> None:
    with pytest.raises(WaitersFailed) as caught:
        wait_all({"a": wait("A"), "b": wait("FAILED")}, max_wait=60)
    assert isinstance(caught.value.failures["a"], WaiterCancelled)
    assert isinstance(caught.value.failures["b"], WaiterFailed)


def test_any() -> None:
    assert list(wait_any({"a": wait("A"), "b": wait("READY"), "c": wait("FAILED")}, max_wait=60)) == ["b"]
    with pytest.raises(WaitersFailed) as caught:
        wait_any({"a": wait("FAILED"), "b": wait("FAILED")}, max_wait=60)
    assert len(caught.value.failures) == 2


def test_cancel() -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(WaitersFailed) as caught:
        wait_all({"a": wait("A")}, max_wait=60, cancel=cancel)
    assert isinstance(caught.value.failures["a"], WaiterCancelled)


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A wait whose call hangs longer than a test, and then raises an error that Python reports."""
    monkeypatch.setattr("smithy_waiters.several._GRACE", 0.01)
    reported: queue.SimpleQueue[object] = queue.SimpleQueue()
    monkeypatch.setattr(threading, "excepthook", lambda report: reported.put(report.exc_type))
    release = threading.Event()

    def wait(**_: Any) -> None:
        assert release.wait(10), "the result was held back"
        raise ZeroDivisionError

    yield wait
    release.set()
    assert reported.get(timeout=10) is ZeroDivisionError


def test_a_call_that_hangs_does_not_hold_back_the_result(hanging: Any) -> None:
    assert list(wait_any({"a": wait("READY"), "b": hanging}, max_wait=60)) == ["a"]


@pytest.mark.parametrize(("status", "max_wait", "code"), [("FAILED", 60, "cancelled"), ("READY", 0.01, "timed_out")])
def test_a_call_that_hangs_has_a_failure(hanging: Any, status: str, max_wait: float, code: str) -> None:
    with pytest.raises(WaitersFailed) as caught:
        wait_all({"a": wait(status), "b": hanging}, max_wait=max_wait)
    assert caught.value.failures["b"].code == code


def test_an_interrupt_is_not_held_back(hanging: Any) -> None:
    class Interrupting(threading.Event):
        reads = 0

        def is_set(self) -> bool:
            self.reads += 1
            if self.reads > 1:
                raise KeyboardInterrupt
            return False

    with pytest.raises(KeyboardInterrupt):
        wait_all({"a": hanging}, max_wait=60, cancel=Interrupting())


async def deaf(**_: object) -> Any:
    await asyncio.sleep(1e6)


@ON_ASYNCIO
@pytest.mark.parametrize(("status", "code", "elapsed"), [("FAILED", "cancelled", 0), ("READY", "timed_out", 60)])
async def test_an_asynchronous_wait_that_ignores_its_options_is_left(status: str, code: str, elapsed: float) -> None:
    with pytest.raises(WaitersFailed) as caught:
        await wait_all_async({"a": wait_async(status), "b": deaf}, max_wait=60)
    assert (caught.value.failures["b"].code, caught.value.failures["b"].elapsed) == (code, elapsed)
    assert now() == elapsed + 1
    assert len(asyncio.all_tasks()) == 1
    assert list(await wait_any_async({"a": deaf, "b": wait_async("READY")}, max_wait=60)) == ["b"]


def test_a_thread_that_cannot_start_leaves_no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Any] = []

    def third_fails(self: threading.Thread) -> None:
        if len(begun) == 2:
            raise RuntimeError("can't start new thread")
        begun.append(self)
        start(self)

    start = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", third_fails)
    with pytest.raises(RuntimeError, match="can't start"):
        wait_all(dict.fromkeys("abc", wait("A")), max_wait=60)
    for thread in begun:
        thread.join(10)
        assert not thread.is_alive()


@ON_ASYNCIO
async def test_no_task_is_left() -> None:
    await wait_any_async({"a": wait_async("A"), "b": wait_async("READY")}, max_wait=60)
    assert len(asyncio.all_tasks()) == 1


@ON_ASYNCIO
async def test_a_cancellation_is_over_when_the_waits_are() -> None:
    ended: list[str] = []

    async def call() -> Any:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            ended.append("the call")

    wait_call = {"a": lambda **options: READY.wait_async(call, **options)}
    waiting = asyncio.create_task(wait_all_async(wait_call, max_wait=60))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert ended == ["the call"]
    assert len(asyncio.all_tasks()) == 1


def test_a_coroutine_is_no_end_of_a_blocking_wait() -> None:
    with pytest.raises(TypeError, match="the function of `a` returned an awaitable: use `wait_all_async`"):
        wait_all({"a": wait_async("READY")}, max_wait=60)


class Interruption(BaseException):
    """An exception that is no `Exception`."""


@ON_ASYNCIO
@pytest.mark.parametrize("interruption", [asyncio.CancelledError, Interruption])
@pytest.mark.parametrize("others", [{}, {"b": wait_async("B")}])
async def test_an_interruption_of_a_task_is_raised(interruption: type[BaseException], others: dict[str, Any]) -> None:
    async def interrupted(**_: Any) -> Any:
        raise interruption

    with pytest.raises(interruption):
        await wait_all_async({"a": interrupted, **others}, max_wait=60)
    assert now() < 1


@pytest.mark.parametrize("waits", [[wait("READY")], iter(()), {"a"}, None])
def test_waits_without_names(waits: Any) -> None:
    with pytest.raises(OptionsError, match=r"^`waits` must be a dictionary of names and waits, got ") as caught:
        wait_all(waits, max_wait=60)
    assert caught.value.option == "waits"


def test_mistakes() -> None:
    mistakes: dict[str, dict[str, Any]] = {"waits['a']": {"waits": {"a": 1}}, "cancel": {"cancel": 1}}
    for option, given in mistakes.items():
        with pytest.raises(OptionsError) as caught:
            wait_all(**{"waits": {"a": wait("READY")}, "max_wait": 60, **given})
        assert caught.value.option == option
    wrong = {"a": lambda **options: READY.wait(dict, min_delay=-1, **options)}
    with pytest.raises(OptionsError):
        wait_all(wrong, max_wait=60)
