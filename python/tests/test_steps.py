"""A wait driven by hand."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from samples import ACTIVE, BROKEN, CREATING, NOT_FOUND, table_exists

from smithy_waiters import Call, Done, OptionsError, Sleep, StateError, Wait


def started(**options: Any) -> Wait:
    return table_exists().start(**{"max_wait": 60, "seed": 7} | options)


def test_from_the_first_call_to_success() -> None:
    wait = started()
    call = wait.next(0)
    assert isinstance(call, Call)
    assert (call.type, call.attempt, call.remaining_ms) == ("call", 1, 60_000)
    sleep = wait.observe_response(CREATING, 30)
    assert isinstance(sleep, Sleep)
    assert (sleep.type, sleep.delay_ms, sleep.last) == ("sleep", 2_000, False)
    assert wait.next(1_030) == wait.next(1_030)
    assert isinstance(wait.next(2_030), Call)
    done = wait.observe_response(ACTIVE, 2_040.9)
    assert isinstance(done, Done)
    assert (done.type, done.state, done.code) == ("done", "success", None)
    assert (done.acceptor, done.attempts, done.elapsed_ms) == (0, 2, 2_040)
    assert done.acceptor_text == wait.waiter.acceptors[0]
    assert wait.next(9_000) == done == wait.cancel(9_000)


def test_what_a_wait_shows() -> None:
    wait = started(input={"TableName": "t"})
    assert wait.input == {"TableName": "t"}
    assert started().latest is None
    wait.next(0)
    wait.observe_error(NOT_FOUND, 100)
    assert (wait.attempts, wait.remaining_ms) == (1, 59_900)
    latest = wait.latest
    assert latest is not None
    assert (latest.attempt, latest.started_ms, latest.ended_ms) == (1, 0, 100)
    assert (latest.result, latest.state, latest.acceptor) == ("error", "retry", 2)
    assert (latest.delay_ms, latest.next_is_last) == (2_000, False)
    assert latest.error == "ResourceNotFoundException: no such table"
    assert latest.reasons[2].matched
    assert repr(latest.reasons[2]) in repr(latest)
    assert repr(latest).startswith(
        "AttemptRecord(attempt=1, started_ms=0, ended_ms=100, result='error', error='Resource"
    )


def test_a_failure_tells_the_whole_story() -> None:
    wait = started()
    wait.next(0)
    done = wait.observe_response(BROKEN, 1)
    assert isinstance(done, Done)
    assert (done.state, done.code, done.acceptor) == ("failure", "failure_state", 1)
    assert done.waiter == "TableExists"
    assert '"BROKEN"' in done.message
    assert done.explain().startswith(done.message)
    assert "attempt 1" in done.explain()
    assert [record.attempt for record in done.history] == [1]


def test_expire_and_cancel() -> None:
    wait = started()
    wait.next(0)
    done = wait.expire(60_000)
    assert isinstance(done, Done)
    assert (done.code, done.history[0].result) == ("timed_out", "cut")
    wait = started()
    wait.next(0)
    done = wait.cancel(5)
    assert isinstance(done, Done)
    assert (done.code, done.history[0].result) == ("cancelled", "cancelled")


def test_steps_out_of_order_change_nothing() -> None:
    wait = started()
    with pytest.raises(StateError) as caught:
        wait.observe_response(ACTIVE, 0)
    assert caught.value.code == "not_in_flight"
    assert isinstance(caught.value, RuntimeError)
    wait.next(0)
    with pytest.raises(StateError) as caught:
        wait.next(1)
    assert caught.value.code == "in_flight"
    with pytest.raises(StateError) as caught:
        wait.expire(59_999)
    assert caught.value.code == "before_deadline"
    assert isinstance(wait.observe_response(ACTIVE, 1), Done)


@pytest.mark.parametrize("elapsed", [-1, float("nan"), float("inf"), 10**400, "1", None])
def test_elapsed_is_a_number_of_milliseconds(elapsed: Any) -> None:
    with pytest.raises(StateError) as caught:
        started().next(elapsed)
    assert caught.value.code == "invalid_elapsed"


def test_a_getter_that_takes_a_step_finds_the_wait_busy() -> None:
    wait = started()
    found = []

    class Table:
        @property
        def TableStatus(self) -> str:  # noqa: N802
            for step in (wait.next, wait.cancel):
                with pytest.raises(StateError) as caught:
                    step(5)
                found.append(caught.value.code)
            return "ACTIVE"

    wait.next(0)
    step = wait.observe_response({"Table": Table()}, 1)
    assert isinstance(step, Done)
    assert set(found) == {"busy"}


def test_an_interrupted_step_leaves_the_wait_as_it_was() -> None:
    class Table:
        @property
        def TableStatus(self) -> str:  # noqa: N802
            raise KeyboardInterrupt

    wait = started()
    wait.next(0)
    with pytest.raises(KeyboardInterrupt):
        wait.observe_response({"Table": Table()}, 1)
    assert isinstance(wait.observe_response(ACTIVE, 2), Done)


def test_the_same_seed_gives_the_same_delays() -> None:
    def delays(seed: int | None) -> list[int]:
        wait, at = started(seed=seed, max_wait=3_600), 0
        found: list[int] = []
        while len(found) < 20:
            wait.next(at)
            step = wait.observe_response(CREATING, at)
            assert isinstance(step, Sleep)
            found.append(step.delay_ms)
            at += step.delay_ms
        return found

    assert delays(1) == delays(1)
    assert delays(1) != delays(2)
    assert delays(None) != delays(None)


@pytest.mark.parametrize(
    ("options", "code", "option"),
    [
        ({}, "missing_option", "max_wait"),
        ({"max_wait": None}, "missing_option", "max_wait"),
        ({"max_wait": 0}, "invalid_option", "max_wait"),
        ({"max_wait": -1}, "invalid_option", "max_wait"),
        ({"max_wait": float("nan")}, "invalid_option", "max_wait"),
        ({"max_wait": float("inf")}, "invalid_option", "max_wait"),
        ({"max_wait": "300"}, "invalid_option", "max_wait"),
        ({"max_wait": True}, "invalid_option", "max_wait"),
        ({"max_wait": timedelta(days=-1)}, "invalid_option", "max_wait"),
        ({"max_wait": 60, "min_delay": 0}, "invalid_option", "min_delay"),
        ({"max_wait": 60, "min_delay": 30}, "conflicting_options", "min_delay"),
        ({"max_wait": 60, "max_attempts": 0}, "invalid_option", "max_attempts"),
        ({"max_wait": 60, "initial_delay": 60}, "conflicting_options", "initial_delay"),
        ({"max_wait": 60, "seed": 2**53}, "invalid_option", "seed"),
        ({"max_wait": 60, "history_limit": -1}, "invalid_option", "history_limit"),
        ({"max_wait": 60, "final_poll": "sometimes"}, "invalid_option", "final_poll"),
        ({"max_wait": 60, "final_poll": "atDeadline"}, "missing_option", "final_poll_grace"),
        ({"max_wait": 60, "max_wiat": 60}, "unknown_option", "max_wiat"),
        ({"maxWait": 60}, "unknown_option", "maxWait"),
    ],
)
def test_bad_options(options: dict[str, Any], code: str, option: str) -> None:
    with pytest.raises(OptionsError) as caught:
        table_exists().start(**options)
    assert (caught.value.code, caught.value.option) == (code, option)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "`max_wait` is missing: it must be more than 0 and at most 315360000 seconds (ten years)"),
        ({"max_wait": 60, "min_delay": 30}, "`min_delay` 30 s (option) is above `max_delay` 20 s (definition)"),
        (
            {"max_wait": 60, "initial_delay": 60},
            "`initial_delay` must be at least 0 and less than `max_wait`, got 60 s of 60 s",
        ),
        (
            {"max_wait": 60, "final_poll": "sometimes"},
            "`final_poll` must be `beforeDeadline` or `atDeadline`, got `sometimes`",
        ),
        (
            {"max_wait": 60, "final_poll_grace": 5},
            "`final_poll_grace` is only for a `final_poll` at the deadline",
        ),
        ({"max_wait": 60, "seed": -1}, "`seed` must be an integer from 0 to 2^53 - 1, got -1"),
    ],
)
def test_messages_name_options_as_python_does(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionsError) as caught:
        table_exists().start(**options)
    assert str(caught.value) == message


def test_a_wait_shows_what_it_is_doing() -> None:
    wait = started()
    assert repr(wait) == "Wait(waiter='TableExists', state='ready', attempts=0, remaining_ms=60000)"
    wait.next(0)
    assert repr(wait) == "Wait(waiter='TableExists', state='in_flight', attempts=1, remaining_ms=60000)"
    wait.observe_response(CREATING, 500)
    assert repr(wait) == "Wait(waiter='TableExists', state='sleeping', attempts=1, remaining_ms=59500)"
    assert wait.next(500) == Sleep(2_000, last=False)
    wait.next(2_500)
    wait.observe_response(ACTIVE, 2_600)
    assert repr(wait) == "Wait(waiter='TableExists', state='done', attempts=2, remaining_ms=57400)"


def test_a_wait_that_is_busy_says_so() -> None:
    wait = started()
    found = []

    class Table:
        @property
        def TableStatus(self) -> str:  # noqa: N802
            found.append(repr(wait))
            return "ACTIVE"

    wait.next(0)
    wait.observe_response({"Table": Table()}, 1)
    assert set(found) == {"Wait(waiter='TableExists', state='busy')"}


def test_durations_may_be_timedeltas() -> None:
    wait = started(
        max_wait=timedelta(minutes=5),
        min_delay=timedelta(milliseconds=1_500),
        max_delay=timedelta(milliseconds=1_500),
        initial_delay=timedelta(seconds=1),
    )
    sleep = wait.next(0)
    assert isinstance(sleep, Sleep)
    assert sleep.delay_ms == 1_000
    call = wait.next(1_000)
    assert isinstance(call, Call)
    assert call.remaining_ms == 299_000
    sleep = wait.observe_response(CREATING, 1_000)
    assert isinstance(sleep, Sleep)
    assert sleep.delay_ms == 1_500
