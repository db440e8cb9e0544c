"""A program that uses the package, to check the types that type checkers infer."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from typing_extensions import assert_type

from smithy_waiters import (
    AcceptorDefinition,
    Attempt,
    AttemptResult,
    Call,
    Done,
    ErrorOutcome,
    FailureCode,
    Outcome,
    Pace,
    Progress,
    ResponseOutcome,
    Sleep,
    State,
    Step,
    Verdict,
    Wait,
    Waiter,
    WaiterDefinition,
    WaiterError,
    WaiterFailed,
    WaiterTimeout,
    WaitOptions,
    __version__,
    events,
    every,
    proportional,
)
from smithy_waiters.boto3 import patch, waiter_config
from smithy_waiters.boto3 import waiter as boto3_waiter
from smithy_waiters.compression import compress
from smithy_waiters.pagination import Paginator
from smithy_waiters.retry import NoRetries, StandardRetryStrategy, classify, retry, retry_async
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    import asyncio
    import threading
    from pathlib import Path

    import anyio
    import trio

    from smithy_waiters.operation import Operation


class Response(TypedDict):
    """The output of the operation."""

    Status: str


def describe() -> Response:
    """Call without arguments."""
    return {"Status": "ACTIVE"}


def describe_within(attempt: Attempt) -> Response:
    """Call with the attempt."""
    return {"Status": f"{attempt.number} {attempt.remaining}"}


async def describe_async() -> Response:
    """Call asynchronously."""
    return describe()


def blocking(waiter: Waiter, cancel: threading.Event) -> None:
    """Wait in all ways."""
    options: WaitOptions = {"max_wait": timedelta(minutes=5), "max_attempts": 3}
    assert_type(waiter.wait(describe, max_wait=300), Outcome[Response])
    assert_type(waiter.wait(describe_within, cancel=cancel, **options), Outcome[Response])
    assert_type(waiter.check(describe), Verdict[Response])
    assert_type(waiter.check(describe).response, Response | None)
    waiter.wait(describe, max_attempts=3)
    waiter.wait(describe, max_wait="300")  # type: ignore[call-overload]
    waiter.wait(describe, max_wait=300, max_wiat=1)  # type: ignore[call-overload]


def with_a_client_of_no_type(waiter: Waiter, client: Any) -> None:
    """Wait with a call of an unknown type."""
    assert_type(waiter.wait(lambda: client.describe(), max_wait=300), Outcome[Any])  # noqa: PLW0108
    assert_type(waiter.wait(client.describe, max_wait=300), Outcome[Any])
    assert_type(waiter.wait(partial(client.describe, Name="t"), max_wait=300), Outcome[Any])
    assert_type(waiter.check(client.describe), Verdict[Any])
    assert_type(waiter.evaluate(response=client.describe()), Verdict[Any])


def in_one_line(waiter: Waiter) -> list[Waiter]:
    """Create waiters from a path, a condition, a function and another waiter."""
    definition = waiter.definition
    assert_type(definition, WaiterDefinition)
    waiters = [
        Waiter.until("Status", "ACTIVE", fail=["FAILED", {"errorType": "Denied"}], pending=("CREATING",), any=True),
        Waiter.until("Enabled", expected=False, retry_errors=["NotFound"], name="Disabled"),
        Waiter.until("length(Items) >= `3`"),
        Waiter.until(lambda response: response["Status"] == "ACTIVE", retry_errors=["NotFound"]),
        waiter.extend(fail=["FAILED"], first=[{"state": "retry", "matcher": {"errorType": "Denied"}}]),
        Waiter(definition, waiter.name),
    ]
    Waiter.until("Status", 5)  # type: ignore[call-overload]
    Waiter.until(describe_async, fail=["x"])  # type: ignore[call-overload]
    assert_type(waiters[0], Waiter)
    return waiters


def with_a_shared_deadline(waiter: Waiter, now: datetime) -> None:
    """Limit several waits with a deadline, and label them."""
    deadlines: list[float | datetime] = [now + timedelta(minutes=5), 5.0]
    for deadline in deadlines:
        waiter.wait(describe, deadline=deadline, label="orders", show=["Status"])
    waiter.wait(describe, deadline=timedelta(minutes=5))  # type: ignore[call-overload]


def blocking_by_mistake(waiter: Waiter) -> None:
    """Pass an asynchronous call to blocking functions."""
    of_a_wait = waiter.wait(describe_async, max_wait=300)  # type: ignore[var-annotated]
    del of_a_wait
    of_a_lambda = waiter.wait(lambda: describe_async(), max_wait=300)  # type: ignore[var-annotated]  # noqa: PLW0108
    del of_a_lambda
    of_a_check = waiter.check(describe_async)  # type: ignore[var-annotated]
    del of_a_check


async def awaiting(waiter: Waiter) -> None:
    """Wait on asyncio."""
    assert_type(await waiter.wait_async(describe_async, max_wait=300), Outcome[Response])
    assert_type(await waiter.check_async(describe_async), Verdict[Response])
    await waiter.wait_async(describe, max_wait=300)  # type: ignore[arg-type]


def failing(waiter: Waiter) -> FailureCode | None:
    """Catch failures."""
    try:
        waiter.wait(describe, max_wait=1)
    except WaiterTimeout as failure:
        assert_type(failure.code, Literal["timed_out"])
        return failure.code
    except WaiterFailed as failure:
        return told_apart(failure.code)
    except WaiterError as failure:
        print(failure.explain())  # noqa: T201
    return None


def told_apart(
    code: Literal[
        "failure_state",
        "gone",
        "never_found",
        "never_left",
        "never_seen",
        "replaced",
        "unexpected_state",
        "unmatched_error",
        "unreachable",
    ],
) -> FailureCode:
    """Check the code of a class."""
    return code


def by_hand(waiter: Waiter) -> int:
    """Drive a wait manually."""
    wait = waiter.start(max_wait=300, attempt_timeout=5)
    step: Step = wait.poll(0)
    if isinstance(step, Call):
        assert_type(wait.handle(events.Response({}, not_before_ms=5), 1), Step)
        wait.handle(events.Error("Busy", events.Transient(5, answered=False)), 1)
        wait.handle(events.Verdict(None, "Denied", False), 1)
        events.Error("Busy", 5)  # type: ignore[arg-type]
        return step.deadline_ms or step.attempt
    if isinstance(step, Sleep):
        return step.until_ms
    assert_type(step, Done)
    assert_type(step.last_result, AttemptResult | None)
    wait.handle({}, 1)  # type: ignore[arg-type]
    return step.attempts


async def awaiting_with_events(
    waiter: Waiter, of_asyncio: asyncio.Event, of_trio: trio.Event, of_anyio: anyio.Event
) -> None:
    """Cancel with the event of any library."""
    await waiter.wait_async(describe_async, max_wait=300, cancel=of_asyncio, progress=True)
    await waiter.wait_async(describe_async, max_wait=300, cancel=of_trio)
    await waiter.wait_async(describe_async, max_wait=300, cancel=of_anyio)


def watching(progress: Progress) -> State | None:
    """Read an attempt."""
    return progress.state


def watching_responses(waiter: Waiter) -> None:
    """Read responses of a known type."""

    def watch(progress: Progress[Response]) -> None:
        assert_type(progress.response, Response | None)

    outcome = waiter.wait(describe, max_wait=300, on_attempt=watch)
    assert_type(outcome.response, Response | None)
    waiter.wait(describe, max_wait=300, on_attempt=watching, progress=True)
    waiter.wait(describe, max_wait=300, progress="tqdm")  # type: ignore[call-overload]


def telling_apart(outcome: Outcome[Response]) -> str:
    """Read a response, or the error of a success."""
    if outcome.result == "response":
        return outcome.response["Status"]
    assert_type(outcome, ErrorOutcome)
    return str(outcome.error.args)


def telling_apart_by_error(waiter: Waiter) -> str:
    """Read the result according to the members that are set."""
    outcome = waiter.wait(describe, max_wait=300)
    assert_type(outcome.noticed_within, float | None)
    if outcome.error is None:
        assert_type(outcome, ResponseOutcome[Response])
        return outcome.response["Status"]
    assert_type(outcome.response, None)
    return str(outcome.error.args)


def pacing(waiter: Waiter) -> None:
    """Choose the delays, and the effect of transient errors."""
    waiter.wait(describe, max_wait=300, pace=every(timedelta(seconds=5)), transient_errors="fail")
    waiter.wait(describe, max_wait=300, pace=proportional(0.1), transient_window=60, final_poll="late")
    waiter.start(max_wait=300, pace="specification", final_poll="specification")
    waiter.start(max_wait=300, pace={"every": 5})
    waiter.start(max_wait=300, pace="slow")  # type: ignore[arg-type]
    pace: Pace = every(5)
    waiter.start(max_wait=300, pace=pace, final_poll="atDeadline")  # type: ignore[arg-type]


def retrying(waiter: Waiter) -> Response:
    """Retry a call."""
    strategy = StandardRetryStrategy(max_retries=2, base_delay=timedelta(seconds=1))
    assert_type(retry(describe, strategy=strategy, idempotent=True), Response)
    assert_type(retry(describe, policy=waiter), Response | None)
    failure = classify(TimeoutError())
    assert_type(None if failure.retry is None else failure.retry.retry_after, float | None)
    retry(describe, stratgy=strategy)  # type: ignore[call-overload]
    StandardRetryStrategy(max_retry=2)  # type: ignore[call-arg]
    waiter.wait(describe, max_wait=300, retry_strategy=strategy)  # type: ignore[call-overload]
    return retry(describe_within, max_time=60)


async def retrying_async(waiter: Waiter) -> Response:
    """Retry an asynchronous call."""
    assert_type(await retry_async(describe_async, policy=waiter), Response | None)
    return await retry_async(describe_async, strategy=NoRetries())


def paging(operation: Operation) -> list[Response]:
    """Read pages, and send bodies."""
    paginator = Paginator({"inputToken": "Start", "outputToken": "Next", "items": "Items"})
    assert_type(compress(operation.compression, b"body").headers, dict[str, str])
    assert_type(operation.with_token({"Size": 1}), dict[str, Any])
    paginator.pages(describe, page_size="5")
    return list(paginator.pages(describe, {"Table": "t"}, page_size=5))


def defining() -> Waiter:
    """Write a definition."""
    acceptor: AcceptorDefinition = {"state": "success", "matcher": {"success": True}}
    definition: WaiterDefinition = {"acceptors": [acceptor], "minDelay": 5}
    AcceptorDefinition(state="done", matcher={"success": True})  # type: ignore[typeddict-item]
    Waiter({"acceptors": [{"state": "succes", "matcher": {"success": True}}]})  # type: ignore[arg-type]
    Waiter({"acceptors": [acceptor], "minDealy": 5})  # type: ignore[arg-type]
    return Waiter(definition, name=f"Of{__version__}")


def of_a_client(client: Any) -> None:
    """Wait with a client of boto3."""
    exists = boto3_waiter(client, "table_exists")
    assert_type(exists.wait(TableName="orders", max_wait=300), Outcome[dict[str, Any]])
    exists.wait(TableName="orders", max_wait="300", progress=True)  # type: ignore[arg-type]
    exists.wait(TableName="orders", final_poll="later")  # type: ignore[arg-type]
    config: Any = waiter_config(MaxWait=300)
    patch(client).get_waiter("table_exists").wait(TableName="orders", WaiterConfig=config)


async def testing(waiter: Waiter) -> float:
    """Wait on a fake clock."""
    clock = FakeClock()
    waiter.wait(describe, max_wait=300, clock=clock)
    await waiter.wait_async(describe_async, max_wait=300, clock=clock, sleep=clock.sleep_async)
    clock.advance(timedelta(seconds=5))
    assert_type(clock.sleeps, list[float])
    return clock.now


def of_a_model(path: Path, error: Exception) -> Wait:
    """Create a waiter from a model, and resume a saved wait."""
    waiter = Waiter.from_model(path, "TableExists", service="DynamoDB", service_errors_only=True)
    assert_type(waiter, Waiter)
    Waiter.from_model(path, "TableExists", error_names=lambda error: [type(error).__name__])
    Waiter({"acceptors": []}, error_names=lambda _: 5)  # type: ignore[arg-type,return-value]
    wait = waiter.resume(waiter.start(max_wait=300).to_json(), elapsed_ms=5)
    waiter.evaluate(error=type(error))  # type: ignore[call-overload]
    verdict = waiter.evaluate(error=error)
    event: events.Event = events.Verdict(verdict.acceptor, error)
    assert_type(wait.handle(event, 10), Step)
    events.Verdict("done")  # type: ignore[arg-type]
    return wait
