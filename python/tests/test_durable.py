"""The driver of waits that an engine stores between their attempts."""

from __future__ import annotations

import asyncio
import json
import sys
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from smithy_waiters import OptionsError, Outcome, StateError, Waiter, WaiterCancelled, WaiterError, WaiterTimeout
from smithy_waiters.durable.saved import SavedWait, State, attempts, due_at, ended, json_report, result, with_seed
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable

DONE = Waiter.until("Status", "DONE", fail=["BROKEN"], pending=["RUNNING"], name="Done")
OPTIONS: dict[str, Any] = {"max_wait": 600, "min_delay": 0.001, "max_delay": 0.002}


def saved(waiter: Waiter = DONE, report_limit: Any = 1 << 20) -> SavedWait:
    return SavedWait(waiter, "done", report_limit)


def begin(driver: SavedWait, **options: Any) -> State:
    state, _ = driver.begin("orders", None, OPTIONS | options)
    return state


def answers() -> Callable[[], dict[str, str]]:
    numbers = count(1)
    return lambda: {"Status": "DONE" if next(numbers) == 4 else "RUNNING"}


def to_end(driver: SavedWait, call: Callable[[], object], **options: Any) -> Outcome[Any]:
    state: State | None = begin(driver, **options)
    while state is not None:
        state, report, _ = driver.attempt("orders", state, call)
        if report is not None:
            outcome: Outcome[Any] = result(report)
            return outcome
    raise AssertionError


async def to_end_async(driver: SavedWait, call: Callable[[], Any], **options: Any) -> Outcome[Any]:
    state: State | None = begin(driver, **options)
    while state is not None:
        state, report, _ = await driver.attempt_async("orders", state, call)
        if report is not None:
            outcome: Outcome[Any] = result(report)
            return outcome
    raise AssertionError


def test_attempts_are_those_of_a_wait_in_the_process() -> None:
    answer, async_answer, undisturbed = answers(), answers(), answers()

    async def call() -> dict[str, str]:
        return async_answer()

    expected = DONE.wait(undisturbed, **with_seed("orders", OPTIONS), clock=FakeClock())
    for outcome in (to_end(saved(), answer), asyncio.run(to_end_async(saved(), call))):
        assert (outcome.attempts, outcome.acceptor, outcome.response) == (4, expected.acceptor, {"Status": "DONE"})
        assert [one.delay_ms for one in outcome.history] == [one.delay_ms for one in expected.history]


def test_a_state_tells_the_time_and_the_number_of_attempts() -> None:
    driver = saved()
    state = begin(driver)
    following, report, progress = driver.attempt("orders", state, answers(), executions=3)
    assert following is not None
    assert report is None
    assert progress is not None
    assert (progress["attempt"], progress["repeated"]) == (1, 2)
    assert (attempts(state), attempts(following)) == (0, 1)
    assert due_at(following) >= due_at(state)


def test_a_call_that_never_returns_is_cut() -> None:
    async def call() -> None:
        await asyncio.Event().wait()

    with pytest.raises(WaiterTimeout):
        asyncio.run(to_end_async(saved(), call, max_wait=0.05))


def test_errors_end_a_wait() -> None:
    async def call() -> None:
        raise PermissionError("denied")

    with pytest.raises(WaiterError) as caught:
        asyncio.run(to_end_async(saved(), call))
    assert isinstance(caught.value.error, PermissionError)


def test_a_function_of_the_wrong_kind_is_a_bug() -> None:
    async def call() -> None: ...

    with pytest.raises(TypeError, match="`poll` returned an awaitable"):
        to_end(saved(), call)
    with pytest.raises(TypeError, match="must return an awaitable"):
        asyncio.run(to_end_async(saved(), answers()))

    async def nested() -> object:
        return call()

    with pytest.raises(TypeError, match="`poll` returned an awaitable"):
        asyncio.run(to_end_async(saved(), nested))


def test_a_cancelled_wait_keeps_its_history() -> None:
    driver = saved()
    state, _, _ = driver.attempt("orders", begin(driver, min_delay=60, max_delay=60), answers())
    assert state is not None
    with pytest.raises(WaiterCancelled) as caught:
        result(driver.cancel("orders", state))
    assert len(caught.value.history) == 1
    assert caught.value.elapsed < 60


def test_a_report_above_the_limit_is_cut() -> None:
    outcome = to_end(saved(report_limit=2_000), lambda: {"Status": "DONE", "Text": "x" * 5_000})
    assert "`report_limit` is 2000" in str(outcome.response)


def test_the_history_of_a_state_is_cut() -> None:
    driver = saved(report_limit=1_000)
    state, call = begin(driver), answers()
    for _ in range(3):
        following, _, _ = driver.attempt("orders", state, call)
        assert following is not None
        state = following
    assert 0 < len(state["history"]) < 3
    assert sum(map(len, state["history"])) <= 1_000


def test_a_report_as_json() -> None:
    driver = SavedWait(DONE, "done", 1 << 20, json_report)
    _, report, _ = driver.attempt("orders", begin(driver), lambda: {"Status": "BROKEN"})
    assert report is not None
    failure = ended(json.loads(report))
    assert isinstance(failure, WaiterError)
    assert (failure.code, failure.response) == ("failure_state", {"Status": "BROKEN"})


def test_a_wait_may_have_started_before() -> None:
    driver = saved()
    state, _ = driver.begin("orders", None, OPTIONS, elapsed=500)
    assert 499 < driver.resume("orders", state).now_ms / 1000 < 600


def test_another_definition_is_refused() -> None:
    other = saved(Waiter.until("Status", "READY"))
    with pytest.raises(StateError) as caught:
        other.attempt("orders", begin(saved()), answers())
    assert caught.value.code == "other_definition"
    assert saved().fingerprint in caught.value.message
    assert other.fingerprint in caught.value.message


@pytest.mark.parametrize(
    ("member", "value", "code"),
    [
        ("version", 2, "newer_version"),
        ("version", "1", "damaged_state"),
        ("saved", "{", "damaged_state"),
        ("saved", "[]", "damaged_state"),
        ("due_ms", None, "damaged_state"),
        ("history", None, "damaged_state"),
    ],
)
def test_a_state_that_cannot_be_read_is_refused(member: str, value: object, code: str) -> None:
    damaged: Any = {**begin(saved()), member: value}
    with pytest.raises(StateError) as caught:
        saved().attempt("orders", damaged, answers())
    assert caught.value.code == code
    assert "`orders`" in caught.value.message
    del damaged[member]
    with pytest.raises(StateError):
        saved().attempt("orders", damaged, answers())


def test_a_newer_state_may_have_other_members() -> None:
    newer: Any = {**begin(saved()), "version": 2, "saved": None}
    with pytest.raises(StateError) as caught:
        saved().attempt("orders", newer, answers())
    assert caught.value.code == "newer_version"


def test_the_history_fits_the_limit_as_json() -> None:
    driver = saved(Waiter.until("Text", "DONE", pending=["é" * 40]), report_limit=4_000)
    state: State | None = begin(driver, show=["Text"])
    for _ in range(40):
        assert state is not None
        state, _, _ = driver.attempt("orders", state, lambda: {"Text": "é" * 40})
    assert state is not None
    assert 1 < len(state["history"]) < 40
    assert len(json.dumps(state["history"])) < 4_500


def test_a_call_cannot_end_the_program() -> None:
    def call() -> None:
        sys.exit(3)

    with pytest.raises(WaiterError) as caught:
        to_end(saved(), call)
    assert str(caught.value.error) == "`poll` raised SystemExit(3)"


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, "1"])
def test_the_limit_is_checked(limit: object) -> None:
    with pytest.raises(OptionsError, match="`report_limit` must be a positive number of bytes"):
        saved(report_limit=limit)
