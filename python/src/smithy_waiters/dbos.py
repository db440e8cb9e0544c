"""Waits that survive the process, on the workflows and queues of DBOS.

>>> from smithy_waiters.dbos import durable_wait
>>> restored = durable_wait(waiter, describe, name="restored", queue="waits")  # before `DBOS.launch()`
>>> restored.start("orders", max_wait=6 * 3600).get_result()

Each poll is one queued workflow, which is enqueued with a delay. No worker sleeps, and the limiter of the queue limits
the polls of all waits together. The wait is a workflow, too: it is delayed until the last poll, a cancellation or the
deadline wakes it, and its result is the result of the wait. Install with `pip install "smithy-waiters[dbos]"`.
"""

# The results of workflows are untyped.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from uuid import uuid4

from dbos import DBOS, WorkflowSerializationFormat

from . import _engine
from .drivers.call import require_callable
from .drivers.saved import DEFAULT_REPORT_LIMIT, Attempted, SavedWait, State, attempts, due_at, pack, result, with_seed
from .errors import OptionsError, StateError
from .pickling import picklable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dbos import EnqueueOptions, WorkflowHandle, WorkflowStatus
    from typing_extensions import Unpack

    from .options import WaitOptions
    from .outcome import Outcome
    from .waiter import Waiter

__all__ = ["DurableWait", "WaitHandle", "durable_wait"]

_T = TypeVar("_T")

# The longest wait of the engine. DBOS requires a delay.
_LONGEST_WAIT = 10 * 366 * 86_400.0
# The polls end a wait at its deadline. The wait wakes later than that, in case its poll is on a worker that died.
_GRACE = 60.0


def durable_wait(
    waiter: Waiter,
    poll: Callable[..., _T],
    *,
    name: str,
    queue: str,
    report_limit: int = DEFAULT_REPORT_LIMIT,
) -> DurableWait[_T]:
    """Register a durable wait with DBOS. Call this function when a module is imported, before `DBOS.launch()`.

    >>> restored = durable_wait(Waiter.until("Status", "available"), describe, name="restored", queue="waits")

    Args:
        waiter: The waiter. Its definition cannot contain a function.
        poll: A blocking function that makes the call. It receives the arguments of `DurableWait.start`. After a crash,
            the interrupted call is repeated.
        name: The name of the workflow in DBOS, which must be unique and stay the same while waits are running. The
            polls are workflows with the name `{name}.poll`.
        queue: The name of the queue of the polls. Register it with `DBOS.register_queue`.
        report_limit: The maximum size of a stored outcome or failure in bytes, as Base64 of its pickle; 1 MiB by
            default. A text replaces a response or an error that is too large, and then the oldest attempts are removed
            from the history.

    Raises:
        OptionsError: `name` or `queue` is not a text, or `report_limit` is not a positive integer.
        StateError: The waiter has a function instead of an expression (`predicate`).
        TypeError: `poll` is not a blocking function.

    """
    require_callable(poll)
    if iscoroutinefunction(poll):
        raise TypeError("`poll` must be a blocking function, got a coroutine function")
    for option, value in (("name", name), ("queue", queue)):
        if not isinstance(value, str) or not value:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise OptionsError(f"`{option}` must be a text, got {value!r}", "invalid_option", option)
    return DurableWait(SavedWait(waiter, name, report_limit), poll, queue)


class DurableWait(Generic[_T]):
    """A wait that survives the process. The function `durable_wait` creates it.

    Attributes:
        name: The name of the workflow in DBOS.
        queue: The name of the queue.
        waiter: The `smithy_waiters.Waiter`.
        fingerprint: The fingerprint of the definition.

    """

    def __init__(self, saved: SavedWait, poll: Callable[..., _T], queue: str) -> None:
        self.waiter, self.name, self.fingerprint = saved.waiter, saved.name, saved.fingerprint
        self.queue = queue
        self._saved = saved
        self._call = poll
        name = saved.name

        # DBOS stores attributes in a function, and a method has none.
        def wait(begun: dict[str, Any]) -> Outcome[_T]:
            return self._wait(begun)

        def poll_once(wait_id: str, state: State, arguments: Sequence[Any]) -> None:
            self._poll(wait_id, state, arguments)

        DBOS.workflow(name=name)(wait)
        DBOS.workflow(name=f"{name}.poll")(poll_once)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name} on {self.queue}>"

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
            *arguments: The arguments of the poll. The serializer of DBOS stores them.
            workflow_id: The ID of the wait, which makes the start idempotent; random by default. The seed of the delays
                is derived from it.
            input: The operation's input, which `inputOutput` matchers read.
            **options: The options of `Waiter.wait`. A `deadline` must be an aware `datetime`.

        Raises:
            OptionsError: An option is missing, unknown or invalid, or the queue is not registered.
            StateError: The wait `workflow_id` was started with another definition, other arguments or other options.

        """
        if isinstance(options.get("deadline"), int | float):
            message = "`deadline` must be an aware `datetime`, because other processes have other monotonic clocks"
            raise OptionsError(message, "invalid_option", "deadline")
        begin = partial(self._begin, arguments, workflow_id, input, options)
        begun = DBOS.run_step({"name": f"{self.name}.start"}, begin)
        wait_id: str = begun["id"]
        self._enqueue(self.name, wait_id, begun["delay"], begun)
        if workflow_id is not None:
            begun = self._existing(begun)
        self._enqueue_poll(wait_id, begun["state"], begun["arguments"])
        return self.handle(wait_id)

    def handle(self, workflow_id: str) -> WaitHandle[_T]:
        """Return the handle of a wait that was started before, in any process."""
        return WaitHandle(self, workflow_id)

    def _begin(self, arguments: tuple[Any, ...], wait_id: str | None, input: object, options: Any) -> dict[str, Any]:
        if DBOS.retrieve_queue(self.queue) is None:
            message = f"`queue` must be the name of a registered queue, got {self.queue!r}"
            raise OptionsError(message, "invalid_option", "queue")
        wait_id = wait_id or str(uuid4())
        options = with_seed(wait_id, options)
        state, deadline_ms = self._saved.begin(wait_id, input, options)
        # Not the saved options: they contain the rest of the time until a `deadline`.
        facts = json.dumps([self.fingerprint, _engine._plain([arguments, input, options])], sort_keys=True)  # noqa: SLF001
        return {
            "id": wait_id,
            "fingerprint": blake2b(facts.encode(), digest_size=8).hexdigest(),
            "delay": _LONGEST_WAIT if deadline_ms is None else deadline_ms / 1000 + _GRACE,
            "state": state,
            "arguments": list(arguments),
        }

    def _existing(self, begun: dict[str, Any]) -> dict[str, Any]:
        """Return the start of the wait that has the ID, which may be an earlier one."""
        (status,) = DBOS.list_workflows(workflow_ids=[begun["id"]], load_output=False)
        existing: dict[str, Any] = _arguments(status)[0]
        mine, theirs = begun["fingerprint"], existing["fingerprint"]
        if mine != theirs:
            message = (
                f"`workflow_id` must belong to a wait with the same definition, arguments and options: {begun['id']!r} "
                f"was started with the fingerprint {theirs}, got {mine}"
            )
            raise StateError(message, "other_definition")
        return existing

    def _enqueue_poll(self, wait_id: str, state: State, arguments: Sequence[Any]) -> None:
        poll_id = f"{_poll_prefix(wait_id)}{attempts(state) + 1}"
        self._enqueue(f"{self.name}.poll", poll_id, due_at(state) - time.time(), wait_id, state, arguments)

    def _enqueue(self, name: str, workflow_id: str, delay: float, *arguments: Any) -> WorkflowHandle[Any]:
        # Without a version, the latest version of the application runs the workflow: a deploy does not strand the wait.
        options: EnqueueOptions = {"workflow_name": name, "queue_name": self.queue, "workflow_id": workflow_id}
        if name == self.name:
            # A serializer for JSON would lose the class and the attributes of a failure.
            options["serialization_type"] = WorkflowSerializationFormat.NATIVE
        if delay > 0:
            options["delay_seconds"] = delay
        return DBOS.enqueue_workflow_with_options(options, *arguments)

    def _wait(self, begun: dict[str, Any]) -> Outcome[_T]:
        """Return the result of a wait. This workflow starts when the wait is over."""
        outcome: Outcome[_T] = result(DBOS.run_step({"name": "conclude"}, self._conclude, begun))
        return outcome

    def _poll(self, wait_id: str, state: State, arguments: Sequence[Any]) -> None:
        """Make one attempt, and enqueue the next poll or end the wait."""
        try:
            following, report, progress = DBOS.run_step({"name": "poll"}, self._attempt, wait_id, state, arguments)
        except Exception as error:
            _wake(wait_id, pack(picklable(error)))
            raise
        if progress is not None:
            DBOS.set_event("progress", progress)
        if report is not None:
            _wake(wait_id, report)
        elif following is not None:
            self._enqueue_poll(wait_id, following, arguments)

    def _attempt(self, wait_id: str, state: State, arguments: Sequence[Any]) -> Attempted:
        poll_id = DBOS.workflow_id
        found = DBOS.list_workflows(workflow_ids=[wait_id, str(poll_id)], load_input=False, load_output=False)
        statuses = {status.workflow_id: status for status in found}
        if wait_id not in statuses or statuses[wait_id].status != "DELAYED":
            # The wait was cancelled.
            return Attempted(None, None, None)
        executions = getattr(statuses.get(str(poll_id)), "recovery_attempts", None) or 1
        return self._saved.attempt(wait_id, state, partial(self._call, *arguments), executions)

    def _conclude(self, begun: dict[str, Any]) -> str:
        """Return the report of the last poll, or end a wait that was cancelled or whose last poll was lost."""
        wait_id: str = begun["id"]
        state: State = begun["state"]
        for status in _polls(wait_id, self.name)[:1]:
            report: str | None = DBOS.get_all_events(status.workflow_id).get("report")
            if report is not None:
                return report
            # A poll that is running ends by itself, because its wait is over.
            if status.status in ("DELAYED", "ENQUEUED"):
                DBOS.cancel_workflow(status.workflow_id)
            state = _arguments(status)[1]
        return self._saved.cancel(wait_id, state)


@dataclass(frozen=True)
class WaitHandle(Generic[_T]):
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

    def cancel(self) -> None:
        """End the wait with a `WaiterCancelled`. A wait that has ended is not changed."""
        DBOS.set_workflow_delay(self.workflow_id, delay_seconds=0)

    def progress(self) -> dict[str, Any] | None:
        """Return the latest attempt as plain data, or `None` before the first attempt has ended.

        It has the members of an `AttemptRecord`, the `summary`, the `label`, and `repeated`: how often a worker that
        died may have made the same call before. It is the event `progress` of the workflow of the poll.
        """
        for status in _polls(self.workflow_id, self.wait.name):
            progress: dict[str, Any] | None = DBOS.get_all_events(status.workflow_id).get("progress")
            if progress is not None:
                return progress
        return None


def _poll_prefix(wait_id: str) -> str:
    return f"{wait_id}.poll-"


def _polls(wait_id: str, name: str) -> list[WorkflowStatus]:
    """Return the latest polls of a wait, newest first."""
    prefix = _poll_prefix(wait_id)
    polls = DBOS.list_workflows(workflow_id_prefix=prefix, name=f"{name}.poll", sort_desc=True, limit=3)
    # Polls of several workers may be listed in the order of their clocks.
    return sorted(polls, key=lambda status: int(status.workflow_id.removeprefix(prefix)), reverse=True)


def _arguments(status: WorkflowStatus) -> Any:
    if status.input is None:
        raise StateError(f"the input of the workflow `{status.workflow_id}` is damaged", "damaged_state")
    return status.input["args"]


def _wake(wait_id: str, report: str) -> None:
    """End a wait with the report of its last poll."""
    # Not the result of the poll: the wait may start before the poll has returned.
    DBOS.set_event("report", report)
    DBOS.set_workflow_delay(wait_id, delay_seconds=0)
