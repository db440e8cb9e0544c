"""Edge cases of retries: the deadline, invalid results of strategies, and the sources of idempotency."""

from __future__ import annotations

import errno
import math
from typing import TYPE_CHECKING, Any

import pytest
from samples import RESET, script

from smithy_waiters import OptionsError
from smithy_waiters.retry import (
    RetryInfo,
    RetryTimeout,
    StandardRetryStrategy,
    classify,
    retry,
)
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable


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
def test_invalid_delays_of_a_strategy(delay: Any) -> None:
    expected = r"^the delay of a retry token must be a number of seconds, at least 0, got "
    with pytest.raises(OptionsError, match=expected):
        retry(script(RESET, "done"), strategy=Pauses(delay), clock=FakeClock())


@pytest.mark.parametrize("max_time", [1e-9, 0.0004, math.nan, math.inf, True])
def test_invalid_times(max_time: Any) -> None:
    with pytest.raises(OptionsError, match=r"^`max_time` must be "):
        retry(script(1), max_time=max_time)


@pytest.mark.parametrize("retry_after", [-1, math.nan, math.inf, True, "5"])
def test_invalid_delays_of_a_service(retry_after: Any) -> None:
    with pytest.raises(OptionsError, match=r"^`retry_after` must be a number of seconds, at least 0, got ."):
        RetryInfo("yes", retry_after=retry_after)


@pytest.mark.parametrize("code", ["ENETDOWN", "ENETUNREACH", "EHOSTUNREACH", "ENOTCONN", "ECONNABORTED", "EPIPE"])
def test_connections_that_failed_are_known_by_their_code(code: str) -> None:
    info = classify(OSError(getattr(errno, code), code), idempotent=True)
    assert info.retry is not None
    assert info.retry.safety == "yes"
