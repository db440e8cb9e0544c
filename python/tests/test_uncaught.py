"""The traceback of an uncaught failure: the frames of the user, one of the package, and the message."""

from __future__ import annotations

import gc
import traceback
import weakref
from typing import TYPE_CHECKING, Any

import anyio
import pytest
import trio
import trio.testing
from samples import ACTIVE, CREATING, ClientError, table_exists
from virtual import run

from smithy_waiters import WaiterError, WaiterFailed
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGE = "smithy_waiters"


def describe() -> Any:
    raise ClientError("AccessDenied")


async def describe_async() -> Any:
    return describe()


def frames(error: BaseException | None) -> list[tuple[bool, str]]:
    """Return the functions in an error's traceback, and whether they belong to the package."""
    assert error is not None
    found = traceback.extract_tb(error.__traceback__)
    return [(f"/{PACKAGE}/" in frame.filename, frame.name) for frame in found]


def blocking() -> None:
    table_exists().wait(describe, max_wait=60, clock=FakeClock())


async def awaiting() -> None:
    await table_exists().wait_async(describe_async, max_wait=60)


WAYS: dict[str, Callable[[], object]] = {
    "blocking": blocking,
    "asyncio": lambda: run(awaiting()),
    "anyio": lambda: anyio.run(awaiting),
    "trio": lambda: trio.run(awaiting, clock=trio.testing.MockClock()),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_traceback_has_one_frame_of_the_package(way: str) -> None:
    with pytest.raises(WaiterFailed) as caught:
        WAYS[way]()
    own = [name for is_own, name in frames(caught.value) if is_own]
    assert own == ["wait" if way == "blocking" else "wait_async"]
    cause = frames(caught.value.__cause__)
    assert cause[-1] == (False, "describe")
    assert not any(is_own for is_own, _ in cause)
    assert caught.value.__suppress_context__


def test_a_traceback_without_a_cause_is_short() -> None:
    with pytest.raises(WaiterError) as caught:
        table_exists().wait(lambda: CREATING, max_wait=5, clock=FakeClock())
    printed = "".join(traceback.format_exception(caught.value)).splitlines()
    assert len(printed) <= 11
    assert printed[-1] == f"smithy_waiters.errors.WaiterTimeout: {caught.value}"


def test_the_frames_of_callbacks_stay() -> None:
    def nested(_: Any) -> None:
        blocking()

    with pytest.raises(WaiterFailed) as caught:
        table_exists().wait(lambda: CREATING, max_wait=5, on_attempt=nested, clock=FakeClock())
    assert [name for _, name in frames(caught.value)][-3:] == ["nested", "blocking", "wait"]


def test_a_failure_is_gone_without_the_collector() -> None:
    class Denied(ClientError):
        """An error that supports weak references."""

    def wait() -> weakref.ref[BaseException]:
        def call() -> Any:
            raise Denied("AccessDenied")

        try:
            table_exists().wait(call, max_wait=60, clock=FakeClock())
        except WaiterFailed as failure:
            return weakref.ref(failure)
        raise AssertionError

    gc.disable()
    try:
        assert wait()() is None
    finally:
        gc.enable()
    assert table_exists().evaluate(response=ACTIVE).state == "success"
