"""Waits that are saved and resumed, and verdicts that are made elsewhere."""

from __future__ import annotations

import json
from typing import Any

import pytest
from samples import ACTIVE, BROKEN, CREATING, NOT_FOUND, TABLE_NOT_EXISTS, table_exists

from smithy_waiters import Done, Sleep, StateError, Wait, Waiter


def started(**options: Any) -> Wait:
    return table_exists().start(**{"max_wait": 60, "seed": 7} | options)


def saved_after_one_attempt() -> Wait:
    wait = started()
    wait.next(0)
    wait.observe_error(NOT_FOUND, 10)
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
    assert (resumed.attempts, resumed.latest) == (1, wait.latest)
    at = 3_000
    for _ in range(4):
        assert resumed.next(at) == wait.next(at)
        step = wait.observe_response(CREATING, at + 5)
        assert isinstance(step, Sleep)
        assert resumed.observe_response(CREATING, at + 5) == step
        at += 5 + step.delay_ms
    assert resumed.to_json() == wait.to_json()


def test_the_time_away_counts() -> None:
    text = saved_after_one_attempt().to_json()
    assert table_exists().resume(text).remaining_ms == 59_990
    assert table_exists().resume(text, elapsed_ms=40_000).remaining_ms == 20_000
    done = table_exists().resume(text, elapsed_ms=61_000).next(61_000)
    assert isinstance(done, Done)
    assert done.code == "timed_out"


def test_a_wait_saved_in_flight_hands_out_the_attempt_again() -> None:
    wait = started()
    call = wait.next(0)
    assert table_exists().resume(wait.to_json()).next(0) == call


def test_a_wait_that_is_over_stays_over() -> None:
    wait = started()
    wait.next(0)
    done = wait.observe_response(BROKEN, 1)
    assert table_exists().resume(wait.to_json()).next(5) == done


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


@pytest.mark.parametrize("elapsed", [-1, float("nan"), "1"])
def test_elapsed_is_a_number_of_milliseconds(elapsed: Any) -> None:
    with pytest.raises(StateError) as caught:
        table_exists().resume(TEXT, elapsed_ms=elapsed)
    assert caught.value.code == "invalid_elapsed"


def in_flight() -> Wait:
    wait = started()
    wait.next(0)
    return wait


def test_verdicts_that_are_made_elsewhere() -> None:
    verdict = table_exists().evaluate(response=ACTIVE)
    done = in_flight().observe_verdict(verdict.state, verdict.acceptor, None, 5)
    assert isinstance(done, Done)
    assert (done.state, done.acceptor, done.history[0].result) == ("success", 0, "response")
    assert isinstance(in_flight().observe_verdict("retry", None, None, 5), Sleep)
    done = in_flight().observe_verdict("failure", 1, None, elapsed_ms=5)
    assert isinstance(done, Done)
    assert done.code == "failure_state"


def test_verdicts_on_errors() -> None:
    wait = in_flight()
    assert isinstance(wait.observe_verdict("retry", 2, NOT_FOUND, 5), Sleep)
    assert wait.latest is not None
    assert wait.latest.error == "ResourceNotFoundException: no such table"
    done = in_flight().observe_verdict("failure", None, "AccessDenied", 5)
    assert isinstance(done, Done)
    assert (done.code, done.history[0].error) == ("unmatched_error", "AccessDenied")


@pytest.mark.parametrize(
    ("state", "acceptor", "error"),
    [
        ("success", 1, None),
        ("success", None, None),
        ("success", 9, None),
        ("retry", None, NOT_FOUND),
        ("failure", None, None),
        ("done", 0, None),
    ],
)
def test_verdicts_that_the_waiter_never_gives(state: Any, acceptor: int | None, error: Any) -> None:
    wait = in_flight()
    with pytest.raises(StateError) as caught:
        wait.observe_verdict(state, acceptor, error, 5)
    assert caught.value.code == "invalid_verdict"
    assert wait.observe_response(ACTIVE, 6).type == "done"


def test_a_verdict_without_a_call() -> None:
    with pytest.raises(StateError) as caught:
        started().observe_verdict("success", 0, None, 0)
    assert caught.value.code == "not_in_flight"


def test_a_step_while_a_step_is_taken_can_not_be_saved() -> None:
    wait = in_flight()
    found: list[str] = []

    class Table:
        @property
        def TableStatus(self) -> str:  # noqa: N802
            with pytest.raises(StateError) as caught:
                wait.to_json()
            found.append(caught.value.code)
            return "ACTIVE"

    wait.observe_response({"Table": Table()}, 1)
    assert set(found) == {"busy"}
