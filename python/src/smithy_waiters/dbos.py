"""Waits that survive the process, on the workflows and queues of DBOS.

>>> from smithy_waiters.dbos import durable_wait
>>> restored = durable_wait(waiter, describe, name="restored", queue="waits")  # before `DBOS.launch()`
>>> restored.start("orders", max_wait=6 * 3600).get_result()

Each poll is one queued workflow, which is enqueued with a delay. No worker sleeps, and the limiter of the queue limits
the polls of all waits together. The wait is a workflow, too, in a queue without limits: it is delayed until the last
poll, a cancellation or the deadline wakes it, and its result is the result of the wait. Install with
`pip install "smithy-waiters[dbos]"`.

A fleet is one durable wait for many resources that share their calls. Each poll is a round, which makes the calls that
are due:

>>> restored = durable_fleet(waiter, describe_all, name="all-restored", queue="waits", items="Tables[]", key="Name")
>>> restored.start(["orders", "users"], max_wait=6 * 3600).get_result()
"""

# The results of workflows are untyped.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import re
import time
from contextvars import Context
from dataclasses import dataclass
from functools import partial
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypedDict, TypeVar
from uuid import uuid4

from dbos import DBOS, WorkflowSerializationFormat

from ._engine import _poll_action
from .drivers.call import require_callable
from .durable.fingerprint import fingerprint
from .durable.stored import Attempted, Begun, StoredWait, ended, report_of_exception, require_text
from .durable.stored_fleet import StoredFleet
from .errors import OptionsError, StateError
from .fleet import FleetProgress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from dbos import EnqueueOptions, WorkflowStatus
    from typing_extensions import Unpack

    from .options import WaitOptions
    from .outcome import Outcome
    from .waiter import Waiter

__all__ = ["DurableFleet", "DurableWait", "FleetHandle", "WaitHandle", "durable_fleet", "durable_wait"]

_T = TypeVar("_T")

# The polls end a wait at its deadline. The wait wakes later than that, in case its poll is on a worker that died.
_GRACE = 60.0

# Polls of several workers may be listed in the order of their clocks, so one must look at several for the latest.
_LATEST = 3

_Stored: TypeAlias = StoredWait | StoredFleet

# The names of the workflows of all durable waits.
_names: set[str] = set()


def durable_wait(
    waiter: Waiter,
    poll: Callable[..., _T],
    *,
    name: str,
    queue: str,
    report_limit: int | None = None,
) -> DurableWait[_T]:
    """Register a durable wait with DBOS. Call this function when a module is imported, before `DBOS.launch()`.

    >>> restored = durable_wait(Waiter.until("Status", "available"), describe, name="restored", queue="waits")

    Args:
        waiter: The waiter. Its definition cannot contain a function.
        poll: A blocking function that makes the call. It receives the arguments of `DurableWait.start`. After a crash,
            the interrupted call is repeated.
        name: The name of the workflow in DBOS, which must be unique and stay the same while waits are running. The
            polls are workflows with the name `{name}.poll`.
        queue: The name of the queue of the polls. Register it with `DBOS.register_queue`. The waits themselves have the
            queue `{queue}.waits`, which `DurableWait.start` registers without limits.
        report_limit: The maximum size of a stored outcome or failure as JSON, in bytes, with the response and the error
            as Base64 of their pickles; 1 MiB by default. A text replaces a response or an error that is too large, and
            then the oldest attempts are removed from the history. They are also removed from a larger state of a
            running wait.

    Raises:
        OptionsError: `name` or `queue` is not a text, another durable wait has the name, or `report_limit` is not a
            positive integer.
        StateError: The waiter has a function instead of an expression (`predicate`).
        TypeError: `poll` is not a blocking function.

    """
    _check(poll, "poll", name, queue)
    stored = StoredWait(waiter, report_limit)
    _take_name(name)
    return DurableWait(stored, name, poll, queue)


def durable_fleet(
    waiter: Waiter,
    call: Callable[..., object],
    *,
    name: str,
    queue: str,
    items: str,
    key: str | Sequence[str],
    also: Mapping[str, str] | None = None,
    batch: int | None = None,
) -> DurableFleet:
    """Register a durable wait for many resources with DBOS. Call this function before `DBOS.launch()`.

    >>> restored = durable_fleet(waiter, describe, name="all-restored", queue="waits", items="Tables[]", key="Name")

    Args:
        waiter: The waiter. Its definition cannot contain a function. It judges each resource as if the answer held only
            it.
        call: A blocking function that makes the call for a list of identifiers. It receives the identifiers and the
            arguments of `DurableFleet.start`, and returns the response or an iterator of the responses of all pages.
            After a crash, the calls of the interrupted round are repeated.
        name: The name of the workflow in DBOS, as that of `durable_wait`.
        queue: The name of the queue of the rounds, as that of `durable_wait`. Its limiter limits the rounds, each of
            which makes its calls one after another.
        items: The path of the resources in a response: `"Reservations[].Instances[]"`.
        key: The member of a resource that is its identifier, or several, any of which may be.
        also: Further lists whose entries belong to resources, with the member that has the identifier.
        batch: The most identifiers of one call; 100 by default.

    Raises:
        OptionsError: An option is invalid, or another durable wait has the name.
        StateError: The waiter has a function instead of an expression (`predicate`).
        TypeError: `call` is not a blocking function.

    """
    _check(call, "call", name, queue)
    stored = StoredFleet(waiter, items=items, key=key, also=also, batch=batch)
    _take_name(name)
    return DurableFleet(stored, name, call, queue)


def _check(call: Callable[..., object], option: str, name: str, queue: str) -> None:
    require_callable(call)
    if iscoroutinefunction(call):
        raise TypeError(f"`{option}` must be a blocking function, got a coroutine function")
    require_text("name", name)
    require_text("queue", queue)


def _take_name(name: str) -> None:
    names = {name, _poll_name(name)}
    if not names.isdisjoint(_names):
        message = f"`name` must be unique, got {name!r}, which another durable wait has"
        raise OptionsError(message, "invalid_option", "name")
    _names.update(names)


class _Start(TypedDict):
    """The facts about the start of a wait that its workflow needs."""

    fingerprint: str
    """The fingerprint of the definition, the arguments and the options."""
    wakes_at: float
    """The time at which the wait ends without its polls, in seconds since the epoch."""


class _WaitInput(_Start):
    """The input of the workflow of a wait."""

    id: str
    state: str
    arguments: Sequence[Any]


class _Durable:
    """What an engine stores of a waiter, on workflows and queues.

    Attributes:
        name: The name of the workflow in DBOS.
        queue: The name of the queue.
        waiter: The `smithy_waiters.Waiter`.
        fingerprint: The fingerprint of the definition.

    """

    def __init__(self, stored: _Stored, name: str, poll: Callable[..., object], queue: str) -> None:
        self.waiter: Waiter = stored.waiter
        self.name = name
        self.fingerprint: str = stored.fingerprint
        self.queue = queue
        self._stored = stored
        self._call = poll

        # DBOS stores attributes in a function, and a method has none.
        def wait(begun: _WaitInput) -> object:
            return self._wait(begun)

        def poll_once(
            wait_id: str,
            state: str,
            arguments: Sequence[Any],
            repeated: int = 0,
            start: _Start | None = None,
        ) -> None:
            del repeated  # For readers of the input.
            self._poll(wait_id, state, arguments, start)

        DBOS.workflow(name=name)(wait)
        DBOS.workflow(name=_poll_name(name))(poll_once)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name} on {self.queue}>"

    def _start(self, arguments: tuple[Any, ...], workflow_id: str | None, subject: Any, options: Any) -> str:
        """Start a wait and return its ID. The subject is the input of a wait, or the identifiers of a fleet."""
        if workflow_id is not None:
            require_text("workflow_id", workflow_id)
            if _POLL_ID.search(workflow_id):
                message = f"`workflow_id` must not end like the ID of a poll, got {workflow_id!r}"
                raise OptionsError(message, "invalid_option", "workflow_id")
        begin = partial(self._begin, arguments, workflow_id, subject, options)
        begun = DBOS.run_step({"name": f"{self.name}.start"}, begin)
        # The first poll creates the wait, too, in case this process dies in between.
        start: _Start = {"fingerprint": begun["fingerprint"], "wakes_at": begun["wakes_at"]}
        state = begun["state"]
        self._enqueue_poll(1, self._stored.due_at(state), begun["id"], state, begun["arguments"], start=start)
        if workflow_id is not None:
            begun = self._existing(begun)
        self._enqueue_wait(begun)
        return begun["id"]

    def _begin(self, arguments: tuple[Any, ...], wait_id: str | None, subject: Any, options: Any) -> _WaitInput:
        queue = DBOS.retrieve_queue(self.queue)
        if queue is None:
            message = f"`queue` must be the name of a registered queue, got {self.queue!r}"
            raise OptionsError(message, "invalid_option", "queue")
        waits = _waits_queue(self.queue)
        if DBOS.retrieve_queue(waits) is None:
            interval = queue.polling_interval_sec
            DBOS.register_queue(waits, polling_interval_sec=interval, on_conflict="never_update")
        wait_id = wait_id or str(uuid4())
        begun: Begun = self._stored.begin(wait_id, subject, options, arguments=fingerprint(arguments))
        start: _Start = {"fingerprint": begun.identity, "wakes_at": begun.ends_at + _GRACE}
        return _wait_input(wait_id, begun.state, arguments, start)

    def _existing(self, begun: _WaitInput) -> _WaitInput:
        """Return the start of the wait that has the ID, which may be an earlier one."""
        wait_id = begun["id"]
        ids, names = [wait_id, _poll_id(wait_id, 1)], [self.name, _poll_name(self.name)]
        found = DBOS.list_workflows(workflow_ids=ids, name=names, load_output=False)
        statuses = {status.workflow_id: status for status in found}
        existing = begun
        if wait_id in statuses:
            (existing,) = _arguments(statuses[wait_id])
        elif ids[1] in statuses:
            _, state, arguments, _, start = _arguments(statuses[ids[1]])
            existing = _wait_input(wait_id, state, arguments, start)
        mine, theirs = begun["fingerprint"], existing["fingerprint"]
        if mine != theirs:
            message = (
                f"`workflow_id` must belong to a wait with the same definition, arguments and options: {wait_id!r} "
                f"was started with the fingerprint {theirs}, got {mine}"
            )
            raise StateError(message, "other_definition")
        return existing

    def _enqueue_wait(self, begun: _WaitInput) -> None:
        options: EnqueueOptions = {
            "workflow_name": self.name,
            "queue_name": _waits_queue(self.queue),
            "workflow_id": begun["id"],
            # A serializer for JSON would lose the class and the attributes of a failure.
            "serialization_type": WorkflowSerializationFormat.NATIVE,
        }
        _enqueue(options, begun["wakes_at"], begun)

    def _enqueue_poll(
        self,
        number: int,
        starts_at: float,
        wait_id: str,
        state: str,
        arguments: Sequence[Any],
        *,
        repeated: int = 0,
        start: _Start | None = None,
    ) -> None:
        options: EnqueueOptions = {
            "workflow_name": _poll_name(self.name),
            "queue_name": self.queue,
            "workflow_id": _poll_id(wait_id, number),
        }
        _enqueue(options, starts_at, wait_id, state, arguments, repeated, start)

    def _wait(self, begun: _WaitInput) -> object:
        """Return the result of a wait. This workflow starts when the wait is over."""
        end: object = ended(DBOS.run_step({"name": "conclude"}, self._conclude, begun))
        if isinstance(end, Exception):
            raise end
        return end

    def progress_of(self, wait_id: str) -> dict[str, Any] | None:
        """Return the progress of the latest poll as plain data, and how often it was `repeated`."""
        for status in _polls(wait_id, self.name)[:1]:
            latest: dict[str, Any] | None = DBOS.get_all_events(status.workflow_id).get("progress")
            if latest is None:
                _, state, _, repeated, _ = _arguments(status)
                latest = self._stored.progress(state)
                latest = latest and {**latest, "repeated": repeated}
            return latest
        return None

    def _poll(self, wait_id: str, state: str, arguments: Sequence[Any], start: _Start | None) -> None:
        """Make one attempt, and enqueue the next poll or end the wait.

        The attempt is not a step: the next poll is the record of it. An interrupted poll whose next one exists does
        nothing.
        """
        poll_id = str(DBOS.workflow_id)
        # Not from the state, which may be damaged.
        following_number = int(poll_id.removeprefix(_poll_id(wait_id))) + 1
        next_id = _poll_id(wait_id, following_number)
        ids = [wait_id, poll_id, next_id]
        # Not as a step of this workflow, which would return the same result after a crash.
        found = _outside(DBOS.list_workflows, workflow_ids=ids, load_input=False, load_output=False)
        statuses = {status.workflow_id: status for status in found}
        wait = statuses.get(wait_id)
        is_waiting = wait is not None and wait.name == self.name and wait.status == "DELAYED"
        executions = statuses[poll_id].recovery_attempts or 1
        action = _poll_action(
            next_exists=next_id in statuses,
            wait="missing" if wait is None else "waiting" if is_waiting else "ended",
            is_first=start is not None,
            is_reported=executions > 1 and "report" in _outside(DBOS.get_all_events, poll_id),
        )
        if action == "ignore":
            return
        if action == "wake_up":
            _wake(wait_id)
            return
        if action == "create" and start is not None:
            _outside(self._enqueue_wait, _wait_input(wait_id, state, arguments, start))
        following, starts_at, report, latest = self._attempt(state, arguments, executions)
        if following is not None:
            next_poll = (following_number, starts_at, wait_id, following, arguments)
            _outside(self._enqueue_poll, *next_poll, repeated=executions - 1)
            return
        if latest is not None:
            DBOS.set_event("progress", latest)
        # Not the result of the poll: the wait may start before the poll has returned.
        DBOS.set_event("report", report)
        _wake(wait_id)

    def _attempt(self, state: str, arguments: Sequence[Any], executions: int) -> Attempted:
        try:
            return self._stored.attempt(state, self._call, executions, arguments)
        except Exception as error:  # noqa: BLE001 - the wait raises it.
            return Attempted(None, None, report_of_exception(error), None)

    def _conclude(self, begun: _WaitInput) -> str:
        """Return the report of the last poll, or end a wait that was cancelled or whose last poll was lost."""
        wait_id: str = begun["id"]
        state: str = begun["state"]
        for status in _polls(wait_id, self.name)[:1]:
            report: str | None = DBOS.get_all_events(status.workflow_id).get("report")
            if report is not None:
                return report
            # A poll that is running ends by itself, because its wait is over.
            if status.status in ("DELAYED", "ENQUEUED"):
                DBOS.cancel_workflow(status.workflow_id)
            state = _arguments(status)[1]
        return self._stored.cancel(state)


class DurableWait(_Durable, Generic[_T]):
    """A wait that survives the process. The function `durable_wait` creates it.

    Attributes:
        name: The name of the workflow in DBOS.
        queue: The name of the queue.
        waiter: The `smithy_waiters.Waiter`.
        fingerprint: The fingerprint of the definition.

    """

    def start(
        self,
        *arguments: Any,
        workflow_id: str | None = None,
        input: object = None,
        **options: Unpack[WaitOptions],
    ) -> WaitHandle[_T]:
        """Start a wait and return its handle.

        The options of the wait do not change while it is running, even if the program does.

        Args:
            *arguments: The arguments of the poll, which can be pickled. The serializer of DBOS stores them.
            workflow_id: The ID of the wait, which makes the start idempotent; random by default. The seed of the delays
                is derived from it. It cannot end like that of a poll: `.poll-1`.
            input: The operation's input, which `inputOutput` matchers read.
            **options: The options of `Waiter.wait`. A `deadline` must be an aware `datetime`.

        Raises:
            OptionsError: An option is missing, unknown or invalid, or the queue is not registered.
            TypeError: An argument or the input cannot be pickled.
            StateError: The wait `workflow_id` was started with another definition, other arguments or other options.

        """
        return self.handle(self._start(arguments, workflow_id, input, options))

    def handle(self, workflow_id: str) -> WaitHandle[_T]:
        """Return the handle of a wait that was started before, in any process."""
        return WaitHandle(self, workflow_id)


class DurableFleet(_Durable):
    """A wait for many resources that survives the process. The function `durable_fleet` creates it.

    Attributes:
        name: The name of the workflow in DBOS.
        queue: The name of the queue.
        waiter: The `smithy_waiters.Waiter`.
        fingerprint: The fingerprint of the definition.

    """

    def start(
        self,
        ids: Iterable[str],
        *arguments: Any,
        workflow_id: str | None = None,
        quorum: int | None = None,
        fail_fast: bool = False,
        **options: Unpack[WaitOptions],
    ) -> FleetHandle:
        """Start the waits for the resources and return their handle.

        The identifiers and the options do not change while the waits are running, even if the program does.

        Args:
            ids: The identifiers of the resources.
            *arguments: The further arguments of the call, which can be pickled. The serializer of DBOS stores them.
            workflow_id: The ID of the wait, as that of `DurableWait.start`.
            quorum: The number of successes that is enough; the other waits then end.
            fail_fast: Whether the first failure ends all waits.
            **options: The options of `Fleet.wait_each`. A `deadline` must be an aware `datetime`.

        Raises:
            OptionsError: An option is missing, unknown or invalid, an identifier repeats, or the queue is not
                registered.
            TypeError: An argument cannot be pickled.
            StateError: The wait `workflow_id` was started with another definition, other identifiers, arguments or
                options.

        """
        whole = {"quorum": quorum, "fail_fast": fail_fast, **options}
        return self.handle(self._start(arguments, workflow_id, ids, whole))

    def handle(self, workflow_id: str) -> FleetHandle:
        """Return the handle of a wait that was started before, in any process."""
        return FleetHandle(self, workflow_id)


class _Handle:
    workflow_id: str

    def cancel(self) -> None:
        """End the wait with a `WaiterCancelled` for each open resource. A wait that has ended is not changed.

        Raises:
            DBOSNonExistentWorkflowError: There is no such wait.

        """
        DBOS.retrieve_workflow(self.workflow_id)
        DBOS.set_workflow_delay(self.workflow_id, delay_seconds=0)


@dataclass(frozen=True)
class WaitHandle(_Handle, Generic[_T]):
    """The handle of a durable wait."""

    wait: DurableWait[_T]
    """The durable wait."""
    workflow_id: str
    """The ID of the wait, which is also the ID of its workflow in DBOS."""

    def get_result(self) -> Outcome[_T]:
        """Wait for the outcome.

        `DBOS.retrieve_workflow` and `DBOSClient` return the same result.

        Raises:
            WaiterError: The wait failed. `response` and `error` are those of the last attempt.
            StateError: The wait belongs to another definition or was started by a later release.
            DBOSAwaitedWorkflowCancelledError: The workflow was cancelled with `DBOS.cancel_workflow`.

        """
        outcome: Outcome[_T] = DBOS.retrieve_workflow(self.workflow_id).get_result()
        return outcome

    def progress(self) -> dict[str, Any] | None:
        """Return the latest attempt as plain data, or `None` before the first attempt has ended.

        It has the members of an `AttemptRecord`, the `summary`, the `label`, and `repeated`: how often a worker that
        died may have made the same call before. The last poll also has it as the event `progress`.
        """
        return self.wait.progress_of(self.workflow_id)


@dataclass(frozen=True)
class FleetHandle(_Handle):
    """The handle of a durable wait for many resources."""

    fleet: DurableFleet
    """The durable wait."""
    workflow_id: str
    """The ID of the wait, which is also the ID of its workflow in DBOS."""

    def get_result(self) -> dict[str, Outcome[Any]]:
        """Wait for the outcome of each identifier that succeeded, in the order of the identifiers.

        The outcomes have no response and no history. `DBOS.retrieve_workflow` and `DBOSClient` return the same result.

        Raises:
            WaitersFailed: Too many waits ended without success. It lists all of them.
            StateError: The wait belongs to another definition or fleet or was started by a later release, or the
                resources of an answer cannot be told apart (`invalid_answer`).
            DBOSAwaitedWorkflowCancelledError: The workflow was cancelled with `DBOS.cancel_workflow`.

        """
        outcomes: dict[str, Outcome[Any]] = DBOS.retrieve_workflow(self.workflow_id).get_result()
        return outcomes

    def progress(self) -> FleetProgress | None:
        """Return the counts of the resources after the latest round, or `None` if there is no such wait."""
        latest = self.fleet.progress_of(self.workflow_id)
        return FleetProgress(latest["waiting"], latest["succeeded"], latest["failed"]) if latest else None


_POLL_ID = re.compile(r"\.poll-[0-9]+\Z")


def _poll_name(name: str) -> str:
    return f"{name}.poll"


def _waits_queue(queue: str) -> str:
    return f"{queue}.waits"


def _poll_id(wait_id: str, number: int | str = "") -> str:
    """Return the ID of a poll, or the prefix of the IDs of all polls of a wait."""
    return f"{wait_id}.poll-{number}"


def _wait_input(wait_id: str, state: str, arguments: Sequence[Any], start: _Start) -> _WaitInput:
    return {**start, "id": wait_id, "state": state, "arguments": arguments}


def _polls(wait_id: str, name: str) -> list[WorkflowStatus]:
    """Return the latest polls of a wait, newest first."""
    prefix = _poll_id(wait_id)
    polls: dict[int, WorkflowStatus] = {}
    limit, is_whole = _LATEST, False
    # The IDs of other waits may have the prefix, too. Each query starts at the newest: between two that continue one
    # another, workflows of the same millisecond may change places, and one would be in neither.
    while len(polls) < _LATEST and not is_whole:
        page = DBOS.list_workflows(workflow_id_prefix=prefix, name=_poll_name(name), sort_desc=True, limit=limit)
        is_whole = len(page) < limit
        numbers = [status.workflow_id.removeprefix(prefix) for status in page]
        polls.update((int(number), status) for number, status in zip(numbers, page, strict=True) if number.isdigit())
        limit *= 4
    return [polls[number] for number in sorted(polls, reverse=True)]


def _enqueue(options: EnqueueOptions, starts_at: float, *arguments: Any) -> None:
    # Without a version, the latest version of the application runs the workflow: a deploy does not strand the wait.
    delay = starts_at - time.time()
    if delay > 0:
        options["delay_seconds"] = delay
    DBOS.enqueue_workflow_with_options(options, *arguments)


def _arguments(status: WorkflowStatus) -> Any:
    if status.input is None:
        raise StateError(f"the input of the workflow `{status.workflow_id}` is damaged", "damaged_state")
    return status.input["args"]


def _wake(wait_id: str) -> None:
    """Start the workflow of a wait, which returns its report."""
    _outside(DBOS.set_workflow_delay, wait_id, delay_seconds=0)


def _outside(call: Callable[..., _T], /, *arguments: Any, **named: Any) -> _T:
    """Call a function of DBOS as outside of a workflow, which does not record it."""
    return Context().run(call, *arguments, **named)
