"""The trigger of deferred waits."""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false, reportUntypedBaseClass=false

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from datetime import datetime, timezone
from math import inf
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from airflow.sdk.execution_time.xcom import XCom
from airflow.triggers.base import BaseTrigger, TriggerEvent

from smithy_waiters import _engine
from smithy_waiters.durable.packing import packed, unpacked
from smithy_waiters.durable.stored import StoredWait, attempts, ended, pause, plain
from smithy_waiters.errors import OptionsError
from smithy_waiters.waiter import Waiter

from .call import import_name, plain_call, read_call
from .job import Job, request, task_key
from .versions import CALLS_ON_KILL

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from smithy_waiters.durable.stored import Begun
    from smithy_waiters.options import WaitOptions

    from .call import HookCall

DEFAULT_STORE_INTERVAL = 60.0

# The number of attempts that a wait keeps, so that a stored state takes at most 1 KB.
_HISTORY_LIMIT = 5

# The XCom of the task with the state of its wait.
_KEY = "smithy_waiters.wait"


class WaitTrigger(BaseTrigger):  # type: ignore[misc]
    """A trigger that waits, for operators that defer. `WaitSensor` and `WaitOperator` use it.

    >>> self.defer(
    ...     trigger=WaitTrigger(waiter=waiter, poll="polls.describe", options={"max_wait": 600}),
    ...     method_name="execute_complete",
    ... )

    The wait starts when the trigger is created. The payload of its event is plain data for `outcome`.

    When a user clears the task or sets its state, the trigger calls `cancel_with`, and writes the report of the
    attempts to the log of the task. Before Airflow 3.3, it only does so with `cancel_with`.

    Args:
        waiter: The waiter. Its definition cannot contain a function.
        poll: The dotted path of a function that makes the call, or a `HookCall`. The function is asynchronous, or
            blocking, which takes a thread for each call. The triggerer must be able to import it: from a package or
            from the folder of the plugins, not from the file of a DAG. If it has a parameter `attempt`, it receives
            the number of the attempt. If the triggerer is killed, the calls since the latest store are repeated.
        arguments: The keyword arguments of the function or of the hook's method.
        input: The operation's input, which `inputOutput` matchers read.
        options: The options of `Waiter.wait`. A `deadline` must be an aware `datetime`. The `history_limit` is 5 by
            default, so that a stored state takes at most 1 KB.
        cancel_with: A call as `poll`, with the same arguments, that stops what the wait waits for. It is called if the
            task is killed: cleared, set to another state, or skipped. It is not called if Airflow stops or moves the
            trigger, nor if the state of the task cannot be read.
        wait_id: The ID of the wait, from which the seed of the delays is derived; random by default.
        store_interval: The minimum time between two stores of the state in seconds; 60 by default. A store takes
            the triggerer about as long as 20 polls.
        report_limit: The maximum size of the outcome or the failure in bytes, as JSON; 1 MiB by default. A text
            replaces a response or an error that is too large, and then the oldest attempts are removed from the
            history.
        state: The state of the wait, if it has started.

    Raises:
        OptionsError: An option is missing, unknown or invalid, or the poll cannot be imported.
        StateError: The waiter has a function instead of an expression (`predicate`).

    """

    def __init__(
        self,
        *,
        waiter: Waiter | Mapping[str, Any],
        poll: str | HookCall | Mapping[str, Any],
        arguments: Mapping[str, Any] | None = None,
        input: object = None,
        options: WaitOptions | None = None,
        cancel_with: str | HookCall | Mapping[str, Any] | None = None,
        wait_id: str | None = None,
        store_interval: float = DEFAULT_STORE_INTERVAL,
        report_limit: int | None = None,
        state: str | None = None,
    ) -> None:
        super().__init__()
        self.waiter: Waiter | Mapping[str, Any] = waiter
        self.poll: str | HookCall | Mapping[str, Any] = poll
        self.arguments: Mapping[str, Any] = arguments or {}
        self.cancel_with: str | HookCall | Mapping[str, Any] | None = cancel_with
        self.wait_id: str = wait_id or str(uuid4())
        self.store_interval: float = store_interval
        self.report_limit: int | None = report_limit
        self.ends_at: float | None = None
        self._job: Job | None = None
        self._end_task: asyncio.Future[None] | None = None
        # A triggerer stops if the class of a stored trigger raises an error, so `run` checks these.
        if state is None:
            check_interval(store_interval)
            read_call(poll).check("poll", self.arguments)
            if cancel_with is not None:
                read_call(cancel_with).check("cancel_with", self.arguments)
            begun = begin(self._stored(), self.wait_id, input, options)
            state, self.ends_at = begun.state, begun.ends_at
            self.waiter = plain_waiter(waiter) if isinstance(waiter, Waiter) else waiter
        self.state: str = state

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """Return the path of the class and its arguments."""
        names = ("waiter", "arguments", "wait_id", "store_interval", "report_limit", "state")
        arguments = {name: getattr(self, name) for name in names}
        calls = {"poll": plain_call(self.poll), "cancel_with": plain_call(self.cancel_with)}
        return f"{type(self).__module__}.{type(self).__qualname__}", {**arguments, **calls}

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Make the attempts that are due, and fire the event with the end of the wait.

        Raises:
            StateError: The state belongs to another definition or was saved by a later release.

        """
        if self.cancel_with is not None and self.task_instance is not None:
            holder = str(uuid4())
            task = (self.task_instance, self.log)
            self._job = Job(self.cancel_with, self.arguments, *task, holder=holder, ends_at=_ends_at(self.state))
        try:
            await self._claim()
            await self._load()
            end = await self.wait(deferred=True)
            await self._claim()
        except asyncio.CancelledError:
            if self._job is not None and not CALLS_ON_KILL and not self._is_late():
                await self.on_kill()
            raise
        yield TriggerEvent(end)

    async def wait(self, *, deferred: bool = False) -> dict[str, Any]:
        """Make the attempts that are due, and return the end of the wait for `outcome`.

        Only a `deferred` wait is stored.
        """
        waits, stored_at = self._stored(), time.monotonic()
        async with read_call(self.poll).open(self.arguments, deferred=deferred) as call:
            while True:
                await asyncio.sleep(pause(self.state))
                number = attempts(self.state) + 1
                following, _, report, latest = await waits.attempt_async(self.state, lambda: call(number))  # noqa: B023
                summary = None if latest is None else latest["summary"]
                if summary is not None:
                    self.log.info(summary)
                if following is None:
                    return {"fingerprint": waits.fingerprint, **json.loads(str(report))}
                self.state = following
                if deferred and time.monotonic() - stored_at >= self.store_interval:
                    await self._store(summary)
                    stored_at = time.monotonic()

    async def on_kill(self) -> None:
        """If the task was killed, cancel its job, and write the report of the wait to its log."""
        self._end_task = asyncio.ensure_future(self._end())
        await self.cleanup()
        self._end_task.result()

    async def cleanup(self) -> None:
        """Wait for the end of `on_kill`. Airflow cancels a killed trigger again each second, until it has ended."""
        while self._end_task is not None and not self._end_task.done():
            try:
                await asyncio.shield(self._end_task)
            except asyncio.CancelledError:
                continue

    async def _end(self) -> None:
        if self._job is not None:
            if not await self._job.is_over():
                return
            await self._job.cancel()
        report = self._stored().cancel(self.state)
        failure: Any = ended(json.loads(report))
        self.log.info(failure.explain())

    async def _claim(self) -> None:
        if self._job is not None:
            await self._job.store_claim()

    def _is_late(self) -> bool:
        """Return `True` if Airflow 3.2 or older ends the trigger because of its timeout."""
        timeout: datetime | None = getattr(self, "timeout_after", None)
        if timeout is None:
            return False
        return (timeout if timeout.tzinfo else timeout.replace(tzinfo=timezone.utc)) < datetime.now(timezone.utc)

    def _stored(self) -> StoredWait:
        return StoredWait(read_waiter(self.waiter), self.report_limit, plain)

    async def _load(self) -> None:
        """Continue from the latest stored state, if another triggerer has started this wait."""
        # Airflow writes an error to its log if the XCom does not exist. A clock before the start is behind.
        started_at = _started_at(self.state)
        if self.task_instance is None or started_at <= time.time() < started_at + self.store_interval:
            return
        try:
            stored: Any = await request(XCom.get_one, key=_KEY, **task_key(self.task_instance))
            state = None if stored is None else unpacked(stored["state"])
            # An earlier run of the same task may have stored its state last.
            if state is None or _identity(state) != _identity(self.state):
                return
        except Exception:
            self.log.exception("The attempts of the wait are counted from 1, because its state cannot be read.")
            return
        self.state = state
        number = attempts(state)
        self.log.info(
            "Continuing the wait %s after %d attempts. Attempt %d may have been interrupted, and is repeated.",
            *(self.wait_id, number, number + 1),
        )

    async def _store(self, summary: str | None) -> None:
        if self.task_instance is None:
            return
        stored = {"summary": summary, "state": packed(self.state)}
        try:
            await request(XCom.set, key=_KEY, value=stored, **task_key(self.task_instance))
        except Exception:
            # The wait goes on. If the triggerer is killed before the next store, some calls are repeated.
            self.log.exception("The state of the wait cannot be stored.")


def check_interval(seconds: Any) -> None:
    """Check the interval of stores.

    Raises:
        OptionsError: It is not a number of seconds.

    """
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < inf:
        message = f"`store_interval` must be a number of seconds, at least 0, got {seconds!r}"
        raise OptionsError(message, "invalid_option", "store_interval")


def begin(waits: StoredWait, wait_id: str, input: object, options: Any) -> Begun:
    """Begin a wait with the options of an operator or a trigger.

    Raises:
        OptionsError: An option is missing, unknown or invalid.

    """
    options = {} if options is None else options
    if not isinstance(options, Mapping):
        raise OptionsError(f"`options` must be a dict, got {type(options).__name__}", "invalid_option", "options")
    return waits.begin(wait_id, input, {"history_limit": _HISTORY_LIMIT, **options})


def plain_waiter(waiter: Waiter) -> dict[str, Any]:
    """Return a waiter as plain data.

    Raises:
        OptionsError: The function `error_names` of the waiter cannot be imported.

    """
    names: Any = waiter.error_names
    path = None if names is None else f"{names.__module__}.{names.__qualname__}"
    if path is not None and import_name(path, "error_names") is not names:
        message = f"`error_names` must be a function of a module, which the triggerer can import, got {names!r}"
        raise OptionsError(message, "invalid_option", "error_names")
    arguments = {"definition": waiter.definition, "name": waiter.name}
    return {**arguments, "error_names": path, "service_errors_only": waiter.service_errors_only}


def read_waiter(waiter: Waiter | Mapping[str, Any]) -> Waiter:
    """Return the waiter of an operator, or of the stored arguments of a trigger."""
    if isinstance(waiter, Waiter):
        return waiter
    arguments = {**waiter}
    path = arguments["error_names"]
    arguments["error_names"] = None if path is None else import_name(path, "error_names")
    return Waiter(**arguments)


def _started_at(state: str) -> float:
    started_at_ms: int = _engine._stored(state)["started_at_ms"]  # noqa: SLF001
    return started_at_ms / 1000


def _ends_at(state: str) -> float:
    ends_at_ms: int = _engine._stored(state)["ends_at_ms"]  # noqa: SLF001
    return ends_at_ms / 1000


def _identity(state: str) -> tuple[object, ...]:
    """Return the facts that all states of a wait have in common."""
    facts = _engine._stored(state)  # noqa: SLF001
    return facts["started_at_ms"], facts["start"]
