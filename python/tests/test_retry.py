"""Strategies, tokens and quotas, and the retry loops."""

from __future__ import annotations

import copy
import doctest
import json
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
import smithy_waiters.retry.classification
import smithy_waiters.retry.strategy
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
    from types import ModuleType

TRANSIENT = FailureInfo(retry=RetryInfo("yes"))


class HttpError(Exception):
    """An error like those of HTTP clients."""

    def __init__(self, status: int, **headers: str) -> None:
        super().__init__(f"status {status}")
        self.status_code = status
        self.headers = {name.replace("_", "-").title(): value for name, value in headers.items()}


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
    ("options", "code", "option", "words"),
    [
        (
            {"max_retries": 1, "max_attempts": 2},
            "conflicting_options",
            "max_attempts",
            "`max_retries` cannot be combined with `max_attempts`",
        ),
        ({"capacity": 5, "quota": RetryQuota(5)}, "conflicting_options", "capacity", "cannot be combined with"),
        ({"max_wait": 5}, "unknown_option", "max_wait", "`max_wait` is not an option"),
        ({"retries": 5}, "unknown_option", "retries", "not an option, did you mean `max_retries`?"),
        ({"maxBackoff": 5}, "unknown_option", "maxBackoff", "not an option, did you mean `max_backoff`?"),
        ({"qouta": 5}, "unknown_option", "qouta", "not an option, did you mean `quota`?"),
    ],
)
def test_options_that_do_not_hold(options: Any, code: str, option: str, words: str) -> None:
    with pytest.raises(OptionsError) as caught:
        StandardRetryStrategy(**options)
    assert (caught.value.code, caught.value.option) == (code, option)
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


def test_idempotent_is_a_boolean() -> None:
    options: dict[str, Any] = {"idempotent": "yes"}
    with pytest.raises(OptionsError, match=r"^`idempotent` must be a boolean, got a string$") as caught:
        again(script(1), **options)
    assert (caught.value.code, caught.value.option) == ("invalid_option", "idempotent")


def test_the_members_of_a_failure() -> None:
    info = RetryInfo("yes", throttle=True, retry_after=timedelta(seconds=1.5))
    failure = FailureInfo(retry=info, fault="server")
    assert (info.safety, info.throttle, info.timeout, info.retry_after) == ("yes", True, False, 1.5)
    assert (failure.retry, failure.fault) == (info, "server")
    assert repr(info) == "RetryInfo('yes', throttle=True, timeout=False, retry_after=1.5)"
    for thing in (info, failure, FailureInfo()):
        assert pickle.loads(pickle.dumps(thing)) == copy.copy(thing) == thing  # noqa: S301
    bad: Any
    for bad in ({"safety": "perhaps"}, {"safety": "yes", "retry_after": -1}, {"safety": "yes", "retry_after": "1"}):
        with pytest.raises(OptionsError):
            RetryInfo(**bad)
    bad = "mine"
    with pytest.raises(OptionsError, match="`fault` must be"):
        FailureInfo(fault=bad)


def again(call: Callable[..., Any], clock: FakeClock | None = None, **options: Any) -> Any:
    usual: dict[str, Any] = {"idempotent": True, "clock": clock or FakeClock()}
    options = usual | {"strategy": StandardRetryStrategy(seed=7)} | options
    return retry(call, **options)


def test_a_call_that_succeeds_in_the_end() -> None:
    clock = FakeClock()
    seen: list[RetryProgress] = []
    strategy = StandardRetryStrategy(seed=7)
    assert again(script(RESET, RESET, "content"), clock, strategy=strategy, on_failure=seen.append) == "content"
    assert [one.attempt for one in seen] == [1, 2]
    assert clock.sleeps == [one.delay for one in seen]
    assert (seen[0].error, seen[0].end, seen[0].reason, seen[0].note) == (RESET, None, None, None)
    assert seen[0].failure.retry == RetryInfo("yes")
    assert strategy.quota is not None
    assert strategy.quota.available == 500 - 10 + 1


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


def test_cancelled() -> None:
    cancel = threading.Event()
    strategy = StandardRetryStrategy(fixed_delay=10)

    def call() -> Any:
        cancel.set()
        raise RESET

    with pytest.raises(RetryCancelled) as caught:
        again(call, cancel=cancel, strategy=strategy)
    assert (caught.value.code, caught.value.attempts, caught.value.error) == ("cancelled", 1, RESET)
    assert caught.value.__cause__ is RESET
    with pytest.raises(RetryCancelled) as caught:
        again(call, cancel=cancel)
    assert caught.value.attempts == 0
    assert json.dumps(caught.value.to_dict())


def test_a_base_exception_is_raised_unchanged() -> None:
    with pytest.raises(KeyboardInterrupt):
        again(script(RESET, KeyboardInterrupt()))


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


READY = Waiter(
    {
        "acceptors": [
            {"state": "success", "matcher": {"output": {"path": "S", "expected": "OK", "comparator": "stringEquals"}}},
            {"state": "failure", "matcher": {"output": {"path": "S", "expected": "BAD", "comparator": "stringEquals"}}},
            {"state": "success", "matcher": {"errorType": "Gone"}},
            {"state": "retry", "matcher": {"errorType": "NotFound"}},
        ]
    }
)


def test_the_progress_of_a_request_with_a_policy() -> None:
    seen: list[RetryProgress] = []
    with pytest.raises(ConnectionResetError):
        again(script(RESET), policy=READY, on_failure=seen.append)
    assert (seen[0].end, seen[0].error, seen[0].response) == ("failed", RESET, None)
    with pytest.raises(RetryError):
        again(script({"S": "BAD"}), policy=READY, on_failure=seen.append)
    assert (seen[1].error, seen[1].response) == (None, {"S": "BAD"})


def test_the_limits_of_a_strategy_of_its_own() -> None:
    throttled = HttpError(429)
    for options, calls in (({"max_retries": 1}, 2), ({"max_attempts": 3, "seed": 7}, 3), ({"max_retries": None}, 6)):
        seen: list[RetryProgress] = []
        with pytest.raises(HttpError):
            retry(script(*[throttled] * 9), on_failure=seen.append, clock=FakeClock(), **options)
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
        ({"policy": {}}, "policy"),
        ({"max_time": 0}, "max_time"),
        ({"max_time": "5"}, "max_time"),
        ({"max_time": True}, "max_time"),
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


@pytest.mark.parametrize(
    "where", [smithy_waiters.retry, smithy_waiters.retry.strategy, smithy_waiters.retry.classification]
)
def test_the_examples_run(where: ModuleType) -> None:
    found = doctest.testmod(where)
    assert found.attempted > 0
    assert found.failed == 0


def test_everything_is_documented() -> None:
    for name in smithy_waiters.retry.__all__:
        thing = getattr(smithy_waiters.retry, name)
        assert thing.__doc__ or name in vars(literals), name
    assert classify(ValueError()) == FailureInfo()
    assert repr(StandardRetryStrategy().acquire_initial_token()) == "StandardRetryToken(delay=0.0, retries=0)"
    assert StandardRetryToken.__doc__
