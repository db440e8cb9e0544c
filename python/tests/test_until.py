"""Waiters in their short form, and waiters with further acceptors."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from samples import ACTIVE, CREATING, NOT_FOUND, TABLE_EXISTS, ClientError, script, script_async, table_exists
from virtual import now, run

from smithy_waiters import DefinitionError, OptionsError, StateError, Waiter, WaiterFailed
from smithy_waiters.events import Response
from smithy_waiters.testing import FakeClock


def is_active(response: Any) -> bool:
    return bool(response["Table"]["TableStatus"] == "ACTIVE")


def table_active(**options: Any) -> Waiter:
    return Waiter.until(
        "Table.TableStatus", "ACTIVE", fail=["BROKEN"], pending=("CREATING",), name="TableActive", **options
    )


def test_a_subclass_and_the_naming_of_errors() -> None:
    class Own(Waiter):
        pass

    waiter = Own.until("s", "x", retry_errors=["Gone"], error_names=lambda _: ["Gone"], service_errors_only=True)
    assert (type(waiter), waiter.service_errors_only) == (Own, True)
    assert waiter.evaluate(error=ValueError()).state == "retry"
    extended = waiter.extend(fail=["y"])
    assert (type(extended), extended.error_names) == (Own, waiter.error_names)
    assert extended.evaluate(error=ValueError()).state == "retry"
    assert extended.evaluate(response={"s": "y"}).state == "failure"


def test_a_definition_makes_an_equal_waiter() -> None:
    waiter = table_active()
    assert Waiter(waiter.definition, waiter.name, defaults=waiter.defaults) == waiter
    assert json.loads(json.dumps(waiter.definition)) == waiter.definition
    assert Waiter(TABLE_EXISTS).definition == TABLE_EXISTS
    # A caller may change it.
    assert waiter.definition is not waiter.definition


def test_an_extension() -> None:
    waiter = table_exists()
    extended = waiter.extend(fail=("ARCHIVED", {"errorType": "Gone"}))
    assert extended.name == "TableExists"
    assert extended.evaluate(error="Gone").acceptor == 1
    assert waiter.extend() == waiter


PREDICATES: list[Any] = [is_active, lambda response: response["Table"]["TableStatus"] == "ACTIVE"]


@pytest.mark.parametrize("predicate", PREDICATES)
def test_a_predicate(predicate: Any) -> None:
    waiter = Waiter.until(predicate, retry_errors=["ResourceNotFoundException"], name="TableActive")
    assert waiter.predicate is predicate
    outcome = waiter.wait(script(NOT_FOUND, CREATING, ACTIVE), max_wait=60, clock=FakeClock())
    assert (outcome.response, outcome.attempts) == (ACTIVE, 3)
    outcome = run(waiter.wait_async(script_async(CREATING, ACTIVE), max_wait=60, clock=now))
    assert outcome.response is ACTIVE
    assert waiter.check(lambda: CREATING).state == "retry"
    with pytest.raises(WaiterFailed, match="AccessDenied"):
        waiter.wait(script(CREATING, ClientError("AccessDenied")), max_wait=60, clock=FakeClock())
    wait = waiter.start(max_wait=60)
    wait.poll(0)
    assert wait.handle(Response(ACTIVE), 1).type == "done"


def test_a_predicate_is_asked_once_for_each_response() -> None:
    asked: list[Any] = []

    def predicate(response: Any) -> bool:
        asked.append(response)
        return is_active(response)

    waiter = Waiter.until(predicate)
    for response in (CREATING, ACTIVE):
        verdict = waiter.evaluate(response=response)
        assert verdict.reasons[0].matched is (response is ACTIVE)
        assert verdict.response is response
    assert asked == [CREATING, ACTIVE]


@pytest.mark.parametrize(("result", "state"), [(1, "success"), ([], "retry"), (None, "retry"), ("no", "success")])
def test_the_truth_value_of_a_predicates_result_counts(result: Any, state: str) -> None:
    assert Waiter.until(lambda _: result).evaluate(response=ACTIVE).state == state


def test_the_predicates_exception_is_the_callers() -> None:
    waiter = Waiter.until(lambda response: bool(response["missing"]))
    with pytest.raises(KeyError, match="missing"):
        waiter.evaluate(response=ACTIVE)
    with pytest.raises(KeyError, match="missing"):
        waiter.wait(lambda: ACTIVE, max_wait=60, clock=FakeClock())
    wait = waiter.start(max_wait=60)
    wait.poll(0)
    with pytest.raises(KeyError, match="missing"):
        wait.handle(Response(ACTIVE), 1)
    assert wait.handle(Response({"missing": True}), 2).type == "done"


def test_a_predicate_that_is_to_be_awaited_is_refused() -> None:
    async def predicate(_: Any) -> bool:
        return True

    with pytest.raises(DefinitionError, match="got a coroutine function") as caught:
        Waiter.until(predicate)  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.path) == ("wrong_type", "expression")
    hidden: Any = lambda response: predicate(response)  # noqa: E731, PLW0108
    waiter = Waiter.until(hidden)
    with pytest.raises(TypeError, match=r"must return a boolean, got an awaitable \(`coroutine`\)"):
        waiter.evaluate(response=ACTIVE)


def test_a_waiter_with_a_predicate_has_no_definition() -> None:
    waiter = Waiter.until(is_active)
    for use in (lambda: waiter.definition, lambda: waiter.extend(fail=["x"])):
        with pytest.raises(DefinitionError) as refused:
            use()
        assert refused.value.code == "predicate"
    with pytest.raises(StateError) as unsaved:
        waiter.start(max_wait=60).to_json()
    assert unsaved.value.code == "predicate"


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one, 0))])  # noqa: S301
def test_a_predicate_of_a_module_is_copied_by_its_name(again: Any) -> None:
    waiter = Waiter.until(is_active, name="TableActive", retry_errors=["Gone"])
    other = again(waiter)
    assert (other, hash(other), other.predicate) == (waiter, hash(waiter), is_active)
    assert other.evaluate(error="Gone").state == "retry"
    assert other != Waiter.until(is_active, name="TableActive")
    verdict = again(waiter.evaluate(response=ACTIVE))
    assert (verdict.state, verdict.reasons[0].matched) == ("success", True)


def test_a_lambda_is_copied_and_not_pickled() -> None:
    waiter = Waiter.until(lambda response: is_active(response))  # noqa: PLW0108
    assert copy.deepcopy(waiter) == waiter
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(waiter)


@pytest.mark.parametrize(
    ("arguments", "options", "code", "path"),
    [
        ((None,), {}, "wrong_type", "expression"),
        ((5,), {}, "wrong_type", "expression"),
        (("s", lambda _: True), {}, "invalid_json", ""),
        (("s", "x"), {"retry_errors": "Gone"}, "wrong_type", "retry_errors"),
        (("s", "x"), {"retry_errors": ["Gone", 5]}, "wrong_type", "retry_errors[1]"),
        (("s", "x"), {"any": "yes"}, "wrong_type", "any"),
        ((is_active, "x"), {}, "predicate", "expected"),
        ((is_active,), {"fail": []}, "predicate", "fail"),
        ((is_active,), {"any": True}, "predicate", "any"),
    ],
)
def test_what_is_refused(arguments: Any, options: Any, code: str, path: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        Waiter.until(*arguments, **options)
    assert (caught.value.code, caught.value.path) == (code, path)
    assert f"`{path}" in str(caught.value) or not path
    assert "retryErrors" not in str(caught.value)


def test_the_names_of_errors_are_checked_at_once() -> None:
    with pytest.raises(OptionsError, match=r"`error_names` must be a function, got 5$"):
        Waiter.until("s", "x", error_names=5)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="retry_error"):
        Waiter.until("s", "x", retry_error=["Gone"])  # type: ignore[call-overload]


class JobError(Exception):
    """A base class of a client's errors."""


class Busy(JobError):
    """A subclass."""


def test_a_class_matches_its_subclasses() -> None:
    waiter = Waiter.until("s", "x", retry_errors=[JobError, "Locked", OSError], success_errors=(LookupError,))
    verdicts = [
        (Busy(), "retry"),
        (JobError(), "retry"),
        (ConnectionResetError(), "retry"),
        (KeyError("x"), "success"),
        (type("Locked", (Exception,), {})(), "retry"),
        (type("Unlocked", (type("Locked", (Exception,), {}),), {})(), "failure"),
        (ValueError(), "failure"),
        ("Busy", "failure"),
    ]
    assert [waiter.evaluate(error=error).state for error, _ in verdicts] == [state for _, state in verdicts]
    (reason, *_) = Waiter.until("s", "x", retry_errors=[JobError]).evaluate(error=Busy("b")).reasons[1:]
    assert (reason.code, reason.text) == ("matched_by_class", "got Busy: b, by its class: it has no service code")


def test_a_class_matches_an_error_of_a_service() -> None:
    waiter = Waiter.until("s", "x", retry_errors=[ClientError], service_errors_only=True)
    assert waiter.evaluate(error=ClientError("Denied")).state == "retry"
    assert waiter.evaluate(error=ValueError()).state == "failure"


def test_a_class_is_a_part_of_the_definition() -> None:
    waiter = Waiter.until("s", "x", retry_errors=[JobError, OSError])
    names = [acceptor["matcher"]["errorType"] for acceptor in waiter.definition["acceptors"][1:]]  # type: ignore[typeddict-item]
    assert names == [f"class={__name__}.JobError", "class=OSError"]
    for again in (Waiter(waiter.definition), pickle.loads(pickle.dumps(waiter)), waiter.extend(fail=["y"])):  # noqa: S301
        assert again.evaluate(error=Busy()).state == "retry"
        assert again.evaluate(error=ValueError()).state == "failure"


def test_any_error_is_retried() -> None:
    done = Waiter.until(is_active, retry_errors="any")
    assert done.evaluate(error=ValueError()).state == "retry"
    with pytest.raises(DefinitionError, match="`retry_errors` must be an array of strings or `any`, got a string"):
        Waiter.until("s", "x", retry_errors="all")
