"""Waits that are saved and resumed, and verdicts of other code."""

from __future__ import annotations

import json
from typing import Any

import pytest
from samples import NOT_FOUND, table_exists

from smithy_waiters import StateError, Wait
from smithy_waiters.events import Error


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
    resumed = table_exists().resume(form(wait), input={"TableName": "t"}, elapsed_ms=10)
    assert resumed.input == {"TableName": "t"}
    # The results of attempts are not saved.
    assert (resumed.attempts, resumed.latest) == (1, None)
    assert resumed.to_json() == wait.to_json()


@pytest.mark.parametrize("saved", [b"\xff", {"version": object()}, {}, None])
def test_invalid_saved_waits(saved: Any) -> None:
    with pytest.raises(StateError) as caught:
        table_exists().resume(saved)
    assert caught.value.code == "damaged_state"


@pytest.mark.parametrize("elapsed", [-1, float("nan"), "1", True])
def test_elapsed_is_a_number_of_milliseconds(elapsed: Any) -> None:
    with pytest.raises(StateError) as caught:
        table_exists().resume(saved_after_one_attempt().to_json(), elapsed_ms=elapsed)
    assert caught.value.code == "invalid_time"
