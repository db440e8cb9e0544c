"""The label of a wait, the values that it shows, and the summary of each attempt."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any

import pytest
from samples import script

from smithy_waiters import Done, PathValue, Waiter, WaiterError
from smithy_waiters.events import Response
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from smithy_waiters import Progress

STACK = Waiter.until("Status", "COMPLETE", fail=["ROLLBACK"], name="StackComplete", retry_errors=["Missing"])
GOING = {"Status": "GOING", "Done": 3}
FAILED = {"Status": "ROLLBACK", "Why": "no quota"}
SHOW: Any = {"show": ["Why", "Done"], "label": "orders", "max_wait": 60, "seed": 7}


def failure_of(wait: Any) -> WaiterError:
    with pytest.raises(WaiterError) as caught:
        wait()
    return caught.value


def seen_by(**options: Any) -> tuple[list[Progress[Any]], WaiterError]:
    seen: list[Progress[Any]] = []
    call = script(GOING, FAILED)
    return seen, failure_of(lambda: STACK.wait(call, on_attempt=seen.append, clock=FakeClock(), **options))


def test_progress() -> None:
    [first, second], failure = seen_by(**SHOW)
    assert (first.label, failure.label) == ("orders", "orders")
    attempt = 'attempt 1 after 0 s: retry: Status gave "GOING", expected "COMPLETE"; Done: 3; next in 2 s'
    assert first.summary == f"StackComplete orders: {attempt}"
    assert second.summary.endswith('Why: "no quota"')
    assert second.values == (PathValue("Why", '"no quota"'), PathValue("Done", "null"))
    assert failure.message.startswith("StackComplete orders: failed after 2 s and 2 attempts: ")
    assert failure.message.endswith('; Why: "no quota"')
    assert failure.history[1].values == second.values
    assert 'Why: "no quota"' in failure.explain()
    assert list(failure.to_dict())[3:5] == ["waiter", "label"]
    assert failure.to_dict()["history"][1]["values"][0] == {"path": "Why", "text": '"no quota"'}
    ways: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]  # noqa: S301
    for again in ways:
        assert again(first) == first
        other = again(failure)
        assert (other.label, other.history) == ("orders", failure.history)
    assert repr(second.values[1]) == "PathValue(path='Done', text='null')"
    assert f"values={second.values!r}" in repr(failure.history[1])
    assert f"summary={first.summary!r}" in repr(first)


def test_records_without_a_label_and_values() -> None:
    [first, _], failure = seen_by(max_wait=60)
    assert (first.label, first.values, failure.label, failure.history[0].values) == (None, (), None, ())
    assert first.summary.startswith("StackComplete: attempt 1 after 0 s: retry: ")


def test_a_wait_by_hand() -> None:
    wait = STACK.start(**SHOW)
    assert (wait.label, wait.summary) == ("orders", None)
    wait.poll(0)
    wait.handle(Response(GOING), 5)
    assert wait.summary is not None
    assert wait.summary.startswith("StackComplete orders: attempt 1 after 0.005 s: retry")
    wait = STACK.resume(wait.to_json(), elapsed_ms=10)
    assert (wait.label, wait.summary) == ("orders", None)
    wait.poll(3_000)
    done = wait.handle(Response(FAILED), 3_005)
    assert isinstance(done, Done)
    assert (done.label, done.history[0].values[0].text) == ("orders", '"no quota"')
    assert "label='orders'" in repr(done)
    assert pickle.loads(pickle.dumps(done)) == done  # noqa: S301


def test_a_predicates_paths_are_of_the_response() -> None:
    waiter = Waiter.until(lambda response: bool(response["Status"] == "COMPLETE"))
    seen: list[Progress[Any]] = []
    waiter.wait(script(GOING, {"Status": "COMPLETE"}), on_attempt=seen.append, clock=FakeClock(), **SHOW)
    assert [value.text for value in seen[0].values] == ["null", "3"]


@pytest.mark.parametrize("waiter", [STACK, Waiter.until(lambda _: False)])
def test_redacted_members_are_not_shown(waiter: Waiter) -> None:
    failure = failure_of(lambda: waiter.wait(lambda: FAILED, redact=["Why"], clock=FakeClock(), **SHOW))
    assert failure.history[0].values[0].text == "a string (redacted)"
    assert "quota" not in repr((failure, failure.history, failure.message))
