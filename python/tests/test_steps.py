"""Waits that are driven step by step."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from samples import ACTIVE, CREATING, NOT_FOUND, table_exists

from smithy_waiters import Call, Done, OptionsError, Sleep, StateError, Wait
from smithy_waiters.events import Cancelled, DeadlineReached, Error, Event, Response, Transient, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable


def started(**options: Any) -> Wait:
    return table_exists().start(**{"max_wait": 60, "seed": 7} | options)


def in_flight(**options: Any) -> Wait:
    wait = started(**options)
    wait.poll(0)
    return wait


def test_the_attributes_of_a_wait() -> None:
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


EVENTS: list[Event] = [Response(ACTIVE), Error(NOT_FOUND), Verdict(0), DeadlineReached()]


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


def test_the_attributes_of_events() -> None:
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


def test_a_getter_that_uses_the_wait_finds_it_busy() -> None:
    wait = in_flight()
    uses: list[Callable[[], object]] = [lambda: wait.poll(5), lambda: wait.handle(Cancelled(), 5), wait.to_json]
    found: list[str] = []

    class Table:
        @property
        def TableStatus(self) -> str:  # noqa: N802
            for use in uses:
                with pytest.raises(StateError) as caught:
                    use()
                found.append(caught.value.code)
            found.append(repr(wait))
            return "ACTIVE"

    step = wait.handle(Response({"Table": Table()}), 1)
    assert isinstance(step, Done)
    assert set(found) == {"busy", "Wait(waiter='TableExists', state='busy')"}


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


def test_waits_without_a_seed_draw_their_own() -> None:
    def delays() -> list[int]:
        wait, at = started(seed=None, max_wait=3_600), 0
        found: list[int] = []
        while len(found) < 20:
            wait.poll(at)
            step = wait.handle(Response(CREATING), at)
            assert isinstance(step, Sleep)
            found.append(step.until_ms - at)
            at = step.until_ms
        return found

    assert delays() != delays()


MISSING = (
    "`max_wait` is missing: it must be more than 0 and at most 315360000 seconds (ten years), "
    "unless `deadline` or `max_attempts` is set"
)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, MISSING),
        ({"max_wait": 60, "min_delay": 30}, "`min_delay` 30 s (option) is above `max_delay` 20 s (definition)"),
        (
            {"max_wait": 60, "initial_delay": 60},
            "`initial_delay` must be less than `max_wait` 60 s, got 60 s",
        ),
        (
            {"max_attempts": 3, "final_poll": "late"},
            "`final_poll` `late` requires `max_wait` or `deadline`",
        ),
    ],
)
def test_messages_name_options_as_python_does(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionsError) as caught:
        table_exists().start(**options)
    assert str(caught.value) == message


def test_the_repr_of_a_wait() -> None:
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
