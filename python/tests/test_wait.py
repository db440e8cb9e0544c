"""The blocking driver."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING, Any

import pytest
from samples import ACTIVE, CREATING, NOT_FOUND, script, slow, table_exists
from virtual import Clock

from smithy_waiters import (
    Attempt,
    Progress,
    ResponseOutcome,
    Waiter,
    WaiterFailed,
    WaiterTimeout,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from smithy_waiters import AcceptorDefinition


def wait(call: Callable[..., Any], clock: Clock | None = None, **options: Any) -> Any:
    clock = clock or Clock()
    return table_exists().wait(call, clock=clock, sleep=clock.sleep, **{"max_wait": 60, "seed": 7} | options)


def test_a_response_may_be_none() -> None:
    waiter = Waiter({"acceptors": [{"state": "success", "matcher": {"success": True}}]})
    outcome = waiter.wait(lambda: None, max_wait=60)
    assert isinstance(outcome, ResponseOutcome)
    assert (outcome.result, outcome.response, outcome.error) == ("response", None, None)


def test_a_late_response_is_carried_and_not_matched() -> None:
    clock = Clock()
    with pytest.raises(WaiterTimeout) as caught:
        wait(slow(clock.pass_by, 61, ACTIVE), clock)
    assert caught.value.response is ACTIVE
    assert caught.value.history[0].result == "late"
    assert caught.value.attempts == 1


def test_no_call_at_or_after_the_deadline() -> None:
    clock = Clock()

    def oversleep(_: float) -> None:
        clock.pass_by(60)

    with pytest.raises(WaiterTimeout) as caught:
        table_exists().wait(script(CREATING), max_wait=60, clock=clock, sleep=oversleep)
    assert caught.value.attempts == 1


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt(), SystemExit(3), GeneratorExit()])
def test_a_base_exception_is_raised_unchanged(interrupt: BaseException) -> None:
    with pytest.raises(type(interrupt)) as caught:
        wait(script(CREATING, interrupt))
    assert caught.value is interrupt


class Odd(Exception):
    """An error whose `__str__` raises."""

    @property
    def response(self) -> Any:
        raise RuntimeError("no response")

    def __str__(self) -> str:
        raise ValueError("no words")


@pytest.mark.parametrize("error", [Odd(), Exception(), Exception("\ud800"), OSError(2, "no file"), TypeError()])
def test_errors_of_any_kind_are_results(error: Exception) -> None:
    with pytest.raises(WaiterFailed) as caught:
        wait(script(error))
    assert caught.value.code == "unmatched_error"
    assert caught.value.error is error


def test_progress() -> None:
    seen: list[Progress] = []
    clock = Clock()

    def call() -> Any:
        clock.pass_by(0.25)
        return ACTIVE if len(seen) == 2 else CREATING

    wait(call, clock, on_attempt=seen.append)
    assert [(one.attempt, one.state, one.acceptor) for one in seen] == [
        (1, "retry", None),
        (2, "retry", None),
        (3, "success", 0),
    ]
    first, second, third = seen
    assert (first.delay, first.elapsed, first.remaining, first.next_is_last) == (2.0, 0.25, 59.75, False)
    assert second.elapsed == 2.5
    assert third.delay is None
    assert (first.response, first.error) == (CREATING, None)
    assert third.reasons[0].matched


def test_progress_of_errors_and_late_calls() -> None:
    seen: list[Progress] = []
    clock = Clock()

    def call() -> Any:
        if not seen:
            raise NOT_FOUND
        clock.pass_by(100)
        return ACTIVE

    with pytest.raises(WaiterTimeout):
        wait(call, clock, on_attempt=seen.append, history_limit=0)
    assert seen[0].error is NOT_FOUND
    assert (seen[1].state, seen[1].response, seen[1].remaining) == (None, ACTIVE, 0)


def test_an_exception_of_a_callback_is_raised() -> None:
    bug = ValueError("a bug in the callback")
    with pytest.raises(ValueError, match="a bug") as caught:
        wait(lambda: CREATING, on_attempt=lambda _: script(bug)())
    assert caught.value is bug


class Service:
    def __init__(self) -> None:
        self.seen: list[Attempt] = []

    def describe(self, attempt: Attempt) -> Any:
        self.seen.append(attempt)
        return CREATING if attempt.number == 1 else ACTIVE

    def __call__(self, attempt: Attempt, /) -> Any:
        return self.describe(attempt)


@pytest.mark.parametrize("pick", [lambda service: service.describe, lambda service: service])
def test_a_call_that_wants_one_argument_is_given_the_attempt(pick: Callable[[Service], Any]) -> None:
    service = Service()
    wait(pick(service))
    assert service.seen == [Attempt(number=1, remaining=60.0), Attempt(number=2, remaining=58.0)]


def test_a_coroutine_function_is_for_wait_async() -> None:
    async def call() -> Any:
        return ACTIVE

    with pytest.raises(TypeError, match="wait_async"):
        wait(call)
    with pytest.raises(TypeError, match="check_async"):
        table_exists().check(call)


def test_check() -> None:
    verdict = table_exists().check(lambda: CREATING)
    assert (verdict.state, verdict.response) == ("retry", CREATING)
    verdict = table_exists().check(script(NOT_FOUND))
    assert (verdict.state, verdict.acceptor, verdict.error) == ("retry", 2, NOT_FOUND)
    with pytest.raises(KeyboardInterrupt):
        table_exists().check(script(KeyboardInterrupt()))


def test_the_noise_of_floating_point_makes_no_naps() -> None:
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)

    table_exists().wait(
        script(*[CREATING] * 20, ACTIVE), max_wait=3_600, seed=3, clock=lambda: 0.1 + sum(slept), sleep=sleep
    )
    assert len(slept) == 20


def test_errors_are_freed_without_the_collector() -> None:
    alive: weakref.WeakSet[Heavy] = weakref.WeakSet()

    class Heavy(Exception):
        def __init__(self) -> None:
            alive.add(self)

    def call(attempt: Attempt) -> Any:
        if attempt.number == 1:
            raise Heavy
        return ACTIVE

    heavy: AcceptorDefinition = {"state": "retry", "matcher": {"errorType": "Heavy"}}
    waiter = Waiter({"acceptors": [{"state": "success", "matcher": {"success": True}}, heavy]})
    clock = Clock()
    gc.disable()
    try:
        assert waiter.wait(call, max_wait=60, clock=clock, sleep=clock.sleep).attempts == 2
        assert not alive
    finally:
        gc.enable()


def test_real_time_is_the_default() -> None:
    outcome = table_exists().wait(lambda: ACTIVE, max_wait=60)
    assert 0 <= outcome.elapsed < 60
