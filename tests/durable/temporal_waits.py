"""Durable waits on Temporal, and the workflow that runs them."""

from __future__ import annotations

import asyncio
import sys
from concurrent.futures import CancelledError as FutureCancelled
from datetime import datetime, timedelta, timezone
from threading import Event
from typing import Any

from temporalio import activity, workflow
from temporalio.exceptions import ActivityError

with workflow.unsafe.imports_passed_through():
    from volumes import AVAILABLE, SHAPE
    from volumes import answer as answer_of
    from waits import JOB_DONE, answer, facts

    from smithy_waiters import WaiterFailed
    from smithy_waiters.durable import attempts
    from smithy_waiters.temporal import DurableFleet, DurableWait, durable_fleet, durable_wait, waiter_error


def attempt() -> int:
    """Return the number of the attempt of the wait. Temporal also counts attempts whose worker was lost."""
    details = activity.info().heartbeat_details
    return attempts(details[0]["state"]) + 1 if details else 1


def scripted(wait: int) -> dict[str, str]:
    return answer(wait, attempt())


async def asynchronous(wait: int) -> dict[str, str]:
    return answer(wait, attempt())


def running() -> dict[str, str]:
    return {"Status": "RUNNING"}


def fifty() -> dict[str, str]:
    return {"Status": "DONE" if attempt() == 50 else "RUNNING"}


def hang() -> dict[str, str]:
    Event().wait()
    return running()


async def hang_async() -> dict[str, str]:
    await asyncio.Event().wait()
    return running()


async def cancelled() -> dict[str, str]:
    raise asyncio.CancelledError("by its client")


def cancelled_in_thread() -> dict[str, str]:
    raise FutureCancelled("by its client")


async def exiting() -> dict[str, str]:
    sys.exit(3)


async def slow() -> dict[str, str]:
    await asyncio.sleep(3)
    return {"Status": "DONE"}


released = Event()


def waiting() -> dict[str, str]:
    released.wait()
    return running()


def large() -> dict[str, str]:
    return {"Status": "DONE", "Text": "x" * 100_000}


def wait(poll: Any, name: str, waiter: Any = JOB_DONE, **options: Any) -> DurableWait[Any]:
    return durable_wait(waiter, poll, name=name, **options)


WAITS = {
    one.name: one
    for one in (
        wait(scripted, "job"),
        wait(asynchronous, "asynchronous"),
        wait(running, "running"),
        wait(fifty, "fifty"),
        wait(hang, "hang", heartbeat_timeout=1),
        wait(hang_async, "hang-async", heartbeat_timeout=1),
        wait(cancelled, "cancelled"),
        wait(cancelled_in_thread, "cancelled-in-thread"),
        wait(exiting, "exiting"),
        wait(slow, "slow", heartbeat_timeout=2),
        wait(waiting, "waiting"),
        wait(large, "large", report_limit=2000),
    )
}


def duration(value: Any) -> timedelta:
    return timedelta.max if value == "longest" else timedelta(seconds=value)


_DURATIONS = ("max_wait", "min_delay")


@workflow.defn
class WaitFor:
    """Runs a wait and returns its outcome as plain data."""

    @workflow.run
    async def run(self, name: str, arguments: list[Any], options: dict[str, Any]) -> dict[str, Any]:
        if options.get("deadline") == "soon":
            options["deadline"] = workflow.now() + timedelta(seconds=30)
        if options.get("deadline") == "last":
            options["deadline"] = datetime.max.replace(tzinfo=timezone.utc)
        durations = {one: duration(options[one]) for one in _DURATIONS if one in options}
        outcome = await WAITS[name].execute(*arguments, **{**options, **durations})
        return {**outcome.to_dict(), "facts": facts(outcome)}


def volumes(ids: list[str], *arguments: Any) -> dict[str, Any]:
    del arguments
    return answer_of(ids, activity.info().attempt - 1)


def fleet(call: Any, **options: Any) -> DurableFleet:
    return durable_fleet(AVAILABLE, call, name="volumes", **{**SHAPE, **options})


FLEET = fleet(volumes)


@workflow.defn
class WaitForEach:
    """Runs a fleet and returns the numbers of attempts of its resources."""

    @workflow.run
    async def run(self, ids: list[str], arguments: list[Any], options: dict[str, Any]) -> dict[str, int]:
        config = workflow.ActivityConfig(heartbeat_timeout=timedelta(seconds=3))
        outcomes = await FLEET.execute(ids, *arguments, config=config, **options)
        return {name: outcome.attempts for name, outcome in outcomes.items()}


@workflow.defn
class ReportOf:
    """Runs a wait that fails, and returns its failure as plain data."""

    @workflow.run
    async def run(self, name: str, options: dict[str, Any]) -> dict[str, Any] | None:
        try:
            await WAITS[name].execute(**options)
        except ActivityError as error:
            failure = waiter_error(error)
            return None if failure is None else failure.to_dict()
        return None


def check_broken(failed: Any, error: Any) -> None:
    """Check the failure of the job 2 and the error of Temporal that has it."""
    assert isinstance(failed, WaiterFailed)
    assert (failed.code, failed.attempts, failed.response) == ("failure_state", 3, {"Status": "BROKEN"})
    assert [record.attempt for record in failed.history] == [1, 2, 3]
    assert 'Status gave "BROKEN"' in failed.explain()
    assert (error.type, error.message, error.non_retryable) == ("WaiterFailed", failed.message, True)
    assert error.details[0]["explanation"] == failed.explain()
