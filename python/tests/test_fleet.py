"""Fleets: waits for many resources that share their calls."""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import threading
from contextlib import suppress
from itertools import pairwise
from time import monotonic
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest
from libraries import ON_ASYNCIO
from virtual import now, run

from smithy_waiters import (
    OptionsError,
    RateLimit,
    ResponseOutcome,
    StateError,
    Waiter,
    WaiterCancelled,
    WaiterFailed,
    WaitersFailed,
    WaiterTimeout,
)
from smithy_waiters.fleet import _Threads
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from smithy_waiters.fleet import Fleet, FleetProgress

STATES = Waiter.until("Volumes[].State", "available", fail=["error"]).definition
AVAILABLE = Waiter({**STATES, "minDelay": 10, "maxDelay": 10}, name="VolumeAvailable")
SHAPE: dict[str, Any] = {"items": "Volumes[]", "key": "VolumeId"}


def volumes(ids: list[str], state: str = "available", available: str | None = None) -> dict[str, Any]:
    """Return an answer in which all volumes but one have a state."""
    return {"Volumes": [{"VolumeId": name, "State": "available" if name == available else state} for name in ids]}


async def answer(ids: list[str]) -> dict[str, Any]:
    await asyncio.sleep(0)
    return volumes(ids)


class ThrottlingException(Exception):
    """A transient error."""


class Service:
    """A service whose states depend on a clock."""

    def __init__(self, clock: Callable[[], float], state: Callable[[str, float], str]) -> None:
        self.calls: list[list[str]] = []
        self._clock, self._state = clock, state

    def describe(self, ids: list[str]) -> dict[str, Any]:
        self.calls.append(ids)
        return {"Volumes": [{"VolumeId": name, "State": self._state(name, self._clock())} for name in ids]}


def at(seconds: float) -> Callable[[str, float], str]:
    return lambda _, now: "available" if now >= seconds else "creating"


def blocking(state: Callable[[str, float], str], **options: Any) -> tuple[Fleet[Any], Service]:
    clock = FakeClock()
    service = Service(clock, state)
    return AVAILABLE.fleet(service.describe, clock=clock, **{**SHAPE, **options}), service


def names(count: int) -> list[str]:
    return [f"vol-{index:04}" for index in range(count)]


def test_one() -> None:
    fleet, service = blocking(at(25))
    outcome = fleet.wait("vol-1", max_wait=600)
    assert isinstance(outcome, ResponseOutcome)
    assert outcome.response == {"VolumeId": "vol-1", "State": "available"}
    assert outcome.attempts == len(service.calls) == 4
    assert len(outcome.history) == 1


def test_the_failures_are_listed() -> None:
    def state(name: str, now: float) -> str:
        return "error" if name.endswith("7") else at(15)(name, now)

    fleet, _ = blocking(state)
    progress: list[FleetProgress] = []
    with pytest.raises(WaitersFailed) as caught:
        fleet.wait_each(names(200), max_wait=600, on_progress=progress.append)
    assert (len(caught.value.failures), len(caught.value.outcomes)) == (20, 180)
    lines = str(caught.value).splitlines()
    assert lines[0] == "20 of 200 waits failed:"
    assert lines[-1] == "  … and 10 more"
    assert isinstance(caught.value.failures["vol-0007"], WaiterFailed)
    assert progress[-1] == (0, 180, 20)


@pytest.mark.filterwarnings("error")
def test_a_blocking_fleet_rejects_an_asynchronous_callback() -> None:
    async def told(_: object) -> None:
        pytest.fail("nobody can await it")

    fleet, _ = blocking(at(0))
    with pytest.raises(TypeError, match=r"^`on_progress` returned an awaitable: use `wait_each_async`$"):
        fleet.wait_each(names(2), max_wait=600, on_progress=told)


@ON_ASYNCIO
async def test_an_exception_of_the_last_on_progress_ends_the_waits() -> None:
    async def bug(_: object) -> None:
        await asyncio.sleep(0)
        raise ValueError("a bug in the callback")

    with pytest.raises(ValueError, match="a bug in the callback"):
        await AVAILABLE.fleet(answer, **SHAPE).wait_each_async(names(2), max_wait=600, on_progress=bug)


def test_quorum_and_fail_fast() -> None:
    def slow(name: str, now: float) -> str:
        return at(10_000 if name == "vol-0002" else 0)(name, now)

    fleet, service = blocking(slow)
    assert list(fleet.wait_each(names(3), quorum=2, max_wait=600)) == names(2)
    assert len(service.calls) == 1
    fleet, _ = blocking(lambda name, now: "error" if name == "vol-0001" else slow(name, now))
    with pytest.raises(WaitersFailed) as caught:
        fleet.wait_each(names(3), fail_fast=True, max_wait=600)
    assert isinstance(caught.value.failures["vol-0001"], WaiterFailed)
    assert isinstance(caught.value.failures["vol-0002"], WaiterCancelled)


def test_a_transient_error_is_the_cause_of_a_timeout() -> None:
    busy = ThrottlingException()

    def describe(_: list[str]) -> object:
        raise busy

    with pytest.raises(WaiterTimeout) as caught:
        AVAILABLE.fleet(describe, clock=FakeClock(), **SHAPE).wait("vol-1", max_wait=60)
    assert caught.value.attempts > 1
    assert caught.value.error is caught.value.__cause__ is busy


def test_threads_share_a_fleet() -> None:
    released = threading.Event()
    calls: list[list[str]] = []

    def describe(ids: list[str]) -> dict[str, Any]:
        calls.append(ids)
        return volumes(ids, "available" if released.is_set() else "creating")

    fleet = AVAILABLE.fleet(describe, rate=1000, **SHAPE)
    ended: list[str] = []

    def run(name: str) -> None:
        fleet.wait(name, max_wait=60, min_delay=0.01, max_delay=0.01)
        ended.append(name)

    threads = [threading.Thread(target=run, args=(name,)) for name in names(20)]
    for thread in threads:
        thread.start()
    while len(calls) < 3:
        threading.Event().wait(0.01)
    released.set()
    for thread in threads:
        thread.join(30)
    assert sorted(ended) == names(20)
    assert max(map(len, calls)) > 1


def test_a_call_that_hangs_delays_no_other_caller() -> None:
    release, hanging = threading.Event(), threading.Event()

    def describe(ids: list[str]) -> dict[str, Any]:
        if "vol-slow" in ids:
            hanging.set()
            release.wait(30)
        return volumes(ids)

    fleet = AVAILABLE.fleet(describe, rate=1000, batch=1, **SHAPE)
    slow = threading.Thread(target=fleet.wait, args=("vol-slow",), kwargs={"max_wait": 60})
    slow.start()
    hanging.wait(30)
    assert fleet.wait("vol-fast", max_wait=60).attempts == 1
    release.set()
    slow.join(30)


def in_thread(function: Callable[..., object], *args: Any, **options: Any) -> threading.Thread:
    thread = threading.Thread(target=function, args=args, kwargs=options, daemon=True)
    thread.start()
    return thread


def test_a_callback_uses_its_fleet() -> None:
    fleet, _ = blocking(at(0))
    attempts: list[int] = []

    def again(_: FleetProgress) -> None:
        attempts.append(fleet.wait("vol-2", max_wait=60).attempts)

    in_thread(fleet.wait_each, ["vol-1"], max_wait=60, on_progress=again).join(30)
    assert attempts == [1]


def test_an_answer_that_uses_its_fleet_is_refused() -> None:
    problems: list[BaseException] = []

    class Answer:
        @property
        def Volumes(self) -> list[Any]:  # noqa: N802 - a member of a response.
            try:
                fleet.wait("vol-2", max_wait=60)
            except RuntimeError as problem:
                problems.append(problem)
            return [{"VolumeId": "vol-1", "State": "available"}]

    fleet = AVAILABLE.fleet(lambda _: Answer(), clock=FakeClock(), **SHAPE)
    assert fleet.wait("vol-1", max_wait=60).attempts == 1
    assert str(problems[0]) == "a fleet cannot be used while it reads a value"


@pytest.mark.parametrize("clock", [lambda: 5.0, lambda: -1e6, itertools.count(0, -1).__next__])
def test_a_clock_that_stands_still_or_goes_back(clock: Callable[[], float]) -> None:
    options: dict[str, Any] = {"max_wait": 0.5, "min_delay": 0.01, "max_delay": 0.01}

    def fleet(call: Any) -> Fleet[Any]:
        # A rate that does not delay the calls.
        return AVAILABLE.fleet(call, clock=clock, rate=1000, **SHAPE)

    async def creating(ids: list[str]) -> Any:
        return Service(clock, at(math.inf)).describe(ids)

    with pytest.raises(WaiterTimeout):
        fleet(Service(clock, at(math.inf)).describe).wait("vol-1", **options)
    with pytest.raises(WaiterTimeout):
        run(fleet(creating).wait_async("vol-1", **options))


def test_pages_without_end_are_read_until_the_deadline() -> None:
    clock, read = FakeClock(), itertools.count()

    def pages(_: list[str]) -> Iterator[Any]:
        while next(read) >= 0:
            clock.sleep(1)
            yield {"Volumes": []}

    with pytest.raises(WaiterTimeout):
        AVAILABLE.fleet(pages, clock=clock, **SHAPE).wait("vol-1", max_wait=60)
    assert next(read) < 100


def test_asynchronous_pages_that_never_wait_are_read_until_the_deadline() -> None:
    async def pages(_: list[str]) -> AsyncIterator[Any]:
        while True:
            yield {"Volumes": []}

    fleet = AVAILABLE.fleet(pages, **SHAPE)
    with pytest.raises(WaiterTimeout):
        asyncio.run(fleet.wait_async("vol-1", max_wait=0.05))


def test_a_slow_callback_delays_no_other_caller() -> None:
    fleet, _ = blocking(lambda name, now: at(45 if name == "vol-late" else 0)(name, now))
    entered, release = threading.Event(), threading.Event()
    counts: list[FleetProgress] = []

    def slow(progress: FleetProgress) -> None:
        counts.append(progress)
        entered.set()
        release.wait(30)

    each = in_thread(fleet.wait_each, ["vol-1", "vol-late"], max_wait=600, on_progress=slow)
    entered.wait(30)
    attempts: list[int] = []
    in_thread(lambda: attempts.append(fleet.wait("vol-late", max_wait=600).attempts)).join(10)
    assert attempts[0] > 1
    assert not release.is_set()
    release.set()
    each.join(30)
    assert counts == [(1, 1, 0), (0, 2, 0)]


def test_an_end_before_a_pause_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    # The caller that does not poll is held between its look and its pause, until its wait has ended.
    ended, ends = threading.Event(), []
    turn = _Threads._turn

    def held(self: Any, group: Any, cancel: Any) -> None:
        if threading.current_thread().name == "held":
            ended.wait(30)
        turn(self, group, cancel)

    monkeypatch.setattr(_Threads, "_turn", held)
    fleet = AVAILABLE.fleet(lambda ids: volumes(ids, "creating", "vol-1"), **SHAPE)
    cancel = threading.Event()

    def poll() -> None:
        with suppress(WaitersFailed):
            fleet.wait_each(["vol-1", "vol-slow"], max_wait=60, on_progress=lambda _: ended.set(), cancel=cancel)

    leader = in_thread(poll)
    waiting = threading.Thread(target=lambda: ends.append(fleet.wait("vol-1", max_wait=60)), name="held", daemon=True)
    waiting.start()
    waiting.join(10)
    assert len(ends) == 1
    assert leader.is_alive()
    cancel.set()
    leader.join(30)


def test_another_caller_polls_after_an_interruption_at_any_place(monkeypatch: pytest.MonkeyPatch) -> None:
    # The caller that polls is interrupted while it leaves.
    interrupted, step_aside = threading.Event(), _Threads._step_aside

    def interrupt(self: Any, group: Any) -> None:
        if threading.current_thread().name == "interrupted":
            interrupted.set()
            raise KeyboardInterrupt
        step_aside(self, group)

    monkeypatch.setattr(_Threads, "_step_aside", interrupt)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    fleet = AVAILABLE.fleet(lambda ids: volumes(ids, "creating", "vol-1"), **SHAPE)
    threading.Thread(target=lambda: fleet.wait("vol-1", max_wait=60), name="interrupted", daemon=True).start()
    assert interrupted.wait(10)
    with pytest.raises(WaiterTimeout):
        fleet.wait("vol-2", max_wait=0.2)


def test_a_thread_that_cannot_start_is_an_error_of_its_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = AVAILABLE.fleet(lambda ids: volumes(ids, "creating", "vol-1"), **SHAPE)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", Mock(side_effect=RuntimeError("can't start new thread")))
        with pytest.raises(RuntimeError, match="new thread"):
            fleet.wait("vol-1", max_wait=60)
    assert fleet.wait("vol-1", max_wait=60).attempts == 1


def test_a_clock_that_raises_ends_the_asynchronous_waits() -> None:
    broken = threading.Event()

    def time() -> float:
        return 1 / 0 if broken.is_set() else monotonic()

    async def describe(ids: list[str]) -> dict[str, Any]:
        asyncio.get_running_loop().call_soon(broken.set)
        return volumes(ids, "creating")

    async def main() -> None:
        fleet = AVAILABLE.fleet(describe, clock=time, **SHAPE)
        with pytest.raises(ZeroDivisionError):
            await asyncio.wait_for(fleet.wait_async("vol-1", max_wait=600), 30)

    asyncio.run(main())


def test_cancel() -> None:
    cancel = threading.Event()
    cancel.set()
    fleet, service = blocking(at(60))
    with pytest.raises(WaiterCancelled):
        fleet.wait("vol-1", max_wait=60, cancel=cancel)
    assert service.calls == []


def test_interrupts_leave_the_fleet() -> None:
    interrupted = [True]

    def describe(ids: list[str]) -> dict[str, Any]:
        if interrupted.pop():
            raise KeyboardInterrupt
        return volumes(ids)

    fleet = AVAILABLE.fleet(describe, clock=FakeClock(), **SHAPE)
    with pytest.raises(KeyboardInterrupt):
        fleet.wait("vol-1", max_wait=60)
    interrupted.append(False)
    assert fleet.wait("vol-1", max_wait=60).attempts == 1


def test_deadline() -> None:
    fleet, _ = blocking(at(10_000))
    with pytest.raises(WaiterTimeout):
        fleet.wait("vol-1", deadline=-1.0)


@ON_ASYNCIO
async def test_asynchronous() -> None:
    calls: list[list[str]] = []

    async def describe(ids: list[str]) -> dict[str, Any]:
        calls.append(ids)
        await asyncio.sleep(0)
        return volumes(ids, "available" if len(calls) > 2 else "creating")

    fleet = AVAILABLE.fleet(describe, rate=1000, **SHAPE)
    options: dict[str, Any] = {"max_wait": 60, "min_delay": 0.01, "max_delay": 0.01}
    each = fleet.wait_each_async(names(50), **options)
    outcomes, one = await asyncio.gather(each, fleet.wait_async("vol-0001", **options))
    assert list(outcomes) == names(50)
    assert isinstance(one, ResponseOutcome)
    cancel = asyncio.Event()
    cancel.set()
    with pytest.raises(WaiterCancelled):
        await fleet.wait_async("vol-1", cancel=cancel, **options)
    task = asyncio.ensure_future(fleet.wait_async("vol-9", max_wait=60, initial_delay=30))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(asyncio.all_tasks()) == 1
    assert len(calls) == 3


@ON_ASYNCIO
async def test_asynchronous_pages() -> None:
    async def describe(ids: list[str]) -> AsyncIterator[dict[str, Any]]:
        for name in ids:
            yield volumes([name])

    fleet = AVAILABLE.fleet(describe, rate=1000, **SHAPE)
    assert len(await fleet.wait_each_async(names(3), max_wait=60)) == 3


@ON_ASYNCIO
@pytest.mark.parametrize("cancel_at", [None, 30])
@pytest.mark.parametrize("option", ["on_state", "on_progress"])
async def test_a_callback_that_never_ends_is_awaited_until_the_deadline(option: str, cancel_at: int | None) -> None:
    cut: list[float] = []

    async def never(_: object) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cut.append(now())

    cancel = None if cancel_at is None else asyncio.Event()
    if cancel is not None:
        asyncio.get_running_loop().call_later(30, cancel.set)
    functions: dict[str, Any] = {option: never}
    fleet = AVAILABLE.fleet(answer, **SHAPE)
    assert len(await fleet.wait_each_async(names(2), max_wait=60, cancel=cancel, **functions)) == 2
    assert now() == pytest.approx(cancel_at or 60)
    assert cut == [pytest.approx(cancel_at or 60)]


@ON_ASYNCIO
async def test_the_deadline_of_a_resumed_list_bounds_its_callbacks() -> None:
    states: list[str] = []
    await AVAILABLE.fleet(answer, **SHAPE).wait_each_async(names(2), max_wait=60, on_state=states.append)
    begun = now()
    again = AVAILABLE.fleet(answer, **SHAPE)
    await again.resume_each_async(states[0], elapsed_ms=20_000, on_state=lambda _: asyncio.Event().wait())
    assert now() - begun == pytest.approx(40)


class Interruption(BaseException):
    """An exception that is no `Exception`."""


@ON_ASYNCIO
@pytest.mark.parametrize("interruption", [Interruption, asyncio.CancelledError])
async def test_an_interruption_of_an_asynchronous_call_reaches_the_callers(interruption: type[BaseException]) -> None:
    raised = interruption()

    async def describe(_: list[str]) -> None:
        await asyncio.sleep(1)
        raise raised

    fleet = AVAILABLE.fleet(describe, **SHAPE)
    waits = [fleet.wait_async("vol-1", max_wait=60), fleet.wait_each_async(names(2), max_wait=60)]
    ends = await asyncio.gather(*waits, return_exceptions=True)
    assert [type(end) for end in ends] == [interruption] * 2
    assert now() < 2


def test_an_answer_that_cannot_be_told_apart() -> None:
    fleet = AVAILABLE.fleet(lambda _: {"Volumes": [{"Id": "vol-1"}]}, clock=FakeClock(), **SHAPE)
    with pytest.raises(StateError, match="has no text `VolumeId`") as caught:
        fleet.wait_each(["vol-1", "vol-2"], max_wait=60)
    assert caught.value.code == "invalid_answer"


def mixed(name: str, now: float) -> str:
    """Return a state that ends some of the waits at once and others later, in success and in failure."""
    late = at(45)(name, now)
    return {"0": "available", "1": "error", "2": "error" if late == "available" else late}.get(name[-1], late)


def test_another_process_continues() -> None:
    fleet, service = blocking(mixed)
    states: list[str] = []
    with pytest.raises(WaitersFailed) as whole:
        fleet.wait_each(names(20), max_wait=600, on_state=states.append)
    # At the start, and after each call but the last one.
    assert len(states) == len(service.calls) == 6
    for count, state in enumerate(states):
        # Not by the clock of the new fleet, by which the service would go backwards.
        again, _ = blocking(lambda name, _: mixed(name, 60))
        progress: list[FleetProgress] = []
        with pytest.raises(WaitersFailed) as caught:
            again.resume_each(json.loads(state), on_progress=progress.append)
        assert caught.value.failures.keys() == whole.value.failures.keys()
        assert caught.value.outcomes.keys() == whole.value.outcomes.keys()
        assert progress[-1] == (0, 16, 4)
        if count == 0:
            continue
        first = caught.value.outcomes["vol-0000"]
        assert isinstance(first, ResponseOutcome)
        assert (first.response, first.attempts, first.history) == (None, 1, ())
        failure = caught.value.failures["vol-0001"]
        assert str(failure) == str(whole.value.failures["vol-0001"])
        assert (failure.code, failure.__cause__) == ("failure_state", None)


@ON_ASYNCIO
async def test_another_task_continues() -> None:
    states: list[str] = []

    async def describe(ids: list[str]) -> dict[str, Any]:
        return volumes(ids, "available" if states[1:] else "creating")

    fleet = AVAILABLE.fleet(describe, clock=FakeClock(), **SHAPE)
    stop = asyncio.Event()

    def store(state: str) -> None:
        states.append(state)
        if len(states) == 2:
            stop.set()

    with pytest.raises(WaitersFailed):
        await fleet.wait_each_async(names(3), max_wait=600, on_state=store, cancel=stop)
    # A cancellation ends the waits, and not the state from before.
    again = AVAILABLE.fleet(describe, clock=FakeClock(), **SHAPE)
    outcomes = await again.resume_each_async(states[-1], elapsed_ms=20_000)
    assert {outcome.attempts for outcome in outcomes.values()} == {2}
    assert {outcome.elapsed for outcome in outcomes.values()} == {20}


def test_states_that_cannot_be_resumed() -> None:
    fleet, _ = blocking(at(15))
    states: list[str] = []
    fleet.wait_each(names(3), max_wait=600, on_state=states.append)
    fleet, _ = blocking(at(15))
    damaged: list[Any] = [states[0][:-1], {}, {1, 2}]
    for state in damaged:
        with pytest.raises(StateError) as caught:
            fleet.resume_each(state)
        assert caught.value.code == "damaged_state"
    with pytest.raises(OptionsError, match="`quorum` must be"):
        fleet.resume_each(states[0], quorum=4)
    with pytest.raises(OptionsError, match="`on_state` must be a function"):
        fleet.resume_each(states[0], on_state="x")  # type: ignore[arg-type]
    assert len(fleet.resume_each(states[0])) == 3


def test_an_error_of_on_state_ends_the_waits() -> None:
    fleet, service = blocking(at(15))
    with pytest.raises(ZeroDivisionError):
        fleet.wait_each(names(3), max_wait=600, on_state=lambda _: 1 / 0)
    assert service.calls == []


def test_mistakes_of_the_caller() -> None:
    fleet, _ = blocking(at(0))
    wrong: dict[str, Callable[[], object]] = {
        "clock": lambda: AVAILABLE.fleet(lambda _: {}, clock=1, **SHAPE),  # type: ignore[arg-type]
        "predicate": lambda: Waiter.until(bool).fleet(lambda _: {}, **SHAPE),
        "ids": lambda: fleet.wait_each("vol-1", max_wait=1),
        "max_wait": lambda: fleet.wait_each(["a"], max_wait=-1),
        "cancel": lambda: fleet.wait("a", max_wait=1, cancel=asyncio.Event()),  # type: ignore[arg-type]
    }
    for option, act in wrong.items():
        with pytest.raises(OptionsError) as caught:
            act()
        assert caught.value.option == option
    with pytest.raises(TypeError, match="the call must be callable"):
        AVAILABLE.fleet({}, **SHAPE)  # type: ignore[arg-type]


def test_a_fleet_is_blocking_or_asynchronous() -> None:
    with pytest.raises(TypeError, match="use `wait_async`"):
        AVAILABLE.fleet(answer, clock=FakeClock(), **SHAPE).wait("vol-1", max_wait=60)
    fleet, _ = blocking(at(0))
    fleet.wait("vol-1", max_wait=60)
    with pytest.raises(OptionsError, match="is blocking"):
        asyncio.run(fleet.wait_async("vol-1", max_wait=60))
    fleet = AVAILABLE.fleet(answer, rate=1000, **SHAPE)
    asyncio.run(fleet.wait_async("vol-1", max_wait=60))
    with pytest.raises(OptionsError, match="another event loop"):
        asyncio.run(fleet.wait_async("vol-1", max_wait=60))
    with pytest.raises(OptionsError, match="is asynchronous"):
        fleet.wait("vol-1", max_wait=60)
    fleet = AVAILABLE.fleet(lambda _: {"Volumes": []}, rate=1000, **SHAPE)
    with pytest.raises(TypeError, match="must return an awaitable"):
        asyncio.run(fleet.wait_async("vol-1", max_wait=60))


def test_fleets_share_a_limit() -> None:
    limit, clock, times = RateLimit(2), FakeClock(), []

    def describe(ids: list[str]) -> dict[str, Any]:
        times.append(clock())
        return volumes(ids)

    for _ in range(3):
        AVAILABLE.fleet(describe, clock=clock, rate=limit, **SHAPE).wait("vol-1", max_wait=60)
    pauses = [round(later - earlier, 3) for earlier, later in pairwise(times)]
    assert pauses == [0.5, 0.5]
    assert repr(limit) == "RateLimit(2.0)"
