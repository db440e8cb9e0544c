"""Waits in durable functions beside the SDK's own strategy, in the virtual time of its local runner."""

from __future__ import annotations

import logging
import statistics
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from aws_durable_execution_sdk_python.config import Duration
from aws_durable_execution_sdk_python.waits import (
    WaitForConditionConfig,
    WaitForConditionDecision,
    WaitStrategyConfig,
    create_wait_strategy,
)
from killing import report
from lambda_waits import Function

from smithy_waiters import Waiter, proportional
from smithy_waiters.aws_lambda import durable_wait

if TYPE_CHECKING:
    from collections.abc import Callable

    from aws_durable_execution_sdk_python import DurableContext

ACTIVE = Waiter.until("Status", "ACTIVE", pending=["CREATING"], fail=["FAILED"])

# The seconds until the resource is ready.
READY = [20, 90, 400, 1800, 3600] * 2

POLLS = 100


def default(context: DurableContext, call: Callable[[], dict[str, str]]) -> None:
    """Wait with the strategy of the SDK and its defaults."""
    config: WaitStrategyConfig[dict[str, str]] = WaitStrategyConfig(lambda state: state["Status"] != "ACTIVE")
    strategy = create_wait_strategy(config)
    context.wait_for_condition(lambda *_: call(), WaitForConditionConfig(strategy, {"Status": ""}), "own")


def until(context: DurableContext, call: Callable[[], dict[str, str]]) -> None:
    durable_wait(context, ACTIVE, call, max_wait=7200)


def tenth(context: DurableContext, call: Callable[[], dict[str, str]]) -> None:
    durable_wait(context, ACTIVE, call, max_wait=7200, pace=proportional(0.1))


@pytest.fixture(autouse=True)
def _quiet() -> None:
    logging.disable(logging.ERROR)


@pytest.mark.parametrize("wait", [default, until, tenth])
def test_calls_and_lags(wait: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    calls, lags, sizes = [], [], []
    for ready in READY:
        times: list[float] = []

        def call(ready: int = ready, times: list[float] = times) -> dict[str, str]:
            times.append(time.time())
            return {"Status": "ACTIVE" if times[-1] >= times[0] + ready else "CREATING"}

        function = Function(partial(wait, call=call))
        function.use_virtual_time(monkeypatch)
        ended = function.run()
        assert ended.error is None, ended.error
        calls.append(len(times))
        lags.append(times[-1] - times[0] - ready)
        sizes += [len(payload) for payload, delay in function.polls if delay is not None]
    # Each poll is one checkpoint.
    assert len(sizes) == sum(calls) - len(READY)
    lag = f"lag {statistics.mean(lags):.1f} s, at most {max(lags):.0f} s"
    size = f"checkpoints of at most {max(sizes)} bytes"
    report(capsys, f"{wait.__name__}: {statistics.mean(calls):.0f} calls, {lag}, {size}")


def test_the_processor_time_of_a_poll(capsys: pytest.CaptureFixture[str]) -> None:
    def bare(context: DurableContext) -> None:
        continued = WaitForConditionDecision.continue_waiting(Duration(seconds=15))
        stop = WaitForConditionDecision.stop_polling()
        config = WaitForConditionConfig(lambda _, attempts: stop if attempts == POLLS else continued, 0)
        context.wait_for_condition(lambda state, _: state + 1, config, "own")

    def ours(context: DurableContext) -> None:
        calls = iter(["CREATING"] * (POLLS - 1) + ["ACTIVE"])
        state: Any = context.state
        # Each invocation makes one call.
        made = sum(found.step_details.attempt for found in state.operations.values() if found.name == "wait")
        for _ in range(made):
            next(calls)
        durable_wait(context, ACTIVE, lambda: {"Status": next(calls)}, max_wait=7200)

    def cost(body: Any) -> float:
        function = Function(body)
        start = time.process_time()
        ended = function.run()
        assert ended.error is None, ended.error
        assert len(function.polls) == POLLS
        return (time.process_time() - start) / POLLS * 1000

    rounds = [(cost(bare), cost(ours)) for _ in range(5)]
    own, mine = (statistics.median(times) for times in zip(*rounds, strict=True))
    report(
        capsys,
        f"processor time of a poll: {own:.2f} ms with an own condition, {mine:.2f} ms with a wait",
    )
    assert mine < own * 2
