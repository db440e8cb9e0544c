"""Waits with asyncio, trio and anyio on virtual time have equal results."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import anyio
import pytest
import trio
from libraries import EACH, Anyio, Asyncio, Library
from samples import ACTIVE, CREATING, NOT_FOUND, script, script_async, table_exists
from virtual import Clock

from smithy_waiters import OptionsError, Progress, Waiter, WaiterCancelled, WaiterTimeout
from smithy_waiters.drivers.detection import running
from smithy_waiters.retry import RetryTimeout, retry_async

if TYPE_CHECKING:
    from collections.abc import Callable


class Interrupt(BaseException):
    """A base exception like `KeyboardInterrupt`, which a library must not suppress."""


def hanging(library: Library, *, cleans_for: float = 0, events: list[Any] | None = None) -> Callable[[], Any]:
    """Return a call that never ends."""

    async def call() -> Any:
        try:
            await library.event().wait()
        finally:
            with library.shielded():
                if cleans_for:
                    await library.sleep(cleans_for)
                if events is not None:
                    events.append(("clean", library.now()))

    return call


async def wait(call: Callable[..., Any], **options: Any) -> Any:
    return await table_exists().wait_async(call, **{"max_wait": 60, "seed": 7} | options)


@EACH
def test_the_running_library_is_known(library: Library) -> None:
    async def main() -> str | None:
        return running()

    assert library.run(main) == library.name.split()[-1]
    assert running() is None


@EACH
async def test_a_call_is_cut_at_the_deadline_and_cleans_up(library: Library) -> None:
    events: list[Any] = []
    seen: list[Progress] = []

    with pytest.raises(WaiterTimeout) as caught:
        await wait(hanging(library, cleans_for=3, events=events), on_attempt=seen.append)
    assert events == [("clean", pytest.approx(63))]
    assert (caught.value.attempts, caught.value.history[0].result) == (1, "cut")
    assert (caught.value.response, caught.value.error) == (None, None)

    assert [(one.result, one.state, one.remaining) for one in seen] == [("cut", None, 0)]


@EACH
@pytest.mark.parametrize("end", [ACTIVE, ValueError("in the clean-up")], ids=["response", "error"])
async def test_the_result_of_a_call_that_was_cut_is_discarded(library: Library, end: Any) -> None:
    async def call() -> Any:
        with contextlib.suppress(library.cancelled):
            await library.event().wait()
        return script(end)()

    with pytest.raises(WaiterTimeout) as caught:
        await wait(call)
    failure = caught.value
    assert (failure.response, failure.error, failure.__cause__) == (None, None, None)
    assert failure.history[0].result == "cut"


@EACH
def test_a_response_at_the_deadline_counts(library: Library) -> None:
    async def main() -> None:
        outcome = await wait(script_async(ACTIVE, takes=60, sleep=library.sleep))
        assert outcome.elapsed == 60

    for _ in range(20):  # Trio wakes tasks in any order.
        library.run(main)


@EACH
async def test_a_timeout_around_the_wait(library: Library) -> None:
    events: list[Any] = []

    with pytest.raises(library.too_slow):
        await library.within(5, wait(hanging(library, cleans_for=1, events=events)))
    assert events == [("clean", pytest.approx(6))]


@EACH
async def test_a_timeout_around_a_sleep_of_the_wait(library: Library) -> None:
    with pytest.raises(library.too_slow):
        await library.within(1, wait(script_async(CREATING)))
    assert library.now() == pytest.approx(1)


@EACH
@pytest.mark.parametrize("after", [0, 5])
@pytest.mark.parametrize("cancel", [False, True], ids=["", "with an event"])
async def test_a_cancellation_from_outside_leaves_as_it_is(library: Library, after: float, cancel: bool) -> None:
    events: list[Any] = []

    options = {"cancel": library.event()} if cancel else {}

    async def waiting() -> None:
        await wait(hanging(library, events=events), **options)

    error = await library.cancel_after(after, waiting)
    assert type(error) is library.cancelled
    assert library.now() == pytest.approx(after)
    assert len(events) <= 1

    assert len(events) == 1 or after == 0


@EACH
@pytest.mark.parametrize("cancel", [False, True], ids=["", "with an event"])
async def test_a_cancellation_in_a_sleep_of_the_wait(library: Library, cancel: bool) -> None:
    options = {"cancel": library.event()} if cancel else {}

    async def waiting() -> None:
        await wait(script_async(*[CREATING] * 9), **options)

    error = await library.cancel_after(3, waiting)
    assert type(error) is library.cancelled
    assert library.now() == pytest.approx(3)


@EACH
@pytest.mark.parametrize("takes", [0, 1])
@pytest.mark.parametrize("cancel", [False, True], ids=["", "with an event"])
async def test_a_base_exception_is_raised_unchanged(library: Library, takes: float, cancel: bool) -> None:
    interrupt = Interrupt()

    options = {"cancel": library.event()} if cancel else {}
    with pytest.raises(Interrupt) as caught:
        await wait(script_async(interrupt, takes=takes, sleep=library.sleep), **options)
    assert caught.value is interrupt


@EACH
async def test_exceptions_of_callbacks_are_raised(library: Library) -> None:
    def bug(_: object) -> None:
        raise ValueError("a bug in the callback")

    async def bad_sleep(_: float) -> None:
        raise ValueError("a bug in the sleep")

    with pytest.raises(ValueError, match="in the callback"):
        await wait(script_async(CREATING), on_attempt=bug)
    for cancel in (None, library.event()):
        with pytest.raises(ValueError, match="in the sleep"):
            await wait(script_async(CREATING), sleep=bad_sleep, cancel=cancel)
        with pytest.raises(ValueError, match="in the sleep"):
            await wait(hanging(library), sleep=bad_sleep, cancel=cancel)


def grouped(library: Library, *, problem: BaseException | None = None) -> Callable[[], Any]:
    """Return a call that never ends and starts further tasks."""

    async def hangs() -> None:
        await library.event().wait()

    async def hangs_and_fails() -> None:
        try:
            await library.event().wait()
        finally:
            if problem is not None:
                raise problem

    async def call() -> Any:
        await library.together([hangs, hangs, hangs_and_fails])

    return call


@EACH
@pytest.mark.parametrize("problem", [None, ValueError("in the clean-up")], ids=["", "clean-up fails"])
async def test_a_call_with_tasks_of_its_own_is_cut(library: Library, problem: Exception | None) -> None:
    with pytest.raises(WaiterTimeout) as caught:
        await wait(grouped(library, problem=problem))
    assert (caught.value.error, caught.value.history[0].result) == (None, "cut")
    cancel = library.event()
    waiting = functools.partial(wait, grouped(library, problem=problem), cancel=cancel)
    with pytest.raises(WaiterCancelled) as caught_cancelled:
        await library.later(1, cancel.set, waiting)
    assert caught_cancelled.value.history[0].result == "cancelled"
    with pytest.raises(RetryTimeout) as caught_retry:
        await retry_async(grouped(library, problem=problem), max_time=3)
    assert caught_retry.value.attempts == 1
    assert library.now() == pytest.approx(64)


@EACH
async def test_a_call_with_tasks_of_its_own_is_cancelled_from_outside(library: Library) -> None:
    await library.cancel_after(5, functools.partial(wait, grouped(library)))
    with pytest.raises(library.too_slow):
        await library.within(5, wait(grouped(library)))
    assert library.now() == pytest.approx(10)


@EACH
async def test_a_base_exception_leaves_a_call_with_tasks_that_was_cut(library: Library) -> None:
    if library.name == "asyncio" and sys.version_info < (3, 11):
        pytest.skip(
            "asyncio has task groups from Python 3.11 on; `gather` drops what its tasks raise when it is cancelled"
        )
    interrupt = Interrupt()

    with pytest.raises(BaseException) as caught:  # noqa: PT011 - Python 3.10 does not have exception groups.
        await wait(grouped(library, problem=interrupt))
    assert getattr(caught.value, "exceptions", (caught.value,)) == (interrupt,)


@EACH
async def test_a_sleep_with_tasks_of_its_own(library: Library) -> None:
    async def sleep(seconds: float) -> None:
        await library.together([functools.partial(library.sleep, seconds)] * 2)

    call = script_async(CREATING, ACTIVE, takes=1, sleep=library.sleep)
    assert (await wait(call, sleep=sleep, cancel=library.event())).attempts == 2


@EACH
async def test_a_timer_that_fires_early_decides_nothing(library: Library) -> None:
    async def early(seconds: float) -> None:
        await library.sleep(seconds / 2 if seconds > 0.01 else seconds)

    with pytest.raises(WaiterTimeout) as caught:
        await wait(hanging(library), sleep=early)
    assert library.now() == pytest.approx(60, abs=0.1)
    assert caught.value.history[0].result == "cut"


@EACH
async def test_a_sleep_that_takes_no_time_lets_others_run(library: Library) -> None:
    async def nothing(_: float) -> None:
        return

    async def call() -> Any:
        await library.sleep(0)
        await library.sleep(0)
        return ACTIVE

    assert (await wait(call, sleep=nothing, clock=lambda: 0.0)).attempts == 1


@EACH
async def test_many_waits_at_once(library: Library) -> None:
    ended: list[float] = []

    async def one(seconds: int) -> None:
        await wait(script_async(CREATING, ACTIVE, takes=seconds, sleep=library.sleep))
        ended.append(library.now())

    await library.together([functools.partial(one, seconds) for seconds in range(10)])

    assert ended == [pytest.approx(2 * seconds + 2) for seconds in range(10)]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="requires asyncio.TaskGroup (Python 3.11)")
@pytest.mark.parametrize("library", [Asyncio(), Anyio()], ids=["asyncio", "anyio"])
def test_task_groups_and_timeouts_of_asyncio(library: Library) -> None:
    events: list[Any] = []

    async def fails() -> None:
        await asyncio.sleep(2)
        raise KeyError("elsewhere")

    async def main() -> None:
        with pytest.raises(BaseException, match="unhandled errors in a TaskGroup"):  # noqa: PT012
            async with asyncio.TaskGroup() as group:
                group.create_task(wait(hanging(library, events=events)))
                group.create_task(fails())
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(10):
                await wait(hanging(library, events=events))
        task = asyncio.current_task()
        assert task is not None
        asked = task.cancelling()
        with pytest.raises(WaiterTimeout):
            await wait(hanging(library, events=events))
        assert task.cancelling() == asked

    library.run(main)
    assert events == [("clean", pytest.approx(seconds)) for seconds in (2, 12, 72)]


def test_a_program_of_anyio() -> None:
    async def main() -> Any:
        assert running() == "anyio"
        async with anyio.create_task_group() as group:
            group.start_soon(anyio.sleep, 0)
        return await wait(script_async(ACTIVE))

    assert anyio.run(main, backend="asyncio").response is ACTIVE


def test_an_unknown_event_loop() -> None:
    clock = Clock()

    async def sleep(seconds: float) -> None:
        clock.sleep(seconds)

    async def call() -> Any:
        clock.pass_by(1)
        return next(results)

    def by_hand(main: Any) -> Any:
        with pytest.raises(StopIteration) as caught:
            main.send(None)
        return caught.value.value

    results = iter([CREATING, CREATING, ACTIVE])
    outcome = by_hand(wait(call, sleep=sleep, clock=clock))
    assert (outcome.attempts, outcome.elapsed) == (3, clock())
    results = iter([CREATING] * 99)
    with pytest.raises(WaiterTimeout):
        by_hand(wait(call, sleep=sleep, clock=clock))

    async def failing() -> Any:
        raise NOT_FOUND

    with pytest.raises(WaiterTimeout) as caught:
        by_hand(wait(failing, sleep=sleep, clock=clock))
    assert caught.value.error is NOT_FOUND
    with pytest.raises(OptionsError, match="neither asyncio nor trio is running") as refused:
        by_hand(wait(call))
    assert (refused.value.code, refused.value.option) == ("missing_option", "sleep")


def test_async_libraries_are_not_imported() -> None:
    program = (
        "import asyncio, sys\n"
        "from smithy_waiters import Waiter\n"
        "waiter = Waiter({'acceptors': [{'state': 'success', 'matcher': {'success': True}}]})\n"
        "async def call(): return 1\n"
        "assert asyncio.run(waiter.wait_async(call, max_wait=60)).response == 1\n"
        "assert not {'anyio', 'sniffio', 'trio'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)


def test_an_interrupt_that_comes_to_an_alarm_leaves_trio_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    async def interrupted(*_: object) -> None:
        await trio.lowlevel.checkpoint()
        raise KeyboardInterrupt

    async def call() -> None:
        await trio.sleep_forever()

    monkeypatch.setattr("smithy_waiters.drivers.on_trio._watch", interrupted)
    waiter = Waiter({"acceptors": [{"state": "success", "matcher": {"success": True}}]})
    with pytest.raises(KeyboardInterrupt):
        trio.run(functools.partial(waiter.wait_async, call, max_wait=60))
