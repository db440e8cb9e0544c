"""Edge cases of retries: the deadline, invalid results of strategies, and the sources of idempotency."""

from __future__ import annotations

import errno
import math
from typing import TYPE_CHECKING, Any

import pytest
from libraries import EACH, Library
from samples import RESET, script, script_async

from smithy_waiters import OptionsError
from smithy_waiters.operation import Operation
from smithy_waiters.retry import (
    RetryInfo,
    RetryProgress,
    RetryTimeout,
    StandardRetryStrategy,
    classify,
    retry,
    retry_async,
)
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable

MODEL = {
    "shapes": {
        "demo#Get": {"type": "operation", "traits": {"smithy.api#readonly": {}}},
        "demo#Create": {"type": "operation"},
    }
}


class Busy(Exception):
    """A throttled request with the delay that the service requests."""

    def __init__(self, seconds: int) -> None:
        super().__init__("busy")
        self.status_code = 429
        self.headers = {"Retry-After": str(seconds)}


class LateClock(FakeClock):
    """A clock whose sleeps take a second too long."""

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds + 1)

    async def sleep_async(self, seconds: float) -> None:
        self.advance(seconds + 1)


def counted(call: Callable[[], Any]) -> tuple[list[int], Callable[[], Any]]:
    calls: list[int] = []

    def counting() -> Any:
        calls.append(len(calls))
        return call()

    return calls, counting


def test_no_attempt_begins_when_the_time_is_over() -> None:
    calls, call = counted(script(RESET, RESET, "late"))
    strategy = StandardRetryStrategy(fixed_delay=4.5)
    with pytest.raises(RetryTimeout) as caught:
        retry(call, strategy=strategy, idempotent=True, max_time=5, clock=LateClock())
    assert (len(calls), caught.value.code, caught.value.attempts) == (1, "out_of_time", 1)
    assert caught.value.__cause__ is RESET
    assert strategy.quota is not None
    assert strategy.quota.available == 500


@EACH
def test_no_awaited_attempt_begins_when_the_time_is_over(library: Library) -> None:
    async def main() -> None:
        strategy = StandardRetryStrategy(fixed_delay=4.5)
        call = script_async(RESET, "late")
        with pytest.raises(RetryTimeout) as caught:
            await retry_async(call, strategy=strategy, idempotent=True, max_time=5, clock=LateClock())
        assert (caught.value.attempts, caught.value.__cause__) == (1, RESET)

    library.run(main)


def test_a_retry_for_which_no_time_is_left_costs_nothing() -> None:
    strategy = StandardRetryStrategy()
    with pytest.raises(Busy):
        retry(script(Busy(60)), strategy=strategy, max_time=60, clock=FakeClock())
    assert strategy.quota is not None
    assert strategy.quota.available == 500


class Pauses:
    """A strategy with a single delay."""

    def __init__(self, delay: Any) -> None:
        self.delay = delay

    def acquire_initial_token(self) -> Any:
        return type("Token", (), {"delay": 0})()

    def refresh_retry_token(self, _: Any, __: Any) -> Any:
        return type("Token", (), {} if self.delay is ... else {"delay": self.delay})()

    def record_success(self, token: Any) -> None:
        pass


@pytest.mark.parametrize("delay", [-1, True, math.nan, math.inf, None, "1", ...])
def test_delays_of_a_strategy_that_are_none(delay: Any) -> None:
    expected = r"^the delay of a retry token must be a number of seconds, at least 0, got "
    with pytest.raises(OptionsError, match=expected):
        retry(script(RESET, "done"), strategy=Pauses(delay), clock=FakeClock())


@pytest.mark.parametrize("max_time", [0, -1, 1e-9, 0.0004, math.nan, math.inf, True, "5", 315_360_001])
def test_times_that_are_none(max_time: Any) -> None:
    with pytest.raises(OptionsError, match=r"^`max_time` must be "):
        retry(script(1), max_time=max_time)


@pytest.mark.parametrize("retry_after", [-1, math.nan, math.inf, True, "5"])
def test_pauses_that_are_none(retry_after: Any) -> None:
    with pytest.raises(OptionsError, match=r"^`retry_after` must be a number of seconds, at least 0, got ."):
        RetryInfo("yes", retry_after=retry_after)


def is_retried(**options: Any) -> bool:
    try:
        return bool(retry(script(RESET, 1), clock=FakeClock(), **options) == 1)
    except ConnectionResetError:
        return False


def test_the_callers_word_counts_over_the_operations() -> None:
    get, create = (Operation.from_model(MODEL, name) for name in ("Get", "Create"))
    assert is_retried(operation=get)
    assert is_retried(operation=get, idempotent=None)
    assert not is_retried(operation=get, idempotent=False)
    assert not is_retried(operation=create)
    assert is_retried(operation=create, idempotent=True)


def test_what_is_not_known_to_be_idempotent_is_said() -> None:
    told: list[RetryProgress] = []
    with pytest.raises(ConnectionResetError):
        retry(script(RESET), on_failure=told.append)
    [progress] = told
    assert progress.end == "not_retryable"
    assert progress.reason == "the error is not retryable: the request is not known to be idempotent"
    assert progress.note is not None
    assert progress.note.code == "not_idempotent"
    with pytest.raises(ValueError, match="bug"):
        retry(script(ValueError("bug")), on_failure=told.append)
    assert (told[1].reason, told[1].note) == ("the error is not retryable", None)


@pytest.mark.parametrize("code", ["ENETDOWN", "ENETUNREACH", "EHOSTUNREACH", "ENOTCONN", "ECONNABORTED", "EPIPE"])
def test_connections_that_failed_are_known_by_their_code(code: str) -> None:
    info = classify(OSError(getattr(errno, code), code), idempotent=True)
    assert info.retry is not None
    assert info.retry.safety == "yes"
