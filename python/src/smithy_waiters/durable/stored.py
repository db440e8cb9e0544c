"""The driver of a wait that an engine for durable programs stores between its attempts."""

from __future__ import annotations

import asyncio
import json
import time
from base64 import b64decode, b64encode
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from contextvars import copy_context
from datetime import datetime
from functools import partial
from pickle import dumps, loads
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from smithy_waiters import _engine
from smithy_waiters._engine import Call, Done
from smithy_waiters.drivers.call import reject_awaitable, require_awaitable
from smithy_waiters.drivers.deadline import seconds_since_epoch
from smithy_waiters.drivers.detection import library
from smithy_waiters.drivers.wait import conclude
from smithy_waiters.errors import OptionsError, StateError, WaitersFailed, outcomes_of, python_members
from smithy_waiters.events import DeadlineReached, Error, Response
from smithy_waiters.json_text import state_text
from smithy_waiters.pickling import picklable, stand_in

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from smithy_waiters._engine import FleetCall, Wait
    from smithy_waiters.drivers.library import Alarm
    from smithy_waiters.errors import WaiterError
    from smithy_waiters.outcome import Outcome
    from smithy_waiters.waiter import Waiter

    _Encode = Callable[[Any], Any]

_T = TypeVar("_T")


class Begun(NamedTuple):
    """The start of a wait."""

    state: str
    """The state as JSON text, which every language can resume."""
    due_at: float
    """The time of the first attempt, in seconds since the epoch."""
    ends_at: float
    """The time of the deadline, in seconds since the epoch; ten years after the start without one."""
    identity: str
    """A text that is equal for two starts with the same definition, options, input and arguments."""


class Attempted(NamedTuple):
    """The result of an attempt: the state for the next one, or the report of a wait that has ended."""

    state: str | None
    due_at: float | None
    """The time of the next attempt, in seconds since the epoch."""
    report: str | None
    """The outcome or the failure, for `result`."""
    progress: dict[str, Any] | None
    """The latest attempt as plain data; `None` before the first one has ended."""


class Result(NamedTuple):
    """The result of a call and the time of its end."""

    event: Response | Error | DeadlineReached
    now_ms: float
    response: Any = None
    error: Exception | None = None


class StoredWait:
    """The waits of a waiter, which an engine stores. It decides when the next attempt runs, on which worker.

    Attributes:
        waiter: The `smithy_waiters.Waiter`.
        fingerprint: The fingerprint of the definition.

    """

    def __init__(self, waiter: Waiter, report_limit: int | None = None, encode: _Encode | None = None) -> None:
        """Create the driver. Reports contain the response and the error as pickles, or as `encode` returns them.

        Raises:
            OptionsError: `report_limit` is not a positive number of bytes.
            StateError: The waiter has a function instead of an expression (`predicate`).

        """
        self.waiter = waiter
        self._report_limit: int = _engine._report_limit(report_limit=report_limit)  # noqa: SLF001
        self.fingerprint: str = waiter._stored_fingerprint()  # noqa: SLF001
        self._encode = encode or _pickled

    def begin(
        self, wait_id: str, input: object, options: Any, *, arguments: str = "", started_at: float | None = None
    ) -> Begun:
        """Return the start of a wait. Unless the options have a seed, it is derived from the ID of the wait.

        `arguments` is a text of what the caller passes to the call. Times are in seconds since the epoch.

        Raises:
            OptionsError: An option is missing, unknown or invalid.

        """
        started_at, deadline, options = start_times(started_at, options)
        data = json.dumps(_engine._plain(input))  # noqa: SLF001
        start = self.waiter._start_stored  # noqa: SLF001
        machine = start(wait_id, data, started_at, deadline, self._report_limit, **options)
        state, facts = machine._state()  # noqa: SLF001
        identity = machine._start_identity(arguments)  # noqa: SLF001
        return Begun(state, facts["due_at_ms"] / 1000, facts["ends_at_ms"] / 1000, identity or "")

    def attempt(
        self, state: str, call: Callable[..., object], executions: int = 1, arguments: Sequence[Any] = ()
    ) -> Attempted:
        """Make the attempt that is due, with a blocking call of these arguments.

        `executions` counts this one and the interrupted ones.

        Raises:
            StateError: The state is damaged, or it belongs to another definition or to a later release.
            TypeError: The call returned an awaitable.

        """
        machine = self.waiter._resume_due(state)  # noqa: SLF001
        step = machine.poll(machine.now_ms)
        result = perform(partial(call, *arguments), step, machine.now_ms) if isinstance(step, Call) else None
        return self._attempted(machine, step, result, executions)

    async def attempt_async(
        self, state: str, call: Callable[..., Awaitable[object]], executions: int = 1, arguments: Sequence[Any] = ()
    ) -> Attempted:
        """Make the attempt that is due, with an asynchronous call, as `attempt`."""
        machine = self.waiter._resume_due(state)  # noqa: SLF001
        step = machine.poll(machine.now_ms)
        bound = partial(call, *arguments)
        result = await perform_async(bound, step, machine.now_ms) if isinstance(step, Call) else None
        return self._attempted(machine, step, result, executions)

    def cancel(self, state: str) -> str:
        """End a wait whose caller cancelled it, or which has passed its deadline, and return its report.

        Raises:
            StateError: The state is damaged, or it belongs to another definition or to a later release.

        """
        machine = _engine.Waiter.resume(self.waiter, state_text(state))
        return self._report(machine, machine._conclude(machine.now_ms), None, None)  # noqa: SLF001

    def due_at(self, state: str) -> float:
        """Return the time of the next attempt, as the function `due_at`."""
        return due_at(state)

    def progress(self, state: str) -> dict[str, Any] | None:
        """Return the latest attempt, as the function `progress`."""
        return progress(state)

    def _attempted(self, machine: Wait, step: object, result: Result | None, executions: int) -> Attempted:
        response, error = None, None
        if result is not None:
            step = machine.handle(result.event, result.now_ms)
            response, error = result.response, result.error
        state, facts = machine._state()  # noqa: SLF001
        latest = _progress(facts)
        # The number of times that the call of the attempt may have been made before.
        latest = latest and {**latest, "repeated": max(0, executions - 1)}
        if isinstance(step, Done):
            return Attempted(None, None, self._report(machine, step, response, error), latest)
        return Attempted(state, facts["due_at_ms"] / 1000, None, latest)

    def _report(self, machine: Wait, report: Done, response: Any, error: Exception | None) -> str:
        values = {"response": self._encode(response), "error": self._encode(error)}
        return report._end_json(json.dumps(values), machine._report_limit)  # noqa: SLF001


def start_times(started_at: float | None, options: Any) -> tuple[float, float | None, dict[str, Any]]:
    """Return the start in seconds since the epoch, the deadline in milliseconds, and the other options.

    Raises:
        OptionsError: `deadline` is not an aware `datetime`.

    """
    # A copy, because the caller may start another wait with the same options.
    deadline = (options := dict(options)).pop("deadline", None)
    if deadline is not None:
        if not isinstance(deadline, datetime):
            rule = "must be an aware `datetime`, because other processes have other monotonic clocks"
            raise OptionsError(f"`deadline` {rule}, got {deadline!r}", "invalid_option", "deadline")
        deadline = seconds_since_epoch(deadline) * 1000
    return time.time() if started_at is None else started_at, deadline, options


def require_text(option: str, value: object) -> None:
    """Check that the value of an option is a text, which is not empty.

    Raises:
        OptionsError: It is not.

    """
    if not isinstance(value, str) or not value:
        raise OptionsError(f"`{option}` must be a text, got {value!r}", "invalid_option", option)


def due_at(state: str) -> float:
    """Return the time of the next attempt, in seconds since the epoch."""
    due_at_ms: int = _engine._stored(state_text(state))["due_at_ms"]  # noqa: SLF001
    return due_at_ms / 1000


def attempts(state: str) -> int:
    """Return the number of attempts that were started."""
    number: int = _engine._stored(state_text(state))["attempts"]  # noqa: SLF001
    return number


def progress(state: str) -> dict[str, Any] | None:
    """Return the latest attempt as plain data, with its summary and its label; `None` before the first has ended."""
    return _progress(_engine._stored(state_text(state)))  # noqa: SLF001


def _progress(facts: dict[str, Any]) -> dict[str, Any] | None:
    latest: str | None = facts["progress"]
    return None if latest is None else python_members(latest)


def pause(state: str) -> float:
    """Return the seconds until the next attempt."""
    return _engine._pause(state_text(state))[0] / 1000  # noqa: SLF001


def pause_seconds(state: str) -> int:
    """Return the whole seconds until the next attempt, for an engine that asks when an attempt has just ended."""
    return _engine._pause(state_text(state))[1]  # noqa: SLF001


def result(report: str) -> Any:
    """Return the outcome of a wait, or the outcomes of a fleet by the identifiers of its resources.

    Raises:
        WaiterError: The wait failed.
        WaitersFailed: The fleet failed.
        StateError: The report is damaged.
        Exception: An attempt could not run.

    """
    end: object = ended(report)
    if isinstance(end, Exception):
        raise end
    return end


def ended(report: str | dict[str, Any]) -> Any:
    """Return what `result` returns or raises, from a report that is JSON text or parsed."""
    try:
        members: dict[str, Any] = dict(json.loads(report) if isinstance(report, str) else report)
    except (TypeError, ValueError) as problem:
        raise StateError(f"the report of the wait is damaged: {problem}", "damaged_state") from problem
    if _PICKLE in members:
        exception: Exception = _decoded(members)
        return exception
    if "ends" in members:
        return _ended_each(members)
    error = _decoded(members.get("error"))
    error = stand_in(cast("dict[str, Any]", error)) if isinstance(error, dict) else error
    response = _decoded(members.get("response"))
    end: Outcome[Any] | WaiterError = conclude(_engine._done(json.dumps(members)), response, error)  # noqa: SLF001
    return end


def _ended_each(members: dict[str, Any]) -> dict[str, Outcome[Any]] | Exception:
    try:
        succeeded: bool = members["succeeded"]
        texts = {name: json.dumps(end) for name, end in zip(members["ids"], members["ends"], strict=True)}
    except (KeyError, TypeError, ValueError) as problem:
        raise StateError(f"the report of the waits is damaged: {problem!r}", "damaged_state") from problem
    ends: dict[str, Any] = {
        name: conclude(_engine._done(text), None, None)  # noqa: SLF001
        for name, text in texts.items()
    }
    try:
        return outcomes_of(ends, succeeded=succeeded)
    except WaitersFailed as failed:
        return failed.with_traceback(None)


def report_of_exception(exception: Exception) -> str:
    """Return the report of an attempt that could not run."""
    return json.dumps(_pickled(exception))


def plain(value: Any) -> Any:
    """Encode a response or an error as plain data, for engines that do not store pickles."""
    return _engine._plain(value)  # noqa: SLF001


# The member of an encoded response or error that contains its pickle as Base64.
_PICKLE = "$pickle"


def _pickled(value: Any) -> Any:
    if value is None:
        return None
    value = picklable(value)
    # The engine keeps the name if the report is too large.
    name = {"name": type(value).__name__} if isinstance(value, BaseException) else {}
    return {**name, _PICKLE: b64encode(dumps(value)).decode()}


def _decoded(data: Any) -> Any:
    pickled = cast("dict[str, Any]", data).get(_PICKLE) if isinstance(data, dict) else None
    return cast("Any", data) if pickled is None else loads(b64decode(pickled))  # noqa: S301 - pickled by `_pickled`.


def perform(call: Callable[[], object], step: Call | FleetCall, now_ms: float) -> Result:
    """Make a blocking call."""
    start = time.monotonic()
    # In a thread, so that the attempt ends at its deadline although the call cannot be interrupted.
    future = run_in_thread(call)
    wait_for([future], timeout=_seconds(step, now_ms))
    now_ms += int((time.monotonic() - start) * 1000)
    # A call that is cut goes on in its thread.
    return _read(future.result, now_ms, "a blocking function") if future.done() else _cut(step, now_ms)


async def perform_async(call: Callable[[], Awaitable[object]], step: Call | FleetCall, now_ms: float) -> Result:
    """Make an asynchronous call."""
    start = time.monotonic()
    try:
        awaitable = call()
    except Exception as error:  # noqa: BLE001 - any error may be a result.
        return Result(Error(error), now_ms, error=error)
    seconds = _seconds(step, now_ms)
    host = library(sleeps=False)
    alarms: list[Alarm] = [] if seconds is None else [lambda: host.alarm(seconds)]
    result_of = await host.race(require_awaitable(awaitable, "a blocking function"), alarms)
    now_ms += int((time.monotonic() - start) * 1000)
    return _cut(step, now_ms) if result_of is None else _read(result_of, now_ms, "an asynchronous function")


def _read(result_of: Callable[[], object], now_ms: float, instead: str) -> Result:
    """Return the result of a call that has ended. `instead` is the kind of function that cannot return an awaitable."""
    try:
        response = result_of()
    except Exception as error:  # noqa: BLE001 - any error may be a result.
        return Result(Error(error), now_ms, error=error)
    reject_awaitable(response, instead, "`poll`")
    return Result(Response(response), now_ms, response)


def _seconds(step: Call | FleetCall, now_ms: float) -> float | None:
    """Return the time that a call may take, in seconds."""
    return None if step.deadline_ms is None else max(0.0, (step.deadline_ms - now_ms) / 1000)


def _cut(step: Call | FleetCall, now_ms: float) -> Result:
    """Return the result of a call that did not end before its deadline."""
    # A timer can fire early, and the engine rejects the event before the deadline.
    return Result(DeadlineReached(), max(now_ms, step.deadline_ms or 0))


def run_in_thread(call: Callable[[], _T]) -> Future[_T]:
    """Make a call in a thread of its own. A `SystemExit` only ends the call, with a `RuntimeError`."""
    future: Future[_T] = Future()
    # Nobody can cancel the call.
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            future.set_result(call())
        except Exception as error:  # noqa: BLE001 - the future raises it.
            future.set_exception(error)
        except BaseException as error:  # noqa: BLE001 - it must not end the program that waits for the call.
            problem = RuntimeError(f"`poll` raised {error!r}")
            problem.__cause__ = error
            future.set_exception(problem)

    # A thread cannot be interrupted, and a thread of a pool would delay the end of the process.
    Thread(target=copy_context().run, args=(run,), daemon=True).start()
    return future


def in_thread(call: Callable[[], _T]) -> asyncio.Future[_T]:
    """Make a call as `run_in_thread`, and return it as an awaitable."""
    return asyncio.wrap_future(run_in_thread(call))
