"""The driver of waits that an engine stores between their attempts."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from smithy_waiters import OptionsError, Outcome, StateError, Waiter, WaiterCancelled, WaiterError, WaiterTimeout
from smithy_waiters.durable import StoredFleet, StoredWait, attempts, due_at, plain, progress, result
from smithy_waiters.durable.stored import ended
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DONE = Waiter.until("Status", "DONE", fail=["BROKEN"], pending=["RUNNING"], name="Done")
OPTIONS: dict[str, Any] = {"max_wait": 600, "min_delay": 0.001, "max_delay": 0.002}


def stored(waiter: Waiter = DONE, report_limit: Any = None) -> StoredWait:
    return StoredWait(waiter, report_limit)


def begin(driver: StoredWait, **options: Any) -> str:
    return driver.begin("orders", None, OPTIONS | options).state


def answers() -> Callable[[], dict[str, str]]:
    numbers = count(1)
    return lambda: {"Status": "DONE" if next(numbers) == 4 else "RUNNING"}


def to_end(driver: StoredWait, call: Callable[[], object], **options: Any) -> Outcome[Any]:
    state: str | None = begin(driver, **options)
    while state is not None:
        state, _, report, _ = driver.attempt(state, call)
        if report is not None:
            outcome: Outcome[Any] = result(report)
            return outcome
    raise AssertionError


async def to_end_async(driver: StoredWait, call: Callable[[], Any], **options: Any) -> Outcome[Any]:
    state: str | None = begin(driver, **options)
    while state is not None:
        state, _, report, _ = await driver.attempt_async(state, call)
        if report is not None:
            outcome: Outcome[Any] = result(report)
            return outcome
    raise AssertionError


def test_attempts_are_those_of_a_wait_in_the_process() -> None:
    answer, async_answer, undisturbed = answers(), answers(), answers()

    async def call() -> dict[str, str]:
        return async_answer()

    seed = json.loads(begin(stored()))["options"]["seed"]
    expected = DONE.wait(undisturbed, **OPTIONS, seed=seed, clock=FakeClock())
    for outcome in (to_end(stored(), answer), asyncio.run(to_end_async(stored(), call))):
        assert (outcome.attempts, outcome.acceptor, outcome.response) == (4, expected.acceptor, {"Status": "DONE"})
        assert [one.delay_ms for one in outcome.history] == [one.delay_ms for one in expected.history]


def test_a_state_tells_the_time_and_the_number_of_attempts() -> None:
    driver = stored()
    state = begin(driver)
    following, due, report, latest = driver.attempt(state, answers(), executions=3)
    assert following is not None
    assert report is None
    assert latest is not None
    assert (latest["attempt"], latest["repeated"]) == (1, 2)
    assert progress(state) is None
    assert progress(following) == {name: fact for name, fact in latest.items() if name != "repeated"}
    assert (attempts(state), attempts(following)) == (0, 1)
    assert due_at(state) <= due_at(following) == due


def test_a_call_that_never_returns_is_cut() -> None:
    async def call() -> None:
        await asyncio.Event().wait()

    with pytest.raises(WaiterTimeout):
        asyncio.run(to_end_async(stored(), call, max_wait=0.05))
    release = threading.Event()
    _, _, _, latest = stored().attempt(begin(stored(), attempt_timeout=0.05), lambda: release.wait(30))
    release.set()
    assert latest is not None
    assert latest["result"] == "cut"


@pytest.mark.parametrize("is_async", [False, True])
def test_pages_without_end_are_read_until_their_call_is_cut(is_async: bool) -> None:
    stopped = threading.Event()

    def pages(_: list[str]) -> Iterator[dict[str, list[object]]]:
        try:
            while True:
                stopped.wait(0.001)
                yield {"Volumes": []}
        finally:
            stopped.set()

    fleet = StoredFleet(Waiter.until("Volumes[].State", "up"), items="Volumes[]", key="Id")
    state = fleet.begin("volumes", ["a"], {"max_wait": 60, "attempt_timeout": 0.05}).state
    call: Callable[[list[str]], Any] = pages
    attempted = asyncio.run(fleet.attempt_async(state, call)) if is_async else fleet.attempt(state, call)
    assert attempted.report is None
    assert stopped.wait(30)


def test_errors_end_a_wait() -> None:
    async def call() -> None:
        raise PermissionError("denied")

    with pytest.raises(WaiterError) as caught:
        asyncio.run(to_end_async(stored(), call))
    assert isinstance(caught.value.error, PermissionError)


def test_a_function_of_the_wrong_kind_is_a_bug() -> None:
    async def call() -> None: ...

    with pytest.raises(TypeError, match="`poll` returned an awaitable"):
        to_end(stored(), call)
    with pytest.raises(TypeError, match="must return an awaitable"):
        asyncio.run(to_end_async(stored(), answers()))

    async def nested() -> object:
        return call()

    with pytest.raises(TypeError, match="`poll` returned an awaitable"):
        asyncio.run(to_end_async(stored(), nested))


def test_a_cancelled_wait_keeps_its_history() -> None:
    driver = stored()
    state, *_ = driver.attempt(begin(driver, min_delay=60, max_delay=60), answers())
    assert state is not None
    with pytest.raises(WaiterCancelled) as caught:
        result(driver.cancel(state))
    assert len(caught.value.history) == 1
    assert caught.value.elapsed < 60


def test_a_report_above_the_limit_is_cut() -> None:
    outcome = to_end(stored(report_limit=2_000), lambda: {"Status": "DONE", "Text": "x" * 5_000})
    assert "the limit is 2000" in str(outcome.response)


def test_a_report_as_json() -> None:
    driver = StoredWait(DONE, encode=plain)
    report = driver.attempt(begin(driver), lambda: {"Status": "BROKEN"}).report
    assert report is not None
    failure = ended(report)
    assert isinstance(failure, WaiterError)
    assert (failure.code, failure.response) == ("failure_state", {"Status": "BROKEN"})
    assert failure.to_json() == report


def test_another_definition_is_refused() -> None:
    other = stored(Waiter.until("Status", "READY"))
    with pytest.raises(StateError) as caught:
        other.attempt(begin(stored()), answers())
    assert caught.value.code == "other_definition"
    assert stored().fingerprint in caught.value.message
    assert other.fingerprint in caught.value.message


@pytest.mark.parametrize("change", [("orders", "other"), ('"version":2', '"version":"2"'), ("{", ""), ("600", "601")])
def test_a_state_that_was_changed_is_refused(change: tuple[str, str]) -> None:
    state = stored().begin("orders", "orders", OPTIONS).state
    with pytest.raises(StateError) as caught:
        stored().attempt(state.replace(*change, 1), answers())
    assert caught.value.code == "damaged_state"


def test_a_call_cannot_end_the_program() -> None:
    def call() -> None:
        sys.exit(3)

    with pytest.raises(WaiterError) as caught:
        to_end(stored(), call)
    assert str(caught.value.error) == "`poll` raised SystemExit(3)"


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, "1"])
def test_the_limit_is_checked(limit: object) -> None:
    with pytest.raises(OptionsError, match="`report_limit` must be from 1 to 4294967295 bytes"):
        stored(report_limit=limit)


@pytest.mark.parametrize(
    "report",
    [
        *("", "{", "[]", "1", "{}", '{"error": null, "response": null}'),
        *('{"ends": []}', '{"ends": [1], "ids": [], "succeeded": true}', '{"ends": 1, "ids": [], "succeeded": true}'),
    ],
)
def test_a_damaged_report_is_refused(report: str) -> None:
    with pytest.raises(StateError) as caught:
        result(report)
    assert caught.value.code == "damaged_state"


@pytest.mark.parametrize("use", ["due_at", "progress", "cancel"])
def test_a_state_that_is_no_text_is_refused(use: str) -> None:
    with pytest.raises(StateError) as caught:
        getattr(StoredWait(Waiter.until("Status", "READY")), use)("\ud800")
    assert caught.value.code == "damaged_state"
