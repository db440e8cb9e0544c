"""Waits that are saved and resumed, and verdicts of other code."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from samples import ACTIVE, BROKEN, CREATING, NOT_FOUND, TABLE_NOT_EXISTS, table_exists

from smithy_waiters import Call, Done, Sleep, StateError, Wait, Waiter
from smithy_waiters.events import Error, Response, Verdict


def started(**options: Any) -> Wait:
    return table_exists().start(**{"max_wait": 60, "seed": 7} | options)


def saved_after_one_attempt() -> Wait:
    wait = started()
    wait.poll(0)
    wait.handle(Error(NOT_FOUND), 10)
    return wait


def as_text(wait: Wait) -> Any:
    return wait.to_json()


def as_bytes(wait: Wait) -> Any:
    return wait.to_json().encode()


def as_object(wait: Wait) -> Any:
    return json.loads(wait.to_json())


@pytest.mark.parametrize("form", [as_text, as_bytes, as_object])
def test_a_resumed_wait_goes_on_as_if_nothing_had_been(form: Any) -> None:
    wait = saved_after_one_attempt()
    resumed = table_exists().resume(form(wait), input={"TableName": "t"}, elapsed_ms=11)
    assert resumed.input == {"TableName": "t"}
    # The results of attempts are not saved.
    assert (resumed.attempts, resumed.latest) == (1, None)
    at = 3_000
    for _ in range(4):
        assert resumed.poll(at) == wait.poll(at)
        step = wait.handle(Response(CREATING), at + 5)
        assert isinstance(step, Sleep)
        assert resumed.handle(Response(CREATING), at + 5) == step
        at = step.until_ms
    assert resumed.to_json() == wait.to_json()


def test_a_saved_wait_is_small_whatever_it_saw() -> None:
    wait, at = started(max_wait=3_600, history_limit=100), 0
    sizes = set()
    for _ in range(20):
        wait.poll(at)
        step = wait.handle(Response(CREATING), at)
        assert isinstance(step, Sleep)
        at = step.until_ms
        sizes.add(len(wait.to_json()) // 100)
    assert max(sizes) <= 3


def test_the_time_away_counts() -> None:
    text = saved_after_one_attempt().to_json()
    assert table_exists().resume(text, elapsed_ms=40_000).now_ms == 40_000
    # Time never moves backwards.
    assert table_exists().resume(text, elapsed_ms=0).now_ms == 10
    done = table_exists().resume(text, elapsed_ms=61_000).poll(61_000)
    assert isinstance(done, Done)
    assert done.code == "timed_out"


def test_without_a_time_the_time_away_counts_by_the_wall_clock() -> None:
    text = saved_after_one_attempt().to_json()
    began = json.loads(text)["startedAtMs"]
    assert abs(time.time() * 1000 - began) < 60_000
    time.sleep(0.03)
    resumed = table_exists().resume(text)
    assert 30 <= resumed.now_ms <= time.time() * 1000 - began + 1
    # The start does not change if the wait is saved repeatedly.
    again = json.loads(resumed.to_json())
    assert again["startedAtMs"] == began
    time.sleep(0.03)
    assert table_exists().resume(again).now_ms >= 60


def test_a_wait_saved_in_flight_hands_out_the_attempt_again() -> None:
    wait = started()
    call = wait.poll(0)
    assert table_exists().resume(wait.to_json(), elapsed_ms=0).poll(0) == call == Call(1, 60_000)


def test_a_wait_that_is_over_stays_over() -> None:
    wait = started()
    wait.poll(0)
    done = wait.handle(Response(BROKEN), 1)
    again = table_exists().resume(wait.to_json()).poll(5)
    assert isinstance(done, Done)
    assert isinstance(again, Done)
    assert (again.code, again.message, again.acceptor) == (done.code, done.message, done.acceptor)
    assert (again.elapsed_ms, again.last_result, again.history) == (1, "response", ())


TEXT = saved_after_one_attempt().to_json()


@pytest.mark.parametrize(
    ("saved", "code"),
    [
        ("", "damaged_state"),
        (TEXT[:-1], "damaged_state"),
        (TEXT.replace('"attempts":1', '"attempts":2'), "damaged_state"),
        (b"\xff", "damaged_state"),
        ({"version": object()}, "damaged_state"),
        ({}, "damaged_state"),
        (None, "damaged_state"),
        (json.loads(TEXT) | {"version": 2}, "newer_version"),
    ],
)
def test_what_cannot_be_resumed(saved: Any, code: str) -> None:
    with pytest.raises(StateError) as caught:
        table_exists().resume(saved)
    assert caught.value.code == code


def test_a_wait_of_another_definition() -> None:
    with pytest.raises(StateError) as caught:
        Waiter(TABLE_NOT_EXISTS).resume(TEXT)
    assert caught.value.code == "other_definition"


@pytest.mark.parametrize("elapsed", [-1, float("nan"), "1", True])
def test_elapsed_is_a_number_of_milliseconds(elapsed: Any) -> None:
    with pytest.raises(StateError) as caught:
        table_exists().resume(TEXT, elapsed_ms=elapsed)
    assert caught.value.code == "invalid_time"


def in_flight() -> Wait:
    wait = started()
    wait.poll(0)
    return wait


def test_verdicts_that_are_made_elsewhere() -> None:
    verdict = table_exists().evaluate(response=ACTIVE)
    done = in_flight().handle(Verdict(verdict.acceptor), 5)
    assert isinstance(done, Done)
    assert (done.state, done.acceptor, done.history[0].result) == ("success", 0, "response")
    assert isinstance(in_flight().handle(Verdict(None), 5), Sleep)
    done = in_flight().handle(Verdict(1), 5)
    assert isinstance(done, Done)
    assert done.code == "failure_state"


def test_verdicts_on_errors() -> None:
    wait = in_flight()
    assert isinstance(wait.handle(Verdict(2, NOT_FOUND), 5), Sleep)
    assert wait.latest is not None
    assert wait.latest.error == "ResourceNotFoundException: no such table"
    done = in_flight().handle(Verdict(None, "AccessDenied"), 5)
    assert isinstance(done, Done)
    assert (done.code, done.history[0].error) == ("unmatched_error", "AccessDenied")


@pytest.mark.parametrize(
    ("acceptor", "error", "message"),
    [
        (9, None, "acceptor 9 does not exist: this waiter has 3"),
        (2, None, "acceptor 2 never matches a response"),
        (0, NOT_FOUND, "acceptor 0 never matches an error"),
    ],
)
def test_verdicts_that_the_waiter_never_gives(acceptor: int, error: Any, message: str) -> None:
    wait = in_flight()
    with pytest.raises(StateError) as caught:
        wait.handle(Verdict(acceptor, error), 5)
    assert (caught.value.code, caught.value.message) == ("invalid_verdict", message)
    assert wait.handle(Response(ACTIVE), 6).type == "done"


def test_a_wait_that_takes_a_step_cannot_be_saved() -> None:
    wait = in_flight()
    found: list[str] = []

    class Table:
        @property
        def TableStatus(self) -> str:  # noqa: N802
            with pytest.raises(StateError) as caught:
                wait.to_json()
            found.append(caught.value.code)
            return "ACTIVE"

    wait.handle(Response({"Table": Table()}), 1)
    assert set(found) == {"busy"}
