"""Strategies, tokens and quotas, and the retry loops."""

from __future__ import annotations

import copy
import errno
import json
import math
import pickle
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from libraries import EACH, Library
from samples import RESET, script

import smithy_waiters.retry
from smithy_waiters import OptionsError, Waiter, literals
from smithy_waiters.retry import (
    FailureInfo,
    NoRetries,
    RetryCancelled,
    RetryError,
    RetryInfo,
    RetryProgress,
    RetryQuota,
    RetryRefusal,
    StandardRetryStrategy,
    StandardRetryToken,
    TokenError,
    classify,
    retry,
    retry_async,
)
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable

READY = Waiter.until("S", "OK", fail=["BAD"])
TRANSIENT = FailureInfo(retry=RetryInfo("yes"))


class Throttled(Exception):
    """A throttled request."""

    status_code = 429


def test_tokens_of_another_type() -> None:
    foreign: Any = "token"
    for strategy in (StandardRetryStrategy(), NoRetries()):
        with pytest.raises(TokenError, match="issued by another strategy") as caught:
            strategy.record_success(foreign)
        assert (caught.value.code, isinstance(caught.value, ValueError)) == ("foreign_token", True)


def test_a_quota_that_is_shared() -> None:
    quota = RetryQuota(12)
    one, other = StandardRetryStrategy(quota=quota), StandardRetryStrategy(quota=quota, max_retries=9)
    assert one.quota is other.quota is quota
    assert repr(quota) == "RetryQuota(capacity=12, available=12)"
    assert StandardRetryStrategy(unlimited=True).quota is None


def test_a_quota_under_many_threads_loses_nothing() -> None:
    strategy = StandardRetryStrategy(capacity=1000, retry_cost=1, base_delay=0, max_backoff=0, throttling_base_delay=0)
    paid: list[int] = []

    def ask(_: int) -> None:
        count = 0
        for _ in range(200):
            try:
                strategy.refresh_retry_token(strategy.acquire_initial_token(), TRANSIENT)
            except RetryRefusal:
                continue
            count += 1
        paid.append(count)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(ask, range(16)))
    assert strategy.quota is not None
    assert (sum(paid), strategy.quota.available) == (1000, 0)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("max_wait", "`max_wait` is not an option"),
        ("retries", "not an option, did you mean `max_retries`?"),
        ("maxBackoff", "not an option, did you mean `max_backoff`?"),
        ("qouta", "not an option, did you mean `quota`?"),
    ],
)
def test_options_of_a_strategy_that_there_are_not(option: str, words: str) -> None:
    with pytest.raises(OptionsError) as caught:
        StandardRetryStrategy(**{option: 5})  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.option) == ("unknown_option", option)
    assert words in str(caught.value)


def test_a_class_is_not_a_strategy() -> None:
    with pytest.raises(OptionsError) as caught:
        again(script(1), strategy=StandardRetryStrategy)
    got = "got the class `StandardRetryStrategy`: pass an instance, `StandardRetryStrategy()`"
    assert str(caught.value) == f"`strategy` must be a retry strategy, {got}"


@pytest.mark.parametrize(("quota", "got"), [(3, "3"), (RetryQuota, "the class `RetryQuota`"), ({}, "`dict`")])
def test_a_quota_of_another_type(quota: Any, got: str) -> None:
    with pytest.raises(OptionsError) as caught:
        StandardRetryStrategy(quota=quota)
    assert str(caught.value) == f"`quota` must be a `RetryQuota`, got {got}"
    assert (caught.value.code, caught.value.option) == ("invalid_option", "quota")


def test_the_members_of_a_failure() -> None:
    info = RetryInfo("yes", throttle=True, retry_after=timedelta(seconds=1.5))
    failure = FailureInfo(retry=info, fault="server")
    assert (info.safety, info.throttle, info.timeout, info.retry_after) == ("yes", True, False, 1.5)
    assert (failure.retry, failure.fault) == (info, "server")
    assert repr(info) == "RetryInfo('yes', throttle=True, timeout=False, retry_after=1.5)"
    for thing in (info, failure, FailureInfo()):
        assert pickle.loads(pickle.dumps(thing)) == copy.copy(thing) == thing  # noqa: S301


def again(call: Callable[..., Any], clock: FakeClock | None = None, **options: Any) -> Any:
    usual: dict[str, Any] = {"idempotent": True, "clock": clock or FakeClock()}
    options = usual | {"strategy": StandardRetryStrategy(seed=7)} | options
    return retry(call, **options)


def test_the_error_of_the_last_attempt_is_raised_as_it_is() -> None:
    seen: list[RetryProgress] = []
    error = ConnectionResetError("the last")
    with pytest.raises(ConnectionResetError) as caught:
        again(script(RESET, RESET, error), strategy=StandardRetryStrategy(max_retries=2), on_failure=seen.append)
    assert caught.value is error
    assert error.__cause__ is None
    if sys.version_info >= (3, 11):
        assert error.__notes__ == ["smithy_waiters: failed after 3 attempts: 2 retries were made, no more are allowed"]
    assert [one.end for one in seen] == [None, None, "max_retries"]
    assert seen[2].delay is None


def test_a_cancellation_is_plain_data() -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(RetryCancelled) as caught:
        again(script(1), cancel=cancel)
    assert json.loads(json.dumps(caught.value.to_dict()))["code"] == "cancelled"


def test_errors_that_only_the_caller_knows() -> None:
    class Busy(Exception):
        pass

    def known(error: Exception) -> FailureInfo | None:
        return FailureInfo(retry=RetryInfo("yes", retry_after=2)) if isinstance(error, Busy) else None

    clock = FakeClock()
    assert again(script(Busy(), RESET, 1), clock, classify=known) == 1
    assert clock.sleeps[0] == 2
    with pytest.raises(Busy):
        again(script(Busy()))


def test_a_strategy_without_retries() -> None:
    seen: list[Any] = []
    with pytest.raises(ConnectionResetError):
        again(script(RESET), strategy=NoRetries(), on_failure=seen.append)
    assert [(one.end, one.reason) for one in seen] == [("max_retries", "no retries are allowed")]


def test_the_progress_of_a_request_with_a_policy() -> None:
    seen: list[RetryProgress] = []
    with pytest.raises(ConnectionResetError):
        again(script(RESET), policy=READY, on_failure=seen.append)
    assert (seen[0].end, seen[0].error, seen[0].response) == ("failed", RESET, None)
    assert seen[0].failure.retry == RetryInfo("yes")
    with pytest.raises(RetryError):
        again(script({"S": "BAD"}), policy=READY, on_failure=seen.append)
    assert (seen[1].error, seen[1].response) == (None, {"S": "BAD"})


def test_the_limits_of_a_strategy_of_its_own() -> None:
    for options, calls in (({"max_retries": 1}, 2), ({"max_attempts": 3, "seed": 7}, 3), ({"max_retries": None}, 6)):
        seen: list[RetryProgress] = []
        with pytest.raises(Throttled):
            retry(script(*[Throttled()] * 9), on_failure=seen.append, clock=FakeClock(), **options)
        assert len(seen) == calls
    with pytest.raises(
        OptionsError, match=r"^`max_retries` cannot be combined with `strategy`, which has its own limits$"
    ) as caught:
        again(script(1), max_retries=1)
    assert (caught.value.code, caught.value.option) == ("conflicting_options", "max_retries")


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"strategy": 5}, "strategy"),
        ({"on_failure": 5}, "on_failure"),
        ({"classify": 5}, "classify"),
        ({"cancel": 5}, "cancel"),
        ({"operation": 5}, "operation"),
    ],
)
def test_bad_options_of_a_request(options: Any, option: str) -> None:
    with pytest.raises(OptionsError) as caught:
        again(script(1), **options)
    assert (caught.value.code, caught.value.option) == ("invalid_option", option)


def test_options_that_there_are_not() -> None:
    for option, words in (
        ("stratgy", ", did you mean `strategy`?"),
        ("maxTime", ", did you mean `max_time`?"),
        ("x", ""),
    ):
        with pytest.raises(OptionsError) as caught:
            again(script(1), None, **{option: 1})
        assert caught.value.message == f"`{option}` is not an option{words}"
        assert (caught.value.code, caught.value.option) == ("unknown_option", option)


@EACH
async def test_a_cancellation_from_outside_leaves_unchanged(library: Library) -> None:
    async def call() -> Any:
        await library.event().wait()

    error = await library.cancel_after(3, lambda: retry_async(call))
    assert type(error) is library.cancelled


def test_everything_is_documented() -> None:
    for name in smithy_waiters.retry.__all__:
        thing = getattr(smithy_waiters.retry, name)
        assert thing.__doc__ or name in vars(literals), name
    assert classify(ValueError()) == FailureInfo()
    assert repr(StandardRetryStrategy().acquire_initial_token()) == "StandardRetryToken(delay=0.0, retries=0)"
    assert StandardRetryToken.__doc__


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
