"""Verdicts on single responses and errors."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError as BotoClientError
from botocore.exceptions import ConnectTimeoutError
from samples import ACTIVE, BROKEN, CREATING, TABLE_EXISTS, TABLE_NOT_EXISTS, ClientError, table_exists

from smithy_waiters import OptionsError, Verdict, Waiter, _engine, events, search

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("arguments", "code"),
    [({}, "missing_option"), ({"response": 1, "error": 2}, "conflicting_options")],
)
def test_exactly_one_of_response_and_error(arguments: dict[str, Any], code: str) -> None:
    with pytest.raises(OptionsError) as caught:
        table_exists().evaluate(**arguments)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("error", "got"),
    [
        (KeyError, r"not its class: `KeyError\(\)`"),
        (3, "got 3"),
        (True, "got True"),
        (b"Gone", "got b'Gone'"),
        (["Gone"], r"got \['Gone'\]"),
    ],
)
def test_invalid_errors(error: Any, got: str) -> None:
    with pytest.raises(OptionsError, match=f"^`error` must be an exception or the name of one, {got}$") as caught:
        table_exists().evaluate(error=error)
    assert (caught.value.code, caught.value.option) == ("invalid_option", "error")


class ResourceNotFoundException(Exception):
    """An error of a client with a class for each error."""


class Derived(ResourceNotFoundException):
    """Base classes never match."""


BOTO_NOT_FOUND = BotoClientError(
    {"Error": {"Code": "ResourceNotFoundException", "Message": "no such table"}}, "DescribeTable"
)


@pytest.mark.parametrize(
    ("error", "state", "code"),
    [
        (BOTO_NOT_FOUND, "success", "matched"),
        (ResourceNotFoundException(), "success", "matched_by_class"),
        (Derived(), "failure", "not_equal"),
        (ClientError("AccessDenied"), "failure", "not_equal"),
        (ConnectTimeoutError(endpoint_url="http://localhost"), "failure", "not_equal"),
        (Exception("ResourceNotFoundException"), "failure", "null"),
        (None, "failure", "null"),
    ],
)
def test_errors_by_name(error: Any, state: str, code: str) -> None:
    verdict = Waiter(TABLE_NOT_EXISTS).evaluate(error=error)
    assert (verdict.state, verdict.reasons[0].code) == (state, code)
    assert verdict.error is error


@pytest.mark.parametrize(
    "response",
    [None, {}, {"Error": None}, {"Error": {"Code": 404}}, "text", 5],
)
def test_an_error_without_a_code_goes_by_its_class(response: Any) -> None:
    error = ResourceNotFoundException()
    error.response = response  # type: ignore[attr-defined]
    assert Waiter(TABLE_NOT_EXISTS).evaluate(error=error).reasons[0].code == "matched_by_class"


class Silent(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


def test_an_error_that_cannot_be_shown_is_still_looked_at() -> None:
    assert "Silent" in Waiter(TABLE_NOT_EXISTS).evaluate(error=Silent()).reasons[0].text


@pytest.mark.parametrize(
    ("code", "line"),
    [("404", "404 or NotFound: Not Found (HeadBucket)"), ("403", "403: Not Found (HeadBucket)"), ("X", "X: Not Found")],
)
def test_a_status_without_a_body_is_shown_with_its_operation(code: str, line: str) -> None:
    error = ClientError(code, "Not Found")
    error.operation_name = "HeadBucket"  # type: ignore[attr-defined]
    text = table_exists().evaluate(error=error).reasons[2].text
    assert text == f"got {line}, expected ResourceNotFoundException"


def test_verdicts_compare_and_show() -> None:
    waiter = table_exists()
    verdict = waiter.evaluate(response=ACTIVE)
    assert verdict == waiter.evaluate(response=ACTIVE)
    assert hash(verdict) == hash(waiter.evaluate(response=ACTIVE))
    assert verdict != waiter.evaluate(response=CREATING)
    assert verdict != "success"
    assert repr(verdict) == f"Verdict(state='success', acceptor=0, response={ACTIVE!r})"


def test_a_property_that_fails_is_no_match() -> None:
    class Table:
        @property
        def TableStatus(self) -> str:  # noqa: N802
            raise ValueError("first line\nsecond line")

    verdict = table_exists().evaluate(response={"Table": Table()})
    assert verdict.state == "retry"
    assert verdict.reasons[0].code == "evaluation_error"
    assert verdict.reasons[0].text.endswith("ValueError: first line")


@pytest.mark.parametrize(
    "read",
    [
        lambda response: table_exists().evaluate(response=response),
        lambda response: table_exists().wait(lambda: response, max_wait=60),
        lambda response: search("Table.TableStatus", response),
    ],
)
def test_an_interrupt_in_a_property_is_not_swallowed(read: Callable[[Any], object]) -> None:
    class Table:
        @property
        def TableStatus(self) -> str:  # noqa: N802
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read({"Table": Table()})


def test_a_getter_may_ask_the_same_waiter() -> None:
    waiter = table_exists()

    class Table:
        @property
        def TableStatus(self) -> str:  # noqa: N802
            assert waiter.evaluate(response=BROKEN).state == "failure"
            return "ACTIVE"

    assert waiter.evaluate(response={"Table": Table()}).state == "success"


class Held(dict[str, Any]):
    """An object of the caller: an answer, an error, an input or a function."""

    def __call__(self, *_: object) -> None: ...


@pytest.mark.parametrize(
    "holder",
    [
        lambda held: table_exists().evaluate(response=held),
        lambda held: table_exists().evaluate(error=held),
        lambda held: table_exists().evaluate(response=ACTIVE, input=held),
        lambda held: Waiter(TABLE_EXISTS, error_names=held),
        lambda held: Waiter(TABLE_EXISTS, error_names=held).evaluate(response=ACTIVE),
        lambda held: Waiter(TABLE_EXISTS, error_names=held).start(max_wait=1),
        lambda held: Waiter(TABLE_EXISTS, error_names=held).fleet(len, items="list[]", key="id"),
        Waiter.until,
        lambda held: table_exists().start(input=held, max_wait=1),
        events.Response,
        events.Error,
        lambda held: events.Verdict(None, held),
    ],
)
def test_what_holds_an_object_in_a_cycle_is_collected(holder: Callable[[Any], object]) -> None:
    held = Held(ACTIVE)
    held["holder"] = holder(held)
    gone = weakref.ref(held)
    del held
    gc.collect()
    assert gone() is None


def test_a_verdict_is_of_the_responses_type() -> None:
    annotation: Any = Verdict[dict[str, Any]]
    assert annotation.__origin__ is Verdict


def test_a_subclass_cannot_decide_waits_by_evaluate() -> None:
    words = r"^waits do not call the `evaluate` of a subclass: use `Waiter.until` with a predicate$"
    with pytest.raises(TypeError, match=words):

        class Mine(Waiter):
            def evaluate(self, **seen: Any) -> Verdict:
                return super().evaluate(**seen)

    class Other(Waiter):
        """A subclass with another method."""

    assert Other(TABLE_EXISTS).evaluate(response=ACTIVE).state == "success"


def test_between_a_caller_and_the_engine_there_is_no_python() -> None:
    """A function in Python would take three times as long as the verdict."""
    assert Waiter.evaluate is _engine.Waiter.evaluate
