"""Waits that are driven step by step."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from samples import ACTIVE, BROKEN, CREATING, NOT_FOUND, table_exists

from smithy_waiters import Call, Done, OptionsError, Sleep, StateError, Wait
from smithy_waiters.events import Cancelled, DeadlineReached, Error, Event, Response, Transient, Verdict


def started(**options: Any) -> Wait:
    return table_exists().start(**{"max_wait": 60, "seed": 7} | options)


def in_flight(**options: Any) -> Wait:
    wait = started(**options)
    wait.poll(0)
    return wait


def test_from_the_first_call_to_success() -> None:
    wait = started()
    call = wait.poll(0)
    assert isinstance(call, Call)
    assert (call.type, call.attempt, call.deadline_ms) == ("call", 1, 60_000)
    sleep = wait.handle(Response(CREATING), 30)
    assert isinstance(sleep, Sleep)
    assert (sleep.type, sleep.until_ms, sleep.last) == ("sleep", 2_030, False)
    assert wait.poll(1_030) == wait.poll(1_030) == sleep
    assert wait.poll(2_030) == Call(2, 60_000) == wait.poll(2_035)
    done = wait.handle(Response(ACTIVE), 2_040.9)
    assert isinstance(done, Done)
    assert (done.type, done.state, done.code) == ("done", "success", None)
    assert (done.acceptor, done.attempts, done.elapsed_ms, done.last_result) == (0, 2, 2_040, "response")
    assert done.acceptor_text == wait.waiter.acceptors[0]
    assert wait.poll(9_000) == done == wait.handle(Cancelled(), 9_000)


def test_what_a_wait_shows() -> None:
    wait = started(input={"TableName": "t"})
    assert wait.input == {"TableName": "t"}
    assert started().latest is None
    wait.poll(0)
    wait.handle(Error(NOT_FOUND), 100)
    assert (wait.attempts, wait.now_ms, wait.deadline_ms) == (1, 100, 60_000)
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
    done = in_flight().handle(Response(BROKEN), 1)
    assert isinstance(done, Done)
    assert (done.state, done.code, done.acceptor) == ("failure", "failure_state", 1)
    assert done.waiter == "TableExists"
    assert '"BROKEN"' in done.message
    assert done.explain().startswith(done.message)
    assert "attempt 1" in done.explain()
    assert [record.attempt for record in done.history] == [1]


def test_the_deadline_and_cancellation() -> None:
    done = in_flight().handle(DeadlineReached(), 60_000)
    assert isinstance(done, Done)
    assert (done.code, done.last_result, done.history[0].result) == ("timed_out", "cut", "cut")
    done = in_flight().handle(Cancelled(), 5)
    assert isinstance(done, Done)
    assert (done.code, done.last_result, done.history[0].result) == ("cancelled", "cancelled", "cancelled")
    done = started(initial_delay=5).handle(Cancelled(), 5)
    assert isinstance(done, Done)
    assert (done.code, done.last_result, done.history) == ("cancelled", None, ())


def test_an_attempt_that_has_no_answer_in_its_time_is_followed_by_another() -> None:
    wait = started(attempt_timeout=5)
    assert wait.poll(0) == Call(1, 5_000)
    step = wait.handle(DeadlineReached(), 5_000)
    assert step == Sleep(7_000, last=False)
    assert wait.latest is not None
    assert (wait.latest.result, wait.latest.state) == ("cut", "retry")
    assert wait.latest.reasons[0].code == "transient"
    # The last attempt can take the remaining time of the wait.
    assert wait.poll(57_000) == Call(2, 60_000)
    done = wait.handle(DeadlineReached(), 60_000)
    assert isinstance(done, Done)
    assert (done.code, done.last_result) == ("timed_out", "cut")


def test_a_wait_that_only_its_attempts_limit() -> None:
    wait = table_exists().start(max_attempts=2, min_delay=0, max_delay=0)
    assert wait.poll(0) == Call(1, None)
    assert wait.deadline_ms is None
    assert wait.handle(Response(CREATING), 10**9) == Sleep(10**9, last=False)
    wait.poll(10**9)
    done = wait.handle(Response(CREATING), 10**9)
    assert isinstance(done, Done)
    assert done.code == "too_many_attempts"


def test_a_service_that_asks_for_a_pause() -> None:
    assert in_flight().handle(Response(CREATING, not_before_ms=9_000), 30) == Sleep(9_000, last=False)
    assert in_flight().handle(Error(NOT_FOUND, Transient(9_000)), 30) == Sleep(9_000, last=False)
    # A classification requires an error.
    assert in_flight().handle(Verdict(None, transient=Transient(9_000)), 30) == Sleep(2_030, last=False)


EVENTS: list[Event] = [Response(ACTIVE), Error(NOT_FOUND), Verdict(0), DeadlineReached()]


@pytest.mark.parametrize("event", EVENTS, ids=repr)
def test_events_out_of_order_change_nothing(event: Event) -> None:
    sleeping = in_flight()
    sleeping.handle(Response(CREATING), 1)
    for wait in (started(), sleeping):
        before = repr(wait)
        with pytest.raises(StateError) as caught:
            wait.handle(event, 59_999)
        assert (caught.value.code, repr(wait)) == ("not_in_flight", before)
        assert isinstance(caught.value, RuntimeError)


def test_a_deadline_that_has_not_passed() -> None:
    wait = in_flight()
    with pytest.raises(StateError) as caught:
        wait.handle(DeadlineReached(), 59_999)
    assert caught.value.code == "before_deadline"
    assert isinstance(wait.handle(Response(ACTIVE), 1), Done)


@pytest.mark.parametrize("time", [-1, float("nan"), float("inf"), 10**400, "1", None, True, []])
def test_a_time_is_a_number_of_milliseconds(time: Any) -> None:
    wait = in_flight()
    steps: list[Any] = [
        lambda: wait.poll(time),
        lambda: wait.handle(Cancelled(), time),
        # `None` means that no time is requested.
        lambda: Response(ACTIVE, not_before_ms=-1 if time is None else time),
        lambda: Transient(time),
    ]
    for step in steps:
        with pytest.raises(StateError) as caught:
            step()
        assert caught.value.code == "invalid_time"
    assert wait.now_ms == 0


@pytest.mark.parametrize("event", [ACTIVE, None, "cancelled", NOT_FOUND, Cancelled, Call(1, None)], ids=repr)
def test_an_object_that_is_not_an_event(event: Any) -> None:
    wait = in_flight()
    with pytest.raises(TypeError, match=r"^`event` must be one of `smithy_waiters.events`, got `"):
        wait.handle(event, 1)
    assert isinstance(wait.handle(Response(ACTIVE), 1), Done)


@pytest.mark.parametrize("error", [5, 1.5, True, [], (), b"x", {1}, ValueError])
def test_an_object_that_is_not_an_error(error: Any) -> None:
    for event in (Error, lambda error: Verdict(None, error)):
        with pytest.raises(OptionsError, match=r"^`error` must be an exception or the name of one, ") as caught:
            event(error)
        assert (caught.value.code, caught.value.option) == ("invalid_option", "error")


def test_what_events_show() -> None:
    error = ValueError("bad")
    response, failed, verdict = Response(ACTIVE, 5.9), Error(error), Verdict(2, "Throttled", transient=False)
    assert (response.response, response.not_before_ms) == (ACTIVE, 5)
    assert (failed.error, failed.transient) == (error, None)
    assert (verdict.acceptor, verdict.error, verdict.transient) == (2, "Throttled", False)
    assert repr(response) == f"Response({ACTIVE!r}, not_before_ms=5)"
    assert repr(failed) == "Error(ValueError('bad'), transient=None)"
    assert repr(verdict) == "Verdict(2, error='Throttled', transient=False)"
    assert repr([DeadlineReached(), Cancelled()]) == "[DeadlineReached(), Cancelled()]"
    assert {DeadlineReached(), DeadlineReached(), Cancelled()} == {DeadlineReached(), Cancelled()}
    with pytest.raises(AttributeError):
        response.response = None  # type: ignore[misc]


def test_a_getter_that_takes_a_step_finds_the_wait_busy() -> None:
    wait = in_flight()
    found = []

    class Table:
        @property
        def TableStatus(self) -> str:  # noqa: N802
            with pytest.raises(StateError) as caught:
                wait.poll(5)
            found.append(caught.value.code)
            with pytest.raises(StateError) as caught:
                wait.handle(Cancelled(), 5)
            found.append(caught.value.code)
            return "ACTIVE"

    step = wait.handle(Response({"Table": Table()}), 1)
    assert isinstance(step, Done)
    assert set(found) == {"busy"}


def test_an_interrupt_in_a_getter_leaves_after_the_event() -> None:
    class Table:
        @property
        def TableStatus(self) -> str:  # noqa: N802
            raise KeyboardInterrupt

    wait = in_flight()
    with pytest.raises(KeyboardInterrupt):
        wait.handle(Response({"Table": Table()}), 1)
    assert wait.poll(1) == Sleep(2_001, last=False)
    assert wait.latest is not None
    assert wait.latest.reasons[0].code == "evaluation_error"


def test_the_same_seed_gives_the_same_delays() -> None:
    def delays(seed: int | None) -> list[int]:
        wait, at = started(seed=seed, max_wait=3_600), 0
        found: list[int] = []
        while len(found) < 20:
            wait.poll(at)
            step = wait.handle(Response(CREATING), at)
            assert isinstance(step, Sleep)
            found.append(step.until_ms - at)
            at = step.until_ms
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
        ({"max_wait": 60, "min_delay": 0, "max_delay": 0}, "invalid_option", "min_delay"),
        ({"max_wait": 60, "attempt_timeout": 0}, "invalid_option", "attempt_timeout"),
        ({"max_wait": 60, "attempt_timeout": -1}, "invalid_option", "attempt_timeout"),
        ({"max_wait": 60, "attempt_timeout": "5"}, "invalid_option", "attempt_timeout"),
        ({"max_attempts": 3, "final_poll": "late"}, "conflicting_options", "final_poll"),
        ({"max_wait": 60, "retry_strategy": None}, "unknown_option", "retry_strategy"),
        ({"max_wait": 60, "min_delay": 30}, "conflicting_options", "min_delay"),
        ({"max_wait": 60, "max_attempts": 0}, "invalid_option", "max_attempts"),
        ({"max_wait": 60, "initial_delay": 60}, "conflicting_options", "initial_delay"),
        ({"max_wait": 60, "seed": 2**53}, "invalid_option", "seed"),
        ({"max_wait": 60, "history_limit": -1}, "invalid_option", "history_limit"),
        ({"max_wait": 60, "final_poll": "sometimes"}, "invalid_option", "final_poll"),
        ({"max_wait": 60, "max_wiat": 60}, "unknown_option", "max_wiat"),
        ({"maxWait": 60}, "unknown_option", "maxWait"),
    ],
)
def test_bad_options(options: dict[str, Any], code: str, option: str) -> None:
    with pytest.raises(OptionsError) as caught:
        table_exists().start(**options)
    assert (caught.value.code, caught.value.option) == (code, option)
    assert isinstance(caught.value, ValueError)


MISSING = (
    "`max_wait` is missing: it must be more than 0 and at most 315360000 seconds (ten years), "
    "unless `deadline` or `max_attempts` is set"
)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, MISSING),
        (
            {"max_wait": 60, "attempt_timeout": 0},
            "`attempt_timeout` must be more than 0 and at most 315360000 seconds (ten years), got 0",
        ),
        ({"max_wait": 60, "min_delay": 30}, "`min_delay` 30 s (option) is above `max_delay` 20 s (definition)"),
        (
            {"max_wait": 60, "initial_delay": 60},
            "`initial_delay` must be less than `max_wait` 60 s, got 60 s",
        ),
        (
            {"max_wait": 60, "final_poll": "sometimes"},
            "`final_poll` must be `specification` or `late`, got `sometimes`",
        ),
        (
            {"max_attempts": 3, "final_poll": "late"},
            "`final_poll` `late` requires `max_wait` or `deadline`",
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
    shown = "Wait(waiter='TableExists', state={!r}, attempts={}, now_ms={}, deadline_ms=60000)"
    assert repr(wait) == shown.format("ready", 0, 0)
    wait.poll(0)
    assert repr(wait) == shown.format("in_flight", 1, 0)
    wait.handle(Response(CREATING), 500)
    assert repr(wait) == shown.format("sleeping", 1, 500)
    assert wait.poll(500) == Sleep(2_500, last=False)
    wait.poll(2_500)
    wait.handle(Response(ACTIVE), 2_600)
    assert repr(wait) == shown.format("done", 2, 2_600)


def test_a_wait_that_is_busy_says_so() -> None:
    wait = in_flight()
    found = []

    class Table:
        @property
        def TableStatus(self) -> str:  # noqa: N802
            found.append(repr(wait))
            return "ACTIVE"

    wait.handle(Response({"Table": Table()}), 1)
    assert set(found) == {"Wait(waiter='TableExists', state='busy')"}


def test_durations_may_be_timedeltas() -> None:
    wait = started(
        max_wait=timedelta(minutes=5),
        attempt_timeout=timedelta(minutes=1),
        min_delay=timedelta(milliseconds=1_500),
        max_delay=timedelta(milliseconds=1_500),
        initial_delay=timedelta(seconds=1),
    )
    assert wait.poll(0) == Sleep(1_000, last=False)
    assert wait.poll(1_000) == Call(1, 61_000)
    assert wait.handle(Response(CREATING), 1_000) == Sleep(2_500, last=False)
