"""Retries whose tokens are acquired but which never run: the tokens return to the quota."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

import pytest
from libraries import EACH, Library
from samples import RESET, script, script_async

from smithy_waiters import OptionsError
from smithy_waiters.retry import (
    RetryProgress,
    RetryRefusal,
    StandardRetryStrategy,
    TokenError,
    retry,
    retry_async,
)
from smithy_waiters.testing import FakeClock


class Throttled(Exception):
    """A throttled request."""

    status_code = 429


def left(strategy: StandardRetryStrategy) -> int:
    assert strategy.quota is not None
    return strategy.quota.available


def interrupted(_: float) -> None:
    raise KeyboardInterrupt


def test_a_request_that_ends_in_its_pause_costs_nothing() -> None:
    strategy = StandardRetryStrategy()
    with pytest.raises(KeyboardInterrupt):
        retry(script(Throttled()), strategy=strategy, sleep=interrupted)
    assert left(strategy) == 500


def test_a_hook_that_raises_comes_before_the_attempt() -> None:
    strategy = StandardRetryStrategy()

    def bug(_: RetryProgress) -> None:
        assert left(strategy) == 495
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - the error of the bug.
        retry(script(Throttled()), strategy=strategy, on_failure=bug, clock=FakeClock())
    assert left(strategy) == 500


def test_an_attempt_that_was_made_has_its_price() -> None:
    strategy = StandardRetryStrategy()
    with pytest.raises(KeyboardInterrupt):
        retry(script(Throttled(), KeyboardInterrupt()), strategy=strategy, clock=FakeClock())
    assert left(strategy) == 495


@EACH
async def test_a_cancellation_from_outside_costs_nothing(library: Library) -> None:
    strategy = StandardRetryStrategy(fixed_delay=1_000)

    event = library.event()
    request = lambda: retry_async(script_async(Throttled()), strategy=strategy, sleep=lambda _: event.wait())  # noqa: E731
    await library.cancel_after(3, request)
    assert left(strategy) == 500


class Pause:
    """A token."""

    def __init__(self, delay: Any) -> None:
        self.delay = delay


class _Recording:
    """A strategy that records its calls. It returns the tokens, or raises those that are exceptions."""

    def __init__(self, *tokens: Any) -> None:
        self.calls: list[str] = []
        self._tokens = iter(tokens)

    def acquire_initial_token(self) -> Any:
        return self._next("acquire")

    def refresh_retry_token(self, token: object, failure: object, /) -> Any:
        return self._next("refresh")

    def record_success(self, token: object, /) -> None:
        self.calls.append("record")
        raise RetryRefusal("no", "no")

    def release_token(self, token: object, /) -> None:
        self.calls.append("release")

    def _next(self, call: str) -> Any:
        self.calls.append(call)
        token = next(self._tokens)
        if isinstance(token, Exception):
            raise token
        return token


def test_a_delay_may_be_a_timedelta() -> None:
    clock = FakeClock()
    strategy = _Recording(Pause(timedelta(0)), Pause(timedelta(seconds=1.5)))
    # The success counts, although the strategy does not take it.
    assert retry(script(RESET, 1), strategy=strategy, clock=clock) == 1
    assert (clock.sleeps, strategy.calls) == ([1.5], ["acquire", "refresh", "record"])


def test_a_token_that_its_own_strategy_does_not_take_ends_the_request() -> None:
    seen: list[RetryProgress] = []
    strategy = _Recording(Pause(0), TokenError("the retry token was already used", "used_token"))
    with pytest.raises(ConnectionResetError) as caught:
        retry(script(RESET), strategy=strategy, on_failure=seen.append)
    assert caught.value is RESET
    assert [(one.end, one.reason) for one in seen] == [("used_token", "the retry token was already used")]


@pytest.mark.parametrize("options", [{"max_time": -1}, {"idempotent": "x"}])
def test_options_that_are_refused_leave_no_token_out(options: dict[str, Any]) -> None:
    strategy = _Recording(Pause(0))
    with pytest.raises(OptionsError):
        retry(int, strategy=strategy, **options)
    assert strategy.calls == []


@pytest.mark.parametrize("token", [None, object(), Pause(None)])
def test_a_strategy_that_returns_no_token(token: Any) -> None:
    for tokens, calls in (([token], ["acquire"]), ([Pause(0), token], ["acquire", "refresh"])):
        strategy = _Recording(*tokens)
        expected = r"^the delay of a retry token must be a number of seconds, at least 0, got null$"
        with pytest.raises(OptionsError, match=expected) as caught:
            retry(script(RESET), strategy=strategy)
        assert caught.value.option == "delay"
        assert strategy.calls == calls


@pytest.mark.parametrize("delay", [-1, True, math.nan, math.inf, "1"])
def test_a_token_with_an_invalid_delay_is_released(delay: Any) -> None:
    for tokens, calls in (
        ([Pause(delay)], ["acquire", "release"]),
        ([Pause(0), Pause(delay)], ["acquire", "refresh", "release"]),
    ):
        strategy = _Recording(*tokens)
        expected = r"^the delay of a retry token must be a number of seconds, at least 0, got "
        with pytest.raises(OptionsError, match=expected):
            retry(script(RESET), strategy=strategy)
        assert strategy.calls == calls


def test_an_error_of_a_strategy_ends_the_request() -> None:
    bug = ValueError("bug")
    for tokens, calls in (([bug], ["acquire"]), ([Pause(0), bug], ["acquire", "refresh"])):
        strategy = _Recording(*tokens)
        with pytest.raises(ValueError, match="bug"):
            retry(script(RESET), strategy=strategy)
        assert strategy.calls == calls
