"""Waits in durable functions of AWS Lambda, in the local runner of the SDK."""

from __future__ import annotations

import json
import runpy
import time
from math import ceil, inf, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from aws_durable_execution_sdk_python.config import Duration
from aws_durable_execution_sdk_python_testing.runner import DurableFunctionTestRunner
from lambda_waits import NUMBER, Function, close, latest, options_of
from waits import JOB_DONE, ThrottledError, answer, facts, undisturbed

from smithy_waiters import (
    OptionsError,
    StateError,
    Waiter,
    WaiterError,
    WaiterFailed,
    WaiterTimeout,
    aws_lambda,
)
from smithy_waiters.aws_lambda import durable_wait
from smithy_waiters.durable.packing import packed, unpacked
from smithy_waiters.durable.stored import StoredWait, pause, plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from aws_durable_execution_sdk_python import DurableContext

KIB = 1024


def running() -> dict[str, str]:
    return {"Status": "RUNNING"}


def done() -> dict[str, str]:
    return {"Status": "DONE"}


def job(wait: int) -> Callable[[DurableContext], dict[str, Any]]:
    """Return the body of a function that waits for a job."""

    def body(context: DurableContext) -> dict[str, Any]:
        call = lambda: answer(wait, NUMBER.get())  # noqa: E731
        try:
            return facts(durable_wait(context, JOB_DONE, call, **options_of(wait)))
        except WaiterError as failure:
            return facts(failure)

    return body


def failure_of(call: Callable[[], object], waiter: Waiter = JOB_DONE, **options: Any) -> tuple[Exception, Function]:
    """Return the error of a wait, as the function receives it in each of two invocations."""
    caught: list[Exception] = []

    def body(context: DurableContext) -> None:
        with pytest.raises((WaiterError, StateError)) as error:
            durable_wait(context, waiter, call, **options)
        caught.append(error.value)
        context.wait(Duration(seconds=1))

    function = Function(body)
    function.result()
    # The second invocation reads the error from the checkpoint.
    first, second = caught[-2:]
    assert (type(first), str(first)) == (type(second), str(second))
    return second, function


@pytest.mark.parametrize("wait", [0, 1, 2, 3, 4, 7, 8])
def test_a_wait_ends_as_in_one_process(wait: int) -> None:
    function = Function(job(wait))
    assert function.result() == undisturbed(wait)
    # One checkpoint for each poll.
    assert len(function.polls) == undisturbed(wait)["attempts"]


def test_an_outcome_is_plain_data() -> None:
    def body(context: DurableContext) -> Any:
        outcome = durable_wait(context, JOB_DONE, done, max_wait=60)
        return [outcome.response, outcome.attempts, outcome.history[0].reasons[-1].text]

    assert Function(body).result() == [{"Status": "DONE"}, 1, 'Status gave "DONE"']


def test_a_failure_has_its_explanation() -> None:
    failed, function = failure_of(lambda: {"Status": "BROKEN"}, max_wait=60)
    assert isinstance(failed, WaiterFailed)
    assert failed.response == {"Status": "BROKEN"}
    assert 'Status gave "BROKEN"' in failed.explain()
    # Readers of the checkpoint see it, too.
    assert '"explanation"' in function.polls[-1][0]


def test_a_failure_has_the_error_of_its_call() -> None:
    def denied() -> None:
        raise PermissionError("not allowed")

    failed, _ = failure_of(denied, max_wait=60)
    assert isinstance(failed, WaiterError)
    assert failed.code == "unmatched_error"
    error: Any = failed.error
    assert (error.name, str(error)) == ("PermissionError", "not allowed")


def test_an_unhandled_failure_fails_the_execution() -> None:
    ended = Function(lambda context: durable_wait(context, JOB_DONE, lambda: {"Status": "BROKEN"}, max_wait=60)).run()
    assert ended.error is not None
    assert str(ended.error.type).endswith("WaiterFailed")
    assert 'Status gave "BROKEN"' in str(ended.error.message)


def test_a_checkpoint_does_not_grow_and_takes_less_than_a_kibibyte() -> None:
    options: Any = {
        "max_wait": 36_000,
        "max_attempts": 16,
        "label": "orders",
        "seed": 1,
    }
    _, function = failure_of(running, **options)
    sizes = [len(payload) for payload, delay in function.polls if delay is not None]
    assert len(sizes) == 15
    assert max(sizes) <= KIB
    # After as many attempts as the history has.
    assert max(sizes[5:]) - min(sizes[5:]) <= 50


def test_the_delays_are_whole_seconds_that_do_not_miss_the_deadline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def body(context: DurableContext) -> None:
        with pytest.raises(WaiterTimeout) as caught:
            durable_wait(
                context,
                JOB_DONE,
                running,
                max_wait=100,
                min_delay=3,
                max_delay=20,
                seed=1,
            )
        ends.append(caught.value)

    ends: list[WaiterTimeout] = []
    function = Function(body)
    function.use_virtual_time(monkeypatch)
    function.result()
    delays = [delay for _, delay in function.polls if delay is not None]
    states = [latest(unpacked(payload)) for payload, delay in function.polls if delay is not None]
    assert [state["next_is_last"] for state in states] == [False] * (len(states) - 1) + [True]
    assert delays[:-1] == [ceil(state["delay_ms"] / 1000) for state in states[:-1]]
    assert delays[-1] == int(states[-1]["delay_ms"] / 1000)
    # The last poll was made, and the wait ended with it.
    (end,) = ends
    assert len(delays) == end.attempts - 1
    assert 98 <= sum(delays) <= 100
    assert end.elapsed <= 100


def test_the_time_of_an_interrupted_first_check_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[float] = []

    def body(context: DurableContext) -> None:
        with pytest.raises(WaiterTimeout):
            durable_wait(context, JOB_DONE, call, max_wait=60)

    def call() -> dict[str, str]:
        calls.append(time.time())
        return running()

    def crash(_payload: str) -> str:
        # The worker dies before the result is stored, and Lambda has another one an hour later.
        function.before = lambda payload: payload
        function.skip(3600)
        raise RuntimeError("killed")

    function = Function(body)
    function.use_virtual_time(monkeypatch)
    function.before = crash
    function.result()
    assert len(calls) == 1


def test_the_first_call_is_after_the_initial_delay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times: list[float] = []

    def body(context: DurableContext) -> None:
        durable_wait(context, JOB_DONE, call, max_wait=600, initial_delay=90.5)

    def call() -> dict[str, str]:
        times.append(time.time())
        return done()

    function = Function(body)
    function.use_virtual_time(monkeypatch)
    start = time.time()
    function.result()
    assert [delay for _, delay in function.polls] == [91, None]
    assert 90.5 <= times[0] - start < 95


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("wait", [2, 3])
def test_an_interrupted_invocation_continues(wait: int, moment: str) -> None:
    def crash(payload: str = "") -> str:
        # Each checkpoint fails once: before it is stored, or before the function is told.
        if len(function.polls) not in crashes:
            crashes.add(len(function.polls))
            raise RuntimeError("killed")
        return payload

    crashes: set[int] = set()
    function = Function(job(wait))
    setattr(function, moment, crash)
    assert function.result() == undisturbed(wait)
    # On a busy machine the runner has stored a checkpoint more than there are attempts.
    assert len(crashes) == len(function.polls) >= undisturbed(wait)["attempts"]


def test_a_wait_of_another_definition_is_refused() -> None:
    changed = Waiter.until("Status", "READY", name="JobDone")
    waiters = iter([JOB_DONE, JOB_DONE])
    caught: list[StateError] = []

    def body(context: DurableContext) -> None:
        with pytest.raises(StateError) as error:
            durable_wait(context, next(waiters, changed), running, max_wait=60)
        caught.append(error.value)

    function = Function(body)
    function.result()
    assert function.invocations == 3
    assert caught[-1].code == "other_definition"


def test_a_change_of_the_options_does_not_affect_a_running_wait() -> None:
    limits = iter([3, 10, 20])

    def body(context: DurableContext) -> int:
        with pytest.raises(WaiterError) as caught:
            durable_wait(context, JOB_DONE, running, max_attempts=next(limits))
        return caught.value.attempts

    assert Function(body).result() == 3


def replaced(old: str, new: str) -> Callable[[str], str]:
    return lambda payload: packed(unpacked(payload).replace(old, new))


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (lambda _: "x", "damaged_state"),
        (lambda payload: payload[: len(payload) // 2], "damaged_state"),
        (lambda payload: payload.swapcase(), "damaged_state"),
        (lambda _: packed(""), "damaged_state"),
        (lambda _: packed("[]"), "damaged_state"),
        (replaced('"attempts":1', '"attempts":0'), "damaged_state"),
        (replaced('"version":2', '"version":3'), "newer_version"),
    ],
)
def test_a_damaged_or_newer_checkpoint_is_refused(damage: Callable[[str], str], code: str) -> None:
    caught: list[StateError] = []

    def body(context: DurableContext) -> None:
        with pytest.raises(StateError) as error:
            durable_wait(context, JOB_DONE, running, max_wait=60)
        caught.append(error.value)

    function = Function(body)
    plain = function.before

    def store(payload: str) -> str:
        function.before = plain
        return damage(payload)

    function.before = store
    function.result()
    assert caught[-1].code == code
    assert len(function.polls) == 2


def test_the_largest_failure_fits_into_a_checkpoint() -> None:
    _, function = failure_of(lambda: {"Status": "BROKEN", "Text": "\u4e00" * 52 * KIB}, max_wait=60)
    assert 156 * KIB < len(function.polls[-1][0].encode()) < 170 * KIB
    # Numbers without the spaces of Python's JSON.
    _, function = failure_of(lambda: {"Status": "BROKEN", "Text": [1] * 78 * KIB}, max_wait=60)
    assert 156 * KIB < len(function.polls[-1][0].encode()) < 170 * KIB


def test_an_explanation_takes_at_most_half_of_the_report_again() -> None:
    def call() -> None:
        raise ThrottledError("x" * 500)

    limits: Any = {"max_attempts": 30, "history_limit": 30, "report_limit": 8 * KIB}
    _, function = failure_of(call, max_wait=3600, **limits)
    assert 8 * KIB < len(function.polls[-1][0].encode()) < 12 * KIB


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({1, 2}, [1, 2]),
        (b"\x00\xff", "AP8="),
        (nan, None),
        (inf, None),
        (object, None),
        (10**400, None),
        ("\ud800", None),
    ],
)
def test_a_call_may_return_what_json_cannot_hold(value: object, expected: object) -> None:
    def body(context: DurableContext) -> Any:
        outcome = durable_wait(context, JOB_DONE, lambda: {"Status": "DONE", "Value": value}, max_wait=60)
        response: Any = outcome.response
        return [response["Status"], response["Value"]]

    status, stored = Function(body).result()
    assert status == "DONE"
    if expected is not None:
        assert stored == expected


def test_a_response_that_contains_itself_ends_the_wait() -> None:
    response: dict[str, object] = {"Status": "DONE"}
    response["Self"] = response

    def body(context: DurableContext) -> int:
        return durable_wait(context, JOB_DONE, lambda: response, max_wait=60).attempts

    assert Function(body).result() == 1


def test_a_large_response_is_omitted() -> None:
    def body(context: DurableContext) -> Any:
        large = lambda: {"Status": "DONE", "Text": "\u4e00" * 100 * KIB}  # noqa: E731
        return durable_wait(context, JOB_DONE, large, max_wait=60).response

    function = Function(body)
    assert str(function.result()).startswith("<omitted: the report has 307")
    # The largest payload that Lambda stores.
    assert len(function.polls[-1][0]) < 256 * KIB


def test_a_clock_that_is_behind_does_not_change_the_delays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Every second worker has the wrong time.
    def body(context: DurableContext) -> Any:
        with pytest.raises(WaiterError) as caught:
            durable_wait(context, JOB_DONE, running, max_wait=3600, max_attempts=6, seed=1)
        return facts(caught.value)

    def delays(skew: float) -> list[int | None]:
        function = Function(body)
        function.use_virtual_time(monkeypatch, skew=lambda: skew * (function.invocations % 2 == 0))
        function.result()
        return [delay for _, delay in function.polls]

    assert delays(-36_000) == delays(0)


def test_a_first_poll_is_late_by_at_most_its_delay() -> None:
    # The clock of the computer that started the wait was ahead.
    started_at = time.time() + 600
    begun = StoredWait(JOB_DONE, None, plain).begin(
        "id", None, {"max_wait": 3600, "initial_delay": 30}, started_at=started_at
    )
    assert pause(begun.state) == 30
    assert aws_lambda._decision(packed(begun.state), 1).delay.to_seconds() == 30  # noqa: SLF001


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "{",
        "{}",
        "null",
        "[]",
        '{"name": "StateError"}',
        '{"name": "StateError", "message": 5, "code": "c"}',
        '{"message": "", "code": null}',
    ],
)
def test_a_damaged_report_is_a_state_error(payload: str) -> None:
    with pytest.raises(StateError, match="the checkpoint must be the report of a wait"):
        aws_lambda._result(payload)  # noqa: SLF001


def test_a_clock_that_is_ahead_ends_the_wait_early_but_never_polls_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def body(context: DurableContext) -> Any:
        with pytest.raises(WaiterTimeout) as caught:
            durable_wait(context, JOB_DONE, running, max_wait=1800)
        return caught.value.attempts

    function = Function(body)
    function.use_virtual_time(monkeypatch, skew=lambda: 3600 * (function.invocations == 3))
    assert function.result() == 2


def test_waits_in_parallel() -> None:
    def body(context: DurableContext) -> Any:
        def wait(child: DurableContext, number: int, _index: int, _items: object) -> dict[str, Any]:
            attempts = iter(range(1, 100))
            call = lambda: answer(number, next(attempts) if number == 0 else 4)  # noqa: E731
            return {"attempts": durable_wait(child, JOB_DONE, call, name=f"job-{number}", max_wait=60).attempts}

        return context.map([0, 5, 10], wait).get_results()

    assert Function(body).result() == [{"attempts": 1}] * 3


def test_the_example(monkeypatch: pytest.MonkeyPatch) -> None:
    statuses = iter(["creating", "backing-up", "available"])
    address = {"Endpoint": {"Address": "orders.local"}}

    class Client:
        def restore_db_instance_from_db_snapshot(self, **_: str) -> Any:
            return {"DBInstance": {"DBInstanceArn": "arn"}}

        def describe_db_instances(self, **_: str) -> Any:
            return {"DBInstances": [{"DBInstanceStatus": next(statuses), **address}]}

    monkeypatch.setattr("boto3.client", lambda _: Client())
    handler = runpy.run_path(str(Path(__file__).parents[2] / "examples/durable/lambda_wait.py"))["handler"]
    runner = DurableFunctionTestRunner(handler)
    ended = runner.run(json.dumps({"database": "orders", "snapshot": "monday"}))
    close(runner)
    assert ended.result == '"orders.local"', ended.error


async def asynchronous() -> None: ...


@pytest.mark.parametrize(
    ("call", "options", "error", "text"),
    [
        (None, {}, TypeError, "the call must be callable"),
        (
            asynchronous,
            {},
            TypeError,
            "must be a blocking function, got a coroutine function",
        ),
        (done, {"name": ""}, OptionsError, "`name` must be a text, got ''"),
        (
            done,
            {"report_limit": 0},
            OptionsError,
            "`report_limit` must be from 1 to 4294967295 bytes",
        ),
        (done, {"max_wiat": 60}, OptionsError, "did you mean `max_wait`"),
        (done, {"max_wait": None}, OptionsError, "max_wait"),
        (
            done,
            {"deadline": 60},
            OptionsError,
            "`deadline` must be an aware `datetime`",
        ),
    ],
)
def test_invalid_arguments(call: Any, options: Any, error: type[Exception], text: str) -> None:
    def body(context: DurableContext) -> None:
        durable_wait(context, JOB_DONE, call, **{"max_wait": 60, **options})

    ended = Function(body).run()
    assert ended.error is not None
    assert str(ended.error.type).endswith(error.__name__)
    assert text in str(ended.error.message)
