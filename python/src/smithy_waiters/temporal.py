"""Waits that survive the process, as activities of Temporal.

>>> from smithy_waiters.temporal import durable_wait
>>> restored = durable_wait(waiter, describe, name="restored")
>>> Worker(client, task_queue="waits", workflows=[Restore], activities=[restored.activity])
>>> outcome = await restored.execute("orders", max_wait=6 * 3600)  # in the workflow

A wait is one activity, and each poll is one of its attempts. The details of its heartbeat contain the state, and the
pause before the next poll is the delay before the next retry. The history of the workflow does not grow, no worker
sleeps, and the workflow only receives the result. Install with `pip install "smithy-waiters[temporal]"`.

A fleet is one activity for many resources that share their calls. Each of its attempts is a round, which makes the
calls that are due:

>>> restored = durable_fleet(waiter, describe_all, name="all-restored", items="Tables[]", key="Name")
>>> outcomes = await restored.execute(["orders", "users"], max_wait=6 * 3600)  # in the workflow
"""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, TypeAlias, TypeVar, cast

from temporalio import activity, workflow
from temporalio.common import RetryPolicy
from temporalio.converter import ActivitySerializationContext
from temporalio.exceptions import (
    ActivityError,
    ApplicationError,
    ApplicationErrorCategory,
    CancelledError,
    RetryState,
)
from temporalio.service import RPCError, RPCStatusCode

from .drivers.call import require_callable
from .durable.stored import StoredWait, ended, in_thread, plain, require_text
from .durable.stored_fleet import StoredFleet
from .errors import OptionsError, StateError, WaiterError, WaitersFailed
from .fleet import FleetProgress

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence

    from temporalio.client import AsyncActivityHandle, Client
    from typing_extensions import Unpack

    from .options import WaitOptions
    from .outcome import Outcome
    from .waiter import Waiter

__all__ = ["DurableFleet", "DurableWait", "durable_fleet", "durable_wait", "waiter_error", "waiters_failed"]

_T = TypeVar("_T")

_Stored: TypeAlias = StoredWait | StoredFleet

_PENDING = "WaitPending"
# The last poll is before the deadline. Temporal ends a wait later than that, in case all workers are lost.
_GRACE = timedelta(minutes=1)
_HEARTBEATS_PER_TIMEOUT = 3
# Temporal requires a limit, and the deadlines of the wait, which last at most ten years, are stricter.
_LONGEST_ATTEMPT = timedelta(days=3660)
_SHORTEST_DELAY = timedelta(milliseconds=1)


def durable_wait(
    waiter: Waiter,
    poll: Callable[..., Awaitable[_T]] | Callable[..., _T],
    *,
    name: str,
    heartbeat_timeout: float | timedelta = 30,
    report_limit: int | None = None,
) -> DurableWait[_T]:
    """Create the activity of a wait.

    >>> restored = durable_wait(Waiter.until("Status", "available"), describe, name="restored")

    Args:
        waiter: The waiter. Its definition cannot contain a function.
        poll: A function that makes the call, blocking or asynchronous. It receives the arguments of
            `DurableWait.execute`. If its worker is lost, the call is repeated. A blocking function runs in a thread.
        name: The name of the activity, which must stay the same while waits are running.
        heartbeat_timeout: The time after which Temporal repeats a poll whose worker is lost, in seconds or as a
            `timedelta`; 30 seconds by default. A poll may take longer, because its worker sends heartbeats.
        report_limit: The maximum size of an outcome or a failure in bytes, as JSON; 1 MiB by default. Temporal's limit
            is 2 MiB. A text replaces a response or an error that is too large, and then the oldest attempts are removed
            from the history.

    Raises:
        OptionsError: `name` is not a text, `heartbeat_timeout` is not a positive time, or `report_limit` is not a
            positive integer.
        StateError: The waiter has a function instead of an expression (`predicate`).
        TypeError: `poll` is not a function.

    """
    require_callable(poll)
    require_text("name", name)
    return DurableWait(StoredWait(waiter, report_limit, plain), name, poll, _positive_time(heartbeat_timeout))


def durable_fleet(
    waiter: Waiter,
    call: Callable[..., object],
    *,
    name: str,
    items: str,
    key: str | Sequence[str],
    also: Mapping[str, str] | None = None,
    batch: int | None = None,
    heartbeat_timeout: float | timedelta = 30,
) -> DurableFleet:
    """Create the activity of a wait for many resources.

    >>> restored = durable_fleet(waiter, describe_all, name="all-restored", items="Tables[]", key="Name")

    Args:
        waiter: The waiter. Its definition cannot contain a function. It judges each resource as if the answer held only
            it.
        call: A function that makes the call for a list of identifiers, blocking or asynchronous. It receives the
            identifiers and the arguments of `DurableFleet.execute`, and returns the response or an iterator of the
            responses of all pages. If its worker is lost, the calls of the round are repeated.
        name: The name of the activity, which must stay the same while waits are running.
        items: The path of the resources in a response: `"Reservations[].Instances[]"`.
        key: The member of a resource that is its identifier, or several, any of which may be.
        also: Further lists whose entries belong to resources, with the member that has the identifier.
        batch: The most identifiers of one call; 100 by default. A round makes its calls one after another.
        heartbeat_timeout: The time after which Temporal repeats a round whose worker is lost, as that of
            `durable_wait`.

    Raises:
        OptionsError: An option is invalid.
        StateError: The waiter has a function instead of an expression (`predicate`).
        TypeError: `call` is not a function.

    """
    require_callable(call)
    require_text("name", name)
    stored = StoredFleet(waiter, items=items, key=key, also=also, batch=batch)
    return DurableFleet(stored, name, call, _positive_time(heartbeat_timeout))


class _Durable:
    """The activity of what Temporal stores of a waiter.

    Attributes:
        activity: The activity, for the `activities` of a `temporalio.worker.Worker`.
        name: The name of the activity.
        waiter: The `smithy_waiters.Waiter`.
        fingerprint: The fingerprint of the definition.

    """

    _subject: ClassVar[str] = "input"
    """The member of a request with the input of a wait, or with the identifiers of a fleet."""

    def __init__(self, stored: _Stored, name: str, poll: Callable[..., Any], heartbeat_timeout: timedelta) -> None:
        self.name = name
        self.waiter: Waiter = stored.waiter
        self.fingerprint: str = stored.fingerprint
        self._stored = stored
        self._poll = poll
        self._heartbeat_timeout = heartbeat_timeout

        @activity.defn(name=self.name)
        async def attempt(request: dict[str, Any]) -> dict[str, Any]:
            return await self._attempt(request)

        self.activity = attempt

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

    async def _execute(self, request: dict[str, Any], config: workflow.ActivityConfig | None, options: Any) -> Any:
        """Run the activity in a workflow, and return its result."""
        merged = self.config(**options)
        merged.update(config or {})
        try:
            facts = await workflow.execute_activity(self.name, request, result_type=dict[str, Any], **merged)
        except ActivityError as error:
            is_pending = isinstance(error.cause, ApplicationError) and error.cause.type == _PENDING
            if is_pending and error.retry_state == RetryState.CANCEL_REQUESTED:
                # The wait was cancelled during a poll that did not notice it.
                raise CancelledError from error
            raise
        return ended(facts)

    def config(self, **options: Unpack[WaitOptions]) -> workflow.ActivityConfig:
        """Return the timeouts and the retry policy of the activity, for `workflow.start_activity`.

        The retry policy only applies to polls whose worker was lost.
        """
        return {
            "schedule_to_close_timeout": _time_limit(options),
            "start_to_close_timeout": _LONGEST_ATTEMPT,
            "heartbeat_timeout": self._heartbeat_timeout,
            "retry_policy": RetryPolicy(initial_interval=timedelta(seconds=1), maximum_interval=timedelta(seconds=10)),
            "cancellation_type": workflow.ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
        }

    async def _progress(self, client: Client, workflow_id: str) -> dict[str, Any] | None:
        """Return the progress of the newest state as plain data, and how often its poll was `repeated`."""
        description = await client.get_workflow_handle(workflow_id).describe()
        for pending in description.raw_description.pending_activities:
            if pending.activity_type.name == self.name and pending.HasField("heartbeat_details"):
                (details,) = await client.data_converter.decode_wrapper(pending.heartbeat_details)
                latest = self._stored.progress(details["state"])
                return latest and {**latest, "repeated": details["repeated"]}
        return None

    async def _attempt(self, request: dict[str, Any]) -> dict[str, Any]:
        """Make one attempt: return the outcome, raise the failure, or leave the activity to its next attempt."""
        info = activity.info()
        wait_id = f"{info.workflow_id or ''}.{info.activity_id}"
        try:
            details = _details(info, wait_id) or self._begin(info, wait_id, request)
            # Only the initial delay is in the turn of this attempt.
            pause = self._stored.due_at(details["state"]) - time.time() if details["turn"] == info.attempt else 0
            if pause > 0:
                return await self._leave(info, details, pause, None)
            report = await self._make_attempt(info, request, details)
        except (OptionsError, StateError, TypeError) as error:
            # The bugs of the caller. Errors of the poll are results of the attempt.
            raise ApplicationError(str(error), type=type(error).__name__, non_retryable=True) from error
        return self._result(json.loads(report))

    def _begin(self, info: activity.Info, wait_id: str, request: dict[str, Any]) -> dict[str, Any]:
        if info.is_local:
            raise StateError(f"`{self.name}` cannot be a local activity, which has no state", "damaged_state")
        options = dict(request["options"])
        # The difference between two times of the same clock.
        elapsed = info.started_time - info.scheduled_time
        if options.get("deadline") is not None:
            options["deadline"] = datetime.fromisoformat(options["deadline"])
        started_at = time.time() - elapsed.total_seconds()
        begun = self._stored.begin(wait_id, request[self._subject], options, started_at=started_at)
        # If the first attempt was repeated, nothing was stored.
        turn = info.attempt if begun.due_at > time.time() else 0
        return {"wait": wait_id, "turn": turn, "repeated": 0, "state": begun.state}

    async def _make_attempt(self, info: activity.Info, request: dict[str, Any], details: dict[str, Any]) -> str:
        """Make the call and return the report of a wait that has ended."""
        repeated = info.attempt - details["turn"] - 1
        if repeated > 0:
            activity.logger.warning("the poll may be repeated: Temporal lost %d of its workers", repeated)
        beats = asyncio.create_task(_beat(info, details))
        call = partial(_own_call, self._poll if iscoroutinefunction(self._poll) else partial(_threaded, self._poll))
        try:
            made = await self._stored.attempt_async(details["state"], call, arguments=request["arguments"])
        except asyncio.CancelledError:
            cancellation = activity.cancellation_details()
            if cancellation is not None and cancellation.cancel_requested:
                report = self._stored.cancel(details["state"])
                await _handle(info).report_cancellation(json.loads(report))
                activity.raise_complete_async()
            raise
        finally:
            beats.cancel()
        if made.state is None or made.due_at is None:
            return str(made.report)
        details = {"wait": details["wait"], "turn": info.attempt, "repeated": max(0, repeated), "state": made.state}
        return await self._leave(info, details, made.due_at - time.time(), made.progress)

    async def _leave(
        self, info: activity.Info, details: dict[str, Any], pause: float, latest: dict[str, Any] | None
    ) -> NoReturn:
        """Leave the activity to its next attempt, after the latest one.

        The SDK sends heartbeats and failures separately, and only logs the error of a heartbeat. This request has both,
        so that Temporal stores the state and the time of the next attempt together, or neither.
        """
        error = ApplicationError(
            "the wait has not started" if latest is None else latest["summary"],
            type=_PENDING,
            next_retry_delay=max(timedelta(seconds=pause), _SHORTEST_DELAY),
            category=ApplicationErrorCategory.BENIGN,
        )
        try:
            await _handle(info).fail(error, last_heartbeat_details=[details])
        except RPCError as failed:
            # A workflow that has ended does not need the state.
            if failed.status is not RPCStatusCode.NOT_FOUND:
                raise
        activity.raise_complete_async()

    def _result(self, facts: dict[str, Any]) -> dict[str, Any]:
        """Return the outcome as the result of the activity, or raise the failure."""
        failure = ended(facts)
        if not isinstance(failure, WaiterError | WaitersFailed):
            return facts
        if isinstance(failure, WaiterError):
            facts["explanation"] = failure.explain()
        # Temporal repeats the cause in the failure, so that its user interface shows it.
        name = type(failure).__name__
        raise ApplicationError(str(failure), facts, type=name, non_retryable=True) from failure.__cause__


class DurableWait(_Durable, Generic[_T]):
    """A wait that survives the process. The function `durable_wait` creates it.

    Attributes:
        activity: The activity, for the `activities` of a `temporalio.worker.Worker`.
        name: The name of the activity.
        waiter: The `smithy_waiters.Waiter`.
        fingerprint: The fingerprint of the definition.

    """

    async def execute(
        self,
        *arguments: Any,
        input: object = None,
        config: workflow.ActivityConfig | None = None,
        **options: Unpack[WaitOptions],
    ) -> Outcome[_T]:
        """Wait for the outcome, in a workflow.

        The options of the wait do not change while it is running, even if the program does.

        Args:
            *arguments: The arguments of the poll, as plain data.
            input: The operation's input as plain data, which `inputOutput` matchers read.
            config: Options of the activity that differ from those of `config`, such as its `task_queue`.
            **options: The options of `Waiter.wait`. A `deadline` must be an aware `datetime`. The seed of the delays is
                derived from the IDs of the workflow and the activity by default.

        Raises:
            ActivityError: The wait failed. `waiter_error` returns its `WaiterError`. For invalid options and other
                definitions, the cause is an `ApplicationError` whose type is `OptionsError` or `StateError`.
            CancelledError: The wait was cancelled.

        """
        request = self.request(*arguments, input=input, **options)
        return cast("Outcome[_T]", await self._execute(request, config, options))

    def request(self, *arguments: Any, input: object = None, **options: Unpack[WaitOptions]) -> dict[str, Any]:
        """Return the argument of the activity, for `workflow.start_activity`.

        Raises:
            ApplicationError: `deadline` is not an aware `datetime`. A workflow fails with this error.

        """
        return {"arguments": list(arguments), "input": input, "options": dict(_plain_options(options))}

    async def progress(self, client: Client, workflow_id: str) -> dict[str, Any] | None:
        """Return the latest attempt of the wait of a workflow as plain data, or `None` before the first one has ended.

        It has the members of an `AttemptRecord`, the `summary`, the `label`, and `repeated`: how often a lost worker
        may have made the same call before.
        """
        return await self._progress(client, workflow_id)


class DurableFleet(_Durable):
    """A wait for many resources that survives the process. The function `durable_fleet` creates it.

    Attributes:
        activity: The activity, for the `activities` of a `temporalio.worker.Worker`.
        name: The name of the activity.
        waiter: The `smithy_waiters.Waiter`.
        fingerprint: The fingerprint of the definition.

    """

    _subject: ClassVar[str] = "ids"

    async def execute(
        self,
        ids: Iterable[str],
        *arguments: Any,
        quorum: int | None = None,
        fail_fast: bool = False,
        config: workflow.ActivityConfig | None = None,
        **options: Unpack[WaitOptions],
    ) -> dict[str, Outcome[Any]]:
        """Wait for the outcome of each resource, in a workflow.

        Args:
            ids: The identifiers of the resources.
            *arguments: The further arguments of the call, as plain data.
            quorum: The number of successes that is enough; the other waits then end.
            fail_fast: Whether the first failure ends all waits.
            config: Options of the activity that differ from those of `config`, such as its `task_queue`.
            **options: The options of `Fleet.wait_each`. A `deadline` must be an aware `datetime`.

        Returns:
            The outcome of each identifier that succeeded, in the order of the identifiers, without a response and a
            history.

        Raises:
            ActivityError: Too many waits failed. `waiters_failed` returns the `WaitersFailed`. For invalid options and
                other definitions, the cause is an `ApplicationError` whose type is `OptionsError` or `StateError`.
            CancelledError: The waits were cancelled.

        """
        request = self.request(ids, *arguments, quorum=quorum, fail_fast=fail_fast, **options)
        return cast("dict[str, Outcome[Any]]", await self._execute(request, config, options))

    def request(
        self,
        ids: Iterable[str],
        *arguments: Any,
        quorum: int | None = None,
        fail_fast: bool = False,
        **options: Unpack[WaitOptions],
    ) -> dict[str, Any]:
        """Return the argument of the activity, for `workflow.start_activity`.

        Raises:
            ApplicationError: `deadline` is not an aware `datetime`. A workflow fails with this error.

        """
        plain_options = {"quorum": quorum, "fail_fast": fail_fast, **dict(_plain_options(options))}
        # The first attempt reports what is no list of identifiers: an error here would not end the workflow.
        names = list(ids) if hasattr(ids, "__iter__") and not isinstance(ids, str) else ids
        return {"arguments": list(arguments), "ids": names, "options": plain_options}

    async def progress(self, client: Client, workflow_id: str) -> FleetProgress | None:
        """Return the counts of the resources of a workflow, or `None` before the first round has ended."""
        latest = await self._progress(client, workflow_id)
        return FleetProgress(latest["waiting"], latest["succeeded"], latest["failed"]) if latest else None


def waiter_error(error: BaseException) -> WaiterError | None:
    """Return the failure of a wait, from an error of a workflow or a client; `None` if the error has another reason.

    >>> try:
    ...     await client.execute_workflow(Restore.run, "orders", id="restore-orders", task_queue="waits")
    ... except WorkflowFailureError as error:
    ...     failure = waiter_error(error)

    Its `response` is plain data, and its `error` is an `ErrorStandIn`. A wait that was cancelled between two polls has
    no report, so the result is `None`.
    """
    detail = _detail(error, {"attempts", "history", "response"})
    failure = None if detail is None else ended(detail)
    return failure if isinstance(failure, WaiterError) else None


def waiters_failed(error: BaseException) -> WaitersFailed | None:
    """Return the failure of a fleet, from an error of a workflow or a client; `None` if the error has another reason.

    A fleet that was cancelled between two rounds has no report, so the result is `None`.
    """
    detail = _detail(error, {"succeeded", "ids", "ends"})
    failure = None if detail is None else ended(detail)
    return failure if isinstance(failure, WaitersFailed) else None


def _detail(error: BaseException, members: set[str]) -> dict[str, Any] | None:
    """Return the report with these members in an error or one of its causes."""
    for cause in _causes(error):
        for detail in getattr(cause, "details", ()):
            if isinstance(detail, dict) and members <= detail.keys():
                return cast("dict[str, Any]", detail)
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _details(info: activity.Info, wait_id: str) -> dict[str, Any] | None:
    """Return the details of the last heartbeat, if there were any.

    Raises:
        StateError: They are not the state of this wait.

    """
    if not info.heartbeat_details:
        return None
    details = info.heartbeat_details[0]
    is_wait = isinstance(details, dict) and {"wait", "turn", "repeated", "state"} <= details.keys()
    if not is_wait or not isinstance(details["turn"], int) or not isinstance(details["state"], str):
        message = f"the heartbeat details of the activity `{info.activity_id}` must be the state of a wait"
        raise StateError(message, "damaged_state")
    if details["wait"] != wait_id:
        message = f"the heartbeat details must be the state of the wait `{wait_id}`, got that of `{details['wait']}`"
        raise StateError(message, "damaged_state")
    return cast("dict[str, Any]", details)


def _handle(info: activity.Info) -> AsyncActivityHandle:
    context = ActivitySerializationContext(
        namespace=info.namespace,
        workflow_id=info.workflow_id,
        workflow_type=info.workflow_type,
        activity_id=info.activity_id,
        activity_type=info.activity_type,
        activity_task_queue=info.task_queue,
        is_local=info.is_local,
    )
    return activity.client().get_async_activity_handle(task_token=info.task_token).with_context(context)


async def _beat(info: activity.Info, details: dict[str, Any]) -> None:
    """Send heartbeats, which keep the state, while a poll is running."""
    timeout = info.heartbeat_timeout
    while timeout is not None:
        await asyncio.sleep(timeout.total_seconds() / _HEARTBEATS_PER_TIMEOUT)
        activity.heartbeat(details)


def _threaded(call: Callable[..., _T], *arguments: Any) -> Awaitable[_T]:
    return in_thread(partial(call, *arguments))


async def _own_call(call: Callable[..., Awaitable[_T]], *arguments: Any) -> _T:
    """Make a call, whose own errors cannot cancel the attempt or end the worker.

    If the attempt is cancelled or the call is cut, nobody reads the error.
    """
    try:
        return await call(*arguments)
    except (asyncio.CancelledError, SystemExit) as error:
        raise RuntimeError(f"`poll` raised {error!r}") from error


def _plain_options(options: Any) -> Iterator[tuple[str, Any]]:
    """Return the options of a wait as plain data."""
    for name, value in options.items():
        if name == "deadline" and value is not None:
            if not isinstance(value, datetime) or value.utcoffset() is None:
                # A workflow that raises another error does not end.
                message = f"`deadline` must be an aware `datetime`, got {value!r}"
                raise ApplicationError(message, type=OptionsError.__name__, non_retryable=True)
            yield name, value.isoformat()
        elif isinstance(value, dict):
            yield name, dict(_plain_options(value))
        else:
            yield name, value.total_seconds() if isinstance(value, timedelta) else value


def _time_limit(options: Any) -> timedelta | None:
    """Return the time after which Temporal ends the activity."""
    max_wait, deadline = options.get("max_wait"), options.get("deadline")
    limits: list[timedelta] = []
    # The engine reports invalid options in the first attempt.
    with suppress(TypeError, ValueError, OverflowError):
        if max_wait is not None:
            limits.append(max_wait if isinstance(max_wait, timedelta) else timedelta(seconds=max_wait))
    if isinstance(deadline, datetime) and deadline.utcoffset() is not None:
        limits.append(deadline - workflow.now())
    return min(max(min(limits), timedelta(0)), _LONGEST_ATTEMPT) + _GRACE if limits else None


def _positive_time(value: float | timedelta) -> timedelta:
    with suppress(TypeError, ValueError, OverflowError):
        time_ = value if isinstance(value, timedelta) else timedelta(seconds=value)
        if time_ > timedelta(0):
            return time_
    raise OptionsError(f"`heartbeat_timeout` must be more than 0, got {value!r}", "invalid_option", "heartbeat_timeout")
