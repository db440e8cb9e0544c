"""Pickling, copying and `repr` preserve everything."""

from __future__ import annotations

import copy
import json
import pickle
from typing import TYPE_CHECKING, Any, get_type_hints

import pytest
from botocore.exceptions import ClientError
from samples import ACTIVE, BROKEN, CREATING, NOT_FOUND, TABLE_EXISTS, TABLE_NOT_EXISTS, script, table_exists
from virtual import Clock

from smithy_waiters import (
    AttemptRecord,
    Call,
    DefinitionError,
    Delay,
    Done,
    ErrorOutcome,
    ExpressionError,
    OptionsError,
    Outcome,
    Reason,
    ResponseOutcome,
    Sleep,
    StateError,
    Waiter,
    WaiterError,
    delay,
    search,
)
from smithy_waiters.errors import WaiterAttemptsExceeded, WaiterCancelled, WaiterFailed, WaiterTimeout
from smithy_waiters.events import Cancelled, DeadlineReached, Error, Response

if TYPE_CHECKING:
    from collections.abc import Callable

DENIED = ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, "DescribeTable")


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))  # noqa: S301


def pickled_long_ago(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing, 0))  # noqa: S301


def pickled_before_classes(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing, 1))  # noqa: S301


WAYS = pytest.mark.parametrize("again", [pickled, pickled_long_ago, pickled_before_classes, copy.copy, copy.deepcopy])


def names(error: Any) -> list[str]:
    return [type(error).__name__]


class Named(Waiter):
    """A custom subclass."""

    note: str


@WAYS
def test_a_waiter(again: Callable[[Any], Any]) -> None:
    definition = TABLE_EXISTS | {"deprecated": True, "documentation": 'quoted "ä"'}
    waiter = Waiter(definition, name="TableExists", error_names=names, service_errors_only=True)
    other = again(waiter)
    assert other == waiter
    assert hash(other) == hash(waiter)
    assert other is not waiter
    for member in ("name", "documentation", "deprecated", "tags", "min_delay", "max_delay", "acceptors"):
        assert getattr(other, member) == getattr(waiter, member)
    assert (other.error_names, other.service_errors_only) == (names, True)
    assert other.resume(waiter.start(max_wait=9).to_json()).attempts == 0
    assert repr(other) == repr(waiter)


@WAYS
def test_a_waiter_of_a_subclass(again: Callable[[Any], Any]) -> None:
    waiter = Named(TABLE_EXISTS)
    waiter.note = "mine"
    other = again(waiter)
    assert (type(other), other.note, other.name) == (Named, "mine", None)


def test_waiters_compare() -> None:
    assert table_exists() == table_exists()
    assert table_exists() != Waiter(TABLE_EXISTS)
    assert table_exists() != Waiter(TABLE_EXISTS, name="TableExists", service_errors_only=True)
    assert table_exists() != Named(TABLE_EXISTS, name="TableExists")
    assert Waiter(TABLE_EXISTS) != Waiter(TABLE_NOT_EXISTS)
    assert Waiter(TABLE_EXISTS) != TABLE_EXISTS
    assert len({table_exists(), table_exists()}) == 1


def test_a_waiter_shows_a_line() -> None:
    assert repr(table_exists()) == "<Waiter TableExists: 3 acceptors, delays of 2 to 20 s>"
    assert repr(Named(TABLE_NOT_EXISTS)) == "<Named: 1 acceptor, delays of 2 to 120 s>"


@WAYS
@pytest.mark.parametrize("given", [{"response": CREATING}, {"error": DENIED}, {"error": NOT_FOUND.response}])
def test_a_verdict(again: Callable[[Any], Any], given: dict[str, Any]) -> None:
    verdict = table_exists().evaluate(**given, input={"TableName": "t"})
    other = again(verdict)
    assert other == verdict
    assert (other.state, other.acceptor, other.reasons) == (verdict.state, verdict.acceptor, verdict.reasons)
    assert other.response == given.get("response")
    assert repr(other.error) == repr(given.get("error"))


def outcome_of(*results: Any) -> Outcome[Any]:
    clock = Clock()
    call = script(*results)
    return table_exists().wait(call, max_wait=60, seed=7, clock=clock, sleep=clock.sleep, max_attempts=3)


@WAYS
def test_an_outcome(again: Callable[[Any], Any]) -> None:
    outcome = outcome_of(NOT_FOUND, CREATING, ACTIVE)
    other = again(outcome)
    assert other == outcome
    assert other.history[0].error == "ResourceNotFoundException: no such table"
    assert str(other) == f"TableExists reached its state after {outcome.elapsed:g} s and 3 attempts"
    assert repr(other) == repr(outcome) == f"<ResponseOutcome {other}>"


def test_outcomes_differ_by_their_class() -> None:
    outcome = outcome_of(ACTIVE)
    assert isinstance(outcome, ResponseOutcome | ErrorOutcome)
    match outcome:
        case ErrorOutcome():
            raise AssertionError
        case ResponseOutcome(response=response):
            assert response is ACTIVE
    assert set(get_type_hints(annotated)) == {"outcome", "return"}


def annotated(outcome: Outcome[dict[str, Any]]) -> Outcome:
    return outcome


def failure_of(kind: type[WaiterError]) -> WaiterError:
    waiter = table_exists()
    clock = Clock()
    if kind is WaiterCancelled:
        report = waiter.start(max_wait=9).handle(Cancelled(), 5)
        assert isinstance(report, Done)
        return WaiterCancelled(report)
    results: dict[type[WaiterError], list[Any]] = {
        WaiterFailed: [DENIED],
        WaiterTimeout: [CREATING, *[DENIED] * 99],
        WaiterAttemptsExceeded: [CREATING, CREATING, BROKEN],
    }
    retried = {"state": "retry", "matcher": {"errorType": "AccessDenied"}}
    if kind is WaiterTimeout:
        waiter = Waiter(TABLE_EXISTS | {"acceptors": [*TABLE_EXISTS["acceptors"], retried]}, name="TableExists")
    attempts = 2 if kind is WaiterAttemptsExceeded else None
    with pytest.raises(kind) as caught:
        waiter.wait(script(*results[kind]), max_wait=30, seed=7, clock=clock, sleep=clock.sleep, max_attempts=attempts)
    return caught.value


KINDS = pytest.mark.parametrize("kind", [WaiterFailed, WaiterTimeout, WaiterAttemptsExceeded, WaiterCancelled])


@WAYS
@KINDS
def test_a_failure(again: Callable[[Any], Any], kind: type[WaiterError]) -> None:
    failure = failure_of(kind)
    failure.note = "mine"  # type: ignore[attr-defined]
    other = again(failure)
    assert type(other) is kind
    assert (str(other), repr(other), other.explain()) == (str(failure), repr(failure), failure.explain())
    for member in ("waiter", "code", "message", "acceptor", "acceptor_text", "attempts", "elapsed", "history", "note"):
        assert getattr(other, member) == getattr(failure, member)
    assert other.response == failure.response
    assert other.__cause__ is (other.error if failure.__cause__ is failure.error else None)
    if failure.error is not None:
        assert isinstance(other.error, ClientError)
        assert other.error.response == DENIED.response


@KINDS
def test_a_failure_shows_everything(kind: type[WaiterError]) -> None:
    failure = failure_of(kind)
    assert repr(failure).startswith(f"{kind.__name__}({str(failure)!r}, waiter='TableExists', code='{failure.code}'")
    for member in ("acceptor", "attempts", "elapsed"):
        assert f"{member}={getattr(failure, member)!r}" in repr(failure)


@WAYS
@pytest.mark.parametrize(
    ("cause", "members"),
    [
        (lambda: Waiter({"acceptors": []}), {"code": "no_acceptors", "path": "acceptors", "column": None}),
        (lambda: search("a.[", {}), {"code": "invalid_expression", "column": 4}),
        (lambda: table_exists().start(max_wait=0), {"code": "invalid_option", "option": "max_wait"}),
        (lambda: table_exists().start(max_wait=9).handle(DeadlineReached(), 0), {"code": "not_in_flight"}),
    ],
    ids=["definition", "expression", "options", "state"],
)
def test_errors_of_the_caller(
    again: Callable[[Any], Any], cause: Callable[[], object], members: dict[str, Any]
) -> None:
    with pytest.raises((DefinitionError, ExpressionError, OptionsError, StateError)) as caught:
        cause()
    error = caught.value
    assert isinstance(error, ValueError) != isinstance(error, StateError)
    other = again(error)
    assert type(other) is type(error)
    assert (str(other), repr(other), other.message) == (str(error), repr(error), error.message)
    assert json.loads(json.dumps(error.to_dict())) == {"name": type(error).__name__, "message": str(error), **members}
    for member, value in members.items():
        assert getattr(error, member) == value == getattr(other, member)
        assert f"{member}={value!r}" in repr(error)


@WAYS
def test_a_wait_goes_on_elsewhere(again: Callable[[Any], Any]) -> None:
    wait = table_exists().start(max_wait=60, seed=7, input={"TableName": "t"})
    wait.poll(0)
    wait.handle(Error(NOT_FOUND), 10)
    other = again(wait)
    assert (other.attempts, other.now_ms, other.input) == (1, 10, wait.input)
    assert other.waiter == wait.waiter
    assert other.poll(9_000) == wait.poll(9_000)
    assert other.handle(Response(CREATING), 9_001) == wait.handle(Response(CREATING), 9_001)
    assert again(wait).poll(60_000).code == "timed_out"


def test_a_wait_that_is_in_flight_hands_out_its_attempt_again() -> None:
    wait = table_exists().start(max_wait=60, seed=7)
    call = wait.poll(5)
    assert pickled(wait).poll(5) == call


def steps() -> list[Any]:
    wait = table_exists().start(max_wait=60, seed=7)
    call = wait.poll(0)
    sleep = wait.handle(Response(CREATING), 1)
    attempt = wait.latest
    assert attempt is not None
    wait.poll(9_000)
    return [call, sleep, attempt, attempt.reasons[0], wait.handle(Response(BROKEN), 9_001)]


@WAYS
@pytest.mark.parametrize("place", range(5))
def test_steps_and_records_of_attempts(again: Callable[[Any], Any], place: int) -> None:
    thing = steps()[place]
    other = again(thing)
    assert other == thing
    assert type(other) is type(thing) is [Call, Sleep, AttemptRecord, Reason, Done][place]
    assert repr(other) == repr(thing)
    members = [
        name for name in dir(type(thing)) if not name.startswith("_") and name not in ("explain", "to_json", "type")
    ]
    for member in members:
        assert member == "matched" or f"{member}={getattr(thing, member)!r}" in repr(thing)


@WAYS
def test_a_delay(again: Callable[[Any], Any]) -> None:
    found = delay(attempt=3, remaining=295, min_delay=2, max_delay=120, random=0.7)
    assert again(found) == found == Delay(6.2, last=False)
    assert repr(found) == "Delay(delay=6.2, last=False)"


def test_steps_and_reasons_can_be_constructed() -> None:
    assert Call(1, 60_000) == steps()[0]
    assert Sleep(2_001, last=False) == steps()[1]
    reason = steps()[3]
    assert Reason(reason.acceptor, reason.code, reason.text) == reason
    with pytest.raises(StateError, match="unknown reason code `made_up`"):
        Reason(0, "made_up", "")
